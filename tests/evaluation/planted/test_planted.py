"""Planted errors: what each kind changes, that pairs differ in nothing else, and that the verifier tells them apart."""

import json
import os
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backend.container import Container
from backend.errors import InputError
from backend.evaluation.planted.paraphrase import paraphrased
from backend.evaluation.planted.planted import Kind, Pool, plant
from backend.evaluation.planted.planted_figures import (
    Judged,
    auc,
    calibration_error,
    figures,
    judge,
    risk_at,
    risk_curve,
)
from backend.evaluation.planted.planted_run import (
    PlantedOptions,
    curve_table,
    evaluate_planted,
    figure_table,
    judged_pairs,
)
from backend.evaluation.planted.planted_sets import note_pairs, pool_of
from backend.evaluation.planted.planted_texts import text_figures
from backend.ingest.clinical_notes.visit_pairs import VisitNote, read_visit_notes
from backend.nlp.extraction.linker import DictionaryLinker
from backend.schemas.drafts.note import Mention
from backend.schemas.vocabulary import Category
from backend.settings import ROOT
from backend.verification.consistency.consistency import TextConsistency
from backend.verification.support.support import CitedTextVerifier

DATA = Path(os.environ.get("LEAPNOTE_TEST_DATA") or ROOT.parent / "shared" / "data")
POOL = Pool(
    {Category.DRUG: ["warfarin", "ibuprofen"], Category.SYMPTOM: ["chest pain"], Category.DISEASE: ["gout"]},
    {Category.DRUG: ["zebrazole"]},
)
TEXT = "She denies fever and takes furosemide 40 mg daily for left leg swelling since Monday, which improved."


def quiet(*_: Any) -> None:
    """No progress."""


def planted(kind: Kind, text: str, mentions: Sequence[Mention], seed: int = 0) -> str | None:
    found = plant(kind, text, mentions, POOL, text, random.Random(seed))
    return found.text if found else None


@pytest.mark.parametrize(
    ("kind", "changed"),
    [
        (Kind.SIDE, {"for right leg", "for bilateral leg"}),
        (Kind.NEGATION, {"She reports fever"}),
        (Kind.COURSE, {"which worsened"}),
        (
            Kind.TIME,
            {"since Tuesday", "since Wednesday", "since Thursday", "since Friday", "since Saturday", "since Sunday"},
        ),
        (
            Kind.DOSE,
            {"20 mg", "80 mg", "400 mg", "60 mg", "41 mg"},
        ),  # half, twice, ten and one and a half times, one more
        (Kind.MEDICINE, {"takes warfarin", "takes ibuprofen", "takes zebrazole"}),
        (Kind.FINDING, {"denies chest pain", "left chest pain"}),
    ],
)
def test_each_kind_changes_one_statement(tiny_linker: DictionaryLinker, kind: Kind, changed: set[str]) -> None:
    mentions = tiny_linker.link(TEXT).note.mentions
    for seed in range(5):
        text = planted(kind, TEXT, mentions, seed)
        assert text is not None
        assert any(words in text for words in changed)


@pytest.mark.parametrize("kind", [Kind.DOSE, Kind.SIDE, Kind.ORGANISM, Kind.RESULT, Kind.DIAGNOSIS])
def test_a_sentence_that_holds_nothing_of_a_kind_has_none(tiny_linker: DictionaryLinker, kind: Kind) -> None:
    text = "She walks well."
    assert planted(kind, text, tiny_linker.link(text).note.mentions) is None


def test_what_is_put_in_stands_nowhere_in_the_cited_text(tiny_linker: DictionaryLinker) -> None:
    text = "She takes furosemide."
    mentions = tiny_linker.link(text).note.mentions
    cited = f"{text} Warfarin was stopped, zebrazole too."
    found = {plant(Kind.MEDICINE, text, mentions, POOL, cited, random.Random(seed)) for seed in range(9)}
    assert {one.text for one in found if one} == {"She takes ibuprofen."}


def test_a_retold_sentence_keeps_its_facts_and_the_stretch_that_is_kept() -> None:
    text = "The patient denies fever and takes furosemide 40 mg twice daily."
    start = text.index("furosemide")
    for seed in range(8):
        found = paraphrased(text, (), {}, (start, start + 10), seed)
        assert "furosemide" in found
        assert "40" in found
        assert found == paraphrased(text, (), {}, (start, start + 10), seed)
    assert len({paraphrased(text, (), {}, (start, start + 10), seed) for seed in range(8)}) > 1


def test_auc_counts_pairs_and_half_of_ties() -> None:
    # of the six pairs four are higher and one is equal: (4 + 0.5) / 6
    assert auc([0.9, 0.5], [0.1, 0.5, 0.6]) == pytest.approx(4.5 / 6)
    assert auc([1.0], [0.0]) == 1.0
    with pytest.raises(ValueError, match="at least one"):
        auc([], [1.0])


def test_pairs_differ_in_the_planted_words_alone_and_are_told_apart(
    tiny_linker: DictionaryLinker, encoder: Any
) -> None:
    note = VisitNote("n", f"History: {TEXT} She takes warfarin 5 mg daily at home. Her cough is gone.")
    pairs = list(note_pairs([note], tiny_linker, POOL, {}, 0, quiet))
    assert {pair.kind for pair in pairs} >= {Kind.DOSE, Kind.MEDICINE, Kind.SIDE, Kind.NEGATION}
    for pair in pairs:
        assert pair.true.text != pair.wrong.text
        assert pair.true.citations == pair.wrong.citations
        assert all(piece.text in note.text for piece in pair.evidence.notes)
    found = figures(judge(pairs, CitedTextVerifier(tiny_linker, encoder), quiet))
    assert found[0].n == len(pairs)
    assert found[0].won > 0.9


def test_notes_are_read_from_both_layouts_and_nothing_is_said_as_such(tmp_path: Path) -> None:
    table = tmp_path / "some.csv"
    table.write_text('dataset,encounter_id,dialogue,note\nx,1,hi,"A note."\nx,2,hi,\n')
    (tmp_path / "one.json").write_text(json.dumps({"note": "Another."}))
    assert [note.text for note in read_visit_notes(table)] == ["A note."]
    assert [note.text for note in read_visit_notes(tmp_path)] == ["Another."]
    with pytest.raises(InputError, match="holds no notes"):
        read_visit_notes(tmp_path / "nothing.csv")


def test_a_medicine_that_treats_nothing_and_a_text_at_odds_with_itself_stand_out(
    tiny_linker: DictionaryLinker, tiny_graph: Any
) -> None:
    text = (
        "She has heart failure with leg swelling and dyspnea. She takes furosemide 40 mg. She takes amoxicillin 500 mg. The left leg "
        "swelling began on Monday. The right leg swelling began on Monday."
    )
    found = TextConsistency(tiny_linker, tiny_graph).suspicions(tiny_linker.link(text))
    why = {text[one.start : one.end]: one for one in found}
    assert "treats nothing that the text names: amoxicillin" in why["She takes amoxicillin 500 mg."].reasons
    assert why["She takes furosemide 40 mg."].score == 0
    assert why["The right leg swelling began on Monday."].score > 0


@pytest.mark.data
def test_wrong_statements_in_public_notes_are_flagged_well_above_chance(container: Container) -> None:
    folder = DATA / "aci_bench"
    if not folder.is_dir():
        pytest.skip("the open data is not there (LEAPNOTE_TEST_DATA)")
    options = PlantedOptions((folder / "valid.csv",), (), "held", 3, 0, quiet)
    found = evaluate_planted(container, CitedTextVerifier(container.linker, container.encoder), options)
    whole = found[0]
    assert whole.n > 50
    assert whole.auc > 0.9
    assert whole.caught > 0.9
    assert whole.false_alarm < 0.1
    assert figure_table(found).count("\n") == len(found) + 1
    pool = pool_of(container.graph.concepts, container.linker)
    rows = text_figures(
        read_visit_notes(folder / "valid.csv")[:1],
        container.linker,
        pool,
        TextConsistency(container.linker, container.graph),
        0,
        quiet,
    )
    assert rows[0].n == sum(row.n for row in rows[1:])


def test_an_unknown_half_is_refused(container: Container, encoder: Any) -> None:
    with pytest.raises(InputError, match="tune, held, all"):
        evaluate_planted(
            container, CitedTextVerifier(container.linker, encoder), PlantedOptions((), (), "other", 1, 0, quiet)
        )


def test_calibration_and_risk_are_those_reckoned_by_hand() -> None:
    scores, true = np.array([0.95, 0.85, 0.15, 0.15]), np.array([1.0, 0.0, 0.0, 1.0])
    # bins 0.9: |1 - 0.95|, 0.8: |0 - 0.85|, 0.1 (two): |0.5 - 0.15|: (0.05 + 0.85 + 2 * 0.35) / 4
    assert calibration_error(scores, true) == pytest.approx(0.4)
    assert calibration_error(np.array([1.0, 0.0]), np.array([1.0, 0.0])) == 0.0
    # the two highest: one is wrong; of three, the third is one of two that tie, half of them wrong
    assert risk_at(0.5, scores, true) == 0.5
    assert risk_at(0.75, scores, true) == pytest.approx(1.5 / 3)


def test_risk_against_coverage_rises_to_one_half_and_takes_the_highest_scores_first() -> None:
    """Scores .9 .8 of true, .7 .2 of wrong: the best half holds none that is wrong, three quarters one of three."""
    judged: Any = [Judged(None, 0.9, 0.7, True, True), Judged(None, 0.8, 0.2, True, False)]  # type: ignore[arg-type]
    curve = risk_curve(judged, steps=4)
    assert [(one.coverage, one.n, one.least_score) for one in curve] == [
        (0.25, 1, 0.9),
        (0.5, 2, 0.8),
        (0.75, 3, 0.7),
        (1.0, 4, 0.2),
    ]
    assert [one.risk for one in curve] == pytest.approx([0.0, 0.0, 1 / 3, 0.5])
    assert risk_curve([]) == []


def test_wrong_statements_are_planted_in_soap_notes_of_patients(container: Container) -> None:
    patients = ROOT / "tests" / "benchmarks" / "visits" / "patients.jsonl"
    options = PlantedOptions((), (), "all", 2, 0, quiet, patients)
    judged = judged_pairs(container, container.checks.verifier(None), options)
    assert len({one.pair.id.split("/")[0] for one in judged}) == 2
    assert all(re.match(r"\d{4}-\d\d-\d\d \(|Undated|Previous", one.pair.true.text) for one in judged)
    (everything,) = [one for one in figures(judged) if one.name == "all"]
    assert everything.n == len(judged) > 20 and everything.auc > 0.9
    assert everything.ece is not None and everything.risk_at_half is not None and everything.risk_at_half < 0.5
    assert curve_table(risk_curve(judged)).count("\n") == 11
