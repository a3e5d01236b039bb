"""De-identification blanks: the `___` that stands in MIMIC-IV-Note where a name, date, age or place was taken out.

Normal form: each run of blanks is one `___`, and a letter or digit that touches it is set apart by a space, so that
`Dr.___was` does not read as one word and `___ ___` not as two gaps. MIMIC-III's `[** … **]` becomes the same mark.
Offsets into the original text do not survive; whoever needs them must not call this.

The mark is no content: nothing links it, counts it as a word or shows it as something that was said. `content` leaves it out.
"""

import re

MARK = "___"
_HINT = re.compile(r"\[\*\*[^\[\]]*\*\*\]")  # MIMIC-III: [**2151-7-16**], [**Known lastname 123**]
_RUN = re.compile(r"_{2,}(?:[ \t]+_{2,})*")
# What a blank takes with it when it goes: the title before a name, a hyphen, a genitive.
_TITLES = frozenset(("dr", "mr", "mrs", "ms", "miss"))
_BEFORE = re.compile(r"(?:(?<!\w)(?:dr|mr|mrs|ms|miss)\.?[ \t]*|-)$", re.IGNORECASE)
_AFTER = re.compile(r"['’]s\b|-(?=\w)")
# And what would be left standing alone: an empty pair of brackets, a comma after a space or at the start of a line.
_EMPTY_PAIR = re.compile(r"\(\s*\)|\[\s*\]")
_LOOSE = re.compile(r"^[ \t]*[,;][ \t]*|[ \t]+(?=[,.;:!?])", re.MULTILINE)
_SPACES = re.compile(r"[ \t]{2,}")
_WORD = re.compile(r"[^\W_]+")


def normal_form(text: str) -> str:
    """The text with every blank as one `___` that touches no letter and no digit. Twice gives the same as once."""
    if "[**" in text:
        text = _HINT.sub(MARK, text)
    return _RUN.sub(_apart, text) if "__" in text else text


def content(text: str) -> str:
    """What was said, without the blanks: for counting, comparing and linking. Words on the two sides stay two words."""
    first, *others = normal_form(text).split(MARK)
    if not others:
        return first
    kept = [first]
    for piece in others:
        kept[-1] = kept[-1][:-8] + _BEFORE.sub("", kept[-1][-8:])  # the longest title with point and spaces fits
        kept.append(_AFTER.sub("", piece, count=1) if piece.startswith(("'", "’", "-")) else piece)
    text = _LOOSE.sub("", _EMPTY_PAIR.sub(" ", " ".join(kept)))
    return "\n".join(_SPACES.sub(" ", line).strip() for line in text.split("\n"))


def has_content(text: str) -> bool:
    """Whether a word is left once the blanks are gone; a title alone is none, as it stood before a name."""
    return any(found.group().lower() not in _TITLES for found in _WORD.finditer(normal_form(text)))


def _apart(found: re.Match[str]) -> str:
    before, after = found.string[max(found.start() - 1, 0) : found.start()], found.string[found.end() : found.end() + 1]
    return (" " if before.isalnum() else "") + MARK + (" " if after.isalnum() else "")
