"""The whole analysis of a study's ratings. What cannot be had stands there with its reason."""

from collections.abc import Callable, Sequence
from importlib.metadata import version
from itertools import combinations

from backend.schemas.studies.preferences import SideBias
from backend.schemas.studies.study_analysis import (
    Adjudicated,
    Agreement,
    Analysis,
    Comparison,
    JudgeAgreement,
    Learning,
    Severity,
)
from backend.study.statistics.agreement.agreement import agreement
from backend.study.statistics.agreement.judge_agreement import judge_against_people, support_scores
from backend.study.statistics.comparison.bradley_terry import bradley_terry, contrasts
from backend.study.statistics.comparison.mixed_model import MixedFit, fit_mixed, mixed_model
from backend.study.statistics.comparison.ordinal_gee import ordinal_gee
from backend.study.statistics.comparison.paired import sign_test, wilcoxon
from backend.study.statistics.comparison.preference_shares import (
    direction_scale,
    directions,
    half_preference,
    preference,
    preference_table,
    side_biases,
)
from backend.study.statistics.descriptive import place_summary, summarise
from backend.study.statistics.guesses import blinding
from backend.study.statistics.intervals import RESAMPLES, Sampling
from backend.study.statistics.rater_effects import learning, severities, times_on_items
from backend.study.statistics.rating_data import Choice, Score, StudyData, case_means, scale_of, scores_by_question

Progress = Callable[[int, int, str], None]
LIBRARIES = ("numpy", "scipy", "statsmodels")


def analyse(data: StudyData, seed: int = 0, resamples: int = RESAMPLES, progress: Progress | None = None) -> Analysis:
    """Everything for every question. progress: called with (done, total, what) before each question.

    The planned test is corrected within two families: the primary outcome's pairs of arms, and all other questions' pairs.
    Other tests stand beside it without correction, to show whether the answer depends on the test.
    """
    sampling = Sampling(seed, resamples)
    questions = scores_by_question(data)
    chosen = {choice.question: None for choice in data.choices}
    steps = len(questions) + len(chosen)
    summaries, comparisons, agreements = [], [], list[Agreement]()
    severity, learned, judges = list[Severity](), list[Learning](), list[JudgeAgreement]()
    for done, (question, scores) in enumerate(questions.items()):
        if progress is not None:
            progress(done, steps, question)
        summaries += [summarise(question, arm, [s for s in scores if s.arm == arm], sampling) for arm in data.arms]
        fitted = fit_mixed(scores, tuple(reversed(data.arms)))
        comparisons += _comparisons(question, scores, data, sampling, fitted)
        agreements += _agreements(question, scores, data, sampling)
        severity += severities(question, scores, fitted, sampling)
        learned.append(learning(question, scores, data.arms))
        for judge in dict.fromkeys(given.judge for given in data.judged if given.question == question):
            theirs = [given for given in data.judged if given.judge == judge]
            found = judge_against_people(question, theirs, scores, scale_of(data, question), sampling)
            judges.append(found.model_copy(update={"judge": judge}))
    preferences, strengths, halves, places, sides = [], [], [], [], list[SideBias]()
    for done, question in enumerate(chosen, len(questions)):
        if progress is not None:
            progress(done, steps, question)
        choices = [choice for choice in data.choices if choice.question == question]
        pairs = list(combinations(data.arms, 2))
        preferences += [preference(question, choices, pair, sampling) for pair in pairs]
        halves += [half_preference(question, choices, pair, sampling) for pair in pairs]
        sides += side_biases(question, choices)
        agreements += agreement(question, directions(choices, data.arms), direction_scale(question), sampling)
        ranked = [placed for placed in data.places if placed.question == question]
        for arm in data.arms if ranked else ():
            mine = [placed for placed in ranked if placed.arm == arm]
            places.append(place_summary(question, arm, mine, sampling))
        strengths.append(bradley_terry(question, choices, data.arms))
        comparisons += _choice_comparisons(question, choices, data, sampling)
    methods = dict.fromkeys(row.method for row in data.support)
    rated = [score for score in data.scores if score.value is not None]
    return Analysis(
        arms=data.arms,
        questions=(*questions, *chosen),
        cases=len({s.case for s in rated} | {c.case for c in data.choices}),
        raters=len({s.rater for s in rated} | {c.rater for c in data.choices}),
        ratings=len(rated) + len(data.choices),
        primary_outcome=data.primary_outcome,
        planned_test=data.planned_test,
        correction=data.correction,
        blind=data.blind,
        stamps=data.stamps,
        seed=seed,
        resamples=resamples,
        versions={name: version(name) for name in LIBRARIES},
        summaries=tuple(summaries),
        comparisons=corrected(comparisons, data.correction),
        agreement=tuple(agreements),
        preferences=tuple(preferences),
        strengths=tuple(strengths),
        places=tuple(places),
        sides=tuple(sides),
        halves=tuple(halves),
        blinding=blinding(data.guesses, data.arms),
        severity=tuple(severity),
        learning=tuple(learned),
        times=times_on_items(data.times),
        judges=tuple(judges),
        support=tuple(support_scores(m, [row for row in data.support if row.method == m], sampling) for m in methods),
        adjudicated=tuple(Adjudicated.model_validate(ruling._asdict()) for ruling in data.rulings),
        notes=data.notes,
    )


def corrected(comparisons: Sequence[Comparison], correction: str) -> tuple[Comparison, ...]:
    """With p_adjusted for the planned test, in the families named at `analyse`; unchanged p where nothing is corrected."""
    made = list(comparisons)
    for primary in (True, False):
        family = [n for n, c in enumerate(made) if c.planned and c.primary == primary]
        found = [made[n].p for n in family]
        adjusted = holm(found) if correction == "holm" else tuple(found)
        for n, p in zip(family, adjusted, strict=True):
            made[n] = made[n].model_copy(update={"p_adjusted": p})
    return tuple(made)


def holm(p_values: Sequence[float | None]) -> tuple[float | None, ...]:
    """Holm's correction (1979) by statsmodels, in the same order. A test without a p stays None and counts as none."""
    from statsmodels.stats.multitest import multipletests

    given = [p for p in p_values if p is not None]
    adjusted = iter(multipletests(given, method="holm")[1].tolist() if given else ())
    return tuple(None if p is None else next(adjusted) for p in p_values)


def _comparisons(
    question: str, scores: Sequence[Score], data: StudyData, sampling: Sampling, fitted: MixedFit
) -> list[Comparison]:
    """fitted: the mixed model of all arms; of two, it is the pair's own."""
    made = []
    table = case_means(scores, data.arms)
    own = fitted if len(data.arms) == 2 else None
    for pair in combinations(data.arms, 2):
        made += [wilcoxon(question, table, pair, sampling), sign_test(question, table, pair)]
        made += [ordinal_gee(question, scores, pair), mixed_model(question, scores, pair, own)]
    return _marked(question, made, data, "this test needs choices between drafts, and these are ratings of single ones")


def _choice_comparisons(
    question: str, choices: Sequence[Choice], data: StudyData, sampling: Sampling
) -> list[Comparison]:
    made = list(contrasts(question, choices, data.arms))
    for pair in combinations(data.arms, 2):
        table = preference_table(choices, pair)
        made += [wilcoxon(question, table, pair, sampling), sign_test(question, table, pair)]
    return _marked(question, made, data, "this test needs ratings of single drafts, and these are choices between two")


def _marked(question: str, made: list[Comparison], data: StudyData, unsuited: str) -> list[Comparison]:
    """With the planned test marked; where the plan names one that cannot be run here, that stands there with the reason."""
    if data.planned_test is not None and data.planned_test not in {c.test for c in made}:
        made = made + [
            Comparison(question=question, first=one, second=other, test=data.planned_test, reason=unsuited)
            for one, other in combinations(data.arms, 2)
        ]
    primary = question == data.primary_outcome
    return [c.model_copy(update={"planned": c.test == data.planned_test, "primary": primary}) for c in made]


def _agreements(question: str, scores: Sequence[Score], data: StudyData, sampling: Sampling) -> list[Agreement]:
    scale = scale_of(data, question)
    made = list(agreement(question, scores, scale, sampling))
    for arm in data.arms:
        made += agreement(question, [score for score in scores if score.arm == arm], scale, sampling, arm)
    return made
