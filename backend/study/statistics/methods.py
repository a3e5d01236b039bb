"""A methods paragraph for a paper's appendix: what was done with these ratings, and what it cannot say. It makes no claim."""

from backend.schemas.studies.estimates import IntervalMethod, TestName
from backend.schemas.studies.study_analysis import Analysis
from backend.schemas.studies.study_design import AnalysisPlan

TESTS = {
    TestName.WILCOXON: "Wilcoxon's signed-rank test on case means (two-sided, cases without a difference dropped, as "
    "Wilcoxon did; exact given ties up to 200 cases)",
    TestName.SIGN: "the sign test on case means (exact, two-sided)",
    TestName.ORDINAL_GEE: "a cumulative logit model by generalised estimating equations with independence as working "
    "structure and sandwich errors clustered by case",
    TestName.MIXED_MODEL: "a linear mixed model with crossed random effects of case, rater and, where drafts had several "
    "ratings, draft (REML; t with cases minus one degrees of freedom)",
    TestName.BRADLEY_TERRY: "a Bradley-Terry model of the comparisons",
}


def methods_text(analysis: Analysis, plan: AnalysisPlan | None) -> str:
    """Plain paragraphs, one a subject. plan: what was decided before the first rating; None says that nothing was."""
    parts = [_design(analysis), _planned(analysis, plan), _tests(analysis), _agreement(analysis), _choices(analysis)]
    parts += [_blinding(analysis), _limits(analysis), _software(analysis)]
    return "\n\n".join(part for part in parts if part)


def _design(analysis: Analysis) -> str:
    failed = " ".join(analysis.notes)
    stamp = "".join(f" This study is {stamp}." for stamp in analysis.stamps)
    missing = sum(s.cannot_judge for s in analysis.summaries if not s.question.endswith("/mean"))
    return (
        f"{_count(analysis.raters, 'rater')} gave {_count(analysis.ratings, 'answer')} about {_count(analysis.cases, 'case')} "
        f"in {_count(len(analysis.arms), 'arm')}. {_count(missing, 'answer')} of 'cannot judge' took no part in any figure. "
        "Attention checks, calibration items, adjudication and ratings given after evidence was shown are not in these figures."
        f"{' ' + failed if failed else ''}{stamp}"
    )


def _planned(analysis: Analysis, plan: AnalysisPlan | None) -> str:
    if plan is None:
        return "No analysis was planned before the first rating, so every test here is exploratory."
    corrected = (
        "Holm's correction was applied within the pairs of arms on the primary outcome, and separately within those on all "
        "other outcomes."
        if analysis.correction == "holm"
        else f"P values were not corrected for several tests; the reason given: {_sentence(plan.correction_reason)}"
    )
    return (
        f"Before the first rating the primary outcome was fixed as {plan.primary_outcome}, the unit of analysis as the "
        f"{plan.unit_of_analysis.value} and the test as {TESTS[TestName(plan.test.value)]}. Reason given for the sample size: "
        f"{_sentence(plan.sample_size_reason)} Exclusions: {_sentence(plan.exclusions)} {corrected}"
    )


def _tests(analysis: Analysis) -> str:
    run = [t for t in TestName if any(c.test == t for c in analysis.comparisons)]
    if not run:
        return ""
    others = [TESTS[t] for t in run if t != analysis.planned_test]
    failed = sum(c.converged is False for c in analysis.comparisons)
    text = (
        "Means are means of case means, so that each case counts once; their 95 % intervals are percentiles, expanded for few cases (Hesterberg 2015), of "
        f"{analysis.resamples:,} bootstrap resamples of whole cases (seed {analysis.seed})."
    )
    if others:
        text += f" To see whether the answer depends on the test, these were run as well, without correction: {'; '.join(others)}."
    if failed:
        text += f" {_count(failed, 'model')} did not converge and {'is' if failed == 1 else 'are'} reported without a result."
    return text


def _agreement(analysis: Analysis) -> str:
    if not analysis.agreement:
        return ""
    formula = any(a.estimate.method in (IntervalMethod.F, IntervalMethod.T) for a in analysis.agreement)
    none = sum(a.estimate.value is None for a in analysis.agreement)
    text = (
        "Agreement between raters is given by several coefficients, because each rests on another idea of chance: percent "
        "agreement, Krippendorff's alpha, Gwet's AC1 and AC2, kappas (Fleiss; Cohen's as the mean over pairs of raters) and "
        "intraclass correlations (two-way random, absolute agreement). Weights are quadratic. Over all arms together "
        "a coefficient also counts differences between arms as differences between drafts, which can raise it; "
        "some are therefore given by arm too. Intervals resample cases"
        f"{', or where drafts are of different cases follow the published formula' if formula else ''}."
    )
    return text + (f" {_count(none, 'coefficient')} could not be computed; the reason stands at each." if none else "")


def _choices(analysis: Analysis) -> str:
    if not analysis.strengths:
        return ""
    text = (
        "Choices between two drafts were summed up as the share that preferred an arm, ties left out, with Wilson's interval, "
        "and in a Bradley-Terry model in which a tie is half a choice for each side. How strong a preference was is not used."
    )
    if analysis.sides:
        text += " Whether raters lean to a side is the share that preferred the draft on the right, or further down."
    if any(a.question == s.question for a in analysis.agreement for s in analysis.strengths):
        text += " Agreement on choices is about the direction alone: the first preferred, a tie, the second preferred."
    added = max(s.regularisation for s in analysis.strengths)
    if added:
        text += (
            f" Because an arm always won or always lost, {added:g} of a tie was added to each pair that was compared."
        )
    return text


def _blinding(analysis: Analysis) -> str:
    found = analysis.blinding
    if not found.counts:
        return "Raters were not asked to guess the arms, so it is not known whether blinding held."
    return (
        "After their last item raters guessed the arms of some drafts. Blinding is reported as the share of right guesses"
        + (" with James' index and Bang's index by arm." if found.james.value is not None else " against chance.")
        + " Their intervals take guesses to be independent, which those of one rater are not quite."
    )


def _limits(analysis: Analysis) -> str:
    return (
        f"What {_count(analysis.raters, 'rater')} prefer need not be what other raters would, nor what is clinically right: "
        "ratings are opinions about texts and measure no patient outcome. An interval that holds no difference does not show "
        "that there is none. Rater effects are estimated from few raters and are rough."
    )


def _software(analysis: Analysis) -> str:
    versions = ", ".join(f"{name} {number}" for name, number in analysis.versions.items())
    return f"Computed by Leapnote with {versions}; the same data and seed give the same figures."


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _sentence(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?")) else f"{text}."
