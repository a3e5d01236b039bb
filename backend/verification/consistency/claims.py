"""What a sentence of a clinical text concludes or decides - a diagnosis, a treatment, an organism - and how ill it fits the rest.

A conclusion is held against the condition that the other sentences fit best (`hallmarks`). Its misfit is 0 where it fits as well as
any, and 1 where nothing speaks for it, or where it is what must not be given. A text may be right and unusual.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from backend.verification.consistency.hallmarks import Hallmarks, stems_of

LEAST = 1.5  # fit of the best condition below which a text says too little to judge by
NAMED, CAUSED, TREATED = 1.5, 1.2, 0.8  # what a name, an organism or a treatment in another sentence adds
AS_GOOD = 0.75  # share of the best fit from which a condition counts as fitted
UNKNOWN = 0.1  # a conclusion that nothing here can check
HARM = 0.9
BACKGROUND = 0.35  # what the misfit of a history or a home medicine counts
FEW = 4  # conditions that a text names beside a statement: among more, each may well stand alone
UNHEARD = 0.5  # a treatment that no condition of the table has
ANYTIME = 0.35  # what the misfit of a test, or of care that suits many conditions, counts
MANY = 10  # conditions that such care is named for
SCATTERED = 0.5  # what a clue counts whose words stand in several sentences
_PLAIN_CARE = (
    "arthrocentesis, biopsy, bronchoscopy, colonoscopy, colposcopy, core biopsy, ct angiography, cystoscopy, echocardiography, endoscopy,"
    " exercise stress test, lumbar puncture, noncontrast ct, thoracentesis, ultrasound, bowel rest, diet, elevation, emergency surgery,"
    " exercise, fasting, feeding, fluids, intravenous fluids, low-salt diet, monitoring, oxygen, pain relief, physical therapy, rest,"
    " surgery, transfusion, weight loss"
)
_PLAIN = frozenset(_PLAIN_CARE.split(", "))
_CONCLUDES = re.compile(
    r"\b(?:diagnos\w*|consistent with|suggest\w*|suspect\w*|likely|confirm\w*|establish\w*|due to|caus\w*|suffer\w*|infected|grows?|culture\w*"
    r"|indicat\w*|organism|positive for|(?:has|have) (?:an? )?(?:\w+[ -]){0,3}?\w+\.?$)",
    re.IGNORECASE,
)
_AVOIDED = re.compile(
    r"[^.;,]*\b(?:is|are|was|were|be|being) (?:not|avoided|withheld|held|stopped|discontinued|contraindicated)\b[^.;]*|\b(?:avoid\w*|not to|before any\w*|instead of|rather than|withh\w+|stop\w*|no|not|without|discontinu\w*|contraindicated)\b[^.;]*",
    re.IGNORECASE,
)
_DECIDES = re.compile(
    r"\b(?:given|gets|start\w*|begun|began|initiat\w*|prescri\w*|administer\w*|receiv\w*|treated|treatment with|recommend\w*|plan\w*|perform\w*|advis\w*"
    r"|arrang\w*|undergo\w*|underwent|taken to|scheduled|order\w*|manag\w*|secured|done|placed|referr?\w*|inject\w*|indicated)\b",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"\b(?:history|known|years? ago|months? ago|weeks? ago|last (?:week|month|year)|previous\w*|prior|days? ago|yesterday|takes|taking|had|used to"
    r"|vaccinat\w*|fathers?|mothers?|brothers?|sisters?|parents?|family|wife|husband|partners?|roommates?|friends?|contacts|\w+-old (?:\w+ ){0,3}(?:with|who))\b",
    re.IGNORECASE,
)


class Sentence(NamedTuple):
    """names: concepts it names as present. medicines: for each its name, its classes, and last its words in the text."""

    text: str
    names: tuple[str, ...] = ()
    medicines: tuple[tuple[str, ...], ...] = ()


class Misfit(NamedTuple):
    """score: 0 to 1, comparable within one text. reason: what it rests on, empty where nothing speaks against the sentence."""

    score: float
    reason: str


class ClaimReader:
    """Build one for hallmarks; it holds no text."""

    def __init__(self, hallmarks: Hallmarks) -> None:
        self._marks = hallmarks
        self._names = _finder(hallmarks.named)
        self._treatments = _finder({*hallmarks.treats, *hallmarks.harms})
        self._organisms = _finder(hallmarks.causes)

    def misfits(self, sentences: Sequence[Sentence]) -> list[Misfit]:
        """One a sentence, in order."""
        stems = [stems_of(s.text, s.names) for s in sentences]
        clues = [self._marks.clues_of(found) for found in stems]
        pointed = [self._points_to(s) for s in sentences]
        named = [self._conditions(s) for s in sentences]
        out = []
        whole = self._marks.clues_of(frozenset[str]().union(*stems), whole=True)
        for place, sentence in enumerate(sentences):
            rest = frozenset[str]().union(*(found for i, found in enumerate(stems) if i != place))
            beside = frozenset[int]().union(*(found for i, found in enumerate(named) if i != place))
            scattered = {clue: weight * SCATTERED for clue, weight in whole.items() if self._marks.holds(clue, rest)}
            out.append(self._misfit(sentence, self._fits(place, clues, pointed, scattered), beside))
        return out

    def _conditions(self, sentence: Sentence) -> frozenset[int]:
        """The conditions that a sentence names as there, now or before."""
        return frozenset[int]().union(
            *(self._marks.named[name] for name in self._names(_AVOIDED.sub("", sentence.text)))
        )

    def _fits(
        self,
        place: int,
        clues: Sequence[Mapping[tuple[int, int], float]],
        pointed: Sequence[Mapping[int, float]],
        scattered: Mapping[tuple[int, int], float],
    ) -> dict[int, float]:
        """How well all sentences but one fit each condition: each clue once, at its heaviest."""
        best = dict(scattered)
        fits: dict[int, float] = defaultdict(float)
        for i, found in enumerate(clues):
            if i == place:
                continue
            for clue, weight in found.items():
                best[clue] = max(best.get(clue, 0.0), weight)
            for row, weight in pointed[i].items():
                fits[row] += weight
        for (row, _), weight in best.items():
            fits[row] += weight
        return fits

    def _points_to(self, sentence: Sentence) -> dict[int, float]:
        """What a sentence's own conclusions say for each condition; a treatment of many says little for each."""
        out: dict[int, float] = defaultdict(float)
        past = BACKGROUND if _BEFORE.search(sentence.text) else 1.0
        for phrase in self._names(sentence.text):
            for row in self._marks.named[phrase]:
                out[row] = max(out[row], NAMED * past)
        for phrase in self._organisms(sentence.text):
            for row in self._marks.causes[phrase]:
                out[row] += CAUSED * past
        for phrases in self._given(sentence):
            rows = frozenset[int]().union(*(self._marks.treats.get(phrase, frozenset()) for phrase in phrases))
            for row in rows:
                out[row] += TREATED * past / len(rows) ** 0.5
        return out

    def _given(self, sentence: Sentence) -> list[tuple[str, ...]]:
        """The treatments of a sentence, each under all its names."""
        text = _AVOIDED.sub("", sentence.text)
        own = [
            tuple(name.lower() for name in names) for names in sentence.medicines if names[-1].lower() in text.lower()
        ]
        known = {name for names in own for name in names}
        return [*own, *((phrase,) for phrase in self._treatments(text) if phrase not in known)]

    def _misfit(self, sentence: Sentence, fits: Mapping[int, float], beside: frozenset[int]) -> Misfit:
        """beside: conditions that other sentences name. What treats or causes one of them fits, and among many each may stand alone."""
        concludes, decides = bool(_CONCLUDES.search(sentence.text)), bool(_DECIDES.search(sentence.text))
        names, organisms = self._names(sentence.text), self._organisms(sentence.text)
        given = self._given(sentence)
        if not (given and decides) and not ((names or organisms) and concludes):
            return Misfit(UNKNOWN / 2 if concludes or decides else 0.0, "")
        top = max(fits.values(), default=0.0)
        if top < LEAST:
            return Misfit(UNKNOWN, "")
        rest = _Rest(fits, top, beside)
        found = [
            self._gap(self._marks.named[name], rest, f"fits the text less than another condition: {name}")
            for name in names
        ]
        found += [
            self._gap(self._marks.causes[name], rest, f"causes nothing that the text fits: {name}")
            for name in organisms
        ]
        found += [self._treated(phrases, rest) for phrases in given if decides]
        worst = max(found, default=Misfit(0.0, ""))
        counts = BACKGROUND if _BEFORE.search(sentence.text) else 1.0
        counts *= min(1.0, FEW / max(1, len(beside)))
        return Misfit(max(UNKNOWN, worst.score * counts), worst.reason)

    def _treated(self, phrases: Iterable[str], rest: "_Rest") -> Misfit:
        """Of one treatment under its names."""
        phrases = tuple(phrases)
        harmed = [row for phrase in phrases for row in self._marks.harms.get(phrase, ()) if rest.fits_well(row)]
        rows = frozenset[int]().union(*(self._marks.treats.get(phrase, frozenset()) for phrase in phrases))
        if harmed:
            return Misfit(HARM, f"not given in {self._marks.rows[harmed[0]].names[0]}: {phrases[0]}")
        if not rows:
            return Misfit(UNHEARD, f"treats nothing that is known of: {phrases[0]}")
        gap = self._gap(rows, rest, f"treats nothing that the text fits: {phrases[0]}")
        return gap._replace(score=gap.score * ANYTIME) if len(rows) >= MANY or _PLAIN & set(phrases) else gap

    def _gap(self, rows: frozenset[int], rest: "_Rest", reason: str) -> Misfit:
        if rows & rest.beside or any(rest.fits_well(row) for row in rows):
            return Misfit(0.0, "")
        share = max((rest.fits.get(row, 0.0) for row in rows), default=0.0) / rest.top
        return Misfit(1.0 - share / AS_GOOD, reason)


class _Rest(NamedTuple):
    """What the other sentences point to: how well each condition fits, the best of these, and the conditions that they name."""

    fits: Mapping[int, float]
    top: float
    beside: frozenset[int]

    def fits_well(self, row: int) -> bool:
        return self.fits.get(row, 0.0) >= AS_GOOD * self.top


def _finder(phrases: Iterable[str]) -> Callable[[str], list[str]]:
    """What finds the longest of some phrases in a text, each once."""
    ordered = sorted(phrases, key=len, reverse=True)
    pattern = re.compile(r"\b(?:" + "|".join(re.escape(phrase) for phrase in ordered) + r")(?:s|es)?\b", re.IGNORECASE)
    known = set(ordered)

    def find(text: str) -> list[str]:
        out = []
        for match in pattern.finditer(text):
            said = match[0].lower()
            out.append(next(one for one in (said, said[:-1], said[:-2]) if one in known))
        return list(dict.fromkeys(out))

    return find
