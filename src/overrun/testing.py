"""The conformance suite: laws that every ruleset keeps. It is shipped, so that a ruleset written elsewhere can run it.

`check_situation` walks a situation (all positions of a small one, random playthroughs of any) and raises `RulesError`
at the first law that is broken. `coverage` says which declared exits were never taken.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations
from random import Random
from typing import Any

from overrun.analysis.algebra import Key
from overrun.analysis.game import Game
from overrun.analysis.induction import Induction
from overrun.analysis.odds import odds
from overrun.analysis.policy import uniform
from overrun.analysis.returns import Returns, came_back
from overrun.analysis.solve import Solution
from overrun.analysis.tally import Tally
from overrun.analysis.watch import Watch
from overrun.kernel import (
    Call,
    Chance,
    Decision,
    Each,
    End,
    Exit,
    Measure,
    Node,
    PlayError,
    Position,
    Reads,
    Return,
    Returned,
    Rules,
    RulesError,
    Ruleset,
    Situation,
)
from overrun.play.session import Session, throw


def check_ruleset(ruleset: Ruleset, situations: Iterable[Situation], *, small: int = 3_000, plays: int = 20) -> None:
    """Run every law on some situations: exhaustively where there are at most `small` positions, at random elsewhere."""
    ruleset.rules.freeze()
    named = {measure.name for measure in ruleset.measures}
    for payoff in ruleset.payoffs:
        if unknown := set(payoff.weights) - named:
            raise RulesError(f"{ruleset.id}: payoff {payoff.name} weighs unknown measures {sorted(unknown)}")
    for situation in situations:
        check_situation(ruleset, situation, small=small, plays=plays)


def check_situation(ruleset: Ruleset, situation: Situation, *, small: int = 3_000, plays: int = 20) -> None:
    """Every law on one situation."""
    names = [measure.name for measure in ruleset.measures]
    positions = reachable(ruleset.rules, situation.start, small)
    if positions is None:
        positions = visited(ruleset.rules, situation.start, plays)
    else:
        _equal_values(ruleset, situation)
        check_restrictions(ruleset, situation)
    for position in positions:
        check_position(ruleset.rules, position, frozenset(names))
    for seed in range(plays):
        check_play(ruleset.rules, situation.start, seed, ruleset.measures)


def reachable(rules: Rules[Any], start: Position[Any], limit: int) -> list[Position[Any]] | None:
    """Every position that play can reach, inside called procedures too; None when there are more than `limit`."""
    seen, todo = {start}, [start]
    while todo:
        position = todo.pop()
        for after in _following(rules, position):
            if after not in seen:
                if len(seen) >= limit:
                    return None
                seen.add(after)
                todo.append(after)
    return list(seen)


def visited(rules: Rules[Any], start: Position[Any], plays: int) -> list[Position[Any]]:
    """The positions that some random playthroughs pass."""
    seen: dict[Position[Any], None] = {}
    for seed in range(plays):
        random, position = Random(seed), start
        seen[position] = None
        while following := _following(rules, position):
            position = random.choice(following)
            seen[position] = None
    return list(seen)


def check_position(rules: Rules[Any], position: Position[Any], measures: frozenset[str]) -> None:
    """One position: weights sum, options and refusals are sound, tallies are declared, and `live` changes no answer."""
    step = position.step
    node = rules.steps[step].body(position.state)
    lean = rules.steps[step].body(rules.live(step, position.state))
    where = f"{rules.name}, {step}"
    if isinstance(node, Chance) and sum(weight for _, weight in node.dice.outcomes) != node.dice.total:
        raise RulesError(f"{where}: the weights of {node.dice.name} do not sum to {node.dice.total}")
    if isinstance(node, Decision):
        _sound_decision(where, node)
    if _question(node) != _question(lean):
        raise RulesError(f"{where}: live state asks {_question(lean)}, full state {_question(node)}")
    if isinstance(node, Decision) and isinstance(lean, Decision):
        full_only = {refusal.id for refusal in node.refused}
        if strange := sorted({refusal.id for refusal in lean.refused} - full_only):
            raise RulesError(f"{where}: the live state refuses {strange}, which the full state does not")
    one, two = _exits(rules, step, node), _exits(rules, step, lean)
    if len(one) != len(two):
        raise RulesError(f"{where}: live state has {len(two)} exits, full state {len(one)}")
    for full, kept in zip(one, two, strict=True):
        if (full.id, full.tally or {}) != (kept.id, kept.tally or {}):
            raise RulesError(f"{where}: live state leaves by {kept.id} {kept.tally}, full by {full.id} {full.tally}")
        if undeclared := set(full.tally or {}) - measures:
            raise RulesError(f"{where}.{full.name} counts {sorted(undeclared)}, which are no declared measures")
        _same_after(rules, step, full, kept)
    if isinstance(node, Call) and node.reads is not None:
        _read_alike(rules, step, node, node.reads)
        if node.lean is not None:
            _answered_alike(rules, step, node, node.reads)


def _read_alike(rules: Rules[Any], step: str, node: Call[Any], reads: Reads) -> None:
    """Ways in which a call comes back that read alike must lead to one live state, and count the same there."""
    first: dict[Hashable, Exit[Any]] = {}
    for back in _returns(rules, node, node.sub):
        exit = node.then(back)
        one = first.setdefault(reads(back), exit)
        if (one.name, one.tally or {}) != (exit.name, exit.tally or {}):
            raise RulesError(f"{rules.name}, {step}: ways that read alike leave by {one.name} and by {exit.name}")
        _same_after(rules, step, one, exit)


def _answered_alike(rules: Rules[Any], step: str, node: Call[Any], reads: Reads) -> None:
    """Asked about the lean sub-state, a call comes back alike, counts the same and has the same chances."""
    full, lean = (_read_chances(rules, node, sub, reads) for sub in (node.sub, node.lean))
    for way in full.keys() | lean.keys():
        if full.get(way) != lean.get(way):
            raise RulesError(
                f"{rules.name}, {step}: the lean sub-state comes back so in {lean.get(way, 0)} of all cases, the full "
                f"one in {full.get(way, 0)}: {way}"
            )


def _read_chances(rules: Rules[Any], node: Call[Any], sub: Any, reads: Reads) -> dict[tuple[Hashable, Tally], Fraction]:
    induction = Induction(rules, Returns(), back=came_back)
    runs = induction.at(Position(rules.entry_of(node.procedure), sub))
    found: dict[tuple[Hashable, Tally], Fraction] = {}
    for (back, tally), weight in runs.weights.items():
        way = reads(back), tally
        found[way] = found.get(way, Fraction(0)) + Fraction(weight, runs.total)
    return found


def _sound_decision(where: str, node: Decision[Any]) -> None:
    ids = [exit.id for exit in node.options]
    if not ids or len(set(ids)) != len(ids):
        raise RulesError(f"{where}: options are missing or named twice: {ids}")
    if twice := set(ids) & {refusal.id for refusal in node.refused}:
        raise RulesError(f"{where}: {sorted(twice)} are both legal and refused")
    if bad := [refusal.id for refusal in node.refused if not refusal.reason]:
        raise RulesError(f"{where}: {bad} are refused without a reason")


def _question(node: Node[Any]) -> tuple[Any, ...]:
    """What a node asks, apart from where its exits lead.

    Refusals may be fewer in a live state, which drops what can never act again. They are for players, who are always
    asked about the full state; that the options are the same is checked one by one.
    """
    match node:
        case Decision():
            return "decision", node.seat
        case Chance():
            return "chance", node.seat, node.dice.sides, node.dice.outcomes
        case Call() | Each():
            return "call", node.procedure, len(node.subs)
        case End():
            return "end", node.outcome
        case Exit():
            return ("exit",)


def _same_after(rules: Rules[Any], step: str, full: Exit[Any], kept: Exit[Any]) -> None:
    target = rules.target(step, full)
    if isinstance(target, Return):
        if full.state != kept.state:
            raise RulesError(f"{rules.name}, {step}.{full.id}: the live state returns another sub-state")
        return
    one, two = rules.live(target, full.state), rules.live(target, kept.state)
    if rules.steps[target].carries and two != kept.state:
        raise RulesError(f"{rules.name}, {step}.{full.id}: {target} carries what could be forgotten: {kept.state}")
    if one != two:
        raise RulesError(
            f"{rules.name}, {step}.{full.id}: live(follow(state)) differs from live(follow(live(state))) at {target}:\n"
            f"  {one}\n  {two}"
        )


def check_play(rules: Rules[Any], start: Position[Any], seed: int, measures: Sequence[Measure] = ()) -> None:
    """One random playthrough: refusals refuse, undo restores, and replaying the answers comes to the same end."""
    random, session = Random(seed), Session(rules, start)
    while not isinstance(node := session.node, End):
        if isinstance(node, Chance):
            session.roll(throw(node.dice, random))
        else:
            for refusal in node.refused:
                _must_refuse(session, refusal.id)
            session.choose(random.choice(node.options).id)
        if random.random() < 0.25:
            after = session.position, session.node
            session.undo()
            if session.node != node and not isinstance(node, Chance):
                raise RulesError(f"{rules.name}, {session.position.step}: undo does not restore the question")
            last = session.answers[-2]
            session.take(last)
            if session.position != after[0]:
                raise RulesError(f"{rules.name}, {session.position.step}: the same answer leads elsewhere")
    again = Session(rules, start)
    for answer in session.answers:
        again.take(answer)
    if (again.position, again.tally()) != (session.position, session.tally()):
        raise RulesError(f"{rules.name}: replay of seed {seed} comes to another end")
    tally = session.tally()
    for measure in measures:
        if measure.given and tally.get(measure.name) and not tally.get(measure.given):
            raise RulesError(f"{rules.name}: seed {seed} counts {measure.name} without {measure.given}")


def coverage(rules: Rules[Any], taken: Iterable[tuple[str, str]]) -> set[str]:
    """The declared exits (`step.exit`) that were never taken."""
    declared = {(step.id, exit) for step in rules.steps.values() for exit in step.exits}
    return {f"{step}.{exit}" for step, exit in declared - set(taken)}


def _must_refuse(session: Session, id: str) -> None:
    try:
        session.choose(id)
    except PlayError:
        return
    raise RulesError(f"{session.rules.name}, {session.position.step}: refused option {id} was accepted")


def check_restrictions(ruleset: Ruleset, situation: Situation, *, pairs: bool = False) -> None:
    """Best play is worth the same with and without what restrictions forget.

    Each is held to it alone and all together, with `pairs` also any two.
    """
    restrictions = ruleset.rules.restrictions
    forgetting = [each for each in restrictions if each.live is not None]
    some = chain.from_iterable(combinations(forgetting, size) for size in ((1, 2) if pairs else (1,)))
    for cutting in (*some, restrictions):
        lean, full = (
            Game(ruleset.rules, situation.start, restrictions=these, watch=Watch(10**6, 2_000), tallies=False)
            for these in (cutting, [replace(each, live=None) for each in cutting])
        )
        for payoff in ruleset.payoffs:
            one, two = Solution(lean, payoff).value, Solution(full, payoff).value
            if one != two:
                names = ", ".join(each.name for each in cutting)
                raise RulesError(f"{ruleset.id}: live changes the bound {two} to {one} under {names}, {payoff.name}")


def _equal_values(ruleset: Ruleset, situation: Situation) -> None:
    """Every row is worth the same with and without `live`, and odds under uniform play are equal and sum to 1."""
    rules = ruleset.rules
    names = [measure.name for measure in ruleset.measures]
    roomy = Watch(row_limit=10**6, megabyte_limit=2_000)
    for payoff in ruleset.payoffs:
        lean = Solution(Game(rules, situation.start), payoff)
        full = Solution(Game(rules, situation.start, live=False, watch=roomy), payoff)
        if lean.value != full.value:
            raise RulesError(f"{ruleset.id}: live changes the value {full.value} to {lean.value} under {payoff.name}")
        worth: dict[Key, Any] = {
            row.key: value for row, value in zip(lean.game.rows, lean.values, strict=True) if row.seat is not None
        }
        for row, value in zip(full.game.rows, full.values, strict=True):
            if row.seat is not None and worth[row.key[0], rules.live(*row.key)] != value:
                raise RulesError(f"{ruleset.id}, {row.key[0]}: live changes the worth of {row.key[1]}")
    lean_odds, full_odds = (
        odds(rules, situation.start, uniform, "uniform", names, live=live) for live in (True, False)
    )
    if lean_odds != full_odds:
        raise RulesError(f"{ruleset.id}: live changes the odds under uniform play")
    if sum(lean_odds.outcomes.values()) != 1:
        raise RulesError(f"{ruleset.id}: the outcomes do not sum to 1")


def _exits(rules: Rules[Any], step: str, node: Node[Any]) -> Sequence[Exit[Any]]:
    match node:
        case Exit():
            return (node,)
        case Decision(options=options):
            return options
        case Chance(dice=dice, then=then):
            return [then(value) for value, _ in dice.outcomes]
        case Call() | Each():
            return _called(rules, step, node)
        case End():
            return ()


def _called(rules: Rules[Any], step: str, node: Call[Any] | Each[Any]) -> Sequence[Exit[Any]]:
    """The exits for every way in which each run can come back while the others come back in their first way."""
    if node.procedure not in rules.steps[step].calls:
        raise RulesError(f"{rules.name}, {step}: it calls {node.procedure!r} and does not declare it")
    ways = [_returns(rules, node, sub) for sub in node.subs]
    if not ways:
        return (node.leave(()),)
    first = [way[0] for way in ways]
    return [node.leave((*first[:index], back, *first[index + 1 :])) for index, way in enumerate(ways) for back in way]


def _returns(rules: Rules[Any], node: Call[Any] | Each[Any], sub: Any) -> list[Returned]:
    entry: Position[Any] = Position(rules.entry_of(node.procedure), sub)
    found: dict[Returned, None] = {}
    seen, todo = {entry}, [entry]
    while todo:
        position = todo.pop()
        for exit in _exits(rules, position.step, rules.steps[position.step].body(position.state)):
            target = rules.target(position.step, exit)
            if isinstance(target, Return):
                found[Returned(target.exit, exit.state)] = None
            elif (after := Position(target, exit.state)) not in seen:
                seen.add(after)
                todo.append(after)
    return list(found)


def _following(rules: Rules[Any], position: Position[Any]) -> list[Position[Any]]:
    node = rules.at(position)
    if isinstance(node, (Call, Each)):
        return [rules.enter(position, node)]
    return [rules.follow(position, exit) for exit in _exits(rules, position.step, node)]
