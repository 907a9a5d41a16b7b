"""Switches for ambiguous rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from overrun.kernel.cite import Cite
from overrun.kernel.errors import InputError, Problem, RulesError


@dataclass(frozen=True, slots=True)
class Ruling:
    """A named switch for a rule that the text leaves open: its readings, the default, and why.

    `options` maps each reading to what it means, in one sentence of our own.
    """

    name: str
    question: str
    options: Mapping[str, str]
    default: str
    reason: str
    cite: Cite

    def __post_init__(self) -> None:
        """A ruling has at least two readings and its default is one of them."""
        if len(self.options) < 2 or self.default not in self.options:
            raise RulesError(f"ruling {self.name!r}: the default must be one of two or more options")


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
            elif choice not in known[name].options:
                yield Problem(
                    f"{where}.{name}",
                    f"{choice!r} is not a reading of it",
                    ", ".join(known[name].options),
                    known[name].cite,
                )
