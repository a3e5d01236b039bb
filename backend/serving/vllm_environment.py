"""The environment that vLLM lives in: built beside the program's own, whole or not at all."""

import hashlib
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from backend.errors import InputError, MissingError

STAMP = "leapnote.json"
LOCK = ".leapnote.lock"
MIN_FREE = 15_000_000_000  # bytes: torch's CUDA libraries and vLLM are many gigabytes, and pip fetches them first
INSTALL_S = 7_200


def build(folder: Path, requirements: Path, say: Callable[[str], None], python: str = sys.executable) -> None:
    """Make the environment, or leave it as it is when the same requirements were installed in it to the end.

    An interrupted build is taken up again by installing once more: pip keeps what it has.

    Raises:
        InputError: the folder is something else.
        MissingError: there is no room, or pip fails; the message has pip's last line.
    """
    if not requirements.is_file():
        raise MissingError(
            f"There is no {requirements.name} here. In a container, use the GPU profile of compose.yaml."
        )
    held = [path.name for path in folder.iterdir()] if folder.exists() else []
    if set(held) - {LOCK} and "pyvenv.cfg" not in held:
        raise InputError(
            f"{folder} is no environment of Python and not empty. Set LEAPNOTE_VLLM_VENV to another folder."
        )
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder):
        if is_built(folder, requirements):
            say(f"{folder} is up to date.")
            return
        if shutil.disk_usage(folder).free < MIN_FREE:
            raise MissingError(
                f"Less than {MIN_FREE / 1e9:.0f} GB are free for {folder}, and vLLM is large. Free some, or set LEAPNOTE_VLLM_VENV."
            )
        started = time.monotonic()
        say(f"Installing vLLM into {folder} (once; many gigabytes and minutes) ...")
        _run([python, "-m", "venv", str(folder)])
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--disable-pip-version-check"]
        _run([*pip, "--requirement", str(requirements)])
        beside = folder / (STAMP + ".new")
        beside.write_text(json.dumps({"requirements": _digest(requirements)}), encoding="utf-8")
        beside.replace(folder / STAMP)
        say(f"Installed in {time.monotonic() - started:.0f} s.")


def is_built(folder: Path, requirements: Path) -> bool:
    """Whether these requirements were installed in it to the end."""
    try:
        stamp = json.loads((folder / STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(stamp == {"requirements": _digest(requirements)} and (folder / "bin" / "vllm").exists())


def _digest(requirements: Path) -> str:
    return hashlib.sha256(requirements.read_bytes()).hexdigest()


def _run(command: list[str]) -> None:
    """Run one command; its progress goes to the screen.

    Raises:
        MissingError: it failed; the message repeats its last line.
    """
    try:
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=INSTALL_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MissingError(f"{command[2]} could not be run to its end: {error}") from None
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if line.strip()]
        cause = next((line for line in reversed(errors) if line.startswith("ERROR")), (errors or ["no word"])[-1])
        raise MissingError(
            f"`{command[2]}` ended with status {done.returncode}: {cause.strip()}. Mend that and run it again: make llm-setup"
        )


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    lock = FileLock(folder / LOCK, fallback_to_soft=False, preserve_lock_file=True)  # it goes with the process
    try:
        held = lock.acquire(blocking=False)
    except Timeout:
        raise MissingError(f"Another process builds {folder} at this moment. Wait for it.") from None
    with held:
        yield
