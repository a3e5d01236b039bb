"""Verb forms by table and by rule."""

import pytest

from backend.generation.letter.plain_language.verb_forms import (
    is_narrated,
    is_past,
    third_kind,
    verbs,
    with_it,
    with_you,
)


@pytest.mark.parametrize(
    ("third", "base"),
    [
        ("is", "are"),
        ("was", "were"),
        ("has", "have"),
        ("doesn't", "don't"),
        ("wasn't", "weren't"),
        ("goes", "go"),
        ("denies", "deny"),
        ("watches", "watch"),
        ("smokes", "smoke"),
        ("juggles", "juggle"),  # not in the table
        ("fetches", "fetch"),
        ("went", "went"),
        ("might", "might"),
        ("focus", "focus"),
    ],
)
def test_the_form_with_you(third: str, base: str) -> None:
    assert with_you(third) == base


@pytest.mark.parametrize(
    ("base", "third"), [("have", "has"), ("were", "was"), ("recommend", "recommends"), ("saw", "saw"), ("do", "does")]
)
def test_the_form_with_the_team(base: str, third: str) -> None:
    assert with_it(base) == third


def test_every_verb_of_the_table_goes_there_and_back() -> None:
    for verb in verbs().values():
        if verb.base not in ("be", "have", "do"):
            assert with_you(verb.third) == verb.base
            assert with_it(verb.base) == verb.third
            assert is_past(verb.past)
            assert third_kind(verb.third) == verb.kind


@pytest.mark.parametrize(
    ("text", "narrated"),
    [
        ("She was sent to be seen by the urologist.", True),
        ("He has been followed by a neurologist and was started on a new medicine.", True),
        ("She was told to follow up with her doctor.", False),
        ("He was discharged and returns in two weeks for a scan.", False),
        ("She will be seen by the surgeon.", False),
        ("Follow up with cardiology.", False),
    ],
)
def test_what_happened_is_told_apart_from_what_is_to_be_done(text: str, narrated: bool) -> None:
    assert is_narrated(text) is narrated
