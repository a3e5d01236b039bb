"""The small language that scenario files are written in: conditions, options with slots, blocks.

assets/training/README.md is its description. Nothing here knows what a scenario is.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from backend.errors import KnowledgeError

SLOT = re.compile(r"\{([^{}]*)\}")
_TAG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_RANGE = re.compile(r"(\d+(?:\.(\d+))?)-(\d+(?:\.\d+)?)")
_PREFIX = re.compile(r"\[([^\]]*)\]\s*")
_DEPTH = 4  # a pool entry may name a pool; deeper than this is a circle


class Condition(NamedTuple):
    """What must hold of a patient's tags: of each group at least one literal; a literal is a tag and whether it is wanted."""

    groups: tuple[tuple[tuple[str, bool], ...], ...] = ()

    def holds(self, tags: frozenset[str] | set[str]) -> bool:
        """Whether the tags meet every group."""
        return all(any((tag in tags) == wanted for tag, wanted in group) for group in self.groups)

    def tags(self) -> Iterator[str]:
        """The tags that are asked for."""
        return (tag for group in self.groups for tag, _ in group)

    def __and__(self, other: "Condition") -> "Condition":
        return Condition(self.groups + other.groups)


class Option(NamedTuple):
    """One wording, and when it fits. text may hold slots."""

    text: str
    when: Condition = Condition()

    def slots(self) -> list[str]:
        """The names of the slots in the text."""
        return SLOT.findall(self.text)


class Block(NamedTuple):
    """One of several wordings, said with chance p where `when` holds."""

    options: tuple[Option, ...]
    p: float = 1.0
    when: Condition = Condition()


def parse_condition(text: str) -> Condition:
    """`"a|b, !c"` to a condition. Raises KnowledgeError that quotes what is no tag."""
    groups = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        literals = []
        for word in (word.strip() for word in part.split("|")):
            tag = word.removeprefix("!").strip()
            if not _TAG.fullmatch(tag):
                raise KnowledgeError(f"{word!r} is no tag. Write lower-case words joined by hyphens.")
            literals.append((tag, not word.startswith("!")))
        groups.append(tuple(literals))
    return Condition(tuple(groups))


def parse_option(text: object) -> Option:
    """A string, perhaps with a condition in square brackets before it."""
    if not isinstance(text, str) or not text.strip():
        raise KnowledgeError(f"{text!r} is no text. Write a string that is not empty.")
    when = Condition()
    if match := _PREFIX.match(text):
        when, text = parse_condition(match[1]), text[match.end() :]
    if re.search(r"[{}]", SLOT.sub("", text)):
        raise KnowledgeError(f"A brace is open or doubled in {text!r}. A slot is {{name}}, {{2-5}} or {{one|other}}.")
    return Option(text.strip(), when)


def is_name(slot: str) -> bool:
    """Whether a slot names a pool or a word for the patient, rather than a range or a choice."""
    return "|" not in slot and not _RANGE.fullmatch(slot)


def spread(text: str, rng: random.Random) -> str:
    """A number drawn evenly from `"37.9-39.4"`, with the decimals of its first bound."""
    match = _RANGE.fullmatch(text)
    if match is None or float(match[1]) > float(match[3]):
        raise KnowledgeError(f"{text!r} is no range. Write two numbers, the lower first: 37.9-39.4.")
    places = len(match[2] or "")
    scale = 10**places
    return f"{rng.randint(round(float(match[1]) * scale), round(float(match[3]) * scale)) / scale:.{places}f}"


class Filler:
    """Fills slots for one patient. A pool is drawn at its first use and keeps its value.

    excluded says whether a text must not be offered to this patient; a pool gives such an entry only where it has no other.
    """

    def __init__(
        self,
        words: Mapping[str, str],
        pools: Mapping[str, Sequence[Option]],
        tags: frozenset[str] | set[str],
        rng: random.Random,
        excluded: Callable[[str], bool],
    ) -> None:
        self._values = dict(words)
        self._pools, self._tags, self._rng, self._excluded = pools, tags, rng, excluded

    def fill(self, text: str, extra: Mapping[str, str] | None = None, depth: int = 0) -> str:
        """The text without slots; extra words hold for this text alone.

        Raises KnowledgeError for a slot that is nowhere, or a pool where no entry fits.
        """
        return SLOT.sub(lambda match: self._value(match[1], extra or {}, depth), text)

    def _value(self, slot: str, extra: Mapping[str, str], depth: int) -> str:
        if slot in extra:
            return extra[slot]
        if "|" in slot:
            return self._rng.choice(slot.split("|"))
        if not is_name(slot):
            return spread(slot, self._rng)
        if slot not in self._values:
            self._values[slot] = self._drawn(slot, depth)
        return self._values[slot]

    def _drawn(self, name: str, depth: int) -> str:
        if name not in self._pools or depth >= _DEPTH:
            raise KnowledgeError(
                f"There is nothing to fill {{{name}}} with. Add it to a pool, or take it out of itself."
            )
        eligible = [option.text for option in self._pools[name] if option.when.holds(self._tags)]
        if not eligible:
            raise KnowledgeError(f"No entry of the pool {name!r} fits a patient with {sorted(self._tags)}. Add one.")
        eligible = [text for text in eligible if not self._excluded(text)] or eligible
        return self.fill(self._rng.choice(eligible), depth=depth + 1)
