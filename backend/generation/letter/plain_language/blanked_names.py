"""Says who is meant where de-identification left a blank: "Mr. ___ is a ___ year old man" is the patient, of no age told.

A blank that stands for anything else (a place, a date, a doctor) stays, so that its sentence is not turned.
"""

import re

_BLANK = r"(?:_{2,}|\[\*\*[^\]\n]{0,60}\*\*\])"
_TITLED = re.compile(rf"\b(?:Mr|Mrs|Ms|Miss|Mx)\.?\s{_BLANK}")
_AGE = re.compile(rf"\b(an?)\s{_BLANK}[\s-]*(?:years?|yrs?|yr|y)[\s/.-]*(?:old|o)\b\.?[\s-]*", re.IGNORECASE)
_ALONE = re.compile(rf"^{_BLANK}(?=\s(?:is|was|has|had|presents|presented|comes|came|reports|denies)\b)")


def with_names(text: str) -> str:
    """The text with "The patient" for a blanked name of a person with a title or at its beginning, and without a blanked age."""
    text = _AGE.sub(lambda match: f"{match[1]} ", text)
    text = _ALONE.sub("The patient", text)
    return _TITLED.sub(lambda match: "The patient" if match.start() == 0 else "the patient", text)
