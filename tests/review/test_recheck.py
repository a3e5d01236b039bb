from datetime import UTC, datetime

from backend.generation.layout import DocumentLayout
from backend.review.case_content import draft_of_version, live, saved
from backend.review.editing.edits import applied
from backend.review.recheck import Changed, Checkers, rechecked
from backend.schemas.drafts.draft import Draft, Flag
from backend.schemas.patients.saved_case import Edit, EditKind, VersionContent
from backend.schemas.vocabulary import Document, Severity, Support
from tests.review.sample import NOT_RECOGNISED, TEXT, WRITTEN, Counted, Partly, Watch, evidence, sample

PLAIN = Checkers(DocumentLayout())


def edited(*edits: Edit, base: Draft | None = None, checkers: Checkers = PLAIN) -> VersionContent:
    draft = base or sample()
    first = saved(draft)
    made = applied(first, edits, 1, datetime(2026, 5, 1, tzinfo=UTC), evidence(), lambda _: first)
    return rechecked(draft, made.content, Changed(made.changed), checkers)


def replace(sentence: int, text: str) -> Edit:
    return Edit(kind=EditKind.REPLACE, sentence=sentence, text=text, author="Dr Brand")


def delete(sentence: int) -> Edit:
    return Edit(kind=EditKind.DELETE, sentence=sentence, author="Dr Brand")


def flags(content: VersionContent) -> list[tuple[str, str, int | None]]:
    return [(flag.kind, flag.severity.value, flag.sentence) for flag in content.flags]


def test_the_text_is_laid_out_again_with_its_headings_and_offsets() -> None:
    content = edited(delete(5))
    assert content.text == TEXT.replace(" Keep your visits.", "")
    now = draft_of_version(sample(), content)
    assert [now.text[s.start_char : s.end_char] for s in now.sentences] == [w.text for w in WRITTEN[:5]]


def test_a_flowing_draft_stays_without_headings() -> None:
    text, spans = DocumentLayout().lay_out(WRITTEN, Document.DISCHARGE_INSTRUCTIONS, "paragraph")
    placed = [
        s.model_copy(update={"start_char": a, "end_char": b})
        for s, (a, b) in zip(sample().sentences, spans, strict=True)
    ]
    content = edited(replace(0, "You came."), base=sample(text=text, sentences=tuple(placed)))
    assert content.text == text.replace(WRITTEN[0].text, "You came.")


def test_a_medicine_that_a_person_types_against_an_allergy_raises_a_severe_flag_at_its_sentence() -> None:
    content = edited(replace(3, "Take lisinopril."), checkers=Checkers(DocumentLayout(), safety=Watch()))
    assert ("allergy_conflict", "severe", 3) in flags(content)


def test_the_flag_goes_when_the_medicine_goes() -> None:
    watch = Checkers(DocumentLayout(), safety=Watch())
    content = edited(replace(0, "Take lisinopril."), delete(0), checkers=watch)
    assert [kind for kind, *_ in flags(content)] == ["allergy_not_recognised"]


def test_an_amount_a_person_types_is_checked_as_the_list_for_home_is_unless_it_is_denied() -> None:
    watch = Watch()
    checkers = Checkers(DocumentLayout(), safety=watch)
    edited(
        replace(3, "Furosemide 40 mg every morning."), replace(2, "Do not take ibuprofen 400 mg."), checkers=checkers
    )
    assert watch.requests[0].discharge_medicines == ("Furosemide 40 mg every morning.",)


def test_a_severe_flag_on_the_note_survives_every_edit() -> None:
    content = edited(*(delete(i) for i in range(6) if i != 3), checkers=Checkers(DocumentLayout(), safety=Watch()))
    assert [flag.message for flag in content.flags] == [NOT_RECOGNISED.message]
    assert [s.id for s in live(content.sentences)] == ["S4"]  # the place that the letter cannot do without


def test_a_severe_flag_on_a_sentence_moves_with_it_and_goes_when_it_is_rewritten() -> None:
    on_visits = Flag(kind="negated_asserted", severity=Severity.SEVERE, message="the note denies it", sentence=5)
    base = sample(flags=(on_visits,))
    moved = edited(delete(0), base=base)
    assert ("negated_asserted", "severe", 4) in flags(moved)
    assert moved.flags[0].id == saved(base).flags[0].id  # what was acknowledged stays so
    assert flags(edited(replace(5, "Other."), base=base)) == [("gap", "info", None)]


def test_the_count_of_gaps_is_brought_up_to_date() -> None:
    content = edited(replace(2, "Found."))
    assert [f.message for f in content.flags if f.kind == "gap"] == ["1 place is left for the team to complete."]


def test_a_verifier_that_is_handed_in_marks_what_a_person_wrote_and_nothing_else() -> None:
    content = edited(replace(0, "You came."), checkers=Checkers(DocumentLayout(), verifier=Partly()))
    first, second = content.sentences[:2]
    assert (first.support, first.support_score) == (Support.PARTIAL, 0.5)
    assert first.reason == "edited by a person; worded differently"
    assert second.support == Support.SUPPORTED


def test_readability_is_measured_again_or_said_not_to_be_known() -> None:
    # the three words of the new sentence, and the seven of the place that the letter cannot do without
    made = (replace(0, "Three words here."), *(delete(i) for i in (1, 2, 4, 5)))
    assert edited(*made, checkers=Checkers(DocumentLayout(), readable=Counted())).readability.words == 10
    assert edited(*made).readability.fkgl is None
