"""What checks a draft: which opinions there are by the settings, and what the graph in use decides."""

from pathlib import Path

import pytest

from backend.container import Container
from backend.container.draft_checks import DraftChecks
from backend.errors import MissingError
from backend.settings import Settings
from backend.verification.consistency.uncertainty import EmbeddingConsistency, JudgedConsistency
from backend.verification.safety.safety import GraphSafetyCheck
from models.llm.engine_scripted import Scripted


@pytest.fixture(scope="module")
def loading(tmp_path_factory: pytest.TempPathFactory) -> Container:
    """A container that has loaded nothing yet."""
    return Container(Settings(_env_file=None, data=tmp_path_factory.mktemp("data")))


def checks(loading: Container, entailment: str = "") -> DraftChecks:
    return DraftChecks(loading.shipped, loading.loaded, loading.reading, entailment)


def test_the_starter_s_graph_has_one_safety_check_that_is_built_once(loading: Container) -> None:
    parts = checks(loading)
    assert isinstance(parts.safety, GraphSafetyCheck)
    assert parts.safety is parts.safety
    assert parts.safety is not checks(loading).safety


def test_without_an_entailment_model_agreement_is_scored_by_the_judge_or_by_cosines(loading: Container) -> None:
    parts = checks(loading)
    assert parts.entailment is None
    assert isinstance(parts.consistency(None), EmbeddingConsistency)
    assert isinstance(parts.consistency(Scripted()), JudgedConsistency)


def test_an_entailment_model_that_cannot_be_loaded_is_named_and_nothing_stands_in_for_it(
    loading: Container, tmp_path: Path
) -> None:
    parts = checks(loading, str(tmp_path / "none"))
    for ask in (lambda: parts.entailment, lambda: parts.verifier(None), lambda: parts.consistency(Scripted())):
        with pytest.raises(MissingError, match=f"There is no folder {tmp_path / 'none'}"):
            ask()


def test_broader_concepts_are_those_of_isa_and_class_and_an_unknown_one_has_none(loading: Container) -> None:
    graph, broader = loading.graph, checks(loading).broader
    (furosemide,) = [row.concept_id for row in graph.concepts if row.name == "furosemide"]
    assert broader(furosemide) == frozenset(graph.related(furosemide, "isa", "has_class"))
    assert {graph.concepts[graph.index[one]].name for one in broader(furosemide)} >= {"loop diuretic"}


def test_an_allergy_reaches_the_family_of_the_graph_in_use(loading: Container) -> None:
    graph, reach = loading.graph, checks(loading).reach
    ids = {row.name: row.concept_id for row in graph.concepts}
    assert reach.reached(ids["penicillin"])[ids["flucloxacillin"]].how == "family"
    assert reach.reached("no concept") == {}
