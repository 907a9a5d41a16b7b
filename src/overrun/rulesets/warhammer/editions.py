"""What other editions say where the fact sheet could read them (section 10); the rest is refused (W-14)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from overrun.kernel import Cite


@dataclass(frozen=True)
class Edition:
    """One edition's answers where it differs from the 6th.

    `rulings` are readings that its text settles; a file may not choose otherwise. `threshold`: Movement above 6 rolls a
    third die. `swift_die`: swiftstride does. `must_restrain`: staying put needs a Leadership test. `unread` maps a
    matter to why this ruleset cannot answer it.
    """

    id: str
    title: str
    cite: Cite
    rulings: Mapping[str, str] = field(default_factory=dict)
    threshold: bool = True
    swift_die: bool = False
    must_restrain: bool = False
    may_flee: bool = False
    comes_back: str = "in the Remaining Moves part of its next Movement phase; it may neither charge nor march then"
    unread: Mapping[str, str] = field(default_factory=dict)


EDITIONS: Mapping[str, Edition] = {
    edition.id: edition
    for edition in (
        Edition("6e", "6th edition", Cite("WFB 6e", "overrun")),
        Edition(
            "7e",
            "7th edition",
            Cite("WFB 7e", "overrun"),
            rulings={
                "trigger_requires_charge": "yes",
                "hatred_compels": "yes",
                "friend_stop": "touch",
                "impassable_stop": "touch",
                "terrain_waiver": "waive",
                "chariot_terrain_damage": "yes",
                "fleeing_contact": "auto_flee",
                "edge_rule": "7e",
            },
            may_flee=True,
            unread={
                "psychology": "the struck enemy tests fear or terror there, and the results of that test were not read",
                "fight_now": "there an enemy whose own combat is still to be fought is fought at once",
            },
        ),
        Edition(
            "8e",
            "8th edition",
            Cite("WFB 8e", "overrun"),
            rulings={"trigger_requires_charge": "yes", "friend_stop": "halt_1in", "impassable_stop": "halt_1in"},
            threshold=False,
            unread={
                "swiftstride": "the dice of a unit with swiftstride were not read in its rules",
                "frenzy": "whether frenzy compels an overrun there is known only from players",
                "reaction": "what a struck enemy may do there was not read in its rules",
                "fleeing": "what happens there to a fleeing enemy that is touched is known only from players",
                "edge": "how a unit comes back to the table there was not read in its rules",
            },
        ),
        Edition(
            "tow",
            "The Old World",
            Cite("Warhammer: The Old World", "overrun"),
            rulings={
                "trigger_requires_charge": "no",
                "crumble_counts": "yes",
                "friend_stop": "touch",
                "impassable_stop": "touch",
                "fleeing_contact": "destroyed",
                "edge_rule": "7e",
            },
            threshold=False,
            swift_die=True,
            must_restrain=True,
            comes_back="in its next Compulsory Moves, as reinforcements",
            unread={
                "difficult": "terrain slows the move there by rules that were not read",
                "fight_now": "there an enemy that was engaged and has not fought yet is fought at once",
            },
        ),
    )
}
"""Every edition by its word in the file; the first is the one that this ruleset is about."""
