"""Layout: every sentence lies exactly where its offsets say, under its heading."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from backend.generation.layout import DocumentLayout
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.vocabulary import Basis, Document

HOME = Document.DISCHARGE_INSTRUCTIONS


def sentence(text: str, section: str) -> WrittenSentence:
    return WrittenSentence(text=text, section=section, basis=Basis.GENERAL)


def test_headings_stand_above_their_sentences() -> None:
    written = [sentence("One.", "A"), sentence("Two.", "A"), sentence("Three.", "B")]
    text, spans = DocumentLayout().lay_out(written, HOME, "sections")
    assert text == "A\nOne. Two.\n\nB\nThree."
    assert spans == ((2, 6), (7, 11), (15, 21))


def test_a_paragraph_has_no_headings_for_discharge_instructions_alone() -> None:
    written = [sentence("One.", "A"), sentence("Two.", "B")]
    assert DocumentLayout().lay_out(written, HOME, "paragraph")[0] == "One. Two."
    assert DocumentLayout().lay_out(written, Document.PROGRESS_NOTE, "paragraph")[0] == "A\nOne.\n\nB\nTwo."


def test_nothing_written_is_an_empty_text() -> None:
    assert DocumentLayout().lay_out([], HOME, "sections") == ("", ())


SENTENCES = st.lists(st.tuples(st.text(min_size=1, max_size=20), st.sampled_from("ABC")), max_size=12)


@settings(max_examples=60, deadline=None)
@given(SENTENCES, st.sampled_from(list(Document)), st.sampled_from(["sections", "paragraph"]))
def test_offsets_are_exact_and_in_order_for_any_sentences(
    given_sentences: list[tuple[str, str]], document: Document, style: str
) -> None:
    written = [sentence(text, section) for text, section in given_sentences]
    text, spans = DocumentLayout().lay_out(written, document, style)
    assert [text[a:b] for a, b in spans] == [s.text for s in written]
    assert all(before[1] < after[0] for before, after in pairwise(spans))


def test_a_line_of_a_progress_note_ends_where_its_sentence_says_so() -> None:
    one = WrittenSentence(text="One.", section="A", basis=Basis.GENERAL, break_after=True)
    two = one.model_copy(update={"text": "Two.", "break_after": False})
    three = one.model_copy(update={"text": "Three."})
    laid, spans = DocumentLayout().lay_out([one, two, three], Document.PROGRESS_NOTE, "sections")
    assert laid == "A\nOne.\nTwo. Three."
    assert [laid[a:b] for a, b in spans] == ["One.", "Two.", "Three."]
    home, _ = DocumentLayout().lay_out([one, two], Document.DISCHARGE_INSTRUCTIONS, "sections")
    assert home == "A\nOne. Two."
