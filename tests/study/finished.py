"""A study that its raters finished, with guesses and closing answers."""

import uuid
from typing import Any

from backend.schemas.studies.study_rater_views import ClosingRequest, GuessRequest
from backend.study.rating.closing import Closing
from tests.study.sample import StudyWorld


def closing(study_world: StudyWorld) -> Closing:
    return Closing(study_world.database, study_world.clock, study_world.ratings.frozen)


def guess_all(study_world: StudyWorld, token: str, value: int = 1) -> None:
    for item in closing(study_world).guesses(token).items:
        closing(study_world).guess(
            token, str(uuid.uuid4()), GuessRequest(number=item.number, part=item.part, guess=value)
        )


def comment(group: int, key: str, text: str = "clear") -> ClosingRequest:
    return ClosingRequest.model_validate({"group": group, "key": key, "answer": {"kind": "text", "text": text}})


def whole(study_world: StudyWorld, value: dict[str, int] | None = None, **changed: Any) -> str:
    """A study that two raters finished, closed. value: what each rater answers to every scale."""
    study_id = study_world.frozen(**changed)
    for rater in ("R01", "R02"):
        token = study_world.invite(study_id, rater)
        study_world.rate_all(token, (value or {}).get(rater, 4))
        study_world.ratings.finish(token)
        guess_all(study_world, token)
        for group in (1, 2):
            for key in ("q5", "q6"):
                closing(study_world).close(token, str(uuid.uuid4()), comment(group, key, f"{rater} group {group}"))
    study_world.studies.close(study_id, "Ada")
    return study_id
