"""`evaluate table1` with a scripted model: what each arm is told, what is measured, and the paper's columns."""

import json
from pathlib import Path

import pytest

from backend.container import Container
from backend.container.language_models import Chosen, LanguageModels, RoleModels
from backend.errors import InputError, MissingError
from backend.evaluation.drafts import note_evaluation
from backend.evaluation.drafts.notes_run import NotesOptions, evaluate_notes
from backend.evaluation.drafts.paper_cells import NO_PATHS, PaperOptions
from backend.evaluation.drafts.paper_table import paper_tables
from backend.evaluation.reports.evaluation_run import RunOptions
from backend.schemas.drafts.draft import Generator
from backend.schemas.evaluation_results import Difference, Figure, NotAvailable, Result, ResultKind
from backend.settings import ROOT
from models.llm.engine_meter import MeteredEngine
from models.llm.engine_scripted import Scripted

NOTE = (
    "Allergies: penicillin. Chief complaint: dyspnea. History of present illness: dyspnea and leg swelling, no fever."
)
PAIRS = (
    {"id": "1", "patient_id": "a", "split": "test", "note": NOTE, "text": "You have heart failure. Eat less salt."},
    {
        "id": "2",
        "patient_id": "b",
        "split": "train",
        "note": "Chief complaint: cough.",
        "text": "You had pneumonia. Rest.",
    },
)


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in PAIRS), encoding="utf-8")
    return path


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Scripted:
    made = Scripted("You have heart failure.\nWeigh yourself daily.")
    metered = MeteredEngine(made)
    roles = RoleModels(metered, planner=metered, judge=metered, extractor=metered)  # type: ignore[arg-type]
    serving = Chosen("scripted", Generator(name="scripted", reason=""), roles)
    monkeypatch.setattr(LanguageModels, "chosen", lambda models, *given: serving)
    monkeypatch.setattr(LanguageModels, "spent", property(lambda models: metered.spent))
    # so that a call tells its cell
    monkeypatch.setattr(note_evaluation, "in_drawn_order", lambda cells, *drawn: list(cells))
    return made


def measured(container: Container, pairs: Path, *systems: str, **more: object) -> Result:
    run = RunOptions(pairs.parent / "results", "2031-01-01", resamples=20)
    given = {name: more.pop(name) for name in ("policies", "conditions", "draws") if name in more}
    paper = PaperOptions(systems, **{"draws": 1, **given})  # type: ignore[arg-type]
    return evaluate_notes(container, NotesOptions(pairs, "test", run, paper=paper, **more))[0]  # type: ignore[arg-type]


def asked(model: Scripted) -> list[str]:
    return ["\n".join(message.content for message in call) for call in model.calls]


def test_every_arm_reads_the_same_prompt_but_for_its_paths(container: Container, pairs: Path, model: Scripted) -> None:
    found = measured(container, pairs, "no-retrieval", "sim1hop", "reinrag")
    assert set(found.systems) == {"no-retrieval+scripted", "sim1hop+scripted", "reinrag+scripted"}
    alone, one_hop, walked = asked(model)
    for text in (alone, one_hop, walked):
        # the one shot: the training pair, never an evaluated one
        assert "You had pneumonia. Rest." in text and "Eat less salt" not in text and NOTE in text
        assert "Conditions to think of" not in text and "[N1]" not in text
    assert alone.count(f"\n{NO_PATHS}\n") == 2  # neither the example nor the note has paths
    assert "[Disorders]" in one_hop.partition("EXAMPLE REASONING PATHS>>")[2]  # one hop is a flat list of concepts
    assert "→" in walked.partition("EXAMPLE REASONING PATHS>>")[2]
    by = {(one.system, one.measure): one.value for one in found.figures if not one.group}
    assert by["reinrag+scripted", "model_calls"] == 1
    # all three wrote what the script says, so that nothing is compared
    assert {one.reason for one in found.differences if one.measure == "rouge_l"} == {
        "the same texts: nothing to compare"
    }
    assert any("the pair 2" in caveat for caveat in found.caveats)


def test_conditions_are_shown_to_all_arms_or_to_none(container: Container, pairs: Path, model: Scripted) -> None:
    measured(container, pairs, "no-retrieval", "reinrag", conditions=True)
    assert all(text.count("Conditions to think of:") == 2 for text in asked(model))


def test_a_trained_policy_and_a_number_of_paths_are_arms(container: Container, pairs: Path, model: Scripted) -> None:
    shipped = ROOT / "models" / "checkpoints" / "reinrag"
    found = measured(container, pairs, "no-retrieval", "reinrag", policies=(("other", shipped),), varied=("paths=1",))
    assert {"other+scripted", "other+scripted@paths=1", "reinrag+scripted@paths=1"} <= set(found.systems)
    told = dict(zip([*found.systems], asked(model), strict=False))
    assert told["other+scripted"] == told["reinrag+scripted"]  # the same weights walk the same paths
    short = told["reinrag+scripted@paths=1"].rpartition("NEW REASONING PATHS>>")[2]
    assert len([line for line in short.splitlines() if "→" in line]) <= 1
    with pytest.raises(InputError, match="one name"):
        measured(container, pairs, "reinrag", policies=(("reinrag", shipped),), baseline="reinrag")


def test_a_sampled_arm_writes_once_from_each_draw_of_its_paths(
    container: Container, pairs: Path, model: Scripted
) -> None:
    found = measured(container, pairs, "no-retrieval", "random1hop", "reinrag", draws=4)
    alone, *told = asked(model)
    assert NO_PATHS in alone and not any(NO_PATHS in text for text in told)
    # each seed draws other neighbours; the shipped policy walks some notes alike by every seed: such prompts are sent once
    assert len(set(told)) == len(told) and 5 <= len(told) <= 8
    by = {(one.system, one.measure): one.value for one in found.figures if not one.group}
    assert by["random1hop+scripted", "model_calls"] == by["reinrag+scripted", "model_calls"] == 1  # of one text
    assert found.systems["reinrag+scripted"].endswith("mean of 4 draws")
    assert "draws" not in found.systems["no-retrieval+scripted"]
    with pytest.raises(InputError, match="--draws 0"):
        measured(container, pairs, "reinrag", draws=0, baseline="reinrag")


def test_training_seeds_and_points_of_a_curve_are_arms_with_baselines_of_their_own(
    container: Container, pairs: Path, model: Scripted
) -> None:
    shipped = ROOT / "models" / "checkpoints" / "reinrag"
    named = ("full#1", "full#2", "full#1@G=5", "full#2@G=5")
    found = measured(container, pairs, "no-retrieval", policies=tuple((name, shipped) for name in named))
    assert found.systems["full+scripted"] == "mean of 2 training seeds"
    compared = {(one.system, one.baseline) for one in found.differences}
    assert {
        ("full+scripted", "no-retrieval+scripted"),
        ("full+scripted@G=5", "full+scripted"),
        ("full#2+scripted@G=5", "full#2+scripted"),
    } <= compared
    # Figure 3b: over G in the measures of texts, and the arm unvaried stands where its card says that it was trained
    (curve,) = [one for one in found.charts if one.name == "rouge_l-G"]
    (line,) = curve.figure["data"]
    assert (line["name"], line["x"]) == ("full+scripted", [5.0, 10.0])
    table = paper_tables(found)
    assert "| full+scripted |" in table and "| full#1+scripted |" not in table
    with pytest.raises(InputError, match="mean of its training seeds and an arm"):
        seeds = tuple((name, shipped) for name in ("reinrag#1", "reinrag#2"))
        measured(container, pairs, "no-retrieval", "reinrag", policies=seeds)


def test_the_number_of_paths_is_drawn_as_a_curve(container: Container, pairs: Path, model: Scripted) -> None:
    found = measured(container, pairs, "sim1hop", baseline="sim1hop", varied=("paths=1,3",))
    curves = {one.name: one.figure["data"] for one in found.charts}
    assert {"concept_f1_printed-paths", "rouge_l-paths"} <= curves.keys()
    assert ("meteor-paths" in curves) != ("meteor_no_synonyms-paths" in curves)
    (line,) = curves["rouge_l-paths"]
    assert line["x"] == [1.0, 3.0, 10.0] and None not in line["y"]


def test_without_a_model_there_is_no_table(container: Container, pairs: Path) -> None:
    with pytest.raises(MissingError, match="language model"):
        measured(container, pairs, "no-retrieval")


def test_the_table_has_the_papers_columns_in_percent(container: Container, pairs: Path, model: Scripted) -> None:
    table = paper_tables(measured(container, pairs, "no-retrieval", "reinrag"))
    head = next(line for line in table.splitlines() if line.startswith("| model"))
    named = [cell.strip() for cell in head.split("|")[3:-1:2]]
    assert named[:10] == ["P", "R", "F1", "J", "HL ↓", "RG-1", "RG-2", "RG-L", "BL-1", "BL-2"]
    # the text names heart failure, as the document does: printed precision is 100
    row = next(line for line in table.splitlines() if line.startswith("| reinrag"))
    assert row.split("|")[3].strip() == "100.00"
    for title in ("Concepts over full sets", "Keywords as extracted (words), as printed", "Costs of a text"):
        assert title in table
    # both arms wrote what the script says: a mark a cell, its meaning once a table
    assert row.split("|")[4].strip() == "=" and "the same texts as the baseline" in table
    assert "the same texts: nothing to compare" not in table
    # why a dash is one: the baseline has no difference to itself
    assert "“–”: no-retrieval+scripted is the baseline (all columns)." in table
    costs = [cell.strip() for cell in table.splitlines()[table.splitlines().index("Costs of a text") + 5].split("|")]
    assert costs[1:3] == ["reinrag+scripted", "1.0"] and float(costs[-2]) == 0.0


def shown(*figures: Figure, gaps: tuple[Difference, ...] = (), absent: tuple[NotAvailable, ...] = ()) -> str:
    """The table of a result made here; `plain` is the baseline."""
    return paper_tables(
        Result(
            id="notes",
            kind=ResultKind.NOTES,
            date="2031-01-01",
            key="k",
            seed=0,
            settings={"baseline": "plain"},
            versions={},
            identity={},
            figures=figures,
            differences=gaps,
            not_available=absent,
        )
    )


def test_a_dash_and_notes_that_some_arms_lack_are_told() -> None:
    table = shown(
        Figure(system="plain", measure="rouge_l", value=0.5, n=3),
        Figure(system="ours", measure="rouge_l", value=0.25, n=2),
        Figure(system="ours", measure="fell_back", value=0.5, n=2),
        gaps=(Difference(system="ours", baseline="plain", measure="rouge_l", value=-0.25, n=2),),
        absent=(NotAvailable(name="bertscore", reason="the encoder gives no vectors of tokens"),),
    )
    assert "“–”: the encoder gives no vectors of tokens (F1 BERT)." in table
    assert "“–”: ours and plain have it of too few notes (RG-L)." in table  # a difference without an interval
    assert "n differs between arms" in table
    (costs,) = [line for line in table.splitlines() if line.startswith("| ours |") and "not told" in line]
    assert costs.endswith("| 50.0 |")


def test_without_a_common_note_the_difference_says_so() -> None:
    rows = (Figure(system="plain", measure="bertscore", value=0.5, n=1),)
    table = shown(*rows, Figure(system="ours", measure="bertscore", value=0.25, n=1))
    assert "“–”: ours and plain have it of no same note (F1 BERT)." in table


def test_paths_that_the_context_has_no_room_for_are_left_out_and_told(
    container: Container, pairs: Path, model: Scripted
) -> None:
    model.context = 300  # a word of the script's model is a token
    found = measured(container, pairs, "no-retrieval", "reinrag")
    walked = asked(model)[1]
    assert NOTE in walked and "You had pneumonia. Rest." in walked
    assert any("paths are left out" in caveat and caveat.startswith("reinrag") for caveat in found.caveats)
