"""The AFV's move: what every hex, hexside, climb and turn costs, and what bars it (ch. 6, 7, 10, 19.3, 20)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from overrun.kernel import Ledger, Modifier, Refusal
from overrun.rulesets.valor.figures import figure, terrain_facts
from overrun.rulesets.valor.hexmap import DIRECTIONS, Board, Hex, vv
from overrun.rulesets.valor.setup import Leg, Path


@dataclass(frozen=True, slots=True)
class Route:
    """The path as a player states it: where the AFV starts and faces, the hexes it enters, which of them in reverse.

    `target` is the index of the target hex in `hexes`; an exit hex not given is the one directly opposite.
    """

    start: Hex
    facing: int
    hexes: tuple[Hex, ...]
    target: int
    reverse: frozenset[Hex] = frozenset()


def hexsides_turned(facing: int, needed: int) -> int:
    """How many hexsides, 0 to 3, lie between two facings."""
    turn = (needed - facing) % 6
    return min(turn, 6 - turn)


def opposite_exit(entered_from: Hex, target: Hex) -> Hex:
    """The hex directly opposite the one that the AFV enters the target hex from (19.3)."""
    direction = entered_from.direction(target)
    assert direction is not None
    return target.neighbour(direction)


def travel(board: Board, route: Route, mp: int, rulings: Mapping[str, str]) -> Path:
    """The path with each hex's facing and cost, the itemised MP, and every rule of movement that forbids it."""
    hexes = _with_exit(board, route)
    lines: list[Modifier] = []
    barred: list[tuple[str, Refusal]] = []
    legs: list[Leg] = []
    at, facing, spent = route.start, route.facing, 0
    for index, hex in enumerate(hexes):
        stage = "approach" if index < route.target else "target" if index == route.target else "exit"
        direction = at.direction(hex)
        assert direction is not None
        reverse = hex in route.reverse
        needed = (direction + 3) % 6 if reverse else direction
        turn = hexsides_turned(facing, needed)
        barred.extend((stage, refusal) for refusal in _turn_barred(route, index, turn, at, hex))
        if turn and legs and index - 1 != route.target:
            lines.append(_turn_line(at, turn, needed))
            spent += int(lines[-1].value)
            legs[-1] = Leg(legs[-1].hex, legs[-1].facing, needed, legs[-1].reverse, legs[-1].spent)
        entry = list(_entry_lines(board, at, hex, stage, rulings))
        if reverse:
            double = (figure("movement", "reverse_times") - 1) * sum(int(line.value) for line in entry)
            entry.append(Modifier(double, f"{hex} in reverse", vv("7.2")))
        if stage == "target":
            entry.append(Modifier(figure("overrun", "mp"), "overrun attack", vv("19.3")))
        barred.extend((stage, refusal) for refusal in _entry_barred(board, at, hex, stage))
        lines.extend(entry)
        spent += sum(int(line.value) for line in entry)
        legs.append(Leg(hex, needed, needed, reverse, spent))
        at, facing = hex, needed
    if len(hexes) == route.target + 1:
        spent += _leave_map(route, legs[-1], rulings, lines, barred)
    ledger = Ledger("Movement points", tuple(lines))
    if spent > mp:
        reason = f"It needs {spent} MP and has {mp}."
        barred.append(("target", Refusal("overrun", reason, vv("19.3"), ledgers=(ledger,))))
    return Path(tuple(legs), route.target, ledger, tuple(barred))


def _with_exit(board: Board, route: Route) -> tuple[Hex, ...]:
    if len(route.hexes) > route.target + 1:
        return route.hexes
    entered_from = route.hexes[route.target - 1] if route.target else route.start
    exit_hex = opposite_exit(entered_from, route.hexes[route.target])
    return (*route.hexes, exit_hex) if exit_hex in board else route.hexes


def _leave_map(
    route: Route, last: Leg, rulings: Mapping[str, str], lines: list[Modifier], barred: list[tuple[str, Refusal]]
) -> int:
    if rulings["off_map_exit"] == "illegal":
        reason = f"The hex directly opposite lies off the map: the AFV could not end its move beyond {last.hex}."
        barred.append(("exit", Refusal("overrun", reason, vv("6.10"))))
        return 0
    cost = terrain_facts("terrain", "open")["mp"] * (figure("movement", "reverse_times") if last.reverse else 1)
    lines.append(Modifier(cost, "leaves the map, as open ground", vv("6.10")))
    return int(cost)


def _turn_line(at: Hex, turn: int, needed: int) -> Modifier:
    sides = "1 hexside" if turn == 1 else f"{turn} hexsides"
    return Modifier(figure("movement", "turn")[turn], f"turns {sides} in {at} to face {DIRECTIONS[needed]}", vv("6.5"))


def _entry_lines(board: Board, at: Hex, hex: Hex, stage: str, rulings: Mapping[str, str]) -> Iterator[Modifier]:
    ground = board[hex]
    terrain = terrain_facts("terrain", ground.terrain)
    if "mp" in terrain:
        yield Modifier(terrain["mp"], f"{hex}, {ground.words}", vv(terrain["cite"]))
    if (side := board.hexside(at, hex)) is not None:
        facts = terrain_facts("hexside", side)
        yield Modifier(facts["mp"], f"{side} into {hex}", vv(facts["cite"]))
    if (climb := ground.level - board[at].level) > 0:
        yield Modifier(climb * figure("movement", "uphill"), f"uphill into {hex}", vv("10.7"))
    if ground.position:
        waived = stage == "target" and rulings["entrenchment_entry_mp"] == "example"
        facts = terrain_facts("position", ground.position)
        if not waived:
            yield Modifier(facts["mp"], f"{ground.position.replace('-', ' ')} in {hex}", vv(facts["cite"]))


def _turn_barred(route: Route, index: int, turn: int, at: Hex, hex: Hex) -> Iterator[Refusal]:
    if not turn:
        return
    if index == 0:
        reason = (
            f"The AFV faces {DIRECTIONS[route.facing]} in {at} and cannot turn there before it moves: its first hex "
            f"is {at.neighbour(route.facing)}, or {at.neighbour((route.facing + 3) % 6)} in reverse, not {hex}."
        )
        yield Refusal("overrun", reason, vv("7.3"))
    elif index - 1 == route.target:
        entered_from = route.hexes[index - 2] if index > 1 else route.start
        reason = f"It must leave {at} straight on, into {opposite_exit(entered_from, at)}, without a turn; not {hex}."
        yield Refusal("overrun", reason, vv("19.3"))


def _entry_barred(board: Board, at: Hex, hex: Hex, stage: str) -> Iterator[Refusal]:
    ground, left = board[hex], board[at]
    name = {"approach": "Approach hex", "target": "Target hex", "exit": "Exit hex"}[stage]
    terrain = terrain_facts("terrain", ground.terrain)
    if terrain.get("prohibited"):
        section = "19.1" if stage != "approach" else "10"
        reason = f"{name} {hex} is {ground.terrain}, which an AFV may not enter."
        yield Refusal("overrun", reason, vv(section))
    if abs(ground.level - left.level) > figure("movement", "longest_climb"):
        reason = f"{name} {hex} is level {ground.level} and {at} is level {left.level}: too steep for a vehicle."
        yield Refusal("overrun", reason, vv("10.7"))
    for bridge, other in ((hex, at), (at, hex)):
        if terrain_facts("terrain", board[bridge].terrain).get("by_road_only") and other not in board[bridge].road:
            reason = f"The bridge in {bridge} is entered and left by its road only, which does not lead to {other}."
            yield Refusal("overrun", reason, vv("10"))
    if stage == "exit" and ground.position:
        position = ground.position.replace("-", " ")
        reason = f"Exit hex {hex} holds {position}, which no AFV may occupy, and it would have to stop there."
        yield Refusal("overrun", reason, vv("20.3"))


def facings(route: Sequence[Leg]) -> tuple[str, ...]:
    """The facing in words on entering each hex."""
    return tuple(DIRECTIONS[leg.facing] for leg in route)
