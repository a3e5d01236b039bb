"""`evaluate paths`: scores of a list, the run, and taking it up after a kill."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from backend.errors import InputError
from backend.evaluation.paths.path_evaluation import PathsFound, PathsSettings, run_paths
from backend.evaluation.paths.path_scores import MEASURES, goal_of, list_scores
from backend.evaluation.paths.paths_run import PathsOptions, _linked
from backend.evaluation.paths.retrievers.concept_baselines import PopularityPrior, SimilarOneHop
from backend.evaluation.paths.retrievers.concept_retrievers import Elsewhere, Knowledge
from backend.evaluation.reports.evaluation_run import RunOptions
from backend.evaluation.reports.failed_items import not_scored
from backend.ingest.clinical_notes.note_pairs import Pair
from backend.schemas.evaluation_results import Figure, Order
from tests.evaluation.conftest import LinkedPair, pair

A, B, C, D, E, F, G = range(7)
SETTINGS = PathsSettings(budgets=(1, 2), pool=3, resamples=100, seed=1)
PAIRS = [pair("1", [A], [A, C, E], 50), pair("2", [B], [C, F], 90), pair("3", [A], [A], 0)]


class Fixed:
    """Gives a list by pair id, whatever the budget."""

    def __init__(self, name: str, lists: dict[str, list[int]]) -> None:
        self.name = name
        self.lists = lists
        self.asked: list[str] = []

    def ranked(self, example: LinkedPair, budget: int) -> np.ndarray:
        self.asked.append(example.pair_id)
        return np.array(self.lists[example.pair_id][:budget], dtype=np.int64)


def fixed() -> Fixed:
    return Fixed("fixed", {"1": [C, D, E], "2": [D], "3": [C]})


def run(knowledge: Knowledge, folder: Path, *more: Fixed, settings: PathsSettings = SETTINGS) -> PathsFound:
    retrievers = [SimilarOneHop(knowledge), *more]
    return run_paths(PAIRS, retrievers, knowledge, settings, folder / "rows.jsonl", "key")


def test_a_varied_retriever_reads_its_own_notes_and_is_compared_with_itself_alone(
    knowledge: Knowledge, tmp_path: Path
) -> None:
    other = Fixed("fixed", {"one": [D], "two": [F]})
    read = {"1": pair("one", [A], [], 0), "2": pair("two", [B], [], 0), "3": pair("two", [A], [], 0)}
    varied = [
        Elsewhere(other, "@encoder=x", read),
        Elsewhere(fixed(), "@encoder=y", {one.pair_id: one for one in PAIRS}),
    ]
    settings = SETTINGS._replace(subjects=("fixed",), varied=tuple(one.name for one in varied))
    found = run_paths(
        PAIRS, [SimilarOneHop(knowledge), fixed(), *varied], knowledge, settings, tmp_path / "rows.jsonl", "key"
    )
    assert {(one.system, one.baseline) for one in found.differences} == {
        ("fixed", "sim1hop"),
        ("fixed@encoder=x", "fixed"),
        ("fixed@encoder=y", "fixed"),
    }
    gaps = {
        one.system: one for one in found.differences if (one.measure, one.budget, one.order) == ("recall", 1, "own")
    }
    # of note 1's c, e fixed finds c and the other nothing; of note 2's c, f fixed finds nothing and the other f
    assert gaps["fixed@encoder=x"].value == pytest.approx((0 - 1 / 2 + 1 / 2 - 0) / 2)
    assert (gaps["fixed@encoder=y"].value, gaps["fixed@encoder=y"].reason) == (
        None,
        "the same was found: nothing to compare",
    )
    assert found.captions == ("fixed, fixed@encoder=y found the same concepts in the same order.",)


def figure(
    found: PathsFound, system: str, measure: str, budget: int, order: Order = Order.OWN, group: str = ""
) -> Figure:
    (one,) = [
        f
        for f in found.figures
        if (f.system, f.measure, f.budget, f.order, f.group) == (system, measure, budget, order, group)
    ]
    return one


def test_scores_of_a_list_are_those_reckoned_by_hand(knowledge: Knowledge) -> None:
    example = pair("1", [A], [A, C, E], 0)
    scores = list_scores(knowledge, goal_of(knowledge, example), np.array([C, D, E]), (1, 3, 5))
    rows = [dict(zip(MEASURES, row, strict=True)) for row in scores.table.tolist()]
    # new concepts: c, e. At 1: c is right: recall 1/2, precision 1, f1 2*1/(1+2); group CHEM is new and right
    assert (rows[0]["recall"], rows[0]["precision"]) == (0.5, 1.0)
    assert rows[0]["f1"] == pytest.approx(2 / 3)
    assert (rows[0]["groups"], rows[0]["groups_hit"], rows[0]["retrieved"]) == (1, 1, 1)
    assert rows[0]["written"] == 0.5  # of CHEM and PROC, which a document writes about
    # at 3: two right of three; f1 4/5; groups CHEM and PROC, and in both something right
    assert (rows[1]["recall"], rows[1]["precision"]) == (1.0, pytest.approx(2 / 3))
    assert rows[1]["f1"] == pytest.approx(4 / 5)
    assert (rows[1]["groups"], rows[1]["groups_hit"]) == (2, 2)
    # at 5 there is no more than 3, and precision is over what was retrieved
    assert rows[2] == rows[1]
    assert scores.hits.tolist() == [C, E]
    # the document's mean direction: angles 0, 10, 45: sums 2.692 and 0.881, so 18.12 degrees; c is 8.12 off, cos 0.98997
    assert rows[0]["reward"] == pytest.approx(1 + 3 * 0.98997, abs=2e-3)


def test_the_list_s_reward_is_the_novel_reward_of_paths_of_one_concept(knowledge: Knowledge) -> None:
    # parity with models/rewards: a flat list is a walk whose paths are the retrieved concepts themselves
    from models.policy.rewards import RewardKind, reward
    from models.policy.walking.note_view import NoteView
    from models.policy.walking.walk_state import WalkState

    example = pair("1", [A], [A, C, E], 0)
    taken = np.array([C, D, E], dtype=np.int32)
    state = WalkState(
        group=0,
        paths=taken[:, None],
        links=np.full((3, 1), -1, dtype=np.int16),
        lengths=np.ones(3, dtype=np.int64),
        explored=taken,
        total=knowledge.vectors[taken].astype(np.float32).sum(axis=0),
    )
    view = NoteView(example.keywords, knowledge.vectors)
    theirs = reward(view, state, example.truth, RewardKind.NOVEL, 3.0)
    scores = list_scores(knowledge, goal_of(knowledge, example), taken, (3,))
    assert scores.table[0, list(MEASURES).index("reward")] == pytest.approx(
        theirs, abs=1e-3
    )  # float16 rows are of length 1 up to rounding


def test_retrieving_nothing_scores_nothing(knowledge: Knowledge) -> None:
    scores = list_scores(knowledge, goal_of(knowledge, PAIRS[0]), np.zeros(0, dtype=np.int64), (10,))
    assert scores.table.tolist() == [[0.0] * len(MEASURES)]


def test_a_run_averages_over_the_notes_that_have_something_to_find(knowledge: Knowledge, tmp_path: Path) -> None:
    found = run(knowledge, tmp_path, fixed())
    # note 3 says all its document does. Note 1: new c, e, list c d: 1/2. Note 2: new c, f, list d: 0. Mean 1/4
    assert found.n == 2
    assert found.left_out == {"the document has nothing new": 1}
    one = figure(found, "fixed", "recall", 2)
    assert (one.value, one.n) == (0.25, 2)
    # sim1hop: note 1 at 50 degrees: d, c: 1/2; note 2: c alone: 1/2
    assert figure(found, "sim1hop", "recall", 2).value == 0.5
    (gap,) = [d for d in found.differences if (d.measure, d.budget, d.order) == ("recall", 2, Order.OWN)]
    assert (gap.system, gap.baseline, gap.value) == ("fixed", "sim1hop", -0.25)


def test_the_common_order_ranks_the_same_concepts_for_all(knowledge: Knowledge, tmp_path: Path) -> None:
    found = run(knowledge, tmp_path, fixed())
    # note 1, fixed: pool c d e; keyword at 0, note at 50, so 25 degrees is best: c 15 off, e 20 off, d 35 off: c first, right
    # note 2: pool d, wrong. precision at 1: (1 + 0) / 2
    assert figure(found, "fixed", "precision", 1, Order.COMMON).value == 0.5
    # at 2: c and e, both right
    assert figure(found, "fixed", "recall", 2, Order.COMMON).value == 0.5


def test_recall_by_group_is_all_hits_over_all_there_were(knowledge: Knowledge, tmp_path: Path) -> None:
    found = run(knowledge, tmp_path, fixed())
    # new: note 1 c CHEM, e PROC; note 2 c CHEM, f ANAT. fixed finds in its first two only c of note 1: CHEM 1 of 2
    assert figure(found, "fixed", "recall", 2, group="CHEM").value == 0.5
    assert figure(found, "fixed", "recall", 2, group="ANAT").value == 0.0
    assert not [f for f in found.figures if f.group == "DISO"]


def test_subjects_are_compared_with_every_other(knowledge: Knowledge, tmp_path: Path) -> None:
    prior = PopularityPrior([np.array([C])], 7)
    settings = SETTINGS._replace(subjects=("fixed",))
    found = run_paths(PAIRS, [SimilarOneHop(knowledge), prior, fixed()], knowledge, settings, tmp_path / "r", "key")
    assert {(d.system, d.baseline) for d in found.differences} == {("fixed", "sim1hop"), ("fixed", "popularity")}


def test_a_killed_run_goes_on_and_ends_the_same(knowledge: Knowledge, tmp_path: Path) -> None:
    class Dying(Fixed):
        def ranked(self, example: LinkedPair, budget: int) -> np.ndarray:
            if example.pair_id == "2":
                raise KeyboardInterrupt
            return super().ranked(example, budget)

    whole = run(knowledge, tmp_path / "whole", fixed())
    with pytest.raises(KeyboardInterrupt):
        run(knowledge, tmp_path / "killed", Dying("fixed", fixed().lists))
    with (tmp_path / "killed" / "rows.jsonl").open("ab") as file:
        file.write(b'{"id": "2", "row": {"sco')  # a line cut short
    second = fixed()
    assert run(knowledge, tmp_path / "killed", second) == whole
    assert second.asked == ["2"]
    assert (tmp_path / "killed" / "rows.jsonl").read_bytes() == (tmp_path / "whole" / "rows.jsonl").read_bytes()


def test_another_key_starts_anew(knowledge: Knowledge, tmp_path: Path) -> None:
    run(knowledge, tmp_path, fixed())
    again = fixed()
    run_paths(PAIRS, [SimilarOneHop(knowledge), again], knowledge, SETTINGS, tmp_path / "rows.jsonl", "other")
    assert again.asked == ["1", "2"]


def test_the_journal_holds_ids_numbers_and_digests_alone(knowledge: Knowledge, tmp_path: Path) -> None:
    run(knowledge, tmp_path, fixed())
    row = json.loads((tmp_path / "rows.jsonl").read_text().splitlines()[1])
    assert set(row["row"]) == {"scores", "hits", "ranks", "new", "found"}
    assert all(len(one) == 16 and int(one, 16) >= 0 for one in row["row"]["found"].values())


@pytest.mark.parametrize("wrong", [[C, C], [A], [99], [C, D, E, F]])
def test_a_retriever_that_breaks_its_contract_is_refused(
    knowledge: Knowledge, tmp_path: Path, wrong: list[int]
) -> None:
    class Cheat(Fixed):
        def ranked(self, example: LinkedPair, budget: int) -> np.ndarray:
            return np.array(wrong)

    with pytest.raises(ValueError, match="cheat"):
        run(knowledge, tmp_path, Cheat("cheat", {}))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (SETTINGS._replace(baseline="magic"), "magic"),
        (SETTINGS._replace(subjects=("magic",)), "magic"),
        (SETTINGS._replace(budgets=()), "--budgets"),
        (SETTINGS._replace(budgets=(0,)), "--budgets"),
        (SETTINGS._replace(pool=1), "pool"),
    ],
)
def test_settings_that_do_not_fit_are_refused(
    knowledge: Knowledge, tmp_path: Path, settings: PathsSettings, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        run(knowledge, tmp_path, settings=settings)


def test_pairs_that_share_an_id_are_refused(knowledge: Knowledge, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="twice"):
        run_paths([PAIRS[0]] * 2, [SimilarOneHop(knowledge)], knowledge, SETTINGS, tmp_path / "r", "key")


def test_no_note_at_all_gives_figures_without_a_value(knowledge: Knowledge, tmp_path: Path) -> None:
    found = run_paths([PAIRS[2]], [SimilarOneHop(knowledge)], knowledge, SETTINGS, tmp_path / "r", "key")
    assert found.n == 0
    assert {f.value for f in found.figures} == {None}
    assert all(f.reason for f in found.figures)


def test_the_charts_are_those_of_the_paper(knowledge: Knowledge, tmp_path: Path) -> None:
    varied = [Fixed(f"fixed@paths={n}", fixed().lists) for n in (20, 5)]
    found = run(knowledge, tmp_path, fixed(), *varied)
    charts = {chart.name: chart.figure for chart in found.charts}
    assert set(charts) == {"recall-own", "recall-common", "recall-by-group", "keywords-by-group", "sensitivity-paths"}
    # keywords a, b, a: all three in DISO
    shares = dict(
        zip(charts["keywords-by-group"]["data"][0]["x"], charts["keywords-by-group"]["data"][0]["y"], strict=True)
    )
    assert shares["Disorders"] == 1.0
    # documents of notes 1 and 2: a c e, c f: DISO 1, CHEM 2, PROC 1, ANAT 1 of 5
    shares = dict(
        zip(charts["keywords-by-group"]["data"][1]["x"], charts["keywords-by-group"]["data"][1]["y"], strict=True)
    )
    assert (shares["Chemicals and drugs"], shares["Disorders"]) == (0.4, 0.2)
    assert [trace["name"] for trace in charts["recall-own"]["data"]] == ["sim1hop", "fixed"]
    assert charts["sensitivity-paths"]["data"][0]["x"] == [5.0, 20.0]


def test_a_note_that_a_retriever_fails_on_counts_for_none(knowledge: Knowledge, tmp_path: Path) -> None:
    class Broken(Fixed):
        def ranked(self, example: LinkedPair, budget: int) -> np.ndarray:
            if example.pair_id == "2":
                raise IndexError(example.pair_id)
            return super().ranked(example, budget)

    found = run(knowledge, tmp_path, Broken("fixed", fixed().lists))
    assert (found.n, found.left_out) == (1, {"the document has nothing new": 1, "failed: fixed, IndexError": 1})
    # note 1 alone: new c, e, list c d: 1/2
    assert (figure(found, "fixed", "recall", 2).value, figure(found, "fixed", "recall", 2).n) == (0.5, 1)


def test_a_pair_that_cannot_be_linked_costs_no_other(tmp_path: Path) -> None:
    def link(pairs: Iterable[Pair], loaded: Any, encode: bool) -> Iterator[LinkedPair]:
        for one in pairs:
            if one.pair_id == "2":
                raise IndexError(one.note)
            yield pair(one.pair_id, [A], [C], 10)

    pairs = [Pair(name, "p", "test", "A note.", "A text.") for name in ("1", "2", "3")]
    options = PathsOptions(Path("none"), "test", RunOptions(Path("none"), "2025-01-01"))
    failed: list[dict[str, Any]] = []
    loaded: Any = SimpleNamespace(kept=tmp_path / "linked", reading="")
    made = _linked(link, pairs, loaded, options, "pairs linked", True, failed)  # type: ignore[arg-type]
    assert [one.pair_id for one in made] == ["1", "3"]
    assert not loaded.kept.exists()  # the next run tries again
    assert not_scored(failed) == {"failed: link, IndexError": 1}


def test_the_scores_of_drawn_lists_are_averaged(knowledge: Knowledge, tmp_path: Path) -> None:
    class Drawn(Fixed):
        def drawn(self) -> list[Fixed]:
            # two draws of the one note: c is right, d is not
            return [Fixed("x", {"1": [C]}), Fixed("x", {"1": [D]})]

    settings = PathsSettings(budgets=(1,), pool=1, baseline="drawn", resamples=50)
    found = run_paths([pair("1", [A], [A, C], 0)], [Drawn("drawn", {})], knowledge, settings, tmp_path / "r.jsonl", "k")
    (recall,) = [f for f in found.figures if (f.measure, f.order, f.group) == ("recall", Order.OWN, "")]
    assert recall.value == pytest.approx(0.5)
