"""`evaluate` on small files, as a user runs them."""

import json
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import pytest

from backend.cli.evaluate import evaluate, evaluate_judges, evaluate_more
from backend.cli.program import run as run_command
from backend.container import Container
from backend.container.language_models import Chosen, LanguageModels, RoleModels
from backend.errors import InputError, KnowledgeError, MissingError, NotFoundError
from backend.evaluation.reports.journal import file_sha256
from backend.evaluation.reports.result_folders import read_results
from backend.ingest.clinical_notes.note_pairs import Pair, write_pairs
from backend.schemas.drafts.draft import Generator
from backend.schemas.evaluation_results import Order, Result
from backend.stores.graph.graph import Graph
from backend.stores.graph.snapshot import About, write_snapshot
from models.llm.engine_meter import MeteredEngine
from models.llm.engine_scripted import Scripted
from models.policy.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from models.policy.network import PolicyNetwork
from models.policy.walking.walk_settings import OURS

NOTES = (
    ("Chief Complaint: shortness of breath. HPI: 80F with orthopnea and leg swelling.",
     "You had heart failure. Take furosemide. Weigh yourself every day and eat a low salt diet."),
    ("Chief Complaint: cough and fever. HPI: 50M with sputum.",
     "You had pneumonia. Take amoxicillin. Call your doctor if you have chest pain."),
    ("Chief Complaint: chest pain. HPI: 60M with nausea and sweating.",
     "You had a heart attack. Take aspirin and atorvastatin. Stop smoking."),
    ("Chief Complaint: black stools. HPI: 70M with dizziness, takes ibuprofen.",
     "You had a gastrointestinal bleed. Do not take ibuprofen. Take omeprazole."),
)  # fmt: skip
LABELLED = (
    '{"text": "He has fever but no cough.", "mentions": [{"start_char": 7, "end_char": 12, "assertion": "present"}, '
    '{"start_char": 20, "end_char": 25, "assertion": "negated"}]}\n'
)
Run = Callable[..., Result]


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pairs") / "pairs.jsonl"
    made = [
        Pair(f"{split}-{i}", f"{split}-{i}", split, note, text, ("synthetic",))
        for split in ("train", "test")
        for i, (note, text) in enumerate(NOTES)
    ]
    write_pairs(path, made)
    return path


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory, container: Container) -> Path:
    """An untrained policy that fits the shipped graph."""
    folder = tmp_path_factory.mktemp("policies") / "fresh"
    card = {"graph": container.graph.fingerprint, "encoder": container.encoder.name}
    network = PolicyNetwork(container.encoder.dimension).fold()
    save_checkpoint(folder, Checkpoint("fresh", network, OURS._replace(steps=2), False, None, None, card))
    return folder


@pytest.fixture
def run(
    container: Container, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Run:
    """Runs a command and gives what it printed as JSON."""
    for module in (evaluate, evaluate_judges, evaluate_more):
        monkeypatch.setattr(module, "evaluation_container", lambda graph=None: nullcontext(container))

    def command(*arguments: str) -> Result:
        run_command(["evaluate", *arguments, "--out", str(tmp_path / "results"), "--resamples", "50", "--json"])
        return Result.model_validate_json(capsys.readouterr().out)

    return command


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
    assert {"trained", "trained-proposals", "trained-walk", "popularity"} <= set(found.systems)
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


def test_notes_fills_the_grid_and_tells_the_differences(run: Run, pairs: Path) -> None:
    arguments = ("--pairs", str(pairs), "--systems", "sim1hop,no-retrieval", "--limit", "2")
    found = run("notes", *arguments)
    assert list(found.systems) == ["sim1hop+composer", "no-retrieval+composer"]
    assert found.data is not None and found.data.items == 2
    assert {one.baseline for one in found.differences} == {"no-retrieval+composer"}
    values = {f.measure: f.value for f in found.figures if f.system == "sim1hop+composer" and not f.group}
    assert values["rouge1"] is not None and 0 < values["rouge1"] < 1
    assert values["sentence_bert"] is not None
    for missing in found.not_available:
        assert values[missing.name] is None


def test_a_generator_that_another_stands_in_for_is_refused(run: Run, pairs: Path) -> None:
    with pytest.raises(InputError, match="names no language model"):
        run("notes", "--pairs", str(pairs), "--systems", "no-retrieval", "--generators", "magic:model")
    with pytest.raises(InputError, match="sim1hop"):
        run("notes", "--pairs", str(pairs), "--systems", "sim1hop", "--baseline", "no-retrieval")


def test_linking_is_held_against_labels(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(LABELLED)
    found = run("linking", "--data", str(path))
    values = {figure.measure: figure.value for figure in found.figures if figure.system == "linker"}
    assert (values["exact_f1"], values["assertion_accuracy"]) == (1.0, 1.0)
    with pytest.raises(InputError, match="DISO"):
        run("linking", "--data", str(path), "--groups", "XYZ")


def test_sentences_are_measured_without_a_word_of_them(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "allergies.jsonl").write_text(
        '{"text": "Allergies: penicillin, zebrastripe.", "agents": ["penicillin", "lobster"], "kind": "listed"}\n'
        '{"text": "Lungs clear.", "agents": [], "kind": "none"}\n'
    )
    (folder / "attributes.jsonl").write_text('{"text": "Denies fever.", "span": "fever", "status": "denied"}\n')
    (folder / "medicines.jsonl").write_text(
        '{"text": "She takes lisinopril 10 mg daily.", "medicines": [{"name": "lisinopril", "dose": "10 mg", "status": "home"}]}\n'
    )
    found = run("sentences", str(folder))
    values = {figure.measure: (figure.value, figure.n) for figure in found.figures}
    assert values == {
        "allergies_caught": (0.0, 1),  # lobster is missed
        "allergies_listed": (0.0, 1),
        "hospital_as_home": (None, 0),  # nothing here is given in hospital
        **dict.fromkeys(("foils_clean", "attributes", "medicines_found", "medicine_status", "dose"), (1.0, 1)),
    }
    (kept,) = (tmp_path / "results").iterdir()
    assert {path.name for path in kept.iterdir()} == {"result.json", "table.md"}
    assert not [path for path in kept.iterdir() if "zebrastripe" in path.read_text(encoding="utf-8")]
    run("sentences", str(folder), "--errors")
    assert "zebrastripe" in (kept / "errors.jsonl").read_text(encoding="utf-8")


def test_the_table_is_printed_for_a_reader(
    container: Container, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for module in (evaluate, evaluate_more):
        monkeypatch.setattr(module, "evaluation_container", lambda graph=None: nullcontext(container))
    path = tmp_path / "labels.jsonl"
    path.write_text(LABELLED)
    run_command(["evaluate", "linking", "--data", str(path), "--out", str(tmp_path)])
    said = capsys.readouterr()
    assert "| linker | 1.000" in said.out
    assert "kept in" in said.err and "1/1 documents" in said.err


def test_answers_and_plans_run_on_questions_of_ones_own(run: Run, tmp_path: Path) -> None:
    questions = tmp_path / "q.jsonl"
    questions.write_text(
        '{"id": "a", "question": "What helps gout?", "options": ["colchicine", "insulin"], "answer": "A"}\n'
    )
    found = run("answers", "--data", f"jsonl={questions}", "--systems", "no-retrieval,leapnote", "--documents", "2")
    assert set(found.systems) == {"no-retrieval", "leapnote", "leapnote@documents=2", "guess", "majority"}
    assert {one.measure for one in found.figures} >= {"accuracy jsonl", "no_answer", "passages"}
    planned = run("plans", "--data", f"jsonl={questions}", "--systems", "leapnote")
    assert {one.measure for one in planned.figures} >= {"queries", "queries book", "found"}
    assert [one.name for one in planned.not_available] == ["judged, supported"]


def test_a_dropped_source_is_searched_by_no_cell_and_the_result_says_so(run: Run, tmp_path: Path) -> None:
    questions = tmp_path / "q.jsonl"
    questions.write_text('{"id": "a", "question": "What helps gout?", "options": ["rest", "insulin"], "answer": "A"}\n')
    data = ("--data", f"jsonl={questions}", "--systems", "leapnote")
    passages = []
    for more in ((), ("--drop-source", "book"), ("--sources", "graph", "wiki")):
        found = run("answers", *data, *more)
        passages.append(next(one.value or 0.0 for one in found.figures if one.measure == "passages"))
        assert any("Only these sources were searched" in text for text in found.caveats) == bool(more)
    # the starter's passages are a book's
    assert passages[0] > 0 and passages[1:] == [0, 0]
    planned = run("plans", *data, "--drop-source", "book")
    asked = {one.measure: one.value for one in planned.figures}
    assert asked["queries book"] == 0 and any("book" not in text and "searched" in text for text in planned.caveats)
    with pytest.raises(InputError, match="no source 'books'"):
        run("answers", *data, "--drop-source", "books")


def test_the_number_of_documents_changes_clinicalrag_too(run: Run, tmp_path: Path) -> None:
    questions = tmp_path / "q.jsonl"
    questions.write_text('{"id": "a", "question": "What helps gout?", "options": ["rest", "insulin"], "answer": "A"}\n')
    found = run("answers", "--data", f"jsonl={questions}", "--systems", "clinicalrag", "--documents", "1,4")
    passages = {one.system: one.value or 0.0 for one in found.figures if one.measure == "passages"}
    assert passages["clinicalrag@documents=1"] == 1 < passages["clinicalrag@documents=4"]
    assert any("clinicalrag is of each entity" in text for text in found.caveats)


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


def test_progress_notes_run_on_patients_notes(run: Run, tmp_path: Path) -> None:
    patients = tmp_path / "p.jsonl"
    note = '{"note_type": "Nursing", "date": "2024-01-01", "text": "She has chest pain."}'
    patients.write_text(f'{{"subject_id": "7", "visits": [{{"admission": "1", "patient_notes": [{note}]}}]}}\n')
    found = run("notes", "--document", "progress_note", "--patients", str(patients), "--systems", "cli-rag")
    assert {one.measure for one in found.figures if one.system == "cli-rag"} >= {"completeness", "alignment"}
    with pytest.raises(InputError, match="--patients"):
        run("notes", "--document", "progress_note")


def test_visits_are_written_in_turn_with_and_without_summaries_and_beside_all_notes(run: Run, tmp_path: Path) -> None:
    patients = tmp_path / "p.jsonl"
    days = ("2024-01-01", "2024-03-01", "2024-05-01")
    told = (
        "Assessment: Gout of the left knee.",
        "Assessment: Gout is better. Plan: allopurinol 100 mg daily.",
        "Well today.",
    )
    visits = [
        {"admission": str(i), "patient_notes": [{"note_type": "Nursing", "date": day, "text": text}]}
        for i, (day, text) in enumerate(zip(days, told, strict=True))
    ]
    patients.write_text(json.dumps({"subject_id": "7", "visits": visits}) + "\n")
    given = ("notes", "--document", "progress_note", "--patients", str(patients), "--systems", "cli-rag")
    found = run(*given, "--in-turn", "--planted", "--vary", "patient_previous_visit=false")
    assert set(found.systems) == {"cli-rag", "cli-rag@patient_previous_visit=false", "all-notes", "clinician"}
    by = {(one.system, one.measure): one.value for one in found.figures}
    assert (by["cli-rag", "planted"] or 0) > 0
    assert by["cli-rag", "planted_in_summary"] == 0 == by["cli-rag", "planted_reached"]
    assert (by["cli-rag", "planted_unchecked"] or 0) > 0  # without the verifier it would have been told
    assert by["cli-rag", "model_calls"] == 0
    assert {one.baseline for one in found.differences} == {"cli-rag"}
    with pytest.raises(InputError, match="--in-turn"):
        run(*given, "--planted")


def test_a_setting_is_varied_in_plans_too(run: Run, tmp_path: Path) -> None:
    questions = tmp_path / "q.jsonl"
    questions.write_text('{"id": "a", "question": "What helps gout?", "options": ["rest", "insulin"], "answer": "A"}\n')
    found = run("plans", "--data", f"jsonl={questions}", "--systems", "spo", "--vary", "spo_kept=2")
    gaps = {one.measure: one for one in found.differences}
    assert gaps["found"].baseline == "spo" and (gaps["found"].value or 0) < 0
    assert gaps["queries"].value == 0


def test_retrieval_needs_judgements_for_queries(run: Run, tmp_path: Path) -> None:
    (tmp_path / "q.tsv").write_text("1\tgout diet\n")
    with pytest.raises(InputError, match="--qrels"):
        run("retrieval", "queries", "--from", str(tmp_path / "q.tsv"))
    (tmp_path / "d.txt").write_text("1 0 handbook/gout 1\n")
    given = ("retrieval", "queries", "--from", str(tmp_path / "q.tsv"), "--qrels", str(tmp_path / "d.txt"))
    varied = run(*given, "--retrievers", "hybrid,spo", "--vary", "passages=2")
    assert list(varied.systems) == ["hybrid", "spo", "hybrid@passages=2", "spo@passages=2"]
    found = run(*given)
    (best,) = [one for one in found.figures if (one.system, one.measure) == ("hybrid", "mrr")]
    assert best.value == 1.0


def test_judges_run_on_judged_finds_with_a_scripted_model(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finds = tmp_path / "f.jsonl"
    row = {"question": "What treats gout?", "answer": "colchicine", "source": "book", "documents": ["Colchicine."]}
    finds.write_text(json.dumps(row | {"supports": True}) + "\n" + json.dumps(row | {"supports": False}) + "\n")
    with pytest.raises(MissingError, match="language model"):
        run("judges", "--data", str(finds), "--signals", "judge")
    with pytest.raises(MissingError, match="LEAPNOTE_RERANKER"):
        run("judges", "--data", str(finds), "--signals", "rerank")
    model = MeteredEngine(Scripted('{"reason": "", "supports": true}'))
    roles = RoleModels(model, planner=model, judge=model, extractor=model)  # type: ignore[arg-type]
    serving = Chosen("scripted", Generator(name="scripted", reason=""), roles)
    monkeypatch.setattr(LanguageModels, "chosen", lambda models, *given: serving)
    varied = run("judges", "--data", str(finds), "--signals", "judge", "--vary", "repair=true")
    assert list(varied.systems) == ["judge", "judge@repair=true"]
    found = run("judges", "--data", str(finds), "--signals", "judge")
    by = {one.measure: one.value for one in found.figures}
    assert (by["accuracy"], by["precision"], by["recall"]) == (0.5, 0.5, 1.0)
