"""Results, signs and treatments that the story does not tell, as plain sentences."""

from pathlib import Path

import pytest

from backend.container import Container
from backend.generation.letter.found.found_lines import MOST, found_lines
from backend.generation.letter.story import Story
from backend.nlp.rules.rule_files import rule_rows
from tests.generation.letter.conftest import NoteStory, StoryOf

FRESH = rule_rows(Path(__file__).parent / "fresh_found.tsv", 3)
WITHOUT_STORY = Story()


def _texts(container: Container, read: NoteStory, told: Story = WITHOUT_STORY) -> list[str]:
    plain = container.shipped.plain
    return [one.text for one in found_lines(read.record, read.text, read.pieces, plain, told).sentences]


def _note(section: str, said: str) -> str:
    return f"EMERGENCY DEPARTMENT NOTE\n\nCHIEF COMPLAINT: Feeling ill.\n\n{section}: {said}\n"


@pytest.mark.parametrize(("section", "said", "told"), FRESH)
def test_a_line_says_what_its_sentence_says_or_nothing(
    container: Container, story_of: StoryOf, section: str, said: str, told: str
) -> None:
    assert " ".join(_texts(container, story_of(_note(section, said)))) == told.strip("-")


def test_a_line_is_cited_and_not_told_twice(container: Container, story_of: StoryOf) -> None:
    read = story_of(_note("HISTORY OF PRESENT ILLNESS", "She came with cough. A chest x-ray showed pneumonia."))
    found = found_lines(read.record, read.text, read.pieces, container.shipped.plain, WITHOUT_STORY)
    cited = {piece.id: piece.text for piece in read.pieces}
    assert any("chest x-ray" in cited[one] for line in found.sentences for one in line.citations)
    assert "chest x-ray" in read.letter_text.lower()
    assert _texts(container, read, read.story) == []


def test_what_has_no_plain_words_stays_with_the_team(container: Container, story_of: StoryOf) -> None:
    said = "An MRI of the brain revealed foraminal stenosis with ligamentum flavum thickening."
    read = story_of(_note("HISTORY OF PRESENT ILLNESS", f"She came with pain. {said}"))
    found = found_lines(read.record, read.text, read.pieces, container.shipped.plain, read.story)
    assert not found.sentences
    assert len(found.untold) == 1
    assert read.text[found.untold[0].start :].startswith("An MRI of the brain") or "MRI" in found.untold[0].name


def test_there_are_few_lines(container: Container, story_of: StoryOf) -> None:
    places = ("chest", "belly", "head", "neck", "left arm", "right arm", "left leg", "right leg", "back")
    said = " ".join(f"An x-ray of the {place} showed a small fracture." for place in places)
    assert len(_texts(container, story_of(_note("HISTORY OF PRESENT ILLNESS", said)))) == MOST


def test_what_else_a_test_found_is_asked_by_name(container: Container, story_of: StoryOf) -> None:
    said = "He came with cough. CTPE no PE, incidental 11 mm LLL nodule. He went home."
    read = story_of(_note("HISTORY OF PRESENT ILLNESS", said))
    found = found_lines(read.record, read.text, read.pieces, container.shipped.plain, WITHOUT_STORY)
    assert [one.name for one in found.untold] == ["rest of the CT of the lung arteries"]


def test_a_telegram_among_results_goes_on_from_the_test_before_it(container: Container, story_of: StoryOf) -> None:
    said = "Echocardiogram demonstrates a preserved ejection fraction of 60%. Moderate mitral regurgitation."
    told = " ".join(_texts(container, story_of(_note("RESULTS", said))))
    assert "pumping strength of 60%" in told
    assert "moderate leak of a heart valve" in told


def test_a_thing_found_and_another_not_found_are_no_contradiction(container: Container, story_of: StoryOf) -> None:
    said = "X-ray of the right knee demonstrates arthritis. No fractures noted."
    told = _texts(container, story_of(_note("RESULTS", said)))
    assert any("arthritis" in one for one in told)
    assert any("no fractures" in one for one in told)


def test_a_negative_test_of_the_story_is_not_told_again(container: Container, story_of: StoryOf) -> None:
    said = "In the ER, she had a CT scan done, which was reported negative, and was admitted."
    read = story_of(_note("HISTORY OF PRESENT ILLNESS", said))
    assert "reported negative" in read.letter_text
    assert not any("CT" in one for one in _texts(container, read, read.story))
