"""A chat server that answers what Leapnote asks as a model would: thoughts, plans by their form, drafts.

Run as `python -m tests.services.chat_server PORT [BETWEEN_S]` it is a process that can be killed; it prints its url.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from backend.prompts.prompt_registry import PROMPTS
from backend.serving.process import ended_with_us
from tests.models.engine_server import Answer, FakeServer

MODELS = tuple(f"model-{number}" for number in range(60))
"""Names that are served, all alike: an engine, and so a breaker, for each."""
QUERY = "daily weight at home"
DRAFT = (
    "Why you were in the hospital\nYou came because of shortness of breath [N1]. You were short of breath for some days.\n"
    "Staying safe\nDrink enough water and weigh yourself every morning [P1]. Call your doctor if you gain weight fast [P2].\n"
    "Activity\nWalk a little every day and rest when you are tired [P1][P99].\n"
)
SENTENCES = 5
FORMS: dict[str, dict[str, Any]] = {
    "WordedPlan": {"book": [QUERY], "guideline": [], "research": [], "wiki": [], "graph": [{"term": "heart failure"}]},
    "Judgement": {"score": 5, "advice": "nothing is missing"},
    "WordedTerms": {"terms": ["heart failure"]},
    "WordedQuestions": {"questions": [QUERY]},
    "WordedEntities": {"entities": [{"text": "short of breath", "category": "symptom", "status": "present"}]},
    "WordedRecord": {
        "problems": [{"quote": "shortness of breath", "status": "active"}],
        "medications": [],
        "allergies": [],
        "procedures": [],
        "plan": [],
    },
    "WordedFacts": {"facts": []},
    "Repairs": {"sentences": []},
    "_Verdicts": {"verdicts": [{"number": number, "verdict": "yes"} for number in range(1, 40)]},
}
GOOD = Answer()
Rule = Callable[[dict[str, Any]], Answer | None]


def asked_for(body: dict[str, Any]) -> str:
    """The name of the prompt that a request is made of; empty for none of Leapnote's."""
    system = str(body["messages"][0]["content"])
    found = [name for name, prompt in PROMPTS.items() if system.startswith(_beginning(prompt.instructions))]
    return found[0] if found else ""


def pieces(text: str) -> tuple[str, ...]:
    """Words, each with what follows it: the tokens of this server."""
    words = text.split(" ")
    return (*(f"{word} " for word in words[:-1]), words[-1])


class ChatServer(FakeServer):
    """rule: what a request is answered with; None answers it as a good model would. Times of `pace` hold for all."""

    def __init__(self, port: int = 0, context: int = 16_384, rule: Rule | None = None, pace: Answer = GOOD) -> None:
        super().__init__()
        self.port = port
        self.context = context
        self.models = [{"id": name, "max_model_len": context} for name in MODELS]
        self.rule = rule
        self.pace = pace

    @property
    def asked(self) -> list[str]:
        """The prompts it was asked, in order; without trials."""
        return [name for name in map(asked_for, self.requests) if name]

    async def _answered(self, reader: Any, writer: Any, body: dict[str, Any], answer: Answer) -> bool:
        probe = "probe-" in json.dumps(body.get("response_format", {}))
        ruled = self.rule(body) if self.rule and not probe else None
        if ruled is None:
            ruled = answer if probe else self.pace
        return await super()._answered(reader, writer, body, ruled)

    def _own(self, body: dict[str, Any]) -> tuple[str, ...]:
        form = body.get("response_format")
        if form and "probe-" in json.dumps(form):
            return super()._own(body)
        if form:
            shape = form["json_schema"]["schema"]
            held = {name: value for name, value in FORMS[shape["title"]].items() if name in shape["properties"]}
            return pieces(json.dumps(held))
        if asked_for(body) in ("thought", "thought-again", "passage", "follow-up-answer"):
            return pieces(f"Fluid overload from heart failure, seen by {QUERY}.")
        return pieces(DRAFT)


@contextmanager
def chat_server(**more: Any) -> Iterator[ChatServer]:
    server = ChatServer(**more)
    server.start()
    try:
        yield server
    finally:
        server.close()


@contextmanager
def chat_process(port: int = 0, between_s: float = 0.0) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """The same in a process of its own, and its url."""
    command = [sys.executable, "-m", "tests.services.chat_server", str(port), str(between_s)]
    with subprocess.Popen(ended_with_us(command), stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()


def _beginning(instructions: str) -> str:
    """What stands before the first place of a prompt."""
    return instructions.partition("{")[0]


if __name__ == "__main__":
    served = ChatServer(int(sys.argv[1]), pace=replace(Answer(), between_s=float(sys.argv[2])))
    served.start()
    print(served.url, flush=True)
    while True:
        time.sleep(3600)
