"""Whether the cited text carries a sentence; the same code whether a model or the composer wrote it.

A sentence's concepts, their assertions, its numbers with units and its laterality are looked for in the texts it cites;
word overlap and encoder similarity tell paraphrase from invention. It judges agreement with the citation, not truth.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from backend.interfaces import Encoder, Linker
from backend.schemas.draft import Verdict, WrittenSentence
from backend.schemas.evidence import Evidence, NotePiece
from backend.schemas.note import LinkedNote, Mention
from backend.schemas.patient_notes import UNDATED, claimed_date
from backend.schemas.vocabulary import Assertion, Basis, Category, Support
from backend.text import sentences as split

CONCEPTS, WORDS, SIMILARITY = 0.55, 0.2, 0.25
SUPPORTED_AT, PARTIAL_AT = 0.55, 0.35
SHORTEST_QUOTE = 12
ROOT = 6  # letters that two forms of one word share
DENIES = frozenset({Assertion.NEGATED, Assertion.FAMILY, Assertion.HYPOTHETICAL})
NUMBER = re.compile(
    r"\d+(?:[.,/:]\d+)*\s?(?:%|mg|mcg|g|kg|ml|l|units?|mmhg|bpm|°?[cf]\b|pounds?|days?|weeks?|hours?)?", re.I
)
SIDE = re.compile(r"\b(left|right|bilateral|both)\b", re.I)
CLINICAL = frozenset(Category) - {
    *(Category.PERSON, Category.OCCUPATION, Category.ORGANIZATION, Category.PLACE, Category.CONCEPT),
    *(Category.PRECAUTION, Category.FOLLOW_UP, Category.PHENOMENON),
}
STOP = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "because",
        "by",
        "can",
        "came",
        "did",
        "do",
        "does",
        "for",
        "from",
        "had",
        "has",
        "have",
        "hospital",
        "how",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "may",
        "not",
        "note",
        "of",
        "on",
        "or",
        "says",
        "lists",
        "said",
        "so",
        "that",
        "the",
        "their",
        "this",
        "to",
        "was",
        "were",
        "what",
        "when",
        "which",
        "who",
        "will",
        "with",
        "you",
        "your",
    ]
)


class _Cited(NamedTuple):
    text: str
    concepts: frozenset[str]
    denied: frozenset[str]


class CitedTextVerifier:
    """linker reads sentences and cited texts alike; encoder compares them."""

    def __init__(self, linker: Linker, encoder: Encoder) -> None:
        self._linker = linker
        self._encoder = encoder

    def verify(
        self, sentences: Sequence[WrittenSentence], linked: LinkedNote, evidence: Evidence
    ) -> tuple[Verdict, ...]:
        """One verdict a sentence, in order; scores 0 to 1, None where not scored."""
        texts = {path.id: path.carried for path in evidence.paths}
        texts.update({item.id: item.text for item in evidence.graph})
        texts.update({passage.id: passage.text for passage in evidence.passages})
        pieces = {piece.id: piece for piece in evidence.notes}
        sentences = [_undated(s, pieces) for s in sentences]
        verdicts: list[Verdict | None] = [_at_once(s, texts, pieces) for s in sentences]
        open_places = [i for i, verdict in enumerate(verdicts) if verdict is None]
        cited = [self._cited(sentences[i], texts, pieces, linked) for i in open_places]
        cosines = self._cosines([sentences[i].text for i in open_places], [c.text for c in cited])
        for i, source, cosine in zip(open_places, cited, cosines, strict=True):
            verdicts[i] = self._judge(sentences[i], source, cosine)
        return tuple(v for v in verdicts if v is not None)

    def _cited(
        self,
        sentence: WrittenSentence,
        texts: dict[str, str],
        pieces: dict[str, NotePiece],
        linked: LinkedNote,
    ) -> _Cited:
        """The cited texts as one, with the concepts they assert and those they only deny."""
        joined = list[str]()
        asserted, denied = set[str](), set[str]()
        for citation in sentence.citations:
            if citation in texts:
                joined.append(texts[citation])
                # general text speaks of what may be ("call if you have chest pain"): only a "no" denies there
                for m in self._linker.link(texts[citation]).note.mentions:
                    (denied if m.assertion == Assertion.NEGATED else asserted).add(m.concept_id)
            elif citation in pieces:
                piece = pieces[citation]
                joined.append(f"{piece.section}. {piece.text}")  # the header is part of what the note says
                for m in self._note_mentions(piece, linked):
                    (denied if m.assertion in DENIES and not m.allergen else asserted).add(m.concept_id)
                asserted.update(self._allergies(piece, linked))
        return _Cited(" ".join(joined), frozenset(asserted), frozenset(denied - asserted))

    def _allergies(self, piece: NotePiece, linked: LinkedNote) -> set[str]:
        """What the allergies listed in a piece are called in a sentence: "allergic to latex" names a disease of its own."""
        if piece.note_type != "Pasted note":
            return set()
        inside = (i for i in linked.allergies.items if piece.start_char <= i.start_char < piece.end_char)
        told = (self._linker.link(f"You are allergic to {item.text}.") for item in inside)
        return {m.concept_id for note in told for m in note.note.mentions}

    def _note_mentions(self, piece: NotePiece, linked: LinkedNote) -> list[Mention]:
        """Mentions as the whole note has them: a piece alone would lose its section."""
        if piece.note_type == "Pasted note":
            inside = linked.note.mentions
            return [m for m in inside if piece.start_char <= m.start_char < piece.end_char]
        return list(self._linker.link(piece.text).note.mentions)

    def _cosines(self, texts: Sequence[str], sources: Sequence[str]) -> list[float]:
        """For each text its highest cosine to a sentence of its source; 0 where the source is empty."""
        parts = [[s[a:b] for a, b in split(s)] or [s] for s in sources]
        flat = [*texts, *(part for source in parts for part in source)]
        if not texts:
            return []
        vectors = self._encoder.encode(flat)
        out, place = [], len(texts)
        for i, source in enumerate(parts):
            rows = vectors[place : place + len(source)]
            place += len(source)
            out.append(float((rows @ vectors[i]).max()) if sources[i].strip() else 0.0)
        return out

    def _judge(self, sentence: WrittenSentence, source: _Cited, cosine: float) -> Verdict:
        mentions = self._linker.link(sentence.text).note.mentions
        claimed = {
            m.concept_id: m.name
            for m in mentions
            if m.category in CLINICAL and (m.assertion not in DENIES or m.allergen)
        }
        literal = {m.concept_id for m in mentions if _said(m.text, source.text)}
        known = source.concepts | source.denied | literal
        missing = [name for concept, name in claimed.items() if concept not in known]
        denied = [name for concept, name in claimed.items() if concept in source.denied]
        numbers = _numbers(sentence.text) - _numbers(source.text)
        sides = _sides(sentence.text) - _sides(source.text)
        overlap = _overlap(sentence.text, source.text)
        covered = 1.0 - (len(missing) + len(denied)) / len(claimed) if claimed else None
        if covered is None:
            score = (WORDS * overlap + SIMILARITY * max(0.0, cosine)) / (WORDS + SIMILARITY)
        else:
            score = CONCEPTS * covered + WORDS * overlap + SIMILARITY * max(0.0, cosine)
        score = round(min(1.0, score), 3)
        if denied:
            return Verdict(support=Support.UNSUPPORTED, score=0.0, reason=f"the cited text denies: {', '.join(denied)}")
        problems = [f"not in the cited text: {', '.join(missing)}"] if missing else []
        if numbers:
            problems.append(f"numbers not in the cited text: {', '.join(sorted(numbers))}")
        if sides:
            problems.append(f"side not in the cited text: {', '.join(sorted(sides))}")
        if not problems and score >= SUPPORTED_AT:
            return Verdict(support=Support.SUPPORTED, score=score)
        if numbers or score < PARTIAL_AT:
            return Verdict(support=Support.UNSUPPORTED, score=score, reason="; ".join(problems) or "little in common")
        return Verdict(support=Support.PARTIAL, score=score, reason="; ".join(problems) or "worded differently")


def _at_once(sentence: WrittenSentence, texts: dict[str, str], pieces: dict[str, NotePiece]) -> Verdict | None:
    """Verdicts that need no comparison: gaps, sentences without a citation, word-for-word quotes."""
    if sentence.text.startswith("[") and sentence.text.endswith("]"):
        return Verdict(support=Support.NOT_SCORED, reason="a gap for the team, no statement")
    if not sentence.citations:
        return Verdict(support=Support.UNSUPPORTED, score=0.0, reason="cites nothing")
    own = [pieces[c].text for c in sentence.citations if c in pieces]
    if sentence.basis == Basis.PATIENT and not own:
        return Verdict(support=Support.UNSUPPORTED, score=0.0, reason="speaks of the patient but cites no note")
    # a patient sentence must be carried by the note, so a quote from a book does not count for it
    sources = own if sentence.basis == Basis.PATIENT else [*own, *(texts[c] for c in sentence.citations if c in texts)]
    wanted = _folded(sentence.text)
    if len(wanted) >= SHORTEST_QUOTE and any(wanted in _folded(text) for text in sources):
        return Verdict(support=Support.SUPPORTED, score=1.0, reason="word for word")
    return None


def _folded(text: str) -> str:
    return " ".join(text.lower().split()).rstrip(".")


def _numbers(text: str) -> set[str]:
    return {re.sub(r"\s+", "", found.lower()).rstrip("s") for found in NUMBER.findall(text)}


def _sides(text: str) -> set[str]:
    sides = {found.lower() for found in SIDE.findall(text)}
    return sides | {"left", "right", "both", "bilateral"} if sides & {"both", "bilateral"} else sides


def _words(text: str) -> set[str]:
    words = (
        re.sub(r"^allerg(y|ies|ic)$", "allerg", w) for w in re.findall(r"[a-z]{3,}", text.lower()) if w not in STOP
    )
    return {w.rstrip("s") for w in words}


def _said(text: str, source: str) -> bool:
    """Whether each longer word of a mention stands in the source, in whatever form: `allergic to latex`, `Latex allergy`."""
    roots = {word[:ROOT] for word in re.findall(r"[a-z]{4,}", source.lower())}
    words = re.findall(r"[a-z]{4,}", text.lower())
    return bool(words) and all(word[:ROOT] in roots for word in words)


def _overlap(text: str, source: str) -> float:
    """The share of a text's content words that the source has; 1 for a text without any."""
    words = _words(text)
    return len(words & _words(source)) / len(words) if words else 1.0


def _undated(sentence: WrittenSentence, pieces: dict[str, NotePiece]) -> WrittenSentence:
    """A dated statement without its date, where a cited piece bears that date; with any other it stays as it is."""
    day, bare = claimed_date(sentence.text)
    cited = [pieces[c] for c in sentence.citations if c in pieces]
    if day and any(day == (piece.date or UNDATED) or day in piece.text for piece in cited):
        return sentence.model_copy(update={"text": bare})
    return sentence
