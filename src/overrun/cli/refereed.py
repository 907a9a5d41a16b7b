"""`overrun replay --against current`: an old log under the rules of today."""

from __future__ import annotations

from typing import Any

from overrun.cli import answers, comparisons, screen
from overrun.play.again import Again, referee_again
from overrun.play.record import Record
from overrun.store import logfile
from overrun.store.opening import Opened


def referee(opened: Opened, kept: Record, *, json: bool) -> None:
    """Referee a log again and print what differs."""
    found = referee_again(kept, opened.session())
    if json:
        answers.print_json(document(opened, kept, found))
        return
    console = screen.screen()
    screen.situation(console, opened)
    console.print(f"Refereed then by {logfile.told(kept)}; now by {logfile.told(opened.record())}.\n")
    comparisons.again(console, found)


def document(opened: Opened, kept: Record, found: Again) -> dict[str, Any]:
    """The documented answer (`docs/json-answers.md`)."""
    then, now = kept.stamp, opened.stamp()
    first = found.first
    return {
        "system": now.system,
        "then": {"ruleset_version": then.version, "data": then.data, "end": found.logged},
        "now": {"ruleset_version": now.version, "data": now.data, "end": found.today},
        "entries": found.entries,
        "given": found.given,
        "same": found.same,
        "first_difference": None
        if first is None
        else {
            "entry": first.place,
            "step": first.entry.step,
            "about": first.about,
            "logged": first.logged,
            "today": first.today,
            "ledgers": [str(ledger) for ledger in first.event.ledgers] if first.event else [],
        },
        "stopped": found.stopped,
    }
