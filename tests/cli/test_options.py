"""`overrun options`: what a moment would allow, without playing (A-19, A-20, A-38)."""

from tests.cli.conftest import Run


def test_each_stage_shows_its_own_options_and_refusals(run: Run) -> None:
    before = run("options", "asl/at-gun", "--stage", "before").out
    assert "before: Defensive fire before the OVR (table 1)" in before
    assert "[latw:german-4-6-7/german-pf]" in before
    assert "Reaction Fire comes only after the overrun is resolved" in before
    assert "[cc:german-4-6-7]" not in before
    none = run("options", "asl/at-gun", "--stage", "none").out
    assert "fire the 5cm PaK 38 (intensive)" in none
    assert "[cc:german-4-6-7]" in none


def test_without_a_stage_every_table_is_shown(run: Run) -> None:
    shown = run("options", "asl/tank-in-woods")
    assert shown.code == 0
    assert [name for name in ("before:", "none:", "after:") if f"\n{name}" in shown.out] == [
        "before:",
        "none:",
        "after:",
    ]


def test_refusals_are_shown_even_where_nothing_is_legal(run: Run) -> None:
    assert "✗" in run("options", "asl/tank-in-woods", "--stage", "before").out


def test_a_wrong_moment_and_a_game_without_moments(run: Run) -> None:
    wrong = run("options", "asl/truck", "--stage", "befor")
    assert (wrong.code, "did you mean 'before'" in wrong.err) == (2, True)
    other = run("options", "valor/crossfire")
    assert (other.code, "no moment to ask about" in other.err) == (2, True)
