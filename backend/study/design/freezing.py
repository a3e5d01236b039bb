"""Freezing: from a setup with its cases and drafts to the one document that never changes. Refuses what is not decided."""

from collections.abc import Sequence
from datetime import datetime

from backend.errors import ConflictError, InputError
from backend.schemas.studies.study_design import (
    AnalysisPlan,
    EvidenceShown,
    Factor,
    PrimaryTest,
    StudyCase,
    StudySetup,
)
from backend.schemas.studies.study_frozen import (
    NOT_AN_EVALUATION,
    BlindedDraft,
    DraftMade,
    FrozenStudy,
    Leak,
    StudyDraft,
)
from backend.schemas.studies.study_instrument import Design, Question, QuestionKind
from backend.study.design.study_items import items_of, plans_of
from backend.study.leakage.blinding import RULE, BlindingTerms, blinded
from backend.study.leakage.leak_search import blinding_terms, leaks

SUMMARISED = "mean"
HABIT = "a line that only this arm writes, see the list of leaks"


class LeakError(ConflictError):
    """Something tells the arms apart. leaks: what, and where."""

    def __init__(self, message: str, found: Sequence[Leak]) -> None:
        super().__init__(message)
        self.leaks = tuple(found)


def frozen_study(
    study_id: str,
    setup: StudySetup,
    cases: Sequence[StudyCase],
    drafts: Sequence[StudyDraft],
    at: datetime,
    author: str,
    accept_warnings: bool = False,
) -> FrozenStudy:
    """The document that never changes. Raises InputError for what is missing.

    Args:
        study_id: of the study.
        setup: with its analysis plan.
        cases: with their roles.
        drafts: of these cases, made or failed.
        at: when it is frozen.
        author: who freezes it.
        accept_warnings: freeze although raters may guess the arms.

    Raises:
        LeakError: something gives an arm away.
    """
    check_plan(setup)
    check_generators(setup, drafts)
    check_questions(setup)
    check_guesses(setup)
    hidden = blinded_drafts(setup, cases, drafts)
    found = leaks(setup, cases, hidden)
    blocking = [leak for leak in found if leak.blocking]
    if blocking:
        raise LeakError(f"Raters could read which arm is which. {_listed(blocking)}", blocking)
    if found and not accept_warnings:
        raise LeakError(
            f"Raters may guess the arms. {_listed(found)} Mend it (extra_terms, extra_headings), or accept the warnings.",
            found,
        )
    by_place = {(draft.case_id, draft.arm_id): draft for draft in hidden}
    items = items_of(setup, cases, by_place)
    return FrozenStudy(
        study_id=study_id,
        setup=setup,
        cases=tuple(cases),
        drafts=hidden,
        items=items,
        raters=plans_of(setup, items),
        blinding_rule=RULE,
        accepted_leaks=found,
        stamps=stamps(cases),
        frozen_at=at,
        frozen_by=author,
    )


def stamps(cases: Sequence[StudyCase]) -> tuple[str, ...]:
    """What a reader of any figure must know."""
    return (NOT_AN_EVALUATION,) if any(case.demonstration for case in cases) else ()


def blinded_drafts(
    setup: StudySetup, cases: Sequence[StudyCase], drafts: Sequence[StudyDraft]
) -> tuple[BlindedDraft, ...]:
    """Every draft beside what raters see of it, and of its evidence. One rule, the same words, for all."""
    terms = blinding_terms(setup, [heading for draft in drafts for heading in draft.headings], cases)
    return tuple(_blinded(draft, terms) for draft in drafts)


def check_plan(setup: StudySetup) -> None:
    """Refuse a plan that leaves something open.

    Raises:
        InputError: it names no question of the study, or a test that does not suit it.
    """
    plan = setup.plan
    if plan is None:
        raise InputError(
            "Freezing needs a plan: primary_outcome, unit_of_analysis, test, exclusions, sample_size_reason, correction."
        )
    name, _, question = plan.primary_outcome.partition("/")
    instrument = next((entry for entry in setup.instruments if entry.id == name), None)
    known = {q.id: q for q in instrument.questions} if instrument else {}
    if instrument is None or (question != SUMMARISED and question not in known):
        choices = [f"{i.id}/{q.id}" for i in setup.instruments for q in i.questions]
        raise InputError(
            f"The primary outcome {plan.primary_outcome!r} is no question of this study. "
            f"Choose one of: {', '.join(choices)}; or INSTRUMENT/mean for the mean of its scales."
        )
    _check_test(plan, setup.design, known.get(question), list(known.values()))


def check_generators(setup: StudySetup, drafts: Sequence[StudyDraft]) -> None:
    """Refuse arms of different generators, unless the generator is what is studied.

    Raises:
        InputError: there is more than one.
    """
    if setup.factor != Factor.SYSTEM:
        return
    used = {d.provenance.generator for d in drafts if d.status == DraftMade.MADE and d.provenance.generator}
    if len(used) > 1:
        raise InputError(
            f"The arms were written by different generators: {', '.join(sorted(used))}. One generator serves all arms "
            "unless the generator is the factor. Write the drafts again with one, or set factor to 'generator'."
        )


def check_questions(setup: StudySetup) -> None:
    """Refuse a question about evidence that is never shown.

    Raises:
        InputError: there is one.
    """
    if setup.evidence != EvidenceShown.NEVER:
        return
    for instrument in setup.instruments:
        for question in instrument.questions:
            if question.needs_evidence:
                raise InputError(
                    f"The question {instrument.id}/{question.id} is about the evidence, which this study never shows. "
                    "Set evidence to 'always' or 'after_first', or leave the instrument out."
                )


def check_guesses(setup: StudySetup) -> None:
    """Refuse guesses without a label of its own for each arm.

    Raises:
        InputError: a label is missing, or two are the same.
    """
    if not setup.guess_items:
        return
    labels = [arm.guess_label.strip().lower() for arm in setup.arms]
    if "" in labels or len(set(labels)) < len(labels):
        raise InputError(
            "At the end raters guess the arms, so each arm needs a guess_label of its own that does not name it, such as "
            "'Written from the note alone'. Or set guess_items to 0."
        )


def _check_test(plan: AnalysisPlan, design: Design, question: Question | None, all_of: list[Question]) -> None:
    kinds = {question.kind} if question else {q.kind for q in all_of} & {QuestionKind.SCALE, QuestionKind.CHOICE}
    comparing = {QuestionKind.PREFERENCE, QuestionKind.RANKING}
    if plan.test == PrimaryTest.BRADLEY_TERRY:
        fits = design != Design.SINGLE and bool(kinds & comparing)
    elif plan.test in (PrimaryTest.WILCOXON_CASE_MEANS, PrimaryTest.SIGN_CASE_MEANS):
        fits = bool(kinds & {QuestionKind.SCALE, QuestionKind.CHOICE, QuestionKind.PREFERENCE, QuestionKind.ERRORS})
    else:
        fits = bool(kinds & {QuestionKind.SCALE, QuestionKind.CHOICE})
    if not fits:
        raise InputError(f"The test {plan.test.value!r} does not suit the primary outcome {plan.primary_outcome!r}.")


def _blinded(draft: StudyDraft, terms: BlindingTerms) -> BlindedDraft:
    hidden = blinded(draft.text, terms)
    evidence = tuple(blinded(text, terms).text for text in draft.evidence)
    return BlindedDraft(**dict(draft), blinded=hidden.text, blinded_evidence=evidence, removed=hidden.removed)


def _listed(found: Sequence[Leak]) -> str:
    # a habit quotes a draft, and a message may end in a log: only the report of `leaks` shows it
    text = "; ".join(f"{leak.where}: {HABIT if leak.kind == 'habit' else leak.what}" for leak in found[:5])
    return text + (f"; and {len(found) - 5} more." if len(found) > 5 else ".")
