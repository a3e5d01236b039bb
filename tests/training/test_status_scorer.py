"""Training of the scorer of a medicine's status: pieces with labels, columns, the slope of the likelihood, and what is learned."""

import json
from pathlib import Path

import numpy as np
import pytest

from backend.errors import InputError
from backend.nlp.medications.status.status_scorer import TOLD, Told
from backend.nlp.scoring.evidence import Evidence
from backend.nlp.scoring.status_chain import StatusChain
from backend.training import status_scorer
from backend.training.status_chain import PIECE, Labelled, columns_of, fit
from backend.training.status_scorer import annotated, figures, passages


def labelled(count: int = 12) -> list[Labelled[Told]]:
    """Notes of two medicines: what is dripped is given, what is swallowed is taken at home."""
    told = Evidence((("drip", "any"), ("pill", "any")), ("next",))
    return [Labelled(n, told, (Told.HOME, Told.HOME), (Told.GIVEN, Told.HOME), True) for n in range(count)]


def test_a_piece_is_its_text_with_the_places_of_its_labels(tmp_path: Path) -> None:
    path = tmp_path / "pieces.txt"
    path.write_text("# about\n# more\n\nTook [aspirin]/H.\nGot [heparin]/G here.\n\n[Zocor]/Z off.\n", encoding="utf-8")
    (first, labels), (second, _) = passages(path)
    assert first == "Took aspirin.\nGot heparin here."
    assert [(first[a:b], told) for a, b, told in labels] == [("aspirin", Told.HOME), ("heparin", Told.GIVEN)]
    assert second == "Zocor off."


def test_a_letter_that_means_nothing_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "pieces.txt"
    path.write_text("Took [aspirin]/Q.\n", encoding="utf-8")
    with pytest.raises(InputError, match="'Q'"):
        list(passages(path))


def test_only_the_half_that_may_be_read_is_learned(tmp_path: Path) -> None:
    for name in ("a01", "a02", "a03"):
        (tmp_path / f"{name}.txt").write_text(f"{name}: aspirin", encoding="utf-8")
        medicine = {"quote": "aspirin", "status": "home"}
        (tmp_path / f"{name}.json").write_text(json.dumps({"medicines": [medicine]}), encoding="utf-8")
    assert [text for text, _ in annotated(tmp_path)] == ["a01: aspirin", "a03: aspirin"]


def test_the_shipped_pieces_use_every_status() -> None:
    assert {told for _, labels in passages() for _, _, told in labels} == set(TOLD)


def test_a_column_is_given_to_what_enough_labelled_medicines_hold() -> None:
    found = labelled(3)
    assert set(columns_of(found)) == {"drip", "pill", "any", "rule:home", PIECE}
    assert columns_of(found[:2]).keys() == {"any", "rule:home", PIECE}  # drip and pill are held twice only


def test_what_is_learned_tells_the_two_apart_and_two_fits_are_equal() -> None:
    found = labelled()
    columns = columns_of(found)
    weights, follows = fit(found, columns, TOLD)
    scorer = StatusChain(TOLD, columns, weights, follows, 0.0)
    decided = scorer.decide(found[0].evidence, found[0].verdicts)
    assert [told for told, _ in decided] == [Told.GIVEN, Told.HOME]
    np.testing.assert_array_equal(weights, fit(found, columns, TOLD)[0])


def test_a_medicine_without_a_label_is_summed_out() -> None:
    found = [one._replace(labels=(Told.GIVEN, None)) for one in labelled()]
    weights, _ = fit(found, columns := columns_of(found), TOLD)
    assert "pill" not in columns
    assert weights[columns["drip"], TOLD.index(Told.GIVEN)] > 0


def test_figures_are_of_notes_that_were_not_learned_from() -> None:
    found = figures(labelled())
    assert found["pieces"]["right"] == 1.0
    assert found["pieces"]["right_by_triggers"] == 0.5  # the triggers say home of all, right of one in two
    assert found["pieces"]["hospital_as_home_by_triggers"] == 1.0


def test_a_second_reading_of_a_note_is_not_learned_from_for_the_first() -> None:
    told = Evidence((("only here", "any"), ("pill", "any")), ("next",))
    own = [Labelled(20, told, (Told.HOME, Told.HOME), (Told.HELD, Told.HOME), False) for _ in range(6)]
    found = figures([*labelled(), *own])
    assert found["notes"]["right"] == 0.5  # what is held could be learned from another reading of the same note alone


def test_the_written_model_holds_its_card_and_not_the_bias_of_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(status_scorer, "examples", lambda: iter(labelled()))
    out = tmp_path / "model.json"
    status_scorer.main(out)
    held = json.loads(out.read_text(encoding="utf-8"))
    assert PIECE not in held["weights"]
    assert held["margin"] == status_scorer.MARGIN
    assert held["card"]["figures_of_notes_kept_apart"]["pieces"]["medicines"] == 24
