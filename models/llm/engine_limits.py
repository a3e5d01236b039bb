"""How long an engine waits, how often it tries, and how many it serves at a time."""

from dataclasses import dataclass


@dataclass(frozen=True)
class EngineLimits:
    """Times in seconds.

    first_token_s counts from sending a request to its first word, waiting at the server included; between_s from any
    word to the next. Only what may pass is tried again, and only before the first word: `tries` in all, after
    backoff_s, twice that and so on, up to backoff_most_s, each time between half and the whole of it; where the server says
    how long to wait, that long, or not at all when it is more than retry_after_most_s.
    After `failures` requests failed one after the other, none is sent for rest_s; then one, and the others if it succeeds.
    At most `concurrent` requests are answered and `waiting` wait; more are refused at once.
    """

    connect_s: float = 5.0
    first_token_s: float = 120.0
    between_s: float = 30.0
    tries: int = 3
    backoff_s: float = 0.5
    backoff_most_s: float = 8.0
    retry_after_most_s: float = 20.0
    failures: int = 5
    rest_s: float = 15.0
    concurrent: int = 16
    waiting: int = 64

    def __post_init__(self) -> None:
        """Raises ValueError for a time that is not above 0 or a number below 1 (waiting: below 0)."""
        for name in ("connect_s", "first_token_s", "between_s", "backoff_s", "backoff_most_s", "rest_s"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be more than 0 seconds")
        for name in ("tries", "failures", "concurrent"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be at least 1")
        if self.waiting < 0 or self.retry_after_most_s < 0:
            raise ValueError("waiting and retry_after_most_s must not be below 0")


DEFAULT_LIMITS = EngineLimits()
