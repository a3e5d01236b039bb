"""Allergies told as something that happened: what counts, and what is given against a reaction never does."""

import pytest

from backend.nlp.allergies.events import EventReader
from backend.schemas.vocabulary import AllergyStatus
from tests.nlp.allergies.small_note import small_note
from tests.nlp.fresh import linker


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Prior bronchospasm with fentanyl.", {"fentanyl"}),
        ("Angioedema attributed to lisinopril.", {"lisinopril"}),
        ("He has a rash, which came from ampicillin that he was given.", {"ampicillin"}),
        ("Hives, which were caused by cefazolin.", {"cefazolin"}),
        ("He was offered codeine, but he says that it makes him vomit.", {"codeine"}),
        ("Zosyn was discontinued when she broke out in a diffuse rash; she finished with aztreonam.", {"zosyn"}),
        ("She received cefazolin and promptly developed hypotension and urticaria.", {"cefazolin"}),
        ("28F sob. ALL sulfa, latex. neb given.", {"sulfa", "latex"}),
        ("Meds/Allergies: aspirin/amoxicillin", {"amoxicillin"}),
        # the medicine came after the reaction, or against it
        ("Flushing and itching, and he was switched to daptomycin.", set()),
        ("Wheezing all night. Better after albuterol.", set()),
        ("Itchy rash, treated with prednisone.", set()),
        ("An itchy rash, which was treated with prednisone.", set()),
        ("She has nausea, which got better from ondansetron.", set()),
        ("No rash with amoxicillin.", set()),
        ("Watch for rash with amoxicillin.", set()),
        ("Pupils are equal and react to light.", set()),
    ],
)
def test_what_happened_names_the_allergen(text: str, expected: set[str]) -> None:
    assert {item.text.lower() for item in linker().link(text).allergies.items} == expected


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("19m lac r hand. td utd. all none. vss.", AllergyStatus.NONE_KNOWN),
        ("He has never reacted to any medication.", AllergyStatus.NONE_KNOWN),
        ("PMH, medications and allergies could not be obtained.", AllergyStatus.UNREADABLE),
    ],
)
def test_shorthand_says_that_there_is_none_or_that_nobody_knows(text: str, status: AllergyStatus) -> None:
    assert linker().link(text).allergies.status is status


@pytest.mark.parametrize(
    ("text", "agent", "reaction", "said", "rule", "decided_by"),
    [
        ("Allergic to penicillin.", "penicillin", "", "", "called.to", None),
        ("Intolerant of codeine.", "codeine", "", "intolerance", "called.to", None),
        ("Codeine gave her hives.", "Codeine", "hives", "", "causes.verb", "hives"),
        ("Penicillin (hives).", "Penicillin", "hives", "", "bracket", "hives"),
        ("Angioedema attributed to Zorbivax.", "Zorbivax", "Angioedema", "", "came.from", "Angioedema"),
        ("Codeine was stopped because of hives.", "Codeine", "", "", "stopped.verb", "hives"),
    ],
)
def test_an_event_names_its_agent_its_rule_and_the_words_that_must_be_a_fact(
    text: str, agent: str, reaction: str, said: str, rule: str, decided_by: str | None
) -> None:
    note = small_note(text)
    last = len(note.words)
    reader = EventReader(note.note, note.wording, note.agents)
    ((entry, place),) = reader.read(0, last, note.triggers(), note.agents.among(0, last))
    assert (note.said(entry.first, entry.last), entry.reaction, entry.said) == (agent, reaction, said)
    assert entry.rule_id == f"allergies/events/{rule}"
    # of what is called an allergy the place is a negative number: denials alone speak against it
    assert (note.said(*place) if place[0] >= 0 else None) == decided_by


@pytest.mark.parametrize("text", ["Codeine gave her relief.", "Avoid latex.", "Codeine.", "She walked home."])
def test_a_trigger_without_its_effect_or_agent_is_no_event(text: str) -> None:
    note = small_note(text)
    last = len(note.words)
    reader = EventReader(note.note, note.wording, note.agents)
    assert list(reader.read(0, last, note.triggers(), note.agents.among(0, last))) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # harm that it did
        ("Avoid codeine because of previous anaphylaxis.", {"codeine"}),
        ("Avoid morphine due to itching.", {"morphine"}),
        ("Avoid tramadol - she had a seizure on it.", {"tramadol"}),
        ("Avoid ibuprofen because of a bleeding ulcer it caused in 2015.", {"ibuprofen"}),
        ("Should not receive contrast because of a prior anaphylactoid reaction.", {"contrast"}),
        ("She cannot take codeine.", {"codeine"}),
        # what the patient has
        ("Avoid ibuprofen because of a previous ulcer.", set()),
        ("Avoid NSAIDs due to a history of gastritis.", set()),
        ("Avoid opioids because of chronic constipation.", set()),
        ("Avoid beta blockers because of asthma.", set()),
        ("She should not take sumatriptan after her stroke.", set()),
        ("Do not take ibuprofen because it can hurt your kidneys.", set()),
    ],
)
def test_a_medicine_barred_by_what_the_patient_has_is_no_allergy(text: str, expected: set[str]) -> None:
    assert {item.text.lower() for item in linker().link(text).allergies.items} == expected


def test_a_reaction_to_a_fast_infusion_is_an_intolerance_that_slow_infusion_does_not_take_back() -> None:
    text = "He had red man syndrome with vancomycin last spring but tolerates it when it is run over two hours."
    assert [(one.name, one.kind.value) for one in linker().link(text).allergies.items] == [
        ("vancomycin", "intolerance")
    ]


@pytest.mark.parametrize(
    ("text", "agents"),
    [
        ("nkda. erythromycin rash 1x.", {"erythromycin"}),
        ("NKDA. Tramadol vomiting 2017.", {"tramadol"}),
        ("nkda. aspirin 75 mg. rash on the shin today.", set()),
        ("Terazosin 2->5 mg, worked for nightmares, stopped by him.", set()),
        ("Atenolol 25 -> 50 mg, dizzy since.", set()),
        ("Erythromycin -> hives.", {"erythromycin"}),
        ("Erythromycin -> 2 days of hives.", {"erythromycin"}),
        (
            "ALLERGIES: Moxifloxacin, tendon rupture, right biceps, 2011. Tramadol, nausea.",
            {"moxifloxacin", "tramadol"},
        ),
    ],
)
def test_a_bare_entry_may_end_with_when_an_arrow_to_a_dose_and_a_side_are_none(text: str, agents: set[str]) -> None:
    record = linker().read(text).record
    assert record is not None
    assert {one.agent for one in record.allergies.items if not one.possible} == agents
