"""The client of an API with a language model: its draft has every mark that only a model's draft has."""

from typing import Any

from backend.schemas.drafts.draft import Draft, Generator, StageReport
from backend.schemas.drafts.request import DraftRequest
from tests.app.fake_api import COMPOSER, FakeApi, draft_of

WHERE = "goes to 10.0.0.7:8000, not encrypted"
SETTING = "openai:http://10.0.0.7:8000/v1#small"
SMALL = {"name": SETTING, "reason": "set by LEAPNOTE_GENERATOR", "where": WHERE}
STARTING = "small: starting: 35 s"
MEANWHILE = {**COMPOSER, "reason": f"the composer writes meanwhile: {STARTING}"}
WROTE_NOTHING = "small wrote nothing: it cannot be reached"
REMOVED = "You had <b>surgery</b>."
WAS = "You have had a stroke."


def by_model(request: DraftRequest, **changes: Any) -> Draft:
    """One sentence proposed and very uncertain, one reworded; a stage that runs only sometimes."""
    first, second, *rest = draft_of(request).sentences
    first = first.model_copy(update={"proposed": True, "uncertainty": 0.8})
    second = second.model_copy(update={"before_repair": WAS, "uncertainty": 0.1})
    stages = tuple(StageReport(name=name, reason=f"{name} done", ms=1.0) for name in ("write", "uncertainty", "verify"))
    values: dict[str, Any] = {
        "generator": Generator(name=SETTING, reason=SMALL["reason"], where=WHERE), "stages": stages,
        "sentences": (first, second, *rest), "removed_sentences": (REMOVED,), "uncertainty": 0.5,
        "versions": {"prompt": "discharge 3, 0123456789ab"},
    }  # fmt: skip
    return draft_of(request, **{**values, **changes})


class ModelApi(FakeApi):
    """writer: who writes now. waiting: how its server is. Modes as FakeApi's, and `stood_in`."""

    def __init__(self, mode: str = "well", held: bool = False) -> None:
        super().__init__(mode, held)
        self.writer = SMALL
        self.waiting = ""
        self.roles: list[dict[str, str]] = []

    def systems(self) -> dict[str, Any]:
        chosen = {"setting": "composer", **COMPOSER, "reason": "chosen"}
        stated = {"generator": self.writer, "generators": [{"setting": "", **self.writer}, chosen]}
        return {**super().systems(), **stated, "roles": self.roles, "waiting": self.waiting}

    def _draft(self, request: DraftRequest) -> Draft:
        if request.generator == "composer":
            return draft_of(request)
        if self.mode == "stood_in":
            reason = Generator(name="composer", reason=WROTE_NOTHING)
            return draft_of(request, generator=reason, fallbacks=(WROTE_NOTHING,))
        if self.mode == "partial":
            stages = (StageReport(name="write", reason="the server closed the connection", ms=2.0),)
            return by_model(request, status="partial", stages=stages)
        if self.mode == "nothing":
            return by_model(request, status="nothing_found", sentences=(), text="", flags=())
        return by_model(request)
