"""The language measures of ReinRAG's section 3.1 for one text against its reference.

ROUGE, BLEU, METEOR, BERTScore and the Sentence-BERT cosine. What cannot be had is named with its reason and never scored 0.
"""

import re
import warnings
from functools import cache, lru_cache
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from backend.evaluation.metrics.bertscore import TokenEncoder, bertscore
from backend.interfaces import Encoder
from backend.schemas.evaluation_results import NotAvailable

WORDS = re.compile(r"\w+")
DEBIAN = Path("/usr/share/wordnet")
"""Where Debian's package wordnet-base, free to use, has WordNet 3.0."""
LEXNAMES = "".join(f"{number:02d} unnamed 0\n" for number in range(45))
"""The names of WordNet's files of words, which the package leaves out, nltk counts and METEOR does not read."""
ABSENT = (
    "WordNet is not installed; install Debian's wordnet-base, or put nltk's corpora/wordnet into a folder and name it in NLTK_DATA. "
    "meteor_no_synonyms is METEOR by equal words and stems alone"
)


class NoSynonyms:
    """Stands in for WordNet: it knows no synonym, so that METEOR matches equal words and stems."""

    def synsets(self, word: str) -> tuple[()]:
        """None of any word."""
        return ()


def wordnet(folder: Path = DEBIAN) -> Any | None:
    """Nltk's WordNet if it is on this machine, else Debian's; nothing is fetched.

    Args:
        folder: of Debian's.
    """
    from nltk.corpus import wordnet as corpus

    try:
        corpus.ensure_loaded()
    except LookupError:
        return _debian(folder) if (folder / "index.noun").is_file() else None
    return corpus


@cache
def _debian(folder: Path) -> Any:
    import nltk
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    class Reader(WordNetCorpusReader):  # type: ignore[misc]
        def open(self, file: str) -> Any:
            return StringIO(LEXNAMES) if file == "lexnames" else super().open(file)

        def map_wn(self, version: str = "wordnet") -> None:
            """No other version is there to map to."""

    if str(folder) not in nltk.data.path:
        nltk.data.path.append(str(folder))  # nltk reads nothing elsewhere
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # other languages are not there, and METEOR asks for none
        return Reader(nltk.data.FileSystemPathPointer(str(folder)), None)


def meteor(text: str, reference: str, corpus: Any) -> float:
    """0 to 1, higher is nearer to the reference; over lower-cased words. corpus: what wordnet() gave, or NoSynonyms."""
    from nltk.translate.meteor_score import single_meteor_score

    words = [WORDS.findall(part.lower()) for part in (reference, text)]
    return float(single_meteor_score(words[0], words[1], wordnet=corpus))


class LanguageScores(NamedTuple):
    """Each 0 to 1 (cosines down to -1), higher is nearer to the reference; None where it was not scored."""

    rouge1: float | None
    rouge2: float | None
    rouge_l: float | None
    bleu1: float | None
    bleu2: float | None
    meteor: float | None
    meteor_no_synonyms: float | None
    bertscore: float | None
    sentence_bert: float | None


class LanguageMeasures:
    """encoder: the configured one; its name stands beside the two figures that rest on it."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._tokens = encoder if isinstance(encoder, TokenEncoder) else None
        self._wordnet = wordnet()

    @property
    def meanings(self) -> dict[str, str]:
        """Each measure in words."""
        return {
            "rouge1": "ROUGE-1, F-measure",
            "rouge2": "ROUGE-2, F-measure",
            "rouge_l": "ROUGE-L, F-measure",
            "bleu1": "BLEU-1 of each text, averaged",
            "bleu2": "BLEU-2 of each text, averaged",
            "meteor": "METEOR: equal words, stems, and WordNet's synonyms",
            "meteor_no_synonyms": "METEOR by equal words and stems alone, the same on every machine",
            "bertscore": f"BERTScore F1 over the tokens of {self._encoder.name}, as far as it reads, not rescaled",
            "sentence_bert": f"cosine of the two texts by {self._encoder.name}, as far as it reads them",
        }

    @property
    def not_available(self) -> tuple[NotAvailable, ...]:
        """The measures that this machine cannot take, each with the reason."""
        missing = []
        if self._wordnet is None:
            missing.append(NotAvailable(name="meteor", reason=ABSENT))
        if self._tokens is None:
            reason = f"the encoder {self._encoder.name} gives no vectors of tokens"
            missing.append(NotAvailable(name="bertscore", reason=reason))
        return tuple(missing)

    def scores(self, text: str, reference: str) -> LanguageScores:
        """An empty text shares no word with anything: its overlaps are 0, its cosines are not scored."""
        vectors = self._tokens.token_vectors([text, reference]) if self._tokens and text.strip() else None
        meaning = self._encoder.encode([text, reference]) if text.strip() else None
        return LanguageScores(
            *rouge(text, reference),
            *bleu(text, reference),
            meteor=None if self._wordnet is None else meteor(text, reference, self._wordnet),
            meteor_no_synonyms=meteor(text, reference, NoSynonyms()),
            bertscore=None if vectors is None else bertscore(vectors[0], vectors[1]),
            sentence_bert=None if meaning is None else float(meaning[0] @ meaning[1]),
        )


class Bleu(NamedTuple):
    """Each 0 to 1, higher is nearer to the reference. An empty text scores 0."""

    bleu1: float
    bleu2: float


def bleu(text: str, reference: str) -> Bleu:
    """BLEU-1 and BLEU-2 of a text against its reference, 0 to 1 (sacrebleu, 13a tokens, exponential smoothing)."""
    return Bleu(*(float(_scorer(order).sentence_score(text, [reference]).score) / 100 for order in (1, 2)))


@cache
def _scorer(order: int) -> Any:
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(max_ngram_order=order, effective_order=True)


class Rouge(NamedTuple):
    """Each 0 to 1, higher is nearer to the reference."""

    rouge1: float
    rouge2: float
    rouge_l: float


def rouge(text: str, reference: str) -> Rouge:
    """ROUGE-1, ROUGE-2 and ROUGE-L of a text against its reference, as F-measures from 0 to 1."""
    found = _rouge_scorer().score(reference, text)
    return Rouge(found["rouge1"].fmeasure, found["rouge2"].fmeasure, found["rougeL"].fmeasure)


@lru_cache(maxsize=1)
def _rouge_scorer() -> Any:
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=False)
