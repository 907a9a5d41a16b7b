"""The flowchart of a ruleset as plain values: what every format draws, and what may be laid over it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from overrun.kernel import InputError, Problem, Return, Rules, Step
from overrun.play.session import Session
from overrun.play.wording import percent, words


@dataclass(frozen=True, slots=True)
class Arrow:
    """An exit of a step: its name, its words, and the box it leads to; or, out of a called stage, the open exit."""

    name: str
    label: str
    target: int | None
    back: str = ""


@dataclass(frozen=True, slots=True)
class Box:
    """A step. `number` counts the boxes of the chart from 1 in the order of the rulebook."""

    number: int
    id: str
    cite: str
    title: str
    text: str
    arrows: tuple[Arrow, ...]
    calls: tuple[int, ...]
    """The first boxes of the stages that it runs."""
    entry: bool

    @property
    def ends(self) -> bool:
        """Is the overrun over here?"""
        return not self.arrows


@dataclass(frozen=True, slots=True)
class Frame:
    """A stage of the rulebook with its boxes. One that is `called` comes back by its open exits to its caller."""

    title: str
    cite: str
    boxes: tuple[Box, ...]
    called: bool
    id: str = ""

    @property
    def backs(self) -> tuple[str, ...]:
        """The open exits by which it comes back."""
        return tuple(sorted({arrow.back for box in self.boxes for arrow in box.arrows if arrow.target is None}))


@dataclass(frozen=True, slots=True)
class Chart:
    """All stages of a ruleset, or one of them. `titles` are those of all boxes by their numbers, drawn or not."""

    title: str
    frames: tuple[Frame, ...]
    titles: Mapping[int, str]

    @property
    def boxes(self) -> tuple[Box, ...]:
        """All boxes; in a whole chart box number n is at place n - 1."""
        return tuple(box for frame in self.frames for box in frame.boxes)


@dataclass(frozen=True, slots=True)
class Overlay:
    """What is laid over a chart: the step that waits, the exits taken so far, and the chances of steps and exits."""

    current: str = ""
    taken: frozenset[tuple[str, str]] = frozenset()
    steps: Mapping[str, Fraction] = field(default_factory=dict)
    exits: Mapping[tuple[str, str], Fraction] = field(default_factory=dict)

    def step_note(self, box: Box) -> str:
        """The chance of a step in words, if chances are laid over the chart."""
        return percent(self.steps.get(box.id, Fraction(0))) if self.steps else ""

    def exit_note(self, box: Box, arrow: Arrow) -> str:
        """The chance of an exit in words, if chances are laid over the chart."""
        return percent(self.exits.get((box.id, arrow.name), Fraction(0))) if self.steps else ""

    def visited(self, box: Box) -> bool:
        """Was the step passed on the way taken?"""
        return any((box.id, arrow.name) in self.taken for arrow in box.arrows)


NOTHING = Overlay()


def chart(rules: Rules[Any], title: str = "") -> Chart:
    """The flowchart of a ruleset, in the order in which it declares stages and steps."""
    numbers = {id: number for number, id in enumerate(_in_order(rules), 1)}
    frames = []
    for id, procedure in rules.procedures.items():
        steps = [step for step in rules.steps.values() if step.procedure == id]
        boxes = tuple(_box(rules, step, numbers) for step in steps)
        frames.append(Frame(procedure.title, str(procedure.cite), boxes, bool(procedure.returns), id))
    titles = {box.number: box.title for frame in frames for box in frame.boxes}
    return Chart(title or rules.name, tuple(frames), titles)


def stage(drawn: Chart, id: str) -> Chart:
    """One stage of a chart, its boxes numbered as there. Raises `InputError` naming the stages."""
    found = [frame for frame in drawn.frames if frame.id == id]
    if not found:
        stages = ", ".join(frame.id for frame in drawn.frames)
        raise InputError([Problem("stage", f"there is no stage {id!r}", stages)])
    return replace(drawn, title=f"{drawn.title}: {found[0].title}", frames=(found[0],))


def _in_order(rules: Rules[Any]) -> Iterable[str]:
    for id in rules.procedures:
        yield from (step.id for step in rules.steps.values() if step.procedure == id)


def _box(rules: Rules[Any], step: Step[Any], numbers: Mapping[str, int]) -> Box:
    arrows = tuple(
        Arrow(name, words(name), None, words(target.exit))
        if isinstance(target, Return)
        else Arrow(name, words(name), numbers[target])
        for name, target in step.exits.items()
    )
    calls = tuple(numbers[rules.entry_of(called)] for called in step.calls)
    number, cite = numbers[step.id], str(step.cite)
    return Box(number, step.id, cite, step.title, step.text, arrows, calls, step.id == rules.entry)


def way(session: Session) -> Overlay:
    """The way that a session took, and where it waits now."""
    taken = frozenset((event.step.id, event.exit.name) for event in session.events)
    return Overlay(current=session.step.id, taken=taken)
