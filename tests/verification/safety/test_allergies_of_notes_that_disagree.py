"""Flags for allergies that stand only in earlier notes, and for what running text may tell as one."""

import pytest

from backend.knowledge.allergy_reach import AllergyReach
from backend.nlp.extraction.linker import DictionaryLinker
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest, PatientNote
from backend.schemas.vocabulary import Severity
from backend.stores.graph.graph import Graph
from backend.verification.safety.safety import GraphSafetyCheck
from tests.verification.flags import DOSES, QUIET, Check, of, said

OLD = PatientNote(
    note_type="Discharge summary", date="2023-05-01", text="Allergies: amoxicillin (hives)\n\nHPI: Cough."
)
OLDER = PatientNote(note_type="General", date="2019-02-03", text="Amoxicillin allergy: rash.")
UNDATED = PatientNote(note_type="Nursing", text="Allergies: zorbitrexate (hives)")


def test_an_allergy_of_an_earlier_note_alone_is_compared_and_says_which_note_lists_it(check: Check) -> None:
    note = "Allergies: NKDA\n\nHPI: A 60-year-old woman."
    flags, checks = check(note, medicines=("Augmentin 875 mg",), earlier=(OLDER, OLD))
    (conflict,) = of(flags, "allergy_conflict")
    assert conflict.severity == Severity.SEVERE
    assert "listed in an earlier note of 2023-05-01 and 1 more as allergy" in conflict.message
    (row,) = [row for row in checks.compared if row.kind == "allergy"]
    assert (row.text, row.against) == ("amoxicillin (listed in an earlier note of 2023-05-01 and 1 more)", 1)
    assert row.found == "conflict: amoxicillin-clavulanate"


@pytest.mark.parametrize(
    ("note", "kind", "severity", "says"),
    [
        (
            "Allergies: NKDA\n\nHPI: A 60-year-old woman.",
            "allergy_disagreement",
            Severity.SEVERE,
            "says that no allergies are known, but",
        ),
        (
            "HPI: A 60-year-old woman.",
            "allergy_not_stated",
            Severity.WARNING,
            "does not say whether there are allergies;",
        ),
        (
            "Allergies: lisinopril\n\nHPI: A 60-year-old woman.",
            "allergy_disagreement",
            Severity.WARNING,
            "does not list all:",
        ),
    ],
)
def test_notes_that_disagree_on_allergies_are_one_flag(
    check: Check, note: str, kind: str, severity: Severity, says: str
) -> None:
    flags = check(note, earlier=(OLD,))[0]
    (flag,) = [*of(flags, "allergy_disagreement"), *of(flags, "allergy_not_stated")]
    assert flag.kind == kind
    assert (flag.severity, flag.evidence) == (severity, ("amoxicillin",))
    assert says in flag.message
    assert "“amoxicillin” (allergy: hives), listed in an earlier note of 2023-05-01" in flag.message


def test_an_allergy_that_both_notes_list_is_the_pasted_note_s(check: Check) -> None:
    flags, checks = check("Allergies: amoxicillin (rash)\n\nHPI: A 60-year-old woman.", earlier=(OLD, OLDER))
    assert of(flags, "allergy_not_stated") == of(flags, "allergy_disagreement") == []
    assert [row.text for row in checks.compared] == ["amoxicillin"]


def test_an_allergy_of_an_earlier_note_that_nothing_knows_is_said_with_its_note(check: Check) -> None:
    flags, checks = check("Allergies: NKDA\n\nHPI: A 60-year-old woman.", earlier=(UNDATED,))
    (flag,) = of(flags, "allergy_not_recognised")
    assert flag.severity == Severity.WARNING
    assert "listed in an earlier note without a date (Nursing): not recognised; not checked." in flag.message
    (row,) = checks.unrecognised
    assert (row.start_char, row.end_char) == (None, None)


def test_earlier_notes_without_allergies_change_nothing(check: Check) -> None:
    note = f"{QUIET} She takes furosemide 40 mg daily."
    silent = PatientNote(date="2024-01-01", text="Allergies: none. HPI: Cough.")
    assert check(note, earlier=(silent,)) == check(note)


def test_an_earlier_note_is_read_once(
    tiny_graph: Graph, tiny_reach: AllergyReach, tiny_linker: DictionaryLinker
) -> None:
    read: list[str] = []

    class Counting:
        def link(self, text: str) -> LinkedNote:
            read.append(text)
            return tiny_linker.link(text)

    safety = GraphSafetyCheck(tiny_graph, tiny_reach, DOSES, Counting())
    request = DraftRequest(text="Allergies: NKDA", patient_notes=(OLD,))
    for _ in range(2):
        safety.check(request, tiny_linker.read(request.text), (), ())
    assert read.count(OLD.text) == 1


REACTED = "HPI: A 60-year-old woman. Within an hour of a dose of naproxen her tongue began to swell."


def test_a_possible_allergy_is_a_warning_with_the_words_that_hint_at_it(check: Check) -> None:
    (flag,) = of(check(REACTED)[0], "allergy_possible")
    assert (flag.severity, flag.evidence) == (Severity.WARNING, ("naproxen",))
    assert "Possible allergy in the text: “naproxen” (“naproxen her tongue began to swell”)" in flag.message


def test_a_possible_allergy_is_severe_where_the_draft_gives_it_again(check: Check) -> None:
    (flag,) = of(check(REACTED, said("Naproxen eases the pain."))[0], "allergy_possible")
    assert flag.severity == Severity.SEVERE
    assert "Named all the same: naproxen in the note and the draft." in flag.message
    assert flag.sentence == 0
