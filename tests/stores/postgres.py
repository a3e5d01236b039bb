"""A PostgreSQL server of a test's own, which can be killed and started again. Skips where none is installed."""

import getpass
import os
import pwd
import shutil
import signal
import subprocess
import threading
from pathlib import Path

import pytest

from tests.browser.conftest import free_port

READY = "ready to accept connections"


class PostgresServer:
    """A server on a free port of 127.0.0.1, with its data in a folder. Whoever runs as root lends it to another account."""

    def __init__(self, folder: Path) -> None:
        pytest.importorskip("pg8000", reason="the driver is not installed: pip install pg8000")
        initdb, server = shutil.which("initdb"), shutil.which("postgres")
        if not initdb or not server:
            pytest.skip("no PostgreSQL on this machine (initdb, postgres)")
        self.server, self.folder, self.port, self.user = server, folder, free_port(), _server_user(folder)
        home = folder / "data"
        made = [initdb, "-D", str(home), "-A", "trust", "-U", "leapnote"]
        subprocess.run(made, check=True, capture_output=True, user=self.user)
        self.start()

    @property
    def url(self) -> str:
        return f"postgresql://leapnote@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        options = ["-D", str(self.folder / "data"), "-p", str(self.port), "-c", "listen_addresses=127.0.0.1"]
        self.running = subprocess.Popen(
            [self.server, *options, "-k", str(self.folder)],
            user=self.user,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self.running.stderr is not None
        printed = []
        for line in self.running.stderr:
            printed.append(line)
            if READY in line:
                break
        else:
            raise AssertionError(f"PostgreSQL did not start: {''.join(printed[-5:])}")
        threading.Thread(target=self.running.stderr.read, daemon=True).start()

    def kill(self) -> None:
        """SIGKILL to the server and to each of its processes at once, as when the machine loses its power."""
        os.killpg(self.running.pid, signal.SIGKILL)
        self.running.wait(timeout=30)

    def stop(self) -> None:
        self.running.send_signal(signal.SIGINT)  # fast: it waits for no client
        self.running.wait(timeout=30)


def _server_user(folder: Path) -> str | None:
    """PostgreSQL refuses to run as root: then another account of the machine takes over the folder."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    user = next((name for name in ("postgres", "nobody") if name in known), None)
    if user is None:
        pytest.skip(f"PostgreSQL does not run as {getpass.getuser()} and there is no other account")
    shutil.chown(folder, user)
    for parent in folder.parents:
        if parent.stat().st_uid == os.geteuid() and parent.stat().st_mode & 0o011 != 0o011:
            parent.chmod(parent.stat().st_mode | 0o011)
    return user
