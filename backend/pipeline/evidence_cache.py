"""Evidence of drafts that broke off, kept for a retry: what was found once is not looked for again.

CachedEvidence in memory alone, for some minutes and for few requests; a draft that came to its end leaves nothing here.
"""

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from backend.pipeline.stages import EvidenceState
from backend.schemas.drafts.event import StageEvent
from backend.schemas.drafts.request import DraftRequest

KEPT_S = 900.0
MOST = 16


class CachedEvidence(NamedTuple):
    """The stages' events up to the evidence, as they were sent, and what they found."""

    events: tuple[StageEvent, ...]
    state: EvidenceState


class EvidenceCache:
    """Few requests' evidence, by request.

    Args:
        clock: seconds that only go forwards.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._held: OrderedDict[str, tuple[float, CachedEvidence]] = OrderedDict()
        self._changing = threading.Lock()

    def forget(self) -> None:
        """Let go of all that is kept."""
        with self._changing:
            self._held.clear()

    def put(self, request: DraftRequest, found: CachedEvidence) -> None:
        """Keep the evidence of a request; the oldest goes where there are too many."""
        with self._changing:
            self._held[_key(request)] = (self._clock(), found)
            while len(self._held) > MOST:
                self._held.popitem(last=False)

    def take(self, request: DraftRequest) -> CachedEvidence | None:
        """What is kept of this request, whoever is to write it now; taken out, so that a draft is retried from it once."""
        with self._changing:
            held = self._held.pop(_key(request), None)
            for key in [key for key, (since, _) in self._held.items() if self._clock() - since > KEPT_S]:
                del self._held[key]
        return held[1] if held and self._clock() - held[0] <= KEPT_S else None


def _key(request: DraftRequest) -> str:
    """The request but for who writes; a digest, so that no text is kept as a key."""
    same = request.model_copy(update={"generator": None})
    return hashlib.sha256(same.model_dump_json().encode()).hexdigest()
