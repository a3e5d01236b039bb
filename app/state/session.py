"""The session of one browser tab. Only the modules of this folder touch st.session_state.

What is typed lasts for the whole session: each field of Entry is the key of its widget, and the widgets have their
value while another screen is shown, so neither an error nor a switch of screens loses it.
"""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from app.clients.client import ApiClient
from app.jobs.draft_run import DraftRun, Progress
from app.jobs.event_run import Phase
from app.state import access_state
from app.view_data.bench_data import concept_card
from app.view_data.entry import BESIDE_NOTE, Entry, entry_of, request_of, same_note
from app.view_data.pinned_data import COMPOSER
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.case import DemonstrationCase
from backend.settings import settings

PASTED = "Pasted note"
QUESTION = "Question"


def entered(screen: str) -> bool:
    """Whether this screen was opened in this run."""
    before, st.session_state["screen"] = st.session_state.get("screen"), screen
    return bool(before != screen)


def client() -> ApiClient:
    """The client of this session; a test puts its own under the same key."""
    if "client" not in st.session_state:
        st.session_state["client"] = ApiClient(settings(), login=access_state.bearer())
    chosen: ApiClient = st.session_state["client"]
    return chosen


def entry() -> Entry:
    """The fields as they are now.

    A label and judged conditions hold for the note they were given with, and for edits of it that `note_changed` has seen.
    """
    now = Entry(**{name: st.session_state.get(name, default) for name, default in Entry()._asdict().items()})
    if now.note != st.session_state.get("judged_note", ""):
        return now._replace(label="", confirmed=(), ruled_out=())
    return now


def load(case: DemonstrationCase) -> None:
    """Fill the fields from a case and forget the last draft; what was typed is set aside. A callback."""
    filled = {**entry_of(case), "question": "", "options": ""}
    _set_typed_aside()
    _fill({**filled, "judged_note": case.text, "filed_note": case.text, "filled": filled})
    _forget()


def start_over() -> None:
    """Empty every field and forget the last draft; what was typed is set aside."""
    _set_typed_aside()
    selectors = {"system": entry().system, "document": entry().document, "style": entry().style}
    _fill({**Entry()._asdict(), **selectors, "filed_note": ""})
    _forget()


def note_changed() -> None:
    """Set the fields beside the note aside if the note was replaced; an edit of it changes nothing. A callback.

    `filed_note` is the note that the other fields were typed for; what is typed before there is a note belongs to the next.
    """
    before, note = str(st.session_state.get("filed_note", "")), str(st.session_state.get("note", ""))
    st.session_state["filed_note"] = note if note.strip() else ""
    judged = st.session_state.get("judged_note", "") == before
    if not before or same_note(before, note):
        if before and judged:
            st.session_state["judged_note"] = note
        return
    beside = {name: st.session_state.get(name) or default for name, default in Entry()._asdict().items()}
    if not judged:
        beside |= {"confirmed": (), "ruled_out": ()}
    _set_aside({name: beside[name] for name in BESIDE_NOTE})
    _fill({name: default for name, default in Entry()._asdict().items() if name in BESIDE_NOTE})


def set_aside() -> Mapping[str, Any]:
    """The fields set aside when their note was replaced, by name; empty when there are none."""
    found: Mapping[str, Any] = st.session_state.get("set_aside") or {}
    return found


def bring_back() -> None:
    """Exchange the fields that were set aside and their present values. A callback."""
    back, now = set_aside(), entry()._asdict()
    forget_set_aside()
    _set_aside({name: now[name] for name in back})
    note = str(back.get("note", now["note"]))
    _fill({**back, "judged_note": note, "filed_note": note})
    if "note" in back:
        _forget()


def forget_set_aside() -> None:
    """Forget the fields that were set aside. A callback."""
    st.session_state.pop("set_aside", None)


def start() -> None:
    """Start a draft of the fields; without a note or question, only remember that it was asked. A callback.

    A note that was replaced at the same time may have its callback after this one, so its other fields are set aside here too.
    """
    note_changed()
    request = chosen_request(entry())
    st.session_state["empty_asked"] = request is None
    st.session_state.pop("refusal", None)
    if request is not None:
        _begin(request)


def ask_again(by_composer: bool) -> None:
    """Send the request of the current draft once more, as it was; or with the composer in the place of a model."""
    held = run()
    if held is not None:
        st.session_state.pop("refusal", None)
        _begin(held.request.model_copy(update={"generator": COMPOSER}) if by_composer else held.request)


def generator() -> str:
    """Who was chosen to write: empty for the one that is set."""
    return str(st.session_state.get("generator") or "")


def fall_back(seen: Progress) -> bool:
    """After a request that failed at once, show the draft before it and the reason; False if there is none."""
    before = st.session_state.pop("run_before", None)
    if before is None:
        return False
    st.session_state["run"] = before
    st.session_state["refusal"] = seen
    st.session_state["editing"] = True
    return True


def refusal() -> Progress | None:
    """The last request that came to nothing while an earlier draft is shown."""
    found: Progress | None = st.session_state.get("refusal")
    return found


def empty_asked() -> bool:
    """Whether a draft was asked for without a note or question."""
    return bool(st.session_state.get("empty_asked", False))


def stop() -> None:
    """Stop the current draft. A callback."""
    held = run()
    if held is not None:
        held.stop()


def run() -> DraftRun | None:
    """The current draft; None when there is none."""
    held: DraftRun | None = st.session_state.get("run")
    return held


def progress() -> Progress | None:
    """What the current draft has found, None when there is none; what it was is remembered for `is_drawn`."""
    held = run()
    if held is None:
        return None
    seen = held.progress()
    st.session_state["drawn"] = (held, _stand(seen))
    return seen


def is_drawn(held: DraftRun) -> bool:
    """Whether a run is still as it was when the pinned line was drawn: no further, and not ended since."""
    before, stand = st.session_state.get("drawn", (None, None))
    return before is held and stand == _stand(held.progress())


def editing() -> bool:
    """Whether the note's box is open although there is a draft."""
    return bool(st.session_state.get("editing", False))


def toggle_editing() -> None:
    """Open or close the note's box. A callback."""
    st.session_state["editing"] = not editing()


def judge(concept_id: str, verdict: str) -> None:
    """Confirm a condition, rule it out, or take that back (verdict: confirm, rule_out, undo), and draft again."""
    now = entry()
    confirmed = tuple(c for c in now.confirmed if c != concept_id)
    ruled_out = tuple(c for c in now.ruled_out if c != concept_id)
    if verdict == "confirm":
        confirmed = (*confirmed, concept_id)
    elif verdict == "rule_out":
        ruled_out = (*ruled_out, concept_id)
    _fill({"label": now.label, "confirmed": confirmed, "ruled_out": ruled_out, "judged_note": now.note})
    start()


def judged_in(key: str) -> Mapping[str, str] | None:
    """The judgement of a condition that the component of that key sent in this run."""
    return _sent(key, "condition")


def asked_again_in(key: str) -> str:
    """What the component of that key asked for again in this run: same, composer, or nothing."""
    event = _sent(key, "again")
    return str(event["what"]) if event is not None else ""


def look_up(key: str) -> None:
    """Look up the concept that the component of that key asked for. For use as a callback."""
    event = _sent(key, "concept")
    if event is not None:
        st.session_state["looked_up"] = concept_card(client(), str(event["concept_id"]))


def looked_up() -> dict[str, Any] | None:
    """The concept looked up last, None before the first."""
    found: dict[str, Any] | None = st.session_state.get("looked_up")
    return found


def find_concept(name: str) -> None:
    """Search the graph for a name. For use as a callback."""
    st.session_state["words"] = name


def label() -> str:
    """What the case is called in the pinned line."""
    now = entry()
    return now.label or (PASTED if now.note.strip() else QUESTION if now.question.strip() else "")


def _stand(seen: Progress) -> tuple[Phase, bool]:
    return seen.phase, seen.linked_or_drafted


def chosen_request(now: Entry) -> DraftRequest | None:
    """The request of the fields, by the writer that was chosen; None when there is nothing to send."""
    request = request_of(now)
    return request.model_copy(update={"generator": generator() or None}) if request is not None else None


def _begin(request: DraftRequest) -> None:
    """Start a draft; the one before it stays for the case that this one fails at once."""
    stop()
    held = run()
    if held is not None and held.progress().linked_or_drafted:
        st.session_state["run_before"] = held
    st.session_state["run"] = DraftRun(client(), request)
    st.session_state["editing"] = False


def _sent(key: str, name: str) -> Mapping[str, str] | None:
    event = getattr(st.session_state.get(key), name, None)
    return event if isinstance(event, Mapping) else None


def _set_typed_aside() -> None:
    """Set every typed field aside, unless they are as a demonstration case filled them."""
    now = entry()._asdict()
    typed = {name: now[name] for name in (*BESIDE_NOTE, "note", "label", "question", "options")}
    filled = st.session_state.get("filled")
    if not filled or any(typed[name] != filled[name] for name in typed):
        _set_aside(typed)


def _set_aside(fields: Mapping[str, Any]) -> None:
    if any(value for name, value in fields.items() if name != "label"):
        st.session_state["set_aside"] = dict(fields)


def _forget() -> None:
    stop()
    for name in ("run", "run_before", "refusal", "editing", "empty_asked"):
        st.session_state.pop(name, None)


def _fill(fields: Mapping[str, Any]) -> None:
    for name, value in fields.items():
        st.session_state[name] = value


def compare(left: str, right: str) -> None:
    """Start the same request with two systems. A callback."""
    for side, system in (("left", left), ("right", right)):
        request = chosen_request(entry()._replace(system=system))
        held = compared(side)
        if held is not None:
            held.stop()
        st.session_state[f"run_{side}"] = DraftRun(client(), request) if request is not None else None


def compared(side: str) -> DraftRun | None:
    """The draft of a side, left or right; None before the first."""
    held: DraftRun | None = st.session_state.get(f"run_{side}")
    return held
