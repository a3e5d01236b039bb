"""The two towers: they learn what goes with which note where the weighted features tell nothing, and add nothing where nothing is to learn."""

import numpy as np

from models.policy.concept_step.concept_scorer import LearnedStep, ScorerWeights
from models.policy.concept_step.concept_training import ScorerKind, fit_concept_step
from models.policy.concept_step.two_towers import MOST, Rows, Towers, fit_towers, note_input, standardised, tower_scores
from models.policy.rollouts import Example
from models.policy.walking.environment import GROUP_COUNT
from models.policy.walking.note_view import NoteView
from models.policy.walking.walk_settings import OURS
from tests.models.world import random_world

KINDS = np.eye(4, dtype=np.float32)
VECTORS = np.repeat(KINDS, 10, axis=0)
"""Forty concepts, ten of each of four kinds."""


def notes(count: int, matched: bool) -> list[Rows]:
    """Notes of four kinds whose documents hold the concepts of their kind, or as many others by chance; the base is 0 for all."""
    rng = np.random.default_rng(0)
    made = []
    for number in range(count):
        kind = KINDS[number % 4]
        labels = VECTORS @ kind if matched else rng.permutation(VECTORS @ kind)
        concepts = np.arange(len(VECTORS))
        nothing = np.zeros(len(VECTORS), dtype=np.float32)
        path = np.zeros((len(VECTORS), 2), dtype=np.float32)
        made.append(Rows(np.append(kind, 1.0).astype(np.float32), concepts, path, nothing, labels, nothing + 1))
    return made


def test_what_goes_with_a_kind_of_note_is_learned_and_a_seed_gives_the_same_again() -> None:
    rows = notes(160, matched=True)
    towers = fit_towers(rows, VECTORS, 3)
    for place, one in enumerate(rows[:4]):
        scores = tower_scores(towers, one.note, VECTORS, one.path)
        own = scores[VECTORS @ KINDS[place] > 0]
        assert own.min() > scores[VECTORS @ KINDS[place] == 0].max()
    again = fit_towers(rows, VECTORS, 3)
    assert all(np.array_equal(a, b) for a, b in zip(towers, again, strict=True))
    assert not np.array_equal(towers.note, fit_towers(rows, VECTORS, 4).note)


def test_where_chance_alone_speaks_nothing_is_added() -> None:
    # a base of the right log-odds, 1 to 3, leaves nothing to learn: held notes stop the fit early
    rows = [one._replace(base=np.full(len(VECTORS), -np.log(3.0), dtype=np.float32)) for one in notes(160, False)]
    towers = fit_towers(rows, VECTORS, 3)
    assert max(np.abs(tower_scores(towers, one.note, VECTORS, one.path)).max() for one in rows[:4]) < 0.3


def test_the_notes_tower_reads_keywords_text_and_groups_by_hand() -> None:
    vectors = np.eye(4, dtype=np.float32)
    groups = np.array([0, 2, 2, 5])
    text = np.array([0.0, 1.0, 0.0, 0.0], dtype=np.float32)
    view = NoteView(np.array([0, 1], dtype=np.int32), vectors, text=text)
    read = note_input(view, groups, 4)
    np.testing.assert_allclose(read[:8], [0.5**0.5, 0.5**0.5, 0, 0, *text], atol=1e-6)
    share = read[8 : 8 + GROUP_COUNT]
    assert (share[0], share[2], share.sum(), read[-1]) == (0.5, 0.5, 1.0, 1.0)  # one keyword of two in each group
    without = note_input(NoteView(view.keywords, vectors), groups, 4)
    assert not without[4:8].any()


def test_a_score_by_hand() -> None:
    towers = Towers(np.array([[1.0], [0.0]]), np.array([[2.0], [3.0]]), np.array([[0.5]]))
    path = standardised(np.array([[9.0], [1.0]]), np.array([1.0]), np.array([0.5]))
    assert path.tolist() == [[MOST], [0.0]]  # (9 - 1) / 0.5 is 16, which counts as no more than MOST
    found = tower_scores(towers, np.array([1.0, 1.0]), np.eye(2), path)
    np.testing.assert_allclose(found, np.tanh(1.0) * np.array([2.0 + 0.5 * MOST, 3.0]), rtol=1e-6)


def two_tower() -> tuple[LearnedStep, NoteView]:
    """A concept step with towers, of notes whose second keyword says which of two sets the document holds."""
    graph, vectors = random_world(4)
    rng = np.random.default_rng(0)
    made = []
    for i in range(120):
        q = int(rng.integers(10))
        keywords, truth = [q, int(rng.integers(20, 30))], [40 + q, 60, int(rng.integers(70, 110))]
        made.append(Example(str(i), np.array(keywords, dtype=np.int32), np.array(truth, dtype=np.int32)))
    step = fit_concept_step(made, graph, vectors, OURS, 0, scorer=ScorerKind.TWO_TOWER)
    return step, NoteView(np.array([3, 25], dtype=np.int32), vectors)


def test_a_concept_step_adds_its_towers_to_its_weighted_features() -> None:
    step, view = two_tower()
    towers = step.weights.towers
    assert towers is not None
    every = np.arange(120)
    plain = step.with_weights(step.weights._replace(towers=None))
    one = NoteView(view.keywords, view.vectors)
    added = step.base(view, every) - plain.base(one, every)
    assert set(step.proposals(view, 5)[0][:2].tolist()) == {43, 60}
    wanted = towers._replace(concept=towers.concept + 1.0)
    moved = step.with_weights(step.weights._replace(towers=wanted)).base(NoteView(view.keywords, view.vectors), every)
    assert np.abs(moved - plain.base(one, every) - added).max() > 0.01  # the towers are read


def test_the_parts_of_weights_with_towers_come_back() -> None:
    step, _ = two_tower()
    back = ScorerWeights.from_arrays(step.weights.as_arrays())
    assert back.towers is not None and step.weights.towers is not None
    assert all(np.array_equal(a, b) for a, b in zip(back.towers, step.weights.towers, strict=True))
    assert (back.shift, back.path) == (step.weights.shift, step.weights.path)
    assert ScorerWeights.from_arrays(step.weights._replace(towers=None).as_arrays()).towers is None
