"""Language measures: by hand, and against the libraries themselves."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from backend.evaluation.metrics import language_measures
from backend.evaluation.metrics.bertscore import TokenEncoder, bertscore
from backend.evaluation.metrics.language_measures import (
    LanguageMeasures,
    LanguageScores,
    NoSynonyms,
    bleu,
    meteor,
    rouge,
    wordnet,
)
from tests.conftest import WordEncoder

TEXT = "take the tablets with food"
REFERENCE = "take your tablets with some food"


class TokenWords(WordEncoder):
    """A token is a word: one of three directions."""

    def token_vectors(self, texts: Sequence[str]) -> list[np.ndarray]:
        return [self.encode(text.split()) if text.split() else np.zeros((0, 64), np.float32) for text in texts]


def test_rouge_is_reckoned_by_hand() -> None:
    # 5 and 6 words share take, tablets, with, food: F = 2*4/11; pairs: "tablets with" of 4 and 5: F = 2*1/9
    found = rouge(TEXT, REFERENCE)
    assert found.rouge1 == pytest.approx(8 / 11)
    assert found.rouge2 == pytest.approx(2 / 9)
    # the longest common subsequence is take tablets with food: 4
    assert found.rouge_l == pytest.approx(8 / 11)


def test_bleu_is_reckoned_by_hand() -> None:
    # precisions 4/5 and 1/4; brevity penalty exp(1 - 6/5)
    found = bleu(TEXT, REFERENCE)
    penalty = np.exp(1 - 6 / 5)
    assert found.bleu1 == pytest.approx(penalty * 4 / 5)
    assert found.bleu2 == pytest.approx(penalty * np.sqrt(4 / 5 * 1 / 4))


def test_bleu_of_the_same_text_is_one_and_of_none_zero() -> None:
    assert bleu(REFERENCE, REFERENCE) == pytest.approx((1.0, 1.0))
    assert bleu("", REFERENCE) == (0.0, 0.0)


def test_bleu_1_is_nltk_s_where_nothing_needs_smoothing() -> None:
    from nltk.translate.bleu_score import sentence_bleu

    theirs = sentence_bleu([REFERENCE.split()], TEXT.split(), weights=(1,))
    assert bleu(TEXT, REFERENCE).bleu1 == pytest.approx(theirs)


def test_meteor_is_reckoned_by_hand_where_no_synonym_is_known() -> None:
    # 4 matches: precision 4/5, recall 4/6; alpha 0.9: F = P R / (0.9 P + 0.1 R) = 0.5333 / 0.7867 = 0.67797
    # chunks: take | tablets with | food = 3; penalty 0.5 (3/4)^3 = 0.2109; score 0.67797 * 0.78906 = 0.53496
    assert meteor(TEXT, REFERENCE, NoSynonyms()) == pytest.approx(0.53496, abs=1e-4)
    # a stem matches too: tablet, tablets
    assert meteor("tablet", "tablets", NoSynonyms()) == pytest.approx(0.5)


def test_bertscore_is_reckoned_by_hand() -> None:
    text = np.array([[1, 0], [0, 1]], dtype=np.float32)
    reference = np.array([[1, 0], [0.6, 0.8], [0.8, 0.6]], dtype=np.float32)
    # precision: (1 + 0.8) / 2 = 0.9; recall: (1 + 0.8 + 0.8) / 3 = 0.86667; F = 0.88302
    assert bertscore(text, reference) == pytest.approx(2 * 0.9 * (2.6 / 3) / (0.9 + 2.6 / 3))
    assert bertscore(text, text) == pytest.approx(1.0)
    assert bertscore(text[:0], reference) is None


def test_bertscore_of_words_ignores_their_order(encoder: WordEncoder) -> None:
    tokens = TokenWords()
    assert isinstance(tokens, TokenEncoder)
    assert not isinstance(encoder, TokenEncoder)
    found = LanguageMeasures(tokens).scores("food with tablets", "tablets with food")
    assert found.bertscore == pytest.approx(1.0, abs=1e-5)


def test_what_is_missing_is_told_and_never_zero(encoder: WordEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language_measures, "wordnet", lambda: None)
    measures = LanguageMeasures(encoder)
    found = measures.scores(TEXT, REFERENCE)
    assert (found.meteor, found.bertscore) == (None, None)
    assert found.meteor_no_synonyms == pytest.approx(0.53496, abs=1e-4)
    reasons = {missing.name: missing.reason for missing in measures.not_available}
    assert "WordNet" in reasons["meteor"]
    assert "words" in reasons["bertscore"]  # the encoder's name
    assert found.sentence_bert == pytest.approx(float(np.dot(*encoder.encode([TEXT, REFERENCE]))))
    assert tuple(measures.meanings) == LanguageScores._fields
    assert "words" in measures.meanings["sentence_bert"]


def test_an_empty_text_overlaps_with_nothing_and_has_no_cosine(encoder: WordEncoder) -> None:
    found = LanguageMeasures(encoder).scores(" ", REFERENCE)
    assert (found.rouge1, found.rouge_l, found.bleu1) == (0.0, 0.0, 0.0)
    assert found.sentence_bert is None


def test_wordnet_is_looked_for_on_this_machine_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import nltk

    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    from nltk.corpus import wordnet as corpus

    if not isinstance(corpus, nltk.corpus.util.LazyCorpusLoader):
        pytest.skip("WordNet was loaded before this test")
    assert wordnet(tmp_path) is None


def test_debians_wordnet_gives_meteor_its_synonyms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import nltk

    monkeypatch.setattr(nltk.data, "path", [str(tmp_path / "none")])
    if not isinstance(nltk.corpus.wordnet, nltk.corpus.util.LazyCorpusLoader):
        pytest.skip("WordNet was loaded before this test")
    # the files of wordnet-base with one synset: a line of data lies at the offset that the index names
    folder = tmp_path / "wordnet"
    folder.mkdir()
    assert wordnet(folder) is None
    for kind in ("noun", "verb", "adj", "adv"):
        for name in (f"index.{kind}", f"data.{kind}", f"{kind}.exc"):
            (folder / name).write_text("")
    (folder / "data.noun").write_text("00000000 18 n 02 physician 0 doctor 0 000 | a healer  \n")
    (folder / "index.noun").write_text("".join(f"{word} n 1 0 1 0 00000000  \n" for word in ("doctor", "physician")))
    corpus = wordnet(folder)
    assert [synset.lemma_names() for synset in corpus.synsets("physician")] == [["physician", "doctor"]]
    text, reference = "the physician came home", "the doctor came home"
    # all four words match in one chunk: 1 - 0.5 (1 / 4)^3; without synonyms three of four in two chunks
    assert meteor(text, reference, corpus) == pytest.approx(1 - 0.5 / 64)
    assert meteor(text, reference, NoSynonyms()) == pytest.approx(0.75 * (1 - 0.5 * (2 / 3) ** 3))
