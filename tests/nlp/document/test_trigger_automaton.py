"""The trigger automaton: longest phrase of a family, families apart, choices, gaps, numbers, line breaks, bad brackets."""

import pickle

import pytest

from backend.errors import KnowledgeError
from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import TriggerAutomaton, plain_marks
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows


def row(phrase: str, family: str = "a", id: str = "") -> TriggerRow:
    return TriggerRow(family, id or phrase, phrase, "E", {}, ("yes",), ("no",))


def found(text: str, *rows: TriggerRow) -> list[tuple[str, str, str]]:
    words = plain_marks(tokens(text).words)
    by_family = TriggerAutomaton(rows).find(words)
    return [(f, " ".join(words[t.first : t.last]), t.row.id) for f in by_family for t in by_family[f]]


def test_the_longest_phrase_of_a_family_counts_and_phrases_do_not_overlap() -> None:
    rows = (row("no"), row("no longer"), row("longer ago"))
    assert found("no longer ago", *rows) == [("a", "no longer", "no longer")]


def test_an_automaton_that_was_kept_and_loaded_finds_the_same() -> None:
    words = plain_marks(tokens("no longer takes it, no pain").words)
    built = TriggerAutomaton((row("no"), row("no longer")))
    found = [built.find(words), pickle.loads(pickle.dumps(built)).find(words)]
    assert [[one.row.id for one in each["a"]] for each in found] == [["no longer", "no"]] * 2


def test_families_do_not_disturb_one_another() -> None:
    assert found("no longer takes", row("no longer"), row("no longer takes", "b")) == [
        ("a", "no longer", "no longer"),
        ("b", "no longer takes", "no longer takes"),
    ]


@pytest.mark.parametrize("text", ["ruled out", "was ruled out", "was\nruled out", "was ruled in"])
def test_choices_and_gaps(text: str) -> None:
    assert [f[2] for f in found(text, row("{was} ruled (out|in)"))] == ["{was} ruled (out|in)"]


@pytest.mark.parametrize(
    ("text", "hit"), [("3 days", True), ("three days", True), ("2019 days", True), ("some days", False)]
)
def test_numbers(text: str, hit: bool) -> None:
    assert bool(found(text, row("# days"))) is hit


def test_a_year_is_four_digits() -> None:
    assert found("in 2019", row("in %")) and not found("in 3000", row("in %"))


def test_any_one_word_may_be_asked_for_but_no_mark() -> None:
    rows = (row("last <word> course"),)
    assert (
        found("last naproxen course", *rows) and not found("last , course", *rows) and not found("last course", *rows)
    )


def test_no_phrase_goes_over_the_border_of_a_sentence() -> None:
    automaton = TriggerAutomaton([row("no"), row("no other")])
    words = tokens("pain : no\nother : yes").words
    assert [t.row.id for t in automaton.find(words)["a"]] == ["no other"]
    assert [t.row.id for t in automaton.find(words, [0, 3, 4, 7])["a"]] == ["no"]


def test_exploring_finds_rows_that_match_the_same_words_without_a_text() -> None:
    assert TriggerAutomaton([row("no {other|new}"), row("not #")]).explore() > 3
    with pytest.raises(KnowledgeError, match="match the same words"):
        TriggerAutomaton([row("in %"), row("in #")]).explore()


def test_an_apostrophe_of_any_kind_is_one() -> None:
    assert found("doesn\u2019t take", row("doesn't"))


@pytest.mark.parametrize("phrase", ["(no", "no)", "{no", "a) (b"])
def test_brackets_that_do_not_pair_are_refused(phrase: str) -> None:
    with pytest.raises(KnowledgeError, match="do not pair"):
        TriggerAutomaton([row(phrase)])


def test_of_two_rows_of_a_family_that_match_the_same_words_a_note_reads_the_earlier() -> None:
    automaton = TriggerAutomaton([row("no"), row("(no|without)")])
    assert [one.row.id for one in automaton.find(["no", "fever"])["a"]] == ["no"]
    with pytest.raises(KnowledgeError, match="match the same words"):
        automaton.explore()


def test_rows_are_read_and_bad_ones_are_refused_with_their_line(tmp_path) -> None:
    head = "# a comment\nid\tphrase\tevent\treach\tyes\tno\n"
    (tmp_path / "x_triggers.tsv").write_text(
        head + "neg.no\tno\tnegated\t5\tno [fever] | no [chills]\tno longer [ill]\n"
    )
    (only,) = trigger_rows("x", tmp_path)
    assert (only.rule_id, only.cells["reach"], len(only.yes)) == ("x/neg.no", "5", 2)
    for name, line, message in (
        ("a", "i\tno\tnegated\t5\t\tno longer", "no 'yes' example"),
        ("b", "i\tno\tnegated\t5\tno [fever]\t", "no 'no' example"),
        ("c", "i\tno\tnegated\tno [fever]\tx", "has 5 cells"),
        ("d", "i\tno\tn\t\ty\tn\nj\tNO\tn\t\ty\tn", "line 4 repeats the phrase no of line 3"),
        ("e", "\tno\tn\t\ty\tn", "'id' is empty"),
    ):
        (tmp_path / f"{name}_triggers.tsv").write_text(head + line + "\n")
        with pytest.raises(KnowledgeError, match=message):
            trigger_rows(name, tmp_path)
    (tmp_path / "f_triggers.tsv").write_text("id\tphrase\tevent\tyes\n")
    with pytest.raises(KnowledgeError, match="columns no"):
        trigger_rows("f", tmp_path)
    with pytest.raises(KnowledgeError, match="missing"):
        trigger_rows("g", tmp_path)
