"""Settings, routes, systems, fields and limits stand in the documents that promise to list them; the documents are short."""

import re
from typing import Any, get_args

from pydantic import BaseModel

from app.view_data.setting_groups import OTHERS, PLACES, place
from backend.api.app import LARGEST_BODY
from backend.bench.rows import ROWS
from backend.cli.evaluate.evaluate_more import RetrievalRunOptions
from backend.evaluation.retrieval import COMPARED
from backend.schemas.corrections import CorrectionKind
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.event import STAGES
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.saved_case import EditKind
from backend.schemas.patients.written_notes import MOST_NOTES
from backend.schemas.studies.study_instrument import Design, Instrument, Polarity, QuestionKind, Target, Wording
from backend.schemas.vocabulary import AllergyStatus, Basis, DraftStatus, Severity, Support
from backend.settings import Settings
from backend.systems import SYSTEMS
from tests.shipping.instructions import ROOT

TOP = {"README.md", "CONTRIBUTING.md", "CHANGELOG.md"}
MOST_WORDS = 25_000
DOCUMENTS = {
    *("quickstart.md", "user_guide.md", "safety.md", "deploying.md", "api.md", "architecture.md"),
    *("extending.md", "reading.md", "diagnosis.md", "retrieval.md", "papers.md", "studies.md", "models.md"),
    *("training.md", "graphs.md", "sources.md"),
}


def _read(document: str) -> str:
    return (ROOT / "docs" / document).read_text(encoding="utf-8")


def _example() -> dict[str, tuple[str, str]]:
    """Name to (comment above it, value) of .env.example."""
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    return {name: (about, value) for about, name, value in re.findall(r"# (.+)\n# (LEAPNOTE_\w+)=(.*)\n", text)}


def test_the_example_lists_exactly_the_settings_there_are() -> None:
    assert set(_example()) == {f"LEAPNOTE_{name.upper()}" for name in Settings.model_fields}


def test_the_example_uses_the_words_of_the_settings() -> None:
    for name, field in Settings.model_fields.items():
        about, _ = _example()[f"LEAPNOTE_{name.upper()}"]
        assert about.startswith(str(field.description)), name


def test_the_example_shows_each_plain_default() -> None:
    for name, field in Settings.model_fields.items():
        if isinstance(field.default, str | int | float):
            shown = _example()[f"LEAPNOTE_{name.upper()}"][1]
            assert type(field.default)(shown) == field.default, name


def test_every_setting_is_under_its_subject_as_the_page_has_it() -> None:
    part = _read("deploying.md").split("\n## Settings\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| ([^`|]+) \| (`.+`) \|$", part, re.MULTILINE)
    table = [(title, tuple(re.findall(r"`([^`]+)`", names))) for title, names in rows]
    assert table == [(title, tuple(map(str.upper, patterns))) for _, title, patterns in PLACES]
    places = {name: place(name) for name in Settings.model_fields}
    assert not [name for name, (_, title) in places.items() if title == OTHERS]
    assert not [title for title, _ in table if title not in {title for _, title in places.values()}]


def test_every_route_is_in_the_api_document() -> None:
    from backend.api.app import create_app

    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    missing = [
        f"{method.upper()} {path}"
        for path, methods in create_app(Settings()).openapi()["paths"].items()
        for method in methods
        if f"`{method.upper()} {path}`" not in text
    ]
    assert not missing


def test_every_package_is_in_the_architecture() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    packages = [path.parent.name for path in (ROOT / "backend").glob("*/__init__.py")]
    assert not [name for name in packages if f"backend/{name}" not in text]


def test_every_system_is_in_the_readme_and_the_papers() -> None:
    for document in ("README.md", "docs/papers.md"):
        text = (ROOT / document).read_text(encoding="utf-8")
        assert not [entry.name for entry in SYSTEMS if f"`{entry.name}`" not in text], document


def test_every_benchmark_has_its_target_in_the_architecture() -> None:
    document = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert not [entry.name for entry in ROWS if f"`{entry.name}`" not in document]


def test_every_file_a_document_links_to_exists() -> None:
    for document in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"


def test_the_documents_are_the_set_that_the_readme_lists() -> None:
    assert {path.name for path in ROOT.glob("*.md")} == TOP
    assert {path.name for path in (ROOT / "docs").glob("*.md")} == DOCUMENTS
    listed = (ROOT / "README.md").read_text(encoding="utf-8")
    assert not [name for name in DOCUMENTS if f"(docs/{name})" not in listed]


def test_the_documents_are_short_enough_to_be_read() -> None:
    paths = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md"))
    assert sum(len(path.read_text(encoding="utf-8").split()) for path in paths) <= MOST_WORDS


def test_every_field_and_value_of_a_draft_and_its_request_is_in_the_api_document() -> None:
    document = _read("api.md")
    models = (Draft, *_inside(Draft), DraftRequest, *_inside(DraftRequest))
    names = [field for model in models for field in model.model_fields]
    names += [one.value for kind in (AllergyStatus, Basis, DraftStatus, Severity, Support) for one in kind]
    assert not [name for name in names if not re.search(rf"\b{name}\b", document)]
    assert not [kind for kind in (*CorrectionKind, *EditKind) if f"`{kind.value}`" not in document]


def test_every_event_of_a_draft_is_in_the_api_document() -> None:
    streams = _read("api.md").split("## Streams")[1].split("\n## ")[0]
    unstreamed = {
        "medicines",
        "fit",
        "repair",
        "layout",
        "verify",
        "uncertainty",
        "safety",
        "readability",
    }  # reported in the draft alone
    assert {stage.name for stage in STAGES if f"`{stage.name}`" not in streams} == unstreamed


def test_every_field_and_value_of_an_instrument_is_in_the_document_of_studies() -> None:
    part = _read("studies.md").split("\n## Instruments\n")[1].split("\n## ")[0]
    names = [field for model in (Instrument, *_inside(Instrument)) for field in model.model_fields]
    values = [one.value for kind in (Design, Polarity, QuestionKind, Target, Wording) for one in kind]
    assert not [name for name in (*names, *values) if f"`{name}`" not in part]


def test_what_retrievals_are_compared_by_is_told_in_the_same_words() -> None:
    assert COMPARED in _read("retrieval.md")
    assert COMPARED in str(RetrievalRunOptions.__annotations__["retrievers"].__metadata__[0].help)


def _inside(model: type[BaseModel]) -> set[type[BaseModel]]:
    """The models that a model's fields hold, however deep."""
    found: set[type[BaseModel]] = set()
    waiting: list[Any] = [field.annotation for field in model.model_fields.values()]
    while waiting:
        kind = waiting.pop()
        waiting += get_args(kind)
        if isinstance(kind, type) and issubclass(kind, BaseModel) and kind not in found:
            found.add(kind)
            waiting += [field.annotation for field in kind.model_fields.values()]
    return found


def test_the_limits_of_the_operator_s_document_are_those_of_the_program() -> None:
    rows = dict(re.findall(r"^\| (.+?) \| (.+) \|$", _read("deploying.md").split("## Limits")[1], re.MULTILINE))
    chosen = {name: field.default for name, field in Settings.model_fields.items()}
    for row, numbers in {
        "a note, a question, each earlier note": [chosen["max_note_chars"]],
        "a request": [LARGEST_BODY],
        "earlier notes in a request": [MOST_NOTES],
        "requests to a model at a time; waiting": [chosen["llm_concurrent"], chosen["llm_waiting"]],
        "first word of a model; between words": [chosen["llm_first_token_s"], chosen["llm_between_s"]],
        "the page waits for the API's next event": [chosen["timeout_s"]],
    }.items():
        assert not [number for number in numbers if f"{number:,.0f}" not in rows[row]], row
