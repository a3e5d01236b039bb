"""Verb forms by table and by rule."""

import pytest

from backend.generation.letter.plain_language.verb_forms import is_past, third_kind, verbs, with_it, with_you


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
