"""`overrun whatif`: what a change would change."""

from __future__ import annotations

from typing import Annotated

import typer

from overrun.cli.options import Json, Payoff, Policy, Restrict, Scenario, Simplify, Within

PLACE = 46


def whatif(
    file: Scenario,
    *,
    set: Annotated[  # noqa: A002  (the option's name)
        list[str], typer.Option(metavar="KEY=VALUE", help="A change, such as defenders[1].count=3; may be repeated.")
    ],
    policy: Policy = None,
    payoff: Payoff = None,
    restrict: Restrict = None,
    simplify: Simplify = None,
    within: Within = None,
    json: Json = False,
) -> None:
    """Answer a scenario as it stands and with some keys changed.

    Keys are named as error messages name them: dots between names, places in a list from [1]. Values are typed as in
    the file; a word that is no number, true, false or list is text.
    """
    from overrun.analysis import keypath, whatif
    from overrun.analysis.errors import AnalysisError, TooLarge
    from overrun.cli import answers, asking, comparisons, screen
    from overrun.compiled.graphs import FromCache
    from overrun.store import opening

    opened = opening.scenario(file)
    terms = asking.comparison(opened, policy, payoff, restrict or (), within, simplified=simplify or ())
    settings = [keypath.setting(text) for text in set]
    try:
        found = whatif.what_if(opened.ruleset, opened.situation.document, terms, settings, FromCache())
    except AnalysisError as error:
        raise asking.too_large(error, terms) if error.code == TooLarge.code else error from None
    if json:
        answers.print_json(whatif.document(opened.ruleset, terms, found))
        return
    console = screen.screen()
    screen.situation(console, opened, doubts=False)
    answers.bound(console, opened.ruleset, terms)
    comparisons.what_if(console, opened.ruleset, found)
