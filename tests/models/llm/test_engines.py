"""Engines by setting."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from backend.errors import InputError
from models.llm.engine_choice import AutoSetting, ComposerSetting
from models.llm.engine_openai import OpenAIEngine, OpenAISetting, VllmSetting
from models.llm.engine_setup import Choice, EngineSetting, EngineSetup
from models.llm.engine_transformers import TransformersEngine, TransformersSetting
from models.llm.engines import choose, make_engine, read_setting, where_text_goes
from tests.models.engine_server import MODEL, fake_server

URL = "http://127.0.0.1:8000/v1"


@pytest.mark.parametrize(
    ("setting", "found"),
    [
        ("auto", AutoSetting()),
        (" composer ", ComposerSetting()),
        ("vllm:google/medgemma-4b-it", VllmSetting("google/medgemma-4b-it")),
        ("transformers:./models/small", TransformersSetting("./models/small")),
        ("transformers:C:\\models\\small", TransformersSetting("C:\\models\\small")),
        (f"openai:{URL}/#llama3:8b", OpenAISetting(URL, "llama3:8b")),
        ("openai:https://llm.ward.example/v1#a#b", OpenAISetting("https://llm.ward.example/v1", "a#b")),
    ],
)
def test_a_setting_is_taken_apart(setting: str, found: EngineSetting) -> None:
    assert read_setting(setting) == found


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("", "names no language model"),
        ("gpt", "names no language model"),
        ("vllm:", "names no language model"),
        ("auto:x", "names no language model"),
        (f"openai:{URL}", "names no model after '#'"),
        (f"openai:{URL}#", "names no model after '#'"),
        ("openai:127.0.0.1:8000#m", "must be as http://"),
        ("openai:ftp://host/v1#m", "must be as http://"),
        ("openai:http:///v1#m", "must be as http://"),
        ("openai:http://host:99999/v1#m", "must be as http://"),
        ("openai:http://[::1/v1#m", "must be as http://"),
        ("openai:http://me:hidden@host/v1#m", "no user or password"),
        ("openai:http://host/v1?key=hidden#m", "end with its path"),
    ],
)
def test_a_setting_in_no_form_is_refused_with_the_forms(setting: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        read_setting(setting)
    assert message in str(refused.value)
    if message == "names no language model":
        assert "openai:<base url>#<model>, transformers:<model or folder>" in str(refused.value)
    if "@" in setting or "?" in setting:
        assert "hidden" not in str(refused.value)


@given(st.text(max_size=40))
def test_whatever_is_set_is_a_generator_or_an_input_error(setting: str) -> None:
    try:
        found = read_setting(setting)
    except InputError:
        return
    assert found.where(EngineSetup())


@pytest.mark.parametrize(
    ("setting", "place"),
    [
        ("composer", "stays in this program"),
        ("transformers:x", "stays in this program"),
        ("vllm:x", "stays on this machine (127.0.0.1:8000)"),
        ("openai:http://localhost:11434/v1#x", "stays on this machine (localhost:11434)"),
        ("openai:http://[::1]:8000/v1#x", "stays on this machine ([::1]:8000)"),
        ("openai:https://llm.ward.example/v1#x", "goes to llm.ward.example"),
        ("openai:http://10.0.0.7:8000/v1#x", "goes to 10.0.0.7:8000, not encrypted"),
        ("openai:http://localhost.evil.example/v1#x", "goes to localhost.evil.example, not encrypted"),
    ],
)
def test_it_is_told_where_text_goes(setting: str, place: str) -> None:
    assert where_text_goes(setting) == place


def test_a_vllm_server_elsewhere_is_told_as_elsewhere() -> None:
    assert where_text_goes("vllm:x", EngineSetup(llm_url="http://gpu.ward.example:8000/v1")).startswith(
        "goes to gpu.ward.example:8000"
    )


def test_engines_are_made_without_connecting_or_loading() -> None:
    served = make_engine("vllm:small", EngineSetup(key=SecretStr("k")))
    assert isinstance(served, OpenAIEngine)
    assert (served.address.base_url, served.name) == (URL, "small")
    other = make_engine("openai:http://host:1/v1/#m")
    assert isinstance(other, OpenAIEngine)
    assert (other.address.base_url, other.name) == ("http://host:1/v1", "m")
    assert isinstance(make_engine("transformers:nowhere/at-all"), TransformersEngine)


@pytest.mark.parametrize("setting", ["auto", "composer"])
def test_what_is_no_engine_is_refused(setting: str) -> None:
    with pytest.raises(InputError, match="no language model by itself"):
        make_engine(setting)


def test_auto_asks_nobody_unless_an_address_is_set() -> None:
    assert choose("auto") == Choice("composer", "no language model server is set")


def test_auto_takes_the_first_model_of_the_server_that_is_set() -> None:
    with fake_server() as server:
        assert choose("auto", EngineSetup(server.url)) == Choice(
            f"openai:{server.url}#{MODEL}", "the server that LEAPNOTE_LLM_URL names answers"
        )
        server.models += [{"id": "adapter"}]
        assert choose("auto", EngineSetup(server.url)).reason.endswith("it serves 2 models, and this is the first")
        server.models = []
        assert choose("auto", EngineSetup(server.url))[0] == "composer"
        server.key = "secret"
        assert "refuses the key (401)" in choose("auto", EngineSetup(server.url)).reason
        assert choose("vllm:x", EngineSetup(server.url)) == Choice("vllm:x", "set by LEAPNOTE_GENERATOR")


def test_auto_without_an_answer_is_the_composer_and_says_why() -> None:
    found = choose("auto", EngineSetup("http://127.0.0.1:9/v1"))
    assert found.setting == "composer"
    assert "127.0.0.1:9 cannot be reached" in found.reason
    with pytest.raises(InputError):
        choose("auto", EngineSetup("nonsense"))
