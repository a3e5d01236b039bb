"""docs/papers.md names files, functions, settings and flags that exist; the papers' numbers are the defaults."""

import ast
import re
from pathlib import Path

import pytest

from backend.cli.program import command_options
from backend.evaluation.answers.answers_run import MOST_THOUGHTS
from backend.planning import reflexion, serts
from backend.planning.model_plan import ADVICE_WORDS, FULL_SCORE
from backend.planning.source_plan import MOST_QUERIES, PASSAGE_WORDS
from backend.prompts.verdicts import REASON_WORDS, first_half
from backend.retrieval.strategies.graph_lookup import TOP_RELATIONS
from backend.retrieval.strategies.source_plan_search import PlanSettings
from backend.schemas.patients.patient_notes import NoteType
from backend.settings import Settings
from backend.stores.passages.bm25 import K1, B
from backend.training.plans.plan_exploration import EXPLORED
from backend.training.plans.plan_values import RERANK_THRESHOLD
from backend.training.thoughts.thought_pairs import SamplingSettings
from backend.verification.consistency.uncertainty import SAMPLES, TEMPERATURE
from models.policy.walking.walk_settings import PAPER
from models.tuning.tuning import RAR2_DPO, SPO_DPO, SPO_SFT
from tests.cli.parsing import parsed
from tests.shipping.instructions import ROOT

PAGE = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`([\w/.]+\.py):([\w.]+)`", PAGE)
FILES = re.findall(r"`((?:backend|models|app|assets|tests)/[\w/.*-]+\.\w+)(?::[\w.]+)?`", PAGE)
DEFAULTS = Settings.model_fields
COMMANDS = {"ask", "evaluate", "knowledge", "pairs", "study", "train"}


def names_in(path: Path) -> set[str]:
    """Every name a module defines, as `Name` or `Class.name`; a class's fields and what it sets on itself are among them."""
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        found |= _bound(node)
        if isinstance(node, ast.ClassDef):
            inner = {name for child in node.body for name in _bound(child)}
            inner |= {
                one.attr
                for one in ast.walk(node)
                if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store) and _is_self(one.value)
            }
            found |= {f"{node.name}.{name}" for name in inner}
    return found


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _bound(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.AnnAssign):
        return {node.target.id} if isinstance(node.target, ast.Name) else set()
    if isinstance(node, ast.Assign):
        return {one.id for target in node.targets for one in ast.walk(target) if isinstance(one, ast.Name)}
    return set()


def missing(named: list[tuple[str, str]]) -> list[str]:
    """What of `file.py:Name` is not there."""
    known = {file: names_in(ROOT / file) for file in {file for file, _ in named} if (ROOT / file).is_file()}
    return [f"{file}:{name}" for file, name in named if name not in known.get(file, set())]


def test_every_name_that_the_page_gives_exists() -> None:
    assert len(NAMED) > 100
    assert not missing(NAMED)


def test_a_name_that_is_not_there_would_be_found() -> None:
    wrong = [
        ("models/policy/gro.py", "group_advantage"),
        ("models/gr.py", "update"),
        ("models/policy/walking/environment.py", "Environment.begin"),
        ("models/policy/walking/environment.py", "begin"),
    ]
    assert missing([("models/policy/walking/environment.py", "Environment.start"), *wrong]) == [
        f"{f}:{n}" for f, n in wrong
    ]


def test_every_file_that_the_page_gives_exists() -> None:
    assert FILES
    assert not [name for name in FILES if not (ROOT / name).is_file()]


def test_every_setting_that_the_page_gives_exists() -> None:
    named = set(re.findall(r"`LEAPNOTE_(\w+)(?:=[\w:]+)?`", PAGE))
    assert named
    assert named <= {name.upper() for name in DEFAULTS}


def test_every_flag_that_the_page_gives_is_a_command_s() -> None:
    known = {flag for flags in command_options().values() for flag in flags}
    flags = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", PAGE))
    assert flags
    assert not flags - known


@pytest.mark.parametrize("paper", ["ReinRAG", "RAR2", "Omni-RAG (SPO)", "ClinicalRAG", "CLI-RAG"])
def test_each_paper_has_a_section_with_its_code_and_its_departures(paper: str) -> None:
    section = PAGE.split(f"\n## {paper}\n")[1].split("\n## ")[0]
    assert "|paper|what|where|" in section
    assert "|what|the paper" in section


def test_the_numbers_of_rar2_are_the_defaults() -> None:
    assert (K1, B, DEFAULTS["rar2_documents"].default) == (1.2, 0.75, 32)  # section 5.3
    sampling = SamplingSettings()
    assert (sampling.thoughts, sampling.answers, sampling.temperature, sampling.top_p) == (15, 5, 0.2, 0.9)
    assert (RAR2_DPO.epochs, RAR2_DPO.batch, RAR2_DPO.learning_rate, RAR2_DPO.beta) == (4, 64, 1e-6, 0.2)
    assert MOST_THOUGHTS == 8  # section 5.6
    assert DEFAULTS["rar2_with_question"].default is False


def test_the_numbers_of_omni_rag_are_the_defaults() -> None:
    assert MOST_QUERIES == 3  # "fewer than 4", section 4.1
    assert EXPLORED == 6  # section 4.2.1
    assert (PlanSettings().found, PlanSettings().kept, TOP_RELATIONS) == (20, 10, 10)  # section 5.1.2
    assert (DEFAULTS["spo_found"].default, DEFAULTS["spo_kept"].default) == (20, 10)
    assert list(first_half("abcdefghij")) == list("abcde")  # "the latter half is excluded"
    assert (SPO_SFT.batch, SPO_SFT.learning_rate, SPO_SFT.epochs) == (64, 2.5e-4, 5)  # D.4
    assert (SPO_DPO.batch, SPO_DPO.learning_rate, SPO_DPO.epochs) == (64, 5e-6, 3)
    assert SPO_SFT.lora is not None and SPO_DPO.lora is not None
    assert (reflexion.MOST_ROUNDS, serts.MOST_ROUNDS, FULL_SCORE) == (8, 8, 5)  # D.3
    assert RERANK_THRESHOLD == 2.3
    assert (REASON_WORDS, PASSAGE_WORDS, ADVICE_WORDS) == (100, 200, 100)  # E.4, E.6, E.9
    assert (SAMPLES, TEMPERATURE) == (9, 0.7)  # A.3


def test_the_numbers_of_the_others_are_the_defaults() -> None:
    assert DEFAULTS["clinicalrag_tokens"].default == 4096  # ClinicalRAG, section 4.2
    assert all(DEFAULTS[f"clinicalrag_{agent}"].default for agent in ("extraction", "language", "references"))
    assert len(NoteType) == 15  # CLI-RAG
    assert (PAPER.steps, DEFAULTS["paths"].default) == (5, 10)  # ReinRAG, C.2


def test_every_table_of_the_papers_has_a_command_that_parses() -> None:
    text = (ROOT / "docs" / "results" / "README.md").read_text(encoding="utf-8").partition("## The papers' tables")[2]
    rows = [line.split("|")[1:4] for line in text.splitlines() if line.startswith("|") and "---" not in line][1:]
    assert {row[0] for row in rows} == {"ReinRAG", "RAR2", "Omni-RAG", "ClinicalRAG", "CLI-RAG"}
    for _, what, cell in rows:
        shown = [one for one in re.findall(r"`([^`]+)`", cell) if one.partition(" ")[0] in COMMANDS]
        assert shown, what
        for command in shown:
            parsed(*command.split())
