"""Forms of what is decided, as the sentences that a letter turns; nothing is made of what only looks like one."""

import pytest

from backend.generation.letter.plan_items.decided_forms import decided_form, is_done_at_home, visit_to_be_made


@pytest.mark.parametrize(
    ("written", "form"),
    [
        ("I have recommended that we obtain a scan.", "I would like to obtain a scan."),
        ("We also recommend that we check the iron.", "We would also like to check the iron."),
        ("I recommended that he keep a diary and avoid wine.", "I advised him to keep a diary and avoid wine."),
        ("I suggest that the patient not drive.", "I advise the patient not to drive."),
        ("I have explained that it will heal.", "I explained that it will heal."),
        ("I have asked her to rest.", "I have asked her to rest."),
        ("I am recommending a brace.", "I recommend a brace."),
        ("I'm going to order a scan.", "I will order a scan."),
        ("Urine culture ordered to look for germs.", "Urine culture was ordered to look for germs."),
        ("Prescriptions provided for the cream.", "Prescriptions were provided for the cream."),
        ("Order for a blood count given.", "Order for a blood count was given."),
        ("Repeat iron (a blood test) ordered for June.", "Repeat iron (a blood test) was ordered for June."),
        ("Letter given for work.", "Letter was given for work."),
        ("Aspirin discussed with the ward - not for now.", "Aspirin discussed with the ward - not for now."),
        ("Told her to stop coffee take walks.", "Told her to stop coffee and take walks."),
        ("Will ring with the result.", "We will ring the patient with the result."),
        ("Should the pain return, we would scan.", "If the pain should return, we would scan."),
        ("Should the cream not help, we would scan.", "If the cream should not help, we would scan."),
        ("If the swab is clear, we plan to stop it.", "If the swab is clear, the plan is to stop it."),
        (
            "No scan is needed, however, if it lasts, we will order one.",
            "No scan is needed, but if it lasts, we will order one.",
        ),
    ],
)
def test_a_decision_is_said_as_a_sentence(written: str, form: str) -> None:
    assert decided_form(written) == form


def test_what_patients_do_is_said_to_them() -> None:
    assert is_done_at_home("limit", "salt")
    assert is_done_at_home("do", "not")
    assert is_done_at_home("make", "sure")
    assert not is_done_at_home("use", "of")
    assert not is_done_at_home("titrate", "the")


@pytest.mark.parametrize(
    ("verb", "order", "said"),
    [
        ("make", "Make an appointment with Dr. Hsu.", "An appointment with Dr. Hsu is to be arranged"),
        ("schedule", "Schedule eye exam next month.", "An eye exam next month is to be arranged"),
        ("set", "Set up a visit with the dietitian.", "A visit with the dietitian is to be arranged"),
        ("book", "Book a follow-up visit in June.", "A follow-up visit in June is to be arranged"),
        ("schedule", "Schedule a colonoscopy.", ""),
        ("make", "Make a diary of the pain for the visit.", ""),
        ("see", "See the visit notes.", ""),
    ],
)
def test_a_visit_to_be_made_is_told_without_saying_who_makes_it(verb: str, order: str, said: str) -> None:
    assert visit_to_be_made(verb, order) == said
