"""The warnings of whole letters: each red flag with its level, none told twice or at two levels, the gravest first."""

from itertools import combinations

import pytest

from backend.container import Container
from backend.generation.composer.wording import content_words
from backend.generation.composer.written_so_far import FEWEST, SHARE
from backend.knowledge.advice.red_flags import level_of
from backend.knowledge.advice.sign_classes import Level
from backend.schemas.drafts.headings import WARNING
from backend.schemas.drafts.request import DraftRequest

A, E, T = Level.CALL_AMBULANCE, Level.EMERGENCY_DEPARTMENT, Level.CALL_TODAY
HEAD = "Allergies: none\n\n"
NOTES: dict[str, tuple[str, tuple[tuple[str, Level], ...]]] = {
    "a clot and a blood thinner": (
        "HPI: A 54-year-old woman with sudden dyspnea. CT showed pulmonary embolism.\n"
        "Medications: rivaroxaban 15 mg twice daily.\nAssessment: Acute pulmonary embolism.",
        (("you faint", A), ("stools are black like tar or bloody", E), ("hit your head", E), ("leg", T)),
    ),
    "a weak heart and an ACE inhibitor": (
        "HPI: A 72-year-old man with acute heart failure. He has atrial fibrillation.\n"
        "Medications: apixaban 5 mg twice daily, lisinopril 10 mg daily, furosemide 40 mg daily.\n"
        "Assessment: Acute on chronic heart failure, improved.",
        (
            ("trouble breathing", A),
            ("lips, face or tongue swell", A),
            ("hit your head", E),
            ("2 to 3 pounds", T),
        ),
    ),
    "low white cells": (
        "HPI: A 61-year-old woman with breast cancer on docetaxel chemotherapy, fever and neutrophils 0.3.\n"
        "Assessment: Febrile neutropenia.",
        (("fever of 100.4", E), ("shaking chills", E)),
    ),
    "clozapine": (
        "HPI: A 34-year-old man with schizophrenia.\nMedications: clozapine 300 mg at night\nAssessment: Psychosis, stable.",
        (("a fever, a sore throat or mouth sores on clozapine", E), ("voices that tell you", E), ("suicide", E)),
    ),
    "a new seizure medicine": (
        "HPI: A 25-year-old woman with epilepsy had a seizure at work.\nMedications: lamotrigine 25 mg daily\n"
        "Assessment: Epilepsy with breakthrough seizure.",
        (("lasts 5 minutes or more", A), ("rash with a fever, blisters", E), ("any other rash", T)),
    ),
    "insulin": (
        "HPI: A 22-year-old man with type 1 diabetes had vomiting, glucose 29 mmol/L, ketones 6.\n"
        "Medications: insulin glargine 20 units at night\nAssessment: Type 1 diabetes mellitus with ketoacidosis.",
        (("makes you pass out", A), ("you have no insulin", E)),
    ),
    "a bleed in the head": (
        "HPI: An 81-year-old woman fell three weeks ago. CT: chronic subdural hematoma, no surgery.\nAssessment: Subdural hematoma.",
        (("newly confused", A), ("worse or sudden bad headache", A), ("hit your head", E)),
    ),
    "a stone": (
        "HPI: A 40-year-old man with left flank pain and a 5 mm ureteral stone.\nAssessment: Kidney stone.",
        (("fever or chills with a kidney stone", E), ("cannot pass urine", E)),
    ),
    "a failing liver": (
        "HPI: A 58-year-old man with alcoholic cirrhosis and ascites.\nMedications: lactulose 20 g three times a day\nAssessment: Cirrhosis.",
        (("vomit blood", A), ("newly confused", A), ("black like tar", E), ("fever or belly pain", E)),
    ),
    "an ectopic pregnancy": (
        "HPI: A 29-year-old woman with ectopic pregnancy treated with a methotrexate injection.\nAssessment: Ectopic pregnancy.",
        (("tip of the shoulder", A), ("severe belly pain", A)),
    ),
    "cancer in the bones": (
        "HPI: A 68-year-old man with prostate cancer and bone metastases has new low back pain.\nAssessment: Low back pain. Bone metastases.",
        (("legs turn weak", E), ("lose control of your bladder", E)),
    ),
    "steroids for life": (
        "HPI: A 45-year-old woman with Addison disease vomited for a day.\nMedications: hydrocortisone 20 mg daily\nAssessment: Adrenal insufficiency.",
        (("you faint", A), ("cannot keep your steroid down", E)),
    ),
    "a collapsed lung": (
        "HPI: A 24-year-old man with spontaneous pneumothorax. The chest tube was removed.\nAssessment: Pneumothorax.",
        (("more short of breath", A),),
    ),
    "a red eye": (
        "HPI: A 66-year-old woman with sudden eye pain.\nAssessment: Acute angle-closure glaucoma.",
        (("your eye hurts or turns red again", E), ("suddenly lose sight", E)),
    ),
    "a high pressure in pregnancy": (
        "HPI: A 31-year-old woman, G2P1 at 33 weeks, blood pressure 152/98, headache.\nMedications: labetalol 200 mg twice daily\nAssessment: Preeclampsia.",
        (("spots before your eyes", E), ("baby moves less", E), ("160/110", E)),
    ),
    "a fever on methotrexate": (
        "HPI: A 66-year-old woman with a flare of rheumatoid arthritis.\n"
        "Medications: methotrexate 15 mg weekly, naproxen 500 mg twice daily\nAssessment: Rheumatoid arthritis flare.",
        (("a fever on methotrexate", E), ("black like tar", E), ("hot, red and very swollen", E)),
    ),
    "a fever without a spleen": (
        "HPI: A 30-year-old man with a splenectomy in 2019 has pneumonia.\nAssessment: Pneumonia.",
        (("without a spleen", E), ("struggle to breathe", A)),
    ),
    "a pain without a cause": (
        "Chief Complaint: chest pain\n\nHPI: A 48-year-old woman with chest pain for two days. Troponin negative.\n\nAssessment: Chest pain.",
        (("lasts more than 5 minutes", A), ("sweating, fainting", A)),
    ),
}


@pytest.fixture(scope="module")
def letters(container: Container) -> dict[str, list[str]]:
    """The warnings of each letter, in order, without what the team has to add."""
    pipeline = container.pipeline("leapnote")
    drafts = {name: pipeline.run(DraftRequest(text=HEAD + note)) for name, (note, _) in NOTES.items()}
    return {
        name: [s.text for s in draft.sentences if s.section == WARNING and not s.text.startswith("[")]
        for name, draft in drafts.items()
    }


@pytest.mark.parametrize(
    ("name", "words", "level"),
    [(name, words, level) for name, (_, signs) in NOTES.items() for words, level in signs],
)
def test_a_letter_tells_a_red_flag_at_its_level(
    letters: dict[str, list[str]], name: str, words: str, level: Level
) -> None:
    told = [text for text in letters[name] if words in text]
    assert told, letters[name]
    assert {level_of(text) for text in told} == {level}


@pytest.mark.parametrize("name", NOTES)
def test_a_letter_tells_no_sign_twice_or_at_two_levels_and_the_gravest_first(
    container: Container, letters: dict[str, list[str]], name: str
) -> None:
    flags = {flag.sentence: flag for flag in container.starter.red_flags}
    signs = [flags[text].sign for text in letters[name] if text in flags]
    assert len(signs) == len(set(signs)) >= 4
    ranks = [level.rank for text in letters[name] if (level := level_of(text)) is not None]
    assert ranks == sorted(ranks)
    alike = [
        (one, other)
        for one, other in combinations((flags[text] for text in letters[name] if text in flags), 2)
        if len(shared := content_words(one.sign) & content_words(other.sign)) >= FEWEST
        and len(shared) >= SHARE * min(len(content_words(one.sign)), len(content_words(other.sign)))
    ]
    assert [pair for pair in alike if pair[0].level is not pair[1].level] == []


@pytest.mark.parametrize(
    "name", ["a fever on methotrexate", "a fever without a spleen", "low white cells", "clozapine"]
)
def test_where_a_fever_is_an_emergency_no_warning_leaves_it_to_a_call(letters: dict[str, list[str]], name: str) -> None:
    assert {level_of(text) for text in letters[name] if "fever" in text} == {E}
