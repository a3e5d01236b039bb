"""Classes of sentences over the shipped names: whose a problem is, which course has ended, what was given in hospital, what is past."""

import pytest

from backend.schemas.record import PatientRecord
from tests.nlp.fresh import linker

ENDED = {"stopped", "completed", "on-hold", "not-taken"}


def read(text: str) -> PatientRecord:
    record = linker().read(text).record
    assert record is not None
    return record


@pytest.mark.parametrize(
    ("text", "problem", "whose"),
    [
        ("Her mother had breast cancer and her father had a DVT.", "dvt", "relative"),
        ("Her mother had breast cancer and her father had a DVT.", "breast cancer", "relative"),
        ("FHx: Mother: MI at 60. Father: stroke.", "stroke", "relative"),
        ("Dad had bowel cancer, mum diabetes.", "diabetes", "relative"),
        ("She has a brother with epilepsy and she herself has asthma.", "asthma", "patient"),
        ("She has a brother with epilepsy and she herself has asthma.", "epilepsy", "relative"),
        ("His sister has lupus while his aunt suffered a stroke at 50.", "stroke", "relative"),
        ("Grandfather died of a heart attack; an uncle has schizophrenia.", "schizophrenia", "relative"),
        ("His father has gout but he has never had gout and now presents with pneumonia.", "pneumonia", "patient"),
        (
            "Mother with hypothyroidism, two sisters with migraine, and the patient has type 2 diabetes.",
            "type 2 diabetes",
            "patient",
        ),
        (
            "Mother with hypothyroidism, two sisters with migraine, and the patient has type 2 diabetes.",
            "migraine",
            "relative",
        ),
        (
            "Both parents had hypertension and one brother developed pulmonary embolism after surgery.",
            "pulmonary embolism",
            "relative",
        ),
        ("His wife has COVID-19 and he developed pneumonia yesterday.", "pneumonia", "patient"),
        ("Her daughter has asthma and her son was born with cystic fibrosis.", "cystic fibrosis", "relative"),
        (
            "Brother - bipolar disorder, maternal grandmother - ovarian cancer, paternal uncle - melanoma.",
            "melanoma",
            "relative",
        ),
        (
            "She takes after her mother, who had osteoporosis, and has osteoarthritis of both knees herself.",
            "osteoarthritis",
            "patient",
        ),
        ("His father had prostate cancer and his mother, a smoker, had COPD.", "copd", "relative"),
        (
            "Twin sister has celiac disease, and the patient was diagnosed with Crohn disease in 2015.",
            "crohn",
            "patient",
        ),
        (
            "There is a family history of stroke in her father and her mother has atrial fibrillation.",
            "atrial fibrillation",
            "relative",
        ),
        ("Sister: breast cancer. Patient: pneumonia last week.", "pneumonia", "patient"),
        ("Her aunt had lupus and her uncle had a PE.", "pulmonary embolism", "relative"),
        ("Her mother had breast cancer and she had a DVT last year.", "deep", "patient"),
        ("Her father had an MI and she had a stroke in 2019.", "stroke", "patient"),
        ("Mother had gout and the patient had a seizure.", "seizure", "patient"),
        ("Her mother had asthma and her baby brother had an angioedema.", "angioedema", "relative"),
        ("His dad had a stroke but he has a migraine.", "migraine", "patient"),
        ("Both her mother and her sister had a DVT.", "deep", "relative"),
        ("Her sister, who lives nearby, had a pulmonary embolism.", "pulmonary embolism", "relative"),
        ("Her mother visited and her leg had a DVT on scan.", "deep", "patient"),
    ],
)
def test_whose_a_problem_is_over_coordinated_clauses(text: str, problem: str, whose: str) -> None:
    found = [
        one.experiencer.value
        for one in read(text).problems
        if problem in f"{one.name} {one.spans[0].text}".lower() and one.verification_status.value != "refuted"
    ]
    assert set(found) == {whose}


@pytest.mark.parametrize(
    ("text", "medicine", "meant"),
    [
        ("He was treated with a heparin drip, which was stopped.", "heparin", "ended"),
        ("Verapamil stopped in 2022.", "verapamil", "ended"),
        ("Enoxaparin until INR therapeutic.", "enoxaparin", "active"),
        ("Aspirin to be stopped.", "aspirin", "ended"),
        ("She was on apixaban until March.", "apixaban", "ended"),
        ("Methotrexate, which she stopped taking last year because of nausea.", "methotrexate", "ended"),
        ("She takes metformin, which was started in 2015.", "metformin", "home"),
        ("Amiodarone was discontinued by cardiology in May.", "amiodarone", "ended"),
        ("He used to take lithium but came off it three years ago.", "lithium", "ended"),
        ("Takes warfarin, which she has never missed.", "warfarin", "home"),
        ("Prednisone taper, now finished.", "prednisone", "ended"),
        ("The clopidogrel that she had been taking was stopped two weeks before surgery.", "clopidogrel", "ended"),
        ("Sertraline (stopped 2020), bisoprolol 2.5 mg daily.", "sertraline", "ended"),
        ("Sertraline (stopped 2020), bisoprolol 2.5 mg daily.", "bisoprolol", "home"),
        ("Completed a course of doxycycline last month.", "doxycycline", "ended"),
        ("Started on amlodipine after the lisinopril was stopped for cough.", "lisinopril", "ended"),
        ("Stopped smoking in 2010; takes ramipril 5 mg daily.", "ramipril", "home"),
        ("He took ibuprofen, which has since been stopped, and takes omeprazole 20 mg daily.", "omeprazole", "home"),
        ("Spironolactone withdrawn in June owing to hyperkalaemia.", "spironolactone", "ended"),
        ("Tamoxifen for five years, ended 2019.", "tamoxifen", "ended"),
        ("In the ED she received ceftriaxone 1 g IV and azithromycin 500 mg.", "ceftriaxone", "hospital"),
        ("In the ED she received ceftriaxone 1 g IV and azithromycin 500 mg.", "azithromycin", "hospital"),
        ("ED course: Started on diltiazem drip for rapid atrial fibrillation.", "diltiazem", "hospital"),
        ("He was given morphine 4 mg and ondansetron 4 mg on arrival.", "ondansetron", "hospital"),
        ("ED course: Vancomycin 1 g IV q12h and piperacillin-tazobactam 4.5 g IV q8h.", "vancomycin", "hospital"),
        ("Paramedics gave aspirin 324 mg and nitroglycerin spray en route.", "nitroglycerin", "hospital"),
        ("She was loaded with levetiracetam 2 g IV in resus.", "levetiracetam", "hospital"),
        (
            "Got two nebs of albuterol and methylprednisolone 125 mg IV in the emergency department.",
            "methylprednisolone",
            "hospital",
        ),
        ("On the ward he was started on furosemide 40 mg IV twice daily.", "furosemide", "hospital"),
        ("At home she takes metoprolol 50 mg twice daily; in the ED she got metoprolol 5 mg IV.", "metoprolol", "home"),
        (
            "Takes insulin glargine 20 units at night. Insulin drip running at 5 units per hour.",
            "insulin glargine",
            "home",
        ),
        ("Patient takes lisinopril 10 mg daily. In the ED given ketorolac 30 mg IV.", "lisinopril", "home"),
        (
            "Hospital course: He was diuresed with IV bumetanide and his pain controlled with hydromorphone.",
            "bumetanide",
            "hospital",
        ),
        ("Norepinephrine was started for hypotension and weaned on day 2.", "norepinephrine", "hospital"),
        ("Her GP started her on ramipril 2.5 mg daily in March.", "ramipril", "home"),
        ("Required lorazepam 2 mg IV x2 for seizure.", "lorazepam", "hospital"),
        ("MEDICATIONS ON ADMISSION: atorvastatin 40 mg daily.", "atorvastatin", "home"),
        ("Heparin bolus and infusion commenced.", "heparin", "hospital"),
        ("He takes amlodipine and was given amlodipine prescriptions by his GP.", "amlodipine", "home"),
        ("Treated with IV cefepime and vancomycin on the floor.", "cefepime", "hospital"),
        ("She was given a ketamine infusion, since stopped.", "ketamine", "ended"),
        ("Nitroglycerin drip, which is still running.", "nitroglycerin", "active"),
        ("Citalopram (stopped 2018), lithium 400 mg nightly.", "citalopram", "ended"),
        ("Citalopram (stopped 2018), lithium 400 mg nightly.", "lithium", "home"),
        ("The statin was stopped but the ramipril that she takes was continued.", "ramipril", "active"),
        ("The apixaban that he was on was withdrawn before the procedure.", "apixaban", "ended"),
        ("Letrozole ended 2021; takes calcium carbonate daily.", "letrozole", "ended"),
        ("He was taking digoxin, which was stopped, and bisoprolol, which was continued.", "bisoprolol", "active"),
        ("He was taking digoxin, which was stopped, and bisoprolol, which was continued.", "digoxin", "ended"),
        ("Heparin drip started; aspirin stopped.", "heparin", "hospital"),
        ("Duonebs back to back, magnesium 2 g stat.", "magnesium", "hospital"),
        ("ED course: midazolam 5 mg IM x2 for agitation.", "midazolam", "hospital"),
        ("Naloxone 0.4 mg x3 by the ambulance crew.", "naloxone", "hospital"),
        ("Salbutamol 5 mg nebs x3 and hydrocortisone 100 mg stat.", "hydrocortisone", "hospital"),
        ("He was prescribed amoxicillin 500 mg three times daily x 4 days.", "amoxicillin", "home"),
        ("Haloperidol 2 mg stat at 21:00.", "haloperidol", "hospital"),
        ("Takes sumatriptan 50 mg as needed.", "sumatriptan", "home"),
        ("MEDICATIONS: prednisone 10 mg x2 daily.", "prednisone", "home"),
        ("HPI: Ketorolac 30 mg x1 with relief.", "ketorolac", "hospital"),
        ("Adrenaline 0.5 mg IM x2 given for stridor.", "epinephrine", "hospital"),
        ("Risperidone - d/c'd 3/2023 for weight gain.", "risperidone", "ended"),
        ("Was on Clenil, off since 2021.", "beclomet", "ended"),
        ("Ezetimibe was stopped 2019; takes rosuvastatin 10 mg.", "ezetimibe", "ended"),
        ("Ezetimibe was stopped 2019; takes rosuvastatin 10 mg.", "rosuvastatin", "home"),
        ("Started fluoxetine 2020 and takes it still.", "fluoxetine", "home"),
        (
            "ANESTHESIA: general. Induction propofol 200 mg, ondansetron 4 mg, dexamethasone 8 mg.",
            "dexamethasone",
            "hospital",
        ),
        ("INTRA-OP MEDS: tranexamic acid 1 g, paracetamol 1 g.", "acetaminophen", "hospital"),
        ("Given: aspirin 300 mg, ticagrelor 180 mg.", "ticagrelor", "hospital"),
        ("Treatment in ED: ibuprofen 600 mg, cyclobenzaprine 10 mg.", "cyclobenzaprine", "hospital"),
        ("Current inpatient meds: metoprolol 25 mg BID.", "metoprolol", "hospital"),
        ("Rx given: prednisolone 40 mg.", "prednisolone", "hospital"),
        ("Interventions: dextrose 25 g, glucagon 1 mg.", "glucagon", "hospital"),
        ("Pre-hospital: GTN 2 puffs, aspirin 300 mg.", "aspirin", "hospital"),
        ("Oxytocin 10 units after delivery, misoprostol 800 mcg rectally.", "misoprostol", "hospital"),
        ("On day 2 of doxycycline 100 mg bid on the ward.", "doxycycline", "hospital"),
    ],
)
def test_whether_a_medicine_is_taken_at_home_given_here_or_over(text: str, medicine: str, meant: str) -> None:
    found = [
        (one.status.value, one.category.value)
        for one in read(text).medications
        if medicine in f"{one.name} {one.spans[0].text}".lower()
    ]
    assert found
    if meant == "home":
        assert ("active", "community") in found
    elif meant == "hospital":
        assert all(category == "inpatient" or status == "completed" for status, category in found)
    elif meant == "ended":
        assert {status for status, _ in found} <= ENDED
    else:
        assert {status for status, _ in found} == {"active"}


@pytest.mark.parametrize(
    ("text", "problem", "meant"),
    [
        ("Acute kidney injury in 2020.", "acute kidney injury", "past"),
        ("DVT 2011.", "deep", "past"),
        ("PMH: PE 2016, hypertension, gout.", "pulmonary embolism", "past"),
        ("PMH: PE 2016, hypertension, gout.", "hypertension", "active"),
        ("Type 2 diabetes since 2005.", "diabetes", "active"),
        ("Upper GI bleed (2018) on naproxen.", "bleed", "past"),
        ("Atrial fibrillation diagnosed 2019.", "atrial fibrillation", "active"),
        ("Had C. difficile colitis in 2021.", "difficile", "past"),
        ("Seizure today, stroke in 2017.", "seizure", "active"),
        ("Seizure today, stroke in 2017.", "stroke", "past"),
        ("Heart failure 2015, EF 35%.", "heart failure", "active"),
        ("NSTEMI 2014 and angioedema 2009.", "angioedema", "past"),
        ("PE 2016.", "pulmonary embolism", "past"),
        ("Rash today, DVT in 2011.", "deep", "past"),
        ("Rash today, DVT in 2011.", "rash", "active"),
        ("Chest pain since yesterday, MI in 2015.", "chest pain", "active"),
        ("Hypertension 2010, asthma 2012.", "asthma", "active"),
        ("Had pneumonia in 2019.", "pneumonia", "past"),
    ],
)
def test_a_problem_of_an_earlier_year_is_past_and_a_chronic_one_is_not(text: str, problem: str, meant: str) -> None:
    found = {one.clinical_status.value != "active" for one in read(text).problems if problem in one.name.lower()}
    assert found == {meant == "past"}


@pytest.mark.parametrize(
    ("text", "procedure", "meant"),
    [
        ("L mastectomy 1999.", "mastectomy", "past"),
        ("PSH: L mastectomy 1999, R THR 2011.", "mastectomy", "past"),
        ("PMH: cadaveric transplant 2012 for polycystic kidney disease, on tacrolimus.", "transplant", "past"),
        ("R nephrectomy 2008 for renal cell carcinoma.", "nephrectomy", "past"),
        ("Left below-knee amputation 2013.", "amputation", "past"),
        ("R mastectomy 2004.", "mastectomy", "past"),
    ],
)
def test_an_operation_of_an_earlier_year_is_past(text: str, procedure: str, meant: str) -> None:
    found = [one for one in read(text).procedures if procedure in f"{one.name} {one.spans[0].text}".lower()]
    assert found
    assert found[0].status.value == meant
