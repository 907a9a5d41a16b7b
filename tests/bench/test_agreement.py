"""Every engine of the bench finds the same fractions, and leaving out a saving changes no decision's worth (X-05)."""

from fractions import Fraction
from typing import Any

import pytest

from bench import chain, ours, sizes
from bench.numbers import (
    DECISION_VALUE,
    END_STATES,
    OVER,
    POSITIONS,
    START,
    TREE_NODES,
    VEHICLE_DEAD,
    WAYS,
    after,
    rolls,
)
from bench.peers import Peer, by_hand, decisions_by_hand, peers
from overrun.analysis.odds import odds
from overrun.analysis.perft import perft
from overrun.analysis.policy import stated
from overrun.kernel import changed

KNOWN = {"chance": Fraction(VEHICLE_DEAD), "decision": Fraction(DECISION_VALUE)}
EXACT = ("icepool", "dyce", "lea", "by hand")


def test_the_chain_has_its_published_size() -> None:
    seen, layer, nodes = {START}, {START: 1}, 1
    for _ in range(OVER):
        following: dict[Any, int] = {}
        for state, times in layer.items():
            for total in WAYS if rolls(state) else (0,):
                to = after(state, total)
                following[to] = following.get(to, 0) + times
        layer = following
        seen |= set(layer)
        nodes += sum(layer.values())
    assert (nodes, len(seen), len(layer)) == (TREE_NODES, POSITIONS, END_STATES)


@pytest.mark.parametrize("name", ours.chances())
def test_ours_find_the_chance_of_the_chain(name: str) -> None:
    assert ours.chances()[name]() == KNOWN["chance"]


@pytest.mark.parametrize("name", ours.decisions())
def test_ours_find_the_value_of_the_chain(name: str) -> None:
    assert ours.decisions()[name]() == KNOWN["decision"]


def test_peers_find_the_same() -> None:
    found = {peer.name: peer for peer in peers() if isinstance(peer, Peer)}
    assert {"by hand", "icepool", "dyce"} <= found.keys()
    for name in EXACT:
        if name in found and (chance := found[name].chance):
            assert chance() == KNOWN["chance"], name
    assert (by_hand(), decisions_by_hand()) == (KNOWN["chance"], KNOWN["decision"])


def test_the_joint_table_has_every_final_state_and_no_history_is_lost() -> None:
    found = odds(ours.JOINT, chain.START, stated(chain.PLAN, ours.JOINT), "plan", ours.NAMES)
    assert len(found.outcomes) == END_STATES
    assert sum(found.outcomes.values()) == 1
    assert perft(ours.JOINT, chain.START) == perft(chain.chain.rules, chain.START)


@pytest.mark.parametrize("variant", sizes.VARIANTS[1:], ids=lambda variant: variant.name)
@pytest.mark.parametrize("units", [1, 2, 3])
def test_every_decision_is_worth_the_same_without_a_saving(units: int, variant: sizes.Variant) -> None:
    lean, other = (sizes.extracted(each, units) for each in (sizes.VARIANTS[0], variant))
    live = sizes.VARIANTS[0].rules.live
    assert other.values
    met = set()
    for (step, state), value in other.values.items():
        hoarded = sizes.worth(tuple((name, 1) for name in state.lost))
        bare = changed(state, lost=())
        key = step, live(step, bare)
        assert value - hoarded == lean.values[key], key
        met.add(key)
    assert met == lean.values.keys()


def test_a_wrong_number_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chain, "BOG", 10)
    assert ours.best_from_rules() != KNOWN["decision"]
