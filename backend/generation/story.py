"""Whether a mention that the note states is what the patient came with, and no effect of a medicine told beside it.

Takes the material of one draft and a mention; it reads the words before it in its own sentence. Another's complaint and an
earlier one are none: the linker asserts them of the family and of the past. It only keeps back from a list of what was felt
besides; what the note says stays in the note.
"""

import re

from backend.generation.material import Material
from backend.schemas.note import Mention


def tells_of_now(material: Material, mention: Mention) -> bool:
    """False where the words before a mention say that something gave it to the patient ("codeine made her ...")."""
    piece = material.piece_at(mention.start_char)
    if piece is None:
        return True
    before = _NOW.split(piece.text[: mention.start_char - piece.start_char])[-1]
    return _EFFECT.search(before) is None


_NOW = re.compile(
    r"\b(?:but|now|today|currently|this (?:morning|time|week)|since (?:yesterday|last night|then)|since|yesterday|presents?|came in|comes in|returns?)\b|;",
    re.IGNORECASE,
)
_EFFECT = re.compile(
    r"\b(?:gave|gives|made|makes|caused|causes|left) (?:him|her|them|the patient)\b|\b(?:which|that) (?:gave|made|caused)\b",
    re.IGNORECASE,
)
