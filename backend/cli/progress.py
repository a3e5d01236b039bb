"""A line of progress on standard error: how much is done, how fast, and what is left."""

import sys
import time


class ProgressLine:
    """Call it with done, total and what is being done; it rewrites one line at most four times a second.

    total 0: not known while it streams.
    """

    def __init__(self, quiet: bool = False) -> None:
        self._quiet = quiet
        self._shown = 0.0
        self._work = (-1, "")
        self._first = 0
        self._begun = time.monotonic()
        self._open = False

    def __call__(self, done: int, total: int, what: str) -> None:
        now = time.monotonic()
        if (total, what) != self._work:  # another kind of work has begun, perhaps where an earlier run stopped
            self.end()
            self._work, self._first, self._begun = (total, what), done, now
        if self._quiet or (now - self._shown < 0.25 and (done < total or not total)):
            return
        self._shown = now
        spent = now - self._begun
        made = done - self._first
        left = f", {spent / made * (total - done):.0f} s left" if made > 0 and spent > 2 and done < total else ""
        start = "\r\x1b[2K" if sys.stderr.isatty() else ""
        end = "" if sys.stderr.isatty() else "\n"
        of = f"/{total}" if total else ""
        print(f"{start}{done}{of} {what}{left}", end=end, file=sys.stderr, flush=True)
        self._open = bool(start)

    def end(self) -> None:
        """Leave the line as it stands and go to the next."""
        if self._open:
            print(file=sys.stderr, flush=True)
            self._open = False
