"""The fonts of every PDF: DejaVu Sans where the machine has it, else the Vera that comes with reportlab."""

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from backend.review.exports.copies import printable

FONT, BOLD = "LeapnoteText", "LeapnoteBold"
FOLDERS = (Path("/usr/share/fonts/truetype/dejavu"), Path("/usr/share/fonts/dejavu"), Path("/usr/share/fonts/TTF"))


class Spelled(NamedTuple):
    """A text that the fonts can show. missing: some character of it stands as its code."""

    text: str
    missing: bool


def spelled(text: str) -> Spelled:
    """The text without control characters; each character that the fonts lack is written as `[U+1F9FF]`."""
    glyphs = registered_glyphs()
    out = [c if c == "\n" or ord(c) in glyphs else f"[U+{ord(c):04X}]" for c in printable(text)]
    return Spelled("".join(out), any(len(c) > 1 for c in out))


@lru_cache(maxsize=1)
def registered_glyphs() -> frozenset[int]:
    """Register FONT and BOLD with reportlab, once a process; the code points that both have."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    folder = next(
        (f for f in FOLDERS if (f / "DejaVuSans.ttf").exists() and (f / "DejaVuSans-Bold.ttf").exists()), None
    )
    names = (
        (str(folder / "DejaVuSans.ttf"), str(folder / "DejaVuSans-Bold.ttf")) if folder else ("Vera.ttf", "VeraBd.ttf")
    )
    fonts = [TTFont(name, file) for name, file in zip((FONT, BOLD), names, strict=True)]
    for font in fonts:
        pdfmetrics.registerFont(font)
    return frozenset.intersection(*(frozenset(font.face.charToGlyph) for font in fonts))
