"""The loop in a thread of its own."""

import asyncio
import threading
from queue import SimpleQueue

import pytest

from models.llm.event_loop import BackgroundLoop

NAME = "loop-of-the-test"
Ends = SimpleQueue[BaseException | None]


def alive() -> bool:
    return NAME in [thread.name for thread in threading.enumerate()]


def test_no_thread_before_the_first_task_and_none_after_closing() -> None:
    loop = BackgroundLoop(NAME)
    assert not alive()
    assert loop.run(asyncio.sleep(0, "done")) == "done"
    assert alive()
    loop.close()
    loop.close()
    assert not alive()
    assert loop.run(asyncio.sleep(0, "again")) == "again"
    loop.close()


def test_the_end_is_told_with_its_error() -> None:
    async def fails() -> None:
        raise KeyError("why")

    loop, ends = BackgroundLoop(NAME), Ends()
    loop.start(fails(), ends.put)
    assert isinstance(ends.get(timeout=5), KeyError)
    with pytest.raises(KeyError):
        loop.run(fails())
    loop.close()


def test_a_task_that_is_cancelled_before_it_began_tells_its_end_too() -> None:
    """Whoever waits for the end, or gives a place back then, must not wait for ever."""
    loop, ends, begun = BackgroundLoop(NAME), Ends(), []

    async def work() -> None:
        begun.append(True)
        await asyncio.sleep(60)

    async def held_up() -> None:
        loop.start(work(), ends.put)()  # from within the loop: it is cancelled before the loop can begin it

    loop.run(held_up())
    assert ends.get(timeout=5) is None
    assert begun == []
    loop.close()


def test_closing_cancels_what_still_runs() -> None:
    loop, ends, begun = BackgroundLoop(NAME), Ends(), threading.Event()

    async def work() -> None:
        begun.set()
        await asyncio.sleep(60)

    loop.start(work(), ends.put)
    assert begun.wait(5)
    loop.close()
    assert ends.get(timeout=5) is None
    assert not alive()
