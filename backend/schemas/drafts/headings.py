"""The headings of each document, in order: what is written under them, and what a document may not lack."""

from backend.schemas.patients.patient_notes import SoapPart
from backend.schemas.vocabulary import Document

WHY, MEDICINES_PART, DIET, ACTIVITY = "Why you were in the hospital", "Your medicines", "Food and drink", "Activity"
PRECAUTIONS, WARNING, FOLLOW_UP = "Staying safe", "When to get help", "Follow-up"
DISCHARGE_HEADINGS = (WHY, MEDICINES_PART, DIET, ACTIVITY, PRECAUTIONS, WARNING, FOLLOW_UP)
SUBJECTIVE, OBJECTIVE, ASSESSMENT, PLAN = SOAP_HEADINGS = tuple(part.value for part in SoapPart)
ANSWER = "Answer"
HEADINGS: dict[Document, tuple[str, ...]] = {
    Document.DISCHARGE_INSTRUCTIONS: DISCHARGE_HEADINGS,
    Document.PROGRESS_NOTE: SOAP_HEADINGS,
    Document.CLINICAL_ANSWER: (ANSWER,),
}
