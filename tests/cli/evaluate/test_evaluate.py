"""`evaluate` on small files, as a user runs them."""

import json
from contextlib import nullcontext
from pathlib import Path

import pytest

from backend.cli.evaluate import evaluate, evaluate_more
from backend.cli.program import run as run_command
from backend.container import Container
from backend.container.language_models import Chosen, LanguageModels, RoleModels
from backend.errors import InputError, MissingError
from backend.schemas.drafts.draft import Generator
from models.llm.engine_meter import MeteredEngine
from models.llm.engine_scripted import Scripted
from tests.cli.evaluate.conftest import Run

LABELLED = (
    '{"text": "He has fever but no cough.", "mentions": [{"start_char": 7, "end_char": 12, "assertion": "present"}, '
    '{"start_char": 20, "end_char": 25, "assertion": "negated"}]}\n'
)


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
        **dict.fromkeys(("problems_found", "problem_status"), (None, 0)),  # no piece with problems
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
