"""LEAPNOTE_RERANKER names a folder: leapnote's question is ordered by the cross-encoder in it."""

from pathlib import Path

import pytest

from backend.container import Container
from backend.errors import MissingError
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Document
from backend.settings import Settings
from tests.models.encoders.test_rerankers import tiny

QUESTION = DraftRequest(question="What helps with gout pain?", document=Document.CLINICAL_ANSWER)


def test_the_question_s_passages_bear_the_cross_encoder_s_scores_in_order(
    test_settings: Settings, tmp_path: Path
) -> None:
    folder = tiny(tmp_path / "cross", 3, labels=1)
    with_it = Container(test_settings.model_copy(update={"reranker": str(folder), "rerank_depth": 20}))
    passages = with_it.pipeline("leapnote", "composer").run_evidence(QUESTION).evidence.passages
    first = [passage.scores["rerank"] for passage in passages[:10]]
    assert first == sorted(first, reverse=True)
    assert sum("rerank" in passage.scores for passage in passages) <= 20


def test_a_wrong_folder_is_told_before_anything_is_drafted(test_settings: Settings, tmp_path: Path) -> None:
    without = Container(test_settings.model_copy(update={"reranker": str(tmp_path)}))
    with pytest.raises(MissingError, match=r"lacks config\.json"):
        without.pipeline("leapnote", "composer")
