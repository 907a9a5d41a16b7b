"""Every switch for what the 6th edition text leaves open (fact sheet 4b), and the cite of its sources."""

from __future__ import annotations

from overrun.kernel import Cite, Numbers, Ruling, Rulings, work

wfb = work("WFB 6e")
"""The overrun passage of the 6th edition rulebook and the rules around it, by topic."""


def _ruling(
    name: str, question: str, options: dict[str, str], reason: str, cite: Cite | None = None
) -> Ruling:  # the default is the first option
    return Ruling(name, question, options, next(iter(options)), reason, cite or wfb("overrun"))


RULINGS = Rulings(
    (
        _ruling(
            "trigger_requires_charge",
            "Must the unit have charged in this turn to overrun?",
            {"no": "No: any unit whose opponents all fall in round one.", "yes": "Yes, as 7th and 8th edition say."},
            "The 6th edition text asks only for the first round.",
        ),
        _ruling(
            "crumble_counts",
            "Do enemies that crumble away from losing the combat count as slain?",
            {"yes": "Yes; the answer says that it rests on this reading.", "no": "No: only wounds slay."},
            "The text says slain and is silent on instability.",
        ),
        _ruling(
            "mixed_outcome",
            "One opponent was slain and another broke: what follows?",
            {"pursuit": "A pursuit of the broken one; no overrun.", "overrun": "An overrun is allowed."},
            "A fleeing opponent can be pursued, and a unit makes one move only.",
            wfb("pursuit"),
        ),
        _ruling(
            "hatred_compels",
            "Must a unit overrun after it wiped out a hated enemy?",
            {"no": "No.", "yes": "Yes, as 7th edition says."},
            "The clause was found in 7th edition only.",
            wfb("hatred"),
        ),
        _ruling(
            "contact_rule",
            "When does the move hit a fresh enemy?",
            {
                "swept_path": "When the straight move itself touches it within the roll.",
                "reachable_by_wheel": "Also when the straight move touches nothing and a legal wheel reaches it.",
            },
            "The move itself must allow the hit.",
        ),
        _ruling(
            "wheel_when",
            "When may the wheel start?",
            {"any_point": "At any point of the move.", "start_only": "Only before anything else."},
            "6th edition says only that a charger wheels once.",
            wfb("charge manoeuvre"),
        ),
        Ruling(
            "wheel_max",
            "How far may the unit wheel, in degrees? Any whole number from 1 to 90 may be given.",
            {str(degrees): f"Up to {degrees} degrees." for degrees in (90, 60, 45, 30, 15, 5)},
            "90",
            "The text says slightly and gives no figure.",
            wfb("charge manoeuvre"),
            Numbers(1, 90, "Up to {} degrees."),
        ),
        _ruling(
            "facing_reference",
            "Where did the charger stand when the facing is judged?",
            {
                "overrun_start": "Where it stands as the overrun starts.",
                "turn_start": "Where it stood as the turn began.",
            },
            "The start of the Movement phase has no meaning for a unit that has moved and fought since.",
            wfb("flank and rear charges"),
        ),
        _ruling(
            "facing_counts",
            "Which models decide the zone?",
            {"all_models": "Every model of the charger.", "front_rank": "Its front rank."},
            "Most of the unit, not of a rank.",
            wfb("flank and rear charges"),
        ),
        _ruling(
            "zone_tie",
            "Two zones hold the same number of models: which face is struck?",
            {"die": "A die decides, with equal chances.", "charger_chooses": "The charging player chooses."},
            "The text gives neither side the choice.",
            wfb("flank and rear charges"),
        ),
        _ruling(
            "zone_conflict",
            "The straight move touches another face than that of the zone it started in: what then?",
            {
                "wheel_else_touched": "Wheel to the zone's face if the roll pays for it, else strike the face touched.",
                "touched": "Strike the face touched.",
                "halt": "Halt one inch off; no charge.",
            },
            "The zone decides the face wherever the move can honour it.",
            wfb("flank and rear charges"),
        ),
        _ruling(
            "corner_counts",
            "Is a touch of corners contact?",
            {"yes": "Yes.", "no": "No: bases must overlap along the edge."},
            "The skirmisher rules name corner to corner as contact.",
            wfb("skirmishers"),
        ),
        _ruling(
            "maximise_key",
            "What is maximised?",
            {
                "open_then_closed": "Models with real overlap, then corner touches.",
                "closed": "Every touch, corners included.",
            },
            "Chasing corner touches can cost real overlap.",
        ),
        _ruling(
            "multi_contact",
            "The move touches two enemies at once: whom does it charge?",
            {
                "pick_one_else_both": "The player picks one; if the other cannot be avoided, both.",
                "both": "Both.",
            },
            "The core text is silent; a later edition allows two only when unavoidable.",
        ),
        _ruling(
            "align_blocked",
            "The place where the charger would align is taken: what then?",
            {"charged_turns": "The charged unit turns instead.", "stay_unaligned": "It stays as it touched."},
            "The aligning rule lets either unit move.",
            wfb("aligning the combatants"),
        ),
        _ruling(
            "fleeing_contact",
            "The move touches a fleeing enemy: what then?",
            {
                "destroyed": "It is destroyed and the move stops there.",
                "auto_flee": "It flees again; it is destroyed if it is still within the roll.",
                "ignore": "The move passes it by.",
            },
            "It can neither hold nor fight, and later editions run it down.",
        ),
        _ruling(
            "friend_stop",
            "Where does the move stop at a friend?",
            {"touch": "On touching it.", "halt_1in": "One inch short of it."},
            "Treated like impassable terrain.",
        ),
        _ruling(
            "impassable_stop",
            "Where does the move stop at impassable terrain?",
            {"touch": "On touching it.", "halt_1in": "One inch short of it."},
            "The text says only that it stops.",
            wfb("pursuit"),
        ),
        _ruling(
            "pass_1in",
            "The path passes within one inch of an enemy without touching it: what then?",
            {"full_distance": "The full distance is moved.", "halt_1in": "The unit halts one inch from it."},
            "The distance rolled is always moved in full.",
            wfb("one inch apart"),
        ),
        _ruling(
            "end_within_1in",
            "The move ends within one inch of an enemy that it missed: what then?",
            {"stay": "The unit stays there.", "step_back": "It ends one inch from it instead."},
            "The full distance again.",
            wfb("one inch apart"),
        ),
        _ruling(
            "terrain_waiver",
            "Does difficult ground slow the overrun?",
            {"waive": "No, as in a pursuit.", "apply": "Yes: each inch through it costs two."},
            "The move is made as if the enemy had broken.",
            wfb("pursuit"),
        ),
        _ruling(
            "chariot_terrain_damage",
            "Does a chariot that crosses difficult ground suffer for it?",
            {"yes": "Yes, as in any move.", "no": "No."},
            "Only penalties to movement are waived; 7th edition says so outright.",
            wfb("chariots"),
        ),
        _ruling(
            "engaged_no_free_edge",
            "The enemy is fighting friends and its face leaves no room to align: what then?",
            {
                "contact_where_space": "Contact stands where it touched.",
                "halt_1in": "The unit halts one inch off; no charge.",
            },
            "A charge may not shift to another face.",
        ),
        _ruling(
            "flank_panic",
            "Does a unit engaged since an earlier turn test panic when the overrun strikes its flank or rear?",
            {"test": "Yes, as for any charge.", "waive": "No."},
            "Only fear and terror tests are waived.",
            wfb("panic"),
        ),
        _ruling(
            "heading_conflict",
            "The enemy stood on the unit's flank or rear: which way does it overrun?",
            {
                "own_facing": "Straight along its own facing.",
                "pivot": "It first pivots about its centre towards the place of the slain unit.",
                "disallow": "It may not overrun.",
            },
            "Forward is the only direction that the text gives a unit.",
        ),
        _ruling(
            "edge_rule",
            "The move reaches the table's edge: what then?",
            {
                "7e": "The unit leaves and comes back in its next Movement phase; it may not charge or march then.",
                "destroyed": "The unit is lost.",
                "stop_at_edge": "The unit stops at the edge.",
            },
            "No 6th edition text was found; 7th edition has one.",
            wfb("off the table"),
        ),
        _ruling(
            "us_order",
            "Several units may overrun: which goes first?",
            {"highest_unit_strength": "The one of the highest unit strength.", "player_chooses": "The player chooses."},
            "The order of pursuits.",
            wfb("pursuit"),
        ),
        _ruling(
            "wheel_measure",
            "How is a wheel measured?",
            {"arc": "Along the way of its outer corner.", "chord": "Straight between the ends of that way."},
            "The outer model moves along an arc.",
            wfb("wheel"),
        ),
        _ruling(
            "mm_per_inch",
            "How many millimetres are an inch?",
            {"25.4": "25.4.", "25": "25, a habit of some tables."},
            "An inch is 25.4 millimetres.",
            wfb("bases"),
        ),
    )
)
