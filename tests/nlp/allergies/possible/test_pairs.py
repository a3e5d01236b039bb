"""Pairs of an agent and an effect near it, with the features the scorer weighs."""

from backend.nlp.allergies.agents import Agent
from backend.nlp.allergies.possible.pairs import EFFECTS, Pair, PairReader
from tests.nlp.allergies.small_note import SmallNote, small_note

KINDS = EFFECTS - {"stated"}


def pairs(note: SmallNote, *left_out: str, kinds: frozenset[str] = KINDS) -> list[Pair]:
    def kept(agent: Agent) -> bool:
        return note.said(*agent[:2]) not in left_out

    return list(PairReader(note.note, note.wording, note.agents, []).pairs(kept, kinds))


def said(text: str, *left_out: str, kinds: frozenset[str] = KINDS) -> list[tuple[str, str]]:
    note = small_note(text)
    return [(note.said(*p.agent[:2]), note.said(*p.effect[:2])) for p in pairs(note, *left_out, kinds=kinds)]


def test_an_agent_meets_the_effects_of_its_sentence_and_of_one_that_goes_on() -> None:
    assert said("He had hives after codeine.") == [("codeine", "hives")]
    assert said("She took codeine. It made her vomit.") == [("codeine", "vomit")]
    assert said("She took codeine. There were hives on her back.") == []
    assert said("Hives this morning. Codeine stopped.") == [("Codeine", "Hives")]
    assert said("She took codeine. He slept. He read. Later there were hives.") == []


def test_features_say_order_and_sentence() -> None:
    (after,) = pairs(small_note("He had hives after codeine."))
    assert {"effect_first", "same_sentence", "effect=allergic", "between:after:effect_first"} <= {*after.features}
    (before,) = pairs(small_note("She took codeine. It made her vomit."))
    assert {"agent_first", "next_sentence", "effect=side"} <= {*before.features}
    assert "same_sentence" not in before.features


def test_agents_and_kinds_that_are_not_asked_about_make_no_pair() -> None:
    text = "Hives after codeine and latex."
    assert said(text) == [("codeine", "Hives"), ("latex", "Hives")]
    assert said(text, "latex") == [("codeine", "Hives")]
    assert said(text, kinds=frozenset({"side"})) == []


def test_a_listed_a_relative_s_and_a_warned_effect_make_no_pair() -> None:
    assert said("FAMILY HISTORY: hives after codeine.") == []
    assert said("ALLERGIES: hives after codeine.") == []
    assert said("Her mother had hives after codeine.") == []
    assert said("Start codeine. Call if a rash comes up.") == []


def test_what_replaced_the_agent_is_not_blamed() -> None:
    assert said("Hives, so latex was switched to codeine.") == [("latex", "Hives")]


def test_an_agent_far_from_an_effect_makes_no_pair() -> None:
    far = " and".join(" walked" for _ in range(20))
    assert said(f"Codeine,{far} and had hives.") == []
    assert said("Codeine, walked and had hives.") == [("Codeine", "hives")]
