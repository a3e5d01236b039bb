"""Sentences of notes turned to their patient: persons and verbs, and what is left alone because it is not sure."""

import pytest

from backend.generation.letter.plain_language.clause_subjects import Addressee
from backend.generation.letter.plain_language.second_person import second_person

WOMAN, MAN, CHILD, UNKNOWN = Addressee("female"), Addressee("male"), Addressee("male", child=True), Addressee(None)


@pytest.mark.parametrize(
    ("said", "addressed"),
    [
        ("She was admitted on Friday and has a fever.", "You were admitted on Friday and have a fever."),
        ("She isn't eating and doesn't sleep.", "You aren't eating and don't sleep."),
        ("She lives alone, uses a stick and needs help.", "You live alone, use a stick and need help."),
        ("She smokes and drinks heavily.", "You smoke and drink heavily."),
        ("Her knee hurts when she walks.", "Your knee hurts when you walk."),
        ("The nurse gave her two tablets.", "The nurse gave you two tablets."),
        ("It made her dizzy on Monday.", None),
        ("The pill makes her feel better.", "The pill makes you feel better."),
        ("Dr. Y found nothing, but she was admitted.", "Dr. Y found nothing, but you were admitted."),
        ("She has not had a scan but has been told to rest.", "You have not had a scan but have been told to rest."),
        ("She denies pain, does not have fever and has a cough.", "You deny pain, do not have fever and have a cough."),
        (
            "The patient had a scan, which was normal, and was sent home.",
            "You had a scan, which was normal, and were sent home.",
        ),
        ("Her pills, which she takes for gout, were stopped.", "Your pills, which you take for gout, were stopped."),
        ("Her ibuprofen, which she takes daily, was stopped.", "Your ibuprofen, which you take daily, was stopped."),
        ("Admitted involuntary on Friday.", "You were admitted involuntary on Friday."),
        ("She felt better after doing so and put on a coat.", "You felt better after doing so and put on a coat."),
        ("Her husband says his wife is forgetful.", "Your husband says you are forgetful."),
        ("We spoke to her 2 days ago.", "Your team spoke to you 2 days ago."),
        ("They took her home today.", "They took you home today."),
        ("Her home visit and her back brace helped.", "Your home visit and your back brace helped."),
        ("Ms. Okoye came with a cough.", "You came with a cough."),
        ("Ms. Okoye's cough is worse.", "Your cough is worse."),
        ("She hurt herself.", "You hurt yourself."),
        ("Admitted 12 days ago for pain.", "You were admitted 12 days ago for pain."),
        ("Seen 3 weeks ago in clinic.", "You were seen 3 weeks ago in clinic."),
        ("She's been tired and she's cold.", "You have been tired and you are cold."),
        ("After she had left, the pain was gone.", "After you had left, the pain was gone."),
        ("She has pain in her swollen left leg.", "You have pain in your swollen left leg."),
        ("She felt better, but over the last days has had a cough.", "You felt better, but over the last days have had a cough."),
        ("She no longer has a cough.", "You no longer have a cough."),
        ("The patient was sent by Dr. Adeyemi after she fell.", "You were sent by Dr. Adeyemi after you fell."),
        ("Dr. Adeyemi came after she fell.", None),
        ("The source patient was tested.", "The source patient was tested."),
        ("Since surgery patient has pain.", "Since surgery you have pain."),
        ("I asked her to weigh herself daily and report a gain.", "Your team asked you to weigh yourself daily and report a gain."),
        ("We will order a film and have it read.", "Your team will order a film and have it read."),
        ("I suggest that she be seen again.", "Your team suggests that you be seen again."),
        ("She keeps a diary, as agreed.", "You keep a diary, as agreed."),
        ("We will have her follow up in June.", "Your team will have you follow up in June."),
        ("She will bring her diary with her.", "You will bring your diary with you."),
        ("The tablet will bring her rest.", None),
        ("She should call her doctor if she feels dizzy.", "You should call your doctor if you feel dizzy."),
        ("The latest test that I have is from May and shows a stone.", "The latest test that your team has is from May and shows a stone."),
    ],
)  # fmt: skip
def test_a_woman_is_addressed(said: str, addressed: str | None) -> None:
    assert second_person(said, WOMAN) == addressed


@pytest.mark.parametrize(
    ("said", "addressed"),
    [
        ("His wife says that he snores and that she cannot sleep.", "Your wife says that you snore and that she cannot sleep."),
        ("His wife reports that he was pale, fell and has not eaten.", "Your wife reports that you were pale, fell and have not eaten."),
        ("The surgeon who saw him wants an operation.", "The surgeon who saw you wants an operation."),
        ("Dr. Adeyemi changed his tablets.", "Dr. Adeyemi changed your tablets."),
        ("The patient's blood pressure was low and was treated.", "Your blood pressure was low and was treated."),
        ("The pain woke him and was treated.", "The pain woke you and was treated."),
        ("The patient since Monday has improved.", "You since Monday have improved."),
        ("He himself is not worried.", "You yourself are not worried."),
        ("I discussed this with him and recommend surgery.", "Your team discussed this with you and recommends surgery."),
        ("We'll see him in 3 weeks.", "Your team will see you in 3 weeks."),
        ("Denies chest pain.", "You deny chest pain."),
        ("Also was given morphine.", "You also were given morphine."),
        ("Admitted with a fever.", "You were admitted with a fever."),
        ("He has nausea, aches and chills.", "You have nausea, aches and chills."),
        ('He said "he will kill me" and left.', 'You said "he will kill me" and left.'),
    ],
)  # fmt: skip
def test_a_man_is_addressed(said: str, addressed: str) -> None:
    assert second_person(said, MAN) == addressed


@pytest.mark.parametrize(
    ("said", "who", "before"),
    [
        ("His brother says he is weak.", MAN, ""),
        ("His brother hurt his knee.", MAN, ""),
        ("He was tired.", MAN, "His father had a stroke."),
        ("He then stopped the tablets.", MAN, "Dr. Lee saw the patient."),
        ("She told her mother.", WOMAN, ""),
        ("It gives her hives.", WOMAN, ""),
        ("She said the pain began at noon and was gone.", WOMAN, ""),
        ("She is tired.", UNKNOWN, ""),
        ("I would be grateful if you could see her.", WOMAN, ""),
        ('She said "no and left.', WOMAN, ""),
    ],
)
def test_what_is_not_sure_is_not_turned(said: str, who: Addressee, before: str) -> None:
    assert second_person(said, who, before) is None


def test_a_clinician_before_does_not_own_what_is_the_patients() -> None:
    assert second_person("Her pain is better.", WOMAN, "Dr. Lee changed the tablets.") == "Your pain is better."


@pytest.mark.parametrize(
    ("said", "addressed"),
    [
        ("The patient is a 5-year-old boy who was brought in with a cough.", "Your child was brought in with a cough."),
        ("He has had a cough since his birthday.", "Your child has had a cough since his birthday."),
        ("The child's ears are red.", "Your child's ears are red."),
        ("His mother says that he sleeps badly.", "His mother says that he sleeps badly."),
    ],
)
def test_a_letter_about_a_child_speaks_to_the_parent(said: str, addressed: str) -> None:
    assert second_person(said, CHILD) == addressed


@pytest.mark.parametrize(
    ("said", "addressed"),
    [
        ("The patient is a 61-year-old woman with gout and asthma who came with a cough.", "You have gout and asthma. You came with a cough."),
        ("This is an 81-year-old retired teacher presenting with confusion.", "You presented with confusion."),
        ("A 44-year-old woman with asthma describes two days of wheeze.", "You have asthma. You describe two days of wheeze."),
        ("A 61-year-old woman admitted with a fall.", "You were admitted with a fall."),
        ("This is a pleasant 49-year-old lady post knee surgery.", "You have had knee surgery."),
        ("The patient is a 70-year-old woman with possible sepsis.", "You have possible sepsis."),
        ("84-year-old lady from her own home, fell this morning.", "You are an 84-year-old lady from your own home, fell this morning."),
    ],
)  # fmt: skip
def test_an_opening_is_worded_without_age_and_sex(said: str, addressed: str) -> None:
    assert second_person(said, WOMAN) == addressed


def test_many_commas_take_no_time() -> None:
    said = f"She was {'weighed, used, ' * 40}seen."
    assert second_person(said, WOMAN) is not None


@pytest.mark.parametrize(
    ("text", "turned"),
    [
        ("She could care for her two children.", "You could care for your two children."),
        ("She returns for her 18 month visit.", "You return for your 18 month visit."),
        ("In her 2 weeks of leave she slept.", "In your 2 weeks of leave you slept."),
        ("Her sister will stay with her 2 weeks.", "Your sister will stay with you 2 weeks."),
        ("According to her daughter, she has not eaten.", "According to your daughter, you have not eaten."),
        ("She's lost half a stone.", "You have lost half a stone."),
        ("She's seen at the clinic.", "You are seen at the clinic."),
    ],
)
def test_numbers_behind_a_pronoun_and_what_she_has_done(text: str, turned: str) -> None:
    assert second_person(text, Addressee("female")) == turned
