"""The vectors of a graph's concepts: one row a concept, in the graph's order, memory-mapped.

`vectors.npy` (n, d) float16, rows of length 1 up to rounding; `keys.npy` (n, 16) uint8, the text_key of each name;
`meta.json`, which encoder and which graph. backend/stores/graph/concept_encoding.py makes the folder.
"""

import hashlib
import json
from pathlib import Path
from typing import NamedTuple

import numpy as np

from backend.errors import KnowledgeError
from backend.interfaces import Encoder
from backend.stores.graph.graph import Graph
from backend.stores.graph.text_column import text_column
from backend.stores.swapped_folder import MARK

KIND = "leapnote concept vectors"
FORMAT = 1
KEY_BYTES = 16


class VectorsMeta(NamedTuple):
    """Whose vectors these are. graph: its fingerprint. names: sha256 over the names, which the fingerprint leaves out."""

    encoder: str
    dimension: int
    concepts: int
    graph: str
    names: str

    def as_json(self) -> str:
        """The text of `meta.json`."""
        return json.dumps({"kind": KIND, "format": FORMAT, **self._asdict()}, indent=1) + "\n"


class ConceptVectors:
    """The vectors in a folder. matrix: (n, d) float16, read-only; it takes memory only as it is read."""

    def __init__(self, folder: Path) -> None:
        """Raises KnowledgeError for a folder without finished vectors, or with damaged ones."""
        self.folder = folder
        self.meta = read_vectors_meta(folder)
        self.matrix = self._open("vectors", np.float16, self.meta.dimension)
        self.keys = self._open("keys", np.uint8, KEY_BYTES)

    def __len__(self) -> int:
        return self.meta.concepts

    @property
    def dimension(self) -> int:
        """Of a vector."""
        return self.meta.dimension

    def rows(self, concepts: np.ndarray) -> np.ndarray:
        """(k, d) float32: the vectors of these concepts, by index."""
        found: np.ndarray = self.matrix[concepts].astype(np.float32)
        return found

    def check(self, graph: Graph, encoder_name: str) -> None:
        """Compare them with the encoder and the graph in use.

        Raises:
            KnowledgeError: where the vectors are of another encoder, or of another graph or names.
        """
        if self.meta.encoder != encoder_name:
            raise KnowledgeError(
                f"The concept vectors in {self.folder.name!r} were made by the encoder {self.meta.encoder!r}, not by "
                f"{encoder_name!r}. Encode the concepts with the one that is set (docs/graphs.md), or set the other."
            )
        if (self.meta.graph, self.meta.names) != (graph.fingerprint, names_digest(graph)):
            raise KnowledgeError(
                f"The concept vectors in {self.folder.name!r} belong to the graph {self.meta.graph} with the names "
                f"{self.meta.names[:16]}, not to {graph.fingerprint} with {names_digest(graph)[:16]}. Encode the concepts "
                "again into another folder; rows of names that did not change are taken over (docs/graphs.md)."
            )

    def _open(self, name: str, kind: type, width: int) -> np.ndarray:
        path = self.folder / f"{name}.npy"
        wanted = (self.meta.concepts, width)
        try:
            array = np.asarray(np.load(path, mmap_mode="r", allow_pickle=False)).view(np.ndarray)
        except (OSError, ValueError, EOFError) as error:
            raise damaged_vectors(self.folder, f"{path.name} is missing or cut short") from error
        if array.shape != wanted or array.dtype != np.dtype(kind):
            raise damaged_vectors(self.folder, f"{path.name} holds {array.dtype} {array.shape}, not {wanted}")
        return array


class KnownVectors:
    """Vectors found by the text they encode, in finished folders of one encoder. Those of other encoders are left out."""

    def __init__(self, folders: tuple[Path, ...], encoder: Encoder) -> None:
        """Raises KnowledgeError for a folder that holds no finished vectors."""
        stored = [ConceptVectors(folder) for folder in folders]
        self._stored = [vectors for vectors in stored if vectors.meta.encoder == encoder.name and len(vectors)]
        self._firsts = [_words(vectors.keys)[:, 0] for vectors in self._stored]
        self._orders = [np.argsort(firsts, kind="stable") for firsts in self._firsts]

    def find(self, keys: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Fill the rows of out (k, d) float16 whose keys (k, 16) uint8 are known; (k,) bool says which."""
        found = np.zeros(len(keys), dtype=bool)
        wanted = _words(keys)
        for vectors, firsts, order in zip(self._stored, self._firsts, self._orders, strict=True):
            place = np.minimum(np.searchsorted(firsts, wanted[:, 0], sorter=order), len(order) - 1)
            rows = order[place]
            # two texts that share the first 8 bytes of their keys are as good as never met; the second is encoded anew
            same = (vectors.keys[rows] == keys).all(axis=1) & ~found
            out[same] = vectors.matrix[rows[same]]
            found |= same
        return found


def read_vectors_meta(folder: Path) -> VectorsMeta:
    """What a folder of vectors says of itself.

    Raises:
        KnowledgeError: where no finished vectors are, or those of another format.
        damaged_vectors: `meta.json` cannot be read.
    """
    try:
        fields = json.loads((folder / MARK).read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        raise KnowledgeError(
            f"There are no finished concept vectors in {folder.name!r}: {MARK} is missing. Encode the concepts "
            "(docs/graphs.md); an encoding that was interrupted goes on where it stopped."
        ) from None
    except (OSError, ValueError) as error:
        raise damaged_vectors(folder, f"{MARK} cannot be read ({type(error).__name__})") from error
    if not isinstance(fields, dict) or fields.pop("kind", None) != KIND or fields.pop("format", None) != FORMAT:
        raise damaged_vectors(folder, f"{MARK} is not that of concept vectors of format {FORMAT}")
    try:
        return VectorsMeta(**fields)
    except TypeError as error:
        raise damaged_vectors(folder, f"{MARK} lacks a field or has one too many") from error


def names_digest(graph: Graph) -> str:
    """The sha256 over all names of a graph, in order: 64 hexadecimal digits."""
    column = text_column(graph.names)
    digest = hashlib.sha256(column.offsets.astype("<i8").data)
    digest.update(column.blob.data)
    return digest.hexdigest()


def damaged_vectors(folder: Path, what: str) -> KnowledgeError:
    """The error for a folder of vectors that does not hold what it should."""
    return KnowledgeError(
        f"The concept vectors in {folder.name!r} are damaged: {what}. Remove the folder and encode the concepts again."
    )


def _words(keys: np.ndarray) -> np.ndarray:
    """(k, 2) uint64 of (k, 16) uint8."""
    return np.ascontiguousarray(keys).view(np.uint64)
