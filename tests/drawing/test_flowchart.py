"""Flowcharts of every ruleset: all that the rules hold is drawn, nothing overlaps, any reader can parse them (X-07)."""

import re
from fractions import Fraction
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest

from overrun.drawing.chart import Chart, Overlay, chart, stage, way
from overrun.drawing.dot import dot
from overrun.drawing.layout import LINE, PAD, ROOM, Panel, laid_out
from overrun.drawing.lettering import width, wrapped
from overrun.drawing.mermaid import escaped, mermaid
from overrun.drawing.svg import svg
from overrun.kernel import InputError, Ruleset
from overrun.play.session import Session
from overrun.rulesets import rulesets
from tests.rulesets.drill import SITUATION, drill

EVERY = [*rulesets().values(), drill]
XML = "{http://www.w3.org/2000/svg}"


def loaded(drawn: Chart) -> Overlay:
    """Everything laid over a chart at once, with the widest notes."""
    exits = [(box.id, arrow.name) for box in drawn.boxes for arrow in box.arrows]
    least = Fraction(1, 10**9)
    return Overlay(
        "", frozenset(exits), dict.fromkeys((box.id for box in drawn.boxes), least), dict.fromkeys(exits, least)
    )


@pytest.fixture(params=EVERY, ids=lambda ruleset: ruleset.id)
def ruleset(request: pytest.FixtureRequest) -> Ruleset:
    found: Ruleset = request.param
    return found


def test_every_step_and_exit_of_the_rules_is_on_the_chart(ruleset: Ruleset) -> None:
    drawn = chart(ruleset.rules)
    assert [box.number for box in drawn.boxes] == list(range(1, len(ruleset.rules.steps) + 1))
    found = {box.id: [(a.name, a.target and drawn.boxes[a.target - 1].id) for a in box.arrows] for box in drawn.boxes}
    wanted = {
        step.id: [(exit, to if isinstance(to, str) else None) for exit, to in step.exits.items()]
        for step in ruleset.rules.steps.values()
    }
    assert found == wanted
    assert [box.id for box in drawn.boxes if box.entry] == [ruleset.rules.entry]
    for box in drawn.boxes:
        step = ruleset.rules.steps[box.id]
        assert (box.title, box.cite, len(box.calls)) == (step.title, str(step.cite), len(step.calls))


def test_mermaid_ids_are_plain_and_every_arrow_joins_two_of_them(ruleset: Ruleset) -> None:
    drawn = chart(ruleset.rules)
    text = mermaid(drawn, loaded(drawn))
    nodes = set(re.findall(r'^    (s\d+|b\d+x\d+)[\[(]+"[^"]*"[\])]+$', text, re.MULTILINE))
    labelled = r'(?:==>\|"[^"]*"\||-->\|"[^"]*"\||-\. "runs" \.->)'
    arrows = re.findall(rf"^  (s\d+) {labelled} (s\d+|b\d+x\d+)$", text, re.MULTILINE)
    assert len(arrows) == sum(len(box.arrows) + len(box.calls) for box in drawn.boxes)
    assert {end for arrow in arrows for end in arrow} <= nodes
    assert len(nodes) == len(drawn.boxes) + sum(len(frame.backs) for frame in drawn.frames)


def test_mermaid_shows_any_text_as_it_is() -> None:
    assert escaped('a "b" <c>; #1 `d`') == "a #quot;b#quot; #lt;c#gt;#59; #35;1 #96;d#96;"


def test_dot_has_every_box_and_arrow(ruleset: Ruleset) -> None:
    drawn = chart(ruleset.rules)
    text = dot(drawn, loaded(drawn))
    assert text.count(" -> ") == sum(len(box.arrows) + len(box.calls) for box in drawn.boxes)
    assert len(re.findall(r"^    s\d+ \[label=", text, re.MULTILINE)) == len(drawn.boxes)
    assert text.count("{") == text.count("}")


def test_svg_is_well_formed_and_has_a_text_alternative(ruleset: Ruleset) -> None:
    drawn = chart(ruleset.rules, 'a < b & "c"')
    root = ElementTree.fromstring(svg(drawn, loaded(drawn), prefix="x"))
    assert root.get("role") == "img"
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert root.get("aria-labelledby") == "x-title x-desc"
    said = "".join(root.itertext())
    for box in drawn.boxes:
        assert f"{box.number}, {box.title} ({box.cite}): " in said


@pytest.mark.parametrize("full", [False, True], ids=["bare", "with chances"])
def test_nothing_overlaps_and_everything_is_on_the_sheet(ruleset: Ruleset, full: bool) -> None:
    drawn = chart(ruleset.rules)
    sheet = laid_out(drawn, loaded(drawn) if full else Overlay())
    rectangles = [(p.x, p.y, p.x + p.width, p.y + p.height) for p in sheet.panels]
    for one, two in combinations(rectangles, 2):
        assert one[2] <= two[0] or two[2] <= one[0] or one[3] <= two[1] or two[3] <= one[1]
    assert all(x >= 0 and y >= 30 and right <= sheet.width and low <= sheet.height for x, y, right, low in rectangles)
    for panel in sheet.panels:
        boxes_and_arrows_are_apart(panel)


def test_each_stage_fits_a_sheet_of_paper_on_its_side(ruleset: Ruleset) -> None:
    drawn = chart(ruleset.rules, ruleset.title)
    across, down = (297 - 20) / 25.4 * 72, (210 - 20) / 25.4 * 72  # A4 within margins of 10 mm, in points
    for frame in drawn.frames:
        alone = stage(drawn, frame.id)
        sheet = laid_out(alone, loaded(drawn))
        # Letters of 11 pixels are the smallest; 6 points is what a wargame's own charts are printed in.
        assert 11 * min(across / sheet.width, down / sheet.height) >= 6, frame.id
        assert width(alone.title, 17, bold=True) + 32 <= sheet.width
        assert [p.box.number for panel in sheet.panels for p in panel.placed] == [box.number for box in frame.boxes]
        for panel in sheet.panels:
            boxes_and_arrows_are_apart(panel)
        ElementTree.fromstring(svg(alone))


def test_a_stage_that_is_none_is_refused(ruleset: Ruleset) -> None:
    with pytest.raises(InputError, match="there is no stage 'tea'"):
        stage(chart(ruleset.rules), "tea")


def boxes_and_arrows_are_apart(panel: Panel) -> None:
    """Boxes below each other, rows within boxes, arrows within the frame and never one upon another."""
    bottom = panel.y
    for placed in panel.placed:
        assert placed.y >= bottom
        bottom = placed.y + placed.height
        top = placed.y
        for row in placed.rows:
            assert row.top >= top
            top = row.top + LINE * len(row.lines)
            note = width(row.note, 11, bold=True) if row.note else 0
            assert all(12 + width(line, 11) + note <= ROOM - 2 * PAD for line in row.lines)
        assert top <= bottom
        assert panel.x < placed.x
        assert placed.x + ROOM < panel.x + panel.width
    assert bottom <= panel.y + panel.height
    runs = []
    for line in panel.lines:
        xs, ys = zip(*line.corners, strict=True)
        assert panel.x < min(xs)
        assert max(xs) < panel.x + panel.width
        assert all(one[0] == two[0] or one[1] == two[1] for one, two in pairwise(line.corners))
        if len(xs) == 4:
            runs.append((xs[1], min(ys[1:3]), max(ys[1:3]), line.corners[-1]))
    for one, two in combinations(runs, 2):
        # Arrows to one box share a lane; those to two boxes never touch in one.
        assert one[0] != two[0] or one[2] < two[1] or two[2] < one[1] or one[3] == two[3]


def test_the_way_of_a_session_and_its_current_step_are_marked() -> None:
    session = Session(drill.rules, SITUATION.start)
    session.choose("overrun")
    session.roll((3, 4))
    over = way(session)
    assert over.current == "check.roll"
    assert over.taken == {("declare", "overrun"), ("attack", "pins")}
    drawn = chart(drill.rules)
    text = svg(drawn, over)
    assert text.count('class="box here"') == 1
    assert text.count('class="box way"') == 2
    assert text.count('class="line taken"') == 2
    assert mermaid(drawn, over).count("==>") == 2


@pytest.mark.parametrize(
    "text", ["", "one", "several words that wrap", "Unbreakablewordlongerthanaline yes", "MMMMMMMM"]
)
def test_wrapped_lines_fit_and_lose_nothing(text: str) -> None:
    lines = wrapped(text, 11, 60)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(width(line, 11) <= 60 for line in lines)
