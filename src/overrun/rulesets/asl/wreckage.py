"""What becomes of support weapons and Guns when a vehicle runs over them (A9.74): one dr for each."""

from __future__ import annotations

from dataclasses import dataclass, field

from overrun.kernel import Chance, Dice, Exit, Ledger, Modifier, Node, Procedure, Seat, changed
from overrun.rulesets.asl.ift import OnWeapon, on_weapon
from overrun.rulesets.asl.setup import Setup, asl
from overrun.rulesets.asl.state import Arm, GunPiece


@dataclass(frozen=True, slots=True)
class Wreck:
    """One weapon under a destruction check on an IFT column; `piece` is None once it is eliminated."""

    setup: Setup = field(compare=False, repr=False)
    piece: Arm | GunPiece | None
    column: int


DESTRUCTION_DR = Dice("destruction dr", (6,), sum)

wreckage: Procedure[Wreck] = Procedure("wreckage", "Random SW Destruction", asl("A9.74"), returns=("checked",))


@wreckage.step(asl("A9.74"), "Destruction dr", eliminated="checked", malfunctions="checked", none="checked")
def destruction_dr(w: Wreck) -> Node[Wreck]:
    """A dr on the attack's own column: a KIA row eliminates the weapon, a K row makes it malfunction."""
    piece, vehicle = w.piece, w.setup.vehicle
    assert piece is not None
    gun = isinstance(piece, GunPiece)
    printed = w.setup.guns[piece.printed] if gun else w.setup.weapons[piece.printed]
    tracked = vehicle.armored and vehicle.fully_tracked
    lost_if_broken = piece.malfunctioned or printed.x_number

    def then(dr: int) -> Exit[Wreck]:
        fate, ledger = on_weapon(w.column, dr, tracked=tracked, lost_if_broken=lost_if_broken)
        if fate is OnWeapon.ELIMINATED:
            tally = {"guns_lost" if gun else "weapons_lost": 1}
            return Exit(fate.value, changed(w, piece=None), tally=tally, ledgers=(ledger,))
        if fate is OnWeapon.MALFUNCTIONS:
            broken = changed(piece, malfunctioned=True)
            return Exit(fate.value, changed(w, piece=broken), tally={"weapons_malfunctioned": 1}, ledgers=(ledger,))
        return Exit(fate.value, w, ledgers=(ledger,))

    lines = (Modifier(-1, "fully-tracked AFV", asl("A9.74")),) if tracked else ()
    return Chance(DESTRUCTION_DR, then, Seat.ATTACKER, (Ledger("destruction drm", lines),))
