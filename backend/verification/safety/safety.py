"""The safety stage: runs every registered check over a draft.

Every comparison is listed in the checks, and everything that could not be compared as well: no flag means that no
conflict was found among what was checked, never that a draft is safe.
"""

from collections.abc import Collection, Mapping, Sequence
from copy import copy

from backend.interfaces import Linker
from backend.knowledge.allergy_reach import AllergyReach
from backend.knowledge.contraindications import Contraindications
from backend.knowledge.hospital.formulary import Formulary
from backend.knowledge.safety.rows.dose_rows import DoseRow
from backend.registry import SAFETY_CHECKS
from backend.schemas.drafts.draft import Checks, Compared, Flag, NotChecked, Sentence, Unrecognised
from backend.schemas.drafts.evidence import Condition
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.record import MedicationStatement
from backend.schemas.vocabulary import LETTERS, Assertion, Category, Severity
from backend.stores.graph.graph import Graph
from backend.verification.safety.checks import CheckedDraft, Finding, SafetyKnowledge
from backend.verification.safety.contrast_studies import contrast_given
from backend.verification.safety.earlier_allergies import EarlierAllergies
from backend.verification.safety.flag_order import in_order
from backend.verification.safety.latest_visit import latest_as_note
from backend.verification.safety.medicines.doses import is_far_above, unusual_doses, usual_unit
from backend.verification.safety.medicines.interactions import KIND as PAIRS
from backend.verification.safety.medicines.named_medicines import Medicine, named_medicines
from backend.verification.safety.medicines.proposed_medicines import asks_for_harm, proposed_medicines

BRINGS = ("has_adverse_effect", "worsens", "causative_agent_of")
"""Relations by which a medicine brings on something."""
_BROUGHT = frozenset({Category.DISEASE, Category.FINDING})
_HOLDS = frozenset({Assertion.PRESENT, Assertion.HISTORICAL})
_STATED = _BROUGHT | {Category.SYMPTOM}
_DONE = frozenset(
    {Category.PROCEDURE, Category.TEST, Category.ACTIVITY, Category.DIET, Category.SUBSTANCE, Category.DEVICE}
)
"""What may be done with a patient, or eaten, that is no medicine."""


class GraphSafetyCheck:
    """The registered checks over one graph.

    Args:
        graph: what the medicines are looked up in.
        reach: how far an allergy reaches in it.
        doses: the usual adult doses.
        linker: reads medicines out of lists and sentences.
        earlier: reads the allergies of earlier notes; one of its own where none is given.
        contraindications: the rows of safety; of a graph without any its own facts count as `avoid`.
        formulary: the hospital's own; without one no medicine is held against any.
    """

    def __init__(
        self,
        graph: Graph,
        reach: AllergyReach,
        doses: Sequence[DoseRow],
        linker: Linker,
        earlier: EarlierAllergies | None = None,
        contraindications: Contraindications | None = None,
        formulary: Formulary | None = None,
    ) -> None:
        by_drug: dict[str, list[DoseRow]] = {}
        for row in doses:
            by_drug.setdefault(row.drug_id, []).append(row)
        known = contraindications or Contraindications(graph)
        self._known = SafetyKnowledge(
            graph,
            reach,
            known,
            {drug: tuple(rows) for drug, rows in by_drug.items()},
            linker,
            formulary or Formulary(),
        )
        self._earlier = earlier or EarlierAllergies(linker)

    def with_formulary(self, formulary: Formulary) -> "GraphSafetyCheck":
        """The same checks beside another formulary."""
        made = copy(self)
        made._known = self._known._replace(formulary=formulary)
        return made

    def check(
        self,
        request: DraftRequest,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        sentences: Sequence[Sentence],
    ) -> tuple[tuple[Flag, ...], Checks]:
        """Flags, the severest first, and the list of what was compared and what was not recognised."""
        linker, known = self._known.linker, self._known.contraindications
        stands_in = latest_as_note(request)
        linked = self._with_record(linked) if stands_in is request else linker.read(stands_in.text)
        request = stands_in
        linked = self._earlier.with_gravest(request, linked)
        medicines = named_medicines(
            request, linked, sentences, linker, known.with_classes, known.local_product, self._explained
        )
        named = {one.concept_id for one in medicines if one.taken}
        medicines += [one for one in contrast_given(linked) if one.concept_id not in named]
        draft = CheckedDraft(
            request,
            linked,
            conditions,
            sentences,
            medicines,
            self._earlier.only_earlier(request, linked),
            self._known,
            known.state(linked, conditions, {m.concept_id for m in medicines if m.taken}),
        )
        found: list[Finding] = [finding for entry in SAFETY_CHECKS.entries() for finding in entry.value(draft)]
        return in_order(one for one in found if isinstance(one, Flag)), Checks(
            compared=tuple(one for one in found if isinstance(one, Compared)),
            unrecognised=tuple(one for one in found if isinstance(one, Unrecognised)),
            not_checked=tuple(
                {(one.medicine, one.missing): one for one in reversed(found) if isinstance(one, NotChecked)}.values()
            )[::-1],
        )

    def _explained(self, concept: str) -> str:
        """A concept of the graph in plain words."""
        graph = self._known.graph
        return graph.row(concept).definition if concept in graph.index else ""

    def _with_record(self, linked: LinkedNote) -> LinkedNote:
        """The note with its record, which is read here where only mentions were asked for."""
        if linked.record is not None or not linked.note.text:
            return linked
        return linked.model_copy(update={"record": self._known.linker.read(linked.note.text).record})

    def forbidden_options(
        self, request: DraftRequest, linked: LinkedNote, conditions: Sequence[Condition]
    ) -> Mapping[str, str]:
        """The options that would bring a severe flag if the patient were given what they name.

        The checks that may forbid an option say so when they are registered (`forbids=True`). What they find of the
        patient's own medicines alone forbids nothing. What a question beside a note tells of the patient counts like the note.

        Returns:
            The reason by the option's letter: the message of its first severe flag.
        """
        return self._against(request, linked, conditions, frozenset({Severity.SEVERE}))

    def is_far_above(self, one: MedicationStatement) -> bool:
        """Whether a stated dose is so far above the usual that it must be changed before anybody signs it."""
        return is_far_above(one, self._known.doses)

    def usual_unit(self, one: MedicationStatement) -> str:
        """The one unit in which a dose without a unit is usual; empty for none or several."""
        return usual_unit(one, self._known.doses)

    def cautioned_options(
        self, request: DraftRequest, linked: LinkedNote, conditions: Sequence[Condition]
    ) -> Mapping[str, str]:
        """The options that would bring a severe flag or a warning: whoever cannot weigh the warning does not choose them.

        A warning that holds only in some patients counts for nothing against a medicine that treats the very condition. A disease or
        finding of the patient that is a known effect of the option counts like a warning.

        Returns:
            The reason by the option's letter.
        """
        flagged = self._against(request, linked, conditions, frozenset({Severity.SEVERE, Severity.WARNING}))
        return dict(sorted({**self._bringing(request, linked), **flagged}.items()))

    def _bringing(self, request: DraftRequest, linked: LinkedNote) -> Mapping[str, str]:
        """The options that can bring on, or worsen, what the patient has, or that what lies behind it speaks against; no treatment of it."""
        linker, graph, known = self._known.linker, self._known.graph, self._known.contraindications
        beside = request.text.strip() and request.question.strip()
        asked = linker.link(request.question) if beside else linked
        mentions = [
            m for note in ((linked, asked) if beside else (linked,)) for m in note.note.mentions if not m.allergen
        ]
        stated = {m.concept_id: m for m in mentions if m.category in _STATED and m.assertion in _HOLDS}
        # "if I have gout" in a question says who asks
        supposed = {
            m.concept_id: m
            for m in (asked.note.mentions if request.question.strip() else ())
            if m.category in _STATED and m.assertion == Assertion.HYPOTHETICAL
        }
        stated = supposed | stated
        held = {concept: m.name for concept, m in stated.items() if m.category in _BROUGHT}
        behind = known.implied_widely(held) - stated.keys()
        found: dict[str, str] = {}
        for letter, option in zip(LETTERS, request.options, strict=False):
            given = proposed_medicines(option, request.question, linker)
            done = [
                m for m in linker.link(option).note.mentions if m.category in _DONE and m.assertion != Assertion.NEGATED
            ]
            reasons = unusual_doses("the option", option, linker, self._known.doses) if given else []
            for m in (*given, *([] if asks_for_harm(request.question) else done)):
                kinds = known.with_classes(m.concept_id)
                brought = {graph.ids[edge.tail] for kind in kinds for edge in graph.edges(kind, BRINGS)}
                treated = {concept for kind in kinds for concept in graph.related(kind, "treats", "manages")}
                effects = [name for concept, name in held.items() if concept in brought - treated]
                reasons += [f"{m.name} can bring on or worsen {effect}." for effect in effects]
                speaking = {*behind, *supposed} if m in given else {*held, *behind}
                against = known.named_against(m.concept_id, speaking)
                against += known.of_a_kind(m.concept_id, (one.name for one in stated.values()))
                causes = [graph.row(one).name for one in against if one not in treated]
                reasons += [f"{m.name} should not be used with {cause}." for cause in causes]
            if reasons:
                found[letter] = reasons[0]
        return found

    def _against(
        self,
        request: DraftRequest,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        severities: frozenset[Severity],
    ) -> Mapping[str, str]:
        """By an option's letter the first message of these severities that giving it would add."""
        if not request.options:
            return {}
        linker = self._known.linker
        notes = [linked]
        if request.text.strip() and request.question.strip():
            notes.append(linker.link(request.question))
        known = self._known.contraindications
        found: dict[str, str] = {}
        for note in map(self._with_record, notes):
            earlier = self._earlier.only_earlier(request, note) if note.note == linked.note else ()
            taken = [m for m in named_medicines(request, note, (), linker, known.with_classes) if m.taken]
            state = known.state(note, conditions, {m.concept_id for m in taken})
            for letter, option in zip(LETTERS, request.options, strict=False):
                given = [
                    Medicine(m.concept_id, m.name, m.text, "the option", True)
                    for m in proposed_medicines(option, request.question, linker)
                ]
                own = {m.concept_id for m in given}
                others = [m for m in taken if m.concept_id not in own]
                draft = CheckedDraft(request, note, conditions, (), others, earlier, self._known, state)
                before = set(_messages(draft, severities))
                offered = [m._replace(taken=False) for m in given] if len(severities) > 1 else []
                after = [
                    *_messages(draft._replace(medicines=[*given, *others]), frozenset({Severity.SEVERE})),
                    *_messages(draft._replace(medicines=[*offered, *others]), severities),
                    *(_messages(draft._replace(medicines=[*given, *others]), severities, PAIRS) if offered else ()),
                ]
                reason = next((m for m in after if m not in before), "")
                if given and reason:
                    found.setdefault(letter, reason)
        return dict(sorted(found.items()))


def _messages(draft: CheckedDraft, severities: Collection[Severity], kind: str = "") -> list[str]:
    """The messages of flags of some severities that may forbid an option, in the order of their checks; of one kind where it is named."""
    return [
        finding.message
        for entry in SAFETY_CHECKS.entries()
        if entry.facts.get("forbids")
        for finding in entry.value(draft)
        if isinstance(finding, Flag) and finding.severity in severities and kind in ("", finding.kind)
    ]
