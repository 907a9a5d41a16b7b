"""What a browser sends with a form, read with limits."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.datastructures import FormData
from starlette.requests import Request

from overrun.kernel import Chance, InputError, PlayError, Problem
from overrun.play import explain
from overrun.play.session import Session
from overrun.web.play_page import typed

MOST_FIELDS = 2000
LARGEST_PART = 400_000
"""Bytes of one field or file."""


async def form_of(request: Request) -> FormData:
    """The fields of a form."""
    return await request.form(max_files=2, max_fields=MOST_FIELDS, max_part_size=LARGEST_PART)


def field(form: FormData, name: str, longest: int = LARGEST_PART) -> str:
    """One field as text; empty when it is not there."""
    value = form.get(name, "")
    return value[:longest] if isinstance(value, str) else ""


def place_of(form: FormData) -> int:
    """Which answer this is to be. Raises `InputError`."""
    text = field(form, "place", 12)
    if not (text.isascii() and text.isdecimal()):
        raise InputError([Problem("place", "the form does not say which step it answers", "the page as it was sent")])
    return int(text)


def faces_of(form: FormData, session: Session) -> tuple[int, ...]:
    """The faces that were chosen or typed. Raises `PlayError` that says what is missing."""
    node = session.node
    if not isinstance(node, Chance):
        raise PlayError(f"{session.step.title}: nothing is rolled here.")
    dice = explain.unrolled(node.dice)
    if typed(dice):
        return numbers(field(form, "faces", 2000), len(dice))
    texts = [field(form, f"die-{place}", 4) for place in range(1, len(dice) + 1)]
    missing = [die.label for die, text in zip(dice, texts, strict=True) if not text]
    if missing:
        raise PlayError(f"Say what was rolled: no face is chosen for {', '.join(missing)}.")
    return numbers(" ".join(texts), len(dice))


def numbers(text: str, count: int) -> tuple[int, ...]:
    """Faces from text: numbers apart. Raises `PlayError`."""
    parts: Sequence[str] = text.replace(",", " ").replace("+", " ").split()
    if len(parts) == 1 and count > 1 and len(parts[0]) == count:
        parts = list(parts[0])
    if not parts or not all(part.isascii() and part.isdecimal() and len(part) <= 4 for part in parts):
        raise PlayError(
            f"Type the {count} faces that were rolled, such as {' '.join(['3', '4', '1', '6', '2'][:count])}."
        )
    return tuple(map(int, parts))
