"""States of the moment are told in the past; what lasts, and what somebody is or does as a habit, in the present."""

import pytest

from backend.generation.letter.told_time.tenses import as_of_visit, past_of


@pytest.mark.parametrize(
    ("told", "conditions", "read_later"),
    [
        ("You are pale and shaky.", (), "You were pale and shaky."),
        ("You are awake and speak slowly.", (), "You were awake and spoke slowly."),
        ("You speak Spanish.", (), "You speak Spanish."),
        ("You cannot run and you did not have cramps.", (), "You could not run and you did not have cramps."),
        ("This occurs at night.", (), "This occurred at night."),
        ("You sleep badly, dream a lot and talk at night.", (), "You slept badly, dreamed a lot and talked at night."),
        ("You have gout and your toe is red.", ("gout",), "You have gout and your toe was red."),
        ("You are a retired bus driver.", (), "You are a retired bus driver."),
        ("You cannot lift your arm above the shoulder.", (), "You could not lift your arm above the shoulder."),
        ("You report itching that keeps you awake.", (), "You reported itching that kept you awake."),
        (
            "There is a cut on your chin, which is two inches long.",
            (),
            "There was a cut on your chin, which was two inches long.",
        ),
        ("You do not feel safe at home.", (), "You did not feel safe at home."),
        ("You have a hearing aid.", (), "You have a hearing aid."),
        ("You have had chills and you are short of breath.", (), "You had chills and you were short of breath."),
        ("You have not slept well.", (), "You had not slept well."),
        (
            "You say that your diabetes is under control.",
            ("diabetes",),
            "You said that your diabetes was under control.",
        ),
        ("You limp and hold the rail.", (), "You limped and held the rail."),
        (
            "Your left calf is swollen and hurts when you stand.",
            (),
            "Your left calf was swollen and hurt when you stood.",
        ),
        ("You smoke ten cigarettes a day.", (), "You smoke ten cigarettes a day."),
        ("It's worse at night.", (), "It was worse at night."),
        ("You have a flare of asthma.", ("asthma",), "You had a flare of asthma."),
        ("You have no fever.", (), "You had no fever."),
        (
            "Your son says you are confused and don't know the date.",
            (),
            "Your son said you were confused and didn't know the date.",
        ),
        ("You are married and live on a farm.", (), "You are married and live on a farm."),
        (
            "You were sent for further checks because the scan showed signs of a clot.",
            (),
            "You were sent for further checks because the scan showed signs of a clot.",
        ),
        ("Your team recommended that you take it at night.", (), "Your team recommended that you take it at night."),
        ("Your team told you to rest and drink.", (), "Your team told you to rest and drink."),
        ("You have nausea and double vision.", (), "You had nausea and double vision."),
        ("You have pain when you climb stairs.", (), "You had pain when you climbed stairs."),
        (
            "Your team advised you to wear the splint when you are at work and continue to cool your wrist.",
            (),
            "Your team advised you to wear the splint when you are at work and continue to cool your wrist.",
        ),
        (
            "You were told to rest while your knee is swollen and avoid stairs.",
            (),
            "You were told to rest while your knee is swollen and avoid stairs.",
        ),
        (
            "Possible causes of your cough include smoke, acid, muscle and bone causes, and stress.",
            (),
            "Possible causes of your cough include smoke, acid, muscle and bone causes, and stress.",
        ),
        ("You have pain that spreads to your neck.", (), "You had pain that spread to your neck."),
    ],
)
def test_a_state_of_the_moment_is_past(told: str, conditions: tuple[str, ...], read_later: str) -> None:
    assert as_of_visit(told, conditions, shifts=False, habits=False) == read_later


def test_what_lasted_until_a_time_before_the_visit_had_been() -> None:
    told = as_of_visit("For a week you have been hoarse and have had chills.", (), shifts=True, habits=False)
    assert told == "For a week you had been hoarse and had chills."


def test_a_habit_stays() -> None:
    assert as_of_visit("You walk to work.", (), shifts=False, habits=True) == "You walk to work."


@pytest.mark.parametrize(
    ("base", "past"),
    [
        ("carry", "carried"),
        ("jog", "jogged"),
        ("rely", "relied"),
        ("take", "took"),
        ("spread", "spread"),
        ("recur", "recurred"),
    ],
)
def test_the_past_of_a_verb(base: str, past: str) -> None:
    assert past_of(base) == past


@pytest.mark.parametrize(
    ("told", "read_later"),
    [
        ("You smoke a pipe daily for the last 20 years.", "You have smoked a pipe daily for the last 20 years."),
        ("You drink two beers per day since 1990.", "You have drunk two beers per day since 1990."),
        ("You drink and smoke for 20 years.", "You drink and smoke for 20 years."),
        ("You smoke a pipe.", "You smoke a pipe."),
    ],
)
def test_a_habit_with_its_time_is_told_as_what_has_been_so(told: str, read_later: str) -> None:
    assert as_of_visit(told, (), shifts=False, habits=True) == read_later


def test_a_second_verb_behind_and_is_told_in_the_same_time() -> None:
    told = "The pain is worse on stairs and interferes with your sleep."
    assert as_of_visit(told, (), shifts=False, habits=False) == (
        "The pain was worse on stairs and interfered with your sleep."
    )


def test_what_is_thought_behind_what_happened_is_told_in_the_past() -> None:
    told = "You fell in May, but believe that you were dizzy before."
    assert as_of_visit(told, (), shifts=False, habits=False) == (
        "You fell in May, but believed that you were dizzy before."
    )


def test_a_noun_behind_whose_it_is_is_no_verb() -> None:
    told = "Your chart was read as well as the neurologist's notes by Dr. Lee."
    assert as_of_visit(told, (), shifts=False, habits=False) == told
