"""What could still tell a rater which arm wrote a text, after the rule of `blinding`. It reports; it changes nothing.

Blocking: a system's name in anything a rater sees. Warnings: what only one arm has of citation markers, talk of sources or of
programs, lines, sentences, beginnings and shapes of text; and lengths that differ much. A coordinator mends or accepts them,
and the study keeps what was accepted.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from backend.nlp.lexicon.variants import english_words
from backend.schemas.studies.study_design import EvidenceShown, StudyCase, StudySetup
from backend.schemas.studies.study_frozen import BlindedDraft, Leak
from backend.study.leakage.blinding import NAME_GONE, BlindingTerms, name_pattern, names_of
from backend.study.leakage.leak_patterns import MODELS
from backend.study.leakage.style_leaks import made_drafts, style_leaks

MARK = re.compile(
    r"\[[A-Z]{0,2}\d{1,3}\]|https?://|\bdoi:|\([KGPN]\d{1,2}(?:, ?[KGPN]\d{1,2})*\)|\[[A-Z][a-z]+,? (?:19|20)\d\d\]|\bC\d{7}\b"
)


def blinding_terms(setup: StudySetup, headings: Iterable[str], cases: Sequence[StudyCase]) -> BlindingTerms:
    """What the rule takes out in this study: every arm's names, all writers' headings, what the coordinator adds.

    A name that is an ordinary word and stands in a case itself ('control') is left alone; `leaks` asks for another name.
    """
    names = [name for name in study_names(setup) if not _ordinary(name, cases)]
    return BlindingTerms((*names, *setup.extra_terms), tuple(dict.fromkeys((*headings, *setup.extra_headings))))


def study_names(setup: StudySetup) -> tuple[str, ...]:
    """Every name of the arms: ids, names, systems, generators."""
    arms = setup.arms
    return names_of([v for arm in arms for v in (arm.id, arm.name, arm.system, arm.generator)])


def leaks(setup: StudySetup, cases: Sequence[StudyCase], drafts: Sequence[BlindedDraft]) -> tuple[Leak, ...]:
    """All that was found, blocking ones first."""
    found = [*_names(setup, cases, drafts), *_marks(drafts), *style_leaks(drafts)]
    found += [*(_evidence(drafts) if setup.evidence != EvidenceShown.NEVER else ())]
    return tuple(sorted(found, key=lambda leak: (not leak.blocking, leak.kind, leak.where, leak.what)))


def _names(setup: StudySetup, cases: Sequence[StudyCase], drafts: Sequence[BlindedDraft]) -> list[Leak]:
    distinct = [name for name in study_names(setup) if not _ordinary(name, cases)]
    found = [
        Leak(kind="ambiguous_name", where="arms", what=f"'{name}' is an ordinary word of the cases: rename the arm")
        for name in study_names(setup)
        if _ordinary(name, cases)
    ]
    patterns = [(name, name_pattern(name)) for name in (*distinct, *setup.extra_terms)]
    for where, text in _shown(setup, cases, drafts):
        for name, pattern in patterns:
            if pattern.search(text):
                found.append(Leak(kind="name", where=where, what=f"'{name}' can be read there", blocking=True))
    general = [(name, name_pattern(name)) for name in MODELS]
    for where, text in _shown(setup, (), ()):
        found += [
            Leak(kind="name", where=where, what=f"'{name}' can be read there", blocking=True)
            for name, pattern in general
            if pattern.search(text)
        ]
    return found


def _shown(setup: StudySetup, cases: Sequence[StudyCase], drafts: Sequence[BlindedDraft]) -> Iterable[tuple[str, str]]:
    """Everything a rater reads.

    Yields:
        Where it stands, and the text.
    """
    yield "public_title", setup.public_title
    yield "instructions", setup.instructions
    for arm in setup.arms:
        yield "guess_label", arm.guess_label
    for instrument in setup.instruments:
        for question in instrument.questions:
            options = " ".join(f"{option.label} {option.anchor}" for option in question.options)
            yield f"question {question.id}", f"{question.prompt} {question.help} {options}"
    for case in cases:
        yield f"case {case.id}", "\n".join((case.text, case.question, case.reference))
    for draft in drafts:
        yield f"draft of {draft.case_id}", "\n".join((draft.blinded, *draft.blinded_evidence))


def _marks(drafts: Sequence[BlindedDraft]) -> list[Leak]:
    """Citations that the rule did not know, and the gaps it left itself where it took names out."""
    cited: Counter[str] = Counter(d.arm_id for d in drafts if MARK.search(d.blinded))
    named: Counter[str] = Counter(d.arm_id for d in drafts if NAME_GONE in d.blinded)
    found = [("citation", arm, f"{n} drafts still hold what looks like a citation") for arm, n in cited.items()]
    found += [("gap", arm, f"{n} drafts show where a name was taken out") for arm, n in named.items()]
    return [Leak(kind=kind, where=f"arm {arm}", what=what) for kind, arm, what in sorted(found)]


def _evidence(drafts: Sequence[BlindedDraft]) -> list[Leak]:
    """Where evidence is shown: an arm that never has any, and what looks like a citation in it."""
    has: dict[str, int] = {draft.arm_id: 0 for draft in made_drafts(drafts)}
    cited: Counter[str] = Counter()
    for draft in made_drafts(drafts):
        has[draft.arm_id] += bool(draft.blinded_evidence)
        cited[draft.arm_id] += any(MARK.search(text) for text in draft.blinded_evidence)
    without = sorted(arm for arm, count in has.items() if not count)
    what = "none of its drafts has evidence, and other arms' have: that it is missing tells the arm"
    found = [Leak(kind="evidence", where=f"arm {arm}", what=what) for arm in without if len(without) < len(has)]
    what = "drafts have evidence that holds what looks like a citation"
    return found + [
        Leak(kind="evidence", where=f"arm {arm}", what=f"{count} {what}")
        for arm, count in sorted(cited.items())
        if count
    ]


def _ordinary(name: str, cases: Sequence[StudyCase]) -> bool:
    if name.lower() not in english_words():
        return False
    pattern = name_pattern(name)
    return any(pattern.search(text) for c in cases for text in (c.text, c.question, c.reference))
