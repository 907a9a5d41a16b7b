"""Documents say what is so: pasted output is what the program prints, links lead on, generated pages are current."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

import dev
from overrun.cli.main import app, app_commands
from tools import docs

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "tests" / "cases" / "README.md"])


def pasted() -> Iterator[tuple[str, str, str]]:
    """Each command in a console block with the output that stands below it."""
    for page in PAGES:
        for block in re.findall(r"^```console\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
            for shown in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = shown.partition("\n")
                yield page.relative_to(ROOT).as_posix(), command, output


def test_there_is_pasted_output() -> None:
    assert {"README.md", "docs/json-answers.md"} <= {page for page, _, _ in pasted()}


@pytest.mark.parametrize(("page", "command", "output"), list(pasted()))
def test_pasted_output_is_what_the_program_prints(
    page: str, command: str, output: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    program, *arguments = shlex.split(command)
    assert program == "overrun"
    ran = CliRunner().invoke(app, arguments, prog_name="overrun")
    assert ran.exit_code == 0
    # A line "[...]" stands for any lines that were left out.
    wanted = "(?:.*\n)*?".join(re.escape(part) for part in re.split(r"^\[\.\.\.\]\n", output, flags=re.MULTILINE))
    assert re.fullmatch(wanted, ran.stdout), f"{page}: {command} prints:\n{ran.stdout}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_to_files_of_this_repository(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        if not target.startswith(("http:", "https:")):
            assert (page.parent / target).exists(), target


def test_generated_pages_are_current() -> None:
    stale = [file for file, text in docs.pages() if not file.is_file() or file.read_text(encoding="utf-8") != text]
    assert [file.relative_to(ROOT).as_posix() for file in stale] == [], "python dev.py docs"


def test_every_command_has_its_help_in_the_documents() -> None:
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    for name in app_commands():
        assert f"## `overrun {name}`" in text


def test_the_two_commands_of_the_readme_come_first_and_exist() -> None:
    block = re.search(r"^```sh\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert block is not None
    commands = [line.split("#")[0].split() for line in block[1].splitlines()]
    assert [command[:2] for command in commands] == [["python", "dev.py"], ["python", "dev.py"]]
    assert [command[2] for command in commands] == ["run", "test"]
    assert {command[2] for command in commands} <= set(dev.COMMANDS)


def test_every_dependency_has_its_reason() -> None:
    import tomllib  # noqa: PLC0415

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    optional = [each for group in project["project"].get("optional-dependencies", {}).values() for each in group]
    named = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"], *optional, "hatchling"]
    reasons = "\n".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "decisions").glob("*.md"))
    for name in {re.split(r"[><=\[ ;]", requirement)[0] for requirement in named} - {"overrun"}:
        assert f"`{name}`" in reasons, f"docs/decisions: why {name}?"
