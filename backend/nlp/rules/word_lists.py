"""Lists of words that rules need, as data: a file of assets/rules with a name and its words in each row."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from backend.errors import KnowledgeError
from backend.nlp.rules.rule_files import RULES, rule_rows


@lru_cache(maxsize=32)
def word_lists(name: str, folder: Path = RULES) -> Mapping[str, frozenset[str]]:
    """The lists of `<folder>/<name>.tsv` by name, read once: columns name and words, the words set apart by blanks.

    Raises:
        KnowledgeError: the file is missing, or a row is empty or repeats a name.
    """
    path = folder / f"{name}.tsv"
    if not path.is_file():
        raise KnowledgeError(f"The rule file {path.name} is missing from {path.parent}. Restore it from the release.")
    lists: dict[str, frozenset[str]] = {}
    for key, words in rule_rows(path, 2):
        if key in lists or not words.strip():
            raise KnowledgeError(f"{path.name}: '{key}' is empty or there twice. Give each name one row of words.")
        lists[key] = frozenset(words.split())
    return MappingProxyType(lists)
