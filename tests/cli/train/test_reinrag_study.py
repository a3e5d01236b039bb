"""The preregistered study: every command it runs has the flags that it gives, and the whole of it runs on miniatures with a tiny model."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from backend.evaluation.reports.result_folders import read_results
from backend.ingest.clinical_notes.note_pairs import Pair
from backend.schemas.evaluation_results import ResultKind
from backend.settings import ROOT
from tests.cli.parsing import parsed

SCRIPT = ROOT / "assets" / "training" / "reinrag_study.sh"
UMLS = ROOT / "tests" / "ingest" / "umls" / "umls_sample"


def commands() -> list[str]:
    """Each call of the program, lines joined, what the shell fills in replaced by a word."""
    text = SCRIPT.read_text(encoding="utf-8").replace("\\\n", " ")
    found = [
        line.partition("leapnote ")[2]
        for line in text.splitlines()
        if re.search(r"(?:^|[;|{] *|\|\| )\s*leapnote ", line)
    ]
    return [re.sub(r"\s+#.*", "", one).strip() for one in found if not one.startswith("()")]


def test_every_command_of_the_study_has_the_flags_that_it_gives() -> None:
    said = commands()
    assert len(said) >= 8
    for command in said:
        # options that the script gathers are run by the rehearsal
        plain = re.sub(r'"\$(?:@|\{\w+\[@\]\})"', "", command)
        plain = re.sub(r'"?\$(?:seed|EPOCHS|DRAWS)\b"?', "1", plain)
        plain = re.sub(r'"?\$\{[^}]*\}[^\s"]*"?|"?\$\w+[^\s"]*"?', "x", plain)
        assert parsed(*plain.replace('"', "").split()) is not None, command


def test_the_papers_settings_stand_in_the_study() -> None:
    text = SCRIPT.read_text(encoding="utf-8")
    for told in (
        "drknows",
        "sapbert",
        "--train 3000 --test 1000",
        "SEEDS:-1 2 3 4 5",
        "EPOCHS:-500",
        "DRAWS:-10",
        "--leaps no",
        "--entropy-start 0",
    ):
        assert told in text


def instruction_folder(folder: Path, made: list[Pair]) -> Path:
    """Invented pairs in the form of MIMIC-IV-Note-Ext-DI: whole notes, and the splits by file."""
    for split, name in (("train", "train"), ("validation", "valid"), ("test", "test")):
        rows = [
            {
                "text": f"Sex:   F\nAllergies: \nNone known\n \nChief Complaint:\nunwell\n \nHistory of Present Illness:\n{one.note.split(chr(10))[-1]}"
                "\n \nBrief Hospital Course:\nManaged as above.",
                "summary": one.text,
            }
            for one in made
            if one.split == split
        ]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.json").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder


def test_the_release_of_instructions_is_taken_unchanged_with_the_papers_sizes(tmp_path: Path) -> None:
    """The program is replaced by one that writes down what it is asked for and ends at the first training."""
    stub, asked = tmp_path / "python", tmp_path / "asked"
    stub.write_text(f'#!/bin/bash\necho "${{@:3}}" >> {asked}\n[ "$3" != train ]\n', encoding="utf-8")
    stub.chmod(0o755)
    given = {
        "PYTHON": str(stub),
        "META": "m",
        "DI": str(tmp_path / "di"),
        "MODELS": "none",
        "OUT": str(tmp_path / "out"),
    }
    subprocess.run(["bash", str(SCRIPT)], check=False, cwd=ROOT, env=os.environ | given, capture_output=True)
    told = asked.read_text(encoding="utf-8").splitlines()
    pairs = tmp_path / "out" / "pairs.jsonl"
    assert f"pairs mimic-di --from {tmp_path / 'di'} --out {pairs} --seed 0 --train 3000 --test 1000" in told
    assert f"pairs check {pairs}" in told and not any(line.startswith("pairs mimic ") for line in told)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("source", ["pairs", "mimic-di"])
def test_the_whole_study_runs_on_miniatures_with_a_tiny_model(tmp_path: Path, source: str) -> None:
    from backend.ingest.clinical_notes.note_pairs import write_pairs
    from backend.training.synthetic.synthetic_pairs import synthetic_pairs
    from tests.services.llm_servers import tiny_llama

    pairs, tiny = tmp_path / "pairs.jsonl", tiny_llama(tmp_path / "tiny")
    made = list(synthetic_pairs(ROOT / "assets" / "training" / "scenarios", n=40, seed=5))
    if source == "pairs":
        write_pairs(pairs, made)
        data = {"PAIRS": str(pairs)}
    else:
        data = {"DI": str(instruction_folder(tmp_path / "di", made)), "SIZES": "--train 20 --validation 1 --test 2"}
    given = data | {
        "PYTHON": sys.executable,
        "META": str(UMLS),
        "MODELS": f"transformers:{tiny}",
        "OUT": str(tmp_path / "study"),
        "SEEDS": "1 2",
        "ROLLOUTS": "5",
        "EPOCHS": "1",
        "DRAWS": "2",
        "LIMIT": "1",
        "LEAPNOTE_NAME_ENCODER": "",
        "LEAPNOTE_GRAPH": "umls-with-starter",
    }
    done = subprocess.run(
        ["bash", str(SCRIPT)], check=False, cwd=ROOT, env=os.environ | given, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-3000:]
    results = list(read_results(tmp_path / "study" / "results"))
    (paths,) = [one for one in results if one.kind is ResultKind.PATHS]
    assert {"reinrag", "no-leaps", "leapnote", "leapnote-proposals"} <= set(paths.systems)
    assert any("walk of leapnote" in caveat and "5 seeds were asked for" in caveat for caveat in paths.caveats)
    tables = [one for one in results if one.kind is ResultKind.NOTES]
    written, by_paths = sorted(
        tables, key=lambda one: "paths=" in "".join(one.systems)
    )  # all arms and seeds, and the number of paths
    named = {name.split("+")[0] for name in written.systems}
    assert {"reinrag", "no-leaps", "no-exploration", "sim1hop", "no-retrieval"} <= named
    told = {(one.system.split("+")[0], one.baseline.split("+")[0]) for one in written.differences}
    assert {("reinrag", other) for other in ("no-retrieval", "sim1hop", "drknows", "no-leaps")} <= told
    for result, curve, points in ((written, "rouge_l-G", [5, 10]), (by_paths, "rouge_l-paths", [1, 3, 5, 10, 20])):
        lines = next(one.figure["data"] for one in result.charts if one.name == curve)
        assert [point for line in lines if line["name"].startswith("reinrag") for point in line["x"]] == points
