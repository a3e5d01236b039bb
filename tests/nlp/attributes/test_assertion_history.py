"""What is past and what is of today: sentences of our own, of the kinds that a public corpus showed to be misread."""

import pytest

from backend.schemas.vocabulary import Assertion
from tests.nlp.assessed_spans import assert_spans

P, N, H, Y = Assertion.PRESENT, Assertion.NEGATED, Assertion.HISTORICAL, Assertion.HYPOTHETICAL


def said_of(text: str, phrase: str) -> Assertion:
    start = text.index(phrase)
    ((found, _),) = assert_spans(text, [(start, start + len(phrase))])
    return found


@pytest.mark.parametrize(
    ("text", "phrase", "meant"),
    [
        # the history on a request or a report is its reason
        ("Chest film, two views, 0815 Clinical history: hoarseness, neck mass.", "neck mass", P),
        ("Specimen 3 Patient history: flank pain.", "flank pain", P),
        ("EXAM: MR knee without contrast HISTORY: locking.", "locking", P),
        ("Seen in clinic; past medical history: gout, psoriasis.", "psoriasis", H),
        ("Seen in clinic; cardiac history: heart block.", "heart block", H),
        ("Clinical history: status post splenectomy.", "splenectomy", H),
        # what is over
        ("He vomited the last time he had codeine.", "vomited", H),
        ("The last time she took it, she had a rash.", "rash", H),
        ("Her last attack of gout was in March.", "gout", H),
        ("Three months ago he was admitted with colitis.", "colitis", H),
        ("He was admitted two months ago with colitis.", "colitis", H),
        ("The pain is similar to those in the past.", "pain", P),
        ("No significant past medical history except for gout.", "gout", H),
        ("Her last attack of angina was this morning.", "angina", P),
        ("Her last attack of gout was last year; a scan today is planned.", "scan", P),
        ("Some numbness of the hand, although that seemed to have resolved by noon.", "numbness", H),
        ("Her lisinopril was increased in 07/2021.", "lisinopril", P),
        ("Stroke in [**2011**], none since.", "Stroke", H),
        ("Seizure 12 y ago.", "Seizure", H),
        ("She used to have migraines.", "migraines", H),
        ("She is used to having migraines.", "migraines", P),
        ("He once had hepatitis.", "hepatitis", H),
        ("She recovered fully from meningitis.", "meningitis", H),
        ("She has not yet recovered from meningitis.", "meningitis", P),
        ("She will start once she has recovered from surgery.", "surgery", P),
        ("She has not had any prior abdominal surgeries.", "surgeries", N),
        ("She is a survivor of lymphoma.", "lymphoma", H),
        ("Operations include appendectomy.", "appendectomy", H),
        ("Tobacco: quit in 2003.", "Tobacco", H),
        ("Smoking: former.", "Smoking", H),
        ("Drinks alcohol, quit smoking in 2003.", "alcohol", P),
        ("Aspirin, stopped warfarin.", "Aspirin", P),
        ("Prior stroke with residual hand weakness.", "hand weakness", P),
        ("She has been admitted frequently for asthma attacks.", "asthma attacks", H),
        ("Multiple admissions for pancreatitis.", "pancreatitis", H),
        ("He had a bone scan in the past, which showed osteopenia.", "osteopenia", H),
        ("The previously noted effusion is unchanged.", "effusion", P),
        ("He previously noted palpitations.", "palpitations", H),
        ("The previously seen clot is no longer present.", "clot", N),
    ],
)
def test_what_is_past_is_distinguished_from_what_is_of_today(text: str, phrase: str, meant: Assertion) -> None:
    assert said_of(text, phrase) is meant


@pytest.mark.parametrize(
    ("text", "phrase", "meant"),
    [
        ("PMH: gout, psoriasis. Here for hoarseness.", "hoarseness", P),
        ("PMH: gout, psoriasis. Here for hoarseness.", "psoriasis", H),
        ("Past medical history: None. Hoarseness for 2 days.", "Hoarseness", P),
        ("PMH: Empyema, hospitalized for 5 days in 2010.", "Empyema", H),
        ("A woman with a history of gout complaining of wheezing.", "wheezing", P),
        ("A man with a history of gout, sent in from his practice for anaemia.", "anaemia", P),
        ("History of gout, being evaluated for syncope.", "syncope", P),
        ("History of gout endorses fever.", "fever", P),
        ("h/o COPD, cough x3d.", "cough", P),
        ("h/o COPD, cough x3d.", "COPD", H),
        ("hx of gout, psoriasis, jaw pain since this morning.", "jaw pain", P),
        ("hx of gout, psoriasis, jaw pain since this morning.", "psoriasis", H),
        ("hx of gout, psoriasis x 20 years.", "psoriasis", H),
        ("Past history of gout, psoriasis who presents today.", "psoriasis", H),
        ("h/o dementia s/p fall with wrist pain.", "wrist pain", P),
        ("h/o dementia s/p pacemaker with pericarditis.", "pericarditis", H),
        ("A man with a history of gout and psoriasis was admitted with fever.", "psoriasis", H),
        ("A man with a history of gout and psoriasis was admitted with fever.", "fever", P),
    ],
)
def test_what_brings_the_patient_is_no_history(text: str, phrase: str, meant: Assertion) -> None:
    assert said_of(text, phrase) is meant


@pytest.mark.parametrize(
    ("text", "phrase", "meant"),
    [
        ("Findings: 1) ulcer s/p clipping 2) gastritis 3) varices s/p banding", "gastritis", P),
        ("Findings: 1) ulcer s/p clipping 2) gastritis 3) varices s/p banding", "clipping", H),
        ("1) no fever 2) cough for three days 3) hoarseness", "fever", N),
        ("1) no fever 2) cough for three days 3) hoarseness", "cough", P),
        ("Denies 1) fever 2) cough 3) hoarseness", "hoarseness", N),
        ("Stage 1 disease. No rash, itch or 2 new lesions.", "itch", N),
    ],
)
def test_a_cue_stays_in_its_entry_of_a_numbered_list(text: str, phrase: str, meant: Assertion) -> None:
    assert said_of(text, phrase) is meant


@pytest.mark.parametrize(
    ("text", "phrase", "meant"),
    [
        ("No change in hearing, tinnitus or change in balance.", "tinnitus", N),
        ("No change in bowel habits, melena, or weight loss.", "melena", N),
        ("No change in the effusion.", "effusion", P),
        ("The smear would not support a diagnosis of malaria or babesiosis.", "babesiosis", N),
        ("This would not be typical for sarcoidosis.", "sarcoidosis", N),
        ("Weight not obtainable, wound: clean, ulcer on the heel.", "ulcer", P),
    ],
)
def test_a_denial_reaches_what_it_denies(text: str, phrase: str, meant: Assertion) -> None:
    assert said_of(text, phrase) is meant


@pytest.mark.parametrize(
    ("text", "phrase", "meant"),
    [
        ("Call also for any swelling of the leg, hiccups, rash.", "rash", Y),
        ("He will inform the doctor if any of the following are seen: nosebleeds, bruises.", "bruises", Y),
        ("Ring us if there is any new pain, numbness.", "numbness", Y),
        ("Notify us of any redness or drainage.", "drainage", Y),
        ("She felt as if she was about to faint.", "faint", Y),
        ("It felt like he was coughing all night.", "coughing", P),
        ("He called for chest pain.", "chest pain", P),
        ("Film to see if there is a fracture.", "fracture", Assertion.UNCERTAIN),
    ],
)
def test_what_may_come_is_not_what_is_there(text: str, phrase: str, meant: Assertion) -> None:
    assert said_of(text, phrase) is meant
