"""Every system by name: which stages run, what it searches, what falls back without a model and is said."""

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from fastapi.testclient import TestClient

from backend.api.app import create_app
from backend.container import Container
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Document, DraftStatus, Source
from backend.systems import SYSTEMS, GatheringKind, PathKind
from models.llm.engine_scripted import Scripted

NOTE = (
    "Allergies: penicillin (hives)\nChief Complaint: dyspnea\n"
    "HPI: A 70-year-old woman with heart failure, orthopnea and leg swelling. No fever."
)
PAGES = (
    {
        "id": "kiwi",
        "title": "Kiwi sign",
        "content": "The kiwi sign of heart failure is made up for this test. Orthopnea goes with it.",
    },
    {"id": "plum", "title": "Plum sign", "content": "The plum sign is made up as well."},
)
BY_PATHS = {entry.name for entry in SYSTEMS if entry.thinks_by_paths}
GATHERED = [entry for entry in SYSTEMS if entry.gathering != GatheringKind.NONE]


def drafted(container: Container, system: str, **more: object) -> Draft:
    request = DraftRequest.model_validate({"text": NOTE, "system": system, **more})
    return container.pipeline(system, None, request.sources).run(request)


@pytest.mark.parametrize("entry", SYSTEMS, ids=lambda entry: entry.name)
def test_each_system_writes_from_what_it_retrieves(container: Container, entry: object) -> None:
    assert entry in SYSTEMS
    draft = drafted(container, entry.name)  # type: ignore[attr-defined]
    assert draft.system == entry.name  # type: ignore[attr-defined]
    assert draft.status == DraftStatus.COMPLETE
    assert bool(draft.evidence.passages) == (entry in GATHERED)
    paths = entry.paths != PathKind.NONE  # type: ignore[attr-defined]
    assert bool(draft.evidence.paths) == paths
    cited = {c for s in draft.sentences for c in s.citations}
    assert draft.removed_citations == 0 and cited
    assert paths or not any(c.startswith("K") for c in cited)


def test_what_needs_a_model_says_what_ran_instead(container: Container) -> None:
    told = {entry.name: " ".join(drafted(container, entry.name).fallbacks) for entry in GATHERED}
    alone = {"leapnote", "question-rag"}  # these need no model to be what they are
    assert {name for name, text in told.items() if not text} - {"clinicalrag"} == alone
    assert "the paths are told as the thought" in told["rar2"]
    assert "spo runs as rules" in told["spo"]


def test_a_thought_from_paths_is_no_evidence(container: Container) -> None:
    draft = drafted(container, "rar2")
    assert draft.plan.thoughts and not draft.evidence.paths and not draft.evidence.policy
    assert "for the thought alone" in next(s.reason for s in draft.stages if s.name == "paths")


def test_sources_left_out_are_not_searched(container: Container) -> None:
    for name in (entry.name for entry in GATHERED):
        draft = drafted(container, name, sources=["graph"])
        assert not draft.evidence.passages, name
        assert all(q.skipped for q in draft.plan.sub_queries if q.source == Source.BOOK), name


def with_planner(container: Container, reply: str) -> Container:
    """The house with a scripted model that thinks, plans and extracts; the composer writes."""
    own = container.changed()
    model = Scripted(reply)
    chosen = container.models.chosen()
    roles = chosen.roles._replace(planner=model, extractor=model)
    vars(own)["models"] = SimpleNamespace(chosen=lambda asked="": chosen._replace(roles=roles))
    return own


def test_a_model_thinks_and_plans(container: Container) -> None:
    draft = drafted(with_planner(container, "Orthopnea points to heart failure and its diet."), "rar2")
    assert draft.plan.thoughts == ("Orthopnea points to heart failure and its diet.",)
    assert draft.fallbacks == ()
    plan = {
        "book": ["heart failure diet"],
        "guideline": [],
        "research": [],
        "wiki": [],
        "graph": ["heart failure , diet"],
    }
    planned = drafted(with_planner(container, json.dumps(plan)), "prompting")
    asked = [(q.source.value, q.text) for q in planned.plan.sub_queries if not q.skipped]
    assert asked == [("book", "heart failure diet"), ("graph", "heart failure , diet")]
    assert planned.evidence.graph[0].text.startswith("Heart failure")


def test_a_chosen_option_is_the_answer(container: Container) -> None:
    draft = drafted(
        container,
        "leapnote",
        text="",
        question="Which medicine draws off fluid in heart failure?",
        options=["furosemide", "paracetamol"],
        document=Document.CLINICAL_ANSWER,
    )
    assert (draft.answer, draft.option, draft.answer_text) == ("A", "furosemide", "A: furosemide")
    assert any("No language model reasoned here" in s.text for s in draft.sentences)


def test_a_question_about_a_note_is_answered_with_what_may_explain_it(container: Container) -> None:
    draft = drafted(container, "leapnote", question="What could explain this?", document=Document.CLINICAL_ANSWER)
    first = draft.sentences[0]
    assert first.text.startswith("Heart failure") and first.citations and first.section == "Answer"


def test_yes_or_no_is_not_guessed_by_overlap(container: Container) -> None:
    asked = {"text": "", "question": "Is furosemide used in heart failure?", "options": ["yes", "no"]}
    draft = drafted(container, "question-rag", document=Document.CLINICAL_ANSWER, **asked)
    assert (draft.answer, draft.option, draft.answer_text) == ("", "", "")
    assert any("needs a language model" in s.text for s in draft.sentences)


@pytest.fixture
def keeping(container: Container, tmp_path: Path) -> Iterator[Container]:
    """A house that keeps the sources of a folder of its own."""
    own = container.changed(data=tmp_path / "data")
    own.keeper = "the API"
    for part in ("sources", "search", "entity_collections", "entity_search"):
        vars(own).pop(part, None)
    yield own
    own.sources.close()


def imported(client: TestClient, tmp_path: Path, source: str, name: str) -> str:
    path = tmp_path / f"{name}.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in PAGES))
    body = {"kind": "jsonl", "path": str(path), "source": source, "name": name, "licence": "made up"}
    return client.post("/v1/knowledge/collections", json=body).text


def test_an_imported_collection_is_read_from_the_next_draft_on(keeping: Container, tmp_path: Path) -> None:
    with TestClient(create_app(keeping.settings, keeping), base_url="http://127.0.0.1") as client:
        asked = {"question": "What is the kiwi sign of orthopnea?", "document": "clinical_answer", "system": "leapnote"}
        before = client.post("/v1/drafts", json=asked, headers={"Accept": "application/json"}).json()
        assert "kiwi" not in {p["document_id"] for p in before["evidence"]["passages"]}
        assert "event: done" in imported(client, tmp_path, "wiki", "fruit")
        for system in (entry.name for entry in GATHERED):
            body = asked | {"system": system}
            draft = client.post("/v1/drafts", json=body, headers={"Accept": "application/json"}).json()
            found = [p for p in draft["evidence"]["passages"] if p["source"] == "wiki"]
            if system in BY_PATHS:  # asked with the paths told, which know no kiwi
                assert any(q["source"] == "wiki" and not q["skipped"] for q in draft["plan"]["sub_queries"]), system
            else:
                assert found and found[0]["title"] == "Kiwi sign" and found[0]["licence"] == "made up", system
        rows = {row["source"]: row for row in client.get("/v1/knowledge").json()["sources"]}
        assert [c["name"] for c in rows["wiki"]["collections"]] == ["fruit"]
        assert client.delete("/v1/knowledge/collections/fruit").json() == {"removed": "fruit"}
        after = client.post("/v1/drafts", json=asked, headers={"Accept": "application/json"}).json()
        assert {p["source"] for p in after["evidence"]["passages"]} <= {"book"}


def test_an_imported_book_stands_beside_the_handbook(keeping: Container, tmp_path: Path) -> None:
    with TestClient(create_app(keeping.settings, keeping), base_url="http://127.0.0.1") as client:
        assert "event: done" in imported(client, tmp_path, "book", "fruit-book")
        asked = {"question": "What is the kiwi sign of heart failure?", "document": "clinical_answer"}
        draft = client.post("/v1/drafts", json=asked, headers={"Accept": "application/json"}).json()
        titles = [p["title"] for p in draft["evidence"]["passages"]]
        assert "Kiwi sign" in titles and any(title.startswith("Heart failure") for title in titles)


def test_a_collection_of_another_encoder_is_refused_and_the_draft_says_so(keeping: Container, tmp_path: Path) -> None:
    with TestClient(create_app(keeping.settings, keeping), base_url="http://127.0.0.1") as client:
        imported(client, tmp_path, "wiki", "fruit")
    keeping.sources.close()
    meta = next((tmp_path / "data" / "sources" / "wiki" / "fruit").glob("meta.json"))
    meta.write_text(meta.read_text().replace(keeping.encoder.name, "other-00000000"))
    vars(keeping).pop("sources"), vars(keeping).pop("search", None)
    keeping._pipelines = {}
    draft = drafted(keeping, "question-rag")
    assert any("was encoded by 'other-00000000'" in text for text in draft.fallbacks)


def test_a_wrong_import_is_an_error_event_and_nothing_is_left(keeping: Container, tmp_path: Path) -> None:
    with TestClient(create_app(keeping.settings, keeping), base_url="http://127.0.0.1") as client:
        body = {"kind": "jsonl", "path": str(tmp_path / "none.jsonl"), "source": "wiki"}
        told = client.post("/v1/knowledge/collections", json=body).text
        assert "event: error" in told and "There is no file or folder" in told
        assert client.post("/v1/knowledge/collections", json={"kind": "magic", "path": "x"}).status_code in (404, 422)
        assert not list((tmp_path / "data" / "sources").glob("*/*/meta.json"))


def test_a_draft_saved_with_the_option_itself_still_reads(container: Container) -> None:
    asked = {
        "text": "",
        "question": "Which medicine draws off fluid in heart failure?",
        "options": ["paracetamol", "furosemide"],
    }
    draft = drafted(container, "leapnote", document=Document.CLINICAL_ANSWER, **asked)
    saved = draft.model_dump(mode="json") | {"answer": "furosemide"}
    assert Draft.model_validate(saved).answer == "B"
