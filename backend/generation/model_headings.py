"""The headings of each document, what a model may call them, and which prompt writes it."""

from collections.abc import Mapping
from typing import NamedTuple

from backend.generation.answer import ANSWER
from backend.generation.discharge import ACTIVITY, DIET, FOLLOW_UP, MEDICINES_PART, PRECAUTIONS, WARNING, WHY
from backend.generation.soap import ASSESSMENT, OBJECTIVE, PLAN, SUBJECTIVE
from backend.prompts.drafting import ANSWER as ANSWER_PROMPT
from backend.prompts.drafting import DISCHARGE, DISCHARGE_PARAGRAPH, PROGRESS, WritingPrompt
from backend.prompts.example import discharge_example, progress_example
from backend.schemas.request import DraftRequest
from backend.schemas.vocabulary import Document

ANSWER_WORDS = 250
DISCHARGE_HEADINGS = (WHY, MEDICINES_PART, DIET, ACTIVITY, PRECAUTIONS, WARNING, FOLLOW_UP)
SOAP_HEADINGS = (SUBJECTIVE, OBJECTIVE, ASSESSMENT, PLAN)
ALSO: dict[str, tuple[str, ...]] = {
    WHY: (
        "why you were here",
        "why you came to the hospital",
        "reason for your stay",
        "reason for admission",
        "your stay",
    ),
    MEDICINES_PART: ("medicines", "medications", "your medications", "medication"),
    DIET: ("diet", "food", "your diet", "dietary recommendations", "eating and drinking", "food and drinks"),
    ACTIVITY: ("activities", "your activity", "activity level", "activity and rest"),
    PRECAUTIONS: ("precautions", "safety", "staying safe at home", "allergies and precautions"),
    WARNING: ("when to call for help", "when to call", "warning signs", "when to seek help", "get help"),
    FOLLOW_UP: ("follow up", "followup", "follow-up care", "follow-up appointments", "appointments", "next steps"),
    SUBJECTIVE: ("s", "subjective (s)"),
    OBJECTIVE: ("o", "objective (o)"),
    ASSESSMENT: ("a", "assessment (a)"),
    PLAN: ("p", "plan (p)"),
    ANSWER: ("the answer",),
}


class Writing(NamedTuple):
    """How a document is asked for and read. headings: names in lower case to the document's heading. first: the section of
    what stands before any heading. paragraph: the reply has none, and code finds the section."""

    prompt: WritingPrompt
    values: Mapping[str, object]
    headings: dict[str, str]
    first: str
    paragraph: bool = False


def writing(request: DraftRequest) -> Writing:
    """The prompt of a request's document and style, with what fills it."""
    match request.document:
        case Document.DISCHARGE_INSTRUCTIONS if request.style == "paragraph":
            return Writing(DISCHARGE_PARAGRAPH, {"example": discharge_example(())}, {}, WHY, paragraph=True)
        case Document.DISCHARGE_INSTRUCTIONS:
            values = {"headings": "\n".join(DISCHARGE_HEADINGS), "example": discharge_example(DISCHARGE_HEADINGS)}
            return Writing(DISCHARGE, values, named(DISCHARGE_HEADINGS), WHY)
        case Document.PROGRESS_NOTE:
            values = {"headings": "\n".join(SOAP_HEADINGS), "example": progress_example(SOAP_HEADINGS)}
            return Writing(PROGRESS, values, named(SOAP_HEADINGS), SUBJECTIVE)
        case Document.CLINICAL_ANSWER:
            return Writing(ANSWER_PROMPT, {"words": ANSWER_WORDS}, named((ANSWER,)), ANSWER)


def named(headings: tuple[str, ...]) -> dict[str, str]:
    """Each name a heading may have, in lower case, to the heading."""
    return {name.casefold(): heading for heading in headings for name in (heading, *ALSO[heading])}
