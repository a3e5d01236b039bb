"""How an answer tells of the options of a question: what was chosen, by whom, and what speaks against which of them."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.headings import ANSWER
from backend.schemas.vocabulary import LETTERS, Basis

NONE_LEFT = "No option was chosen: the safety check forbids each of them for this patient"
Warned = tuple[str, tuple[str, ...]]
"""Why an option should not be chosen, and the ids of what says so."""


def all_forbidden(options: Sequence[str], forbidden: Collection[str]) -> bool:
    """Whether there are options and none of them may be chosen."""
    return bool(options) and all(letter in forbidden for letter in LETTERS[: len(options)])


def forbidden_sentences(options: Sequence[str], forbidden: Mapping[str, str]) -> Iterator[WrittenSentence]:
    """A sentence for each option that was not chosen since the safety check forbids it. forbidden: reasons by letter."""
    for letter, option in zip(LETTERS, options, strict=False):
        if letter in forbidden:
            yield _remark(
                f"[{letter}: “{option}” must not be used and was not chosen: {forbidden[letter].rstrip('.')}.]"
            )


def option_sentences(
    letter: str, option: str, citations: tuple[str, ...], remarks: Sequence[str]
) -> Iterator[WrittenSentence]:
    """The answer as the draft gives it: the option, where there is one, and in brackets who chose it and how weak that is."""
    if option:
        text = f"The retrieved evidence overlaps most with {letter}: “{option}”."
        yield WrittenSentence(text=text, section=ANSWER, basis=Basis.GENERAL, citations=citations)
    remark = " ".join(part if part.endswith(".") else f"{part}." for part in remarks if part)
    yield _remark(f"[{remark}]")


def warned_sentences(warned: Mapping[str, Warned], options: Sequence[str]) -> Iterator[WrittenSentence]:
    """A remark for each option that was left out for what speaks against it."""
    for letter, (reason, citations) in sorted(warned.items()):
        option = options[LETTERS.index(letter)]
        yield _remark(f"[{letter}: “{option}” was not chosen: {reason}.]", citations)


def warning_sentence(letter: str, option: str, against: Warned) -> WrittenSentence:
    """What stands before an answer that was chosen though something speaks against it."""
    reason, citations = against
    return _remark(f"[Warning before {letter}: “{option}”: {reason.rstrip('.')}.]", citations)


def _remark(text: str, citations: tuple[str, ...] = ()) -> WrittenSentence:
    return WrittenSentence(text=text, section=ANSWER, basis=Basis.GENERAL, citations=citations)
