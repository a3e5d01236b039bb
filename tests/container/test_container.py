"""What is built from the settings: who writes, which graph, where paths are walked; each choice with its reason."""

import socket
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from backend.container import Container
from backend.container.language_models import LanguageModels
from backend.container.settings_values import neo4j_address
from backend.errors import InputError, KnowledgeError, NotFoundError
from backend.nlp.lexicon.plain_names import with_plain_names
from backend.schemas.drafts.draft import Draft, Generator
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Document, DraftStatus
from backend.serving.status import ServerState, ServerStatus, write_status
from backend.settings import Settings
from backend.stores.graph.graph import ConceptNames, Graph
from backend.stores.graph.graph_rows import ConceptRow
from backend.stores.graph.snapshot import read_snapshot, write_snapshot
from backend.stores.graph.snapshot_meta import About
from backend.stores.graph.vector_file import GraphVectors
from backend.systems import SYSTEMS
from models.policy.checkpoint import Checkpoint, save_checkpoint
from models.policy.network import PolicyNetwork
from models.policy.walking.walk_settings import OURS

ABOUT = About("tiny", "made up for the tests", "none needed", "2024-01-31", {})
LACKING = "the graph tiny does not hold the starter knowledge"
NOTE = "Allergies: penicillin (rash)\nChief Complaint: dyspnea\nHPI: Dyspnea and leg swelling. She takes naproxen. No fever."
Outside = Callable[..., Container]


def chosen(**given: object) -> Generator:
    return LanguageModels(Settings(_env_file=None, **given)).chosen().generator  # type: ignore[arg-type, call-arg]


def test_auto_without_a_server_is_the_composer_and_says_that_none_is_set() -> None:
    found = chosen()
    assert (found.name, found.where) == ("composer", "stays in this program")
    assert "no language model server is set" in found.reason


def test_auto_with_a_server_that_does_not_answer_is_the_composer_and_says_so() -> None:
    with socket.socket() as taken:  # bound and not listening: nobody answers
        taken.bind(("127.0.0.1", 0))
        found = chosen(llm_url=f"http://127.0.0.1:{taken.getsockname()[1]}/v1")
    assert found.name == "composer"
    assert "cannot be reached" in found.reason


def test_a_named_server_is_the_writer_and_the_page_can_say_where_text_goes() -> None:
    found = chosen(generator="openai:http://10.1.2.3:9/v1#m")
    assert found.name == "openai:http://10.1.2.3:9/v1#m"
    assert found.where == "goes to 10.1.2.3:9, not encrypted"


def test_a_server_that_is_starting_leaves_the_writing_to_the_composer(tmp_path: Path) -> None:
    status = ServerStatus(state=ServerState.STARTING, model="m", url="http://127.0.0.1:9/v1", since=time.time() - 40)
    write_status(tmp_path / "status.json", status)
    found = chosen(generator="vllm:m", llm_status=str(tmp_path / "status.json"))
    assert found.name == "composer"
    assert "m: starting: 40 s" in found.reason


def test_a_role_has_a_model_of_its_own_and_equal_settings_share_one() -> None:
    one = "openai:http://127.0.0.1:9/v1#one"
    models = LanguageModels(Settings(_env_file=None, planner_model=one, judge_model=one))  # type: ignore[call-arg]
    roles = models.chosen().roles
    assert roles.writer is None and roles.extractor is None
    assert roles.planner is not None and roles.planner is roles.judge
    assert models.chosen(one).roles.writer is roles.planner


def test_a_request_sends_no_note_to_an_address_that_the_settings_do_not_name() -> None:
    elsewhere = "openai:http://10.1.2.3:9/v1#m"
    serving = LanguageModels(Settings(_env_file=None), serving=True)  # type: ignore[call-arg]
    with pytest.raises(InputError, match="no note goes to an address"):
        serving.chosen(elsewhere)
    assert serving.chosen("composer").setting == "composer"
    listed = Settings(_env_file=None, more_generators="openai:http://10.1.2.3:*")  # type: ignore[call-arg]
    assert LanguageModels(listed, serving=True).chosen(elsewhere).setting == elsewhere
    own = Settings(_env_file=None, generator=elsewhere)  # type: ignore[call-arg]
    assert LanguageModels(own, serving=True).chosen(elsewhere).setting == elsewhere


def test_an_unknown_generator_is_refused_with_the_forms() -> None:
    with pytest.raises(InputError, match="auto, composer, vllm:<model>"):
        chosen(generator="magic")


@pytest.fixture
def outside(container: Container, tiny_graph: Graph, tmp_path: Path) -> Outside:
    """A container with a graph from outside; encoder and handbook are those that are loaded already."""
    write_snapshot(tiny_graph, tmp_path / "data" / "graphs" / "tiny", ABOUT)

    def made(**values: object) -> Container:
        chosen = Settings(_env_file=None, **{"data": tmp_path / "data", "graph": "tiny", **values})
        return Container(chosen, beside=container)

    return made


@pytest.fixture
def policies(tiny_graph: Graph, container: Container, tmp_path: Path) -> Path:
    """A folder with an untrained policy for the tiny graph."""
    card = {
        "graph": tiny_graph.fingerprint,
        "encoder": container.encoder.name,
        "dimension": container.encoder.dimension,
    }
    card |= {"data": {"hash": "0" * 64}}
    network = PolicyNetwork(container.encoder.dimension, seed=0).fold()
    save_checkpoint(tmp_path / "policies" / "leapnote", Checkpoint("leapnote", network, OURS, False, None, None, card))
    return tmp_path / "policies"


def paths_reason(draft: Draft) -> str:
    return next(stage.reason for stage in draft.stages if stage.name == "paths")


def test_a_graph_is_set_by_its_name_or_by_its_folder(outside: Outside, tiny_graph: Graph, tmp_path: Path) -> None:
    for name in ("tiny", str(tmp_path / "data" / "graphs" / "tiny")):
        container = outside(graph=name)
        assert container.graph.fingerprint == tiny_graph.fingerprint
        assert container.versions["graph"].startswith(f"tiny, {len(tiny_graph)} concepts")
        assert "starter" in container.versions["handbook"]  # the passages are, and exports must say so
    with pytest.raises(NotFoundError, match="Imported graphs: tiny"):
        _ = outside(graph="none").graph


def test_a_draft_says_which_rankers_it_depends_on(container: Container) -> None:
    def rankers(made: Container, system: str) -> dict[str, str]:
        versions = made.pipeline(system).run_evidence(DraftRequest(text="HPI: cough.")).versions
        return {name: value for name, value in versions.items() if name.endswith("_ranker")}

    assert rankers(container, "leapnote") == {"condition_ranker": "graph", "passage_ranker": "leapnote"}
    assert rankers(container, "no-retrieval") == {}
    changed = container.changed(passage_ranker="weighted")
    assert rankers(changed, "leapnote")["passage_ranker"] == "weighted"


def test_every_system_drafts_with_a_graph_of_other_relations_than_the_starter_s(
    outside: Outside, tiny_rows: Sequence[ConceptRow], tmp_path: Path
) -> None:
    # concepts without one edge, and so without one relation that a stage might ask for
    write_snapshot(Graph(tiny_rows, [], {}), tmp_path / "data" / "graphs" / "bare", ABOUT)
    container = outside(graph="bare")
    for entry in SYSTEMS:
        for document in Document:
            question = "What could this be?" if document == Document.CLINICAL_ANSWER else ""
            request = DraftRequest(text=NOTE, question=question, document=document, system=entry.name)
            draft = container.pipeline(entry.name).run(request)
            assert draft.status in (DraftStatus.COMPLETE, DraftStatus.NOTHING_FOUND)
            assert draft.note.mentions
            assert draft.allergies.items[0].checked


def test_names_of_a_graph_from_outside_are_not_encoded_again(outside: Outside, monkeypatch: pytest.MonkeyPatch) -> None:
    container = outside()
    container.encoded_concepts(lambda *_: None)
    assert isinstance(container.vectors, GraphVectors)
    monkeypatch.setattr(container.encoder, "encode", lambda texts: pytest.fail(f"{len(texts)} encoded"))
    names = [row.name for row in container.graph.concepts]
    np.testing.assert_allclose(
        container.vectors.vectors(names, container.encoder), container.concept_vectors, atol=1e-3
    )


def test_a_policy_without_vectors_of_the_graph_says_so_and_another_retriever_stands_in(
    outside: Outside, policies: Path
) -> None:
    container = outside(policies=policies)
    draft = container.pipeline("leapnote").run(DraftRequest(text=NOTE))
    assert "no finished concept vectors" in paths_reason(draft)
    assert [text.split(":")[0] for text in draft.fallbacks] == [LACKING, "paths by graph edges"]
    assert "no finished concept vectors" in draft.fallbacks[1]


def test_a_policy_of_another_graph_is_refused_and_the_draft_says_what_ran_instead(
    outside: Outside, policies: Path
) -> None:
    container = outside(policies=policies)
    container.encoded_concepts(lambda *_: None)
    (alone,) = container.pipeline("leapnote").run(DraftRequest(text=NOTE)).fallbacks
    assert alone.startswith(LACKING)
    card = policies / "leapnote" / "card.json"
    card.write_text(card.read_text().replace(container.graph.fingerprint, "0123456789abcdef"))
    other = outside(policies=policies)
    draft = other.pipeline("leapnote").run(DraftRequest(text=NOTE))
    lacking, fallback = draft.fallbacks
    assert lacking.startswith(LACKING)
    assert fallback.startswith(
        "paths by graph edges: The policy 'leapnote' was trained with the graph 0123456789abcdef"
    )
    assert draft.evidence.paths and not draft.evidence.policy
    published = other.pipeline("reinrag").run(DraftRequest(text=NOTE))
    assert not published.evidence.paths and [text.split(":")[0] for text in published.fallbacks] == [
        LACKING,
        "no paths",
    ]


def test_a_neo4j_server_that_does_not_answer_is_named_and_paths_are_walked_in_memory(
    outside: Outside, policies: Path, caplog: pytest.LogCaptureFixture
) -> None:
    in_memory = outside(policies=policies)
    in_memory.encoded_concepts(lambda *_: None)
    expected = in_memory.pipeline("leapnote").run(DraftRequest(text=NOTE))
    assert "walked" not in paths_reason(expected)
    assert "walked in" not in expected.versions
    container = outside(policies=policies, neo4j_uri="bolt://127.0.0.1:1", neo4j_graph="tiny")
    container.warm()
    assert "paths are walked in memory" in caplog.text
    draft = container.pipeline("leapnote").run(DraftRequest(text=NOTE))
    assert draft.evidence.paths == expected.evidence.paths
    assert "walked in memory and not in Neo4j graph 'tiny': Neo4j at 127.0.0.1:1 cannot be reached" in paths_reason(
        draft
    )
    assert draft.versions["walked in"] == "Neo4j graph 'tiny'"


def test_a_graph_in_neo4j_without_a_server_is_named(outside: Outside, policies: Path) -> None:
    container = outside(policies=policies, neo4j_graph="tiny")
    container.encoded_concepts(lambda *_: None)
    draft = container.pipeline("leapnote").run(DraftRequest(text=NOTE))
    assert "Mend LEAPNOTE_NEO4J_URI" in paths_reason(draft)


def test_the_settings_of_neo4j_are_its_address() -> None:
    chosen = Settings(
        _env_file=None,
        neo4j_uri="bolt://h:1",
        neo4j_user="u",
        neo4j_password="p",
        neo4j_database="d",
        neo4j_connect_s=1,
        neo4j_query_s=2,
        neo4j_retry_s=3,
    )
    found = neo4j_address(chosen)
    assert found.password.get_secret_value() == "p"
    assert found[:2] + found[3:] == ("bolt://h:1", "u", "d", 1, 2, 3)
    assert "'p'" not in repr(chosen)


def test_only_everyday_words_become_names_of_a_concept() -> None:
    rows = [
        ConceptRow("LN:1", "nausea", "DISO", "symptom", (), "feeling sick"),
        ConceptRow("X:1", "ague", "DISO", "symptom", (), "A sentence of another source"),
        ConceptRow("LN:2", "chill", "DISO", "symptom", (), "feeling cold"),
        ConceptRow("LN:3", "cold", "DISO", "disease", ("feeling cold",)),  # these words name it already
        ConceptRow("LN:4", "drug", "CHEM", "drug", (), "a pill"),  # no symptom
    ]
    named = {row.concept_id: row.synonyms for row in with_plain_names(rows, {"LN:1", "LN:2", "LN:3", "LN:4"})}
    assert named == {"LN:1": ("feeling sick",), "X:1": (), "LN:2": (), "LN:3": ("feeling cold",), "LN:4": ()}
    assert next(row for row in with_plain_names(rows) if row.concept_id == "X:1").synonyms


def test_names_are_read_from_the_graph_when_they_are_asked_for(tiny_graph: Graph, tmp_path: Path) -> None:
    write_snapshot(tiny_graph, tmp_path / "g", ABOUT)
    expected = {row.concept_id: row.name for row in tiny_graph.concepts}
    assert dict(ConceptNames(read_snapshot(tmp_path / "g"))) == expected
    assert dict(ConceptNames(tiny_graph)) == expected
    assert "none" not in ConceptNames(tiny_graph)


def test_a_graph_that_is_damaged_is_an_error_that_says_so(outside: Outside, tmp_path: Path) -> None:
    container = outside()
    (tmp_path / "data" / "graphs" / "tiny" / "tails.npy").write_bytes(b"")
    with pytest.raises(KnowledgeError, match="damaged"):
        _ = container.graph
