"""What may be left out of an analysis, and how a page names the answer then: it is of another game."""

from __future__ import annotations

from collections.abc import Sequence

from overrun.kernel import Ruleset, Simplification, Situation
from overrun.web.words import words


def choices(ruleset: Ruleset, situation: Situation, name: str = "", *, begun: bool = False) -> list[Simplification]:
    """The simplifications to choose among: those that leave something out here, and the one asked for.

    Once play has `begun` none is left to choose.
    """
    fitting = () if begun else ruleset.simpler(situation)
    return [one for one in ruleset.simplifications if one in fitting or one.name == name]


def under(ruleset: Ruleset, name: str) -> str:
    """The words that stand beside every figure of such an answer; empty for the whole game."""
    known = [one.name for one in ruleset.simplifications]
    return told([name]) if name in known else ""


def told(names: Sequence[str]) -> str:
    """Names of simplifications in those words.

    >>> told(["no_heat_of_battle"]), told([])
    ('under the simplification no heat of battle', '')
    """
    return f"under the simplification {', '.join(map(words, names))}" if names else ""
