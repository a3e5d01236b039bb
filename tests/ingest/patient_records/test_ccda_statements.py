"""One C-CDA entry to statements, by its template."""

import pytest

from backend.ingest.documents.safe_xml import Element, parsed
from backend.ingest.patient_records.ccda_statements import CdaReader
from backend.ingest.patient_records.imported_statements import ImportedStatements
from backend.schemas.record import PatientRecord
from backend.schemas.vocabulary import AllergyStatus

ROOT = "2.16.840.1.113883.10.20.22.4."
DRUG = (
    "<consumable><manufacturedProduct><manufacturedMaterial><code displayName='{}'/></manufacturedMaterial>"
    "</manufacturedProduct></consumable>"
)
AGENT = (
    "<participant><participantRole><playingEntity><code code='1' displayName='{}'/></playingEntity></participantRole>"
    "</participant>"
)


def element(tag: str, template: str, inner: str = "", attributes: str = "") -> Element:
    made = parsed(f"<{tag} {attributes}><templateId root='{ROOT}{template}'/>{inner}</{tag}>".encode())
    assert made is not None
    return made


def read(*entries: Element, today: str = "") -> PatientRecord:
    statements = ImportedStatements()
    reader = CdaReader(statements, {}, "x", today)
    for number, entry in enumerate(entries):
        reader.read(entry, f"e{number}")
    return statements.record()


def problem(name: str = "gout", inner: str = "", attributes: str = "") -> Element:
    return element("observation", "4", f"<value displayName='{name}'/>{inner}", attributes)


def test_a_problem_is_active_until_its_time_ends_and_refuted_where_negated() -> None:
    ended = "<effectiveTime><low value='20100101'/><high value='20110101'/></effectiveTime>"
    found = read(problem(), problem(inner=ended), problem(attributes="negationInd='true'")).problems
    assert [(p.clinical_status.value, p.verification_status.value, p.onset) for p in found] == [
        ("active", "confirmed", ""),
        ("resolved", "confirmed", "2010-01-01"),
        ("active", "refuted", ""),
    ]


@pytest.mark.parametrize(
    ("tag", "inner", "attributes", "status"),
    [
        ("substanceAdministration", "<statusCode code='active'/>", "moodCode='EVN'", "active"),
        ("substanceAdministration", "<statusCode code='active'/>", "moodCode='EVN' negationInd='true'", "not-taken"),
    ],
)
def test_a_medicine_has_its_status(tag: str, inner: str, attributes: str, status: str) -> None:
    (found,) = read(element(tag, "16", inner + DRUG.format("lisinopril 10 MG Oral Tablet"), attributes)).medications
    assert (found.name, found.dosage.dose, found.dosage.unit, found.status.value) == ("lisinopril", 10, "mg", status)


def test_a_dose_of_tablets_is_a_quantity_and_of_milligrams_a_dose() -> None:
    tablets = element("substanceAdministration", "16", "<doseQuantity value='2'/>" + DRUG.format("aspirin"))
    weight = element("substanceAdministration", "16", "<doseQuantity value='5' unit='mg/kg'/>" + DRUG.format("aspirin"))
    first, second = (one.dosage for one in read(tablets, weight).medications)
    assert (first.quantity, first.dose) == (2, None)
    assert (second.dose, second.unit, second.per_kg) == (5, "mg", True)


def test_an_allergy_is_its_agent_and_a_negated_one_without_an_agent_says_that_there_is_none() -> None:
    (found,) = read(element("observation", "7", AGENT.format("penicillin"))).allergies.items
    assert found.agent == "penicillin"
    none = read(element("observation", "7", "", "negationInd='true'")).allergies
    assert (none.items, none.status) == ((), AllergyStatus.NONE_KNOWN)


def test_a_procedure_of_the_encounter_s_day_is_done_now() -> None:
    def done(day: str, mood: str = "EVN", negated: str = "false") -> Element:
        inner = f"<code displayName='biopsy'/><statusCode code='completed'/><effectiveTime value='{day}'/>"
        return element("procedure", "14", inner, f"moodCode='{mood}' negationInd='{negated}'")

    found = read(
        done("20300102"),
        done("20290102"),
        done("20310102", "INT"),
        done("20290102", negated="true"),
        today="2030-01-02",
    ).procedures
    assert [one.status.value for one in found] == ["done_now", "past", "planned", "not_done"]


def test_two_pressures_of_one_organizer_are_one_value() -> None:
    def part(code: str, value: int) -> str:
        inner = f"<code code='{code}'/><value value='{value}' unit='mm[Hg]'/>"
        return f"<component><observation><templateId root='{ROOT}2'/>{inner}</observation></component>"

    both = element("organizer", "26", part("8480-6", 120) + part("8462-4", 80))
    (found,) = read(both).observations
    assert (found.measure, found.value_text) == ("blood pressure", "120/80")


@pytest.mark.parametrize(
    "entry",
    [
        problem(attributes="nullFlavor='NI'"),
        problem(name=""),
        element("observation", "999", "<value displayName='gout'/>"),  # an unknown template
        element("substanceAdministration", "16"),
    ],
)
def test_what_states_nothing_gives_no_statement(entry: Element) -> None:
    record = read(entry)
    assert [s for s in record.statements if s.id not in (record.person.id, record.encounter.id)] == []
