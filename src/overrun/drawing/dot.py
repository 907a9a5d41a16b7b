"""A flowchart in the DOT language, for Graphviz."""

from __future__ import annotations

from overrun.drawing.chart import NOTHING, Chart, Overlay


def dot(chart: Chart, overlay: Overlay = NOTHING) -> str:
    """The chart as a DOT digraph: stages are clusters, boxes are `s1`, `s2`, ..."""
    lines = [
        f"digraph {quoted(chart.title)} {{",
        '  graph [rankdir=TB, fontname="sans-serif", newrank=true]',
        '  node [shape=box, fontname="sans-serif"]',
        '  edge [fontname="sans-serif", fontsize=10]',
    ]
    for place, frame in enumerate(chart.frames, 1):
        lines.append(f"  subgraph cluster_{place} {{")
        lines.append(f"    label={quoted(f'{frame.title} ({frame.cite})')}")
        for box in frame.boxes:
            note = overlay.step_note(box)
            text = quoted("\n".join([f"{box.number}. {box.title}", box.cite, *([note] if note else [])]))
            pen = 3 if box.id == overlay.current else 2 if overlay.visited(box) else 1
            sides = 2 if box.ends else 1
            lines.append(f"    s{box.number} [label={text}, penwidth={pen}, peripheries={sides}]")
        for back in frame.backs:
            lines.append(f"    {quoted(f'b{place} {back}')} [label={quoted(f'back: {back}')}, shape=ellipse]")
        lines.append("  }")
    for place, frame in enumerate(chart.frames, 1):
        for box in frame.boxes:
            for arrow in box.arrows:
                to = quoted(f"b{place} {arrow.back}") if arrow.target is None else f"s{arrow.target}"
                label = quoted(f"{arrow.label} {overlay.exit_note(box, arrow)}".strip())
                pen = 3 if (box.id, arrow.name) in overlay.taken else 1
                lines.append(f"  s{box.number} -> {to} [label={label}, penwidth={pen}]")
            lines += [f'  s{box.number} -> s{called} [label="runs", style=dashed]' for called in box.calls]
    return "\n".join([*lines, "}"]) + "\n"


def quoted(text: str) -> str:
    """A DOT string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
