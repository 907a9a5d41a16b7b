"""The one list of commands for this repository: `python dev.py run`, `test`, `check`, `docs`, `bench`.

Needs nothing but Python 3.11 or newer. The first command makes `.venv`, installs exactly what `requirements/` pins and
the package itself; later commands install again only after the pins changed. Works on Linux, macOS and Windows.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
OLDEST = (3, 11)

USAGE = """usage: python dev.py COMMAND [ARGUMENT ...]

  run     referee and price the printed overrun example; with arguments, run `overrun` with them
  test    run all tests; arguments go to pytest
  check   lint, formatting, types, import law, and that generated pages are current
  docs    write the generated pages again; with --check, fail if one is stale
  bench   measure speed on this machine
  golden  write one golden playthrough again: SYSTEM/NAME
  lock    write requirements/*.lock again from pyproject.toml (needs uv on the path)
"""


def main(arguments: list[str]) -> int:
    """Carry out one command and give its exit status."""
    if sys.version_info < OLDEST:
        return fail("Python 3.11 or newer is needed; this is %d.%d." % sys.version_info[:2])  # noqa: UP031
    if not arguments or arguments[0] in ("-h", "--help"):
        print(USAGE, end="")
        return 0 if arguments else 2
    command, rest = arguments[0], arguments[1:]
    if command not in COMMANDS:
        return fail(f"there is no command {command!r}.\n\n{USAGE}")
    try:
        return COMMANDS[command](rest)
    except KeyboardInterrupt:
        return 130


def run(arguments: list[str]) -> int:
    """The main job, or any `overrun` command."""
    ready("run")
    if arguments:
        return overrun(*arguments)
    return overrun("play", "valor/printed-example", "--scripted") or overrun("odds", "valor/printed-example")


def test(arguments: list[str]) -> int:
    """Every test, on as many processors as there are (four at most)."""
    ready("dev")
    workers = ["-n", str(min(os.cpu_count() or 1, 4))] if not arguments else []
    return python("-m", "pytest", *workers, *arguments)


def check(arguments: list[str]) -> int:
    """Every static check; all of them run, so that one look shows all that is wrong."""
    if arguments:
        return fail("check takes no arguments.")
    ready("dev")
    checks = (
        ("ruff check", ("-m", "ruff", "check", ".")),
        ("ruff format", ("-m", "ruff", "format", "--check", ".")),
        ("mypy --strict", ("-m", "mypy", "--strict", "src", "tools", "bench", "dev.py")),
        ("import law", ("tools/import_law.py",)),
        ("generated pages", ("tools/docs.py", "--check")),
    )
    failed = []
    for name, command in checks:
        print(f"== {name}", flush=True)
        if python(*command):
            failed.append(name)
    print(f"== failed: {', '.join(failed)}" if failed else "== all checks passed")
    return 1 if failed else 0


def docs(arguments: list[str]) -> int:
    """The pages that are generated from the rules and the command line."""
    ready("dev")
    return python("tools/docs.py", *arguments)


def bench(arguments: list[str]) -> int:
    """Speed on this machine."""
    ready("dev")
    return python("-m", "bench", *arguments)


def golden(arguments: list[str]) -> int:
    """One golden playthrough, written again on purpose."""
    ready("dev")
    return python("tools/golden.py", *arguments)


def lock(arguments: list[str]) -> int:
    """The pins for every supported Python and system, with hashes and without the name of any package host."""
    uv = shutil.which("uv")
    if uv is None or arguments:
        return fail("lock takes no arguments." if arguments else "uv is not on the path; install it to pin again.")
    common = ["--universal", "--python-version", "3.11", "--generate-hashes", "--no-header", "--no-annotate"]
    common += ["--no-emit-index-url", "--only-binary", ":all:", "--upgrade", "--quiet"]
    pins, build = ROOT / "requirements", "requirements/build.in"
    for name, more in (("run", []), ("dev", ["--group", "dev", "-c", "requirements/run.lock"])):
        target = str(pins / f"{name}.lock")
        command = [uv, "pip", "compile", *common, "pyproject.toml", build, *more, "-o", target]
        if status := subprocess.call(command, cwd=ROOT, stdout=subprocess.DEVNULL):
            return status
    return 0


COMMANDS = {
    "run": run,
    "test": test,
    "check": check,
    "docs": docs,
    "bench": bench,
    "golden": golden,
    "lock": lock,
}


def ready(pins: str) -> None:
    """Make `.venv` hold what `requirements/PINS.lock` says; do nothing when it does already."""
    # The environment for development holds everything that running needs, so it serves both.
    if any(stamp(name).is_file() and stamp(name).read_text() == fingerprint(name) for name in {pins, "dev"}):
        return
    note(f"setting up .venv ({'tests and checks' if pins == 'dev' else 'the program'}); this happens once")
    if not PYTHON.is_file() or subprocess.call([str(PYTHON), "-c", "import pip"], stderr=subprocess.DEVNULL):
        shutil.rmtree(VENV, ignore_errors=True)
        if subprocess.call([sys.executable, "-m", "venv", str(VENV)], stdout=subprocess.DEVNULL):
            raise SystemExit(fail("Python could not make .venv. On Debian and Ubuntu install python3-venv first."))
    for old in VENV.glob("installed-*"):
        old.unlink()
    quiet = ["--quiet", "--quiet", "--disable-pip-version-check"]
    steps = (
        # Wheels only: nobody who plays or tests should need a compiler.
        ["install", *quiet, "--only-binary", ":all:", "--require-hashes", "-r", f"requirements/{pins}.lock"],
        ["install", *quiet, "--no-deps", "--no-build-isolation", "--editable", "."],
    )
    for step in steps:
        if python("-m", "pip", *step):
            raise SystemExit(fail("the pinned packages could not be installed; pip says why above."))
    stamp(pins).write_text(fingerprint(pins))


def stamp(pins: str) -> Path:
    """The file that says which pins are installed."""
    return VENV / f"installed-{pins}"


def fingerprint(pins: str) -> str:
    """What an installation depends on: the pins, the package's own declaration, this Python and this folder."""
    parts = [(ROOT / "requirements" / f"{pins}.lock").read_bytes(), (ROOT / "pyproject.toml").read_bytes()]
    parts.append(f"{sys.version_info[:2]} {ROOT}".encode())
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def python(*arguments: str) -> int:
    """Run the Python of `.venv` at the root of the repository."""
    sys.stdout.flush()
    return subprocess.call([str(PYTHON), *arguments], cwd=ROOT)


def overrun(*arguments: str) -> int:
    """Run the program itself, where the user stands, so that a path names what the user means."""
    return subprocess.call([str(PYTHON), "-m", "overrun", *arguments])


def note(message: str) -> None:
    """Say something about the set-up, apart from what the program prints."""
    print(f"dev.py: {message}", file=sys.stderr, flush=True)


def fail(message: str) -> int:
    """Say what is wrong; exit status 2."""
    note(message)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
