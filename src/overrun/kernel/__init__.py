"""The rules kernel: cited steps over immutable state. It rolls no dice, asks no player, prints nothing: readers do."""

from overrun.kernel.change import changed
from overrun.kernel.cite import Cite, work
from overrun.kernel.dice import Dice, Face, pool
from overrun.kernel.errors import (
    ConflictingRules,
    InputError,
    OverrunError,
    PlayError,
    Problem,
    RulesError,
    meant,
)
from overrun.kernel.frozen import Hashed, hashed
from overrun.kernel.measure import Measure, Payoff
from overrun.kernel.modifiers import Ledger, Modifier, Number, Op
from overrun.kernel.node import (
    Call,
    Chance,
    Decision,
    Each,
    End,
    Exit,
    Node,
    Position,
    Reads,
    Returned,
    Settled,
    partition,
)
from overrun.kernel.refusal import Refusal
from overrun.kernel.rules import Procedure, Restriction, Return, Rules, Step, cut
from overrun.kernel.ruleset import Ruleset, Simplification, Situation
from overrun.kernel.ruling import Numbers, Ruling, Rulings
from overrun.kernel.seat import Seat
from overrun.kernel.table import Table

__all__ = [
    "Call",
    "Chance",
    "Cite",
    "ConflictingRules",
    "Decision",
    "Dice",
    "Each",
    "End",
    "Exit",
    "Face",
    "Hashed",
    "InputError",
    "Ledger",
    "Measure",
    "Modifier",
    "Node",
    "Number",
    "Numbers",
    "Op",
    "OverrunError",
    "Payoff",
    "PlayError",
    "Position",
    "Problem",
    "Procedure",
    "Reads",
    "Refusal",
    "Restriction",
    "Return",
    "Returned",
    "Rules",
    "RulesError",
    "Ruleset",
    "Ruling",
    "Rulings",
    "Seat",
    "Settled",
    "Simplification",
    "Situation",
    "Step",
    "Table",
    "changed",
    "cut",
    "hashed",
    "meant",
    "partition",
    "pool",
    "work",
]
