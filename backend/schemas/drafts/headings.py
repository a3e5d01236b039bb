"""The headings of each document, in order: what is written under them, and what a document may not lack."""

from backend.schemas.vocabulary import Document, SoapPart

WHY, FOUND, MEDICINES_PART = "Why you came", "What was found and done", "Your medicines"
DIET, ACTIVITY = "Food and drink", "Activity"
PRECAUTIONS, WARNING, FOLLOW_UP = "Staying safe", "When to get help", "Follow-up"
DISCHARGE_HEADINGS = (WHY, FOUND, MEDICINES_PART, FOLLOW_UP, WARNING, PRECAUTIONS, DIET, ACTIVITY)
SUBJECTIVE, OBJECTIVE, ASSESSMENT, PLAN = SOAP_HEADINGS = tuple(part.value for part in SoapPart)
ANSWER = "Answer"
HEADINGS: dict[Document, tuple[str, ...]] = {
    Document.DISCHARGE_INSTRUCTIONS: DISCHARGE_HEADINGS,
    Document.PROGRESS_NOTE: SOAP_HEADINGS,
    Document.CLINICAL_ANSWER: (ANSWER,),
}
NEEDED: dict[Document, frozenset[str]] = {
    Document.DISCHARGE_INSTRUCTIONS: frozenset((WHY, MEDICINES_PART, FOLLOW_UP, WARNING)),
    Document.PROGRESS_NOTE: frozenset(SOAP_HEADINGS),
    Document.CLINICAL_ANSWER: frozenset((ANSWER,)),
}
"""What a document may not lack; the others are written only where something fits this patient."""
REQUIRED = frozenset((MEDICINES_PART, PRECAUTIONS))
"""The parts whose gaps must be filled before a letter is signed: medicines and allergies."""
