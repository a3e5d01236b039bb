"""Work on many questions at once, each done once: what the ledger holds is not done again.

Rows are added as they come, in this thread, so a kill costs the questions at work and no more. A failure stops the run
after the questions at work have ended; so does an interruption.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

from backend.training.questions import Ledger, Progress, Question

Work = Callable[[Question], dict[str, Any]]


def done_rows(
    questions: Sequence[Question], work: Work, ledger: Ledger, workers: int, progress: Progress, what: str
) -> list[dict[str, Any]]:
    """A row for each question, in their order. workers: questions at work at the same time."""
    waiting = [question for question in questions if question.id not in ledger.rows]
    done = len(questions) - len(waiting)
    progress(done, len(questions), what)
    feed = iter(waiting)
    with ThreadPoolExecutor(max_workers=max(1, workers)) as pool:
        running: dict[Future[dict[str, Any]], str] = {}
        while True:
            # few are handed out at a time, so that an interruption need not wait for all
            while len(running) < max(1, workers) and (question := next(feed, None)) is not None:
                running[pool.submit(work, question)] = question.id
            if not running:
                break
            ended, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in ended:
                ledger.add(running.pop(future), future.result())
                done += 1
                progress(done, len(questions), what)
    return [ledger.rows[question.id] for question in questions]
