"""From a scenario that is well formed to a situation: names resolved, the path computed, contradictions reported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from overrun.kernel import InputError, Position, Problem, Situation, meant
from overrun.rulesets.valor.figures import printed_counters, terrain_facts
from overrun.rulesets.valor.hexmap import DIRECTIONS, Board, Ground, Hex, vv
from overrun.rulesets.valor.movement import Route, travel
from overrun.rulesets.valor.opportunity import key
from overrun.rulesets.valor.rulings import RULINGS
from overrun.rulesets.valor.setup import Afv, Counter, Gun, Kind, Setup, Unit
from overrun.rulesets.valor.state import Condition, Passenger, State, in_order

if TYPE_CHECKING:
    from overrun.rulesets.valor.scenario import AfvModel, Document, FriendModel, MapModel, PassengerModel, UnitModel

_CAPACITY = {"TH": (1, 1), "T1": (2, 1), "T2": (4, 2), "T3": (6, 3), "T4": (8, 4)}
"""8.x: transport class = (half squads, leaders); a squad counts as two half squads."""


class Reading:
    """The names of one scenario, and the problems met while it is read."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.problems: list[Problem] = []
        self._counters: dict[str, Counter | None] = {}
        self._used: dict[str, Counter] = {}
        self._names: dict[str, str] = {}

    def problem(self, where: str, what: str, allowed: str = "", section: str = "") -> None:
        """Note one problem."""
        self.problems.append(Problem(where, what, allowed, vv(section) if section else None))

    def check(self) -> None:
        """Raise what has been found so far."""
        if self.problems:
            raise InputError(self.problems)

    # ------------------------------------------------------------ names

    def hex(self, name: str, where: str, board: Board) -> Hex:
        """A hex of the map; one off the map is a problem."""
        hex = Hex.named(name)
        if hex not in board:
            last = f"{self.document.map.columns}{self.document.map.rows}"
            self.problem(where, f"{name} is off the map", f"A1 to {last}")
        return hex

    def id(self, name: str, where: str) -> str:
        """A name as it stands in option ids; two units of one name are a problem."""
        found = key(name)
        if found in self._names:
            self.problem(where, f"the name {name!r} is given twice, at {self._names[found]} first", "a name of its own")
        elif not found:
            self.problem(where, f"{name!r} has neither letter nor digit", "a name with letters or digits")
        self._names[found] = where
        return found

    def counter(self, name: str, where: str, *kinds: Kind) -> Counter | None:
        """A counter by name, of one of these kinds; what is not so is a problem."""
        if name not in self._counters:
            self._counters[name] = self._read(name, where)
        counter = self._counters[name]
        if counter is not None and kinds and counter.kind not in kinds:
            allowed = ", ".join(kind.value for kind in kinds)
            self.problem(where, f"{name!r} is a {counter.kind.value}", allowed)
            return None
        if counter is not None:
            self._used[name] = counter
        return counter

    def _read(self, name: str, where: str) -> Counter | None:
        from overrun.rulesets.valor.scenario import CounterModel, read  # noqa: PLC0415

        known, own = printed_counters(), self.document.counters
        if name not in known and name not in own:
            counters = sorted({*known, *own})
            self.problem(where, f"there is no counter {name!r}{meant(name, counters)}", ", ".join(counters))
            return None
        content = {**known.get(name, {}), **own.get(name, {})}
        if name in own:
            content = {"source": "this scenario file", "verified": True, **content}
            content |= {"verified": own[name].get("verified", True)}
        place = f'counters."{name}"'
        try:
            model = read(CounterModel, content, place)
        except InputError as error:
            self.problems.extend(error.problems)
            return None
        half = self.counter(model.half, f"{place}.half", Kind.HALF_SQUAD) if model.half else None
        gun = Gun(model.gun.at, model.gun.apfp, model.gun.turret) if model.gun else None
        self._lacks(place, model)
        return Counter(
            name=name,
            kind=Kind(model.kind),
            source=model.source,
            verified=model.verified,
            apfp=model.apfp,
            range=model.range,
            cr=model.cr,
            leadership=model.leadership,
            half=half,
            gun=gun,
            mg360=model.mg360,
            ffmg=model.ffmg,
            front=model.armor.front if model.armor else "",
            rear=model.armor.rear if model.armor else "",
            mp=model.mp,
            at=model.at or "",
            size=model.size or "",
            mortar=model.mortar,
            grenades=model.grenades,
            shield=model.shield,
            transport=model.transport or "",
            tows=model.tows,
        )

    def _lacks(self, place: str, model: Any) -> None:
        kind = Kind(model.kind)
        if kind.target and model.cr < 1:
            self.problem(f"{place}.cr", "its casualty rating is missing", "1 or more")
        if kind is Kind.AFV and (model.armor is None or model.mp < 1):
            self.problem(place, "an AFV needs armor and mp")
        if kind is Kind.GUN and model.gun is None:
            self.problem(place, "a Gun needs its gun", "gun = { at, apfp, turret }")
        if model.half and kind is not Kind.SQUAD:
            self.problem(f"{place}.half", "only a squad has a half squad")

    @property
    def unverified(self) -> tuple[str, ...]:
        """Every counter used whose values are doubtful, with the reason."""
        return tuple(f"{c.name}: {c.source}" for c in self._used.values() if not c.verified)


def situation(model: Document, document: Mapping[str, Any]) -> Situation:
    """The situation of a well formed scenario. Raises `InputError` with every contradiction found."""
    reading = Reading(model)
    try:
        rulings = RULINGS.chosen(model.rulings)
    except InputError as error:
        reading.problems.extend(error.problems)
        rulings = RULINGS.chosen({})
    board = _board(reading, model.map)
    afv, passengers = _afv(reading, model.afv, board)
    units, conditions = _units(reading, model.defenders, board)
    friends = tuple(_friends(reading, model.friends, board))
    defender = tuple(_pool(reading, model.expendables.defender, "defender"))
    attacker = tuple(_pool(reading, model.expendables.attacker, "attacker"))
    route = _route(reading, model.afv, board)
    _positions(reading, board, (*units, *friends))
    _plan(reading, model.plan)
    if any(unit.hex == route.start for unit in units):
        reading.problem("afv.hex", f"{route.start} holds a defender", "a hex of its own")
    reading.check()
    assert afv is not None
    setup = Setup(
        board=board,
        afv=afv,
        passengers=passengers,
        units=units,
        friends=friends,
        path=travel(board, route, afv.counter.mp, rulings),
        pool=defender,
        attacker_pool=attacker,
        rulings=rulings,
        phase=model.phase,
    )
    start = State(
        setup,
        in_order(setup, conditions),
        tuple(n for _, n in defender),
        tuple(n for _, n in attacker),
        tuple(Passenger(valorous=rider.valorous) for rider in model.afv.passengers),
    )
    return Situation(
        title=model.title,
        start=Position("declaration", start),
        rulings=rulings,
        plan=model.plan,
        dice=tuple(tuple(roll) for roll in model.dice.rolls),
        unverified=reading.unverified,
        document=document,
    )


def _board(reading: Reading, model: MapModel) -> Board:
    columns = Hex.named(f"{model.columns}1").column + 1
    bounds = Board(columns, model.rows)
    hexes = {}
    for name, hex in model.hexes.items():
        at = reading.hex(name, f"map.hexes.{name}", bounds)
        road = tuple(reading.hex(to, f"map.hexes.{name}.road", bounds) for to in hex.road)
        for to in road:
            if at.direction(to) is None:
                reading.problem(f"map.hexes.{name}.road", f"{to} is not adjacent to {name}", "adjacent hexes")
        facing = DIRECTIONS.index(hex.bunker_facing) if hex.bunker_facing else None
        hexes[at] = Ground(hex.terrain, hex.level, hex.position, hex.smoke, hex.mines, hex.wire, road, facing)
    hexsides = {}
    for index, side in enumerate(model.hexsides, 1):
        one, other = (reading.hex(name, f"map.hexsides[{index}].between", bounds) for name in side.between)
        if one.direction(other) is None:
            reading.problem(f"map.hexsides[{index}].between", f"{one} and {other} are not adjacent", "adjacent hexes")
        hexsides[frozenset((one, other))] = side.kind
    return Board(columns, model.rows, hexes, hexsides)


def _afv(reading: Reading, model: AfvModel, board: Board) -> tuple[Afv | None, tuple[Unit, ...]]:
    counter = reading.counter(model.counter, "afv.counter", Kind.AFV, Kind.VEHICLE)
    hex = reading.hex(model.hex, "afv.hex", board)
    if model.towing is not None:
        reading.counter(model.towing, "afv.towing", Kind.GUN)
        if counter is not None and not counter.tows:
            reading.problem("afv.towing", f"{counter.name} cannot tow", section="8")
    passengers = tuple(_passengers(reading, model.passengers, hex, "afv.passengers", None))
    _capacity(reading, counter, passengers, "afv.passengers")
    if counter is None:
        return None, passengers
    facing = DIRECTIONS.index(model.facing)
    afv = Afv(
        model.name or counter.name,
        counter,
        hex,
        facing,
        immobile=model.immobile,
        fired=model.fired,
        moved=model.moved,
        towing=model.towing or "",
    )
    return afv, passengers


def _passengers(
    reading: Reading, models: Sequence[PassengerModel], hex: Hex, where: str, carrier: int | None
) -> Iterator[Unit]:
    for index, model in enumerate(models, 1):
        place = f"{where}[{index}]"
        id = reading.id(model.name, f"{place}.name")
        counter = reading.counter(model.counter, f"{place}.counter", Kind.SQUAD, Kind.HALF_SQUAD, Kind.LEADER)
        weapons = tuple(_weapons(reading, model.weapons, place))
        if counter is not None:
            yield Unit(id, model.name, counter, hex, weapons, carrier=carrier)


def _weapons(reading: Reading, names: Sequence[str], place: str) -> Iterator[Counter]:
    for name in names:
        counter = reading.counter(name, f"{place}.weapons", Kind.WEAPON)
        if counter is not None:
            yield counter


def _capacity(reading: Reading, carrier: Counter | None, passengers: Sequence[Unit], where: str) -> None:
    if carrier is None or not passengers:
        return
    halves, leaders = _CAPACITY.get(carrier.transport, (0, 0))
    aboard = sum({Kind.SQUAD: 2, Kind.HALF_SQUAD: 1}.get(unit.counter.kind, 0) for unit in passengers)
    led = sum(unit.counter.kind is Kind.LEADER for unit in passengers)
    if aboard > halves or led > leaders:
        allowed = f"{halves} half squads (a squad counts as two) and {leaders} leader(s)" if halves else "nobody"
        reading.problem(where, f"{carrier.name} cannot carry all of them", allowed, "8")


def _units(
    reading: Reading, models: Sequence[UnitModel], board: Board
) -> tuple[tuple[Unit, ...], tuple[Condition, ...]]:
    units: list[Unit] = []
    conditions: list[Condition] = []
    for index, model in enumerate(models, 1):
        where = f"defenders[{index}]"
        hex = reading.hex(model.hex, f"{where}.hex", board)
        counter = reading.counter(
            model.counter,
            f"{where}.counter",
            *(kind for kind in Kind if kind not in (Kind.WEAPON, Kind.EXPENDABLE)),
        )
        weapons = tuple(_weapons(reading, model.weapons, where))
        sees = {reading.hex(name, f"{where}.sees", board): 0 for name in model.sees}
        sees |= {reading.hex(name, f"{where}.hindrances", board): n for name, n in model.hindrances.items()}
        if counter is None:
            continue
        _unit_problems(reading, model, counter, where)
        condition = Condition(pinned=model.pinned, fired=model.fired, valorous=model.valorous)
        facing = DIRECTIONS.index(model.facing) if model.facing else None
        for number in range(1, model.count + 1):
            name = model.name if model.count == 1 else f"{model.name} {number}"
            id = reading.id(name, f"{where}.name")
            group = key(model.name) if model.count > 1 else ""
            units.append(Unit(id, model.name, counter, hex, weapons, facing, tuple(sees.items()), group))
            conditions.append(condition)
        carrier = len(units) - 1
        aboard = list(_passengers(reading, model.passengers, hex, f"{where}.passengers", carrier))
        _capacity(reading, counter, aboard, f"{where}.passengers")
        if model.tows is not None:
            towed = reading.counter(model.tows, f"{where}.tows", Kind.GUN)
            if towed is not None:
                id = reading.id(towed.name, f"{where}.tows")
                aboard.append(Unit(id, towed.name, towed, hex, carrier=carrier, towed=True))
        units.extend(aboard)
        conditions.extend(_aboard(model))
    return tuple(units), tuple(conditions)


def _aboard(model: UnitModel) -> Iterator[Condition]:
    """The condition of each passenger of a vehicle, who shares its pin, and of the Gun that it tows."""
    yield from (Condition(pinned=model.pinned, valorous=rider.valorous) for rider in model.passengers)
    if model.tows is not None:
        yield Condition(pinned=model.pinned)


def _unit_problems(reading: Reading, model: UnitModel, counter: Counter, where: str) -> None:
    if counter.gun is not None and not counter.gun.turret and model.facing is None:
        reading.problem(f"{where}.facing", f"{counter.name} fires in its arc only, so it needs a facing", _facings())
    if model.valorous and not counter.kind.infantry:
        reading.problem(f"{where}.valorous", f"{counter.name} is no infantry", "false", "16")
    if counter.kind is Kind.AFV and model.pinned:
        reading.problem(f"{where}.pinned", "an AFV is never pinned", "false", "14.7")
    if (model.passengers or model.tows) and (counter.kind is not Kind.VEHICLE or model.count > 1):
        reading.problem(where, "only a single unarmored vehicle carries passengers or tows here", "count = 1")
    if model.tows and not counter.tows:
        reading.problem(f"{where}.tows", f"{counter.name} cannot tow", section="8")


def _facings() -> str:
    return ", ".join(DIRECTIONS)


def _friends(reading: Reading, models: Sequence[FriendModel], board: Board) -> Iterator[Unit]:
    for index, model in enumerate(models, 1):
        where = f"friends[{index}]"
        counter = reading.counter(
            model.counter,
            f"{where}.counter",
            *(kind for kind in Kind if kind not in (Kind.WEAPON, Kind.EXPENDABLE, Kind.SNIPER)),
        )
        hex = reading.hex(model.hex, f"{where}.hex", board)
        id = reading.id(model.name, f"{where}.name")
        if counter is not None:
            yield Unit(id, model.name, counter, hex)


def _pool(reading: Reading, names: Mapping[str, int], side: str) -> Iterator[tuple[Counter, int]]:
    for name, number in names.items():
        where = f'expendables.{side}."{name}"'
        counter = reading.counter(name, where, Kind.EXPENDABLE)
        if counter is None:
            continue
        if side == "defender" and not counter.at:
            reading.problem(where, f"{name} has no AT rating, so no use against an AFV")
        elif side == "attacker" and not (counter.grenades or counter.apfp):
            reading.problem(where, f"{name} adds nothing to an overrun", "grenades or satchel charges", "19.4")
        else:
            yield counter, number


def _route(reading: Reading, model: AfvModel, board: Board) -> Route:
    start = Hex.named(model.hex)
    hexes = tuple(reading.hex(name, f"afv.path[{i}]", board) for i, name in enumerate(model.path, 1))
    before = start
    for index, hex in enumerate(hexes, 1):
        if before.direction(hex) is None:
            reading.problem(f"afv.path[{index}]", f"{hex} is not adjacent to {before}", "an adjacent hex")
        before = hex
    target = len(hexes) - 2 if len(hexes) > 1 else 0
    if model.target is not None:
        if model.target not in model.path:
            reading.problem("afv.target", f"{model.target} is not on the path", ", ".join(model.path))
        else:
            target = len(model.path) - 1 - model.path[::-1].index(model.target)
            if target < len(hexes) - 2:
                reading.problem(
                    "afv.path",
                    f"it goes on for {len(hexes) - 1 - target} hexes after {model.target}",
                    "the exit hex only, or nothing",
                    "19.3",
                )
    for name in model.reverse:
        if name not in model.path:
            reading.problem("afv.reverse", f"{name} is not on the path", ", ".join(model.path))
    return Route(start, DIRECTIONS.index(model.facing), hexes, target, frozenset(map(Hex.named, model.reverse)))


def _positions(reading: Reading, board: Board, units: Sequence[Unit]) -> None:
    for unit in units:
        position = board[unit.hex].position
        kind = "infantry" if unit.counter.kind.infantry else unit.counter.kind.value
        if position is None or unit.counter.kind is Kind.SNIPER:
            continue
        holds = terrain_facts("position", position)["holds"]
        if kind not in holds or unit.carrier is not None:
            what = f"{unit.label} cannot be in a hex with {position}"
            reading.problem(f"map.hexes.{unit.hex}.position", what, " and ".join(holds), "20.3")


def _plan(reading: Reading, plan: Mapping[str, Sequence[str]]) -> None:
    from overrun.rulesets.valor import rules  # noqa: PLC0415  (the package imports nothing of this module)

    for step in plan:
        if step not in rules.steps:
            reading.problem(f'plan."{step}"', "there is no such step", ", ".join(sorted(rules.steps)))
