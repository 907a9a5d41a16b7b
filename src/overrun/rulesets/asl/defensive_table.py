"""May this unit attack the vehicle now, by this means, and if not, why: the cells and footnotes decided (D7.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from overrun.kernel import Cite, Refusal
from overrun.rulesets.asl.counters import Nation, Unit, UnitKind, Weapon, WeaponKind
from overrun.rulesets.asl.defensive_notes import NOTES, Column, Row, Stage, TableCell, cell, row_of
from overrun.rulesets.asl.setup import Fired, asl

D7_2 = asl("D7.2")


class Mode(StrEnum):
    """Under which fire rule an attack is made; it decides penalties and the counter afterwards."""

    __hash__ = str.__hash__

    FIRST = "first"
    SFF = "sff"
    FPF = "fpf"
    INTENSIVE = "intensive"
    PREVENTION = "prevention"
    """OVR Prevention by a Gun (C5.64), with the NMC of note o."""


@dataclass(frozen=True, slots=True)
class Firer:
    """A defending unit as the tables ask about it.

    `fired` is its own counter, `gun_fired` that of a Gun it mans. `sw_left`: it can still fire a SW as First Fire.
    """

    unit: Unit
    fired: Fired = Fired.UNMARKED
    gun_fired: Fired = Fired.UNMARKED
    pinned: bool = False
    broken: bool = False
    melee: bool = False
    cc_marked: bool = False
    unarmed: bool = False
    sw_left: bool = True

    @property
    def row(self) -> Row:
        """Its row by counters; `PINNED` comes on top of it."""
        return row_of(self.fired, self.gun_fired)


@dataclass(frozen=True, slots=True)
class Piece:
    """A SW, or an inherent PF or MOL, in the firer's hands."""

    weapon: Weapon
    fired: Fired = Fired.UNMARKED
    malfunctioned: bool = False


@dataclass(frozen=True, slots=True)
class Crewed:
    """A Gun and its Covered Arc: hexspines still to turn to the crossed hexside, and to the vehicle's VCA."""

    fired: Fired = Fired.UNMARKED
    malfunctioned: bool = False
    limbered: bool = False
    no_intensive_fire: bool = False
    ca_turns: int = 0
    vca_turns: int = 0
    ca_fixed: bool = False


@dataclass(frozen=True, slots=True)
class Seen:
    """The vehicle at a stage, as a defender sees it.

    `prc`: it carries anybody, `vulnerable_prc`: small arms can hit somebody.
    """

    stage: Stage
    armored: bool = True
    prc: bool = True
    vulnerable_prc: bool = False
    in_bypass: bool = False


@dataclass(frozen=True, slots=True)
class Allowed:
    """An attack that may be made: under which rule, whether it must be, and the footnotes that bear on it."""

    mode: Mode
    notes: str
    mandatory: bool = False

    def has(self, letter: str) -> bool:
        """Does this footnote bear on it?"""
        return letter in self.notes


Verdict = Allowed | Refusal
Bar = tuple[bool, str, Cite]


def _refused(option: str, bars: Iterable[Bar]) -> Refusal | None:
    return next((Refusal(option, reason, cite) for applies, reason, cite in bars if applies), None)


def _note(letter: str) -> Cite:
    return NOTES[letter].cite


def _cells(stage: Stage, firer: Firer, column: Column) -> tuple[TableCell, ...]:
    own = cell(stage, firer.row, column)
    return (own, cell(stage, Row.PINNED, column)) if firer.pinned else (own,)


def _merged(cells: Iterable[TableCell]) -> str:
    return "".join(sorted({letter for one in cells for letter in one.notes}))


def _able(firer: Firer) -> tuple[Bar, ...]:
    return (
        (firer.unit.kind is UnitKind.DUMMY, "A dummy stack has nobody to attack.", asl("A12.11")),
        (firer.broken, "A broken unit may not attack.", asl("A10.4")),
        (firer.melee, "A unit in Melee may attack only the units it is in Melee with.", asl("A11.15")),
    )


def must_react(firer: Firer, seen: Seen, rulings: Mapping[str, str]) -> bool:
    """Is Reaction Fire mandatory for the unit after an overrun (note m)? PRC are anybody the vehicle carries."""
    if firer.row is not Row.FINAL or rulings["final_row_mandatory"] != "yes":
        return False
    return seen.armored or seen.prc


def _mode(row: Row) -> Mode:
    return {Row.FIRST: Mode.SFF, Row.FINAL: Mode.FPF}.get(row, Mode.FIRST)


def cc_option(option: str, firer: Firer, seen: Seen, rulings: Mapping[str, str]) -> Verdict:
    """May the unit make CC Reaction Fire? A pinned unit only where it must (notes m and p)."""
    must = seen.stage is Stage.AFTER and must_react(firer, seen, rulings)
    bars = (
        *_able(firer),
        (firer.unarmed, "An unarmed unit may not attack in CC.", asl("A11.5")),
        (
            not cell(seen.stage, firer.row, Column.CC).allowed,
            "Reaction Fire comes only after the overrun is resolved; before it there is only First Fire.",
            D7_2,
        ),
        (
            firer.pinned and not cell(seen.stage, Row.PINNED, Column.CC).allowed and not must,
            "A pinned unit may not Reaction Fire, unless it is marked Final Fire and must.",
            _note("p"),
        ),
    )
    if (refusal := _refused(option, bars)) is not None:
        return refusal
    return Allowed(_mode(firer.row), _merged(_cells(seen.stage, firer, Column.CC)), must)


def ift_option(option: str, firer: Firer, seen: Seen, rulings: Mapping[str, str]) -> Verdict:
    """May the unit fire its small arms and MG on the IFT at an unarmored vehicle or Vulnerable PRC?"""
    bars = (
        *_able(firer),
        (firer.unarmed or firer.unit.fp == 0, "The unit has no firepower.", asl("A7.1")),
        (
            seen.stage is Stage.AFTER and firer.cc_marked,
            "A unit marked CC may not make Non-CC Reaction Fire.",
            _note("e"),
        ),
        (
            seen.armored and not seen.vulnerable_prc,
            "Small arms cannot hurt an AFV without Vulnerable PRC.",
            _note("a"),
        ),
    )
    if (refusal := _refused(option, bars)) is not None:
        return refusal
    must = seen.stage is Stage.AFTER and must_react(firer, seen, rulings)
    return Allowed(_mode(firer.row), _merged(_cells(seen.stage, firer, Column.IFT)), must)


NOT_PINNED = frozenset({WeaponKind.FT, WeaponKind.MOL, WeaponKind.MOL_PROJECTOR, WeaponKind.DC}) | {
    WeaponKind.LMG,
    WeaponKind.MMG,
    WeaponKind.HMG,
}
AGAINST_NOTHING = frozenset({WeaponKind.MTR})


def sw_option(option: str, firer: Firer, piece: Piece, seen: Seen, rulings: Mapping[str, str]) -> Verdict:
    """May the unit use this SW (ordnance, FT, MG as ordnance, DC, MOL or inherent LATW) at the vehicle?"""
    late = seen.stage is Stage.AFTER and rulings["fpf_unmarked_sw"] == "yes"
    cells = _cells(seen.stage, firer, Column.LATW)
    bars = (
        *_able(firer),
        (
            seen.stage is Stage.AFTER and firer.cc_marked,
            "A unit marked CC may not make Non-CC Reaction Fire.",
            _note("e"),
        ),
        *_piece_bars(piece),
        (
            not cells[0].allowed and not late,
            "A unit marked Final or Intensive Fire may not use a SW against the vehicle.",
            D7_2,
        ),
        *_first_fired_bars(firer, piece),
        (
            firer.pinned and piece.weapon.kind in NOT_PINNED,
            "A pinned unit may not use FT, MG as ordnance, MOL or DC.",
            _note("f"),
        ),
        *_charge_bars(firer, piece, seen, rulings),
    )
    if (refusal := _refused(option, bars)) is not None:
        return refusal
    mode = Mode.FPF if firer.row is Row.FINAL else Mode.FIRST
    return Allowed(mode, _merged(cells) + ("l" if mode is Mode.FPF else ""))


def _piece_bars(piece: Piece) -> tuple[Bar, ...]:
    return (
        (piece.malfunctioned, f"The {piece.weapon.name} is malfunctioned.", asl("A9.7")),
        (piece.weapon.kind in AGAINST_NOTHING, "A mortar cannot hurt a vehicle in its own hex.", asl("C7.3")),
        (
            piece.fired is not Fired.UNMARKED,
            f"The {piece.weapon.name} has fired and may not fire in SFF or FPF.",
            _note("k"),
        ),
    )


def _first_fired_bars(firer: Firer, piece: Piece) -> tuple[Bar, ...]:
    marked = firer.row is not Row.UNMARKED
    return (
        (
            firer.row is Row.FIRST and firer.unit.kind is not UnitKind.SQUAD,
            "Of the units marked First Fire only squads may still use a SW.",
            _note("k"),
        ),
        (
            firer.row is Row.FIRST and not firer.sw_left,
            "The squad can no longer fire a SW as First Fire.",
            _note("k"),
        ),
        (marked and piece.weapon.kind is WeaponKind.MOL, "No MOL by a unit marked First or Final Fire.", _note("c")),
        (
            firer.row is Row.FINAL and piece.weapon.inherent,
            "No PF, PFk or MOL in FPF.",
            _note("c"),
        ),
    )


def _charge_bars(firer: Firer, piece: Piece, seen: Seen, rulings: Mapping[str, str]) -> tuple[Bar, ...]:
    if piece.weapon.kind is not WeaponKind.DC:
        return ()
    free = firer.unit.nation is Nation.JAPANESE or seen.in_bypass or rulings["thrown_dc_same_location"] == "yes"
    return (
        (firer.row is not Row.UNMARKED, "A DC may not be thrown by a unit marked First Fire.", asl("A23.63")),
        (
            not free,
            "A DC may be thrown within its own Location only by Japanese or at a vehicle in Bypass.",
            asl("A23.61"),
        ),
    )


def gun_option(option: str, firer: Firer, gun: Crewed, seen: Seen, rulings: Mapping[str, str]) -> Verdict:
    """May the crew fire its Gun at the vehicle, and how: normally, with Intensive Fire, or as OVR Prevention?"""
    row = row_of(gun.fired)
    bars = (
        *_able(firer),
        (gun.malfunctioned, "The Gun is malfunctioned.", asl("A9.7")),
        (gun.limbered, "The Gun is limbered.", asl("C10.2")),
        (gun.fired is Fired.NO_FIRE, "The Gun is marked No Fire.", _note("j")),
        (
            seen.stage is Stage.AFTER and firer.cc_marked,
            "A unit marked CC may not make Non-CC Reaction Fire.",
            _note("e"),
        ),
        (
            not cell(seen.stage, row, Column.GUN).allowed,
            "A Gun marked Final or Intensive Fire fires again only as OVR Prevention.",
            asl("C5.64"),
        ),
        *_again_bars(seen.stage, row, firer, gun, rulings),
        *_arc_bars(seen.stage, firer, gun),
    )
    if (refusal := _refused(option, bars)) is not None:
        return refusal
    cells = [cell(seen.stage, row, Column.GUN)]
    if firer.pinned:
        cells.append(cell(seen.stage, Row.PINNED, Column.GUN))
    return _gun_allowed(row, _merged(cells), seen, rulings)


def _again_bars(stage: Stage, row: Row, firer: Firer, gun: Crewed, rulings: Mapping[str, str]) -> tuple[Bar, ...]:
    """Bars to a second shot by a marked Gun (note j)."""
    if row is Row.UNMARKED or (stage is Stage.NONE and rulings["gun_without_ovr"] == "as_printed"):
        return ()
    return (
        (gun.no_intensive_fire, "A No IF Gun may not use Intensive Fire.", _note("j")),
        (firer.pinned, "A pinned crew may not use Intensive Fire.", _note("f")),
    )


def _arc_bars(stage: Stage, firer: Firer, gun: Crewed) -> tuple[Bar, ...]:
    turns = gun.vca_turns if stage is Stage.AFTER else gun.ca_turns
    rule = _note("n") if stage is Stage.AFTER else _note("i")
    aim = "match the vehicle's VCA" if stage is Stage.AFTER else "include the crossed hexside"
    return (
        (
            bool(turns) and gun.ca_fixed,
            f"Its CA must {aim}, but it has fired from woods, building or rubble and may not turn.",
            rule,
        ),
        (bool(turns) and firer.pinned, f"Its CA must {aim}, but a pinned crew may not turn it.", rule),
    )


def _gun_allowed(row: Row, notes: str, seen: Seen, rulings: Mapping[str, str]) -> Allowed:
    if seen.stage is Stage.BEFORE:
        if row is Row.UNMARKED and rulings["unmarked_prevention"] == "no":
            return Allowed(Mode.FIRST, notes.replace("o", ""))
        return Allowed(Mode.PREVENTION, notes)
    if row is Row.UNMARKED:
        return Allowed(Mode.FIRST, notes)
    if seen.stage is Stage.NONE and rulings["gun_without_ovr"] == "as_printed":
        return Allowed(Mode.FIRST, notes.replace("j", ""))
    return Allowed(Mode.INTENSIVE, notes, seen.stage is Stage.AFTER and (seen.armored or seen.prc))


def gun_counter_after(stage: Stage, fired: Fired, *, kept_rate: bool) -> Fired:
    """The counter on a Gun after its shot: First Fire unless it kept its ROF; a marked one's last shot (C5.6, C5.64).

    Before an OVR a marked Gun's shot leaves No Fire, without an OVR Intensive Fire, after one Intensive Fire.
    """
    if fired is Fired.UNMARKED:
        return Fired.UNMARKED if kept_rate else Fired.FIRST
    return Fired.NO_FIRE if stage is Stage.BEFORE else Fired.INTENSIVE
