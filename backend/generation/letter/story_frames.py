"""What a telegram of a note is told as: "Tests found: …", "What the team thought: …", by its section and by what was read in it."""

import re

from backend.generation.letter.plain_language.in_place import may_be_noun
from backend.generation.letter.plain_language.letter_words import is_adverb, lists
from backend.generation.letter.plain_language.verb_forms import is_participle, is_past, verbs
from backend.generation.letter.story_selection import Part, Unit
from backend.generation.letter.story_statements import as_noun, can_be_had
from backend.generation.letter.story_weights import state_of
from backend.generation.letter.told_checks.frame_fit import first_named
from backend.generation.letter.untold.for_home import is_title, names_wishes
from backend.nlp.lexicon.variants import american
from backend.schemas.record import (
    MedicationStatement,
    ObservationStatement,
    PlanKind,
    ProblemStatement,
    ProcedureStatement,
    ProcedureStatus,
    VerificationStatus,
)
from backend.schemas.vocabulary import Category, SectionCategory

_NEAR = 25
"""Code points before the name of a problem that still open with it: "Frontal headache"."""
_BREAK = re.compile(r"\s[-\u2013]\s")
_LISTS = re.compile(r"[\d,;:+/]")
"""What a lead that only describes a problem has not."""
_QUOTES = frozenset('"“”')
_PLANS = frozenset((SectionCategory.PLAN, SectionCategory.INSTRUCTIONS))
HISTORIES = frozenset((SectionCategory.PAST_MEDICAL_HISTORY, SectionCategory.PAST_SURGICAL_HISTORY))
"""Sections that list what somebody has had."""
_NOTED = frozenset(
    (
        SectionCategory.ASSESSMENT,
        SectionCategory.HOSPITAL_COURSE,
        SectionCategory.RESULTS,
        SectionCategory.UNLABELED,
        SectionCategory.OTHER,
    )
)


def frame_of(unit: Unit) -> str:
    """The frame that a telegram is told in, a name of assets/rules/letter/frames.tsv; empty where none is sure."""
    frame = _frame_of(unit)
    return frame or ("came_with" if unit.lasting and _names_complaint(unit) else "")


def _names_complaint(unit: Unit) -> bool:
    """Whether what is said to have lasted opens as a name does: no order, no denial, no doubt, and nothing past or another's was read."""
    low = re.findall(r"[a-z']+", unit.text.lower())
    own = lists()
    first = low[0] if low else ""
    closed = own["negations"] | own["openers"] | own["prepositions"] | own["determiners"] | own["subjects"]
    had = [one for one in unit.statements if isinstance(one, ProblemStatement)]
    if not first or first in closed or is_past(first) or is_adverb(first) or first in verbs() or "?" in unit.text:
        return False
    return all(state_of(one) in ("present", "denied") for one in had) and (not had or state_of(had[0]) == "present")


def _frame_of(unit: Unit) -> str:
    if unit.part is Part.DECIDED:
        return _decided(unit)
    if unit.part is Part.FOUND:
        return _found(unit)
    if unit.section in HISTORIES:
        return "history"
    if unit.section is SectionCategory.MEDICATIONS:
        return "medicine"
    if unit.text[0] in _QUOTES and unit.text[-1] in _QUOTES:
        return "said"
    led = unit.statements and isinstance(unit.statements[0], ProblemStatement)
    if not led and any(isinstance(one, ObservationStatement) for one in unit.statements):
        return "results"
    problem = next((one for one in unit.statements if isinstance(one, ProblemStatement)), None)
    if problem is None or problem.hypothetical:
        return bare_frame_of(unit)
    if problem.verification_status is VerificationStatus.REFUTED:
        return "denied" if re.match(r"no\b", unit.text, re.IGNORECASE) else ""
    return "" if state_of(problem) == "uncertain" else _felt(unit, problem)  # what is only possible was not had


def _decided(unit: Unit) -> str:
    if re.match(r"not\b", unit.text, re.IGNORECASE):
        return "noted"  # what is ruled out is no treatment
    vague = unit.kind is None or unit.kind is PlanKind.OTHER
    named = unit.section is SectionCategory.ASSESSMENT and _leads_with_problem(unit)
    if named and (vague or unit.kind in (PlanKind.TREATMENT, PlanKind.ACTIVITY)):
        return _thought(unit)
    of_medicine = isinstance(first_named(unit), MedicationStatement)
    if unit.kind in (PlanKind.TEST, PlanKind.FOLLOW_UP, PlanKind.ACTIVITY) and of_medicine:
        return "medicine"
    if vague and _is_result(unit):
        return ""  # "Blood cultures no growth at 5 days" is no plan
    if names_wishes(unit):
        return "" if is_title(unit) else "goals"
    if unit.kind is not None and not vague:
        return unit.kind.value
    medicines = sum(isinstance(one, MedicationStatement) for one in unit.statements)
    listed = 1 + (unit.text.count(",") if not any(map(str.isdigit, unit.text)) else 0)
    return ("treatment" if medicines < listed else "medicine") if medicines else "other"  # "fluids, paracetamol"


def _found(unit: Unit) -> str:
    if unit.section is SectionCategory.PHYSICAL_EXAM:  # a telegram of the examiner, told where the story knows of it
        again = any(isinstance(one, ProblemStatement) and len(one.spans) > 1 for one in unit.statements)
        return "exam" if again else ""
    if unit.section is SectionCategory.ASSESSMENT or unit.section in _PLANS:
        return _thought(unit) if _leads_with_problem(unit) else "noted"
    if _words_beside_tests(unit) <= lists()["telegram"]:
        return ""  # "UCx sent" tells of no result
    if _is_of_tests(unit) and not _tells_result(unit):
        return "done" if unit.section is SectionCategory.PROCEDURES else ""
    if unit.section is not SectionCategory.HOSPITAL_COURSE:
        return "results"
    if any(isinstance(one, ProblemStatement) for one in unit.statements):
        return "course"
    tested = any(
        isinstance(one, ObservationStatement)
        or (isinstance(one, ProcedureStatement) and one.status is not ProcedureStatus.NOT_DONE)
        for one in unit.statements
    )
    return "results" if tested else "course"


def _thought(unit: Unit) -> str:
    """The frame of what the team names; empty where what it names first is over, or is answered with a denial ("hypothyroidism none")."""
    first = unit.statements[0]
    over = isinstance(first, ProblemStatement) and state_of(first) in ("past", "denied")
    last = re.findall(r"[^\W\d_]+", unit.text.lower())[-1:]
    return "" if over or not lists()["negations"].isdisjoint(last) else "assessment"


def _words_beside_tests(unit: Unit) -> set[str]:
    """The words of a telegram that names tests alone, without their names; of any other with a word that no list has."""
    left = unit.text
    for one in unit.statements:
        if not isinstance(one, ProcedureStatement):
            return {""}
        left = left.replace(one.spans[0].text, " ", 1)
    return set(re.findall(r"[^\W\d_]+", left.lower())) if unit.statements else {""}


def _is_result(unit: Unit) -> bool:
    """Whether a telegram tells how a test came out: behind its name a word for a result as it should be, or that nothing was found."""
    test = next((one for one in unit.statements if isinstance(one, ProcedureStatement)), None)
    if test is None:
        return False
    behind = re.findall(r"[^\W\d_]+", unit.text[max(0, test.spans[0].end_char - unit.start) :].lower())
    return not (lists()["negations"] | lists()["as_it_should_be"]).isdisjoint(behind[:1])


def _is_of_tests(unit: Unit) -> bool:
    """Whether all that a telegram names are tests and operations; one name may be read as what it finds as well."""
    named = {one.spans[0].start_char for one in unit.statements if isinstance(one, ProcedureStatement)}
    return all(one.spans[0].start_char in named for one in unit.statements)


def _tells_result(unit: Unit) -> bool:
    """Whether a telegram of tests alone says how one came out: a number, a word for what is as it should be, or that nothing was found."""
    own = lists()
    said = own["negations"] | own["as_it_should_be"] | own["showing"]
    words = re.findall(r"[^\W_]+", unit.text.lower())
    return not said.isdisjoint(words) or any(word[0].isdigit() for word in words)


def _felt(unit: Unit, problem: ProblemStatement) -> str:
    """The frame of a telegram that begins with what the patient felt."""
    place, span = problem.spans[0].start_char - unit.start, problem.spans[0]
    lead, tail = unit.text[: max(0, place)], unit.text[max(0, place) + len(span.text) :]
    words = [word.lower() for word in re.findall(r"[^\W\d_]+", lead)]
    name = span.text.lower()
    following = (re.findall(r"[^\W\d_]+", tail.lower()) or [""])[0]
    if is_past(name) and " " not in name and name not in lists()["felt_states"]:
        return "" if words or (len(following) > 1 and may_be_noun(following)) else "did"
    adjective, noun = name.split()[0], problem.name.lower()
    if american(adjective) in noun.split():
        adjective = american(adjective)
    is_state = name in lists()["felt_states"] and not words
    if is_state or (adjective not in noun.split() and any(word.startswith(adjective[:4]) for word in noun.split())):
        return (
            "" if words or "," in tail or " and " in tail or may_be_noun(following) else "were"
        )  # "dizzy" for dizziness
    own = lists()
    closed = own["openers"] | own["person"] | own["people"] | own["adverbs"] | own["prepositions"]
    unfit = any(word in closed or is_participle(word) or word in verbs() or word == "to" for word in words)
    unfit = unfit or not as_noun(span.text, problem.name) or _LISTS.search(lead) is not None
    if len(lead) > _NEAR or unfit or _BREAK.search(unit.text):
        return ""  # "ache - lower tummy"
    return "felt" if problem.category is Category.SYMPTOM and can_be_had(unit.text) else "came_with"


def bare_frame_of(unit: Unit) -> str:
    """The frame of a telegram in which nothing was read: its section alone tells what it is; empty where it tells nothing."""
    if unit.section in _PLANS:
        return "other"
    if unit.section in HISTORIES:
        return "history"
    return "noted" if unit.section in _NOTED else ""


def _leads_with_problem(unit: Unit) -> bool:
    """Whether a clause begins with what the patient has, and not with what is done."""
    first = unit.statements[0] if unit.statements else None
    return isinstance(first, ProblemStatement) and first.spans[0].start_char - unit.start <= _NEAR
