"""What one process shares of its studies: one clock, one database, and the batches of drafts at work."""

import threading
from collections.abc import Sequence

from backend.errors import ConflictError
from backend.schemas.studies.study_views import GenerateRequest
from backend.stores.database.database import Database
from backend.study.clock import system_stamper
from backend.study.design.draft_sources import DraftSource
from backend.study.design.studies import Studies
from backend.study.design.study_drafts import Drafts, generate
from backend.study.rating.ratings import Ratings


class StudyContext:
    """What the routes of studies and ratings share in one application: one clock, one database, the batches at work."""

    def __init__(self, database: Database, source: DraftSource, systems: Sequence[str] = ()) -> None:
        """systems: the names that arms may use; empty: any."""
        stamper = system_stamper()
        self.studies = Studies(database, stamper, lambda: systems)
        self.ratings = Ratings(database, stamper)
        self.source = source
        self._batches: dict[str, tuple[threading.Thread, threading.Event]] = {}
        self._lock = threading.Lock()

    def start(self, study_id: str, request: GenerateRequest) -> None:
        """Write the missing drafts beside the requests.

        Raises:
            ConflictError: a batch is at work on this study.
        """
        with self._lock:
            if self.at_work(study_id):
                raise ConflictError("The drafts of this study are being written already.")
            Drafts(self.studies).jobs(study_id, request.retry_failed)  # what is wrong is said now, not in the thread
            stop = threading.Event()
            thread = threading.Thread(
                target=generate,
                args=(self.studies, study_id, self.source, request.author),
                kwargs={"retry_failed": request.retry_failed, "stop": stop},
                name=f"study-{study_id}",
                daemon=True,
            )
            self._batches[study_id] = (thread, stop)
            thread.start()

    def stop(self, study_id: str) -> None:
        """End the batch after the draft at work."""
        if study_id in self._batches:
            self._batches[study_id][1].set()

    def at_work(self, study_id: str) -> bool:
        """Whether a batch of drafts is being written for this study."""
        return study_id in self._batches and self._batches[study_id][0].is_alive()
