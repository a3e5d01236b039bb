"""The edges of a graph in CSR form, made from coded facts.

Takes facts as arrays of indices; gives each of them in both directions, the edges of a concept together, ordered by
the semantic group of their tails, then by relation, tail and qualifier. It knows no names.
"""

from typing import NamedTuple

import numpy as np

from backend.errors import KnowledgeError
from backend.schemas.vocabulary import SemanticGroup

GROUP_COUNT = len(SemanticGroup)
MOST_RELATIONS = 2**15  # relation ids are int16


class Facts(NamedTuple):
    """(k,) integers each: head and tail are concept indices, relation and qualifier indices into their names."""

    heads: np.ndarray
    relations: np.ndarray
    tails: np.ndarray
    qualifiers: np.ndarray


class Adjacency(NamedTuple):
    """n concepts and m directed edges; no array can be written to.

    offsets: (n + 1,) int64, the edges of concept i are offsets[i] to offsets[i + 1]. tails: (m,) int32. relation_ids:
    (m,) int16. qualifier_ids: (m,) int32. group_offsets: (n, 16) int64, where the edges into each group begin, and the
    end of the last. reach: (n,) uint16, bit g is set where an edge leads into group g.
    """

    offsets: np.ndarray
    tails: np.ndarray
    relation_ids: np.ndarray
    qualifier_ids: np.ndarray
    group_offsets: np.ndarray
    reach: np.ndarray


def adjacency(facts: Facts, groups: np.ndarray, inverse: np.ndarray) -> Adjacency:
    """Store every fact in both directions, once.

    groups: (n,) int8, the group of each concept. inverse: (relations,) the index of each relation's inverse.
    Parallel edges stay where relation or qualifier differ: "treats" and "contraindicated_with" can join the same two.

    Raises:
        KnowledgeError: for more relations than an int16 counts.
    """
    if len(inverse) > MOST_RELATIONS:
        raise KnowledgeError(
            f"The graph has {len(inverse)} relations, inverse ones included; at most {MOST_RELATIONS} fit. "
            "Limit the relations that are imported."
        )
    n = len(groups)
    heads = np.concatenate([facts.heads, facts.tails]).astype(np.int32)
    tails = np.concatenate([facts.tails, facts.heads]).astype(np.int32)
    relations = np.concatenate([facts.relations, inverse[facts.relations]]).astype(np.int16)
    qualifiers = np.concatenate([facts.qualifiers, facts.qualifiers]).astype(np.int32)
    order = np.lexsort((qualifiers, tails, relations, groups[tails], heads))
    heads, tails, relations, qualifiers = heads[order], tails[order], relations[order], qualifiers[order]
    fresh = np.ones(len(heads), dtype=bool)
    fresh[1:] = np.diff(heads) != 0
    for column in (relations, tails, qualifiers):
        fresh[1:] |= column[1:] != column[:-1]
    heads, tails, relations, qualifiers = heads[fresh], tails[fresh], relations[fresh], qualifiers[fresh]
    cells = np.bincount(heads.astype(np.int64) * GROUP_COUNT + groups[tails], minlength=n * GROUP_COUNT)
    counts = cells.reshape(n, GROUP_COUNT)
    offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts.sum(axis=1))])
    group_offsets = np.empty((n, GROUP_COUNT + 1), dtype=np.int64)
    group_offsets[:, 0] = offsets[:-1]
    np.cumsum(counts, axis=1, out=group_offsets[:, 1:])
    group_offsets[:, 1:] += offsets[:-1, None]
    reach = ((counts > 0) * (1 << np.arange(GROUP_COUNT))).sum(axis=1).astype(np.uint16)
    made = Adjacency(offsets, tails, relations, qualifiers, group_offsets, reach)
    for array in made:
        array.setflags(write=False)
    return made
