"""What a letter and its table say of medicines: held, forbidden, new, finished, stopped, in steps, by class alone, under a condition; each line with its medicine."""

import re

import pytest

from backend.container import Container
from backend.schemas.drafts.request import DraftRequest

CLINIC = "CLINIC VISIT\nCHIEF COMPLAINT: Follow-up in the office.\n"
EMERGENCY = "EMERGENCY DEPARTMENT NOTE\nCHIEF COMPLAINT: Seen in the emergency department.\n"
WARD = "ADMISSION NOTE\nREASON FOR ADMISSION: She is admitted to the hospital for pneumonia.\n"
POINTS = r"(?-i:\b[Tt]his (?:kind of )?(?:[a-z]+ ){0,4}(?:pill|medicine)\b)"

NOTES: tuple[tuple[str, str, tuple[str, ...], tuple[str, ...]], ...] = (
    (WARD + 'HOME MEDICATIONS: Losartan 50 mg daily, carvedilol 6.25 mg b.i.d.\nHOSPITAL COURSE: Losartan was held for low blood pressure.\n', 'held', ('losartan because of low blood pressure.*whether to take',), ('losartan[^.]*\\. Taken until now', 'to do with losartan')),
    (CLINIC + 'MEDICATIONS: Eliquis 5 mg twice daily, atorvastatin 40 mg daily.\nPLAN: Hold Eliquis two days before the biopsy.\n', 'held', ('Eliquis[^.]*whether to take',), ('Keep taking[^.]*Eliquis', 'Eliquis[^.]*\\. Taken until')),
    (CLINIC + 'HPI: Her metformin has been on hold since the contrast scan. She takes glipizide 5 mg daily.\n', 'held', ('metformin[^.]*whether to take',), ('metformin[^.]*\\. Taken until',)),
    (WARD + 'MEDICATIONS: Furosemide 40 mg daily (held on admission), aspirin 81 mg daily.\n', 'held', ('furosemide[^.]*whether to take',), ('furosemide[^.]*\\. Taken until',)),
    (CLINIC + 'PLAN: We are holding methotrexate until the cough clears. Continue folic acid 1 mg daily.\n', 'held', ('Do not take for now: methotrexate[^.]*until the cough clears',), ('Keep taking[^.]*methotrexate', 'methotrexate[^.]*whether')),
    (CLINIC + 'MEDICATIONS: Enalapril 10 mg daily.\nASSESSMENT AND PLAN: Hyperkalemia. Hold enalapril until potassium is rechecked.\n', 'held', ('Do not take for now: enalapril[^.]*until potassium is rechecked',), ('with enalapril when you throw up', 'enalapril[^.]*\\. Taken until')),
    (CLINIC + 'HPI: She has hypertension and takes ibuprofen 400 mg as needed.\n', 'forbidden', ('ibuprofen',), ('ibuprofen[^.]*\\.[^.]*Do not take it',)),
    (CLINIC + 'MEDICATIONS: Digoxin 0.125 mg daily.\nASSESSMENT: Acute kidney injury.\n', 'forbidden', ('digoxin',), ('digoxin[^.]*\\.[^.]*\\. Do not take it',)),
    (CLINIC + 'MEDICATIONS: Cephalexin 250 mg daily.\nALLERGIES: Penicillin (rash as a child).\n', 'forbidden', ('cephalexin',), ('cephalexin[^.]*\\. Listed as an allergy: do not take',)),
    (CLINIC + 'MEDICATIONS: Rosuvastatin 10 mg daily.\nALLERGIES: Simvastatin causes muscle pain.\n', 'forbidden', ('rosuvastatin',), ('rosuvastatin[^.]*\\. Listed as an allergy', 'rosuvastatin[^.]*\\.[^.]*do not take it')),
    (CLINIC + 'MEDICATIONS: Furosemide 20 mg daily.\nALLERGIES: Sulfa (hives).\n', 'forbidden', ('furosemide',), ('furosemide[^.]*\\. Listed as an allergy: do not take',)),
    (CLINIC + 'MEDICATIONS: Amoxicillin 500 mg t.i.d.\nALLERGIES: Penicillin (anaphylaxis).\n', 'forbidden', ('amoxicillin[^.]*\\. Listed as an allergy: do not take',), ()),
    (CLINIC + 'HPI: She is 12 weeks pregnant. MEDICATIONS: Lisinopril 10 mg daily.\n', 'forbidden', ('Do not take it before your team',), ()),
    (CLINIC + 'MEDICATIONS: Zolpidem 5 mg at bedtime.\nPAST MEDICAL HISTORY: COPD.\n', 'forbidden', ('zolpidem',), ('Do not take it before your team',)),
    (EMERGENCY + 'HPI: A 20-year-old man with a cut hand.\nED COURSE: Sutured. He was given a prescription for Keflex 500 mg four times a day for 5 days.\n', 'taken home', ('New: [^.]*Keflex',), ('Keflex[^.]*\\. Taken until',)),
    (EMERGENCY + 'HPI: A 31-year-old woman with migraine.\nED COURSE: She felt better and was discharged home on naproxen 500 mg b.i.d.\n', 'taken home', ('New: [^.]*naproxen',), ('naproxen[^.]*\\. Taken until',)),
    (CLINIC + 'PLAN: I gave her a prescription for nortriptyline 10 mg at bedtime.\n', 'taken home', ('New: [^.]*nortriptyline',), ('\\. Taken until',)),
    (CLINIC + 'ASSESSMENT: Sinusitis. She will start Augmentin 875 mg b.i.d. for 10 days.\n', 'taken home', ('New: [^.]*Augmentin',), ('\\. Taken until',)),
    (EMERGENCY + 'DISPOSITION: Sent home with prescriptions for ondansetron 4 mg and hyoscyamine.\n', 'taken home', ('New: [^.]*ondansetron', 'hyoscyamine'), ('\\. Taken until',)),
    (EMERGENCY + 'HPI: A 50-year-old man with back pain.\nED COURSE: He was given cyclobenzaprine 10 mg to take at bedtime.\n', 'taken home', ('New: [^.]*cyclobenzaprine',), ('\\. Taken until',)),
    (CLINIC + 'HPI: He completed a course of ciprofloxacin last Friday.\n', 'finished', (), ('ciprofloxacin[^.]*\\. Taken until',)),
    (CLINIC + 'HPI: She had a course of prednisone in March and two rounds of azithromycin.\n', 'finished', (), ('(prednisone|azithromycin)[^.]*\\. Taken until',)),
    (CLINIC + 'HPI: He received a 7-day course of doxycycline and felt better.\n', 'finished', (), ('doxycycline[^.]*\\. Taken until',)),
    (CLINIC + 'HPI: She has finished her clindamycin.\n', 'finished', (), ('clindamycin[^.]*\\. Taken until',)),
    (CLINIC + 'HPI: He took a Z-Pak for the cough without change.\n', 'finished', (), ('(azithromycin|Z-Pak)[^.]*\\. Taken until',)),
    (CLINIC + 'MEDICATIONS: Valacyclovir 1 g t.i.d. - finished yesterday. Lisinopril 5 mg daily.\n', 'finished', ('lisinopril',), ('[Vv]alacyclovir[^.]*\\. Taken until',)),
    (CLINIC + 'HPI: Her atenolol was stopped because of slow pulse.\n', 'reason', ('atenolol was stopped',), ('atenolol[^.]*whether',)),
    (CLINIC + 'HPI: He stopped gabapentin due to dizziness.\n', 'reason', ('stopped gabapentin',), ('gabapentin[^.]*whether',)),
    (CLINIC + 'PLAN: Stop naproxen since his creatinine has risen.\n', 'reason', ('naproxen \\(the note says why: .his creatinine has risen',), ()),
    (CLINIC + 'HPI: Because of nosebleeds, clopidogrel was discontinued.\n', 'reason', ('clopidogrel was stopped',), ('clopidogrel[^.]*whether',)),
    (CLINIC + 'PLAN: Hold spironolactone given a potassium of 5.7 today.\n', 'reason', ('spironolactone because of a potassium of 5\\.7',), ()),
    (CLINIC + 'MEDICATIONS: Levemir 18 units in the morning and 10 units at night.\n', 'schedule', ('18 units[^.]*10 units',), ()),
    (CLINIC + 'MEDICATIONS: Warfarin 4 mg alternating with 6 mg.\n', 'schedule', ('4 mg[^.]*6 mg',), ()),
    (CLINIC + 'PLAN: Start prednisone 50 mg daily for 5 days, then 25 mg daily for 5 days, then stop.\n', 'schedule', ('50 mg daily for 5 days, then 25 mg daily for 5 days',), ()),
    (CLINIC + 'HPI: Her father alternates Motrin and Tylenol every four hours.\n', 'schedule', ('[Aa]lternates Motrin and Tylenol every four hours',), ('Motrin \\(ibuprofen\\) every 4',)),
    (CLINIC + 'MEDICATIONS: Calcium citrate with vitamin D 630 mg twice daily.\n', 'schedule', ('630 mg',), ('; vitamin D',)),
    (CLINIC + 'MEDICATIONS: Methylprednisolone 16 mg daily for a week and then 8 mg daily, omeprazole 20 mg daily.\n', 'schedule', ('16 mg once a day, for 7 days, then 8 mg once a day',), ()),
    (CLINIC + 'MEDICATIONS: Carbamazepine 200 mg in the morning, 200 mg at noon and 400 mg at bedtime.\n', 'schedule', ('200 mg[^.]*200 mg[^.]*400 mg',), ()),
    (CLINIC + 'HPI: He takes a cholesterol pill and a blood thinner.\n', 'class', ('blood thinner',), ('cholesterol pill[^.]*\\. Taken until',)),
    (CLINIC + 'HPI: Her dentist put her on an antibiotic.\n', 'class', (), ('antibiotic[^.]*\\. (Taken until|Prescribed)',)),
    (CLINIC + 'MEDICATIONS: Diuretic, beta blocker, aspirin 81 mg.\n', 'class', ('says only what kind',), ('(diuretic|beta blocker)[^.]*\\. Taken until',)),
    (CLINIC + 'HPI: He uses NSAIDs for his knees.\n', 'class', ('NSAIDs?[^.]*\\. The note says only',), ('Food with NSAID',)),
    (CLINIC + 'PLAN: Continue diabetes medications.\n', 'class', (), ('Keep taking: [^.]*diabetes medications', 'diabetes medication[^.]*\\. Taken until')),
    (CLINIC + 'MEDICATIONS: Antihypertensive medication, levothyroxine 50 mcg.\n', 'class', ('says only what kind',), ('Antihypertensive[^.]*\\. Taken until',)),
    (CLINIC + 'LABORATORY DATA: Lithium 0.7. Vancomycin trough 14. Iron 55.\n', 'no medicine', (), ('(lithium|vancomycin|iron)[^.]*\\. (Taken|Your team still)',)),
    (CLINIC + 'DATA: Calcium 9.2, magnesium 2.1, potassium 3.9, albumin 4.0.\n', 'no medicine', (), ('(calcium|magnesium|potassium|albumin)[^.]*\\. (Taken|Your team still)',)),
    (WARD + 'HOSPITAL COURSE: He received albumin 25% and IV fluids.\n', 'no medicine', (), ('albumin[^.]*\\. (Taken|Your team still)', 'New:')),
    (CLINIC + 'Insulin: level 12. Oxygen: 97%.\n', 'no medicine', (), ('(insulin|oxygen)[^.]*\\. Taken until',)),
    (CLINIC + 'LABS: Digoxin level 1.1. Phenytoin level 15.\n', 'no medicine', (), ('(digoxin|phenytoin)[^.]*\\. Taken until',)),
    (WARD + 'CURRENT MEDICATIONS IN HOSPITAL: Albumin 25% 100 mL IV once.\n', 'no medicine', (), ('albumin[^.]*\\. (Taken|Your team still)', 'New:')),
    (CLINIC + 'HPI: A 60-year-old man with a coronary stent, diabetes and hypertension.\nMEDICATIONS: Ramipril 5 mg daily.\n', 'referent', ('(?s)ramipril',), (POINTS,)),
    (CLINIC + 'HPI: A 60-year-old man with a coronary stent, diabetes and hypertension.\nMEDICATIONS: Glimepiride 2 mg daily.\n', 'referent', ('(?s)glimepiride',), (POINTS,)),
    (CLINIC + 'HPI: A 60-year-old man with a coronary stent, diabetes and hypertension.\nMEDICATIONS: Naproxen 250 mg b.i.d..\n', 'referent', ('(?s)naproxen',), (POINTS,)),
    (CLINIC + 'HPI: A 60-year-old man with a coronary stent, diabetes and hypertension.\nMEDICATIONS: Dapagliflozin 10 mg daily.\n', 'referent', ('(?s)dapagliflozin',), (POINTS,)),
    (CLINIC + 'HPI: A 60-year-old man with a coronary stent, diabetes and hypertension.\nMEDICATIONS: Ticagrelor 90 mg b.i.d..\n', 'referent', ('(?s)ticagrelor',), (POINTS,)),
    (CLINIC + 'HPI: A 60-year-old man with a coronary stent, diabetes and hypertension.\nMEDICATIONS: Benazepril 20 mg daily, meloxicam 15 mg daily.\n', 'referent', ('(?s)meloxicam',), (POINTS,)),
    (CLINIC + 'PLAN: Start duloxetine 30 mg daily if the pain does not settle.\n', 'condition', (), ('New: [^.]*duloxetine', 'duloxetine[^.]*\\. (Your team still|In the plan|Taken)')),
    (CLINIC + 'PLAN: If the cultures are positive, begin linezolid 600 mg b.i.d.\n', 'condition', (), ('New: [^.]*linezolid',)),
    (CLINIC + 'PLAN: We could consider adding amiodarone.\n', 'condition', (), ('New: [^.]*amiodarone', 'amiodarone[^.]*\\. (Your team still|Taken)')),
    (CLINIC + 'ASSESSMENT: He is not a candidate for warfarin because of falls.\n', 'condition', (), ('New: [^.]*warfarin', 'warfarin[^.]*\\. (Your team still|Taken)')),
    (CLINIC + 'PLAN: I would not recommend starting clozapine.\n', 'condition', (), ('New: [^.]*clozapine', 'clozapine[^.]*\\. (Your team still|Taken)')),
    (CLINIC + 'PLAN: She will not be given steroids. Continue albuterol as needed.\n', 'condition', ('albuterol',), ('(New|Ask)[^.]*steroids[^.]*\\. (Your team still|Taken)',)),
    (CLINIC + 'PLAN: Zofran 4 mg if needed for nausea. Start loratadine 10 mg daily if tolerated.\n', 'condition', ('loratadine',), ()),
)  # fmt: skip


@pytest.mark.parametrize(("note", "kind", "told", "untold"), NOTES)
def test_a_letter_tells_a_medicine_as_the_note_does(
    container: Container, note: str, kind: str, told: tuple[str, ...], untold: tuple[str, ...]
) -> None:
    draft = container.pipeline("leapnote").run(DraftRequest(text=note))
    table = (f"{row.name}. {row.what_to_do}." for row in draft.medicines)
    letter = "\n".join((*(sentence.text for sentence in draft.sentences), *table))
    assert [one for one in told if not re.search(one, letter, re.IGNORECASE)] == [], (kind, letter)
    assert [one for one in untold if re.search(one, letter, re.IGNORECASE)] == [], (kind, letter)
