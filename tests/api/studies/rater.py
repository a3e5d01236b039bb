"""One rater over HTTP."""

import uuid
from typing import Any

from fastapi.testclient import TestClient
from httpx import Response

from tests.study.sample import PROFILE

Json = dict[str, Any]
PROFILED = PROFILE.model_dump(mode="json")


class Rater:
    """Keeps every byte it was ever sent, headers too."""

    def __init__(self, client: TestClient, token: str) -> None:
        self.client, self.token = client, token
        self.seen: list[bytes] = []

    def call(self, method: str, path: str, body: Json | None = None, token: str | None = None) -> Response:
        headers = {"Rater-Token": token or self.token}
        answer = self.client.request(method, f"/v1/ratings/{path}", json=body, headers=headers)
        self.seen += [answer.content, *(f"{k}: {v}".encode() for k, v in answer.headers.items())]
        return answer

    def click(self, number: int, key: str, answer: Json, part: str = "A", **fields: Any) -> Response:
        body = {"key": key, "part": part, "answer": answer, **fields}
        return self.call("PUT", f"items/{number}/answers/{uuid.uuid4()}", body)

    def rate(self, number: int, value: int = 4) -> None:
        item = self.call("GET", f"items/{number}").json()
        for question in item["questions"]:
            parts = [d["part"] for d in item["drafts"]] if question["target"] == "draft" else [""]
            for part in parts:
                answer: Json = {"kind": "cannot_judge"}
                if not question["only_cannot_judge"]:
                    answer = {"value": {"kind": "value", "value": value}, "text": {"kind": "text", "text": "fine"}}[
                        "text" if question["kind"] == "text" else "value"
                    ]
                done = self.click(number, question["key"], answer, part, phase=item["phase"])
                assert done.status_code == 200, done.text


def invited(client: TestClient, study_id: str, rater: str) -> Rater:
    answer = client.post(f"/v1/studies/{study_id}/links", json={"rater": rater})
    assert answer.status_code == 201, answer.text
    return Rater(client, answer.json()["token"])
