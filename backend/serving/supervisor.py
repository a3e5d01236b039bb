"""Watches one language model server: starts it, sees it become ready, starts it again when it dies, ends it.

It has no thread: whoever owns it calls `step` several times a second, and so does a test with a clock of its own.
"""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from backend.serving.reasons import Ending, why_it_ended
from backend.serving.status import ServerState, ServerStatus


class Running(Protocol):
    """One run of the server; `ServerProcess` is one."""

    def ended(self) -> int | None:
        """The exit status; None while it runs."""
        ...

    def stop(self) -> None:
        """End it."""
        ...

    def last_words(self) -> str:
        """The end of its log."""
        ...


class Patience(NamedTuple):
    """Seconds, but for the two counts. Each death in a row doubles the wait before the next start, up to longest_s."""

    start_s: float = 1_800.0
    look_s: float = 0.5
    look_ready_s: float = 5.0
    misses: int = 6
    first_s: float = 1.0
    longest_s: float = 60.0
    deaths: int = 5
    steady_s: float = 600.0


DEFAULT_PATIENCE = Patience()


class Supervisor:
    """One server. Its state goes to `report` whenever it changes."""

    def __init__(
        self,
        model: str,
        url: str,
        start: Callable[[], Running],
        healthy: Callable[[], bool],
        report: Callable[[ServerStatus], None],
        clock: Callable[[], float],
        wall: Callable[[], float],
        patience: Patience = DEFAULT_PATIENCE,
    ) -> None:
        """url: up to and with /v1. clock: monotonic seconds. wall: seconds of the epoch, for the status alone."""
        self._start = start
        self._healthy = healthy
        self._report = report
        self._clock = clock
        self._wall = wall
        self._patience = patience
        self._running: Running | None = None
        self._next_s = 0.0
        self._since_s = 0.0
        self._misses = 0
        self.status = ServerStatus(state=ServerState.WAITING, model=model, url=url, since=wall())

    def step(self) -> ServerStatus:
        """Look once, do what is due, and say how it stands."""
        now = self._clock()
        if self._running is not None:
            status = self._running.ended()
            if status is not None:
                ending = why_it_ended(status, self._running.last_words())
                self._died(ending.reason, ending.lasting and self.status.state == ServerState.STARTING)
            elif now >= self._next_s:
                self._look(now)
        elif self.status.state == ServerState.WAITING and now >= self._next_s:
            self._running = self._start()
            self._since_s, self._misses, self._next_s = now, 0, now + self._patience.look_s
            self._be(ServerState.STARTING, self.status.reason)
        return self.status

    def stop(self) -> None:
        """End it, and never start it again."""
        if self._running is not None:
            self._running.stop()
            self._running = None
        self._be(ServerState.STOPPED)

    def _look(self, now: float) -> None:
        starting = self.status.state == ServerState.STARTING
        self._next_s = now + (self._patience.look_s if starting else self._patience.look_ready_s)
        if self._healthy():
            self._misses = 0
            if starting:
                self._since_s = now
                self._next_s = now + self._patience.look_ready_s
                self._be(ServerState.READY)
            elif self.status.deaths and now - self._since_s >= self._patience.steady_s:
                self.status = self.status.model_copy(update={"deaths": 0})
            return
        self._misses += 1
        if starting and now - self._since_s > self._patience.start_s:
            self._end(
                Ending(f"it was not ready after {self._patience.start_s:.0f} s (LEAPNOTE_VLLM_START_S)", lasting=True)
            )
        elif not starting and self._misses >= self._patience.misses:
            silent = self._patience.misses * self._patience.look_ready_s
            self._end(Ending(f"it did not answer for {silent:.0f} s", lasting=False))

    def _end(self, ending: Ending) -> None:
        assert self._running is not None
        self._running.stop()
        self._died(ending.reason, ending.lasting)

    def _died(self, reason: str, lasting: bool) -> None:
        self._running = None
        deaths = self.status.deaths + 1
        self.status = self.status.model_copy(update={"deaths": deaths})
        if lasting:
            self._be(ServerState.FAILED, reason)
        elif deaths >= self._patience.deaths:
            self._be(ServerState.FAILED, f"it ended {deaths} times; the last time: {reason}")
        else:
            wait = min(self._patience.longest_s, self._patience.first_s * 2 ** (deaths - 1))
            self._next_s = self._clock() + wait
            self._be(ServerState.WAITING, reason)

    def _be(self, state: ServerState, reason: str = "") -> None:
        self.status = self.status.model_copy(update={"state": state, "since": self._wall(), "reason": reason})
        self._report(self.status)
