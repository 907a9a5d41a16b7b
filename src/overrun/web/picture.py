"""The drawing of a situation, as its ruleset makes it, checked before it becomes part of a page."""

from __future__ import annotations

import re
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
WORDS = frozenset({"title", "desc", "text"})
FRACTION = re.compile(r"(?<=\d\d)\.\d+(?![.\d])")


def drawn(ruleset: Ruleset, situation: Situation, state: Any | None = None) -> Markup | None:
    """The picture of a situation, at its start or at a state; None when the system draws none."""
    if ruleset.picture is None:
        return None
    return cleaned(ruleset.picture(situation, state))


def small(ruleset: Ruleset, situation: Situation, mark: str) -> Markup | None:
    """The picture of a situation as a small one among others: what `data-main` of it names, without its words.

    The `mark` tells its ids from those of the others on the page.
    """
    return None if ruleset.picture is None else cleaned(ruleset.picture(situation, None), mark, main=True)


def cleaned(svg: str, mark: str = "", *, main: bool = False) -> Markup | None:
    """Only shapes and words of a drawing: no script, no style, no link, nothing from elsewhere; None for no drawing."""
    if "<!" in svg or not svg.strip():
        return None
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError:
        return None
    if _tag(root) != "svg":
        return None
    if main:
        root.set("viewBox", root.get("data-main", root.get("viewBox", "")))
        _stripped(root)
    return Markup("".join(_element(root, mark)))


def _stripped(element: ElementTree.Element) -> None:
    """Leave out what nobody can read or press in a small picture."""
    for child in list(element):
        if _tag(child) in WORDS or child.get("class") == "grid":
            element.remove(child)
        else:
            _stripped(child)
    for name, value in list(element.attrib.items()):
        if name.startswith("data-"):
            del element.attrib[name]
        elif name == "d":
            element.set(name, FRACTION.sub("", value))


def _tag(element: ElementTree.Element) -> str:
    return element.tag.removeprefix(NAMESPACE) if isinstance(element.tag, str) else ""


def _element(element: ElementTree.Element, mark: str) -> list[str]:
    tag = _tag(element)
    if tag not in TAGS:
        return []
    parts = [f"<{tag}"]
    for name, value in element.attrib.items():
        kept = name in ATTRIBUTES or name.startswith(("aria-", "data-"))
        inside = name == "href" and value.startswith("#")
        if (kept or inside) and "url(" not in value.replace("url(#", ""):
            if mark:
                told = mark + value if name == "id" else value.replace("url(#", f"url(#{mark}")
                told = f"#{mark}{value[1:]}" if inside else told
            else:
                told = value
            parts.append(f' {name}="{escape(told)}"')
    parts.append(">")
    parts.append(str(escape(element.text or "")))
    for child in element:
        parts += _element(child, mark)
        parts.append(str(escape(child.tail or "")))
    parts.append(f"</{tag}>")
    return parts
