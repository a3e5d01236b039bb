"""SeRTS: a tree search for the queries of each source by itself (Hu et al. 2024; Omni-RAG D.3).

Each round selects a try by UCT, expands it by a better one worded from the tries above it and beside it, evaluates
that by searching and judging, and back-propagates the score. A source's search ends at score 5 or after 8 rounds, the
first try counted. The try that scored best is kept, the later one of equals.
"""

import math
from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

from backend.interfaces import FindTexts, NoteContext, Planned
from backend.planning.model_plan import FULL_SCORE, UNSCORED, Try, ask_plan, found_by, judge, tries_text
from backend.planning.source_plan import NO_MODEL, PlannerParts, SourceChoice, not_searched
from backend.planning.source_rules import plan_by_rules, rule_queries
from backend.prompts.asking import Asker
from backend.prompts.task import task_text
from backend.registry import planner
from backend.schemas.drafts.evidence import Plan, SubQuery
from backend.schemas.vocabulary import Source

Item = TypeVar("Item")
EXPLORE = math.sqrt(2.0)  # UCB1's constant for rewards of 0 to 1
MOST_ROUNDS = 8
WIDTH = 2  # tries that may stand below one


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
        """The mean reward at and below it, 0 to 1."""
        return self.total / self.visits

    def ancestry(self) -> list["Node[Item]"]:
        """The nodes from the root to this one."""
        above = self.parent.ancestry() if self.parent is not None else []
        return [*above, self]


def uct(child: Node[Item], explore: float = EXPLORE) -> float:
    """The node's value + explore * sqrt(ln(visits of the parent) / visits) (UCB1).

    Raises:
        ValueError: the node is a root, which has no sibling to be chosen among.
    """
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


class _Found(NamedTuple):
    """What the search of one source came to. sub_queries: None when no plan could be made at all."""

    sub_queries: tuple[SubQuery, ...] | None
    summary: str
    fallback: str


@planner("serts", label="A tree search of queries for each source")
class SertsPlanner:
    """A tree of tries for each source.

    Args:
        parts: sources and model; the model plans and judges.
        rounds: tries of one source at most.
        width: tries that may stand below one.
    """

    def __init__(self, parts: PlannerParts, rounds: int = MOST_ROUNDS, width: int = WIDTH) -> None:
        self.name = parts.name
        self._parts = parts
        self._rounds = rounds
        self._width = width

    def plan(self, context: NoteContext, find_texts: FindTexts) -> Planned:
        """Each source's try that scored best; the rules' queries for a source where the model gives none."""
        asker = self._parts.asker(context.request)
        if asker is None:
            return plan_by_rules(self._parts, context, NO_MODEL)
        task = task_text(context.request)
        planned: list[SubQuery] = []
        summaries: list[str] = []
        fallbacks: list[str] = []
        for source in Source:
            why = not_searched(source, self._parts.filled, self._parts.choice)
            if why:
                planned.append(SubQuery(source=source, text="", skipped=why))
                continue
            found = self._search(asker, task, source, find_texts)
            if found.fallback:
                fallbacks.append(f"plan of source '{source.value}': {found.fallback}")
            if found.sub_queries is None:
                queries = rule_queries(context)
                planned.extend(self._planned_for(source, queries.get(source, ()), f"rules, for {self.name}"))
            else:
                planned.extend(found.sub_queries)
                summaries.append(f"{source.value}: {found.summary}")
        reason = f"{self.name}, by {asker.name}: {'; '.join(summaries) or 'no source could be searched'}"
        return Planned(Plan(sub_queries=tuple(planned)), reason, tuple(fallbacks))

    def _search(self, asker: Asker, task: str, source: Source, find_texts: FindTexts) -> _Found:
        """The tree search of one source."""
        root, fallback = self._tried(asker, task, source, find_texts, None)
        if root is None:
            return _Found(None, "", f"{fallback}, so rules plan it")
        nodes = [root]
        # a first plan that asks a source nothing is taken at its word
        while (
            _asked(root)
            and not fallback
            and len(nodes) < self._rounds
            and max(n.item.score for n in nodes) < FULL_SCORE
        ):
            node, fallback = self._tried(asker, task, source, find_texts, select(root, self._width))
            if node is not None:
                nodes.append(node)
        best = max(enumerate(nodes), key=lambda pair: (pair[1].item.score, pair[0]))[1].item
        rounds = f"best score {best.score} of {FULL_SCORE} in {len(nodes)} tries"
        if not _asked(root):
            return _Found(best.sub_queries, "asks nothing", fallback)
        return _Found(best.sub_queries, rounds if best.score > UNSCORED else "not scored", fallback)

    def _tried(
        self, asker: Asker, task: str, source: Source, find_texts: FindTexts, above: Node[Try] | None
    ) -> tuple[Node[Try] | None, str]:
        """One more try, evaluated and put below `above`; None where no plan was made, with why, which ends the search."""
        known = [] if above is None else [*above.ancestry(), *above.children]
        worded = ask_plan(asker, task, (source,), tries_text([node.item for node in known]))
        if worded.value is None:
            return None, worded.reason
        planned = self._planned_for(source, worded.value.queries()[source], f"{self.name}, by {asker.name}")
        asked = tuple(query for query in planned if not query.skipped)
        if not asked:
            return Node(Try(planned, 0, "No query was given."), 0.0, above), ""
        judged = judge(asker, task, asked, found_by(asked, find_texts), (source,))
        if judged.value is None:
            fallback = f"{judged.reason}, so it is not scored"
            return (Node(Try(planned, UNSCORED, ""), 0.0) if above is None else None), fallback
        scored = Try(planned, judged.value.score, judged.value.advice)
        return Node(scored, judged.value.score / FULL_SCORE, above), ""

    def _planned_for(self, source: Source, queries: Sequence[str], reason: str) -> tuple[SubQuery, ...]:
        planned = self._parts._replace(choice=SourceChoice((source,))).planned({source: queries}, reason)
        return tuple(query for query in planned if query.source == source)


def _asked(node: Node[Try]) -> bool:
    return any(not query.skipped for query in node.item.sub_queries)
