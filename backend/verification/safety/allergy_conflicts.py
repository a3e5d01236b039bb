"""Compares medicines with what the patient reacts to, as the pasted note and the earlier ones list it.

Takes a graph and how far an allergy reaches in it; gives a flag for each conflict, a row for each allergy that was compared,
and those that nothing is known about. It does not read notes.
"""

import re
from collections.abc import Mapping, Sequence

from backend.knowledge.allergy_reach import AllergyReach, Reach
from backend.nlp.medications.tolerance import tolerated
from backend.schemas.drafts.draft import Compared, Flag, Unrecognised
from backend.schemas.drafts.note import AllergyItem, LinkedNote
from backend.schemas.vocabulary import AllergyKind, FlagKind, Severity
from backend.stores.graph.graph import Graph
from backend.verification.safety.earlier_allergies import EarlierAllergy
from backend.verification.safety.named_medicines import Medicine

LOW_RISK = re.compile(r"(very )?low\b")
HOW = {
    "same": "it is what the patient reacts to",
    "family": "it belongs to the same family ({through})",
    "contains": "it contains {through}",
    "cross_reaction": "it {through}may cross-react with “{allergen}”{qualifier}",
}


class AllergyCheck:
    """The allergies of one patient against medicines."""

    def __init__(self, graph: Graph, reach: AllergyReach) -> None:
        self._graph = graph
        self._reach = reach

    def compare(
        self, linked: LinkedNote, earlier: Sequence[EarlierAllergy], medicines: Sequence[Medicine]
    ) -> tuple[list[Flag], list[Compared], list[Unrecognised]]:
        """earlier: what only the earlier notes list; its flags and rows say which note that is."""
        flags, compared, strange = list[Flag](), list[Compared](), list[Unrecognised]()
        borne = tolerated(linked)
        pasted = [EarlierAllergy(item, "") for item in linked.allergies.items]
        for item, where in (*pasted, *earlier):
            said = f"{item.text} ({where})" if where else item.text
            if item.concept_id is None or item.concept_id not in self._graph.index:
                span = {} if where else {"start_char": item.start_char, "end_char": item.end_char}
                strange.append(Unrecognised(kind="allergy", text=said, **span))
                flags.append(_not_recognised(item, where))
                continue
            reached = self._reach.reached(item.concept_id)
            hits = [m for m in medicines if m.concept_id in reached]
            flags += [self._conflict(item, where, m, reached[m.concept_id], self._borne(m, borne)) for m in hits]
            found = ", ".join(dict.fromkeys(m.name for m in hits))
            compared.append(
                Compared(
                    kind="allergy",
                    text=said,
                    concept_id=item.concept_id,
                    name=item.name,
                    against=len(medicines),
                    found=f"conflict: {found}" if found else f"no conflict found among {len(medicines)} checked",
                )
            )
        return flags, compared, strange

    def _borne(self, medicine: Medicine, borne: Mapping[str, str]) -> str:
        """What the note says of a medicine, or of its class, as tolerated."""
        own = (medicine.concept_id, *self._graph.related(medicine.concept_id, "has_class"))
        return next((borne[concept] for concept in own if concept in borne), "")

    def _conflict(self, item: AllergyItem, where: str, medicine: Medicine, how: Reach, borne: str) -> Flag:
        """borne: the note's words that the medicine was tolerated; they lower the flag, but never for the allergen itself."""
        qualifier = f" ({how.qualifier})" if how.qualifier else ""
        through = self._graph.row(how.through).name
        if how.how == "cross_reaction":  # what reacts is the medicine itself, or the class that it belongs to
            through = "" if how.through == medicine.concept_id else f"belongs to the group {through}, which "
        told = HOW[how.how].format(through=through, qualifier=qualifier, allergen=item.text)
        unlikely = how.how == "cross_reaction" and LOW_RISK.match(how.qualifier) is not None
        mild = item.kind == AllergyKind.INTOLERANCE or unlikely
        severity = Severity.WARNING if mild else Severity.SEVERE
        if borne and how.how != "same":
            severity = Severity.INFO if mild else Severity.WARNING
        told = f"{told}; the note tells that it was tolerated: “{borne}”" if borne else told
        lists = f"“{item.text}” is {where}" if where else f"the note lists “{item.text}”"
        return Flag(
            kind=FlagKind.ALLERGY_CONFLICT,
            severity=severity,
            message=f"{medicine.name} in {medicine.where}: {told}; {lists} as {item.kind.value}.",
            sentence=medicine.sentence,
            evidence=(item.text, medicine.text),
        )


def _not_recognised(item: AllergyItem, where: str) -> Flag:
    source = f", {where}" if where else ""
    return Flag(
        kind=FlagKind.ALLERGY_NOT_RECOGNISED,
        severity=Severity.WARNING if where else Severity.SEVERE,
        message=f"{item.kind.value.capitalize()} “{item.text}”{source}: not recognised; not checked.",
    )
