"""A whole ruleset laid open: its steps with cites, its rulings, tables, measures and payoffs, as plain values."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from overrun.kernel import Payoff, Return, Ruleset, Table
from overrun.play.wording import number, words


def document(ruleset: Ruleset) -> dict[str, Any]:
    """The documented form of a ruleset (`docs/json-answers.md`), made of texts, numbers, lists and tables only."""
    rules = ruleset.rules
    return {
        "system": ruleset.id,
        "title": ruleset.title,
        "edition": ruleset.edition,
        "ruleset_version": ruleset.version,
        "seats": {str(seat): name for seat, name in ruleset.seats.items()},
        "stages": [
            {
                "id": id,
                "title": stage.title,
                "cite": str(stage.cite),
                "called": bool(stage.returns),
                "steps": [_step(step) for step in rules.steps.values() if step.procedure == id],
            }
            for id, stage in rules.procedures.items()
        ],
        "rulings": [
            {
                "name": ruling.name,
                "cite": str(ruling.cite),
                "question": ruling.question,
                "options": dict(ruling.options),
                "default": ruling.default,
                "reason": ruling.reason,
            }
            for ruling in ruleset.rulings
        ],
        "tables": [_table(table) for table in ruleset.tables()],
        "measures": [{"name": m.name, "kind": str(m.kind), "meaning": m.meaning} for m in ruleset.measures],
        "payoffs": [_payoff(payoff) for payoff in ruleset.payoffs],
        "restrictions": [{"name": r.name, "reason": r.reason} for r in rules.restrictions],
        "simplifications": [{"name": each.name, "reason": each.reason} for each in ruleset.simplifications],
    }


def _step(step: Any) -> dict[str, Any]:
    exits = {
        exit: {"back": target.exit} if isinstance(target, Return) else {"to": target}
        for exit, target in step.exits.items()
    }
    head = {"id": step.id, "cite": str(step.cite), "title": step.title, "text": step.text}
    return {**head, "exits": exits, "runs": list(step.calls)}


def _table(table: Table[Any]) -> dict[str, Any]:
    return {
        "name": table.name,
        "title": table.title,
        "cite": str(table.cite),
        "source": table.source,
        "confidence": table.confidence,
        "row": table.row_name,
        "column": table.column_name,
        "columns": [column.text for column in table.columns],
        "rows": {row.text: [str(table.cells[row.text, column.text]) for column in table.columns] for row in table.rows},
        "doubtful": dict(table.doubtful),
    }


def _payoff(payoff: Payoff) -> dict[str, Any]:
    def plain(weights: Mapping[str, Any] | None) -> dict[str, str] | None:
        return None if weights is None else {name: str(weight) for name, weight in weights.items()}

    weights = {"attacker": plain(payoff.weights), "defender": plain(payoff.defender)}
    return {"name": payoff.name, "meaning": payoff.meaning, **weights}


def folder_of(ruleset: Ruleset) -> Traversable | None:
    """The package that a ruleset lives in, with its tables and counters; None for one that has no package."""
    module = sys.modules[ruleset.load.__module__]
    return files(module.__package__) if module.__package__ else None


def coverage(ruleset: Ruleset) -> list[dict[str, Any]] | None:
    """Each requirement with the cases that cover it, or why it is out of scope; None when the ruleset ships no report.

    The report is made from the case files by `dev.py docs` and ships beside the ruleset.
    """
    folder = folder_of(ruleset)
    file = folder.joinpath("coverage.json") if folder else None
    if file is None or not file.is_file():
        return None
    found: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    return found


def markdown(ruleset: Ruleset) -> str:
    """The page of a ruleset: the same as `document`, and its coverage, for people to read."""
    laid = document(ruleset)
    return "\n".join(
        [*_head(laid), *_stages(laid), *_rulings(laid), *_tables(laid), *_counts(laid), *_covered(ruleset)]
    )


def _head(laid: Mapping[str, Any]) -> Iterator[str]:
    yield f"# {laid['title']}\n"
    yield "Written by `python dev.py docs` from the rules themselves; changes belong there.\n"
    yield f"Edition: {laid['edition']}. Ruleset version {laid['ruleset_version']}. The same on the screen:"
    yield f"`overrun rules {laid['system']}`.\n"
    yield f"![Flowchart of all steps]({laid['system']}.svg)\n"


def _stages(laid: Mapping[str, Any]) -> Iterator[str]:
    order = [step["id"] for stage in laid["stages"] for step in stage["steps"]]
    numbers = {id: place for place, id in enumerate(order, 1)}
    titles = {step["id"]: step["title"] for stage in laid["stages"] for step in stage["steps"]}
    first = {stage["id"]: stage["steps"][0]["id"] for stage in laid["stages"]}
    yield "## Steps\n"
    yield "The words are ours; the rule numbers lead to the rulebook. An exit names the step that it leads to.\n"
    for stage in laid["stages"]:
        yield f"### {stage['title']} ({stage['cite']})\n"
        for step in stage["steps"]:
            yield f"**{numbers[step['id']]}. {step['title']}** ({step['cite']}), `{step['id']}`\n"
            yield f"{step['text']}\n"
            for called in step["runs"]:
                yield f"- runs {numbers[first[called]]} {titles[first[called]]}"
            for exit, leads in step["exits"].items():
                to = leads.get("to")
                where = f"{numbers[to]} {titles[to]}" if to else f"back by *{words(leads['back'])}*"
                yield f"- {words(exit)} → {where}"
            yield "" if step["exits"] else "- the overrun is over\n"


def _rulings(laid: Mapping[str, Any]) -> Iterator[str]:
    if not laid["rulings"]:
        return
    yield "## Rulings\n"
    yield "Where the text is open, a scenario chooses a reading in `[rulings]`; the default is in bold.\n"
    for ruling in laid["rulings"]:
        yield f"### `{ruling['name']}` ({ruling['cite']})\n"
        yield f"{ruling['question']}\n"
        for option, meaning in ruling["options"].items():
            yield f"- **{option}**: {meaning}" if option == ruling["default"] else f"- {option}: {meaning}"
        yield f"\nWhy {ruling['default']}: {ruling['reason']}\n"


def _tables(laid: Mapping[str, Any]) -> Iterator[str]:
    if not laid["tables"]:
        return
    yield "## Tables\n"
    for table in laid["tables"]:
        yield f"### {table['title']} ({table['cite']})\n"
        yield f"Source: {table['source']}. Confidence: {table['confidence']}.\n"
        yield _row([f"{table['row']} \\ {table['column']}", *table["columns"]])
        yield _row(["---"] * (len(table["columns"]) + 1))
        for head, cells in table["rows"].items():
            yield _row([head, *cells])
        for place, reason in table["doubtful"].items():
            yield f"\nDoubtful: {place.replace('|', ' under ')}: {reason}"
        yield ""


def _counts(laid: Mapping[str, Any]) -> Iterator[str]:
    yield "## Measures\n"
    yield "What an answer counts. An event happens at most once, so its mean is its chance.\n"
    for measure in laid["measures"]:
        yield f"- `{measure['name']}` ({measure['kind']}): {measure['meaning']}"
    yield "\n## Payoffs\n"
    yield "What best play can aim at; the defender wants the opposite unless it has weights of its own.\n"
    for payoff in laid["payoffs"]:
        yield f"- `{payoff['name']}`: {payoff['meaning']} {_weights(payoff['attacker'])}"
        if payoff["defender"] is not None:
            yield f"  The defender: {_weights(payoff['defender'])}"
    yield ""
    if laid["restrictions"]:
        yield "## Restrictions\n"
        yield "Named cuts of options (`--restrict`); an answer under one is a bound.\n"
        for restriction in laid["restrictions"]:
            yield f"- `{restriction['name']}`: {restriction['reason']}"
        yield ""
    if laid["simplifications"]:
        yield "## Simplifications\n"
        yield "Rules that an analysis may leave out (`--simplify`); the answer is exact, of the simpler game.\n"
        for simplification in laid["simplifications"]:
            yield f"- `{simplification['name']}`: {simplification['reason']}"
        yield ""


def _weights(weights: Mapping[str, str]) -> str:
    return "(" + ", ".join(f"{name} {weight.replace('-', '−')}" for name, weight in weights.items()) + ")"


def _covered(ruleset: Ruleset) -> Iterator[str]:
    found = coverage(ruleset)
    if found is None:
        return
    yield "## Coverage\n"
    yield "Each statement of the source document, and the cases that test it.\n"
    yield _row(["id", "what", "cases"])
    yield _row(["---", "---", "---"])
    for entry in found:
        yield _row([entry["id"], entry["about"], cases_told(entry)])
    yield ""


def cases_told(entry: Mapping[str, Any], most: int = 4) -> str:
    """The cases of one requirement in a few words, or why it has none."""
    if entry["out_of_scope"]:
        return f"out of scope: {entry['out_of_scope']}"
    cases = entry["cases"]
    more = f" and {number(len(cases) - most)} more" if len(cases) > most else ""
    return ", ".join(cases[:most]) + more if cases else "none"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
