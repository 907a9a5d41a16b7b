"""Defensive fire at the vehicle: one procedure for First Fire before an OVR or without one, and for Reaction Fire."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache

from overrun.kernel import Call, Decision, Exit, Node, Procedure, Reads, Refusal, Returned, Seat, changed
from overrun.rulesets.asl import acts, duel, marks
from overrun.rulesets.asl.aftermath import of_close, of_fire
from overrun.rulesets.asl.defensive_table import Mode
from overrun.rulesets.asl.equal_duel import EqualDuel
from overrun.rulesets.asl.figures import close_of, fusillade_of
from overrun.rulesets.asl.incoming import fired_at, shooting, shot_at
from overrun.rulesets.asl.moment import REMEMBERED, Moment, moment
from overrun.rulesets.asl.outcome import merged
from overrun.rulesets.asl.outside import fusillade_from, stated, strike_from, taken, waiting
from overrun.rulesets.asl.overrun import in_order
from overrun.rulesets.asl.setup import OutsideKind, Setup, asl
from overrun.rulesets.asl.shell import shell_at
from overrun.rulesets.asl.small_arms import Fusillade
from overrun.rulesets.asl.state import Act, GunPiece, Means, State, Unit
from overrun.rulesets.asl.survival import survivors
from overrun.rulesets.asl.to_hit import Duel

fire: Procedure[State] = Procedure("fire", "Defensive fire", asl("D7.2"), returns=("held",))


# ------------------------------------------------------------------ from outside the Location


@fire.step(
    asl("A8.1"),
    "Fire from outside",
    calls=("fusillade", "strike"),
    fired="outside_fire",
    stated="outside_fire",
    lost="wrecked",
    none="choose",
)
def outside_fire(s: State) -> Node[State]:
    """Defensive First Fire from outside the hex comes in the order stated, by its figures or with its result."""
    attack = waiting(s)
    if attack is None:
        return Exit("none", s)
    s = taken(s, attack)
    if attack.kind is OutsideKind.RESULT:
        vehicle, tally = stated(s.vehicle, attack.fate)
        return Exit("stated" if vehicle.alive else "lost", changed(s, vehicle=vehicle), tally=tally)

    if attack.kind is OutsideKind.IFT:

        def hurt(back: Returned) -> Exit[State]:
            t, tally = fired_at(s, back.state)
            return Exit("fired" if t.vehicle.alive else "lost", t, tally=tally)

        return Call("fusillade", fusillade_from(s, attack), hurt)

    def struck(back: Returned) -> Exit[State]:
        t, tally = shot_at(s, back.state)
        return Exit("fired" if t.vehicle.alive else "lost", t, tally=tally)

    return Call("strike", strike_from(s, attack), struck)


# ------------------------------------------------------------------ who attacks


@fire.step(
    asl("D7.2"),
    "Defensive fire",
    ift="fire_ift",
    latw="gun_duel",
    mg="gun_duel",
    ft="shoot",
    mol="shoot",
    dc="shoot",
    gun="gun_duel",
    cc="close_in",
    hold="held",
    nobody="held",
)
def choose(s: State) -> Node[State]:
    """The DEFENDER attacks the vehicle with one unit or group after another, as the table for this moment allows."""
    if not s.vehicle.alive:
        return Exit("nobody", s)
    decision = attacks(s)
    return decision if any(option.name != "hold" for option in decision.options) else Exit("nobody", s)


def attacks(s: State) -> Decision[State]:
    """Every attack that the DEFENDER may make now, the reason against every other one, and whether he may stop."""
    options: list[Exit[State]] = []
    refused: list[Refusal] = []
    owing = False
    eyes = None if all(unit.known for unit in s.units) else Seat.DEFENDER
    for option, act in acts.found(s):
        if isinstance(act, Refusal):
            refused.append(act if eyes is None else changed(act, seen_by=eyes))
            continue
        owing = owing or any(unit.owes for unit in act.units)
        name, _, detail = option.partition(":")
        options.append(Exit(name, changed(s, act=act), detail, label=label(s.setup, act), seen_by=_eyes(act)))
    if owing:
        why = "A unit marked Final Fire must Reaction Fire at the vehicle before the DEFENDER may stop."
        refused.append(Refusal("hold", why, asl("D7.212")))
    else:
        options.append(Exit("hold", s, label="No more attacks"))
    return Decision(Seat.DEFENDER, tuple(options), tuple(refused))


def _eyes(act: Act) -> Seat | None:
    return None if all(unit.known for unit in act.units) else Seat.DEFENDER


@lru_cache(acts.LISTS)
def label(setup: Setup, act: Act) -> str:
    """An attack on a button."""
    who = ", ".join(setup.printed[unit.printed].name for unit in act.units)
    if act.leader is not None:
        joins = "joined" if act.means is Means.CC else "directed"
        who = f"{who} {joins} by {setup.printed[act.leader.printed].name}"
    what = ""
    if act.piece is not None:
        gun = isinstance(act.piece, GunPiece)
        what = setup.guns[act.piece.printed].name if gun else setup.weapons[act.piece.printed].name
    how = {Means.IFT: "fire on the IFT", Means.CC: "attack in CC" + (" with an ATMM" if act.atmm else "")}
    text = how.get(act.means, f"fire the {what}" + (" To Hit" if act.means is Means.MG else ""))
    rule = "" if act.mode is Mode.FIRST else f" ({act.mode.value.upper() if len(act.mode) == 3 else act.mode.value})"
    return f"{who}: {text}{rule}"


# ------------------------------------------------------------------ the attacks


@fire.step(asl("A7.21"), "Small arms on the IFT", calls=("fusillade",), carries=True, again="choose", lost="wrecked")
def fire_ift(s: State) -> Node[State]:
    """Small arms, MG and IFE strike an unarmored vehicle and its Vulnerable PRC with tripled firepower."""
    act = s.act
    assert act is not None

    def then(back: Returned) -> Exit[State]:
        f: Fusillade = back.state
        after = of_fire(s.setup, act, f.firers, cowered=f.cowered, malfunction=f.malfunction)
        t, tally = fired_at(s, f)
        t = changed(t, units=after.units_of(s), act=None)
        return Exit("again" if t.vehicle.alive else "lost", t, tally=merged(after.tally, tally))

    return Call("fusillade", fusillade_of(s, act), then, _fire_reads(moment(s), act))


@lru_cache(REMEMBERED)
def _fire_reads(now: Moment, act: Act) -> Reads:
    """What later steps read of small arms fire; one and the same reader for equal questions, as `Call.reads` asks."""

    def reads(back: Returned) -> Hashable:
        f: Fusillade = back.state
        after = of_fire(now.setup, act, f.firers, cowered=f.cowered, malfunction=f.malfunction)
        return f.fate, f.after, after.lean(now)

    return reads


@fire.step(
    asl("C2.2401"), "Gun Duel?", carries=True, duel="duel_shot", equal="duel_equal", no_duel="shoot", none="shoot"
)
def gun_duel(s: State) -> Node[State]:
    """Against a shot that no OVR provoked the ATTACKER may shoot first, if his firer-based To Hit DRM are lower.

    With equal ones, where the ruling lets him, the Final To Hit DR tell who is first.
    """
    if not duel.possible(s):
        return Exit("none", s)
    first = duel.first(s)
    if isinstance(first, Refusal):
        return Exit("none", s, ledgers=first.ledgers, label=first.reason)
    declared = changed(s, bff=tuple(sorted((*s.bff, "ma"))))
    shot = Exit("duel", declared, label="Gun Duel: fire first")
    if first is Duel.BY_FINAL_DR:
        shot = Exit("equal", declared, label="Gun Duel: the lower Final To Hit DR fires first")
    return Decision(Seat.ATTACKER, (shot, Exit("no_duel", s, label="Let it fire")), ledgers=duel.totals(s))


@fire.step(asl("C2.2401"), "The vehicle fires first", calls=("shell",), still_fires="shoot", silenced="choose")
def duel_shot(s: State) -> Node[State]:
    """The Main Armament's shell comes first; a unit that it breaks, or pins where it must not be, does not shoot."""
    order = in_order(s)

    def then(back: Returned) -> Exit[State]:
        after = duel.answered(s, order, back)
        return Exit("silenced" if after.act is None else "still_fires", after)

    return Call("shell", shell_at(s, order), then)


@fire.step(asl("C2.2401"), "By the Final To Hit DR", calls=("duel",), again="choose", lost="wrecked")
def duel_equal(s: State) -> Node[State]:
    """With equal DRM both roll To Hit: the lower Final DR fires first, equal ones at once."""

    def then(back: Returned) -> Exit[State]:
        t: State = back.state.s
        return Exit("again" if t.vehicle.alive else "lost", changed(t, act=None))

    return Call("duel", EqualDuel(s), then)


@fire.step(asl("C3"), "A shot at the vehicle", calls=("strike",), again="choose", lost="wrecked")
def shoot(s: State) -> Node[State]:
    """Gun, LATW, MG To Hit, FT, MOL or DC: To Hit where it is due, then To Kill."""
    shot = shooting(s)

    def then(back: Returned) -> Exit[State]:
        t, tally = shot.after(back)
        return Exit("again" if t.vehicle.alive else "lost", t, tally=tally)

    return Call("strike", shot.attack, then, shot.reads)


@fire.step(asl("D7.21"), "CC Reaction Fire", calls=("close",), carries=True, again="choose", lost="wrecked")
def close_in(s: State) -> Node[State]:
    """A unit, alone or with a SMC, attacks the vehicle in CC after a PAATC against an AFV."""
    act = s.act
    assert act is not None
    attackers = tuple(one for one in (act.units[0], act.leader) if one is not None)

    def then(back: Returned) -> Exit[State]:
        vehicle, tally = marks.hit(s.vehicle, marks.CLOSE_FATE[back.exit])
        after = of_close(s.setup, attackers, back, survives=vehicle.alive)
        t = changed(s, units=after.units_of(s), loose=after.loose_of(s), act=None, vehicle=vehicle)
        return Exit("again" if vehicle.alive else "lost", t, tally=merged(after.tally, tally))

    return Call("close", close_of(s, act), then, _close_reads(moment(s), attackers))


@lru_cache(REMEMBERED)
def _close_reads(now: Moment, attackers: tuple[Unit, ...]) -> Reads:
    """What later steps read of CC Reaction Fire."""

    def reads(back: Returned) -> Hashable:
        lost = marks.CLOSE_FATE[back.exit] in marks.LOST
        return back.exit, of_close(now.setup, attackers, back, survives=not lost).lean(now, lost=lost)

    return reads


@fire.step(asl("D5.6"), "Survival", calls=("survivor",), settled="held")
def wrecked(s: State) -> Node[State]:
    """The vehicle is lost: crew, Passengers and Riders roll for their survival, nobody in a burning wreck."""
    return survivors(s, "settled")
