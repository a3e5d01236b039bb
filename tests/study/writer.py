"""A process that rates as fast as it can and prints each answer once it is acknowledged, until somebody kills it."""

import sys
import uuid
from pathlib import Path

from backend.schemas.studies.study_rating import AnswerRequest
from backend.stores.database.database import Database
from backend.study.clock import system_stamper
from backend.study.rating.ratings import Ratings


def main(file: str, token: str) -> None:
    ratings = Ratings(Database(f"sqlite:///{Path(file)}"), system_stamper())
    total = ratings.session(token).total
    print("ready", flush=True)
    turn = 0
    while True:
        for number in range(1, total + 1):
            for key in ("q1", "q2", "q3", "q4"):
                turn += 1
                answer_id, value = str(uuid.uuid4()), turn % 5 + 1
                fields = {"key": key, "part": "A", "answer": {"kind": "value", "value": value}}
                ratings.answer(token, number, answer_id, AnswerRequest.model_validate(fields))
                print(answer_id, value, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
