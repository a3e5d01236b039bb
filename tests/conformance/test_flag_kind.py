"""What every registered kind of flag must do, whoever adds it: it explains itself, and its example raises it and no other text does."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from backend.container.container import Container
from backend.errors import NotFoundError
from backend.knowledge.hospital.formulary import CELLS, Formulary, formulary_rows
from backend.registry import FLAG_KINDS, SAFETY_CHECKS, Entry, flag_kind, safety_check
from backend.schemas.drafts.draft import Flag, Sentence
from backend.schemas.drafts.evidence import Condition
from backend.schemas.drafts.headings import HEADINGS
from backend.schemas.drafts.request import DraftRequest, PatientNote
from backend.schemas.vocabulary import Basis, Document, Severity, Support
from backend.verification.safety.checks import CheckedDraft, FlagExample, make_flag

FIRST_PART = {document: parts[0] for document, parts in HEADINGS.items()}


class Raised:
    """An example run through the whole safety stage."""

    def __init__(self, container: Container, example: FlagExample) -> None:
        earlier = tuple(PatientNote(note_type="Physician", date="2031-01-02", text=text) for text in example.earlier)
        self.request = DraftRequest(
            text=example.note,
            document=example.document,
            discharge_medicines=example.medicines,
            patient_notes=earlier,
        )
        linked = container.linker.link(example.note)
        self.conditions = container.ranker.rank(linked, self.request)
        self.sentences = (_sentence(example.sentence, example.document),) if example.sentence else ()
        safety = container.safety
        if example.formulary:
            rows, faults = formulary_rows("\t".join(CELLS) + "\n" + example.formulary)
            assert faults == []
            names = {row.name: row.concept_id for row in container.graph.concepts}
            safety = safety.with_formulary(Formulary(rows, names.get))
        self.flags, _ = safety.check(self.request, linked, self.conditions, self.sentences)

    def of(self, kind: str) -> list[Flag]:
        return [flag for flag in self.flags if flag.kind == kind]


def _sentence(text: str, document: Document) -> Sentence:
    return Sentence(
        text=text,
        section=FIRST_PART[document],
        start_char=0,
        end_char=len(text),
        basis=Basis.PATIENT,
        citations=("N1",),
        support=Support.NOT_SCORED if text.startswith("[") else Support.UNSUPPORTED,
        reason="not in the cited text: gout",
    )


def check_explains_itself(entry: Entry[Any]) -> None:
    """A label, a severity of the enum, what the flag means and what to do, in plain text."""
    assert entry.facts["severity"] in set(Severity)
    assert entry.label != entry.name
    for text in (entry.label, entry.about, entry.facts["action"]):
        assert text.strip() == text != ""
        assert is_plain(text), f"{entry.name}: {text!r} holds markup"
    assert entry.about.endswith(".") and entry.facts["action"].endswith(".")


def check_raised_by_its_example(entry: Entry[Any], container: Container) -> None:
    """The example raises the kind, and every such flag says what it found and points at something that is there."""
    raised = Raised(container, entry.facts["example"])
    found = raised.of(entry.name)
    assert found, f"the example does not raise {entry.name}"
    for flag in found:
        assert flag.severity in set(Severity)
        assert flag.message.endswith(".") and is_plain(flag.message)
        assert names_a_value(flag, raised.request, raised.sentences, raised.conditions) or entry.facts.get("of_note")
        check_points_at_what_is_there(flag, raised.request, raised.sentences, raised.conditions)


def check_not_raised_by_its_counterexample(entry: Entry[Any], container: Container) -> None:
    assert not Raised(container, entry.facts["counterexample"]).of(entry.name)


def check_points_at_what_is_there(
    flag: Flag, request: DraftRequest, sentences: Sequence[Sentence], conditions: Sequence[Condition]
) -> None:
    """The sentence exists; each piece of evidence is an id of the draft or words that somebody wrote."""
    assert flag.sentence is None or 0 <= flag.sentence < len(sentences)
    ids = {c.concept_id for c in conditions} | {cited for sentence in sentences for cited in sentence.citations}
    for one in flag.evidence:
        assert one in ids or one.lower() in _written(request, sentences), f"{one!r} is no id and stands nowhere"


def names_a_value(
    flag: Flag, request: DraftRequest, sentences: Sequence[Sentence], conditions: Sequence[Condition]
) -> bool:
    """Whether a message holds more than the kind says anyway: a number, quoted words, a name that is concerned, or the reason."""
    said = flag.message.lower()
    names = [c.name for c in conditions] + [s.reason for s in sentences] + list(HEADINGS[request.document])
    concerned = [*flag.evidence, *names, "german", "spanish", "french"]
    return any(c.isdigit() for c in said) or "“" in said or any(name and name.lower() in said for name in concerned)


def is_plain(text: str) -> bool:
    """No markup of its own and no control characters: the page shows it as text."""
    return text.isprintable() and not any(c in text for c in "<>&`")


def _written(request: DraftRequest, sentences: Sequence[Sentence]) -> str:
    notes = (note.text for note in request.patient_notes)
    return "\n".join((request.text, *request.discharge_medicines, *notes, *(s.text for s in sentences))).lower()


# a kind that the pipeline raises itself has no note that shows it; its own tests do (tests/pipeline)
@pytest.fixture(params=[e.name for e in FLAG_KINDS.entries() if not e.facts.get("by_pipeline")])
def entry(request: pytest.FixtureRequest) -> Entry[Any]:
    return FLAG_KINDS.get(request.param)


def test_a_kind_explains_itself(entry: Entry[Any]) -> None:
    check_explains_itself(entry)


def test_its_example_raises_it(entry: Entry[Any], container: Container) -> None:
    check_raised_by_its_example(entry, container)


def test_its_counterexample_does_not(entry: Entry[Any], container: Container) -> None:
    check_not_raised_by_its_counterexample(entry, container)


def test_words_of_a_hostile_note_stay_text_in_a_flag(container: Container) -> None:
    """What a note says is quoted as it stands; the page escapes it, so nothing is added and nothing is lost."""
    raised = Raised(container, FlagExample("Allergies: <b>zorbitrexate</b> (hives)\n\nHPI: A 60-year-old woman."))
    messages = [flag.message for flag in raised.of("allergy_not_recognised")]
    assert messages and all("zorbitrexate" in message for message in messages)


def test_a_flag_of_a_kind_that_nobody_registered_cannot_be_made() -> None:
    with pytest.raises(NotFoundError, match="There is no flag kind 'allergie_conflict'"):
        make_flag("allergie_conflict", "It is misspelt.")


SPARE = {
    "label": "Spare",
    "severity": Severity.INFO,
    "about": "The note names a spare part.",
    "action": "Look at it.",
    "example": FlagExample("HPI: A 60-year-old woman with a spare part."),
    "counterexample": FlagExample("HPI: A 60-year-old woman."),
}


def _spare(draft: CheckedDraft) -> Iterator[Flag]:
    if "spare part" in draft.request.text:
        yield make_flag("spare", "The note names “spare part”.", evidence=("spare part",))


def _failing(container: Container) -> list[str]:
    """The checks of this suite that the kind `spare` does not pass."""
    entry, failed = FLAG_KINDS.get("spare"), []
    for check in (check_explains_itself, check_raised_by_its_example, check_not_raised_by_its_counterexample):
        try:
            check(entry) if check is check_explains_itself else check(entry, container)  # type: ignore[operator]
        except (AssertionError, KeyError, ValueError):
            failed.append(check.__name__)
    return failed


def _kind(check: Any, **facts: Any) -> None:
    flag_kind("spare", **SPARE | facts)(safety_check("spare")(check))


def test_a_new_kind_is_run_by_the_stage_and_passes_by_being_registered(container: Container) -> None:
    with FLAG_KINDS.scratch(), SAFETY_CHECKS.scratch():
        _kind(_spare)
        assert _failing(container) == []
    assert "spare" not in FLAG_KINDS.names()


def test_broken_kinds_fail_the_checks(container: Container) -> None:
    def says_nothing(draft: CheckedDraft) -> Iterator[Flag]:
        if "spare part" in draft.request.text:
            yield make_flag("spare", "Something is there.")

    def points_nowhere(draft: CheckedDraft) -> Iterator[Flag]:
        if "spare part" in draft.request.text:
            yield make_flag("spare", "The note names “spare part”.", sentence=7, evidence=("words of nobody",))

    def marks_up(draft: CheckedDraft) -> Iterator[Flag]:
        if "spare part" in draft.request.text:
            yield make_flag("spare", "The note names “<b>spare part</b>”.")

    def always(draft: CheckedDraft) -> Iterator[Flag]:
        yield make_flag("spare", "The note names “spare part”.")

    never = ["check_raised_by_its_example"]
    broken: list[tuple[Any, dict[str, Any], list[str]]] = [
        (says_nothing, {}, never),
        (points_nowhere, {}, never),
        (marks_up, {}, never),
        (lambda draft: (), {}, never),
        (always, {}, ["check_not_raised_by_its_counterexample"]),
        (_spare, {"action": ""}, ["check_explains_itself"]),
        (_spare, {"severity": "grave"}, ["check_explains_itself"]),
        (_spare, {"about": "It <i>shows</i>."}, ["check_explains_itself"]),
    ]
    for check, facts, failed in broken:
        with FLAG_KINDS.scratch(), SAFETY_CHECKS.scratch():
            _kind(check, **facts)
            assert _failing(container)[: len(failed)] == failed, (check, facts)
