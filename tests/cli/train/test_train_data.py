"""train pairs and train plans over the starter knowledge, with a scripted model in place of a server."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from backend.cli.program import run as run_command
from backend.container import Container
from backend.container.language_models import Chosen, LanguageModels
from backend.errors import InputError, MissingError
from backend.prompts.draft_prompts import CHOICE
from backend.prompts.evidence_prompts import THOUGHT
from backend.schemas.chat import Completion, Message
from backend.schemas.drafts.draft import Generator
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Document
from models.llm.engine_scripted import Scripted
from models.llm.engines import RoleModels

LINES = [
    {
        "id": "a",
        "question": "What eases gout?",
        "options": ["colchicine", "insulin"],
        "answer": "A",
        "category": "drugs",
    },
    {
        "id": "b",
        "question": "What eases asthma?",
        "options": ["heparin", "salbutamol"],
        "answer": "B",
        "category": "lungs",
    },
]


class Expert(Scripted):
    """Thinks, answers, explores and judges by turns: half of what it is asked for comes out right."""

    thoughts: tuple[str, ...] = ("treatment of gout and asthma", "rest")

    def chat(self, messages: Sequence[Message], **given: Any) -> tuple[Completion, ...]:
        super().chat(messages, **given)
        asked, n = messages[0].content, given["sampling"].n
        right = "A" if "gout" in messages[1].content else "B"
        wrong = "B" if right == "A" else "A"
        if asked.startswith(THOUGHT.instructions[:40]):
            return tuple(Completion(self.thoughts[i % len(self.thoughts)]) for i in range(n))
        if "try out a literature search" in asked:
            return (
                Completion(json.dumps({"book": ["gout treatment", "asthma treatment"], "graph": [{"term": "gout"}]})),
            )
        if "support that answer" in asked:
            return (
                Completion(json.dumps({"supports": "gout" in messages[1].content.split("DOCUMENTS>>")[1].lower()})),
            )
        if "Complete the thought" in asked:
            return (Completion(json.dumps({"letter": right})),)
        letters = [right, wrong] * n if n > 1 else [right if "treatment" in messages[1].content.lower() else wrong]
        return tuple(Completion(json.dumps({"reasoning": "so", "letter": letter})) for letter in letters[:n])


def chosen(model: Expert | None) -> Chosen:
    roles = RoleModels(model, planner=model, judge=model, extractor=model)
    return Chosen("composer", Generator(name="composer", reason="no server is set"), roles)


@pytest.fixture
def model(container: Container, monkeypatch: pytest.MonkeyPatch) -> Expert:
    """The container of the session, with a model to think, for the commands."""
    expert = Expert("")
    monkeypatch.setattr(LanguageModels, "chosen", lambda models, *given: chosen(expert))
    monkeypatch.setattr("backend.container.Container", lambda chosen: container)
    return expert


def run(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert run_command(["train", *words]) == 0
    return dict(json.loads(capsys.readouterr().out))


@pytest.fixture
def questions(tmp_path: Path) -> str:
    path = tmp_path / "questions.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in LINES))
    return str(path)


def test_pairs_are_written_with_a_card_and_not_made_twice(
    model: Expert, questions: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = (
        "pairs",
        "--questions",
        questions,
        "--out",
        str(tmp_path / "out"),
        "--documents",
        "2",
        "--workers",
        "2",
        "--json",
    )
    card = run(capsys, *words)
    assert card["made"]["labels"]["thoughts"] == 30 and card["made"]["samples"]["answer"] == 2
    assert card["model"] == "scripted" and card["sampling"]["temperature"] == 0.2 and card["prompts"]["thought"]
    assert "gout" not in (tmp_path / "out" / "data.json").read_text()
    rows = [json.loads(line) for line in (tmp_path / "out" / "pairs.jsonl").read_text().splitlines()]
    assert {row["question_id"] for row in rows} == {"a", "b"}
    before = len(model.calls)
    part = run(capsys, *words, "--without-category", "lungs")
    assert len(model.calls) == before and part["made"]["labels"]["questions"] == 1
    run(capsys, *words, "--temperature", "0.7")
    assert len(model.calls) > before  # another sampling is another run


def test_plans_are_explored_over_the_sources_that_hold_something(
    model: Expert, questions: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    card = run(capsys, "plans", "--questions", questions, "--out", str(tmp_path), "--workers", "1", "--json")
    assert card["signal"] == "judge" and card["made"]["planner"] == "spo"
    assert card["made"]["queries"] == {"book": 4, "graph": 2} and card["made"]["positive"]["graph"] == 2
    cost = card["made"]["cost"]
    assert cost["questions"] == 2 and cost["seconds"] >= 0 and card["made"]["retrieval_s"] > 0
    assert card["made"]["inference_s"] is not None
    first = json.loads((tmp_path / "sft.jsonl").read_text().splitlines()[0])
    assert json.loads(first["completion"][0]["content"])["graph"] == [{"term": "gout", "query": ""}]


def test_a_published_set_is_read_by_its_kind(model: Expert, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "medqa.jsonl"
    row = {"question": "What treats gout?", "options": {"A": "colchicine", "B": "insulin"}, "answer_idx": "A"}
    path.write_text(json.dumps(row | {"answer": "colchicine", "meta_info": "step1"}) + "\n")
    words = ("--out", str(tmp_path / "out"), "--documents", "2", "--workers", "1", "--json")
    card = run(capsys, "pairs", "--questions", f"medqa={path}", *words)
    assert card["made"]["labels"]["questions"] == 1 and card["questions"]["file"] == "medqa.jsonl"
    with pytest.raises(InputError, match="no question set 'medqu'"):
        run_command(["train", "pairs", "--questions", f"medqu={path}", *words])


def test_without_a_model_the_command_says_what_to_set(
    model: Expert, questions: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LanguageModels, "chosen", lambda models: chosen(None))
    with pytest.raises(MissingError, match="LEAPNOTE_GENERATOR"):
        run_command(["train", "pairs", "--questions", questions, "--out", str(tmp_path / "out")])
    assert not (tmp_path / "out").exists()


def fenced_alike(messages: Sequence[Message]) -> list[str]:
    """A conversation with its fence's digits left out: the one thing that differs between two requests."""
    return [re.sub(r"\b[0-9a-f]{16}\b", "FENCE", message.content) for message in messages]


@pytest.mark.parametrize("place", [0, 1])
def test_the_answer_that_is_learned_is_asked_for_as_the_running_system_asks(
    place: int,
    model: Expert,
    container: Container,
    questions: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model.thoughts = model.thoughts[:1]  # both search by the same thought
    run(capsys, "pairs", "--questions", questions, "--out", str(tmp_path), "--workers", "1", "--json")
    rows = [json.loads(line) for line in (tmp_path / "pairs.jsonl").read_text().splitlines()]
    asked = [
        fenced_alike([Message(**m) for m in row["prompt"]])
        for row in rows
        if row["kind"] == "answer" and row["question_id"] == LINES[place]["id"]
    ]
    writer = Expert("")
    roles = RoleModels(writer, planner=writer, judge=writer, extractor=writer)
    serving = Chosen("scripted", Generator(name="scripted", reason=""), roles)
    monkeypatch.setattr(LanguageModels, "chosen", lambda models, *given: serving)
    request = DraftRequest(
        question=str(LINES[place]["question"]),
        options=tuple(LINES[place]["options"]),
        document=Document.CLINICAL_ANSWER,
        system="rar2",
    )
    draft = container.changed().pipeline("rar2").run(request)
    assert draft.evidence.passages and draft.answer
    written = [fenced_alike(call) for call in writer.calls if call[0].content.startswith(CHOICE.instructions[:40])]
    assert "[N1]" in asked[0][1] and "[P1]" in asked[0][1]
    assert asked == written[:1]
