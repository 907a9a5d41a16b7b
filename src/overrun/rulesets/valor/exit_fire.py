"""Out of the target hex: Opportunity Fire and Final Opportunity Fire as the AFV leaves (19.2, 19.3)."""

from __future__ import annotations

from overrun.kernel import Call, Decision, End, Exit, Node, Procedure, Seat, changed
from overrun.rulesets.valor.anti_tank_fire import anti_tank_fire
from overrun.rulesets.valor.approach import after_shot
from overrun.rulesets.valor.hexmap import vv
from overrun.rulesets.valor.mines import mines
from overrun.rulesets.valor.opportunity import shots
from overrun.rulesets.valor.outcome import AFV_STUCK, without_snipers
from overrun.rulesets.valor.state import Fate, State

leaving: Procedure[State] = Procedure("leaving", "Exit", vv("19.3"))
exit_mines = mines.mounted("exit_mines", "Mines in the exit hex", passed="exit_fire", eliminated="overrun_ends")


@leaving.step(vv("19.3"), "Leave the target hex", entered="exit_mines.roll", off_map="overrun_ends")
def leave_target(s: State) -> Node[State]:
    """The AFV goes straight on into the hex directly opposite, even if nobody is left to overrun."""
    exit = s.setup.path.exit
    if exit is None:
        return Exit("off_map", changed(s, fate=Fate.COMPLETED), label="leaves the map")
    hex = s.setup.leg(exit).hex
    state, tally = without_snipers(changed(s, leg=exit), hex)
    return Exit("entered", state, tally=tally, label=f"enters {hex}")


@leaving.step(
    vv("19.2"),
    "Fire at the leaving AFV",
    fire="exit_shot",
    final="exit_shot",
    hold="move_ends",
    no_eligible_unit="move_ends",
)
def exit_fire(s: State) -> Node[State]:
    """Opportunity Fire may meet the AFV again; unpinned survivors may fire at its rear, marked or not."""
    options, refused = shots(s, final=False)
    finals, closed = shots(s, final=True)
    if not options and not finals:
        return Exit("no_eligible_unit", s, label="no unit can fire an AT weapon at this hex")
    return Decision(Seat.DEFENDER, (*finals, *options, Exit("hold", s, label="hold fire")), (*closed, *refused))


@leaving.step(
    vv("18"),
    "AT attack on the leaving AFV",
    calls=(anti_tank_fire.id,),
    unharmed="exit_fire",
    immobilised="exit_fire",
    eliminated="overrun_ends",
)
def exit_shot(s: State) -> Node[State]:
    """The attack is rolled. What the overrun did stands whatever becomes of the AFV now."""
    return Call(anti_tank_fire.id, s.shot, lambda returned: after_shot(s, returned))


@leaving.step(vv("19.4"), "The move ends", mobile="overrun_ends", immobile="overrun_ends")
def move_ends(s: State) -> Node[State]:
    """The AFV takes a Move marker: no hex beyond the exit hex, no change of facing, whatever MP are left."""
    if s.immobile:
        return Exit("immobile", changed(s, fate=Fate.IMMOBILISED_AFTER), tally=AFV_STUCK)
    return Exit("mobile", changed(s, fate=Fate.COMPLETED))


@leaving.step(vv("19.4"), "The overrun is over")
def overrun_ends(s: State) -> Node[State]:
    """Where everything stands now is the end of this overrun."""
    return End(s.fate.value)
