"""The Infantry Fire Table: columns, results, the vehicle line, and what a result means for one target."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from overrun.kernel import Hashed, Ledger, Modifier, Number, Op, Table, hashed
from overrun.kernel.table import Cell, load
from overrun.rulesets.asl.setup import asl

PACKAGE = "overrun.rulesets.asl.data"
COLUMNS = (1, 2, 4, 6, 8, 12, 16, 20, 24, 30, 36)
"""FP columns; the last one is for 36 FP and more."""


class ResultKind(StrEnum):
    """Kinds of IFT result, weakest first."""

    __hash__ = str.__hash__

    NONE = "-"
    PTC = "PTC"
    MC = "MC"
    K = "K"
    KIA = "KIA"


@dataclass(frozen=True, slots=True)
class Result:
    """An IFT result; `number` is the # of KIA, K/# or #MC (0 for NMC and where there is none).

    >>> str(Result.read("K/3")), str(Result.read("NMC")), str(Result.read("2KIA"))
    ('K/3', 'NMC', '2KIA')
    """

    kind: ResultKind
    number: int = 0

    @classmethod
    def read(cls, text: str) -> Result:
        """Read a printed cell. Raises `ValueError` for anything that is no result."""
        if text in {"-", "PTC"}:
            return cls(ResultKind(text))
        if text == "NMC":
            return cls(ResultKind.MC)
        if text.startswith("K/"):
            return cls(ResultKind.K, int(text[2:]))
        for kind in (ResultKind.KIA, ResultKind.MC):
            if text.endswith(kind):
                return cls(kind, int(text.removesuffix(kind)))
        raise ValueError(f"{text!r} is no IFT result")

    def __str__(self) -> str:
        match self.kind:
            case ResultKind.NONE | ResultKind.PTC:
                return self.kind.value
            case ResultKind.K:
                return f"K/{self.number}"
            case ResultKind.MC if self.number == 0:
                return "NMC"
            case _:
                return f"{self.number}{self.kind.value}"

    @property
    def reveals(self) -> bool:
        """Is it PTC or worse, so that a concealed target loses its "?" (A12.14)?"""
        return self.kind is not ResultKind.NONE


NO_RESULT = Result(ResultKind.NONE)


@cache
def ift() -> Table[Result]:
    """The 176 cells of the IFT."""
    return load(PACKAGE, "ift", Result.read)


@cache
def kill_line() -> Table[int]:
    """The Kill# of each column against vehicles and horses."""
    return load(PACKAGE, "ift_kill", int)


@cache
def he_columns() -> Table[int]:
    """The IFT column of a HE hit by caliber."""
    return load(PACKAGE, "he_column", int)


def column(fp: Number) -> int | None:
    """The column that `fp` firepower uses: the largest that it fills (A7.3), None below 1 FP.

    >>> from fractions import Fraction
    >>> column(Fraction(41, 2)), column(Fraction(1, 2)), column(100)
    (20, None, 36)
    """
    return max((head for head in COLUMNS if head <= fp), default=None)


def column_left(head: int) -> int | None:
    """The next column to the left, None left of the first."""
    index = COLUMNS.index(head)
    return COLUMNS[index - 1] if index else None


def look_up(head: int | None, final: int) -> tuple[Result, Ledger]:
    """The result of a Final DR in a column, and where it stands in the table."""
    if head is None:
        line = Modifier(0, "less than 1 FP: no effect", asl("A7.3"), Op.IS)
        return NO_RESULT, Ledger("IFT", (line,))
    cell = ift().at(final, head)
    reason = f"{cell.reason} = {cell.value}"
    return cell.value, Ledger("IFT", (Modifier(final, reason, cell.cite, Op.IS, cell.verified),))


def kill_number(head: int) -> Cell[int]:
    """The Kill# of a column."""
    return kill_line().at("Kill#", head)


def most_vehicles(head: int) -> int:
    """How many vehicles or horses one DR can hit at most: the highest KIA# printed in its column (A7.308)."""
    results = (ift().at(row.text, head).value for row in ift().rows)
    return max(result.number for result in results if result.kind is ResultKind.KIA)


class OnVehicle(StrEnum):
    """What the vehicle line does to an unarmored vehicle, weakest first."""

    __hash__ = str.__hash__

    NONE = "none"
    IMMOBILIZED = "immobilized"
    ELIMINATED = "eliminated"
    BURNING = "burning"


SEVERITY = tuple(OnVehicle)


def on_vehicle(head: int | None, final: int) -> OnVehicle:
    """The vehicle line (A7.308): below Kill# eliminated, equal immobilized, at most half of it a burning wreck.

    >>> [str(on_vehicle(8, dr)) for dr in (8, 7, 6, 3)]
    ['none', 'immobilized', 'eliminated', 'burning']
    """
    if head is None:
        return OnVehicle.NONE
    kill = kill_number(head).value
    if 2 * final <= kill:
        return OnVehicle.BURNING
    if final < kill:
        return OnVehicle.ELIMINATED
    return OnVehicle.IMMOBILIZED if final == kill else OnVehicle.NONE


def unlikely_kill(dr: int) -> OnVehicle:
    """The extra dr after an Original 2 on the vehicle line or in CC against a vehicle (A7.309, A11.501)."""
    return {1: OnVehicle.BURNING, 2: OnVehicle.ELIMINATED, 3: OnVehicle.IMMOBILIZED}.get(dr, OnVehicle.NONE)


def worse(one: OnVehicle, other: OnVehicle) -> OnVehicle:
    """The heavier of two results on a vehicle."""
    return max(one, other, key=SEVERITY.index)


class OnHorses(StrEnum):
    """What the vehicle line does to horse counters."""

    NONE = "none"
    REDUCED = "reduced"
    ELIMINATED = "eliminated"


def on_horses(head: int | None, final: int) -> OnHorses:
    """Horses on the vehicle line (A7.308): below Kill# eliminated, equal to it one Casualty Reduction."""
    fate = on_vehicle(head, final)
    if fate is OnVehicle.NONE:
        return OnHorses.NONE
    return OnHorses.REDUCED if fate is OnVehicle.IMMOBILIZED else OnHorses.ELIMINATED


class Casualty(StrEnum):
    """Losses of one unit before any check."""

    __hash__ = str.__hash__

    NONE = "none"
    REDUCED = "reduced"
    ELIMINATED = "eliminated"


@hashed
@dataclass(frozen=True, slots=True)
class Effect(Hashed):
    """What one result does to one target unit: first `casualty`, then `breaks`, then a MC at `+check` or a PTC."""

    casualty: Casualty = Casualty.NONE
    breaks: bool = False
    check: int | None = None
    pin_check: bool = False


def effect(result: Result, *, selected: bool, breakable: bool, smc: bool, pinnable: bool) -> Effect:
    """The effect of `result` on a Personnel unit (A7.301-.305).

    `selected`: Random Selection hit it. `breakable`: it is unbroken and can break. `pinnable`: a PTC can pin it.
    """
    match result.kind:
        case ResultKind.KIA if selected:
            return Effect(Casualty.ELIMINATED)
        case ResultKind.KIA:
            return Effect(breaks=True) if breakable else Effect(Casualty.REDUCED)
        case ResultKind.K if selected:
            return Effect(Casualty.REDUCED, check=None if smc else result.number)
        case ResultKind.K | ResultKind.MC:
            return Effect(check=result.number)
        case ResultKind.PTC:
            return Effect(pin_check=pinnable)
        case _:
            return Effect()


def slots(result: Result, targets: int) -> int:
    """How many of `targets` units Random Selection picks, ties apart (A.9): # for KIA, one for K/#, none else."""
    if result.kind is ResultKind.KIA:
        return min(result.number, targets)
    return min(1, targets) if result.kind is ResultKind.K else 0


class OnWeapon(StrEnum):
    """What a destruction check does to a SW or Gun."""

    NONE = "none"
    MALFUNCTIONS = "malfunctions"
    ELIMINATED = "eliminated"


def on_weapon(head: int, dr: int, *, tracked: bool, lost_if_broken: bool) -> tuple[OnWeapon, Ledger]:
    """Random SW Destruction on an overrun's own column (A9.74): KIA row eliminates, K row malfunctions.

    `tracked`: the overrunner is a fully-tracked AFV (-1 drm). `lost_if_broken`: already malfunctioned, or an X# weapon.
    """
    lines = [Modifier(dr, "destruction dr", asl("A9.74"))]
    if tracked:
        lines.append(Modifier(-1, "fully-tracked AFV", asl("A9.74")))
    ledger = Ledger("SW destruction", tuple(lines))
    kind = ift().at(ledger.total, head).value.kind
    if kind is ResultKind.KIA or (kind is ResultKind.K and lost_if_broken):
        return OnWeapon.ELIMINATED, ledger
    return (OnWeapon.MALFUNCTIONS if kind is ResultKind.K else OnWeapon.NONE), ledger
