"""The two presets of a GRO run, and how flags change them."""

from typing import Any

from backend.training.gro import Preset
from backend.training.gro.gro_settings import RunSettings
from models.policy.concept_step.concept_training import ScorerKind
from models.policy.gro import PAPER_TRAINING, Advantage, GROSettings, LearnFrom
from models.policy.rewards import RewardKind
from models.policy.rollouts import RewardSettings
from models.policy.walking.walk_settings import LEAPNOTE as LEAPNOTE_WALK
from models.policy.walking.walk_settings import PAPER, CandidateKind, ConnectScore, ConnectWhen, StateKind, WalkSettings

LEAPNOTE = RunSettings(
    Preset.LEAPNOTE.value,
    LEAPNOTE_WALK,
    RewardSettings(),
    GROSettings(epochs=6, batch=24, entropy_start=0.0, learning_rate=3e-5, patience=4),
    learn_step=True,
    policy_notes=240,
)
REINRAG = RunSettings(
    Preset.REINRAG.value, PAPER, RewardSettings(RewardKind.EQ7, 10.0), PAPER_TRAINING, learn_step=False, sampled=True
)
"""ReinRAG's appendix C.2 and equations as printed; docs/papers.md says what the paper leaves open."""
_KINDS: dict[str, Any] = {
    "candidates": CandidateKind,
    "connect_score": ConnectScore,
    "connect_when": ConnectWhen,
    "state": StateKind,
    "reward": RewardKind,
    "advantage": Advantage,
    "learn_from": LearnFrom,
    "scorer": ScorerKind,
}
_REWARDS = {"reward": "kind", "reward_weight": "weight", "step_cost": "step_cost", "beyond": "beyond"}


def preset(
    name: Preset, checkpoint: str | None, given: dict[str, Any], device: str, memory_mb: float | None
) -> RunSettings:
    """A preset with some settings changed, by their names. Raises ValueError for a value that is none of an enum's."""
    base = {Preset.LEAPNOTE: LEAPNOTE, Preset.REINRAG: REINRAG}[name]
    known: dict[str, Any] = {key: _KINDS[key](value) if key in _KINDS else value for key, value in given.items()}
    walk = {key: value for key, value in known.items() if key in WalkSettings._fields}
    training = {key: value for key, value in known.items() if key in GROSettings._fields}
    rewards = {_REWARDS[key]: value for key, value in known.items() if key in _REWARDS}
    own = {key: value for key, value in known.items() if key in RunSettings._fields}
    changed = base._replace(
        name=checkpoint or base.name,
        walk=base.walk._replace(**walk),
        training=base.training._replace(**training),
        rewards=base.rewards._replace(**rewards),
        device=_device(device),
        **own,
    )
    proposes = changed.rewards.kind == RewardKind.RESIDUAL or changed.training.learn_from == LearnFrom.RANKS
    if proposes and not changed.learn_step:
        raise ValueError("--reward residual and --learn-from ranks need the proposals of --learn-step yes")
    if changed.scorer != ScorerKind.LOGISTIC and not changed.learn_step:
        raise ValueError("--scorer two-tower is of the learned concept step: give --learn-step yes")
    return changed if memory_mb is None else changed._replace(memory_mb=memory_mb)


def _device(wanted: str) -> str:
    import torch

    if wanted != "auto":
        return str(torch.device(wanted))
    return "cuda" if torch.cuda.is_available() else "cpu"
