"""One run of a server: its own group of processes, its output in a file, an end that leaves nothing behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

LAUNCH = Path(__file__).with_name("launch.py")
GRACE_S = 12.0
POLL_S = 0.05
TAIL_BYTES = 200_000


def ended_with_us(command: Sequence[str], grace_s: float = 0.0) -> list[str]:
    """The command, so started that it ends when this process does, even by kill -9; see launch.py for grace_s."""
    return [sys.executable, "-I", "-S", str(LAUNCH), str(os.getpid()), str(grace_s), *command]


class ServerProcess:
    """A started server. Its engine runs in processes of its own: they share its group and end with it."""

    def __init__(self, command: Sequence[str], variables: Mapping[str, str], folder: Path, log: Path) -> None:
        """variables: all of its environment. log: what it prints; the run before is kept beside it as `.1`."""
        log.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            log.replace(log.with_name(log.name + ".1"))
        self._log = log
        # for its owner alone: it names models and folders
        with os.fdopen(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as sink:
            self._process = subprocess.Popen(
                ended_with_us(command, GRACE_S),
                cwd=folder,
                env=dict(variables),
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=sink,
                start_new_session=True,
            )

    @property
    def group(self) -> int:
        """The id of its process group, and of its session."""
        return self._process.pid

    def ended(self) -> int | None:
        """The exit status, negative for a signal; None while it runs. What is left of its group ends with it."""
        if self._process.returncode is None:
            # looked at without collecting it: until then its pid, which is its group's too, can belong to no one else
            if os.waitid(os.P_PID, self.group, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                return None
            self._end_group()
            self._process.wait()
        status = self._process.returncode
        return status if status <= 128 else 128 - status

    def stop(self) -> None:
        """Ask it to end, wait, then end it and all of its group."""
        if self.ended() is not None:
            return
        self._process.terminate()
        deadline = time.monotonic() + GRACE_S + 3.0
        while self.ended() is None and time.monotonic() < deadline:
            time.sleep(POLL_S)
        if self._process.returncode is None:
            self._end_group()
            self._process.wait()

    def last_words(self) -> str:
        """The end of what it printed."""
        try:
            with self._log.open("rb") as file:
                file.seek(0, os.SEEK_END)
                file.seek(max(0, file.tell() - TAIL_BYTES))
                return file.read().decode("utf-8", errors="replace")
        except OSError:
            return ""

    def _end_group(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.group, signal.SIGKILL)
