"""What an ASL overrun is measured by, what a seat may want, and how a state reads to a player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from overrun.kernel import Measure, Payoff, Seat
from overrun.kernel.measure import Kind
from overrun.rulesets.asl import counters
from overrun.rulesets.asl.close_combat import Attacker, ccv
from overrun.rulesets.asl.counters import UnitKind
from overrun.rulesets.asl.setup import Concealment, Fired
from overrun.rulesets.asl.state import Arm, Crew, GunPiece, Hull, Morale, Prey, Rider, State, Trait, Unit
from overrun.rulesets.asl.staying import limits_targets

MEASURES = (
    Measure("entered", "the vehicle entered the Location", Kind.EVENT),
    Measure("overruns", "OVR attacks resolved"),
    Measure("steps_lost", "defending MMC steps eliminated: a squad has two, a half-squad or a crew one"),
    Measure("leaders_lost", "defending SMC eliminated"),
    Measure("leaders_wounded", "defending SMC wounded, each wound that did not kill"),
    Measure("broken", "defending units that broke (a unit that loses a step or is replaced and breaks counts once)"),
    Measure("pinned", "times that a defending unit was pinned"),
    Measure("replaced", "defending units Replaced by a lower-quality unit, or Disrupted, for failing by more than ELR"),
    Measure("revealed", "defending units that lost their concealment"),
    Measure("dummies_removed", "dummy stacks removed"),
    Measure("heroes", "heroes created, or leaders made heroic, by Heat of Battle"),
    Measure("hardened", "defending units battle hardened"),
    Measure("berserk", "defending units that went berserk"),
    Measure("surrendered", "defending units Disrupted by Heat of Battle"),
    Measure("guns_lost", "Guns eliminated"),
    Measure("weapons_lost", "support weapons eliminated"),
    Measure("weapons_malfunctioned", "defending support weapons and Guns that malfunctioned"),
    Measure("prey_eliminated", "enemy vehicles in the Location that were eliminated (burning wrecks included)"),
    Measure("prey_immobilized", "enemy vehicles in the Location that were immobilized"),
    Measure("prey_crews_out", "crews of enemy vehicles Stunned or Recalled"),
    Measure("prey_crews_lost", "crews that died with an enemy vehicle"),
    Measure("vehicle_eliminated", "the vehicle was eliminated (burning wrecks included)", Kind.EVENT),
    Measure("vehicle_burning", "the vehicle became a burning wreck", Kind.EVENT),
    Measure("vehicle_immobilized", "the vehicle was immobilized", Kind.EVENT),
    Measure("vehicle_bogged", "the vehicle bogged", Kind.EVENT),
    Measure("vehicle_abandoned", "the crew abandoned the vehicle", Kind.EVENT),
    Measure("crew_shocked", "the crew was Shocked", Kind.EVENT),
    Measure("crew_stunned", "the crew was Stunned", Kind.EVENT),
    Measure("crew_recalled", "the vehicle was Recalled", Kind.EVENT),
    Measure("crew_survived", "the crew got out of the eliminated or abandoned vehicle", Kind.EVENT),
    Measure("crew_lost", "the crew died with its vehicle", Kind.EVENT),
    Measure("vehicle_weapons_disabled", "weapons of the vehicle that malfunctioned"),
    Measure("prc_steps_lost", "steps of Passengers and Riders eliminated: a squad two, a half-squad, crew or SMC one"),
    Measure("prc_broken", "Passenger and Rider units that broke"),
    Measure("prc_bailed_out", "Rider units that bailed out"),
)

PAYOFFS = (
    Payoff(
        "material",
        "Material: a step of Infantry 3 points, a broken unit 2, a pin 1/2, a leader 4, a Gun 6, a support weapon 1; "
        "the vehicle 12 (a further point if it burns), immobilized 6, bogged 3, abandoned 4, crew lost 2, "
        "Shock 3, Stun 2, Recall 4, a disabled weapon 1.",
        {
            "steps_lost": 3,
            "broken": 2,
            "leaders_lost": 4,
            "leaders_wounded": 1,
            "guns_lost": 6,
            "prey_eliminated": 6,
            "prey_immobilized": 3,
            "prey_crews_out": 2,
            "prey_crews_lost": 2,
            "weapons_lost": 1,
            "vehicle_eliminated": -12,
            "vehicle_burning": -1,
            "vehicle_immobilized": -6,
            "vehicle_bogged": -3,
            "vehicle_abandoned": -4,
            "crew_lost": -2,
            "crew_shocked": -3,
            "crew_stunned": -2,
            "crew_recalled": -4,
            "vehicle_weapons_disabled": -1,
            "prc_steps_lost": -3,
            "prc_broken": -2,
            "prc_bailed_out": -1,
        },
    ),
    Payoff(
        "break_through",
        "Break them: a step of Infantry or a broken unit 1 point each, and the vehicle 3 if it is eliminated, "
        "immobilized or abandoned.",
        {
            "steps_lost": 1,
            "broken": 1,
            "leaders_lost": 1,
            "vehicle_eliminated": -3,
            "vehicle_immobilized": -3,
            "vehicle_abandoned": -3,
        },
    ),
    Payoff(
        "vehicle_only",
        "The vehicle alone: 1 point lost if it is eliminated, immobilized or abandoned.",
        {"vehicle_eliminated": -1, "vehicle_immobilized": -1, "vehicle_abandoned": -1},
    ),
)


def steps_of(printed: counters.Unit) -> int:
    """How many steps a counter has left: a squad two, a half-squad or a crew one, a SMC or dummy none."""
    if printed.kind is UnitKind.SQUAD:
        return 2
    return 1 if printed.kind in {UnitKind.HALF_SQUAD, UnitKind.CREW} else 0


def loss(before: counters.Unit, after: counters.Unit | None = None) -> Mapping[str, int]:
    """The tally of a unit that became a smaller one, or was eliminated."""
    if before.kind is UnitKind.DUMMY:
        return {"dummies_removed": 1}
    if before.smc:
        return {} if after is not None else {"leaders_lost": 1}
    lost = steps_of(before) - (0 if after is None else steps_of(after))
    return {"steps_lost": lost} if lost else {}


def prc_loss(before: counters.Unit, after: counters.Unit | None = None) -> Mapping[str, int]:
    """The same for a Passenger or Rider, of whom a SMC counts one step."""
    if before.smc:
        return {} if after is not None else {"prc_steps_lost": 1}
    lost = steps_of(before) - (0 if after is None else steps_of(after))
    return {"prc_steps_lost": lost} if lost else {}


def merged(*tallies: Mapping[str, int] | None) -> dict[str, int]:
    """Several tallies added up."""
    counting = [tally for tally in tallies if tally]
    total = dict(counting[0]) if counting else {}
    for tally in counting[1:]:
        for name, count in tally.items():
            total[name] = total.get(name, 0) + count
    return total


# ------------------------------------------------------------------ words


def fired_words(fired: Fired) -> str:
    """A fire counter in words."""
    return "no fire" if fired is Fired.NO_FIRE else f"{fired.value} fire"


def unit_words(state: State, unit: Unit) -> str:
    """One defending unit in words: its counter, its condition and what it possesses."""
    setup = state.setup
    parts: list[str] = []
    if unit.morale is not Morale.GOOD:
        parts.append(unit.morale.value)
    if unit.seen is not Concealment.KNOWN:
        parts.append(unit.seen.value)
    if unit.fired is not Fired.UNMARKED:
        parts.append(fired_words(unit.fired))
    if unit.cc:
        parts.append("CC")
    parts.extend(trait.value for trait in unit.traits)
    words = f"{setup.printed[unit.printed].name}: {', '.join(parts) or 'good order'}"
    pieces: tuple[Arm | GunPiece, ...] = (*unit.arms, *unit.guns)
    held = [_arm_words(state, arm) for arm in pieces]
    return words + (f"; with {', '.join(held)}" if held else "")


def _arm_words(state: State, arm: Arm | GunPiece) -> str:
    setup = state.setup
    name = setup.guns[arm.printed].name if isinstance(arm, GunPiece) else setup.weapons[arm.printed].name
    parts = ["malfunctioned"] if arm.malfunctioned else []
    if arm.fired is not Fired.UNMARKED:
        parts.append(fired_words(arm.fired))
    return name + (f" ({', '.join(parts)})" if parts else "")


def rider_words(state: State, rider: Rider) -> str:
    """One Passenger or Rider in words."""
    how = "Rider" if rider.rider else "Passenger"
    condition = "" if rider.morale is Morale.GOOD else f", {rider.morale.value}"
    return f"{how} {state.setup.printed[rider.printed].name}{', CE' if rider.ce else ''}{condition}"


def prey_words(state: State, prey: Prey) -> str:
    """An enemy vehicle of the Location in words, with its people."""
    parts = ["immobilized"] if prey.immobile else ["in Motion"] if prey.in_motion else []
    if not prey.crew:
        parts.append("crew out")
    words = f"enemy {state.setup.vehicles[prey.printed].name}: {', '.join(parts) or 'unhurt'}"
    return words + "".join(f"; {rider_words(state, rider)}" for rider in prey.riders)


def vehicle_words(state: State) -> str:
    """The vehicle in words."""
    it = state.vehicle
    parts = [it.hull.value if it.hull is not Hull.LEFT else "fallen into a cellar"]
    if it.alive and it.crew is not Crew.GOOD:
        parts.append(f"crew {it.crew.value}")
    if it.alive:
        parts.append("CE" if it.ce else "BU")
    if it.disabled:
        parts.append(f"{', '.join(it.disabled)} disabled")
    return f"{state.setup.vehicle.name}: {', '.join(parts)}"


def describe(state: State, viewer: Seat | None = None) -> Iterator[str]:
    """Lines that say how everything stands; the ATTACKER does not know concealed units and sees no hidden ones."""
    shown = state.units if viewer is not Seat.ATTACKER else tuple(unit for unit in state.units if unit.known)
    yield vehicle_words(state)
    for rider in state.vehicle.prc:
        yield f"  {rider_words(state, rider)}"
    if state.vehicle.alive and state.mp:
        yield f"  MP left: {state.mp}"
    for unit in shown:
        yield unit_words(state, unit)
    if viewer is Seat.ATTACKER and any(unit.seen is Concealment.CONCEALED for unit in state.units):
        yield "concealed: only the DEFENDER knows what is there"
    for prey in state.prey:
        yield prey_words(state, prey)
    for arm in state.loose:
        yield f"unpossessed: {_arm_words(state, arm)}"
    for change in state.ground:
        yield f"the ground: {change.replace('_', ' ')}"
    if state.stays and state.vehicle.alive:
        yield from close_combat_to_come(state, shown)


def close_combat_to_come(state: State, shown: tuple[Unit, ...]) -> Iterator[str]:
    """Who of these units may attack in the coming CCPh, with what CCV, and whether TPBF limits bind (A7.212, A11.5)."""
    vehicle = state.setup.vehicle
    bound = limits_targets(
        armored=vehicle.armored,
        armed=vehicle.crewed,
        vulnerable_prc=bool(state.vehicle.prc),
        known=True,
        rulings=state.setup.rulings,
    )
    if bound:
        yield "every unit here is marked CC and may fire within the Location only"
    for unit in shown:
        printed = state.setup.printed[unit.printed]
        if unit.broken or printed.kind is UnitKind.DUMMY or unit.has(Trait.STREET_FIGHTING):
            continue
        value = ccv(Attacker(printed, pinned=unit.pinned), reaction=False).total
        yield f"CCPh: {printed.name} may attack with CCV {value}"
