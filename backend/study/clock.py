"""Time that can be trusted: the wall clock for records, a steady clock for durations.

The wall clock may jump. The steady clock does not, but counts from an unknown start in each process, so a stamp says
which process took it.
"""

import time
import uuid
from collections.abc import Callable
from datetime import UTC, datetime

from backend.schemas.studies.study_rating import Stamp

Stamper = Callable[[], Stamp]
IDLE_S = 600.0  # a longer silence counts as this much: nobody rates one item for an hour without a click


def system_stamper() -> Stamper:
    """Stamps of this process. Make one a process."""
    process = str(uuid.uuid4())

    def stamp() -> Stamp:
        return Stamp(at=datetime.now(UTC), process=process, tick_s=round(time.monotonic(), 3))

    return stamp


def elapsed_s(before: Stamp, after: Stamp) -> float | None:
    """Seconds between two stamps, 0 to IDLE_S; None when nobody can know.

    Within one process the steady clock decides. Across a restart only the wall clock is left: a step back says that it
    was set meanwhile, and gives None.
    """
    steady = before.process == after.process
    passed = after.tick_s - before.tick_s if steady else (after.at - before.at).total_seconds()
    return None if passed < 0 else min(passed, IDLE_S)
