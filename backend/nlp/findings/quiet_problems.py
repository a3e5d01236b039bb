"""Which problems a note tells as quiet: "her depression is well managed", and under the heading "Asthma." that there were no flares.

Read where the note tells of today, in the sentence that names the problem and under a heading that is its name, by the rows of
assets/rules/findings/quiet_triggers.tsv. One word that it is worse, or treated anew, is enough to take none for quiet.
"""

import re
from collections.abc import Collection
from functools import lru_cache

from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import TriggerAutomaton, plain_marks
from backend.nlp.rules.trigger_rows import trigger_rows
from backend.schemas.drafts.note import LinkedNote, Mention
from backend.schemas.vocabulary import SectionCategory

FAMILY = "findings/quiet"
QUIET, NOT_QUIET = "QUIET", "NOT_QUIET"
_HEADING_MOST = 6
"""Words of a heading."""
_BLANK = re.compile(r"\n\s*\n|\n\s*(?:\d{1,2}[.)]|#)\s")
"""What ends the lines under a heading: a blank one, or the next number."""
_MARK = re.compile(r"\s*(?:\d{1,2}[.)]|[#*•-])?\s*")
"""What may stand before a heading in its line."""
_ENDS = (". ", "\n", ";")


def quiet_problems(linked: LinkedNote, sections: Collection[SectionCategory]) -> frozenset[str]:
    """The concepts whose mentions in some sections a note tells as quiet, and none as worse or treated anew.

    Args:
        linked: the note.
        sections: those that tell of today.
    """
    events: dict[str, set[str]] = {}
    for mention in linked.note.mentions:
        if mention.section in sections:
            words = plain_marks(tokens(_passage(linked.note.text, mention)).words)
            found = {one.row.event for one in _automaton().find(words)[FAMILY]}
            events.setdefault(mention.concept_id, set()).update(found)
    return frozenset(concept for concept, found in events.items() if found == {QUIET})


def _passage(text: str, mention: Mention) -> str:
    """The sentence that names a problem; with what stands below or behind it where it is a heading."""
    begin = max(text.rfind(mark, 0, mention.start_char) for mark in _ENDS) + 1
    end = min(_end(text, mark, mention.end_char) for mark in _ENDS)
    line = text.rfind("\n", 0, mention.start_char) + 1
    if _MARK.fullmatch(text, min(line, begin), begin) and len(text[begin:end].split()) <= _HEADING_MOST:
        next_one = _BLANK.search(text, end)
        end = next_one.start() if next_one else len(text)
    return text[begin:end]


def _end(text: str, mark: str, start: int) -> int:
    found = text.find(mark, start)
    return found if found >= 0 else len(text)


@lru_cache(maxsize=1)
def _automaton() -> TriggerAutomaton:
    return TriggerAutomaton(trigger_rows(FAMILY))
