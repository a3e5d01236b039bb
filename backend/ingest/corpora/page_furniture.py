"""Tells reading matter from what stands around it in books and pages: references, addresses, page numbers.

It judges a paragraph by its shape alone and leaves a doubtful one in. It does not know layout.
"""

import re

BACK_MATTER = frozenset(
    [
        "references",
        "reference",
        "bibliography",
        "further reading",
        "suggested reading",
        "suggested readings",
        "works cited",
        "literature cited",
        "external links",
        "acknowledgements",
        "acknowledgments",
        "index",
        "table of contents",
        "contents",
        "copyright",
        "disclosure",
        "disclosures",
        "conflict of interest",
        "conflicts of interest",
        "author information",
        "contributors",
        "list of contributors",
        "review questions",
    ]
)

AFTER_LIST = 3
TEXT_WORDS = 25


def is_back_matter(header: str) -> bool:
    """Whether a header opens a part that is no reading matter, as "References" or "12. Bibliography"."""
    return _NUMBER.sub("", header).strip(" .:").lower() in BACK_MATTER


def is_reference(paragraph: str) -> bool:
    """Whether a paragraph is an entry of a list of references."""
    head = paragraph[:400]
    if not _YEAR.search(head) and not _DOI.search(head):
        return False
    numbered = bool(_ENTRY.match(head))
    authors = len(_AUTHOR.findall(head[:160]))
    journal = bool(_VOLUME.search(head) or _DOI.search(head))
    return (journal and (numbered or authors >= 1)) or (numbered and authors >= 2)


def is_address(paragraph: str) -> bool:
    """Whether a paragraph is an address: of a person, an institution, a web page or a letter box."""
    text = paragraph.strip()
    if len(text) > 300:
        return False
    bare = _LINK.sub("", text).strip(" .,;:()<>-|•")
    if _LINK.search(text) and len(bare.split()) <= 3:
        return True
    signs = sum(bool(sign.search(text)) for sign in _ADDRESS)
    return signs >= 2


def is_furniture(line: str) -> bool:
    """Whether a line is a page number or a rule, and nothing else."""
    return bool(_FURNITURE.fullmatch(line.strip()))


def reading_matter(text: str) -> tuple[str, int, int]:
    """The paragraphs (lines) worth keeping, and how many references and addresses were left out.

    Behind a line that says "References" whatever could be one is left out, until AFTER_LIST paragraphs in a row
    of TEXT_WORDS words that could not.
    """
    kept: list[str] = []
    waiting: list[str] = []  # what came behind the last reference of a list, and may be text again
    references = addresses = 0
    listed = False
    for paragraph in text.split("\n"):
        if is_back_matter(paragraph) and len(paragraph) < 60:
            listed = True
        elif is_reference(paragraph) or (listed and _LIKE_REFERENCE.search(paragraph[:600])):
            references += 1 + len(waiting)
            waiting = []
        elif is_address(paragraph):
            addresses += 1
        elif is_furniture(paragraph):
            continue
        elif not listed:
            kept.append(paragraph)
        else:
            waiting.append(paragraph)
            # titles and journals torn from their references are short
            if sum(len(part.split()) >= TEXT_WORDS for part in waiting) >= AFTER_LIST:
                kept, waiting, listed = kept + waiting, [], False
    return "\n".join(kept + waiting), references, addresses


_NUMBER = re.compile(r"^\s*(?:chapter\s+)?[\dIVX]{0,5}[.):]?\s+", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:19|20)\d\d[a-z]?\b")
_DOI = re.compile(r"\bdoi\s*:|doi\.org/|\bPMID\s*:", re.IGNORECASE)
_LIKE_REFERENCE = re.compile(
    r"[A-Z][a-z]+, [A-Z]\.[ ,]|\((?:19|20)\d\d[a-z]?\)|\bdoi\b|doi\.org|\bet al\b|\b(?:19|20)\d\d;\d|\d\(\d+\),?\s",
    re.IGNORECASE,
)
_ENTRY = re.compile(r"\s*(?:\[\d{1,4}\]|\(\d{1,4}\)|\d{1,4}\.)\s+\S")
_AUTHOR = re.compile(
    r"\b[A-Z][a-z'’-]+(?:\s[A-Z][a-z'’-]+)?,?\s(?:[A-Z]\.?\s?){1,3}(?=[,.;]|\sand\b|\s&|\set\sal)|\bet al\b"
)
# 2019;380(1):11-22   or   12(3): 45–67   or   71(3), 1-95   or   357: 9-12   or   Vol. 12, pp. 45
_VOLUME = re.compile(
    r"\b(?:19|20)\d\d\s?;\s?\d|\b\d{1,4}\s?\(\d[^)]{0,12}\)\s?[:,]\s?[eS]?\d|\b\d{1,4}\s?:\s?[eS]?\d+\s?[-–]\s?\d+"
    r"|\bpp?\.\s?\d+|\bvol\.\s?\d+",
    re.IGNORECASE,
)
_LINK = re.compile(r"https?://\S+|www\.\S+|\S+@\S+\.\w+")
_ADDRESS = (
    re.compile(r"\S+@\S+\.\w+|\b(?:tel|fax|phone|telephone|e-?mail)\b\s*[:.]", re.IGNORECASE),
    re.compile(r"\b(?:P\.?\s?O\.?\s?Box|Suite|Street|Avenue|Road|Boulevard|Blvd|Building|Room)\b\.?"),
    re.compile(
        r"\b(?:Department|Division|School|Faculty|Institute|University|Hospital|College|Center|Centre) of\b|\bUniversity\b"
    ),
    re.compile(r"\b[A-Z]{2}\s\d{5}(?:-\d{4})?\b|\b[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}\b|\+\d{1,3}[\s(]\d"),
)
_FURNITURE = re.compile(r"(?:page\s+)?[\divxlc]{1,6}(?:\s*(?:of|/)\s*\d{1,5})?|[-–—_=*.•|\s]+", re.IGNORECASE)
