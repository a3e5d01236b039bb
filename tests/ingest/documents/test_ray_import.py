"""An import spread by Ray Data equals the local one: the same documents in order, the same vectors."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from backend.ingest.documents.import_task import ImportTask
from backend.ingest.documents.importing import ImportJob
from backend.schemas.vocabulary import Source
from backend.stores.passages.stored_sources import Sources
from models.encoders.encoders import make_encoder
from tests.ingest.corpora.test_abstract_importers import ARTICLE, PUBMED
from tests.models.encoders.test_rerankers import tiny

pytestmark = pytest.mark.services


@pytest.mark.timeout(300)
def test_the_result_of_a_spread_import_is_the_local_one(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="ray is not installed (requirements-ray.txt)")
    from backend.ingest.documents.ray_import import RaySpreading

    folder = tmp_path / "pubmed"
    folder.mkdir()
    rng = np.random.default_rng(0)
    words = ["heart", "failure", "kidney", "stone", "pain", "chest", "walking", "salt"]
    for part in range(3):
        articles = []
        for number in range(120):
            text = (
                f"<AbstractText>{' '.join(rng.choice(words, int(rng.integers(3, 60))))} {part} {number}.</AbstractText>"
            )
            articles.append(ARTICLE.format(1000 * part + number, "" if number % 9 == 0 else text, ""))
        with gzip.open(folder / f"pubmed{part}.xml.gz", "wt") as file:
            file.write(PUBMED.format("".join(articles)))
    place = str(tiny(tmp_path / "model", 1))
    encoder = make_encoder(f"sapbert:{place}")
    task = ImportTask("pubmed", Source.RESEARCH, folder)
    spreading = RaySpreading(f"sapbert:{place}", workers=2)
    found = []
    try:
        for name, spread in (("local", None), ("spread", spreading)):
            sources = Sources(tmp_path / name, encoder.name)
            found.append(ImportJob(task, sources, encoder, spreading=spread).run())
            sources.close()
    finally:
        spreading.close()
    local, spread_out = found
    assert local.meta.passages == spread_out.meta.passages > 256
    assert local.meta.fingerprint == spread_out.meta.fingerprint
    assert {k: r.as_json()["skipped"] for k, r in local.reports.items()} == {
        k: r.as_json()["skipped"] for k, r in spread_out.reports.items()
    }
