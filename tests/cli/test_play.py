"""`overrun play`, its log, and what replays it (X-02, X-03, X-06)."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Run

NAME = "valor/printed-example"


def test_the_printed_example_runs_without_questions(run: Run) -> None:
    ran = run("play", NAME, "--scripted")
    assert ran.code == 0
    for printed in (
        "Movement points: 7\n",  # V-18: 1+1+2+2+1
        "Number to hit: 8\n",
        "To-hit roll: 6\n",
        "Elimination number: 5\n",
        "2d6: 6 5 = 11\n",
        "Overrun APFP: 38\n",
        "AP roll: 5\n",
        "Casualty points: 6\n",
    ):
        assert printed in ran.out


def test_questions_show_options_refusals_and_the_chance_of_each_band(run: Run) -> None:
    ran = run("play", NAME, typed="1\n1\n")
    assert "1. overrun through D2 into D1" in ran.out
    assert "hit          (To-hit roll 2 to 8)     29/36 = 80.56 %" in ran.out
    assert "Stopped before the end. No log was kept." in ran.out
    assert ran.code == 0


def test_dice_are_typed_in_several_ways_or_generated(run: Run) -> None:
    for typed in ("3 4", "34", "3,4", "3+4", " 3  4 "):
        assert "2d6: 3 4 = 7" in run("play", NAME, typed=f"1\n3\n{typed}\n").out
    one, two, other = (run("play", NAME, "--seed", seed, typed="1\n3\n\n").out for seed in ("5", "5", "6"))
    assert one == two
    assert "2d6: " in one
    assert one.split("2d6: ")[1] != other.split("2d6: ")[1]


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("7 1", "a die shows 1 to 6, not 7"),
        ("1", "needs 2 dice; 1 given"),
        ("1 2 3", "needs 2 dice; 3 given"),
        ("x", "'x' is neither dice nor a command"),
        ("٣ ٤", "is neither dice nor a command"),
        ("99999 1", "cannot be dice"),
        ("hit", "'hit' is neither dice nor a command"),
    ],
)
def test_dice_that_cannot_be_are_refused_and_asked_again(run: Run, typed: str, message: str) -> None:
    ran = run("play", NAME, typed=f"1\n3\n{typed}\n3 4\n")
    assert message in ran.out
    assert "2d6: 3 4 = 7" in ran.out


@pytest.mark.parametrize("typed", ["0", "9", "-1", "²", "fly", "overrun "])
def test_a_choice_that_is_none_is_refused_and_asked_again(run: Run, typed: str) -> None:
    ran = run("play", NAME, typed=f"{typed}\n1\n")
    assert ran.out.count("▸ overrun through D2 into D1") == 1
    assert ("there is no such option" in ran.out) == (typed.strip() != "overrun")


def test_undo_gives_the_same_dice_again(run: Run, tmp_path: Path) -> None:
    ran = run("play", NAME, "--seed", "5", "--log", "a.json", typed="1\n3\n\nu\n\n")
    assert ran.out.count("Taken back.") == 1
    entries = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["entries"]
    assert [entry["said"] for entry in entries] == ["choose", "choose", "roll", "undo", "roll"]
    assert entries[2]["dice"] == entries[4]["dice"]
    assert "There is nothing to undo" in run("play", NAME, typed="u\n").out


def test_help_state_and_the_adjudication_so_far_are_there_when_asked(run: Run) -> None:
    ran = run("play", NAME, typed="1\n?\ns\na\n")
    assert "take back the last answer" in ran.out
    assert "M4A3E8: in D3" in ran.out
    assert ran.out.count(" 1 Declare the overrun") == 2


def test_a_log_is_taken_up_again_and_replays(run: Run, tmp_path: Path) -> None:
    begun = run("play", NAME, "--log", "a.json", "--seed", "7", typed="1\n3\n3 4\nq\n")
    assert "go on with: overrun play a.json" in begun.out
    assert "Verified: 3 entries" in run("replay", "a.json").out
    again = run("play", "a.json", typed="6 5\n1 1\n")
    assert "Casualty points: 6" in again.out
    same = run("play", NAME, "--log", "a.json", typed="")
    assert "Casualty points: 6" in same.out
    explained = run("explain", "a.json")
    assert "? Allot casualty points" in explained.out.replace("?  ", "? ")
    assert json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["seed"] == 7


def test_a_finished_log_replays_to_its_end(run: Run) -> None:
    played = run("play", NAME, "--scripted", "--log", "a.json").out
    replayed = run("replay", "a.json").out
    assert played[played.index("End: ") :] == replayed[replayed.index("End: ") :]
    assert run("explain", "a.json").out.count("▸") == played.count("▸")


def test_an_edited_log_is_refused_everywhere(run: Run, tmp_path: Path) -> None:
    run("play", NAME, "--scripted", "--log", "a.json")
    path = tmp_path / "a.json"
    edited = path.read_text(encoding="utf-8").replace('"dice": [1, 1]', '"dice": [6, 1]')
    path.write_text(edited, encoding="utf-8")
    for command in (["replay", "a.json"], ["explain", "a.json"], ["play", "a.json"], ["play", NAME, "--log", "a.json"]):
        ran = run(*command)
        assert ran.code == 2
        assert "entries[5]: this entry, or something before it, was edited" in ran.err
    assert path.read_text(encoding="utf-8") == edited


def test_a_log_belongs_to_one_scenario_and_one_ruleset(run: Run, tmp_path: Path) -> None:
    run("play", NAME, "--log", "a.json", typed="1\n")
    (tmp_path / "other.toml").write_text(run("new", "valor").out, encoding="utf-8")
    ran = run("play", "other.toml", "--log", "a.json")
    assert (ran.code, "this log is of another scenario" in ran.err) == (2, True)
    for option in (["--seed", "3"], ["--log", "b.json"], ["--scripted"]):
        ran = run("play", "a.json", *option)
        assert (ran.code, f"{option[0]}: this is a log" in ran.err) == (2, True)


def play(folder: Path, *options: str) -> "subprocess.Popen[str]":
    root = Path(__file__).resolve().parents[2]
    environment = os.environ | {"PYTHONPATH": str(root / "src"), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "overrun", "play", NAME, *options]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=folder, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def until(process: "subprocess.Popen[str]", text: str) -> str:
    """What it prints up to some text; reads by characters, for a prompt ends no line."""
    assert process.stdout is not None
    seen = ""
    while not seen.endswith(text):
        more = process.stdout.read(1)
        assert more, f"it ended before {text!r}: {seen}"
        seen += more
    return seen


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL and no SIGINT for one process")
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGKILL, -9), (signal.SIGINT, 130)])
def test_nothing_acknowledged_is_lost_when_it_is_killed(run: Run, tmp_path: Path, sent: int, code: int) -> None:
    process = play(tmp_path, "--log", "a.json")
    assert process.stdin is not None
    assert process.stderr is not None
    for answer in ("1", "3", "3 4"):
        until(process, "> ")
        process.stdin.write(f"{answer}\n")
        process.stdin.flush()
    until(process, "> ")
    time.sleep(0.05)
    process.send_signal(sent)
    error = process.communicate(timeout=10)[1]
    assert process.returncode == code
    assert error in {"", "overrun: interrupted\n"}
    assert "Verified: 3 entries" in run("replay", "a.json").out
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_a_log_that_changes_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    process = play(tmp_path, "--log", "a.json")
    assert process.stdin is not None
    until(process, "> ")
    (tmp_path / "a.json").write_text("mine", encoding="utf-8")
    error = process.communicate("1\n", timeout=10)[1]
    assert (process.returncode, error.startswith("overrun: a.json: something else changed this log")) == (2, True)
    assert (tmp_path / "a.json").read_text(encoding="utf-8") == "mine"
