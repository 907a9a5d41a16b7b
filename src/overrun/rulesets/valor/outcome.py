"""How an overrun ends: the outcomes by definition, what answers count, what the seats want, and the end in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from overrun.kernel import Measure, Payoff, changed
from overrun.kernel.measure import Kind as Counts
from overrun.rulesets.valor.close_assault import kill_number, odds
from overrun.rulesets.valor.hexmap import DIRECTIONS, Hex
from overrun.rulesets.valor.setup import Kind, Setup, Unit
from overrun.rulesets.valor.state import ELIMINATED, Condition, Fate, State

FATES: Mapping[Fate, str] = {
    Fate.UNDECIDED: "the overrun is under way",
    Fate.NOT_MADE: "no overrun is made and the AFV has not moved",
    Fate.STOPPED: "the AFV stops in the hex before the target and makes no attack",
    Fate.IMMOBILISED_ON_APPROACH: "the AFV is immobile, with its crew, in an approach hex; no attack is made",
    Fate.ELIMINATED_ON_APPROACH: "the AFV is eliminated in an approach hex; no attack is made",
    Fate.ELIMINATED_IN_TARGET: "mines eliminate the AFV as it enters the target hex; no attack is made",
    Fate.COMPLETED: "the attack is made and the AFV has left the target hex, able to move",
    Fate.IMMOBILISED_AFTER: "the attack is made and the AFV is immobile, with its crew, in the exit hex",
    Fate.ELIMINATED_AFTER: "the attack is made and the AFV is eliminated in the exit hex",
}

MEASURES = (
    Measure("overrun_proceeds", "The AFV reaches the target hex and makes its overrun attack.", Counts.EVENT),
    Measure("afv_eliminated", "The AFV is eliminated, by abandonment too, before its move is over.", Counts.EVENT),
    Measure("afv_immobilised", "The AFV ends immobile, with its crew.", Counts.EVENT),
    Measure(
        "casualty_points",
        "Casualty points that the attack inflicts; 0 when no attack is made.",
        given="overrun_proceeds",
    ),
    Measure("units_eliminated", "Defending units eliminated, passengers and towed Guns of vehicles too."),
    Measure("units_reduced", "Defending squads reduced to half squads."),
    Measure("units_pinned", "Defending units pinned by the attack and still there; reduced and pinned ones too."),
    Measure("cr_lost", "Casualty ratings of eliminated units, and what squads lose when they are reduced."),
    Measure("shots_fired", "AT attacks that the defender makes at the AFV."),
    Measure("shots_hit", "AT attacks that hit the AFV."),
    Measure("expendables_spent", "Panzerfausts and other one-use AT weapons that the defender uses."),
    Measure("passengers_lost", "Infantry aboard the AFV that dies with it."),
    Measure("snipers_removed", "Enemy snipers eliminated because the AFV entered their hex."),
)

PAYOFFS = (
    Payoff(
        "trade",
        "A lost AFV costs 6, an immobile one 3, lost riders 3 each; a casualty rating taken is worth 1, a pin 1/2.",
        {
            "afv_eliminated": -6,
            "afv_immobilised": -3,
            "cr_lost": 1,
            "units_pinned": Fraction(1, 2),
            "passengers_lost": -3,
        },
    ),
    Payoff(
        "break_the_hex",
        "The hex must fall to the assault that follows: 3 for each unit out of action, for pinned ones die in it.",
        {"units_eliminated": 3, "units_pinned": 3, "units_reduced": 1, "afv_eliminated": -5, "afv_immobilised": -2},
    ),
    Payoff(
        "save_the_afv",
        "Only the AFV counts: its loss is -1.",
        {"afv_eliminated": -1},
    ),
)

AFV_STUCK: Mapping[str, int] = {"afv_immobilised": 1}


def afv_lost(setup: Setup) -> Mapping[str, int]:
    """What the loss of the AFV counts, with all aboard (8.5)."""
    aboard = len(setup.passengers)
    return {"afv_eliminated": 1, **({"passengers_lost": aboard} if aboard else {})}


def afv_eliminated(s: State) -> State:
    """The state with the AFV eliminated where it is."""
    target = s.setup.path.target
    if s.leg < target:
        fate = Fate.ELIMINATED_ON_APPROACH
    else:
        fate = Fate.ELIMINATED_IN_TARGET if s.leg == target else Fate.ELIMINATED_AFTER
    return changed(s, fate=fate)


def without_snipers(s: State, hex: Hex) -> tuple[State, Mapping[str, int] | None]:
    """The state once an AFV has entered a hex: a sniper there is eliminated (17.6)."""
    found = [
        at
        for at, unit in enumerate(s.setup.units)
        if unit.hex == hex and unit.counter.kind is Kind.SNIPER and not s.units[at].eliminated
    ]
    if not found:
        return s, None
    units = tuple(ELIMINATED if at in found else condition for at, condition in enumerate(s.units))
    return changed(s, units=units), {"snipers_removed": len(found)}


# ---------------------------------------------------------------- in words


def describe(s: State) -> tuple[str, ...]:
    """The state as a player reads it: the fate, the AFV, every unit, what was spent."""
    return (
        f"Overrun: {FATES[s.fate]}.",
        *_afv(s),
        *(f"{unit.label}: {_condition(s, at, unit)}." for at, unit in enumerate(s.setup.units)),
        *_spent(s),
        *_afterwards(s),
    )


def _afv(s: State) -> Iterator[str]:
    setup, afv = s.setup, s.setup.afv
    gone = s.fate in (Fate.ELIMINATED_ON_APPROACH, Fate.ELIMINATED_IN_TARGET, Fate.ELIMINATED_AFTER)
    if s.leg < 0:
        yield f"{afv.label}: in {afv.hex}, facing {DIRECTIONS[afv.facing]}."
        return
    leg = setup.leg(s.leg)
    off_map = setup.path.exit is None and s.fate is Fate.COMPLETED
    spent = setup.path.ledger.total if off_map else leg.spent
    used = f"{spent} of {afv.counter.mp} MP spent"
    if gone:
        yield f"{afv.label}: eliminated in {leg.hex} and removed; {used}."
        yield from (f"{unit.label}: eliminated with the AFV." for unit in setup.passengers)
        return
    if off_map:
        yield f"{afv.label}: off the map; {used}."
    else:
        moved = s.fate is not Fate.UNDECIDED
        marks = (", Move marker" if moved else "") + (", immobile" if s.immobile else "")
        yield f"{afv.label}: in {leg.hex}, facing {DIRECTIONS[leg.facing]}{marks}; {used}."
    for unit, passenger in zip(setup.passengers, s.passengers, strict=False):
        joined = "" if passenger.joins is None else ", took part" if passenger.joins else ", took no part"
        yield f"{unit.label}: aboard{joined}{', valorous' if passenger.valorous else ''}."


def _condition(s: State, at: int, unit: Unit) -> str:
    condition: Condition = s.units[at]
    if condition.eliminated:
        return "eliminated"
    half = unit.counter.half
    words = [f"reduced to {half.name}" if word == "reduced" and half is not None else word for word in condition.words]
    return f"in {unit.hex}, {', '.join(words) or 'unhurt, unmarked'}"


def _spent(s: State) -> Iterator[str]:
    for (counter, start), left in zip(s.setup.pool, s.pool, strict=True):
        yield f"{counter.name} in the defender's pool: {left} left of {start}."
    for (counter, start), left in zip(s.setup.attacker_pool, s.attacker_pool, strict=True):
        yield f"{counter.name} in the attacker's pool: {left} left of {start}."


def _afterwards(s: State) -> Iterator[str]:
    """What the rules still allow the AFV this turn."""
    if s.fate is not Fate.COMPLETED or s.setup.path.exit is None:
        return
    yield "Later this turn the AFV may still advance one hex or turn one hexside in the Advance Phase (5.35)."
    if s.setup.passengers and not any(passenger.joins for passenger in s.passengers):
        yield "Its passengers took no part: they may unload in the exit hex and are Move-marked (8.3)."
    yield from _assault(s)


def _assault(s: State) -> Iterator[str]:
    """The close assault that unpinned infantry left in the target hex could make on the AFV in the enemy's turn."""
    setup = s.setup
    left = [
        unit.counter.half if condition.reduced and unit.counter.half is not None else unit.counter
        for unit, condition in zip(setup.units, s.units, strict=True)
        if unit.hex == setup.target
        and unit.counter.kind.infantry
        and unit.carrier is None
        and not condition.eliminated
        and not condition.pinned
    ]
    if not left:
        return
    attack = sum(counter.apfp for counter in left)
    afv = setup.afv.counter
    defence = afv.mg360 + afv.ffmg + sum(unit.counter.apfp for unit in setup.passengers)
    led = max((unit.counter.leadership for unit in setup.passengers), default=0)
    number, _ = kill_number(attack, defence, led)
    yield (
        f"In the enemy's turn the unpinned infantry left in {setup.target} could close assault it: inherent APFP "
        f"{attack} to {defence} is {odds(attack, defence)}, kill number {number} (15)."
    )
