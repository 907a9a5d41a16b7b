"""All that one attack can make of a unit that it does not eliminate."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from overrun.kernel import changed
from overrun.rulesets.asl.setup import Concealment, Setup
from overrun.rulesets.asl.state import Morale, Trait, Unit


@lru_cache(1 << 12)
def fates(setup: Setup, unit: Unit) -> tuple[Unit, ...]:
    """Every unit that `unit` may be after an attack, itself first; some that it cannot be do no harm.

    By Casualty Reduction, step loss, Replacement and Heat of Battle the counter changes; by checks the morale; a SMC is
    wounded, and whoever breaks may be Disrupted.
    """
    counters = [unit.printed]
    for name in counters:
        printed = setup.printed[name]
        next_ones = [printed.reduces_to, printed.replaced_by, printed.steps_to]
        if setup.heat_of_battle:
            next_ones.append(printed.hardens_to)
        counters += [other for other in dict.fromkeys(next_ones) if other is not None and other not in counters]
    morale = [Morale.PINNED, Morale.BROKEN, *([Morale.BERSERK] if setup.heat_of_battle else [])]
    gained: list[tuple[Trait, ...]] = [()]
    able = [Trait.DISRUPTED]
    if setup.printed[unit.printed].smc:
        able.append(Trait.WOUNDED)
    if setup.heat_of_battle:
        able += [Trait.FANATIC, Trait.HEROIC]
    for trait in able:
        gained += [(*traits, trait) for traits in gained]
    seen = dict.fromkeys((unit.seen, Concealment.KNOWN))
    found: dict[Unit, None] = {}
    for known, counter, nerve, traits in product(seen, counters, dict.fromkeys((unit.morale, *morale)), gained):
        fate = changed(unit, seen=known, printed=counter, morale=nerve)
        for trait in traits:
            fate = fate if fate.has(trait) else fate.gain(trait)
        found[fate] = None
    return tuple(found)
