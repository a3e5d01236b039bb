"""Who told the history is left out of what they told; a parent reads of themselves as "you"."""

import pytest

from backend.generation.letter.plain_language.clause_subjects import FEMALE, MALE, Addressee
from backend.generation.letter.plain_language.reported import (
    denied_list,
    or_of_denials,
    owned,
    to_parent,
    to_you,
    unreported,
    with_teller,
)

WOMAN, BOY = Addressee(FEMALE), Addressee(MALE, child=True)


@pytest.mark.parametrize(
    ("text", "patient", "told"),
    [
        ("She states that the pain is worse at night.", WOMAN, "The pain is worse at night."),
        ("The patient reports she has no appetite.", WOMAN, "She has no appetite."),
        ("The mother says that he is eating well.", BOY, "He is eating well."),
        ("According to the patient, the cough is dry.", WOMAN, "The cough is dry."),
        ("She was treated for gout, according to the patient.", WOMAN, "She was treated for gout."),
        (
            "According to mom since his operation in May, he has slept.",
            BOY,
            "Since his operation in May, he has slept.",
        ),
        ("According to her son, she fell.", WOMAN, "According to her son, she fell."),
        ("Her daughter says that she is confused.", WOMAN, "Her daughter says that she is confused."),
        ("She states that over the last year she has lost weight.", WOMAN, "Over the last year she has lost weight."),
        ("She states that last week he fell.", WOMAN, "She states that last week he fell."),
        ("She states that at night no sleep comes.", WOMAN, "She states that at night no sleep comes."),
        ("She reports nausea and a cough.", WOMAN, "She reports nausea and a cough."),
        ("She says that he hit her.", WOMAN, "She says that he hit her."),
        ("She says no pain was felt.", WOMAN, "She says no pain was felt."),
    ],
)
def test_a_sentence_stands_without_who_told_it(text: str, patient: Addressee, told: str) -> None:
    assert unreported(text, patient) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The parents rushed him to the clinic.", "You rushed him to the clinic."),
        ("They gave him fluids.", None),  # whoever they are
        ("Your child was brought in by his mother.", "Your child was brought in by his mother."),
        ("Your child was seen by them.", None),
        ("The syrup was given and mom thought it helped.", None),
        ("The doctor told the parents to wait.", None),
    ],
)
def test_parents_are_the_readers(text: str, told: str | None) -> None:
    assert to_parent(text) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("You also deny any rash.", "You also report no rash."),
        (
            "You have cramps and complain of nausea but deny fever.",
            "You have cramps and report nausea but report no fever.",
        ),
        ("You fell and presented to the clinic.", "You fell and came to the clinic."),
        ("You now present with a rash.", "You came with a rash."),
        (
            "You have completed two courses and come in to clinic today.",
            "You have completed two courses and come in to clinic today.",
        ),
        ("You report confusion and state of alarm.", "You report confusion and state of alarm."),
    ],
)
def test_verbs_of_charts_are_told_plainly_behind_adverbs_and_a_shared_subject(text: str, told: str) -> None:
    assert to_you(text) == told


def test_a_parent_does_not_stay_she_in_a_letter_of_a_boy() -> None:
    assert to_parent("You gave syrup, which she feels has helped.", MALE) is None
    assert to_parent("Your child was seen by a nurse and she weighed him.", MALE) is not None
    assert to_parent("You gave syrup when she had a cough.", FEMALE) == "You gave syrup when she had a cough."


@pytest.mark.parametrize(
    ("text", "patient", "told"),
    [
        ("Family said you fell.", WOMAN, "Your family said you fell."),
        ("The daughter noticed a rash.", WOMAN, "Your daughter noticed a rash."),
        ("Friends report you were tired.", WOMAN, "Your friends reported you were tired."),
        ("Mother and sister have gout.", WOMAN, "Your mother and sister have gout."),
        ("Skin was warm.", WOMAN, "Your skin was warm."),
        ("According to the wife, you fell.", WOMAN, "According to your wife, you fell."),
        ("The nurse noticed a rash.", WOMAN, "The nurse noticed a rash."),
        ("The skin was warm.", WOMAN, "The skin was warm."),
        ("Family history of gout.", WOMAN, "Family history of gout."),
        ("The daughter noticed a rash.", BOY, "The daughter noticed a rash."),
    ],
)
def test_a_subject_tells_whose_it_is(text: str, patient: Addressee, told: str) -> None:
    assert owned(text, patient) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("You did note more cramps.", "You noted more cramps."),
        ("You had injections, which did give you relief.", "You had injections, which gave you relief."),
        ("You since the morning have improved.", "Since the morning, you have improved."),
        ("You were seen and admitted to the ward.", "You were seen and admitted to the ward."),
        ("You had surgery and present with a rash.", "You had surgery and came with a rash."),
    ],
)
def test_verbs_and_times_stand_where_a_sentence_has_them(text: str, told: str) -> None:
    assert to_you(text) == told


def test_a_second_verb_is_no_part_of_a_list_of_denials() -> None:
    text = "You reported no pain, did not have fever and had no cough."
    assert or_of_denials(text) == text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Instructions were given to mom.", "Instructions were given to you."),
        ("Mother used a spray, which she thinks helped.", None),
    ],
)
def test_a_parent_is_spoken_to_as_object_and_never_taken_for_the_child(text: str, told: str | None) -> None:
    assert to_parent(text) == told


@pytest.mark.parametrize(
    ("text", "before", "told"),
    [
        (
            "He reports that she has not slept.",
            "Her husband found her. ",
            "Her husband reports that she has not slept.",
        ),
        ("He says the patient fell.", "Her son came with her. ", "Her son says the patient fell."),
        (
            "He reports that she has not slept.",
            "Her husband spoke with Dr. Hall. ",
            "He reports that she has not slept.",
        ),
        ("He reports that she has not slept.", "Her husband and her son came. ", "He reports that she has not slept."),
        ("He reports that his cough is gone.", "Her husband found her. ", "He reports that his cough is gone."),
        ("She reports that she has not slept.", "Her sister found her. ", "She reports that she has not slept."),
    ],
)
def test_a_relative_of_the_other_sex_is_named_where_no_one_else_may_be_meant(text: str, before: str, told: str) -> None:
    said, place = with_teller(text, before, WOMAN)
    assert said == told
    assert (place >= 0) is (said != text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("You denied it spreads to the jaw.", "You said that it does not spread to the jaw."),
        ("You deny you have ever had a stroke.", "You say that you have never had a stroke."),
        (
            "The pain is in the arm and denies it spreads.",
            "The pain is in the arm and you say that it does not spread.",
        ),
        ("You denied that the swelling was new.", "You said that the swelling was not new."),
        ("You denied a history of gout.", "You reported no history of gout."),
        ("You reported a cough since May but deny fever.", "You reported a cough since May but reported no fever."),
        ("You voiced concern and wishes to wait.", "You voiced concern and wished to wait."),
        ("Your team advised replace the dressing daily.", "Your team advised you to replace the dressing daily."),
        ("You felt sick but not been faint.", "You felt sick but have not been faint."),
    ],
)
def test_a_verb_of_charts_is_put_so_that_the_sentence_stands(text: str, told: str) -> None:
    assert to_you(text) == told


def test_a_list_of_denials_has_one_no_and_ends_before_what_is_well() -> None:
    assert denied_list("no rash, no cough, no fever") == "no rash, cough or fever"
    assert denied_list("no weakness, no numbness, bladder and bowels ok") == "no weakness or numbness"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "The family lives in Bath, so the clinic there is nearer.",
            "You live in Bath, so the clinic there is nearer.",
        ),
        ("The family history is long.", "The family history is long."),
        ("Your team will phone your child with the scan result.", "Your team will phone you with the scan result."),
        ("Your team will call your child's school.", "Your team will call your child's school."),
    ],
)
def test_the_family_of_a_child_and_whom_the_team_calls_are_the_readers(text: str, told: str) -> None:
    assert to_parent(text, MALE) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Appetite reduced.", "Your appetite is reduced."),
        ("Sleep poor for a month.", "Your sleep is poor for a month."),
        ("Appetite suppressants.", "Appetite suppressants."),
    ],
)
def test_how_a_function_of_the_body_is_gets_its_verb(text: str, told: str) -> None:
    assert owned(text, WOMAN).rstrip(".") == told.rstrip(".")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Your team does not think your team needs a scan.", "Your team does not think they need a scan."),
        ("Your team explained that your team should wait.", "Your team explained that they should wait."),
        ("Your team will call you.", "Your team will call you."),
        ("You asked what your team plans.", "You asked what your team plans."),
    ],
)
def test_the_team_is_named_once_in_a_sentence(text: str, told: str) -> None:
    assert to_you(text) == told
