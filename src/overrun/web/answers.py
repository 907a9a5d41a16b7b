"""What the worker process computes: best play and odds of one situation, solved once and then asked many times."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from overrun.analysis.algebra import Choice, Key
from overrun.analysis.answer import Pricing, Terms
from overrun.analysis.bounds import Bounds, to_seat
from overrun.analysis.errors import AnalysisError
from overrun.analysis.flow import Flow
from overrun.analysis.flow import flow as flow_of
from overrun.analysis.fresh import in_fresh_processes
from overrun.analysis.game import Option
from overrun.analysis.graphs import Graph
from overrun.analysis.odds import Odds, Outlook
from overrun.analysis.payoff import wants
from overrun.analysis.policy import Style, stated
from overrun.analysis.readings import Effect
from overrun.analysis.readings import readings as readings_of
from overrun.analysis.reckon import Job, Reckoned
from overrun.analysis.sensitivity import sensitivity
from overrun.analysis.solve import means
from overrun.analysis.watch import MEGABYTE_LIMIT, ROW_LIMIT, Watch
from overrun.compiled.graphs import FromCache
from overrun.kernel import Decision, Exit, InputError, Payoff, Position, Problem, Seat, Situation
from overrun.play.explain import Explainer
from overrun.play.session import Answer, Session
from overrun.play.wording import number
from overrun.store import opening
from overrun.store.opening import Opened
from overrun.web.prospect import (
    Advice,
    Judgement,
    Lever,
    Levers,
    OptionAdvice,
    Prospect,
    Reading,
    Spans,
    Subject,
    WholeOdds,
)

Report = Callable[[str], None]
"""Called now and then with how far the work is, in words."""

STATED = "stated"
"""The policy of following the stated plan and nothing else."""
GRAPHS = FromCache()
"""What was solved once, here or at the command line, is read again, also after the app was started anew."""
MOST_DECISIONS = 12
"""Decisions shown; the rarest are left out."""
WITHIN = 30.0
"""Seconds in which bounds are sought."""
FEW_DECISIONS = 3
"""Where a policy meets fewer, what follows the rejected choices is shown too."""


class Outside(AnalysisError):  # noqa: N818  (it names what the position is)
    """A position that the solved graph does not hold."""


class Solved:
    """One situation under one payoff: its game graph and best play, and the outlook from any position of it.

    The graph begins where the answers `begun` lead, and holds all that can follow; advice is for answers that begin so.
    """

    def __init__(self, subject: Subject, report: Report, begun: Sequence[Answer] = ()) -> None:
        self.opened = opening.from_document(json.loads(subject.document), "situation")
        session = self.opened.session()
        for answer in begun:
            session.take(answer)
        ruleset, situation = self.opened.ruleset, replace(self.opened.situation, start=session.position)
        self._report, self.subject, self.begun = report, subject, len(begun)
        self.payoff = payoff_of(self.opened, subject.payoff)
        terms = Terms(self.payoff, restrictions=subject.restrictions, simplified=subject.simplified)
        self.pricing = Pricing(ruleset, situation, terms, self._watch(), GRAPHS)
        if subject.simplified:
            # The simpler game is asked for from its start only, and everything below is about it.
            self.opened = replace(self.opened, situation=self.pricing.situation)
        self.names = [measure.name for measure in ruleset.measures]
        self.solution = self.pricing.solution
        self.restrictions = self.pricing.restrictions
        self.outlook = self._outlook(self._best, "best play of both seats")

    def _best(self, key: Key, node: Decision[Any]) -> Sequence[tuple[Exit[Any], int]]:
        if key not in self.solution:
            cut = ", ".join(restriction.name for restriction in self.restrictions)
            raise Outside(f"This position is outside what the restriction {cut} leaves; no advice under it here.")
        return self.pricing.choice(key, node)

    def _watch(self) -> Watch:
        return watched(self._report)

    def _outlook(self, choice: Choice, policy: str) -> Outlook:
        rules = self.opened.ruleset.rules
        return Outlook(rules, choice, policy, self.names, restrictions=self.restrictions, watch=self._watch())

    def ahead(self, outlook: Outlook, position: Position[Any], so_far: Mapping[str, int]) -> Prospect:
        """How it may end from a position, what was counted before included."""
        return prospect(self.payoff, outlook.at(position), so_far)

    @cached_property
    def game(self) -> Graph:
        """The rows of the graph."""
        return self.solution.game

    # ------------------------------------------------------------------ questions

    def advice(self, answers: Sequence[Answer]) -> Advice:
        """Best play from where these answers lead. Raises `InputError` where a rule is left out and play has begun."""
        session, before = self.opened.session(), None
        for place, answer in enumerate(answers, 1):
            if place == len(answers) > self.begun:
                before = self.ahead(self.outlook, session.position, session.tally())
            session.take(answer)
        simplified(self.opened, self.subject, session.position)
        now = self.ahead(self.outlook, session.position, session.tally())
        node = session.node
        seat, options = (str(node.seat), self._options(session, node)) if isinstance(node, Decision) else ("", {})
        return Advice(seat, options, now, before, self.pricing.doubts, *self._under)

    @property
    def _under(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The restrictions and the simplifications that every answer names."""
        return self.subject.restrictions, self.subject.simplified

    def _options(self, session: Session, node: Decision[Any]) -> dict[str, OptionAdvice]:
        rules, so_far = self.opened.ruleset.rules, session.tally()
        kept: Iterable[Any] = node.options
        for restriction in self.restrictions:
            kept = restriction.keep(session.position, Decision(node.seat, tuple(kept), node.refused))
        ahead: dict[str, Prospect] = {}
        for exit in kept:
            counts = dict(so_far)
            for name, count in (exit.tally or {}).items():
                counts[name] = counts.get(name, 0) + count
            ahead[exit.id] = self.ahead(self.outlook, rules.follow(session.position, exit), counts)
        best = max(prospect.worth[node.seat] for prospect in ahead.values())
        return {
            id: OptionAdvice(id, prospect.worth[node.seat], best - prospect.worth[node.seat], prospect)
            for id, prospect in ahead.items()
        }

    def whole(self, policy: str) -> WholeOdds:
        """The whole overrun: under best play, or under the plan that the situation states."""
        situation, outlook = self.opened.situation, self.outlook
        choice: Choice = self._best
        if policy == "plan":
            choice = stated(situation.plan, self.opened.ruleset.rules, self._best)
            outlook = self._outlook(choice, "the stated plan, and best play where it says nothing")
        ahead = self.ahead(outlook, situation.start, {})
        decisions, left_out = self._decisions(choice)
        rows, doubts = self.game.decisions, self.pricing.doubts
        return WholeOdds(outlook.policy, ahead, decisions, left_out, rows, doubts, *self._under)

    def _decisions(self, choice: Choice) -> tuple[tuple[Judgement, ...], int]:
        """The decisions that a policy meets; when it meets hardly any, also those after the choices that it rejects."""
        met = self._met(self.game.start, choice)
        shown = sorted(met, key=lambda index: -met[index])[:MOST_DECISIONS]
        found = [self._judged(index, met[index], choice) for index in sorted(shown, reverse=True)]
        if len(met) < FEW_DECISIONS:
            for index in sorted(met, reverse=True):
                found += self._after_rejected(index, choice, set(met))
        return tuple(found[:MOST_DECISIONS]), len(met) - len(shown)

    def _after_rejected(self, index: int, choice: Choice, known: set[int]) -> list[Judgement]:
        row, labels = self.game.rows[index], self._labels(index)
        taken, found = set(self._taken(index, choice)), list[Judgement]()
        for option in row.options:
            if option.id not in taken:
                met = self._met(option, choice)
                fresh = sorted((i for i in met if i not in known), key=lambda i: -met[i])[:MOST_DECISIONS]
                known |= set(fresh)
                after = labels.get(option.id, option.id)
                found += [replace(self._judged(i, met[i], choice), after=after) for i in sorted(fresh, reverse=True)]
        return found

    def _met(self, start: Option, choice: Choice) -> dict[int, Fraction]:
        """The rows with a real choice that a policy meets after `start`, with the chance of each."""
        game = self.game
        chance: dict[int, Fraction] = {}
        for weight, _, child in start.arcs:
            chance[child] = chance.get(child, Fraction(0)) + Fraction(weight, start.total)
        met: dict[int, Fraction] = {}
        for index in range(len(game.rows) - 1, -1, -1):
            row = game.rows[index]
            if index not in chance or row.seat is None:
                continue
            if len(row.options) > 1:
                met[index] = chance[index]
            taken = self._taken(index, choice)
            total = sum(taken.values())
            for option in row.options:
                if option.id in taken:
                    share = chance[index] * Fraction(taken[option.id], total)
                    for weight, _, child in option.arcs:
                        chance[child] = chance.get(child, Fraction(0)) + share * Fraction(weight, option.total)
        return met

    def _taken(self, index: int, choice: Choice) -> dict[str, int]:
        """What a policy takes at a row: the ids with their weights."""
        key = self.game.rows[index].key
        return {exit.id: weight for exit, weight in choice(key, self._node(index))}

    def _node(self, index: int) -> Decision[Any]:
        step, state = self.game.rows[index].key
        node = self.opened.ruleset.rules.steps[step].body(state)
        assert isinstance(node, Decision)
        return node

    def _labels(self, index: int) -> dict[str, str]:
        ruleset = self.opened.ruleset
        header = ruleset.rules.steps[self.game.rows[index].key[0]]
        options = Explainer(ruleset.rules, ruleset.seats).options(header, self._node(index))
        return {option.id: option.label for option in options}

    def _judged(self, index: int, chance: Fraction, choice: Choice) -> Judgement:
        row, labels = self.game.rows[index], self._labels(index)
        header = self.opened.ruleset.rules.steps[row.key[0]]
        judged = sorted(self.solution.judged(row.key), key=lambda option: option.regret)
        options = tuple((labels.get(option.id, option.id), option.worth, option.regret) for option in judged)
        taken = tuple(labels.get(id, id) for id in self._taken(index, choice))
        about = ", ".join(f"{each.name} {number(each.total)}" for each in self._node(index).ledgers)
        return Judgement(header.id, str(header.cite), header.title, str(row.seat), chance, options, about, taken)


def simplified(opened: Opened, subject: Subject, position: Position[Any]) -> Situation:
    """The situation that is asked about, from a position on, without the rule that is to be left out.

    Raises `InputError`, in the words of the command line, where play has begun: a rule is left out from the start only.
    """
    return opened.ruleset.simplified(replace(opened.situation, start=position), subject.simplified)


def watched(report: Report) -> Watch:
    """Limits, and how far the work is told of. An app serves several players at once, so each gets half."""
    return Watch(
        ROW_LIMIT // 2,
        MEGABYTE_LIMIT // 2,
        on_progress=lambda watch: report(
            f"{watch.positions:,} positions, {watch.rows:,} of at most {watch.row_limit:,} decisions"
        ),
    )


def prospect(payoff: Payoff, odds: Odds, so_far: Mapping[str, int]) -> Prospect:
    """Odds as a page shows them, what was counted before included."""
    measures = {
        name: {value + so_far.get(name, 0): chance for value, chance in distribution.chances.items()}
        for name, distribution in odds.measures.items()
    }
    counts = {name: sum((v * c for v, c in chances.items()), Fraction(0)) for name, chances in measures.items()}
    worth = {str(seat): means(wants(payoff, seat), counts) for seat in Seat}
    return Prospect(odds.outcomes, measures, worth)


def priced(subject: Subject, policy: str, report: Report) -> Pricing:
    """A situation under a policy, to be asked by itself."""
    opened = opening.from_document(json.loads(subject.document), "situation")
    return Pricing(opened.ruleset, opened.situation, terms(opened, subject, policy), watched(report), GRAPHS)


def flow(subject: Subject, policy: str, report: Report) -> Flow:
    """The chance of every step and exit, for the flowchart."""
    return flow_of(priced(subject, policy, report))


def whole_alone(subject: Subject, policy: str, report: Report) -> WholeOdds:
    """The whole overrun under the stated plan and nothing else: no best play is looked for, so it can be quick."""
    pricing = priced(subject, policy, report)
    ahead = prospect(pricing.terms.payoff, pricing.odds, {})
    under = subject.restrictions, subject.simplified
    return WholeOdds("the stated plan alone", ahead, (), 0, 0, pricing.doubts, *under)


def spans(subject: Subject, answers: Sequence[Answer], report: Report) -> Spans:
    """Bounds on best play from where these answers lead. Raises `NotZeroSum`."""
    opened = opening.from_document(json.loads(subject.document), "situation")
    session = opened.session()
    for answer in answers:
        session.take(answer)
    situation = replace(opened.situation, start=session.position)
    half = replace(terms(opened, subject, "best"), row_limit=ROW_LIMIT // 2, megabyte_limit=MEGABYTE_LIMIT // 2)
    pricing = Pricing(opened.ruleset, situation, replace(half, seconds=WITHIN))
    begun, found = time.monotonic(), [Bounds()]
    for tighter in pricing.bounds(lambda watch: report(f"attempt {len(found)}, {watch.rows:,} decisions")):
        found.append(tighter)
    known, node = found[-1], session.node
    seat = node.seat if isinstance(node, Decision) else Seat.ATTACKER
    return Spans(
        str(seat) if known.first else "",
        {str(each): to_seat((known.lower, known.upper), each) for each in Seat},
        {id: to_seat(span, seat) for id, span in known.first.items()},
        known.best(seat) or "",
        known.exact,
        (*known.restrictions, *known.proof),
        round(time.monotonic() - begun, 1),
        pricing.doubts,
        subject.restrictions,
        subject.simplified,
    )


def terms(opened: Opened, subject: Subject, policy: str) -> Terms:
    """Under which terms a situation is compared with changed ones."""
    named = {"plan": Style.PLAN_ELSE_BEST, STATED: Style.PLAN}
    style = named.get(policy, Style.BEST) if opened.situation.plan else Style.BEST
    styles = dict.fromkeys(Seat, style)
    return Terms(payoff_of(opened, subject.payoff), styles, subject.restrictions, subject.simplified)


def compared(subject: Subject, policy: str) -> tuple[Opened, Job]:
    """A situation, and the job that reckons it as it stands."""
    document = json.loads(subject.document)
    opened = opening.from_document(document, "situation")
    return opened, Job(opening.system, subject.system, document, terms(opened, subject, policy), graphs=FromCache())


def runner(report: Report) -> Callable[[Callable[[Job], Any], Sequence[Job]], Iterator[Any]]:
    """What carries out many jobs, each in a process of its own, and reports how many are done."""

    def run(work: Callable[[Job], Any], jobs: Sequence[Job]) -> Iterator[Any]:
        done = in_fresh_processes(work, jobs, 1, (opening.__name__,))
        for count, result in enumerate(done, 1):
            report(f"{count} of {len(jobs)} changes")
            yield result

    return run


def readings(subject: Subject, policy: str, report: Report) -> tuple[Reading, ...]:
    """Every ruling of a system under each of its readings, the others as they are, with the seats playing alike."""
    opened, job = compared(subject, policy)
    report(f"{len(tuple(opened.ruleset.rulings))} rulings, each under every reading")
    found = readings_of(opened.ruleset, job.document, job.terms, graphs=GRAPHS)
    return tuple(
        Reading(
            one.ruling.name,
            str(one.ruling.cite),
            one.reading,
            one.in_force,
            one.effect in {Effect.ANSWER, Effect.REFUSED},
            dict(zip(map(str, Seat), one.found.values, strict=True)),
            one.found.means,
            one.found.refused,
        )
        for one in sorted(found, key=lambda one: not one.in_force)
    )


def levers(subject: Subject, policy: str, report: Report) -> Levers:
    """Every number that the answer reads, one less and one more, by what that does to what the attacker can expect."""
    opened, job = compared(subject, policy)
    found = sensitivity(job, opened.ruleset, runner(report))
    now = found.base.measure(found.measure)
    moved = (
        Lever(
            one.name,
            str(one.printed),
            _value(one.answers[-1], found.measure),
            _value(one.answers[1], found.measure),
            tuple(f"{by:+d}: {first}" for by, first in found.flips(one).items()),
        )
        for one in found.moved
        if found.effect(one)
    )
    return Levers(now, tuple(moved), len(found.still))


def _value(found: Reckoned, measure: str) -> Fraction | None:
    return None if found.refused else found.measure(measure)


def payoff_of(opened: Opened, name: str) -> Any:
    """The payoff of that name; the first one for no name. Raises `InputError`."""
    try:
        return opened.ruleset.payoff(name or None)
    except KeyError:
        known = ", ".join(payoff.name for payoff in opened.ruleset.payoffs)
        raise InputError([Problem("payoff", f"there is no payoff {name!r}", known)]) from None
