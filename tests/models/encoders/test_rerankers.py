"""Encoders and rerankers by name: tiny models made here, no weights from outside."""

import threading
from pathlib import Path

import numpy as np
import pytest

from backend.errors import MissingError
from models.encoders.encoders import make_encoder
from models.encoders.fair_lock import FairLock
from models.encoders.rerankers import CrossEncoderReranker, RankFusionReranker, make_reranker
from models.encoders.sentence_encoder import ARTICLE_FOLDER, QUERY_FOLDER, SentenceEncoder
from tests.conftest import WordEncoder

WORDS = ["heart", "failure", "kidney", "stone", "pain", "chest", "walking", "salt"]


def tiny(folder: Path, seed: int, labels: int = 0) -> Path:
    """A BERT of two layers and 16 dimensions with random weights; with labels, a classifier."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertModel, BertTokenizerFast

    folder.mkdir(parents=True)
    (folder / "vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]))
    BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=5 + len(WORDS),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        num_labels=labels or 2,
    )
    (BertForSequenceClassification(config) if labels else BertModel(config)).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def medcpt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("medcpt")
    tiny(folder / ARTICLE_FOLDER, 1)
    tiny(folder / QUERY_FOLDER, 2)
    return folder


def test_a_published_model_with_two_encoders_encodes_queries_by_the_other(medcpt: Path) -> None:
    encoder = make_encoder(f"medcpt:{medcpt}")
    passages, queries = encoder.encode(["heart failure"]), encoder.encode_queries(["heart failure"])
    assert encoder.dimension == 16
    assert np.linalg.norm(passages, axis=1) == pytest.approx([1.0], abs=1e-5)
    assert np.linalg.norm(queries, axis=1) == pytest.approx([1.0], abs=1e-5)
    assert not np.allclose(passages, queries, atol=0.05)


def test_the_first_token_is_pooled_where_the_card_says_so(medcpt: Path) -> None:
    import torch
    from transformers import AutoModel, AutoTokenizer

    encoder = make_encoder(f"sapbert:{medcpt / ARTICLE_FOLDER}")
    tokens = AutoTokenizer.from_pretrained(medcpt / ARTICLE_FOLDER)(["heart pain"], return_tensors="pt")
    with torch.inference_mode():
        first = AutoModel.from_pretrained(medcpt / ARTICLE_FOLDER)(**tokens).last_hidden_state[0, 0].numpy()
    # bfloat16, where the processor has it, keeps 8 bits: 1/256 of numbers up to 1
    assert encoder.encode(["heart pain"])[0] == pytest.approx(first / np.linalg.norm(first), abs=0.02)


def test_other_weights_have_another_name(medcpt: Path) -> None:
    one, other = (make_encoder(f"sapbert:{medcpt / part}") for part in (ARTICLE_FOLDER, QUERY_FOLDER))
    again = make_encoder(f"sapbert:{medcpt / ARTICLE_FOLDER}")
    assert one.name.startswith("sapbert-")
    assert one.name == again.name != other.name


def test_a_folder_and_one_model_for_both_encode_queries_as_passages(medcpt: Path) -> None:
    encoder = SentenceEncoder(str(medcpt / ARTICLE_FOLDER))
    assert encoder.name.startswith(ARTICLE_FOLDER + "-")
    assert np.array_equal(encoder.encode(["salt"]), encoder.encode_queries(["salt"]))


def test_a_model_that_is_not_there_says_what_may_be_set(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match=r"cannot be loaded.*'minilm'"):
        make_encoder(str(tmp_path / "nowhere"))
    with pytest.raises(MissingError, match=r"cannot be loaded.*'fusion'"):
        make_reranker(str(tmp_path / "nowhere"), WordEncoder())


def test_a_folder_that_holds_no_cross_encoder_says_what_it_lacks(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(MissingError, match=r"lacks config\.json, weights, a tokenizer"):
        make_reranker(str(tmp_path / "empty"), WordEncoder())
    with pytest.raises(MissingError, match="there is no such folder"):
        make_reranker(str(tmp_path / "nowhere"), WordEncoder())
    with pytest.raises(MissingError, match=r"tells of BertModel.*LEAPNOTE_ENCODER"):
        make_reranker(str(tiny(tmp_path / "encoder", 4)), WordEncoder())


def test_a_cross_encoder_gives_the_models_own_scores(tmp_path: Path) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = tiny(tmp_path / "cross", 3, labels=1)
    reranker = make_reranker(f"medcpt:{folder}", WordEncoder())
    assert isinstance(reranker, CrossEncoderReranker)
    assert reranker.name == "medcpt cross-encoder"
    passages = ["heart failure", "kidney stone", "walking"]
    pairs = AutoTokenizer.from_pretrained(folder)(["chest pain"] * 3, passages, return_tensors="pt", padding=True)
    with torch.inference_mode():
        wanted = AutoModelForSequenceClassification.from_pretrained(folder)(**pairs).logits[:, 0].tolist()
    assert reranker.scores("chest pain", passages).tolist() == pytest.approx(wanted, abs=1e-4)
    assert reranker.scores("chest pain", []).shape == (0,)


def test_rank_fusion_by_hand_and_says_that_it_ran() -> None:
    class Known(WordEncoder):
        """The cosine of the query with the three passages is 0.6, 1 and 0."""

        def encode(self, texts: object) -> np.ndarray:
            rows = {"heart": [1, 0], "heart stone": [0.6, 0.8], "stone": [1, 0], "heart heart": [0, 1]}
            return np.array([rows[text] for text in texts], dtype=np.float32)  # type: ignore[attr-defined]

    reranker = make_reranker("fusion", Known())
    assert isinstance(reranker, RankFusionReranker)
    assert reranker.name == "rank fusion of bm25 and words"
    # BM25 of "heart": 3rd passage (twice, shorter than none) 1st, 1st passage 2nd, 2nd passage none.
    # Cosine: 2nd passage 1st, 1st passage 2nd, 3rd passage 3rd.
    wanted = [1 / 62 + 1 / 62, 0 + 1 / 61, 1 / 61 + 1 / 63]
    assert reranker.scores("heart", ["heart stone", "stone", "heart heart"]).tolist() == pytest.approx(wanted)


def test_equal_passages_get_equal_scores() -> None:
    scores = RankFusionReranker(WordEncoder()).scores("heart", ["heart pain", "salt", "heart pain"])
    assert scores[0] == scores[2] > scores[1]


def test_turns_go_in_the_order_of_asking() -> None:
    turns, order, started = FairLock(), [], threading.Event()

    def busy() -> None:
        for _ in range(3):
            with turns:
                started.set()
                release.wait()
                order.append("import")

    def query() -> None:
        with turns:
            order.append("query")

    release = threading.Event()
    working, asking = threading.Thread(target=busy), threading.Thread(target=query)
    working.start()
    started.wait()
    asking.start()
    while not turns._waiting:  # the query has asked
        pass
    release.set()
    working.join()
    asking.join()
    assert order.index("query") == 1
