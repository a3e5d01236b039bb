"""The rankings that are compared, by hand; and the comparison on public data."""

import io
import math
import zipfile
from pathlib import Path

import numpy as np
import pytest

from backend.bench.measuring import data_folder
from backend.bench.search.fusion_choice import ndcg, reciprocal, weighted
from backend.bench.search.medquad_sample import read_sample
from backend.errors import MissingError

PAGE = """<Document><Focus>Gout</Focus><QAPairs>
<QAPair><Question>What is gout?</Question><Answer>Gout is a disease of the joints.</Answer></QAPair>
<QAPair><Question>Left out?</Question><Answer></Answer></QAPair>
<QAPair><Question>Who gets  gout?</Question><Answer>Mostly men.</Answer></QAPair>
</QAPairs></Document>"""


def test_ndcg_by_hand() -> None:
    # relevant at ranks 1 and 3 of three relevant: (1 + 1/2) / (1 + 1/log2(3) + 1/2)
    assert ndcg([7, 1, 8], frozenset({7, 8, 9})) == pytest.approx(1.5 / (1.5 + 1 / math.log2(3)))
    assert ndcg([7], frozenset({7})) == 1.0
    assert ndcg([1], frozenset({7})) == 0.0
    assert ndcg([1], frozenset()) == 0.0


def test_reciprocal_rank_fusion_prefers_what_both_rankings_have() -> None:
    # row 2: 1/62 + 1/61; row 1: 1/61; row 3: 1/62
    assert reciprocal([[1, 2], [2, 3]]) == [2, 1, 3]


def test_the_weighted_sum_takes_bm25_as_a_share_of_its_best() -> None:
    cosine = np.array([0.1, 0.5, 0.2], dtype=np.float32)
    # row 0: 0.3 * 1 + 0.7 * 0.1 = 0.37; row 1: 0.35; row 2: 0.3 * 0.5 + 0.14 = 0.29
    assert weighted([(0, 8.0), (2, 4.0)], cosine, 0.3, 0.7) == [0, 1, 2]


def _archive(folder: Path) -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as pages:
        pages.writestr("MedQuAD-master/1/a.xml", PAGE)
    (folder / "medquad").mkdir()
    (folder / "medquad" / "MedQuAD-master.zip").write_bytes(held.getvalue())


def test_a_question_without_an_answer_is_left_out_and_titles_are_topics(tmp_path: Path) -> None:
    _archive(tmp_path)
    sample = read_sample(tmp_path, 10)
    assert sample.questions == ["What is gout?", "Who gets gout?"]
    assert sample.titles == ["Gout", "Gout"]
    assert sample.answers == [frozenset({0}), frozenset({1})]


def test_without_the_data_it_says_where_it_should_be(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="LEAPNOTE_TEST_DATA"):
        read_sample(tmp_path, 10)


@pytest.mark.data
def test_the_sample_of_medquad_is_the_same_twice() -> None:
    if not (data_folder() / "medquad").is_dir():
        pytest.skip("MedQuAD is not there (LEAPNOTE_TEST_DATA)")
    first, second = read_sample(data_folder(), 200), read_sample(data_folder(), 200)
    assert first == second
    assert 200 <= len(first.texts) < 300
