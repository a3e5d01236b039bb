"""The rule by which a flag means an annotated danger."""

import pytest

from backend.evaluation.safety.benchmark_rows import Danger
from backend.evaluation.safety.flag_match import NOT_OF_A_MEDICINE, FlagMatch
from backend.registry import FLAG_KINDS
from backend.schemas.drafts.draft import Flag
from backend.schemas.vocabulary import Severity

SAME = (("kidney", "renal", "eGFR"), ("potassium", "hyperkalemia"), ("potassium", "hypokalemia"))
CONCEPTS = {"co-amoxiclav": ("amoxicillin-clavulanate", "Augmentin"), "aspirin": ("aspirin", "acetylsalicylic acid")}


@pytest.fixture
def match() -> FlagMatch:
    return FlagMatch(SAME, lambda name: CONCEPTS.get(name, ()))


def flag(message: str, kind: str = "contraindication", *evidence: str) -> Flag:
    return Flag(kind=kind, severity=Severity.WARNING, message=message, evidence=evidence)


def danger(what: str, medicine: str, partner: str) -> Danger:
    return Danger.model_validate(
        {"what": what, "medicine": [medicine], "with": [partner], "grade": "severe", "because": "it harms"}
    )


def test_medicine_and_partner_must_both_be_named_in_either_order(match: FlagMatch) -> None:
    lithium = danger("interaction", "ibuprofen", "lithium")
    assert match.found(flag("lithium rises with ibuprofen"), lithium)
    assert not match.found(flag("ibuprofen with a peptic ulcer"), lithium)
    assert not match.found(flag("lithium and a thiazide"), lithium)


def test_a_brand_is_named_by_any_name_of_its_concept(match: FlagMatch) -> None:
    assert match.found(
        flag("amoxicillin-clavulanate: the note lists penicillin"), danger("allergy", "co-amoxiclav", "penicillin")
    )


def test_words_of_one_group_stand_for_each_other_but_groups_do_not_run_together(match: FlagMatch) -> None:
    assert match.found(flag("metformin: renal function is too low"), danger("value", "metformin", "eGFR"))
    assert not match.found(flag("ramipril with hypokalemia"), danger("value", "ramipril", "hyperkalemia"))


def test_all_telling_words_of_a_name_must_be_there_and_british_spelling_is_one_with_american(match: FlagMatch) -> None:
    assert not match.found(flag("bisoprolol in heart block"), danger("disease", "bisoprolol", "heart failure"))
    assert match.found(flag("spironolactone with hyperkalaemia"), danger("value", "spironolactone", "hyperkalemia"))


@pytest.mark.parametrize(
    ("what", "kind"),
    [
        ("kidney_dose", "dose"),
        ("weekly_daily", "dose"),
        ("duplicate", "duplicate"),
        ("monitoring", "monitoring"),
        ("allergy", "allergy_conflict"),
    ],
)
def test_a_flag_of_the_kind_needs_no_word_of_the_partner(match: FlagMatch, what: str, kind: str) -> None:
    assert match.found(flag("methotrexate 10 mg OD: look again", kind), danger(what, "methotrexate", "zebra"))
    assert not match.found(
        flag("methotrexate 10 mg OD: look again", "interaction"), danger(what, "methotrexate", "zebra")
    )


def test_no_word_names_both_medicine_and_partner(match: FlagMatch) -> None:
    twice = danger("duplicate", "acetaminophen", "acetaminophen-codeine")
    assert not match.found(flag("acetaminophen-codeine with diazepam: more sleepiness", "interaction"), twice)
    assert match.found(flag("acetaminophen-codeine and acetaminophen", "duplicate"), twice)
    again = danger("allergy", "allopurinol", "allopurinol")
    assert match.found(flag("allopurinol is what the patient reacts to", "allergy_conflict"), again)
    assert not match.found(flag("allopurinol in kidney disease"), again)


def test_evidence_counts_as_words_of_the_flag(match: FlagMatch) -> None:
    assert match.about(flag("it may harm", "contraindication", "naproxen", "peptic ulcer"), ["naproxen"], ["ulcer"])


def test_the_kinds_that_are_not_about_a_medicine_are_registered_ones() -> None:
    assert set(FLAG_KINDS.names()) >= NOT_OF_A_MEDICINE
