"""Orders passages for a query: a cross-encoder by name, or rank fusion of BM25 and cosine without one.

`fusion` needs no further model. `medcpt` is MedCPT's cross-encoder; anything else is a folder or a hub name of a
cross-encoder. `name` says which one ran, for the draft's stages and the evaluation's tables.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from backend.errors import MissingError
from backend.interfaces import Encoder
from backend.stores.passages.bm25 import Bm25Index
from models.encoders.fair_lock import FairLock

PUBLISHED = {"medcpt": "ncbi/MedCPT-Cross-Encoder"}
LONGEST = 512  # tokens of query and passage together
WEIGHTS = ("model.safetensors", "model.safetensors.index.json", "pytorch_model.bin", "pytorch_model.bin.index.json")
TOKENIZERS = ("tokenizer.json", "vocab.txt", "spiece.model", "sentencepiece.bpe.model", "vocab.json")
RRF_K = 60  # Cormack, Clarke and Büttcher 2009


class RankFusionReranker:
    """Reciprocal rank fusion of BM25 and cosine over the candidates themselves: 1 / (60 + rank) of each, summed.

    A passage that shares no word with the query gets nothing from BM25. Scores lie between 0 and 2 / 61.
    """

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self.name = f"rank fusion of bm25 and {encoder.name}"

    def scores(self, query: str, passages: Sequence[str]) -> np.ndarray:
        """(len(passages),) float32; higher fits better; comparable within one query only."""
        if not passages:
            return np.zeros(0, dtype=np.float32)
        lexical = Bm25Index(passages).scores(query)
        cosine = self._encoder.encode(list(passages)) @ self._encoder.encode_queries([query])[0]
        shares = 1.0 / (RRF_K + _ranks(lexical)) * (lexical > 0) + 1.0 / (RRF_K + _ranks(cosine))
        return np.asarray(shares, dtype=np.float32)


class CrossEncoderReranker:
    """Reads query and passage together. Scores are the model's own, without bounds."""

    def __init__(self, name: str) -> None:
        """Load the model.

        Args:
            name: `medcpt`, "medcpt:FOLDER", a folder or a hub name.

        Raises:
            MissingError: it cannot be loaded.
        """
        from sentence_transformers import CrossEncoder
        from torch import nn

        short, _, folder = name.partition(":")
        place = (folder or PUBLISHED[short]) if short in PUBLISHED else name
        if folder or Path(place).is_absolute() or Path(place).exists():
            _check(name, Path(place))
        try:
            self._model: Any = CrossEncoder(place, max_length=LONGEST, num_labels=1, activation_fn=nn.Identity())
        except (OSError, ValueError) as error:
            raise MissingError(
                f"The reranker {name!r} cannot be loaded ({type(error).__name__}). Use 'fusion', 'medcpt', 'medcpt:FOLDER', a "
                "folder that holds a cross-encoder, or a hub name this machine can reach."
            ) from error
        self.name = name.rstrip("/").split("/")[-1] if short not in PUBLISHED else f"{short} cross-encoder"
        self._lock = FairLock()

    def scores(self, query: str, passages: Sequence[str]) -> np.ndarray:
        """(len(passages),) float32; higher fits better; comparable within one query only."""
        if not passages:
            return np.zeros(0, dtype=np.float32)
        with self._lock:
            found = self._model.predict([(query, passage) for passage in passages], show_progress_bar=False)
        return np.asarray(found, dtype=np.float32).reshape(len(passages))


def make_reranker(name: str, encoder: Encoder) -> RankFusionReranker | CrossEncoderReranker:
    """The reranker of a setting: `fusion`, `medcpt`, a folder or a hub name. Raises MissingError."""
    return RankFusionReranker(encoder) if name == "fusion" else CrossEncoderReranker(name)


def _check(setting: str, folder: Path) -> None:
    """That a folder holds a cross-encoder with one score; what it lacks is a MissingError that names it."""
    wanted = {"config.json": ("config.json",), "weights": WEIGHTS, "a tokenizer": TOKENIZERS}
    lacks = [what for what, files in wanted.items() if not any((folder / file).is_file() for file in files)]
    if not folder.is_dir() or lacks:
        why = f"the folder lacks {', '.join(lacks)}" if folder.is_dir() else "there is no such folder"
        raise MissingError(
            f"The reranker {setting!r} cannot be loaded: {why}. LEAPNOTE_RERANKER takes 'fusion', 'medcpt', 'medcpt:FOLDER', or a "
            "folder of a cross-encoder as transformers saves it."
        )
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    made = config.get("architectures") or [""]
    if not any("SequenceClassification" in name for name in made):
        raise MissingError(
            f"The reranker {setting!r} cannot be used: its config.json tells of {made[0] or 'no model'}, and a cross-encoder is one "
            "for sequence classification. An encoder belongs in LEAPNOTE_ENCODER."
        )


def _ranks(scores: np.ndarray) -> np.ndarray:
    """Rank 1 for the best; equal scores share the best of their ranks, so that the order given does not decide."""
    order = np.sort(-scores)
    return np.searchsorted(order, -scores) + 1
