"""What the words of this app mean."""

from __future__ import annotations

GLOSSARY = (
    ("Step", "One question of the rulebook: something to decide, something to roll, or something that simply follows."),
    ("Seat", "Who decides or rolls: the attacker, who drives, or the defender, who is driven over."),
    ("Option", "Something that a seat may do at a step. Its chance and its worth are exact."),
    ("Refusal", "Something that a player might expect to do and may not, with the reason and the rule."),
    ("Cite", "The number of a rule in its rulebook. Every figure here carries one."),
    ("Ledger", "A figure unfolded into its parts, each with its rule; the sum is computed from the parts."),
    ("Ruling", "A named switch for a rule that its text leaves open. Choose the reading that your table uses."),
    ("Unverified", "A figure that could be checked against one source only. Every answer that used it says so."),
    ("Worth", "What a seat can expect from here on when both play their best, in points of the chosen payoff."),
    ("Costs", "How much less an option is worth than the best one: the price of that mistake."),
    ("Payoff", "What the seats want: points for units, for the vehicle, and so on."),
    ("Plan", "Choices stated beforehand, step by step. Odds can be asked for under a plan instead of best play."),
    ("Restriction", "A named cut of options for situations too large to solve whole. The answer is then a bound."),
    ("Exact", "Worked out over every fall of the dice as a fraction. Nothing here is sampled."),
    ("Log", "Every answer of a session in order, undone ones included. It can be replayed and verified."),
)
