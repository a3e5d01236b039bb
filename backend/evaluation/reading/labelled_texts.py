"""Texts with labelled mentions, to measure the linker against: JSONL, or PubTator.

JSONL: one object a line with `text` and `mentions`, each with start_char and end_char, and where labelled concept_id,
assertion and group; or what `link --json` prints. PubTator: title, abstract and tab-separated mentions.
"""

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from backend.errors import InputError
from backend.schemas.vocabulary import Assertion, SemanticGroup

# entity types of NCBI-disease, BC5CDR and PubTator, and the semantic group that holds them
TYPES: dict[str, SemanticGroup] = {
    "Disease": SemanticGroup.DISO,
    "SpecificDisease": SemanticGroup.DISO,
    "DiseaseClass": SemanticGroup.DISO,
    "CompositeMention": SemanticGroup.DISO,
    "Modifier": SemanticGroup.DISO,
    "Chemical": SemanticGroup.CHEM,
    "Gene": SemanticGroup.GENE,
    "Species": SemanticGroup.LIVB,
}
MENTION_FIELDS = 6


class LabelledMention(NamedTuple):
    """start and end: half-open code points. concept_id, assertion and group are None where the file says nothing."""

    start: int
    end: int
    concept_id: str | None = None
    assertion: Assertion | None = None
    group: SemanticGroup | None = None


class LabelledText(NamedTuple):
    """A text with the mentions that people marked in it."""

    document_id: str
    text: str
    mentions: tuple[LabelledMention, ...]


def read_labelled(path: Path) -> list[LabelledText]:
    """Every document of a file, gzipped or not. Raises InputError that names the line that cannot be read."""
    if not path.is_file():
        raise InputError(f"There is no file {path.name!r}. Give a labelled JSONL or PubTator file.")
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8-sig")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise InputError(f"{path.name} cannot be read as UTF-8 text ({type(error).__name__}).") from None
    lines = list(enumerate(text.split("\n"), start=1))
    first = next((line for _, line in lines if line.strip()), "")
    found = list(_jsonl(lines, path.name) if first.lstrip().startswith("{") else _pubtator(lines, path.name))
    if not found:
        raise InputError(f"{path.name} holds no labelled text. Give a labelled JSONL or PubTator file.")
    return found


def _jsonl(lines: Iterable[tuple[int, str]], name: str) -> Iterator[LabelledText]:
    for number, line in lines:
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            note = row.get("note", row)
            text = note["text"]
            mentions = tuple(_mention(mention, len(text)) for mention in note["mentions"])
            yield LabelledText(str(row.get("id", number)), text, mentions)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(
                f"{name}, line {number}: no labelled text ({type(error).__name__}). Each line needs `text` and `mentions` "
                "with start_char and end_char inside the text; assertions and groups must be known ones."
            ) from None


def _mention(row: Mapping[str, Any], length: int) -> LabelledMention:
    start, end = int(row["start_char"]), int(row["end_char"])
    if not 0 <= start < end <= length:
        raise ValueError
    concept = row.get("concept_id")
    assertion = Assertion(row["assertion"]) if row.get("assertion") else None
    group = SemanticGroup(row["group"]) if row.get("group") else None
    return LabelledMention(start, end, None if concept is None else str(concept), assertion, group)


def _pubtator(lines: Iterable[tuple[int, str]], name: str) -> Iterator[LabelledText]:
    document, parts, mentions = "", [""], list[LabelledMention]()
    for number, raw in [*lines, (0, "")]:
        line = raw.rstrip("\r\n")
        if not line.strip():
            if document:
                yield _whole(document, parts, mentions, name)
            document, parts, mentions = "", [""], []
        elif "\t" not in line and line.count("|") >= 2:
            document, kind, text = line.split("|", 2)
            parts = [text] if kind == "t" else [parts[0], text]
        elif line.count("\t") >= MENTION_FIELDS - 1:
            _, start, end, _, kind, concept, *_ = line.split("\t")
            if not (start.isdigit() and end.isdigit()):
                raise InputError(f"{name}, line {number}: no PubTator mention (id, start, end, text, type, concept).")
            mentions.append(LabelledMention(int(start), int(end), concept or None, None, TYPES.get(kind)))
        elif line.count("\t") < 2:
            raise InputError(f"{name}, line {number}: neither a title, an abstract nor a mention of PubTator.")


def _whole(document: str, parts: list[str], mentions: list[LabelledMention], name: str) -> LabelledText:
    """Title and abstract are one character apart, as the offsets have it."""
    text = "\n".join(parts)
    if any(not 0 <= mention.start < mention.end <= len(text) for mention in mentions):
        raise InputError(f"{name}, document {document}: a mention lies outside its text.")
    return LabelledText(document, text, tuple(mentions))
