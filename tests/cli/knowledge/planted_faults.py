"""One fault of every kind that `knowledge check` promises to find, each with where it is planted and the words it must be named by.

Faults of PLANTED are read and judged together; each of UNREADABLE stops the reading, so it is planted alone.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple


class Fault(NamedTuple):
    """A fault.

    Attributes:
        kind: what is wrong, for whoever reads that it was missed.
        file: below the knowledge folder; one that is not there is made.
        named: words that one line of the check must hold, all of them.
        add: lines put at the end of the file.
        old, new: words of the file that are exchanged, once.
    """

    kind: str
    file: str
    named: tuple[str, ...]
    add: str = ""
    old: str = ""
    new: str = ""


NOWHERE = "medicines_other.tsv"
CONCEPTS, TRIPLES = f"concepts/{NOWHERE}", f"triples/{NOWHERE}"
PAIRS, AGAINST = "safety/interactions/sedation.tsv", "safety/contraindications/pain.tsv"
DOSES, COVERAGE = "doses/analgesics.tsv", "safety/coverage.tsv"
UNDOSED = "safety/undosed.tsv"
CHAPTERS, FLAGS, WHOM = "handbook/cardiovascular.md", "red_flags/cardiovascular.tsv", "red_flags/whom.tsv"
APPLIES, SYMPTOM_APPLIES = "applicability/cardiovascular.tsv", "applicability/symptoms.tsv"
STANDING = "standing.tsv"

PLANTED: tuple[Fault, ...] = (
    # concepts and facts
    Fault("an unknown semantic group", CONCEPTS, ("planted group", "semantic group"), "planted group\tXXXX\tconcept"),
    Fault("an unknown category", CONCEPTS, ("planted category", "category 'gadget'"), "planted category\tOBJC\tgadget"),
    Fault("a concept defined twice", CONCEPTS, ("defined twice", "naproxen"), "naproxen\tCHEM\tdrug"),
    Fault(
        "a synonym that is another's name",
        CONCEPTS,
        ("planted synonym", "'gout' is the name of another"),
        "planted synonym\tCONC\tconcept\tgout",
    ),
    Fault("plain words too long", CONCEPTS, ("planted words", "plain has 15 words"),
          "planted words\tCONC\tconcept\t\t" + " ".join(["word"] * 15)),
    Fault("an orphan", CONCEPTS, ("planted orphan: orphan",), "planted orphan\tCONC\tconcept"),
    Fault("a drug without a class", CONCEPTS, ("planted pill: a drug without has_class",), "planted pill\tCHEM\tdrug"),
    Fault("a condition without facts", CONCEPTS, ("planted illness: 0 findings",),
          "planted illness\tDISO\tdisease\t\tan illness\tcondition"),
    Fault("a condition without a chapter", CONCEPTS, ("planted illness: handbook sections missing",)),
    Fault("an unknown relation", TRIPLES, ("unknown relation 'sings_to'",), "naproxen\tsings_to\tgout"),
    Fault("an end that is no concept", TRIPLES, ("'unheard-of-thing' is no concept",),
          "gout\thas_finding\tunheard of thing"),
    Fault("an end of another category", TRIPLES, ("naproxen has_finding", "head is a drug"),
          "naproxen\thas_finding\tfever"),
    Fault("a concept on both sides", TRIPLES, ("gout", "both sides"), "gout\thas_complication\tgout"),
    Fault("a fact stated twice", "triples/cardiovascular.tsv", ("heart-failure has_finding orthopnea: stated twice",),
          "heart failure\thas_finding\torthopnea"),
    Fault("a treatment that is forbidden", AGAINST, ("naproxen both treats and is contraindicated_with gout",),
          "naproxen\tgout\tnever\tplanted\t-\t-"),
    Fault("a safety fact beside the rows", TRIPLES, ("is a safety row; write it in safety/",),
          "naproxen\tcontraindicated_with\tfever"),
    # safety rows and doses
    Fault("a value that nobody has", AGAINST, ("eGFR<4000", "lie between"),
          "naproxen\tfever\tmonitor\tplanted\teGFR<4000\t-"),
    Fault("limits between which nothing lies", AGAINST, ("eGFR from 60 and below 30: no patient has both",),
          "naproxen\tcough\tmonitor\tplanted\teGFR<30; eGFR>=60\t-"),
    Fault("a dead contraindication", AGAINST, ("contraindications/pain", "no check reaches it: what ends it"),
          "naproxen\theadache\tmonitor\tplanted\t-\ttakes:naproxen"),
    Fault("an exempted route that no medicine of the pair has", PAIRS, ("interactions/sedation", "route:otic ends nothing"),
          "naproxen\tcolchicine\tmonitor\tplanted\thas:fever\troute:otic"),
    Fault("a dead interaction", PAIRS, ("interactions/sedation", "no check reaches it: no two different medicines"),
          "naproxen\tcolchicine\tmonitor\tplanted\t-\ttakes:colchicine"),
    Fault("a medicine without doses that the list leaves out", UNDOSED, ("alfentanil: no row of doses",),
          old="alfentanil\tnone written\n"),
    Fault("a medicine of the list that has doses", UNDOSED, ("naproxen: lists nothing that has no row",), "naproxen\tplanted"),
    Fault("a dead dose", DOSES, ("doses/analgesics", "no check reaches it: rows that say more"),
          "naproxen\toral\t-\teGFR<30; eGFR<20\t1\t2\tmg\tweek\t-\t-\nnaproxen\toral\t-\teGFR<20\t1\t3\tmg\tweek\t-\t-"),
    Fault("one pair at two grades, its conditions in another order", AGAINST, ("contraindication of naproxen and dyspnea: repeats", "there monitor and here never"),
          "naproxen\tdyspnea\tmonitor\tplanted\tage>=65; eGFR<30\t-\nnaproxen\tdyspnea\tnever\tplanted\teGFR<30; age>=65\t-"),
    Fault("a dose out of order", DOSES, ("minimum 500", "out of order"),
          "naproxen\trectal\t-\t-\t500\t250\tmg\tdose\t-\t-"),
    Fault("a dose of nothing", DOSES, ("minimum 0.0 and maximum 0.0 are out of order",),
          "naproxen\tnasal\t-\t-\t0\t0\tmg\tdose\t-\t-"),
    Fault("a ceiling below the maximum", DOSES, ("ceiling 400 is below the maximum 500",),
          "naproxen\tintramuscular\t-\t-\t250\t500\tmg\tdose\t400\t-"),
    Fault("a dose by weight without a ceiling", DOSES, ("mg/kg without a ceiling",),
          "naproxen\tintravenous\t-\t-\t1\t5\tmg/kg\tdose\t-\t-"),
    Fault("a day that is less than one dose", DOSES, ("at most 100 a day, but one dose is at least 250",),
          "naproxen\tsublingual\t-\t-\t250\t500\tmg\tdose\t-\t-\nnaproxen\tsublingual\t-\t-\t50\t100\tmg\tday\t-\t-"),
    Fault("ten times the usual dose (a digit too many)", DOSES, ("naproxen: at most 15000 mg, 10 times the usual most",),
          "naproxen\toral\t-\tage>=65\t2200\t15000\tmg\tday\t-\t-"),
    Fault("a thousand times the usual dose (mg for mcg)", "doses/cardiovascular.tsv", ("digoxin: at most 125 mg, 333 times the usual most",),
          "digoxin\toral\t-\tweight<50\t62.5\t125\tmg\tday\t-\t-"),
    Fault("more doses a day than hours", DOSES, ("codeine: at most 90 a day, more than 24 doses a day",),
          "codeine\tnasal\t-\t-\t1\t2\tmg\tdose\t-\t-\ncodeine\tnasal\t-\t-\t1\t90\tmg\tday\t-\t-"),
    Fault("a span that holds everything", DOSES, ("codeine: 1 to 100000 mg is no bound",),
          "codeine\totic\t-\t-\t1\t100000\tmg\tdose\t-\t-"),
    # coverage
    Fault("a medicine of the list that is not known", COVERAGE, ("'plantedcillin' is the name of no medicine",),
          "penicillin\tplantedcillin\tpenicillin"),
    Fault("a medicine of the list outside its class", COVERAGE, ("'naproxen' does not reach the class 'statin'",),
          "statin\tnaproxen\t-"),
    Fault("a medicine of the list outside its family", COVERAGE, ("'simvastatin' is not of the allergy family",),
          "statin\tsimvastatin\tpenicillin"),
    Fault("a family of the list that is none", COVERAGE, ("'planted family' is no allergy family",),
          "statin\tsimvastatin\tplanted family"),
    Fault("a row of the list twice", COVERAGE, ("'flucloxacillin' repeats line",), "penicillin\tflucloxacillin\tpenicillin"),
    Fault("a medicine of the list that lost its name", "concepts/medicines_cardiovascular.tsv",
          ("'bendrofluazide' is the name of no medicine",), "", "bendrofluazide|Aprinox", "Aprinox"),
    # chapters
    Fault("a chapter of no concept", CHAPTERS, ("chapter 'planted nowhere' has no concept",),
          "\n# planted nowhere\n\n## What it is\n\nNothing."),
    Fault("a chapter written twice", CHAPTERS, ("gout: section 'Diet' is written twice",), "\n# gout\n\n## Diet\n\nEat well with gout."),
    Fault("a sentence too long", CHAPTERS, ("stable angina: 40 words",), "",
          "# stable angina\n\n## What it is\n\n",
          "# stable angina\n\n## What it is\n\n" + "Word " + " ".join(["word"] * 39) + ". "),
    Fault("an empty section", CHAPTERS, ("section 'Planted' is empty",), "",
          "# unstable angina\n\n", "# unstable angina\n\n## Planted\n\n"),
    Fault("a chapter out of order", CHAPTERS, ("unstable angina: handbook sections missing or out of order",)),
    Fault("advice that says not for whom", CHAPTERS, ("heart block: speaks of", "without saying for whom", "stent card"),
          "", "Walk each day once a pacemaker", "Keep your stent card with you. Walk each day once a pacemaker"),
    Fault("a symptom's sentence without a row", "handbook/symptoms.md",
          ("chest pain: no row of applicability", "Planted meals"), "",
          "Eat small meals if chest pain", "Planted meals are small. Eat small meals if chest pain"),
    Fault("a row whose sentence is gone", APPLIES, ("the chapter has no sentence 'Planted sentence.'",),
          "heart failure\tDiet\tPlanted sentence.\tsmoker\t-\t-"),
    Fault("a need that names no concept", APPLIES, ("'takes:plantedcillin' names no concept",),
          "heart failure\tPrecautions\tPlanted need.\ttakes:plantedcillin\t-\t-"),
    Fault("a row of a section that is none", "applicability/sections.tsv", ("'Planted part' is no section",),
          "*\tPlanted part\t*\tsmoker\t-"),
    Fault("two chapters that tell another number", "handbook/toxicology_substance.md",
          ("'See your doctor within six weeks after you leave", "contradicts septic shock"), "",
          "See your doctor within one week after you leave", "See your doctor within six weeks after you leave"),
    Fault("two chapters that tell the opposite", "handbook/musculoskeletal.md",
          ("knee replacement: 'Many people can drive again after", "contradicts hip replacement"), "",
          "can drive again after four", "can drive again before four"),
    Fault("a chapter that forbids what another asks for", "handbook/haematology_oncology.md",
          ("'Do not keep the wound clean and dry after surgery.'", "contradicts"), "",
          "Keep the wound clean and dry after surgery.", "Do not keep the wound clean and dry after surgery."),
    # warning signs
    Fault("one red flag at two levels", FLAGS, ("'you cough up pink, foamy mucus' is next_visit, and call_ambulance",),
          "stable angina\tyou cough up pink, foamy mucus\tnext_visit\t-\t-"),
    Fault("a sign at another level than its class", FLAGS, ("chest_pain", "call_today"),
          "stable angina\tyou have chest pain with planted words\tcall_today\t-\t-"),
    Fault("a sign of no chapter", FLAGS, ("'planted nothing' has no chapter",),
          "planted nothing\tyou plant\tcall_today\t-\t-"),
    Fault("a sign too long", FLAGS, ("stable angina: 18 words",),
          "stable angina\t" + " ".join(["word"] * 18) + "\tnext_visit\t-\t-"),
    Fault("signs out of order", FLAGS, ("is more urgent than the sign above it",),
          "stable angina\tyou see planted seeds\tcall_ambulance\t-\t-"),
    Fault("a sign's need that names no concept", FLAGS, ("'has:planted thing' names no concept",),
          "stable angina\tyou see planted trees\tcall_ambulance\thas:planted thing\t-"),
    Fault("too few signs", CONCEPTS, ("planted illness", "0 warning signs")),
    Fault("advice that delays an emergency", CHAPTERS, ("hyperlipidemia: delays chest_pain",), "",
          "Brisk walking, cycling", "Wait until your next visit if chest pain comes. Brisk walking, cycling"),
    Fault("an emergency that is tied to another sign", FLAGS, ("ties confusion to another sign",),
          "hyperlipidemia\tyou have a fever and are newly confused\tcall_ambulance\t-\t-"),
    Fault("a class that no sign belongs to", "red_flags/level_triggers.tsv", ("planted_class: no warning sign",),
          "planted_class\tplanted bulbs\tcall_today\tany\t-\t-\t-\tyou have planted bulbs\tyou have tulips"),
    Fault("a class that does not find its example", "red_flags/level_triggers.tsv", ("does not find 'you have tulips'",),
          "planted_bad\tplanted seeds\tcall_today\tany\t-\t-\t-\tyou have tulips\tyou have planted seeds"),
    Fault("a reader of no chapter", WHOM, ("'planted ghost' has no chapter",), "planted ghost\tyour ghost team"),
    # standing instructions and complaints told elsewhere
    Fault("an instruction for whom nobody is", STANDING, ("planted-need", "'takes:plantedcillin' names no concept"),
          "planted-need\ttakes:plantedcillin\tNever plant.\tPrecautions"),
    Fault("an instruction too long", STANDING, ("planted-long: 31 words",),
          "planted-long\tsmoker\tWord " + " ".join(["word"] * 29) + " end.\tPrecautions"),
    Fault("an instruction without a full stop", STANDING, ("planted-small: the sentence begins small",),
          "planted-small\tsmoker\tnever plant\tPrecautions"),
    Fault("a complaint that is no symptom", "told_under.tsv", ("'metformin' is no symptom or disease",), "metformin\tlimb pain"),
    Fault("a complaint with a chapter of its own", "told_under.tsv", ("'chest pain' has a chapter of its own",),
          "chest pain\tlimb pain"),
    Fault("a complaint told under none", "told_under.tsv", ("'metformin' is no symptom or condition with a chapter",),
          "vomiting blood\tmetformin"),
)  # fmt: skip

UNREADABLE: tuple[Fault, ...] = (
    Fault("a concept with too few cells", CONCEPTS, ("concepts/", "has 2 cells"), "planted\tCONC"),
    Fault("a fact with too many cells", TRIPLES, ("triples/", "has 5 cells"), "gout\thas_finding\tfever\t-\t-"),
    Fault("an interaction twice", "safety/interactions/anticoagulants.tsv", ("repeats safety/interactions",),
          "acetaminophen\twarfarin\tnever\tplanted\t-\t-"),
    Fault("a row under another name", PAIRS, ("Write 'acetaminophen'",), "warfarin\tparacetamol\tnever\tplanted\t-\t-"),
    Fault("a dose under another name", DOSES, ("Write 'acetaminophen'",),
          "paracetamol\toral\t-\t-\t200\t1200\tmg\tdose\t-\t-"),
    Fault("a grade that is none", AGAINST, ("'fatal' is no grade",), "naproxen\tfever\tfatal\tplanted\t-\t-"),
    Fault("a row of no medicine", AGAINST, ("plantedcillin",), "plantedcillin\tfever\tnever\tplanted\t-\t-"),
    Fault("a row of no condition", AGAINST, ("planted fever",), "naproxen\tplanted fever\tnever\tplanted\t-\t-"),
    Fault("a clause that is none", AGAINST, ("full moon",), "naproxen\tfever\tnever\tplanted\tfull moon\t-"),
    Fault("a clause of an unknown value", AGAINST, ("magic",), "naproxen\tfever\tnever\tplanted\tmagic<3\t-"),
    Fault("an empty cell", AGAINST, ("6 filled cells",), "naproxen\tfever\tnever\t\t-\t-"),
    Fault("a dose twice", DOSES, ("of line",), "naproxen\toral\t-\t-\t1\t2\tmg\tday\t-\t-"),
    Fault("a dose that is no number", DOSES, ("'lots' must be a number",), "naproxen\tnasal\t-\t-\t1\tlots\tmg\tday\t-\t-"),
    Fault("a unit that is none", DOSES, ("spoons",), "naproxen\tnasal\t-\t-\t1\t2\tspoons\tday\t-\t-"),
    Fault("a route that is none", DOSES, ("'sideways' is no route",), "naproxen\tsideways\t-\t-\t1\t2\tmg\tday\t-\t-"),
    Fault("a row of the list without its family", COVERAGE, ("coverage.tsv", "has 2 cells"), "statin\tsimvastatin"),
    Fault("a level that is none", FLAGS, ("the level 'someday' is none of",), "heart failure\tyou plant\tsomeday\t-\t-"),
    Fault("a sign twice", FLAGS, ("repeats 'you cough up pink, foamy mucus'",),
          "heart failure\tyou cough up pink, foamy mucus\tcall_ambulance\t-\t-"),
    Fault("a need that is none", APPLIES, ("'left-handed' is no need",), "heart failure\tDiet\tPlanted.\tleft-handed\t-\t-"),
    Fault("a sentence with two rows", APPLIES, ("repeats the sentence",),
          "heart failure\tActivity\tShort walks each day can help your strength with heart failure.\tsmoker\t-\t-"),
    Fault("an instruction twice", STANDING, ("repeats the id 'warfarin-missed'",),
          "warfarin-missed\ttakes:warfarin\tAsk.\tPrecautions"),
    Fault("an instruction for nobody", STANDING, ("whom it is for",), "planted\tnot:smoker\tAsk.\tPrecautions"),
    Fault("a class whose level is none", "red_flags/level_triggers.tsv", ("someday",),
          "planted\tplanted\tsomeday\tany\t-\t-\t-\tplanted\ttulips"),
)  # fmt: skip


def planted(folder: Path, faults: Iterable[Fault]) -> None:
    """Plant faults in a copy of the knowledge.

    Args:
        folder: the copy.
        faults: to plant, in this order.

    Raises:
        ValueError: the words that a fault exchanges are not in its file, so that it would plant nothing.
    """
    for fault in faults:
        path = folder / fault.file
        text = path.read_text(encoding="utf-8")
        if fault.old not in text:
            raise ValueError(f"{fault.kind}: {fault.file} has no {fault.old!r}")
        text = text.replace(fault.old, fault.new, 1) if fault.old else text
        if fault.add:
            text = text.rstrip("\n") + f"\n{fault.add}\n"
        path.write_text(text, encoding="utf-8")
