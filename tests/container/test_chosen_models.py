"""Which model writes now: what is known holds while a slow server is asked, and a full queue is seen before any work."""

import threading

import pytest

from backend.container import language_models as models
from backend.container.language_models import SETTLED_S, LanguageModels
from backend.errors import FullError
from backend.settings import Settings
from models.llm.engines import Settled

WAIT_S = 5.0
URL = "http://127.0.0.1:9/v1"  # nobody is asked: no engine connects before its first request


def settings(**more: object) -> Settings:
    return Settings(_env_file=None, generator="auto", llm_url=URL, **more)  # type: ignore[arg-type]


def test_while_one_request_asks_a_slow_server_the_others_take_what_was_known(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, answer = threading.Event(), threading.Event()
    answers = [Settled("composer", "it does not answer"), Settled(f"openai:{URL}#small", "it answers")]

    def slow(*_: object) -> Settled:
        if len(answers) == 1:
            asked.set()
            assert answer.wait(WAIT_S)
        return answers.pop(0)

    monkeypatch.setattr(models, "settle", slow)
    now = [100.0]
    monkeypatch.setattr(models.time, "monotonic", lambda: now[0])
    found = LanguageModels(settings())
    assert found.chosen().setting == "composer"
    now[0] += SETTLED_S + 1
    first: list[str] = []
    thread = threading.Thread(target=lambda: first.append(found.chosen().setting))
    thread.start()
    assert asked.wait(WAIT_S)
    assert found.chosen().setting == "composer"  # at once, although the other still waits
    answer.set()
    thread.join(WAIT_S)
    assert first == [f"openai:{URL}#small"] == [found.chosen().setting]


def test_auto_keeps_its_reason_where_a_request_asks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "settle", lambda *_: Settled("composer", "it does not answer"))
    found = LanguageModels(settings().model_copy(update={"generator": "composer"}))
    assert found.chosen("auto").generator.reason == "it does not answer"


def test_a_full_line_is_refused_before_any_work() -> None:
    found = LanguageModels(settings(llm_concurrent=1, llm_waiting=0))
    setting = f"openai:{URL}#small"
    found.check_queue(setting)
    writer = found.chosen(setting).roles.writer
    assert writer is not None
    assert writer.queue.enter() == 1  # type: ignore[attr-defined]
    with pytest.raises(FullError, match="busy"):
        found.check_queue(setting)
    found.check_queue("composer")  # which has no queue
