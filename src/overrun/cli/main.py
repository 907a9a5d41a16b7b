"""The entry of the program: find the command that is named, load it alone, and let no traceback out."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from pkgutil import iter_modules
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from overrun import __version__
from overrun.cli import commands

BAD_INPUT = 2
"""A file, an option or an answer is wrong."""
NO_ANSWER = 3
"""The question is fine, but no exact answer can be given: it is too large, or only one seat knows part of it."""
FAULT = 4
"""A ruleset contradicts itself, or the program is at fault. Not the player's doing, and worth a report."""
INTERRUPTED = 130


class Commands(TyperGroup):
    """The commands found as modules; each is imported only when it is run or listed."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names in the order in which help shows them."""
        return app_commands()

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name, or None."""
        if cmd_name not in {module.name for module in iter_modules(commands.__path__)}:
            return None
        if (group := getattr(module_of(cmd_name), "group", None)) is not None:
            return typer.main.get_command(group)
        one = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
        one.command(cmd_name)(guarded(getattr(module_of(cmd_name), cmd_name)))
        return typer.main.get_command(one)


def app_commands() -> list[str]:
    """The names of all commands, in the order in which help shows them."""
    names = [module.name for module in iter_modules(commands.__path__)]
    return sorted(names, key=lambda name: (getattr(module_of(name), "PLACE", 99), name))


def subcommands(name: str) -> list[str]:
    """The commands within a command, such as `show` in `sweep`, in the order in which its help shows them."""
    group = getattr(module_of(name), "group", None)
    return [] if group is None else list(getattr(typer.main.get_command(group), "commands", {}))


def module_of(name: str) -> Any:
    """The module of a command."""
    return import_module(f"{commands.__name__}.{name}")


def guarded(command: Callable[..., None]) -> Callable[..., None]:
    """The command with each expected error put into one clear line a problem, and the exit status of its kind."""

    @wraps(command)
    def run(*arguments: Any, **options: Any) -> None:
        from overrun.analysis.errors import AnalysisError
        from overrun.kernel.errors import InputError, OverrunError, RulesError

        try:
            command(*arguments, **options)
            sys.stdout.flush()
        except InputError as error:
            stop([str(problem) for problem in error.problems], BAD_INPUT)
        except AnalysisError as error:
            stop([str(error)], NO_ANSWER)
        except RulesError as error:
            stop([f"the ruleset contradicts itself: {error}. Please report it with the scenario."], FAULT)
        except OverrunError as error:
            stop([str(error)], BAD_INPUT)
        except BrokenPipeError:
            # The reader of a pipe has gone (`overrun ... | head`): nothing is left to say, and nobody to say it to.
            sys.stdout = io.StringIO()
            raise SystemExit(0) from None
        except KeyboardInterrupt:
            stop(["interrupted"], INTERRUPTED)
        except Exception as error:  # the last resort: a player must never meet a traceback
            if os.environ.get("OVERRUN_TRACEBACK"):
                raise
            what = f"a fault in the program, not in your file: {type(error).__name__}: {error}"
            stop([f"{what}. Please report it; OVERRUN_TRACEBACK=1 shows where."], FAULT)

    return run


def stop(lines: list[str], status: int) -> NoReturn:
    """Say on standard error what is wrong, a line for each problem, and leave."""
    for line in lines:
        print(f"overrun: {line}", file=sys.stderr)
    raise SystemExit(status)


def show_version(value: bool) -> None:
    """Print the version and leave."""
    if value:
        print(f"overrun {__version__}")
        raise typer.Exit


app = typer.Typer(
    cls=Commands, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False, no_args_is_help=True
)


@app.callback()
def overrun(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """Referee, exact odds and advice for overrun attacks in tabletop wargames.

    FILE is a scenario file, or the name of a shipped one (`overrun examples` lists them).
    """


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a sign (×, −) gets a substitute, not a crash.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        app(prog_name="overrun")
    except KeyboardInterrupt:
        stop(["interrupted"], INTERRUPTED)
