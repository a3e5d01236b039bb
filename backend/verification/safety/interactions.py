"""The medicines of a patient against each other, and against those that a draft names, by the graph's interactions."""

import re
from collections.abc import Iterator, Sequence

from backend.knowledge.contraindications import NEVER
from backend.registry import flag_kind, safety_check
from backend.schemas.drafts.draft import Compared, Flag
from backend.schemas.vocabulary import Severity
from backend.stores.graph.graph import Graph
from backend.verification.safety.checks import CheckedDraft, Finding, FlagExample, SafetyKnowledge, make_flag
from backend.verification.safety.named_medicines import Medicine

KIND = "interaction"
# classes of which two members together are a mistake until someone has looked
DOUBLED = frozenset(
    {
        "anticoagulant",
        "NSAID",
        "ACE inhibitor",
        "angiotensin receptor blocker",
        "beta blocker",
        "statin",
        "SSRI",
        "SNRI",
        "proton pump inhibitor",
        "sulfonylurea",
        "P2Y12 inhibitor",
        "gabapentinoid",
    }
)

# what a second medicine is given for is no conflict
WANTED = frozenset({"fewer side effects", "better absorbed"})
MILD = re.compile(
    r"absorbed|^take \d|\bhours apart$|^slightly|^may |\brare$|^hides low sugar signs$|^low blood pressure$|^low potassium$|^more rash$"
    r"|blood pressure medicine works less$|^weaker blood pressure effect$|^no added benefit$",
    re.IGNORECASE,
)
"""Effects that change nothing but the hour of a tablet, or that are watched for anyway."""


@flag_kind(
    KIND,
    label="Interaction",
    severity=Severity.WARNING,
    about="Two medicines of the patient interact, or belong to one class of which one is enough. What must never be "
    "combined is severe, even where the draft alone names one of the two; what mostly asks for a look is for information.",
    action="Check the pair; stop or replace one of the two, space them, or record why both are given.",
    example=FlagExample("Allergies: none\n\nHPI: A 60-year-old woman. She takes sildenafil and nitroglycerin."),
    counterexample=FlagExample("Allergies: none\n\nHPI: A 60-year-old woman. She takes methotrexate and folic acid."),
)
@safety_check("interactions", label="Interactions", order=50, forbids=True)
def interactions(draft: CheckedDraft) -> Iterator[Finding]:
    """Yield a flag for each pair, and a row that names what is taken; no row where fewer than two medicines are."""
    distinct = list({m.concept_id: m for m in draft.medicines}.values())
    taken = [m for m in distinct if m.taken]
    flags = [f for i, one in enumerate(taken) for other in taken[i + 1 :] if (f := _pair(one, other, draft.known))]
    named = [m for m in distinct if not m.taken]
    flags += [f for one in taken for other in named if (f := _never(one, other, draft.known))]
    yield from flags
    pairs = len(taken) * (len(taken) - 1) // 2
    if pairs:
        found = f"{len(flags)} found among {pairs} pairs" if flags else f"no conflict found among {pairs} checked"
        names = ", ".join(m.name for m in taken)
        yield Compared(kind="interaction", text=names, concept_id="", name=names, against=pairs, found=found)


def _pair(one: Medicine, other: Medicine, known: SafetyKnowledge) -> Flag | None:
    mine, theirs = (known.contraindications.with_classes(m.concept_id) for m in (one, other))
    if one.concept_id in theirs or other.concept_id in mine:
        return None
    doubled = [c for c in set(theirs).intersection(mine) if known.graph.row(c).name in DOUBLED]
    if doubled:
        message = (
            f"{one.name} and {other.name} both belong to: {known.graph.row(min(doubled)).name}{_apart(one, other)}."
        )
        return _flag(message, Severity.INFO if one.here is not other.here else Severity.WARNING, one, other)
    effects = _effects(mine, theirs, known.graph)
    if not effects:
        return None
    # the gravest of what holds for them or their classes
    what = next((e for e in effects if NEVER in e), next((e for e in effects if e and not MILD.search(e)), effects[0]))
    severity = Severity.SEVERE if NEVER in what else Severity.INFO if what and MILD.search(what) else Severity.WARNING
    if one.over or other.over or one.here is not other.here:  # it may still work on
        severity = Severity.WARNING if severity is Severity.SEVERE else Severity.INFO
    message = f"{one.name} with {other.name}: {what or 'effect not stated'}{_over(one, other)}{_apart(one, other)}."
    return _flag(message, severity, one, other)


def _never(one: Medicine, other: Medicine, known: SafetyKnowledge) -> Flag | None:
    """A medicine that the draft alone names beside one that is taken, where the two must never be combined."""
    mine, theirs = (known.contraindications.with_classes(m.concept_id) for m in (one, other))
    what = next((e for e in _effects(mine, theirs, known.graph) if NEVER in e), "")
    message = f"{one.name} in {one.where} with {other.name} in {other.where}: {what}."
    return _flag(message, Severity.SEVERE, one, other) if what else None


def _effects(mine: Sequence[str], theirs: Sequence[str], graph: Graph) -> list[str]:
    others = set(theirs)
    edges = [e for subject in mine for e in graph.edges(subject, ("interacts_with",))]
    return [e.qualifier for e in edges if graph.ids[e.tail] in others and e.qualifier not in WANTED]


def _over(*medicines: Medicine) -> str:
    """Says which of them the note reports as finished."""
    names = " and ".join(m.name for m in medicines if m.over)
    return f" (the note speaks of an earlier course of {names})" if names else ""


def _apart(one: Medicine, other: Medicine) -> str:
    """Says which of two was given in hospital alone, where the other is taken at home."""
    return f" ({one.name if one.here else other.name} was given in hospital)" if one.here is not other.here else ""


def _flag(message: str, severity: Severity, one: Medicine, other: Medicine) -> Flag:
    sentence = other.sentence if not other.taken else None
    return make_flag(KIND, message, severity=severity, sentence=sentence, evidence=(one.text, other.text))
