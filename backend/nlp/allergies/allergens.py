"""Which concept a phrase names that one can react to: a medicine, a class, an allergen, a substance, a food, a device.

Takes the linker's lookup; a disease, a symptom or a reaction is never the answer. It does not know the note.
"""

import re
from collections.abc import Callable

from backend.nlp.allergies.allergy_wording import clipped_names, phrases
from backend.nlp.lexicon.matches import Candidate
from backend.nlp.lexicon.variants import english_words, stem
from backend.schemas.vocabulary import Category

Lookup = Callable[[str], Candidate | None]

ALLERGEN_CATEGORIES = frozenset(
    (
        Category.DRUG,
        Category.DRUG_CLASS,
        Category.ALLERGEN,
        Category.SUBSTANCE,
        Category.DIET,
        Category.DEVICE,
        Category.ORGANISM,
    )
)
SURE = frozenset((Category.DRUG, Category.DRUG_CLASS, Category.ALLERGEN))


class Allergens:
    """The concepts of phrases of one note; a phrase asked twice is looked up once."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._held: dict[str, Candidate | None] = {}

    def concept(self, phrase: str) -> Candidate | None:
        """What a phrase names as a whole, also without its bracket or a loose last word ("shellfish derived")."""
        key = phrase.strip().lower()
        if key not in self._held:
            self._held[key] = next((found for form in _forms(phrase) if (found := self._look(form))), None)
        return self._held[key]

    def known(self, phrase: str) -> bool:
        """Whether a phrase as a whole names something one can react to."""
        return self.concept(phrase) is not None

    def within(self, phrase: str) -> Candidate | None:
        """The one medicine or allergen that a longer phrase names ("penicillin since childhood"); None of several."""
        names = {
            found.concept_id: found
            for start, end in self.inside(phrase, 0, len(phrase))
            if (found := self.concept(phrase[start:end]))
        }
        return next(iter(names.values())) if len(names) == 1 else None

    def inside(self, text: str, start: int, end: int) -> list[tuple[int, int]]:
        """The spans of the medicines and allergens, of one or two words, that a stretch of text names."""
        spans: list[tuple[int, int]] = []
        for match in _RUN.finditer(text, start, min(end, start + _LONGEST)):
            for group in (1, 2):
                left, right = match.span(group)
                if left >= 0 and (not spans or left >= spans[-1][1]) and self.surely(text[left:right]):
                    spans.append((left, right))
                    break
        return spans

    def only_reaction(self, phrase: str) -> bool:
        """Whether the graph knows a phrase as a symptom or a disease, so that after a name it tells the reaction."""
        found = None if _ALLERGY.search(phrase) else self._lookup(phrase)
        return found is not None and found.category in _ILLS and self.concept(phrase) is None

    def other(self, phrase: str) -> bool:
        """Whether the graph knows a phrase as an ill, a procedure or a test, and as nothing one can react to."""
        if self.only_reaction(phrase):
            return True
        found = self._lookup(phrase)
        return found is not None and found.category in _DONE and self.concept(phrase) is None

    def surely(self, phrase: str) -> bool:
        """Whether a phrase names a medicine, a class or an allergen, and no substance or food that is seldom one."""
        found = self.concept(phrase)
        return found is not None and found.category in SURE

    def is_medicine(self, phrase: str) -> bool:
        """Whether a phrase names a medicine or a class of them."""
        found = self.concept(phrase)
        return found is not None and found.category in (Category.DRUG, Category.DRUG_CLASS)

    def _look(self, phrase: str) -> Candidate | None:
        found = self._lookup(phrase)
        return found if found and found.category in ALLERGEN_CATEGORIES and not _only_like(phrase, found) else None


def _only_like(phrase: str, found: Candidate) -> bool:
    """Whether a word of the language only looks like a brand: "seasonal" is no Seasonale; "aspirins" is aspirin."""
    word = phrase.strip().lower()
    return (
        found.score < 1 and word in english_words() and stem(word) not in map(stem, _WORDS.findall(found.name.lower()))
    )


def _forms(phrase: str) -> list[str]:
    clipped = clipped_names().get(phrase.strip().lower())
    if clipped:
        return [clipped]  # "seasonal allergies" are of pollen, "the dye" is that of scans
    bare, _, inside = phrase.partition("(")
    forms = [phrase, bare, inside.strip(" )")]
    words = bare.split()
    while len(words) > 1 and "loose" in phrases("lists").of(words[-1].lower()):
        words = words[:-1]
        forms.append(" ".join(words))
    if route := _ROUTE.match(bare):
        forms.append(bare[route.end() :])  # "IV contrast dye"
    return [form.strip() for form in dict.fromkeys(forms) if form.strip()]


_ILLS = frozenset((Category.SYMPTOM, Category.DISEASE, Category.FINDING))
_DONE = frozenset((Category.PROCEDURE, Category.TEST))
_ROUTE = re.compile(r"(?:iv|i\.v\.|intravenous|oral|ct|x-?ray)\s+(?=\w)", re.IGNORECASE)
_ALLERGY = re.compile(r"allerg|hay\s*fever|intoleran|sensitiv", re.IGNORECASE)
_WORDS = re.compile(r"[a-z]+")
_LONGEST = 400
# A word, and before it in the match the two words that begin with it.
_RUN = re.compile(r"(?<![\w'/])(?=([\w'/-]+ [\w'/-]+)?)([^\W_][\w'/]*)")
