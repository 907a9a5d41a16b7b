"""The reference chain, in numbers: a rules-neutral overrun of six rolls, on which every engine does the same work.

An attack (2d6) may kill the first unit and sets the trouble that three units then check (2d6 each, units in order);
units still able to react attack the vehicle once together (2d6); at the end it may bog (2d6). No game is copied.
Units are 0 fit, 1 pinned, 2 broken, 3 dead; the vehicle is 0 fit, 1 stuck, 2 dead. Trouble is 0 none, 1 a pin check,
2 and more a morale check with that much less 2 added to the roll.
"""

WAYS = {total: 6 - abs(total - 7) for total in range(2, 13)}
"""2d6: how many of the 36 throws show each total."""

ATTACK = {2: (True, 4), 3: (True, 4), 4: (False, 4), 5: (False, 3), 6: (False, 2), 7: (False, 2), 8: (False, 1)}
"""By the attack's total: does the first unit die, and what trouble follows; 9 and more do nothing."""

MORALE = (7, 8, 6)
BOG = 11
"""A fit vehicle bogs on this total or more."""


def checked(unit: int, total: int, trouble: int, morale: int) -> int:
    """A unit after its check."""
    if trouble == 1:
        return 1 if total > morale else unit
    if total == 12:
        return 3
    final = total + trouble - 2
    return 2 if final > morale else 1 if final == morale else unit


def kill_number(units: tuple[int, ...]) -> int:
    """A reaction below this kills the vehicle, at it sticks it: 2, 1 per fit unit, half per pinned one, rounded up."""
    return 2 + units.count(0) + (units.count(1) + 1) // 2


# What every engine must find.
TREE_NODES, POSITIONS, END_STATES = 641_467, 499, 184
VEHICLE_DEAD = "641681/6718464"
DECISION_VALUE = "184799593/241864704"
"""Best play when the attacker may decline before the attack and the defender may hold before the reaction: units count
0, 1/2, 1 and 2 for the attacker as they are fit, pinned, broken and dead, the vehicle 0, 1 and 4 against him."""

UNIT_WORTH_TWICE = (0, 1, 2, 4)
VEHICLE_WORTH = (0, 1, 4)

# The same chain as one function over flat states, for engines that have no words of their own for rules.
State = tuple[int, int, int, int, int, int]
"""Phase (0 attack, 1 to 3 checks, 4 reaction, 5 bog, 6 over), three units, vehicle, trouble."""

START: State = (0, 0, 0, 0, 0, 0)
OVER = 6


def rolls(state: State) -> bool:
    """Is anything rolled in this phase?"""
    phase, units, vehicle, trouble = state[0], state[1:4], state[4], state[5]
    if phase in {1, 2, 3}:
        return trouble != 0 and units[phase - 1] != 3
    return phase == 0 or (phase == 4 and min(units) < 2) or (phase == 5 and vehicle == 0)


def after(state: State, total: int) -> State:
    """The state after a phase; `total` is ignored where nothing is rolled."""
    phase, one, two, three, vehicle, trouble = state
    if phase == 0:
        dies, trouble = ATTACK.get(total, (False, 0))
        return 1, 3 if dies else 0, 0, 0, 0, trouble
    if phase < 4:
        units = [one, two, three]
        if rolls(state):
            units[phase - 1] = checked(units[phase - 1], total, trouble, MORALE[phase - 1])
        return phase + 1, units[0], units[1], units[2], vehicle, trouble if phase < 3 else 0
    if phase == 4:
        number = kill_number((one, two, three))
        if rolls(state):
            vehicle = 2 if total < number else 1 if total == number else 0
        return 5, one, two, three, vehicle, 0
    return OVER, one, two, three, 1 if rolls(state) and total >= BOG else vehicle, 0
