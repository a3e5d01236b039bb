"""SPO's data: exploration, what a query is worth by each signal, plans, pairs, and the analyses of the paper."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backend.errors import EngineError, InputError, MissingError
from backend.interfaces import NoteContext
from backend.planning.model_plan import WordedPlan, ask_plan
from backend.planning.prompting import PromptingPlanner
from backend.planning.reflexion import ReflexionPlanner
from backend.planning.source_plan import PlannerParts, source_choice
from backend.prompts.asking import Asker
from backend.prompts.task import task_text
from backend.prompts.verdicts import first_half
from backend.retrieval.passages.source_search import IndexedSearch, InMemory
from backend.schemas.chat import Message
from backend.schemas.drafts.note import Allergies, LinkedNote, Note
from backend.schemas.vocabulary import AllergyStatus, Source
from backend.stores.passages.passage_index import PassageRow
from backend.training.plans.plan_exploration import explore
from backend.training.plans.plan_pairs import ValuedQuery, plan_of, plan_pair, plan_prompt, plan_reply
from backend.training.plans.plan_search import PlanSearch
from backend.training.plans.plan_values import (
    AnswerValuer,
    JudgeValuer,
    RerankValuer,
    Signal,
    rouge_l,
    valuer,
)
from backend.training.plans.plans_training_run import PlanDataSettings, build_plans
from backend.training.questions import Question
from backend.training.thoughts.thought_pairs import AskedQuestion
from backend.training.watched_model import WatchedModel
from models.llm.engine_scripted import Dead, Scripted

QUESTION = Question(id="q1", question="What treats gout?", options=("colchicine", "insulin"), answer="colchicine")
OPEN = Question(id="q2", question="What treats gout?", answer="colchicine or a steroid")
TWO = (Source.BOOK, Source.GRAPH)


def asked(*replies: str, question: Question = QUESTION) -> tuple[AskedQuestion, Scripted]:
    model = Scripted(*replies)
    return AskedQuestion.of(question, WatchedModel(model), 0), model


def test_exploration_asks_for_six_queries_a_source_and_keeps_those_that_differ() -> None:
    queries = {
        "book": ["gout", "gout", " ", *(f"query {i}" for i in range(9))],
        "wiki": ["not asked for"],
        "graph": [{"term": "gout", "query": "treatment"}, {"term": "uric acid"}],
    }
    at_work, model = asked(json.dumps(queries).replace('" "', '"gout"'))
    found = explore(at_work, TWO)
    assert found == {
        Source.BOOK: ("gout", "query 0", "query 1", "query 2", "query 3", "query 4"),
        Source.GRAPH: ("gout , treatment", "uric acid"),
    }
    assert "Write 6 queries" in model.said and "guideline:" not in model.said


def test_an_exploration_twice_out_of_form_finds_nothing_and_a_dead_server_stops() -> None:
    assert explore(asked("no json")[0], TWO) == {}
    dead = AskedQuestion.of(QUESTION, WatchedModel(Dead("")), 0)
    with pytest.raises(EngineError):
        explore(dead, TWO)


@pytest.mark.parametrize(("count", "read"), [(0, 0), (1, 1), (2, 1), (5, 3), (10, 5)])
def test_the_first_half_of_what_was_found_is_judged(count: int, read: int) -> None:
    assert list(first_half([str(i) for i in range(count)])) == [str(i) for i in range(read)]


def test_the_judge_is_asked_whether_the_documents_support_the_known_answer() -> None:
    at_work, model = asked('{"reason": "it says so", "supports": true}')
    assert JudgeValuer().value(at_work, Source.BOOK, ["colchicine treats gout"]) == (1.0, True)
    assert "colchicine treats gout" in model.said and "KNOWN ANSWER>>\ncolchicine\n" in model.said
    assert JudgeValuer().value(asked('{"supports": false}')[0], Source.BOOK, ["x"]) == (0.0, False)
    # a reply out of form is no judgement
    assert JudgeValuer().value(asked("maybe")[0], Source.BOOK, ["x"]) == (None, False)


def option(letter: str) -> str:
    return json.dumps({"reasoning": "so", "letter": letter})


@pytest.mark.parametrize(("without", "with_", "gain"), [("B", "A", 1.0), ("A", "A", 0.0), ("A", "B", -1.0)])
def test_trainable_planning_values_the_readers_gain_in_accuracy(without: str, with_: str, gain: float) -> None:
    at_work, model = asked(option(without), option(with_))
    assert AnswerValuer().value(at_work, Source.BOOK, ["a text"]) == (gain, gain > 0)
    assert "a text" not in model.calls[0][1].content and "a text" in model.calls[1][1].content


def test_what_the_reader_says_without_documents_is_asked_once() -> None:
    at_work, model = asked(option("B"), option("A"), option("B"))
    by_gain = AnswerValuer()
    assert [by_gain.value(at_work, Source.BOOK, [text]).value for text in ("a", "b")] == [1.0, 0.0]
    assert len(model.calls) == 3


def test_an_open_answers_gain_is_in_rouge_l() -> None:
    # gold: 4 words. "a steroid": 2 of its 2 words in order, recall 2/4, F1 = 2 * 1 * 0.5 / 1.5 = 2/3. "insulin": 0
    assert rouge_l(OPEN.answer, "a steroid") == pytest.approx(2 / 3)
    at_work, _ = asked("insulin", "a steroid", question=OPEN)
    value, positive = AnswerValuer().value(at_work, Source.BOOK, ["a text"])
    assert value == pytest.approx(2 / 3) and positive


class Ranker:
    name = "ranker"

    def scores(self, query: str, passages: Sequence[str]) -> np.ndarray:
        assert query == QUESTION.question
        return np.array([float(text) for text in passages], dtype=np.float32)


def test_rafe_takes_the_mean_rerank_score_over_a_threshold() -> None:
    at_work, model = asked("")
    by_rank = RerankValuer(Ranker())
    assert by_rank.value(at_work, Source.BOOK, ["2", "3"]) == (2.5, True)
    assert by_rank.value(at_work, Source.BOOK, ["2", "2.5"]) == (2.25, False)  # 2.3 is the paper's threshold
    assert model.calls == []
    with pytest.raises(MissingError, match="LEAPNOTE_RERANKER"):
        valuer(Signal.RERANK)
    assert [signal.planner for signal in Signal] == ["spo", "trainable-planning", "rafe"]


def query(source: Source, text: str, positive: bool, value: float | None = 1.0) -> ValuedQuery:
    return ValuedQuery(source, text, 1, value, positive)


def test_a_plan_takes_at_most_three_random_queries_a_source_and_leaves_the_others_empty() -> None:
    queries = [query(Source.BOOK, f"b{i}", True) for i in range(6)] + [query(Source.WIKI, "w", False)]
    plans = [plan_of(queries, True, str(i), 0) for i in range(20)]
    assert all(plan is not None and set(plan) == {Source.BOOK} for plan in plans)
    kept = [plan[Source.BOOK] for plan in plans if plan]
    assert {len(set(texts)) for texts in kept} == {3} and len(set(kept)) > 1  # drawn anew for each question
    assert plan_of(queries, True, "1", 0) == plans[1]
    assert plan_of(queries, False, "1", 0) == {Source.WIKI: ("w",)}


def test_a_query_that_could_not_be_valued_is_in_neither_plan() -> None:
    queries = [query(Source.BOOK, "b", False, None)]
    assert plan_of(queries, True, "1", 0) is None and plan_of(queries, False, "1", 0) is None


def test_the_prompt_that_is_learned_is_the_one_the_planner_asks() -> None:
    for sources in (tuple(Source), (Source.BOOK, Source.WIKI)):
        model = Scripted("{}")
        ask_plan(Asker(model, 0, QUESTION.fence), task_text(QUESTION.request(0)), sources)
        assert model.calls[0] == plan_prompt(QUESTION, sources)


def test_the_running_planner_names_the_sources_that_training_named() -> None:
    """Three sources hold something, one of them is dropped: both prompts name the same two and no other."""
    model = Scripted("{}")
    parts = PlannerParts(
        "spo",
        frozenset({Source.BOOK, Source.WIKI, Source.GRAPH}),
        model,
        source_choice(dropped=("graph",)),
        "spo",
        QUESTION.fence,
    )
    nothing = LinkedNote(note=Note(text=""), allergies=Allergies(status=AllergyStatus.NOT_STATED))
    for planner in (PromptingPlanner(parts, True), ReflexionPlanner(parts, rounds=1)):
        planner.plan(NoteContext(nothing, (), (), QUESTION.request(0)), lambda queries: ())
    assert parts.sources == (Source.BOOK, Source.WIKI)
    learned = plan_prompt(QUESTION, parts.sources)
    assert [call for call in model.calls if call[0].content.startswith("You prepare")] == [learned, learned]
    assert "these keys: book, wiki." in learned[0].content
    assert not any(name in learned[0].content for name in ("guideline", "research", "graph", "term"))
    schemas: list[Any] = list(model.schemas)
    forms = [schema["properties"] for schema in schemas if "book" in schema["properties"]]
    assert [set(form) for form in forms] == [{"book", "wiki"}] * 2


def test_without_a_source_nobody_is_asked_for_a_plan() -> None:
    model = Scripted("{}")
    nothing = LinkedNote(note=Note(text=""), allergies=Allergies(status=AllergyStatus.NOT_STATED))
    for planner in (
        PromptingPlanner(PlannerParts("prompting", frozenset(), model)),
        ReflexionPlanner(PlannerParts("prompting", frozenset(), model)),
    ):
        plan, reason, fallbacks = planner.plan(NoteContext(nothing, (), (), QUESTION.request(0)), lambda queries: ())
        assert all(query.skipped for query in plan.sub_queries) and "no source" in reason and fallbacks == ()
    assert model.calls == []


def test_the_plan_that_is_learned_is_one_the_planner_can_read() -> None:
    plan = {Source.BOOK: ("gout", "gout treatment"), Source.GRAPH: ("gout , treatment", "uric acid")}
    pair = plan_pair(QUESTION, plan, {Source.WIKI: ("rest",)}, tuple(Source))
    read = WordedPlan.model_validate_json(pair.chosen).queries()
    assert {source: texts for source, texts in read.items() if texts} == plan
    assert list(json.loads(plan_reply(plan, (Source.GRAPH,)))) == ["graph"]


class Library:
    """Book and wiki. A query finds itself, twice; `nothing` finds nothing."""

    def filled(self) -> frozenset[Source]:
        return frozenset({Source.BOOK, Source.WIKI})

    def documents(self, source: Source, query: str) -> Sequence[str]:
        return [] if query == "nothing" else [f"{source.value}: {query}", "unread"]


class Expert(Scripted):
    """Words three queries a source; the judge finds support wherever a book says yes."""

    def __init__(self, book: Sequence[str] = ("yes", "no", "nothing"), wiki: Sequence[str] = ("no",)) -> None:
        def reply(messages: Sequence[Message]) -> str:
            if "try out a literature search" in messages[0].content:
                return json.dumps({"book": list(book), "wiki": list(wiki)})
            return json.dumps({"supports": "book: yes" in messages[1].content})

        super().__init__(answer=reply)


class Rows:
    def __init__(self) -> None:
        self.rows: dict[str, dict[str, Any]] = {}

    def add(self, item: str, row: Mapping[str, Any]) -> None:
        self.rows[item] = dict(row)


def silent(done: int, total: int, what: str) -> None: ...


def built(folder: Path, model: Scripted, ledger: Rows, **chosen: Any) -> tuple[Any, list[Any], list[Any]]:
    settings = PlanDataSettings(**chosen)
    made = build_plans([QUESTION, OPEN], model, Library(), JudgeValuer(), settings, ledger, folder, silent)
    read = (
        [json.loads(line) for line in (folder / name).read_text().splitlines()] for name in ("sft.jsonl", "dpo.jsonl")
    )
    return made, *read


def test_positive_plans_are_learned_and_paired_with_negative_ones(tmp_path: Path) -> None:
    made, sft, dpo = built(tmp_path, Expert(), Rows())
    assert (made.sft, made.dpo) == (2, 2)
    assert made.queries == {"book": 6, "wiki": 2} and made.positive == {"book": 2, "wiki": 0}
    assert json.loads(sft[0]["completion"][0]["content"]) == {"book": ["yes"], "wiki": []}
    assert json.loads(dpo[0]["rejected"][0]["content"]) == {"book": ["no", "nothing"], "wiki": ["no"]}


def test_a_query_that_finds_nothing_is_never_asked_about(tmp_path: Path) -> None:
    model = Expert()
    built(tmp_path, model, Rows())
    judged = [call[1].content for call in model.calls if "support that answer" in call[0].content]
    assert len(judged) == 6 and not any("nothing" in text or "unread" in text for text in judged)


def test_a_question_without_a_positive_query_is_dropped_and_without_a_negative_one_unpaired(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="positive plan"):
        built(tmp_path / "a", Expert(book=["no"]), Rows())
    made, _, dpo = built(tmp_path / "b", Expert(book=["yes"], wiki=[]), Rows())
    assert (made.sft, made.dpo, dpo) == (2, 0, [])


def test_the_analyses_use_the_same_rows_again(tmp_path: Path) -> None:
    ledger = Rows()
    built(tmp_path / "all", Expert(), ledger)
    silent_model = Expert()
    _, sft, dpo = built(tmp_path / "negative", silent_model, ledger, negative_alone=True)
    assert json.loads(sft[0]["completion"][0]["content"])["wiki"] == ["no"] and dpo == []
    made, sft, _ = built(tmp_path / "left", silent_model, ledger, left_out=frozenset({Source.WIKI}))
    assert json.loads(sft[0]["completion"][0]["content"]) == {"book": ["yes"]}
    assert "- wiki:" not in sft[0]["prompt"][0]["content"] and made.queries == {"book": 6}
    assert silent_model.calls == []
    with pytest.raises(InputError, match="No source is left"):
        built(tmp_path / "none", silent_model, ledger, left_out=frozenset(Source))


def test_a_planned_query_is_searched_as_the_plan_would_be() -> None:

    class NoLinker:
        def link(self, text: str) -> LinkedNote:
            return LinkedNote(note=Note(text=text), allergies=Allergies(status=AllergyStatus.NOT_STATED))

    texts = ("gout is treated with colchicine", "rest")
    rows = [PassageRow(str(i), Source.BOOK, str(i), "page", t, 0, len(t)) for i, t in enumerate(texts)]
    held = InMemory(rows, np.eye(2, dtype=np.float32))
    search = PlanSearch(IndexedSearch({Source.BOOK: held}, lambda q: np.eye(2, dtype=np.float32)[:1]), NoLinker())
    assert search.filled() == {Source.BOOK}
    assert search.documents(Source.BOOK, "gout colchicine")[0] == "page. gout is treated with colchicine"
    assert list(search.documents(Source.GRAPH, "gout , treatment")) == []
