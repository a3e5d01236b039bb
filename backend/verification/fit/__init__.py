"""Fit: whether a sentence belongs to this patient, whoever wrote it.

Support says what a sentence rests on; fit says whether it holds for the person of the note. `fit_check` is what a pipeline and a
composer ask; `presuppositions` reads what a sentence asks of a patient, `patient_facts` what the record holds of that, and
`patient_claims` whether what is stated of the patient is the patient's own.
"""
