"""`evaluate linking`: labelled texts, and the linker against them."""

import gzip
import json
import os
from pathlib import Path

import pytest

from backend.errors import InputError
from backend.evaluation.reading.labelled_texts import LabelledMention, LabelledText, read_labelled
from backend.evaluation.reading.linking_evaluation import (
    LinkingFound,
    LinkingSettings,
    labelled_groups,
    matched,
    run_linking,
)
from backend.interfaces import Linker
from backend.nlp.extraction.linker import DictionaryLinker
from backend.schemas.drafts.note import LinkedNote, Mention
from backend.schemas.vocabulary import Assertion, SemanticGroup
from backend.settings import ROOT

TEXT = "She has fever and cough but no chest pain."
PUBTATOR = (
    "1|t|Gout and fever.\n1|a|A cough.\n"
    "1\t0\t4\tGout\tDisease\tD1\n1\t9\t14\tfever\tDisease\tD2\n1\t18\t23\tcough\tDisease\tD3\n1\tCID\tD1\tD2\n\n"
    "2|t|Nothing.\n2|a|At all.\n"
)


def labelled(*mentions: tuple[str, str, str]) -> LabelledText:
    """Words of TEXT with concept and assertion."""
    made = [
        LabelledMention(TEXT.index(words), TEXT.index(words) + len(words), concept, Assertion(assertion))
        for words, concept, assertion in mentions
    ]
    return LabelledText("1", TEXT, tuple(made))


def run(linker: Linker, *texts: LabelledText, groups: tuple[SemanticGroup, ...] | None = None) -> LinkingFound:
    names = {"fever", "cough", "chest pain"}
    settings = LinkingSettings(groups=groups, resamples=100)
    return run_linking(texts, linker, settings, names.__contains__, lambda concept: concept.startswith("T:"))


def value(found: LinkingFound, measure: str, about: str = "") -> float | None:
    system = f"linker: {about}" if about else "linker"
    (one,) = [f for f in found.figures if (f.system, f.measure) == (system, measure)]
    return one.value


def test_mentions_concepts_and_assertions_are_counted_by_hand(tiny_linker: DictionaryLinker) -> None:
    found = run(
        tiny_linker,
        labelled(
            ("fever", "T:fever", "present"),
            ("has fever and", "T:rash", "present"),  # the linker's fever is taken by the label above
            ("chest pain", "T:gout", "present"),  # another concept and assertion than the linker's
            ("She", "T:gout", "present"),  # nothing there
        ),
    )
    # the linker has fever, cough, chest pain: 3. Labels: 4. Exact: fever, chest pain. Overlap one to one: the same 2
    assert value(found, "exact_precision") == pytest.approx(2 / 3)
    assert value(found, "exact_recall") == pytest.approx(2 / 4)
    assert value(found, "exact_f1") == pytest.approx(2 * 2 / 7)
    assert value(found, "overlap_recall") == pytest.approx(2 / 4)
    # labels whose words are names: fever and chest pain; both found
    assert value(found, "known_recall") == 1.0
    assert value(found, "concept_accuracy") == 0.5
    assert value(found, "assertion_accuracy") == 0.5
    # present: the linker says it of 1, the labels of 2, both of 1; negated: the linker of 1, wrongly
    assert value(found, "assertion_precision", "present") == 1.0
    assert value(found, "assertion_recall", "present") == 0.5
    assert value(found, "assertion_precision", "negated") == 0.0


def test_an_overlap_counts_where_the_characters_differ(tiny_linker: DictionaryLinker) -> None:
    found = run(tiny_linker, labelled(("but no chest pain", "T:chest-pain", "negated")))
    assert (value(found, "exact_recall"), value(found, "overlap_recall")) == (0.0, 1.0)
    assert value(found, "overlap_precision") == pytest.approx(1 / 3)
    assert value(found, "assertion_f1", "negated") == 1.0


def test_what_the_file_does_not_label_is_not_available(tiny_linker: DictionaryLinker) -> None:
    bare = LabelledText("1", TEXT, (LabelledMention(8, 13, "MESH:1"),))
    found = run(tiny_linker, bare)
    (one,) = [f for f in found.figures if f.measure == "assertion_accuracy"]
    assert one.value is None and one.reason
    assert value(found, "concept_accuracy") is None  # the label's concept is no concept of the graph


def test_other_groups_are_no_errors_where_a_file_labels_only_some(tiny_linker: DictionaryLinker) -> None:
    text = "Fever: amoxicillin."
    label = LabelledMention(0, 5, None, None, SemanticGroup.DISO)
    texts = [LabelledText("1", text, (label,))]
    assert labelled_groups(texts) == (SemanticGroup.DISO,)
    assert value(run(tiny_linker, *texts), "exact_precision") == 0.5
    assert value(run(tiny_linker, *texts, groups=labelled_groups(texts)), "exact_precision") == 1.0


def test_a_file_with_labels_without_a_group_labels_all() -> None:
    assert labelled_groups([LabelledText("1", TEXT, (LabelledMention(0, 3),))]) is None


def test_matching_is_one_to_one_and_prefers_what_shares_most() -> None:
    def mention(start: int, end: int) -> Mention:
        return Mention(
            start_char=start, end_char=end, text="", concept_id="T:1", name="", group="DISO", category="disease",
            assertion="present", score=1.0,
        )  # fmt: skip

    pairs = matched([mention(0, 4), mention(5, 20)], [LabelledMention(0, 20), LabelledMention(3, 5)])
    assert [(m.start_char, label.start) for m, label in pairs] == [(5, 0), (0, 3)]


def test_pubtator_is_read_with_its_offsets(tmp_path: Path) -> None:
    for path, data in ((tmp_path / "a.txt", PUBTATOR.encode()), (tmp_path / "a.gz", gzip.compress(PUBTATOR.encode()))):
        path.write_bytes(data)
        first, second = read_labelled(path)
        assert first.document_id == "1"
        assert [first.text[m.start : m.end] for m in first.mentions] == ["Gout", "fever", "cough"]
        assert {m.group for m in first.mentions} == {SemanticGroup.DISO}
        assert second.mentions == ()


def test_jsonl_is_read_plain_and_as_link_prints_it(tmp_path: Path, tiny_linker: DictionaryLinker) -> None:
    plain = {"id": 7, "text": TEXT, "mentions": [{"start_char": 8, "end_char": 13, "assertion": "present"}]}
    linked = tiny_linker.link(TEXT).model_dump(mode="json")
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(plain) + "\n\n" + json.dumps(linked) + "\n")
    first, second = read_labelled(path)
    assert (first.document_id, first.mentions) == ("7", (LabelledMention(8, 13, None, Assertion.PRESENT),))
    assert [TEXT[m.start : m.end] for m in second.mentions] == ["fever", "cough", "chest pain"]
    assert second.mentions[2].assertion == Assertion.NEGATED
    # held against itself, the linker is perfect
    found = run(tiny_linker, second)
    assert {value(found, m) for m in ("exact_f1", "concept_accuracy", "assertion_accuracy")} == {1.0}


@pytest.mark.parametrize(
    "content",
    [
        '{"text": "a"}\n',
        '{"text": "abc", "mentions": [{"start_char": 0, "end_char": 9}]}\n',
        '{"text": "abc", "mentions": [{"start_char": 0, "end_char": 2, "assertion": "maybe"}]}\n',
        '{"text": "secret words\n',
        "1|t|secret words\n1\tx\ty\tsecret\tDisease\tD1\n",
        "1|t|secret words\n1|a|b\n1\t0\t99\tsecret\tDisease\tD1\n",
        "secret words\n",
        "",
    ],
)
def test_what_is_no_labelled_text_is_refused_without_repeating_it(tmp_path: Path, content: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(content)
    with pytest.raises(InputError, match=r"a\.jsonl") as refused:
        read_labelled(path)
    assert "secret" not in str(refused.value)


def test_a_damaged_archive_and_an_absent_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"1|t|a\n")[:-5])
    for name in ("a.gz", "none.txt"):
        with pytest.raises(InputError, match=name):
            read_labelled(tmp_path / name)


@pytest.mark.data
def test_the_public_corpora_are_read_whole() -> None:
    folder = Path(os.environ.get("LEAPNOTE_TEST_DATA") or ROOT.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip("the open data is not there (LEAPNOTE_TEST_DATA)")
    for name, documents in (
        ("ncbi_disease/NCBIdevelopset_corpus.txt", 100),
        ("bc5cdr/CDR_DevelopmentSet.PubTator.txt.gz", 500),
    ):
        found = read_labelled(folder / name)
        assert len(found) == documents
        lines = (m for text in found for m in text.mentions)
        assert all(mention.group is not None for mention in lines)


def test_a_text_that_the_linker_fails_on_is_left_out_and_told(tiny_linker: DictionaryLinker) -> None:
    class Unread:
        def link(self, text: str) -> LinkedNote:
            if text != TEXT:
                raise IndexError(text)
            return tiny_linker.link(text)

    label = labelled(("fever", "T:fever", "present"))
    other = LabelledText("2", "A rash.", (LabelledMention(2, 6, "T:rash", Assertion.PRESENT),))
    found = run(Unread(), label, other)
    assert (found.n, found.left_out) == (1, {"failed: link, IndexError": 1})
    assert value(found, "exact_recall") == 1.0  # the second text is no miss
    none = run(Unread(), other)
    assert (none.n, value(none, "exact_recall")) == (0, None)
