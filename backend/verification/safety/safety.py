"""The safety stage: runs every registered check over a draft.

Every comparison is listed in the checks, and everything that could not be compared as well: no flag means that no
conflict was found among what was checked, never that a draft is safe.
"""

from collections.abc import Mapping, Sequence

from backend.interfaces import Linker
from backend.knowledge.allergy_reach import AllergyReach
from backend.knowledge.contraindications import Contraindications
from backend.registry import SAFETY_CHECKS
from backend.schemas.drafts.draft import Checks, Compared, Flag, Sentence, Unrecognised
from backend.schemas.drafts.evidence import Condition
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import LETTERS, Severity
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import DoseRow
from backend.verification.safety.checks import CheckedDraft, Finding, SafetyKnowledge
from backend.verification.safety.earlier_allergies import EarlierAllergies
from backend.verification.safety.named_medicines import Medicine, named_medicines, unrecognised_medicines
from backend.verification.safety.proposed_medicines import proposed_medicines


class GraphSafetyCheck:
    """The registered checks over one graph.

    Args:
        graph: what the medicines are looked up in.
        reach: how far an allergy reaches in it.
        doses: the usual adult doses.
        linker: reads medicines out of lists and sentences.
        earlier: reads the allergies of earlier notes; one of its own where none is given.
    """

    def __init__(
        self,
        graph: Graph,
        reach: AllergyReach,
        doses: Sequence[DoseRow],
        linker: Linker,
        earlier: EarlierAllergies | None = None,
    ) -> None:
        self._known = SafetyKnowledge(graph, reach, Contraindications(graph), tuple(doses), linker)
        self._earlier = earlier or EarlierAllergies(linker)

    def check(
        self,
        request: DraftRequest,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        sentences: Sequence[Sentence],
    ) -> tuple[tuple[Flag, ...], Checks]:
        """Flags, the severest first, and the list of what was compared and what was not recognised."""
        linker = self._known.linker
        draft = CheckedDraft(
            request,
            linked,
            conditions,
            sentences,
            named_medicines(request, linked, sentences, linker),
            self._earlier.only_earlier(request, linked),
            self._known,
        )
        found: list[Finding] = [finding for entry in SAFETY_CHECKS.entries() for finding in entry.value(draft)]
        found += unrecognised_medicines(request, linked, linker)
        order = list(Severity)
        flags = sorted((one for one in found if isinstance(one, Flag)), key=lambda flag: order.index(flag.severity))
        return tuple(flags), Checks(
            compared=tuple(one for one in found if isinstance(one, Compared)),
            unrecognised=tuple(one for one in found if isinstance(one, Unrecognised)),
        )

    def forbidden_options(
        self, request: DraftRequest, linked: LinkedNote, conditions: Sequence[Condition]
    ) -> Mapping[str, str]:
        """The options that would bring a severe flag if the patient were given what they name.

        The checks that may forbid an option say so when they are registered (`forbids=True`). What they find of the
        patient's own medicines alone forbids nothing.

        Returns:
            The reason by the option's letter: the message of its first severe flag.
        """
        if not request.options:
            return {}
        linker = self._known.linker
        earlier = self._earlier.only_earlier(request, linked)
        taken = [m for m in named_medicines(request, linked, (), linker) if m.taken]
        found: dict[str, str] = {}
        for letter, option in zip(LETTERS, request.options, strict=False):
            given = [
                Medicine(m.concept_id, m.name, m.text, "the option", True)
                for m in proposed_medicines(option, request.question, linker)
            ]
            own = {m.concept_id for m in given}
            others = [m for m in taken if m.concept_id not in own]
            draft = CheckedDraft(request, linked, conditions, (), others, earlier, self._known)
            before = set(_severe(draft))
            reason = next((m for m in _severe(draft._replace(medicines=[*given, *others])) if m not in before), "")
            if given and reason:
                found[letter] = reason
        return found


def _severe(draft: CheckedDraft) -> list[str]:
    """The messages of the severe flags that forbid an option, in the order of their checks."""
    return [
        finding.message
        for entry in SAFETY_CHECKS.entries()
        if entry.facts.get("forbids")
        for finding in entry.value(draft)
        if isinstance(finding, Flag) and finding.severity is Severity.SEVERE
    ]
