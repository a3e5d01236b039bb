"""The lock on the stored sources: one holder, named in the message, and none left behind by a killed process."""

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from backend.errors import ConflictError
from backend.settings import ROOT
from backend.stores.passages.sources_lock import SourceLock

HOLD = """
import sys, time
from pathlib import Path
from backend.stores.passages.sources_lock import SourceLock
lock = SourceLock(Path(sys.argv[1]), "the API")
print("held", flush=True)
time.sleep(600)
"""


def test_the_holder_is_named_and_a_killed_one_leaves_no_lock(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as one:
        assert one.stdout is not None
        assert one.stdout.readline() == "held\n"
        with pytest.raises(ConflictError, match=rf"in use by the API \(process {one.pid}, since 20.*only one process"):
            SourceLock(tmp_path, "knowledge add")
        one.kill()
    SourceLock(tmp_path, "knowledge add").release()


def test_two_of_one_process_exclude_each_other_and_any_thread_releases(tmp_path: Path) -> None:
    held = SourceLock(tmp_path, "first")
    with pytest.raises(ConflictError, match=rf"first \(process {os.getpid()}"):
        SourceLock(tmp_path, "second")
    thread = threading.Thread(target=held.release)
    thread.start()
    thread.join()
    held.release()
    with SourceLock(tmp_path, "second"):
        pass


def test_the_folder_and_the_lock_are_their_owner_s_alone(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        SourceLock(tmp_path / "data", "x").release()
    finally:
        os.umask(before)
    for path, mode in ((tmp_path / "data", 0o700), (tmp_path / "data" / "sources", 0o700)):
        assert stat.S_IMODE(path.stat().st_mode) == mode
    assert stat.S_IMODE((tmp_path / "data" / "sources" / ".lock").stat().st_mode) == 0o600


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"who": 1}', b"\xff"])
def test_a_lock_whose_holder_cannot_be_read_still_excludes(tmp_path: Path, content: bytes) -> None:
    with SourceLock(tmp_path, "x"):
        (tmp_path / "sources" / ".lock").write_bytes(content)
        with pytest.raises(ConflictError, match="in use by another process"):
            SourceLock(tmp_path, "y")
