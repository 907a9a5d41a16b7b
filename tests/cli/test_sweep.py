"""`overrun sweep` at the command line."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from overrun.sweep.parts import part_files
from tests.cli.conftest import Run

GRID = """
base = "valor/printed-example"
measures = ["value", "casualty_points"]
[[axis]]
key = "map.hexes.D2.smoke"
from = 0
to = 3
[[axis]]
key = "defenders[2].count"
values = [1, 2]
"""


def test_a_sweep_is_run_shown_and_asked(run: Run, tmp_path: Path) -> None:
    Path("grid.toml").write_text(GRID)
    ran = run("sweep", "grid.toml", "--out", "out", "--json")
    assert json.loads(ran.out) == {"cells": 8, "answered": 6, "refused": 2, "bounded": 0, "out": "out"}
    assert "8 of 8 cells" in ran.err
    assert "6 cells answered, 2 refused; in out." in run("sweep", "run", "grid.toml", "--out", "out").out
    told = json.loads(
        run("sweep", "query", "out", "select casualty_points_exact from cells where cell = 1", "--json").out
    )
    assert told["rows"] == [["581/486"]]  # W1, with the stated plan
    shown = run("sweep", "query", "out", "select count(*) as cells from cells")
    assert shown.out == "cells\n8\n"
    drawn = run("sweep", "show", "out", "--x", "map.hexes.D2.smoke", "--y", "defenders[2].count", "--svg", "a.svg")
    assert drawn.out == "Wrote a.svg.\n"
    assert ElementTree.parse("a.svg").getroot().tag.endswith("svg")
    line = run("sweep", "show", "out", "--x", "map.hexes.D2.smoke", "--where", "defenders[2].count=2")
    assert ElementTree.fromstring(line.out).tag.endswith("svg")


def test_what_cannot_be_swept_is_said(run: Run) -> None:
    Path("grid.toml").write_text(GRID.replace('"value"', '"valu"'))
    ran = run("sweep", "grid.toml", "--out", "out")
    assert (ran.code, "there is no measure 'valu'" in ran.err) == (2, True)
    Path("grid.toml").write_text(GRID.replace("to = 3", "to = 9_999_999"))
    assert "this axis alone has 10,000,000 values" in run("sweep", "grid.toml", "--out", "out").err
    assert not Path("out").exists()
    assert "there is no sweep in this folder" in run("sweep", "show", "out", "--x", "a").err
    assert "no such file" in run("sweep", "none.toml", "--out", "out").err


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_leaves_a_folder_that_goes_on(run: Run, tmp_path: Path, workers: str) -> None:
    Path("grid.toml").write_text(GRID.replace("values = [1, 2]", "values = [1, 2, 3, 4]"))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-m", "overrun", "sweep", "grid.toml", "--out", "out", "--workers", workers]
    running = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path, start_new_session=True
    )
    end = time.monotonic() + 90
    while len(list(part_files(tmp_path / "out"))) < 2:
        assert time.monotonic() < end
        assert running.poll() is None
        time.sleep(0.02)
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does: every process of the command gets it
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130, err
    assert b"cells are safe; the same command goes on" in out
    assert b"Traceback" not in err, err
    ran = run("sweep", "grid.toml", "--out", "out", "--json")
    assert json.loads(ran.out) == {"cells": 16, "answered": 12, "refused": 4, "bounded": 0, "out": "out"}
