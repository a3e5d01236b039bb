"""What a note says under its headers: each sentence once, under the part it belongs to."""

from collections.abc import Iterable, Sequence

import pytest

from backend.generation.composer.progress.header_lines import MOST_STORY, HeaderLines
from backend.generation.composer.progress.vital_signs import vital_signs
from backend.schemas.drafts.evidence import NotePiece
from tests.generation.composer.pasted import cited_texts, material_of


def header_lines(text: str, planned: Sequence[tuple[int, int]] = ()) -> HeaderLines:
    material = material_of(text)
    own = [one for one in material.record.observations if one.spans]
    return HeaderLines(material, vital_signs(own, text), planned)


def texts(pieces: Iterable[NotePiece]) -> list[str]:
    return [piece.text for piece in pieces]


def test_a_result_told_in_the_story_is_a_finding() -> None:
    lines = header_lines("HPI: She has a cough. Chest x-ray shows pneumonia. She feels weak.")
    assert texts(lines.story()) == ["She has a cough.", "She feels weak."]
    assert [texts(one) for one in lines.findings()] == [["Chest x-ray shows pneumonia."]]


def test_what_is_over_is_history_wherever_it_stands() -> None:
    text = "HPI: Cough.\n\nPast Medical History: gout.\n\nPhysical Exam: Crackles. Status post appendectomy in 1980."
    lines = header_lines(text)
    (history,) = [" ".join(texts(one)) for one in lines.history()]
    assert "gout" in history and "appendectomy" in history
    assert "appendectomy" not in " ".join(text for one in lines.findings() for text in texts(one))


def test_what_the_plan_quotes_and_a_greeting_are_not_quoted_again() -> None:
    text = "HPI: Dear doctor,\nShe has a cough. She feels weak."
    at = text.index("She feels")
    assert texts(header_lines(text).story()) == ["She has a cough.", "She feels weak."]
    assert texts(header_lines(text, [(at, len(text))]).story()) == ["She has a cough."]


def test_numbers_that_the_vital_signs_tell_are_not_quoted_again() -> None:
    lines = header_lines("HPI: Cough.\n\nVital signs: BP 120/80, HR 72.\n\nPhysical Exam: Crackles.")
    assert [texts(one) for one in lines.findings()] == [["Crackles."]]


def test_medicines_are_told_by_what_becomes_of_them() -> None:
    text = "HPI: Cough.\n\nMedications: losartan 50 mg daily. Metformin 500 mg twice a day is on hold."
    lines = header_lines(text)
    found = dict(line.split(": ", 1) for line, _ in lines.medicines())
    assert lines.lists_medicines
    assert "losartan" in found["Medicines"].lower()
    assert "metformin" in found["Medicines on hold"].lower()
    assert "metformin" not in found["Medicines"].lower()


def test_without_medicines_nothing_is_told_of_them_and_the_header_s_own_words_stay() -> None:
    lines = header_lines("HPI: Cough.\n\nMedications: None.")
    assert (list(lines.medicines()), lines.lists_medicines) == ([], False)
    assert texts(lines.beside_medicines()) == ["None."]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Denies fever. Positive for fatigue.", "Review of systems: fatigue; denies fever."),
        ("Denies fever and chest pain.", "Review of systems: denies fever and chest pain."),
        ("As above.", "Review of systems: As above."),
    ],
)
def test_a_review_of_systems_is_one_sentence(asked: str, said: str) -> None:
    assert [text for text, _ in header_lines(f"HPI: Cough.\n\nReview of Systems: {asked}").review()] == [said]


@pytest.mark.parametrize(
    ("allergies", "said", "asked"),
    [
        ("Allergies: penicillin (hives), codeine (nausea)", "Allergies: penicillin (hives); codeine (intolerance: nausea).", ""),
        ("Allergies: NKDA", "Allergies: none recorded (\u201cNKDA\u201d).", ""),
        ("Allergies: unable to obtain", None, "allergies: what the note says could not be read"),
        ("Past Medical History: gout", None, "allergies: not stated"),
    ],
)  # fmt: skip
def test_allergies_are_said_or_asked(allergies: str, said: str | None, asked: str) -> None:
    text = f"HPI: Cough.\n\n{allergies}\n"
    line, gap = header_lines(text).allergies()
    assert (line and line[0], gap) == (said, asked)
    if line:
        assert cited_texts(material_of(text), line[1])


def test_a_long_story_keeps_its_first_sentence_its_order_and_no_more_than_there_is_room_for() -> None:
    text = (
        "HPI: " + " ".join(f"She said something number {word}." for word in "abcdefghijklmnopqrst") + " She has gout."
    )
    found = texts(header_lines(text).story())
    assert len(found) == MOST_STORY
    assert found[0] == "She said something number a."
    assert found[-1] == "She has gout."


def test_an_empty_note_has_no_lines() -> None:
    lines = header_lines("")
    assert (lines.story(), list(lines.history()), list(lines.findings()), list(lines.review())) == ([], [], [], [])
