"""Why an exact answer is refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from overrun.kernel import OverrunError


class AnalysisError(OverrunError):
    """An exact answer cannot be given."""

    code = "analysis"


class TooLarge(AnalysisError):  # noqa: N818  (the field's name for it)
    """The graph of distinct positions outgrew its limit. Nothing was cut silently; the message says what would fit."""

    code = "analysis.too_large"

    def __init__(
        self, reached: str, limit: str, restrictions: Iterable[str] = (), simplifications: Iterable[str] = ()
    ) -> None:
        self.reached, self.limit = reached, limit
        ways = ["state a policy for the seats"]
        for what, names in (("cut options by a restriction", restrictions), ("leave out a rule", simplifications)):
            if offers := ", ".join(names):
                ways.append(f"{what} ({offers})")
        super().__init__(
            f"Too large for an exact answer: {reached}, and the limit is {limit}. It may fit if you {either(ways)}."
        )


def either(ways: Sequence[str]) -> str:
    """Alternatives in words.

    >>> either(["wait", "turn", "stay out"])
    'wait, turn or stay out'
    """
    return " or ".join(filter(None, (", ".join(ways[:-1]), ways[-1])))


class HiddenInformation(AnalysisError):  # noqa: N818
    """Only one seat knows part of the situation, so there is no one exact answer for both."""

    code = "analysis.hidden"

    def __init__(self, hidden: Iterable[str]) -> None:
        super().__init__(
            f"No exact answer while only one seat knows: {', '.join(hidden)}. State in the file what both seats know."
        )


class NotZeroSum(AnalysisError):  # noqa: N818
    """A reader that needs a zero-sum payoff was given two payoffs."""

    code = "analysis.not_zero_sum"
