"""`overrun explain`: every step of a log, or where a scenario begins, with its reasons."""

from __future__ import annotations

from overrun.cli.options import ScenarioOrLog

PLACE = 50


def explain(
    file: ScenarioOrLog,
) -> None:
    """Explain a log step by step, or a scenario: its rulings, and what is asked first.

    Every number is unfolded into its reasons, every option that is not legal is named with the rule against it.
    """
    from overrun.cli import screen
    from overrun.play import record
    from overrun.play.explain import Explainer
    from overrun.store import opening

    opened, kept = opening.scenario_or_log(file)
    console = screen.screen()
    screen.situation(console, opened)
    session = opened.session()
    if kept is None:
        screen.rulings(console, opened)
    else:
        record.replay(kept, session)
    explainer = Explainer(opened.ruleset.rules, opened.ruleset.seats)
    for number, event in enumerate(session.events, 1):
        screen.adjudication(console, number, explainer.adjudication(event))
    if session.over:
        screen.ending(console, explainer.ending(session, opened.ruleset.describe(session.position.state)))
    else:
        screen.question(console, explainer.question(session))
