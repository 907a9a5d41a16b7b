"""`overrun play`: referee one overrun."""

from __future__ import annotations

from typing import Annotated

import typer

from overrun.cli.options import ScenarioOrLog

PLACE = 30


def play(
    file: ScenarioOrLog,
    *,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Generate the same dice each time; any whole number.")
    ] = None,
    log: Annotated[
        str | None, typer.Option(metavar="FILE", help="Keep a log there after each answer; take up one that is there.")
    ] = None,
    scripted: Annotated[
        bool, typer.Option("--scripted", help="Ask nothing: use the stated choices and dice of the scenario.")
    ] = False,
    questions: Annotated[
        bool, typer.Option("--questions", help="With --scripted: print each question too, with all its options.")
    ] = False,
) -> None:
    """Referee an overrun, one question at a time.

    At a choice type its number or id; at a roll press Enter for generated dice, or type the faces you rolled (3 4).
    Each step names its rule, and each number its reasons. Nothing that was acknowledged is missing from the log.
    """
    import secrets
    from pathlib import Path

    from overrun.cli import screen
    from overrun.cli.playing import Player
    from overrun.kernel import InputError, Problem
    from overrun.store import logfile, opening

    opened, kept = opening.scenario_or_log(file)
    fresh_seed = seed if seed is not None or scripted else secrets.randbelow(10**9)
    if kept is not None:
        given = [
            name for name, on in (("--log", log), ("--seed", seed), ("--scripted", scripted or None)) if on is not None
        ]
        if given:
            what = "this is a log: it goes on in its own file, with its own seed"
            raise InputError([Problem(", ".join(given), what, "the log alone")])
        session, kept_log = logfile.resumed(opened, Path(file), kept)
    elif log is not None:
        session, kept_log = logfile.continued(opened, Path(log), fresh_seed)
    else:
        session, kept_log = opened.session(), logfile.LogFile(opened.record(fresh_seed))
    console = screen.screen()
    screen.situation(console, opened)
    player = Player(opened, session, kept_log, console)
    if scripted:
        player.scripted(questions=questions)
    elif not player.play():
        where = f"The log is safe; go on with: overrun play {kept_log.path}" if kept_log.path else "No log was kept."
        console.print(f"Stopped before the end. {where}")
        return
    player.end()
    if kept_log.record.seed is not None:
        console.print(f"\nDice were generated from seed {kept_log.record.seed} where none were given.")
