"""Who has which letter open, in this process's memory: a person is there who was heard of in the last seconds.

Who gave a name is one person in all their windows; who gave none is somebody in each.
"""

import threading
import time
from collections.abc import Callable

from backend.review.editing.letter_edits import NOT_GIVEN
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
        self._letters: dict[str, dict[str, tuple[float, str, str]]] = {}
        self._changing = threading.Lock()

    def seen(self, letter: str, name: str, sentence: str = "", window: str = "") -> tuple[PresentPerson, ...]:
        """Note that a person has a letter open, and where.

        Args:
            letter: its id.
            name: the person's.
            sentence: where they are.
            window: what tells those apart who gave no name.

        Returns:
            the others who have it open, the one heard of last first.
        """
        now, own = self._clock(), window or name
        with self._changing:
            people = self._letters.pop(letter, {})
            people = {key: held for key, held in people.items() if now - held[0] <= GONE_S and key != own}
            others = sorted(people.items(), key=lambda item: -item[1][0])[: MOST_PEOPLE - 1]
            self._letters[letter] = dict([(own, (now, name, sentence)), *others])
            while len(self._letters) > MOST_LETTERS:  # the letter that was not heard of for longest
                del self._letters[next(iter(self._letters))]
        found: dict[str, PresentPerson] = {}
        for key, (at, who, place) in others:
            if who == NOT_GIVEN or who != name:
                one = PresentPerson(name=who, sentence=place, seen_s=round(now - at, 1))
                found.setdefault(key if who == NOT_GIVEN else who, one)
        return tuple(found.values())
