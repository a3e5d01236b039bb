"""What the API says in another language: every kind of error and of flag has its words, and the API's own stand behind them."""

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

import backend
from app.clients.api_errors import refused
from app.state import language_state  # noqa: F401  (registers itself, once, before a test puts its own in the place)
from app.view_data.workspace_data import workspace_data
from app.words import words
from app.words.api_words import ALERTS, ERRORS, FLAGS, flag_words
from app.words.words import spoken_by, table
from backend.errors import LeapnoteError
from backend.registry import FLAG_KINDS
from backend.schemas.drafts.draft import Flag
from backend.schemas.vocabulary import Severity

# what no route answers with: the command line's and the evaluations' own
NOT_ANSWERED = {"FailedStageError"}


@pytest.fixture
def spanish() -> Iterator[None]:
    before = words._chosen[0]
    spoken_by(lambda: "es")
    yield
    spoken_by(before)


def all_errors(kind: type[LeapnoteError] = LeapnoteError) -> set[str]:
    return {kind.__name__}.union(*(all_errors(one) for one in kind.__subclasses__()))


def load(package: str) -> None:
    for module in pkgutil.walk_packages(backend.__path__, "backend."):
        if module.name.startswith(package):
            importlib.import_module(module.name)


def test_every_kind_of_error_that_the_api_answers_with_has_its_sentence() -> None:
    for package in ("backend.api", "backend.review", "backend.study", "backend.access"):
        load(package)
    known = {name for name in all_errors() if not name.startswith("_")}
    assert len(known) > 12
    assert sorted(known - set(ERRORS) - NOT_ANSWERED) == []


def test_every_registered_kind_of_flag_has_its_own_label() -> None:
    load("backend.verification")
    load("backend.pipeline")
    registered = {entry.name: entry.label for entry in FLAG_KINDS.entries()}
    assert {kind: label for kind, label in registered.items() if not kind.startswith("test")} == dict(FLAGS)


def answer(kind: str, message: str) -> httpx.Response:
    return httpx.Response(422, json={"error": {"kind": kind, "message": message}})


def test_a_refusal_is_said_in_spanish_with_the_api_s_words_behind(spanish: None) -> None:
    assert (
        str(refused(answer("NotFoundError", "There is no case x.")))
        == "Esto no existe o ya no está. (There is no case x.)"
    )
    assert str(refused(answer("Unheard", "Odd."))) == "No se pudo hacer. (Odd.)"
    assert str(refused(httpx.Response(502, text="x"))) == "El servicio respondió con el estado 502."


DOSE = Flag(kind="dose", severity=Severity.WARNING, message="9 g a day.", evidence=("Tylenol 9 g",), medicine="tylenol")


def test_an_alert_is_said_in_spanish_with_what_it_names_and_the_api_s_words_behind(spanish: None) -> None:
    label, meaning = "Dosis inusual", "La dosis no es la habitual para este paciente"
    assert flag_words(DOSE) == f"{label}. {meaning}: tylenol, Tylenol 9 g. (9 g a day.)"
    assert flag_words(DOSE.model_copy(update={"medicine": "TYLENOL 9 G"})).count("9 g. ") == 1  # a name once
    assert flag_words(DOSE.model_copy(update={"medicine": "", "evidence": ()})) == f"{label}. {meaning}. (9 g a day.)"
    missed = Flag(kind="must_not_miss", severity=Severity.WARNING, message="x.", evidence=("LN:sepsis",))
    assert "descártelos: sepsis." in flag_words(missed, {"LN:sepsis": "sepsis"})


def test_every_kind_of_alert_has_a_sentence_that_ends_in_what_it_names_or_names_nothing() -> None:
    assert set(ALERTS) == set(FLAGS)
    for language in (dict(ALERTS), {kind: table("es")[text] for kind, text in ALERTS.items()}):
        assert [text for text in language.values() if "{" in text.removesuffix(": {names}.")] == []


def test_in_english_the_api_s_own_words_stand_alone() -> None:
    assert str(refused(answer("NotFoundError", "There is no case x."))) == "There is no case x."
    assert flag_words(DOSE) == "9 g a day."


@pytest.mark.parametrize(("language", "count"), [("en", 0), ("es", len(ERRORS))])
def test_the_workspace_is_given_the_kinds_in_its_language(language: str, count: int) -> None:
    values: dict[str, Any] = workspace_data("", table(language), language)["values"]
    assert len(values["errors"]) == count and (len(values["flags"]) == len(values["alerts"]) == len(FLAGS)) is bool(
        count
    )
