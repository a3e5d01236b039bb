"""The hybrid ranking part by part, derived by hand; what kind of question and heading it sees."""

import numpy as np
import pytest

from backend.retrieval.passages.heading_fit import Kind, asked_kinds, heading_kinds, stated_share, stems
from backend.retrieval.passages.ranker import Candidates
from backend.retrieval.passages.shipped_rankers import SHARES, SharedScores, Shares, best_rows, covered, topic
from backend.schemas.vocabulary import Source
from backend.stores.passages.passage_index import PassageRow

NOTHING = Shares(*[0.0] * len(Shares._fields))


def row(title: str, text: str = "", document: str = "d", section: str = "", start: int = 0) -> PassageRow:
    return PassageRow(f"{document}/{start}", Source.WIKI, document, title, text, start, start + 1, section=section)


def fused(query: str, rows: list[PassageRow], shares: Shares, lexical: list[float], cosine: list[float]) -> list[float]:
    vectors = np.eye(len(rows))
    found = SharedScores(shares).scores(Candidates(query, rows, np.array(lexical), np.array(cosine), vectors))
    return list((found * shares.most).tolist())  # undo the scaling to at most 1


def test_without_the_other_parts_it_is_the_weighted_sum() -> None:
    shares = NOTHING._replace(bm25=0.2, cosine=0.8)
    # a: 0.2 * 2/4 + 0.8 * 0.5 = 0.5; b: 0.2 * 1 + 0.8 * 0.1 = 0.28; c: 0.8 * 0.9 = 0.72
    rows = [row("", document=name) for name in "abc"]
    assert fused("x", rows, shares, [2.0, 4.0, 0.0], [0.5, 0.1, 0.9]) == pytest.approx([0.5, 0.28, 0.72])
    assert fused("x", rows, shares, [0.0, 0.0, 0.0], [0.5, 0.1, 0.9]) == pytest.approx([0.4, 0.08, 0.72])


def test_a_heading_of_the_kind_asked_for_counts_whole_and_a_text_without_one_by_what_it_tells() -> None:
    rows = [
        row("Gout: exams and tests", section="exams and tests"),
        row("Gout: treatment", section="treatment"),
        row("Gout", "A blood test and a joint exam tell."),  # two marks: 2 / (2 + 2)
        row("Gout: joint fluid", section="joint fluid"),  # no known kind; one of its two words is asked for
    ]
    found = fused("How is gout diagnosed from fluid?", rows, NOTHING._replace(heading=1.0), [0.0] * 4, [0.0] * 4)
    assert found == pytest.approx([1.0, 0.0, 0.5, 0.5])


def test_a_title_that_is_a_sentence_names_no_topic() -> None:
    article = "Randomised trial of colchicine against placebo in recurrent acute gout attacks"
    rows = [row(article, "A test.", "a"), row("a-1", "A test.", "a-1"), row("Gout", "A test.", "b")]
    # one mark: 1 / (1 + 2), half of it where no title names a topic; an id that stands for a title is none
    found = fused("diagnosis of gout", rows, NOTHING._replace(heading=1.0), [0.0] * 3, [0.0] * 3)
    assert found == pytest.approx([1 / 6, 1 / 6, 1 / 3])


def test_the_best_lends_to_its_section_its_document_and_its_like() -> None:
    rows = [
        row("", document="a", section="s"),
        row("", document="a", section="s"),
        row("", document="a"),
        row("", document="b"),
    ]
    cosine = [0.8, 0.1, 0.2, 0.3]
    found = fused("x", rows, NOTHING._replace(cosine=1.0, section=0.5, document=0.25), [0.0] * 4, cosine)
    # section s of a: best 0.8; the unheaded part of a: 0.2; b: 0.3. document a: best 0.8, b: 0.3
    assert found == pytest.approx([0.8 + 0.4 + 0.2, 0.1 + 0.4 + 0.2, 0.2 + 0.1 + 0.2, 0.3 + 0.15 + 0.075])
    # vectors at right angles: only the best one itself is like the best one
    alike = fused("x", rows, NOTHING._replace(cosine=1.0, likeness=0.5), [0.0] * 4, cosine)
    assert alike == pytest.approx([1.3, 0.1, 0.2, 0.3])


def test_words_count_by_their_rarity_among_the_candidates() -> None:
    texts = ["Anticoagulation-related bleeding", "Bleeding studies", "nothing of it"]
    rows = [row("", text, document) for text, document in zip(texts, "abc", strict=True)]
    # n = 3; "bleed" in 2: ln(1 + 1.5/2.5) = 0.4700; "anticoagul" in 1: ln(1 + 2.5/1.5) = 0.9808; sum 1.4508
    found = covered(stems("anticoagulant bleeding"), rows)
    assert found.tolist() == pytest.approx([1.0, 0.3240, 0.0], abs=1e-4)
    assert covered(stems("study"), rows).tolist() == pytest.approx([0.0, 1.0, 0.0])
    assert covered(frozenset(), rows).tolist() == [0.0, 0.0, 0.0]


def test_the_rows_of_a_document_hold_words_together() -> None:
    rows = [row("Gout", "", "a"), row("", "How it is inherited", "a"), row("Gout", "", "b"), row("", "inherited", "c")]
    # n = 4; "gout" and "inherit" are in 2 rows each, so each weighs half; a holds both, b and c one
    assert covered(stems("gout inherited"), rows).tolist() == pytest.approx([1.0, 1.0, 0.5, 0.5])


def test_the_best_rows_are_of_different_documents() -> None:
    rows = [row("", document=name) for name in "aabcb"]
    assert best_rows(rows, np.array([0.5, 0.9, 0.6, 0.1, 0.6]), 2) == [1, 2]  # equal in b: the first
    assert best_rows(rows, np.array([0.5, 0.9, 0.6, 0.1, 0.7]), 9) == [1, 4, 3]
    assert best_rows([], np.zeros(0), 3) == []


def test_no_score_is_above_one_and_no_candidate_gives_no_score() -> None:
    one = [row("Gout: treatment", "gout treatment", section="treatment")]
    given = Candidates("gout treatment", one, np.array([9.0]), np.array([1.0]), np.array([[1.0, 0.0]]))
    (found,) = SharedScores().scores(given)
    assert found == pytest.approx(1.0)
    assert SHARES.most == pytest.approx((0.1 + 0.8 + 0.25 + 0.15 + 0.2) * 1.8)
    assert SharedScores().scores(Candidates("x", [], np.zeros(0), np.zeros(0), np.zeros((0, 2)))).tolist() == []


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
