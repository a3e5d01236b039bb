"""The hybrid ranking part by part, derived by hand; what kind of question and heading it sees."""

from pathlib import Path

import numpy as np
import pytest

from backend.errors import KnowledgeError
from backend.retrieval.passages.heading_fit import (
    Kind,
    asked_kinds,
    asked_sentences,
    heading_kinds,
    stated_share,
    stems,
)
from backend.retrieval.passages.learned_ranker import CARD, LeapnoteRanker, read_weights
from backend.retrieval.passages.passage_features import FEATURES, features, of_kind, topic
from backend.retrieval.passages.ranker import Candidates
from backend.retrieval.passages.shipped_rankers import WeightedSum, best_rows
from backend.schemas.vocabulary import Source
from backend.stores.passages.passage_index import PassageRow


def row(title: str, text: str = "", document: str = "d", section: str = "", start: int = 0) -> PassageRow:
    return PassageRow(f"{document}/{start}", Source.WIKI, document, title, text, start, start + 1, section=section)


def candidates(
    query: str, rows: list[PassageRow], bm25: list[float], cosine: list[float], topic: list[float] | None = None
) -> Candidates:
    unknown = np.full(len(rows), np.nan)
    return Candidates(
        query, rows, np.array(bm25), np.array(cosine), np.eye(len(rows)), unknown if topic is None else np.array(topic)
    )


def column(name: str, given: Candidates) -> list[float]:
    return list(features(given)[:, list(FEATURES).index(name)].tolist())


def test_a_weighted_sum_brings_bm25_to_the_best_one_s() -> None:
    # a: 0.2 * 2/4 + 0.8 * 0.5 = 0.5; b: 0.2 * 1 + 0.8 * 0.1 = 0.28; c: 0.8 * 0.9 = 0.72
    rows = [row("", document=name) for name in "abc"]
    found = WeightedSum(0.2).scores(candidates("x", rows, [2.0, 4.0, 0.0], [0.5, 0.1, 0.9]))
    assert found.tolist() == pytest.approx([0.5, 0.28, 0.72])
    without = WeightedSum(0.2).scores(candidates("x", rows, [0.0, 0.0, 0.0], [0.5, 0.1, 0.9]))
    assert without.tolist() == pytest.approx([0.4, 0.08, 0.72])


def test_a_heading_of_the_kind_asked_for_counts_whole_and_a_text_without_one_by_what_it_tells() -> None:
    rows = [
        row("Gout: exams and tests", section="exams and tests"),
        row("Gout: treatment", section="treatment"),
        row("Gout", "A blood test and a joint exam tell."),  # two marks: 2 / (2 + 2)
        row("Gout: joint fluid", section="joint fluid"),  # no known kind; one of its two words is asked for
    ]
    query = "How is gout diagnosed from fluid?"
    assert [of_kind(one, stems(query), asked_kinds(query)) for one in rows] == pytest.approx([1.0, 0.0, 0.5, 0.5])


def test_a_heading_that_asks_is_read_as_a_question_and_so_is_a_title_without_sections() -> None:
    query = "What is croup?"
    rows = [
        row("Croup: What is it that children cough with?", section="What is it that children cough with?"),
        row("What is croup?", "A bark."),
        row("What causes croup?", "A virus."),
        row("How is croup treated?", "Croup is an illness of the voice box."),
    ]
    assert [of_kind(one, stems(query), asked_kinds(query)) for one in rows] == [1.0, 1.0, 0.0, 0.0]


def test_a_question_in_place_of_a_title_is_no_topic() -> None:
    rows = [row("What causes croup?", document="a"), row("Croup", document="b")]
    given = candidates("What is croup?", rows, [0.0, 0.0], [0.6, 0.5], [0.9, 0.7])
    assert column("topic", given) == pytest.approx([0.6, 0.7])  # the first by its page's best cosine


def test_what_a_text_states_counts_alike_under_whatever_title() -> None:
    article = "Randomised trial of colchicine against placebo in recurrent acute gout attacks"
    rows = [row(article, "A test.", "a"), row("a-1", "A test.", "a-1"), row("Gout", "A test.", "b")]
    found = [of_kind(one, stems("diagnosis of gout"), asked_kinds("diagnosis of gout")) for one in rows]
    assert found == pytest.approx([1 / 3] * 3)  # one mark: 1 / (1 + 2)


def test_documents_are_opened_by_the_ranks_of_words_and_meaning() -> None:
    # a: 1 / 62 + 1 / 62; b: 1 / 61 + 1 / 61; c: no word in common, 1 / 63 + 1 / 63
    given = candidates("x", [row("", document=name) for name in "abc"], [1.0, 9.0, 0.0], [0.5, 0.8, 0.1])
    assert LeapnoteRanker().first_scores(given) == pytest.approx([2 / 62, 2 / 61, 2 / 63], rel=1e-5)


def test_a_long_question_is_cut_to_its_matter_and_what_it_asks() -> None:
    long = "My son has gout. He is twelve. We came back on Monday. How is it treated? Thank you so much."
    assert asked_sentences(long) == "My son has gout. How is it treated?"
    assert asked_sentences("My son has gout. Thank you.") == "My son has gout. Thank you."
    assert asked_sentences("What is gout?") == "What is gout?"


def test_a_page_lends_its_best_cosine_and_words_to_its_passages() -> None:
    rows = [row("", document=name) for name in "aab"]
    given = candidates("x", rows, [1.0, 4.0, 2.0], [0.8, 0.1, 0.3])
    assert column("page", given) == pytest.approx([0.8, 0.8, 0.3])
    assert column("page_words", given) == pytest.approx([1.0, 1.0, 0.5])
    assert column("cosine", given) == pytest.approx([0.8, 0.1, 0.3])
    # without one known, the page's best cosine stands for the topic's
    assert column("topic", given) == pytest.approx([0.8, 0.8, 0.3])
    assert column("topic", given._replace(topic=np.array([0.2, 0.2, np.nan]))) == pytest.approx([0.2, 0.2, 0.3])


def test_the_right_heading_of_a_page_that_is_far_counts_little() -> None:
    rows = [
        row("Gout: treatment", document="a", section="treatment"),
        row("Flu: treatment", document="b", section="treatment"),
    ]
    given = candidates("gout treatment", rows, [0.0, 0.0], [0.8, 0.2])
    assert column("answers", given) == pytest.approx([1.0, (0.2 / 0.8) ** 2])


def test_the_best_rows_are_of_different_documents() -> None:
    rows = [row("", document=name) for name in "aabcb"]
    assert best_rows(rows, np.array([0.5, 0.9, 0.6, 0.1, 0.6]), 2) == [1, 2]  # equal in b: the first
    assert best_rows(rows, np.array([0.5, 0.9, 0.6, 0.1, 0.7]), 9) == [1, 4, 3]
    assert best_rows([], np.zeros(0), 3) == []


def test_no_score_is_above_one_and_no_candidate_gives_no_score() -> None:
    one = [row("Gout: treatment", "gout treatment", section="treatment")]
    for ranker in (LeapnoteRanker(), WeightedSum(0.3)):
        (found,) = ranker.scores(candidates("gout treatment", one, [9.0], [1.0], [1.0]))
        assert found == pytest.approx(1.0)
        assert ranker.scores(candidates("x", [], [], [])).tolist() == []


def test_the_weights_that_ship_are_those_of_the_features_and_a_card_of_others_is_refused(tmp_path: Path) -> None:
    assert len(read_weights(CARD).values) == len(FEATURES)
    assert all(value >= 0 for value in read_weights(CARD).values)
    other = tmp_path / "card.json"
    other.write_text('{"weights": {"cosine": 1.0}}')
    with pytest.raises(KnowledgeError, match="train ranking"):
        read_weights(other)


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ("What is gout?", {Kind.OVERVIEW}),
        ("What are the treatments for gout?", {Kind.TREATMENT}),
        ("How to diagnose gout?", {Kind.DIAGNOSIS}),
        ("How many people are affected by gout?", {Kind.FREQUENCY}),
        ("What are the warning signs of a stroke?", {Kind.WARNING}),
        ("gout", set()),
        ("gout inheritance", {Kind.INHERITANCE}),
        # what a clause tells that does not ask is asked for by nobody
        ("blue lips on the prenatal scan, an inherited disorder; what can be done for it?", {Kind.TREATMENT}),
        ("my toe is red and swollen since the operation, which illness is that", {Kind.OVERVIEW}),
        ("he inherited it from me; will my next child have it?", {Kind.INHERITANCE}),
        ("my brother has it: can it be passed on to my sons", {Kind.INHERITANCE}),
        ("after the stroke, will he walk again?", {Kind.OUTLOOK}),
        ("clinical findings in gout", {Kind.SYMPTOMS}),
        ("what is being done by scientists about gout", {Kind.RESEARCH}),
        ("gout in pregnancy, is it rare?", set()),
    ],
)
def test_a_question_says_what_kind_of_section_it_wants(query: str, kinds: set[Kind]) -> None:
    assert asked_kinds(query) == kinds


@pytest.mark.parametrize(
    ("heading", "kinds"),
    [
        ("What it is", {Kind.OVERVIEW}),
        ("How it shows", {Kind.SYMPTOMS}),
        ("Warning signs", {Kind.WARNING}),
        ("exams and tests", {Kind.DIAGNOSIS}),
        ("Treatment / Management", {Kind.TREATMENT}),
        ("Etiology", {Kind.CAUSES}),
        ("Chapter 3", set()),
    ],
)
def test_a_heading_says_what_its_section_is_about(heading: str, kinds: set[Kind]) -> None:
    assert heading_kinds(heading) == kinds


def test_an_overview_stands_where_a_document_begins() -> None:
    overview = frozenset({Kind.OVERVIEW})
    assert stated_share("Gout is a kind of arthritis.", overview, opens=True) == 1.0
    assert stated_share("It is treated at home.", overview, opens=False) == 0.0


def test_every_kind_but_the_overview_has_cues_headings_and_marks() -> None:
    from backend.retrieval.passages import heading_fit as headings

    assert set(headings._CUES) == set(headings._TEXT_CUES) == set(Kind) - {Kind.OVERVIEW}


def test_the_topic_is_the_title_without_its_heading() -> None:
    assert topic(row("Heart failure: Diet", section="Diet")) == "Heart failure"
    assert topic(row("Heart failure: Diet")) == "Heart failure: Diet"
