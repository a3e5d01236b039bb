"""The write screen: paste a note or take a case, draft it, review it beside its evidence, take it away."""

from functools import partial
from typing import Any

import streamlit as st

from app import house_state, review_state, state
from app.api_errors import ApiError
from app.away import draw_away
from app.bench_data import WITH_COMPOSER, bench_data, offers
from app.draft_run import DraftRun, Progress
from app.entry import BESIDE_NOTE, Entry
from app.event_run import Phase
from app.export import as_text
from app.picture import paint, paths_picture
from app.pinned import NOTICE
from app.views.bench import draw_bench
from app.views.controls import draw_controls
from app.views.entry import draw_case_buttons, draw_more, draw_note_box, draw_put_away, draw_question
from app.views.notices import draw_introduction, draw_refused, draw_waiting
from app.views.saving import draw_saving
from app.views.shell import draw_page_name, theme
from app.views.taking import draw_taking
from backend.schemas.case import DemonstrationCase
from backend.schemas.draft import Draft
from backend.schemas.vocabulary import Document
from backend.schemas.written_notes import written_notes

BENCH = "bench"
REVIEW = "screens/review.py"
TICK_S = 0.25  # how often the page looks at a running draft
LOOK_S = 3.0  # how often the page asks after a language model's server that is still starting
BACK = "The API did not answer when the draft was asked for. It answers now: press Draft again. What you typed is kept."
SETTLE_S = 0.05  # a draft that fails at once is shown at once


def screen() -> None:
    draw_page_name("Write")
    house = house_state.house()
    held = state.run()
    if held is not None:
        held.wait(SETTLE_S)
    if held is not None and came_to_nothing(held) and state.fall_back(held.progress()):
        held = state.run()
    if held is None or came_to_nothing(held):
        draw_first(house, held)
        return
    if state.editing():
        draw_box(state.entry())
    draw_row(house, drafted=True)
    refused = state.refusal()
    if refused is not None:
        draw_reason(refused)
    elif house is None:
        draw_away(house_state.house_error())
    running = held.running
    st.fragment(run_every=TICK_S if running else None)(watch)()
    done = None if running else held.progress().draft
    if done is not None:
        draw_take(done)


def came_to_nothing(held: DraftRun) -> bool:
    """Whether the request was refused, or the API could not be reached: there is nothing to show but the reason."""
    seen = held.progress()
    return seen.phase == Phase.FAILED and not seen.linked_or_drafted


def draw_reason(seen: Progress) -> None:
    """Why a request came to nothing; once the API answers again, that."""
    if not seen.unreachable:
        draw_refused(seen.message)
    elif house_state.look_again() is None:
        draw_away(seen.message)
    else:
        draw_refused(BACK)


def draw_first(house: dict[str, Any] | None, held: DraftRun | None) -> None:
    """Before there is a draft: the box, what was refused beside it, what this does, and the cases."""
    box, beside = st.columns([3, 2], gap="large")
    with box:
        draw_box(state.entry())
        draw_row(house, drafted=False)
        if held is not None:
            draw_reason(held.progress())
        elif house is None:
            draw_away(house_state.house_error())
    with beside:
        draw_introduction()
        draw_case_buttons(cases(), state.load)


def draw_row(house: dict[str, Any] | None, drafted: bool) -> None:
    """The selectors and buttons, and what was refused before anything was sent."""
    calls = {"draft": state.start, "edit": state.toggle_editing, "start_over": state.start_over}
    draw_controls(house, drafted, state.editing(), calls)
    if house is not None and house.get("waiting"):
        st.fragment(run_every=LOOK_S)(await_model)(dict(house["generator"]))
    if state.empty_asked():
        draw_refused("The note is empty. Paste the allergies, chief complaint and history of present illness.")


def await_model(writer: dict[str, Any]) -> None:
    """Say how the model's server is, until another writes than the one the page says: then the page is drawn anew."""
    house_state.look_again()
    house = house_state.house()
    if house is None:
        return
    if not house.get("waiting") or house["generator"]["name"] != writer["name"]:
        st.rerun(scope="app")
    draw_waiting(str(house["waiting"]))


def draw_box(entry: Entry) -> None:
    """The note's box and the optional fields."""
    if entry.document == Document.CLINICAL_ANSWER:
        draw_question()
    draw_note_box(state.note_changed)
    aside = state.put_away()
    if aside:
        names = [BESIDE_NOTE.get(name, name) for name, value in aside.items() if value and name != "label"]
        draw_put_away(names, state.bring_back, state.forget_put_away)
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
    if not state.is_told(held):
        st.rerun(scope="app")
    with st.container(key="stop_place"):  # always there, so that the workbench below keeps its place and its selection
        if held.running:
            st.button("Stop", key="stop", on_click=state.stop)
    seen = held.progress()
    writer = str((house_state.house() or {}).get("generator", {}).get("name", ""))
    data = bench_data(seen, concept=state.looked_up(), again=offers(seen, writer))
    draw_bench(BENCH, data, judged, partial(state.look_up, BENCH), again)


def judged() -> None:
    event = state.judged_in(BENCH)
    if event is not None:
        state.judge(str(event["concept_id"]), str(event["verdict"]))


def again() -> None:
    asked = state.asked_again_in(BENCH)
    if asked:
        state.ask_again(by_composer=asked == WITH_COMPOSER)


def draw_take(draft: Draft) -> None:
    notice = (house_state.house() or {}).get("notice") or NOTICE
    text = as_text(draft, state.label(), notice.rstrip("."))
    name = f"leapnote-draft-{draft.id[:8]}"
    paths = draft.evidence.paths
    if draft.sentences:
        draw_save(draft)
    draw_taking(
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
