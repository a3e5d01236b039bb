"""What every registered path retriever keeps to; a new one is held to it by being registered."""

from collections.abc import Callable, Sequence

import pytest

from backend.container.container import Container
from backend.interfaces import PathRetriever
from backend.registry import PATH_RETRIEVERS, path_retriever
from backend.retrieval.paths.path_parts import PathParts
from backend.schemas.drafts.evidence import Condition, PolicyStep, ReasoningPath
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Assertion

NOTE = (
    "Allergies: penicillin (hives)\n\nChief Complaint: shortness of breath\n\n"
    "HPI: A 71-year-old woman with leg swelling and three days of shortness of breath. She denies chest pain. "
    "Her mother had breast cancer.\n"
)
NOTHING = "Chief Complaint: nothing in particular.\n"


class Case:
    """One retriever over the graph that ships."""

    def __init__(self, name: str, container: Container) -> None:
        self.container = container
        self.parts = container.assembly.path_parts()
        self.retriever: PathRetriever = PATH_RETRIEVERS.get(name).value(self.parts)

    def linked(self, note: str = NOTE) -> LinkedNote:
        """The note as it was read."""
        return self.container.linker.link(note)

    def paths(self, note: str = NOTE, seed: int = 3) -> tuple[Sequence[ReasoningPath], Sequence[PolicyStep], str]:
        """What it finds."""
        linked = self.linked(note)
        return self.retriever.paths(linked, self.container.ranker.rank(linked, DraftRequest(text=note)), seed)


def check_ids_and_number(case: Case) -> None:
    """Paths are K1, K2 and on, no more than asked for, each of at least one step with words of its own."""
    found, _, reason = case.paths()
    assert reason
    assert [path.id for path in found] == [f"K{n}" for n in range(1, len(found) + 1)]
    assert len(found) <= case.parts.most
    assert all(path.steps and path.text for path in found)


def check_starts_from_what_is_present(case: Case) -> None:
    """A path starts from a mention that the note states as present, and never from an allergen."""
    linked = case.linked()
    present = {m.name for m in linked.note.mentions if m.assertion == Assertion.PRESENT and not m.allergen}
    found, _, _ = case.paths()
    assert {path.keyword for path in found} <= present


def check_steps_are_of_the_graph(case: Case) -> None:
    """Every step is a concept of the graph with its own name and group."""
    for path in case.paths()[0]:
        for step in path.steps:
            row = case.parts.graph.row(step.concept_id)
            assert (step.name, step.group) == (row.name, row.group)


def check_nothing_denied_or_of_the_family(case: Case) -> None:
    """No path ends at what the note denies or tells of a relative."""
    linked = case.linked()
    other = {m.concept_id for m in linked.note.mentions if m.assertion in (Assertion.NEGATED, Assertion.FAMILY)}
    other -= {m.concept_id for m in linked.note.mentions if m.assertion == Assertion.PRESENT}
    assert other
    assert not {path.steps[-1].concept_id for path in case.paths()[0]} & other


def check_same_seed_same_paths(case: Case) -> None:
    """One seed gives the same paths twice, whatever was asked in between."""
    before = case.paths()
    case.paths("Chief Complaint: fever and cough.\n", seed=8)
    assert case.paths() == before


def check_nothing_has_a_reason(case: Case) -> None:
    """A note without a finding has no path, and the reason says so."""
    found, _, reason = case.paths(NOTHING)
    assert not found
    assert reason


CHECKS: tuple[Callable[[Case], None], ...] = (
    check_ids_and_number,
    check_starts_from_what_is_present,
    check_steps_are_of_the_graph,
    check_nothing_denied_or_of_the_family,
    check_same_seed_same_paths,
    check_nothing_has_a_reason,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", PATH_RETRIEVERS.names())
def test_every_path_retriever_keeps_to_the_contract(
    name: str, check: Callable[[Case], None], container: Container
) -> None:
    check(Case(name, container))


def test_a_broken_path_retriever_fails_the_checks(container: Container) -> None:
    with PATH_RETRIEVERS.scratch():

        @path_retriever("broken", label="Wrong in every way")
        class Broken:
            """Paths of another note, without a reason, from what is denied, other ones each time."""

            def __init__(self, parts: PathParts) -> None:
                self.parts = parts
                self.asked = 0

            def paths(
                self, linked: LinkedNote, conditions: Sequence[Condition], seed: int
            ) -> tuple[tuple[ReasoningPath, ...], tuple[PolicyStep, ...], str]:
                """One real path, turned round."""
                self.asked += 1
                good = PATH_RETRIEVERS.get("random1hop").value(self.parts)
                (path, *_), _, _ = good.paths(container.linker.link(NOTE), (), seed)
                denied = next(m for m in container.linker.link(NOTE).note.mentions if m.assertion == Assertion.NEGATED)
                last = path.steps[-1].model_copy(update={"concept_id": denied.concept_id, "name": "another"})
                bad = {"id": f"K{self.asked + 7}", "keyword": denied.name, "steps": (*path.steps[:-1], last)}
                return (path.model_copy(update=bad),), (), ""

        for check in CHECKS:
            with pytest.raises(AssertionError):
                check(Case("broken", container))
    assert "broken" not in PATH_RETRIEVERS.names()
