"""The importer on a miniature release, written by hand: every row of it is accounted for below."""

from pathlib import Path

import pytest

from backend.ingest.umls.umls import UmlsRelease, chosen_settings
from backend.ingest.umls.umls_settings import RelationList, UmlsSettings
from backend.ingest.umls.umls_terms import cui_number, cui_text
from backend.schemas.vocabulary import SemanticGroup
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow

SAMPLE = Path(__file__).parent / "umls_sample"
ASTHMA, LUNG, WHEEZE, SPIROMETRY, MITE = "C9000001", "C9000002", "C9000003", "C9000004", "C9000005"
SPOT, COUGH, CHRONIC, INHALER = "C9000007", "C9000008", "C9000009", "C9000012"


def _concepts(folder: Path = SAMPLE, settings: UmlsSettings | None = None) -> dict[str, ConceptRow]:
    return {row.concept_id: row for row in UmlsRelease(folder, settings).concepts()}


def _triples(folder: Path = SAMPLE, settings: UmlsSettings | None = None) -> list[tuple[str, str, str]]:
    return [(row.head, row.relation, row.tail) for row in UmlsRelease(folder, settings).triples()]


def test_each_row_of_the_sample_is_kept_or_skipped_for_its_reason() -> None:
    release = UmlsRelease(SAMPLE)
    list(release.concepts())
    list(release.triples())
    report = release.report
    # MRCONSO has 24 rows. Out: 4 Spanish; 5 of MSH; 6, 8, 11 suppressed O, Y, E; 15 of term type IS; 21 two cells short;
    # 22 CUI X9000001; 23 a name of one space. 24 - 9 = 15 stay.
    # MRSTY has 13. Out: 3 type T999; 5 and 8 second types; 13 of C9000099. 9 stay.
    # MRDEF has 7. Out: 2 replaces 1, so one of the two; 4 suppressed; 6 of C9000099; 7 of a source not asked for. 3 stay.
    # MRREL has 24. Out: 8 to itself; 9, 10 suppressed O, E; 11 without CUI2; 12 to C9000099, 13 from C9000010, which has
    # no semantic type; 14 has_severity, 17 SIB, 24 has_clinical_course not on the list; 18 of MSH; 2, 4, 7, 16, 20 the other
    # end of 1, 3, 6, 15, 19, and 22 row 1 again. 24 - 16 = 8 stay.
    assert report.skipped == {
        "MRCONSO: another language": 1,
        "MRCONSO: another source": 1,
        "MRCONSO: suppressed": 3,
        "MRCONSO: obsolete term type": 1,
        "MRCONSO: wrong number of cells": 1,
        "MRCONSO: no CUI": 1,
        "MRCONSO: no name, or not UTF-8": 1,
        "MRSTY: a semantic type that the rule file lacks": 1,
        "MRSTY: a further type of the same concept": 2,
        "MRSTY: a concept outside the subset": 1,
        "MRDEF: another definition is preferred": 1,
        "MRDEF: suppressed": 1,
        "MRDEF: a concept outside the subset": 1,
        "MRDEF: another source": 1,
        "MRREL: from a concept to itself": 1,
        "MRREL: suppressed": 2,
        "MRREL: an end is missing": 1,
        "MRREL: an end outside the subset": 2,
        "MRREL: a relation that is not on the list": 3,
        "MRREL: another source": 1,
        "MRREL: the same fact again, mostly from its other end": 6,
    }
    assert (report.read, report.kept) == (24 + 13 + 7 + 24, 15 + 9 + 3 + 8)
    assert report.read == report.kept + report.skipped_count
    assert report.examples["MRCONSO: suppressed"] == [6, 8, 11]
    assert report.notes == ["Concepts without a semantic type in MRSTY.RRF, left out: 1."]


def test_concepts_come_in_order_with_name_group_and_category() -> None:
    found = [(row.concept_id, row.name, row.group, row.category) for row in UmlsRelease(SAMPLE).concepts()]
    assert found == [
        (ASTHMA, "Asthma", "DISO", "disease"),
        (LUNG, "Lung", "ANAT", "anatomy"),
        (WHEEZE, "Wheeze", "DISO", "symptom"),  # T033 Finding comes first in MRSTY, T184 first in the rule file
        (SPIROMETRY, "Spirometry", "PROC", "test"),
        (MITE, "Dust mite", "CHEM", "substance"),  # T204 and T129: of two groups the rule file's first
        (SPOT, "Café au lait spot", "DISO", "disease"),
        (COUGH, "Cough", "DISO", "symptom"),
        (CHRONIC, "Chronic", "CONC", "concept"),
        (INHALER, "Inhaler", "DEVI", "device"),
    ]


def test_the_name_is_preferred_by_ts_then_stt_then_the_term_type() -> None:
    concepts = _concepts()
    # Spirometry: TS=P, though the row with TS=S comes first. Cough: STT=PF, though the row with STT=VO is a PT.
    assert (concepts[SPIROMETRY].name, concepts[SPIROMETRY].synonyms) == ("Spirometry", ("Breathing test",))
    assert (concepts[COUGH].name, concepts[COUGH].synonyms) == ("Cough", ("Coughing",))


def test_a_fully_specified_name_loses_its_tag_unless_it_is_asked_for() -> None:
    assert _concepts()[ASTHMA].synonyms == ("Bronchial asthma",)
    assert _concepts(settings=UmlsSettings(strip_tags=False))[ASTHMA].synonyms == (
        "Asthma (disorder)",
        "Bronchial asthma",
    )


def test_quotation_marks_are_characters_like_any_other() -> None:
    concepts = _concepts()
    assert concepts[WHEEZE].synonyms == ('"Whistling" breath',)
    assert concepts[LUNG].definition == 'One of two organs "for breathing".'


def test_a_definition_is_of_the_most_wanted_source_and_plain() -> None:
    concepts = _concepts()
    assert concepts[ASTHMA].definition == "A disorder in which the airways narrow."  # NCI before MSH
    assert concepts[WHEEZE].definition == "A whistling sound & a sign."  # <p>, &amp; of MEDLINEPLUS
    assert (
        _concepts(settings=UmlsSettings(definition_sources=("MSH",)))[ASTHMA].definition == "A disease of the airways."
    )
    assert not any(row.definition for row in _concepts(settings=UmlsSettings(definition_sources=())).values())


def test_the_second_concept_of_a_row_is_the_head() -> None:
    # Row 1 is CUI1 = lung, CUI2 = asthma, RELA = has_finding_site: REL and RELA say what CUI2 is to CUI1, so asthma has its
    # site in the lung. Reading the row from left to right would give every organ its diseases as sites.
    assert (ASTHMA, "has_finding_site", LUNG) in _triples()
    assert (LUNG, "has_finding_site", ASTHMA) not in _triples()


def test_each_fact_is_kept_once_in_the_direction_of_the_list() -> None:
    assert _triples() == [
        (ASTHMA, "has_finding_site", LUNG),  # rows 1, 2 (its other end) and 22 (again)
        (ASTHMA, "occurs_after", LUNG),  # row 23: another relation between the same two stays
        (ASTHMA, "has_definitional_manifestation", WHEEZE),  # rows 3 and 4
        (ASTHMA, "has_causative_agent", MITE),  # row 5 says only "mite causative_agent_of asthma"
        (WHEEZE, "interprets", SPIROMETRY),  # row 21
        (WHEEZE, "associated_with", COUGH),  # rows 19 and 20: symmetric, the smaller id is the head
        (WHEEZE, "isa", COUGH),  # rows 6 and 7
        (SPOT, "CHD", COUGH),  # rows 15 and 16 have no RELA, so REL counts
    ]


def test_relations_are_those_of_the_facts_with_inverse_and_words() -> None:
    relations = UmlsRelease(SAMPLE).relations()
    assert {name: row.inverse for name, row in relations.items()} == {
        "has_finding_site": "finding_site_of",
        "occurs_after": "occurs_before",
        "has_definitional_manifestation": "definitional_manifestation_of",
        "has_causative_agent": "causative_agent_of",
        "interprets": "is_interpreted_by",
        "associated_with": "associated_with",
        "isa": "inverse_isa",
        "CHD": "PAR",
    }
    assert (relations["has_finding_site"].words, relations["has_finding_site"].inverse_words) == (
        "is found in",
        "is the site of",
    )


def test_the_rows_make_a_graph_that_walks_both_ways() -> None:
    release = UmlsRelease(SAMPLE)
    graph = Graph(release.concepts(), release.triples(), release.relations())
    assert (len(graph), graph.edge_count) == (9, 16)
    assert graph.related(LUNG, "finding_site_of") == [ASTHMA]
    assert graph.related(COUGH, "associated_with") == [WHEEZE]


def test_groups_that_are_not_asked_for_go_with_their_facts() -> None:
    settings = UmlsSettings(groups=frozenset({SemanticGroup.DISO}))
    assert list(_concepts(settings=settings)) == [ASTHMA, WHEEZE, SPOT, COUGH]
    assert _triples(settings=settings) == [
        (ASTHMA, "has_definitional_manifestation", WHEEZE),
        (WHEEZE, "associated_with", COUGH),
        (WHEEZE, "isa", COUGH),
        (SPOT, "CHD", COUGH),
    ]


@pytest.mark.parametrize(
    ("choice", "more", "less"),
    [
        (RelationList.DRKNOWS, {"has_clinical_course", "has_severity"}, {"CHD"}),
        (RelationList.UNION, {"has_clinical_course", "has_severity"}, set()),
        (RelationList.ALL, {"has_clinical_course", "has_severity", "SIB"}, set()),
    ],
)
def test_the_relation_list_is_a_choice(choice: RelationList, more: set[str], less: set[str]) -> None:
    proposed = {relation for _, relation, _ in _triples()}
    chosen = {relation for _, relation, _ in _triples(settings=UmlsSettings(relation_list=choice))}
    assert chosen == (proposed | more) - less


def test_synonyms_of_other_sources_come_after_our_own() -> None:
    release = UmlsRelease(SAMPLE, UmlsSettings(other_synonyms=True))
    asthma = next(iter(release.concepts()))
    assert (asthma.name, asthma.synonyms) == ("Asthma", ("Bronchial asthma", "Asthma bronchiale"))
    assert release.report.skipped["MRCONSO: another source"] == 0
    list(release.triples())
    assert release.report.read == release.report.kept + release.report.skipped_count


def test_a_concept_is_ours_by_one_of_several_sources() -> None:
    settings = UmlsSettings(sources=("SNOMEDCT_US", "MSH"))
    # Row 5 joins: "Asthma bronchiale" (TS=P, STT=PF, ISPREF=N) stands before TS=S. Row 18 of MRREL says diagnosed_by, which
    # the list does not have.
    assert _concepts(settings=settings)[ASTHMA].synonyms == ("Asthma bronchiale", "Bronchial asthma")
    assert _triples(settings=settings) == _triples()


def test_ids_that_begin_with_cl_are_concepts_like_any_other(tmp_path: Path) -> None:
    # one of six digits and one of seven, which would be one number without their length
    given = ("C9000001", "CL413912", "CL1407483", "CL0413912")
    assert [cui_text(cui_number(cui.encode())) for cui in given] == list(given)
    assert [cui_number(cui) for cui in (b"CL41391", b"CL12345678", b"X9000001", b"CLx13912")] == [-1] * 4
    for file in SAMPLE.glob("*.RRF"):
        (tmp_path / file.name).write_bytes(file.read_bytes().replace(COUGH.encode(), b"CL1407483"))
    assert _concepts(tmp_path)["CL1407483"].name == "Cough"
    assert (WHEEZE, "isa", "CL1407483") in _triples(tmp_path)


def test_all_sources_are_taken_when_all_is_asked_for() -> None:
    chosen = chosen_settings({"sources": ("all",)})
    # MRCONSO's one row of MSH names a concept too, and MRREL's one row of MSH states a fact
    for table in ("MRCONSO", "MRREL"):
        release = UmlsRelease(SAMPLE, chosen)
        assert len(list(release.concepts())) >= len(_concepts())
        list(release.triples())
        assert f"{table}: another source" not in release.report.skipped
