"""Flags of typed rows over a tiny graph: grades, values, one flag a pair, totals of an ingredient, monitoring, unknown medicines."""

from collections.abc import Callable

import pytest

from backend.knowledge.allergy_reach import AllergyReach
from backend.knowledge.contraindications import Contraindications
from backend.knowledge.safety.rows.clauses import DoseClause, DoseUnit, Period, Stage, StageClause, ValueClause
from backend.knowledge.safety.rows.dose_rows import DoseRow
from backend.knowledge.safety.rows.grades import Grade
from backend.knowledge.safety.rows.safety_rows import ContraindicationRow, InteractionRow, SafetyRows
from backend.nlp.extraction.linker import DictionaryLinker
from backend.schemas.drafts.draft import Checks, Flag
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Severity
from backend.stores.graph.graph import Graph
from backend.verification.safety.safety import GraphSafetyCheck
from tests.verification.flags import QUIET, of

Run = Callable[..., tuple[tuple[Flag, ...], Checks]]
WEAK = ValueClause("eGFR", "<", 30)
HALF_A_GRAM = DoseClause(">", 500, DoseUnit.MG, Period.DAY)
ROWS = SafetyRows(
    interactions=(
        InteractionRow("T:NSAID", "T:warfarin", Grade.AVOID, "bleeding"),
        InteractionRow("T:naproxen", "T:warfarin", Grade.NEVER, "severe bleeding"),
        InteractionRow("T:ibuprofen", "T:lisinopril", Grade.MONITOR, "kidney injury"),
        InteractionRow("T:NSAID", "T:NSAID", Grade.AVOID, "stomach bleeding"),
        InteractionRow("T:furosemide", "T:lisinopril", Grade.AVOID, "kidneys", (WEAK,)),
        InteractionRow("T:amoxicillin", "T:amoxicillin", Grade.NEVER, "too much", (HALF_A_GRAM,)),
    ),
    contraindications=(
        ContraindicationRow("T:NSAID", "T:heart-failure", Grade.NEVER, "fluid builds up"),
        ContraindicationRow("T:lisinopril", "T:gout", Grade.MONITOR, "watch the joints"),
        ContraindicationRow("T:lisinopril", "T:pneumonia", Grade.AVOID, "", (StageClause(frozenset({Stage.SEVERE})),)),
        ContraindicationRow("T:warfarin", "T:heart-failure", Grade.AVOID, "", (WEAK,)),
        ContraindicationRow("T:furosemide", "T:heart-failure", Grade.AVOID, "it treats it"),
    ),
)  # fmt: skip
DOSES = (
    DoseRow("T:amoxicillin", "oral", 250, 1000, DoseUnit.MG, Period.DOSE),
    DoseRow("T:amoxicillin", "oral", 750, 3000, DoseUnit.MG, Period.DAY),
    DoseRow("T:warfarin", "oral", 1, 10, DoseUnit.MG, Period.WEEK),
    DoseRow("T:lisinopril", "oral", 2.5, 40, DoseUnit.MG, Period.DAY),
    DoseRow("T:lisinopril", "oral", 2.5, 10, DoseUnit.MG, Period.DAY, (WEAK,)),
)


@pytest.fixture
def run(tiny_graph: Graph, tiny_reach: AllergyReach, tiny_linker: DictionaryLinker) -> Run:
    safety = GraphSafetyCheck(
        tiny_graph, tiny_reach, DOSES, tiny_linker, contraindications=Contraindications(tiny_graph, ROWS)
    )

    def check(note: str, *medicines: str) -> tuple[tuple[Flag, ...], Checks]:
        request = DraftRequest(text=f"{QUIET} {note}", discharge_medicines=medicines)
        return safety.check(request, tiny_linker.read(request.text), (), ())

    return check


@pytest.mark.parametrize(
    ("note", "severity"),
    [
        ("She has heart failure. She takes ibuprofen.", Severity.SEVERE),
        ("She has gout. She takes lisinopril.", Severity.INFO),
        ("She has severe pneumonia. She takes lisinopril.", Severity.WARNING),
        ("She has pneumonia. She takes lisinopril.", None),
        ("She has a history of heart failure in 2010, resolved. She takes ibuprofen.", None),
        ("Her mother has heart failure. She takes ibuprofen.", None),
        ("She may have heart failure. She takes ibuprofen.", None),
        ("She has heart failure. She takes furosemide.", None),  # given for the very condition
    ],
)
def test_a_grade_is_a_severity_and_only_a_present_problem_of_the_stage_counts(
    run: Run, note: str, severity: Severity | None
) -> None:
    assert [flag.severity for flag in of(run(note)[0], "contraindication")] == ([severity] if severity else [])


def test_a_rule_whose_value_is_missing_is_told_as_not_checked_and_never_fires(run: Run) -> None:
    flags, checks = run("She has heart failure. She takes warfarin and furosemide and lisinopril.")
    assert [flag for flag in flags if "eGFR" in flag.message] == []
    told = {(one.medicine, one.missing) for one in checks.not_checked}
    assert {("warfarin", "eGFR"), ("lisinopril with furosemide", "eGFR")} <= told or (
        "furosemide with lisinopril",
        "eGFR",
    ) in told
    flags, checks = run("She has heart failure. eGFR 24 today. She takes warfarin.")
    assert [flag.severity for flag in of(flags, "contraindication")] == [Severity.WARNING]
    assert "eGFR 24" in of(flags, "contraindication")[0].message and checks.not_checked == ()


def test_the_gravest_row_of_a_pair_gives_its_one_flag(run: Run) -> None:
    (flag,) = of(run("She takes warfarin and naproxen.")[0], "interaction")
    assert (flag.severity, "severe bleeding" in flag.message) == (Severity.SEVERE, True)
    (flag,) = of(run("She takes ibuprofen and lisinopril.")[0], "interaction")
    assert flag.severity is Severity.INFO


def test_two_of_one_class_are_named_with_the_class_and_a_class_beside_its_member_is_not(run: Run) -> None:
    (flag,) = of(run("She takes ibuprofen and naproxen.")[0], "interaction")
    assert flag.message == "ibuprofen and naproxen both belong to: NSAID: stomach bleeding."
    assert of(run("She takes ibuprofen. The NSAID was continued.")[0], "interaction") == []


def test_an_ingredient_of_two_products_is_counted_together(run: Run) -> None:
    # 500 mg three times a day alone, and its amount in the second product is not told: 1,500 mg, above 500
    (flag,) = of(run("She takes amoxicillin 500 mg TID and amoxicillin-clavulanate BID.")[0], "interaction")
    assert (flag.severity, "both contain amoxicillin" in flag.message) == (Severity.SEVERE, True)


def test_a_weekly_medicine_taken_daily_is_severe(run: Run) -> None:
    (flag,) = of(run("She takes warfarin 5 mg daily.")[0], "dose")
    assert flag.severity is Severity.SEVERE
    assert flag.message == "warfarin in the note is a medicine taken once a week, and here it is daily."
    assert of(run("She takes warfarin 5 mg once a week.")[0], "dose") == []


def test_a_dose_is_held_to_the_kidneys_of_the_record(run: Run) -> None:
    assert of(run("She takes lisinopril 40 mg daily.")[0], "dose") == []
    (flag,) = of(run("eGFR 24. She takes lisinopril 40 mg daily.")[0], "dose")
    assert flag.severity is Severity.SEVERE
    assert flag.message.endswith("a dose for eGFR 24.") or "eGFR 24" in flag.message


def test_a_discharge_list_is_checked_as_the_note_is(run: Run) -> None:
    (flag,) = of(run("", "Lisinopril 60 mg daily")[0], "dose")
    assert (flag.severity, "the discharge list" in flag.message) == (Severity.WARNING, True)


def test_what_is_on_hold_counts_less(run: Run) -> None:
    (flag,) = of(run("She has heart failure. Ibuprofen is on hold.")[0], "contraindication")
    assert (flag.severity, flag.message.endswith("It is on hold.")) == (Severity.INFO, True)


def test_an_unknown_medicine_is_told_by_one_flag_and_in_the_checks(run: Run) -> None:
    flags, checks = run("Medications: zorbitrexate 5 mg daily, lisinopril 10 mg daily", "Quuxomab 40 mg daily")
    (flag,) = of(flags, "medicine_not_recognised")
    assert flag.severity is Severity.WARNING
    assert "zorbitrexate" in flag.message.lower() and "Quuxomab" in flag.message
    assert {row.kind for row in checks.unrecognised} == {"medicine"}
    assert not of(run("She takes lisinopril.")[0], "medicine_not_recognised")
