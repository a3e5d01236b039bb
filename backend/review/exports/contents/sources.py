"""The sources of a letter: numbered 1, 2, 3 in the order in which its sentences cite them, and in words."""

from collections.abc import Mapping, Sequence

from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.evidence import Evidence, NotePiece, Passage
from backend.schemas.patients.saved_case import CaseView, ReviewedSentence, WriterKind
from backend.schemas.vocabulary import SectionCategory, Support

Numbers = Mapping[str, int]


def kept_citations(sentence: ReviewedSentence) -> tuple[str, ...]:
    """What a sentence cites as it stands.

    Words that a person put in place of others, and that nothing has compared with the sources since, cite none: the
    citations are of the words before.
    """
    rewritten = sentence.written_by.kind is WriterKind.PERSON and bool(sentence.earlier)
    return () if rewritten and sentence.support is Support.NOT_SCORED else sentence.citations


def numbered(view: CaseView) -> dict[str, int]:
    """The number of each cited piece of evidence; a citation without evidence has none."""
    known = _words(view.draft.evidence)
    cited = [c for one in view.sentences if not one.deleted for c in kept_citations(one)]
    cited += [c for row in view.draft.medicines for c in row.citations]
    return {citation: number for number, citation in enumerate(_known(cited, known), start=1)}


def shown_numbers(citations: Sequence[str], numbers: Numbers) -> tuple[str, ...]:
    """The numbers of citations, smallest first."""
    return tuple(str(number) for number in sorted({numbers[c] for c in citations if c in numbers}))


def reference_lines(draft: Draft, numbers: Numbers) -> tuple[str, ...]:
    """`[1, 3] title (source), address` and the like: once for pieces of one document, by their first number; then the licences."""
    known = _words(draft.evidence)
    licence_of = {passage.id: passage.licence for passage in draft.evidence.passages}
    entries: dict[str, list[str]] = {}
    licences: dict[str, list[str]] = {}
    for citation, number in numbers.items():
        entries.setdefault(known[citation], []).append(str(number))
        if licence_of.get(citation):
            licences.setdefault(licence_of[citation], []).append(str(number))
    shown = [f"[{', '.join(found)}] {words}" for words, found in entries.items()]
    return (*shown, *(f"Licence of {', '.join(found)}: {words}" for words, found in licences.items()))


def _known(cited: Sequence[str], known: Mapping[str, str]) -> list[str]:
    return [citation for citation in dict.fromkeys(cited) if citation in known]


def _words(evidence: Evidence) -> dict[str, str]:
    words = {p.id: _passage(p) for p in evidence.passages} | {n.id: _piece(n) for n in evidence.notes}
    words |= {path.id: f"Knowledge graph: {path.text}" for path in evidence.paths}
    return words | {item.id: f"Knowledge graph: {item.text}" for item in evidence.graph}


def _passage(passage: Passage) -> str:
    parts = [f"{passage.title or passage.document_id} ({passage.source.value})", passage.url]
    return ", ".join(part for part in parts if part)


def _piece(piece: NotePiece) -> str:
    section = "" if piece.section in (piece.note_type, SectionCategory.UNLABELED.value) else piece.section
    return ", ".join(part for part in (f"The patient's notes: {piece.note_type}", section, piece.date or "") if part)
