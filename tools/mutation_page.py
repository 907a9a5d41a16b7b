"""The page about a mutation run: how many changes were noticed, and what is known of each that was not."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tools.mutants import Mutant

EXPLAINED = Path(__file__).resolve().parent / "mutation"


def told_of(ruleset: str) -> tuple[str, dict[tuple[str, str], str]]:
    """What is said of the run, and why a survivor makes no difference, by file and change, without the line number."""
    file = EXPLAINED / f"{ruleset}.toml"
    if not file.exists():
        return "", {}
    listed = tomllib.loads(file.read_text(encoding="utf-8"))
    why = {(entry["file"], change): entry["why"] for entry in listed["survivor"] for change in entry["changes"]}
    return listed.get("about", ""), why


def page(
    ruleset: str, every: int, made: Sequence[Mutant], found: Iterable[dict[str, Any]], options: Sequence[str] = ()
) -> str:
    """What came out of those chosen, of `every` mutant that the code and the tables have now."""
    wanted = {mutant.id for mutant in made}
    latest = {line["id"]: line for line in found if line["id"] in wanted}
    about, known = told_of(ruleset)
    lines = [f"# Mutation score of `rulesets/{ruleset}`", ""]
    lines += [
        "`tools/mutate.py` changes one thing at a time in a copy of the repository and runs the ruleset's tests, cases",
        "and playthroughs that run the changed line. `python tools/mutate.py --help` tells how.",
        "",
        f"{every} changes can be made, {len(made)} were chosen for this page, {len(latest)} of them were tried:",
        "",
        "```",
        f"python tools/mutate.py {ruleset} {' '.join(options)}",
        "```",
        "",
        *([about.strip(), ""] if about else []),
    ]
    for head, key in (("changed", "kind"), ("file", "file")):
        tried = Counter(line[key] for line in latest.values())
        noticed = Counter(line[key] for line in latest.values() if line["killer"])
        lines += [f"| {head} | tried | noticed | score |", "|---|---|---|---|"]
        rows = [(name, noticed[name], tried[name]) for name in sorted(tried)]
        rows.append(("all", noticed.total(), tried.total()))
        lines += [f"| {name} | {total} | {hit} | {100 * hit / max(1, total):.1f} % |" for name, hit, total in rows]
        lines.append("")
    survivors = sorted((line["file"], line["where"]) for line in latest.values() if not line["killer"])
    told: dict[str, list[str]] = {}
    for file, where in survivors:
        told.setdefault(known.get((file, where.partition(": ")[2]), ""), []).append(f"`{file}`, {where}")
    if unread := told.pop("", []):
        lines += ["## Not noticed", "", *(f"- {place}" for place in unread), ""]
    if told:
        lines += ["## Not noticed, and why", ""]
        for why, places in told.items():
            lines += [f"{why}", "", *(f"- {place}" for place in places), ""]
    return "\n".join(lines).rstrip() + "\n"
