"""What makes the reader fast changes nothing of what it reads."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.nlp.document.tokens import MAX_WORD, normal_word, tokens
from backend.nlp.extraction.linker import DictionaryLinker
from backend.nlp.lexicon.name_words import words_of
from backend.nlp.lexicon.names import NameIndex
from backend.settings import ROOT
from tests.nlp.fresh import linker, notes

PLAIN = re.compile(r"(?:[^\W_]|[\u0300-\u036f\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff])+|\n|[^\s]")


@given(
    st.text(alphabet=st.characters(codec="utf-8"), max_size=80)
    | st.text(alphabet="aZ9 _.-'\n\té\u0301\u00adß½", max_size=80)
)
def test_tokens_are_those_of_a_plain_search(text: str) -> None:
    """Word by word, as the definition has it: the search for words, each put in its normal form."""
    found = tokens(text)
    plain = list(PLAIN.finditer(text))
    assert list(zip(found.starts, found.ends, strict=True)) == [match.span() for match in plain]
    for match, normal, is_word in zip(plain, found.words, found.word, strict=True):
        if len(match[0]) > MAX_WORD:
            assert (normal, is_word) == ("", True)
        else:
            assert normal == normal_word(match[0])
            assert is_word == normal[:1].isalnum()


@pytest.mark.parametrize(
    ("text", "known", "joined"),
    [
        ("chest x-ray today", {"xray"}, ["chest", "xray", "today"]),
        ("S.O.B. at rest", {"sob"}, ["sob", "at", "rest"]),
        ("x-ray-guided x-ray", {"xray"}, ["xray", "guided", "xray"]),
        ("a-b-c", {"bc"}, ["a", "bc"]),
        ("a-b-c", {"ab", "abc"}, ["abc"]),
        ("plain words", {"plainwords"}, ["plain", "words"]),
    ],
)
def test_glued_words_are_joined_where_the_whole_is_known(text: str, known: set[str], joined: list[str]) -> None:
    words, places = words_of(text, tokens(text)).joined(known.__contains__)
    assert [word.normal for word in words] == joined
    assert [words[place].normal for place in places] == [word for word in joined if word in known]
    assert len(words.blocks) == len(words.lines) == len(words)


def test_a_linker_that_has_read_much_reads_as_a_fresh_one(index: NameIndex) -> None:
    texts = [text for _, text, _ in notes()][:12]
    texts += [json.loads(path.read_text())["text"] for path in sorted((ROOT / "assets" / "cases").glob("*.json"))[:8]]
    used = DictionaryLinker(index)
    first = [used.link(text) for text in texts]
    assert [used.link(text) for text in reversed(texts)] == first[::-1]
    shipped = linker()
    assert [shipped.link(text) for text in texts] == [shipped.link(text) for text in texts]
