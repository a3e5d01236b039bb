"""What keeps a turned text from being told."""

import pytest

from backend.generation.letter.told_checks.sentence_flaws import Flaw, flaw_of


@pytest.mark.parametrize(
    ("text", "flaw"),
    [
        ("By your own account and the nephew who was with you.", Flaw.NO_VERB),
        ("You were found to have skipped beats random.", Flaw.SHORTHAND),
        ("You had four beats consecutive one time.", Flaw.SHORTHAND),
        ("You were given drops if you refused the by mouth.", Flaw.SHORTHAND),
        ("You were not unable to recall the crash.", Flaw.SHORTHAND),
        ("It was been going on for weeks.", Flaw.SHORTHAND),
        ("It was thought still be blocked.", Flaw.SHORTHAND),
        ("You seemed that you had hiccups.", Flaw.SHORTHAND),
        ("You had feelings of dizzy, and fell.", Flaw.SHORTHAND),
        ("Your team knew you before, hence not sure about your memory.", Flaw.FRAGMENT),
        ("Your team made a plan in June and.", Flaw.RUN_ON),
        ("You had cramps, felt like fainting.", Flaw.RUN_ON),
        ("You live alone, takes in the post for others.", Flaw.RUN_ON),
        ("You had no cough or has taken tablets.", Flaw.AGREEMENT),
        ("Then slipped bruising your right elbow.", Flaw.NO_VERB),
        ("After stroke on June 3, 2011.", Flaw.NO_VERB),
        ("Newly diagnosed thyroid cancer.", Flaw.NO_VERB),
        ("Not a very exact account and you yourself are tired.", Flaw.NO_VERB),
        ("Gout, asthma, heart failure, ulcers, repeated leg wounds, and fatigue.", Flaw.NO_VERB),
        ("Negative other than you have had gout.", Flaw.NO_VERB),
        ("Your child is a boy with one kidney, had a repair on Monday.", Flaw.RUN_ON),
        ("You take no medicines, have had no operations.", Flaw.RUN_ON),
        ("You noted a flutter, called the clinic this morning, that is despite the pills.", Flaw.RUN_ON),
        ("You were seen at a clinic, given pills, discharged.", Flaw.RUN_ON),
        ("You were given two pills. Surgeons called, plan for a stent.", Flaw.NO_VERB),
        ("You had asthma, otherwise, a healthy woman.", Flaw.FRAGMENT),
        ("You skip breakfast, and also not drinking enough.", Flaw.FRAGMENT),
        ("The ache is 8/10, no numbness and is constant.", Flaw.FRAGMENT),
        ("You have passed less water today and because of the lasting cough and fever.", Flaw.FRAGMENT),
        ("You take two pills and is dizzy.", Flaw.AGREEMENT),
        ("You are better when you stood up or changes positions.", Flaw.AGREEMENT),
        ("You woke with pain, so brought you to the clinic.", Flaw.NO_SUBJECT),
        ('You rest, even though you "wants to" go out.', Flaw.AGREEMENT),
        ("The cramps still present, but otherwise denies any trouble.", Flaw.NO_SUBJECT),
        ("You had cramps with most meals x two years.", Flaw.SHORTHAND),
    ],
)
def test_a_broken_sentence_is_known_by_its_flaw(text: str, flaw: Flaw) -> None:
    assert flaw_of(text) is flaw


@pytest.mark.parametrize(
    "text",
    [
        "You had a hip operation done by Dr. X on May 2nd.",
        "Your headaches were constant.",
        "You had occasional headaches.",
        "You felt the over-the-counter drops helped.",
        "It seemed that you had hiccups.",
        "You were tired of being dizzy.",
        "You could not be woken.",
        "Your child was well until a week ago and then, as a result, was kept at home.",
        "You were restless, paced the floor at night, and reported trouble sleeping.",
        "You report no fever, swollen legs or cough.",
        "You have a lump, which was seen in June, in the left breast.",
        "The swelling, which has improved, is still there.",
        "When asked again, you described a cough.",
        "At the clinic, you were seen by a nurse.",
        "Your husband denies any fall, and you were well.",
        "You smoke a pack a day and drink beer.",
        "You stopped because of the rash and because of the cost.",
        "The second letter from Dr. X is still to come. It will be sent to you.",
    ],
)
def test_a_whole_sentence_has_no_flaw(text: str) -> None:
    assert flaw_of(text) is None


@pytest.mark.parametrize(
    ("text", "flawed"),
    [
        ("You have a long history gout.", True),
        ("You have a long history of gout.", False),
        ("You were found to sodium of 118.", True),
        ("You were found to have a low sodium.", False),
        ("You always minimizes your pain.", True),
        ("You often lose your balance.", False),
        ("You have a hernia ( repaired twice).", True),
        ("You have a hernia (repaired twice).", False),
        ("You have told your employer about the insulin? – you to check.", True),
        ("You have stopped the ramipril? and feel well.", True),
    ],
)
def test_a_word_left_out_or_in_the_wrong_person_is_a_flaw(text: str, flawed: bool) -> None:
    assert (flaw_of(text) is not None) == flawed


@pytest.mark.parametrize(
    ("text", "flaw"),
    [
        ("You considering a coil.", Flaw.NO_VERB),
        ("Your child still taking the syrup.", Flaw.NO_VERB),
        ("You seen on the ward, bed 4.", Flaw.NO_VERB),
        ("You understood this may raise your sugar for a day.", Flaw.LEANS),
        ("She has gout.", Flaw.LEANS),
        ("One has asthma on two inhalers.", Flaw.LEANS),
        ("You may have no milk until then.", Flaw.LEANS),
        ("You walked one block, then stops because of your hip.", Flaw.AGREEMENT),
        ("You reported no cough but sleeps in a chair.", Flaw.AGREEMENT),
        ("Your iron was low, check monthly, stop if above 100.", Flaw.RUN_ON),
        ("You tried two creams in May - stopped, itchy.", Flaw.SHORTHAND),
        ("Come back / 999 when you cannot breathe.", Flaw.SHORTHAND),
        ("Contraception: wants the coil at the next visit.", Flaw.SHORTHAND),
        ("You had low sodium sodium 121.", Flaw.SHORTHAND),
    ],
)
def test_words_of_charts_keep_a_sentence_from_being_told(text: str, flaw: Flaw) -> None:
    assert flaw_of(text) is flaw


@pytest.mark.parametrize(
    "text",
    [
        "You bring up phlegm in the morning.",
        "Your child has been taking the syrup.",
        "You were seen on the ward.",
        "You fell on Monday, and this was painful.",
        "The pen expired in March - replace it.",
        "Your wife called. She has gout.",
        "You walked one block, then stopped because of your hip.",
        "You reported no cough but slept in a chair.",
        "Your iron was low, and you were told to check it monthly.",
        "Your knee hurt after the fall – and you could not walk.",
        "Your blood pressure was 120/80 and/or lower.",
        "Call if you have a fever of 101, chills or pain.",
        "You said: the pain comes at night.",
        "You are on the same dose that you had had before.",
    ],
)
def test_words_like_those_of_charts_may_be_told(text: str) -> None:
    assert flaw_of(text) is None
