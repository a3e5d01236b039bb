"""The allergies of the record: certainty, who says it, contradictions, rules; and the scorer that only ever adds a question."""

from functools import partial

import pytest

from backend.errors import KnowledgeError
from backend.nlp.allergies.allergy_statements import MODEL_RULE
from backend.nlp.allergies.possible import scorer
from backend.nlp.allergies.read_allergies import AllergiesRead, read_allergies
from backend.nlp.attributes.engine import read_attributes
from backend.nlp.document.parsed_note import parse_note
from backend.schemas.record import VerificationStatus
from backend.schemas.vocabulary import AllergyKind, AllergyStatus
from tests.nlp.fresh import linker


def read(text: str) -> AllergiesRead:
    note = parse_note(text)
    mentions = linker().link(text).note.mentions
    return read_allergies(note, mentions, linker().lookup, partial(read_attributes, note))


def test_a_listed_allergy_has_its_place_its_rule_and_what_speaks_against_it() -> None:
    record = read("ALLERGIES: NKDA.\n\nPMH: Asthma. He is allergic to penicillin (hives).").record
    (item,) = record.items
    assert (record.status, item.reaction, item.possible) == (AllergyStatus.LISTED, "hives", False)
    assert item.rule_ids == ("allergies/events/called.to",)
    assert [span.text for span in item.contradicted_by] == ["NKDA"]
    assert item.spans[0].text == "penicillin"


def test_what_the_lexicon_does_not_know_is_less_certain() -> None:
    known, unknown = read("ALLERGIES: Penicillin, Xylazol.").record.items
    assert known.certainty > unknown.certainty
    assert unknown.concept_id is None


def test_who_says_it_is_kept() -> None:
    (item,) = read("HPI: Her daughter reports that she is allergic to codeine.").record.items
    assert item.asserter == "daughter"


def test_a_possible_allergy_is_a_question_with_the_model_s_certainty() -> None:
    linked = read("HPI: He took naproxen for his knee and within the hour his eyelids were swollen shut.")
    assert linked.allergies.items == ()
    (item,) = linked.record.items
    assert (item.possible, item.verification_status, item.rule_ids) == (
        True,
        VerificationStatus.UNCONFIRMED,
        (MODEL_RULE,),
    )
    assert scorer.scorer().threshold <= item.certainty < 1


def test_a_severe_reaction_in_capitals_is_no_dressing() -> None:
    linked = read("PMH: DRESS on carbamazepine in 2015.")
    assert [item.agent for item in linked.record.items] == ["carbamazepine"]
    assert read("PLAN: Dress the wound daily. Carbamazepine continued.").record.items == ()


def test_an_intolerance_keeps_its_kind() -> None:
    (item,) = read("ALLERGIES: Codeine (nausea).").record.items
    assert item.kind is AllergyKind.INTOLERANCE


@pytest.mark.parametrize(
    "text",
    [
        "PMH: Penicillin allergy as a child, delabelled in 2021.",
        "PMH: Penicillin allergy, passed a graded challenge.",
        "HPI: Her brother is allergic to penicillin.",
        "HPI: She tolerates penicillin.",
        "HPI: Penicillin was given for an itchy rash.",
    ],
)
def test_what_is_withdrawn_tolerated_or_another_s_is_no_allergy(text: str) -> None:
    found = read(text)
    assert found.allergies.items == () == found.allergies.possible
    assert all(one.verification_status is VerificationStatus.REFUTED for one in found.record.items)


def test_a_missing_or_malformed_model_is_an_error(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "model.json"
    broken.write_text('{"bias": 0}', encoding="utf-8")
    monkeypatch.setattr(scorer, "MODEL", broken)
    with pytest.raises(KnowledgeError, match="missing or malformed"):
        scorer.scorer.__wrapped__()
