"""METEOR by nltk, which needs WordNet for synonyms. WordNet does not ship; without it METEOR is not available."""

import re
from typing import Any

WORDS = re.compile(r"\w+")
ABSENT = "WordNet is not installed; put nltk's corpora/wordnet into a folder and name it in NLTK_DATA"


def wordnet() -> Any | None:
    """nltk's WordNet if it is on this machine; nothing is fetched."""
    from nltk.corpus import wordnet as corpus

    try:
        corpus.ensure_loaded()
    except LookupError:
        return None
    return corpus


def meteor(text: str, reference: str, corpus: Any) -> float:
    """0 to 1, higher is nearer to the reference; over lower-cased words. corpus: what wordnet() gave."""
    from nltk.translate.meteor_score import single_meteor_score

    words = [WORDS.findall(part.lower()) for part in (reference, text)]
    return float(single_meteor_score(words[0], words[1], wordnet=corpus))
