"""`evaluate notes`: a grid of drafters against the true documents."""

import json
from pathlib import Path

import pytest

from backend.errors import InputError, MissingError
from backend.evaluation.drafts.note_evaluation import (
    NotesFound,
    NotesSettings,
    WrittenText,
    measures,
    named_in,
    run_notes,
)
from backend.evaluation.drafts.one_shot import one_shot_example
from backend.evaluation.metrics.language_measures import LanguageMeasures
from backend.evaluation.reports.cell_use import identical_cells, same_texts, use_of
from backend.evaluation.reports.failed_items import FailedStageError
from backend.ingest.clinical_notes.note_pairs import Pair
from backend.nlp.extraction.linker import DictionaryLinker
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.evaluation_results import Figure
from models.llm.engine_meter import Spent
from tests.conftest import WordEncoder

PAIRS = [
    Pair("1", "p1", "test", "He has fever.", "You had pneumonia and fever. Take amoxicillin."),
    Pair("2", "p2", "test", "She has dyspnea.", "You had heart failure. No pneumonia. Take furosemide."),
]
SETTINGS = NotesSettings(baseline="first", resamples=100)


def use_of_text(text: str, fallbacks: list[str]) -> dict[str, object]:
    """How a text came about, as a drafter of a pipeline tells it."""
    spent = {"model_calls": 2, "tokens_read": 30, "tokens_written": 4, "retrieval_s": 0.1, "inference_s": 0.2}
    return {"text": str(hash(text)), "fallbacks": fallbacks, **spent, "seconds": 0.3}


class Writes:
    """Writes one text for every note; remembers the examples it was given."""

    def __init__(self, name: str, text: str, wants_example: bool = False, fails_on: str = "") -> None:
        self.name = name
        self.wants_example = wants_example
        self.examples: list[Pair | None] = []
        self.asked: list[str] = []
        self.fallbacks: list[str] = []
        self.drawn: tuple[str, ...] = ()
        self._text = text
        self._fails_on = fails_on

    def write(self, note: str, seed: int, example: Pair | None) -> list[WrittenText]:
        self.asked.append(note)
        self.examples.append(example)
        if self._fails_on and self._fails_on in note:
            raise MissingError("The server does not answer.")
        return [WrittenText(text, use_of_text(text, self.fallbacks)) for text in (self._text, *self.drawn)]


@pytest.fixture
def language(encoder: WordEncoder) -> LanguageMeasures:
    return LanguageMeasures(encoder)


def run(
    tiny_linker: DictionaryLinker,
    language: LanguageMeasures,
    folder: Path,
    *drafters: Writes,
    pairs: list[Pair] = PAIRS,
) -> NotesFound:
    return run_notes(pairs, drafters, tiny_linker, language, SETTINGS, folder / "rows.jsonl", "key", CANDIDATES)


CANDIDATES = [
    *PAIRS,
    Pair("3", "p1", "train", "Another note of p1.", "Text."),  # an evaluated patient
    Pair("4", "p4", "train", "He has fever. ", "Text."),  # an evaluated note
    Pair("5", "p5", "train", "He has gout.", "Rest."),
]


def figure(found: NotesFound, system: str, measure: str, group: str = "") -> Figure:
    (one,) = [f for f in found.figures if (f.system, f.measure, f.group) == (system, measure, group)]
    return one


def test_figures_are_those_reckoned_by_hand(
    tiny_linker: DictionaryLinker, language: LanguageMeasures, tmp_path: Path
) -> None:
    first = Writes("first", "You had pneumonia and gout. Zestril is a medicine.")
    found = run(tiny_linker, language, tmp_path, first, Writes("second", "You had heart failure: fever."))
    # first names pneumonia, gout, lisinopril. Note 1, true pneumonia fever amoxicillin: 1 hit of 3 and 3, 5 in either
    # note 2, true heart failure furosemide (pneumonia is negated): 0 hits of 2 and 3, 5 in either
    assert figure(found, "first", "concept_precision").value == pytest.approx((1 / 3 + 0) / 2)
    assert figure(found, "first", "concept_recall").value == pytest.approx((1 / 3 + 0) / 2)
    assert figure(found, "first", "concept_jaccard").value == pytest.approx((1 / 5 + 0) / 2)
    assert figure(found, "first", "concept_hamming").value == pytest.approx((4 / 5 + 1) / 2)
    assert figure(found, "first", "concept_precision_printed").value == 0.5
    assert figure(found, "first", "concept_hamming_printed").value == pytest.approx((2 / 3 + 1) / 2)
    # new in document 1 are pneumonia and amoxicillin (the note has fever); in 2 heart failure and furosemide
    assert figure(found, "first", "new_recall").value == pytest.approx((1 / 2 + 0) / 2)
    # second names heart failure and fever; fever is in note 1
    assert figure(found, "second", "new_recall").value == pytest.approx((0 + 1 / 2) / 2)
    # by group: CHEM amoxicillin, furosemide: none; DISO pneumonia, fever, heart failure: first has 1 of 3, second 2
    assert figure(found, "first", "concept_recall", "CHEM").value == 0.0
    assert figure(found, "first", "concept_recall", "DISO").value == pytest.approx(1 / 3)
    assert figure(found, "second", "concept_recall", "DISO").value == pytest.approx(2 / 3)
    (gap,) = [d for d in found.differences if d.measure == "new_recall"]
    assert (gap.system, gap.baseline, gap.value) == ("second", "first", pytest.approx(0.0))


def test_the_word_level_compares_words_as_written(
    tiny_linker: DictionaryLinker, language: LanguageMeasures, tmp_path: Path
) -> None:
    # CHF is heart failure as a concept and another word
    pairs = [Pair("1", "p1", "test", "Fever.", "You had heart failure.")]
    found = run(tiny_linker, language, tmp_path, Writes("first", "You had CHF."), pairs=pairs)
    assert figure(found, "first", "concept_recall").value == 1.0
    assert figure(found, "first", "word_recall").value == 0.0


def test_what_a_text_denies_it_does_not_name(tiny_linker: DictionaryLinker) -> None:
    found = named_in("No pneumonia. Mother with gout. You had  Heart  failure.", tiny_linker)
    assert found.concepts == {"T:heart-failure": "DISO"}
    assert found.words == {"heart failure"}


def test_a_text_that_could_not_be_written_is_left_out_and_told(
    tiny_linker: DictionaryLinker, language: LanguageMeasures, tmp_path: Path
) -> None:
    failing = Writes("second", "You had pneumonia, fever: amoxicillin.", fails_on="dyspnea")
    found = run(tiny_linker, language, tmp_path, Writes("first", "Fever."), failing)
    one = figure(found, "second", "concept_recall")
    assert (one.value, one.n) == (1.0, 1)
    (missing_metric,) = [missing for missing in found.not_available if missing.name == "second"]
    assert "1 of 2" in missing_metric.reason and "MissingError" in missing_metric.reason
    # the difference is on note 1 alone: 1 - 1/3
    (gap,) = [d for d in found.differences if d.measure == "concept_recall"]
    assert (gap.value, gap.n) == (pytest.approx(2 / 3), 1)


def test_the_one_shot_example_never_comes_from_an_evaluated_note() -> None:
    assert {one_shot_example(CANDIDATES, PAIRS, seed).pair_id for seed in range(20)} == {"5"}
    with pytest.raises(InputError, match="one-shot"):
        one_shot_example(CANDIDATES[:4], PAIRS, 0)


def test_the_example_goes_to_those_who_want_one(
    tiny_linker: DictionaryLinker, language: LanguageMeasures, tmp_path: Path
) -> None:
    first, second = Writes("first", "Fever."), Writes("second", "Fever.", wants_example=True)
    found = run(tiny_linker, language, tmp_path, first, second)
    assert found.example_id == "5"
    assert first.examples == [None, None]
    assert [example.pair_id for example in second.examples if example] == ["5", "5"]


def test_a_killed_run_goes_on_and_no_text_is_kept(
    tiny_linker: DictionaryLinker, language: LanguageMeasures, tmp_path: Path
) -> None:
    class Dying(Writes):
        def write(self, note: str, seed: int, example: Pair | None) -> list[WrittenText]:
            if "dyspnea" in note:
                raise KeyboardInterrupt
            return super().write(note, seed, example)

    whole = run(tiny_linker, language, tmp_path / "whole", Writes("first", "You had pneumonia."))
    with pytest.raises(KeyboardInterrupt):
        run(tiny_linker, language, tmp_path / "killed", Dying("first", "You had pneumonia."))
    second = Writes("first", "You had pneumonia.")
    assert run(tiny_linker, language, tmp_path / "killed", second) == whole
    assert second.asked == [PAIRS[1].note]
    kept = (tmp_path / "killed" / "rows.jsonl").read_text()
    assert "pneumonia" not in kept and "fever" not in kept.lower()
    assert json.loads(kept.splitlines()[1])["id"] == "1"


def test_a_document_without_a_concept_is_left_out(
    tiny_linker: DictionaryLinker, language: LanguageMeasures, tmp_path: Path
) -> None:
    pairs = [*PAIRS, Pair("9", "p9", "test", "Fever.", "Be well.")]
    found = run(tiny_linker, language, tmp_path, Writes("first", "Fever."), pairs=pairs)
    assert found.n == 2
    assert found.left_out == {"no concept is recognised in the document": 1}


def test_a_baseline_that_is_no_cell_and_ids_that_stand_twice_are_refused(
    tiny_linker: DictionaryLinker, language: LanguageMeasures, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="first"):
        run(tiny_linker, language, tmp_path, Writes("second", "Fever."))
    with pytest.raises(InputError, match="share an id"):
        run(tiny_linker, language, tmp_path, Writes("first", "Fever."), pairs=[PAIRS[0], PAIRS[0]])


def test_every_measure_has_a_meaning(tiny_linker: DictionaryLinker, language: LanguageMeasures, tmp_path: Path) -> None:
    found = run(tiny_linker, language, tmp_path, Writes("first", "Fever."), Writes("second", "Gout."))
    assert {f.measure for f in found.figures} == set(measures(language))
    assert {chart.name for chart in found.charts} >= {"recall-by-group", "difference-concept_f1"}


def test_a_defect_on_one_text_is_a_row_that_is_not_scored(
    tiny_linker: DictionaryLinker, language: LanguageMeasures, tmp_path: Path
) -> None:
    class Unread:
        def link(self, text: str) -> LinkedNote:
            if "heart failure" in text:  # the document of note 2
                raise IndexError(text)
            return tiny_linker.link(text)

    class Broken(Writes):
        def write(self, note: str, seed: int, example: Pair | None) -> list[WrittenText]:
            raise FailedStageError("conditions, ValueError") if "gout" in note else ZeroDivisionError(note)

    pairs = [*PAIRS, Pair("3", "p3", "test", "He has gout.", "You had gout.")]
    drafters = [Writes("first", "You had pneumonia, fever: amoxicillin, gout."), Broken("second", "")]
    found = run_notes(pairs, drafters, Unread(), language, SETTINGS, tmp_path / "rows.jsonl", "key")
    assert (found.n, found.left_out) == (2, {"failed: link, IndexError": 1})
    one, none = figure(found, "first", "concept_recall"), figure(found, "second", "concept_recall")
    assert (one.value, one.n) == (1.0, 2)
    assert (none.value, none.n) == (None, 0)  # not 0
    (missing_metric,) = [missing for missing in found.not_available if missing.name == "second"]
    assert "2 of 2" in missing_metric.reason
    assert "1 write, ZeroDivisionError" in missing_metric.reason and "1 conditions, ValueError" in missing_metric.reason
    assert "fever" not in (tmp_path / "rows.jsonl").read_text().lower()


def test_cells_that_wrote_the_same_texts_are_not_compared_and_fallbacks_stand_beside_the_figures(
    tiny_linker: DictionaryLinker, language: LanguageMeasures, tmp_path: Path
) -> None:
    same, other = Writes("second", "You had pneumonia."), Writes("third", "You had fever.")
    other.fallbacks.append("rules in place of a trained planner")
    found = run(tiny_linker, language, tmp_path, Writes("first", "You had pneumonia."), same, other)
    compared = {(one.system, one.measure): one for one in found.differences}
    nothing = compared["second", "concept_f1"]
    assert (nothing.value, nothing.low, nothing.reason) == (None, None, "the same texts: nothing to compare")
    assert compared["third", "concept_f1"].value is not None
    assert compared["second", "model_calls"].value == 0  # what they cost is compared all the same
    assert found.captions == (
        "first, second wrote the same texts, character by character: between them nothing is compared.",
        "third: rules in place of a trained planner (in 2 of 2 texts).",
    )
    assert figure(found, "first", "tokens_read").value == 30


def test_a_varied_cell_is_compared_with_its_own_system_unvaried(
    tiny_linker: DictionaryLinker, language: LanguageMeasures, tmp_path: Path
) -> None:
    cells = [Writes("first", "Fever."), Writes("second", "Pneumonia."), Writes("second@passages=8", "Heart failure.")]
    found = run(tiny_linker, language, tmp_path, *cells)
    assert {(one.system, one.baseline) for one in found.differences} == {
        ("second", "first"),
        ("second@passages=8", "second"),
    }


def test_the_scores_of_a_cell_that_draws_are_the_mean_of_its_texts(
    tiny_linker: DictionaryLinker, language: LanguageMeasures, tmp_path: Path
) -> None:
    drawing = Writes("second", "You had pneumonia.")
    drawing.drawn = ("You had gout.",)
    drawing.fallbacks.append("rules")
    found = run(tiny_linker, language, tmp_path, Writes("first", "Fever."), drawing, pairs=PAIRS[:1])
    # pneumonia is one of the document's three concepts, gout is none: recall 1/3 and 0
    assert figure(found, "second", "concept_recall").value == pytest.approx(1 / 6)
    assert figure(found, "second", "concept_recall", "DISO").value == pytest.approx((1 / 2 + 0) / 2)
    assert figure(found, "second", "model_calls").value == 2  # of one text, whatever the number of draws
    assert found.captions == ("second: rules (in 1 of 1 texts).",)


def test_training_seeds_are_told_by_their_mean_with_the_spread_between_them(
    tiny_linker: DictionaryLinker, language: LanguageMeasures, tmp_path: Path
) -> None:
    # by note 1 and 2, of three and two concepts: pneumonia 1/3 and 0, heart failure 0 and 1/2
    cells = [Writes("ours#1+w", "Pneumonia."), Writes("ours#2+w", "Heart failure."), Writes("first", "Gout.")]
    found = run(tiny_linker, language, tmp_path, *cells, Writes("plain+w", "Fever."))
    mean = figure(found, "ours+w", "concept_recall")
    assert (mean.value, mean.n) == (pytest.approx((1 / 3 + 1 / 2) / 4), 2)
    assert mean.low is not None and mean.high is not None
    # drawn seeds and notes reach from 0 (a seed on the note that it misses) to 1/2
    assert (mean.low, mean.high) == (pytest.approx(0), pytest.approx(1 / 2))
    gaps = {(one.system, one.baseline): one for one in found.differences if one.measure == "concept_recall"}
    # against every arm without seeds of the same writer, beside the run's baseline
    assert ("ours+w", "plain+w") in gaps
    assert gaps["ours+w", "plain+w"].value == pytest.approx((1 / 3 + 1 / 2) / 4 - (1 / 3 + 0) / 2)
    assert figure(found, "ours+w", "concept_recall", "DISO").value == pytest.approx((1 / 3 + 1 / 3) / 2)
    with pytest.raises(InputError, match="training seeds and an arm"):
        run(tiny_linker, language, tmp_path / "again", *cells, Writes("ours+w", "Fever."))


def test_the_example_is_drawn_by_a_seed_of_its_own(
    tiny_linker: DictionaryLinker, language: LanguageMeasures, tmp_path: Path
) -> None:
    free = [Pair(str(n), f"q{n}", "train", f"Note {n}.", "Rest.") for n in range(20, 40)]

    def example(seed: int, example_seed: int) -> str:
        cell, settings = Writes("first", "Fever.", wants_example=True), NotesSettings("first", 10, seed, example_seed)
        rows = tmp_path / f"{seed}-{example_seed}.jsonl"
        return run_notes(PAIRS, [cell], tiny_linker, language, settings, rows, "key", free).example_id

    assert example(1, 0) == example(2, 0)
    assert len({example(1, own) for own in range(5)}) > 1


def test_cells_are_the_same_only_in_all_rows_that_both_wrote() -> None:
    def use(text: str) -> dict[str, object]:
        return {"text": text, "fallbacks": []}

    # where c broke off, a and b differ: what a third cell wrote says nothing of the two
    uses = {"a": [use("x"), use("y")], "b": [use("x"), use("z")], "c": [use("x"), None], "d": [None, None]}
    assert not same_texts(uses, "a", "b")
    assert same_texts(uses, "a", "c") and same_texts(uses, "b", "c")
    assert not same_texts(uses, "a", "d")  # nothing that both wrote
    assert identical_cells(uses) == (("a", "c"),)


def test_a_cost_that_a_server_did_not_tell_whole_is_not_told() -> None:
    draft = Draft.model_construct(text="", fallbacks=(), timings_ms={})
    whole = use_of(draft, Spent(calls=2, read=10, written=4), 1.0)
    assert (whole["model_calls"], whole["tokens_read"], whole["tokens_written"]) == (2, 10, 4)
    partly = use_of(draft, Spent(calls=2, read=10, written=4, untold=1), 1.0)
    assert (partly["model_calls"], partly["tokens_read"], partly["tokens_written"]) == (2, None, None)


def test_each_note_draws_the_order_of_the_cells_and_each_cell_runs_once_before_unmeasured(
    tiny_linker: DictionaryLinker, language: LanguageMeasures, tmp_path: Path
) -> None:
    ran: list[str] = []

    class Telling(Writes):
        def warm(self) -> None:
            ran.append(f"warm {self.name}")
            raise MissingError("told in the rows")  # costs no run

        def write(self, note: str, seed: int, example: Pair | None) -> list[WrittenText]:
            ran.append(self.name)
            return super().write(note, seed, example)

    cells = [Telling(name, "Fever.") for name in ("first", "second", "third")]
    pairs = [Pair(str(n), f"p{n}", "test", f"Note {n}.", "Fever.") for n in range(12)]
    run(tiny_linker, language, tmp_path, *cells, pairs=pairs)
    assert ran[:3] == ["warm first", "warm second", "warm third"]
    orders = {tuple(ran[at : at + 3]) for at in range(3, len(ran), 3)}
    assert {order[0] for order in orders} == {"first", "second", "third"}  # whoever runs first runs cold
    count = len(ran)
    run(tiny_linker, language, tmp_path, *cells, pairs=pairs)
    assert len(ran) == count  # a run that is whole warms nothing
