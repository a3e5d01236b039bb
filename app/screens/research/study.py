"""Studies, for the coordinator: set up, write the drafts, freeze, invite, watch, close, unlock, analyse, export."""

from functools import partial

import streamlit as st

from app.clients.api_errors import ApiError
from app.clients.study_client import StudyClient
from app.components.drafts.draft_actions import draw_author
from app.components.evaluation import analysis_view as study_results
from app.components.evaluation import study_monitor as study_running
from app.components.evaluation import study_setup_form as views
from app.components.shell.notices import draw_refused, draw_unreachable
from app.components.shell.unreachable import draw_error
from app.components.tables import draw_rows
from app.state import study_actions, study_state
from app.state.study_actions import EDIT, FREEZE, NEW, key_of
from app.view_data import study_form
from app.view_data.study_form import when
from app.words.words import _, later
from backend.schemas.patients.saved_case import CaseSummary
from backend.schemas.studies.study_design import StudyState
from backend.schemas.studies.study_views import StudyView

OPEN = (StudyState.DRAFT, StudyState.GENERATING, StudyState.READY)
STEPS = (later("Setup"), later("Cases and drafts"), later("Freeze"), later("Raters"), later("Results"), later("Trail"))
FIRST = {StudyState.DRAFT: 1, StudyState.GENERATING: 1, StudyState.READY: 2, StudyState.FROZEN: 3, StudyState.CLOSED: 4}
WRITING_S = 1.0
WATCHING_S = 5.0
SAVED = 200  # as many as one reply may hold


def screen() -> None:
    """Draw the page."""
    st.title(_("Studies"))
    try:
        view = study_state.current()
        if view is None:
            draw_all()
        else:
            draw_study(view)
    except ApiError as error:
        draw_error(error)


def draw_message(form: str = "") -> None:
    """The message of the last action, at the form it belongs to: the head of a long page is out of sight there."""
    words, unreachable, shown_at = study_state.message()
    if words and shown_at == form:
        (draw_unreachable if unreachable else draw_refused)(words)


def draw_all() -> None:
    """The list of studies, and the forms that make or import one."""
    api = study_state.study_client()
    views.draw_list(api.studies(), study_state.open_study)
    draw_author()
    draw_message()
    with st.expander(_("New study"), key="study_new"):
        templates, shipped = api.study_templates(), api.instruments()
        offered = api.systems()
        systems = [str(row["name"]) for row in offered["systems"]]
        if study_state.field(key_of(NEW, "factor"), None) is None:
            study_actions.fill(NEW, study_form.empty_fields())
        views.draw_template_choice(templates, partial(study_actions.choose_template, templates))
        views.draw_setup(partial(key_of, NEW), systems, offered["documents"], shipped)
        make = partial(study_actions.create, shipped, templates)
        st.button(_("Make the study"), key="study_create", type="primary", on_click=make)
        draw_message(NEW)
    with st.expander(_("Import a study from its export (JSONL)"), key="study_import"):
        st.file_uploader(_("JSONL export"), key="study_import_file", type=["jsonl"])
        st.button(_("Import"), key="study_bring_in", on_click=study_actions.import_study_file)


def draw_study(view: StudyView) -> None:
    """The open study, at the step chosen."""
    views.draw_head(view, study_state.close_study, study_state.refresh)
    draw_author()
    study_state.setdefault(study_state.step_key(view.id), STEPS[FIRST[view.state]])
    step = st.segmented_control(
        _("Step"), STEPS, key=study_state.step_key(view.id), width="content", label_visibility="collapsed", required=True,
        format_func=_,
    )  # fmt: skip
    draw_message()
    match step:
        case "Setup":
            draw_setup(view)
        case "Cases and drafts":
            draw_material(view)
        case "Freeze":
            draw_freeze(view)
        case "Raters":
            draw_raters(view)
        case "Results":
            draw_results(view)
        case "Trail":
            study_results.draw_trail(study_state.study_client().trail(view.id))


def draw_setup(view: StudyView) -> None:
    """The setup, to change until the study is frozen."""
    api = study_state.study_client()
    own = [one for one in view.setup.instruments if one.id not in {i.id for i in api.instruments()}]
    shipped = (*api.instruments(), *own)
    offered = api.systems()
    systems = [str(row["name"]) for row in offered["systems"]]
    loaded = f"{view.id} {view.version}"
    # a widget's value goes when its step is not drawn, so the form is filled from the study whenever it is opened
    if study_state.field("study_edit_loaded", "") != loaded or study_state.field(key_of(EDIT, "factor"), None) is None:
        study_actions.fill(EDIT, study_form.fields_of(view.setup) | {"loaded": loaded})
    editable = view.state in OPEN
    if not editable:
        st.caption(_("The study is frozen: this is what it was made with. Nothing of it changes."))
    with st.container(key="study_setup"):
        locked = view.drafts.made + view.drafts.failed > 0
        views.draw_setup(partial(key_of, EDIT), systems, offered["documents"], shipped, locked)
    if editable:
        save = partial(study_actions.change, shipped)
        st.button(_("Save changes"), key="study_change", type="primary", on_click=save)
        draw_message(EDIT)


def draw_material(view: StudyView) -> None:
    """Cases and drafts."""
    editable = view.state in OPEN
    adding = editable and not view.drafts.made
    api = study_state.study_client()
    names = {case.name: _(case.label) for case in api.cases()} if adding else {}
    saved = {case.id: f"{case.label}, {when(case.updated_at)}" for case in saved_cases(api)} if adding else {}
    study_running.draw_cases(view, names, saved, adding, study_state.file_key, {"add": study_actions.add_cases})
    if editable and view.cases:
        going = study_state.study_client().progress(view.id).generating
        st.fragment(run_every=WRITING_S if going else None)(watch_drafts)(view, going)
        study_running.draw_upload(study_state.file_key, {"upload": study_actions.upload})


def saved_cases(api: StudyClient) -> tuple[CaseSummary, ...]:
    """The newest saved cases, as many as one page of the list has."""
    return api.saved_cases(limit=SAVED).cases


def watch_drafts(view: StudyView, was_going: bool) -> None:
    """The batch as far as it is; when it has ended or begun, the whole page is drawn anew."""
    try:
        progress = study_state.study_client().progress(view.id)
    except ApiError as error:
        draw_unreachable(str(error))
        return
    if progress.generating != was_going or (not progress.generating and progress.drafts != view.drafts):
        study_state.refresh()
        st.rerun(scope="app")
    study_running.draw_drafts(
        progress,
        view,
        {
            "generate": study_actions.generate,
            "retry": partial(study_actions.generate, True),
            "stop": study_actions.stop,
        },
    )


def draw_freeze(view: StudyView) -> None:
    """The blinding check, the number of cases needed, and the plan; once frozen, the plan as it was decided."""
    if view.state not in OPEN:
        plan = view.setup.plan
        rows = [
            {later("decided"): name, later("value"): str(value)}
            for name, value in (plan.model_dump(mode="json") if plan else {}).items()
        ]
        draw_rows(rows)
        return
    if view.state != StudyState.READY:
        missing = view.drafts.wanted - view.drafts.made - view.drafts.failed
        words = _("{n} drafts are missing. Write them first, under “Cases and drafts”.")
        draw_refused(words.format(n=missing))
        return
    study_running.draw_leaks(study_state.found("leaks"), {"check": study_actions.check})
    study_running.draw_power(study_state.found("power"), len(view.cases), study_actions.power)
    outcomes = study_form.outcomes(view.setup)
    plan = view.setup.plan
    if study_state.field("plan_for", "") != view.id or study_state.field("plan_test", None) is None:
        known = plan.model_dump() if plan else {"test": "wilcoxon_case_means", "correction": "holm"}
        filled = {f"plan_{name}": value for name, value in known.items() if name != "unit_of_analysis"}
        if filled.get("plan_primary_outcome") not in outcomes:
            filled["plan_primary_outcome"] = outcomes[0] if outcomes else None
        study_state.fill(filled | {"plan_for": view.id})
    study_running.draw_freeze(outcomes, study_actions.freeze)
    draw_message(FREEZE)
    study_running.draw_refused_leaks(study_state.refused_leaks())


def draw_raters(view: StudyView) -> None:
    """Personal links and progress."""
    if view.state in OPEN:
        draw_refused(_("Raters are invited once the study is frozen."))
        return
    api = study_state.study_client()
    links, progress = api.rater_links(view.id), api.progress(view.id)
    having = {link.rater_id for link in links if link.withdrawn_at is None}
    wanted = "rater" if view.state == StudyState.FROZEN else "adjudicator"
    places = [row.rater_id for row in progress.raters if row.rater_id not in having and row.role == wanted]
    if places or view.state == StudyState.FROZEN:
        study_running.draw_invite(places, study_actions.invite)
    study_running.draw_given(study_state.given_links(), study_state.rate_address)
    study_running.draw_links(links, study_actions.withdraw)
    st.fragment(run_every=WATCHING_S)(watch_raters)(view.id)
    study_running.draw_end(
        view,
        {"close": study_actions.close, "unlock": study_actions.unlock, "adjudicate": study_actions.adjudicate},
    )


def watch_raters(study_id: str) -> None:
    """Progress as it is now."""
    try:
        study_running.draw_progress(study_state.study_client().progress(study_id))
    except ApiError as error:
        draw_unreachable(str(error))


def draw_results(view: StudyView) -> None:
    """Downloads and the analysis."""
    if view.state in OPEN:
        draw_refused(_("There is nothing to analyse before the study is frozen and rated."))
        return
    unlocked = view.unlocked_at is not None
    study_running.draw_end(
        view,
        {"close": study_actions.close, "unlock": study_actions.unlock, "adjudicate": study_actions.adjudicate},
    )
    api, author = study_state.study_client(), study_state.author() or study_state.NOT_GIVEN
    study_results.draw_files(
        view.id,
        unlocked,
        lambda form: api.export(view.id, form, author),
        lambda form: api.report(view.id, form, author),
    )
    judges = study_state.cached("judges", lambda: api.judges(view.id)) or ()
    study_results.draw_judges(judges, study_state.file_key, study_actions.judge)
    study_results.draw_ask(not unlocked, study_state.found("analysis") is not None, study_actions.analyse)
    computed = study_state.found("analysis")
    if computed is not None:
        study_results.draw_analysis(*computed)


screen()
