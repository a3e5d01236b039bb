"""The scenes of the tour, from the drafts of its case with and without retrieval. Pure functions."""

from enum import StrEnum
from typing import NamedTuple

from app.view_data.reading_data import counts
from app.words.words import _
from backend.schemas.drafts.draft import Draft
from backend.schemas.vocabulary import Severity

MOST_STEPS = 4


class Kind(StrEnum):
    """What a scene shows."""

    NOTE = "note"
    WITHOUT = "without"
    BESIDE = "beside"
    STEP = "step"
    SOURCE = "source"
    ALERT = "alert"
    SIGN = "sign"


class Scene(NamedTuple):
    """A scene: its head, what to look at, and for a step of the policy which one."""

    kind: Kind
    title: str
    words: str
    step: int = 0


def scenes(without: Draft, beside: Draft) -> list[Scene]:
    """Every scene in order; steps and alerts as many as the draft has."""
    few, many = counts(without), counts(beside)
    found = [
        Scene(
            Kind.NOTE,
            _("A note comes in"),
            _("A sample, about no real person: why the patient came, allergies, history."),
        ),
        Scene(
            Kind.WITHOUT,
            _("Without retrieval"),
            _("Written from the note alone: {n} sentences, {cited} with a source.").format(
                n=few["sentences"], cited=few["cited"]
            ),
        ),
        Scene(
            Kind.BESIDE,
            _("With retrieval, side by side"),
            _(
                "With the medical graph and the handbook: {n} sentences, {cited} with a source. Press a number to read it."
            ).format(n=many["sentences"], cited=many["cited"]),
        ),
    ]
    steps = beside.evidence.policy[:MOST_STEPS]
    found += [
        Scene(
            Kind.STEP,
            _("How the search chose, step {n} of {all}").format(n=place + 1, all=len(steps)),
            _(
                "From the words of the note, the search prefers one kind of concept at a time. Figures are preferences, not truth."
            ),
            place,
        )
        for place in range(len(steps))
    ]
    found.append(
        Scene(
            Kind.SOURCE,
            _("Every sentence can be checked"),
            _("Each number opens the words that the sentence rests on."),
        )
    )
    if any(flag.severity == Severity.SEVERE for flag in beside.flags):
        found.append(
            Scene(Kind.ALERT, _("What must not be missed"), _("A severe alert is solved before anybody can sign."))
        )
    found.append(
        Scene(
            Kind.SIGN,
            _("A clinician signs"),
            _("You check, correct, fill the gaps and sign. Until then it is a draft."),
        )
    )
    return found


def scene_at(played_s: float, whole_s: float, number: int) -> int:
    """The scene that a second of the tour falls into, counted from 0; each takes the same time."""
    return min(int(played_s / whole_s * number), number - 1) if number else 0
