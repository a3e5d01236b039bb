"""A letter over HTTP, drafted by the whole program: saved, judged, corrected, filled, compared, kept and let go."""

import json
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx import Response
from pydantic import SecretStr

from backend.api.routers import routes_cases
from backend.schemas.drafts.draft import Draft, Generator
from models.llm.engine_scripted import Scripted
from models.llm.engines import RoleModels
from tests.review.sample import sample

NOTE = """Allergies: penicillin (hives)
Chief complaint: cough and fever
HPI: 71-year-old man with three days of productive cough, fever to 38.9 C and pleuritic chest pain. Takes lisinopril 10 mg daily.
PMH: hypertension
"""
REQUEST = {"text": NOTE, "seed": 3}
Json = dict[str, Any]


@pytest.fixture
def client(client_with: Callable[..., TestClient], tmp_path: Path) -> Iterator[TestClient]:
    yield client_with(data=tmp_path, database_url=SecretStr(f"sqlite:///{tmp_path / 'letters.sqlite'}"))


@pytest.fixture(scope="module")
def drafted() -> dict[str, Json]:
    """The draft of NOTE, made once."""
    return {}


@pytest.fixture
def letter(client: TestClient, drafted: dict[str, Json]) -> Json:
    if not drafted:
        answer = client.post("/v1/drafts", json=REQUEST, headers={"Accept": "application/json"})
        assert answer.status_code == 200, answer.text
        drafted |= answer.json()
    return saved(client, {"draft": drafted, "request": REQUEST})


def saved(client: TestClient, body: Json) -> Json:
    answer = client.post("/v1/cases", json={"author": "Dr Ames", **body})
    assert answer.status_code == 201, answer.text
    return cast(Json, answer.json())


def edit(client: TestClient, letter: Json, *edits: Json, evidence: str = "yes", **more: Any) -> Response:
    body = {"version": letter["version"], "edits": [{"author": "Dr Brand", **one} for one in edits], **more}
    return client.post(f"/v1/cases/{letter['id']}/edits", params={"evidence": evidence}, json=body)


def done(answer: Response) -> Json:
    assert answer.status_code == 200, answer.text
    return cast(Json, answer.json())


def test_a_letter_without_a_label_is_called_by_person_and_reason(letter: Json) -> None:
    assert letter["label"].startswith("71 M · ")
    assert "cough" in letter["label"]
    assert letter["request"]["text"] == NOTE
    assert letter["progress"]["sentences"] == len(letter["draft"]["sentences"])


def test_a_request_that_the_draft_does_not_answer_is_refused(client: TestClient, letter: Json) -> None:
    other = {"draft": letter["draft"], "request": {"text": "Another patient's note."}, "author": "Dr Ames"}
    answer = client.post("/v1/cases", json=other)
    assert (answer.status_code, "not the one that this draft answers" in answer.text) == (422, True)
    assert "Another patient" not in answer.text


def test_a_verdict_is_followed_and_what_was_not_changed_is_left_out_where_that_is_asked(
    client: TestClient, letter: Json
) -> None:
    checked = done(edit(client, letter, {"kind": "check", "sentence": "S1"}, evidence="no"))
    assert [checked["draft"][part] for part in ("evidence", "note", "record")] == [None, None, None]
    assert checked["sentences"][0]["checked_by"] == "Dr Brand"
    possible = next(c for c in letter["draft"]["conditions"] if c["status"] == "possible")
    after = done(
        edit(client, checked, {"kind": "confirm_condition", "concept_id": possible["concept_id"]}, evidence="no")
    )
    assert after["draft"]["evidence"]["passages"]
    assert after["judgements"] == [{"concept_id": possible["concept_id"], "verdict": "confirmed"}]
    found = next(c for c in after["draft"]["conditions"] if c["concept_id"] == possible["concept_id"])
    assert found["status"] == "confirmed"
    lead, kept = after["sentences"][:2]
    assert "pneumonia" in lead["text"] and lead["changed"]  # what was confirmed opens the letter
    assert (kept["id"], kept["checked_by"], kept["changed"]) == ("S1", "Dr Brand", False)
    whole = client.get(f"/v1/cases/{letter['id']}").json()
    assert (whole["draft"], whole["sentences"]) == (after["draft"], after["sentences"])
    Draft.model_validate(whole["draft"])


def test_what_is_corrected_in_the_note_is_so_in_the_record_and_back_again_with_an_undo(
    client: TestClient, letter: Json
) -> None:
    start = NOTE.index("fever to")
    correction = {"start_char": start, "end_char": start + 5, "text": "fever", "kind": "absent"}
    after = done(edit(client, letter, {"kind": "correct", "correction": correction}))
    assert [(c["text"], c["author"]) for c in after["corrections"]] == [("fever", "Dr Brand")]
    refuted = [p for p in after["draft"]["record"]["problems"] if p["author"] == "Dr Brand"]
    assert [p["verification_status"] for p in refuted] == ["refuted"]
    back = done(edit(client, after, {"kind": "restore", "to_version": 1}))
    assert (back["draft"], back["corrections"], back["request"]) == (letter["draft"], [], letter["request"])


def test_a_condition_that_the_graph_does_not_hold_and_a_note_of_other_words_are_refused(
    client: TestClient, letter: Json
) -> None:
    for wrong in (
        {"kind": "confirm_condition", "concept_id": "LN:zebra-pox"},
        {"kind": "correct", "correction": {"start_char": 0, "end_char": 5, "text": "zebra", "kind": "absent"}},
    ):
        answer = edit(client, letter, wrong)
        assert (answer.status_code, "zebra" in answer.text) == (422, False)
    assert client.get(f"/v1/cases/{letter['id']}").json()["version"] == 1


def test_a_request_sent_again_with_its_key_changes_nothing_twice(client: TestClient, letter: Json) -> None:
    body = {"draft": letter["draft"], "request": REQUEST, "key": "tab-1 letter-1"}
    first, again = saved(client, body), saved(client, body)
    assert first["id"] == again["id"] != letter["id"]
    added = {"kind": "insert_after", "sentence": "S1", "text": "Added once."}
    one = done(edit(client, first, added, key="edit-1"))
    two = done(edit(client, first, added, key="edit-1"))
    assert one == two
    seen = {**first, "version": one["version"]}  # a page that has loaded the letter meanwhile
    assert done(edit(client, seen, added, key="edit-1")) == one
    assert edit(client, first, added, key="edit-2").status_code == 409


def test_two_versions_stand_side_by_side(client: TestClient, letter: Json) -> None:
    changed = {"kind": "replace", "sentence": "S1", "text": "You came with a cough."}
    after = done(edit(client, letter, changed, {"kind": "delete", "sentence": "S2"}))
    rows = client.get(f"/v1/cases/{letter['id']}/comparison", params={"from": 1, "to": 2}).json()
    first, second, *rest = rows
    assert (first["state"], first["after"], first["by"]) == ("changed", "You came with a cough.", "Dr Brand")
    assert (second["state"], second["after"], second["by"]) == ("removed", None, "Dr Brand")
    assert {row["state"] for row in rest} == {"same"}
    assert len(rows) == len(after["sentences"])
    assert client.get(f"/v1/cases/{letter['id']}/comparison", params={"from": 1, "to": 9}).status_code == 404


def test_people_in_one_letter_see_each_other_and_the_newest_version(client: TestClient, letter: Json) -> None:
    address = f"/v1/cases/{letter['id']}/presence"
    assert client.get(address, params={"name": "Ada", "sentence": "S2"}).json() == {"newest": 1, "others": []}
    done(edit(client, letter, {"kind": "check", "sentence": "S1"}))
    seen = client.get(address, params={"name": "Ben", "version": 1}).json()
    assert (seen["newest"], [(o["name"], o["sentence"]) for o in seen["others"]]) == (2, [("Ada", "S2")])
    unnamed = [client.get(address, params={"name": "not given", "window": one}).json()["others"] for one in "ab"]
    assert [[other["name"] for other in others] for others in unnamed] == [["Ben", "Ada"], ["not given", "Ben", "Ada"]]
    assert client.get(address).status_code == 422
    assert (
        client.get(
            address.replace(letter["id"], "0" * 8 + "-0000-4000-8000-" + "0" * 12), params={"name": "A"}
        ).status_code
        == 404
    )


def test_letters_are_found_by_words_of_their_label(client: TestClient) -> None:
    for label in ("Ann Example, hip", "50% of a letter", "Ben"):
        saved(client, {"label": label, "draft": sample().model_dump(mode="json")})
    found = {
        q: client.get("/v1/cases", params={"q": q}).json()["total"] for q in ("", "EXAMPLE", "%", "0% of", "zebra")
    }
    assert found == {"": 3, "EXAMPLE": 1, "%": 1, "0% of": 1, "zebra": 0}


def test_the_answers_to_alerts_are_listed(client: TestClient) -> None:
    answers = client.get("/v1/flag-answers").json()
    assert {"code", "label", "needs_words", "fits"} == set(answers[0])


def test_a_letter_that_nobody_signs_goes_when_its_time_is_over_and_the_trail_says_so(
    client: TestClient, letter: Json
) -> None:
    ends, changed = datetime.fromisoformat(letter["expires_at"]), datetime.fromisoformat(letter["updated_at"])
    assert ends - changed == timedelta(days=30)
    cases = routes_cases.open_cases(cast(Any, client.app))
    cases._clock = lambda: changed + timedelta(days=29, hours=23)
    assert cases.expire() == 0
    cases._clock = lambda: changed + timedelta(days=30, seconds=1)
    assert cases.expire() == 1
    assert client.get(f"/v1/cases/{letter['id']}").status_code == 404
    last = client.get(f"/v1/cases/{letter['id']}/audit").json()[-1]
    assert (last["action"], last["actor"]) == ("expire", "retention")
    cases._clock = lambda: datetime.now(UTC)


def test_of_many_writers_at_once_none_is_lost_and_each_is_told(client: TestClient, letter: Json) -> None:
    def write(number: int) -> int:
        words = {"kind": "insert_after", "sentence": "S1", "text": f"Writer {number} was here."}
        version, tries = letter["version"], 0
        while True:
            answer = edit(client, {"id": letter["id"], "version": version}, words, evidence="no", key=f"w{number}")
            if answer.status_code == 200:
                return tries
            error = answer.json()["error"]
            assert (answer.status_code, error["kind"]) == (409, "StaleVersionError")
            assert error["view"]["version"] >= error["newest"] > version
            version, tries = error["view"]["version"], tries + 1

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(write, range(6)))
    now = client.get(f"/v1/cases/{letter['id']}").json()
    texts = [s["text"] for s in now["sentences"]]
    assert (now["version"], [texts.count(f"Writer {n} was here.") for n in range(6)]) == (7, [1] * 6)


def test_an_edited_sentence_loses_the_citations_that_do_not_support_it(client: TestClient, letter: Json) -> None:
    about = next(s for s in letter["sentences"] if s["citations"] and "cough" in s["text"].lower())
    same = done(edit(client, letter, {"kind": "replace", "sentence": about["id"], "text": "You have a cough."}))
    kept = next(s for s in same["sentences"] if s["id"] == about["id"])
    assert kept["citations"] and kept["support"] in ("supported", "partial")
    other = done(
        edit(client, same, {"kind": "replace", "sentence": about["id"], "text": "Your broken hip was operated on."})
    )
    lost = next(s for s in other["sentences"] if s["id"] == about["id"])
    assert (lost["citations"], lost["support"], lost["basis"]) == ([], "unsupported", "general")
    assert lost["reason"].startswith("the clinician's own words: ")
    named = {"kind": "replace", "sentence": about["id"], "text": "Your hip is well.", "citations": about["citations"]}
    stays = next(s for s in done(edit(client, other, named))["sentences"] if s["id"] == about["id"])
    assert (stays["citations"], stays["support"]) == (about["citations"], "unsupported")


def test_a_medicine_that_is_stopped_in_the_table_conflicts_with_none(client: TestClient) -> None:
    text = f"{NOTE}Medications: warfarin 5 mg daily, ibuprofen 400 mg three times a day\n"
    draft = client.post("/v1/drafts", json={"text": text}, headers={"Accept": "application/json"}).json()
    letter = saved(client, {"draft": draft, "request": {"text": text}})

    def pairs(case: Json) -> list[str]:
        return [
            f["message"]
            for f in case["flags"]
            if f["severity"] == "severe" and "warfarin with ibuprofen" in f["message"]
        ]

    assert pairs(letter)
    row = next(m for m in draft["medicines"] if m["name"] == "ibuprofen")
    stopped = {"id": row["id"], "name": "ibuprofen", "action": "stopped", "reason": "bleeding"}
    after = done(edit(client, letter, {"kind": "medicine", "medicine": stopped}))
    assert pairs(after) == []
    assert "Stop taking: ibuprofen because of bleeding." in [s["text"] for s in after["sentences"]]
    back = done(edit(client, after, {"kind": "medicine", "medicine": {**stopped, "action": "continue", "reason": ""}}))
    assert pairs(back)
    assert done(edit(client, back, {"kind": "restore", "to_version": 2}))["flags"] == after["flags"]


@pytest.mark.parametrize("document", ["discharge_instructions", "progress_note"])
def test_no_document_says_that_there_are_no_allergies_where_an_earlier_note_lists_one(
    client: TestClient, document: str
) -> None:
    asked = {"text": "Allergies: NKDA\nChief complaint: cough\nHPI: 30F with cough.", "document": document}
    earlier = {"text": "Allergies: penicillin (hives)\nHPI: cough", "date": "2024-01-02"}

    def told(**more: Any) -> list[str]:
        draft = client.post("/v1/drafts", json={**asked, **more}, headers={"Accept": "application/json"}).json()
        return [s["text"] for s in draft["sentences"] if "allerg" in s["text"].lower()]

    assert any("no known drug allergies" in text or "none recorded" in text for text in told())
    assert all(text.startswith("[team to complete: allergies") for text in told(patient_notes=[earlier]))


def test_a_refused_edit_names_the_innermost_field_and_the_reason_alone(client: TestClient, letter: Json) -> None:
    answer = edit(client, letter, {"kind": "details", "details": {"date_of_birth": "1700-01-01"}})
    reason = "is not between 1850-01-01 and 2200-01-01"
    assert (answer.status_code, answer.json()["error"]) == (
        422,
        {
            "kind": "InvalidRequest",
            "message": f"body.edits.0.details.date_of_birth: {reason}",
            "fields": [{"path": ["edits", "details", "date_of_birth"], "message": reason}],
        },
    )


def test_a_dose_that_a_clinician_wrote_does_not_cite_the_place_of_another(client: TestClient) -> None:
    note = NOTE + "\nHome medications: metformin 1000 mg twice daily."
    draft = client.post("/v1/drafts", json={"text": note}, headers={"Accept": "application/json"}).json()
    letter = saved(client, {"draft": draft, "request": {"text": note}})
    row = next(m for m in draft["medicines"] if m["name"] == "metformin")
    assert row["citations"]
    kept = {"id": row["id"], "name": "metformin", "action": "continue", "dose": row["dose"], "timing": row["timing"]}
    same = done(edit(client, letter, {"kind": "medicine", "medicine": kept}))
    other = done(edit(client, same, {"kind": "medicine", "medicine": {**kept, "dose": "500 mg"}}))
    for after, cited in ((same, row["citations"]), (other, [])):
        assert next(m["citations"] for m in after["draft"]["medicines"] if m["name"] == "metformin") == cited
        (told,) = [s for s in after["sentences"] if not s["deleted"] and "etformin" in s["text"]]
        assert told["citations"] == cited


class Translating:
    """The models of a program whose writer is the one given."""

    def __init__(self, writer: Scripted | None) -> None:
        self._writer = writer

    def check_queue(self, asked: str = "") -> None:
        """Nobody waits."""

    def chosen(self, asked: str = "") -> SimpleNamespace:
        return SimpleNamespace(
            roles=RoleModels(self._writer), generator=Generator(name="small", reason="set", where="")
        )


def test_a_letter_is_translated_by_a_model_alone_and_stays_as_it_is(
    client: TestClient, letter: Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    container = cast(FastAPI, client.app).state.container
    way, asked = f"/v1/cases/{letter['id']}/translation", {"language": "es"}
    monkeypatch.setattr(container, "models", Translating(None))
    refused = client.post(way, json=asked)
    assert (refused.status_code, "needs a language model" in refused.text) == (503, True)
    live = [one for one in letter["sentences"] if not one["deleted"]]
    said = f"Traducida. {' '.join(re.findall(r'[0-9.]*[0-9]', live[0]['text']))}".strip()
    reply = json.dumps({"sentences": [{"number": 1, "text": said}]})
    monkeypatch.setattr(container, "models", Translating(Scripted(reply)))
    found = done(client.post(way, json=asked))
    assert [one["english"] for one in found["sentences"]] == [one["text"] for one in live]
    assert (found["reviewed"], found["generator"]["name"], found["language"]) == (False, "small", "es")
    assert found["sentences"][0]["text"] == said, found["sentences"][0]
    assert {one["reason"] for one in found["sentences"] if not one["text"]} <= {
        "the model gave no translation",
        "the model's sentence has other numbers",
        "left open for the team",
    }
    assert done(client.get(f"/v1/cases/{letter['id']}"))["version"] == letter["version"]
    assert client.post(way, json={"language": "xx"}).status_code == 422


def test_a_letter_is_listed_and_found_by_its_patient_as_the_newest_version_names_them(client: TestClient) -> None:
    case = saved(client, {"draft": sample().model_dump(mode="json")})
    details = {"patient_name": "Anna Bélanger", "record_number": "MRN 00123", "ward": "5B"}
    named = done(edit(client, case, {"kind": "details", "details": details}))
    for words in ("anna b", "00123"):
        (one,) = client.get("/v1/cases", params={"q": words}).json()["cases"]
        assert (one["patient_name"], one["record_number"]) == ("Anna Bélanger", "MRN 00123")
    assert client.get("/v1/cases", params={"q": "5B"}).json()["total"] == 0  # the ward tells nobody whose it is
    done(edit(client, named, {"kind": "details", "details": details | {"patient_name": "Berta Cole"}}))
    assert client.get("/v1/cases", params={"q": "anna b"}).json()["total"] == 0
    assert client.get("/v1/cases", params={"q": "cole"}).json()["total"] == 1
    assert client.get(f"/v1/cases/{case['id']}").json()["patient_name"] == "Berta Cole"
