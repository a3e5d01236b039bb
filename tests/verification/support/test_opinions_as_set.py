"""Which further opinions a draft is verified with: an entailment model, a judge, none; and that the draft says so."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from backend.container import Container
from backend.container.language_models import Chosen
from backend.errors import FullError, MissingError
from backend.schemas.chat import Completion
from backend.schemas.drafts.draft import Generator, WrittenSentence
from backend.schemas.drafts.evidence import Evidence, NotePiece
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Basis, Support
from backend.verification.support.second_opinion import JudgeScorer, Says
from models.llm.engine_scripted import Scripted
from models.llm.engines import RoleModels
from tests.verification.tiny_entailment import tiny_model

LABELS = {0: "contradiction", 1: "entailment", 2: "neutral"}
Changed = Callable[..., Container]


def chosen(model: Scripted | None) -> Chosen:
    roles = RoleModels(model, **dict.fromkeys(("planner", "judge", "extractor"), model))
    return Chosen("composer", Generator(name="composer", reason="chosen"), roles)


@pytest.fixture
def changed(container: Container) -> Changed:
    """The container under other settings; an entailment model that is set is loaded anew."""
    return container.changed


def test_the_rules_alone_by_default_and_the_draft_says_so(container: Container) -> None:
    draft = container.pipeline("leapnote", "composer").run(DraftRequest(text="Chief complaint: cough and fever."))
    assert draft.versions["verifier"] == f"rules, {container.encoder.name}"


def test_an_entailment_model_is_loaded_once_and_named(changed: Changed, tmp_path: Path) -> None:
    other = changed(entailment=str(tiny_model(tmp_path, LABELS)))
    verifiers = [other.assembly.verifier(chosen(None)) for _ in range(2)]
    assert [verifier.name for verifier in verifiers] == [f"rules, {other.encoder.name}, model"] * 2
    assert other.checks.entailment is other.checks.entailment


def test_a_folder_that_does_not_exist_stops_the_start_and_says_what_to_set(changed: Changed, tmp_path: Path) -> None:
    other = changed(entailment=str(tmp_path / "nowhere"))
    with pytest.raises(MissingError, match=r"no folder .*nowhere.*LEAPNOTE_ENTAILMENT"):
        other.warm()


def test_samples_are_scored_by_the_entailment_model_else_by_a_judge_of_its_own(
    changed: Changed, tmp_path: Path
) -> None:
    folder, judge = str(tiny_model(tmp_path, LABELS)), chosen(Scripted())
    assert changed().assembly.consistency(judge).name.startswith("cosine")
    assert (
        changed(judge_model="openai:http://127.0.0.1:9/v1#big").assembly.consistency(judge).name == "scripted as judge"
    )
    both = changed(entailment=folder, judge_model="openai:http://127.0.0.1:9/v1#big")
    assert both.assembly.consistency(judge).name == "model"


@pytest.mark.parametrize(("verdict", "support"), [("yes", Support.SUPPORTED), ("no", Support.UNSUPPORTED)])
def test_a_judge_is_asked_where_the_settings_want_it(
    container: Container, changed: Changed, verdict: str, support: Support
) -> None:
    reply = json.dumps({"verdicts": [{"number": 1, "verdict": verdict}]})
    text = "She has gout in her left foot and takes colchicine."
    piece = NotePiece(id="N1", note_type="pasted note", section="", text=text, start_char=0, end_char=len(text))
    wording = [
        WrittenSentence(
            text="You take colchicine for gout in your left foot.", section="", basis=Basis.PATIENT, citations=("N1",)
        )
    ]
    asked, silent = Scripted(reply), Scripted(reply)
    verifier = changed(judge_support=True).assembly.verifier(chosen(asked))
    (found,) = verifier.verify(wording, container.linker.link(text), Evidence(notes=(piece,)))
    assert found.support == support
    assert "as judge" in verifier.name
    assert "as judge" not in container.assembly.verifier(chosen(silent)).name


def test_a_judge_whose_line_is_full_has_no_opinion() -> None:
    class Busy(Scripted):
        def chat(self, *_: object, **__: object) -> tuple[Completion, ...]:
            raise FullError("The language model is busy.")

    (found,) = JudgeScorer(Busy()).opinions(["text"], ["sentence"])
    assert found.says == Says.NOTHING
    assert "busy" in found.reason
