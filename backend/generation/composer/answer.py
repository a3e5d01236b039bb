"""A clinical answer from evidence: first what was asked, in at most 120 words, or that the sources do not answer it.

What does not answer is shown as evidence, never as text of the answer.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from backend.generation.composer.answers.asked import Asked, Kinds, read_question
from backend.generation.composer.answers.of_note import pieces_that_answer
from backend.generation.composer.answers.option_sentences import forbidden_sentences, option_sentences, warned_sentences
from backend.generation.composer.answers.options import OptionAnswer, answer_option
from backend.generation.composer.answers.relevance import Found, answering
from backend.generation.composer.material import Material, QuotedSentence
from backend.generation.composer.soap import explanations
from backend.generation.composer.wording import capital, content_words
from backend.interfaces import Linker
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.evidence import NotePiece
from backend.schemas.drafts.headings import ANSWER
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Assertion, Basis

MOST_SENTENCES = 5
MOST_WORDS = 120
NEAREST = 3  # passages that are shown where nothing answers
NOT_ANSWERED = "The sources here do not answer this."


def answer_sentences(
    material: Material,
    request: DraftRequest,
    linker: Linker,
    forbidden: Mapping[str, str],
    cautions: Mapping[str, str],
    kinds: Kinds,
) -> Iterator[WrittenSentence]:
    """Yield the whole answer to a question, or to a note alone what the patient may have.

    Args:
        material: what may be quoted.
        request: the question, with its options where it has some.
        linker: reads the question.
        forbidden: by letter why the safety check forbids an option.
        cautions: by letter what else the safety check has against an option.
        kinds: what a concept is a kind of.
    """
    if request.options:
        chosen = answer_option(material, request, linker, forbidden, cautions, kinds)
        yield from option_sentences(chosen.letter, chosen.option, chosen.citations, (chosen.said, chosen.fell))
        yield from forbidden_sentences(request.options, forbidden)
        yield from warned_sentences(chosen.warned, request.options)
        if not chosen.option:
            yield from not_answered(material)
        else:
            yield from within(_of_option(material, request, chosen, linker, kinds))
        return
    question = request.question or request.text
    asked = read_question(question, linker, kinds)
    beside = bool(request.text.strip())
    first: list[WrittenSentence] = []
    if beside and (not request.question or asked.conditions):
        first = [s.model_copy(update={"section": ANSWER}) for s in explanations(material) if s.citations]
    elif beside:
        first = [_of_note(piece) for piece in pieces_that_answer(material, asked)]
    yield from within([*first, *clinical_answer(material, asked, beside, bool(first))])


def clinical_answer(
    material: Material, asked: Asked, beside: bool = False, answered: bool = False
) -> Iterator[WrittenSentence]:
    """Yield the retrieved sentences that answer a question, as they stand; where none does, that the sources do not answer it.

    Args:
        material: what may be quoted.
        asked: the question.
        beside: it is asked beside a note: of its patient, only chapters about what the note or the question names answer; of a
            question that names no disease or medicine, those about what leads.
        answered: something else answers already.
    """
    quotes = material.all_quotes()
    if beside and (asked.of_patient or not asked.concepts):
        about = {condition.concept_id for condition in material.focus}
        if asked.concepts:
            held = (Assertion.PRESENT, Assertion.HISTORICAL)
            about |= asked.concepts | {m.concept_id for m in material.linked.note.mentions if m.assertion in held}
        quotes = [quote for quote in quotes if quote.passage.concept_id in about]
    found = answering(asked, quotes, material.evidence.graph)
    yield from _written(found)
    if not found and not answered:
        yield from not_answered(material)


def _of_note(piece: NotePiece) -> WrittenSentence:
    return WrittenSentence(
        text=f"The note says: “{piece.text}”", section=ANSWER, basis=Basis.PATIENT, citations=(piece.id,)
    )


def not_answered(material: Material) -> Iterator[WrittenSentence]:
    """Yield that the sources do not answer, with the nearest passages as evidence; nothing where nothing was retrieved at all."""
    evidence = material.evidence
    if evidence.passages or evidence.graph or evidence.paths:
        nearest = tuple(passage.id for passage in evidence.passages[:NEAREST])
        shown = " The nearest passages are shown beside it." if nearest else ""
        text = f"[{NOT_ANSWERED}{shown}]"
        yield WrittenSentence(text=text, section=ANSWER, basis=Basis.GENERAL, citations=nearest)


def within(sentences: Iterable[WrittenSentence], most: int = MOST_WORDS) -> Iterator[WrittenSentence]:
    """The first sentences that together hold at most so many words; the first of all always stays."""
    spent = 0
    for sentence in sentences:
        spent += len(sentence.text.split())
        if spent > most and spent > len(sentence.text.split()):
            return
        yield sentence


def _written(found: Sequence[Found]) -> Iterator[WrittenSentence]:
    seen: set[str] = set()
    for one in found:
        if one.text not in seen and len(seen) < MOST_SENTENCES:
            seen.add(one.text)
            yield WrittenSentence(text=capital(one.text), section=ANSWER, basis=Basis.GENERAL, citations=one.citations)


def _of_option(
    material: Material, request: DraftRequest, chosen: OptionAnswer, linker: Linker, kinds: Kinds
) -> Iterator[WrittenSentence]:
    """Sentences of what the choice rests on that name the option."""
    words = content_words(chosen.option)
    concepts = {m.concept_id for m in linker.link(chosen.option).note.mentions}

    def names(quote: QuotedSentence) -> bool:
        return quote.passage.id in chosen.citations and (
            bool(concepts & quote.concepts) or (bool(words) and words <= content_words(quote.text))
        )

    quotes = [Found(q.text, (q.passage.id,), 1.0, q.concepts) for q in material.all_quotes() if names(q)]
    yield from _written(quotes[:NEAREST])
