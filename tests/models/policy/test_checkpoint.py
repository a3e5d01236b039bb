"""A checkpoint: what is saved is what is loaded, and one of another graph or encoder is refused."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from backend.errors import KnowledgeError
from backend.stores.graph.graph_rows import ConceptRow
from models.policy.carried_over import GraphNames
from models.policy.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from models.policy.network import LEAN, PolicyNetwork
from models.policy.walking.environment import OUTLOOK
from models.policy.walking.walk_settings import LEAPNOTE, OURS, PAPER, StateKind, WalkSettings
from tests.models.policy.concept_step.test_concept_step import learned
from tests.models.policy.concept_step.test_two_towers import two_tower
from tests.models.world import random_world

CARD = {"graph": "g1", "encoder": "minilm-1", "data": {"hash": "0" * 64}}


def checkpoint(with_step: bool) -> Checkpoint:
    step = learned()[0] if with_step else None
    return Checkpoint(
        "one",
        PolicyNetwork(8, stop=True).fold(),
        OURS if with_step else PAPER,
        not with_step,
        step.statistics if step else None,
        step.weights if step else None,
        CARD,
    )


@pytest.mark.parametrize("with_step", [True, False])
def test_what_is_saved_is_what_is_loaded(tmp_path: Path, with_step: bool) -> None:
    made = checkpoint(with_step)
    save_checkpoint(tmp_path / "one", made)
    found = load_checkpoint(tmp_path / "one")
    assert (found.name, found.walk, found.sampled) == ("one", made.walk, made.sampled)
    mean, legal = np.ones(8, dtype=np.float32), np.ones(16, dtype=bool)
    np.testing.assert_allclose(
        found.policy.probabilities(0, 3, 4, mean, legal), made.policy.probabilities(0, 3, 4, mean, legal), atol=0.01
    )
    if with_step:
        _, view, vectors = learned()
        graph, _ = random_world(4)
        a, b = (c.step(graph) for c in (made, found))
        assert a is not None and b is not None
        np.testing.assert_allclose(
            a.base(view, np.arange(120)), b.base(type(view)(view.keywords, vectors), np.arange(120))
        )
    else:
        assert found.step(random_world(4)[0]) is None


def test_towers_are_kept(tmp_path: Path) -> None:
    step, view = two_tower()
    made = checkpoint(True)._replace(statistics=step.statistics, scorer=step.weights)
    save_checkpoint(tmp_path / "one", made)
    found = load_checkpoint(tmp_path / "one").step(random_world(4)[0])
    assert found is not None and found.weights.towers is not None
    every = np.arange(120)
    np.testing.assert_allclose(found.base(type(view)(view.keywords, view.vectors), every), step.base(view, every))


def test_an_outlook_and_its_lean_are_kept(tmp_path: Path) -> None:
    made = checkpoint(True)._replace(policy=PolicyNetwork(8, outlook_width=OUTLOOK).fold(), walk=LEAPNOTE)
    save_checkpoint(tmp_path / "one", made)
    found = load_checkpoint(tmp_path / "one")
    assert found.walk.state == StateKind.OUTLOOK
    assert found.policy.lean.tolist() == made.policy.lean.tolist() == [LEAN] * 15
    assert found.policy.concepts.shape == made.policy.concepts.shape


def test_a_card_from_before_there_was_an_outlook_has_none() -> None:
    row = OURS.as_json()
    del row["state"]
    assert WalkSettings.from_json(row) == OURS


class Named(NamedTuple):
    """A graph as far as a policy is fitted to it."""

    ids: tuple[str, ...]
    relations: tuple[str, ...]
    fingerprint: str

    @property
    def index(self) -> dict[str, int]:  # type: ignore[override]
        return {one: place for place, one in enumerate(self.ids)}

    @property
    def concepts(self) -> tuple[ConceptRow, ...]:
        return tuple(ConceptRow(one, f"name {one}", "DISO", "disease") for one in self.ids)


IDS = tuple(f"C{place}" for place in range(20))


def test_on_its_own_graph_a_checkpoint_is_itself() -> None:
    made = checkpoint(False)
    assert made.fitted(Named(IDS, (), "g1"), "minilm-1") is made


def test_another_encoder_is_refused_with_what_to_do() -> None:
    with pytest.raises(KnowledgeError, match="encoder minilm-1, but mpnet is loaded"):
        checkpoint(False).fitted(Named(IDS, (), "g1"), "mpnet")


@pytest.mark.parametrize(
    ("learned", "names"), [(False, None), (True, GraphNames(tuple(f"C{place}" for place in range(120)), ("a",)))]
)
def test_a_graph_with_no_concept_that_was_counted_is_refused(learned: bool, names: GraphNames | None) -> None:
    made = checkpoint(learned)._replace(names=names)
    other = Named(tuple(f"D{place}" for place in range(20)), ("a",), "g2")
    with pytest.raises(KnowledgeError, match=r"graph g1, but g2 is loaded.*train gro"):
        made.fitted(other, "minilm-1")


def test_another_graph_is_taken_and_the_share_of_what_was_learned_is_said() -> None:
    made = checkpoint(False)._replace(names=GraphNames(IDS, ("a",), ("name X", *[""] * 19)))
    found = made.fitted(Named((*IDS[2:], "X", "Y"), ("a",), "g2"), "minilm-1")
    # C0 by its name, which is that of X; C1 is lost
    assert found.carried == "carried over to a graph that holds 95% of the concepts it learned from, 1 of them by name"


def test_names_are_kept(tmp_path: Path) -> None:
    made = checkpoint(False)._replace(names=GraphNames(IDS, ("has finding", "treats"), ("gout|podagra", *[""] * 19)))
    save_checkpoint(tmp_path / "one", made)
    assert load_checkpoint(tmp_path / "one").names == made.names


@pytest.mark.parametrize("broken", ["card.json", "weights.npz"])
def test_a_folder_that_is_not_whole_is_refused(tmp_path: Path, broken: str) -> None:
    save_checkpoint(tmp_path / "one", checkpoint(False))
    (tmp_path / "one" / broken).unlink()
    message = "no trained policy" if broken == "card.json" else "is not whole"
    with pytest.raises(KnowledgeError, match=message):
        load_checkpoint(tmp_path / "one")
    (tmp_path / "one" / broken).write_bytes(b"{}")
    with pytest.raises(KnowledgeError, match="is not whole"):
        load_checkpoint(tmp_path / "one")
