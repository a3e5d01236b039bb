"""Flags for what the note may tell as an allergy without saying so: a hint for the clinician, and a stop where it is given again.

Takes the linked note, the named medicines and how far an allergy reaches; gives a flag for each hint. What is only possible is
compared with the draft and the discharge list, and never counted among the allergies.
"""

from collections.abc import Sequence

from backend.knowledge.allergy_reach import AllergyReach
from backend.nlp.medications.tolerance import tolerated
from backend.schemas.drafts.draft import Flag
from backend.schemas.drafts.note import LinkedNote, PossibleAllergy
from backend.schemas.vocabulary import FlagKind, Severity
from backend.stores.graph.graph import Graph
from backend.verification.safety.named_medicines import Medicine

NOTE_ALONE = "the note"


def possible_allergy_flags(
    linked: LinkedNote, medicines: Sequence[Medicine], graph: Graph, reach: AllergyReach
) -> list[Flag]:
    """A warning for each possible allergy, severe where the draft or the discharge list names what it would reach.

    What the note tells as tolerated is none.
    """
    borne = tolerated(linked)
    hints = [one for one in linked.allergies.possible if one.concept_id not in borne]
    return [_flag(one, _given(one, medicines, graph, reach)) for one in hints]


def _given(one: PossibleAllergy, medicines: Sequence[Medicine], graph: Graph, reach: AllergyReach) -> list[Medicine]:
    """The medicines beyond the note itself that an allergy of this kind would forbid."""
    if one.concept_id is None or one.concept_id not in graph.index:
        return []
    reached = reach.reached(one.concept_id)
    return [m for m in medicines if m.concept_id in reached and m.where != NOTE_ALONE]


def _flag(one: PossibleAllergy, given: Sequence[Medicine]) -> Flag:
    named = "; ".join(f"{m.name} in {m.where}" for m in given)
    stop = f" Named all the same: {named}." if named else ""
    return Flag(
        kind=FlagKind.ALLERGY_POSSIBLE,
        severity=Severity.SEVERE if given else Severity.WARNING,
        message=f"Possible allergy in the text: “{one.text}” (“{one.because}”); not listed as one. Check.{stop}",
        sentence=next((m.sentence for m in given if m.sentence is not None), None),
        evidence=(one.text, *(m.text for m in given)),
    )
