"""A sentence's plain wordings of chart words, put back into the words of the cited text: "an MI" for "a heart attack".

The rows of assets/rules/letter/plain_terms.tsv say which everyday words stand for which written ones; a pair counts only where the
cited text has the written side. What is compared then is the same word on both sides. Nothing is put back that is not cited.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from backend.nlp.rules import RULES, rule_rows

_EDGE = r"(?<!\w){}(?!\w)"


def as_cited(text: str, units: Iterable[str]) -> str:
    """The sentence with each plain wording replaced by the written one that the cited text has.

    Args:
        text: the sentence.
        units: the sentences of what it cites.
    """
    lower = text.lower()
    said = [one for one in _pairs() if one[1].lower() in lower]
    if not said:
        return text
    cited = "\n".join(units)
    for written, plain, flags in said:
        if re.search(_EDGE.format(re.escape(written)), cited, flags):
            text = re.sub(_EDGE.format(re.escape(plain)), written.replace("\\", r"\\"), text, flags=re.IGNORECASE)
    return text


@lru_cache(maxsize=1)
def _pairs() -> tuple[tuple[str, str, re.RegexFlag], ...]:
    """Written word, plain words and whether case counts, the longest wordings first; rows that keep a word are left out."""
    rows = rule_rows(RULES / "letter" / "plain_terms.tsv", 3)
    pairs = [
        (written, plain, re.NOFLAG if case == "exact" else re.IGNORECASE)
        for written, case, plain in rows
        if case in ("any", "exact") and written != plain
    ]
    return tuple(sorted(pairs, key=lambda pair: -len(pair[1])))
