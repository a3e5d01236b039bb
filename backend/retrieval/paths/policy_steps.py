"""Tells the choices of one walk: the groups with their probabilities, what was rejected, and where each path went.

Takes a walk and what its concept step passed over; gives frozen values for the page. It chooses nothing itself.
"""

import numpy as np

from backend.retrieval.paths.path_text import NO_LINK, verbalised_path
from backend.schemas.drafts.evidence import Move, PolicyStep, Rejected
from backend.stores.graph.graph import GROUPS, Edge, Graph
from models.policy.concept_step.watched_step import WatchedStep
from models.policy.walking.environment import STOP
from models.policy.walking.walk_settings import CLUSTER_LEAP
from models.policy.walking.walk_state import WalkState
from models.policy.walking.walks import Walk

REJECTED_SHOWN = 5


def policy_steps(graph: Graph, found: Walk, watched: WatchedStep, relation_labels: bool) -> tuple[PolicyStep, ...]:
    """One value a step. relation_labels: whether a leap may be called by the edge that happens to join its ends."""
    steps = []
    for choice in found.choices:
        before = found.states[choice.step]
        after = found.states[choice.step + 1] if choice.action != STOP else before
        legal = np.flatnonzero(choice.legal)
        names = {int(g): GROUPS[g].value if g < STOP else "stop" for g in range(len(choice.legal))}
        passed = watched.rejected(choice.step, after.explored, REJECTED_SHOWN)
        steps.append(
            PolicyStep(
                step=choice.step + 1,
                group=GROUPS[after.group],
                probabilities={names[int(g)]: round(float(choice.probabilities[g]), 4) for g in legal},
                masked=tuple(names[g] for g in names if g not in legal and g < STOP),
                rejected=tuple(
                    Rejected(
                        concept_id=graph.concepts[r.concept].concept_id,
                        name=graph.concepts[r.concept].name,
                        score=round(r.score, 4),
                    )
                    for r in passed
                ),
                moves=_moves(graph, before, after, relation_labels),
                stopped=choice.action == STOP,
            )
        )
    return tuple(steps)


def followed(graph: Graph, head: int, tail: int, link: int, relation_labels: bool) -> Edge | None:
    """The edge that a step followed; for a leap (link below 0) one that happens to join the two, where labels may say so."""
    if link < 0 and not relation_labels:
        return None
    wanted = None if link < 0 else graph.relations[link]
    return next((edge for edge in graph.joining(head, tail) if wanted in (None, edge.relation)), None)


def _moves(graph: Graph, before: WalkState, after: WalkState, relation_labels: bool) -> tuple[Move, ...]:
    moves = []
    for row in range(len(after.paths)):
        first, last = int(before.lengths[row]), int(after.lengths[row])
        concepts = after.paths[row, first - 1 : last].tolist()
        links = after.links[row, first:last].tolist()
        pairs = zip(concepts, concepts[1:], links, strict=False)
        edges = [followed(graph, head, tail, link, relation_labels) for head, tail, link in pairs]
        verbalised = verbalised_path(graph, concepts, edges, CLUSTER_LEAP, NO_LINK)
        moves.append(Move(keyword=graph.concepts[int(after.paths[row, 0])].name, steps=verbalised.steps[1:]))
    return tuple(moves)
