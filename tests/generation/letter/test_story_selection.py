"""Which clauses of a note may be told, and to which part of the letter they belong."""

import pytest

from backend.generation.letter.selection.withheld import is_withheld
from backend.generation.letter.story_selection import Part, Unit, units
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.record import MedicationStatus, PlanKind, ProcedureStatus, SocialKind
from backend.schemas.vocabulary import SectionCategory
from tests.generation.letter.conftest import StoryOf


def unit_of(story_of: StoryOf, note: str, words: str) -> Unit | None:
    read = story_of(note)
    return next((one for one in units(read.record, note, read.pieces) if words in one.text), None)


@pytest.mark.parametrize(
    ("note", "words", "part"),
    [
        ("HISTORY OF PRESENT ILLNESS: He came with a cough.\n", "cough", Part.WHY),
        ("PAST MEDICAL HISTORY: Gout since 2010.\n", "Gout", Part.WHY),
        ("HOSPITAL COURSE: He had a coronary angiogram.\n", "angiogram", Part.FOUND),
        ("ASSESSMENT: Likely pneumonia.\n", "pneumonia", Part.FOUND),
        ("ASSESSMENT: Hold lisinopril.\n", "lisinopril", Part.DECIDED),
        ("PLAN: Chest x-ray tomorrow.\n", "x-ray", Part.DECIDED),
        ("HISTORY OF PRESENT ILLNESS: He will follow up with Dr. Lee in 2 weeks.\n", "Dr. Lee", Part.DECIDED),
    ],
)
def test_the_part_of_a_clause(note: str, words: str, part: Part, story_of: StoryOf) -> None:
    found = unit_of(story_of, note, words)
    assert found is not None and found.part is part


@pytest.mark.parametrize(
    ("note", "words"),
    [
        ("REVIEW OF SYSTEMS: He has heartburn.\n", "heartburn"),
        ("FAMILY HISTORY: Mother had gout.\n", "gout"),
        ("ALLERGIES: Penicillin causes hives.\n", "Penicillin"),
        ("HISTORY OF PRESENT ILLNESS: He is a poor historian with a cough.\n", "historian"),
        ("MEDICATIONS: Metformin 500 mg b.i.d.\n", "Metformin"),
    ],
)
def test_what_is_left_out_or_stated_elsewhere(note: str, words: str, story_of: StoryOf) -> None:
    assert unit_of(story_of, note, words) is None


def test_a_decision_weighs_more_than_a_denial(story_of: StoryOf) -> None:
    note = "HISTORY OF PRESENT ILLNESS: He came with a cough. He has pain. He denies fever.\n\nPLAN: Stop lisinopril.\n"
    decided, denied = unit_of(story_of, note, "lisinopril"), unit_of(story_of, note, "fever")
    assert decided is not None and denied is not None
    assert decided.weight > denied.weight


def test_a_long_sentence_is_cut_where_each_part_stands_alone(story_of: StoryOf) -> None:
    note = (
        "HISTORY OF PRESENT ILLNESS: He had a fall from a ladder at work early on Monday morning while it was raining, "
        "and he has had pain in the right hip and the lower back since then.\n"
    )
    read = story_of(note)
    assert [one.text.split()[0] for one in units(read.record, note, read.pieces)] == ["He", "he"]


def test_what_leads_on_is_not_cut_off(story_of: StoryOf) -> None:
    note = (
        "HISTORY OF PRESENT ILLNESS: He says that on Monday during a routine visit to the dentist in the town where his "
        "daughter lives, he felt a sudden pain in the chest that went to the arm.\n"
    )
    read = story_of(note)
    assert len(units(read.record, note, read.pieces)) == 1


@pytest.mark.parametrize("text", ["He is a poor historian.", "As above.", "Please see the dictation."])
def test_words_about_the_note_are_withheld(text: str) -> None:
    assert is_withheld(text)


def test_words_within_others_are_not() -> None:
    assert not is_withheld("Pain above the knee, above 5 of 10.")


def test_every_weight_is_of_something_that_can_be_read() -> None:
    kinds = {f"plan:{one.value}" for one in PlanKind} | {f"social:{one.value}" for one in SocialKind}
    kinds |= {f"medication:{one.value}" for one in MedicationStatus} | {"medication:changed"}
    kinds |= {f"{what}:{one.value}" for what in ("procedure", "device") for one in ProcedureStatus}
    kinds |= {f"section:{one.value}" for one in SectionCategory} | {
        "observation",
        "reason",
        "opening",
        "second",
        "seen",
        "bare",
        "home",
        "reviewed",
        "course",
        "denied:told",
        "plan:read",
    }
    kinds |= {f"problem:{one}" for one in ("present", "uncertain", "past", "denied", "relative")}
    names = [row[0] for row in rule_rows(RULES / "letter" / "story_weights.tsv", 3)]
    assert len(names) == len(set(names))
    assert set(names) <= kinds


def test_a_sentence_that_names_a_medicine_by_the_way_is_no_entry_of_a_list(story_of: StoryOf) -> None:
    note = "HISTORY OF PRESENT ILLNESS: The pain burns, is worse after meals and when lying flat, and is eased by antacids.\n"
    assert unit_of(story_of, note, "worse after meals") is not None
    assert unit_of(story_of, "MEDICATIONS: Takes antacids daily with food.\n", "antacids") is None


@pytest.mark.parametrize(
    "finding",
    [
        "He has a 3/6 murmur at the apex.",  # graded
        "He has a tender knee but no effusion.",  # with what is not there
        "Cranial nerves III and IV show a palsy.",
        "It is tender and red.",  # of what another sentence names
        "He has rales at both bases.",
    ],
)
def test_what_is_for_the_examiner_alone_is_left_out(finding: str, story_of: StoryOf) -> None:
    note = f"HISTORY OF PRESENT ILLNESS: He came with a cough.\n\nPHYSICAL EXAM: {finding}\n"
    assert unit_of(story_of, note, finding.rstrip(".")) is None


def test_a_finding_in_plain_words_is_kept(story_of: StoryOf) -> None:
    note = "HISTORY OF PRESENT ILLNESS: He fell.\n\nPHYSICAL EXAM: He has a bruise on the left thigh.\n"
    assert unit_of(story_of, note, "bruise") is not None


def test_a_list_of_values_is_left_to_the_sentence_of_values(story_of: StoryOf) -> None:
    note = "HISTORY OF PRESENT ILLNESS: He came with a cough.\n\nLABS: Sodium 128, potassium 6.1, calcium 11.4.\n"
    assert unit_of(story_of, note, "128") is None
    told = story_of(note).letter_text
    assert "sodium 128 (low); potassium 6.1 (high); calcium 11.4 (high)" in told


def test_a_value_that_the_story_tells_is_not_told_again(story_of: StoryOf) -> None:
    note = "HISTORY OF PRESENT ILLNESS: He came with a cough and was found to have a sodium of 121 in the clinic.\n"
    assert story_of(note).letter_text.count("121") == 1


def test_a_list_of_home_medicines_is_left_to_the_table_whatever_becomes_of_one(story_of: StoryOf) -> None:
    note = (
        "HISTORY OF PRESENT ILLNESS: He came with a cough.\n\nMEDICATIONS: Lisinopril 10 mg daily, gabapentin 300 mg at "
        "bedtime, omeprazole 20 mg daily.\n\nPLAN: Stop lisinopril.\n"
    )
    assert unit_of(story_of, note, "gabapentin") is None


def test_what_the_team_names_is_read_in_the_assessment_though_a_scan_named_it_first(story_of: StoryOf) -> None:
    note = (
        "HISTORY OF PRESENT ILLNESS: He came with a cough.\n\nIMAGING: CT shows a pulmonary embolism.\n\n"
        "ASSESSMENT: Acute pulmonary embolism after a long flight.\n"
    )
    found = unit_of(story_of, note, "long flight")
    assert found is not None and found.part is Part.FOUND
    assert any(getattr(one, "name", "") == "pulmonary embolism" for one in found.statements)


@pytest.mark.parametrize(
    ("course", "told"),
    [
        ("He can eat soup and bread; however his supine polysomnographic desaturations persist.", False),
        ("He can eat soup and bread; however his cough is worse.", True),
        ("He can eat soup and bread; his supine polysomnographic desaturations persist.", True),
    ],
)
def test_what_is_taken_back_in_part_is_not_told_alone(story_of: StoryOf, course: str, told: bool) -> None:
    note = f"HISTORY OF PRESENT ILLNESS: He came to the clinic with a cough. {course}\n"
    assert any("soup and bread" in one.text for one in story_of(note).story.sentences) is told
