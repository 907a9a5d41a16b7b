"""The three defensive fire tables as data: stage by status by means, and what each footnote says (A-19, A-20, A-38)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from overrun.kernel import Cite, Table
from overrun.kernel.table import load
from overrun.rulesets.asl.setup import Fired, asl


class Stage(StrEnum):
    """Which table: before a declared OVR, with no OVR declared, or after one (Reaction Fire)."""

    __hash__ = str.__hash__

    BEFORE = "before"
    NONE = "none"
    AFTER = "after"


class Column(StrEnum):
    """How a unit would attack the vehicle. LATW covers SW ordnance, FT, MG as ordnance, DC and MOL (note c)."""

    CC = "CC"
    IFT = "IFT"
    LATW = "LATW"
    GUN = "Gun"


class Row(StrEnum):
    """Status of the attacker; a unit both marked and pinned must satisfy both rows."""

    UNMARKED = "unmarked"
    FIRST = "first"
    FINAL = "final"
    PINNED = "pinned"


@dataclass(frozen=True, slots=True)
class TableCell:
    """One cell: is the attack allowed at all, and which footnotes bear on it."""

    allowed: bool
    notes: str

    def __str__(self) -> str:
        return " ".join(("yes" if self.allowed else "no", *self.notes))

    @classmethod
    def read(cls, text: str) -> TableCell:
        """Read a printed cell such as "c d k", "no" or "no p"."""
        words = text.split()
        letters = "".join(word for word in words if word != "no")
        if not words or not all(letter in NOTES for letter in letters):
            raise ValueError(f"{text!r} has a note that is not printed")
        return cls(words[0] != "no", letters)


@dataclass(frozen=True, slots=True)
class Note:
    """One footnote: its letter, its rule, and our paraphrase."""

    letter: str
    cite: Cite
    text: str


NOTES = {
    letter: Note(letter, asl(section), text)
    for letter, section, text in (
        (
            "a",
            "A7.21",
            "TPBF against an unarmored vehicle and Vulnerable PRC, those BU in an open-topped AFV included.",
        ),
        (
            "b",
            "D7.21",
            "Against an AFV a PAATC first, unless exempt or already passed; a failure pins and bars Reaction Fire, FPF "
            "apart. Then First or Final Fire on the unit and all its SW and Guns, and CC if the vehicle survives.",
        ),
        ("c", "D7.22", "SW ordnance, and unpinned FT, MG, DC and MOL; no MOL when marked, no PF in SFF or FPF."),
        (
            "d",
            "D3.2",
            "Target facing by the colored To Hit die: 1-2 rear, 3-4 side, 5-6 front; underbelly hits possible.",
        ),
        ("e", "D7.22", "Rear Target Facing, no underbelly hits; not by a unit marked CC."),
        ("f", "A7.8", "To Hit Case D; no ROF, FT, MG, MOL or DC."),
        ("g", "D7.213", "CCV -1 for the First or Final Fire counter; no ambush of a vehicle in Bypass."),
        (
            "h",
            "D7.211",
            "Automatic ambush of a vehicle in Bypass, unless a SW or Gun of the unit carries a fire counter.",
        ),
        ("i", "C5.5", "Case E, and A where it applies; the CA must come to cover the crossed hexside."),
        ("j", "C5.6", "Intensive Fire with Case F, one shot only; never by a No IF or No Fire Gun."),
        ("k", "A8.3", "Only squads that can still fire a SW as First Fire; a marked SW may not fire."),
        ("l", "A8.31", "Resolved as FPF: the Original DR is also a NMC for the attackers."),
        ("m", "D7.212", "Mandatory, even if pinned, except against an unarmored vehicle without PRC."),
        ("n", "D7.22", "The CA must come to match the vehicle's VCA; no Cases A and E."),
        ("o", "C5.64", "The Original To Hit DR is a NMC for the crew; if it pins or breaks, the shot is void."),
        ("p", "D7.212", "Unless marked Final Fire and so bound to Reaction Fire."),
        ("q", "C2.2401", "The ATTACKER may declare a Gun Duel."),
    )
}


@cache
def defensive_table() -> Table[TableCell]:
    """The 48 cells of the three tables."""
    return load("overrun.rulesets.asl.data", "defensive_fire", TableCell.read)


def cell(stage: Stage, row: Row, column: Column) -> TableCell:
    """One cell of the three tables."""
    return defensive_table().at(f"{stage.value} {row.value}", column.value).value


def row_of(unit: Fired, gun: Fired = Fired.UNMARKED) -> Row:
    """The row of a unit by its own counter and that of the Gun it mans; the heavier one counts (D7.23)."""
    heavy = {Fired.FINAL, Fired.INTENSIVE, Fired.NO_FIRE}
    if unit in heavy or gun in heavy:
        return Row.FINAL
    return Row.FIRST if Fired.FIRST in {unit, gun} else Row.UNMARKED
