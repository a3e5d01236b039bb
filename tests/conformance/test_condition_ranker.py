"""What every registered condition ranker keeps to; a new one is held to it by being registered."""

from collections.abc import Callable

import pytest

from backend.diagnosis.ranking.ranker_parts import RankerParts, make_ranker
from backend.interfaces import ConditionRanker
from backend.nlp.extraction.linker import DictionaryLinker
from backend.registry import CONDITION_RANKERS, condition_ranker
from backend.schemas.drafts.evidence import Condition
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import ConditionStatus
from backend.stores.graph.graph import Graph

NOTE = "Chief Complaint: shortness of breath\n\nHPI: A 70-year-old man with leg swelling and cough. No fever.\n"
MOST = 2


class Case:
    """One ranker over the small graph."""

    def __init__(self, name: str, graph: Graph, linker: DictionaryLinker) -> None:
        self.graph, self.linker = graph, linker
        self.ranker: ConditionRanker = make_ranker(name, RankerParts(graph, MOST))

    def ranked(self, note: str = NOTE, **asked: object) -> tuple[Condition, ...]:
        """The conditions of a note."""
        linked: LinkedNote = self.linker.link(note)
        return self.ranker.rank(linked, DraftRequest(text=note, **asked))

    def named(self, name: str) -> str:
        """The id of a concept of the small graph."""
        return next(row.concept_id for row in self.graph.concepts if row.name == name)


def check_known_once(case: Case) -> None:
    """Every condition is a concept of the graph, once, with its own name and a finite score."""
    found = case.ranked()
    assert found
    assert len({c.concept_id for c in found}) == len(found)
    for condition in found:
        assert case.graph.row(condition.concept_id).name == condition.name
        assert condition.score == condition.score and abs(condition.score) < float("inf")


def check_at_most(case: Case) -> None:
    """No more than the limit are shown, besides those that must not be missed and those a clinician confirmed."""
    shown = [c for c in case.ranked() if not case.graph.row(c.concept_id).must_not_miss]
    assert len(shown) <= MOST


def check_confirmed_and_ruled_out(case: Case) -> None:
    """What a clinician confirmed comes first and is said to be confirmed; what was ruled out is never possible."""
    gout = case.named("gout") if not case.graph.row(case.named("pneumonia")).condition else case.named("pneumonia")
    found = case.ranked(confirmed_conditions=(gout,))
    assert found[0].concept_id == gout
    assert found[0].status == ConditionStatus.CONFIRMED
    ruled_out = case.ranked(ruled_out_conditions=(gout,))
    assert all(c.status != ConditionStatus.POSSIBLE for c in ruled_out if c.concept_id == gout)


def check_nothing_for_nothing(case: Case) -> None:
    """A text without any finding has no condition."""
    assert not case.ranked("Chief Complaint: nothing in particular.\n")


def check_no_state(case: Case) -> None:
    """The same note gives the same ranking, whatever was ranked in between."""
    before = case.ranked()
    case.ranked("Chief Complaint: fever and cough.\n")
    assert case.ranked() == before


CHECKS: tuple[Callable[[Case], None], ...] = (
    check_known_once,
    check_at_most,
    check_confirmed_and_ruled_out,
    check_nothing_for_nothing,
    check_no_state,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", CONDITION_RANKERS.names())
def test_every_condition_ranker_keeps_to_the_contract(
    name: str, check: Callable[[Case], None], tiny_graph: Graph, tiny_linker: DictionaryLinker
) -> None:
    check(Case(name, tiny_graph, tiny_linker))


def test_a_broken_ranker_fails_the_checks(tiny_graph: Graph, tiny_linker: DictionaryLinker) -> None:
    with CONDITION_RANKERS.scratch():

        @condition_ranker("broken", label="Wrong in every way")
        class Broken:
            """Everything that the graph calls a condition, more of them each time, with a score that is no number."""

            def __init__(self, parts: RankerParts) -> None:
                self.parts = parts
                self.asked = 0

            def rank(self, linked: LinkedNote, request: DraftRequest) -> tuple[Condition, ...]:
                """All conditions, several times."""
                self.asked += 1
                rows = [row for row in self.parts.graph.concepts if not row.must_not_miss][: MOST + self.asked]
                good = make_ranker("graph", RankerParts(self.parts.graph, MOST)).rank(
                    tiny_linker.link(NOTE), DraftRequest(text=NOTE)
                )[0]
                return tuple(
                    good.model_copy(update={"concept_id": row.concept_id, "name": "another", "score": 1.0})
                    for row in rows
                )

        for check in CHECKS:
            with pytest.raises(AssertionError):
                check(Case("broken", tiny_graph, tiny_linker))
    assert "broken" not in CONDITION_RANKERS.names()
