"""What the names of a letter mean, in brackets behind the first place of each."""

import re
from collections.abc import Mapping, Sequence

from backend.generation.letter.plain_language.in_place import meaning
from backend.schemas.record import ProblemStatement, ProcedureStatement, Statement, VerificationStatus

_FOLLOWING = re.compile(r" ([a-z]+)\b")
_MOST_EXPLAINED, _MOST_IN_ONE = 8, 2
"""Names of which a letter, and one sentence, says what they mean."""


class Explainer:
    """Explains the names of one letter. Use once.

    Args:
        plain: everyday words by concept id.
    """

    def __init__(self, plain: Mapping[str, str]) -> None:
        self._plain = plain
        self._explained: set[str] = set()

    def with_meaning(
        self, text: str, statements: Sequence[Statement], *, subject: bool = False
    ) -> tuple[str, tuple[str, ...]]:
        """A sentence with the meaning of the first names in it that need one, each once and few in a letter.

        Args:
            text: of the sentence.
            statements: what was read in the stretch of the note that it tells.
            subject: it names what the letter is about.
        """
        explained: list[str] = []
        for one in statements:
            if not isinstance(one, ProblemStatement | ProcedureStatement) or one.concept_id is None:
                continue
            denied = isinstance(one, ProblemStatement) and one.verification_status is VerificationStatus.REFUTED
            if denied or one.concept_id in self._explained or len(explained) == _MOST_IN_ONE:
                continue
            words = meaning(one, self._plain, subject=subject)
            written = (one.spans[0].text, *((one.name,) if subject else ()))  # "UTI" is told by its name
            names = "|".join(map(re.escape, written))
            place = re.search(rf"\b(?:{names})\b(?! \()", text, re.IGNORECASE) if words else None
            inside = place is not None and _is_enclosed(text, place.start())
            if place is None or inside or len(self._explained) >= _MOST_EXPLAINED:
                continue
            self._explained.add(one.concept_id)
            explained.append(one.concept_id)
            end = place.end()
            following = _FOLLOWING.match(text, end)
            if following is not None and following[1].lower() == words.rsplit(" ", 1)[-1]:
                end = following.end()  # "an MRI scan (a magnet scan)"
            text = f"{text[:end]} ({words}){text[end:]}"
        return text, tuple(explained)


def _is_enclosed(text: str, place: int) -> bool:
    """Whether a place of a text stands in brackets or in quotation marks."""
    before = text[:place]
    return before.count("(") > before.count(")") or before.count('"') % 2 == 1
