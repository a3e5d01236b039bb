"""A document says nothing twice."""

from backend.generation.composer.discharge import Told


def test_the_same_advice_in_other_words_is_no_news() -> None:
    told = Told()
    assert told.is_new("Ask your team before you take ibuprofen or naproxen, because both can raise potassium.")
    assert not told.is_new("Ask your team before you take ibuprofen or naproxen, since both drugs harm the heart.")
    assert told.is_new("Weigh yourself each morning and write the weight down.")
    assert not told.is_new("Weigh yourself each morning and write the weight down.")


def test_how_a_warning_begins_makes_no_repeat() -> None:
    told = Told()
    assert told.is_new("Call your doctor if your legs swell.")
    assert told.is_new("Call your doctor if your fever comes back.")


def test_what_needs_an_ambulance_is_said_even_after_what_needs_a_doctor() -> None:
    told = Told()
    assert told.is_new("Call your doctor if you vomit blood or pass black stool.")
    assert told.is_new("Call an ambulance (911 in the US) if you vomit blood or pass black stool.")
    assert not told.is_new("Call an ambulance (911 in the US) if you pass black stool or vomit blood.")
