"""The drawing of a situation, as its ruleset makes it, checked before it becomes part of a page."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

from markupsafe import Markup, escape

from overrun.kernel import Ruleset, Situation

NAMESPACE = "{http://www.w3.org/2000/svg}"
TAGS = frozenset(
    {"svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "title", "desc"}
    | {"defs", "clipPath", "marker", "use", "symbol", "pattern"}
)
ATTRIBUTES = frozenset(
    {"id", "class", "role", "tabindex", "viewBox", "preserveAspectRatio", "width", "height", "x", "y", "x1", "y1", "x2"}
    | {"y2", "cx", "cy", "r", "rx", "ry", "d", "points", "transform", "fill", "stroke", "stroke-width", "opacity"}
    | {"stroke-dasharray", "stroke-linecap", "stroke-linejoin", "fill-opacity", "stroke-opacity", "fill-rule", "dx"}
    | {"dy", "text-anchor", "dominant-baseline", "font-size", "font-weight", "clip-path", "marker-end", "marker-start"}
    | {
        "refX",
        "refY",
        "markerWidth",
        "markerHeight",
        "orient",
        "patternUnits",
        "patternTransform",
        "patternContentUnits",
        "vector-effect",
    }
)


def drawn(ruleset: Ruleset, situation: Situation, state: Any | None = None) -> Markup | None:
    """The picture of a situation, at its start or at a state; None when the system draws none."""
    if ruleset.picture is None:
        return None
    return cleaned(ruleset.picture(situation, state))


def cleaned(svg: str) -> Markup | None:
    """Only shapes and words of a drawing: no script, no style, no link, nothing from elsewhere; None for no drawing."""
    if "<!" in svg or not svg.strip():
        return None
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError:
        return None
    return Markup("".join(_element(root))) if _tag(root) == "svg" else None


def _tag(element: ElementTree.Element) -> str:
    return element.tag.removeprefix(NAMESPACE) if isinstance(element.tag, str) else ""


def _element(element: ElementTree.Element) -> list[str]:
    tag = _tag(element)
    if tag not in TAGS:
        return []
    parts = [f"<{tag}"]
    for name, value in element.attrib.items():
        kept = name in ATTRIBUTES or name.startswith(("aria-", "data-"))
        inside = name == "href" and value.startswith("#")
        if (kept or inside) and "url(" not in value.replace("url(#", ""):
            parts.append(f' {name}="{escape(value)}"')
    parts.append(">")
    parts.append(str(escape(element.text or "")))
    for child in element:
        parts += _element(child)
        parts.append(str(escape(child.tail or "")))
    parts.append(f"</{tag}>")
    return parts
