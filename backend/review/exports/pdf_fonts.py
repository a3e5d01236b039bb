"""The fonts of every PDF: DejaVu Sans, as it comes with matplotlib."""

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from backend.errors import MissingError
from backend.review.exports.copies import printable

FONT, BOLD = "LeapnoteText", "LeapnoteBold"
FILES = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")


class Spelled(NamedTuple):
    """A text that the fonts can show. missing: some character of it stands as its code."""

    text: str
    missing: bool


def spelled(text: str) -> Spelled:
    """The text without control characters; each character that the fonts lack is written as `[U+1F9FF]`."""
    glyphs = registered_glyphs()
    out = [c if c == "\n" or ord(c) in glyphs else f"[U+{ord(c):04X}]" for c in printable(text)]
    return Spelled("".join(out), any(len(c) > 1 for c in out))


def font_files() -> tuple[Path, Path]:
    """Regular and bold.

    Raises:
        MissingError: matplotlib, which brings them, is not installed.
    """
    found = find_spec("matplotlib")
    if found is None or found.origin is None:
        raise MissingError(
            "The fonts of PDF files come with the package matplotlib, which is not installed. Run: make setup"
        )
    folder = Path(found.origin).parent / "mpl-data" / "fonts" / "ttf"
    return folder / FILES[0], folder / FILES[1]


@lru_cache(maxsize=1)
def registered_glyphs() -> frozenset[int]:
    """Register FONT and BOLD with reportlab, once a process; the code points that both have."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    fonts = [TTFont(name, str(file)) for name, file in zip((FONT, BOLD), font_files(), strict=True)]
    for font in fonts:
        pdfmetrics.registerFont(font)
    return frozenset.intersection(*(frozenset(font.face.charToGlyph) for font in fonts))
