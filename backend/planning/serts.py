"""SeRTS: a tree search for the queries of each source by itself (Hu et al. 2024; Omni-RAG D.3).

Each round selects a try by UCT, expands it by a better one worded from the tries on its line and its siblings, evaluates
that by searching and judging, and back-propagates the score. A source's search ends at score 5 or after 8 rounds, the
first try counted. The try that scored best is kept, the later one of equals.
"""

import math
from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

from backend.planning.model_plan import ask_plan
from backend.planning.plan_judge import FULL_SCORE, Try, judge, tries_told
from backend.planning.planner_parts import NO_MODEL, Look, PlannerTools, Planning
from backend.planning.source_plan import SourceChoice, not_searched, source_plan
from backend.planning.source_rules import SourceRules, rule_queries
from backend.prompts.asking import Asker
from backend.prompts.task import task_text
from backend.schemas.drafts.evidence import Condition, Plan, ReasoningPath, SubQuery
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Source

Item = TypeVar("Item")
EXPLORE = math.sqrt(2.0)  # UCB1's constant for rewards of 0 to 1


class Node(Generic[Item]):
    """One try. visits: tries at and below it. total: the sum of their rewards."""

    def __init__(self, item: Item, reward: float, parent: "Node[Item] | None" = None) -> None:
        """Adds itself below its parent and back-propagates its reward to the root."""
        self.item = item
        self.reward = reward
        self.parent = parent
        self.children: list[Node[Item]] = []
        self.visits = 0
        self.total = 0.0
        if parent is not None:
            parent.children.append(self)
        node: Node[Item] | None = self
        while node is not None:
            node.visits += 1
            node.total += reward
            node = node.parent

    @property
    def value(self) -> float:
        return self.total / self.visits

    def line(self) -> list["Node[Item]"]:
        """The nodes from the root to this one."""
        above = self.parent.line() if self.parent is not None else []
        return [*above, self]


def uct(child: Node[Item], explore: float = EXPLORE) -> float:
    """value + explore * sqrt(ln(visits of the parent) / visits). Raises ValueError for a root, which has no rival."""
    if child.parent is None:
        raise ValueError("The root has no parent to be chosen by.")
    return child.value + explore * math.sqrt(math.log(child.parent.visits) / child.visits)


def select(root: Node[Item], width: int, explore: float = EXPLORE) -> Node[Item]:
    """The node to expand: from the root down to the first node with fewer than width children, by highest UCT.

    Equal UCT: the older child.
    """
    node = root
    while len(node.children) >= width:
        node = max(node.children, key=lambda child: uct(child, explore))
    return node


MOST_ROUNDS = 8
WIDTH = 2  # siblings a try may have below it


class _Found(NamedTuple):
    """What the search of one source came to. sub_queries: None when no plan could be made at all."""

    sub_queries: tuple[SubQuery, ...] | None
    said: str
    fell: str


class SertsPlanner:
    name = "serts"

    def __init__(self, tools: PlannerTools, rounds: int = MOST_ROUNDS, width: int = WIDTH) -> None:
        self._tools = tools
        self._rounds = rounds
        self._width = width

    def plan(
        self,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        paths: Sequence[ReasoningPath],
        request: DraftRequest,
        look: Look,
    ) -> Planning:
        asker = self._tools.asker(request)
        if asker is None:
            plan, reason, _ = SourceRules(self._tools).plan(linked, conditions, paths, request, look)
            return plan, reason, (f"plan: {NO_MODEL}, so serts runs as rules",)
        task = task_text(request)
        planned: list[SubQuery] = []
        said: list[str] = []
        fallbacks: list[str] = []
        for source in Source:
            why = not_searched(source, self._tools.filled, self._tools.choice)
            if why:
                planned.append(SubQuery(source=source, text="", skipped=why))
                continue
            found = self._search(asker, task, source, look)
            if found.fell:
                fallbacks.append(f"plan of source '{source.value}': {found.fell}")
            if found.sub_queries is None:
                queries = rule_queries(linked, conditions, request)
                planned.extend(self._shaped(source, queries.get(source, ()), "rules, for serts"))
            else:
                planned.extend(found.sub_queries)
                said.append(f"{source.value}: {found.said}")
        reason = f"serts, by {asker.name}: {'; '.join(said) or 'no source could be searched'}"
        return Plan(sub_queries=tuple(planned)), reason, tuple(fallbacks)

    def _search(self, asker: Asker, task: str, source: Source, look: Look) -> _Found:
        """The tree search of one source."""
        root, fell = self._tried(asker, task, source, look, None)
        if root is None:
            return _Found(None, "", f"{fell}, so rules plan it")
        nodes = [root]
        # a first plan that asks a source nothing is taken at its word
        while _asked(root) and not fell and len(nodes) < self._rounds and max(n.item.score for n in nodes) < FULL_SCORE:
            node, fell = self._tried(asker, task, source, look, select(root, self._width))
            if node is not None:
                nodes.append(node)
        best = max(enumerate(nodes), key=lambda pair: (pair[1].item.score, pair[0]))[1].item
        rounds = f"best score {best.score} of {FULL_SCORE} in {len(nodes)} tries"
        said = rounds if _asked(root) and best.score > UNSCORED else "not scored" if _asked(root) else "asks nothing"
        return _Found(best.sub_queries, said, fell)

    def _tried(
        self, asker: Asker, task: str, source: Source, look: Look, above: Node[Try] | None
    ) -> tuple[Node[Try] | None, str]:
        """One more try, evaluated and put below `above`; None where no plan was made, with why, which ends the search."""
        known = [] if above is None else [*above.line(), *above.children]
        worded = ask_plan(asker, task, (source,), tries_told([node.item for node in known]))
        if worded.value is None:
            return None, worded.reason
        planned = self._shaped(source, worded.value.queries()[source], f"serts, by {asker.name}")
        asked = tuple(query for query in planned if not query.skipped)
        if not asked:
            return Node(Try(planned, 0, "No query was given."), 0.0, above), ""
        judged = judge(asker, task, asked, look(asked))
        if judged.value is None:
            fell = f"{judged.reason}, so it is not scored"
            return (Node(Try(planned, UNSCORED, ""), 0.0) if above is None else None), fell
        scored = Try(planned, judged.value.score, judged.value.advice)
        return Node(scored, judged.value.score / FULL_SCORE, above), ""

    def _shaped(self, source: Source, queries: Sequence[str], reason: str) -> tuple[SubQuery, ...]:
        planned = source_plan({source: queries}, self._tools.filled, SourceChoice((source,)), reason)
        return tuple(query for query in planned if query.source == source)


def _asked(node: Node[Try]) -> bool:
    return any(not query.skipped for query in node.item.sub_queries)


UNSCORED = -1
