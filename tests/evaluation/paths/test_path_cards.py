"""Figures on the card of a checkpoint: of the policy itself, or of a twin that the entry names."""

import json
from pathlib import Path
from typing import Any

import pytest

from backend.errors import InputError
from backend.evaluation.paths.path_cards import CardTarget, card_targets, into_card
from backend.schemas.evaluation_results import DataCard, Difference, Figure, Order, Result, ResultKind
from backend.settings import ROOT
from models.policy.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from models.policy.network import PolicyNetwork
from models.policy.walking.walk_settings import OURS

TRAINED = {"epochs": 6, "rollouts": 10}


def saved(folder: Path, name: str = "ours", seed: int = 0, **card: Any) -> Path:
    details = {
        "name": name,
        "graph": "g",
        "encoder": "e",
        "training": TRAINED,
        "data": {"file": "all.jsonl", "hash": "a" * 64},
    }
    save_checkpoint(
        folder, Checkpoint(name, PolicyNetwork(2, seed=seed).fold(), OURS, False, None, None, details | card)
    )
    return folder


def result(sha256: str = "f" * 64, recall: float | None = 0.25) -> Result:
    def figure(system: str, **changes: Any) -> Figure:
        base = Figure(system=system, measure="recall", budget=10, order=Order.OWN, value=recall, low=0.2, high=0.31234)
        return base.model_copy(update=changes)

    def gap(system: str, baseline: str) -> Difference:
        return Difference(
            system=system, baseline=baseline, measure="recall", budget=10, order=Order.OWN, value=0.1, low=0.0, high=0.2
        )

    return Result(
        id="paths-1",
        kind=ResultKind.PATHS,
        date="2026-01-02",
        settings={"limit": 200, "resamples": 50, "budgets": [10]},
        data=DataCard(name="test.jsonl", sha256=sha256, split="test", items=3, synthetic=True),
        versions={"leapnote": "1.2.3"},
        figures=(
            figure("ours"),
            figure("popularity", value=0.5),
            figure("ours@paths=5"),
            figure("ours", order=Order.COMMON, value=0.9),
            figure("ours", measure="precision", value=0.8),
            figure("ours", group="CHEM", value=0.7),
        ),
        differences=(gap("ours", "popularity"), gap("other", "popularity")),
        caveats=("Every pair is synthetic.",),
    )


def targets(folder: Path, measured: Path) -> tuple[CardTarget, ...]:
    return card_targets([folder], [("ours", load_checkpoint(measured), measured)])


def card(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "card.json").read_text())
    return found


def test_a_card_holds_every_systems_recall_in_its_own_order_and_what_it_was_measured_on(tmp_path: Path) -> None:
    folder = saved(tmp_path / "ours")
    before = card(folder)
    (target,) = targets(folder, folder)
    into_card(target, result())
    after = card(folder)
    (entry,) = after.pop("figures")
    assert after == before
    assert entry["recall"] == {"ours": {"10": [0.25, 0.2, 0.3123]}, "popularity": {"10": [0.5, 0.2, 0.3123]}}
    assert entry["recall_common"] == {"ours": {"10": [0.9, 0.2, 0.3123]}}
    assert entry["difference"] == {"popularity": {"10": [0.1, 0.0, 0.2]}}
    assert (entry["data"]["sha256"], entry["data"]["name"], entry["data"]["items"]) == ("f" * 64, "test.jsonl", 3)
    assert (entry["date"], entry["program"], entry["limit"], entry["budgets"]) == ("2026-01-02", "1.2.3", 200, [10])
    assert entry["measured"]["itself"] is True
    assert entry["note"] == "Every pair is synthetic."
    assert load_checkpoint(folder).name == "ours"
    into_card(target, result(), "Every pair is synthetic.")
    assert card(folder)["figures"][0]["note"] == "Every pair is synthetic."  # what the run says as well stands once


def test_figures_of_a_twin_say_whose_they_are(tmp_path: Path) -> None:
    folder = saved(tmp_path / "ours")
    other = {"file": "heldout.jsonl", "hash": "b" * 64}
    twin = saved(tmp_path / "twin", "ours-heldout", seed=1, data=other)
    (target,) = targets(folder, twin)
    into_card(target, result(), "Ours saw all scenarios.")
    (entry,) = card(folder)["figures"]
    assert entry["measured"]["itself"] is False
    assert (entry["measured"]["name"], entry["measured"]["data"]) == ("ours-heldout", other)
    assert entry["note"] == (
        "Not of these weights: of the twin ours-heldout, trained in the same way on heldout.jsonl (bbbbbbbb). "
        "Ours saw all scenarios. Every pair is synthetic."
    )
    assert "figures" not in card(twin)


def test_new_figures_replace_those_on_the_same_pairs_and_keep_the_others(tmp_path: Path) -> None:
    folder = saved(tmp_path / "ours")
    (target,) = targets(folder, folder)
    for sha256, recall in (("1" * 64, 0.1), ("2" * 64, 0.2), ("1" * 64, 0.3)):
        into_card(target, result(sha256, recall))
    found = [(entry["data"]["sha256"][0], entry["recall"]["ours"]["10"][0]) for entry in card(folder)["figures"]]
    assert found == [("2", 0.2), ("1", 0.3)]


def test_what_could_not_be_measured_is_null(tmp_path: Path) -> None:
    folder = saved(tmp_path / "ours")
    (target,) = targets(folder, folder)
    into_card(target, result(recall=None))
    assert card(folder)["figures"][0]["recall"]["ours"]["10"][0] is None


def test_a_policy_that_does_not_run_or_was_trained_otherwise_is_refused_before_the_run(tmp_path: Path) -> None:
    folder = saved(tmp_path / "ours")
    with pytest.raises(InputError, match=r"No policy of this run is called 'ours'.*--policy ours=FOLDER"):
        card_targets([folder], [("theirs", load_checkpoint(folder), folder)])
    longer = saved(tmp_path / "longer", training={**TRAINED, "epochs": 7}, policy_notes=240)
    with pytest.raises(InputError, match="trained otherwise than 'ours': training, policy_notes differ"):
        targets(folder, longer)


@pytest.mark.parametrize("name", ["leapnote", "reinrag"])
def test_the_cards_that_ship_hold_held_out_figures_against_every_baseline(name: str) -> None:
    shipped = card(ROOT / "models" / "checkpoints" / name)
    (entry,) = [entry for entry in shipped["figures"] if entry["data"]["notices"].get("held_out_scenario")]
    assert entry["graph"] == shipped["graph"]
    # the policy that ships saw these scenarios, so a twin stands in for it
    assert entry["measured"]["itself"] is False and "twin" in entry["note"]
    assert entry["measured"]["data"]["hash"] != shipped["data"]["hash"]
    baselines = {"random1hop", "sim1hop", "sim1hop-keywords", "drknows", "two-hop", "dense", "popularity"}
    assert baselines | {name} <= set(entry["recall"])
    for system in entry["recall"].values():
        for value, low, high in system.values():
            assert 0 <= low <= value <= high <= 1
    assert baselines <= set(entry["difference"])
