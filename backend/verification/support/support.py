"""Whether the cited text supports a sentence; the same code whether a model or the composer wrote it.

A sentence's concepts with their assertions, its measures, its sides and its words are looked for in the texts it cites; encoder
similarity separates paraphrase from invention. What the cited text says otherwise leaves nothing (`contrary`). Scorers that are
given may lower what the rules found, or lift what is merely in doubt. It judges agreement with the citation, not truth; but no
citation supports "no known allergies" where the pasted note lists one.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from backend.interfaces import Encoder, Linker
from backend.knowledge.advice.red_flags import AS_NEW
from backend.nlp.measures.measures import Measures, measures_of
from backend.nlp.measures.told_limits import sided
from backend.schemas.drafts.draft import Verdict, WrittenSentence
from backend.schemas.drafts.evidence import Evidence
from backend.schemas.drafts.gaps import asks_of_medicines
from backend.schemas.drafts.note import LinkedNote, Mention
from backend.schemas.patients.patient_notes import UNDATED, claimed_date
from backend.schemas.vocabulary import Assertion, Basis, Category, Support
from backend.verification.support.allergy_statements import allergies_of, denies_all_allergies
from backend.verification.support.as_recorded import UsualUnit, as_recorded
from backend.verification.support.chart_words import as_cited
from backend.verification.support.cited import Source, SourceReader, union_of
from backend.verification.support.contrary import closest_source, said_against
from backend.verification.support.event_direction import MEDICINES
from backend.verification.support.laterality import places_of, unmatched_places
from backend.verification.support.measures_match import unmatched
from backend.verification.support.second_opinion import Opinion, Scorer, weighed
from backend.verification.support.shared_words import COMMON, blanked, compared, overlaps, phrases, said_in

CONCEPTS, WORDS, SIMILARITY = 0.55, 0.2, 0.25
SUPPORTED_AT, PARTIAL_AT = 0.55, 0.35
SHORTEST_QUOTE = 12
NO_ALLERGIES = re.compile(r"(?:Your|The) note lists no known (?:drug )?allergies\.")
MUST_NOT_MISS = "Must not be missed."
CLINICAL = frozenset(Category) - {
    *(Category.PERSON, Category.OCCUPATION, Category.ORGANIZATION, Category.PLACE, Category.CONCEPT),
    *(Category.PRECAUTION, Category.FOLLOW_UP, Category.PHENOMENON),
}
VALUED = frozenset({Category.TEST, Category.PHYSIOLOGY})
"""What a number may state without its name."""
_SAID = re.compile(r"Your note says: “([^“”]+)”\.?")
"""A sentence that only says what the note says: what stands in the quote is compared, and with the note alone."""
_BRACKETS, _WORDS = re.compile(r" \(([^()]+)\)"), re.compile(r"[^\W_]+")
_OPENS, _CLOSES = re.compile(r"(?:^|[.!?:;\n•*-])\s*$"), re.compile(r"\s*(?:$|[.!?;\n])")


class _Found(NamedTuple):
    """What the rules made of a sentence.

    raw: 0 to 1, before what speaks against it. wrong: the cited text says otherwise or lacks a measure; doubts: it does not say so;
    contrary: it says the contrary.
    """

    raw: float
    contrary: tuple[str, ...]
    wrong: tuple[str, ...]
    doubts: tuple[str, ...]


class CitedTextVerifier:
    """The verifier by rules over the cited text.

    Args:
        linker: reads sentences and cited texts alike.
        encoder: compares them.
        scorers: further opinions, none by default.
        kinds: the broader concepts of one ("furosemide" is a "diuretic"), which a text supports that names the narrower.
        plain: everyday words by concept id ("a light, faint feeling in the head"), which name that concept and nothing else; in
            brackets they explain it, and say nothing more.
        usual_unit: the unit of a dose that a note writes without one; empty for none or several.
    """

    def __init__(
        self,
        linker: Linker,
        encoder: Encoder,
        scorers: Sequence[Scorer] = (),
        kinds: Callable[[str], Collection[str]] = lambda _: (),
        plain: Mapping[str, Sequence[str]] = MappingProxyType({}),
        usual_unit: UsualUnit = lambda _: "",
    ) -> None:
        self._linker = linker
        self._encoder = encoder
        self._scorers = tuple(scorers)
        self._kinds = kinds
        self._plain = plain
        self._usual_unit = usual_unit
        self.name = ", ".join(("rules", encoder.name, *(scorer.name for scorer in self._scorers)))

    def verify(
        self, sentences: Sequence[WrittenSentence], linked: LinkedNote, evidence: Evidence
    ) -> tuple[Verdict, ...]:
        """One verdict a sentence, in order; scores 0 to 1, None where not scored.

        A supported sentence has a score of SUPPORTED_AT or more, a partial one less, an unsupported one less than PARTIAL_AT.
        """
        reader = SourceReader(self._linker, linked, evidence)
        sentences = [_unframed(_undated(s, reader)) for s in sentences]
        listed = ", ".join(item.text for item in allergies_of(linked))
        verdicts: list[Verdict | None] = [self._denied(s, listed, reader) or _at_once(s, reader) for s in sentences]
        places = [i for i, verdict in enumerate(verdicts) if verdict is None]
        cited = [reader.sources(sentences[i]) for i in places]
        units = [[unit.text for source in sources for unit in source.units] for sources in cited]
        for i, sources, texts in zip(places, cited, units, strict=True):
            read = [one for source in sources for one in source.observations]
            taken = [one for source in sources for one in source.medications]
            told = as_recorded(sentences[i].text, read, taken, self._usual_unit)
            bare = self._unexplained(told, union_of(source.named for source in sources))
            sentences[i] = sentences[i].model_copy(update={"text": as_cited(bare, texts)})
        cosines = self._cosines([sentences[i].text for i in places], units)
        opinions = self._opinions([sentences[i].text for i in places], units)
        for place, i in enumerate(places):
            found = self._found(sentences[i], cited[place], units[place], cosines[place])
            verdicts[i] = weighed(
                _verdict(found), opinions[place], SUPPORTED_AT, PARTIAL_AT, bool(found.wrong or found.contrary)
            )
        return tuple(v for v in verdicts if v is not None)

    def _denied(self, sentence: WrittenSentence, listed: str, reader: SourceReader) -> Verdict | None:
        """The verdict on a sentence that says that there are no allergies, where the note lists some or says the same."""
        if listed and denies_all_allergies(sentence.text, self._linker):
            return Verdict(support=Support.UNSUPPORTED, score=0.0, reason=f"the note lists the allergy: {listed}")
        if (
            not listed
            and NO_ALLERGIES.fullmatch(sentence.text)
            and any(one.no_allergies for one in reader.sources(sentence))
        ):
            return Verdict(support=Support.SUPPORTED, score=1.0, reason="the note says that there are none known")
        return None

    def _cosines(self, texts: Sequence[str], sources: Sequence[Sequence[str]]) -> list[float]:
        """For each text its highest cosine to a sentence of its source; 0 where the source is empty."""
        flat = [*texts, *(part for source in sources for part in source)]
        if not texts:
            return []
        vectors = self._encoder.encode(flat)
        out, place = [], len(texts)
        for i, source in enumerate(sources):
            rows = vectors[place : place + len(source)]
            place += len(source)
            out.append(max(0.0, float((rows @ vectors[i]).max())) if len(rows) else 0.0)
        return out

    def _opinions(self, texts: Sequence[str], units: Sequence[Sequence[str]]) -> list[list[Opinion]]:
        """What each scorer says of each sentence."""
        out: list[list[Opinion]] = [[] for _ in texts]
        for scorer in self._scorers if texts else ():
            for place, opinion in enumerate(scorer.opinions([" ".join(source) for source in units], texts)):
                out[place].append(opinion)
        return out

    def _found(
        self, sentence: WrittenSentence, sources: Sequence[Source], units: Sequence[str], cosine: float
    ) -> _Found:
        claim = self._linker.link(sentence.text)
        mentions = claim.note.mentions
        claimed = {m.concept_id: m for m in mentions if m.category in CLINICAL}
        named = union_of(source.named for source in sources)
        stated = union_of(source.asserted for source in sources)
        measured = measures_of(_without_named_numbers(sentence.text, mentions, named))
        measures = [unit.measures for source in sources for unit in source.units]
        all_cited = _supported_values(measured, measures)
        routes = measured.routes & union_of(one.routes for one in measures)
        ways = [*phrases(sentence.text, routes), *sided(sentence.text)]  # "into a vein" names no blood vessel
        worded = phrases(sentence.text, (words for concept in stated for words in self._plain.get(concept, ())))
        known = {
            concept
            for concept, m in claimed.items()
            if concept in named
            or said_in(m.text, units)
            or (all_cited and m.category in VALUED)
            or self._broader(m, stated)
            or overlaps(m, worded)
            or overlaps(m, ways)
        }
        missing = [m.name for concept, m in claimed.items() if concept not in known and not _is_value(m)]
        words = compared(
            sentence.text,
            units,
            [
                *(m.text for m in mentions if m.concept_id in named or m.concept_id in known),
                *(sentence.text[start:end] for start, end in (*worded, *ways)),
            ],
        )
        near = closest_source(sentence.text, sources, COMMON)
        said = measured
        if not any(m.category in MEDICINES for m in mentions):
            said = said._replace(routes=frozenset())  # "blood per rectum" is no route
        unit = near.units[0] if near and len(near.units) == 1 else None
        wrong, doubts = unmatched(said, measures, unit.measures if unit else None)
        there = [place for source in sources for unit in source.units for place in unit.places]
        sides, unnamed = unmatched_places(places_of(sentence.text), there, unit.places if unit else ())
        there_under = " ".join(units).lower()
        renamed = [
            (m.start_char, m.end_char) for m in mentions if m.concept_id in stated and m.text.lower() not in there_under
        ]
        own_words = blanked(sentence.text, [*worded, *renamed])
        against = said_against(claim, sentence.basis, sources, COMMON, own_words)
        covered = 1.0 - len(missing) / len(claimed) if claimed else None
        if covered is None:
            raw = (WORDS * words.overlap + SIMILARITY * cosine) / (WORDS + SIMILARITY)
            if words.overlap == 1.0 and all_cited:
                raw = max(raw, SUPPORTED_AT)  # every word and number is there: "You are 72 years old"
        else:
            raw = CONCEPTS * covered + WORDS * words.overlap + SIMILARITY * cosine
        if sides:
            wrong.append(f"side not in the cited text: {', '.join(sides)}")
        if unnamed:
            doubts.append(f"side not in the cited text: {', '.join(unnamed)}")
        strange = dict.fromkeys((*words.strange, *words.swapped))
        if missing:
            doubts.insert(0, f"not in the cited text: {', '.join(missing)}")
        elif strange:
            doubts.insert(0, f"words not in the cited text: {', '.join(strange)}")
        return _Found(min(1.0, raw), against.contraries, tuple(wrong), (*doubts, *against.doubts))

    def _unexplained(self, text: str, named: Collection[str]) -> str:
        """A sentence without the brackets that explain what the cited text names: "colonoscopy (a camera look into the large bowel)"."""

        def kept(brackets: re.Match[str]) -> str:
            said = set(_WORDS.findall(brackets[1].lower()))
            explains = any(said <= set(_WORDS.findall(one.lower())) for c in named for one in self._plain.get(c, ()))
            return "" if explains else brackets[0]

        return _BRACKETS.sub(kept, text) if "(" in text else text

    def _broader(self, m: Mention, stated: frozenset[str]) -> bool:
        """Whether the cited text states something that is a kind of what the sentence names and does not deny."""
        return m.assertion != Assertion.NEGATED and any(m.concept_id in self._kinds(concept) for concept in stated)


def _without_named_numbers(text: str, mentions: Sequence[Mention], named: Collection[str]) -> str:
    """A sentence without the digits of names that the cited text has: "T2DM" has the number of "type 2 diabetes"."""
    for m in mentions:
        if m.category in {Category.DISEASE, *MEDICINES} and m.concept_id in named and any(c.isalpha() for c in m.text):
            inside = re.sub(r"\d", " ", text[m.start_char : m.end_char])
            text = text[: m.start_char] + inside + text[m.end_char :]
    return text


def _supported_values(said: Measures, cited: Sequence[Measures]) -> bool:
    """Whether a sentence has numbers and all of them are cited: then "BP 148/92" states the blood pressure."""
    return bool(said.numbers) and not unmatched(said, cited)[0]


def _verdict(found: _Found) -> Verdict:
    """The mark and a score that never contradicts it: within a mark the raw score orders the sentences."""
    if found.contrary:
        return Verdict(support=Support.UNSUPPORTED, score=0.0, reason="; ".join((*found.contrary, *found.wrong)))
    reasons = "; ".join((*found.wrong, *found.doubts))
    if found.wrong or found.raw < PARTIAL_AT:
        score = found.raw * PARTIAL_AT * 0.99 if found.wrong else found.raw * 0.99
        return Verdict(support=Support.UNSUPPORTED, score=round(score, 3), reason=reasons or "little in common")
    if found.doubts or found.raw < SUPPORTED_AT:
        score = PARTIAL_AT + (SUPPORTED_AT - PARTIAL_AT) * 0.99 * (found.raw - PARTIAL_AT) / (1.0 - PARTIAL_AT)
        return Verdict(support=Support.PARTIAL, score=round(score, 3), reason=reasons or "worded differently")
    return Verdict(support=Support.SUPPORTED, score=round(found.raw, 3))


def _at_once(sentence: WrittenSentence, reader: SourceReader) -> Verdict | None:
    """Verdicts that need no comparison: gaps, sentences without a citation, word-for-word quotes."""
    if (sentence.text.startswith("[") and sentence.text.endswith("]")) or asks_of_medicines(sentence.text):
        return Verdict(support=Support.NOT_SCORED, reason="a gap for the team, no statement")
    if not sentence.citations:
        return Verdict(support=Support.UNSUPPORTED, score=0.0, reason="cites nothing")
    own, general = reader.texts(sentence)
    if sentence.basis == Basis.PATIENT and not own:
        return Verdict(support=Support.UNSUPPORTED, score=0.0, reason="speaks of the patient but cites no note")
    # a patient sentence must be supported by the note, so a quote from a book does not count for it
    sources = own if sentence.basis == Basis.PATIENT else [*own, *general]
    said = _SAID.fullmatch(sentence.text)
    if any(_quotes(text, said[1] if said else sentence.text) for text in (own if said else sources)):
        return Verdict(support=Support.SUPPORTED, score=1.0, reason="word for word")
    return None


def _quotes(source: str, text: str) -> bool:
    """Whether a text stands in the source word for word, from the beginning of a sentence to the end of one.

    "fever or chills" is no quote of "denies fever or chills".
    """
    wanted, there = _folded(text), " ".join(source.lower().split())
    if len(wanted) < SHORTEST_QUOTE:
        return False
    at = there.find(wanted)
    while at >= 0:
        if _OPENS.search(there, 0, at) and _CLOSES.match(there, at + len(wanted)):
            return True
        at = there.find(wanted, at + 1)
    return False


def _folded(text: str) -> str:
    return " ".join(text.lower().split()).rstrip(".")


def _is_value(m: Mention) -> bool:
    """A finding that only a measured value states: the value itself is compared as a number."""
    return m.assertion == Assertion.PRESENT and not any(c.isalpha() for c in m.text)


def _unframed(sentence: WrittenSentence) -> WrittenSentence:
    """A sentence without what it only asks of the reader: "Must not be missed." denies nothing, nor does a sign told as new."""
    bare = sentence.text.removesuffix(MUST_NOT_MISS).replace(AS_NEW, "").rstrip()
    return sentence if bare == sentence.text or not bare else sentence.model_copy(update={"text": bare})


def _undated(sentence: WrittenSentence, reader: SourceReader) -> WrittenSentence:
    """A statement without the dates that its cited pieces bear ("2024-03-01 (Nursing): …", "1.1 (2024-01-10)"); others stay."""
    day, bare = claimed_date(sentence.text)
    cited = [piece for piece in map(reader.piece, sentence.citations) if piece is not None]
    if day and any(day == (piece.date or UNDATED) or day in piece.text for piece in cited):
        return sentence.model_copy(update={"text": bare})
    borne = {piece.date[:10] for piece in cited if piece.date}
    text = _DAY.sub(lambda match: " " if match[1] in borne else match[0], sentence.text) if borne else sentence.text
    return sentence if text == sentence.text else sentence.model_copy(update={"text": " ".join(text.split())})


_DAY = re.compile(r"\s\(?(\d{4}-\d\d-\d\d)\b\)?")
