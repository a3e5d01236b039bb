"""The buttons of the study page. Callbacks: they read the form, ask the API and store the outcome."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from app.state import study_state
from app.state.study_state import attempt, author, current, file_key, show, show_message, study_client
from app.view_data import study_files, study_form
from app.view_data.study_form import Fields
from backend.schemas.studies.study_design import StudyCase
from backend.schemas.studies.study_instrument import Instrument
from backend.schemas.studies.study_judge import JudgeRequest, JudgeScore
from backend.schemas.studies.study_views import FreezeRequest, StudyView, UploadedDraft

NEW, EDIT, FREEZE = "new", "edit", "freeze"
PLAN = ("primary_outcome", "test", "exclusions", "sample_size_reason", "correction", "correction_reason")
NO_REASON = "Give a reason for unlocking: it is recorded."
NO_CASES = "Choose cases first: demonstration or saved ones, a file, or a folder."
SCORE = "a score: question, case, arm, value, and place if it is known"
CASE = "a case: id, text or question, and if there is one reference"
DRAFT = "a draft: case, arm, and text or failed"


def key_of(form: str, name: str) -> str:
    """The key of a form's field."""
    return f"study_{form}_{name}"


def fill(form: str, fields: Mapping[str, Any]) -> None:
    """Set the fields of a form."""
    study_state.fill({key_of(form, name): value for name, value in fields.items()})


def fields_in(form: str) -> Fields:
    """The fields of a form. An instrument of the coordinator's own is read from its file. Raises ValueError."""
    default = study_form.empty_fields()
    fields = {name: study_state.field(key_of(form, name), value) for name, value in default.items()}
    file = study_state.field(key_of(form, "own_file"), None)
    if file is not None:
        own = study_form.own_instrument(_text(file))
        chosen = [name for name in fields["instruments"] if name != own.id]
        fields |= {"own": {**fields["own"], own.id: own}, "instruments": [*chosen, own.id]}
    return fields


def choose_template(templates: Sequence[Mapping[str, Any]]) -> None:
    """Fill the new study's form from the chosen template; the name stays."""
    chosen = study_state.field("new_template", "")
    found = next((one for one in templates if one["id"] == chosen), None)
    fields = study_form.template_fields(found) if found else study_form.empty_fields()
    fill(NEW, fields | {"name": study_state.field(key_of(NEW, "name"), "")})


def create(shipped: Sequence[Instrument], templates: Sequence[Mapping[str, Any]]) -> None:
    """Make the study of the form and open it."""

    def ask() -> None:
        fields = fields_in(NEW)
        found = next((one for one in templates if one["id"] == fields["template"]), None)
        setup = study_form.setup_of(fields, shipped, found["plan"] if found else None)
        made = study_client().new_study(setup, author())
        study_state.open_study(made.id)
        study_state.drop(key_of(NEW, ""))

    _try(ask, NEW)


def change(shipped: Sequence[Instrument]) -> None:
    """Save the changed setup of the open study."""

    def ask(view: StudyView) -> None:
        setup = study_form.setup_of(fields_in(EDIT), shipped, view.setup.plan)
        show(study_client().change_study(view.id, setup, view.version, author()))

    _on_open(ask, EDIT)


def import_study_file() -> None:
    """Make a study from the chosen export file and open it."""
    file = study_state.field("study_import_file", None)
    if file is None:
        show_message("Choose the file of an export first.")
        return

    def ask() -> None:
        study_state.open_study(study_client().import_study(_text(file), author()).id)

    _try(ask)


def add_cases() -> None:
    """Add the chosen cases, files and folders to the open study."""

    def ask(view: StudyView) -> None:
        file = study_state.field(file_key("study_cases_file"), None)
        cases: tuple[StudyCase, ...] = ()
        if file is not None:
            cases = study_files.read_lines(_text(file), StudyCase, CASE)
        folder: list[Any] = study_state.field(file_key("study_cases_folder"), list[Any]())
        if folder:
            cases = (*cases, *study_files.folder_cases([(one.name, _text(one)) for one in folder]))
        names: list[str] = study_state.field("study_demonstration", [])
        saved: list[str] = study_state.field("study_saved", [])
        if not cases and not names and not saved:
            raise ValueError(NO_CASES)
        show(study_client().add_cases(view.id, cases, names, author(), saved))
        study_state.fill({"study_demonstration": [], "study_saved": []})
        study_state.next_round("study_cases_file")
        study_state.next_round("study_cases_folder")

    _on_open(ask)


def upload() -> None:
    """Upload the drafts of the chosen file."""

    def ask(view: StudyView) -> None:
        file = study_state.field(file_key("study_drafts_file"), None)
        if file is None:
            raise ValueError("Choose the file with the drafts first.")
        drafts = study_files.read_lines(_text(file), UploadedDraft, DRAFT)
        show(study_client().upload_drafts(view.id, drafts, author()))
        study_state.next_round("study_drafts_file")

    _on_open(ask)


def generate(retry_failed: bool = False) -> None:
    """Write the missing drafts of the open study."""
    _on_open(lambda view: study_client().generate(view.id, author(), retry_failed))


def stop() -> None:
    """Stop after the draft in progress."""
    view = current()
    if view is not None:
        attempt(lambda: study_client().stop_generation(view.id))


def check() -> None:
    """Check the blinding of the open study."""
    view = current()
    if view is not None:
        study_state.forget("leaks")
        study_state.cached("leaks", lambda: study_client().leaks(view.id))


def freeze() -> None:
    """Freeze the open study with the plan of the form."""

    def ask(view: StudyView) -> None:
        plan = study_form.plan_of({name: study_state.field(f"plan_{name}", "") for name in PLAN})
        accept = bool(study_state.field("plan_accept_warnings", False))
        show(study_client().freeze(view.id, FreezeRequest(author=author(), plan=plan, accept_warnings=accept)))
        study_state.fill({study_state.step_key(view.id): "Raters"})

    _on_open(ask, FREEZE)


def invite() -> None:
    """Make a personal link for the chosen place."""

    def ask(view: StudyView) -> None:
        place = str(study_state.field("study_place", ""))
        label = str(study_state.field("study_place_label", ""))
        study_state.add_links((study_client().invite(view.id, place, label, author()),))
        study_state.fill({"study_place_label": ""})

    _on_open(ask)


def withdraw(link_id: str) -> None:
    """Withdraw a personal link."""
    _on_open(lambda view: study_client().withdraw(view.id, link_id, author()))


def close() -> None:
    """Close the open study."""
    _on_open(lambda view: show(study_client().close(view.id, author())))


def unlock() -> None:
    """Show which arm is which, with the reason typed."""
    reason = str(study_state.field("study_unlock_reason", "")).strip()
    if not reason:
        show_message(NO_REASON)
        return

    def ask(view: StudyView) -> None:
        show(study_client().unlock(view.id, author(), reason))
        study_state.forget("analysis")

    _on_open(ask)


def adjudicate() -> None:
    """Make a place for a third rater on the items with most disagreement."""
    items = int(study_state.field("study_adjudicate_items", 10))
    _on_open(lambda view: study_client().adjudicate(view.id, items, author()))


def analyse() -> None:
    """Compute the analysis and its charts."""
    view = current()
    if view is not None:
        study_state.forget("analysis")
        api = study_client()
        study_state.cached("analysis", lambda: (api.analysis(view.id), api.charts(view.id)))


def judge() -> None:
    """Add a judge model's scores from the chosen file."""

    def ask(view: StudyView) -> None:
        file = study_state.field(file_key("study_judge_file"), None)
        name = str(study_state.field("study_judge_name", "")).strip()
        if file is None or not name:
            raise ValueError("Give the judge's name and choose the file with its scores first.")
        scores = study_files.read_lines(_text(file), JudgeScore, SCORE)
        study_client().add_judge(view.id, JudgeRequest(judge=name, scores=scores, author=author()))
        study_state.fill({"study_judge_name": ""})
        study_state.next_round("study_judge_file")
        study_state.forget("analysis")
        study_state.forget("judges")

    _on_open(ask)


def power() -> None:
    """How many cases are needed, from what stands in the fields."""
    difference = float(study_state.field("study_power_difference", 0.5))
    sd = float(study_state.field("study_power_sd", 1.0))
    study_state.forget("power")
    study_state.cached("power", lambda: study_client().cases_needed(difference, sd))


def _on_open(ask: Any, form: str = "") -> None:
    view = current()
    if view is not None:
        _try(lambda: ask(view), form)


def _try(ask: Any, form: str = "") -> None:
    """Do what asks the API; a value that does not fit becomes a message too. form: a long one, with its message at its button."""

    def checked() -> None:
        try:
            ask()
        except ValidationError:
            raise
        except ValueError as error:
            raise study_state.UnfitError(str(error)) from None

    attempt(checked, named=True, form=form)


def _text(file: Any) -> str:
    return study_files.decoded(bytes(file.getvalue()), str(file.name))
