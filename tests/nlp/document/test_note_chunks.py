"""Header-first chunking of a patient's note."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.nlp.document.note_chunks import ChunkSettings, category_of, note_chunks

NOTE = """NURSING NOTE
______________________
HPI: She has pain. [**Name**] was told.

FINAL REPORT
PLAN: rest.
(Over)
Electronically signed by Dr. X
"""


def test_headers_are_normalised_and_noise_is_left_out() -> None:
    found = note_chunks(NOTE, ChunkSettings())
    assert [(c.header_name, c.chunk_id_in_header, c.text) for c in found] == [
        ("History of present illness", 1, "She has pain. [**Name**] was told."),
        ("Plan", 1, "rest."),
    ]
    assert found[0].searched == "History of present illness. She has pain. was told."


def test_a_long_section_is_cut_by_length_with_whole_sentences_of_overlap() -> None:
    # sentences of 10 characters and a space between: two fill 21 of 25, a third would make 32; an overlap of 12 takes
    # up one sentence again, so the chunks are ab, bc, cd
    text = "HPI: Aaaa aaaa. Bbbb bbbb. Cccc cccc. Dddd dddd."
    found = note_chunks(text, ChunkSettings(chars=25, overlap=12))
    assert [(c.chunk_id_in_header, c.text) for c in found] == [
        (1, "Aaaa aaaa. Bbbb bbbb."),
        (2, "Bbbb bbbb. Cccc cccc."),
        (3, "Cccc cccc. Dddd dddd."),
    ]
    apart = note_chunks(text, ChunkSettings(chars=25, overlap=5))
    assert [c.text for c in apart] == ["Aaaa aaaa. Bbbb bbbb.", "Cccc cccc. Dddd dddd."]


def test_a_header_that_comes_again_counts_on() -> None:
    found = note_chunks("PLAN: rest.\n\nHPI: pain.\n\nPLAN: walk.\n", ChunkSettings())
    assert [(c.header_name, c.chunk_id_in_header) for c in found] == [
        ("Plan", 1),
        ("History of present illness", 1),
        ("Plan", 2),
    ]


def test_header_names_lead_back_to_their_category() -> None:
    for chunk in note_chunks(NOTE, ChunkSettings()):
        assert category_of(chunk.header_name) is chunk.category


def test_words_that_only_look_like_a_header_are_kept() -> None:
    # the section cutter takes "Pain came. PLAN:" for a plan's header; the first two words tell something
    found = note_chunks("Pain came. PLAN:\nrest.\n", ChunkSettings())
    assert [(c.header_name, c.text) for c in found] == [("Plan", "Pain came. PLAN:\nrest.")]
    assert [c.text for c in note_chunks("Pain came. PLAN:\n", ChunkSettings())] == ["Pain came. PLAN:"]


@pytest.mark.parametrize(
    "line",
    [
        "T: 38.2 HR 110",
        "Verified by chest X-ray.",
        "Document no complaints of pain.",
        "Reviewed on rounds with the family.",
        "Over the night she slept.",
        "D: 5 mg",
    ],
)
def test_a_clinical_line_is_no_noise(line: str) -> None:
    assert [c.text for c in note_chunks(line, ChunkSettings())] == [line]


@pytest.mark.parametrize(
    "line",
    [
        "(Over)",
        "Page 2 of 3",
        "=====",
        "Dictated by: Dr. X",
        "JOB#: 12345",
        "D: [**2101-1-2**]  T: [**2101-1-3**] 10:00",
        "FINAL REPORT",
    ],
)
def test_what_a_system_prints_between_the_lines_is_noise(line: str) -> None:
    found = note_chunks(f"She slept.\n{line}\nShe ate.\n", ChunkSettings(headers=False))
    assert [c.text for c in found] == ["She slept.", "She ate."]


def test_an_empty_note_has_no_chunk() -> None:
    assert note_chunks("", ChunkSettings()) == []
    assert note_chunks(" \n____\n", ChunkSettings()) == []


@pytest.mark.parametrize(("chars", "overlap"), [(10, 10), (10, -1), (0, 0)])
def test_an_overlap_as_long_as_the_chunk_is_refused(chars: int, overlap: int) -> None:
    with pytest.raises(ValueError):
        ChunkSettings(chars, overlap)


@given(
    text=st.lists(
        st.sampled_from(["HPI: ", "PLAN:\n", "Pain came. ", "x" * 30, " ", "\n", "____\n", "no fever, ", "[**N**] "]),
        max_size=40,
    ).map("".join),
    chars=st.integers(8, 60),
    headers=st.booleans(),
)
def test_chunks_are_exact_bounded_slices_that_go_forward(text: str, chars: int, headers: bool) -> None:
    found = note_chunks(text, ChunkSettings(chars, chars // 3, headers))
    assert all(text[c.start_char : c.end_char] == c.text and 0 < len(c.text) <= chars for c in found)
    assert all(a.start_char < b.start_char and a.end_char < b.end_char for a, b in pairwise(found))
    held = {place for c in found for place in range(c.start_char, c.end_char)}
    words = [place for place in range(len(text)) if text[place : place + 4] == "Pain"]
    assert all(place in held for place in words)
