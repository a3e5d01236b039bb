"""How hard the patient's text is to read: Flesch-Kincaid grade and SMOG, by textstat."""

import warnings
from collections.abc import Sequence

from backend.schemas.drafts.draft import Readability

FEWEST_WORDS = 30


class TextReadability:
    """Gaps in square brackets are for the team and do not count."""

    def measure(self, sentences: Sequence[str]) -> Readability:
        """US school grades, higher is harder; None for a text under 30 words, where the formulas mean nothing."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # textstat 0.7.4 imports the deprecated pkg_resources
            import textstat

        text = " ".join(s for s in sentences if not s.startswith("["))
        words = len(text.split())
        if words < FEWEST_WORDS:
            return Readability(words=words)
        return Readability(
            fkgl=round(float(textstat.flesch_kincaid_grade(text)), 1),
            smog=round(float(textstat.smog_index(text)), 1),
            words=words,
        )
