"""One rater's sitting: which screen they are at, the item before them, and what became of each answer that was sent.

It knows the API and no page. Answers come from the browser's outbox as entries, each with an id of its own; an entry stays
in the outbox until its acknowledgement says that it is on the disk, or that it will never be taken. Sent again it changes
nothing. What is told here may be read by raters: it names no product, no address and no command.
"""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from pydantic import ValidationError

from app.clients.api_errors import ApiError
from app.clients.rater_client import RaterApi, RefusedError
from app.jobs.rater_saving import NOT_SENT, UNFIT, Acks, try_to_save
from backend.schemas.base import Frozen
from backend.schemas.studies.study_rater_views import LeakNote, RaterSession
from backend.schemas.studies.study_rating import ProfileRequest

TOKEN = re.compile(r"^[\w-]{20,200}$", re.ASCII)
AWAY = "The server cannot be reached at the moment. Nothing that was shown as saved is lost."
UNKNOWN = "This link is not valid, or no longer. Ask the person who sent it for a new one."
UNFIT_PROFILE = "Fill in every field; years is a number from 0 to 80. If there are no conflicts of interest, say so."
GONE = 401
CONFLICT = 409


class Screen(StrEnum):
    """What a rater sees. The last four are forms of the same kind."""

    NO_LINK = "no_link"
    REFUSED = "refused"
    AWAY = "away"
    CLOSED = "closed"
    PROFILE = "profile"
    WELCOME = "welcome"
    PAUSED = "paused"
    DONE = "done"
    READY = "ready"
    ITEM = "item"
    GUESSES = "guesses"
    CLOSING = "closing"


class Move(NamedTuple):
    """Where the browser asks to go. seq tells one click from its repetition."""

    seq: str
    to: str
    number: int = 0
    text: str = ""


class RaterPage:
    """Held for the session of one tab. Methods raise nothing: what went wrong is in `message` and the screen."""

    def __init__(self, api: RaterApi, token: str) -> None:
        self.api = api
        self.token = token
        self.screen = Screen.NO_LINK
        self.session: RaterSession | None = None
        self.shown: Frozen | None = None
        self.message = ""
        self.load = 0
        self.acks = Acks()
        self.moved = ""
        self._sent: tuple[str, ...] = ()

    def open(self) -> None:
        """Where this rater is, from the server."""
        self.message = ""
        if not self.token:
            self.screen = Screen.NO_LINK
        elif not TOKEN.match(self.token):
            self._refused(UNKNOWN)
        else:
            self._try(lambda: self._arrive(self.api.rating_session(self.token)))

    def begin(self) -> None:
        """From the welcome or the pause to the first item that is not complete."""
        if self.screen == Screen.PAUSED and not self._try(lambda: self._keep(self.api.pause(self.token, resume=True))):
            return
        if self.session is not None:
            self.to_item(self.session.next_number)

    def give_profile(self, profession: str, specialty: str, years: float | None, conflicts: str) -> None:
        try:
            profile = ProfileRequest.model_validate(
                {"profession": profession, "specialty": specialty, "years": years, "conflicts": conflicts}
            )
        except ValidationError:
            self.message = UNFIT_PROFILE
            return
        self._try(lambda: self._arrive(self.api.give_profile(self.token, profile)))

    def to_item(self, number: int) -> None:
        def ask() -> None:
            self._show(Screen.ITEM, self.api.rating_item(self.token, number))

        self._try(ask)

    def act(self, value: Mapping[str, Any]) -> None:
        """What the form sent: the whole outbox, and perhaps a move, which waits until everything is saved."""
        entries: Sequence[Mapping[str, Any]] = value.get("entries", ())
        move = value.get("move")
        whole = self.take(entries)
        if move is None or self.screen not in (Screen.ITEM, Screen.GUESSES, Screen.CLOSING):
            return
        if whole:
            self._move(Move(str(move["seq"]), str(move["to"]), int(move.get("number", 0)), str(move.get("text", ""))))
        self.moved = str(move["seq"])

    def take(self, entries: Sequence[Mapping[str, Any]]) -> bool:
        """Save each entry, in order. Whether all are on the disk, or were refused for good and told so."""
        away = False
        self._sent = tuple(str(entry["id"]) for entry in entries)
        for entry in entries:
            name = str(entry["id"])
            if self.acks.settled(name):
                continue
            if away:
                self.acks.put(name, ok=False, final=False, message=NOT_SENT)
                continue
            ack, refusal = try_to_save(self.api, self.token, entry)
            self.acks.put(name, **ack)
            away = not ack["final"]
            if "done" in ack and self.session is not None:
                self.session = self.session.model_copy(update={"done": ack["done"]})
            if refusal is not None and refusal.status in (GONE, CONFLICT):
                self._look_again(refusal)
        return not away

    def form(self) -> dict[str, Any]:
        """The form's data: what is shown, and the acknowledgements. A new `load` means: draw it anew."""
        assert self.session is not None
        assert self.shown is not None
        return {
            "mode": self.screen.value,
            "load": self.load,
            "session": self.session.model_dump(mode="json", exclude={"questions"}),
            "shown": self.shown.model_dump(mode="json"),
            "acks": {name: self.acks.known[name] for name in self._sent if name in self.acks.known},
            "moved": self.moved,
            "message": self.message,
        }

    def _move(self, move: Move) -> None:
        self.message = ""
        match move.to:
            case "item":
                self.to_item(move.number)
            case "evidence":
                self._try(lambda: self._show(Screen.ITEM, self.api.show_evidence(self.token, move.number)))
            case "pause":
                self._try(lambda: self._arrive(self.api.pause(self.token)))
            case "ready":
                self._try(lambda: self._show_ready(self.api.rating_session(self.token)))
            case "leak":
                self._try(lambda: self._leak(move))
            case "next_stage":
                self._try(lambda: self._arrive(self.api.rating_session(self.token)))

    def finish(self) -> None:
        """The ratings stay as they are from now on; what comes after them follows."""
        self._try(lambda: self._arrive(self.api.finish(self.token)))

    def back(self) -> None:
        """From the end to the last item."""
        if self.session is not None:
            self.to_item(self.session.total)

    def _leak(self, move: Move) -> None:
        try:
            note = LeakNote(number=move.number, text=move.text)
        except ValidationError:
            self.message = UNFIT
            return
        self._keep(self.api.tell_leak(self.token, note))
        self.message = "Thank you: that you recognised a writer is recorded. Please go on rating."

    def _look_again(self, error: RefusedError) -> None:
        """After a refusal: the link may be withdrawn, or the session closed, or over."""
        if error.status == GONE:
            self._refused(str(error))
            return
        try:
            now = self.api.rating_session(self.token)
        except ApiError:
            return
        if self.session is None or now.stage != self.session.stage:
            self._arrive(now)

    def _arrive(self, session: RaterSession) -> None:
        """The screen that a session's stage calls for."""
        self._keep(session)
        match session.stage:
            case "closed":
                self.screen = Screen.CLOSED
            case "profile":
                self.screen = Screen.PROFILE
            case "guesses":
                self._show(Screen.GUESSES, self.api.guesses(self.token))
            case "closing":
                self._show(Screen.CLOSING, self.api.closing(self.token))
            case "done":
                self.screen = Screen.DONE
            case _ if session.paused:
                self.screen = Screen.PAUSED
            case _ if session.done >= session.total:
                self.screen = Screen.READY
            case _:
                self.screen = Screen.WELCOME

    def _show_ready(self, session: RaterSession) -> None:
        if session.done < session.total:
            self._keep(session)
            self.to_item(session.next_number)
            self.message = self.message or f"Item {session.next_number} is not complete yet."
        else:
            self._arrive(session)

    def _keep(self, session: RaterSession) -> None:
        self.session = session

    def _show(self, screen: Screen, shown: Frozen) -> None:
        self.screen, self.shown, self.load = screen, shown, self.load + 1

    def _refused(self, message: str) -> None:
        self.screen, self.message, self.shown = Screen.REFUSED, message, None

    def _try(self, ask: Any) -> bool:
        """Do what asks the server. Where it cannot be reached, what is on the screen stays there."""
        try:
            ask()
        except RefusedError as error:
            if error.status == GONE:
                self._refused(str(error))
            else:
                self.message = str(error)
            return False
        except ApiError:
            self.message = AWAY
            if self.session is None or self.screen == Screen.NO_LINK:
                self.screen = Screen.AWAY
            return False
        return True
