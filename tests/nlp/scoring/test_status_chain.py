"""The chain: against the sum over all chains, and files that are none of its."""

import json
from enum import StrEnum
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from backend.errors import KnowledgeError
from backend.nlp.scoring.evidence import BONDS, Evidence
from backend.nlp.scoring.status_chain import StatusChain, chances, read_chain


class Side(StrEnum):
    """Two statuses."""

    LEFT = "left"
    RIGHT = "right"


def test_the_chances_of_a_chain_are_those_of_the_sum_over_all_chains() -> None:
    random = np.random.default_rng(3)
    rows, follows = random.normal(size=(3, 2)), random.normal(size=(2, 2, 2))
    total = np.zeros((3, 2))
    for chain in product(range(2), repeat=3):
        score = sum(rows[at, one] for at, one in enumerate(chain))
        score += sum(follows[at, chain[at], chain[at + 1]] for at in range(2))
        for at, one in enumerate(chain):
            total[at, one] += np.exp(score)
    np.testing.assert_allclose(chances(rows, follows), total / total.sum(axis=1, keepdims=True))


def test_nothing_has_no_decision() -> None:
    held = StatusChain(tuple(Side), {}, np.zeros((1, 2)), np.zeros((len(BONDS), 2, 2)), 0.0)
    assert held.decide(Evidence((), ()), []) == []


def test_what_is_written_is_read(tmp_path: Path) -> None:
    file = tmp_path / "chain.json"
    follows = {bond: [[0.0, 0.0], [0.0, 0.0]] for bond in BONDS}
    file.write_text(json.dumps({"bias": [0, 0], "weights": {"up": [0, 3]}, "follows": follows, "margin": 0.1}))
    held = read_chain(file, tuple(Side))
    assert held.decide(Evidence((("up",),), ()), [Side.LEFT])[0][0] is Side.RIGHT
    assert held.decide(Evidence((("unknown",),), ()), [Side.LEFT])[0][0] is Side.LEFT


@pytest.mark.parametrize("text", ["", "{}", '{"bias": [0], "weights": {}, "follows": {}, "margin": 0.2}'])
def test_a_file_that_is_no_chain_says_so(tmp_path: Path, text: str) -> None:
    file = tmp_path / "chain.json"
    file.write_text(text)
    with pytest.raises(KnowledgeError, match=r"chain\.json"):
        read_chain(file, tuple(Side))


def test_a_file_of_other_statuses_says_so(tmp_path: Path) -> None:
    file = tmp_path / "chain.json"
    follows = {bond: [[0.0]] for bond in BONDS}
    file.write_text(json.dumps({"bias": [0.0], "weights": {}, "follows": follows, "margin": 0.2}))
    with pytest.raises(KnowledgeError, match="2 statuses"):
        read_chain(file, tuple(Side))
