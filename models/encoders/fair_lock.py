"""A lock that is given in the order in which it was asked for.

An ordinary lock may be taken again and again by the thread that has just let go of it, so that a long import would keep a
clinician's query waiting for its end; here the query comes next.
"""

import threading
from collections import deque
from types import TracebackType


class FairLock:
    """A context manager; one thread at a time, first come, first served. Not to be entered twice by one thread."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._waiting: deque[threading.Event] = deque()
        self._busy = False

    def __enter__(self) -> None:
        with self._guard:
            if not self._busy:
                self._busy = True
                return
            mine = threading.Event()
            self._waiting.append(mine)
        mine.wait()  # whoever leaves hands the turn over: it stays taken

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._guard:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._busy = False
