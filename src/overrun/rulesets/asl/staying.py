"""Who may stay in an enemy AFV's hex, and whom the limits on TPBF targets bind (D2.6, A7.212)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from overrun.kernel import Ledger
from overrun.rulesets.asl.counters import MAKind, Vehicle
from overrun.rulesets.asl.damage import OnAFV, on_afv
from overrun.rulesets.asl.firepower import Fires
from overrun.rulesets.asl.to_hit import Facing, Hit
from overrun.rulesets.asl.to_kill import Ammunition, Exposure, Round, Struck, final_tk

STAYING_DR = 5
"""The Original To Kill DR that must be able to Shock or eliminate the enemy AFV."""
ENOUGH = frozenset({OnAFV.SHOCK_CHECK, OnAFV.SHOCK, OnAFV.ELIMINATED, OnAFV.BURNING})


def threat(fires: Iterable[Fires], vehicle: Vehicle, enemy: Vehicle) -> Ledger | None:
    """The TK# by which a vehicle may stay in an enemy AFV's hex, None if none of its weapons suffices (D2.6).

    `fires` are its manned and functioning weapons. The shot is taken as a rear hit on hull or turret, whichever is
    thinner, with ammunition that cannot run out; FT counts as it needs none.
    """
    for shot in _rounds(fires, vehicle):
        for hit in (Hit.HULL, Hit.TURRET):
            struck = Struck(hit, Facing.REAR)
            ledger = final_tk(shot, enemy, struck, Exposure())
            if ledger is None:
                continue
            if on_afv(int(ledger.total), STAYING_DR, shot.ammunition, struck) in ENOUGH:
                return ledger
    return None


def _rounds(fires: Iterable[Fires], vehicle: Vehicle) -> Iterator[Round]:
    for weapon in fires:
        if weapon.name in {"MA", "IFE"}:
            yield Round(Ammunition.AP, vehicle.ma_caliber, vehicle.ma_length, vehicle.nation)
            if vehicle.ma_kind is MAKind.GUN:
                yield Round(Ammunition.HE, vehicle.ma_caliber)
        elif weapon.name == "FT":
            yield Round(Ammunition.FT)
        else:
            yield Round(Ammunition.MG, weapon="MG")


def limits_targets(
    *, armored: bool, armed: bool, vulnerable_prc: bool, known: bool, rulings: Mapping[str, str]
) -> bool:
    """Do the TPBF limits bind units that share the Location with this vehicle to it (A7.212)?

    They do not against an Unknown unit, nor against a harmless vehicle: unarmed and unarmored by the rule, unarmored
    without Vulnerable PRC as the flowchart prints it (ruling `tpbf_limit_exception`).
    """
    if not known:
        return False
    if armored:
        return True
    return vulnerable_prc if rulings["tpbf_limit_exception"] == "no_vulnerable_prc" else armed
