"""ASL overruns from one squad to the savage one: how large whole answers are, and how long they take."""

from __future__ import annotations

import time
import tomllib
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

from overrun.analysis.answer import Pricing, Terms
from overrun.analysis.bounds import bounds
from overrun.analysis.errors import TooLarge
from overrun.analysis.memory import resident_megabytes
from overrun.analysis.policy import Style
from overrun.analysis.watch import Watch
from overrun.kernel import Seat
from overrun.rulesets import ruleset

LIMIT = 60.0
"""Processor seconds after which a question is given up."""
ROWS, MEGABYTES = 400_000, 4_000
CUTS = ("no_late_fire_by_choice", "no_bounding_fire", "overrun_declared")
MORE = (*CUTS, "no_mg_to_hit", "one_fire_group", "heaviest_first")
FORCED = ("no_late_fire_by_choice", "no_mg_to_hit", "no_reaction_by_choice")

HEAD = """
system = "asl"
title = "bench"
date = "1943-11"
elr = 3
heat_of_battle = {heat}
pf_shots = 2
[location]
terrain = "open"
[vehicle]
counter = "russian T-34 M41"
{riders}
"""
RIDERS = '[[vehicle.prc]]\ncounter = "russian 4-4-7"\nrole = "rider"\n'
SQUAD = '[[defenders]]\ncounter = "german 4-6-7"\n'
PANZERFAUST = SQUAD + 'inherent = ["PF"]\n'
LEADER = '[[defenders]]\ncounter = "german 8-1"\n'
MMG = '[[defenders]]\ncounter = "german 2-4-7"\n[[defenders.weapons]]\ncounter = "german MMG"\n'
GUN = '[[defenders]]\ncounter = "german-2-2-8-crew"\n[[defenders.guns]]\ncounter = "5cm PaK 38"\n'
PLAN = """
[plan]
approach = ["overrun"]
"before.choose" = ["gun", "latw", "hold"]
"before.gun_duel" = ["no_duel"]
"after.choose" = ["latw", "gun", "hold", "*"]
"after.gun_duel" = ["no_duel"]
leave = ["leave", "stay"]
"""
WAITING = PLAN.replace('["latw", "gun", "hold", "*"]', '["hold", "*"]')
"""The same, but after the OVR only those attack who must."""
STACK = PANZERFAUST * 2 + LEADER + MMG


@dataclass(frozen=True, slots=True)
class Asked:
    """A situation, how it is played, and the seconds it should take at most; None where no target is set."""

    name: str
    defenders: str
    riders: bool = False
    heat: bool = False
    plan: str = ""
    cuts: tuple[str, ...] = ()
    target: float | None = None
    by_bounds: bool = False
    """Is best play to be proved by bounds that meet, instead of from the whole game?"""

    @property
    def document(self) -> dict[str, Any]:
        """The situation file."""
        head = HEAD.format(heat=str(self.heat).lower(), riders=RIDERS if self.riders else "")
        return tomllib.loads(head + self.defenders + self.plan)

    @property
    def terms(self) -> str:
        """How it is played, in words."""
        played = {"": "best play", PLAN: "stated policy", WAITING: "stated policy without Reaction Fire by choice"}[
            self.plan
        ]
        if self.by_bounds:
            return "best play, proved by bounds that meet"
        return played + (f" under {', '.join(self.cuts)}" if self.cuts else "")


QUESTIONS = (
    Asked("a squad and a leader", SQUAD + LEADER, target=0.5),
    Asked("the same with Heat of Battle", SQUAD + LEADER, heat=True),
    Asked("a squad, with Heat of Battle", SQUAD, heat=True),
    Asked("two squads", SQUAD * 2),
    Asked("two squads, with Heat of Battle", SQUAD * 2, heat=True),
    Asked("riders; two squads with PF", PANZERFAUST * 2, riders=True),
    Asked("the same", PANZERFAUST * 2, riders=True, by_bounds=True),
    Asked("the same", PANZERFAUST * 2, riders=True, cuts=CUTS),
    Asked("the same", PANZERFAUST * 2, riders=True, cuts=MORE),
    Asked("riders; two squads with PF, a leader", PANZERFAUST * 2 + LEADER, riders=True, cuts=CUTS),
    Asked("riders; two squads with PF, a leader, a HS with MMG", STACK, riders=True),
    Asked("the same", STACK, riders=True, target=10.0, by_bounds=True),
    Asked("the same", STACK, riders=True, cuts=CUTS),
    Asked("the same", STACK, riders=True, cuts=MORE),
    Asked("the same", STACK, riders=True, plan=PLAN),
    Asked("the same and an AT Gun with crew (savage)", STACK + GUN, riders=True, plan=PLAN),
    Asked("savage", STACK + GUN, riders=True, plan=WAITING, cuts=FORCED, target=5.0),
    Asked("savage", STACK + GUN, riders=True, cuts=MORE),
    Asked("savage", STACK + GUN, riders=True, cuts=(*MORE, "no_reaction_by_choice"), target=15.0),
)


@dataclass(frozen=True, slots=True)
class Found:
    """What a question came to; `refused` says why it has no answer."""

    rows: int
    positions: int
    seconds: float
    megabytes: float
    refused: str = ""
    worth: float | None = None
    """What the ATTACKER can expect under best play, in the points of the payoff."""


def answered(asked: Asked) -> Found:
    """The answer to one question, timed: the value under best play, or the odds of everything under the policy."""
    rules = ruleset("asl")
    rules.load(tomllib.loads(rules.starter()))
    floor, begun = resident_megabytes(), time.process_time()

    def in_time(watch: Watch) -> None:
        if time.process_time() - begun > LIMIT:
            raise TooLarge(f"{watch.rows:,} rows, {watch.positions:,} positions in {LIMIT:.0f} s", f"{LIMIT:.0f} s")

    watch = Watch(ROWS, MEGABYTES, in_time)
    styles = dict.fromkeys(Seat, Style.PLAN if asked.plan else Style.BEST)
    pricing = Pricing(rules, rules.load(asked.document), Terms(rules.payoff(), styles, asked.cuts), watch)
    if asked.by_bounds:
        known = deque(bounds(rules.rules, pricing.situation.start, rules.payoff(), seconds=LIMIT), maxlen=1).pop()
        seconds, tried = time.process_time() - begun, sum(each.rows for each in known.tries)
        if not known.exact or known.lower is None:
            return Found(tried, 0, seconds, 0, f"between {known.lower} and {known.upper} in {LIMIT:.0f} s")
        return Found(tried, 0, seconds, resident_megabytes() - floor, worth=float(known.lower))
    try:
        rows = 0 if asked.plan and pricing.odds else pricing.solution.game.decisions
    except TooLarge as error:
        return Found(watch.rows, watch.positions, time.process_time() - begun, 0, error.reached)
    seconds = time.process_time() - begun
    worth = None if asked.plan else float(pricing.solution.value[0])
    return Found(rows, watch.positions, seconds, resident_megabytes() - floor, worth=worth)


def every() -> Iterator[tuple[Asked, Found]]:
    """All questions, smallest first, each in a process of its own: nothing is remembered, and memory is its own."""
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as fresh:
        yield from zip(QUESTIONS, fresh.map(answered, QUESTIONS), strict=True)
