"""What every rating instrument must be. A new file in assets/instruments is held to it by being there.

Each check takes an instrument. A file whose fields do not hold together is refused when it is read.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from backend.errors import KnowledgeError
from backend.registry import INSTRUMENTS, Registry
from backend.registry import instrument as registered
from backend.schemas.studies.study_instrument import Instrument, Polarity, Question, QuestionKind, Wording
from backend.study.design import instruments
from backend.study.leakage.blinding import name_pattern
from backend.study.leakage.leak_patterns import MODELS
from backend.systems import SYSTEMS

Check = Callable[[Instrument], None]
SYSTEM_NAMES = tuple(entry.name for entry in SYSTEMS)
PROGRAMS = re.compile(r"\b(?:leapnote|language model|retriev\w+|knowledge graph|reasoning paths?|AI|LLM)\b")


def shown(question: Question) -> str:
    """Everything of a question that a rater reads."""
    options = (f"{option.label}\n{option.anchor}" for option in question.options)
    return "\n".join((question.prompt, question.help, *options))


def check_it_is_the_same_after_json(entry: Instrument) -> None:
    assert Instrument.model_validate_json(entry.model_dump_json()) == entry


def check_every_scale_is_closed(entry: Instrument) -> None:
    """Options in rising order, a step apart, each with words of its own."""
    for question in entry.questions:
        values = [option.value for option in question.options]
        if question.kind in (QuestionKind.SCALE, QuestionKind.CHOICE, QuestionKind.PREFERENCE):
            assert values == list(range(values[0], values[-1] + 1)), question.id
            assert len({option.label for option in question.options}) == len(values), question.id
        else:
            assert not values, question.id


def check_ids_are_unique(entry: Instrument) -> None:
    ids = [question.id for question in entry.questions]
    assert len(ids) == len(set(ids))


def check_it_names_no_system_and_no_program(entry: Instrument) -> None:
    """Blind: no question lets a rater know, or ask themselves, what wrote the draft."""
    for question in entry.questions:
        text = shown(question)
        assert not [name for name in (*SYSTEM_NAMES, *MODELS) if name_pattern(name).search(text)], text
        # a question about the shown evidence may speak of it: every arm's drafts are asked the same
        assert question.needs_evidence or not PROGRAMS.search(text), text


def check_a_scale_says_which_end_is_better(entry: Instrument) -> None:
    """A planted error that nobody noticed is found by the worse half of a scale."""
    scales = [question for question in entry.questions if question.kind == QuestionKind.SCALE]
    assert not [question.id for question in scales if question.polarity == Polarity.NONE]


def check_wording_that_is_ours_says_so(entry: Instrument) -> None:
    assert entry.wording_note or entry.wording == Wording.PUBLISHED


CHECKS: tuple[Check, ...] = (
    check_it_is_the_same_after_json,
    check_every_scale_is_closed,
    check_ids_are_unique,
    check_it_names_no_system_and_no_program,
    check_a_scale_says_which_end_is_better,
    check_wording_that_is_ours_says_so,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", INSTRUMENTS.names())
def test_every_instrument(name: str, check: Check) -> None:
    check(INSTRUMENTS.get(name).value)


def options(*values: int, label: str = "point {}") -> list[dict[str, Any]]:
    return [{"value": value, "label": label.format(value)} for value in values]


def one_question(**changed: Any) -> dict[str, Any]:
    """An instrument of one question, as its file holds it."""
    fields = {"id": "q", "kind": "scale", "prompt": "Is it clear?", "options": options(1, 2, 3)}
    question = {**fields, "polarity": "higher_is_better", **changed}
    return {"id": "broken", "title": "Broken", "wording_note": "Ours.", "questions": [question]}


BROKEN: tuple[tuple[Check, dict[str, Any]], ...] = (
    (check_every_scale_is_closed, one_question(options=options(1, 2, 5))),
    (check_every_scale_is_closed, one_question(options=options(1, 2, label="the same"))),
    (check_it_names_no_system_and_no_program, one_question(prompt="Is the text of clinicalrag clear?")),
    (check_it_names_no_system_and_no_program, one_question(help="Retrieval may have failed: retrieved text counts.")),
    (check_a_scale_says_which_end_is_better, one_question(polarity="none")),
    (check_wording_that_is_ours_says_so, {**one_question(), "wording_note": ""}),
)


@pytest.mark.parametrize(("check", "fields"), BROKEN)
def test_a_broken_instrument_fails_the_check(check: Check, fields: dict[str, Any]) -> None:
    with INSTRUMENTS.scratch():
        registered("broken")(Instrument.model_validate(fields))
        with pytest.raises(AssertionError):
            check(INSTRUMENTS.get("broken").value)


def test_an_instrument_made_without_the_checks_of_its_fields_fails_the_suite() -> None:
    whole = Instrument.model_validate(one_question())
    for check in (check_ids_are_unique, check_it_is_the_same_after_json):
        with pytest.raises((AssertionError, ValueError)):
            check(whole.model_copy(update={"questions": whole.questions * 2}))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of instruments of its own."""
    monkeypatch.setattr(instruments, "FOLDER", tmp_path)
    return tmp_path


def test_a_new_file_is_registered_by_being_there(folder: Path) -> None:
    (folder / "broken.json").write_text(json.dumps(one_question()), encoding="utf-8")
    fresh: Registry[Instrument] = Registry("instrument", "backend.study.design.instruments")
    assert [(entry.name, entry.label) for entry in fresh.entries()] == [("broken", "Broken")]
    for check in CHECKS:
        check(fresh.get("broken").value)


@pytest.mark.parametrize(
    ("name", "fields", "message"),
    [
        ("another", one_question(), "its id is 'broken'; name the file after it"),
        ("broken", one_question(options=options(2, 1)), "rising order"),
        ("broken", one_question(colour="red"), "Extra inputs"),
    ],
)
def test_a_file_that_does_not_hold_together_is_refused_by_name(
    folder: Path, name: str, fields: dict[str, Any], message: str
) -> None:
    (folder / f"{name}.json").write_text(json.dumps(fields), encoding="utf-8")
    fresh: Registry[Instrument] = Registry("instrument", "backend.study.design.instruments")
    with pytest.raises(KnowledgeError, match=rf"{name}\.json: .*{message}"):
        fresh.names()
