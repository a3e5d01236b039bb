"""An import killed by SIGKILL at random moments, again and again, ends with the same collection as one left in peace."""

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from backend.settings import ROOT
from backend.stores.passages.collection_meta import listed
from backend.stores.passages.stored_sources import Sources
from tests.ingest.documents.test_importing import corpus

PROGRAM = """
import sys, time
from pathlib import Path
from backend.ingest.documents.import_task import ImportTask
from backend.ingest.documents.importing import ImportJob
from backend.schemas.vocabulary import Source
from backend.stores.passages.stored_sources import Sources
from tests.conftest import WordEncoder

class Slow(WordEncoder):
    def encode(self, texts):
        time.sleep(0.002 * len(texts))
        with open(sys.argv[3], "a") as log:
            log.writelines(text.replace("\\n", " ") + "\\n" for text in texts)
        return super().encode(texts)

sources = Sources(Path(sys.argv[1]), "words")
print("open", flush=True)
ImportJob(ImportTask("jsonl", Source.BOOK, Path(sys.argv[2])), sources, Slow()).run()
"""


def start(data: Path, path: Path, log: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PROGRAM, str(data), str(path), str(log)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_killed_at_random_moments_it_ends_with_the_same_collection(tmp_path: Path) -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    path = corpus(tmp_path / "pages.jsonl", 1500)
    began = time.monotonic()
    peace = start(tmp_path / "a", path, tmp_path / "a.log")
    assert peace.wait() == 0, peace.communicate()[1]
    took = time.monotonic() - began
    kills = 0
    while True:
        process = start(tmp_path / "b", path, tmp_path / "b.log")
        assert process.stdout is not None
        process.stdout.readline()  # it has the lock: from here on a kill counts
        try:
            process.wait(rng.uniform(0.0, took / 6) if kills < 8 else None)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
            continue
        assert process.returncode == 0, process.communicate()[1]
        break
    assert kills >= 3
    (wanted,), (found,) = listed(tmp_path / "a"), listed(tmp_path / "b")
    assert found.fingerprint == wanted.fingerprint
    assert json.dumps(found.reports) == json.dumps(wanted.reports)
    one, other = (Sources(tmp_path / name, "words") for name in "ab")
    for query in ("heart failure", "stone water"):
        assert one.source(found.source).lexical(query, 20) == other.source(found.source).lexical(query, 20)
    vectors = one.source(found.source).vectors([0, found.passages - 1])
    assert np.array_equal(vectors, other.source(found.source).vectors([0, found.passages - 1]))
    assert len(other.source(found.source).nearest(vectors, 9)[0]) == 9
    one.close()
    other.close()
    # a kill may cost the window that was being encoded, and no more
    encoded = (tmp_path / "b.log").read_text().splitlines()
    assert len(encoded) - len(set(encoded)) <= kills * 256
