"""No text ends in an exception: real notes, pages and snippets, whole and cut at their marks, and texts that hypothesis makes."""

import csv
import gzip
import json
import os
import random
import re
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from backend.container import Container
from backend.nlp.extraction.linker import DictionaryLinker
from backend.settings import ROOT

DATA = Path(os.environ.get("LEAPNOTE_TEST_DATA", ROOT.parent / "shared" / "data"))
KINDS = [
    *("aci_bench", "bc5cdr", "bioasq_pubmedqa", "ccda_hl7", "cdc_opioid_cds", "clinic_notes", "ddxplus_meta"),
    *("disease_ontology", "fhir_synthea_r4", "hetionet", "kg_clean", "mediqa2019", "medquad", "ncbi_disease"),
    *("primock57", "semgroups", "symptom_ontology", "who_smart_anc"),
]
"""Every folder of the data. Of a folder two kinds of file are left out: PDF pages, whose reader is tested for itself, and
files of edges (`.sif.gz`, `edges.tsv`), which hold identifiers and no words; a licence or a page about the data is a text
like any other."""
FILES, TEXTS, CUTS = 60, 25, 6
"""Of each kind at most so many files, texts, and cuts of a text."""
SECONDS = 7.0
"""What one kind may take: a long kind is cut short, in the order of the sample."""
LONGEST = 6_000
SHARES = 8
"""The whole of a kind is read in so many tests, so that a run that was ended goes on at a share: `-k "all_texts and medquad-3"`."""
PART = 2_000
"""Characters of one part of a long text, broken at an end of a line: what is read grows with the marks times this."""
SHORTEST, SHORTEST_NAME = 20, 3
"""Characters of a text of the sample, and of a text or name of the whole."""
_MARK = re.compile(r"[.,;:()\[\]\n/-]")
_SPOKEN = re.compile(r'text = "([^"]{3,})"')
_QUOTED = re.compile(r'^(?:name: (.+)|(?:def|synonym|comment): "((?:[^"\\]|\\.)+)")', re.MULTILINE)


@pytest.mark.parametrize(
    "text",
    [
        "Rash with penicillin;",
        "HPI: hives with codeine;",
        "She had swelling with lisinopril;",
        "Allergies: penicillin;",
        "HPI: rash with codeine;; hives with penicillin;",
        ";",
        "HPI: her mother had hives with codeine; ;",
    ],
)
def test_a_semicolon_at_the_end_leaves_no_empty_clause(container: Container, text: str) -> None:
    linked = container.reading.dictionary.link(text)
    assert linked.note.text == text


def test_what_stands_before_a_closing_semicolon_is_still_read(container: Container) -> None:
    linked = container.reading.dictionary.link("HPI: hives with codeine;")
    assert [one.text for one in (*linked.allergies.items, *linked.allergies.possible)] == ["codeine"]


WORDS = st.sampled_from(
    [
        *(
            "penicillin",
            "codeine",
            "lisinopril",
            "hives",
            "rash",
            "swelling",
            "with",
            "after",
            "to",
            "no",
            "not",
            "and",
            "or",
            "but",
        ),
        *(
            "allergic",
            "allergies",
            "Allergies:",
            "HPI:",
            "Family history:",
            "mother",
            "she",
            "her",
            "caused",
            "gave",
            "denies",
            "if",
        ),
        *(
            ";",
            ",",
            ".",
            ":",
            "-",
            "->",
            "(",
            ")",
            "[",
            "]",
            "/",
            "?",
            "!",
            "'",
            '"',
            "+",
            "=",
            "\n",
            "\n\n",
            "\t",
            "1",
            "2019",
            "5 mg",
        ),
        *(
            "stopped",
            "tolerates",
            "removed",
            "within",
            "hours",
            "then",
            "it",
            "never",
            "can't",
            "who",
            "was",
            "had",
            "is",
        ),
    ]
)


@settings(max_examples=250, deadline=None)
@given(st.lists(WORDS, max_size=14), st.sampled_from([" ", ""]))
def test_words_of_allergies_in_any_order_are_read(container: Container, words: list[str], between: str) -> None:
    text = between.join(words)
    assert container.reading.dictionary.link(text).note.text == text


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_any_characters_are_read(container: Container, text: str) -> None:
    assert container.reading.dictionary.link(text).note.text == text


@pytest.mark.data
@pytest.mark.skipif(not DATA.is_dir(), reason="LEAPNOTE_TEST_DATA names no folder of open data")
@pytest.mark.parametrize("kind", KINDS)
def test_real_texts_and_what_is_left_of_them_at_each_mark_are_read(container: Container, kind: str) -> None:
    draw = random.Random(kind)
    held = list(texts_of(DATA / kind, draw))
    assert held, f"no text was read of {kind}"
    began, read = time.monotonic(), 0
    for text in draw.sample(held, min(TEXTS, len(held))):
        for piece in cut(text[:LONGEST], draw):
            read_whole(container.reading.dictionary, piece, kind)
            read += 1
        if time.monotonic() - began > SECONDS:
            break
    assert read > CUTS


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.timeout(6 * 3600)
@pytest.mark.skipif(not DATA.is_dir(), reason="LEAPNOTE_TEST_DATA names no folder of open data")
@pytest.mark.parametrize("share", range(SHARES))
@pytest.mark.parametrize("kind", KINDS)
def test_all_texts_and_both_sides_of_every_mark_are_read(container: Container, kind: str, share: int) -> None:
    found = list(dict.fromkeys(part for text in texts_of(DATA / kind) for part in parts(text)))
    assert found, f"no text was read of {kind}"
    read = 0
    for at in range(share, len(found), SHARES):
        for piece in cut_everywhere(found[at]):
            read_whole(container.reading.dictionary, piece, f"{kind}-{share}, part {at} of {len(found)}, {read:,} read")
            read += 1
    assert read >= len(found) // SHARES


def read_whole(linker: DictionaryLinker, text: str, what: str) -> None:
    """Fails with the exception's class and the length alone: a text of the data is not repeated."""
    try:
        linker.read(text)
    except Exception as error:
        last = error.__traceback__
        while last is not None and last.tb_next is not None:
            last = last.tb_next
        place = f"{Path(last.tb_frame.f_code.co_filename).name}:{last.tb_lineno}" if last else ""
        pytest.fail(f"{what}: {type(error).__name__} at {place} on a text of {len(text)} characters", pytrace=False)


def cut(text: str, draw: random.Random) -> list[str]:
    """The text, and what stands before and after some of its marks."""
    marks = [found.end() for found in _MARK.finditer(text)]
    chosen = draw.sample(marks, min(CUTS, len(marks)))
    return [text, *(text[:at] for at in chosen), *(text[at - 1 :] for at in chosen[:2])]


def cut_everywhere(text: str) -> Iterator[str]:
    """The text, and what stands before each of its marks, the mark with it, and from the mark on."""
    yield text
    for found in _MARK.finditer(text):
        yield text[: found.end()]
        yield text[found.start() :]


def parts(text: str) -> Iterator[str]:
    """A text in parts of at most PART characters, each broken at its last end of a line, if it has one."""
    while len(text) > PART:
        at = text.rfind("\n", 1, PART) + 1 or PART
        yield text[:at]
        text = text[at:]
    yield text


def texts_of(folder: Path, draw: random.Random | None = None) -> Iterator[str]:
    """The texts of a folder's files, of any kind of file that holds some: with `draw` the longer ones of a sample of files."""
    least = SHORTEST if draw else SHORTEST_NAME
    for path in some(sorted(path for path in folder.rglob("*") if path.is_file()), draw):
        if path.suffix in (".zip", ".xlsx"):
            with zipfile.ZipFile(path) as archive:
                for name in some(sorted(n for n in archive.namelist() if n.endswith((".xml", ".json"))), draw):
                    yield from texts_in(name, archive.read(name), least)
        elif path.suffix == ".gz":
            yield from texts_in(path.stem, gzip.decompress(path.read_bytes()), least)
        else:
            yield from texts_in(path.name, path.read_bytes(), least)


def some(held: list[Any], draw: random.Random | None) -> list[Any]:
    """A sample of FILES at most, or all."""
    return draw.sample(held, min(FILES, len(held))) if draw else held


def texts_in(name: str, content: bytes, least: int) -> Iterator[str]:
    """The strings of `least` characters or more in one file."""
    return (text for text in _texts_in(name.rsplit(".", 1)[-1].lower(), content) if len(text.strip()) >= least)


def _texts_in(ending: str, content: bytes) -> Iterator[str]:
    text = content.decode("utf-8", errors="replace")
    if ending == "json":
        yield from strings(json.loads(text))
    elif ending == "xml":
        parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
        root = etree.fromstring(content, parser)
        if root is not None:
            yield " ".join(part for part in root.itertext() if isinstance(part, str))
            yield from (part for part in root.itertext() if isinstance(part, str))
    elif ending in ("csv", "tsv"):
        csv.field_size_limit(10_000_000)
        for row in csv.reader(text.splitlines(keepends=True), delimiter="," if ending == "csv" else "\t"):
            yield from row
    elif ending == "textgrid":
        yield "\n".join(_SPOKEN.findall(text))
    elif ending == "obo":
        yield from (found[1] or found[2] for found in _QUOTED.finditer(text))
    elif ending not in ("pdf", "sif"):
        yield from re.split(r"\n{3,}", text)


def strings(value: Any) -> Iterator[str]:
    """Every string in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from strings(one)
