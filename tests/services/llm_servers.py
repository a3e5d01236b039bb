"""Language model servers for the tests: vLLM on the processor, and `transformers serve`, with a tiny model made here.

The model has random weights: what it writes means nothing, but tokens, schemas, streams, log-probabilities, limits and
crashes are those of a real server. Both servers run in the environment that tests/services/vllm_cpu builds.
"""

import os
import socket
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import httpx
import pytest

from backend.serving.command import server_command, server_variables
from backend.serving.process import ServerProcess
from backend.serving.server_options import ServerOptions
from tests.services.vllm_cpu.build import CannotBuildError, environment

CONTEXT = 4096
READY_S = 240.0
# what the tokenizer learns its merges from: words of notes, and the signs that JSON and citations need
CORPUS = (
    '{"thoughts": ["heart failure", "acute kidney injury"], "sub_queries": [{"source": "book", "text": "daily weight"}]}',
    "Allergies: penicillin (hives)\nChief Complaint: shortness of breath\nHistory of Present Illness: An 80-year-old woman",
    "She was given furosemide 40 mg by mouth [P1] and lost two kilograms of weight in three days [N2][K1].",
    "Call your doctor if you have chest pain, fever, swelling of the legs or if you gain more than one kilogram a day.",
    "The question is which test the team should do next. Answer with one of the options: yes, no, maybe. 0 1 2 3 4 5 6 7 8 9",
)
CHAT_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def tiny_llama(folder: Path) -> Path:
    """A Llama of random weights (2 layers, 2 heads of 64) with a byte-level tokenizer; the folder it was saved in."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    learned = Tokenizer(models.BPE())
    learned.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    learned.decoder = decoders.ByteLevel()
    # all 256 bytes are tokens, so that every text can be read and written
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    special = ["<|pad|>", "<|im_start|>", "<|im_end|>"]
    trainer = trainers.BpeTrainer(
        vocab_size=512, initial_alphabet=alphabet, special_tokens=special, show_progress=False
    )
    learned.train_from_iterator(CORPUS, trainer)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=learned, eos_token="<|im_end|>", pad_token="<|pad|>", model_max_length=CONTEXT
    )
    tokenizer.chat_template = CHAT_TEMPLATE
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=128,
        intermediate_size=256,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        head_dim=64,
        max_position_embeddings=CONTEXT,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        initializer_range=0.2,  # wide, and not tied: with the usual narrow ones it writes one token for ever
        tie_word_embeddings=False,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@cache
def server_environment() -> Path:
    """The environment of the servers. Skips, with the reason, where it cannot be built; tries once a session."""
    if sys.platform != "linux":
        pytest.skip("vLLM's build for the processor is used on Linux alone")
    try:
        return environment()
    except CannotBuildError as reason:
        pytest.skip(str(reason))


@contextmanager
def serve_vllm(model: Path, *arguments: str) -> Iterator[str]:
    """The base url, ending in /v1, of a vLLM server as `up` starts it; the model's name there is str(model)."""
    options = vllm_options(model, *arguments)
    port = free_port()
    with _served(server_command(options, port), server_variables(options), port, options.log) as base:
        yield base


@contextmanager
def serve_transformers(model: Path, *arguments: str) -> Iterator[str]:
    """The same of `transformers serve`. It knows no schemas: it ignores them. It has no /health before it is loaded."""
    program, port = server_environment() / "bin" / "transformers", free_port()
    command = [str(program), "serve", str(model), "--device", "cpu", "--dtype", "float32", "--default-seed", "0"]
    here = ["--host", "127.0.0.1", "--port", str(port)]
    with _served([*command, *here, *arguments], quiet_variables(), port, model.parent / "transformers.log") as base:
        yield base


def vllm_options(model: Path, *arguments: str) -> ServerOptions:
    """Small and without compiling, on the processor."""
    return ServerOptions(
        model=str(model),
        venv=server_environment(),
        log=model.parent / "vllm.log",
        device="cpu",
        max_model_len=CONTEXT,
        arguments=("--dtype", "float32", "--enforce-eager", *arguments),
    )


def quiet_variables() -> dict[str, str]:
    """The environment of a server of these tests: little memory, no word to anyone."""
    return os.environ | {"VLLM_CPU_KVCACHE_SPACE": "1", "HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


@contextmanager
def _served(command: list[str], variables: Mapping[str, str], port: int, log: Path) -> Iterator[str]:
    process = ServerProcess(command, quiet_variables() | dict(variables), log.parent, log)
    try:
        _wait_ready(process, f"http://127.0.0.1:{port}/health")
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.stop()


def _wait_ready(process: ServerProcess, address: str) -> None:
    deadline = time.monotonic() + READY_S
    while process.ended() is None and time.monotonic() < deadline:
        try:
            if httpx.get(address, timeout=2.0, trust_env=False).status_code == 200:
                return
        except httpx.HTTPError:
            pass
        time.sleep(0.25)
    raise RuntimeError(f"The server did not start (status {process.ended()}): {process.last_words()[-3000:]}")
