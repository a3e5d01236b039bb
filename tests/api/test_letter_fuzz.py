"""Whatever is sent to a letter's routes, the answer is one of the contract's, and no defect."""

from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backend.schemas.patients.letter_work import FLAG_ANSWERS
from backend.schemas.patients.saved_case import EditKind
from tests.api.letters_served import served
from tests.review.sample import NOTE
from tests.review.scripted_letter import PROBLEMS, REQUEST, letter_of

WORDS = st.one_of(
    st.text(max_size=40), st.sampled_from(["", "Take lisinopril 10 mg.", "[team to complete: x]", "[", "\x00", "…"])
)
CORRECTION = st.fixed_dictionaries(
    {
        "start_char": st.integers(-1, 90),
        "end_char": st.integers(-1, 90),
        "text": st.sampled_from(["lisinopril", NOTE[11:21], "", "zebra"]),
        "kind": st.sampled_from(["present", "absent", "past", "other_sense", "allergy", "medication", "nothing"]),
    }
)
MEDICINE = st.fixed_dictionaries(
    {
        "id": st.sampled_from(["", "M1", "M2", "A1", "A9", "x"]),
        "name": WORDS,
        "action": st.sampled_from(["new", "stopped", "changed", "undecided", "eaten"]),
        "dose": WORDS,
        "removed": st.booleans(),
    }
)
CONTEXT = st.fixed_dictionaries(
    {},
    optional={
        "length": st.sampled_from(["short", "full", "endless", None]),
        "document": st.sampled_from(["discharge_instructions", "progress_note", None]),
        "hospital_course": WORDS,
        "discharge_medicines": st.lists(WORDS, max_size=3),
        "patient_notes": st.just([{"text": "An earlier note."}]),
        "question": WORDS,
    },
)
EDIT = st.fixed_dictionaries(
    {
        "kind": st.one_of(st.sampled_from([one.value for one in EditKind]), st.just("explode")),
        "author": st.just("Dr Brand"),
    },
    optional={
        "sentence": st.one_of(st.integers(-1, 20), st.sampled_from(["S1", "S3", "S7", "S99", "T1"])),
        "text": WORDS,
        "section": WORDS,
        "concept_id": st.sampled_from([*PROBLEMS, "nothing", ""]),
        "to_version": st.integers(0, 12),
        "gap": st.sampled_from(["GAP1", "GAP2", "x", ""]),
        "flag": st.sampled_from(["F-1", ""]),
        "answer": st.fixed_dictionaries({"code": st.sampled_from([FLAG_ANSWERS[0].code, "x"]), "words": WORDS}),
        "correction": CORRECTION,
        "medicine": MEDICINE,
        "details": st.fixed_dictionaries({}, optional={"patient_name": WORDS, "ward": st.text(max_size=300)}),
        "context": CONTEXT,
        "citations": st.lists(st.sampled_from(["P1", "N1", "K9"]), max_size=3),
    },
)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    return TestClient(
        served(tmp_path_factory.mktemp("fuzz")), base_url="http://127.0.0.1", raise_server_exceptions=False
    )


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.lists(EDIT, min_size=1, max_size=3), min_size=1, max_size=6), st.booleans())
def test_any_edits_are_made_or_refused_and_the_letter_stays_readable(
    client: TestClient, batches: list[list[dict[str, Any]]], whole: bool
) -> None:
    body = {"draft": letter_of(REQUEST).model_dump(mode="json"), "request": REQUEST.model_dump(mode="json")}
    case = client.post("/v1/cases", json={**body, "author": "Dr Ames"}).json()
    for edits in batches:
        answer = client.post(
            f"/v1/cases/{case['id']}/edits",
            params={"evidence": "yes" if whole else "no"},
            json={"version": case["version"], "edits": edits, "reopen": True},
        )
        assert answer.status_code in (200, 422), answer.text
        if answer.status_code == 200:
            assert answer.json()["version"] == case["version"] + 1
            case = answer.json()
        now = client.get(f"/v1/cases/{case['id']}")
        assert (now.status_code, now.json()["version"]) == (200, case["version"])
        compared = client.get(f"/v1/cases/{case['id']}/comparison", params={"from": 1, "to": case["version"]})
        assert compared.status_code == 200
    signed = client.post(
        f"/v1/cases/{case['id']}/signature", json={"version": case["version"], "name": "Dr B", "role": "x"}
    )
    assert signed.status_code in (200, 409)
    assert (signed.status_code == 200) == (not now.json()["blocks"])


@settings(max_examples=150, deadline=None)
@given(
    name=st.sampled_from(["cases", "flag-answers", "cases/x/presence", "cases/x/comparison"]),
    query=st.dictionaries(
        st.sampled_from(["q", "limit", "offset", "name", "sentence", "version", "from", "to", "state"]),
        st.one_of(st.text(max_size=20), st.integers(-5, 5).map(str)),
        max_size=5,
    ),
)
def test_any_question_is_answered_or_refused(client: TestClient, name: str, query: dict[str, str]) -> None:
    known = "00000000-0000-4000-8000-000000000000"
    answer = client.get(f"/v1/{name.replace('x', known)}", params=query)
    assert answer.status_code in (200, 404, 422), answer.text
