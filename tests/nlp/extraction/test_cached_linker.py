"""The linker that reads a sentence once."""

from backend.nlp.extraction.cached_linker import LONGEST_KEPT, CachedLinker
from backend.schemas.drafts.note import Allergies, LinkedNote, Mention, Note
from backend.schemas.vocabulary import AllergyStatus


class Counting:
    def __init__(self) -> None:
        self.read: list[str] = []

    def link(self, text: str) -> LinkedNote:
        self.read.append(text)
        return LinkedNote(note=Note(text=text), allergies=Allergies(status=AllergyStatus.NOT_STATED))

    def named(self, text: str) -> tuple[Mention, ...]:
        self.read.append(f"named {text}")
        return ()


def test_a_sentence_is_read_once_and_given_again() -> None:
    counting = Counting()
    cached = CachedLinker(counting)
    assert cached.link("She coughs.") is cached.link("She coughs.")
    assert counting.read == ["She coughs."]


def test_a_whole_note_is_not_kept() -> None:
    counting = Counting()
    cached = CachedLinker(counting)
    note = "x" * (LONGEST_KEPT + 1)
    cached.link(note)
    cached.link(note)
    assert counting.read == [note, note]


def test_the_oldest_text_goes_when_there_are_too_many() -> None:
    counting = Counting()
    cached = CachedLinker(counting, size=1)
    for text in ("a", "b", "a"):
        cached.link(text)
    assert counting.read == ["a", "b", "a"]


def test_what_a_passage_names_is_kept_apart_from_what_a_note_says() -> None:
    counting = Counting()
    cached = CachedLinker(counting)
    for _ in range(2):
        cached.named("Asthma is common.")
        cached.link("Asthma is common.")
    assert counting.read == ["named Asthma is common.", "Asthma is common."]
