"""The write screen: paste a note or load a case, draft it, review it beside its evidence, export it."""

from functools import partial
from typing import Any

import streamlit as st

from app.clients.api_errors import ApiError
from app.components.drafts.controls import draw_controls
from app.components.drafts.demonstrations import draw_case_buttons
from app.components.drafts.draft_actions import draw_downloads, draw_saving
from app.components.drafts.entry_form import draw_more, draw_note_box, draw_question, draw_set_aside
from app.components.knowledge.graph_picture import paint, paths_picture
from app.components.shell.notices import draw_introduction, draw_refused, draw_waiting
from app.components.shell.shell import draw_page_name, theme
from app.components.shell.unreachable import draw_no_answer
from app.components.workbench.workbench_view import draw_bench
from app.jobs.draft_run import DraftRun, Progress
from app.jobs.event_run import Phase
from app.state import api_state, review_state
from app.state import session as state
from app.view_data.bench_data import WITH_COMPOSER, bench_data, offers
from app.view_data.draft_export import as_text
from app.view_data.entry import BESIDE_NOTE, Entry
from app.view_data.pinned_data import NOTICE
from backend.schemas.drafts.draft import Draft
from backend.schemas.patients.case import DemonstrationCase
from backend.schemas.patients.written_notes import written_notes
from backend.schemas.vocabulary import Document

BENCH = "bench"
REVIEW = "screens/review.py"
TICK_S = 0.25  # how often the page looks at a running draft
LOOK_S = 3.0  # how often the page asks after a language model's server that is still starting
BACK = "The API did not answer when the draft was asked for. It answers now: press Draft again. What you typed is kept."
FIRST_WAIT_S = 0.05  # a draft that fails at once is shown at once


def screen() -> None:
    """Draw the page."""
    draw_page_name("Write")
    service = api_state.service()
    held = state.run()
    if held is not None:
        held.wait(FIRST_WAIT_S)
    if held is not None and came_to_nothing(held) and state.fall_back(held.progress()):
        held = state.run()
    if held is None or came_to_nothing(held):
        draw_first(service, held)
        return
    if state.editing():
        draw_box(state.entry())
    draw_row(service, drafted=True)
    refused = state.refusal()
    if refused is not None:
        draw_reason(refused)
    elif service is None:
        draw_no_answer(api_state.api_error())
    running = held.running
    st.fragment(run_every=TICK_S if running else None)(watch)()
    done = None if running else held.progress().draft
    if done is not None:
        draw_actions(done)


def came_to_nothing(held: DraftRun) -> bool:
    """Whether the request was refused, or the API could not be reached: there is nothing to show but the reason."""
    seen = held.progress()
    return seen.phase == Phase.FAILED and not seen.linked_or_drafted


def draw_reason(seen: Progress) -> None:
    """Why a request came to nothing; once the API answers again, that."""
    if not seen.unreachable:
        draw_refused(seen.message)
    elif api_state.look_again() is None:
        draw_no_answer(seen.message)
    else:
        draw_refused(BACK)


def draw_first(service: dict[str, Any] | None, held: DraftRun | None) -> None:
    """Before there is a draft: the box, what was refused beside it, what this does, and the cases."""
    box, beside = st.columns([3, 2], gap="large")
    with box:
        draw_box(state.entry())
        draw_row(service, drafted=False)
        if held is not None:
            draw_reason(held.progress())
        elif service is None:
            draw_no_answer(api_state.api_error())
    with beside:
        draw_introduction()
        draw_case_buttons(cases(), state.load)


def draw_row(service: dict[str, Any] | None, drafted: bool) -> None:
    """The selectors and buttons, and what was refused before anything was sent."""
    calls = {"draft": state.start, "edit": state.toggle_editing, "start_over": state.start_over}
    draw_controls(service, drafted, state.editing(), calls)
    if service is not None and service.get("waiting"):
        st.fragment(run_every=LOOK_S)(await_model)(dict(service["generator"]))
    if state.empty_asked():
        draw_refused("The note is empty. Paste the allergies, chief complaint and history of present illness.")


def await_model(writer: dict[str, Any]) -> None:
    """Say how the model's server is, until another writes than the one the page says: then the page is drawn anew."""
    api_state.look_again()
    service = api_state.service()
    if service is None:
        return
    if not service.get("waiting") or service["generator"]["name"] != writer["name"]:
        st.rerun(scope="app")
    draw_waiting(str(service["waiting"]))


def draw_box(entry: Entry) -> None:
    """The note's box and the optional fields."""
    if entry.document == Document.CLINICAL_ANSWER:
        draw_question()
    draw_note_box(state.note_changed)
    aside = state.set_aside()
    if aside:
        names = [BESIDE_NOTE.get(name, name) for name, value in aside.items() if value and name != "label"]
        draw_set_aside(names, state.bring_back, state.forget_set_aside)
    read = [
        f"{note.note_type}, {note.date or 'no date'}, {len(note.text)} characters"
        for note in written_notes(entry.earlier)
    ]
    draw_more(f"Read as: {'; '.join(read)}" if read else "")


def cases() -> tuple[DemonstrationCase, ...]:
    """The demonstration cases; none when the API does not answer, which the screen says elsewhere."""
    try:
        return state.client().cases()
    except ApiError:
        return ()


def watch() -> None:
    """Draw the draft as far as it is.

    When it has ended or begun again, or the note has just been read, the whole page is drawn anew: the allergies are
    pinned as soon as they are known, however quickly a draft is done.
    """
    held = state.run()
    if held is None:
        return
    if not state.is_drawn(held):
        st.rerun(scope="app")
    # always there, so that the workbench below stays in its place with its selection
    with st.container(key="stop_place"):
        if held.running:
            st.button("Stop", key="stop", on_click=state.stop)
    seen = held.progress()
    writer = str((api_state.service() or {}).get("generator", {}).get("name", ""))
    data = bench_data(seen, concept=state.looked_up(), again=offers(seen, writer), known_stages=api_state.stages())
    draw_bench(BENCH, data, judged, partial(state.look_up, BENCH), again)


def judged() -> None:
    """Take a judgement of a condition that the workbench sent, and draft again."""
    event = state.judged_in(BENCH)
    if event is not None:
        state.judge(str(event["concept_id"]), str(event["verdict"]))


def again() -> None:
    """Send the request once more, if the workbench asked for that."""
    asked = state.asked_again_in(BENCH)
    if asked:
        state.ask_again(by_composer=asked == WITH_COMPOSER)


def draw_actions(draft: Draft) -> None:
    """Saving and downloads of a finished draft."""
    notice = (api_state.service() or {}).get("notice") or NOTICE
    text = as_text(draft, state.label(), notice.rstrip("."))
    name = f"leapnote-draft-{draft.id[:8]}"
    paths = draft.evidence.paths
    if draft.sentences:
        draw_save(draft)
    draw_downloads(
        text, draft.model_dump_json(indent=2), name, (lambda: paths_picture(paths, paint(theme()))) if paths else None
    )


def draw_save(draft: Draft) -> None:
    """Saving as a case, once; then the way to its review."""
    case_id = review_state.saved_as(draft)
    key = review_state.label_field(draft, state.label())
    if draw_saving(key, case_id is not None, review_state.outcome().message, lambda: review_state.save(draft)):
        review_state.open_case(str(case_id))
        st.switch_page(REVIEW)


screen()
