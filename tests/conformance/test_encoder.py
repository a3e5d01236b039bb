"""Every registered encoder does what the others do. Those loaded from outside run tiny models made here.

A new encoder is tested by being registered: it is made from a folder that holds a BERT, its article-encoder and its
query-encoder, or, with the fact `embedded`, from its own weights.
"""

import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from backend.interfaces import Encoder
from backend.registry import ENCODERS, encoder
from models.encoders.encoders import make_encoder
from models.encoders.sentence_encoder import ARTICLE_FOLDER, QUERY_FOLDER
from tests.conformance.encoder_checks import CHECKS, names_its_weights
from tests.models.encoders.test_rerankers import tiny


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    made = []
    for number in (0, 1):
        folder = tiny(tmp_path_factory.mktemp("encoders") / "bert", 10 + number)
        for part in (ARTICLE_FOLDER, QUERY_FOLDER):
            shutil.copytree(folder, folder / part, ignore=shutil.ignore_patterns("*-encoder"))
        made.append(folder)
    return made[0], made[1]


def setting(name: str, folder: Path) -> str:
    return name if ENCODERS.get(name).facts.get("embedded") else f"{name}:{folder}"


@pytest.fixture(scope="module", params=ENCODERS.names())
def made(request: pytest.FixtureRequest, folders: tuple[Path, Path]) -> Encoder:
    return make_encoder(setting(request.param, folders[0]))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_every_encoder(made: Encoder, check: Callable[[Encoder], None]) -> None:
    check(made)


@pytest.mark.parametrize("name", ENCODERS.names())
def test_every_encoder_names_its_weights(name: str, folders: tuple[Path, Path]) -> None:
    names_its_weights(lambda number: make_encoder(setting(name, folders[number])))


def test_a_folder_is_an_encoder_too(folders: tuple[Path, Path]) -> None:
    for check in CHECKS:
        check(make_encoder(str(folders[0])))


class Sound:
    """Letters counted, for the tests of the checks themselves."""

    dimension = 26

    def __init__(self, weights: str = "") -> None:
        self.weights = weights
        self.name = f"letters-{weights}"

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        rows = np.full((len(texts), self.dimension), 0.1 if self.weights else 0.2, dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for letter in text.replace(" ", ""):
                row[ord(letter) - ord("a")] += 1
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        return self.encode(texts)


class Wide(Sound):
    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return super().encode(texts).astype(np.float64)


class Long(Sound):
    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return super().encode(texts) * np.float32(1.1)


class Listless(Sound):
    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return super().encode(texts) if texts else np.zeros(0, dtype=np.float32)


class Leaning(Sound):
    """Centred on its batch."""

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        rows = super().encode(texts)
        rows = rows + rows.sum(axis=0) / max(len(rows), 1)
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


class Sorted(Sound):
    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return super().encode(sorted(texts))


class Deaf(Sound):
    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return super().encode(["a"] * len(texts))


class Shared(Sound):
    """Keeps what it was asked in one place for all threads."""

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.asked = list(texts)
        time.sleep(0.002)
        return super().encode(self.asked)


class Nameless(Sound):
    def __init__(self, weights: str = "") -> None:
        super().__init__(weights)
        self.name = "letters"


def failed(made: Encoder) -> set[str]:
    found = set()
    for check in CHECKS:
        try:
            check(made)
        except AssertionError:
            found.add(check.__name__)
    return found


@pytest.mark.parametrize(
    ("broken", "caught"),
    [
        (Wide, "gives_float32_rows_of_length_1"),
        (Long, "gives_float32_rows_of_length_1"),
        (Listless, "gives_nothing_for_nothing"),
        (Leaning, "gives_a_text_one_vector_in_any_batch"),
        (Sorted, "keeps_the_order_and_repeats"),
        (Deaf, "tells_texts_apart"),
        (Shared, "serves_threads_alike"),
    ],
)
def test_a_broken_encoder_is_caught(broken: type[Sound], caught: str) -> None:
    with ENCODERS.scratch():
        encoder("sound")(Sound)
        encoder("broken")(broken)
        assert failed(make_encoder("sound")) == set()
        assert caught in failed(make_encoder("broken"))
    assert "broken" not in ENCODERS.names()


def test_one_name_for_two_sets_of_weights_is_caught() -> None:
    with ENCODERS.scratch():
        encoder("sound")(Sound)
        encoder("broken")(Nameless)
        names_its_weights(lambda number: make_encoder(f"sound:{'x' * number}"))
        with pytest.raises(AssertionError):
            names_its_weights(lambda number: make_encoder(f"broken:{'x' * number}"))
