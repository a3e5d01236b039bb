"""What the tests of language models share: one API for all drafts, and real engines of a small model."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from models.llm.engine_setup import EngineSetup
from models.llm.engines import make_engine
from tests.models.engine_server import Answer
from tests.services.broken_server import broken_server
from tests.services.chat_server import chat_server
from tests.services.engine_suite import KINDS, LAYERS, LIMITS, Engine
from tests.services.llm_servers import free_port, serve_transformers, serve_vllm, tiny_llama
from tests.services.model_world import BETWEEN_S, FIRST_S, NAMES, World
from tests.services.served import SECRETS, served


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """One API for all, with short limits; every test has a model of its own, so that no breaker remembers another's faults."""
    folder, auto_port = tmp_path_factory.mktemp("api"), free_port()
    limits = {
        "LEAPNOTE_LLM_FIRST_TOKEN_S": str(FIRST_S),
        "LEAPNOTE_LLM_BETWEEN_S": str(BETWEEN_S),
        "LEAPNOTE_LLM_CONCURRENT": "2",
        "LEAPNOTE_LLM_WAITING": "1",
        "LEAPNOTE_LLM_URL": f"http://127.0.0.1:{auto_port}/v1",
    }
    with chat_server() as server, broken_server(server.url) as line, served(folder, **limits) as api:
        yield World(api, server, line, auto_port)
        said = api.said()
        assert not [word for word in SECRETS if word in said]
        assert "Traceback" not in said, said[-3000:]


@pytest.fixture
def model(world: World) -> Iterator[str]:
    """A model nobody has asked before; the server and the line are good."""
    world.server.rule, world.server.pace = None, Answer()
    world.server.requests.clear()
    world.line.do("none")
    yield next(NAMES)
    world.server.rule, world.server.pace = None, Answer()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A slower model than the tiny one, which at times has vLLM write a whole reply before it sends the first token."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    made = tiny_llama(tmp_path_factory.mktemp("models") / "tiny")
    config = LlamaConfig.from_pretrained(made)
    config.num_hidden_layers = LAYERS
    torch.manual_seed(0)
    model = LlamaForCausalLM(config)
    with torch.no_grad():  # the sign that ends a reply gets a score of 0, never the greatest: greedy replies are long
        model.get_output_embeddings().weight[config.eos_token_id] = 0
    model.save_pretrained(made)
    # `transformers serve` draws only where the model's makers say so
    path = made / "generation_config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"do_sample": True}))
    return made


@pytest.fixture(scope="module")
def vllm(folder: Path) -> Iterator[str]:
    with serve_vllm(folder, "--enable-prompt-tokens-details") as url:
        yield url


@pytest.fixture(scope="module", params=KINDS)
def engine(request: pytest.FixtureRequest, folder: Path) -> Iterator[Engine]:
    """Each engine there is, for the whole suite."""
    if request.param == "transformers in process":
        local = make_engine(f"transformers:{folder}", EngineSetup(limits=LIMITS, device="cpu"))
        yield local
        local.close()
        return
    if request.param == "vllm":
        url = request.getfixturevalue("vllm")
        served = make_engine(f"openai:{url}#{folder}", EngineSetup(limits=LIMITS))
        yield served
        served.close()
        return
    with serve_transformers(folder) as url:
        # it draws from one generator for all: seeds hold only while one request is served at a time
        served = make_engine(f"openai:{url}#{folder}", EngineSetup(limits=replace(LIMITS, concurrent=1)))
        yield served
        served.close()
