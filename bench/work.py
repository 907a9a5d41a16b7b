"""Play, extraction and commands: what is timed on the rulesets themselves."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from bench.timing import in_turn
from overrun import scenarios
from overrun.analysis.bounds import bounds
from overrun.analysis.errors import HiddenInformation, TooLarge
from overrun.analysis.game import Game
from overrun.analysis.graphs import Asked
from overrun.analysis.odds import odds
from overrun.analysis.policy import Style
from overrun.analysis.solve import Solution
from overrun.analysis.watch import Watch
from overrun.compiled.cache import Cache
from overrun.compiled.graph import flat
from overrun.compiled.graphs import FromCache
from overrun.compiled.solve import Arithmetic, installed, solve
from overrun.kernel import Chance, Decision, Position, Rules, Ruleset, Seat, Situation
from overrun.play.session import Session, Walk
from overrun.rulesets import ruleset

ROWS, MEGABYTES = 400_000, 4_000
SECONDS, BOUND_SECONDS = 60.0, 20.0
"""Processor seconds for the whole game of a scenario; where they do not do, seconds for bounds on it."""


def play(rules: Rules[Any], start: Position[Any], times: int, walk: Walk | None) -> int:
    """Play at random and count the answers given. The dice and choices are drawn as cheaply as Python can."""
    random, answers = Random(1).random, 0
    for _ in range(times):
        session = Session(rules, start, walk)
        while True:
            node = session.node
            if isinstance(node, Chance):
                session.roll(tuple([1 + int(random() * side) for side in node.dice.sides]))
            elif isinstance(node, Decision):
                session.choose(node.options[int(random() * len(node.options))].id)
            else:
                break
        answers += len(session.answers)
    return answers


def steps_per_second(rules: Rules[Any], start: Position[Any], times: int = 300) -> tuple[float, float, float]:
    """Answers per second of sessions of their own, and of sessions that share a walk; and events per answer."""
    walk = Walk(rules)
    answers = play(rules, start, times, walk)
    found = in_turn(
        {"alone": lambda: play(rules, start, times, None), "shared": lambda: play(rules, start, times, walk)}
    )
    session = Session(rules, start)
    random, events, given = Random(1), 0, 0
    for _ in range(50):
        session = Session(rules, start)
        while not session.over:
            node = session.node
            if isinstance(node, Chance):
                session.roll(tuple(random.randint(1, side) for side in node.dice.sides))
            elif isinstance(node, Decision):
                session.choose(random.choice(node.options).id)
        events, given = events + len(session.events), given + len(session.answers)
    return answers / found["alone"], answers / found["shared"], events / given


def situation(name: str) -> tuple[Ruleset, Situation]:
    """A shipped scenario, loaded."""
    rules = ruleset(name.partition("/")[0])
    return rules, rules.load(tomllib.loads(scenarios.text(name)))


class _SlowError(Exception):
    pass


@dataclass(frozen=True, slots=True)
class Priced:
    """One scenario: how large it is and how long each question about it takes. A reason says why there is no answer."""

    name: str
    rows: int = 0
    positions: int = 0
    transitions: int = 0
    arcs: int = 0
    seconds: dict[str, float] | None = None
    refused: str = ""


def priced(name: str, rounds: int = 3) -> Priced:
    """Time the whole answer for a scenario; every way gives the same value, or this raises `AssertionError`."""
    rules, found = situation(name)
    payoff = rules.payoff()
    begin = time.process_time()

    def in_time(so_far: Watch) -> None:
        if time.process_time() - begin > SECONDS:
            raise _SlowError(f"not finished in {SECONDS:.0f} s: {so_far.rows:,} rows so far")

    def watch() -> Watch:
        return Watch(ROWS, MEGABYTES)

    try:
        if found.hidden:
            raise HiddenInformation(found.hidden)
        game = Game(rules.rules, found.start, watch=Watch(ROWS, MEGABYTES, in_time), tallies=False)
    except HiddenInformation as error:
        return Priced(name, refused=str(error))
    except (TooLarge, _SlowError) as error:
        return Priced(name, refused=f"{error}; {_bounded(rules, found)}")
    compiled, solution = flat(game), Solution(game, payoff)
    use = next(each for each in reversed(Arithmetic) if installed(each))
    names = [measure.name for measure in rules.measures]
    asked, folder = Asked(rules, found, dict.fromkeys(Seat, Style.BEST)), Path(tempfile.mkdtemp())
    kept = FromCache(folder)
    cache, told = Cache(folder), (asked.ways, found.rulings)
    cache.keep(cache.name(rules, found.start, (), whole=False, told=told)[0], compiled)
    assert kept.best(asked, payoff, watch()).value == solution.value
    for each in Arithmetic:
        if installed(each):
            assert solve(compiled, payoff, each).value == solution.value
    seconds = in_turn(
        {
            "extract": lambda: Game(rules.rules, found.start, watch=watch(), tallies=False),
            "solve": lambda: Solution(game, payoff),
            "flat plain": lambda: solve(compiled, payoff, Arithmetic.PLAIN),
            "flat fast": lambda: solve(compiled, payoff, use),
            "kept": lambda: kept.best(asked, payoff, watch()),
            "odds": lambda: odds(rules.rules, found.start, solution.choice, "best", names, watch=watch()),
        },
        rounds,
        slow=5.0,
    )
    shutil.rmtree(folder)
    return Priced(name, game.decisions, game.watch.positions, game.watch.transitions, game.arcs, seconds)


def _bounded(rules: Ruleset, found: Situation) -> str:
    """What is known of the attacker's value all the same."""
    all_known = bounds(rules.rules, found.start, rules.payoff(), seconds=BOUND_SECONDS, megabyte_limit=MEGABYTES)
    known = deque(all_known, maxlen=1).pop()
    if known.exact:
        return f"value exactly {known.lower}: its bounds meet"
    low, high = (f"{float(side):.4g}" if side is not None else "unknown" for side in (known.lower, known.upper))
    return f"value between {low} and {high} (bounds found in {BOUND_SECONDS:.0f} s)"


def shipped() -> Iterator[Priced]:
    """Every shipped scenario of every ruleset."""
    return (priced(name) for name in scenarios.names())


COMMANDS = {
    "overrun --help": ("--help",),
    "overrun odds valor/printed-example": ("odds", "valor/printed-example"),
    "overrun advise valor/printed-example": ("advise", "valor/printed-example"),
}


def command_seconds() -> dict[str, float]:
    """Whole commands in processes of their own, start-up included."""
    script = Path(sys.executable).with_name("overrun")
    begin = [str(script)] if script.exists() else [sys.executable, "-m", "overrun"]

    def run(arguments: tuple[str, ...]) -> None:
        subprocess.run([*begin, *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    works = {name: (lambda arguments=arguments: run(arguments)) for name, arguments in COMMANDS.items()}
    return in_turn({"python -c pass": lambda: subprocess.run([sys.executable, "-c", "pass"], check=True)} | works)
