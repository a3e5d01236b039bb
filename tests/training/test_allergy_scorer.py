"""Training of the scorer of possible allergies: columns, the regression, and figures of writers kept apart."""

from pathlib import Path

import numpy as np
import pytest

from backend.training import allergy_scorer
from backend.training.allergy_scorer import Example, examples, features_of, figures, fit, matrix

HEAD = "round\tstyle\tstatus\titems\tplace\ttext\n"


def told(writer: int, right: bool, *features: str) -> Example:
    return Example(str(writer), right, (features,))


def labelled(writers: int = 10) -> list[Example]:
    """Of each writer a right agent that swelled and a wrong one that only itched."""
    return [one for n in range(writers) for one in (told(n, True, "any", "swelled"), told(n, False, "any", "itched"))]


def test_a_column_is_given_to_what_enough_examples_hold_and_to_no_section() -> None:
    six = [told(n, True, "often", "section:plan") for n in range(6)]
    five = [told(n, True, "seldom", "seldom") for n in range(5)]
    assert features_of([*six, *five]) == {"often": 1}
    assert features_of([]) == {}


def test_rows_are_zeros_and_ones_with_the_bias_first_and_unknown_features_are_left_out() -> None:
    example = Example("1", True, (("a", "unknown"), ("b", "a"), ()))
    assert matrix(example, {"a": 1, "b": 2}).tolist() == [[1, 1, 0], [1, 1, 1], [1, 0, 0]]


def test_what_goes_with_right_weighs_for_and_what_goes_with_wrong_against() -> None:
    found = labelled()
    index = features_of(found)
    weights = fit(found, index)
    assert weights[index["swelled"]] > 0.5
    assert weights[index["itched"]] < -0.5
    # of both alike it says nothing that the bias does not
    assert abs(weights[index["any"]]) < 1e-6


def test_of_an_agent_with_several_pairs_the_best_is_learned() -> None:
    several = [
        Example(one.writer, one.right, (*one.pairs, ("any", "itched")) if one.right else one.pairs)
        for one in labelled()
    ]
    index = features_of(several)
    weights = fit(several, index)
    assert weights[index["swelled"]] > 0.5
    assert weights[index["itched"]] < 0


def test_two_fits_of_the_same_examples_are_equal() -> None:
    found = labelled()
    index = features_of(found)
    np.testing.assert_array_equal(fit(found, index), fit(found, index))


def test_figures_count_agents_of_writers_that_were_not_learned_from() -> None:
    found = labelled()
    assert figures(found, 0.5) == {"agents": 20, "possible_allergies": 10, "recall": 1.0, "precision": 1.0}
    # a feature that each writer alone has cannot be learned from the others: nothing tells right from wrong
    own = [told(n, right, f"writer {n} {right}") for n in range(10) for right in (True, False)]
    assert figures(own, 0.6)["recall"] == 0.0


def test_examples_are_agents_of_running_text_labelled_by_their_passage(tmp_path: Path) -> None:
    path = tmp_path / "passages.tsv"
    path.write_text(
        "# made up\n"
        + HEAD
        + "7\tmade up\tnot_stated\tcodeine\tnote\tHe took codeine twice.\\nLater he was covered in hives.\n"
        + "8\tmade up\tnot_stated\t\tnote\tHives this week. This was after metoprolol in May.\n"
        + "9\tmade up\tlisted\tlatex\tsection\tlatex (hives)\n",
        encoding="utf-8",
    )
    found = list(examples(path))
    assert [(one.writer, one.right) for one in found] == [("7", True), ("8", False)]
    assert all(one.pairs for one in found)


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(examples(tmp_path / "none.tsv"))


def test_the_written_card_holds_the_figures_and_no_weight_that_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import json

    monkeypatch.setattr(allergy_scorer, "examples", lambda: iter([*labelled(), Example("1", True, ())]))
    out = tmp_path / "model.json"
    allergy_scorer.main(out, 0.5)
    held = json.loads(out.read_text())
    assert held["card"]["figures_of_writers_kept_apart"]["agents"] == 20  # the example without a pair is left out
    assert set(held["weights"]) == {"swelled", "itched"}
    assert held["threshold"] == 0.5
