"""Every error a caller can meet, by whose fault it is. Each has a stable `code`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from overrun.kernel.cite import Cite
from overrun.kernel.refusal import Refusal


class OverrunError(Exception):
    """Base of every error that this package raises on purpose."""

    code = "error"


class RulesError(OverrunError):
    """A ruleset is inconsistent; never a player's fault."""

    code = "rules"


class ConflictingRules(RulesError):  # noqa: N818  (the field's name for it)
    """Two exceptions of equal rank both apply: the ruleset must say which one wins."""

    code = "rules.conflict"


class PlayError(OverrunError):
    """A player named an option that is not legal here, or dice that cannot be rolled here."""

    code = "play"

    def __init__(self, message: str, refusal: Refusal | None = None) -> None:
        super().__init__(message)
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a file: where it is, what is wrong, what would be right, and the rule if one says so."""

    where: str
    what: str
    allowed: str = ""
    cite: Cite | None = None

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        allowed = f" Allowed: {self.allowed}." if self.allowed else ""
        cite = f" [{self.cite}]" if self.cite else ""
        return f"{place}{self.what}.{allowed}{cite}"


def meant(word: str, known: Iterable[str]) -> str:
    """` (did you mean ...?)` when something known is close to a word, else nothing: it goes after what is wrong.

    >>> "there is no key 'titel'" + meant("titel", ("title", "map"))
    "there is no key 'titel' (did you mean 'title'?)"
    """
    from difflib import get_close_matches  # noqa: PLC0415  (needed only when something is wrong)

    close = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f" (did you mean {close[0]!r}?)" if close else ""


class InputError(OverrunError):
    """A file or an answer given by a user is wrong. It carries every problem found, not only the first."""

    code = "input"

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))
