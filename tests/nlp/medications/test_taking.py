"""Whether the medicines of a note are read as taken: only those are compared with the allergies."""

import pytest

from backend.schemas.vocabulary import Assertion
from tests.nlp.fresh import linker

TAKEN, PAST, NEVER = Assertion.PRESENT, Assertion.HISTORICAL, Assertion.NEGATED


@pytest.mark.parametrize(
    ("text", "medicine", "meant"),
    [
        ("Medications: prophylactic acyclovir and allopurinol.", "acyclovir", TAKEN),
        ("Medications: prophylactic acyclovir and allopurinol.", "allopurinol", TAKEN),
        ("He is on acyclovir prophylaxis since his transplant.", "acyclovir", TAKEN),
        ("Takes acetaminophen as needed and ibuprofen.", "ibuprofen", TAKEN),
        ("Home: naproxen prn for cramps and lithium.", "lithium", TAKEN),
        ("Consider prophylactic enoxaparin.", "enoxaparin", Assertion.HYPOTHETICAL),
        ("Past medical history: hypertension, diabetes, on metformin and lisinopril.", "lisinopril", TAKEN),
        ("PAST MEDICAL HISTORY:\nGout - allopurinol\nAsthma - albuterol prn", "allopurinol", TAKEN),
        ("History of asthma, uses albuterol inhaler.", "albuterol inhaler", TAKEN),
        ("PMH of HTN, controlled with lisinopril 10 mg.", "lisinopril", TAKEN),
        ("He has a history of CHF (furosemide 40 mg daily).", "furosemide", TAKEN),
        ("Hx of hypothyroid (levothyroxine 75 mcg), HTN (losartan 50 mg).", "losartan", TAKEN),
        ("Hx of arthritis (prednisone 20 mg in 2019).", "prednisone", PAST),
        ("History of asthma treated with prednisone 10 mg daily for a month.", "prednisone", PAST),
        ("Past history: heart failure (carvedilol, spironolactone). Depression.", "spironolactone", TAKEN),
        ("Past surgical history: appendectomy with cefazolin.", "cefazolin", PAST),
        ("Past history: HIT (heparin). Gout.", "heparin", PAST),
        ("Past history: C diff treated with vancomycin. Gout.", "vancomycin", PAST),
        ("Past history: breast cancer 2015, doxorubicin.", "doxorubicin", PAST),
        ("He has a history of AF on apixaban and metoprolol.", "metoprolol", TAKEN),
        ("UTI treated with nitrofurantoin at 10 weeks.", "nitrofurantoin", PAST),
        ("Cephalexin for a skin infection at 12 weeks.", "Cephalexin", PAST),
        ("Insulin started at 20 weeks.", "Insulin", TAKEN),
        ("Clindamycin, two years ago, for an abscess.", "Clindamycin", PAST),
        ("He was prescribed naltrexone but never took it.", "naltrexone", NEVER),
        ("Given disulfiram, which she never filled.", "disulfiram", NEVER),
        ("Was offered sertraline, declined.", "sertraline", NEVER),
        ("Takes lisinopril but did not take it this morning.", "lisinopril", TAKEN),
        ("He was offered buprenorphine but refused it.", "buprenorphine", NEVER),
        ("Azithromycin was given for chlamydia at 14 weeks.", "Azithromycin", PAST),
        ("No prophylactic enoxaparin was given.", "enoxaparin", NEVER),
        ("She has never missed a dose of warfarin.", "warfarin", TAKEN),
        ("No seizures on levetiracetam.", "levetiracetam", TAKEN),
        ("No side effects from her metformin.", "metformin", TAKEN),
        ("No fever, on prednisone 5 mg.", "prednisone", TAKEN),
        ("No chest pain or dyspnea on metoprolol.", "metoprolol", TAKEN),
        ("Did not bring her amiodarone.", "amiodarone", TAKEN),
        ("No recent change in digoxin dose.", "digoxin", TAKEN),
        ("She is not on warfarin.", "warfarin", NEVER),
        ("No fever, not on prednisone.", "prednisone", NEVER),
        ("Denies taking ibuprofen.", "ibuprofen", NEVER),
        ("She has never been treated with rituximab.", "rituximab", NEVER),
        ("No history of taking lithium.", "lithium", NEVER),
        ("She was prescribed warfarin but has not taken it for three days.", "warfarin", TAKEN),
        ("No treatment with rituximab.", "rituximab", NEVER),
        ("He has had no treatment with rituximab, cyclophosphamide or azathioprine.", "azathioprine", NEVER),
        ("No response to treatment with rituximab.", "rituximab", TAKEN),
        ("Insulin glargine: refused.", "Insulin glargine", NEVER),
        ("Warfarin (declined).", "Warfarin", NEVER),
        ("Enoxaparin 40 mg: refused x2.", "Enoxaparin", NEVER),
        ("Apixaban withheld because of the fall.", "Apixaban", NEVER),
        ("Sertraline was not started because of her pregnancy.", "Sertraline", NEVER),
        ("Metoprolol: refused this morning.", "Metoprolol", TAKEN),
        ("She did not want amiodarone.", "amiodarone", NEVER),
        ("She declined to stop her lorazepam.", "lorazepam", TAKEN),
        ("He declined a higher dose of lisinopril.", "lisinopril", TAKEN),
        ("Refused amlodipine but takes lisinopril.", "lisinopril", TAKEN),
        ("Takes aspirin, declined surgery.", "aspirin", TAKEN),
    ],
)
def test_a_medicine_is_taken_past_or_never_taken(text: str, medicine: str, meant: Assertion) -> None:
    (mention,) = [m for m in linker().link(text).note.mentions if m.text == medicine]
    assert mention.assertion is meant
