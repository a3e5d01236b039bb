"""What a run's key holds: changing anything that changes a figure starts another run."""

from pathlib import Path

import pytest

from backend.container import Container
from backend.errors import InputError
from backend.evaluation.reports.evaluation_run import Run, RunOptions
from backend.evaluation.reports.run_identity import MODEL_SETTINGS, figure_settings, identity
from backend.evaluation.reports.varied import containers, read_variations
from backend.schemas.evaluation_results import ResultKind
from backend.schemas.source_rows import ROWS, SHIPPED
from backend.schemas.vocabulary import Source
from backend.settings import ROOT, Settings
from backend.settings.model_settings import ModelSettings
from backend.settings.retrieval_settings import RetrievalSettings
from backend.settings.system_settings import SystemSettings
from backend.stores.compiled import digest_of


def key(container: Container, folder: Path, **settings: object) -> str:
    changed = container.changed(**settings) if settings else container
    options = RunOptions(folder, "2031-01-01")
    return Run(ResultKind.NOTES, options, {}, {}, {}, identity(changed)).key


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("passages", 8),
        ("paths", 5),
        ("rar2_thoughts", 2),
        ("clinicalrag_language", False),
        ("planner_trained_for", "spo"),
        ("condition_ranker", "other"),
        ("reranker", "medcpt"),
        ("repair", True),
        ("locale", "uk"),
        ("max_note_chars", 4_000),
        ("vllm_args", "--quantization awq"),
        ("vllm_max_model_len", 8_192),
        ("llm_url", "http://127.0.0.1:9"),
    ],
)
def test_a_setting_that_changes_a_figure_changes_the_key(
    container: Container, tmp_path: Path, name: str, value: object
) -> None:
    assert key(container, tmp_path, **{name: value}) != key(container, tmp_path)


def test_no_setting_of_retrieval_or_of_a_system_is_left_out() -> None:
    held = figure_settings(Settings()).keys()
    assert RetrievalSettings.model_fields.keys() | SystemSettings.model_fields.keys() <= held
    assert set(MODEL_SETTINGS) <= held & ModelSettings.model_fields.keys()


@pytest.mark.parametrize(("name", "value"), [("api_port", 9_999), ("timeout_s", 3.0), ("llm_between_s", 5.0)])
def test_where_something_is_and_how_long_it_may_take_does_not(
    container: Container, tmp_path: Path, name: str, value: object
) -> None:
    assert key(container, tmp_path, **{name: value}) == key(container, tmp_path)


@pytest.mark.parametrize("role", ["reranker", "entailment"])
def test_weights_in_a_folder_are_told_apart_by_what_is_in_it(container: Container, tmp_path: Path, role: str) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    weights = folder / "model.safetensors"
    weights.write_bytes(b"a" * 100)
    one = identity(container.changed(**{role: str(folder)}))[role]
    weights.write_bytes(b"a" * 99 + b"b" + b"a")
    assert identity(container.changed(**{role: str(folder)}))[role] != one
    assert str(tmp_path) not in str(identity(container.changed(**{role: str(folder)})))


def test_the_code_the_prompts_and_the_policies_are_in_it(container: Container) -> None:
    found = identity(container)
    assert len(found["code"]) == 64
    assert found["prompts"] and found["policies"] and found["graph"] == container.graph.fingerprint
    assert found["writers"]["set"]["planner"] == "none: the embedded step"


def test_every_rule_and_what_a_hospital_made_of_the_knowledge_is_in_it(
    container: Container, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = identity(container)
    hospital = container.shipped.hospital
    monkeypatch.setattr(container.shipped, "hospital", hospital._replace(signed=frozenset({"one"})))
    assert identity(container)["knowledge"] != before["knowledge"]
    # a rule of any kind of file is part of the code: some are lists, some are tables, some are TOML
    for suffix in (".tsv", ".txt", ".toml"):
        assert any(path.suffix == suffix for path in (ROOT / "assets" / "rules").rglob("*"))
        folder = tmp_path / suffix[1:]
        folder.mkdir()
        (folder / f"rule{suffix}").write_text("a")
        one = digest_of(folder)
        (folder / f"rule{suffix}").write_text("b")
        digest_of.cache_clear()
        assert digest_of(folder) != one


def test_what_planners_read_of_a_source_is_in_it_and_the_server_s_address_is_not(
    container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = identity(container)
    row = SHIPPED[0]
    monkeypatch.setitem(ROWS, row.name, row._replace(about="something else"))
    after = identity(container)
    assert before["kinds_of_source"] != after["kinds_of_source"]
    assert before["kinds_of_source"].keys() == {one.value for one in Source}
    served = identity(container.changed(llm_url="http://ward-7.example:8000"))
    assert served["server"] != "none" and "ward-7" not in str(served)


def test_no_secret_and_no_place_is_in_it() -> None:
    found = figure_settings(Settings(llm_key="hidden", api_token="secret"))  # type: ignore[arg-type]
    assert not {"data", "llm_key", "api_token", "llm_url", "database_url", "neo4j_password"} & found.keys()
    assert "hidden" not in str(found) and "secret" not in str(found)


def test_a_setting_is_varied_by_any_of_its_names(container: Container) -> None:
    read = read_variations(["LEAPNOTE_PASSAGES=4,8", "clinicalrag_language=false"], container.settings)
    assert [(one.name, one.value, one.label) for one in read] == [
        ("passages", 4, "@passages=4"),
        ("passages", 8, "@passages=8"),
        ("clinicalrag_language", False, "@clinicalrag_language=false"),
    ]
    labels = {label: own.settings.passages for label, own in containers(container, read)}
    assert labels["@passages=4"] == 4 and labels[""] == container.settings.passages


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("passages", "NAME=VALUE"),
        ("passages=0", "passages=0"),
        ("passages=many", "passages=many"),
        ("api_port=9000", "no setting of that name changes a figure"),
        ("passages=32", "the value that is set"),
        ("nothing=1", "Choose from"),
    ],
)
def test_a_variation_that_cannot_be_is_refused(container: Container, given: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_variations([given], container.settings)


def test_a_value_given_twice_is_refused(container: Container) -> None:
    with pytest.raises(InputError, match="once"):
        read_variations(["passages=4,4"], container.settings)
