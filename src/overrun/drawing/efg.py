"""An extracted game as a Gambit game tree (`.efg`), so that other programs can solve it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from overrun.analysis.errors import TooLarge
from overrun.analysis.game import Game, Option
from overrun.analysis.payoff import wants
from overrun.kernel import Payoff, RulesError, Seat

LIMIT = 200_000
"""Nodes of a tree. A tree holds every history apart, and grows far faster than the graph of distinct positions."""

Counts = Mapping[str, int]


def efg(game: Game, payoff: Payoff, title: str, limit: int = LIMIT) -> str:
    """The game as a tree of perfect information: players 1 and 2 are attacker and defender.

    A leaf pays what was counted on the way to it. Options keep the order of the rules. Raises `TooLarge`, and
    `RulesError` for a game extracted without its tallies.
    """
    if not game.tallies:
        raise RulesError("a game tree needs a game extracted with its tallies")
    seats = " ".join(quoted(str(seat)) for seat in Seat)
    lines = [f"EFG 2 R {quoted(title)} {{ {seats} }}", quoted(f"payoff {payoff.name}: {payoff.meaning}"), ""]
    for line in _nodes(game, payoff):
        lines.append(line)
        if len(lines) > limit:
            raise TooLarge(f"a game tree of more than {limit:,} nodes", f"{limit:,} nodes")
    return "\n".join(lines) + "\n"


def _nodes(game: Game, payoff: Payoff) -> Iterator[str]:
    """The nodes from the root on, each before what follows it, first branch first, as the format wants them."""
    scales = [wants(payoff, seat) for seat in Seat]
    sets = {Seat.ATTACKER: 0, Seat.DEFENDER: 0}
    chances = leaves = 0
    waiting: list[tuple[Option | int, Counts]] = [(game.start, {})]
    while waiting:
        node, counts = waiting.pop()
        if isinstance(node, Option):
            if len(node.arcs) > 1:
                chances += 1
                branches = " ".join(
                    f"{quoted(str(place))} {Fraction(weight, node.total)}"
                    for place, (weight, _, _) in enumerate(node.arcs)
                )
                yield f'c "" {chances} "" {{ {branches} }} 0'
            waiting += [(row, _plus(counts, tally)) for _, tally, row in reversed(node.arcs)]
            continue
        row = game.rows[node]
        if row.seat is None:
            leaves += 1
            pays = " ".join(str(sum((w * counts.get(n, 0) for n, w in scale.items()), Fraction(0))) for scale in scales)
            yield f'{"t"} "" {leaves} {quoted(row.outcome)} {{ {pays} }}'
            continue
        sets[row.seat] += 1
        player = list(Seat).index(row.seat) + 1
        names = " ".join(quoted(option.id) for option in row.options)
        label = f"{row.key[0]} {sum(sets.values())}"  # Gambit 17 wants every label once
        yield f'p {quoted(label)} {player} {sets[row.seat]} "" {{ {names} }} 0'
        waiting += [(option, counts) for option in reversed(row.options)]


def _plus(counts: Counts, tally: tuple[tuple[str, int], ...]) -> Counts:
    if not tally:
        return counts
    more = dict(counts)
    for name, count in tally:
        more[name] = more.get(name, 0) + count
    return more


def quoted(text: str) -> str:
    """A string of the format, which has no escapes."""
    return '"' + text.replace('"', "'").replace("\n", " ") + '"'
