"""The policies that ship belong to the graph and the encoder that ship."""

import pytest

from backend.container import Container
from backend.settings import ROOT
from backend.training.gro.gro_settings import RunSettings
from backend.training.gro.presets import LEAPNOTE, REINRAG
from models.policy.checkpoint import load_checkpoint
from models.policy.concept_step.concept_features import feature_names
from models.policy.gro import GROSettings
from models.policy.rollouts import RewardSettings
from models.policy.walking.environment import OUTLOOK
from models.policy.walking.walk_settings import LEAPNOTE as LEAPNOTE_WALK
from models.policy.walking.walk_settings import PAPER, WalkSettings

POLICIES = ROOT / "models" / "checkpoints"


@pytest.mark.parametrize("name", ["leapnote", "reinrag"])
def test_a_shipped_policy_fits_the_shipped_graph_and_says_what_it_was_trained_on(
    name: str, container: Container
) -> None:
    found = load_checkpoint(POLICIES / name).fitted(container.graph, container.encoder.name)
    assert found.names is not None
    assert found.card["name"] == name
    assert len(found.card["data"]["hash"]) == 64 and found.card["examples"]["train"] > 1000
    assert found.policy.concepts.shape[1] == container.encoder.dimension + (OUTLOOK if name == "leapnote" else 0)


def test_the_papers_policy_is_pinned_and_ours_has_the_learned_step(container: Container) -> None:
    paper, ours = load_checkpoint(POLICIES / "reinrag"), load_checkpoint(POLICIES / "leapnote")
    assert (paper.walk, paper.sampled, paper.scorer) == (PAPER, True, None)
    assert paper.card["rewards"] == {"kind": "eq7", "weight": 10.0, "step_cost": 0.0}
    assert paper.card["training"]["discount"] == 0.1 and paper.card["training"]["rollouts"] == 10
    assert (ours.walk, ours.sampled) == (LEAPNOTE_WALK, False)
    ours = ours.fitted(container.graph, container.encoder.name)
    assert ours.scorer is not None and len(ours.scorer.base) == len(feature_names(container.graph.relations))
    assert len(paper.policy.lean) == 0 and len(ours.policy.lean) == 15


@pytest.mark.parametrize("preset", [LEAPNOTE, REINRAG])
def test_a_shipped_policy_was_trained_by_its_preset_and_says_that_its_pairs_are_made_up(preset: RunSettings) -> None:
    card = load_checkpoint(POLICIES / preset.name).card
    # what a card does not name, since there was no choice when it was written, is as it is without one
    assert GROSettings(**card["training"]) == preset.training
    assert RewardSettings(**card["rewards"]) == preset.rewards
    assert (card["learned_concept_step"], card["refit_every"]) == (preset.learn_step, preset.refit_every)
    assert card.get("policy_notes", 0) == preset.policy_notes
    assert WalkSettings.from_json(card["walk"]) == preset.walk
    assert card["data"]["synthetic"] is True
