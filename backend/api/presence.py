"""Who has which letter open, in this process's memory: a person is there who was heard of in the last seconds."""

import threading
import time
from collections.abc import Callable

from backend.schemas.patients.letter_work import PresentPerson

GONE_S = 20.0
MOST_LETTERS = 1_000
MOST_PEOPLE = 50


class OpenLetters:
    """Threads share it.

    Args:
        clock: seconds that only go forwards.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._letters: dict[str, dict[str, tuple[float, str]]] = {}
        self._changing = threading.Lock()

    def seen(self, letter: str, name: str, sentence: str = "") -> tuple[PresentPerson, ...]:
        """Note that a person has a letter open, and where.

        Returns:
            the others who have it open, the one heard of last first.
        """
        now = self._clock()
        with self._changing:
            people = self._letters.pop(letter, {})
            people = {who: held for who, held in people.items() if now - held[0] <= GONE_S and who != name}
            others = sorted(people.items(), key=lambda item: -item[1][0])
            self._letters[letter] = dict([(name, (now, sentence)), *others[: MOST_PEOPLE - 1]])
            while len(self._letters) > MOST_LETTERS:  # the letter that was not heard of for longest
                del self._letters[next(iter(self._letters))]
        return tuple(PresentPerson(name=who, sentence=place, seen_s=round(now - at, 1)) for who, (at, place) in others)
