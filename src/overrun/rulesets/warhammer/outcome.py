"""How an overrun ends, what is counted on the way, and what a player may want (W-13)."""

from __future__ import annotations

from overrun.kernel import End, Measure, Node, Payoff, Procedure
from overrun.kernel.measure import Kind
from overrun.rulesets.warhammer.rulings import wfb
from overrun.rulesets.warhammer.state import State

ENDINGS = {
    "not_wiped_out": "The attacks left some enemy alive: no overrun.",
    "not_allowed": "The unit may not overrun and stays.",
    "stayed": "The unit stays where it is.",
    "contact": "The unit has charged a fresh enemy and fights it in the following turn.",
    "target_panics": "The unit struck a flank or rear and the enemy fled in panic before any blow.",
    "moved": "The unit met nothing. It is free to charge, march or move in its next turn.",
    "blocked": "A friend or terrain stopped the move. The unit is free in its next turn.",
    "halted": "The unit halted one inch from an enemy that it could not charge.",
    "ran_down": "The unit ran down a fleeing enemy and stopped there.",
    "left_table": "The unit left the table and comes back later.",
    "off_at_the_end": "The unit is off the table as the game ends; it is not destroyed for that.",
    "lost": "The unit left the table and is lost.",
    "stopped_at_edge": "The unit stopped at the table's edge.",
}
"""Every outcome of an overrun in words."""


def _event(name: str, meaning: str) -> Measure:
    return Measure(name, meaning, Kind.EVENT)


MEASURES = (
    _event("wiped_out", "Every opponent of the combat was slain."),
    _event("overruns", "The unit makes the overrun move."),
    _event("contact", "The unit strikes a fresh enemy."),
    Measure("target", "Which enemy is struck: the number of its unit among the others of the file; 0 for none."),
    Measure("second_target", "Which other enemy is engaged with it; 0 for none."),
    Measure("models", "The unit's own models in contact whose bases really overlap the enemy's edge."),
    Measure("models_with_corners", "Those models and the ones that touch at a corner only."),
    Measure("enemy_models", "Enemy models along the struck face, or in the line that skirmishers form."),
    Measure("distance", "Hundredths of an inch of the roll that the move took."),
    _event("wheels", "The charge uses a wheel."),
    _event("cut_short", "The move goes less far than the roll without striking anybody."),
    _event("blocked", "A friend or terrain stops the move."),
    _event("ran_down", "A fleeing enemy is destroyed."),
    _event("leaves_table", "The unit leaves the table."),
    _event("returns_later", "It comes back in a later turn."),
    _event("unit_lost", "The unit is lost by leaving the table."),
    _event("chariot_suffers_terrain", "A chariot crosses difficult ground and takes its hits."),
    _event("fear_or_terror_waived", "A fear or terror test that a plain charge needs is not taken."),
    _event("target_panics", "The struck unit fails its panic test and flees."),
    _event("fights_next_turn", "The unit fights the struck enemy in the following turn and counts as charging."),
    _event("strikes_front", "That fight is against the enemy's front."),
    _event("strikes_flank", "That fight is against a flank: +1 to the combat result."),
    _event("strikes_rear", "That fight is against the rear: +2 to the combat result."),
    _event(
        "cancels_ranks", "The unit strikes flank or rear with unit strength 5 or more: the enemy's ranks do not count."
    ),
    _event("defended_obstacle", "The struck enemy defends an obstacle: it is hit on sixes until a round is won."),
    _event("free_next_turn", "The unit may charge, march or move as it likes in its next turn."),
)

PAYOFFS = (
    Payoff("contact", "1 point when the overrun strikes a fresh enemy.", {"contact": 1}),
    Payoff("models", "1 point for each model brought into contact.", {"models": 1}),
    Payoff(
        "stay_on_table",
        "1 point for each model in contact, 5 off for leaving the table.",
        {"models": 1, "leaves_table": -5},
    ),
    Payoff(
        "flank",
        "1 point for contact, 2 more for a flank, 3 more for the rear, 1 more when ranks are cancelled.",
        {"contact": 1, "strikes_flank": 2, "strikes_rear": 3, "cancels_ranks": 1},
    ),
)

end: Procedure[State] = Procedure("end", "The end of the overrun", wfb("overrun"))


@end.step(wfb("overrun"), "The overrun is over")
def finish(s: State) -> Node[State]:
    """The move is made, or was not to be; what follows belongs to the next turn."""
    return End(s.ending)
