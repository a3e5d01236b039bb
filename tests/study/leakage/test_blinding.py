import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.schemas.studies.study_design import Arm
from backend.schemas.studies.study_frozen import BlindedDraft, DraftMade, DraftProvenance
from backend.study.leakage.blinding import BlindingTerms, blinded, names_of
from backend.study.leakage.leak_search import blinding_terms, leaks
from tests.study.sample import OTHER, SYSTEM, cases, setup


def draft(case: str, arm: str, text: str) -> BlindedDraft:
    return BlindedDraft(
        case_id=case,
        arm_id=arm,
        status=DraftMade.MADE,
        text=text,
        blinded=text,
        provenance=DraftProvenance(source="upload"),
    )


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("Take furosemide 40 mg [K1][P3].", "Take furosemide 40 mg."),
        ("Limit salt [1, 2] and drink [4-6].", "Limit salt and drink."),
        ("Rest.¹² Walk² often.", "Rest. Walk often."),
        ("Weigh daily (Source: heart handbook).", "Weigh daily."),
        ("# Plan of care\n**Rest** and *drink*.", "Plan of care\nRest and drink."),
        ("* one\n• two\n1) three", "- one\n- two\n1. three"),
        ("Discharge Instructions:\nRest.", "Rest."),
        ("According to the retrieved documents, rest.", "Rest."),
        ("As an AI language model, I advise rest.", "I advise rest."),
        ("I am an AI assistant. Rest.", "Rest."),
        ("[team to complete: discharge weight]", "(to be completed: discharge weight)"),
        ("Pneumonia [possible: confirm].", "Pneumonia (possible)."),
        ("Rest.\n\nReferences:\n[1] A book\n2. Another\n", "Rest."),
        ("S:\ncough\nA:\ncold", "Subjective\ncough\nAssessment\ncold"),
        ("“Rest” – it’s good", '"Rest" - it\'s good'),
        ("GPT-4 and Mistral wrote this.", "[…] and […] wrote this."),
    ],
)
def test_a_tell_goes(written: str, shown: str) -> None:
    assert blinded(written).text == shown


@pytest.mark.parametrize(
    "text",
    [
        "BMI 31 kg/m² and 10² copies, wound 4 cm².",
        "Sodium [135-145], glucose [70-99].",
        "Vitamin K (K1) was given; P2 was loud.",
        "DO NOT TAKE IBUPROFEN",
        "Call your doctor if you have:\n- fever\n- chest pain",
        "Dose is 5*3*2 mg.",
        "Furosemide 40 mg daily\nMetoprolol 25 mg twice a day",
    ],
)
def test_what_is_clinical_stays(text: str) -> None:
    assert blinded(text).text == text


def test_names_go_in_any_spelling_but_not_inside_words() -> None:
    terms = BlindingTerms(names_of(["no-retrieval", "vllm:maker/Ocelot-7B"]))
    found = blinded("No retrieval, NO_RETRIEVAL and ocelot 7b. Ocelots live.", terms)
    assert found.text == "[…], […] and […]. Ocelots live."
    assert found.removed == {"name": 3}


def test_one_letter_is_no_name() -> None:
    assert names_of(["A", "B", None, "auto"]) == ()


def test_the_headings_of_all_writers_go_in_all_texts() -> None:
    assert blinded("Why you came\nYou coughed.", BlindingTerms(headings=("Why you came",))).text == "You coughed."


@settings(deadline=None)
@given(st.text(alphabet="ab .\n*#[]()K1P2,:-SOA²“<>_`~|{}!&;…►", max_size=80))
def test_blinding_a_blinded_text_changes_nothing(text: str) -> None:
    once = blinded(text).text
    assert blinded(once) == (once, {})


def test_a_name_in_a_case_or_question_blocks() -> None:
    here = cases(2)
    message = here[0].model_copy(update={"reference": "Quokka 9 is a fine system."})
    found = leaks(setup(public_title="A study of Mistral"), (message, here[1]), ())
    blocking = [(leak.where, leak.what) for leak in found if leak.blocking]
    assert ("case c01", f"'{OTHER}' can be read there") in blocking
    assert ("public_title", "'Mistral' can be read there") in blocking


def test_an_ordinary_word_as_a_name_is_left_in_cases_and_told() -> None:
    arms = (Arm(id="control", system="x1"), Arm(id="trial-arm", system="x1"))
    here = (cases(1)[0].model_copy(update={"text": "Blood sugar control is poor."}),)
    plan = setup(arms=arms, guess_items=0)
    assert "control" not in blinding_terms(plan, (), here).names
    assert [leak.kind for leak in leaks(plan, here, ())] == ["ambiguous_name"]
    assert "control" in blinding_terms(plan, (), cases(1)).names


def test_a_line_that_only_one_arm_writes_is_told_without_blocking() -> None:
    drafts = [draft(f"c{n}", SYSTEM, "Stay well!\nRest.") for n in range(4)] + [
        draft(f"c{n}", OTHER, "Rest.") for n in range(4)
    ]
    found = leaks(setup(), cases(1), drafts)
    assert [(leak.kind, leak.where, leak.blocking) for leak in found] == [
        ("habit", f"arm {SYSTEM}", False),
        ("length", f"arm {SYSTEM}", False),  # 3 words against 1
    ]


def test_a_citation_the_rule_does_not_know_is_told() -> None:
    found = leaks(setup(), cases(1), [draft("c1", SYSTEM, "Rest [AB12]."), draft("c1", OTHER, "Rest now.")])
    assert [leak.kind for leak in found] == ["citation"]
