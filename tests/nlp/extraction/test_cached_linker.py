"""The linker that reads a sentence once."""

from collections.abc import Sequence

from backend.nlp.extraction.cached_linker import LONGEST_KEPT, CachedLinker
from backend.schemas.corrections import Correction, CorrectionKind
from backend.schemas.drafts.note import Allergies, LinkedNote, Mention, Note
from backend.schemas.vocabulary import AllergyStatus


class Counting:
    def __init__(self) -> None:
        self.texts: list[str] = []

    def link(self, text: str) -> LinkedNote:
        self.texts.append(text)
        return LinkedNote(note=Note(text=text), allergies=Allergies(status=AllergyStatus.NOT_STATED))

    def read(self, text: str, corrections: Sequence[Correction] = ()) -> LinkedNote:
        self.texts.append(f"record {text}")
        return LinkedNote(note=Note(text=text), allergies=Allergies(status=AllergyStatus.NOT_STATED))

    def named(self, text: str) -> tuple[Mention, ...]:
        self.texts.append(f"named {text}")
        return ()


def test_a_sentence_is_read_once_and_given_again() -> None:
    counting = Counting()
    cached = CachedLinker(counting)
    assert cached.link("She coughs.") is cached.link("She coughs.")
    assert counting.texts == ["She coughs."]


def test_a_whole_note_is_not_kept() -> None:
    counting = Counting()
    cached = CachedLinker(counting)
    note = "x" * (LONGEST_KEPT + 1)
    cached.link(note)
    cached.link(note)
    assert counting.texts == [note, note]


def test_the_oldest_text_goes_when_there_are_too_many() -> None:
    counting = Counting()
    cached = CachedLinker(counting, size=1)
    for text in ("a", "b", "a"):
        cached.link(text)
    assert counting.texts == ["a", "b", "a"]


def test_what_a_passage_names_is_kept_apart_from_what_a_note_says() -> None:
    counting = Counting()
    cached = CachedLinker(counting)
    for _ in range(2):
        cached.named("Asthma is common.")
        cached.link("Asthma is common.")
    assert counting.texts == ["named Asthma is common.", "Asthma is common."]


def test_the_record_of_a_line_is_read_once_and_that_of_a_corrected_text_each_time() -> None:
    counting = Counting()
    cached = CachedLinker(counting)
    absent = Correction(start_char=0, end_char=7, text="aspirin", kind=CorrectionKind.ABSENT)
    for _ in range(2):
        cached.read("aspirin 81 mg daily")
        cached.read("aspirin 81 mg daily", (absent,))
    assert counting.texts == ["record aspirin 81 mg daily"] * 3
