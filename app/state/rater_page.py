"""A rater's page: the screen, the item shown, and what became of each answer that was sent.

Answers come from the browser's outbox as entries, each with an id of its own. An entry stays in the outbox until its
acknowledgement says that it is stored, or that it never will be; sent again it changes nothing. Raters read these
messages: they name no product, no address and no command.
"""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from pydantic import ValidationError

from app.clients.api_errors import ApiError
from app.clients.rater_client import RaterClient, RefusedError
from app.words.words import _, later
from backend.schemas.base import Frozen
from backend.schemas.studies.study_rater_views import ClosingRequest, GuessRequest, LeakNote, RaterSession
from backend.schemas.studies.study_rating import AnswerRequest, ProfileRequest

TOKEN = re.compile(r"^[\w-]{20,200}$", re.ASCII)
NO_ANSWER = later("The server cannot be reached at the moment. Nothing that was shown as saved is lost.")
UNKNOWN = later("This link is not valid, or no longer. Ask the person who sent it for a new one.")
UNFIT_PROFILE = later(
    "Fill in every field; years is a number from 0 to 80. If there are no conflicts of interest, say so."
)
GONE = 401
CONFLICT = 409


class Screen(StrEnum):
    """What a rater sees. The last four are forms of the same kind."""

    NO_LINK = "no_link"
    REFUSED = "refused"
    NO_SERVER = "no_server"
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
    """Where the browser asks to go. seq: the number of the click, so that a repetition is recognised."""

    seq: str
    to: str
    number: int = 0
    text: str = ""


class RaterPage:
    """The page of one tab. Methods raise nothing: what went wrong is in `message` and `screen`."""

    def __init__(self, api: RaterClient, token: str) -> None:
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
        """Ask the server where this rater is."""
        self.message = ""
        if not self.token:
            self.screen = Screen.NO_LINK
        elif not TOKEN.match(self.token):
            self._refused(_(UNKNOWN))
        else:
            self._try(lambda: self._arrive(self.api.rating_session(self.token)))

    def begin(self) -> None:
        """From the welcome or the pause to the first item that is not complete."""
        if self.screen == Screen.PAUSED and not self._try(
            lambda: self._set_session(self.api.pause(self.token, resume=True))
        ):
            return
        if self.session is not None:
            self.to_item(self.session.next_number)

    def give_profile(self, profession: str, specialty: str, years: float | None, conflicts: str) -> None:
        """Send the profile; the screen stays where a field does not fit."""
        try:
            profile = ProfileRequest.model_validate(
                {"profession": profession, "specialty": specialty, "years": years, "conflicts": conflicts}
            )
        except ValidationError:
            self.message = _(UNFIT_PROFILE)
            return
        self._try(lambda: self._arrive(self.api.give_profile(self.token, profile)))

    def to_item(self, number: int) -> None:
        """Show an item. number: from 1."""

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
        """Save each entry, in order; whether all are stored or refused for good."""
        unsent = False
        self._sent = tuple(str(entry["id"]) for entry in entries)
        for entry in entries:
            name = str(entry["id"])
            if self.acks.is_final(name):
                continue
            if unsent:
                self.acks.put(name, ok=False, final=False, message=_(NOT_SENT))
                continue
            ack, refusal = try_to_save(self.api, self.token, entry)
            self.acks.put(name, **ack)
            unsent = not ack["final"]
            if "done" in ack and self.session is not None:
                self.session = self.session.model_copy(update={"done": ack["done"]})
            if refusal is not None and refusal.status in (GONE, CONFLICT):
                self._look_again(refusal)
        return not unsent

    def form(self) -> dict[str, Any]:
        """The form's data: what is shown, and the acknowledgements. A new `load` means: draw it anew."""
        assert self.session is not None
        assert self.shown is not None
        return {
            "mode": self.screen.value,
            "load": self.load,
            "session": self.session.model_dump(mode="json", exclude={"questions"}) | {"title": _(self.session.title)},
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
            self.message = _(UNFIT)
            return
        self._set_session(self.api.report_leak(self.token, note))
        self.message = _("Thank you: that you recognised a writer is recorded. Please go on rating.")

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
        self._set_session(session)
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
            self._set_session(session)
            self.to_item(session.next_number)
            self.message = self.message or _("Item {n} is not complete yet.").format(n=session.next_number)
        else:
            self._arrive(session)

    def _set_session(self, session: RaterSession) -> None:
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
            self.message = _(NO_ANSWER)
            if self.session is None or self.screen == Screen.NO_LINK:
                self.screen = Screen.NO_SERVER
            return False
        return True


MOST_ACKS = 300
NOT_SENT = later("Not saved yet: the server cannot take it. It is sent again by itself; keep this page open.")
UNFIT = later("This answer is too long or not complete, so it was not saved.")
Ack = dict[str, Any]
Entry = Mapping[str, Any]


class Acks:
    """What became of each entry, by its id; of the last MOST_ACKS entries."""

    def __init__(self) -> None:
        self.known: dict[str, Ack] = {}

    def is_final(self, name: str) -> bool:
        """Whether the entry is not to be sent again."""
        return bool(self.known.get(name, {}).get("final"))

    def put(self, name: str, **fields: Any) -> None:
        """Record what became of an entry, and forget the oldest ones."""
        self.known[name] = fields
        while len(self.known) > MOST_ACKS:
            self.known.pop(next(iter(self.known)))


def save(api: RaterClient, token: str, entry: Entry) -> Ack:
    """Send an entry.

    Returns:
        The server's answer: revision and complete, and more for an answer.

    Raises:
        ValueError: the entry has no known kind; pydantic's error where its body does not fit.
    """
    name, body = str(entry["id"]), entry["body"]
    match entry["kind"]:
        case "answer":
            return api.answer(token, int(entry["number"]), name, AnswerRequest.model_validate(body)).model_dump(
                mode="json"
            )
        case "guess":
            guess = GuessRequest.model_validate(body)
            guesses = api.guess(token, name, guess)
            place = (guess.number, guess.part)
            revision = next((g.revision for g in guesses.items if (g.number, g.part) == place), 0)
            return {"revision": revision, "complete": guesses.complete}
        case "closing":
            closing = ClosingRequest.model_validate(body)
            view = api.close_with(token, name, closing)
            answers = next((g.answers for g in view.groups if g.group == closing.group), ())
            revision = next((a.revision for a in answers if a.key == closing.key), 0)
            return {"revision": revision, "complete": view.complete}
    raise ValueError(entry["kind"])


def try_to_save(api: RaterClient, token: str, entry: Entry) -> tuple[Ack, RefusedError | None]:
    """The acknowledgement of one entry, and the refusal if there was one. It raises nothing."""
    try:
        return {"ok": True, "final": True, **save(api, token, entry)}, None
    except RefusedError as error:
        return {"ok": False, "final": True, "message": str(error)}, error
    except ApiError:
        return {"ok": False, "final": False, "message": _(NOT_SENT)}, None
    except (ValidationError, KeyError, TypeError, ValueError):
        return {"ok": False, "final": True, "message": _(UNFIT)}, None
