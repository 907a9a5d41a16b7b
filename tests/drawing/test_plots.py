"""Plots show what was reckoned: bars and points at their places, refused cells crossed, all of it told in words."""

import re
from fractions import Fraction
from xml.etree import ElementTree

import pytest

from overrun.drawing import surface, tornado
from overrun.drawing.tornado import Bar

SVG = "{http://www.w3.org/2000/svg}"


def marks(drawn: str, kind: str) -> list[ElementTree.Element]:
    return [each for each in ElementTree.fromstring(drawn).iter() if each.get("class") == kind]


def test_bars_are_as_long_as_the_changes_and_on_their_side() -> None:
    bars = [
        Bar("a = 1", Fraction(-1), Fraction(3), flips=True),
        Bar("b = 2", None, Fraction(1, 2), flips=False),
        Bar("c = 3", Fraction(1), Fraction(0), flips=False),
    ]
    drawn = tornado.svg(bars, "Title & more", Fraction(1, 3))
    low, high = marks(drawn, "low"), marks(drawn, "high")
    assert (len(low), len(high)) == (2, 2)  # a refused move and a move without effect have no bar
    lengths = [float(bar.get("width", 0)) for bar in (*low, *high)]
    assert [round(length / lengths[0], 2) for length in lengths] == [1, 1, 3, 0.5]
    zero = float(high[0].get("x", 0))
    assert float(low[0].get("x", 0)) == pytest.approx(zero - lengths[0], abs=0.2)
    assert float(low[1].get("x", 0)) == pytest.approx(zero, abs=0.2)
    assert len(marks(drawn, "flip")) == 1
    told = ElementTree.fromstring(drawn).findtext(f"{SVG}desc")
    assert told == "a = 1: down −1, up 3, best play flips. b = 2: down refused, up 0.5. c = 3: down 1, up 0."


def test_a_line_breaks_where_a_cell_is_refused() -> None:
    values = {1: 0.0, 2: 1.0, 3: None, 5: 2.0}
    drawn = surface.line((1, 2, 3, 5), values, "Title", "x", "value")
    points = [(float(dot.get("cx", 0)), float(dot.get("cy", 0))) for dot in marks(drawn, "high")]
    assert len(points) == 3
    (x1, y1), (x2, y2), (x5, y5) = points
    assert (x5 - x1) / (x2 - x1) == pytest.approx(4, abs=0.05)  # numbers stand at their places
    assert (y1 - y5) / (y1 - y2) == pytest.approx(2, abs=0.05)
    (curve,) = marks(drawn, "curve")
    assert re.sub(r"[^ML]", "", curve.get("d", "")) == "MLM"
    assert len(marks(drawn, "refused")) == 1


def test_a_heat_map_is_dark_where_the_measure_is_high() -> None:
    values = {(x, y): None if (x, y) == (2, "b") else float(x) for x in (1, 2, 3) for y in ("a", "b")}
    del values[3, "b"]
    drawn = surface.heat((1, 2, 3), ("a", "b"), values, "Title", ("x", "y", "value"))
    fields = [each.get("fill", "") for each in ElementTree.fromstring(drawn).iter() if "rgb" in each.get("fill", "")]
    darkness = [-sum(map(int, re.findall(r"\d+", fill))) for fill in fields]
    assert len(darkness) == 4
    assert darkness[0] < darkness[1] < darkness[2]
    assert darkness[3] == darkness[0]
    assert len(marks(drawn, "refused")) == 2  # a frame and its cross


def test_one_value_and_no_value_can_be_drawn() -> None:
    for values in ({1: 2.0}, {1: None}):
        ElementTree.fromstring(surface.line((1,), values, "Title", "x", "y"))
    ElementTree.fromstring(surface.heat((1,), (1,), {}, "Title", ("x", "y", "value")))
    ElementTree.fromstring(tornado.svg([], "Title", Fraction(0)))
