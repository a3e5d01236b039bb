"""The tables of a report that say what was studied, by what, and what was decided before the first rating."""

from collections.abc import Iterable

from backend.schemas.study_frozen import FrozenStudy
from backend.study.report_tables import Table


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
