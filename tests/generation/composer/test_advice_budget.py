"""How much advice a letter has: a visit has less than a stay, and what is only thought of has no more than when to get help."""

import pytest

from backend.container import Container
from backend.generation.composer.advice_budget import AdviceBudget, by_importance
from backend.generation.composer.material import QuotedSentence
from backend.schemas.drafts.evidence import Passage
from backend.schemas.drafts.headings import ACTIVITY, DIET, PRECAUTIONS
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Length, Source

PLACE = Passage(id="P1", source=Source.BOOK, document_id="handbook/x", title="x", text="", start_char=0, end_char=0)


def quoted(text: str, *medicines: str) -> QuotedSentence:
    return QuotedSentence(text, PLACE, frozenset(medicines), medicines=frozenset(medicines))


def ordered(part: str, *quotes: QuotedSentence) -> list[str]:
    return [one.text for one in by_importance(quotes, part, {"warfarin"}.__contains__)]


def test_a_limit_to_activity_comes_before_what_encourages_it() -> None:
    walk, drive, rest = map(quoted, ("Walk each day.", "Do not drive until you are well.", "Rest at noon."))
    assert ordered("Activity", walk, drive, rest) == [drive.text, walk.text, rest.text]
    assert ordered("Diet", walk, drive) == [walk.text, drive.text]


def test_what_to_do_comes_before_what_to_ask_and_what_holds_only_for_some_comes_last() -> None:
    some, ask, do = map(quoted, ("Wear gloves if you garden.", "Ask about a shot.", "Wash your hands."))
    own = quoted("Tell us if you bruise with warfarin.", "warfarin")
    assert ordered("Precautions", some, ask, do, own) == [do.text, own.text, ask.text, some.text]


@pytest.mark.parametrize(
    ("stay", "illness", "sure", "numbers"),
    [
        (True, True, True, (6, 4, 3, 3)),
        (False, True, True, (6, 2, 1, 1)),
        (False, True, False, (6, 1, 1, 0)),
        (False, False, True, (6, 1, 0, 0)),
    ],
)
def test_a_stay_has_most_and_a_symptom_no_more_than_when_to_get_help(
    *, stay: bool, illness: bool, sure: bool, numbers: tuple[int, ...]
) -> None:
    budget = AdviceBudget(Length.SHORT, stay=stay)
    found = (budget.of(one.part, one.most, 0, illness=illness, sure=sure) for one in budget.parts[:4])
    assert tuple(found) == numbers


def test_all_that_is_asked_for_is_twice_as_much() -> None:
    budget = AdviceBudget(Length.FULL, stay=True)
    assert budget.of("Diet", 2, 0, illness=True, sure=True) == 4
    assert budget.of("Warning signs", 6, 1, illness=True, sure=True) == 4


def test_a_visit_for_a_fever_of_the_gut_has_one_sentence_on_food_and_one_on_activity(container: Container) -> None:
    note = "CLINIC VISIT\nAllergies: none\nHPI: A 40-year-old woman with vomiting.\nAssessment: Infectious gastroenteritis.\n"
    draft = container.pipeline("leapnote").run(DraftRequest(text=note))
    told = [one.section for one in draft.sentences]
    assert (told.count(DIET), told.count(ACTIVITY)) == (1, 1)
    assert 1 <= told.count(PRECAUTIONS) <= 3
