"""The linker as a whole: one concept a span, decided by context and graph, exact for any text."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.nlp.extraction.linker import DictionaryLinker
from backend.schemas.drafts.note import Mention
from backend.schemas.vocabulary import Assertion, SectionCategory
from backend.stores.graph.graph_rows import ConceptRow


def mentions(linker: DictionaryLinker, text: str) -> tuple[Mention, ...]:
    return linker.link(text).note.mentions


def names(linker: DictionaryLinker, text: str) -> list[str]:
    return [mention.name for mention in mentions(linker, text)]


def test_linker_keeps_a_negated_mention_and_marks_it_negated(linker: DictionaryLinker) -> None:
    (fever,) = mentions(linker, "She denies fever.")
    assert (fever.name, fever.assertion, fever.assertion_cue) == ("fever", Assertion.NEGATED, "denies")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Pt c/o CP and SOB.", ["chest pain", "dyspnea"]),
        ("PE: lungs clear.", []),
        ("Tachycardia, concern for PE, heparin started.", ["pulmonary embolism"]),
        ("MS with relapsing flares, followed by neurology.", ["multiple sclerosis"]),
        ("Severe MS by echo, diastolic murmur.", ["mitral stenosis"]),
        ("MS contin 15 mg", []),
        ("Ms. Jones was seen as an outpatient. As above.", []),
        ("Sat 95% on RA.", []),
        ("RA on methotrexate.", ["rheumatoid arthritis"]),
        ("Old CVA with residual aphasia.", ["stroke"]),
        ("no CVA tenderness", ["costovertebral angle tenderness"]),
        ("N/V since Monday", ["nausea", "vomiting"]),
        ("PT denies fever.", ["fever"]),
        ("PT 12.4 seconds", ["prothrombin time"]),
        ("It was cold outside.", []),
        ("She has a cold.", ["common cold"]),
        ("a-fib, HTN, DM", ["atrial fibrillation", "hypertension", "type 2 diabetes mellitus"]),
        ("a fall from a ladder", ["fall"]),
        ("values fall below normal", []),
        ("WELL APPEARING AND ALL WAS QUIET TODAY", []),
    ],
)
def test_a_short_form_is_read_by_its_context(linker: DictionaryLinker, text: str, expected: list[str]) -> None:
    assert names(linker, text) == expected


def test_the_graph_decides_between_concepts_of_one_name() -> None:
    rows = [
        ConceptRow("A", "alpha syndrome", "DISO", "disease", ("XYZ",)),
        ConceptRow("B", "beta syndrome", "DISO", "disease", ("XYZ",)),
        ConceptRow("F", "fever", "DISO", "symptom"),
    ]
    joined = DictionaryLinker(rows, neighbours={"B": {"F"}, "A": set()}.__getitem__)
    assert names(joined, "XYZ with fever") == ["beta syndrome", "fever"]
    plain = mentions(DictionaryLinker(rows), "XYZ with fever")[0]
    assert plain.score < 1
    assert "could also be beta syndrome" in plain.why


def test_headers_are_no_mentions_and_sections_are_kept(linker: DictionaryLinker) -> None:
    (gout,) = mentions(linker, "Past Medical History:\nhypertension\n")
    assert (gout.section, gout.assertion) == (SectionCategory.PAST_MEDICAL_HISTORY, Assertion.HISTORICAL)


def test_what_the_patient_reacts_to_is_marked_as_allergen(linker: DictionaryLinker) -> None:
    linked = linker.link("Allergies:\nPenicillin - hives\n\nMedications:\nmetoprolol 25 mg\n")
    assert [(m.name, m.allergen) for m in linked.note.mentions] == [("penicillin", True), ("metoprolol", False)]


@pytest.mark.parametrize(
    "text", ["Fever and cough are common; no rash.", "Allergies: penicillin (rash). Denies fever."]
)
def test_a_passage_names_what_a_note_would_and_no_allergens(linker: DictionaryLinker, text: str) -> None:
    named, linked = linker.named(text), mentions(linker, text)
    assert [(m.start_char, m.concept_id) for m in named] == [(m.start_char, m.concept_id) for m in linked]
    assert named and not any(m.allergen for m in named)


def test_scores_and_reasons_are_given(linker: DictionaryLinker) -> None:
    exact, slip = mentions(linker, "Dyspnea and pnuemonia.")
    assert exact.score == 1
    assert slip.score < exact.score
    assert "read as" in slip.why


PIECES = st.sampled_from(
    [
        "fever",
        "no",
        "denies",
        ",",
        ".",
        "\n",
        "PE",
        "MS",
        "N/V",
        "\0",
        "\u202e",
        "😀",
        "e\u0301",
        "<b>",
        "Allergies:",
        "?",
    ]
)


@settings(deadline=None, max_examples=60)
@given(st.lists(PIECES, max_size=25).map(" ".join) | st.text(max_size=60))
def test_offsets_are_exact_ordered_and_the_same_each_time(linker: DictionaryLinker, text: str) -> None:
    linked = linker.link(text)
    end = 0
    for mention in linked.note.mentions:
        assert text[mention.start_char : mention.end_char] == mention.text
        assert end <= mention.start_char < mention.end_char
        end = mention.end_char
    assert linked == linker.link(text)


@pytest.mark.parametrize(
    "text",
    ["a" * 50_000, "no fever " * 5_500, "-fever " * 7_000, "S." * 25_000, "\0" * 50_000, "Denies:\nfever\n" * 3_300],
)
def test_hostile_text_is_read_in_time_that_grows_with_its_length(linker: DictionaryLinker, text: str) -> None:
    started = time.process_time()
    linker.link(text)
    assert time.process_time() - started < 6
