"""Allergies, read from sections and from running text with a tiny list of allergens."""

import time
from functools import partial
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.knowledge.starter import read_starter
from backend.nlp.allergies.read_allergies import read_allergies
from backend.nlp.attributes.engine import read_attributes
from backend.nlp.document.parsed_note import parse_note
from backend.nlp.extraction.linker import DictionaryLinker
from backend.nlp.lexicon.matches import Candidate
from backend.schemas.drafts.note import Allergies
from backend.settings import ROOT

KNOWN = {
    "penicillin": "drug", "pcn": "drug", "sulfa": "drug_class", "sulfonamide antibiotics": "drug_class", "codeine": "drug",
    "aspirin": "drug", "latex": "allergen", "iodine": "substance", "shellfish": "allergen", "keflex": "drug", "bactrim": "drug",
    "contrast": "drug_class", "iv contrast": "drug_class", "lisinopril": "drug", "statin": "drug_class", "lactose": "allergen",
    "morphine": "drug", "amoxicillin": "drug", "peanut": "allergen", "egg": "allergen", "erythromycin": "drug",
    "tetracycline": "drug", "nsaid": "drug_class", "bee sting": "allergen", "cipro": "drug", "vancomycin": "drug",
    "ibuprofen": "drug", "adhesive tape": "allergen", "percocet": "drug", "demerol": "drug", "levaquin": "drug",
    "phenergan": "drug", "compazine": "drug", "zithromax": "drug", "trimethoprim/sulfamethoxazole": "drug",
    "pollen": "allergen", "rash": "symptom", "hives": "symptom", "nausea": "symptom",
}  # fmt: skip


def lookup(phrase: str) -> Candidate | None:
    key = phrase.strip().lower()
    for form in (key, key.removesuffix("s")):
        if form in KNOWN:
            return Candidate(f"T:{form}", form, "CHEM", KNOWN[form], 1.0, "exact")
    return None


def read(note: str) -> Allergies:
    parsed = parse_note(note)
    return read_allergies(parsed, (), lookup, partial(read_attributes, parsed)).allergies


def of_section(body: str) -> Allergies:
    return read(f"MEDICATIONS: none.\n\nALLERGIES: {body}\n\nSOCIAL HISTORY: smokes.")


def items(found: Allergies) -> set[str]:
    return {item.text.lower() for item in found.items}


class Line(NamedTuple):
    status: str
    items: set[str]
    body: str


def lines() -> list[Line]:
    rows = (ROOT / "tests" / "nlp" / "allergy_lines.tsv").read_text(encoding="utf-8").splitlines()
    cells = [row.split("\t") for row in rows if not row.startswith("#")][1:]
    return [Line(c[1], set(filter(None, c[2].split("|"))), c[3].replace("\\n", "\n")) for c in cells]


@pytest.mark.parametrize("line", lines(), ids=lambda line: line.body[:50])
def test_a_section_is_recognised_and_nothing_it_lists_is_lost(line: Line) -> None:
    found = of_section(line.body)
    assert (found.status, items(found)) == (line.status, line.items)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("He is allergic to penicillin (hives).", {"penicillin": ("allergy", "hives")}),
        ("She has a severe PCN allergy.", {"pcn": ("allergy", "")}),
        ("She has an allergy to sulfa and presents with cough.", {"sulfa": ("allergy", "")}),
        ("She develops a rash with sulfa.", {"sulfa": ("allergy", "rash")}),
        ("He had anaphylaxis to contrast in 2010.", {"contrast": ("allergy", "")}),
        ("He cannot take codeine - nausea.", {"codeine": ("intolerance", "nausea")}),
        ("He has statin intolerance.", {"statin": ("intolerance", "")}),
        ("She is intolerant of lisinopril (cough).", {"lisinopril": ("intolerance", "cough")}),
        ("She is lactose intolerant.", {"lactose": ("intolerance", "")}),
        ("He reports sensitivity to codeine.", {"codeine": ("allergy", "")}),
        ("Allergies include penicillin and aspirin.", {"penicillin": ("allergy", ""), "aspirin": ("allergy", "")}),
        ("HTN, CAD, PCN allergy.", {"pcn": ("allergy", "")}),
        ("He is allergic to xylazolamine.", {"xylazolamine": ("allergy", "")}),
        ("Drug history: allergies aspirin.", {"aspirin": ("allergy", "")}),
    ],
)
def test_running_text_states_allergies(sentence: str, expected: dict[str, tuple[str, str]]) -> None:
    found = read(f"HPI: A 50-year-old man with cough. {sentence}")
    assert {item.text.lower(): (item.kind.value, item.reaction) for item in found.items} == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "History of allergic rhinitis and seasonal allergies.",
        "Father is allergic to penicillin.",
        "Her mother has a peanut allergy.",
        "Culture and sensitivity pending. Sensitivity to light.",
        "He cannot tolerate oral intake.",
        "Call if you develop an allergic reaction to the medicine.",
        "No history of penicillin allergy.",
        "She is not allergic to penicillin.",
        "The patient has a rash after a fall.",
        "He takes allergy medicine and sees the allergy clinic.",
        "She denies environmental allergies.",
    ],
)
def test_running_text_that_states_no_allergy_of_the_patient(sentence: str) -> None:
    assert read(f"HPI: A 50-year-old man with cough. {sentence}").status == "not_stated"


@pytest.mark.parametrize("sentence", ["NKDA.", "No known drug allergies.", "He denies any drug allergies."])
def test_running_text_may_say_that_there_are_none(sentence: str) -> None:
    found = read(f"PAST MEDICAL HISTORY: asthma. {sentence}")
    assert found.status == "none_known"
    assert found.text in sentence


def test_a_contradiction_resolves_to_listed() -> None:
    found = read("ALLERGIES: NKDA.\n\nPAST MEDICAL HISTORY: asthma, PCN allergy (anaphylaxis).")
    assert (found.status, items(found)) == ("listed", {"pcn"})
    assert found.text == "NKDA"


def test_an_empty_section_states_nothing() -> None:
    assert read("ALLERGIES:\n\nMEDICATIONS: aspirin").status == "not_stated"


def test_an_unknown_entry_is_kept_and_unchecked() -> None:
    (item,) = of_section("Xylazolamine - hives").items
    assert (item.text, item.checked, item.concept_id, item.reaction) == ("Xylazolamine", False, None, "hives")


def test_a_reaction_word_is_no_concept_one_reacts_to() -> None:
    (item,) = of_section("Penicillin, rash").items
    assert (item.concept_id, item.reaction) == ("T:penicillin", "rash")


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("Codeine (nausea)", "intolerance"),
        ("Codeine - GI upset", "intolerance"),
        ("Lisinopril: cough", "intolerance"),
        ("Penicillin", "allergy"),
        ("Penicillin (nausea and hives)", "allergy"),
        ("Codeine intolerance (anaphylaxis)", "allergy"),
        ("Lisinopril - cough, angioedema", "allergy"),
        ("Aspirin side effect: headache", "intolerance"),
    ],
)
def test_an_intolerance_is_one_only_by_its_words_and_never_a_severe_reaction(body: str, kind: str) -> None:
    assert [item.kind.value for item in of_section(body).items] == [kind]


def test_entries_with_reactions_in_one_list() -> None:
    found = of_section("Penicillin - hives; Sulfa (rash), codeine: GI upset, PCN -> anaphylaxis")
    assert [(i.text, i.reaction) for i in found.items][:3] == [
        ("Penicillin", "hives"), ("Sulfa", "rash"), ("codeine", "GI upset"),
    ]  # fmt: skip


def test_the_family_section_may_still_speak_of_the_patient() -> None:
    found = read("FH: father has asthma\nAllergic to penicillin\n")
    assert items(found) == {"penicillin"}


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet=st.sampled_from("aZ ,;:()-/\n.é\U0001f600\0\u202e" + "penicilhvs"), max_size=120))
def test_offsets_quote_the_note_exactly(body: str) -> None:
    note = f"ALLERGIES: {body}"
    for item in read(note).items:
        assert note[item.start_char : item.end_char] == item.text


@pytest.mark.parametrize("filler", ["a,", "(", "penicillin - ", "no ", "allergic to ", "x/", "rash ", "? ", "\n"])
def test_a_hostile_list_is_read_in_linear_time(filler: str) -> None:
    assert read("ALLERGIES: " + filler * (20_000 // len(filler))) is not None


def test_a_known_name_inside_a_phrase_nobody_knows_is_checked() -> None:
    (item,) = of_section("Penicillin since childhood").items
    assert (item.text, item.concept_id) == ("Penicillin", "T:penicillin")


def test_a_list_within_a_sentence_keeps_what_it_does_not_know() -> None:
    found = of_section("She has multiple medication allergies, which include codeine, Talwin, and Darvon.")
    assert items(found) == {"codeine", "talwin", "darvon"}


def shipped_lines() -> list[Line]:
    rows = (ROOT / "tests" / "nlp" / "allergy_notes.tsv").read_text(encoding="utf-8").splitlines()
    cells = [row.split("\t") for row in rows if not row.startswith("#")][1:]
    around = {"note": "{}", "section": "MEDICATIONS:  None.\n\nALLERGIES:  {}\n\nSOCIAL HISTORY:  Nonsmoker."}
    return [Line(c[0], set(filter(None, c[1].lower().split("|"))), around[c[2]].format(c[3])) for c in cells]


@pytest.fixture(scope="module")
def starter_linker() -> DictionaryLinker:
    return DictionaryLinker([row for row, _ in read_starter(ROOT / "assets" / "knowledge").concepts])


@pytest.mark.parametrize("line", shipped_lines(), ids=lambda line: line.body[:60])
def test_with_the_starter_knowledge_no_allergy_is_missed(starter_linker: DictionaryLinker, line: Line) -> None:
    found = starter_linker.link(line.body).allergies
    assert found.status == line.status
    assert not {want for want in line.items if not any(want in got or got in want for got in items(found))}


def test_a_row_of_cues_without_end_is_read_in_linear_time() -> None:
    for row in ("ALLERGIES " * 5000, "allergic to " * 4000, "allergy " * 6000):
        started = time.process_time()
        read(row)
        assert time.process_time() - started < 3  # seconds; the square would take minutes
