"""A small test ruleset with a file format, a ruling, a table and ledgers: what comparisons of situations need.

A car may charge or wait. A charge rolls 2d6 plus modifiers on a table; a hit man may then be shot at by the guard, who
may hold his fire. Everything that the file states is a number or a word that a comparison can change.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from overrun.kernel import (
    Chance,
    Cite,
    Decision,
    Dice,
    End,
    Exit,
    InputError,
    Ledger,
    Measure,
    Modifier,
    Node,
    Op,
    Payoff,
    Position,
    Problem,
    Procedure,
    Rules,
    Ruleset,
    Ruling,
    Rulings,
    Seat,
    Situation,
    Table,
    changed,
    work,
)
from overrun.kernel.measure import Kind
from overrun.kernel.table import Label

cite = work("Skirmish")
DR = Dice("DR", (6, 6), sum)
DR1 = Dice("dr", (6,), sum)

HITS: Table[int] = Table(
    "hits",
    "Charge Table",
    cite("2"),
    "invented",
    "high",
    "armor",
    "roll",
    (Label.read("0"), Label.read("1+")),
    (Label.read("<=5"), Label.read("6-7"), Label.read("8+")),
    {("0", "<=5"): 3, ("0", "6-7"): 2, ("0", "8+"): 0, ("1+", "<=5"): 2, ("1+", "6-7"): 1, ("1+", "8+"): 0},
)

RULINGS = Rulings(
    (
        Ruling(
            "exact_roll",
            "Does the guard hit on exactly his number?",
            {"hit": "Yes.", "miss": "No."},
            "hit",
            "invented",
            cite("3"),
        ),
        Ruling(
            "night",
            "Does darkness count twice?",
            {"once": "No.", "twice": "Yes."},
            "once",
            "invented",
            cite("4"),
        ),
    )
)


@dataclass(frozen=True, eq=False)
class Setup:
    speed: int
    men: int
    armor: int
    aim: int
    dark: int
    rulings: Mapping[str, str]


@dataclass(frozen=True)
class State:
    setup: Setup = field(compare=False, repr=False)
    men: int
    charges: int


main: Procedure[State] = Procedure("skirmish", "Skirmish", cite("1"))


@main.step(cite("1"), "Charge or wait", charge="charge", wait="finish", spent="finish")
def start(s: State) -> Node[State]:
    """The car may charge while it has speed left and men stand."""
    if s.charges == 0 or s.men == 0:
        return Exit("spent", s)
    return Decision(Seat.ATTACKER, (Exit("charge", changed(s, charges=s.charges - 1)), Exit("wait", s)))


@main.step(cite("2"), "Charge", hit="guard", missed="guard")
def charge(s: State) -> Node[State]:
    """Two dice plus modifiers give the men hit."""
    setup = s.setup
    darkness = setup.dark * (2 if setup.rulings["night"] == "twice" else 1)
    modifiers = [Modifier(-1, "at a run", cite("2.1"))]
    if darkness:
        modifiers.append(Modifier(darkness, "darkness", cite("4"), verified=False))
    drm = Ledger("DRM", tuple(modifiers))

    def then(dr: int) -> Exit[State]:
        cell = HITS.at(setup.armor, int(dr + drm.total))
        lost = min(s.men, cell.value)
        ledgers = (Ledger("hits", (cell.line(cell.value),)),)
        return Exit("hit" if lost else "missed", changed(s, men=s.men - lost), tally={"men_hit": lost}, ledgers=ledgers)

    return Chance(DR, then, Seat.ATTACKER, (drm,))


@main.step(cite("3"), "Guard", fire="shot", hold="start", nobody="finish")
def guard(s: State) -> Node[State]:
    """A man left may fire; he need not."""
    if s.men == 0:
        return Exit("nobody", s)
    return Decision(Seat.DEFENDER, (Exit("fire", s), Exit("hold", s)))


@main.step(cite("3.1"), "Shot", car_lost="finish", missed="start")
def shot(s: State) -> Node[State]:
    """He must roll his number or less; one man more than one helps him."""
    number = Ledger(
        "number", (Modifier(s.setup.aim, "aim", cite("3.1"), Op.IS), Modifier(s.men - 1, "men", cite("3.2")))
    )

    def then(dr: int) -> Exit[State]:
        hit = dr < number.total or (dr == number.total and s.setup.rulings["exact_roll"] == "hit")
        return Exit("car_lost", s, tally={"car_lost": 1}) if hit else Exit("missed", s)

    return Chance(DR1, then, Seat.DEFENDER, (number,))


@main.step(cite("9"), "Finish")
def finish(s: State) -> Node[State]:
    """It is over."""
    return End("over")


DEFAULTS = {"speed": 2, "men": 3, "armor": 0, "aim": 2, "dark": 0}


def load(document: Mapping[str, Any]) -> Situation:
    problems = []
    known = {"system", "title", "forces", "rulings", "plan"}
    problems += [Problem(key, "there is no such key", ", ".join(sorted(known))) for key in document if key not in known]
    forces = document.get("forces", {})
    for key, value in forces.items():
        if key not in DEFAULTS:
            problems.append(Problem(f"forces.{key}", "there is no such key", ", ".join(DEFAULTS)))
        elif type(value) is not int or not 0 <= value <= 12:
            problems.append(Problem(f"forces.{key}", f"{value!r} is not possible here", "a whole number, 0 to 12"))
    rulings = RULINGS.chosen(document.get("rulings", {}))
    if problems:
        raise InputError(problems)
    setup = Setup(**(DEFAULTS | forces), rulings=rulings)
    start = Position("start", State(setup, setup.men, setup.speed))
    return Situation(document.get("title", "Skirmish"), start, rulings, document.get("plan", {}), document=document)


STARTER = """\
system = "skirmish"
title = "The bridge"

[forces]
speed = 2
men = 3
armor = 0
aim = 2
dark = 0

[plan]
start = ["charge"]
guard = ["fire"]
"""

skirmish = Ruleset(
    id="skirmish",
    title="Skirmish",
    version="1",
    edition="test",
    cite=Cite("Skirmish", "1"),
    seats={Seat.ATTACKER: "car", Seat.DEFENDER: "guard"},
    rules=Rules("skirmish", (main,), "start").freeze(),
    rulings=RULINGS,
    measures=(Measure("men_hit", "men hit"), Measure("car_lost", "the car is lost", Kind.EVENT)),
    payoffs=(
        Payoff("points", "a point a man, less three for the car", {"men_hit": 1, "car_lost": -3}),
        Payoff("car", "the car only", {"car_lost": -1}),
    ),
    tables=lambda: (HITS,),
    load=load,
    schema=dict,
    starter=lambda: STARTER,
    describe=lambda state: [f"{state.men} men stand", f"{state.charges} charges left"],
)


def find(id: str) -> Ruleset:
    """The ruleset for another process, which finds this function by its name."""
    assert id == skirmish.id
    return skirmish
