"""Every file, folder, module and setting that a document names exists."""

import ast
import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

from backend.settings import Settings
from tests.shipping.instructions import ROOT

DOCUMENTS = tuple(
    path
    for path in (
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *sorted((ROOT / "docs").glob("*.md")),
        *sorted((ROOT / "assets").rglob("README.md")),
    )
    if path.exists()
)
TOP = "app|assets|backend|docs|models|tests"
PATH = re.compile(rf"(?<![\w/.:-])(?:{TOP})/[\w./*-]*[\w*/]")
MODULE = re.compile(r"(?<![\w/.-])(?:app|backend|models|tests)(?:\.[A-Za-z_]\w*)+")
SETTING = re.compile(r"(?<![\w:])LEAPNOTE_[A-Z0-9_]*[A-Z0-9]\b")
PICTURE = "docs/screenshot.png"  # made when a version is cut
NO_SETTING = "LEAPNOTE_TEST_"  # what the tests alone read
ADDRESS = re.compile(r"https?://\S+")


def named_paths(text: str) -> set[str]:
    """The paths below the top-level folders that a text names, without addresses of the web."""
    return {found.rstrip(".") for found in PATH.findall(ADDRESS.sub(" ", text))}


def named_modules(text: str) -> set[str]:
    """The dotted names below the packages that a text names."""
    return {name for name in MODULE.findall(ADDRESS.sub(" ", text)) if not name.endswith(".md")}


def exists(path: str) -> bool:
    """Whether a path is in the repository; `*` stands for any name of one folder or more."""
    if "*" in path:
        parent = ROOT / path.partition("*")[0].rpartition("/")[0]
        return parent.is_dir() and any(fnmatch(str(one.relative_to(ROOT)), path) for one in parent.rglob("*"))
    return (ROOT / path).exists()


def module_exists(name: str) -> bool:
    """Whether a dotted name is a package, a module, or something that a module or package defines."""
    place = ROOT
    parts = name.split(".")
    for i, part in enumerate(parts):
        if (place / part).is_dir():
            place /= part
        elif (place / f"{part}.py").is_file():
            rest = parts[i + 1 :]
            return not rest or rest[0] in defined(place / f"{part}.py")
        else:
            return (place / "__init__.py").is_file() and part in defined(place / "__init__.py")
    return True


def defined(module: Path) -> set[str]:
    """The names that a module binds at its top."""
    found: set[str] = set()
    for node in ast.parse(module.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign | ast.Assign):
            targets = [node.target] if isinstance(node, ast.AnnAssign) else node.targets
            found |= {one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)}
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {alias.asname or alias.name for alias in node.names}
    return found


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_path_in_a_document_exists(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    assert not sorted(path for path in named_paths(text) - {PICTURE} if not exists(path))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_module_in_a_document_exists(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    assert not sorted(name for name in named_modules(text) if not module_exists(name))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_setting_in_a_document_exists(document: Path) -> None:
    known = {f"LEAPNOTE_{name.upper()}" for name in Settings.model_fields}
    named = {name for name in SETTING.findall(document.read_text(encoding="utf-8")) if not name.startswith(NO_SETTING)}
    assert not sorted(named - known)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_part_of_a_document_that_is_linked_exists(document: Path) -> None:
    wrong = []
    for target, part in re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", document.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        page = document.parent / target if target else document
        if not page.exists() or part not in headings(page):
            wrong.append(f"{target}#{part}")
    assert not wrong


def test_every_document_that_the_program_names_exists() -> None:
    """In comments, messages, rules and settings."""
    files = [ROOT / "Makefile", ROOT / ".env.example", ROOT / "compose.yaml", *ROOT.glob("requirements*.txt")]
    for folder, endings in (
        ("app", "py"),
        ("backend", "py"),
        ("models", "py"),
        ("assets/rules", "t*"),
        ("tests", "py"),
    ):
        files += (ROOT / folder).rglob(f"*.{endings}")
    named = {
        (name, file.relative_to(ROOT).as_posix())
        for file in files
        if file.is_file() and file != Path(__file__)
        for name in re.findall(r"\bdocs/\w+\.md\b", file.read_text(encoding="utf-8"))
    }
    assert not sorted((name, file) for name, file in named if not (ROOT / name).exists())


def headings(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    lines = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^#+ (.+)$", lines, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_a_path_that_does_not_exist_is_found() -> None:
    text = "See `backend/nlp`, backend/nothing/here.py and https://x.org/docs/none.md; `assets/rules/*.tsv`, `assets/none/*.tsv`."
    assert sorted(path for path in named_paths(text) if not exists(path)) == [
        "assets/none/*.tsv",
        "backend/nothing/here.py",
    ]


def test_a_module_that_does_not_exist_is_found() -> None:
    text = "`backend.registry.planner` and `backend.nothing`; `python -m tests.diagnosis.condition_notes`; backend.registry.none"
    assert sorted(n for n in named_modules(text) if not module_exists(n)) == [
        "backend.nothing",
        "backend.registry.none",
    ]
