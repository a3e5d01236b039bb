"""What a gap asks for, by its prompt, and which answers it takes; kinds and answers written for this test."""

import pytest

from backend.errors import InputError
from backend.review.editing.gap_answers import NEEDS, check_gap_answer, check_reason, check_rewritten, gap_kind
from backend.schemas.drafts.gaps import GapKind, gap_text

K = GapKind
PROMPTS = {
    K.DATE: "date of the last mammogram",
    K.APPOINTMENT: "appointments, with dates and places",
    K.DOSE: "how much prednisolone",
    K.PHONE: "telephone of the fracture clinic",
    K.PERSON: "who helps with the dressings",
    K.WORDS: "allergies; the note does not say",
}
ANSWERS = {
    K.DATE: ["3/14/2026", "14 March", "on Thursday", "in 10 days", "tomorrow", "2027-01-09"],
    K.APPOINTMENT: ["Rheumatology will call her", "Dr Osei, 4 June at 9", "GP", "in six weeks", "cardiology"],
    K.DOSE: ["40 mg each morning", "2 tablets at night", "0.5 mL", "10 units before meals"],
    K.PHONE: ["020 7946 0018", "911", "ext 4471"],
    K.PERSON: ["Dr Njoroge", "her sister", "the community nurse", "Oyelaran"],
    K.WORDS: ["none", "NKDA", "nkda", "No known allergies.", "penicillin", "Keine bekannten Allergien", "无已知过敏"],
}
NONSENSE = [
    "x",
    ".",
    "…",
    "-",
    "xxx",
    "??",
    "TBD",
    "n/a",
    "N.A.",
    "pending",
    "zzzz",
    "fghjkl",
    "to be confirmed",
    "\u200b\u200b",
    "a",
    "aa",
    "👍",
]


@pytest.mark.parametrize("kind", K)
def test_the_kind_is_read_from_the_prompt_and_says_what_it_needs(kind: GapKind) -> None:
    assert gap_kind(PROMPTS[kind]) is kind and NEEDS[kind]


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in ANSWERS.items() for text in texts])
def test_an_answer_of_the_kind_is_taken(kind: GapKind, text: str) -> None:
    check_gap_answer(PROMPTS[kind], text)


@pytest.mark.parametrize("kind", K)
@pytest.mark.parametrize("text", NONSENSE)
def test_what_says_nothing_is_refused_with_what_is_needed(kind: GapKind, text: str) -> None:
    with pytest.raises(InputError, match="this place needs") as refused:
        check_gap_answer(PROMPTS[kind], text)
    assert NEEDS[kind] in str(refused.value) and "with a reason" in str(refused.value)


@pytest.mark.parametrize(
    ("kind", "text"),
    [(K.DATE, "the usual clinic"), (K.DOSE, "as before"), (K.DOSE, "some"), (K.PHONE, "the ward"), (K.PERSON, "12")],
)
def test_words_that_are_no_answer_of_the_kind_are_refused(kind: GapKind, text: str) -> None:
    with pytest.raises(InputError, match="this place needs"):
        check_gap_answer(PROMPTS[kind], text)


def test_a_reason_says_something() -> None:
    check_reason("the patient could not be asked")
    for text in ("x", "n/a", "."):
        with pytest.raises(InputError, match="few words"):
            check_reason(text)


def test_a_rewritten_sentence_answers_its_gap_or_keeps_it() -> None:
    before = gap_text(PROMPTS[K.DOSE])
    check_rewritten(before, f"Ask the ward: {before}")
    check_rewritten(before, "Take 5 mg each day.")
    with pytest.raises(InputError, match="a dose with its unit"):
        check_rewritten(before, "Take it.")


def test_a_rewritten_sentence_keeps_the_words_around_its_gap() -> None:
    gap = gap_text("whether to take, change or stop")
    before = f"Apixaban 5 mg, twice a day; ramipril 5 mg: {gap}"
    check_rewritten(before, "Apixaban 5 mg, twice a day; ramipril 5 mg: keep taking both.")
    check_rewritten(before, f"{before} Ask the ward.")
    with pytest.raises(InputError, match="words around this place"):
        check_rewritten(before, "Take your medicines.")
    with pytest.raises(InputError, match="an answer in words"):
        check_rewritten(before, "Apixaban 5 mg, twice a day; ramipril 5 mg: x")
    with pytest.raises(InputError, match="cannot do without this place"):
        check_rewritten(before, f"Apixaban 5 mg, twice a day; ramipril 5 mg: {gap_text('anything')}")


def test_each_of_two_gaps_is_answered_where_it_stands() -> None:
    before = f"See {gap_text(PROMPTS[K.PERSON])} on {gap_text(PROMPTS[K.DATE])} at the clinic."
    check_rewritten(before, "See Dr Lee on 12 May at the clinic.")
    check_rewritten(before, f"See Dr Lee on {gap_text(PROMPTS[K.DATE])} at the clinic.")
    with pytest.raises(InputError, match="a date or a time"):
        check_rewritten(before, "See Dr Lee on x at the clinic.")
    with pytest.raises(InputError, match="a date or a time"):
        check_rewritten(before, "See 12 May on Dr Lee at the clinic.")
