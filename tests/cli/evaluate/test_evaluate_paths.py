"""`evaluate paths` on small files, as a user runs it."""

import json
from contextlib import nullcontext
from pathlib import Path

import pytest

from backend.cli.evaluate import evaluate
from backend.cli.program import run as run_command
from backend.container import Container
from backend.errors import InputError, KnowledgeError, NotFoundError
from backend.evaluation.reports.journal import file_sha256
from backend.evaluation.reports.result_folders import read_results
from backend.ingest.clinical_notes.note_pairs import Pair, write_pairs
from backend.schemas.evaluation_results import Order
from backend.stores.graph.graph import Graph
from backend.stores.graph.snapshot import About, write_snapshot
from models.policy.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from models.policy.network import PolicyNetwork
from models.policy.walking.walk_settings import OURS
from tests.cli.evaluate.conftest import NOTES, Run


def test_paths_compares_a_policy_with_everything_and_keeps_the_result(
    run: Run, pairs: Path, policy: Path, tmp_path: Path
) -> None:
    found = run("paths", "--pairs", str(pairs), "--policy", f"gro={policy}", "--budgets", "5", "10", "--html")
    assert found.data is not None and found.data.synthetic
    assert any("synthetic" in caveat for caveat in found.caveats)
    names = {figure.system for figure in found.figures}
    assert {"gro", "gro-uniform", "gro-schedule", "gro-shuffled", "gro-no-leaps", "gro@paths=5"} <= names
    assert {"random1hop", "sim1hop", "sim1hop-keywords", "drknows", "two-hop", "dense", "popularity"} <= names
    assert names == set(found.systems)
    # the training documents are those of the test: the commonest concepts are among what is looked for
    prior = next(
        f for f in found.figures if (f.system, f.measure, f.budget, f.order) == ("popularity", "recall", 10, Order.OWN)
    )
    assert prior.value is not None and prior.value > 0
    assert {one.system for one in found.differences} == {"gro"}
    assert not any("@" in one.baseline for one in found.differences)
    assert read_results(tmp_path / "results") == (found,)
    (folder,) = (tmp_path / "results").iterdir()
    assert {path.name for path in folder.iterdir()} == {"result.json", "rows.jsonl", "table.md", "charts.html"}


def test_the_same_run_twice_gives_the_same_figures(run: Run, pairs: Path, policy: Path) -> None:
    first, second = (
        run("paths", "--pairs", str(pairs), "--policy", str(policy), "--no-variants", "--retrievers", "random1hop")
        for _ in range(2)
    )
    assert first == second
    other = run("paths", "--pairs", str(pairs), "--policy", str(policy), "--no-variants", "--retrievers", "dense")
    assert other.key != first.key


def test_linked_pairs_are_kept_for_the_next_run(
    run: Run, pairs: Path, policy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = run("paths", "--pairs", str(pairs), "--policy", str(policy), "--budgets", "5", "--no-variants")

    def never(*given: object) -> None:
        raise AssertionError("linked again")

    monkeypatch.setattr("backend.training.gro.linked_examples.example_of", never)
    second = run("paths", "--pairs", str(pairs), "--policy", str(policy), "--budgets", "5", "7", "--no-variants")
    assert first.key != second.key
    assert [one for one in second.figures if one.budget == 5 and not one.group] == [
        one for one in first.figures if not one.group
    ]


def test_paths_vary_a_setting_and_mark_what_it_does_not_change(
    run: Run, pairs: Path, policy: Path, tiny_graph: Graph, tmp_path: Path
) -> None:
    given = ("paths", "--pairs", str(pairs), "--policy", f"gro={policy}", "--retrievers", "sim1hop", "--no-variants")
    found = run(*given, "--vary", "paths=4")
    assert {"gro@paths=4", "sim1hop@paths=4"} <= set(found.systems)
    told = {one.reason for one in found.differences if one.system == "gro@paths=4"}
    assert told == {"the same was found: nothing to compare"}  # lists of concepts are of no number of paths
    assert any("gro@paths=4" in text and "found the same concepts" in text for text in found.caveats)
    write_snapshot(tiny_graph, tmp_path / "g", About("g", "made up", "none needed", "2031-01-01", {}))
    with pytest.raises(InputError, match="one graph"):
        run(*given, "--vary", f"graph={tmp_path / 'g'}")


def test_without_training_pairs_the_prior_is_told_to_be_absent(run: Run, pairs: Path, tmp_path: Path) -> None:
    path = tmp_path / "test-only.jsonl"
    path.write_text("".join(line for line in pairs.open() if '"split": "test"' in line))
    found = run("paths", "--pairs", str(path), "--baseline", "random1hop", "--no-variants")
    assert ("popularity", "there are no training pairs") in {(one.name, one.reason) for one in found.not_available}
    assert "popularity" not in found.systems
    given = run("paths", "--pairs", str(path), "--training", str(pairs), "--baseline", "random1hop", "--no-variants")
    assert "popularity" in given.systems


def test_a_training_pair_of_an_evaluated_patient_is_not_trained_on(run: Run, tmp_path: Path) -> None:
    note, text = NOTES[0]
    path = tmp_path / "same.jsonl"
    write_pairs(path, [Pair("1", "p", "train", note, text), Pair("2", "p", "test", note, text)])
    found = run("paths", "--pairs", str(path), "--baseline", "sim1hop", "--no-variants")
    assert [one.name for one in found.not_available if "training" in one.reason] == ["popularity"]


def test_a_policy_that_learned_from_the_file_is_told(run: Run, pairs: Path, policy: Path, tmp_path: Path) -> None:
    fresh = load_checkpoint(policy)
    card = {**fresh.card, "data": {"hash": file_sha256(pairs)}}
    save_checkpoint(tmp_path / "taught", fresh._replace(card=card))
    arguments = (
        "paths",
        "--pairs",
        str(pairs),
        "--policy",
        str(tmp_path / "taught"),
        "--no-variants",
        "--retrievers",
        "dense",
    )
    assert "The policy taught was trained on other pairs of this file." in run(*arguments).caveats
    assert any("evaluated here" in caveat for caveat in run(*arguments, "--split", "all").caveats)


def test_a_policy_of_another_graph_is_refused(run: Run, pairs: Path, tmp_path: Path, container: Container) -> None:
    network = PolicyNetwork(container.encoder.dimension).fold()
    card = {"graph": "other", "encoder": container.encoder.name}
    save_checkpoint(tmp_path / "alien", Checkpoint("alien", network, OURS, False, None, None, card))
    with pytest.raises(KnowledgeError, match="other"):
        run("paths", "--pairs", str(pairs), "--policy", str(tmp_path / "alien"))


def test_paths_in_folds_measure_a_policy_that_was_trained_on_the_others_and_keep_no_text(
    run: Run, pairs: Path, container: Container
) -> None:
    found = run("paths", "--pairs", str(pairs), "--split", "all", "--folds", "2", "--no-variants", "--budgets", "5",
                "--retrievers", "popularity")  # fmt: skip
    assert {"trained", "trained-proposals", "trained-walk", "trained-fused", "popularity"} <= set(found.systems)
    assert {one.n for one in found.figures if one.system == "trained" and not one.group} == {8}  # both parts, together
    assert any(line.startswith("trained is ") and "superior to the prior" in line for line in found.caveats)
    kept = container.settings.data / "runs" / "folds"
    cards = sorted(kept.glob("*/checkpoint/card.json"))
    assert len(cards) == 2 and not list(kept.rglob("pairs.jsonl"))
    assert {json.loads(card.read_text())["examples"]["train"] for card in cards} == {3}  # of four, one validates


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        (("--split", "validation"), InputError, "train 4"),
        (("--retrievers", "magic"), NotFoundError, "two-hop"),
        (("--baseline", "magic"), InputError, "magic"),
        (("--limit", "0"), InputError, "--limit"),
        (("--budgets", "0"), InputError, "--budgets"),
    ],
)
def test_wrong_arguments_of_paths_are_refused(
    run: Run, pairs: Path, arguments: tuple[str, ...], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        run("paths", "--pairs", str(pairs), "--no-variants", *arguments)


def test_paths_print_ten_lines_and_keep_the_rest_in_a_file(
    container: Container,
    pairs: Path,
    policy: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(evaluate, "evaluation_container", lambda graph=None: nullcontext(container))
    asked = ["evaluate", "paths", "--pairs", str(pairs), "--policy", f"gro={policy}", "--budgets", "5", "10"]
    run_command([*asked, "--resamples", "20", "--out", str(tmp_path)])
    said = capsys.readouterr().out.splitlines()
    table = [line for line in said if line.startswith("|")]
    assert len(table) == 10 and table[2].startswith("| gro |") and "own 5" in table[0] and "common 10" in table[0]
    assert "written 10" in table[0] and all(cell.endswith("]") for cell in table[2].replace(" |", "|").split("|")[2:-1])
    (whole,) = tmp_path.glob("*/table.md")
    assert len(whole.read_text().splitlines()) > 100 and str(whole) in said[-1]
