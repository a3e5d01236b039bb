"""Settings that cannot be are told in one line, by their names in the environment."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from pydantic import SecretStr

from backend.errors import InputError
from backend.settings import ROOT, Settings, settings
from backend.settings.process_settings import listed


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The settings are read anew, and whatever a test set is forgotten."""
    monkeypatch.setitem(Settings.model_config, "env_file", None)
    settings.cache_clear()
    yield
    settings.cache_clear()


@pytest.mark.usefixtures("read")
@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("PATIENT_STAGES", "nonsense", "LEAPNOTE_PATIENT_STAGES is 'nonsense': String should match pattern"),
        ("PATIENT_PIECES", "many", "LEAPNOTE_PATIENT_PIECES is 'many': Input should be a valid integer"),
        ("RAR2_THOUGHTS", "99", "LEAPNOTE_RAR2_THOUGHTS is '99': Input should be less than or equal to 16"),
    ],
)
def test_a_wrong_setting_is_told_by_its_name_and_value(
    name: str, value: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"LEAPNOTE_{name}", value)
    with pytest.raises(InputError) as error:
        settings()
    assert message in str(error.value)
    assert ".env.example" in str(error.value) and "\n" not in str(error.value)


@pytest.mark.usefixtures("read")
def test_two_wrong_settings_are_both_told_and_no_right_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEAPNOTE_PATIENT_PIECES", "0")
    monkeypatch.setenv("LEAPNOTE_TIMEOUT_S", "-1")
    monkeypatch.setenv("LEAPNOTE_DATABASE_URL", "postgresql://someone:password@host/name")
    with pytest.raises(InputError) as error:
        settings()
    assert "LEAPNOTE_PATIENT_PIECES is '0'" in str(error.value) and "LEAPNOTE_TIMEOUT_S is '-1'" in str(error.value)
    assert "password" not in str(error.value)
    assert Settings.model_fields["database_url"].annotation is SecretStr


def test_a_command_with_a_wrong_setting_ends_with_one_line_and_2() -> None:
    command = [sys.executable, "-m", "backend", "link", "-"]
    wrong = {**os.environ, "LEAPNOTE_MAX_NOTE_CHARS": "few"}
    done = subprocess.run(command, cwd=ROOT, env=wrong, input="Fever.", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("leapnote: LEAPNOTE_MAX_NOTE_CHARS is 'few'") and done.stderr.count("\n") == 1


def test_secrets_are_listed_as_set_or_not_and_all_else_by_value() -> None:
    chosen = Settings(_env_file=None, api_token="open sesame", llm_key=SecretStr("k-1"), evidence_tokens=900)
    rows = {row["name"]: row["value"] for row in listed(chosen)}
    assert (rows["LEAPNOTE_API_TOKEN"], rows["LEAPNOTE_LLM_KEY"], rows["LEAPNOTE_NEO4J_PASSWORD"]) == (
        "set",
        "set",
        "not set",
    )
    assert rows["LEAPNOTE_EVIDENCE_TOKENS"] == "900"
    assert len(rows) == len(Settings.model_fields)
