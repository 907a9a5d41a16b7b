"""Why an exact answer is refused."""

from __future__ import annotations

from collections.abc import Iterable

from overrun.kernel import OverrunError


class AnalysisError(OverrunError):
    """An exact answer cannot be given."""

    code = "analysis"


class TooLarge(AnalysisError):  # noqa: N818  (the field's name for it)
    """The graph of distinct positions outgrew its limit. Nothing was cut silently; the message says what would fit."""

    code = "analysis.too_large"

    def __init__(self, reached: str, limit: str, offers: Iterable[str] = ()) -> None:
        self.reached, self.limit, self.offers = reached, limit, tuple(offers)
        what = "; or under ".join(("state a policy for the seats", *self.offers))
        super().__init__(
            f"Too large for an exact answer: {reached}, and the limit is {limit}. It may fit if you {what}."
        )


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
