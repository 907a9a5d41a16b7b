"""Every reading that the rulebook or the printed flowchart leaves open, with the default and why.

Where the flowchart and the rulebook differ, the rulebook is the default and the printed reading an option.
"""

from __future__ import annotations

from overrun.kernel import Ruling, Rulings
from overrun.rulesets.asl.setup import asl


def _ruling(name: str, cite: str, question: str, reason: str, **options: str) -> Ruling:
    """A ruling whose default is its first option."""
    return Ruling(name, question, options, next(iter(options)), reason, asl(cite))


DECLARATION = (
    _ruling(
        "prc_bounding_fire_bars",
        "D7.1",
        "Does Bounding First Fire by the PRC bar an overrun as the vehicle's own does?",
        "The flowchart names the vehicle only; the rule counts a counter on the vehicle or on its PRC.",
        yes="Fire by the vehicle or its PRC bars it.",
        vehicle_only="Only the vehicle's own fire bars it, as the flowchart prints.",
    ),
    _ruling(
        "towing_bars_ovr",
        "D7.1",
        "May a vehicle that tows overrun?",
        "Towing is not among the bars that D7.1 lists; it costs MP and adds to bog only.",
        no="Towing is no bar.",
        yes="A towing vehicle may not overrun.",
    ),
    _ruling(
        "aerosan_ovr",
        "D7.1",
        "May an aerosan overrun?",
        "No text on it could be read; the safe reading leaves it out.",
        no="It may not.",
        yes="It may, as an unarmored vehicle.",
    ),
    _ruling(
        "half_mp",
        "D7.1",
        "Is half an odd MP allotment rounded?",
        "Only the quarter for the overrun is said to round up; half-allotment terrain is listed without rounding.",
        exact="Keep the half: 13 MP is 6.5.",
        round_up="Round it up: 13 MP is 7.",
    ),
    _ruling(
        "esb_pays_ovr",
        "D3.3",
        "May MP gained by Excessive Speed Breakdown pay for the overrun?",
        "The rulebook's example counts MP in a way that implies it.",
        yes="They may.",
        no="They may not.",
    ),
    _ruling(
        "entry_order",
        "A12.41",
        "What comes first on entry: the reveal or PAATC of concealed Personnel, or the terrain checks?",
        "The PAATC is instant on entry; the Bog DR only precedes the overrun and Defensive First Fire.",
        paatc_first="Reveal or PAATC first.",
        terrain_first="Bog and the other terrain checks first.",
    ),
)

FIREPOWER = (
    _ruling(
        "bulldozer_base",
        "D7.11",
        "What is the base FP of an unarmored bulldozer?",
        "Only the flowchart says 2; the bulldozer rules could not be read.",
        two="2, as the flowchart says.",
        one="1, as any unarmored vehicle.",
    ),
    _ruling(
        "smoke_only_base",
        "D7.11",
        "What is the base FP of an AFV whose Main Armament fires SMOKE only?",
        "Such a weapon is a gun, so by the words of the rule the base is 4.",
        four="4: it is a usable gun.",
        two="2: it cannot hurt anyone.",
    ),
    _ruling(
        "ce_turret",
        "D1.321",
        "Do the Main Armament and CMG of a RST or one-man turret count while the crew is CE?",
        "They are not manned and functioning while the crew member is exposed.",
        unusable="They do not: base 2 and no CMG.",
        usable="They do.",
    ),
    _ruling(
        "ovr_ca",
        "D7.11",
        "Must a weapon's CA include the crossed hexside to add its FP?",
        "D7.11 tests no CA.",
        any="No: every CA will do.",
        crossed_hexside="Yes: weapons listed as outside their CA add nothing.",
    ),
    _ruling(
        "pinned_crew_ovr",
        "A7.82",
        "Does the Pin of an open-topped AFV's crew before the overrun halve its MG, IFE and FT FP?",
        "The flowchart says that Pin results do not matter.",
        ignore="It does not matter.",
        halve="It halves that FP.",
    ),
    _ruling(
        "passenger_sw",
        "D7.11",
        "Do SW of Passengers and Riders add their FP?",
        "The rule speaks of the units' printed FP only.",
        exclude="They add nothing.",
        include="They add as the units' own FP does.",
    ),
    _ruling(
        "ft_only",
        "D7.15",
        "May an AFV decline its base and MG FP so that only FT FP attacks?",
        "The rule speaks of FT FP as the only FP used, which an AFV can have only by declining the rest.",
        allowed="It may.",
        never="It may not: TEM always applies.",
    ),
    _ruling(
        "bogged_ovr",
        "D7.1",
        "What becomes of a declared overrun when the vehicle bogs on entry?",
        "A bogged vehicle is Immobile, and becoming Immobile halves the overrun without cancelling it.",
        halved="It is resolved with half FP.",
        lost="It is lost.",
    ),
    _ruling(
        "cellar_ovr",
        "B23.41",
        "What becomes of a declared overrun when the AFV falls into a cellar?",
        "The AFV is gone, like one destroyed before resolution.",
        halved="It is resolved with half FP.",
        lost="It is lost.",
    ),
)

MODIFIERS = (
    _ruling(
        "passenger_leader",
        "D7.16",
        "When may a Passenger leader modify the overrun?",
        "He directs Passengers, so they must take part.",
        with_passengers="Only when Passengers add FP.",
        always="Whenever he is aboard.",
    ),
    _ruling(
        "ft_only_leadership",
        "A22.2",
        "Does leadership modify an overrun with FT FP alone?",
        "Leadership never modifies FT fire; D7.16 makes no exception.",
        no="It does not.",
        yes="It does.",
    ),
    _ruling(
        "concealed_open_ground",
        "D7.15",
        "Does the -1 for Open Ground apply to concealed units?",
        "The text speaks of Infantry and Cavalry in Open Ground, concealed or not.",
        yes="It applies.",
        no="It does not.",
    ),
    _ruling(
        "wreck_tem",
        "D9.3",
        "Does a wreck or vehicle in the Location give its +1 against an overrun?",
        "D9.3 denies it to fire from the same Location, but D7.15 lists it for overruns and is the more special rule.",
        apply="It does (D7.15).",
        deny="It does not (D9.3).",
    ),
    _ruling(
        "bff_mounted",
        "D6.1",
        "What fraction of their FP do Riders and Passengers outside armored halftracks use in Bounding First Fire?",
        "The flowchart marks the row as Mounted Fire yet prints the unmounted figures: a copy slip.",
        mounted_fire_halves="3/4, and 3/8 when Non-Stopped.",
        as_printed="3/2, and 3/4 when Non-Stopped.",
    ),
)

CONCEALMENT = (
    _ruling(
        "ha_reading",
        "A12.41",
        'What is the "HA" that the flowchart exempts from PAATC?',
        "The Japanese national chart exempts them; the word is almost surely a misprint of IJA.",
        japanese="The Japanese.",
        ignore="Nobody.",
    ),
    _ruling(
        "minors_paatc",
        "A25.91",
        "Which Allied and Axis Minors take a 1PAATC?",
        "The rules say non-elite; the flowchart drops the word.",
        non_elite="The non-elite.",
        as_printed="All of them.",
    ),
)

RESULTS = (
    _ruling(
        "no_personnel",
        "A9.74",
        "Which SW and Guns does an overrun of a Location without Personnel destroy by itself?",
        "The flowchart drops the conditions of the rule.",
        rule="Those outside entrenchments, and only by a fully-tracked AFV.",
        as_printed="All of them, by any vehicle.",
    ),
    _ruling(
        "sangar",
        "F8.41",
        "Does an overrun remove a sangar and the Gun in it?",
        "The flowchart says so; half of the rule's text could not be read.",
        removed="Yes: by a fully-tracked Mobile AFV, or on a Final KIA.",
        stays="No.",
    ),
    _ruling(
        "sangar_underbelly",
        "F8.51",
        "Are underbelly hits possible against a fully-tracked AFV that overruns a sangar?",
        "The flowchart says so and the rule number agrees.",
        yes="They are.",
        no="They are not.",
    ),
    _ruling(
        "hut_collapse",
        "G5.4",
        "Does a hut collapse when an AFV enters?",
        "The flowchart says so; the rule's text could not be read.",
        automatic="It does, and every unit in it takes a PTC.",
        no="It does not.",
    ),
    _ruling(
        "hut_entry",
        "G5.4",
        "Who may enter a hut that has not collapsed?",
        "The flowchart says so; the rule's text could not be read.",
        bu_afv="A BU AFV only.",
        any="Any vehicle that the terrain chart lets in.",
    ),
)

DEFENSIVE_FIRE = (
    _ruling(
        "fpf_unmarked_sw",
        "D7.221",
        "May a unit marked Final Fire use an unmarked SW in Non-CC Reaction Fire?",
        "The rule lists such weapons among its options, the flowchart refuses.",
        no="It may not.",
        yes="It may.",
    ),
    _ruling(
        "gun_without_ovr",
        "C5.6",
        "How does a First Fired Gun shoot when no overrun was declared?",
        "Only Intensive Fire lets a marked Gun shoot again; the flowchart's cell lacks the note.",
        intensive="One shot with Case F, then an Intensive Fire counter.",
        as_printed="As an unmarked Gun.",
    ),
    _ruling(
        "duel_tie",
        "C2.2401",
        "May the ATTACKER declare a Gun Duel when the totals are equal?",
        "His total must be lower; yet the rule also says in which order equal totals fire.",
        none="He may not.",
        final_dr="He may: the lower Final To Hit DR fires first, equal ones at once.",
    ),
    _ruling(
        "final_row_mandatory",
        "D7.212",
        "Is Reaction Fire mandatory for units marked Final Fire after an overrun?",
        "D7.212 and D7.221 say so; the flowchart's row label gives only the FPF note.",
        yes="It is, except against an unarmored vehicle without PRC.",
        as_printed="It is not.",
    ),
    _ruling(
        "unmarked_prevention",
        "C5.641",
        "Does the To Hit DR of an unmarked Gun about to be overrun act as a NMC for its crew?",
        "C5.641 says every such shot; only the Intensive Fire penalties are for marked Guns.",
        yes="It does.",
        no="It does not.",
    ),
    _ruling(
        "ovr_prevention_leader",
        "C5.64",
        "May leadership modify the NMC of OVR Prevention?",
        "The text is silent, and speaks of the Original DR.",
        no="It may not.",
        yes="It may.",
    ),
    _ruling(
        "thrown_dc_same_location",
        "A23.61",
        "May a DC be thrown at a vehicle in the thrower's own Location?",
        "A23.61 bars it except for Japanese and against a vehicle in Bypass.",
        no="Only by Japanese, or against a vehicle in Bypass.",
        yes="By anyone who may use a DC, as D7.22 lists it.",
    ),
    _ruling(
        "psk_table",
        "C13.4",
        "Which To Hit numbers and X# does the PSK have?",
        "Two transcriptions differ; neither could be checked.",
        eleven="11, 9, 8, 7, 4 at ranges 0 to 4, X10.",
        ten="10, 9, 8, 7 at ranges 0 to 3, X11.",
    ),
    _ruling(
        "russian_atr",
        "C13.2",
        "Which B# does the Russian ATR have?",
        "Two transcriptions differ; neither could be checked.",
        b12="B12.",
        b11="B11.",
    ),
    _ruling(
        "cc_unarmed",
        "A11.51",
        "Does the CC DRM for a vehicle without manned MG armament apply to unarmored vehicles too?",
        "The list read does not limit it to AFV.",
        any_vehicle="It applies to any vehicle.",
        afv_only="It applies to AFV only.",
    ),
    _ruling(
        "tpbf_limit_exception",
        "A7.212",
        "Against which vehicle do the limits on TPBF targets not hold?",
        "The rule says unarmed and unarmored; the flowchart says unarmored without Vulnerable PRC.",
        unarmed_unarmored="An unarmed, unarmored vehicle.",
        no_vulnerable_prc="An unarmored vehicle without Vulnerable PRC.",
    ),
)

RULINGS = Rulings((*DECLARATION, *FIREPOWER, *MODIFIERS, *CONCEALMENT, *RESULTS, *DEFENSIVE_FIRE))
"""All rulings, in the order in which an overrun meets them."""
