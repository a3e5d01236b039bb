"""Retrieval figures derived by hand; runs that go on; the published sets judged against imported documents."""

import json
import math
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from backend.errors import InputError, KnowledgeError, NotFoundError
from backend.evaluation.reports.failed_items import FailedStageError
from backend.evaluation.retrieval import COMPARED
from backend.evaluation.retrieval.finders import (
    KeptQueries,
    Place,
    SystemFinder,
    compared_system,
    search_finder,
)
from backend.evaluation.retrieval.retrieval_evaluation import RetrievalFound, RetrievalSettings, measured, run_retrieval
from backend.evaluation.retrieval.test_sets import (
    Half,
    RetrievalSet,
    Unit,
    bioasq_set,
    judged_set,
    medquad_set,
    pubmedqa_set,
)
from backend.schemas.drafts.draft import Draft, Generator, StageReport
from backend.schemas.drafts.note import Allergies, Note
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Source
from backend.stores.passages.passage_index import PassageRow

SET = RetrievalSet("tiny", {"1": "gout", "2": "fever"}, {"1": {"a": 2, "b": 1}, "2": {"c": 1}}, Unit.DOCUMENT, {})


class Fixed:
    """Finds what it was told, for each question."""

    encodes = False
    what = "told"

    def __init__(self, name: str, found: dict[str, Sequence[str]]) -> None:
        self.name = name
        self.asked: list[str] = []
        self._found = found

    def find(self, question: str, k: int) -> list[Place]:
        self.asked.append(question)
        if question not in self._found:
            raise KnowledgeError("nothing is loaded")
        return [Place(document, 0, 9) for document in self._found[question]][:k]


def run(folder: Path, *finders: Fixed, **settings: object) -> RetrievalFound:
    chosen = RetrievalSettings(depth=5, resamples=50, **settings)  # type: ignore[arg-type]
    return run_retrieval(
        SET, finders, KeptQueries(lambda texts: np.zeros((len(texts), 2))), chosen, folder / "rows", "key"
    )


def test_ndcg_mrr_and_recall_as_derived_by_hand() -> None:
    found = measured(SET.qrels, {"1": ["x", "a", "b"], "2": []}, ["1", "2"], 5)
    # query 1: gains 0, 2, 1 at ranks 1 to 3: 2/log2(3) + 1/log2(4); the best order: 2 + 1/log2(3)
    ndcg = (2 / math.log2(3) + 1 / 2) / (2 + 1 / math.log2(3))
    assert found["ndcg@10"].tolist() == pytest.approx([ndcg, 0.0])
    assert found["mrr"].tolist() == pytest.approx([0.5, 0.0])
    assert found["p@1"].tolist() == [0.0, 0.0]
    assert measured(SET.qrels, {"1": ["b", "x"]}, ["1"], 5)["p@1"].tolist() == [1.0]  # of whatever grade
    assert found["recall@1"].tolist() == [0.0, 0.0]
    assert found["recall@3"].tolist() == pytest.approx([1.0, 0.0])
    assert "recall@10" not in found  # only five were asked for


def test_where_wrong_answers_were_judged_too_lists_are_told_without_what_nobody_judged() -> None:
    # x was never judged for the question: with it the first is wrong, without it the list is b (0), a (2)
    graded = {"1": {"a": 2, "b": 0}}
    found = measured(graded, {"1": ["x", "b", "a"]}, ["1"], 5)
    assert (found["judged@1"].tolist(), found["p@1_judged"].tolist()) == ([0.0], [0.0])
    assert found["ndcg@10_judged"].tolist() == pytest.approx([1 / math.log2(3)])  # the 2 stands second of two
    assert measured(graded, {"1": ["x", "a"]}, ["1"], 5)["p@1_judged"].tolist() == [1.0]
    assert "judged@1" not in measured(SET.qrels, {"1": ["x", "a"]}, ["1"], 5)  # nothing wrong was judged


def test_a_passage_counts_as_the_judged_span_that_holds_it(tmp_path: Path) -> None:
    spans = RetrievalSet("s", {"1": "gout"}, {"1": {"page#0-50": 1, "page#52-90": 2}}, Unit.PASSAGE, {})
    places = [Place("page", 40, 60), Place("page", 10, 30), Place("page", 30, 50), Place("page", 52, 90)]

    class Cut(Fixed):
        def find(self, question: str, k: int) -> list[Place]:
            return places

    settings = RetrievalSettings(depth=5, resamples=50)
    queries = KeptQueries(lambda texts: np.zeros((len(texts), 2)))
    found = run_retrieval(spans, [Cut("cut", {})], queries, settings, tmp_path / "rows", "key")
    # the first lies in no span, the next two in the same one
    assert found.runs["cut"] == {"1": ["page#40-60", "page#0-50", "page#52-90"]}


def test_a_query_that_a_run_leaves_out_is_no_zero() -> None:
    found = measured(SET.qrels, {"1": ["a"]}, ["1", "2"], 5)
    assert found["mrr"][0] == 1.0
    assert math.isnan(found["mrr"][1])


def test_finders_are_compared_on_the_same_questions(tmp_path: Path) -> None:
    good = Fixed("good", {"gout": ["a", "b"], "fever": ["c"]})
    poor = Fixed("poor", {"gout": ["x", "a"], "fever": ["x", "c"]})
    found = run(tmp_path, good, poor)
    by = {(figure.system, figure.measure): figure.value for figure in found.figures}
    assert (by["good", "mrr"], by["poor", "mrr"]) == (1.0, 0.5)
    assert by["good", "ms_p50"] is not None
    (gap,) = [one for one in found.differences if one.measure == "mrr"]
    assert (gap.system, gap.baseline, gap.value) == ("good", "poor", 0.5)
    assert found.runs["poor"] == {"1": ["x", "a"], "2": ["x", "c"]}


def test_finders_that_find_the_same_are_marked_and_a_varied_one_is_compared_with_itself(tmp_path: Path) -> None:
    right, wrong = {"gout": ["a", "b"], "fever": ["c"]}, {"gout": ["x", "a"], "fever": ["x", "c"]}
    named = {"spo": right, "plain": right, "spo@passages=4": wrong, "spo@passages=8": right}
    found = run(tmp_path, *(Fixed(name, places) for name, places in named.items()))
    gaps = {(one.system, one.baseline): one for one in found.differences if one.measure == "mrr"}
    assert gaps["spo@passages=4", "spo"].value == -0.5
    for pair in (("spo", "plain"), ("spo@passages=8", "spo")):
        assert (gaps[pair].value, gaps[pair].reason) == (None, "the same was found: nothing to compare")
    assert len(gaps) == 3
    assert found.captions == (
        "spo, plain, spo@passages=8 found the same, in the same order: between them nothing is compared.",
    )


def test_a_killed_run_goes_on_after_its_last_whole_question(tmp_path: Path) -> None:
    class Killed(Fixed):
        def find(self, question: str, k: int) -> list[Place]:
            if question == "fever":
                raise KeyboardInterrupt
            return super().find(question, k)

    found = {"gout": ["a"], "fever": ["c"]}
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, Killed("f", found))
    again = Fixed("f", found)
    assert run(tmp_path, again).runs["f"] == {"1": ["a"], "2": ["c"]}
    assert again.asked == ["fever"]


def test_a_question_that_fails_is_left_out_and_told(tmp_path: Path) -> None:
    found = run(tmp_path, Fixed("half", {"gout": ["a"]}), Fixed("whole", {"gout": ["a"], "fever": ["x"]}))
    assert [(one.name, one.reason) for one in found.not_available] == [
        ("half", "1 of 2 questions failed (1 KnowledgeError); they are left out")
    ]
    (mrr,) = [one for one in found.figures if (one.system, one.measure) == ("half", "mrr")]
    assert (mrr.value, mrr.n) == (1.0, 1)


def test_names_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="name of its own"):
        run(tmp_path, Fixed("a", {}), Fixed("a", {}))
    with pytest.raises(InputError, match="baseline"):
        run(tmp_path, Fixed("a", {}), baseline="b")


def test_a_question_is_encoded_once_for_all_finders() -> None:
    asked: list[str] = []

    def encode(texts: Sequence[str]) -> np.ndarray:
        asked.extend(texts)
        return np.ones((len(texts), 2))

    kept = KeptQueries(encode)
    kept.ready("gout")
    assert kept(["gout"]).shape == (1, 2)
    kept(["gout"])
    assert asked == ["gout"]


def test_a_weighted_sum_is_named_by_its_weight() -> None:
    with pytest.raises(InputError, match="names no weight"):
        search_finder("weighted-much", lambda shares: None, [Source.WIKI])  # type: ignore[arg-type,return-value]
    assert search_finder("leapnote", lambda shares: None, [Source.WIKI]) is None  # type: ignore[arg-type,return-value]


def test_a_name_that_is_none_is_answered_with_all_that_can_be_compared() -> None:
    assert compared_system("leapnote").name == "leapnote"
    assert search_finder("cosine-alone", lambda shares: None, [Source.WIKI]) is None  # type: ignore[arg-type,return-value]
    with pytest.raises(NotFoundError) as error:
        compared_system("cosine-alone")
    for part in ("'cosine-alone'", COMPARED, "Rankers: leapnote, weighted, rank-fusion", "Systems: leapnote, reinrag"):
        assert part in str(error.value)


def row(document: str, text: str, start: int) -> PassageRow:
    return PassageRow("k", Source.WIKI, document, "t", text, start, start + len(text))


def test_medquad_judges_the_passages_of_a_questions_own_answer(tmp_path: Path) -> None:
    page = (
        '<Document id="1" source="GARD"><Focus>Gout</Focus><QAPairs>'
        '<QAPair><Question qtype="information">What is gout ?</Question><Answer>A disease.</Answer></QAPair>'
        '<QAPair><Question qtype="treatment">Treatment ?</Question><Answer>Rest it.</Answer></QAPair>'
        "</QAPairs></Document>"
    )
    with zipfile.ZipFile(tmp_path / "m.zip", "w") as archive:
        archive.writestr("M/2_GARD_QA/0000001.xml", page)
        archive.writestr("M/2_GARD_QA/0000002.xml", page)
    # "A disease." is 0 to 10; after a blank line "Rest it." is 12 to 20
    held = {
        "medquad/GARD/0000001": [
            row("medquad/GARD/0000001", "A disease.", 0),
            row("medquad/GARD/0000001", "Rest it.", 12),
        ]
    }
    found = medquad_set(tmp_path / "m.zip", lambda document: held.get(document, []))
    assert found.queries == {"GARD/0000001/1": "What is gout ?", "GARD/0000001/2": "Treatment ?"}
    assert found.qrels["GARD/0000001/2"] == {"medquad/GARD/0000001#12-20": 1}
    assert found.left_out == {"nothing of what is relevant is in the imported collections": 2}
    assert set(found.topics.values()) == {"Gout"}
    # one topic: both questions lie in the same half
    assert sorted(len(found.half(half).queries) for half in Half) == [0, 2]


def test_bioasq_judges_the_passages_that_hold_a_snippet(tmp_path: Path) -> None:
    snippets = [
        {"document": "http://x/pubmed/7", "text": "Gout hurts."},
        {"document": "http://x/pubmed/8", "text": "No."},
    ]
    (tmp_path / "b.json").write_text(json.dumps({"questions": [{"id": "q", "body": "Hurts?", "snippets": snippets}]}))
    held = {"pubmed/7": [row("pubmed/7", "Gout hurts. Much.", 0), row("pubmed/7", "Other.", 30)]}
    found = bioasq_set(tmp_path / "b.json", lambda document: held.get(document, []))
    assert found.qrels == {"q": {"pubmed/7#0-17": 1}}


def test_pubmedqa_judges_the_questions_own_abstract(tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text(json.dumps({"7": {"QUESTION": "Does it?"}, "8": {"QUESTION": "And this?"}}))
    found = pubmedqa_set(
        tmp_path / "p.json", lambda document: [row(document, "x", 0)] if document == "pubmed/7" else []
    )
    assert (found.qrels, found.unit) == ({"7": {"pubmed/7": 1}}, Unit.DOCUMENT)
    with pytest.raises(InputError, match="knowledge add pubmedqa"):
        pubmedqa_set(tmp_path / "p.json", lambda document: [])


def test_queries_with_judgements_tell_by_the_ids_what_is_judged(tmp_path: Path) -> None:
    (tmp_path / "q.tsv").write_text("1\tgout\n2\tfever\n")
    (tmp_path / "d.txt").write_text("1 0 a 2\n2 0 b 0\n")
    found = judged_set(tmp_path / "q.tsv", tmp_path / "d.txt")
    assert (found.unit, list(found.queries)) == (Unit.DOCUMENT, ["1"])
    assert found.left_out == {"no document is judged relevant": 1}
    (tmp_path / "p.txt").write_text("1 0 a#0-5 1\n")
    assert judged_set(tmp_path / "q.tsv", tmp_path / "p.txt").unit == Unit.PASSAGE
    (tmp_path / "n.txt").write_text("9 0 a 1\n")
    with pytest.raises(InputError, match="query ids agree"):
        judged_set(tmp_path / "q.tsv", tmp_path / "n.txt")


def test_a_defect_on_one_question_is_left_out_and_told_with_its_stage(tmp_path: Path) -> None:
    class Broken(Fixed):
        def find(self, question: str, k: int) -> list[Place]:
            if question == "fever":
                raise IndexError(question)
            return super().find(question, k)

    found = run(tmp_path, Broken("half", {"gout": ["a"]}))
    assert [one.reason for one in found.not_available] == [
        "1 of 2 questions failed (1 find, IndexError); they are left out"
    ]
    (mrr,) = [one for one in found.figures if one.measure == "mrr"]
    assert (mrr.value, mrr.n) == (1.0, 1)


class OneDraft:
    """A pipeline that gives one draft."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft

    def run_evidence(self, request: DraftRequest) -> Draft:
        return self._draft


def test_what_a_pipeline_found_with_a_failed_stage_counts_for_nothing() -> None:
    ran = StageReport(name="link", reason="1 mention", ms=1.0)
    failed = StageReport(name="link", reason="failed: link, IndexError", ms=1.0, failed="IndexError")
    empty = Draft(
        id="1",
        document="clinical_answer",
        system="leapnote",
        status="partial",
        seed=0,
        generator=Generator(name="composer", reason=""),
        note=Note(text="gout"),
        allergies=Allergies(status="not_stated"),
        stages=(ran,),
    )
    forgot: list[str] = []
    varied = SystemFinder("leapnote", "", OneDraft(empty), 0, "@passages=4", lambda: forgot.append("all"))
    assert (varied.name, varied.find("gout", 5)) == ("leapnote@passages=4", [])
    assert forgot == ["all"]  # before the search, so that it costs what it costs alone
    broken = OneDraft(empty.model_copy(update={"stages": (failed,)}))
    with pytest.raises(FailedStageError, match="link, IndexError"):
        SystemFinder("leapnote", "", broken, 0).find("gout", 5)
