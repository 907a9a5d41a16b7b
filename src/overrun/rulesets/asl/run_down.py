"""Enemy vehicles in the Location under the OVR's DR (A7.308, A7.309, D7.12): the vehicle line, then whoever rides."""

from __future__ import annotations

from dataclasses import dataclass, field

from overrun.kernel import Chance, Dice, Each, Exit, Ledger, Modifier, Node, Op, Procedure, Returned, Seat, changed
from overrun.rulesets.asl.aboard import Aboard
from overrun.rulesets.asl.ift import OnVehicle, kill_number, most_vehicles, on_vehicle, unlikely_kill, worse
from overrun.rulesets.asl.selection import Picked, random_selection
from overrun.rulesets.asl.setup import Setup, asl
from overrun.rulesets.asl.state import Prey

UNLIKELY_DR = Dice("Unlikely Kill dr", (6,), sum)


@dataclass(frozen=True, slots=True)
class Quarry:
    """One enemy vehicle under the DR: DRM against it (None: an AFV, which the DR cannot hurt) and its people.

    `crew_drm` is None for a crew that is not exposed. `fate` is what the vehicle line has done to it so far.
    """

    prey: Prey
    vehicle_drm: int | None
    crew_drm: int | None
    riders_drm: int
    fate: OnVehicle = OnVehicle.NONE


@dataclass(frozen=True, slots=True)
class RunDown:
    """All enemy vehicles of the Location under one Original DR on one column; `left` goes back to the caller."""

    setup: Setup = field(compare=False, repr=False)
    column: int | None
    original: int
    quarries: tuple[Quarry, ...] = ()
    left: tuple[Prey, ...] = ()
    ledgers: tuple[Ledger, ...] = field(default=(), compare=False, repr=False)


run_down: Procedure[RunDown] = Procedure(
    "run_down", "Enemy vehicles in the Location", asl("A7.308"), returns=("resolved",)
)


@run_down.step(asl("A7.308"), "The vehicle line", unlikely_kill="unlikely", rolled="limit")
def vehicle_line(r: RunDown) -> Node[RunDown]:
    """Below the column's Kill# an unarmored vehicle is eliminated, on it immobilized, at half of it a burning wreck."""
    quarries = tuple(
        q if q.vehicle_drm is None else changed(q, fate=on_vehicle(r.column, r.original + q.vehicle_drm))
        for q in r.quarries
    )
    ledgers = [] if r.column is None else [_kill(r.column)]
    for quarry in quarries:
        if quarry.vehicle_drm is not None:
            name = r.setup.vehicles[quarry.prey.printed].name
            line = Modifier(r.original + quarry.vehicle_drm, f"Final DR against the {name}", asl("A7.308"), Op.IS)
            ledgers.append(Ledger("vehicle line", (line,)))
    after = changed(r, quarries=quarries)
    soft = r.column is not None and any(q.vehicle_drm is not None for q in quarries)
    return Exit("unlikely_kill" if soft and r.original == 2 else "rolled", after, ledgers=tuple(ledgers))


def _kill(column: int) -> Ledger:
    cell = kill_number(column)
    return Ledger("Kill#", (cell.line(cell.value),))


@run_down.step(asl("A7.309"), "Unlikely Kill", rolled="limit")
def unlikely(r: RunDown) -> Node[RunDown]:
    """After an Original 2 one more die may burn, eliminate or immobilize the unarmored vehicles; the worse counts."""

    def then(dr: int) -> Exit[RunDown]:
        quarries = tuple(
            q if q.vehicle_drm is None else changed(q, fate=worse(q.fate, unlikely_kill(dr))) for q in r.quarries
        )
        return Exit("rolled", changed(r, quarries=quarries))

    return Chance(UNLIKELY_DR, then, Seat.ATTACKER)


@run_down.step(asl("A7.308"), "How many vehicles one DR can hit", selected="people", all="people")
def limit(r: RunDown) -> Node[RunDown]:
    """One DR hits no more vehicles than the highest KIA number of its column; Random Selection says which."""
    hit = [index for index, quarry in enumerate(r.quarries) if quarry.fate is not OnVehicle.NONE]
    most = len(hit) if r.column is None else most_vehicles(r.column)
    if len(hit) <= most:
        return Exit("all", r)

    def then(picked: Picked) -> Exit[RunDown]:
        spared = {index for index, chosen in zip(hit, picked, strict=True) if not chosen}
        quarries = tuple(
            changed(quarry, fate=OnVehicle.NONE) if index in spared else quarry
            for index, quarry in enumerate(r.quarries)
        )
        return Exit("selected", changed(r, quarries=quarries))

    return Chance(random_selection(len(hit), most), then, Seat.ATTACKER)


@run_down.step(asl("A7.308"), "Each vehicle and its people", calls=("aboard",), settled="resolved")
def people(r: RunDown) -> Node[RunDown]:
    """A destroyed vehicle's people try to survive; those of any other suffer the result on the IFT, if exposed."""
    subs = tuple(Aboard(r.setup, q.prey, q.fate, r.column, r.original, q.crew_drm, q.riders_drm) for q in r.quarries)

    def fold(r: RunDown, run: int, back: Returned) -> RunDown:
        after: Aboard = back.state
        return r if after.fate in LOST else changed(r, left=(*r.left, after.prey))

    def then(r: RunDown) -> Exit[RunDown]:
        return Exit("settled", RunDown(r.setup, None, 0, left=tuple(sorted(r.left))))

    return Each("aboard", subs, changed(r, quarries=(), left=()), fold, then)


LOST = frozenset({OnVehicle.ELIMINATED, OnVehicle.BURNING})
