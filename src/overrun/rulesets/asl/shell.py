"""A shell of the vehicle's Main Armament at the Infantry of the Location (C3.33, C5): To Hit, then the IFT."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from overrun.kernel import (
    Call,
    Chance,
    Dice,
    Exit,
    Face,
    Ledger,
    Modifier,
    Node,
    Op,
    Procedure,
    Returned,
    Seat,
    changed,
)
from overrun.rulesets.asl.attack import Group, Volley
from overrun.rulesets.asl.fire_drm import TargetKind
from overrun.rulesets.asl.hits import Target, bare
from overrun.rulesets.asl.ift import column, he_columns
from overrun.rulesets.asl.presence import as_target, in_hex_drm, place
from overrun.rulesets.asl.setup import Motion, Setup, Way, asl
from overrun.rulesets.asl.state import State, Unit
from overrun.rulesets.asl.terrain import COMPOUNDING
from overrun.rulesets.asl.to_hit import Bounding, bounding_dr, bounding_drm, to_hit_table


@dataclass(frozen=True, slots=True)
class Shell:
    """One shell: its To Hit number, the DRM against each group of targets, and the FP of its HE.

    `volley` is what comes back: the targets, and whether the Main Armament malfunctioned. `rolled` is a To Hit DR that
    was made before, in a Gun Duel.
    """

    setup: Setup = field(compare=False, repr=False)
    number: int
    fire: Bounding | None
    drms: tuple[int, ...]
    targets: tuple[Target, ...]
    fp: int
    breakdown: int
    ledgers: tuple[Ledger, ...] = field(default=(), compare=False, repr=False)
    hits: tuple[int, ...] = ()
    volley: Volley | None = None
    rolled: tuple[int, int] | None = None

    def final(self, target: int, dr: tuple[int, int]) -> Ledger:
        """The Final To Hit DR against one of the targets."""
        assert self.fire is not None
        counted = bounding_dr(self.fire, *dr)
        rolled = Modifier(counted, "To Hit DR" + ("" if counted == sum(dr) else ", lower die doubled"), asl("C5.35"))
        own = bounding_drm(self.fire)
        there = self.drms[self.targets[target].group] - int(own.total)
        shelter = (Modifier(there, "TEM, SMOKE and concealment of the unit", asl("C6")),) if there else ()
        return Ledger("Final TH DR, vehicle", (rolled, *own.lines, *shelter))


def _both(faces: Face) -> tuple[int, int]:
    return faces[0], faces[1]


SHELL_DR = Dice("To Hit DR", (6, 6), _both, ("colored", "white"))

shell: Procedure[Shell] = Procedure("shell", "A shell at the Infantry", asl("C3.33"), returns=("resolved",))


def bounding_of(s: State) -> Bounding:
    """The circumstances of the Main Armament's Bounding First Fire within the Location."""
    printed = s.setup.vehicle
    return Bounding(
        printed.turret,
        printed.stabilized,
        rough=place(s).terrain in COMPOUNDING,
        non_stopped=s.vehicle.motion is not Motion.STOPPED,
        mp_in_los=Fraction(s.spent),
        buttoned_up=not s.vehicle.ce and not printed.open_topped,
        bypass_turns=s.given.bypass_turns if s.setup.approach.way is Way.BYPASS else 0,
    )


def shell_at(s: State, order: tuple[Unit, ...]) -> Shell:
    """The shell that the vehicle fires at the units of the Location."""
    printed, fire = s.setup.vehicle, bounding_of(s)
    own = bounding_drm(fire)
    number = to_hit_table().at("infantry black", 0)
    drms: list[int] = []
    targets: list[Target] = []
    for unit in order:
        drm = int(own.total) + _target_drm(s, unit)
        if drm not in drms:
            drms.append(drm)
        targets.append(Target(bare(unit), drms.index(drm)))
    caliber = printed.ma_caliber
    fp = he_columns().at("FP", caliber).value if caliber >= 20 else 0
    figure = Ledger("TH#", (number.line(number.value),))
    return Shell(s.setup, number.value, fire, tuple(drms), tuple(targets), fp, printed.breakdown, (figure, own))


def hopeless(s: State) -> bool:
    """Can the shell hit nobody of the Location, not even Known Infantry without any shelter but the terrain's?"""
    fire = bounding_of(s)
    lowest = bounding_dr(fire, 1, 1) + bounding_drm(fire).total + _shelter(s)
    return lowest > to_hit_table().at("infantry black", 0).value


def _target_drm(s: State, unit: Unit) -> int:
    """TEM, SMOKE and concealment of one target as To Hit DRM."""
    target = as_target(s, unit)
    shelter = 2 if target.entrenched or target.emplaced else 0
    return max(_shelter(s), shelter) + (2 if target.concealed else 0)


def _shelter(s: State) -> int:
    lines = in_hex_drm(s.setup, s.ground, TargetKind.CAVALRY, ce=False).lines
    return sum(int(line.value) for line in lines if line.reason != "Cavalry")


@shell.step(asl("C3.3"), "To Hit DR", hit="shell_effect", miss="over_shell", malfunction="over_shell")
def shell_dr(h: Shell) -> Node[Shell]:
    """One To Hit DR against all; a Non-Stopped unstabilized firer doubles the lower die (Case C4)."""
    fire = h.fire
    assert fire is not None

    def then(read: tuple[int, int]) -> Exit[Shell]:
        colored, white = read
        counted = bounding_dr(fire, colored, white)
        clean = changed(h, fire=None, number=0, breakdown=13, rolled=None)
        if colored + white >= h.breakdown:
            return Exit("malfunction", changed(clean, fp=-1), tally={"vehicle_weapons_disabled": 1})
        hits = tuple(i for i, drm in enumerate(h.drms) if counted + drm <= h.number)
        if not hits or not h.fp:
            return Exit("miss", clean)
        double = 2 if colored + white == 2 else 1
        return Exit("hit", changed(clean, hits=hits, fp=h.fp * double))

    return Chance(SHELL_DR, then, Seat.ATTACKER, h.ledgers) if h.rolled is None else then(h.rolled)


@shell.step(asl("C3.33"), "The shell bursts", calls=("volley",), resolved="over_shell")
def shell_effect(h: Shell) -> Node[Shell]:
    """Each target that was hit suffers the HE on its IFT column, a Critical Hit with doubled firepower."""
    line = Modifier(h.fp, "HE equivalent", asl("C3.33"), Op.IS)
    fp = Ledger("FP", (line,))
    groups = tuple(Group(column(h.fp) if i in h.hits else None, 0, (fp,)) for i in range(len(h.drms)))
    attack = Volley(h.setup, groups, h.targets, bounding=True)

    def then(back: Returned) -> Exit[Shell]:
        return Exit("resolved", changed(h, volley=back.state))

    return Call("volley", attack, then)


@shell.step(asl("C3"), "The shell is spent", resolved="resolved")
def over_shell(h: Shell) -> Node[Shell]:
    """What the shell did stands; how it came about is forgotten."""
    stops = ("MA",) if h.fp < 0 else ()
    volley = h.volley or Volley(h.setup, (), tuple(Target(target.unit) for target in h.targets), stops=stops)
    return Exit("resolved", Shell(h.setup, 0, None, (), (), 0, 13, volley=volley))
