"""A real Dask scheduler and two workers on loopback: a worker is killed, then the driver; no cell is lost."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from overrun.kernel import InputError
from overrun.sweep.executors import Cluster
from overrun.sweep.parts import part_files
from tests.cli.conftest import Run
from tests.sweep.sweeps import canonical, cells

GRID = """
base = "valor/printed-example"
policy = "attacker=plan,defender=best"
measures = ["value", "casualty_points"]
[[axis]]
key = "defenders[2].count"
values = [1, 2]
[[axis]]
key = "map.hexes.D2.smoke"
from = 0
to = 3
[[axis]]
key = "expendables.defender.Panzerfaust"
values = [0, 1]
[[axis]]
key = "rulings.en_equal"
values = ["immobilise", "eliminate"]
"""


@pytest.fixture
def launch(tmp_path: Path) -> Iterator:
    running: list[subprocess.Popen] = []
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}

    def launch(*arguments: str) -> subprocess.Popen:
        with (tmp_path / f"{len(running)}.log").open("w") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", *arguments], env=environment, stdout=log, stderr=log, cwd=tmp_path
            )
        running.append(process)
        return process

    yield launch
    for process in running:
        process.kill()
        process.wait()


def until(true, seconds: float = 90.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.05)


def parts(folder: Path) -> int:
    return len(list(part_files(folder)))


def test_a_killed_worker_and_a_killed_driver_lose_nothing(run: Run, launch, tmp_path: Path) -> None:
    (tmp_path / "grid.toml").write_text(GRID)
    address_file = tmp_path / "scheduler.json"
    launch("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
           "--scheduler-file", str(address_file))  # fmt: skip
    until(lambda: address_file.exists() and '"tcp://' in address_file.read_text())
    address = address_file.read_text().split('"address": "')[1].split('"')[0]
    worker = ("distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
    first, _ = launch(*worker), launch(*worker)
    sweep = ("overrun", "sweep", "run", "grid.toml", "--out", "swept", "--scheduler", address)
    driver = launch(*sweep)
    until(lambda: parts(tmp_path / "swept") >= 3)
    first.send_signal(signal.SIGKILL)
    reached = parts(tmp_path / "swept")
    until(lambda: parts(tmp_path / "swept") >= reached + 2)
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    assert 5 <= len(cells(tmp_path / "swept")) < 32
    ran = launch(*sweep)
    assert ran.wait(timeout=120) == 0
    assert run("sweep", "grid.toml", "--out", "serial").code == 0
    with pytest.raises(InputError, match=r"other rules or figures are in force at tcp://127\.0\.0\.1"):
        Cluster(address, str, "rules that no worker has")
    assert len(cells(tmp_path / "swept")) == 32
    assert canonical(tmp_path / "swept") == canonical(tmp_path / "serial")


def test_a_scheduler_that_is_lost_is_named_once(launch, tmp_path: Path) -> None:
    (tmp_path / "grid.toml").write_text(GRID)
    address_file = tmp_path / "scheduler.json"
    scheduler = launch("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
                       "--scheduler-file", str(address_file))  # fmt: skip
    until(lambda: address_file.exists() and '"tcp://' in address_file.read_text())
    address = address_file.read_text().split('"address": "')[1].split('"')[0]
    launch("distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
    driver = launch("overrun", "sweep", "run", "grid.toml", "--out", "swept", "--scheduler", address)
    until(lambda: parts(tmp_path / "swept") >= 2)
    scheduler.kill()
    assert driver.wait(timeout=120) == 2
    said = (tmp_path / "2.log").read_text()
    assert "the scheduler is gone" in said
    assert "every finished part is safe" in said
    assert "Traceback" not in said
    assert len(cells(tmp_path / "swept")) >= 2


def test_a_scheduler_that_is_not_there_is_named(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "grid.toml").write_text(GRID)
    ran = run("sweep", "grid.toml", "--out", "a", "--scheduler", "127.0.0.1:1")
    assert (ran.code, "such as tcp://127.0.0.1:8786" in ran.err) == (2, True)
    with pytest.raises(InputError, match=r"there is no Dask scheduler at 'tcp://127.0.0.1:1'"):
        Cluster("tcp://127.0.0.1:1", str, "", patience=1.0)
