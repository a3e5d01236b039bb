"""Which model writes now: what is known holds while a slow server is asked, and a full queue is seen before any work."""

import threading

import pytest

from backend.container import language_models as models
from backend.container.language_models import KNOWN_S, LanguageModels
from backend.errors import FullError
from backend.settings import Settings
from models.llm.engine_setup import Choice
from models.llm.engines import Role

WAIT_S = 5.0
URL = "http://127.0.0.1:9/v1"  # nobody is asked: no engine connects before its first request


def settings(**more: object) -> Settings:
    return Settings(_env_file=None, generator="auto", llm_url=URL, **more)  # type: ignore[arg-type]


def test_while_one_request_asks_a_slow_server_the_others_take_what_was_known(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, answer = threading.Event(), threading.Event()
    answers = [Choice("composer", "it does not answer"), Choice(f"openai:{URL}#small", "it answers")]

    def slow(*_: object) -> Choice:
        if len(answers) == 1:
            asked.set()
            assert answer.wait(WAIT_S)
        return answers.pop(0)

    monkeypatch.setattr(models, "choose", slow)
    now = [100.0]
    monkeypatch.setattr(models.time, "monotonic", lambda: now[0])
    found = LanguageModels(settings())
    assert found.chosen().setting == "composer"
    now[0] += KNOWN_S + 1
    first: list[str] = []
    thread = threading.Thread(target=lambda: first.append(found.chosen().setting))
    thread.start()
    assert asked.wait(WAIT_S)
    assert found.chosen().setting == "composer"  # at once, although the other still waits
    answer.set()
    thread.join(WAIT_S)
    assert first == [f"openai:{URL}#small"] == [found.chosen().setting]


def test_auto_keeps_its_reason_where_a_request_asks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "choose", lambda *_: Choice("composer", "it does not answer"))
    found = LanguageModels(settings().model_copy(update={"generator": "composer"}))
    assert found.chosen("auto").generator.reason == "it does not answer"


def test_a_full_line_is_refused_before_any_work() -> None:
    found = LanguageModels(settings(llm_concurrent=1, llm_waiting=0))
    setting = f"openai:{URL}#small"
    found.check_queue(setting)
    writer = found.chosen(setting).roles.writer
    assert writer is not None
    assert writer.engine.queue.enter() == 1  # type: ignore[attr-defined]
    with pytest.raises(FullError, match="busy"):
        found.check_queue(setting)
    found.check_queue("composer")  # which has no queue


def test_roles_fall_back_to_the_writer_and_share_engines() -> None:
    chosen = settings(planner_model="vllm:big", judge_model="vllm:small").model_copy(update={"generator": "vllm:big"})
    models_of = LanguageModels(chosen).chosen().roles
    assert models_of.writer is models_of.planner is models_of.extractor is not None
    assert models_of.of(Role.WRITER) is models_of.writer
    assert models_of.judge is not None
    assert (models_of.writer.name, models_of.judge.name) == ("big", "small")


def test_a_composer_writes_while_a_model_judges() -> None:
    chosen = settings(judge_model="vllm:small").model_copy(update={"generator": "composer"})
    roles = LanguageModels(chosen).chosen().roles
    assert roles.writer is roles.planner is roles.extractor is None
    assert roles.judge is not None
