"""What a request asks for, in words: as a task for a model, and as a query for a search.

The options go to a model and are left out of a search: the wrong ones are most of them.
"""

from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import LETTERS, Document

WANTED: dict[Document, str] = {
    Document.DISCHARGE_INSTRUCTIONS: "Write discharge instructions for the patient of this note.",
    Document.PROGRESS_NOTE: "Write a progress note with subjective, objective, assessment and plan for the patient of this note.",
    Document.CLINICAL_ANSWER: "Say what a clinician should know and think of for the patient of this note.",
}


def task_text(request: DraftRequest) -> str:
    """The task for a model: the question or the document asked for, the options with letters, the note."""
    parts = [request.question.strip() or WANTED[request.document]]
    if request.options:
        parts.append("\n".join(f"{letter}. {text}" for letter, text in zip(LETTERS, request.options, strict=False)))
    if request.text.strip():
        parts.append(f"Note:\n{request.text.strip()}")
    return "\n\n".join(parts)


def query_text(request: DraftRequest) -> str:
    """The request as a query: the question, and the note where there is one. Never empty."""
    return "\n".join(part.strip() for part in (request.question, request.text) if part.strip())


def first_words(text: str, most: int) -> str:
    """The text, cut after so many words; layout inside is kept where nothing is cut."""
    words = text.split()
    return text.strip() if len(words) <= most else " ".join(words[:most])
