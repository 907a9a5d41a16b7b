"""Speed on this machine: start-up, whole answers, extraction, and refereed steps. `python dev.py bench` prints it."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from overrun import scenarios
from overrun.analysis.errors import AnalysisError
from overrun.analysis.game import Game
from overrun.analysis.induction import Watch
from overrun.play.session import Session
from overrun.store import opening

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = "valor/printed-example"


def processor_time() -> float:
    """Seconds that finished processes have used, where the system tells: other work on the machine adds nothing."""
    if sys.platform == "win32":
        return 0.0
    import resource  # noqa: PLC0415  (Windows has none)

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def process(*arguments: str, runs: int = 7) -> tuple[float, float]:
    """Median wall and processor time of a whole process, in ms, start-up included; a first run is not counted."""
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-m", "overrun", *arguments]

    def once() -> tuple[float, float]:
        begun, used = time.perf_counter(), processor_time()
        subprocess.run(command, env=environment, capture_output=True, check=True)
        return (time.perf_counter() - begun) * 1000, (processor_time() - used) * 1000

    once()
    walls, works = zip(*(once() for _ in range(runs)), strict=True)
    return statistics.median(walls), statistics.median(works)


def per_second(act: Callable[[], int], seconds: float = 1.0) -> float:
    """How many things `act` gets through in a second; it returns how many it did."""
    done, begun = 0, time.perf_counter()
    while (spent := time.perf_counter() - begun) < seconds:
        done += act()
    return done / spent


def refereed() -> Callable[[], int]:
    """Answer the printed example by its plan and dice, and count its steps."""
    opened = opening.scenario(EXAMPLE)
    answered = opened.session()
    answers = []
    plan, dice = opened.situation.plan, iter(opened.situation.dice)
    while not answered.over:
        if hasattr(answered.node, "dice"):
            answered.roll(next(dice))
        else:
            wishes = plan.get(answered.step.id, ())
            ids = [exit.id for exit in answered.node.options]  # type: ignore[union-attr]
            answered.choose(next((wish for wish in wishes if wish in ids), ids[0]))
        answers.append(answered.answers[-1])

    def again() -> int:
        session = Session(opened.ruleset.rules, opened.situation.start)
        for answer in answers:
            session.take(answer)
        return len(session.events)

    return again


def extraction(name: str) -> str:
    """One scenario extracted for best play: its size and its speed."""
    opened, watch = opening.scenario(name), Watch()
    begun = time.perf_counter()
    try:
        game = Game(opened.ruleset.rules, opened.situation.start, watch=watch, tallies=False)
    except AnalysisError as error:
        return f"| `{name}` | | | | | {error} |"
    spent = time.perf_counter() - begun
    speed = f"{watch.transitions / spent / 1e6:.2f} M/s"
    sizes = f"{game.decisions:,} | {watch.positions:,} | {watch.transitions:,}"
    return f"| `{name}` | {sizes} | {spent * 1000:,.0f} ms | {speed} |"


def main(arguments: list[str]) -> int:
    """Print the figures as a table in Markdown."""
    if arguments:
        print("usage: python dev.py bench", file=sys.stderr)
        return 2
    print(f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} processors\n")
    print("| what | measured | wanted |\n| --- | --- | --- |")
    for command, wanted in ((["--help"], 150), (["odds", EXAMPLE, "--json"], 500)):
        wall, work = process(*command)
        measured = f"{wall:.0f} ms ({work:.0f} ms of a processor)"
        print(f"| `overrun {' '.join(command)}`, whole process | {measured} | under {wanted} ms |")
    print(f"| refereed steps of the printed example, full ledgers | {per_second(refereed()):,.0f}/s | 100,000/s |\n")
    print("| extracted for best play | decisions | positions | merged transitions | time | speed |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in scenarios.names():
        print(extraction(name), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
