"""How output looks: plain in a pipe, colored on a terminal only, readable in a narrow one."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from overrun.cli.commands import __path__ as commands
from overrun.cli.main import app_commands
from tests.cli.conftest import Run

ROOT = Path(__file__).resolve().parents[2]
NAME = "valor/printed-example"


def printed(*arguments: str, **environment: str) -> str:
    """What a process prints into a pipe."""
    known = os.environ | {"PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "utf-8"} | environment
    command = [sys.executable, "-m", "overrun", *arguments]
    return subprocess.run(command, env=known, capture_output=True, encoding="utf-8", check=True).stdout


def on_a_terminal(*arguments: str, **environment: str) -> str:
    """What a process prints on a terminal of its own."""
    import pty  # noqa: PLC0415  (Windows has none)

    child, terminal = pty.fork()
    if child == 0:
        os.environ.update({"PYTHONPATH": str(ROOT / "src"), "TERM": "xterm-256color"} | environment)
        os.execv(sys.executable, [sys.executable, "-m", "overrun", *arguments])
    parts = []
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        parts.append(part)
    os.waitpid(child, 0)
    os.close(terminal)
    return b"".join(parts).decode()


def test_a_pipe_gets_plain_text_without_trailing_blanks() -> None:
    text = printed("play", NAME, "--scripted", COLUMNS="100", TERM="xterm-256color")
    assert "\x1b" not in text
    assert all(line == line.rstrip() and len(line) <= 100 for line in text.splitlines())


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_terminal_gets_colors_unless_they_are_not_wanted() -> None:
    colored = re.compile(r"\x1b\[[0-9;]*3[0-7]m")
    assert colored.search(on_a_terminal("odds", NAME))
    assert not colored.search(on_a_terminal("odds", NAME, NO_COLOR="1"))
    assert "\x1b" not in on_a_terminal("odds", NAME, TERM="dumb")


@pytest.mark.parametrize("width", [40, 60])
@pytest.mark.parametrize("command", [["play", NAME, "--scripted", "--questions"], ["odds", NAME], ["advise", NAME]])
def test_a_narrow_terminal_loses_nothing(command: list[str], width: int) -> None:
    narrow = printed(*command, COLUMNS=str(width))
    assert all(len(line) <= width for line in narrow.splitlines())
    wide = printed(*command, COLUMNS="100")
    assert set(re.findall(r"\d+\.\d+", wide)) <= set(re.findall(r"\d+\.\d+", narrow))


def test_a_terminal_that_knows_no_signs_gets_substitutes() -> None:
    text = printed("play", NAME, "--scripted", PYTHONIOENCODING="ascii")
    assert "To-hit modifiers: ?1" in text


def test_the_reader_of_a_pipe_may_leave() -> None:
    command = [sys.executable, "-m", "overrun", "rules", "valor"]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=20) == 0


def test_each_command_is_one_file_with_help(run: Run) -> None:
    files = {path.stem for path in Path(next(iter(commands))).glob("*.py")} - {"__init__"}
    assert set(app_commands()) == files
    for name in files:
        assert run(name, "--help").out.startswith(f"Usage: overrun {name} ")


def test_a_fault_of_the_program_is_told_in_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("overrun.store.opening.scenario", lambda name: 1 / 0)
    ran = run("check", NAME)
    assert ran.code == 4
    assert ran.err == (
        "overrun: a fault in the program, not in your file: ZeroDivisionError: division by zero. "
        "Please report it; OVERRUN_TRACEBACK=1 shows where.\n"
    )
