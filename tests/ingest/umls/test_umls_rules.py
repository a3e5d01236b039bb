"""The two rule files of the importer: what they hold, and what a malformed one is refused for."""

import os
from pathlib import Path

import pytest

from backend.errors import KnowledgeError
from backend.ingest.umls.umls_definitions import plain
from backend.ingest.umls.umls_relations import AllowList, read_allowed
from backend.ingest.umls.umls_settings import RelationList, UmlsSettings
from backend.ingest.umls.umls_terms import cui_number, cui_text
from backend.ingest.umls.umls_types import read_semantic_types
from backend.schemas.vocabulary import Category, SemanticGroup
from backend.settings import ROOT

SETTINGS = UmlsSettings()
LINES = read_allowed(SETTINGS.relation_file)


def test_the_semantic_types_cover_all_15_groups_and_each_code_once() -> None:
    types = read_semantic_types(SETTINGS.semantic_file)
    assert {row.group for row in types} == set(SemanticGroup)
    assert len({row.tui for row in types}) == len(types) == 133


@pytest.mark.data
def test_the_semantic_types_agree_with_the_published_groups() -> None:
    path = Path(os.environ.get("LEAPNOTE_TEST_DATA") or ROOT.parent / "shared" / "data") / "semgroups" / "SemGroups.txt"
    if not path.is_file():
        pytest.skip("the open data is not there (LEAPNOTE_TEST_DATA)")
    rows = [line.split("|") for line in path.read_text().splitlines() if line.count("|") == 3]
    assert {row.tui: row.group.value for row in read_semantic_types(SETTINGS.semantic_file)} == {
        tui: group for group, _, tui, _ in rows
    }


def test_a_disorder_is_more_telling_than_what_describes_it() -> None:
    order = [row.tui for row in read_semantic_types(SETTINGS.semantic_file)]
    # Disease before finding, sign before finding, test before any procedure, medicine before its chemistry.
    for first, second in (("T047", "T033"), ("T184", "T033"), ("T060", "T061"), ("T121", "T109"), ("T047", "T170")):
        assert order.index(first) < order.index(second)
    by_code = {row.tui: row.category for row in read_semantic_types(SETTINGS.semantic_file)}
    assert (by_code["T059"], by_code["T034"], by_code["T121"]) == (Category.TEST, Category.FINDING, Category.DRUG)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("T047\tDISO\n", "x.tsv:1 is no semantic type"),
        ("T047\tDISORDERS\tdisease\n", "x.tsv:1 is no semantic type"),
        ("# a comment\n\nT047\tDISO\tdisease\nT047\tDISO\tfinding\n", "x.tsv:4 names T047 a second time"),
    ],
)
def test_a_malformed_list_of_types_is_refused_by_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "x.tsv").write_text(text)
    with pytest.raises(KnowledgeError, match=message):
        read_semantic_types(tmp_path / "x.tsv")


def test_drknows_names_are_all_reachable_and_only_the_lists_differ() -> None:
    names = {choice: AllowList(LINES, choice, {}).names for choice in RelationList if choice is not RelationList.ALL}
    assert names[RelationList.UNION] == names[RelationList.PROPOSED] | names[RelationList.DRKNOWS]
    # A look at both lists: what ours leaves out and why is in docs/graphs.md.
    assert {"has_finding_site", "due_to", "isa"} <= names[RelationList.PROPOSED] & names[RelationList.DRKNOWS]
    assert {"has_priority", "dose_form_of"} <= names[RelationList.DRKNOWS] - names[RelationList.PROPOSED]


def test_a_spelling_of_the_release_is_allowed_with_its_pair() -> None:
    allowed = AllowList(LINES, RelationList.PROPOSED, {"interprets": "read_by", "has_priority": "first_of"})
    assert allowed.allows("read_by")
    assert not allowed.allows("first_of")


def test_every_line_says_why_and_tells_its_fact_in_words() -> None:
    assert all(line.reason and line.words and line.inverse_words for line in LINES)
    symmetric = {line.relation for line in LINES if line.relation == line.inverse}
    assert all(line.words == line.inverse_words for line in LINES if line.relation in symmetric)


def test_a_relation_outside_the_file_has_the_words_of_its_name() -> None:
    row = AllowList(LINES, RelationList.ALL, {}).row("may_smell_of", "inverse_of_may_smell_of")
    assert (row.words, row.inverse_words) == ("may smell of", "inverse of may smell of")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tb\tproposed\tx\ty\n", "x.tsv:1 is no relation"),
        ("a\tb\tperhaps\tx\ty\twhy\n", "x.tsv:1 is no relation"),
        ("a\tb\tproposed\tx\ty\twhy\nb\tc\tboth\tx\ty\twhy\n", "x.tsv:2 names 'b' again"),
    ],
)
def test_a_malformed_allow_list_is_refused_by_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "x.tsv").write_text(text)
    with pytest.raises(KnowledgeError, match=message):
        read_allowed(tmp_path / "x.tsv")


@pytest.mark.parametrize(
    ("definition", "most", "wanted"),
    [
        (b"One. Two is longer.", 10, "One."),  # the second sentence would end at 19
        (b"A sentence without any end", 12, "A sentence…"),  # 11 characters are left for words, one for the sign
        (b"  spaced \n out ", 40, "spaced out"),
        (b"5 < 10 and 10 > 5", 40, "5 < 10 and 10 > 5"),
        (b"&lt;b&gt;bold&lt;/b&gt; &amp; more", 40, "bold & more"),
        (b"caf\xe9", 40, ""),
    ],
)
def test_a_definition_becomes_one_plain_line(definition: bytes, most: int, wanted: str) -> None:
    assert plain(definition, most) == wanted


@pytest.mark.parametrize("cui", [b"", b"C123", b"X0000001", b"C00000012", b"C00000x1", b"c0000001"])
def test_what_is_no_cui_is_none(cui: bytes) -> None:
    assert cui_number(cui) == -1


def test_a_cui_and_its_number() -> None:
    assert cui_number(b"C0018801") == 18801
    assert cui_text(18801) == "C0018801"
