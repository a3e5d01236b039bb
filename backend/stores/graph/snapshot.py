"""A graph as a folder: `meta.json` and one .npy file an array, opened by memory-mapping.

Takes a graph and what is known of its making; gives the same graph back without reading most of it. The folder is
written beside and put in place whole. docs/graphs.md lists the files.
"""

import hashlib
from pathlib import Path

import numpy as np

from backend.stores.graph.adjacency import Adjacency
from backend.stores.graph.concept_table import GROUP_CODES, ConceptColumns, ConceptTable, concept_columns
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import RelationTable
from backend.stores.graph.snapshot_meta import (
    FORMAT,
    KIND,
    About,
    ArrayMeta,
    SnapshotMeta,
    damaged,
    read_meta,
    relation_meta,
)
from backend.stores.graph.text_column import TextColumn, text_column
from backend.stores.swapped_folder import MARK, beside

_TEXTS = ("ids", "names", "synonyms", "definitions", "qualifiers")
_EDGES = Adjacency._fields
_DTYPES = {
    **{f"{name}_text": "|u1" for name in _TEXTS},
    **{f"{name}_offsets": "<i8" for name in _TEXTS},
    "synonym_ranges": "<i8",
    "groups": "|i1",
    "category_ids": "<u2",
    "flags": "|u1",
    "offsets": "<i8",
    "tails": "<i4",
    "relation_ids": "<i2",
    "qualifier_ids": "<i4",
    "group_offsets": "<i8",
    "reach": "<u2",
}


def write_snapshot(graph: Graph, folder: Path, about: About, extra: dict[str, str] | None = None) -> SnapshotMeta:
    """Write a graph, replacing the snapshot that was there. extra: further text files by name, as `merged.tsv`.

    Raises KnowledgeError where the folder holds something that is no snapshot.
    """
    with beside(folder, KIND) as partial:
        columns = concept_columns(graph.concepts)
        arrays = _arrays(graph, columns)
        written = {name: _write(partial / f"{name}.npy", array) for name, array in arrays.items()}
        for name, text in (extra or {}).items():
            (partial / name).write_text(text, encoding="utf-8")
        meta = SnapshotMeta(
            format=FORMAT,
            **about._asdict(),
            concepts=len(graph),
            edges=graph.edge_count,
            fingerprint=graph.fingerprint,
            groups=GROUP_CODES,
            categories=columns.categories,
            relations=tuple(relation_meta(row) for row in graph.relation_table.rows),
            arrays=written,
        )
        (partial / MARK).write_text(meta.model_dump_json(indent=1) + "\n", encoding="utf-8")
    return meta


def read_snapshot(folder: Path, verify: bool = False) -> Graph:
    """Open a snapshot. Its arrays are memory-mapped, so it takes memory only as it is read.

    verify: compare every file with its sha256 too, and the graph with its fingerprint.
    Raises KnowledgeError for a folder that is no snapshot, or a damaged one.

    Raises:
        damaged: a file does not fit what the snapshot says of itself.
    """
    meta = read_meta(folder)
    if set(meta.arrays) != set(_DTYPES):
        raise damaged(folder, f"{MARK} does not list the arrays of format {FORMAT}")
    arrays = {name: _open(folder, name, stored, verify) for name, stored in meta.arrays.items()}
    edges = Adjacency(*(arrays[name] for name in _EDGES))
    relations = RelationTable(row.as_row() for row in meta.relations)
    texts = {name: TextColumn(arrays[f"{name}_text"], arrays[f"{name}_offsets"]) for name in _TEXTS}
    columns = ConceptColumns(
        texts["ids"],
        texts["names"],
        texts["synonyms"],
        arrays["synonym_ranges"],
        texts["definitions"],
        arrays["groups"],
        arrays["category_ids"],
        meta.categories,
        arrays["flags"],
    )
    _check_shapes(folder, meta, columns, edges, len(relations.names), texts["qualifiers"])
    graph = Graph.from_table(ConceptTable(columns), relations, tuple(texts["qualifiers"]), edges, meta.fingerprint)
    if verify and graph.computed_fingerprint() != meta.fingerprint:
        raise damaged(folder, "its fingerprint is not the one it states")
    return graph


def _arrays(graph: Graph, columns: ConceptColumns) -> dict[str, np.ndarray]:
    texts = {
        "ids": columns.ids,
        "names": columns.names,
        "synonyms": columns.synonyms,
        "definitions": columns.definitions,
        "qualifiers": text_column(graph.qualifiers),
    }
    arrays = {f"{name}_text": column.blob for name, column in texts.items()}
    arrays |= {f"{name}_offsets": column.offsets for name, column in texts.items()}
    arrays |= {"synonym_ranges": columns.synonym_offsets, "groups": columns.groups}
    arrays |= {"category_ids": columns.category_ids, "flags": columns.flags}
    return arrays | graph.adjacency._asdict()


def _write(path: Path, array: np.ndarray) -> ArrayMeta:
    np.save(path, np.ascontiguousarray(array, dtype=_DTYPES[path.stem]), allow_pickle=False)
    return ArrayMeta(shape=array.shape, sha256=_sha256(path))


def _open(folder: Path, name: str, stored: ArrayMeta, verify: bool) -> np.ndarray:
    path = folder / f"{name}.npy"
    try:
        # a plain view: slicing numpy.memmap objects one edge list at a time costs several times as much
        array = np.asarray(np.load(path, mmap_mode="r", allow_pickle=False)).view(np.ndarray)
    except (OSError, ValueError, EOFError) as error:
        raise damaged(folder, f"{path.name} is missing or cut short") from error
    if array.shape != stored.shape or array.dtype != np.dtype(_DTYPES[name]):
        raise damaged(folder, f"{path.name} holds {array.dtype} {array.shape}, not {_DTYPES[name]} {stored.shape}")
    if verify and _sha256(path) != stored.sha256:
        raise damaged(folder, f"{path.name} does not have the sha256 that {MARK} states")
    return array


def _check_shapes(
    folder: Path, meta: SnapshotMeta, stored: ConceptColumns, edges: Adjacency, relations: int, qualifiers: TextColumn
) -> None:
    """What would lead outside an array later is refused now.

    Text is not read.

    Raises:
        damaged: an array leads outside another.
    """
    n, m = meta.concepts, meta.edges
    columns = [(stored.ids, n), (stored.names, n), (stored.definitions, n), (stored.synonyms, len(stored.synonyms))]
    ranges = [(column.offsets, size, len(column.blob)) for column, size in [*columns, (qualifiers, len(qualifiers))]]
    ranges += [(stored.synonym_offsets, n, len(stored.synonyms)), (edges.offsets, n, m)]
    sound = all(
        len(offsets) == size + 1
        and offsets[0] == 0
        and offsets[-1] == end
        and bool((offsets[1:] >= offsets[:-1]).all())
        for offsets, size, end in ranges
    )
    coded = [
        (stored.groups, n, len(GROUP_CODES)),
        (stored.category_ids, n, len(meta.categories)),
        (stored.flags, n, 4),
        (edges.tails, m, n),
        (edges.relation_ids, m, relations),
        (edges.qualifier_ids, m, len(qualifiers)),
    ]
    sound = sound and all(
        len(codes) == size and (not size or (codes.min() >= 0 and codes.max() < limit)) for codes, size, limit in coded
    )
    sound = sound and edges.group_offsets.shape == (n, len(GROUP_CODES) + 1) and edges.reach.shape == (n,)
    sound = sound and bool((np.diff(edges.group_offsets, axis=1) >= 0).all())
    for inner, outer in ((0, edges.offsets[:-1]), (-1, edges.offsets[1:])):
        sound = sound and bool((edges.group_offsets[:, inner] == outer).all())
    if not sound:
        raise damaged(folder, "its arrays do not fit each other")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
