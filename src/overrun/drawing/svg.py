"""A flowchart as SVG: one file, no outside fonts or scripts, readable in black and white."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from overrun.drawing.chart import NOTHING, Chart, Overlay
from overrun.drawing.layout import (
    BADGE,
    HEADLINE,
    LINE,
    MARGIN,
    PAD,
    ROOM,
    SMALL,
    TITLE,
    TITLE_LINE,
    Line,
    Panel,
    Placed,
    laid_out,
)

STYLE = """
.oc text{font-family:"DejaVu Sans",Verdana,Helvetica,Arial,sans-serif;fill:#1a1a1a}
.oc .frame{fill:#f3f3f1;stroke:#9a9a94}
.oc .box{fill:#fff;stroke:#333}
.oc .way{stroke-width:2.5}
.oc .here{fill:#fff3c9;stroke:#000;stroke-width:4}
.oc .line{fill:none;stroke:#555}
.oc .taken{stroke:#000;stroke-width:2.5}
.oc .quiet{fill:#6a6a6a}
.oc .badge{fill:#333}
.oc .badge-text{fill:#fff}
""".strip()


def svg(chart: Chart, overlay: Overlay = NOTHING, prefix: str = "oc") -> str:
    """The chart as an SVG document. Ids begin with `prefix`, so that several can stand in one page."""
    sheet = laid_out(chart, overlay)
    wide, high = f"{sheet.width:.0f}", f"{sheet.height:.0f}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="oc" width="{wide}" height="{high}"'
        f' viewBox="0 0 {wide} {high}" role="img" aria-labelledby="{prefix}-title {prefix}-desc">',
        f'<title id="{prefix}-title">{escape(chart.title)}: flowchart</title>',
        f'<desc id="{prefix}-desc">{escape(told(chart, overlay))}</desc>',
        f"<style>{STYLE}</style>",
        f'<defs><marker id="{prefix}-point" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8"'
        ' markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="#333"/></marker></defs>',
        f'<rect width="{wide}" height="{high}" fill="#fff"/>',
        _text(MARGIN, MARGIN + 14, chart.title, HEADLINE, bold=True),
    ]
    for panel in sheet.panels:
        lines += _panel(panel, overlay, prefix)
    return "\n".join([*lines, "</svg>"]) + "\n"


def told(chart: Chart, overlay: Overlay = NOTHING) -> str:
    """The chart in words, for who cannot see it: each step with its exits."""
    sentences = []
    for box in chart.boxes:
        exits = [
            f"{arrow.label} back" if arrow.target is None else f"{arrow.label} to {arrow.target}"
            for arrow in box.arrows
        ]
        here = " The overrun is here." if box.id == overlay.current else ""
        sentences.append(f"{box.number}, {box.title} ({box.cite}): {', '.join(exits) or 'the end'}.{here}")
    return " ".join(sentences)


def _panel(panel: Panel, overlay: Overlay, prefix: str) -> Iterator[str]:
    yield f'<g><rect class="frame" x="{panel.x:g}" y="{panel.y:g}" width="{panel.width:g}" height="{panel.height:g}"/>'
    for place, words in enumerate(panel.title):
        yield _text(panel.x + PAD, panel.y + 20 + TITLE_LINE * place, words, 14, bold=True)
    for line in panel.lines:
        yield _line(line, prefix)
    for placed in panel.placed:
        yield from _box(placed, overlay, prefix)
    yield "</g>"


def _line(line: Line, prefix: str) -> str:
    path = "M" + "L".join(f"{x:g} {y:g}" for x, y in line.corners)
    kind = "line taken" if line.taken else "line"
    return f'<path class="{kind}" d="{path}" marker-end="url(#{prefix}-point)"/>'


def _box(placed: Placed, overlay: Overlay, prefix: str) -> Iterator[str]:
    box, x, y = placed.box, placed.x, placed.y
    kind = "box here" if box.id == overlay.current else "box way" if overlay.visited(box) else "box"
    size = f'width="{ROOM:g}" height="{placed.height:g}"'
    yield f'<g id="{prefix}-{box.number}"><title>{escape(box.text)}</title>'
    yield f'<rect class="{kind}" x="{x:g}" y="{y:g}" {size} rx="{14 if box.ends else 3}"/>'
    if box.ends:
        yield (
            f'<rect class="line" x="{x + 3:g}" y="{y + 3:g}" width="{ROOM - 6:g}"'
            f' height="{placed.height - 6:g}" rx="11"/>'
        )
    if box.entry:
        yield _text(x, y - 5, "start", SMALL, bold=True)
    middle = placed.entry_y
    yield f'<rect class="badge" x="{x + PAD - 2:g}" y="{middle - 8:g}" width="{BADGE:g}" height="16" rx="3"/>'
    yield _text(x + PAD - 2 + BADGE / 2, middle + 4, str(box.number), SMALL, anchor="middle", kind="badge-text")
    for place, line in enumerate(placed.title):
        yield _text(x + PAD + BADGE + 4, y + PAD + 13 + TITLE_LINE * place, line, TITLE, bold=True)
    yield _text(x + ROOM - PAD, y + PAD + 13, placed.cite, SMALL, anchor="end", kind="quiet")
    if placed.note:
        yield _text(x + ROOM - PAD, y + PAD + 13 + LINE, placed.note, SMALL, bold=True, anchor="end")
    rows_top = placed.rows[0].top if placed.rows else y + placed.height - PAD
    for place, line in enumerate(placed.runs):
        at = rows_top - LINE * (len(placed.runs) - place) + 11
        yield _text(x + PAD, at, line, SMALL, kind="quiet")
    for row in placed.rows:
        mark = "●" if row.taken else "·"
        kind = "quiet" if row.note == "0 %" and not row.taken else ""
        yield _text(x + PAD, row.top + 11, mark, SMALL, bold=row.taken)
        for place, line in enumerate(row.lines):
            yield _text(x + PAD + 12, row.top + 11 + LINE * place, line, SMALL, bold=row.taken, kind=kind)
        if row.note:
            yield _text(x + ROOM - PAD, row.top + 11, row.note, SMALL, bold=not kind, anchor="end", kind=kind)
    yield "</g>"


def _text(x: float, y: float, text: str, size: float, **more: object) -> str:
    weight = ' font-weight="bold"' if more.get("bold") else ""
    anchor = f' text-anchor="{more["anchor"]}"' if "anchor" in more else ""
    kind = f' class="{more["kind"]}"' if more.get("kind") else ""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}"{weight}{anchor}{kind}>{escape(text)}</text>'
