"""Problem statements: the diagnoses, symptoms and findings that a note states, once each, with whose and which status."""

from collections.abc import Sequence
from functools import lru_cache

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.drafts.note import Mention
from backend.schemas.record import ClinicalStatus, Experiencer, ProblemStatement, RecordSpan, VerificationStatus
from backend.schemas.vocabulary import Assertion, Category, SectionCategory

PROBLEMS = frozenset({Category.DISEASE, Category.SYMPTOM, Category.FINDING})
_HISTORIES = frozenset({SectionCategory.PAST_MEDICAL_HISTORY, SectionCategory.PAST_SURGICAL_HISTORY})


def problem_statements(note: ParsedNote, mentions: Sequence[Mention]) -> tuple[ProblemStatement, ...]:
    """The problems that mentions name, in order of place; those of one concept, person and status are one statement.

    Args:
        note: the parsed note.
        mentions: of the note, with their assertions.
    """
    found: dict[tuple[str, ...], ProblemStatement] = {}
    for mention in mentions:
        if mention.category not in PROBLEMS or mention.allergen:
            continue
        one = _statement(note, mention, len(found) + 1)
        key = (one.concept_id or one.name, one.experiencer, one.kinship, one.verification_status, one.clinical_status)
        same = found.get(key)
        found[key] = one if same is None else same.model_copy(update={"spans": (*same.spans, one.spans[0])})
    return tuple(found.values())


def _statement(note: ParsedNote, mention: Mention, number: int) -> ProblemStatement:
    holds = {mention.assertion, *mention.also}
    relative = Assertion.FAMILY in holds
    denied = Assertion.NEGATED in holds
    chronic = mention.name.lower() in _chronic()
    past = Assertion.HISTORICAL in holds and not (chronic and not denied and _by_history(mention))
    return ProblemStatement(
        id=f"problem-{number}",
        spans=(RecordSpan(start_char=mention.start_char, end_char=mention.end_char, text=mention.text),),
        certainty=mention.score,
        concept_id=mention.concept_id,
        name=mention.name,
        category=mention.category,
        clinical_status=ClinicalStatus.RESOLVED if past and not denied else ClinicalStatus.ACTIVE,
        verification_status=_verification(denied, Assertion.UNCERTAIN in holds),
        chronic=chronic and not denied,
        hypothetical=mention.assertion is Assertion.HYPOTHETICAL,
        experiencer=Experiencer.RELATIVE if relative else Experiencer.PATIENT,
        section=mention.section,
    )


def _verification(denied: bool, unsure: bool) -> VerificationStatus:
    if denied:
        return VerificationStatus.REFUTED
    return VerificationStatus.PROVISIONAL if unsure else VerificationStatus.CONFIRMED


def _by_history(mention: Mention) -> bool:
    """Whether only a section or "history of" makes it past, which a chronic disease outlives."""
    return mention.section in _HISTORIES or "h" in mention.assertion_cue.lower()


@lru_cache(maxsize=1)
def _chronic() -> frozenset[str]:
    return frozenset(
        name for name, _, course, _ in rule_rows(RULES / "condition_courses.tsv", 4) if course == "chronic"
    )
