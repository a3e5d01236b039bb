"""What is done with what was written: citations, repair, uncertainty, flags of parts that were not reached."""

from typing import Any

from backend.container import Container
from backend.errors import MissingError
from backend.pipeline.finishing import evidence_ids
from backend.schemas.drafts.draft import Checks, Flag
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.drafts.written import Repaired, Uncertainty
from backend.schemas.vocabulary import Support
from tests.pipeline.steered import NOTE, NoSafety, written


def test_a_citation_that_does_not_exist_is_removed_and_counted(pipeline: Any) -> None:
    draft = pipeline(written("cough and fever", "N1", "N99", "K1", "P7")).run(DraftRequest(text=NOTE))
    assert draft.sentences[0].citations == ("N1",)
    assert draft.removed_citations == 3
    assert draft.sentences[0].support == Support.SUPPORTED


def test_evidence_ids_are_those_of_all_four_kinds(container: Container) -> None:
    evidence = (
        container.pipeline("leapnote")
        .run_evidence(DraftRequest(text="HPI: dyspnea, orthopnea, leg swelling."))
        .evidence
    )
    assert {identity[0] for identity in evidence_ids(evidence)} == set("KGPN")


class Lacking(NoSafety):
    """Finds that the plan is missing."""

    def check(self, *given: Any) -> tuple[tuple[Flag, ...], Checks]:
        flag = Flag(kind="missing_part", severity="warning", message="No evidence was found for: Plan, Assessment.")
        return (flag,), Checks()


def test_a_part_that_was_not_reached_is_not_said_to_lack_evidence(pipeline: Any) -> None:
    whole = pipeline(written("cough", "N1"), safety=Lacking()).run(DraftRequest(text=NOTE))
    broken = pipeline(written("cough", "N1"), failure=MissingError("gone"), safety=Lacking()).run(
        DraftRequest(text=NOTE)
    )
    assert [flag.message for flag in whole.flags] == ["No evidence was found for: Plan, Assessment."]
    assert [flag.message for flag in broken.flags] == ["The writing ended before these parts: Plan, Assessment."]


class StrikingRepairer:
    """Rewords the first sentence and strikes the second."""

    def repair(self, *given: Any) -> Repaired:
        first, second = given[-1]
        new = first.model_copy(update={"text": "cough and fever", "before_repair": first.text})
        return Repaired((new,), (second,), 1, "1 reworded, 1 removed")


def test_a_repair_keeps_what_stood_there(pipeline: Any) -> None:
    repaired = pipeline(written("gout", "N1"), written("rash", "N1"), repairer=StrikingRepairer()).run(
        DraftRequest(text=NOTE)
    )
    (sentence,) = repaired.sentences
    assert (sentence.text, sentence.before_repair, repaired.removed_sentences) == ("cough and fever", "gout", ("rash",))
    assert "1 reworded, 1 removed" in {stage.reason for stage in repaired.stages if stage.name == "repair"}


class HalfSure:
    def score(self, *given: Any) -> Uncertainty:
        return Uncertainty(0.5, (0.25,), "", "a test", 9)


def test_uncertainty_stands_at_each_sentence_and_at_the_answer(pipeline: Any) -> None:
    draft = pipeline(written("cough", "N1"), doubt=HalfSure()).run(DraftRequest(text=NOTE))
    assert (draft.sentences[0].uncertainty, draft.uncertainty) == (0.25, 0.5)
    assert pipeline(written("cough", "N1")).run(DraftRequest(text=NOTE)).uncertainty is None
