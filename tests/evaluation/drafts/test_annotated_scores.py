"""Letters against annotations: the lead by any accepted name, facts told where cited, traps by words, dangers by flags."""

from typing import Any

import pytest

from backend.evaluation.drafts.annotated_scores import names_danger, score_draft
from backend.evaluation.drafts.medicine_lines import MEDICINE_MEASURES
from backend.evaluation.reading.gold_notes import AnnotatedNote, GoldNote
from backend.generation.letter.medicines.medicine_prompts import Prompt
from backend.schemas.drafts.draft import Draft, Flag, Generator, Sentence
from backend.schemas.drafts.evidence import Condition, Evidence, NotePiece
from backend.schemas.drafts.note import Allergies, Note

TEXT = "Her appendix was removed on Monday. See Dr Chan in two weeks."


def gold(**more: Any) -> AnnotatedNote:
    base: dict[str, Any] = {"id": "x", "setting": "clinic", "allergies": {"status": "not_stated"}}
    return AnnotatedNote("x", TEXT, GoldNote.model_validate({**base, **more}))


def draft(**more: Any) -> Draft:
    base: dict[str, Any] = {
        "id": "d", "document": "discharge_instructions", "system": "leapnote", "status": "complete", "seed": 0,
        "generator": Generator(name="composer", reason=""), "note": Note(text=TEXT),
        "allergies": Allergies(status="not_stated"),
    }  # fmt: skip
    return Draft.model_validate({**base, **more})


def sentence(
    text: str, basis: str = "patient", citations: tuple[str, ...] = (), condition: str | None = None
) -> Sentence:
    return Sentence(
        text=text, section="s", start_char=0, end_char=0, basis=basis, citations=citations, condition_id=condition
    )


def condition(name: str, **more: Any) -> Condition:
    return Condition(concept_id=name, name=name, score=1, status="possible", focus=True, **more)


def nothing(_: str) -> None:
    return None


def test_a_lead_counts_by_any_accepted_name_and_silence_is_right_where_none_is_honest() -> None:
    lead = {"names": ["appendicitis", "acute abdomen"], "abstain": False}
    assert score_draft(gold(lead=lead), draft(conditions=[condition("acute appendicitis")]), nothing).hits["lead"] == 1
    wrong = score_draft(gold(lead=lead), draft(conditions=[condition("gastroenteritis")]), nothing)
    assert (wrong.hits["lead"], wrong.errors[0].found) == (0, "gastroenteritis")
    silent = gold(lead={"abstain": True})
    assert score_draft(silent, draft(), nothing).hits["abstains"] == 1
    assert score_draft(silent, draft(conditions=[condition("gout")]), nothing).hits["abstains"] == 0


def test_a_fact_is_told_only_by_a_sentence_that_cites_its_place() -> None:
    fact = {"fact": "appendix removed", "quote": "appendix was removed"}
    first = NotePiece(
        id="N1", note_type="General", section="", text="Her appendix was removed on Monday.", start_char=0, end_char=35
    )
    other = NotePiece(
        id="N2", note_type="General", section="", text="See Dr Chan in two weeks.", start_char=36, end_char=61
    )
    evidence = Evidence(notes=(first, other))
    for cited, count in ((("N1",), 1), (("N2",), 0), ((), 0)):
        written = draft(evidence=evidence, sentences=[sentence("Your appendix was removed.", citations=cited)])
        assert score_draft(gold(must_have=[fact]), written, nothing).hits["must_have_cited"] == count


def test_traps_unheld_conditions_and_dangers_are_counted() -> None:
    note = gold(
        must_not=[{"statement": "stop smoking"}],
        dangers=[{"what": "ibuprofen with heart failure", "severity": "severe"}],
    )
    flag = Flag(kind="contraindication", severity="severe", message="ibuprofen: heart failure may get worse")
    written = draft(
        conditions=[condition("gout"), condition("asthma", stated=True)],
        sentences=[
            sentence("You should stop smoking.", basis="general"),
            sentence("Gout hurts.", basis="possible", condition="gout"),
            sentence("Asthma needs care.", basis="general", condition="asthma"),
        ],
        flags=[flag],
    )
    counts = score_draft(note, written, nothing)
    assert (counts.hits["must_not_suspected"], counts.hits["dangers_severe"]) == (1, 1)
    assert (counts.hits["unheld_condition"], counts.totals["unheld_condition"]) == (1, 2)
    assert score_draft(note, draft(), nothing).hits["dangers_severe"] == 0


@pytest.mark.parametrize(
    ("what", "because", "said", "named"),
    [
        ("ibuprofen with heart failure", "fluid", "ibuprofen should not be used with heart failure", True),
        (
            "ibuprofen with heart failure",
            "fluid builds up",
            "ibuprofen: fluid",
            False,
        ),  # two words of the danger itself
        ("haloperidol", "oculogyric crisis", "For the allergy to haloperidol (oculogyric crisis)", True),
        ("haloperidol", "oculogyric crisis", "haloperidol with lorazepam: sleepiness", False),
        ("if given: NSAIDs for knee pain", "platelets 49,000", "Thrombocytopenia (platelets 49,000): no NSAIDs", True),
        (
            "if given: NSAIDs for knee pain",
            "platelets 49,000",
            "Thrombocytopenia (platelets 49,000): no heparin",
            False,
        ),
    ],
)
def test_a_danger_is_named_by_two_words_of_it_or_where_it_is_only_supposed_with_its_reason(
    what: str, because: str, said: str, named: bool
) -> None:
    assert names_danger(what, because, said) is named


def test_medicines_count_by_what_their_rows_say_became_of_them() -> None:
    wanted = [
        {"name": "losartan", "quote": "in two weeks", "status": "home"},
        {"name": "ibuprofen", "quote": "See Dr Chan", "status": "stopped"},
    ]
    rows = [
        {"id": "M1", "action": "continue", "name": "losartan", "source": "the note"},
        {"id": "M2", "action": "stopped", "name": "Advil (ibuprofen)", "source": "the note"},
        {"id": "M3", "action": "stopped", "name": "aspirin", "source": "the note"},
        {"id": "M4", "action": "undecided", "name": "ibuprofen", "source": "the note", "prompt": Prompt.TAKEN_BEFORE},
        {"id": "M5", "action": "hospital_only", "name": "ceftriaxone", "source": "the note"},
    ]
    counts = score_draft(gold(medicines=wanted), draft(medicines=rows), nothing)
    found = {name: (counts.hits[name], counts.totals[name]) for name in MEDICINE_MEASURES if counts.totals[name]}
    assert found == {"medicines_go_on": (1, 1), "medicines_stop": (1, 2), "medicines_taken": (0, 1)}
