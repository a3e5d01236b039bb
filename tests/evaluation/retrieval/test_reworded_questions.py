"""The sets of questions asked in other words: whole, readable by the command, and apart from one another."""

import re
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from backend.evaluation.retrieval.qrels import read_qrels, read_queries
from backend.evaluation.retrieval.test_sets import Unit, judged_set

HERE = Path(__file__).parent
SETS = {1: ("", 72), 2: ("_2", 100), 3: ("_3", 80), 4: ("_4", 260)}
PASSAGE = re.compile(r"(medquad/[A-Za-z]+/[0-9A-Za-z_]+)#(\d+)-(\d+)")


def _files(number: int) -> tuple[Path, Path]:
    suffix = SETS[number][0]
    return HERE / f"reworded_questions{suffix}.tsv", HERE / f"reworded_qrels{suffix}.txt"


def _documents(number: int) -> set[str]:
    return {one.split("#")[0] for row in read_qrels(_files(number)[1]).values() for one in row}


@pytest.mark.parametrize("number", SETS)
def test_every_question_is_judged_and_every_judgement_has_its_question(number: int) -> None:
    questions, qrels = _files(number)
    lines = questions.read_text(encoding="utf-8").splitlines()
    texts = read_queries(questions)
    assert len(lines) == len(texts) == len(set(texts.values())) == SETS[number][1]
    assert set(texts) == set(read_qrels(qrels))
    found = judged_set(questions, qrels)
    assert (found.unit, found.left_out) == (Unit.PASSAGE, {})


@pytest.mark.parametrize("number", SETS)
def test_a_question_is_judged_by_whole_passages_of_one_document(number: int) -> None:
    for key, row in read_qrels(_files(number)[1]).items():
        assert set(row.values()) == {1}, key
        found = [PASSAGE.fullmatch(one) for one in row]
        assert all(found), key
        assert len({match[1] for match in found if match}) == 1, key
        spans = sorted((int(match[2]), int(match[3])) for match in found if match)
        assert all(start < end <= start + 1000 for start, end in spans), key
        assert all(end <= start for (_, end), (start, _) in pairwise(spans)), key


@pytest.mark.parametrize("number", SETS)
def test_each_question_of_a_set_has_a_document_of_its_own(number: int) -> None:
    assert len(_documents(number)) == SETS[number][1]


@pytest.mark.parametrize(("one", "other"), combinations(SETS, 2))
def test_no_document_and_no_question_is_in_two_sets(one: int, other: int) -> None:
    assert not _documents(one) & _documents(other)
    texts = [read_queries(_files(number)[0]) for number in (one, other)]
    assert not set(texts[0]) & set(texts[1])
    assert not set(texts[0].values()) & set(texts[1].values())
