"""How often a condition brings an adult to hospital, whether it comes or stays, what it hardly comes without and hardly comes with.

Reads assets/rules/condition_courses.tsv, an estimate that no clinician has reviewed. What the file does not list is rare and
acute. The ranks order what fits equally well; they are no prevalence and no probability.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.nlp.lexicon.plain_names import ids_by_name
from backend.nlp.rules import rule_rows
from backend.stores.graph.graph import Graph

COMMONEST = 5
NOT = "not "  # before a name in the last cell: what the condition hardly comes with
WIDER = (
    "inverse_isa",
    "class_of",
    "has_subclass",
)  # what is expected is met by any of its kinds, and a class by its members


class Course(StrEnum):
    """acute: comes and goes. chronic: known for long unless the note states an acute change. sign: another condition explains it."""

    ACUTE = "acute"
    CHRONIC = "chronic"
    SIGN = "sign"


class ConditionCourse(NamedTuple):
    """frequency: 1 rare as the reason for admission to 5 among the commonest.

    expects: concept ids, without any of which it is unlikely. excludes: ids of which each makes it unlikely.
    """

    frequency: int = 1
    course: Course = Course.ACUTE
    expects: frozenset[str] = frozenset()
    excludes: frozenset[str] = frozenset()


UNLISTED = ConditionCourse()


def read_courses(path: Path, graph: Graph) -> dict[str, ConditionCourse]:
    """Courses by concept id; names that the graph does not know are passed over, since another graph may be loaded.

    Raises:
        KnowledgeError: a line has another shape.
    """
    by_name = ids_by_name(graph)
    courses = {}
    for name, frequency, course, expects in rule_rows(path, 4):
        if not frequency.isdigit() or not 1 <= int(frequency) <= COMMONEST or course not in tuple(Course):
            raise KnowledgeError(
                f"{path.name}, '{name}': frequency {frequency!r} and course {course!r}; write 1 to {COMMONEST} and one of {', '.join(Course)}."
            )
        if name in by_name:
            cell = expects.split("|")
            wanted = [by_name[one] for one in cell if one in by_name]
            bare = [one.removeprefix(NOT) for one in cell if one.startswith(NOT)]
            unwanted = [by_name[one] for one in bare if one in by_name]
            courses[by_name[name]] = ConditionCourse(
                int(frequency), Course(course), with_kinds(graph, wanted), with_kinds(graph, unwanted)
            )
    return courses


def frequency_of(courses: Mapping[str, ConditionCourse], concept: str) -> int:
    """How often a condition brings an adult to hospital; that of an unlisted one where it has no row."""
    return courses.get(concept, UNLISTED).frequency


def with_kinds(graph: Graph, concepts: Iterable[str]) -> frozenset[str]:
    """The concepts, and all that are kinds of them in the graph."""
    found = set(concepts)
    waiting = list(found)
    while waiting:
        for kind in graph.related(waiting.pop(), *WIDER):
            if kind not in found:
                found.add(kind)
                waiting.append(kind)
    return frozenset(found)
