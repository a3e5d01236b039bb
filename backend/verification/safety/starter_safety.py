"""The safety check beside an imported graph: what the starter knowledge forbids holds, whatever the import calls it.

Takes the check of the graph in use and the starter's own; gives the flags of both. The note is read a second time by the
starter's dictionary, so that no imported name hides a medicine or a condition that the starter has a fact about.
"""

from collections.abc import Mapping, Sequence

from backend.interfaces import Linker
from backend.knowledge.contraindications import ABOVE, CONTRAINDICATED
from backend.schemas.corrections import CorrectionKind
from backend.schemas.drafts.draft import Checks, Flag, Sentence, Unrecognised
from backend.schemas.drafts.evidence import Condition
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.record import MedicationStatement
from backend.stores.graph.graph import Graph
from backend.verification.safety.allergy_conflicts import NOT_RECOGNISED
from backend.verification.safety.flag_order import in_order
from backend.verification.safety.medicines.interactions import KIND as PAIRS
from backend.verification.safety.medicines.named_medicines import MEDICINES, named_medicines
from backend.verification.safety.medicines.unrecognised_flags import KIND as UNKNOWN_MEDICINE
from backend.verification.safety.medicines.unrecognised_flags import unknown_flag
from backend.verification.safety.safety import GraphSafetyCheck

_FACTS = (CONTRAINDICATED, "interacts_with", "cross_reacts_with", *ABOVE)


class StarterToo:
    """graph, linker: those in use, which own was built of. starter, starter_linker: the check and reader that ship."""

    def __init__(
        self, own: GraphSafetyCheck, graph: Graph, linker: Linker, starter: GraphSafetyCheck, starter_linker: Linker
    ) -> None:
        self._own = own
        self._graph = graph
        self._linker = linker
        self._starter = starter
        self._starter_linker = starter_linker

    def check(
        self, request: DraftRequest, linked: LinkedNote, conditions: Sequence[Condition], sentences: Sequence[Sentence]
    ) -> tuple[tuple[Flag, ...], Checks]:
        """The flags of both, each once, the severest first; an allergy is unknown only where neither knows it.

        A medicine that only the import knows, and of which it states no fact that a check could use, is listed among the
        unrecognised: nothing was compared for it.
        """
        own, ours = self._own.check(request, linked, conditions, sentences)
        from_starter, theirs = self._starter.check(request, self._read(request), conditions, sentences)
        unknown = {f.message for f in own if f.kind == NOT_RECOGNISED}
        unknown &= {f.message for f in from_starter if f.kind == NOT_RECOGNISED}
        flags: dict[tuple[str, str], Flag] = {}
        graded = {
            frozenset(f.evidence) for f in from_starter if f.kind == PAIRS
        }  # a pair that has a grade needs no second flag
        own = tuple(f for f in own if f.kind != PAIRS or not f.evidence or frozenset(f.evidence) not in graded)
        for flag in in_order((*from_starter, *own)):
            if flag.kind != UNKNOWN_MEDICINE and (flag.kind != NOT_RECOGNISED or flag.message in unknown):
                flags.setdefault((flag.kind, flag.message), flag)
        seen = {(row.kind, row.text) for row in theirs.compared}
        more = [r for r in ours.compared if (r.kind, r.text) not in seen or r.found.startswith("conflict")]
        both = {(row.kind, row.text) for row in theirs.unrecognised}
        strange = [row for row in ours.unrecognised if (row.kind, row.text) in both]
        strange += self._without_facts(request, linked, sentences)
        checks = Checks(
            compared=(*theirs.compared, *more),
            unrecognised=tuple(strange),
            not_checked=tuple(dict.fromkeys((*theirs.not_checked, *ours.not_checked))),
        )
        return in_order((*flags.values(), *unknown_flag(strange))), checks

    def forbidden_options(
        self, request: DraftRequest, linked: LinkedNote, conditions: Sequence[Condition]
    ) -> Mapping[str, str]:
        """The options that either check forbids, by letter with the reason."""
        if not request.options:
            return {}
        own = self._own.forbidden_options(request, linked, conditions)
        from_starter = self._starter.forbidden_options(request, self._read(request), conditions)
        return dict(sorted({**own, **from_starter}.items()))

    def cautioned_options(
        self, request: DraftRequest, linked: LinkedNote, conditions: Sequence[Condition]
    ) -> Mapping[str, str]:
        """The options that either check forbids or warns of, by letter with the reason."""
        if not request.options:
            return {}
        own = self._own.cautioned_options(request, linked, conditions)
        from_starter = self._starter.cautioned_options(request, self._read(request), conditions)
        return dict(sorted({**own, **from_starter}.items()))

    def is_far_above(self, one: MedicationStatement) -> bool:
        """Whether a stated dose is far above the usual by either check; the starter's rows hold whatever the import calls a medicine."""
        return self._own.is_far_above(one) or self._starter.is_far_above(self._of_starter(one))

    def usual_unit(self, one: MedicationStatement) -> str:
        """The one unit in which a dose without a unit is usual, by the own rows, else by the starter's; empty for none or several."""
        return self._own.usual_unit(one) or self._starter.usual_unit(self._of_starter(one))

    def _of_starter(self, one: MedicationStatement) -> MedicationStatement:
        """A statement as the starter's linker names its medicine."""
        written = one.spans[0].text if one.spans else one.name
        named = (m.concept_id for m in self._starter_linker.link(written).note.mentions if m.category in MEDICINES)
        return one.model_copy(update={"concept_id": next(named, None)})

    def _read(self, request: DraftRequest) -> LinkedNote:
        if not request.text:
            return self._starter_linker.link(request.question)
        known = tuple(
            c for c in request.corrections if c.kind is not CorrectionKind.OTHER_SENSE
        )  # of the own graph's ids
        return self._starter_linker.read(request.text, known)

    def _without_facts(
        self, request: DraftRequest, linked: LinkedNote, sentences: Sequence[Sentence]
    ) -> list[Unrecognised]:
        """The medicines that the starter does not know and the graph says nothing of that could be compared."""
        return [
            Unrecognised(kind="medicine", text=medicine.text)
            for medicine in named_medicines(request, linked, sentences, self._linker)
            if not any(m.category in MEDICINES for m in self._starter_linker.link(medicine.text).note.mentions)
            and not self._graph.related(medicine.concept_id, *_FACTS)
        ]
