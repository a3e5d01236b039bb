"""The tables of a report. Every figure with its 95 % interval, or the reason why there is none."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from backend.schemas.studies.estimates import Estimate
from backend.schemas.studies.study_analysis import Agreement, Analysis, Comparison
from backend.schemas.studies.study_frozen import FrozenStudy
from backend.study.tidy import TidyRow


class Table(NamedTuple):
    """A table of plain text. note stands above it."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def result_tables(analysis: Analysis, closing: Sequence[TidyRow] = ()) -> tuple[Table, ...]:
    """closing: the rows of strengths and weaknesses. Tables without a row are left out."""
    planned = [c for c in analysis.comparisons if c.planned]
    others = [c for c in analysis.comparisons if not c.planned]
    made = [
        _means(analysis),
        _comparisons("The planned test", planned, "p is corrected as planned in the column p corrected."),
        _comparisons("Other tests, without correction", others, "They show whether the answer depends on the test."),
        _preferences(analysis),
        _strengths(analysis),
        _places(analysis),
        _agreement("Agreement between raters, all arms", [a for a in analysis.agreement if not a.arm]),
        _agreement("Agreement between raters, by arm", [a for a in analysis.agreement if a.arm]),
        _blinding(analysis),
        _severity(analysis),
        _learning(analysis),
        _sides(analysis),
        _halves(analysis),
        _times(analysis),
        _judges(analysis),
        _support(analysis),
        Table(
            "What raters said at the end",
            ("arm", "question", "rater", "answer"),
            tuple((r.arm, r.question, r.rater, r.text or "cannot judge") for r in sorted(closing)),
        ),
    ]
    return tuple(table for table in made if table.rows)


def estimate_text(estimate: Estimate) -> str:
    """A value with its interval to three digits, or why there is none."""
    if estimate.value is None:
        return f"undefined: {estimate.reason}"
    if estimate.low is None or estimate.high is None:
        return f"{number(estimate.value)} (no interval: {estimate.reason.removeprefix('no interval: ')})"
    return f"{number(estimate.value)} [{number(estimate.low)}, {number(estimate.high)}]"


def number(value: float | None) -> str:
    """A number to two decimals, from 100 on to three digits; empty for None."""
    return "" if value is None else f"{value:.3g}" if abs(value) >= 100 else f"{value:.2f}"


def probability(p: float | None) -> str:
    """A p value to three decimals; empty for None."""
    if p is None:
        return ""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _means(analysis: Analysis) -> Table:
    rows = tuple(
        (
            s.question,
            s.arm,
            str(s.ratings),
            str(s.cases),
            estimate_text(s.mean),
            number(s.sd),
            number(s.median),
            f"{number(s.range[0])} to {number(s.range[1])}" if s.range else "",
            ", ".join(f"{v.value:g}: {v.count}" for v in s.distribution[:12]),
            str(s.cannot_judge),
        )
        for s in analysis.summaries
    )
    head = ("question", "arm", "ratings", "cases", "mean [95 %]", "SD", "median", "range", "distribution", "no answer")
    return Table("Ratings by arm", head, rows, "No answer: 'cannot judge', which takes part in no figure.")


def _comparisons(title: str, found: Sequence[Comparison], note: str) -> Table:
    rows = tuple(
        (
            c.question + (" (primary)" if c.primary else ""),
            f"{c.first} - {c.second}",
            c.test.value.replace("_", " "),
            str(c.cases),
            "; ".join(f"{e.name} {estimate_text(e.estimate)}" for e in c.effects),
            probability(c.p) or c.reason,
            probability(c.p_adjusted),
            _converged(c.converged),
        )
        for c in found
    )
    head = ("question", "arms", "test", "cases", "effects [95 %]", "p", "p corrected", "fit")
    return Table(title, head, rows, f"Differences are first minus second. {note}")


def _preferences(analysis: Analysis) -> Table:
    rows = tuple(
        (
            p.question,
            p.first,
            p.second,
            f"{p.for_first} / {p.ties} / {p.for_second}",
            estimate_text(p.share),
            estimate_text(p.share_by_cases),
        )
        for p in analysis.preferences
    )
    head = ("question", "first", "second", "first / tie / second", "share of first [95 %]", "by cases [95 %]")
    return Table("Preferences", head, rows)


def _strengths(analysis: Analysis) -> Table:
    rows = tuple(
        (s.question, one.arm, str(one.group), estimate_text(one.strength), _converged(s.converged))
        for s in analysis.strengths
        for one in s.strengths
    )
    return Table("Bradley-Terry strengths", ("question", "arm", "group", "log strength [95 %]", "fit"), rows)


def _places(analysis: Analysis) -> Table:
    rows = tuple(
        (
            p.question,
            p.arm,
            str(p.rankings),
            str(p.cases),
            estimate_text(p.mean),
            f"{number(p.range[0])} to {number(p.range[1])}" if p.range else "",
            ", ".join(f"{v.value:g}: {v.count}" for v in p.distribution),
        )
        for p in analysis.places
    )
    head = ("question", "arm", "rankings", "cases", "mean place [95 %]", "range", "distribution")
    return Table("Places", head, rows, "1 is the best; drafts placed equal share the mean of their places.")


def _sides(analysis: Analysis) -> Table:
    rows = tuple(
        (s.question, s.rater or "all", str(s.choices), str(s.ties), estimate_text(s.share_later))
        for s in analysis.sides
    )
    head = ("question", "rater", "choices", "ties", "share for the right or lower one [95 %]")
    return Table("Leaning to a side", head, rows, "0.5 is no bias; ties are left out.")


def _halves(analysis: Analysis) -> Table:
    rows = tuple(
        (
            h.question,
            f"{h.first} - {h.second}",
            estimate_text(h.first_half),
            estimate_text(h.second_half),
            estimate_text(h.change),
        )
        for h in analysis.halves
    )
    head = ("question", "arms", "first half [95 %]", "second half [95 %]", "change [95 %]")
    return Table("Preference in the first and second half", head, rows, "The share of the first, a tie half a choice.")


def _agreement(title: str, found: Iterable[Agreement]) -> Table:
    rows = tuple(
        (
            a.question,
            a.arm,
            a.coefficient.value.replace("_", " "),
            estimate_text(a.estimate),
            str(a.items),
            str(a.raters),
        )
        for a in found
    )
    return Table(title, ("question", "arm", "coefficient", "value [95 %]", "drafts", "raters"), rows)


def _blinding(analysis: Analysis) -> Table:
    found = analysis.blinding
    rows = [(c.arm, str(c.correct), str(c.wrong), str(c.unknown), estimate_text(c.bang)) for c in found.counts]
    if rows:
        rows.append(("all: share right", "", "", "", estimate_text(found.correct_share)))
        rows.append(("all: James' index", "", "", "", estimate_text(found.james)))
    note = " ".join(found.notes)
    if found.chance is not None:
        note = f"Guessing at random gets {found.chance:.2f} right. {note}"
    return Table("Blinding", ("arm", "right", "wrong", "did not know", "Bang's index [95 %]"), tuple(rows), note)


def _severity(analysis: Analysis) -> Table:
    rows = tuple(
        (s.question, s.rater, str(s.drafts), estimate_text(s.deviation), estimate_text(s.modelled))
        for s in analysis.severity
    )
    head = ("question", "rater", "drafts", "points above the others [95 %]", "in the model [95 %]")
    return Table("Rater severity", head, rows, "Positive is milder.")


def _learning(analysis: Analysis) -> Table:
    rows = tuple(
        (
            one.question,
            estimate_text(one.period),
            "; ".join(f"{e.name} {estimate_text(e.estimate)}" for e in one.by_arm),
        )
        for one in analysis.learning
    )
    return Table("From the first to the second half", ("question", "change in points [95 %]", "by arm"), rows)


def _times(analysis: Analysis) -> Table:
    rows = tuple(
        (
            t.of,
            str(t.items),
            number(t.median_s) or t.reason,
            f"{number(t.quartiles_s[0])} to {number(t.quartiles_s[1])}" if t.quartiles_s else "",
        )
        for t in analysis.times
    )
    return Table("Time on an item", ("of", "items", "median, seconds", "quartiles"), rows)


def _judges(analysis: Analysis) -> Table:
    rows = tuple(
        (
            j.judge,
            j.question,
            str(j.drafts),
            estimate_text(j.spearman),
            estimate_text(j.kappa_quadratic),
            estimate_text(j.mean_excess),
            estimate_text(j.by_length),
            estimate_text(j.by_order),
        )
        for j in analysis.judges
    )
    head = (
        "judge",
        "question",
        "drafts",
        "Spearman",
        "weighted kappa",
        "judge minus people",
        "with length",
        "with order",
    )
    note = "With length and with order: what the judge gives beyond people; 0 is no bias."
    return Table("A judge model against people", head, rows, note)


def _support(analysis: Analysis) -> Table:
    rows = tuple(
        (
            s.method,
            str(s.judged),
            estimate_text(s.accuracy),
            estimate_text(s.precision),
            estimate_text(s.recall),
            estimate_text(s.f1),
        )
        for s in analysis.support
    )
    return Table(
        "Do the documents support the answer", ("method", "judged", "accuracy", "precision", "recall", "F1"), rows
    )


def _converged(converged: bool | None) -> str:
    return "" if converged is None else "converged" if converged else "did not converge"


def about_tables(study: FrozenStudy) -> tuple[Table, ...]:
    """What was studied, by what, and what was decided before the first rating."""
    setup = study.setup
    facts = [
        ("Design", f"{setup.design.value}; the arms differ in the {setup.factor.value}"),
        ("Cases", f"{len(study.cases)} ({_counts(case.role.value for case in study.cases)})"),
        ("Items", f"{len(study.items)} ({_counts(item.kind.value for item in study.items)})"),
        ("Raters", f"{setup.raters}; each item by {setup.overlap}"),
        ("Evidence shown to raters", setup.evidence.value.replace("_", " ")),
        ("Blinding rule", study.blinding_rule),
        ("Seed", str(setup.seed)),
        ("Frozen", f"{study.frozen_at:%Y-%m-%d %H:%M} UTC by {study.frozen_by}"),
    ]
    arms = [(a.id, a.name or a.id, a.system or "uploaded", _writers(study, a.id), a.guess_label) for a in setup.arms]
    instruments = [
        (i.title, str(i.version), i.source or "our own", f"{i.wording.value}. {i.wording_note}".strip(), q.prompt)
        for i in setup.instruments
        for q in i.questions
    ]
    tables = [
        Table("The study", ("what", "value"), tuple(facts)),
        Table("Arms", ("arm", "name", "system", "written by", "what raters could guess"), tuple(arms)),
        Table("Questions", ("instrument", "version", "source", "wording", "question"), tuple(instruments)),
    ]
    failed = [(d.case_id, d.arm_id, d.reason) for d in study.drafts if d.reason]
    if failed:
        tables.append(Table("Drafts that failed", ("case", "arm", "reason"), tuple(failed)))
    leaks = [(leak.kind, leak.where, leak.what) for leak in study.accepted_leaks]
    if leaks:
        note = "Warnings of the blinding check that were accepted when the study was frozen."
        tables.append(Table("What may tell the arms apart", ("kind", "where", "what"), tuple(leaks), note))
    return tuple(tables)


def _writers(study: FrozenStudy, arm: str) -> str:
    return ", ".join(
        sorted({d.provenance.generator for d in study.drafts if d.arm_id == arm and d.provenance.generator})
    )


def _counts(kinds: Iterable[str]) -> str:
    found: dict[str, int] = {}
    for kind in kinds:
        found[kind] = found.get(kind, 0) + 1
    return ", ".join(f"{count} {kind}" for kind, count in found.items())


NOTE = (
    "A third person rated the items that disagreed most, blind and without seeing anybody's answers. Their answers take part "
    "in no other figure. Of a preference, values above 0 favour the second arm."
)


def adjudication_tables(analysis: Analysis) -> tuple[Table, ...]:
    """One table, or none where nothing was adjudicated."""
    rows = tuple(
        (
            one.question,
            one.case,
            one.of,
            ", ".join(number(value) for value in one.raters),
            one.adjudicator,
            "cannot judge" if one.value is None else number(one.value),
        )
        for one in analysis.adjudicated
    )
    head = ("question", "case", "arm or pair", "raters gave", "third person", "gave")
    return (Table("Adjudication", head, rows, NOTE),) if rows else ()
