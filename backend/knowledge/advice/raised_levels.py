"""Which warning signs are more urgent for some patients: a fever with a donated organ, a blow to the head with a blood thinner.

Takes assets/knowledge/red_flags/raised_triggers.tsv: the words of a sign, the least level that it has (event) and whom the row is for
(needs). The level of a sign for everybody else is that of its own row (`backend/knowledge/advice/red_flags.py`).
"""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.knowledge.advice.needs import Needs, parse_needs
from backend.knowledge.advice.red_flags import COMFORT_GOAL, EMERGENCIES, FOLDER, OPENINGS, level_of, sign_of
from backend.knowledge.advice.sign_classes import Level
from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import TriggerAutomaton, plain_marks
from backend.nlp.rules import RULES
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows

FAMILY = "raised"
TABLE = RULES.parent / "knowledge" / FOLDER


class RaisedSign(NamedTuple):
    """What raises a sign. level: the least that it has; needs: for whom."""

    level: Level
    needs: Needs


def raised(sentence: str, meets: Callable[[Needs], bool]) -> str:
    """The sentence at the level that its sign has for this patient; as it is where no row raises it.

    Args:
        sentence: any; one that opens as no level does is none.
        meets: whether the patient's record meets needs.
    """
    found = raising(sentence, meets)
    if found is None:
        return sentence
    return f"{OPENINGS[found.level].format(whom='your doctor')}{sign_of(sentence)}."


def raising(sentence: str, meets: Callable[[Needs], bool]) -> RaisedSign | None:
    """What raises a sentence most for this patient; None where nothing does. Takes what `raised` takes."""
    level = level_of(sentence)
    if level is None:
        return None
    automaton, rows = _rows(TABLE)
    found = automaton.find(plain_marks(tokens(sign_of(sentence)).words))[FAMILY]
    wanted = (rows[one.row.rule_id] for one in found)
    held = [one for one in wanted if one.level.rank < level.rank and meets(one.needs)]
    return min(held, key=lambda one: one.level.rank, default=None)


@lru_cache(maxsize=2)
def _rows(folder: Path) -> tuple[TriggerAutomaton, dict[str, RaisedSign]]:
    rows = trigger_rows(FAMILY, folder)
    return TriggerAutomaton(rows), {row.rule_id: _read(row) for row in rows}


def _read(row: TriggerRow) -> RaisedSign:
    """The least level of a row and whom it is for; nobody is sent to emergency treatment where comfort is the goal.

    Raises:
        KnowledgeError: the level or a need is none, or the row is for everybody.
    """
    if row.event not in set(Level):
        raise KnowledgeError(f"{row.rule_id}: the level {row.event!r} is none of {', '.join(Level)}.")
    needs = parse_needs(row.cells.get("needs", ""))
    if not needs.all_of:
        raise KnowledgeError(f"{row.rule_id}: say in the column needs for whom the sign is more urgent.")
    level = Level(row.event)
    return RaisedSign(level, needs._replace(none_of=(COMFORT_GOAL,)) if level in EMERGENCIES else needs)
