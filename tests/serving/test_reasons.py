"""Why a server ended, from what vLLM 0.30 prints. Those of GPUs are its own words, set down here: none ran here."""

import pytest

from backend.serving.reasons import why_it_ended

KNOWN = (
    ("RuntimeError: Failed to infer device type, please set the environment variable", "no GPU"),
    (
        "ValueError: Free memory on device cuda:0 (2.1/79.1 GiB) on startup is less than desired GPU memory utilization "
        "(0.9, 71.2 GiB). Decrease GPU memory utilization",
        "in use by something else",
    ),
    ("ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization`", "not the text"),
    (
        "ValueError: To serve at least one request with the model's max seq len (131072), (16.00 GiB KV cache is needed, "
        "which is larger than the available KV cache memory (3.10 GiB).",
        "LEAPNOTE_VLLM_MAX_MODEL_LEN",
    ),
    ("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.96 GiB.", "memory ran out"),
    (
        "Value error, User-specified max_model_len (99999) is greater than the derived max_model_len "
        "(max_position_embeddings=4096.0 or model_max_length=None in model's config.json).",
        "more than the model can read",
    ),
    (
        "huggingface_hub.errors.LocalEntryNotFoundError: Cannot find an appropriate cached snapshot folder for the "
        "specified revision on the local disk and outgoing traffic has been disabled.",
        "LEAPNOTE_VLLM_DOWNLOAD",
    ),
    (
        "huggingface_hub.errors.HFValidationError: Repo id must be in the form 'repo_name' or 'namespace/repo_name'",
        "not on this machine",
    ),
    ("ValueError: Model architectures ['NoSuchForCausalLM'] are not supported for now.", "architecture"),
    ("vllm: error: unrecognized arguments: --no-such", "LEAPNOTE_VLLM_ARGS"),
    ("OSError: [Errno 98] Address already in use", "LEAPNOTE_LLM_PORT"),
    ("/x/bin/vllm: No such file or directory", "make llm-setup"),
)
# what stands in the log of every start, and means nothing
HARMLESS = (
    "INFO non-default args: {'model_tag': 'm', 'trust_remote_code': False, 'max_model_len': 4096}\n"
    "WARNING Failed to import the DeepSelect extension (vllm._deepselect_C): No module named 'vllm._deepselect_C'\n"
    "INFO Free memory on device (70.1/79.1 GiB) on startup. Desired GPU memory utilization is (0.9, 71.2 GiB).\n"
)


@pytest.mark.parametrize(("words", "reason"), KNOWN)
def test_what_vllm_says_is_told_with_what_to_do(words: str, reason: str) -> None:
    ending = why_it_ended(1, f"{HARMLESS}(EngineCore pid=7) {words} and so on\nTraceback\n")
    assert reason in ending.reason
    assert ending.lasting


@pytest.mark.parametrize(
    ("status", "reason"), [(-9, "SIGKILL"), (-11, "SIGSEGV"), (-200, "signal 200"), (1, "status 1"), (0, "status 0")]
)
def test_an_end_without_a_known_word_tells_how_it_ended_and_is_worth_another_start(status: int, reason: str) -> None:
    ending = why_it_ended(status, HARMLESS)
    assert reason in ending.reason
    assert not ending.lasting


def test_nothing_of_the_log_is_repeated() -> None:
    ending = why_it_ended(1, "unrecognized arguments: --secret-word CUDA out of memory secret-word")
    assert "secret-word" not in ending.reason
