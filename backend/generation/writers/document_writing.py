"""How a language model is asked for each document, and how its headings are read."""

from collections.abc import Mapping
from typing import NamedTuple

from backend.prompts.draft_prompts import ANSWER as ANSWER_PROMPT
from backend.prompts.draft_prompts import DISCHARGE, DISCHARGE_PARAGRAPH, PROGRESS, WritingPrompt
from backend.prompts.example import discharge_example, progress_example
from backend.schemas.drafts.headings import (
    ACTIVITY,
    ANSWER,
    ASSESSMENT,
    DIET,
    DISCHARGE_HEADINGS,
    FOLLOW_UP,
    FOUND,
    MEDICINES_PART,
    OBJECTIVE,
    PLAN,
    PRECAUTIONS,
    SOAP_HEADINGS,
    SUBJECTIVE,
    WARNING,
    WHY,
)
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Document, Length

ANSWER_WORDS = 250
ADVICE_WORDS = {Length.SHORT: 250, Length.FULL: 600}
"""Words of general advice that a letter may have."""
ALSO: dict[str, tuple[str, ...]] = {
    WHY: (
        "why you were in the hospital",
        "why you were here",
        "why you came to the hospital",
        "reason for your stay",
        "reason for admission",
        "your stay",
    ),
    FOUND: ("what was done", "what we found", "findings", "your tests", "tests and treatment", "hospital course"),
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
    """How a document is asked for and read.

    Attributes:
        prompt: what asks for it.
        values: what fills the prompt's places.
        headings: names in lower case to the document's heading.
        first: the section of what stands before any heading.
        paragraph: the reply has no headings, and code finds the section of each sentence.
    """

    prompt: WritingPrompt
    values: Mapping[str, object]
    headings: dict[str, str]
    first: str
    paragraph: bool = False


def writing(request: DraftRequest) -> Writing:
    """The prompt of a request's document and style, with what fills it."""
    match request.document:
        case Document.DISCHARGE_INSTRUCTIONS if request.style == "paragraph":
            values = {"words": ADVICE_WORDS[request.length], "example": discharge_example(())}
            return Writing(DISCHARGE_PARAGRAPH, values, {}, WHY, paragraph=True)
        case Document.DISCHARGE_INSTRUCTIONS:
            values = {
                "headings": "\n".join(DISCHARGE_HEADINGS),
                "words": ADVICE_WORDS[request.length],
                "example": discharge_example(DISCHARGE_HEADINGS),
            }
            return Writing(DISCHARGE, values, named(DISCHARGE_HEADINGS), WHY)
        case Document.PROGRESS_NOTE:
            values = {"headings": "\n".join(SOAP_HEADINGS), "example": progress_example(SOAP_HEADINGS)}
            return Writing(PROGRESS, values, named(SOAP_HEADINGS), SUBJECTIVE)
        case Document.CLINICAL_ANSWER:
            return Writing(ANSWER_PROMPT, {"words": ANSWER_WORDS}, named((ANSWER,)), ANSWER)


def named(headings: tuple[str, ...]) -> dict[str, str]:
    """Each name a heading may have, in lower case, to the heading."""
    return {name.casefold(): heading for heading in headings for name in (heading, *ALSO[heading])}
