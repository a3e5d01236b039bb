"""Sections, sentences and passages, in the styles in which notes are written."""

import csv
import itertools
import os
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.errors import KnowledgeError
from backend.nlp.document import passages, sections, sentences
from backend.nlp.document.headers import header_table, known_header, read_headers
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.vocabulary import SectionCategory as C

HOSTILE = [
    "\0",
    "א ",
    "\U0001f600\u200d ",
    "\n",
    "a",
    "A",
    "ABC ",
    ":",
    "a:",
    "PLAN:",
    "ALLERGIES: ",
    "(",
    ".",
    '."',
    "1. ",
    "_",
    "[**",
    "# ",
    "- ",
]


def outline(note: str) -> list[tuple[str, str]]:
    return [(s.category.value, note[s.body_char : s.end_char].strip(" ,\n")) for s in sections(note)]


def categories(note: str) -> list[str]:
    return [s.category.value for s in sections(note)]


def test_no_text_has_no_section_and_text_without_header_is_unlabeled() -> None:
    assert sections("") == ()
    (only,) = sections("A man with cough.")
    assert (only.category, only.title, only.start_char, only.end_char) == (C.UNLABELED, "", 0, 17)


def test_discharge_summary_with_headers_at_line_starts() -> None:
    note = (
        "Name:  ___   Unit No:   ___\n\nService: MEDICINE\n\nAllergies: \nPenicillins / Iodine\n\n___ Complaint:\nchest pain\n\n"
        "History of Present Illness:\n___ year old F. Labs: WBC 10. CXR: clear.\n\nPast Medical History:\nHTN\n\n___ History:\n"
        "lives alone\n\nPhysical Exam:\nVitals: 98\nHEENT: normal\nLungs: clear\n\nDischarge Medications:\n1. Aspirin\n"
    )
    assert outline(note)[1:] == [
        ("other", "MEDICINE"),
        ("allergies", "Penicillins / Iodine"),
        ("chief_complaint", "chest pain"),
        ("history_of_present_illness", "___ year old F. Labs: WBC 10. CXR: clear."),
        ("past_medical_history", "HTN"),
        ("other", "lives alone"),
        ("physical_exam", "Vitals: 98\nHEENT: normal\nLungs: clear"),
        ("medications", "1. Aspirin"),
    ]


def test_dictation_in_one_run_on_paragraph_with_stray_commas() -> None:
    note = (
        "CHIEF COMPLAINT:,  Chest pain.,HISTORY OF PRESENT ILLNESS:  ,This is a man. Onset: yesterday. LOCATION: chest. The patient's "
        "past medical history: he says none.,PAST MEDICAL HISTORY:  Gout.,ALLERGIES:,  None.,MEDICATIONS:,  Aspirin.,SOCIAL/FAMILY HISTORY:  , Smokes.,"
        "PHYSICAL EXAMINATION:  ,VITAL SIGNS:  BP 120/80. HEENT:  Normal. NEUROLOGIC EXAM: normal. ,IMPRESSION:  1. Gout.  Plan: observe.,PLAN: , Admit."
    )
    assert outline(note) == [
        ("chief_complaint", "Chest pain."),
        (
            "history_of_present_illness",
            "This is a man. Onset: yesterday. LOCATION: chest. The patient's past medical history: he says none.",
        ),
        ("past_medical_history", "Gout."),
        ("allergies", "None."),
        ("medications", "Aspirin."),
        ("social_history", "Smokes."),
        ("physical_exam", "VITAL SIGNS:  BP 120/80. HEENT:  Normal. NEUROLOGIC EXAM: normal."),
        ("assessment", "1. Gout.  Plan: observe."),
        ("plan", "Admit."),
    ]


def test_headers_before_a_comma_that_was_a_line_break() -> None:
    note = (
        "HOME MEDICATIONS:,  Docusate 100 mg daily,REVIEW OF SYSTEMS REVEALS:,  No fever or weight loss in the last months.,"
        "PHYSICAL EXAMINATION,GENERAL: , Alert and in no distress, walks with a stick.,ASSESSMENT,1.  Gout of the left knee.,"
        "2.  Hypertension, well controlled.,PLAN,Aspirate the knee and send the fluid for crystals."
    )
    assert outline(note) == [
        ("medications", "Docusate 100 mg daily"),
        ("review_of_systems", "No fever or weight loss in the last months."),
        ("physical_exam", "GENERAL: , Alert and in no distress, walks with a stick."),
        ("assessment", "1.  Gout of the left knee.,2.  Hypertension, well controlled."),
        ("plan", "Aspirate the knee and send the fluid for crystals."),
    ]


def test_the_story_after_a_denial_is_no_allergy_where_line_breaks_became_commas() -> None:
    story = (
        "His heart failure was thought to come from long untreated hypertension and he has been followed by the clinic for"
        " it every three months since then.,He received his flu vaccine in the autumn."
    )
    note = f"PAST MEDICAL HISTORY: , Heart failure.,ALLERGIES:,THE PATIENT HAS NONE.,{story},FAMILY HISTORY: , Gout."
    assert outline(note)[1:3] == [("allergies", "THE PATIENT HAS NONE."), ("unlabeled", story)]


def test_markdown_headings_and_bold_labels() -> None:
    note = "## CC\nCough\n\n## HPI\nBad.\n### Severity\nhigh\n\n**Allergies:** NKDA\n\n**PMH**\nGout\n\n**Plan:** rest"
    assert outline(note) == [
        ("chief_complaint", "Cough"),
        ("history_of_present_illness", "Bad.\n### Severity\nhigh"),
        ("allergies", "NKDA"),
        ("past_medical_history", "Gout"),
        ("plan", "rest"),
    ]


def test_headers_alone_on_their_line_without_a_colon() -> None:
    note = "Present Illness\n\nA woman on many\nmedications\nand well.\n\nAllergic History\n\nNone\n\nCurrent Medications at Home\nAspirin"
    assert outline(note) == [
        ("history_of_present_illness", "A woman on many\nmedications\nand well."),
        ("allergies", "None"),
        ("medications", "Aspirin"),
    ]


def test_shorthand_in_lower_case_and_before_dashes() -> None:
    assert categories("cc: cough\nhpi: 3 days\npmh: gout\nall: nkda\nmeds: none\nplan: rest") == [
        "chief_complaint", "history_of_present_illness", "past_medical_history", "allergies", "medications", "plan",
    ]  # fmt: skip
    assert outline("Allergies - NKDA\nMeds \u2013 aspirin\nReason for Visit - cough") == [
        ("allergies", "NKDA"), ("medications", "aspirin"), ("chief_complaint", "cough"),
    ]  # fmt: skip


def test_soap_letters_count_only_together() -> None:
    assert categories("S: cough\nO: T 98\nA: cold\nP: rest") == [
        "history_of_present_illness",
        "physical_exam",
        "assessment",
        "plan",
    ]
    assert categories("P: 80, regular") == ["unlabeled"]


@pytest.mark.parametrize(
    ("title", "category"),
    [
        ("ALLERGIES, ADVERSE REACTIONS, ALERTS", C.ALLERGIES), ("All", C.ALLERGIES), ("Allergic History", C.ALLERGIES),
        ("CC", C.CHIEF_COMPLAINT), ("REASON FOR ADMISSION", C.CHIEF_COMPLAINT), ("REASON FOR CONSULTATION", C.CHIEF_COMPLAINT),
        ("HISTORY OF PRESENTING COMPLAINT", C.HISTORY_OF_PRESENT_ILLNESS), ("History of Present Illness (HPI)", C.HISTORY_OF_PRESENT_ILLNESS),
        ("PMHx", C.PAST_MEDICAL_HISTORY), ("Past Medical/Surgical History", C.PAST_MEDICAL_HISTORY), ("PSH", C.PAST_SURGICAL_HISTORY),
        ("FHx", C.FAMILY_HISTORY), ("SH", C.SOCIAL_HISTORY), ("Current Medications at Home", C.MEDICATIONS),
        ("MEDICATIONS PRIOR TO ADMISSION", C.MEDICATIONS), ("ROS", C.REVIEW_OF_SYSTEMS), ("PE", C.PHYSICAL_EXAM), ("OBJECTIVE", C.PHYSICAL_EXAM),
        ("A/P", C.ASSESSMENT), ("Assessment & Plan", C.ASSESSMENT), ("___ Complaint", C.CHIEF_COMPLAINT),
        ("Past [**Name 1**] History", C.OTHER), ("___ of Present Illness", C.HISTORY_OF_PRESENT_ILLNESS),
    ],
)  # fmt: skip
def test_a_title_names_its_category(title: str, category: C) -> None:
    found = known_header(title)
    assert found is not None
    assert found.category is category


@pytest.mark.parametrize(
    "inside",
    [
        "Allergies include penicillin. He is well.",
        "The patient's past medical history is significant for gout.",
        "Assessment of the wound was done.",
        "History of present illness as above.",
        "HISTORY OF PRESENT ILLNESS as above.",
        "We discussed the Plan: rest and fluids.",
        "Onset: sudden. Severity: 7 out of 10. Associated symptoms: none.",
        "He was told that his medications: aspirin and statin, must go on.",
        "Time seen: 10:30. Ratio 3:1.",
        (
            "hx gout (last 2019). fell 2 wks ago. took motrin.",
            ["hx gout (last 2019).", "fell 2 wks ago.", "took motrin."],
        ),
    ],
)
def test_words_that_only_look_like_a_header_do_not_end_a_section(inside: str) -> None:
    note = f"CHIEF COMPLAINT:  Cough. HISTORY OF PRESENT ILLNESS:  A man with cough. {inside} He came in. ALLERGIES:  None."
    assert outline(note)[1] == ("history_of_present_illness", f"A man with cough. {inside} He came in.")
    assert categories(note)[-1] == "allergies"


def test_an_impression_opens_an_assessment_in_a_note_whose_headers_are_abbreviations() -> None:
    note = "PC: cough 2/7\nPMH: HTN, gout\nSH: lives alone\nO/E chest clear\nImp: viral bronchitis\nfluids, home"
    assert outline(note)[-1] == ("assessment", "viral bronchitis\nfluids, home")


def test_labels_inside_a_plan_stay_in_it() -> None:
    note = "Assessment: cold\nPlan: rest\nLabs: CBC\nImaging: none\nFollow-up in a week"
    assert outline(note)[-1] == ("plan", "rest\nLabs: CBC\nImaging: none\nFollow-up in a week")


def test_an_entry_of_the_allergies_in_capitals_does_not_end_them() -> None:
    note = "HISTORY OF PRESENT ILLNESS: cough.\nMEDICATIONS: none.\nALLERGIES: see below.\nSULFA DRUGS: rash\nSOCIAL HISTORY: smokes."
    assert ("allergies", "see below.\nSULFA DRUGS: rash") in outline(note)


def test_an_examination_goes_on_after_the_vital_signs() -> None:
    assert categories("VITAL SIGNS: BP 120/80.\nHEENT: normal.\nLUNGS: clear.\nASSESSMENT: well.") == [
        "vital_signs", "physical_exam", "assessment",
    ]  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "ALLERGIES:",
                "Plan:",
                "## HPI",
                "\n",
                "cough. ",
                "a\0b",
                "\u202eא",
                "\U0001f600",
                "- x",
                "** ",
                "___ History:",
            ]
        ),
        max_size=30,
    )
)
def test_sections_cover_the_text_in_order_without_overlap(parts: list[str]) -> None:
    note = "".join(parts)
    found = sections(note)
    edges = [0, *(s.end_char for s in found)]
    assert [s.start_char for s in found] == edges[:-1]
    assert edges[-1] == len(note)
    assert all(s.start_char <= s.body_char <= s.end_char and s.title in note for s in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dr. Smith saw Pt. Jones at St. Mary. She left.", ["Dr. Smith saw Pt. Jones at St. Mary.", "She left."]),
        ("Aspirin 81 mg q.d. and metoprolol b.i.d. She is well.", ["Aspirin 81 mg q.d. and metoprolol b.i.d.", "She is well."]),
        ("K 4.5. Na 140.", ["K 4.5.", "Na 140."]),
        ("1. Aspirin 2. Latex", ["1. Aspirin 2. Latex"]),
        ("He is 45. No. 5 is next.", ["He is 45.", "No. 5 is next."]),
        ("Seen by J. Smith vs. another, e.g. the nurse. Ok.", ["Seen by J. Smith vs. another, e.g. the nurse.", "Ok."]),
        ("Seen by ___. She was given [**First Name. X**] food.", ["Seen by ___.", "She was given [**First Name. X**] food."]),
        ("H/o CHF. ?pneumonia on CXR. Ok?", ["H/o CHF.", "?pneumonia on CXR.", "Ok?"]),
        ("- fever\n- cough\nchills", ["- fever", "- cough", "chills"]),
        ("She denies fever, chills,\ncough or pain.", ["She denies fever, chills,\ncough or pain."]),
        ("The patient is a long-standing smoker who was admitted with\nchest pain and cough. He left.",
         ["The patient is a long-standing smoker who was admitted with\nchest pain and cough.", "He left."]),
        ("Chest pain.,He was seen.,She left.", ["Chest pain.", "He was seen.", "She left."]),
        ("Nadolol 40 mg.,Codeine b.i.d.,2.  Iron by Dr., Lee.,", ["Nadolol 40 mg.", "Codeine b.i.d.", "2.  Iron by Dr., Lee."]),
        ("Calf pain ? DVT. Seen today.", ["Calf pain ? DVT.", "Seen today."]),
        ("Bronchitis/? Pneumonia", ["Bronchitis/? Pneumonia"]),
        ("Is it gout? Rash seen.", ["Is it gout?", "Rash seen."]),
    ],
)  # fmt: skip
def test_sentences_end_where_they_end(text: str, expected: list[str]) -> None:
    assert [text[a:b] for a, b in sentences(text)] == expected


def test_sentences_of_a_stretch_index_the_whole_text() -> None:
    text = "One. Two is here. Three."
    assert [text[a:b] for a, b in sentences(text, 5, 17)] == ["Two is here."]


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200), st.integers(1, 60))
def test_sentences_and_passages_lose_nothing_but_white_space(text: str, limit: int) -> None:
    for spans in (sentences(text), passages(text, limit)):
        assert all(a < b for a, b in spans)
        assert all(left[1] <= right[0] for left, right in itertools.pairwise(spans))
    kept = "".join(text[a:b] for a, b in passages(text, limit))
    assert all(b - a <= limit for a, b in passages(text, limit))
    assert [c for c in kept if c.isalnum()] == [c for c in text if c.isalnum()]


def test_a_passage_packs_whole_sentences_and_cuts_one_that_is_too_long() -> None:
    text = "One two. Three four. " + "Word " * 10
    assert [text[a:b] for a, b in passages(text, 21)] == [
        "One two. Three four.",
        "Word Word Word Word",
        "Word Word Word Word",
        "Word Word",
    ]
    with pytest.raises(ValueError, match="limit is 0"):
        passages("x", 0)


@pytest.mark.parametrize("filler", HOSTILE, ids=repr)
def test_hostile_text_is_read_whole(filler: str) -> None:
    text = filler * (20_000 // len(filler))
    found = sections(text)
    assert found[-1].end_char == len(text)
    assert sentences(text) is not None
    assert passages(text) is not None


def test_a_malformed_header_table_names_its_line(tmp_path: Path) -> None:
    bad = tmp_path / "headers.tsv"
    bad.write_text("header\tcategory\tkind\nfoo\tnonsense\tmain\n", encoding="utf-8")
    with pytest.raises(KnowledgeError, match="foo"):
        read_headers(bad, RULES / "header_words.tsv")
    bad.write_text("header\tcategory\tkind\nfoo\n", encoding="utf-8")
    with pytest.raises(KnowledgeError, match="line 2"):
        rule_rows(bad, 3)
    assert header_table().known


@pytest.mark.data
def test_sections_of_real_notes_are_found_whole() -> None:
    folder = (
        Path(os.environ.get("LEAPNOTE_TEST_DATA", Path(__file__).resolve().parents[4] / "shared" / "data"))
        / "aci_bench"
    )
    if not folder.exists():
        pytest.skip(f"no open data at {folder}; set LEAPNOTE_TEST_DATA")
    titles = {
        "CHIEF COMPLAINT": "chief_complaint", "HISTORY OF PRESENT ILLNESS": "history_of_present_illness", "ALLERGIES": "allergies",
        "SOCIAL HISTORY": "social_history", "FAMILY HISTORY": "family_history", "REVIEW OF SYSTEMS": "review_of_systems",
        "ASSESSMENT AND PLAN": "assessment", "INSTRUCTIONS": "instructions",
    }  # fmt: skip
    wanted = found = 0
    with (folder / "train.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            note = row["note"].replace("\r\n", "\n")
            read = {
                note[s.start_char : s.start_char + len(s.title)]: s.category.value for s in sections(note) if s.title
            }
            for title, category in titles.items():
                if f"\n{title}\n" in f"\n{note}":
                    wanted += 1
                    found += read.get(title) == category
    assert wanted > 200
    assert found / wanted > 0.99


CODES = {
    "cc": {"chief_complaint"}, "hpi": {"history_of_present_illness"}, "pmh": {"past_medical_history"},
    "psh": {"past_surgical_history"}, "med": {"medications"}, "all": {"allergies"}, "fh": {"family_history"},
    "sh": {"social_history"}, "sf": {"social_history", "family_history"}, "pe": {"physical_exam"}, "ros": {"review_of_systems"},
    "lab": {"results"}, "im": {"imaging", "results"}, "as": {"assessment"}, "pl": {"plan"}, "ap": {"assessment", "plan"},
    "hc": {"hospital_course"}, "vs": {"vital_signs"}, "imm": {"immunizations"}, "ins": {"instructions"}, "pr": {"procedures"},
}  # fmt: skip
"""What the marks of marked_notes.txt stand for; [[x]] opens a section of any other category."""


def marked_notes() -> list[tuple[str, list[tuple[int, str]]]]:
    """Each note's text, and where its sections begin, with their marks."""
    notes = []
    for raw in (Path(__file__).parent / "marked_notes.txt").read_text("utf-8").split("\n===\n"):
        text, places = "", []
        for part in re.split(r"(\[\[\w+\]\])", raw):
            if mark := re.fullmatch(r"\[\[(\w+)\]\]", part):
                places.append((len(text), mark[1]))
            else:
                text += part
        notes.append((text, places))
    return notes


def test_borders_and_bodies_of_marked_notes() -> None:
    wanted = right = opened = whole = 0
    for text, places in marked_notes():
        ends = [*(place for place, _ in places[1:]), len(text)]
        found = sections(text)
        marked = dict(places)
        for place, end in zip(marked, ends, strict=True):
            hit = next((s for s in found if s.title and abs(s.start_char - place) <= 3), None)
            if marked[place] == "x":
                continue
            wanted += 1
            right += hit is not None and hit.category in CODES[marked[place]]
            whole += hit is not None and text[: hit.end_char].rstrip(" ,\n") == text[:end].rstrip(" ,\n")
        opened += sum(bool(s.title) and s.category != "other" for s in found)
        opened -= sum(
            mark == "x" and any(s.start_char == at and s.category != "other" for s in found) for at, mark in places
        )
    assert right / wanted >= 0.97
    assert right / opened >= 0.95
    assert whole / wanted >= 0.96
