"""A flowchart in Mermaid's language, for documents that draw it themselves."""

from __future__ import annotations

from overrun.drawing.chart import NOTHING, Box, Chart, Overlay


def mermaid(chart: Chart, overlay: Overlay = NOTHING) -> str:
    """The chart as a Mermaid flowchart. Its ids are `s1`, `g1`, `b1`: names such as "end" would break its parser."""
    lines = ["flowchart TD"]
    for place, frame in enumerate(chart.frames, 1):
        lines.append(f'  subgraph g{place}["{escaped(f"{frame.title} ({frame.cite})")}"]')
        lines += [f"    s{box.number}{_shape(box, overlay)}" for box in frame.boxes]
        lines += [f'    b{place}x{n}(["back: {escaped(back)}"])' for n, back in enumerate(frame.backs)]
        lines.append("  end")
    for place, frame in enumerate(chart.frames, 1):
        for box in frame.boxes:
            for arrow in box.arrows:
                to = f"b{place}x{frame.backs.index(arrow.back)}" if arrow.target is None else f"s{arrow.target}"
                line = "==>" if (box.id, arrow.name) in overlay.taken else "-->"
                note = overlay.exit_note(box, arrow)
                label = escaped(f"{arrow.label} {note}".strip())
                lines.append(f'  s{box.number} {line}|"{label}"| {to}')
            lines += [f'  s{box.number} -. "runs" .-> s{called}' for called in box.calls]
    current = [f"s{box.number}" for box in chart.boxes if box.id == overlay.current]
    lines += ["  classDef here stroke-width:4px", f"  class {current[0]} here"] if current else []
    return "\n".join(lines) + "\n"


def _shape(box: Box, overlay: Overlay) -> str:
    note = overlay.step_note(box)
    parts = [f"{box.number}. {box.title}", box.cite, *([note] if note else [])]
    text = "<br/>".join(escaped(part) for part in parts)
    if box.ends:
        return f'(["{text}"])'
    return f'[["{text}"]]' if box.calls else f'["{text}"]'


def escaped(text: str) -> str:
    """Text that Mermaid shows as it is: it reads `#` and `;` as the ends of its own escapes."""
    signs = {"#": "#35;", '"': "#quot;", "<": "#lt;", ">": "#gt;", ";": "#59;", "`": "#96;"}
    return "".join(signs.get(sign, sign) for sign in text)
