"""A clinician's work laid over a new draft of the same letter: sentences keep their ids, people's words, checks and deletions.

Each sentence knows what the program wrote in its place (`Origin`). A new draft's sentence takes the place of the one that came
of the same words, else of the likest of its section; the rest is new. No word of a person is lost: what no longer fits is
marked, and stays.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from backend.review.case_content import NO_LONGER, deleted_by_person, edited_by_person, sentence_fields, with_earlier
from backend.schemas.drafts.draft import Draft, Sentence
from backend.schemas.drafts.evidence import Evidence
from backend.schemas.drafts.gaps import GAP
from backend.schemas.patients.letter_work import Origin
from backend.schemas.patients.saved_case import Provenance, ReviewedSentence, VersionContent

ALIKE = 0.6
ALIKE_OF_SAME = 0.3
"""Share of words that two sentences must have in common; less is enough where they cite or concern the same."""
NOTHING_THERE = "The letter was drafted anew and has nothing in its place."
WORD = re.compile(r"\w+")


class Overlaid(NamedTuple):
    """The content over the new draft. own: ids of live sentences in a person's words, whose support is to be told anew."""

    content: VersionContent
    own: frozenset[str]


def overlaid(content: VersionContent, old: Draft, new: Draft, writer: Provenance) -> Overlaid:
    """The version's content over another draft.

    Args:
        content: the version, over the old draft.
        old: the draft it stands on.
        new: the draft it is to stand on.
        writer: who wrote the new draft, in which version.
    """
    mine, moved = list(content.sentences), moved_citations(old.evidence, new.evidence)
    pairs = _partners(mine, new.sentences, moved)
    number, placed = content.next_sentence, list[ReviewedSentence]()
    for place, sentence in enumerate(new.sentences):
        if place in pairs:
            placed.append(_merged(mine[pairs[place]], sentence, writer, moved))
            continue
        origin = Origin(text=sentence.text, section=sentence.section, now=sentence.text)
        placed.append(
            ReviewedSentence(
                **sentence_fields(sentence),
                id=f"S{number}",
                written_by=writer,
                rests_on=sentence.condition_id,
                changed=True,
                origin=origin,
            )
        )
        number += 1
    taken = set(pairs.values())
    for i, sentence in enumerate(mine):
        if i not in taken:
            _insert(placed, _left(sentence, moved), mine[i - 1].id if i else None)
    own = frozenset(s.id for s in placed if edited_by_person(s) and not s.deleted)
    update = {"sentences": tuple(placed), "next_sentence": number}
    return Overlaid(content.model_copy(update=update), own)


def moved_citations(old: Evidence, new: Evidence) -> dict[str, str]:
    """The ids of one draft's evidence that another draft has as well, with what it calls them there."""
    there = {key: name for name, key in _keys(new)}
    return {name: there[key] for name, key in _keys(old) if key in there}


def _keys(evidence: Evidence) -> Iterator[tuple[str, tuple[object, ...]]]:
    for path in evidence.paths:
        yield path.id, ("path", path.keyword, path.text)
    for fact in evidence.graph:
        yield fact.id, ("graph", fact.concept_id, fact.text)
    for passage in evidence.passages:
        yield passage.id, ("passage", passage.source, passage.document_id, passage.start_char, passage.text)
    for piece in evidence.notes:
        yield piece.id, ("note", piece.note_type, piece.date, piece.start_char, piece.text)


def _partners(mine: Sequence[ReviewedSentence], new: Sequence[Sentence], moved: Mapping[str, str]) -> dict[int, int]:
    """Which of mine each new sentence takes the place of: first by the program's own words, then by likeness."""
    pairs: dict[int, int] = {}
    # a person's words that going back to an older version took away stay away: the program's stand there again
    undone = {i for i, s in enumerate(mine) if s.deleted and edited_by_person(s) and not deleted_by_person(s)}
    free = {i: s.origin for i, s in enumerate(mine) if s.origin is not None and i not in undone}
    for words in ("now", "text"):
        by_words: dict[tuple[str, str], list[int]] = {}
        for i, origin in free.items():
            by_words.setdefault((origin.section, getattr(origin, words)), []).append(i)
        for place, sentence in enumerate(new):
            same = by_words.get((sentence.section, sentence.text), [])
            if place not in pairs and same:
                pairs[place] = same.pop(0)
                del free[pairs[place]]
    scored = []
    for place, sentence in enumerate(new):
        for i, origin in free.items():
            # what a person deleted, they deleted as it read
            if place not in pairs and origin.section == sentence.section and not mine[i].deleted:
                likeness = _likeness(mine[i], origin, sentence, moved)
                if likeness > 0:
                    scored.append((-likeness, abs(place - i), place, i))
    for _, _, place, i in sorted(scored):
        if place not in pairs and i in free:
            pairs[place] = i
            del free[i]
    return pairs


def _likeness(mine: ReviewedSentence, origin: Origin, new: Sentence, moved: Mapping[str, str]) -> float:
    """How alike what the program wrote is to what it writes now, 0 to 1; 0 where they are not of one thing."""
    before = origin.now or origin.text
    asked, asks = GAP.search(before), GAP.search(new.text)
    if asked and asks and asked[1].casefold() == asks[1].casefold():
        # what is asked of one medicine is no answer for another
        before, told = GAP.sub(" ", before), GAP.sub(" ", new.text)
        if not WORD.search(before + told):
            return 1.0
    else:
        told = new.text
    cited = {moved[c] for c in mine.citations if c in moved}
    same = (mine.rests_on is not None and mine.rests_on == new.condition_id) or bool(cited & set(new.citations))
    one, other = WORD.findall(before.lower()), WORD.findall(told.lower())
    common = sum(min(one.count(word), other.count(word)) for word in set(one))
    share = 2 * common / max(1, len(one) + len(other))
    return share if share >= (ALIKE_OF_SAME if same else ALIKE) else 0.0


def _merged(mine: ReviewedSentence, new: Sentence, writer: Provenance, moved: Mapping[str, str]) -> ReviewedSentence:
    origin = mine.origin or Origin(text=mine.text, section=mine.section)
    if edited_by_person(mine):
        fits = new.text == origin.text
        outdated = "" if fits else f"The letter was drafted anew and now reads here: “{new.text}”"
        update: dict[str, Any] = {
            "citations": _moved(mine, moved),
            "origin": origin.model_copy(update={"now": new.text}),
            "outdated": outdated,
            "checked_by": mine.checked_by if outdated == mine.outdated else "",
        }
        return mine.model_copy(update=update)
    kept = mine.text == new.text
    revived = mine.deleted and not deleted_by_person(mine)
    update = sentence_fields(new) | {
        "rests_on": new.condition_id,
        "origin": Origin(text=new.text, section=new.section, now=new.text),
        "outdated": "",
    }
    if not kept:
        update |= {"written_by": writer, "earlier": with_earlier(mine, writer.version - 1)}
    if not kept or revived:
        update |= {"changed": True, "checked_by": ""}
    if revived:
        update |= {"deleted": False, "deleted_reason": ""}
    return mine.model_copy(update=update)


def _left(mine: ReviewedSentence, moved: Mapping[str, str]) -> ReviewedSentence:
    """A sentence that the new draft has nothing for: a person's stays, the program's goes."""
    update: dict[str, Any] = {"citations": _moved(mine, moved)}
    origin = mine.origin
    if origin is not None:
        update["origin"] = origin.model_copy(update={"now": ""})
    if not mine.deleted and origin is not None:
        if not edited_by_person(mine):
            update |= {"deleted": True, "deleted_reason": NO_LONGER, "checked_by": "", "changed": False}
        elif origin.now:
            update |= {"outdated": NOTHING_THERE, "checked_by": ""}
    return mine.model_copy(update=update)


def _moved(mine: ReviewedSentence, moved: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(moved[c] for c in mine.citations if c in moved)


def _insert(placed: list[ReviewedSentence], sentence: ReviewedSentence, before: str | None) -> None:
    """Put a sentence after its old neighbour, or where its section is, so that a section stays in one piece."""
    at = next((i for i, s in enumerate(placed) if s.id == before), None)
    if at is not None and placed[at].section == sentence.section:
        placed.insert(at + 1, sentence)
        return
    inside = [i for i, s in enumerate(placed) if s.section == sentence.section]
    if inside:
        placed.insert(inside[0], sentence)
        return
    place = 0 if at is None else at + 1
    while 0 < place < len(placed) and placed[place].section == placed[place - 1].section:
        place += 1
    placed.insert(place, sentence)
