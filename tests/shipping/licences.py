"""The licences of what the project requires, from the metadata of what is installed.

`python -m tests.shipping.licences` prints the table of CONTRIBUTING.md.
"""

import re
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.shipping.instructions import ROOT

HEAD = 100  # characters of a License field that name it; some hold the whole text
KNOWN = (
    ("Apache-2.0", r"Apache"),
    ("MIT", r"\bMIT\b"),
    ("BSD", r"BSD"),
    ("PSF", r"PSF|Python Software Foundation|Python-2\.0"),
    ("ISC", r"\bISC\b"),
    ("MPL", r"\bMPL\b|Mozilla Public License"),
    ("LGPL", r"LGPL|Lesser General Public"),
    ("GPL", r"(?<![AL])GPL|AGPL|(?<!Lesser )General Public License"),
)
COPYLEFT = {"GPL", "LGPL"}


def required(file: str) -> list[str]:
    """The packages that a requirements file names, without extras and without the files it includes."""
    lines = (line.split("#")[0].strip() for line in (ROOT / file).read_text(encoding="utf-8").splitlines())
    return [Requirement(line).name for line in lines if line and not line.startswith("-r")]


def spelt(name: str) -> str:
    """A package's name in the one spelling by which an index finds it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def requirement_files() -> list[str]:
    """The names of all requirements files."""
    return sorted(path.name for path in ROOT.glob("requirements*.txt"))


def licences(declared: str) -> frozenset[str]:
    """The licences that a text from a package's metadata names, in the words of KNOWN."""
    return frozenset(name for name, pattern in KNOWN if re.search(pattern, declared))


def declared(package: Distribution) -> str:
    """What a package's metadata says of its licence."""
    about = package.metadata
    classifiers = [c for c in about.get_all("Classifier") or [] if c.startswith("License ::")]
    named = "; ".join([about.get("License-Expression") or "", (about.get("License") or "")[:HEAD], *classifiers])
    return named if licences(named) else "; ".join([named, *_heads(package)])


def _heads(package: Distribution) -> Iterator[str]:
    """How the licence files that a package brings begin."""
    for name in package.metadata.get_all("License-File") or []:
        yield (package.read_text(f"licenses/{name}") or "")[:HEAD]


def installed(names: list[str]) -> Iterator[Distribution]:
    """Those of the packages that are installed here."""
    for name in names:
        try:
            yield distribution(name)
        except PackageNotFoundError:
            continue


def closure(names: list[str]) -> dict[str, Distribution]:
    """The installed packages of these names and all that they bring, by canonical name."""
    found: dict[str, Distribution] = {}
    waiting = list(names)
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name in found:
            continue
        for package in installed([name]):
            found[name] = package
            wanted = map(Requirement, package.requires or [])
            waiting += [one.name for one in wanted if one.marker is None or one.marker.evaluate({"extra": ""})]
    return found


def row_of(package: Distribution) -> str:
    """The row of the table that a package belongs to."""
    named = licences(declared(package))
    return " and ".join(name for name, _ in KNOWN if name in named) or "unknown"


def table() -> str:
    """The required packages by licence, as Markdown."""
    rows: dict[str, list[str]] = {}
    for file in requirement_files():
        for package in installed(required(file)):
            names = rows.setdefault(row_of(package), [])
            if package.name not in names:
                names.append(package.name)
    body = [f"| {licence} | {', '.join(sorted(names, key=str.lower))} |" for licence, names in sorted(rows.items())]
    return "\n".join(["| licence | packages |", "|---|---|", *body])


if __name__ == "__main__":
    print(table())
