"""Every system by name: which stages run, what it searches, what falls back without a model, visibly."""

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from fastapi.testclient import TestClient

from backend.api.app import create_app
from backend.container import Container
from backend.errors import NotFoundError
from backend.interfaces import FindTexts, NoteContext, Planned
from backend.planning.source_plan import PlannerParts
from backend.registry import PATH_RETRIEVERS, PLANNERS, STRATEGIES, planner, strategy
from backend.retrieval.passages.passage_rows import numbered
from backend.retrieval.passages.source_search import SearchMode
from backend.retrieval.strategies.strategy import Progress, RetrievedEvidence, retrieved, silent
from backend.retrieval.strategies.strategy_parts import StrategyParts
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.evidence import Plan, SubQuery
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Document, DraftStatus, Source
from backend.systems import SOURCE_PLAN, SYSTEMS, all_systems, system
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
WITH_TEXT = [entry for entry in SYSTEMS if entry.retrieves_text]


def drafted(container: Container, system: str, **more: object) -> Draft:
    request = DraftRequest.model_validate({"text": NOTE, "system": system, **more})
    return container.pipeline(system, None, request.sources).run(request)


@pytest.mark.parametrize("entry", SYSTEMS, ids=lambda entry: entry.name)
def test_each_system_writes_from_what_it_retrieves(container: Container, entry: object) -> None:
    assert entry in SYSTEMS
    draft = drafted(container, entry.name)  # type: ignore[attr-defined]
    assert draft.system == entry.name  # type: ignore[attr-defined]
    assert draft.status == DraftStatus.COMPLETE
    assert bool(draft.evidence.passages) == (entry in WITH_TEXT)
    paths = bool(entry.paths)  # type: ignore[attr-defined]
    assert bool(draft.evidence.paths) == paths
    cited = {c for s in draft.sentences for c in s.citations}
    assert draft.removed_citations == 0 and cited
    assert paths or not any(c.startswith("K") for c in cited)


def test_what_needs_a_model_says_what_ran_instead(container: Container) -> None:
    said = {entry.name: " ".join(drafted(container, entry.name).fallbacks) for entry in WITH_TEXT}
    alone = {"leapnote", "question-rag"}  # these need no model to be what they are
    assert {name for name, text in said.items() if not text} - {"clinicalrag"} == alone
    assert "the paths are the thought" in said["rar2"]
    assert "spo runs as rules" in said["spo"]


def test_a_thought_from_paths_is_no_evidence(container: Container) -> None:
    draft = drafted(container, "rar2")
    assert draft.plan.thoughts and not draft.evidence.paths and not draft.evidence.policy
    assert "for the thought alone" in next(s.reason for s in draft.stages if s.name == "paths")


def test_sources_left_out_are_not_searched(container: Container) -> None:
    for name in (entry.name for entry in WITH_TEXT):
        draft = drafted(container, name, sources=["graph"])
        assert not draft.evidence.passages, name
        assert all(q.skipped for q in draft.plan.sub_queries if q.source == Source.BOOK), name


def with_planner(container: Container, reply: str) -> Container:
    """The container with a scripted model that thinks, plans and extracts; the composer writes."""
    own = container.changed()
    model = Scripted(reply)
    chosen = container.models.chosen()
    roles = chosen.roles._replace(planner=model, extractor=model)
    own.models = SimpleNamespace(chosen=lambda asked="": chosen._replace(roles=roles))  # type: ignore[assignment]
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
    """A container that keeps the sources of a folder of its own."""
    own = Container(container.settings.model_copy(update={"data": tmp_path / "data"}), "the API", beside=container)
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
        for system in (entry.name for entry in WITH_TEXT):
            body = asked | {"system": system}
            draft = client.post("/v1/drafts", json=body, headers={"Accept": "application/json"}).json()
            found = [p for p in draft["evidence"]["passages"] if p["source"] == "wiki"]
            if system in BY_PATHS:  # asked with the paths, which know no kiwi
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


def test_a_collection_of_another_encoder_is_refused_and_the_draft_says_so(
    container: Container, keeping: Container, tmp_path: Path
) -> None:
    with TestClient(create_app(keeping.settings, keeping), base_url="http://127.0.0.1") as client:
        imported(client, tmp_path, "wiki", "fruit")
    keeping.sources.close()
    meta = next((tmp_path / "data" / "sources" / "wiki" / "fruit").glob("meta.json"))
    meta.write_text(meta.read_text().replace(keeping.encoder.name, "other-00000000"))
    reopened = Container(keeping.settings, keeping.keeper, beside=container)
    draft = drafted(reopened, "question-rag")
    reopened.close()
    assert any("was encoded by 'other-00000000'" in text for text in draft.fallbacks)


def test_a_wrong_import_is_an_error_event_and_nothing_is_left(keeping: Container, tmp_path: Path) -> None:
    with TestClient(create_app(keeping.settings, keeping), base_url="http://127.0.0.1") as client:
        body = {"kind": "jsonl", "path": str(tmp_path / "none.jsonl"), "source": "wiki"}
        answer = client.post("/v1/knowledge/collections", json=body).text
        assert "event: error" in answer and "There is no file or folder" in answer
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


@pytest.fixture
def added() -> Iterator[None]:
    """A strategy and a planner of this file, registered for one test."""
    with STRATEGIES.scratch(), PLANNERS.scratch():
        strategy("first-book", origin="this test", what="the first passage of the handbook", paths="random1hop")(
            FirstBook
        )
        planner("terms", origin="this test", what="every source asked with the note's terms", needs_model=False)(Terms)
        yield


class FirstBook:
    """Whatever is asked, the book's best passage for the note."""

    def __init__(self, parts: StrategyParts) -> None:
        self._search = parts.search

    def retrieve(self, context: NoteContext, progress: Progress = silent) -> RetrievedEvidence:
        progress(0, 1, "search")
        (found,) = self._search.search(Source.BOOK, [context.request.text], SearchMode.LEXICAL, 1)
        asked = SubQuery(source=Source.BOOK, text="the note")
        return retrieved(
            Plan(sub_queries=(asked,)), numbered(found), reasons=("left out: none", "the note", "the best passage")
        )


class Terms:
    """The note's terms, asked of every source."""

    def __init__(self, parts: PlannerParts) -> None:
        self.name, self._parts = parts.name, parts

    def plan(self, context: NoteContext, find_texts: FindTexts) -> Planned:
        names = [mention.name for mention in context.linked.note.mentions]
        return Planned(
            Plan(sub_queries=self._parts.planned(dict.fromkeys(Source, names), "terms")), "terms of the note"
        )


@pytest.mark.usefixtures("added")
def test_a_registered_strategy_is_a_system_that_drafts_and_is_listed(container: Container) -> None:
    draft = drafted(container.changed(), "first-book")
    assert (draft.system, draft.status) == ("first-book", DraftStatus.COMPLETE)
    retrieved = [one.id for one in draft.evidence.passages if not one.document_id.startswith("standing/")]
    assert retrieved == ["P1"]
    assert draft.evidence.paths  # by the path retriever that its registration names
    assert [stage.reason for stage in draft.stages if stage.name == "plan"] == ["the note"]
    with TestClient(create_app(container.settings, container), base_url="http://127.0.0.1") as client:
        rows = client.get("/v1/systems").json()["systems"]
        assert [row["name"] for row in rows][: len(SYSTEMS)] == [row.name for row in SYSTEMS]
        added = {row["name"]: row for row in rows[len(SYSTEMS) :]}
        assert {"first-book", "terms"} <= added.keys()
        assert added["first-book"]["what"] == "the first passage of the handbook"
        assert added["first-book"]["origin"] == "this test"
        asked = {"text": NOTE, "system": "first-book"}
        answered = client.post("/v1/drafts", json=asked, headers={"Accept": "application/json"}).json()
        assert answered["system"] == "first-book" and answered["evidence"]["passages"]


@pytest.mark.usefixtures("added")
def test_a_registered_planner_is_a_system_whose_plan_is_carried_out(container: Container) -> None:
    draft = drafted(container.changed(), "terms")
    assert [stage.reason for stage in draft.stages if stage.name == "plan"] == ["terms of the note"]
    assert draft.evidence.passages and draft.evidence.graph and not draft.fallbacks


def test_what_is_added_is_gone_again_and_the_table_keeps_its_order() -> None:
    assert all_systems()[: len(SYSTEMS)] == SYSTEMS
    assert not {"first-book", "terms"} & {one.name for one in all_systems()}
    assert len(SYSTEMS) == 21
    with pytest.raises(NotFoundError, match=r"There is no system 'first-book'\. Choose one of: leapnote, reinrag"):
        system("first-book")


def test_a_second_system_of_a_name_and_a_fact_that_is_none_are_refused() -> None:
    with STRATEGIES.scratch():
        strategy("rafe", what="another one")(FirstBook)
        with pytest.raises(ValueError, match="two systems 'rafe'"):
            all_systems()
    with STRATEGIES.scratch():
        strategy("new", what="misspelt", path="random1hop")(FirstBook)
        with pytest.raises(TypeError, match="path"):
            all_systems()


def test_a_row_that_names_what_is_not_registered_is_refused_with_the_names(container: Container) -> None:
    with STRATEGIES.scratch():
        strategy("lost", what="names a path retriever that is none", paths="nowhere")(FirstBook)
        with pytest.raises(NotFoundError, match="no path retriever 'nowhere'"):
            container.changed().pipeline("lost")


def test_the_table_names_only_what_is_registered() -> None:
    assert {row.strategy for row in SYSTEMS} <= set(STRATEGIES.names())
    assert {row.paths for row in SYSTEMS if row.paths} <= set(PATH_RETRIEVERS.names())
    assert {row.name for row in SYSTEMS if row.strategy == SOURCE_PLAN} <= set(PLANNERS.names())
