"""The allergies of a note as the statements of its record: certainty, who says it, what speaks against it, and the rule that read it."""

from collections.abc import Iterator, Sequence

from backend.nlp.allergies.allergens import Allergens
from backend.nlp.allergies.allergy_wording import phrases
from backend.nlp.allergies.lists.denials import of_the_rest
from backend.nlp.allergies.lists.items import Entry
from backend.nlp.allergies.possible.possible_allergies import ScoredAllergy
from backend.nlp.allergies.taken_back import Withdrawn
from backend.nlp.document.parsed_note import ParsedNote
from backend.schemas.drafts.note import Allergies
from backend.schemas.record import AllergyRecord, AllergyStatement, RecordSpan, VerificationStatus

Span = tuple[int, int]
LIST_RULE = "allergies/lists/entry"
MODEL_RULE = "allergies/possible_model"
_LISTED, _UNCHECKED = 1.0, 0.9
_PERSONS = frozenset(("parent", "child", "spouse", "sibling", "other"))


class AllergyStatements:
    """What was read of one note's allergies.

    Args:
        note: the parsed note.
        words: of the note, put right.
        allergens: the concepts of its phrases.
        entries: what it lists or states.
        none: where it says that there are none.
        withdrawn: what it says to be no allergy.
        scored: what it only lets one suspect.
    """

    def __init__(
        self,
        note: ParsedNote,
        words: Sequence[str],
        allergens: Allergens,
        entries: Sequence[Entry],
        none: Sequence[Span],
        withdrawn: Sequence[Withdrawn],
        scored: Sequence[ScoredAllergy],
    ) -> None:
        self._note = note
        self._words = words
        self._allergens = allergens
        self._entries = entries
        self._none = none
        self._withdrawn = withdrawn
        self._scored = scored

    def record(self, allergies: Allergies) -> AllergyRecord:
        """The allergies as statements, with certainty, asserter, contradictions and the rules that made them."""
        rules = {(e.first, e.last): e.rule_id for e in self._entries}
        told = self._told()
        items: list[AllergyStatement] = []
        denied = [one for one in self._none if not of_the_rest(self._words, *one)]
        against = tuple(self._span(*one) for one in denied) if allergies.items else ()
        for item in allergies.items:
            place = self._note.token_range(item.start_char, item.end_char)
            same = told[_key(item.concept_id, item.text)]
            doubted = all(one.doubted for one in same)
            own = tuple(self._span(*span) for one in same for span in one.against)
            items.append(
                AllergyStatement(
                    id=f"allergy-{len(items) + 1}",
                    spans=(self._span(*place),),
                    rule_ids=(rules.get(place, LIST_RULE),),
                    certainty=_LISTED if item.checked else _UNCHECKED,
                    agent=item.name or item.text,
                    concept_id=item.concept_id,
                    kind=item.kind,
                    reaction=item.reaction,
                    asserter=self._asserter(place[0]),
                    verification_status=VerificationStatus.UNCONFIRMED if doubted else VerificationStatus.CONFIRMED,
                    contradicted_by=(*own, *against),
                )
            )
        for probability, one, effect in self._scored:
            agent = self._note.token_range(one.start_char, one.end_char)
            items.append(
                AllergyStatement(
                    id=f"allergy-{len(items) + 1}",
                    spans=(self._span(*agent), self._span(*effect)),
                    rule_ids=(MODEL_RULE,),
                    certainty=probability,
                    agent=one.name or one.text,
                    concept_id=one.concept_id,
                    kind=one.kind,
                    verification_status=VerificationStatus.UNCONFIRMED,
                    possible=True,
                )
            )
        return AllergyRecord(
            status=allergies.status, text=allergies.text, items=(*items, *self._refuted(allergies, len(items)))
        )

    def _told(self) -> dict[str, list[Entry]]:
        """The entries of each thing."""
        told: dict[str, list[Entry]] = {}
        for one in self._entries:
            said = self._note.written(one.first, one.last)
            concept = self._allergens.concept(said) or self._allergens.within(said)
            told.setdefault(_key(concept.concept_id if concept else None, said), []).append(one)
        return told

    def _refuted(self, allergies: Allergies, held: int) -> Iterator[AllergyStatement]:
        """What the note says to be no allergy, each name once; none of what it lists all the same.

        Args:
            allergies: what is listed and suspected.
            held: how many statements there are already.

        Yields:
            A refuted statement a name.
        """
        taken = {one.name.lower() or one.text.lower() for one in allergies.items}
        taken |= {one.name.lower() or one.text.lower() for one in allergies.possible}
        for one in self._withdrawn:
            said = self._note.written(one.agent.first, one.agent.last)
            concept = self._allergens.concept(said)
            name = concept.name if concept else said
            if name.lower() in taken:
                continue
            taken.add(name.lower())
            held += 1
            yield AllergyStatement(
                id=f"allergy-{held}",
                spans=(self._span(one.agent.first, one.agent.last), self._span(one.first, one.last)),
                rule_ids=(one.rule_id,),
                agent=name,
                concept_id=concept.concept_id if concept else None,
                verification_status=VerificationStatus.REFUTED,
            )

    def _span(self, first: int, last: int) -> RecordSpan:
        starts, ends = self._note.tokens.starts, self._note.tokens.ends
        return RecordSpan(start_char=starts[first], end_char=ends[last - 1], text=self._note.written(first, last))

    def _asserter(self, at: int) -> str:
        """Who says it, where a person who speaks is named before it in its sentence."""
        begin = self._note.sentences[self._note.sentence_at(self._note.tokens.starts[at]) or 0].first
        table, words = phrases("persons"), self._words
        said = (i for i in range(begin, at - 1) if table.of(words[i]) & _PERSONS and "tells" in table.of(words[i + 1]))
        return next((words[i] for i in said), "")


def _key(concept_id: str | None, said: str) -> str:
    return concept_id or said.lower()
