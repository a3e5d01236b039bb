"""Encoders that sentence-transformers loads: published models by name or from a folder, any local folder, any hub name.

An encoder with another model for queries than for passages has both; the others encode both alike. torch and
sentence-transformers are imported when a model is loaded.
"""

import hashlib
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from backend.errors import MissingError
from backend.registry import ENCODERS, encoder
from models.encoders.fair_lock import FairLock

ARTICLE_FOLDER, QUERY_FOLDER = "article-encoder", "query-encoder"


class Published(NamedTuple):
    """How a published model is used.

    about: what it is for. query: its model for queries, empty when it is the same one. pooling: what its card says; empty takes what the
    model's own files say. longest, query_longest: in tokens.
    """

    label: str
    about: str
    passage: str
    query: str = ""
    pooling: str = ""
    longest: int = 0
    query_longest: int = 0


PUBLISHED = {
    "mpnet": Published(
        "all-mpnet-base-v2",
        "A sentence encoder for all English text, larger and slower than minilm.",
        "sentence-transformers/all-mpnet-base-v2",
        "",
        "mean",
        384,
        384,
    ),
    # The cards take the first token's vector; MedCPT's is compared by inner product there, by cosine here
    "medcpt": Published(
        "MedCPT article and query encoder",
        "Trained on searches of PubMed: an encoder for passages and another for queries.",
        "ncbi/MedCPT-Article-Encoder",
        "ncbi/MedCPT-Query-Encoder",
        "cls",
        512,
        64,
    ),
    "sapbert": Published(
        "SapBERT",
        "Trained on UMLS names: brings names of one concept together; for terms, not for passages.",
        "cambridgeltl/SapBERT-from-PubMedBERT-fulltext",
        "",
        "cls",
        64,
        64,
    ),
}


class SentenceEncoder:
    """A sentence-transformers model, or a transformer with a pooling: a local folder or a hub name.

    Its name ends in 8 hexadecimal digits of the weights, so that two models of one folder's name are told apart.

    Args:
        name: how it is called.
        card: what to load and how; without one, name says where the model is.

    Raises:
        MissingError: the model cannot be loaded.
    """

    def __init__(self, name: str, card: Published | None = None) -> None:
        used = card or Published(name, "", name)
        self._model = _loaded(used.passage, used.pooling, used.longest)
        self._query = _loaded(used.query, used.pooling, used.query_longest) if used.query else self._model
        digest = hashlib.sha256(_weights(self._model) + (_weights(self._query) if used.query else b"")).hexdigest()
        self.name = f"{name.rstrip('/').split('/')[-1]}-{digest[:8]}"
        self.dimension = int(self._model.get_embedding_dimension())
        self._lock = FairLock()
        self.asked = float("-inf")

    def load(self) -> None:
        """Nothing to do: loaded by the constructor."""

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Passages as (len(texts), dimension) float32, rows of length 1."""
        self.asked = time.monotonic()
        return self._run(self._model, texts)

    def encode_apart(self, texts: Sequence[str]) -> np.ndarray:
        """As `encode`, for long work in the background (background_encoder.py)."""
        return self._run(self._model, texts)

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        """Queries as (len(texts), dimension) float32, rows of length 1, comparable with `encode` by cosine."""
        self.asked = time.monotonic()
        return self._run(self._query, texts)

    def token_vectors(self, texts: Sequence[str]) -> list[np.ndarray]:
        """For each text (tokens, dimension) float32, rows of length 1, as far as it is read; marks of begin and end left out."""
        with self._lock:
            given = self._model.encode(list(texts), output_value="token_embeddings", show_progress_bar=False)
        rows = [np.asarray(one.float().cpu().numpy(), dtype=np.float32)[1:-1] for one in given]
        return [one / np.linalg.norm(one, axis=1, keepdims=True) for one in rows]

    def _run(self, model: Any, texts: Sequence[str]) -> np.ndarray:
        with self._lock:
            rows = model.encode(list(texts), normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False)
        found = np.asarray(rows, dtype=np.float32).reshape(len(texts), self.dimension)
        # lengths computed in bfloat16 are off by up to a hundredth
        return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), dtype=np.float32)


def _register(short: str, card: Published, order: int) -> None:
    @encoder(short, label=card.label, about=card.about, order=order)
    def published(folder: str = "") -> SentenceEncoder:
        chosen = card
        if folder and card.query:
            chosen = card._replace(passage=f"{folder}/{ARTICLE_FOLDER}", query=f"{folder}/{QUERY_FOLDER}")
        elif folder:
            chosen = card._replace(passage=folder)
        return SentenceEncoder(short, chosen)


for _order, (_short, _card) in enumerate(PUBLISHED.items(), start=1):
    _register(_short, _card, _order)


def _loaded(place: str, pooling: str, longest: int) -> Any:
    """A model from a folder or by its hub name, with the pooling its card states where it has no file that does.

    Raises:
        MissingError: it cannot be loaded.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer

    try:
        if pooling:
            body = Transformer(place, max_seq_length=longest)
            model = SentenceTransformer(modules=[body, Pooling(body.get_embedding_dimension(), pooling)])
        else:
            model = SentenceTransformer(place)
    except (OSError, ValueError) as error:
        raise MissingError(
            f"The encoder {place!r} cannot be loaded ({type(error).__name__}). Set LEAPNOTE_ENCODER to "
            f"{', '.join(map(repr, ENCODERS.names()))}, one of these with a folder as in 'sapbert:FOLDER', a folder that "
            "holds a sentence-transformers model, or a hub name this machine can reach."
        ) from error
    if _fast_bfloat16() or torch.cuda.is_available():
        model.bfloat16()
    return model


def _weights(model: Any) -> bytes:
    """A sha256 over the first numbers of each of a model's arrays: other weights, another digest."""
    summed = hashlib.sha256()
    for key, array in sorted(model.state_dict().items()):
        summed.update(f"{key} {tuple(array.shape)}".encode())
        summed.update(array.flatten()[:64].float().cpu().numpy().tobytes())
    return summed.digest()


def _fast_bfloat16() -> bool:
    """Whether the processor multiplies bfloat16 itself; elsewhere it is slower than float32."""
    cpuinfo = Path("/proc/cpuinfo")
    return cpuinfo.is_file() and any(flag in cpuinfo.read_text() for flag in ("avx512_bf16", "amx_bf16"))
