"""A seeded, patient-disjoint choice of pairs that does not depend on the order in which they come.

Each patient has a place between 0 and 1 that follows from the seed and the patient's id alone; patients are taken in that
order, all notes of one patient together. Only as many pairs as can still be chosen are held in memory.
"""

import hashlib
import heapq
from collections.abc import Iterator, Mapping

from backend.errors import InputError
from backend.ingest.clinical_notes.note_pairs import Pair


class PatientSplit:
    """Gathers pairs and deals them out.

    sizes: how many pairs each split gets, in the order in which the splits are filled. The pairs of one patient never
    fall into two splits: where a split is full in the middle of a patient, that patient's other pairs are left out.
    """

    def __init__(self, sizes: Mapping[str, int], seed: int) -> None:
        self._sizes, self._seed = dict(sizes), seed
        self._patients: dict[str, list[Pair]] = {}
        self._order: list[tuple[int, str]] = []  # a heap of the patients held, the last in order on top
        self._held, self._largest = 0, 0
        self._bar: int | None = None  # patients from this place on were let go
        self.offered = 0

    def add(self, pair: Pair) -> None:
        """Offer a pair; its own split is not looked at."""
        self.offered += 1
        patient = pair.patient_id
        place = self._place("patient", patient)
        if self._bar is not None and place >= self._bar:
            return
        if patient not in self._patients:
            self._patients[patient] = []
            heapq.heappush(self._order, (-place, patient))
        pairs = self._patients[patient]
        pairs.append(pair)
        self._held += 1
        self._largest = max(self._largest, len(pairs))
        # At each border between splits the rest of one patient may be left out, so that much more must stay at hand.
        enough = sum(self._sizes.values()) + self._largest * len(self._sizes)
        while self._order and self._held - len(self._patients[self._order[0][1]]) >= enough:
            last, gone = heapq.heappop(self._order)
            self._held -= len(self._patients.pop(gone))
            self._bar = -last

    def deal(self) -> Iterator[Pair]:
        """The chosen pairs, each with its split, split by split in the order of `sizes`.

        Yields:
            Pair: one at a time.

        Raises:
            InputError: before the first one when the pairs are too few.
        """
        patients = sorted(self._patients, key=lambda patient: self._place("patient", patient))
        waiting = iter(patients)
        chosen: list[Pair] = []
        for split, size in self._sizes.items():
            left = size
            while left > 0:
                patient = next(waiting, None)
                if patient is None:
                    asked = ", ".join(f"{count:,} {name}" for name, count in self._sizes.items())
                    raise InputError(
                        f"There are {self.offered:,} usable pairs of {len(self._patients):,} patients, too few for {asked} "
                        "with no patient in two splits. Ask for fewer."
                    )
                pairs = sorted(
                    self._patients[patient], key=lambda pair: (self._place("pair", pair.pair_id), pair.pair_id)
                )
                chosen.extend(pair._replace(split=split) for pair in pairs[:left])
                left -= min(left, len(pairs))
        yield from chosen

    def _place(self, kind: str, name: str) -> int:
        return int.from_bytes(hashlib.sha256(f"{self._seed}/{kind}/{name}".encode()).digest()[:8])
