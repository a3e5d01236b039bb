"""Graded judgements from file to figure: pages imported, questions asked, gains as the grades say."""

import json
import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from backend.container import Container
from backend.evaluation.reports.evaluation_run import RunOptions
from backend.evaluation.retrieval.qrels import read_qrels, read_run
from backend.evaluation.retrieval.retrieval_run import RetrievalOptions, evaluate_retrieval
from backend.ingest.documents.import_task import ImportTask
from backend.ingest.documents.importing import ImportJob
from backend.schemas.vocabulary import Source

ROWS = [
    line.split("\t")
    for line in (Path(__file__).parent / "graded_corpus.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
ASKED = [row for row in ROWS if row[0] == "ask"]


@pytest.fixture
def keeping(container: Container, tmp_path: Path) -> Iterator[Container]:
    """A container whose wiki holds the twelve pages."""
    own = Container(container.settings.model_copy(update={"data": tmp_path / "data"}), "a test", beside=container)
    path = tmp_path / "pages.jsonl"
    pages = [{"id": row[1], "title": row[2], "content": row[3]} for row in ROWS if row[0] == "page"]
    path.write_text("\n".join(map(json.dumps, pages)))
    ImportJob(ImportTask("jsonl", Source.WIKI, path, "graded"), own.sources.stored, own.encoder).run()
    yield own
    own.sources.close()


def ndcg(ranked: list[str], grades: dict[str, int], depth: int = 10) -> float:
    """Sum of grade / log2(rank + 1), over that of the best order (Järvelin and Kekäläinen 2002, as trec_eval has it)."""

    def gain(found: list[int]) -> float:
        return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(found[:depth], start=1))

    return gain([grades.get(name, 0) for name in ranked]) / gain(sorted(grades.values(), reverse=True))


def test_grades_are_gains_from_the_file_to_the_figure(keeping: Container, tmp_path: Path) -> None:
    queries, qrels = tmp_path / "queries.tsv", tmp_path / "qrels.txt"
    queries.write_text("".join(f"{name}\t{text}\n" for _, name, text, *_ in ASKED))
    graded = {row[1]: {g.split()[0]: int(g.split()[1]) for g in row[3:]} for row in ASKED}
    qrels.write_text("".join(f"{q} 0 {page} {g}\n" for q, held in graded.items() for page, g in held.items()))
    run = RunOptions(tmp_path / "results", "2031-01-01", resamples=50)
    result, folder = evaluate_retrieval(keeping, RetrievalOptions("queries", queries, run, qrels=qrels))
    assert read_qrels(folder / "qrels.txt") == graded
    for name in ("bm25", "cosine", "hybrid"):
        ranked = read_run(folder / "runs" / f"{name}.run")
        by_hand = [ndcg(ranked[q], graded[q]) for q in graded]
        (figure,) = [f for f in result.figures if f.system == name and f.measure == "ndcg@10"]
        assert figure.value == pytest.approx(sum(by_hand) / len(by_hand), abs=1e-4)
        assert figure.n == len(graded)
    # a grade of 3 must weigh more than one of 1: turned grades give other figures
    turned = {q: {page: 4 - g if g else 0 for page, g in held.items()} for q, held in graded.items()}
    hybrid = read_run(folder / "runs" / "hybrid.run")
    assert sum(ndcg(hybrid[q], turned[q]) for q in turned) < sum(ndcg(hybrid[q], graded[q]) for q in graded)
