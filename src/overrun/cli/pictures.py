"""Pictures on disk: an SVG as PNG, drawn by the extra `plot`."""

from __future__ import annotations

from pathlib import Path

from overrun.kernel import InputError, Problem


def ready() -> None:
    """Raise `InputError` at once when no PNG can be drawn, before long work is done for it."""
    png('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')


def png(svg: str) -> bytes:
    """An SVG as PNG at twice its size. Raises `InputError` when the extra `plot` is not installed."""
    try:
        import resvg_py  # noqa: PLC0415  (an extra)
    except ImportError as error:
        what = "PNG needs the extra `plot`, which is not installed"
        raise InputError([Problem("--png", what, 'pip install "overrun[plot]", or --svg')]) from error
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=2))


def write_png(path: Path, svg: str) -> None:
    """Write a PNG that must not exist yet. Raises `InputError` instead of overwriting one."""
    drawn = png(svg)
    try:
        with path.open("xb") as file:
            file.write(drawn)
    except FileExistsError as error:
        raise InputError([Problem(str(path), "this file exists and is kept", "a new file name")]) from error
    except OSError as error:
        raise InputError([Problem(str(path), f"it cannot be written: {error.strerror or error}")]) from error
