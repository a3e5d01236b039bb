"""The scorer of a medicine's status: its chain against sums over all chains, the margin, the evidence, and what is settled before it."""

import json

import numpy as np
import pytest

from backend.nlp.attributes.engine import read_attributes
from backend.nlp.document.parsed_note import parse_note
from backend.nlp.medications.medicine_events import SCORED
from backend.nlp.medications.medicine_names import named_medicines
from backend.nlp.medications.medicine_runs import stated_medicines
from backend.nlp.medications.status import status_scorer as scorer_module
from backend.nlp.medications.status.status_features import status_evidence
from backend.nlp.medications.status.status_scorer import TOLD, Told, status_scorer
from backend.nlp.scoring.evidence import BONDS, Evidence
from backend.nlp.scoring.status_chain import StatusChain
from backend.schemas.record import Setting
from tests.nlp.fresh import linker
from tests.nlp.medications.attributes import statements


def evidence(text: str) -> Evidence:
    note = parse_note(text)
    stated = stated_medicines(note, named_medicines(note, linker().link(text).note.mentions))
    attributes = read_attributes(note, [(one.named.start_char, one.named.end_char) for one in stated])
    return status_evidence(note, stated, attributes, Setting.UNKNOWN)


def model(margin: float, **weights: tuple[Told, float]) -> StatusChain[Told]:
    """A scorer with one weight a feature, and nothing that follows anything."""
    table = np.zeros((len(weights) + 1, len(TOLD)))
    for row, (told, weight) in enumerate(weights.values(), 1):
        table[row, TOLD.index(told)] = weight
    columns = {name: row for row, name in enumerate(weights, 1)}
    return StatusChain(TOLD, columns, table, np.zeros((len(BONDS), len(TOLD), len(TOLD))), margin)


def test_the_verdict_stands_unless_another_status_is_likelier_by_the_margin() -> None:
    told = Evidence((("drip",),), ())
    # of nine statuses, weight 1 for one: e / (e + 8) = 0.254 against 1 / (e + 8) = 0.093, so 0.160 apart
    assert model(0.15, drip=(Told.GIVEN, 1.0)).decide(told, [Told.HOME])[0][0] is Told.GIVEN
    assert model(0.17, drip=(Told.GIVEN, 1.0)).decide(told, [Told.HOME])[0][0] is Told.HOME
    assert model(0.15, drip=(Told.GIVEN, 1.0)).decide(told, [Told.GIVEN])[0] == (
        Told.GIVEN,
        pytest.approx(0.254, abs=1e-3),
    )


def test_a_medicine_takes_its_status_from_its_neighbour_where_the_bond_says_so() -> None:
    follows = np.zeros((len(BONDS), len(TOLD), len(TOLD)))
    given = TOLD.index(Told.GIVEN)
    follows[BONDS.index("run"), given, given] = 5.0
    held = model(0.0, drip=(Told.GIVEN, 5.0))._replace(follows=follows)
    two = (("drip",), ("bare",))
    assert held.decide(Evidence(two, ("run",)), [Told.HOME, Told.HOME])[1][0] is Told.GIVEN
    assert held.decide(Evidence(two, ("section",)), [Told.HOME, Told.HOME])[1][0] is Told.HOME


def test_no_medicine_has_no_decision() -> None:
    assert status_scorer().decide(Evidence((), ()), []) == []


def test_evidence_is_of_the_words_on_both_sides_and_of_the_same_medicine_elsewhere() -> None:
    first, second = evidence("ED: got ketorolac 30 mg IV. Ketorolac was stopped.").features
    assert {"cue:left:give", "label:cue:here", "route:intravenous", "dosed"} <= set(first)
    assert {"later:STOPPED", "no_dosage"} <= {*first, *second}
    assert "cue:right:stop" in second
    assert len(first) == len(set(first))


@pytest.mark.parametrize(
    ("text", "bond"),
    [
        ("Got ketorolac 30 mg and ondansetron.", "run"),
        ("Got ketorolac, takes ondansetron.", "cue"),
        ("Ketorolac; ondansetron.", "line"),
        ("Got ketorolac. Took ondansetron.", "next"),
        ("Got ketorolac. He walked. Took ondansetron.", "apart"),
        ("HPI: Got ketorolac.\nPLAN: Ondansetron.", "section"),
    ],
)
def test_what_parts_two_medicines(text: str, bond: str) -> None:
    assert evidence(text).bonds == (bond,)


def test_the_shipped_model_knows_every_status_and_bond_and_its_card_tells_what_it_learned_from() -> None:
    held = json.loads(scorer_module.MODEL.read_text(encoding="utf-8"))
    assert set(held["follows"]) == set(BONDS)
    assert all(len(row) == len(TOLD) for row in held["weights"].values())
    figures = held["card"]["figures_of_notes_kept_apart"]
    assert all(figures[source]["right"] > figures[source]["right_by_triggers"] for source in ("pieces", "notes"))


@pytest.mark.parametrize(
    ("text", "medicine", "status", "category"),
    [
        ("Discharge medications: enalapril 10 mg daily.", "enalapril", "intended", "discharge"),
        ("HOSPITAL COURSE: She was treated with ampicillin.", "ampicillin", "active", "inpatient"),
        ("She was put on topiramate, which made her feel bad.", "topiramate", "stopped", "community"),
    ],
)
def test_what_alone_decides_is_not_scored_away(text: str, medicine: str, status: str, category: str) -> None:
    (one,) = [one for one in statements(text) if one.name == medicine]
    assert (one.status.value, one.category.value) == (status, category)
    assert SCORED not in one.rule_ids


def test_a_status_that_the_scorer_decided_names_it_beside_the_row_that_it_overrules() -> None:
    found = {one.name: one for one in statements("She is on lisinopril. Crew: aspirin 300 mg.")}
    assert SCORED not in found["lisinopril"].rule_ids
    assert found["aspirin"].category.value == "inpatient"
    assert found["aspirin"].rule_ids == ("medications/section", SCORED)


@pytest.mark.parametrize(
    "told", ["Stop {}.", "Hold {} for now.", "Come off the {}.", "She refused {}.", "{} was discontinued."]
)
@pytest.mark.parametrize("place", ["PLAN: ", "ED course: got ketorolac 30 mg IV. ", "HPI: Takes aspirin 81 mg daily. "])
@pytest.mark.parametrize("medicine", ["pioglitazone", "metoprolol"])
def test_what_a_row_says_is_over_is_never_scored_into_something_taken(told: str, place: str, medicine: str) -> None:
    (one,) = [one for one in statements(place + told.format(medicine)) if one.name == medicine]
    assert one.status.value in ("stopped", "on-hold", "not-taken", "completed")


def test_what_is_only_offered_is_not_scored_into_taken_nor_what_was_prescribed_into_over() -> None:
    offered = statements("Options include methotrexate, Humira, and Enbrel.")
    assert {one.status.value for one in offered} == {"intended"}
    (prescribed,) = statements("HPI: In July he was prescribed Bactrim.")
    assert prescribed.status.value == "active"
