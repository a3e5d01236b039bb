"""The assertions of medicines as their statements have it: taken now, past, or never taken.

"A history of atrial fibrillation on apixaban" makes the fibrillation history, not the apixaban; "now off warfarin" ends it.
"""

from collections.abc import Mapping, Sequence

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.medications.statements import assertions_of
from backend.schemas.drafts.note import Mention
from backend.schemas.vocabulary import Assertion


def as_taken(note: ParsedNote, mentions: Sequence[Mention]) -> list[Mention]:
    """The mentions with medicines as the words beside them say; others, and planned medicines, as they are.

    Args:
        note: the parsed note.
        mentions: of the whole note, with the assertions of their scopes.
    """
    assertions = assertions_of(note, mentions)
    return [_as_stated(one, assertions) for one in mentions]


def _as_stated(mention: Mention, assertions: Mapping[int, tuple[Assertion, str]]) -> Mention:
    found = assertions.get(mention.start_char)
    if found is None or found[0] is mention.assertion:
        return mention
    return mention.model_copy(update={"assertion": found[0], "assertion_cue": found[1], "also": ()})
