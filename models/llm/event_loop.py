"""An event loop in a thread of its own, so that a request can be given up at any moment: connecting, waiting, reading.

A thread that waits for a socket cannot be stopped; a task can.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")
Ended = Callable[[BaseException | None], None]
END_S = 5.0
"""How long `close` waits for what still runs, in seconds."""


class BackgroundLoop:
    """Starts with the first task. Its thread never keeps the program from ending."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._guard = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def start(self, work: Coroutine[Any, Any, None], ended: Ended) -> Callable[[], None]:
        """Runs it there; the function that is returned cancels it.

        ended is called in the loop's thread when all is over, however it ended, with the error if there was one.
        """
        loop = self._running()
        held: list[asyncio.Task[None]] = []

        def create() -> None:
            task = loop.create_task(work)
            task.add_done_callback(lambda done: ended(None if done.cancelled() else done.exception()))
            held.append(task)

        def stop() -> None:
            held[0].cancel()

        def cancel() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(stop)  # after `create`: the loop keeps the order

        loop.call_soon_threadsafe(create)
        return cancel

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs it there and waits for what it gives. Not from the loop's own thread."""
        future: Future[T] = asyncio.run_coroutine_threadsafe(work, self._running())
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """Cancels what still runs and ends the thread; a later task starts another."""
        with self._guard:
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop is None or thread is None:
            return
        asyncio.run_coroutine_threadsafe(_cancel_others(), loop).result(END_S)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(END_S)
        if not thread.is_alive():
            loop.close()

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._guard:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name=self._name, daemon=True)
                self._thread.start()
            return self._loop


async def _cancel_others() -> None:
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await asyncio.get_running_loop().shutdown_default_executor()  # threads that looked up addresses
