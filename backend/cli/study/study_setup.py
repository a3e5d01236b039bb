"""study: from a setup to a frozen study."""

import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any

import typer

from backend.cli.cli_options import Json, with_options
from backend.cli.program import CommandLine
from backend.cli.study import study_shared as shared
from backend.cli.study.study_shared import ME, Author, Study
from backend.schemas.studies.study_design import (
    AnalysisPlan,
    Correction,
    EvidenceShown,
    Factor,
    PrimaryTest,
    StudySetup,
)
from backend.schemas.studies.study_instrument import Design
from backend.schemas.studies.study_views import FreezeRequest, SetupChange
from backend.schemas.vocabulary import Document
from backend.study.design.setups import checked, field_value, setup_of_options

app = CommandLine()


@dataclass(frozen=True)
class SetupOptions:
    """What `study new` takes for the setup; what is not given stays as the template, the file or the schema has it."""

    template: Annotated[
        str | None, typer.Option("--template", help="reinrag or omnirag: the design of a published study")
    ] = None
    setup: Annotated[
        Path | None, typer.Option("--setup", metavar="FILE", help="the whole setup as JSON; see docs/studies.md")
    ] = None
    cases: Annotated[
        list[str],
        typer.Option(
            "--cases",
            metavar="FROM",
            help="a JSONL file, a folder of .txt, demonstration, or demonstration:NAME",
        ),
    ] = field(default_factory=list)
    arm: Annotated[
        list[str], typer.Option("--arm", metavar="ID=SYSTEM@GENERATOR", help="ID=SYSTEM will do; ID= alone: uploaded")
    ] = field(default_factory=list)
    guess_label: Annotated[
        list[str], typer.Option("--guess-label", metavar="ID=WORDS", help="what raters guess at the end")
    ] = field(default_factory=list)
    instrument: Annotated[
        list[str], typer.Option("--instrument", metavar="NAME", help="one that ships, or a .json file")
    ] = field(default_factory=list)
    drafts: Annotated[
        Path | None,
        typer.Option("--drafts", metavar="FILE", help="drafts made elsewhere: JSONL with case, arm, text"),
    ] = None
    factor: Annotated[Factor | None, typer.Option("--factor")] = None
    design: Annotated[Design | None, typer.Option("--design")] = None
    document: Annotated[Document | None, typer.Option("--document")] = None
    evidence: Annotated[EvidenceShown | None, typer.Option("--evidence")] = None
    public_title: Annotated[str | None, typer.Option("--title", help="what raters see instead of the name")] = None
    instructions: Annotated[str | None, typer.Option("--instructions", help="what raters read first")] = None
    raters: Annotated[int | None, typer.Option("--raters")] = None
    overlap: Annotated[int | None, typer.Option("--overlap")] = None
    seed: Annotated[int | None, typer.Option("--seed")] = None
    rated_cases: Annotated[int | None, typer.Option("--rated-cases")] = None
    calibration_items: Annotated[int | None, typer.Option("--calibration-items")] = None
    attention_checks: Annotated[int | None, typer.Option("--attention-checks")] = None
    guess_items: Annotated[int | None, typer.Option("--guess-items")] = None
    spacing: Annotated[int | None, typer.Option("--spacing")] = None


@app.add("new", "a new study; prints its id")
@with_options(SetupOptions)
def new(
    name: Annotated[str, typer.Argument(show_default=False)],
    options: SetupOptions,
    author: Author = ME,
    as_json: Json = False,
) -> None:
    """Make a study with its cases and the drafts made elsewhere."""
    from backend.study.design.study_cases import demonstration, read_cases, read_uploads
    from backend.study.design.study_drafts import Drafts

    setup, studies = setup_of_options(SimpleNamespace(name=name, **vars(options))), shared.studies_here()
    cases: list[Any] = []
    for source in options.cases:
        kind, _, case = source.partition(":")
        shipped = kind == "demonstration" and not Path(source).exists()
        cases += demonstration([case] if case else []) if shipped else read_cases(Path(source))
    uploads = read_uploads(options.drafts) if options.drafts else ()
    made = studies.create(setup, author, cases)
    if uploads:
        made = Drafts(studies).upload(made.id, uploads, author)
    print(made.model_dump_json() if as_json else made.id)


@app.add("instruments", "the instruments that ship")
def instruments(as_json: Json = False) -> None:
    """Print each instrument: its id, its title and how many questions it has."""
    from backend.study.design.instruments import shipped

    for entry in shipped():
        print(entry.model_dump_json() if as_json else f"{entry.id}  {entry.title}, {len(entry.questions)} questions")


@app.add("change", "fields of the setup, before it is frozen")
def change(
    study: Study,
    given: Annotated[
        list[str],
        typer.Argument(metavar="FIELD=VALUE...", help="the value as JSON, or as plain words", show_default=False),
    ],
    author: Author = ME,
    as_json: Json = False,
) -> None:
    """Give fields of the setup other values."""
    studies = shared.studies_here()
    view = studies.view(study)
    fields = view.setup.model_dump() | dict(field_value(entry) for entry in given)
    request = SetupChange(setup=checked(StudySetup, fields), version=view.version, author=author)
    shared.print_study(studies.change(study, request), as_json)


@app.add("generate", "write all drafts; stop it and run it again as you like")
def generate_drafts(
    study: Study,
    retry_failed: Annotated[bool, typer.Option("--retry-failed")] = False,
    author: Author = ME,
    as_json: Json = False,
) -> None:
    """Write the drafts that are not there yet."""
    from backend.study.design.draft_sources import pipeline_source
    from backend.study.design.study_drafts import Drafts, generate

    studies = shared.studies_here()
    if not Drafts(studies).jobs(study, retry_failed):
        shared.print_study(Drafts(studies).end(study, author), as_json)
        return
    source = pipeline_source(shared.container_here())
    view = generate(studies, study, source, author, _progress, retry_failed=retry_failed)
    shared.print_study(view, as_json)


@app.add("upload", "drafts made elsewhere")
def upload(
    study: Study,
    drafts: Annotated[Path, typer.Argument(show_default=False)],
    author: Author = ME,
    as_json: Json = False,
) -> None:
    """Take in drafts for arms without a system."""
    from backend.study.design.study_cases import read_uploads
    from backend.study.design.study_drafts import Drafts

    view = Drafts(shared.studies_here()).upload(study, read_uploads(drafts), author)
    shared.print_study(view, as_json)


@app.add("leaks", "what could tell raters which arm is which")
def leaks(study: Study, author: Author = ME, as_json: Json = False) -> None:
    """Print the leaks, and what was taken out of each arm's texts."""
    from backend.study.design.study_drafts import Drafts

    report = Drafts(shared.studies_here()).leaks(study)
    if as_json:
        print(report.model_dump_json())
        return
    for leak in report.leaks:
        print(f"{'must be mended' if leak.blocking else 'warning'}: {leak.kind}, {leak.where}: {leak.what}")
    for arm, removed in report.removed.items():
        print(f"taken out of {arm}: {', '.join(f'{kind} {count}' for kind, count in removed.items()) or 'nothing'}")


@dataclass(frozen=True)
class PlanOptions:
    """The analysis plan; what is not given stays as the setup has it."""

    primary_outcome: Annotated[str | None, typer.Option("--primary-outcome", metavar="INSTRUMENT/QUESTION")] = None
    test: Annotated[PrimaryTest | None, typer.Option("--test")] = None
    exclusions: Annotated[str | None, typer.Option("--exclusions")] = None
    sample_size_reason: Annotated[str | None, typer.Option("--sample-size-reason")] = None
    correction: Annotated[Correction | None, typer.Option("--correction")] = None
    correction_reason: Annotated[str | None, typer.Option("--correction-reason")] = None


@app.add("freeze", "freeze it for good, with its analysis plan")
@with_options(PlanOptions)
def freeze(
    study: Study,
    options: PlanOptions,
    accept_warnings: Annotated[
        bool, typer.Option("--accept-warnings", help="freeze although raters may guess the arms")
    ] = False,
    author: Author = ME,
    as_json: Json = False,
) -> None:
    """Freeze a study whose drafts are all there."""
    studies = shared.studies_here()
    given = {name: value for name, value in vars(options).items() if value is not None}
    plan = None
    if given:
        old = studies.view(study).setup.plan
        known = old.model_dump() if old else {"unit_of_analysis": "case"}
        plan = checked(AnalysisPlan, known | given)
    request = FreezeRequest(author=author, plan=plan, accept_warnings=accept_warnings)
    shared.print_study(studies.freeze(study, request), as_json)


def _progress(done: int, total: int, what: str) -> None:
    print(f"drafts: {done} of {total}, {what}", file=sys.stderr, flush=True)
