"""Sides and places: which words are none, and which of a sentence's the cited text does not carry."""

import pytest

from backend.verification.support.laterality import places_of, unmatched_places


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("left leg swelling", {("left", "leg")}),
        ("RLQ pain", {("right", "quadrant"), ("lower", "quadrant")}),
        ("wheezes on both sides", {("both", "sides")}),
        ("right-sided headache", {("right", "headache")}),
        ("L knee pain", {("left", "knee")}),
        ("He left the hospital right away.", set()),
        ("Take both medicines and lower your salt.", set()),
        ("1.5 l a day", set()),
    ],
)
def test_sides_are_read_with_what_they_are_said_of(text: str, found: set[tuple[str, str]]) -> None:
    assert {(place.pole, place.of) for place in places_of(text)} == found


@pytest.mark.parametrize(
    ("said", "cited", "wrong", "missing"),
    [
        ("right leg", "left leg", ["right"], []),
        ("left leg", "leg pain", [], ["left"]),
        ("left leg", "left arm and right leg weakness", ["left leg"], []),
        ("upper lobe", "lower lobe", ["upper"], []),
        ("proximal pain", "distal pain", ["proximal"], []),
        ("both legs", "left leg swelling", ["both"], []),
        ("both legs", "left leg and right leg swelling", [], []),
        ("left knee", "bilateral knee pain", [], ["left alone"]),
        ("left knee", "left knee pain", [], []),
    ],
)
def test_a_side_needs_the_same_side_of_the_same_part(
    said: str, cited: str, wrong: list[str], missing: list[str]
) -> None:
    assert unmatched_places(places_of(said), places_of(cited)) == (wrong, missing)


def test_a_neighbour_with_the_other_side_does_not_carry_it() -> None:
    cited = (*places_of("left foot warm"), *places_of("views of the right foot"))
    assert unmatched_places(places_of("views of the left foot"), cited, places_of("views of the right foot"))[0] == [
        "left"
    ]
