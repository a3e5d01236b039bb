"""Progress on standard error: how much is done and what is left, as a bar in a terminal and as plain lines elsewhere."""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

EVERY_S = 0.25
PLAIN_EVERY_S = 2.0
KNOWN_AFTER_S = 2.0  # before, the time that is left is a guess
BEAT_S = 1.0  # of work that reports nothing, how often a watched line says that it goes on


class ProgressLine:
    """Call it with done, total and what is being done; it is shown anew at most four times a second, as plain lines every two seconds.

    Args:
        quiet: show nothing, as where another process of the same run shows it.
    """

    def __init__(self, quiet: bool = False) -> None:
        """Nothing is shown before the first call."""
        self._quiet = quiet
        self._shown = -PLAIN_EVERY_S
        self._work = (-1, "")
        self._first = 0
        self._begun = time.monotonic()
        self._bar: Progress | None = None
        self._last = (0, 0, "")
        self._told = self._begun
        self._showing = threading.RLock()

    @contextmanager
    def watched(self, what: str) -> Iterator["ProgressLine"]:
        """Within, no second passes in silence: what reports nothing is shown again with the time since its last report.

        Args:
            what: is done until the first report.

        Yields:
            This line; it is left as it stands at the end.
        """
        self(0, 0, what)
        over = threading.Event()
        beat = threading.Thread(target=self._beat, args=(over,), daemon=True)
        beat.start()
        try:
            yield self
        finally:
            over.set()
            beat.join()
            self.end()

    def __call__(self, done: int, total: int, what: str) -> None:
        """Show how far it is.

        Args:
            done: so far, those of an earlier run included.
            total: 0 where it is not known while it streams.
            what: is counted; another word begins another count.
        """
        now = time.monotonic()
        with self._showing:
            if (total, what) != self._work:  # another kind of work has begun, perhaps where an earlier run stopped
                self.end()
                self._work, self._first, self._begun = (total, what), done, now
                self._shown = -PLAIN_EVERY_S  # its first line is never held back
            self._last, self._told = (done, total, what), now
            every = EVERY_S if sys.stderr.isatty() else PLAIN_EVERY_S
            if now - self._shown >= every or (total and done >= total):
                self._show(now, self._left(now, done, total))

    def end(self) -> None:
        """Leave the bar as it stands and go to the next line."""
        with self._showing:
            if self._bar is not None:
                self._bar.stop()
                self._bar = None

    def _beat(self, over: threading.Event) -> None:
        while not over.wait(BEAT_S / 2):
            now = time.monotonic()
            with self._showing:
                if now - self._shown >= BEAT_S:
                    self._show(now, f", at it for {now - self._told:.0f} s")

    def _show(self, now: float, after: str) -> None:
        """The last report, with what follows it."""
        if self._quiet:
            return
        self._shown = now
        done, total, what = self._last
        if sys.stderr.isatty():
            self._draw(done, total, what, after)
            if total and done >= total:
                self.end()
        else:
            count = f"{done}{f'/{total}' if total else ''} " if done or total else ""
            print(f"{count}{what}{after}", file=sys.stderr, flush=True)

    def _left(self, now: float, done: int, total: int) -> str:
        spent, made = now - self._begun, done - self._first
        if made <= 0 or spent <= KNOWN_AFTER_S or done >= total:
            return ""
        return f", {spent / made * (total - done):.0f} s left"

    def _draw(self, done: int, total: int, what: str, left: str) -> None:
        from rich.console import Console
        from rich.markup import escape
        from rich.progress import BarColumn, Progress, TextColumn

        text = f"{done}{f'/{total}' if total else ''} {escape(what)}{left}"
        if self._bar is None:
            columns = (BarColumn(bar_width=30), TextColumn("{task.description}"))
            self._bar = Progress(*columns, console=Console(stderr=True), auto_refresh=False)
            self._bar.add_task(text, total=total or None)
            self._bar.start()
        task = self._bar.task_ids[0]
        self._bar.update(task, completed=done, total=total or None, description=text, refresh=True)
