"""A study that its raters finished, with guesses and closing answers."""

import uuid
from typing import Any

from backend.schemas.study_rater_views import ClosingRequest, GuessRequest
from backend.study.closing import Closing
from tests.study.sample import Desk


def closing(desk: Desk) -> Closing:
    return Closing(desk.database, desk.clock, desk.ratings.frozen)


def guess_all(desk: Desk, token: str, value: int = 1) -> None:
    for item in closing(desk).guesses(token).items:
        closing(desk).guess(token, str(uuid.uuid4()), GuessRequest(number=item.number, part=item.part, guess=value))


def comment(group: int, key: str, text: str = "clear") -> ClosingRequest:
    return ClosingRequest.model_validate({"group": group, "key": key, "answer": {"kind": "text", "text": text}})


def whole(desk: Desk, value: dict[str, int] | None = None, **changed: Any) -> str:
    """A study that two raters finished, closed. value: what each rater answers to every scale."""
    study_id = desk.frozen(**changed)
    for rater in ("R01", "R02"):
        token = desk.invite(study_id, rater)
        desk.rate_all(token, (value or {}).get(rater, 4))
        desk.ratings.finish(token)
        guess_all(desk, token)
        for group in (1, 2):
            for key in ("q5", "q6"):
                closing(desk).close(token, str(uuid.uuid4()), comment(group, key, f"{rater} group {group}"))
    desk.studies.close(study_id, "Ada")
    return study_id
