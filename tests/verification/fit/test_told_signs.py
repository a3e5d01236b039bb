"""One level for one sign: what a warning tells by its complaints, and whether another tells it already."""

import pytest

from backend.container import Container
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.drafts.request import DraftRequest
from backend.verification.fit.told_signs import ToldSigns, signs_of

AMBULANCE, ED, TODAY = (
    "Call an ambulance (911 in the US) if ",
    "Go to an emergency department now if ",
    "Call your doctor today if ",
)
NOTE = "HPI: A 60-year-old man has a cough."


def told(container: Container, *sentences: str) -> ToldSigns:
    fit = container.checks.fit.of_patient(container.linker.read(NOTE), (), DraftRequest(text=NOTE))
    signs = fit.told_signs()
    for one in sentences:
        signs.is_new(one)
    return signs


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (f"{AMBULANCE}you have chest pain or trouble breathing, or you faint.", f"{AMBULANCE}you have severe trouble breathing."),
        (f"{AMBULANCE}you faint again.", f"{AMBULANCE}you faint with chest pain, a racing heart or trouble breathing."),
        (f"{AMBULANCE}you faint again.", f"{TODAY}you nearly faint, or feel faint when you stand."),
        (f"{AMBULANCE}your child is confused, limp or very hard to wake.", f"{ED}your child is drowsy or plays less than usual."),
        (f"{ED}your stools are black like tar or bloody.", f"{TODAY}you pass blood from the bowel again."),
        (f"{AMBULANCE}you have a seizure, and this is new or gets worse.", f"{ED}you have a seizure after a fall."),
    ],
)  # fmt: skip
def test_what_is_told_as_urgently_is_not_told_again(container: Container, first: str, then: str) -> None:
    signs = told(container, first)
    assert not signs.is_new(then)
    assert signs.repeated() == frozenset()


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (f"{TODAY}you have a headache.", f"{AMBULANCE}you have a headache with weakness."),  # more urgent
        (f"{AMBULANCE}you have severe trouble breathing.", f"{AMBULANCE}you have trouble breathing or chest pain."),  # of more cases
        (f"{AMBULANCE}you faint.", f"{AMBULANCE}you faint, or your heart beats very slowly."),  # tells another sign too
        (f"{AMBULANCE}you are confused.", f"{AMBULANCE}you have a headache with confusion, or with a fever and a stiff neck."),
        (f"{ED}your urine turns dark like cola, and you feel weak or dizzy.", f"{TODAY}you feel dizzy."),  # of both together
        (f"{ED}you have a fever or belly pain with liver disease.", f"{TODAY}you have a fever."),  # what follows may narrow both
        (f"{AMBULANCE}you faint.", f"{ED}you nearly faint."),  # a lesser sign that is an emergency itself
    ],
)  # fmt: skip
def test_another_sign_stands(container: Container, first: str, then: str) -> None:
    lesser = first.startswith(AMBULANCE) and "nearly" in then
    assert told(container, first).is_new(then) is not lesser


def test_a_narrower_sign_that_came_first_is_repeated_by_a_later_one(container: Container) -> None:
    narrow, wide = f"{AMBULANCE}you have severe trouble breathing.", f"{AMBULANCE}you have trouble breathing."
    assert told(container, narrow, wide).repeated() == {narrow}


def test_the_alternatives_of_a_sign_share_what_stands_before_with(container: Container) -> None:
    sign = "you have a headache with weakness or a seizure, or you faint"
    found = [one.concepts for one in signs_of(sign, container.linker.named(sign))]
    assert found == [{"LN:headache", "LN:generalized-weakness"}, {"LN:headache", "LN:seizure"}, {"LN:syncope"}]


def test_lesser_signs_are_concepts_of_the_graph(container: Container) -> None:
    for row in rule_rows(RULES / "fit" / "lesser_signs.tsv", 2):
        for concept in row:
            name = concept.removeprefix("LN:").replace("-", " ")
            assert concept in {one.concept_id for one in container.linker.named(name)}
