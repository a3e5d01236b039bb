"""Reading and encoding spread over a Ray cluster with Ray Data (requirements-ray.txt). The result is the local one.

Files that may be read apart are read by tasks, and their documents come in the order of the files. Texts are encoded in the
groups in which one machine would encode them. The only module that imports ray.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from backend.errors import MissingError
from backend.ingest.documents.file_opening import named_if_damaged
from backend.ingest.documents.import_report import ImportReport
from backend.ingest.documents.source_documents import Reading, Section, SourceDocument
from backend.ingest.importers import ReadDocuments, TextImporter, text_importer

GROUPS_A_TASK = 4


class RaySpreading:
    """Spreads the work of an ImportJob. encoder: the setting's name, as every machine can load it; files: on a shared disk."""

    def __init__(self, encoder: str, address: str = "", workers: int = 0) -> None:
        """address: of a running cluster; empty: one on this machine.

        workers: processes that encode; 0: one a processor.

        Raises:
            MissingError: without ray.
        """
        try:
            import ray
            import ray.data
        except ImportError as error:
            raise MissingError(
                "Spreading an import needs ray, which is not installed. Install it with: pip install -r requirements-ray.txt"
            ) from error
        self._ray: Any = ray
        if not ray.is_initialized():
            ray.init(address=address or None, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
        context = ray.data.DataContext.get_current()
        context.execution_options.preserve_order = True
        context.enable_progress_bars = False
        self._encoder = encoder
        self._workers = workers or max(1, int(ray.cluster_resources().get("CPU", 2)) - 1)

    def importer(self, importer: TextImporter) -> ReadDocuments:
        """Reads as the importer does; an input of one file, or one that must be seen at once, is read here."""

        def read(path: Path, reading: Reading) -> Iterator[SourceDocument]:
            files = importer.parts(path) if importer.parts else []
            if len(files) < 2:
                yield from importer.read(path, reading)
                return
            reading.total, reading.unit = len(files), "files read"
            rows = self._ray.data.from_items(
                [{"importer": importer.name, "file": str(file)} for file in files], override_num_blocks=len(files)
            ).flat_map(_read_file)
            for row in rows.iter_rows():
                if row["report"] is None:
                    yield _document(row["document"])
                else:
                    reading.report.add(ImportReport.from_json(row["report"]))
                    reading.done += 1

        return read

    def encode(self, groups: Sequence[Sequence[str]]) -> Iterator[np.ndarray]:
        """The vectors of each group, in order.

        Yields:
            (texts, dimension) float32 for each group.
        """
        if not groups:
            return
        rows = self._ray.data.from_items(
            [{"number": number, "texts": list(group)} for number, group in enumerate(groups)]
        ).map_batches(
            _EncodeGroups,
            fn_constructor_args=(self._encoder,),
            batch_size=GROUPS_A_TASK,
            compute=self._ray.data.ActorPoolStrategy(size=self._workers),
        )
        for row in sorted(rows.iter_rows(), key=lambda row: int(row["number"])):
            yield np.frombuffer(row["vectors"], dtype=np.float32).reshape(len(groups[int(row["number"])]), -1)

    def close(self) -> None:
        """Let go of the cluster; one that was started here ends."""
        self._ray.shutdown()


class _EncodeGroups:
    """Runs in a worker: loads the encoder once, encodes group after group."""

    def __init__(self, encoder: str) -> None:
        from models.encoders.encoders import make_encoder

        self._encoder = make_encoder(encoder)

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        vectors = [self._encoder.encode([str(text) for text in group]).tobytes() for group in batch["texts"]]
        return {"number": batch["number"], "vectors": np.array(vectors, dtype=object)}


def _read_file(row: dict[str, str]) -> Iterable[dict[str, Any]]:
    """Runs in a worker: the documents of one file, then its report.

    Yields:
        rows of documents, then one with the report.
    """
    reading = Reading()
    file = Path(row["file"])
    with named_if_damaged(file, (file, file), reading.report):  # it is one of several
        for document in text_importer(row["importer"]).read(file, reading):
            yield {"document": document._asdict(), "report": None}
    yield {"document": None, "report": reading.report.as_json()}


def _document(row: dict[str, Any]) -> SourceDocument:
    sections = tuple(Section(*section) for section in row["sections"])
    return SourceDocument(**{**row, "sections": sections})
