"""Every switch for a rule that the text leaves open (fact sheet 11b)."""

from __future__ import annotations

from overrun.kernel import Ruling, Rulings
from overrun.rulesets.valor.hexmap import vv

RULINGS = Rulings(
    (
        Ruling(
            "entrenchment_entry_mp",
            "Does the target hex cost 1 MP more for its foxholes, trenches, caves or sandbags?",
            {
                "example": "No: the printed example charges woods with foxholes 2 MP. Approach hexes still pay.",
                "strict": "Yes: every hex with a position costs 1 MP more.",
            },
            "example",
            "The example of section 19 and rule 20.3 disagree; the example is about this very move.",
            vv("20.3"),
        ),
        Ruling(
            "reverse_overrun",
            "May an AFV overrun in reverse?",
            {
                "allowed": "Yes, at double movement cost; Final Opportunity Fire still meets rear armor.",
                "forbidden": "No.",
            },
            "allowed",
            "Nothing forbids it.",
            vv("7.2"),
        ),
        Ruling(
            "off_map_exit",
            "May the AFV leave the map instead of entering an exit hex?",
            {
                "illegal": "No: it must end its move in a hex.",
                "allowed": "Yes, where the scenario lets units leave; it costs as open ground.",
            },
            "illegal",
            "Section 19 speaks of an exit hex.",
            vv("6.10"),
        ),
        Ruling(
            "declaration",
            "When is the overrun declared?",
            {
                "whole_path": "With the whole path, before the first hex.",
                "on_target_entry": "On entering the target hex: the AFV may still stop after the approach fire.",
            },
            "whole_path",
            "19.2 calls the AFV overrunning on every hex of its approach.",
            vv("19.3"),
        ),
        Ruling(
            "turn_vs_fire",
            "Which facing counts for fire in a hex where the AFV also turns?",
            {
                "before_turn": "The facing it entered with.",
                "after_turn": "The facing after its turn.",
                "firer_chooses": "The firer chooses.",
            },
            "before_turn",
            "Fire comes as the AFV enters the hex; the turn follows.",
            vv("13.8"),
        ),
        Ruling(
            "en_equal",
            "What does an elimination roll exactly equal to the number do?",
            {
                "immobilise": "It immobilises and the crew checks.",
                "eliminate": "It eliminates.",
            },
            "immobilise",
            "18.4 has its own result for the exact number; the example only calls it the number or less.",
            vv("18.4"),
        ),
        Ruling(
            "valor_checks",
            "Does a natural 2 bring a valor check?",
            {"on": "Yes, for infantry on an AP or to-hit roll.", "off": "No valor in this game."},
            "on",
            "Chapter 16 is part of the standard rules.",
            vv("16.2"),
        ),
        Ruling(
            "exit_shots",
            "May a survivor without a Fire marker shoot twice as the AFV leaves, once by each rule?",
            {
                "one": "No: one shot, as ordinary or as Final Opportunity Fire.",
                "both": "Yes: an ordinary shot and then a Final one.",
            },
            "one",
            "Final Opportunity Fire is there for units that have fired already.",
            vv("19.2"),
        ),
        Ruling(
            "passenger_leader",
            "Does a passenger leader who joins the attack modify its roll?",
            {"modifies": "Yes, by his leadership.", "never": "No."},
            "modifies",
            "13.6 with 14.3: he takes part in the attack.",
            vv("13.6"),
        ),
        Ruling(
            "grenade_stacking",
            "How much do grenades of several passengers lower the roll?",
            {"per_unit": "By 1 for each unit using them.", "once": "By 1 in all."},
            "per_unit",
            "12.52 gives the modifier to the unit.",
            vv("12.52"),
        ),
        Ruling(
            "smoke_covers_target",
            "Does smoke in the target hex hinder the overrun attack?",
            {"yes": "Yes, as on any fire into the hex.", "no": "No: the AFV is inside it."},
            "yes",
            "Cover modifiers apply, and smoke hinders fire into its hex.",
            vv("11.5"),
        ),
        Ruling(
            "low_roll",
            "What does a modified roll below 2 give?",
            {
                "clamp": "The result of column 2.",
                "extrapolate": "One more casualty point for each step below 2.",
            },
            "clamp",
            "No column below 2 is printed.",
            vv("14"),
        ),
        Ruling(
            "over_allocation",
            "May the defender take more casualty points than he must?",
            {
                "until_met": "He acts on unit after unit until the total is met; the last action may be bigger.",
                "irredundant": "No unit may suffer more than the total needs.",
            },
            "until_met",
            "14.61 as written.",
            vv("14.61"),
        ),
        Ruling(
            "pinned_pay_after_pins",
            "May pinned units pay once the unpinned ones are pinned by this attack?",
            {
                "yes": "Yes: the order of 14.61 binds unpinned units only.",
                "no": "No: pins come last of all, so pinned units pay only when every unpinned one is eliminated.",
            },
            "yes",
            "14.62 asks only that no unpinned unit is left.",
            vv("14.62"),
        ),
    )
)
