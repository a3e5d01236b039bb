"""What stands in a draft whoever writes it: the crisis line, whom to call for comfort, contradictions; by composer and model alike."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from backend.container.container import Container
from backend.container.language_models import Chosen
from backend.generation.standing.standing_sentences import with_standing
from backend.pipeline.draft_pipeline import DraftPipeline
from backend.planning.source_plan import SourceChoice
from backend.schemas.drafts.draft import Draft, Generator, WrittenSentence
from backend.schemas.drafts.headings import FOLLOW_UP, MEDICINES_PART, PRECAUTIONS, WARNING, WHY
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Basis, Document, DraftStatus, Fit, Support
from backend.systems import system
from models.llm.engine_scripted import Dead, Scripted

CRISIS = (
    "ED NOTE\nAllergies: none\nHPI: A 24-year-old woman with an asthma attack. She has suicidal ideation and a plan to take her pills.\n"
    "Assessment: asthma exacerbation."
)
GIRL = "ED NOTE\nHPI: A 13-year-old girl brought by her mother with suicidal ideation for a week."
HOSPICE = (
    "CLINIC VISIT\nAllergies: none\nHPI: An 80-year-old woman with pneumonia, on home hospice, is short of breath. She wants "
    "comfort only.\nMedications: metformin 500 mg twice daily.\nAssessment: Pneumonia.\n"
)
CALLS = f"{HOSPICE}Plan: Call the hospice nurse for any distress."
TWO_WAYS = (
    "CLINIC VISIT\nAllergies: penicillin (rash). NKDA.\nMedications: warfarin 5 mg daily.\nHPI: An 80-year-old man is seen for cough.\n"
    "Plan: Continue warfarin 2.5 mg daily."
)
REPLY = "Why you came\nYou came because of your breath [N2]. Activity\nRest.\nActivity\nRest when you are tired.\n"
Run = Callable[..., Draft]


@pytest.fixture(params=["leapnote", "no-retrieval"])
def composed(container: Container, request: pytest.FixtureRequest) -> Run:
    """A draft without a language model, by a system that retrieves and by one that does not."""

    def run(note: str, document: Document = Document.DISCHARGE_INSTRUCTIONS, **fields: Any) -> Draft:
        asked = DraftRequest(text=note, document=document, **fields)
        return container.pipeline(request.param, "composer").run(asked)

    return run


@pytest.fixture
def modelled(container: Container) -> Run:
    """A draft by a scripted model."""

    def run(model: Any, note: str, document: Document = Document.DISCHARGE_INSTRUCTIONS, **fields: Any) -> Draft:
        models = container.models.chosen("composer")
        models = Chosen("scripted", Generator(name="scripted", reason="test"), models.roles._replace(writer=model))
        parts = container.assembly.pipeline_parts(system("leapnote"), SourceChoice(), models)
        return DraftPipeline(parts).run(DraftRequest(text=note, document=document, **fields))

    return run


def part(draft: Draft, heading: str) -> list[str]:
    return [one.text for one in draft.sentences if one.section == heading]


def test_a_letter_of_a_crisis_opens_its_warnings_with_a_crisis_line_whatever_leads(composed: Run) -> None:
    draft = composed(CRISIS)
    first, second = [one for one in draft.sentences if one.section == WARNING][:2]
    assert "call your local emergency number or a crisis line at once" in first.text
    assert "988" in second.text
    assert "116 123" in second.text
    assert (first.support, second.support) == (Support.SUPPORTED, Support.SUPPORTED)
    assert Fit.NOT_FOR_THIS_PATIENT not in (first.fit, second.fit)


def test_the_parents_of_a_child_are_addressed(composed: Run) -> None:
    assert part(composed(GIRL), WARNING)[0].startswith("If your child speaks of suicide or self-harm")


@pytest.mark.parametrize("words", ["She denies suicidal ideation.", "Her brother has suicidal ideation."])
def test_without_a_crisis_of_the_patient_there_is_no_line(composed: Run, words: str) -> None:
    note = CRISIS.replace("She has suicidal ideation and a plan to take her pills.", words)
    assert "116 123" not in composed(note).text


def test_a_progress_note_has_no_crisis_line(composed: Run) -> None:
    assert "116 123" not in composed(CRISIS, Document.PROGRESS_NOTE).text


@pytest.mark.parametrize("style", ["sections", "paragraph"])
def test_a_model_s_letter_carries_the_crisis_line_once(modelled: Run, style: str) -> None:
    draft = modelled(Scripted(REPLY), CRISIS, style=style)
    assert draft.text.count("call your local emergency number or a crisis line at once") == 1
    assert [one.support for one in draft.sentences if "116 123" in one.text] == [Support.SUPPORTED]
    if style == "sections":
        assert draft.text.count(f"{WARNING}\n") == 1
        assert draft.text.index(WARNING) < draft.text.index("Rest when you are tired")


def test_a_model_that_writes_nothing_leaves_all_to_the_composer(modelled: Run) -> None:
    draft = modelled(Dead(), CRISIS)
    assert draft.generator.name == "composer"
    assert draft.text.count("116 123") == 1
    assert draft.status is DraftStatus.COMPLETE


def test_where_comfort_is_the_goal_there_is_no_advice_and_the_note_says_whom_to_call(composed: Run) -> None:
    draft = composed(CALLS)
    assert part(draft, WARNING) == ["Your note says: “Call the hospice nurse for any distress.”"]
    assert [one.support for one in draft.sentences if one.section == WARNING] == [Support.SUPPORTED]
    assert [one.text for one in draft.sentences if one.citations and one.citations[0].startswith("P")] == []
    assert "metformin" in " ".join(part(draft, MEDICINES_PART)).lower()
    assert "ambulance" not in draft.text


def test_where_nobody_is_named_to_call_the_team_has_to_say_it(composed: Run) -> None:
    assert part(composed(HOSPICE), WARNING) == [
        "[team to complete: whom to call for comfort, by day and by night; the note names nobody to call]"
    ]


def test_the_same_note_without_the_goal_has_warnings(container: Container) -> None:
    note = (
        HOSPICE.replace(", on home hospice,", "")
        .replace(" She wants comfort only.", "")
        .replace("wants comfort only.", "")
    )
    draft = container.pipeline("leapnote", "composer").run(DraftRequest(text=note))
    assert any("ambulance" in text for text in part(draft, WARNING))


def test_a_model_is_informed_of_comfort_and_gets_no_general_evidence(modelled: Run) -> None:
    model = Scripted("When to get help\nCall an ambulance (911 in the US) if you are short of breath.\n")
    draft = modelled(model, CALLS)
    shown = model.calls[0][1].content
    assert "\ncomfort care\n" in shown
    assert "[P1]" not in shown.split("End of the example")[0].split("An example of the form")[0]
    (sent,) = [one for one in draft.sentences if "ambulance" in one.text]
    assert (sent.fit, sent.fit_reason) == (
        Fit.NOT_FOR_THIS_PATIENT,
        "asks for emergency treatment; the note tells of comfort as the goal of care",
    )
    assert "Your note says: “Call the hospice nurse for any distress.”" in draft.text


def test_suggestions_for_adults_stand_in_no_progress_note_of_a_child_or_for_comfort(container: Container) -> None:
    def plan(note: str) -> str:
        asked = DraftRequest(text=note, document=Document.PROGRESS_NOTE)
        return container.pipeline("leapnote", "composer").run(asked).text

    adult = GIRL.replace("13-year-old girl", "33-year-old woman")
    assert "consider" in plan(adult)
    assert "consider" not in plan(GIRL)
    assert "consider" not in plan(CALLS)


@pytest.mark.parametrize("document", [Document.DISCHARGE_INSTRUCTIONS, Document.PROGRESS_NOTE])
def test_what_a_note_says_in_two_ways_is_a_gap_in_both_documents(composed: Run, document: Document) -> None:
    draft = composed(TWO_WAYS, document)
    prompts = [gap.prompt for gap in draft.gaps]
    assert "The note lists an allergy to penicillin, and also says “NKDA”. Which of them holds?" in prompts
    doses = (
        "The note gives two doses of warfarin: “warfarin 5 mg daily” and “warfarin 2.5 mg daily”. Which of them holds?"
    )
    assert doses in prompts
    gap = next(one for one in draft.sentences if "NKDA" in one.text and one.text.startswith("[team"))
    assert len(gap.citations) == 2  # both places can be seen
    assert gap.support is Support.NOT_SCORED


@pytest.mark.parametrize("document", [Document.DISCHARGE_INSTRUCTIONS, Document.PROGRESS_NOTE])
def test_a_model_smooths_no_contradiction(modelled: Run, document: Document) -> None:
    reply = {
        Document.DISCHARGE_INSTRUCTIONS: "Why you came\nYou came because of a cough [N4].\nStaying safe\nYou are allergic to penicillin [N2].\n",
        Document.PROGRESS_NOTE: "Subjective\nHe has a cough [N4].\nPlan\nRest [N4].\n",
    }[document]  # fmt: skip
    draft = modelled(Scripted(reply), TWO_WAYS, document)
    assert any("NKDA" in gap.prompt for gap in draft.gaps)
    if document is Document.DISCHARGE_INSTRUCTIONS:
        assert part(draft, PRECAUTIONS)[0].startswith("[team to complete: The note lists an allergy")
        assert next(
            gap for gap in draft.gaps if "NKDA" in gap.prompt
        ).required  # no letter is signed before it is settled


def test_a_note_in_one_voice_has_no_such_gap(composed: Run) -> None:
    note = TWO_WAYS.replace(" NKDA.", "").replace("2.5 mg", "5 mg")
    assert not any("Which of them holds" in gap.prompt for gap in composed(note).gaps)


def sentence(section: str, text: str = "x") -> WrittenSentence:
    return WrittenSentence(text=text, section=section, basis=Basis.GENERAL)


def merged(sections: list[str], standing: list[WrittenSentence]) -> list[str]:
    def writer() -> Iterator[WrittenSentence]:
        yield from map(sentence, sections)

    found = with_standing((one for one in writer()), standing, Document.DISCHARGE_INSTRUCTIONS)
    return [f"{one.section}: {one.text}" for one in found]


def test_standing_sentences_come_at_the_head_of_their_part_or_before_the_next_or_last() -> None:
    stands = [sentence(WARNING, "call"), sentence(PRECAUTIONS, "gap")]
    assert merged([WHY, WARNING, PRECAUTIONS], stands) == [
        f"{WHY}: x", f"{WARNING}: call", f"{WARNING}: x", f"{PRECAUTIONS}: gap", f"{PRECAUTIONS}: x",
    ]  # fmt: skip
    assert merged([WHY, PRECAUTIONS], stands)[1:3] == [f"{WARNING}: call", f"{PRECAUTIONS}: gap"]
    assert merged([WHY, FOLLOW_UP], stands)[2:] == [f"{WARNING}: call", f"{PRECAUTIONS}: gap"]
    assert merged([], stands) == []
