"""What a list of retrieved concepts is worth to one note, at several budgets.

recall, precision, f1: of the new concepts (in the document, no keyword). groups: semantic groups among the retrieved
that no keyword has; groups_hit: those of them in which something was right. reward: the `novel` reward of
models/policy/rewards.py with each concept as a path of its own: hits plus lambda times the mean cosine to the document's mean.
"""

from typing import NamedTuple

import numpy as np

from backend.evaluation.paths.retrievers.concept_retrievers import Knowledge
from backend.evaluation.paths.retrievers.linked_example import NoteExample, new_concepts
from backend.schemas.vocabulary import SemanticGroup
from backend.stores.graph.graph import GROUPS
from models.policy.walking.note_view import unit

MEASURES: dict[str, str] = {
    "recall": "share of the document's new concepts that were retrieved",
    "precision": "share of the retrieved concepts that are new concepts of the document",
    "f1": "harmonic mean of the two, for each note",
    "groups": "semantic groups reached that no keyword has",
    "groups_hit": "those of them in which a retrieved concept was right",
    "reward": "right concepts plus lambda times the mean cosine of the retrieved concepts to the document's mean",
    "written": "recall of what a document writes about: new diseases, findings, medicines and procedures alone",
    "retrieved": "distinct concepts retrieved; below the budget where a retriever had no more",
}
LAMBDA = 3.0
WRITTEN = tuple(GROUPS.index(group) for group in (SemanticGroup.DISO, SemanticGroup.CHEM, SemanticGroup.PROC))
"""The groups of what a document writes about; the commonest new concepts are others: home, pain, surgery."""


class ListScores(NamedTuple):
    """table: (budgets, measures in the order of MEASURES). hits: the right concepts at the largest budget."""

    table: np.ndarray
    hits: np.ndarray


class Goal(NamedTuple):
    """What there is to find for one note, computed once for all retrievers. written: those of new that are of WRITTEN."""

    new: np.ndarray
    written: np.ndarray
    keyword_groups: np.ndarray
    truth_mean: np.ndarray


def goal_of(knowledge: Knowledge, example: NoteExample) -> Goal:
    """What retrieved concepts of one example are scored against."""
    known = np.unique(knowledge.graph.groups[example.keywords])
    truth = unit(knowledge.vectors[example.truth].astype(np.float32).sum(axis=0))
    new = new_concepts(example)
    return Goal(new, new[np.isin(knowledge.graph.groups[new], WRITTEN)], known, truth)


def list_scores(knowledge: Knowledge, goal: Goal, ranked: np.ndarray, budgets: tuple[int, ...]) -> ListScores:
    """ranked: distinct concept indices, best first. Retrieving nothing scores 0: it found nothing."""
    right = np.isin(ranked, goal.new)
    written = np.isin(ranked, goal.written)
    near = knowledge.cosine(ranked, goal.truth_mean)
    groups = knowledge.graph.groups[ranked]
    fresh = ~np.isin(groups, goal.keyword_groups)
    rows = []
    for budget in budgets:
        taken = min(budget, len(ranked))
        hits = int(right[:taken].sum())
        rows.append(
            (
                hits / len(goal.new) if len(goal.new) else np.nan,
                hits / taken if taken else 0.0,
                2 * hits / (taken + len(goal.new)) if taken + len(goal.new) else np.nan,
                len(np.unique(groups[:taken][fresh[:taken]])),
                len(np.unique(groups[:taken][fresh[:taken] & right[:taken]])),
                hits + LAMBDA * float(near[:taken].mean()) if taken else 0.0,
                int(written[:taken].sum()) / len(goal.written) if len(goal.written) else np.nan,
                taken,
            )
        )
    return ListScores(np.array(rows, dtype=np.float64), ranked[: max(budgets)][right[: max(budgets)]])
