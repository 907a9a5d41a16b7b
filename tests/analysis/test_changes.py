"""What if, readings of rulings, and sensitivity, against situations reckoned by hand or written out again."""

import json
import os
import signal
import tomllib
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from overrun.analysis import keypath, readings, sensitivity, whatif
from overrun.analysis.answer import Terms
from overrun.analysis.errors import AnalysisError
from overrun.analysis.fingerprint import fingerprint
from overrun.analysis.fresh import Lost, in_fresh_processes
from overrun.analysis.game import Game
from overrun.analysis.readings import Effect
from overrun.analysis.reckon import VALUE, Job, carry_out, carry_out_together, reckon
from overrun.analysis.sensitivity import Where
from overrun.analysis.solve import Solution
from overrun.compiled import graphs as compiled_graphs
from overrun.compiled.graphs import FromCache
from overrun.kernel import InputError, Payoff
from tests.oracles.histories import best
from tests.rulesets.skirmish import HITS, RULINGS, STARTER, find, skirmish

TERMS = Terms(Payoff("dear car", "a point a man, less four for the car", {"men_hit": 1, "car_lost": -4}))
BRIDGE = tomllib.loads(STARTER)


def value(document: dict) -> Fraction:
    start = skirmish.load(document).start
    if document["forces"]["speed"] <= 2:
        return best(skirmish.rules, start, TERMS.payoff.weights)
    return Solution(Game(skirmish.rules, start), TERMS.payoff).value[0]  # too many histories to count one by one


def forces(**changes: int) -> dict:
    return {**BRIDGE, "forces": {**BRIDGE["forces"], **changes}}


class Keeping(FromCache):
    """The cache, keeping every graph however small."""

    def best(self, asked, payoff, watch):
        compiled_graphs.WORTH_ASKING = compiled_graphs.WORTH_KEEPING = 0.0  # in a process of its own
        return super().best(asked, payoff, watch)


def strict(system: str):
    """The skirmish, whose rules rely on hits not being negative, without saying so."""
    ruleset = find(system)

    def load(document):
        if HITS.at(0, 8).value < 0:
            raise ValueError("max() arg is an empty sequence")
        return ruleset.load(document)

    return replace(ruleset, load=load)


def run(work, jobs):
    return in_fresh_processes(work, list(jobs), 2)


def test_both_answers_and_their_difference() -> None:
    found = whatif.what_if(skirmish, BRIDGE, TERMS, [keypath.setting("forces.aim=5"), keypath.setting("forces.men=4")])
    assert found.before.values[0] == value(BRIDGE)
    assert found.after.values[0] == value(forces(aim=5, men=4))
    assert found.difference(VALUE) == value(forces(aim=5, men=4)) - value(BRIDGE)
    assert found.settings == (("forces.aim", 2, 5), ("forces.men", 3, 4))
    told = json.loads(json.dumps(whatif.document(skirmish, TERMS, found)))
    assert Fraction(told["measures"]["value"]["difference"]["exact"]) == found.difference(VALUE)
    assert told["first_choice"]["flips"] is (found.before.first != found.after.first)
    assert not told["same_game"]


def test_a_first_choice_flips_where_waiting_is_better() -> None:
    found = whatif.what_if(skirmish, BRIDGE, TERMS, [keypath.setting("forces.aim=6")])
    assert value(forces(aim=6)) == 0
    assert (found.before.first, found.after.first, found.flips) == ("start: charge", "start: wait", True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("forces.aim=13", r"forces\.aim: 13 is not possible here. Allowed: a whole number, 0 to 12"),
        ("forces.arm=1", r"forces\.arm: there is no such key"),
        ("forces.aim=high", "another kind"),
        ("rulings.night=often", r"rulings\.night: 'often' is not a reading of it"),
    ],
)
def test_impossible_settings_are_refused_in_words(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        whatif.what_if(skirmish, BRIDGE, TERMS, [keypath.setting(text)])


def test_only_rulings_that_can_come_up_are_reachable_and_only_some_matter() -> None:
    found = readings.readings(skirmish, BRIDGE, TERMS)
    assert [(read.ruling.name, read.reading, read.in_force) for read in found] == [
        (ruling.name, reading, reading == ruling.default) for ruling in RULINGS for reading in ruling.options
    ]
    effects = {read.reading: read.effect for read in found}
    # By day it does not matter how often darkness counts.
    assert effects == {"hit": Effect.NONE, "miss": Effect.ANSWER, "once": Effect.NONE, "twice": Effect.NONE}
    assert {read.ruling.name for read in readings.reachable(found)} == {"exact_roll"}
    miss = next(read for read in found if read.reading == "miss")
    assert miss.found.values[0] == value({**BRIDGE, "rulings": {"exact_roll": "miss"}})
    by_night = readings.readings(skirmish, forces(dark=1), Terms(skirmish.payoff()))
    assert {read.reading: read.effect for read in by_night}["twice"] is Effect.ANSWER
    told = json.loads(json.dumps(readings.document(skirmish, TERMS, found)))
    assert told["matter"] == ["exact_roll"]
    assert [ruling["reachable"] for ruling in told["rulings"]] == [True, False]


def test_a_game_may_differ_without_another_answer() -> None:
    # By night with a dear car best play is not to charge at all, however often darkness counts.
    reads = readings.readings(skirmish, forces(dark=1, aim=4), TERMS)
    found = {read.reading: read.effect for read in reads}
    assert found["twice"] is Effect.GAME


def test_equal_games_have_equal_fingerprints() -> None:
    def game(**changes: int) -> str:
        return fingerprint(Game(skirmish.rules, skirmish.load(forces(**changes)).start, tallies=False))

    assert game() == game(armor=0)
    # Armor of 1 or more is one row of the table.
    assert game(armor=1) == game(armor=2)
    assert len({game(), game(armor=1), game(aim=1), game(men=2), game(speed=1)}) == 5


def test_sensitivity_moves_every_fact_modifier_and_cell() -> None:
    found = sensitivity.sensitivity(Job(find, "skirmish", BRIDGE, TERMS), skirmish, run, moves=(-1, 1, 2))
    by_name = {one.name: one for one in found.moved}
    assert found.base.values[0] == value(BRIDGE)
    for name in ("speed", "men", "armor", "aim", "dark"):
        one = by_name.get(f"forces.{name}")
        for by in (-1, 1, 2):
            number = BRIDGE["forces"][name] + by
            if number < 0:
                assert one is not None
                assert one.answers[by].refused.startswith(f"forces.{name}: -1 is not possible")
            else:
                expected = value(forces(**{name: number}))
                assert (one.answers[by].values[0] if one else found.base.values[0]) == expected
    # A modifier of the rules: one less at a run is darkness of -1, one more is darkness of 1.
    run_line = by_name["at a run (Skirmish 2.1)"]
    assert (run_line.where, run_line.printed) == (Where.RULES, -1)
    assert run_line.answers[1].values[0] == value(forces(dark=1))
    # A table cell: at armor 0 a roll of 5 or less gives 4 men instead of 3; all three are hit either way.
    assert by_name["hits[0|<=5]"].answers[1] == found.base
    assert by_name["hits[0|6-7]"].answers[1].values[0] > found.base.values[0]
    effects = [found.effect(one) for one in found.moved]
    assert effects == sorted(effects, reverse=True)
    aim = by_name["forces.aim"]
    assert found.flips(aim) == {next(by for by in (1, 2) if value(forces(aim=2 + by)) == 0): "start: wait"}
    assert aim.also == ("aim (Skirmish 3.1)",)
    told = json.loads(json.dumps(sensitivity.document(skirmish, TERMS, found)))
    assert told["moved"][0]["name"] == found.moved[0].name
    assert "men (Skirmish 3.2)" not in {*by_name, *found.still}  # computed from the state, not printed


def test_sensitivity_of_another_measure_and_bad_questions() -> None:
    job = Job(find, "skirmish", BRIDGE, TERMS)
    found = sensitivity.sensitivity(job, skirmish, run, measure="car_lost", moves=(1,))
    one = next(one for one in found.moved if one.name == "forces.aim")
    assert found.change(one, 1) == one.answers[1].means["car_lost"] - found.base.means["car_lost"]
    with pytest.raises(InputError, match=r"no measure 'hits'.*Allowed: value, men_hit, car_lost"):
        sensitivity.sensitivity(job, skirmish, run, measure="hits")
    with pytest.raises(InputError, match="changes nothing"):
        sensitivity.sensitivity(job, skirmish, run, moves=(0,))
    bad = Job(find, "skirmish", forces(aim=99), TERMS)
    with pytest.raises(InputError, match="99 is not possible"):
        sensitivity.sensitivity(bad, skirmish, run)


def test_a_revision_stays_in_its_own_process() -> None:
    base = reckon(skirmish, BRIDGE, TERMS)
    moved = Job(find, "skirmish", BRIDGE, TERMS, {"at a run (Skirmish 2.1)": 3})
    (other,), (again,) = ([found for found, _ in run(carry_out, [job])] for job in (moved, moved))
    assert other == again != base
    assert reckon(skirmish, BRIDGE, TERMS) == base


def test_what_is_too_large_is_no_fault_of_the_file() -> None:
    small = replace(TERMS, row_limit=2)
    setting = [keypath.setting("forces.aim=3")]
    with pytest.raises(AnalysisError, match=r"Too large for an exact answer: 3 decision rows"):
        whatif.what_if(skirmish, BRIDGE, small, setting)
    with pytest.raises(AnalysisError, match="Too large"):
        readings.readings(skirmish, BRIDGE, small)
    with pytest.raises(AnalysisError, match="Too large"):
        sensitivity.sensitivity(Job(find, "skirmish", BRIDGE, small), skirmish, run)
    # Only the changed situation is too large: both answers are wanted, so there is none.
    with pytest.raises(AnalysisError, match="Too large"):
        whatif.what_if(skirmish, forces(speed=0), small, [keypath.setting("forces.speed=2")])


def killed(job: int) -> int:
    if job == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    if job == 9:
        raise ValueError("nine")
    return job * job


def test_processes_answer_in_order_and_a_killed_one_is_told() -> None:
    assert list(run(killed, [5, 4, 3])) == [25, 16, 9]
    with pytest.raises(Lost, match="status -9"):
        list(run(killed, [1, 2, 3]))
    with pytest.raises(ValueError, match="nine"):
        list(run(killed, [9]))


def test_moved_figures_are_found_in_the_cache_and_say_the_same(tmp_path: Path) -> None:
    job = Job(find, "skirmish", BRIDGE, TERMS)
    graphs = Keeping(tmp_path)
    plain = sensitivity.sensitivity(job, skirmish, run)
    first, second = (sensitivity.sensitivity(replace(job, graphs=graphs), skirmish, run) for _ in range(2))
    assert plain == first == second
    # The situation as it stands is never taken from there: it must be seen which figures it reads.
    kept = {path.name for path in tmp_path.iterdir()}
    assert len(kept) > 10
    sensitivity.sensitivity(replace(job, graphs=graphs, terms=Terms(skirmish.payoff())), skirmish, run)
    assert {path.name for path in tmp_path.iterdir()} == kept


def test_a_figure_that_the_rules_cannot_bear_is_refused_in_words() -> None:
    moved = Job(find, "skirmish", BRIDGE, TERMS, {"hits[0|8+]": -(10**6)})
    ((found, _),) = run(carry_out, [moved])
    assert not found.refused  # fewer hits than none: this ruleset bears it
    ((found, _),) = run(carry_out, [replace(moved, find=strict)])
    assert found.refused == "the rules have no answer with hits[0|8+] at -1000000 (ValueError)"


def test_jobs_that_move_figures_share_no_process() -> None:
    moved = Job(find, "skirmish", BRIDGE, TERMS, {"at a run (Skirmish 2.1)": 3})
    plain = replace(moved, moved={})
    with pytest.raises(ValueError, match="too many values"):
        carry_out_together([plain, moved])
    assert carry_out_together([plain, replace(plain, document=forces(aim=99))])[0] == reckon(skirmish, BRIDGE, TERMS)
