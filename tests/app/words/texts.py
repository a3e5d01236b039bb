"""Every text of the page that is marked for the catalogue, with the file it stands in, read from the code."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from backend.generation.model.translation import LEFT_OPEN, MISSING, OTHER_NUMBERS, STILL_ENGLISH, TOO_LONG
from backend.knowledge.handbook import LICENCE, UNREVIEWED
from backend.schemas.drafts.gaps import AT_HOME, HOW_MUCH, OF_STAY, OF_THESE, WHETHER
from backend.schemas.patients.letter_work import FLAG_ANSWERS
from backend.schemas.vocabulary import GROUP_NAMES
from backend.settings import ROOT, Settings
from models.llm.engines import Role

APP, CASES = ROOT / "app", ROOT / "assets" / "cases"
COMPOSER, RELATIONS = ROOT / "backend" / "generation" / "composer", ROOT / "assets" / "knowledge" / "relations.tsv"
GAP = re.compile(r'_gap\([\w.]+, "([^"]+)"[,)]')
COMPONENTS = APP / "components"
WORDS_JS = (COMPONENTS / "workspace" / "core" / "words.js", COMPONENTS / "rate_form" / "words.js")
MARKS = ("_", "later", "plural")
NAMED_BY_THE_PAGE = frozenset(("isa", "inverse isa", "finding of", "has finding"))
HANDBOOK_PARTS = ("What it is", "How it shows", "Tests", "Treatment", "Medicines", "Diet", "Activity", "Precautions", "Warning signs", "Follow-up")  # fmt: skip


class Text(NamedTuple):
    """A text, its plural where it has one, and the file below `app/`."""

    words: str
    many: str
    file: str


def marked() -> list[Text]:
    """What Python marks by `_`, `later` or `plural`, and every text of a component's W."""
    found = [text for path in sorted(APP.rglob("*.py")) for text in _of_python(path)]
    return found + [text for path in WORDS_JS for text in component_texts(path)] + list(given())


def given() -> Iterator[Text]:
    """What the API says in set phrases that a page draws as its own: answers, settings, names of groups, samples, file formats."""
    cases = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(CASES.glob("*.json"))]
    said = {
        "backend/schemas": [*(one.label for one in FLAG_ANSWERS), *GROUP_NAMES.values(), "Text"],
        "backend/translation": [LEFT_OPEN, MISSING, OTHER_NUMBERS, STILL_ENGLISH, TOO_LONG],
        "backend/generation": [
            *(prompt for path in sorted(COMPOSER.glob("*.py")) for prompt in GAP.findall(path.read_text("utf-8"))),
            *(WHETHER, HOW_MUCH, AT_HOME, OF_THESE, OF_STAY),
        ],
        "backend/knowledge": [*HANDBOOK_PARTS, LICENCE.format(review=UNREVIEWED)],
        "assets/knowledge": [words for words in _relations() if words not in NAMED_BY_THE_PAGE],
        "assets/cases": [words for case in cases for words in (case["label"], case["about"])],
        "backend/settings": [str(field.description) for field in Settings.model_fields.values()],
        "models/settings": [role.value for role in Role],
    }
    for file, texts in said.items():
        yield from (Text(words, "", file) for words in texts)


def _relations() -> Iterator[str]:
    """Each relation and its inverse as the page reads its name."""
    for line in RELATIONS.read_text("utf-8").splitlines()[1:]:
        if line and not line.startswith("#"):
            yield from (name.replace("_", " ") for name in dict.fromkeys(line.split("\t")[:2]))


def component_texts(path: Path) -> list[Text]:
    """The texts of a component's object W: every literal that is no name of a field."""
    source = path.read_text(encoding="utf-8")
    body = source[source.index("const W = {") : source.index("\n};")]
    found = re.findall(r'"((?:[^"\\]|\\.)*)"(\s*:)?', body)
    return [
        Text(text.replace("\\n", "\n").replace('\\"', '"'), "", path.relative_to(APP).as_posix())
        for text, names_a_field in found
        if text and not names_a_field
    ]


def _of_python(path: Path) -> Iterator[Text]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKS and node.args:
            literals = [one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            if literals:
                many = literals[1] if node.func.id == "plural" else ""
                yield Text(literals[0], many, path.relative_to(APP).as_posix())
