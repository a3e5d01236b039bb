"""An encoder for long work beside readers of the same one: an import while drafts are written.

It encodes nothing while the encoder is being asked by others, but for a little now and then, so that the work goes on under
any load; and what it encodes never takes the place of recent texts that readers will ask for again.
"""

import time
from collections.abc import Callable, Sequence

import numpy as np

from backend.interfaces import Encoder

QUIET_S = 0.5  # this long after the last reader's call a draft is taken to be over
LONGEST_S = 2.0  # and this long a group of texts waits at most


class BackgroundEncoder:
    """The same vectors under the same name. clock and sleep: in seconds."""

    def __init__(
        self,
        encoder: Encoder,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._encoder = encoder
        self._clock, self._sleep = clock, sleep
        self._apart: Callable[[Sequence[str]], np.ndarray] = getattr(encoder, "encode_apart", encoder.encode)
        self.name, self.dimension = encoder.name, encoder.dimension

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """(len(texts), dimension) float32, rows of length 1, once the readers are through or LONGEST_S have passed."""
        limit = self._clock() + LONGEST_S
        while (now := self._clock()) < limit and now - getattr(self._encoder, "asked", -QUIET_S) < QUIET_S:
            self._sleep(QUIET_S / 10)
        return self._apart(texts)

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        """As the encoder itself: queries never wait."""
        return self._encoder.encode_queries(texts)
