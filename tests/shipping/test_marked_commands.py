"""The commands that a document marks as needing data, minutes or a terminal are run on small files made here.

Each family is a chain in one folder, in the order of the documents, with flags added where a full run would take long. What needs
a server, Docker or a language model is parsed by test_commands_in_documents and listed here with the reason.
"""

import gzip
import io
import json
import shlex
import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

import pytest

from backend.__main__ import main
from backend.cli.evaluate import evaluate, evaluate_more
from backend.cli.study import study_shared
from backend.container import Container
from backend.ingest.clinical_notes.note_pairs import Pair, write_pairs
from backend.settings import ROOT, settings
from backend.study.design import draft_sources
from models.policy.checkpoint import Checkpoint, save_checkpoint
from models.policy.network import PolicyNetwork
from models.policy.walking.walk_settings import OURS
from tests.shipping.commands import commands
from tests.study.sample import write as write_draft

INGEST = ROOT / "tests" / "ingest"
SERVER, LLM = "it serves until it is ended: tests/serving and tests/services", "it needs a language model or a GPU"
OWN = "it is run small beside its own command: tests/cli/evaluate"
NEO4J = "it needs a Neo4j server: tests/services"
NOTES = (
    ("Chief Complaint: cough and fever. HPI: 50M with sputum.", "You had pneumonia. Take amoxicillin at home."),
    ("Chief Complaint: chest pain. HPI: 60M with sweating.", "You had a heart attack. Take aspirin. Stop smoking."),
)


class Step(NamedTuple):
    """A command as the document shows it after `python -m backend`, flags to add, and the file that it writes anew."""

    shown: str
    more: str = ""
    makes: str = ""


CHAINS: dict[str, tuple[Step, ...]] = {
    "graphs": (
        Step("knowledge add umls --from META --name umls"),
        Step("knowledge load graph umls --with-starter"),
        Step("knowledge export tsv umls --to FOLDER", makes="FOLDER/concepts.tsv"),
        Step("knowledge remove graph umls"),
        Step("knowledge add obo --from one.obo two.obo --name obo --prefix-group UBERON=ANAT --licence CC0"),
        Step("knowledge add tsv --from FOLDER --name mine"),
    ),
    "sources": (
        Step("knowledge add medquad --from MedQuAD-master.zip --name medquad"),
        Step("evaluate retrieval medquad --from MedQuAD-master.zip --half odd --limit 1000", "--resamples 50"),
        Step("knowledge add folder --from guidelines/ --source guideline --licence CC0 --name who"),
        Step("knowledge load collection medquad"),
        Step("knowledge remove collection medquad"),
    ),
    "people and copies": (
        Step("people add NAME --role administrator"),
        Step('people add "Ada Byron" --role administrator'),
        Step('people password "Ada Byron"'),
        Step("backup FILE.tar.gz", makes="FILE.tar.gz"),
        Step("restore FILE.tar.gz --replace"),
        Step("backup FILE.tar.gz --with-knowledge", makes="FILE.tar.gz"),
    ),
    "pairs": (
        Step("link note.txt --json"),
        Step("pairs synthetic --n 2400 --seed 0 --out pairs.jsonl", "--n 24", makes="pairs.jsonl"),
        Step("pairs mimic --from discharge.csv.gz --out pairs.jsonl", "--train 0 --test 0"),
        Step("pairs check pairs.jsonl"),
        Step("pairs statistics pairs.jsonl"),
    ),
    "policy": (
        Step("train gro --pairs pairs.jsonl --install", "--epochs 1 --rollouts 2 --steps 2 --graph data/graphs/tiny"),
        Step(
            "train gro --pairs pairs.jsonl --preset reinrag --install",
            "--epochs 1 --rollouts 2 --steps 2 --graph data/graphs/tiny",
        ),
    ),
    "evaluation": (
        Step(
            "evaluate paths --pairs PAIRS.jsonl --policy NAME=RUN/checkpoint",
            "--limit 1 --budgets 5 --resamples 50 --no-variants --retrievers random1hop",
        ),
        Step(
            "evaluate notes --document progress_note --patients PATIENTS.jsonl --systems cli-rag --in-turn --planted",
            "--resamples 50",
        ),
        Step(
            "evaluate notes --pairs PAIRS.jsonl --systems spo,leapnote --vary spo_kept=5,20",
            "--baseline spo --resamples 50",
        ),
        Step("evaluate linking --data LABELLED.jsonl", "--resamples 50"),
        Step("evaluate answers --data medqa=TEST.jsonl --systems no-retrieval,leapnote --repeats 5", "--resamples 50"),
        Step("evaluate plans --data medqa=TEST.jsonl --systems leapnote,spo", "--resamples 50"),
        Step(
            "evaluate retrieval queries --from QUERIES.tsv --qrels QRELS.txt --retrievers bm25,cosine,hybrid,leapnote",
            "--resamples 50",
        ),
    ),
    "study": (
        Step('study new "Two systems" --template reinrag --cases notes.jsonl'),
        Step("study generate ID"),
        Step("study leaks ID"),
        Step("study freeze ID", "--accept-warnings"),
        Step("study invite ID"),
        Step("study status ID"),
        Step("study close ID"),
        Step('study unlock ID --reason "complete"'),
        Step("study analyse ID --report html --to report.html", makes="report.html"),
        Step("study export ID --format csv --to ratings.csv", makes="ratings.csv"),
    ),
    "study elsewhere": (Step("study import study.jsonl"),),
}
ONLY_PARSED = {
    "evaluate safety tests/benchmarks --half even": OWN,
    "up": SERVER,
    "serve": SERVER,
    "up --generator vllm:/models/some-model": SERVER,
    "knowledge export neo4j starter": NEO4J,
    "knowledge load neo4j starter --name from-neo4j": NEO4J,
    "knowledge load neo4j --mapping FILE --name theirs": NEO4J,
    "knowledge remove neo4j starter": NEO4J,
    "evaluate judges --data FINDS.jsonl --signals judge": LLM,
    "evaluate table1 --pairs PAIRS.jsonl": LLM,
    "train pairs --questions medqa.jsonl --out runs/rar2-data": LLM,
    "train dpo --recipe rar2 --data runs/rar2-data/pairs.jsonl --base /models/qwen --out runs/rar2": LLM,
    "train plans --questions questions.jsonl --signal judge --out runs/spo-data": LLM,
    "train sft --recipe spo --data runs/spo-data/sft.jsonl --base /models/qwen --out runs/spo-sft": LLM,
    "train dpo --recipe spo --data runs/spo-data/dpo.jsonl --base runs/spo-sft/model --out runs/spo": LLM,
}
"""Marked commands that run nowhere here, each with the reason."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder as the working folder, with data of its own; passwords come from standard input."""
    monkeypatch.setenv("LEAPNOTE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("LEAPNOTE_POLICIES", str(tmp_path / "policies"))
    monkeypatch.setattr("backend.access.passwords.LOG_N", 8)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    settings.cache_clear()


def graph_files(folder: Path) -> None:
    shutil.copytree(INGEST / "umls" / "umls_sample", folder / "META")
    for name, term in (("one", "id: DOID:1\nname: asthma"), ("two", "id: UBERON:1\nname: lung")):
        (folder / f"{name}.obo").write_text(f"format-version: 1.2\n\n[Term]\n{term}\n")


def source_files(folder: Path) -> None:
    with zipfile.ZipFile(folder / "MedQuAD-master.zip", "w") as archive:
        for number, name in enumerate(("Gout", "Asthma", "Fever")):
            archive.writestr(
                f"M/2_GARD_QA/{number}.xml",
                f'<Document id="{number}" source="GARD" url="https://x.test/{number}"><Focus>{name}</Focus><QAPairs><QAPair>'
                f'<Question qtype="treatment">How is {name} treated?</Question><Answer>Rest helps {name}.</Answer>'
                "</QAPair></QAPairs></Document>",
            )
    (folder / "guidelines").mkdir()
    (folder / "guidelines" / "gout.md").write_text("# Gout\n\nRest the joint and drink water.\n")


def pair_files(folder: Path) -> None:
    (folder / "note.txt").write_text(NOTES[0][0])
    sample = INGEST / "clinical_notes" / "mimic" / "mimic_sample" / "discharge.csv"
    (folder / "discharge.csv.gz").write_bytes(gzip.compress(sample.read_bytes()))


def policy_files(folder: Path) -> None:
    rows = (
        "D1\tpneumonia\tDISO",
        "D2\theart attack\tDISO",
        "S1\tcough\tDISO",
        "S2\tchest pain\tDISO",
        "C1\taspirin\tCHEM",
    )
    (folder / "graph").mkdir()
    (folder / "graph" / "concepts.tsv").write_text("id\tname\tgroup\n" + "\n".join(rows) + "\n")
    edges = "head\trelation\ttail\nD1\tcauses\tS1\nD2\tcauses\tS2\nD2\teased_by\tC1\n"
    (folder / "graph" / "edges.tsv").write_text(edges)
    assert ended("knowledge add tsv --from graph --name tiny") == 0
    assert ended("knowledge load graph tiny") == 0
    made = [
        Pair(f"{split}{i}", f"{split}{i}", split, *texts)
        for split in ("train", "validation")
        for i, texts in enumerate(NOTES)
    ]
    write_pairs(folder / "pairs.jsonl", made)


def evaluation_files(folder: Path, container: Container) -> None:
    write_pairs(folder / "PAIRS.jsonl", [Pair(str(i), str(i), "test", *texts) for i, texts in enumerate(NOTES)])
    card = {"graph": container.graph.fingerprint, "encoder": container.encoder.name}
    network = PolicyNetwork(container.encoder.dimension).fold()
    fresh = Checkpoint("NAME", network, OURS._replace(steps=2), False, None, None, card)
    save_checkpoint(folder / "RUN" / "checkpoint", fresh)
    note = {"note_type": "Nursing", "date": "2024-01-01", "text": "She has chest pain."}
    patient = {"subject_id": "7", "visits": [{"admission": "1", "patient_notes": [note]}]}
    (folder / "PATIENTS.jsonl").write_text(json.dumps(patient) + "\n")
    labelled = {"text": "He has fever.", "mentions": [{"start_char": 7, "end_char": 12, "assertion": "present"}]}
    (folder / "LABELLED.jsonl").write_text(json.dumps(labelled) + "\n")
    asked = {
        "id": "a",
        "question": "What helps gout?",
        "options": {"A": "colchicine", "B": "insulin"},
        "answer_idx": "A",
    }
    (folder / "TEST.jsonl").write_text(json.dumps(asked) + "\n")
    (folder / "QUERIES.tsv").write_text("1\tgout diet\n")
    (folder / "QRELS.txt").write_text("1 0 handbook/gout 1\n")


def study_files(folder: Path) -> None:
    rows = [{"id": f"c{n}", "text": f"Patient {n} coughs.", "reference": "Rest."} for n in range(23)]
    (folder / "notes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def ended(line: str) -> int:
    """The exit status of a command in this process, with the settings of now."""
    settings.cache_clear()
    try:
        return int(main(shlex.split(line)) or 0)
    except SystemExit as error:
        return int(error.code or 0)


def run_chain(name: str, folder: Path, study_id: Callable[[], str] = str) -> None:
    """Run the commands of a family one after the other; each must end with 0 and write what it says."""
    for step in CHAINS[name]:
        made = folder / step.makes
        if made.is_file():
            made.unlink()
        line = f"{step.shown} {step.more}".replace(" ID", f" {study_id()}")
        assert ended(line) == 0, line
        assert made.exists(), step.makes


def test_every_marked_command_is_run_or_has_a_reason_why_not() -> None:
    marked = {command.backend for command in commands() if command.backend is not None and command.marked}
    run = [tuple(shlex.split(step.shown)) for chain in CHAINS.values() for step in chain]
    parsed = [tuple(shlex.split(shown)) for shown in ONLY_PARSED]
    assert len(set(run + parsed)) == len(run + parsed)
    assert marked == set(run + parsed)
    assert all(ONLY_PARSED.values())


def test_graphs_are_added_joined_exported_and_removed(folder: Path) -> None:
    graph_files(folder)
    run_chain("graphs", folder)
    assert ended("knowledge remove graph mine") == 0
    assert ended("knowledge remove graph umls") != 0  # it was removed


def test_collections_are_added_searched_encoded_and_removed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source_files(folder)
    run_chain("sources", folder)
    capsys.readouterr()
    assert ended("knowledge list --json") == 0
    said = capsys.readouterr().out
    assert '"who"' in said and '"medquad"' not in said


def test_people_are_added_and_what_is_stored_is_copied(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("correct horse battery\n" * 3))
    run_chain("people and copies", folder)
    capsys.readouterr()
    assert ended("people list --json") == 0
    assert {one["name"] for one in json.loads(capsys.readouterr().out)} == {"NAME", "Ada Byron"}


def test_a_note_is_read_and_pairs_are_made_and_looked_into(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pair_files(folder)
    run_chain("pairs", folder)
    assert "6 pairs written" in capsys.readouterr().out  # what MIMIC's sample has (tests/cli/train/test_pairs.py)


def test_a_policy_is_trained_and_installed(folder: Path) -> None:
    policy_files(folder)
    run_chain("policy", folder)
    assert {path.parent.name for path in (folder / "policies").rglob("card.json")} == {"leapnote", "reinrag"}


def test_every_evaluation_ends_with_a_result(
    folder: Path, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (evaluate, evaluate_more):
        monkeypatch.setattr(module, "evaluation_container", lambda graph=None: nullcontext(container))
    evaluation_files(folder, container)
    run_chain("evaluation", folder)
    assert len(list((folder / "data" / "results").glob("*/result.json"))) == len(CHAINS["evaluation"])


def test_a_study_goes_from_its_setup_to_its_export(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(study_shared, "container_here", lambda: None)
    monkeypatch.setattr(draft_sources, "pipeline_source", lambda container: write_draft)
    study_files(folder)
    made: list[str] = []

    def study_id() -> str:
        said = capsys.readouterr().out.strip()
        if not made and said:
            made.append(said)
        return made[0] if made else ""

    run_chain("study", folder, study_id)
    assert ended(f"study export {made[0]} --to study.jsonl") == 0
    monkeypatch.setenv("LEAPNOTE_DATA", str(folder / "other"))
    run_chain("study elsewhere", folder)
    capsys.readouterr()
    assert ended("study status") == 0
    assert capsys.readouterr().out.startswith(f"{made[0]}  closed")
    assert "report" in (folder / "report.html").read_text(encoding="utf-8").lower()
