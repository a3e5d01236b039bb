"""Judge whether the scenarios fit together: known tags, slots that can be filled, texts that somebody can get.

Takes a Library; gives its faults as sentences. It follows tags through what can set them, so a wording that no patient of
its scenario can ever get is a fault.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from backend.errors import KnowledgeError
from backend.training.synthetic.phrases import Block, Condition, Option, is_name, spread
from backend.training.synthetic.scenario_library import Letter, Library, Pools, Scenario
from backend.training.synthetic.scenario_reach import Reach, reach

WORDS = frozenset(["age", "a", "he", "He", "his", "His", "him", "himself", "man", "gentleman", "M", "Mr"])
FRAME_WORDS = WORDS | frozenset(["pmh", "presents", "t", "hr", "bp", "rr", "spo2", "negatives", "list", "what", "why"])
FRAME_TEXTS = [
    "allergies_head",
    "complaint_head",
    "hpi_head",
    "pmh_head",
    "medicines_head",
    "exam_head",
    "results_head",
    "no_allergies",
    "medicines_sentence",
    "greeting",
    "head_why",
    "head_course",
    "head_next",
    "changes_intro",
    "no_changes",
    "rest_same",
    "start",
    "stop",
    "hold",
    "change",
    "continue",
    "warning",
    "primary_care",
    "farewell",
]
# What comorbidities react to; assets/training/README.md lists the same words.
SHARED_FACTS = frozenset(
    [
        "acute-kidney-injury",
        "contrast",
        "steroids",
        "antibiotics",
        "surgery",
        "major-bleeding",
        "icu",
        "new-anticoagulant",
        "new-stent",
        "home-oxygen",
        "falls",
        "confusion",
        "high-potassium",
        "low-potassium",
        "low-sodium",
        "low-blood-pressure",
        "opioids",
        "nausea",
        "stroke",
        "infection",
    ]
)
_AGE_TAGS = ("over-65", "over-75", "over-85", "under-50", "fertile", "female", "male")


def check(library: Library) -> None:
    """Raises KnowledgeError with the first fault and how many there are."""
    found = list(dict.fromkeys(faults(library)))
    if found:
        raise KnowledgeError(f"{found[0]} ({len(found)} fault(s) in the scenarios; see assets/training/README.md.)")


def faults(library: Library) -> Iterator[str]:
    """Everything that is wrong, each with where it stands."""
    yield from _twice([scenario.id for scenario in library.scenarios], "scenario")
    yield from _twice([item.id for item in library.comorbidities], "comorbidity")
    yield from (f"frames.toml lacks the text {name!r}." for name in FRAME_TEXTS if not library.frames.texts.get(name))
    yield from _unknown_drugs(library)
    reaches = {scenario.id: reach(library, scenario) for scenario in library.scenarios}
    known = SHARED_FACTS.union(_AGE_TAGS, *(found.possible for found in reaches.values()), _all_tags(library))
    yield from (
        f"pools.toml, excluded_drugs: nothing ever sets the tag {tag!r}."
        for tag in library.excluded_drugs
        if tag not in known
    )
    for scenario in library.scenarios:
        where = f"{scenario.system}.toml, scenario {scenario.id!r}"
        pools = {**library.pools, **scenario.pools}
        if strange := sorted(set(scenario.comorbidities) - {item.id for item in library.comorbidities}):
            yield f"{where}: there is no comorbidity {strange[0]!r}."
        for option, when in scenario_options(scenario):
            yield from _option_faults(where, option, when, reaches[scenario.id], known, pools, WORDS)
        yield from _vitals_faults(where, scenario)
    for item in library.comorbidities:
        where = f"comorbidities.toml, {item.id!r}"
        blocks = [*item.history, *item.medicines]
        options = [
            *((option, Condition()) for option in item.names),
            *_of_blocks(blocks),
            *_of_letter(item.instructions),
        ]
        for option, when in options:
            both = when & option.when
            able = any(item.id in found.possible and found.allows(both) for found in reaches.values())
            yield from _slots(where, option, library.pools, WORDS)
            unknown = list(_tags(where, both, known))
            yield from unknown
            if not able and not unknown:
                yield f"{where}: nobody can get {option.text!r}."
    for texts in (*library.frames.texts.values(), *(part for style in library.frames.styles for part in style[3:])):
        for option in texts:
            yield from _slots("frames.toml", option, library.pools, FRAME_WORDS)


def scenario_options(scenario: Scenario) -> Iterator[tuple[Option, Condition]]:
    """Every wording of a scenario with the condition of its block."""
    free = (
        *scenario.complaint,
        *scenario.presents,
        *scenario.denies,
        *(entry for pool in scenario.pools.values() for entry in pool),
    )
    yield from ((option, Condition()) for option in free)
    yield from _of_blocks((*scenario.hpi, *scenario.exam, *scenario.results, *scenario.treated))
    yield from _of_letter(scenario.instructions)


def _of_letter(letter: Letter) -> Iterator[tuple[Option, Condition]]:
    yield from _of_blocks((*letter.why, *letter.course, *letter.medicines, *letter.advice, *letter.follow_up))
    yield from ((option, Condition()) for option in letter.warnings)
    for change in letter.changes:
        yield from _of_blocks((change.what,))
        yield from ((option, change.what.when) for option in change.reasons if option.text)


def _of_blocks(blocks: Iterable[Block]) -> Iterator[tuple[Option, Condition]]:
    return ((option, block.when) for block in blocks for option in block.options)


def _option_faults(
    where: str,
    option: Option,
    when: Condition,
    found: Reach,
    known: frozenset[str],
    pools: Pools,
    words: frozenset[str],
) -> Iterator[str]:
    both = when & option.when
    yield from _slots(where, option, pools, words)
    unknown = list(_tags(where, both, known))
    yield from unknown
    if not unknown and not found.allows(both):
        yield f"{where}: nobody can get {option.text!r}; its tags exclude one another or cannot come up here."


def _slots(where: str, option: Option, pools: Mapping[str, Sequence[Option]], words: frozenset[str]) -> Iterator[str]:
    for slot in option.slots():
        if is_name(slot) and slot not in words and slot not in pools:
            yield f"{where}: {{{slot}}} in {option.text!r} is no pool and no word for the patient."
        elif not is_name(slot) and "|" not in slot:
            yield from _range_fault(where, slot)


def _tags(where: str, when: Condition, known: frozenset[str]) -> Iterator[str]:
    return (f"{where}: nothing ever sets the tag {tag!r}." for tag in when.tags() if tag not in known)


def _vitals_faults(where: str, scenario: Scenario) -> Iterator[str]:
    for entry in scenario.vitals:
        saturation = entry.spo2.partition(" ")[0]
        for text in (entry.temp, entry.hr, entry.rr, saturation, *entry.bp.split("/")):
            yield from _range_fault(where, text)
    if scenario.vitals and scenario.vitals[-1].when.groups:
        yield f"{where}: the last `vitals` has a condition, so that some patients have none."


def _range_fault(where: str, text: str) -> Iterator[str]:
    try:
        spread(text, random.Random(0))
    except KnowledgeError as error:
        yield f"{where}: {error}"


def _all_tags(library: Library) -> set[str]:
    facts = [fact for item in library.comorbidities for fact in item.facts]
    return {tag for fact in facts for tag, _ in fact.choices} | {item.id for item in library.comorbidities}


def _unknown_drugs(library: Library) -> Iterator[str]:
    for scenario in library.scenarios:
        yield from (
            f"{scenario.system}.toml, scenario {scenario.id!r}: {name!r} in `excluded_drugs` is no class. Classes: {', '.join(library.classes)}"
            for name in scenario.excluded_drugs
            if name != name.lower() and name not in library.classes
        )


def _twice(ids: Sequence[str], what: str) -> Iterator[str]:
    return (
        f"There are {count} entries {what} {name!r}; ids are unique."
        for name, count in Counter(ids).items()
        if count > 1
    )
