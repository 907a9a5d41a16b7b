"""Switches for ambiguous rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from overrun.kernel.cite import Cite
from overrun.kernel.errors import InputError, Problem, RulesError


@dataclass(frozen=True, slots=True)
class Numbers:
    """Whole numbers that are readings too, both ends included. `meaning` says in one sentence what one means: `{}`."""

    low: int
    high: int
    meaning: str

    def __contains__(self, reading: str) -> bool:
        return reading in map(str, range(self.low, self.high + 1))


@dataclass(frozen=True, slots=True)
class Ruling:
    """A named switch for a rule that the text leaves open: its readings, the default, and why.

    `options` maps each reading to what it means, in one sentence of our own. Where a text leaves a number open,
    `numbers` are readings beside the usual ones listed there.
    """

    name: str
    question: str
    options: Mapping[str, str]
    default: str
    reason: str
    cite: Cite
    numbers: Numbers | None = None

    def __post_init__(self) -> None:
        """A ruling has at least two readings and its default is one of them."""
        if len(self.options) < 2 or self.default not in self.options:
            raise RulesError(f"ruling {self.name!r}: the default must be one of two or more options")

    def __contains__(self, reading: str) -> bool:
        """Whether that is a reading of it."""
        return reading in self.options or (self.numbers is not None and reading in self.numbers)

    def meaning(self, reading: str) -> str:
        """What a reading means. Raises `KeyError` when it is none."""
        if self.numbers is not None and reading not in self.options and reading in self.numbers:
            return self.numbers.meaning.format(reading)
        return self.options[reading]

    def readings(self, in_force: str) -> tuple[str, ...]:
        """The usual readings, and the one in force if it is another."""
        return (*self.options, *(() if in_force in self.options else (in_force,)))


@dataclass(frozen=True, slots=True)
class Rulings:
    """All rulings of a ruleset, in rulebook order, and the reading of a player's choices among them."""

    all: tuple[Ruling, ...]

    def __iter__(self) -> Iterator[Ruling]:
        return iter(self.all)

    def __getitem__(self, name: str) -> Ruling:
        for ruling in self.all:
            if ruling.name == name:
                return ruling
        raise KeyError(name)

    def chosen(self, choices: Mapping[str, str], where: str = "rulings") -> dict[str, str]:
        """Every ruling with its chosen reading, defaults filled in. Raises `InputError` naming every bad choice."""
        problems = list(self._problems(choices, where))
        if problems:
            raise InputError(problems)
        return {ruling.name: choices.get(ruling.name, ruling.default) for ruling in self.all}

    def _problems(self, choices: Mapping[str, str], where: str) -> Iterable[Problem]:
        known = {ruling.name: ruling for ruling in self.all}
        for name, choice in choices.items():
            if name not in known:
                yield Problem(f"{where}.{name}", "there is no such ruling", ", ".join(sorted(known)))
            elif choice not in known[name]:
                right, numbers = ", ".join(known[name].options), known[name].numbers
                if numbers is not None:
                    right += f", or any whole number from {numbers.low} to {numbers.high}"
                yield Problem(f"{where}.{name}", f"{choice!r} is not a reading of it", right, known[name].cite)
