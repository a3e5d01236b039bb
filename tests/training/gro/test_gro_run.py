"""A run of the path policy: which notes it trains on, what it depends on, and that it is taken up where it stands."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backend.errors import InputError
from backend.ingest.clinical_notes.note_pairs import Pair, write_pairs
from backend.nlp.extraction.linker import DictionaryLinker
from backend.stores.graph.graph import Graph
from backend.training.gro import Preset, gro_run
from backend.training.gro.gro_examples import policy_places, with_validation
from backend.training.gro.gro_run import run_gro
from backend.training.gro.gro_settings import Loaded, RunSettings
from backend.training.gro.presets import preset
from models.policy.checkpoint import load_checkpoint
from models.policy.rollouts import Example
from models.policy.walking.note_view import unit

NOTES = (
    ("80F with leg swelling and dyspnea.", "You had heart failure. Take furosemide."),
    ("50M with cough and fever.", "You had pneumonia. Take amoxicillin."),
    ("60M with chest pain and dyspnea.", "You had a pulmonary embolism. Take warfarin."),
    ("70M with fever and a rash.", "You had pneumonia. Take ceftriaxone."),
)


def quiet(done: int, total: int, what: str) -> None:
    pass


def example(place: int) -> Example:
    return Example(str(place), np.array([place], dtype=np.int32), np.array([place], dtype=np.int32))


def test_the_policy_trains_on_so_many_notes_drawn_by_the_seed() -> None:
    chosen = policy_places(100, 30, seed=0)
    assert len(chosen) == len(set(chosen)) == 30
    assert chosen == sorted(chosen) and set(chosen) <= set(range(100))
    assert chosen == policy_places(100, 30, seed=0)
    assert chosen != policy_places(100, 30, seed=1)
    # more notes keep those that fewer had, since the draw is the start of one permutation
    assert set(chosen) < set(policy_places(100, 31, seed=0))


@pytest.mark.parametrize("wanted", [0, 5, 6])
def test_none_or_enough_policy_notes_mean_all(wanted: int) -> None:
    assert policy_places(5, wanted, seed=3) == [0, 1, 2, 3, 4]


def test_a_tenth_of_the_training_notes_validates_where_the_pairs_have_no_validation_split() -> None:
    train, held = with_validation([example(i) for i in range(30)], [], seed=0)
    assert (len(train), len(held)) == (27, 3)
    assert sorted(int(e.pair_id) for e in (*train, *held)) == list(range(30))
    own = [example(40)]
    assert with_validation(train, own, seed=0) == (train, own)


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("gro") / "pairs.jsonl"
    made = [
        Pair(f"{split}-{i}", f"{split}-{i}", split, note, text, ("synthetic",))
        for split in ("train", "validation")
        for i, (note, text) in enumerate(NOTES)
    ]
    write_pairs(path, made)
    return path


class Coarse:
    """One vector for every text."""

    dimension = 8
    name = "coarse"

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return np.full((len(texts), 8), 8**-0.5, dtype=np.float32)

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        return self.encode(texts)


@pytest.fixture
def loaded(tiny_graph: Graph, tiny_linker: DictionaryLinker) -> Loaded:
    vectors = unit(np.random.default_rng(0).standard_normal((len(tiny_graph), 8), dtype=np.float32))
    return Loaded(tiny_graph, vectors, Coarse(), tiny_linker, np.ones(len(tiny_graph), dtype=bool))


def settings(**changes: Any) -> RunSettings:
    given = {"epochs": 2, "rollouts": 3, "steps": 2, "state": "concepts", "learn_step": False, "policy_notes": 2}
    return preset(Preset.LEAPNOTE, "tiny", {**given, **changes}, "cpu", 64.0)


def test_a_run_walks_its_policy_notes_alone_and_its_card_counts_them_all(
    pairs: Path, loaded: Loaded, tmp_path: Path
) -> None:
    finished = run_gro(pairs, loaded, settings(), tmp_path, quiet)
    assert finished is not None
    card = load_checkpoint(tmp_path / "checkpoint").card
    assert (card["policy_notes"], card["examples"]) == (2, {"train": 4, "validation": 4, "test": 0})
    history = [json.loads(line) for line in (tmp_path / "history.jsonl").read_text().splitlines()]
    # two policy notes by three rollouts, in each epoch
    assert [line["rollouts"] for line in history] == [6] * len(history) and history
    assert card["data"]["synthetic"] is True
    assert "validation" in (tmp_path / "curves.html").read_text()
    again = run_gro(pairs, loaded, settings(), tmp_path, quiet)
    assert again is not None
    np.testing.assert_array_equal(again.checkpoint.policy.actions, finished.checkpoint.policy.actions)


@pytest.mark.parametrize("learn_step", [True, False])
def test_notes_are_read_whole_only_for_a_learned_concept_step(
    pairs: Path, loaded: Loaded, tmp_path: Path, learn_step: bool
) -> None:
    finished = run_gro(pairs, loaded, settings(learn_step=learn_step, state="outlook"), tmp_path, quiet)
    assert finished is not None
    # the stand-in encoder gives the same vector for every text, of no zeros
    # so few pairs are all of them learned from at the end, by what learns a concept step
    assert [bool(example.text_vector.any()) for example in finished.training] == [learn_step] * (8 if learn_step else 4)


@pytest.mark.parametrize(("below", "counted"), [(9, 8), (8, 4), (0, 4)])
def test_below_so_many_pairs_the_concept_step_is_fitted_anew_on_all_of_them(
    pairs: Path, loaded: Loaded, tmp_path: Path, below: int, counted: int
) -> None:
    finished = run_gro(pairs, loaded, settings(learn_step=True, state="outlook", refit_below=below), tmp_path, quiet)
    assert finished is not None and finished.checkpoint.statistics is not None
    assert finished.checkpoint.statistics.notes == counted
    assert finished.checkpoint.card["refitted"] == (counted == 8)


@pytest.mark.parametrize("asked", [{"reward": "residual"}, {"learn_from": "ranks"}])
def test_what_needs_proposals_is_refused_without_a_learned_step(asked: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="need the proposals of --learn-step yes"):
        settings(**asked)


@pytest.mark.parametrize("asked", [{"reward": "residual"}, {"learn_from": "ranks"}, {"advantage": "value"}])
def test_each_way_of_learning_trains_and_is_taken_up_as_it_was(
    pairs: Path, loaded: Loaded, tmp_path: Path, asked: dict[str, str]
) -> None:
    chosen = settings(learn_step=True, state="outlook", **asked)
    once = run_gro(pairs, loaded, chosen, tmp_path / "once", quiet)
    stops = iter([True, True])  # it asks before the state is saved and after
    assert run_gro(pairs, loaded, chosen, tmp_path / "broken", quiet, lambda: next(stops, False)) is None
    again = run_gro(pairs, loaded, chosen, tmp_path / "broken", quiet)
    assert once is not None and again is not None
    np.testing.assert_array_equal(again.checkpoint.policy.actions, once.checkpoint.policy.actions)


def test_the_folder_of_another_run_is_refused_with_what_differs(
    pairs: Path, loaded: Loaded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gro_run, "write_curves", lambda *_: None)  # the page takes a second
    assert run_gro(pairs, loaded, settings(epochs=1), tmp_path, quiet) is not None
    with pytest.raises(InputError, match=r"holds another run: policy_notes differ.*--restart"):
        run_gro(pairs, loaded, settings(epochs=1, policy_notes=3), tmp_path, quiet)


def test_a_file_that_is_not_there_is_told(loaded: Loaded, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"There is no file 'none.jsonl'"):
        run_gro(tmp_path / "none.jsonl", loaded, settings(), tmp_path / "run", quiet)


def test_a_two_tower_scorer_is_trained_by_its_flag_and_told_by_the_card(
    pairs: Path, loaded: Loaded, tmp_path: Path
) -> None:
    assert run_gro(pairs, loaded, settings(learn_step=True, scorer="two-tower"), tmp_path, quiet) is not None
    made = load_checkpoint(tmp_path / "checkpoint")
    assert made.card["scorer"] == "two-tower" and made.scorer is not None and made.scorer.towers is not None
    with pytest.raises(ValueError, match="--learn-step yes"):
        settings(scorer="two-tower")
    with pytest.raises(ValueError, match="three"):
        settings(learn_step=True, scorer="three")
