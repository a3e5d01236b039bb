"""The words and concepts of a record's statements, and what matches one: the words of a kind of need (assets/rules/fit/kinds.tsv)."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from backend.schemas.record import Statement


def place_of(statement: Statement) -> int:
    """Where a statement stands in the note; before it where it has no place."""
    return statement.spans[0].start_char if statement.spans else -1


def concepts_of(statement: Statement) -> tuple[str | None, ...]:
    """The concepts of a statement, a combination's ingredients among them."""
    return (getattr(statement, "concept_id", None), *getattr(statement, "ingredients", ()))


def names_of(statements: Iterable[Statement]) -> Iterator[str]:
    """The names of statements, with the side where one is told, and their words in the note."""
    for one in statements:
        name, side = str(getattr(one, "name", "")), str(getattr(one, "body_side", ""))
        yield name
        if side:
            yield f"{side} {name}"
        if one.spans:
            yield one.spans[0].text


@lru_cache(maxsize=256)
def pattern_of(words: tuple[str, ...]) -> re.Pattern[str]:
    """What matches one of the words of a kind in a statement: as such, "=" the whole statement, "+" all the words of one."""
    return re.compile("|".join(map(_shape, words)), re.IGNORECASE)


def _shape(word: str) -> str:
    if word.startswith("="):
        return rf"\A{re.escape(word[1:])}\Z"
    if "+" in word:
        return r"\A" + "".join(f"(?=.*?{_shape(part.strip())})" for part in word.split("+"))
    return rf"(?<![\w-]){re.escape(word)}(?![\w-])".replace(r"\*", r"[\w-]*").replace(r"\ ", r"\s+")
