"""`python -m bench.app`: how long the app takes for an answered step, and what many sessions at once do to it.

Wall time depends on what else the machine does, processor time of the server and its workers hardly. Both are told.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from urllib.parse import urlencode

from bench.pages import machine, table
from overrun import rulesets, scenarios
from overrun.store.sessions import Sessions
from overrun.web import reference

DOCS = Path(__file__).resolve().parent.parent / "docs"
TOGETHER = 50
"""Sessions at once."""
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@dataclass
class Steps:
    """What the answered steps of one system took, in milliseconds."""

    wall: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    advised: int = 0


class App:
    """The app in a process of its own."""

    def __init__(self, database: Path) -> None:
        command = [sys.executable, "-m", "overrun", "serve", "--no-browser", "--port", "0", "--database", str(database)]
        # A cache of its own, empty at first: what was solved on this machine before would be there at once.
        environment = {**os.environ, "OVERRUN_CACHE": str(database.parent / "cache")}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout is not None
        self.port = int(re.findall(r":(\d+)/", self.process.stdout.readline())[0])

    def close(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.communicate(timeout=20)

    def processor_seconds(self) -> float:
        """Processor time of the server and of its workers so far."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return sum(map(seconds_of, [str(self.process.pid), *children]))


def seconds_of(pid: str) -> float:
    """Processor time of one process."""
    try:
        parts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


class Player:
    """One player, with a connection of its own, who answers with plain forms."""

    def __init__(self, port: int, seed: int) -> None:
        self.connection = HTTPConnection("127.0.0.1", port, timeout=120)
        self.random = Random(seed)
        self.id, self.page, self.answers = "", "", 0

    def ask(self, method: str, path: str, fields: dict[str, str] | None = None) -> str:
        """One request; the address it leads to, or the page."""
        self.connection.request(method, path, urlencode(fields or {}), FORM if fields else {})
        answer = self.connection.getresponse()
        body = answer.read().decode()
        if answer.status not in (200, 303):
            said = re.findall(r'role="alert">(.*?)</section>', body, re.DOTALL)
            raise RuntimeError(f"{method} {path} {fields}: {answer.status} {said[:1]}")
        return answer.headers["location"] if answer.status == 303 else body

    def begin(self, of: str) -> None:
        """A new session, shown."""
        self.id = self.ask("POST", "/play", {"of": of}).rpartition("/")[2]
        self.answers, self.page = 0, self.ask("GET", f"/play/{self.id}")

    @property
    def over(self) -> bool:
        """Is there nothing left to answer?"""
        return '<span class="note">The overrun is over</span>' in self.page

    def answer(self) -> None:
        """Any option, or generated dice; then the page that it leads to."""
        options = re.findall(r'name="choose" value="([^"]*)"', self.page)
        said = {"choose": unescaped(self.random.choice(options))} if options else {"roll": "generated"}
        self.ask("POST", f"/play/{self.id}/answer", {"place": str(self.answers), **said})
        self.answers += 1
        self.page = self.ask("GET", f"/play/{self.id}")


def unescaped(text: str) -> str:
    """An attribute as it was before it was escaped."""
    return (
        text.replace("&#39;", "'").replace("&#34;", '"').replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    )


def shipped(system: str) -> list[tuple[str, str]]:
    """The shipped situations of a system, what says the least first: name and reference."""
    names = sorted(
        (name for name in scenarios.names() if name.startswith(f"{system}/")),
        key=lambda name: len(scenarios.text(name)),
    )
    return [(name, name) for name in names] or [
        (f"{system}, starter", reference.packed(rulesets.ruleset(system).starter()))
    ]


@dataclass(frozen=True)
class Arrival:
    """When a new session of a situation was shown, and when its advice was there or refused; None: not in time."""

    table: float
    advice: float | None
    refused: bool
    watched: float

    @property
    def advised(self) -> bool:
        """Was there advice?"""
        return self.advice is not None and not self.refused


def when(came: Arrival) -> str:
    """When advice was there, in words."""
    if came.advice is None:
        return f"not in {came.watched:.0f} s"
    return f"{'too large, after ' if came.refused else ''}{came.advice:.1f} s"


def arrival(app: App, of: str, patience: float) -> Arrival:
    """A new session, watched until its advice is there."""
    player, begun = Player(app.port, 1), time.perf_counter()
    player.begin(of)
    table = time.perf_counter() - begun
    while time.perf_counter() - begun < patience:
        job = re.search(r'data-job="([^"]*)"', player.page)
        if job is None:
            return Arrival(table, time.perf_counter() - begun, 'class="working over"' in player.page, patience)
        player.ask("GET", f"/api/v1/jobs/{job[1]}?wait=1")
        player.page = player.ask("GET", f"/play/{player.id}")
    if job := re.search(r'data-job="([^"]*)"', player.page):
        player.ask("DELETE", f"/api/v1/jobs/{job[1]}")
    return Arrival(table, None, False, patience)


def measured(app: App, of: str, steps: int) -> Steps:
    """Answered steps one after another, once the graph of the situation is solved."""
    player, found = Player(app.port, 1), Steps()
    player.begin(of)
    while len(found.wall) < steps:
        if player.over:
            player.begin(of)
            continue
        before, used = time.perf_counter(), app.processor_seconds()
        player.answer()
        found.wall.append((time.perf_counter() - before) * 1000)
        found.processor.append((app.processor_seconds() - used) * 1000)
        found.advised += 'class="bars"' in player.page or "What is counted" in player.page
    return found


def together(app: App, of: str, seconds: float) -> tuple[int, list[str], dict[str, int]]:
    """Many players at once: how many answers, what went wrong, and how many answers each session was told of."""
    errors: list[str] = []
    told: dict[str, int] = {}
    until = time.monotonic() + seconds

    def play(seed: int) -> None:
        player = Player(app.port, seed)
        try:
            player.begin(of)
            while time.monotonic() < until:
                if player.over:
                    player.begin(of)
                else:
                    player.answer()
                told[player.id] = player.answers
        except Exception as error:  # any fault at all is what this looks for
            errors.append(f"{type(error).__name__}: {error}")

    players = [threading.Thread(target=play, args=(seed,)) for seed in range(TOGETHER)]
    for player in players:
        player.start()
    for player in players:
        player.join()
    return sum(told.values()), errors, told


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` of all do not exceed."""
    return statistics.quantiles(values, n=100, method="inclusive")[round(share * 100) - 1]


def page(steps: int, seconds: float, patience: float) -> Iterator[str]:
    """The page, line by line."""
    systems = tuple(rulesets.rulesets())
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "sessions.db"
        app = App(database)
        try:
            first = {of: (name, arrival(app, of, patience)) for system in systems for name, of in shipped(system)}
        finally:
            app.close()
        app = App(database)
        try:
            yield from spoken(app, database, steps, seconds, first)
        finally:
            app.close()


def spoken(
    app: App, database: Path, steps: int, seconds: float, first: Mapping[str, tuple[str, Arrival]]
) -> Iterator[str]:
    """What was measured."""
    yield "# Speed of the app"
    yield ""
    yield (
        "Written by `python -m bench.app`. One answered step is the form sent and the next page received, advice "
        f"included. Machine: {machine()}"
    )
    yield ""
    arrived = []
    for of, (name, came) in first.items():
        again = arrival(app, of, 10.0) if came.advised else None
        then = "-" if again is None else when(again)
        arrived.append((name, f"{came.table * 1000:.0f} ms", when(came), then))
    rows = []
    for system in rulesets.rulesets():
        known = [of for name, of in shipped(system)]
        of = next((of for of in known if first[of][1].advised), known[0])
        found = measured(app, of, steps)
        figures = [
            f"{percentile(values, share):.0f} ms" for values in (found.wall, found.processor) for share in (0.5, 0.95)
        ]
        rows.append((first[of][0], *figures, f"{found.advised} of {len(found.wall)}"))
    yield table(("scenario", "wall p50", "wall p95", "processor p50", "processor p95", "with advice"), rows)
    yield ""
    yield "A new session of each shipped situation: until it is shown, and until its first advice is there."
    yield "Steps can be answered meanwhile, and are advised from where they stand once that can be worked out."
    yield ""
    yield table(("scenario", "shown after", "advice after", "and once it was solved, in an app started anew"), arrived)
    yield ""
    _, of = shipped("valor")[0]
    answers, errors, told = together(app, of, seconds)
    kept = Sessions(database)
    lost = sum(max(count - (kept.length(id) or 0), 0) for id, count in told.items())
    kept.close()
    yield (
        f"{TOGETHER} solo sessions at once for {seconds:.0f} seconds: {answers:,} answers, {len(errors)} errors, "
        f"{lost} answers lost."
    )
    yield from (f"- {error}" for error in errors[:5])
    player = Player(app.port, 0)
    home = player.ask("GET", "/")
    assets = sorted(set(re.findall(r'(?:href|src)="(/static/[^"]*)"', home)))
    mark = assets[0].split("/")[2]
    scripts = [
        f"/static/{mark}/{name}" for name in ("swap.js", "wait.js", "dice.js", "editor.js", "board.js", "copy.js")
    ]
    texts = [home.encode(), *(player.ask("GET", path).encode() for path in {*assets, *scripts})]
    sent = sum(len(zlib.compress(text)) if len(text) > 1000 else len(text) for text in texts)
    yield ""
    yield (
        f"First load of the first page: {sent / 1000:.0f} kB sent in all, "
        f"{sum(map(len, texts)) / 1000:.0f} kB before compression."
    )


def main() -> int:
    """Measure and write the page."""
    parser = argparse.ArgumentParser(prog="python -m bench.app", description=__doc__)
    parser.add_argument("--steps", type=int, default=120, help="answered steps for each system")
    parser.add_argument("--seconds", type=float, default=60, help="how long many sessions are played at once")
    parser.add_argument("--patience", type=float, default=60, help="seconds to wait for the first advice")
    chosen = parser.parse_args()
    text = "\n".join(page(chosen.steps, chosen.seconds, chosen.patience)) + "\n"
    (DOCS / "benchmarks-app.md").write_text(text, encoding="utf-8")
    print(text, end="")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
