"""The project's own licence, and that nothing it requires forbids it."""

import re
import tomllib

import pytest

from tests.shipping.instructions import ROOT
from tests.shipping.licences import (
    COPYLEFT,
    closure,
    declared,
    installed,
    licences,
    required,
    requirement_files,
    row_of,
    spelt,
)

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_the_project_states_one_licence_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert (project["license"], project["license-files"]) == ("Apache-2.0", ["LICENSE"])
    assert "Apache License" in text and "Version 2.0, January 2004" in text
    assert "END OF TERMS AND CONDITIONS" in text
    assert "Copyright 2026 The Leapnote authors" in text
    assert "[Apache-2.0](LICENSE)" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("file", requirement_files())
def test_no_requirement_is_under_the_gpl_or_the_lgpl(file: str) -> None:
    names = required(file)
    assert names
    found = {package.name: licences(declared(package)) & COPYLEFT for package in installed(names)}
    assert not {name: kinds for name, kinds in found.items() if kinds}


def test_what_requirements_bring_is_under_a_known_licence_and_under_copyleft_only_by_choice() -> None:
    brought = closure([name for file in requirement_files() for name in required(file)])
    assert len(brought) > 100
    named = {name: licences(declared(package)) for name, package in brought.items()}
    assert not [name for name, kinds in named.items() if not kinds]
    for name, kinds in named.items():
        if kinds & COPYLEFT:
            assert kinds - COPYLEFT, f"{name} is under {kinds} alone"
            assert f"`{name}`" in CONTRIBUTING, f"CONTRIBUTING.md does not say under which licence {name} is taken"


def test_the_table_of_licences_has_each_installed_requirement_in_its_row() -> None:
    table = CONTRIBUTING.split("<!-- licences -->")[1].split("<!-- /licences -->")[0]
    rows = dict(re.findall(r"^\| ([\w. -]+?) \| (.+) \|$", table, re.MULTILINE))
    packages = [package for file in requirement_files() for package in installed(required(file))]
    optional = CONTRIBUTING.split("\nOptional")[1].split("\n\n")[0]  # installed on some machines, named below the table
    wrong = {
        p.name: row_of(p)
        for p in packages
        if p.name not in rows.get(row_of(p), "").split(", ") and p.name not in optional
    }
    assert not wrong, "print the table with: python -m tests.shipping.licences"
    asked = {spelt(name) for file in requirement_files() for name in required(file)}
    listed = [name for row, names in rows.items() if row != "licence" for name in names.split(", ")]
    assert [name for name in listed if spelt(name) not in asked] == [], "nobody requires these any more"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("GPL-3.0-or-later", {"GPL"}),
        ("LGPL-2.1", {"LGPL"}),
        ("AGPL-3.0", {"GPL"}),
        ("License :: OSI Approved :: GNU General Public License v3 (GPLv3)", {"GPL"}),
        ("License :: OSI Approved :: GNU Lesser General Public License v3", {"LGPL"}),
        ("Apache-2.0 OR BSD-2-Clause", {"Apache-2.0", "BSD"}),
        ("no licence at all", set()),
    ],
)
def test_a_licence_is_found_in_what_metadata_say(text: str, named: set[str]) -> None:
    assert licences(text) == named
