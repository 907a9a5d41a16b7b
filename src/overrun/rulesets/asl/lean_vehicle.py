"""What later steps read of the vehicle's weapons that do not work.

CC asks whether a manned MG is left (A11.51); a vehicle that stays runs over weapons with the FP that it then has
(A9.74). Disabled weapons that change neither, whatever becomes of crew and riders, are forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, product

from overrun.kernel import changed
from overrun.rulesets.asl.firepower import overrun_fp, weapons
from overrun.rulesets.asl.ift import OnWeapon, column, on_weapon
from overrun.rulesets.asl.presence import armament
from overrun.rulesets.asl.setup import Setup, VehicleOpening
from overrun.rulesets.asl.state import Crew, Rider, State, Vehicle

NAMES = ("AAMG", "BMG", "CMG", "FT", "IFE", "MA")
MG_NAMES = frozenset({"AAMG", "BMG", "CMG"})
FUTURES = 64
"""Of how many combinations of riders at most all futures are compared."""


def lean_vehicle(setup: Setup, given: VehicleOpening, vehicle: Vehicle, *, closes: bool, runs_over: bool) -> Vehicle:
    """The vehicle with the fewest disabled weapons that read alike, in CC if `closes`, in what it `runs_over` too."""
    if not vehicle.disabled or not (closes or runs_over):
        return changed(vehicle, disabled=()) if vehicle.disabled else vehicle
    people = vehicle.prc if runs_over else ()
    crew = Crew.PINNED if vehicle.crew is Crew.PINNED else Crew.GOOD
    bare = Vehicle(crew=crew, ce=vehicle.ce, disabled=vehicle.disabled, prc=people)
    return changed(vehicle, disabled=_fewest(setup, given, bare, closes, runs_over))


@lru_cache(1 << 12)
def _fewest(setup: Setup, given: VehicleOpening, it: Vehicle, closes: bool, runs_over: bool) -> tuple[str, ...]:
    whole = _read(setup, given, it, closes, runs_over)
    if whole is not None:
        for size in range(len(it.disabled) + 1):
            for names in combinations(NAMES, size):
                if _read(setup, given, changed(it, disabled=names), closes, runs_over) == whole:
                    return names
    return it.disabled


Fates = tuple[OnWeapon, ...]
Reading = tuple[bool | None, Fates | None]


@lru_cache(1 << 12)
def _read(
    setup: Setup, given: VehicleOpening, it: Vehicle, closes: bool, runs_over: bool
) -> tuple[Reading, ...] | None:
    """What CC and running over weapons read in every future of crew and riders; None if those are too many."""
    futures = list(_futures(setup, it))
    if len(futures) > FUTURES:
        return None
    return tuple(_reading(State(setup, given, future), closes=closes, runs_over=runs_over) for future in futures)


def _reading(s: State, *, closes: bool, runs_over: bool) -> Reading:
    manned = {weapon.name for weapon in weapons(armament(s), s.setup.rulings)}
    head = column(overrun_fp(armament(s), s.setup.rulings).total) if runs_over else None
    return bool(manned & MG_NAMES) if closes else None, None if head is None else _fates(s.setup, head)


@lru_cache(256)
def _fates(setup: Setup, head: int) -> Fates:
    tracked = setup.vehicle.armored and setup.vehicle.fully_tracked
    return tuple(
        on_weapon(head, dr, tracked=tracked, lost_if_broken=lost)[0] for dr in range(1, 7) for lost in (False, True)
    )


def _futures(setup: Setup, it: Vehicle) -> Iterator[Vehicle]:
    """The vehicle as it may come to be: buttoned up, its crew pinned, riders reduced or gone."""
    crews = dict.fromkeys((it.crew, Crew.PINNED if setup.vehicle.open_topped else it.crew))
    people = product(*(_left(setup, one) for one in it.prc))
    for ce, crew, aboard in product(dict.fromkeys((it.ce, False)), crews, people):
        riders = tuple(sorted(one for one in aboard if one is not None))
        yield Vehicle(crew=crew, ce=ce, disabled=it.disabled, prc=riders)


def _left(setup: Setup, one: Rider) -> tuple[Rider | None, ...]:
    left, name = [one], setup.printed[one.printed].reduces_to
    while name is not None:
        left.append(changed(one, printed=name))
        name = setup.printed[name].reduces_to
    return (*left, None)
