"""Training of the scorer of a problem's status: pieces with labels, which problem a label is of, and what is learned."""

import json
from pathlib import Path

import pytest

from backend.errors import InputError
from backend.nlp.findings.course.told_status import TOLD, Told
from backend.nlp.scoring.evidence import Evidence
from backend.training import problem_status
from backend.training.problem_status import annotated, figures, passages
from backend.training.status_chain import PIECE, Labelled


def labelled(count: int = 12) -> list[Labelled[Told]]:
    """Notes of two problems: what the rows say is there was years ago, the other is of today."""
    told = Evidence((("ago", "any"), ("now", "any")), ("next",))
    return [Labelled(n, told, (Told.PRESENT, Told.PRESENT), (Told.PAST, Told.PRESENT), True) for n in range(count)]


def test_a_piece_is_its_text_with_the_places_of_its_labels(tmp_path: Path) -> None:
    path = tmp_path / "pieces.txt"
    path.write_text("# about\n\nHad [gout]/O.\nNo [fever]/D.\n\n[Cough]/P now.\n", encoding="utf-8")
    (first, labels), (second, _) = passages(path)
    assert first == "Had gout.\nNo fever."
    assert [(first[a:b], told) for a, b, told, _ in labels] == [("gout", Told.PAST), ("fever", Told.DENIED)]
    assert second == "Cough now."


def test_a_letter_that_means_nothing_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "pieces.txt"
    path.write_text("Had [gout]/Q.\n", encoding="utf-8")
    with pytest.raises(InputError, match="'Q'"):
        list(passages(path))


def test_the_shipped_pieces_use_every_status() -> None:
    assert {told for _, labels in passages() for _, _, told, _ in labels} == set(TOLD)


def test_only_the_half_that_may_be_read_is_learned_and_what_is_chronic_is_there(tmp_path: Path) -> None:
    for name in ("a01", "a02", "a03"):
        (tmp_path / f"{name}.txt").write_text(f"{name}: gout", encoding="utf-8")
        problem = {"name": "gout", "quote": "gout", "status": "chronic"}
        (tmp_path / f"{name}.json").write_text(json.dumps({"problems": [problem]}), encoding="utf-8")
    found = list(annotated(tmp_path))
    assert [text for text, _ in found] == ["a01: gout", "a03: gout"]
    assert found[0][1][0][2] is Told.PRESENT


def test_figures_count_only_what_the_scorer_may_decide() -> None:
    found = figures(labelled())
    assert found["pieces"] == {"problems": 24, "right_by_rows": 0.5, "right": 1.0}
    relatives = [one._replace(verdicts=(Told.FAMILY, Told.PRESENT)) for one in labelled()]
    assert figures(relatives)["pieces"]["right"] == 0.5  # whose it is stands as the rows have it


def test_a_label_is_of_the_problem_whose_name_it_shares(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quote = "cellulitis and gout"
    (tmp_path / "a01.txt").write_text(f"HPI: He has {quote}.", encoding="utf-8")
    problem = {"name": "gout", "quote": quote, "status": "past"}
    (tmp_path / "a01.json").write_text(json.dumps({"problems": [problem]}), encoding="utf-8")
    monkeypatch.setattr(problem_status, "passages", lambda: iter(()))
    monkeypatch.setattr(problem_status, "shared", lambda: iter(()))
    monkeypatch.setattr(problem_status, "annotated", lambda: annotated(tmp_path))
    (one,) = problem_status.examples()
    assert one.labels == (None, Told.PAST)


def test_the_written_model_holds_its_card_and_not_the_bias_of_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(problem_status, "examples", lambda: iter(labelled()))
    out = tmp_path / "model.json"
    problem_status.main(out)
    held = json.loads(out.read_text(encoding="utf-8"))
    assert PIECE not in held["weights"]
    assert held["margin"] == problem_status.MARGIN
    assert held["card"]["figures_of_notes_kept_apart"]["pieces"]["problems"] == 24


def test_pieces_that_both_scorers_share_hold_each_its_own_labels(tmp_path: Path) -> None:
    path = tmp_path / "pieces.txt"
    path.write_text("# explained\n\n# [Gout]/p: stop [colchicine]/Z.\n\n[Asthma]/o.\n", encoding="utf-8")
    assert [
        (text, [(text[a:b], told) for a, b, told, _ in labels]) for text, labels in problem_status.shared(path)
    ] == [
        ("# Gout: stop colchicine.", [("Gout", Told.PRESENT)]),
        ("Asthma.", [("Asthma", Told.PAST)]),
    ]
