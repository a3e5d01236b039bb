"""Names are found as written, inflected, re-ordered or misspelt, with exact offsets, and never where they are not said."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.nlp.lexicon.names import EXACT, INFLECTED, MISSPELT, REORDERED, NameIndex
from backend.stores.graph.graph_rows import ConceptRow


def found(index: NameIndex, text: str) -> list[tuple[str, str, float]]:
    return [(text[m.start_char : m.end_char], m.candidates[0].name, m.candidates[0].score) for m in index.find(text)]


@pytest.mark.parametrize(
    ("text", "said", "name", "score"),
    [
        ("He has chest pain.", "chest pain", "chest pain", EXACT),
        ("CHEST PAIN", "CHEST PAIN", "chest pain", EXACT),
        ("Fevers at night", "Fevers", "fever", INFLECTED),
        ("one palpitation", "palpitation", "palpitations", INFLECTED),
        ("she vomited twice", "vomited", "vomiting", INFLECTED),
        ("pain in the chest", "pain in the chest", "chest pain", REORDERED),
        ("ulcer of the duodenum", "ulcer of the duodenum", "duodenal ulcer", REORDERED),
        ("swelling of both legs", "swelling of both legs", "leg swelling", REORDERED),
        ("edema in the lower extremities", "edema in the lower extremities", "leg swelling", REORDERED),
        ("fractured ribs", "fractured ribs", "rib fracture", REORDERED),
        ("swelling of the left leg", "swelling of the left leg", "leg swelling", REORDERED),
        ("pnuemonia", "pnuemonia", "pneumonia", MISSPELT),
        ("hypertention", "hypertention", "hypertension", MISSPELT),
        ("Crohn\u2019s disease", "Crohn\u2019s disease", "Crohn's disease", EXACT),
        ("chest xray", "chest xray", "chest x-ray", EXACT),
        ("chest x ray", "chest x ray", "chest x-ray", EXACT),
        ("dyspne\u0301a", "dyspne\u0301a", "dyspnea", EXACT),
        ("diabetes mellitus, type 2", "diabetes mellitus, type 2", "type 2 diabetes mellitus", REORDERED),
    ],
)
def test_a_name_is_found_in_this_form(index: NameIndex, text: str, said: str, name: str, score: float) -> None:
    assert found(index, text) == [(said, name, score)]


def test_the_longest_name_wins(index: NameIndex) -> None:
    assert [name for _, name, _ in found(index, "acute heart failure")] == ["acute heart failure"]


@pytest.mark.parametrize(
    "text",
    [
        "all of it was well",
        "ALL OF IT WAS WELL AND QUIET",
        "he was tested and is testing again",
        "5 mg at 120/80",
        "prednisollon 5 mg",  # two slips: a medicine asks for certainty
        "Mr. Pneumonja",
    ],
)
def test_nothing_is_found_where_no_name_is_said(index: NameIndex, text: str) -> None:
    assert found(index, text) == []


def test_a_name_does_not_cross_a_full_stop(index: NameIndex) -> None:
    assert found(index, "the chest. Pain in the arm") == []


def test_a_medicine_is_read_from_a_slip_when_no_other_is_near(index: NameIndex) -> None:
    assert [name for _, name, _ in found(index, "metoprolo 25 mg")] == ["metoprolol"]


def test_a_medicine_one_edit_from_two_medicines_is_not_read() -> None:
    near = NameIndex.build([ConceptRow(n, n, "CHEM", "drug") for n in ("zantacol", "zantadol")])
    assert near.find("zantabol 5 mg") == []


def test_an_acronym_that_is_a_word_needs_its_capitals(index: NameIndex) -> None:
    assert [name for _, name, _ in found(index, "a child with ALL in remission")] == ["acute lymphoblastic leukemia"]
    assert found(index, "a child with all in remission") == []


def test_why_tells_how_a_name_was_found(index: NameIndex) -> None:
    (match,) = index.find("pnuemonia")
    assert "'pnuemonia' read as 'pneumonia'" in match.candidates[0].why


def test_lookup_takes_the_whole_phrase_only(index: NameIndex) -> None:
    assert index.lookup("Penicillins").name == "penicillin"  # type: ignore[union-attr]
    assert index.lookup("the penicillin").name == "penicillin"  # type: ignore[union-attr]
    assert index.lookup("penicillin and something") is None
    assert index.lookup("") is None


def test_both_concepts_of_a_shared_name_are_given(index: NameIndex) -> None:
    assert {candidate.name for candidate in index.candidates("MS")} == {"mitral stenosis", "multiple sclerosis"}


def test_an_index_survives_pickling(index: NameIndex) -> None:
    again = pickle.loads(pickle.dumps(index))
    text = "pain in the chest and pnuemonia"
    assert again.find(text) == index.find(text)


def test_an_index_of_nothing_finds_nothing() -> None:
    empty = NameIndex.build([])
    assert empty.find("fever and cough") == []
    assert len(empty) == 0


WORDS = st.sampled_from(
    [
        "fever",
        "pain",
        "in",
        "the",
        "chest",
        "-",
        ".",
        "\n",
        "\u0301",
        "\u202e",
        "\0",
        "x-ray",
        "SOB",
        "😀",
        "ß",
        "5",
        "of",
    ]
)


@given(st.lists(WORDS, max_size=30).map(" ".join) | st.text(max_size=80))
def test_matches_lie_in_the_text_in_order_without_overlap(index: NameIndex, text: str) -> None:
    matches = index.find(text)
    ends = [0, *(match.end_char for match in matches)]
    assert all(end <= match.start_char < match.end_char <= len(text) for end, match in zip(ends, matches, strict=False))
