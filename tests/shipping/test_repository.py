"""What must and must not stand in the repository's files."""

import re
import subprocess

import pytest

from tests.shipping.instructions import ROOT

TEXT = {".py", ".md", ".toml", ".txt", ".yaml", ".yml", ".tsv", ".json", ".js", ".css", ".html", ".example", ""}
# written in pieces, so that this file does not hold what it looks for
HOSTS = re.compile(
    "|".join(
        (
            "pypi" + r"\.org",
            "python" + "hosted",
            "download" + r"\.pytorch",
            "npm" + r"js\.",
            "gh" + r"cr\.io",
            "any" + r"aconda\.",
        )
    )
)
PLACES = re.compile(r"(?<![\w./])/" + r"(?:work|home/\w+|Users/\w+|root|mnt)/")


def _files() -> dict[str, str]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    names = (
        listed.stdout.split("\n")
        if listed.returncode == 0
        else [str(p.relative_to(ROOT)) for p in ROOT.rglob("*") if ".venv" not in p.parts]
    )
    paths = [ROOT / name for name in names if name and (ROOT / name).is_file() and (ROOT / name).suffix in TEXT]
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8", errors="ignore") for path in paths}


def test_no_file_names_a_package_registry_or_a_place_on_one_machine() -> None:
    files = _files()
    assert "README.md" in list(files)
    found = [
        f"{name}: {hit[0]}" for name, text in files.items() for hit in (HOSTS.search(text), PLACES.search(text)) if hit
    ]
    assert not found


def test_every_requirement_is_pinned_and_says_why() -> None:
    for name in ("requirements.txt", "requirements-dev.txt"):
        for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
            if line and not line.startswith(("#", "-r ")):
                pinned = re.fullmatch(r"[\w.\-\[\]]+==[\w.]+( +# \w.+)?", line)
                assert pinned, f"{name}: {line}"
                assert pinned[1] or name == "requirements-dev.txt", f"{name}: {line} gives no reason"


def test_the_example_settings_are_no_secret() -> None:
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert all(line.startswith("#") or not line.strip() for line in text.splitlines())


def test_the_changelog_has_this_version() -> None:
    from backend import __version__

    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("library", "folder"), [("neo4j", "stores/neo4j"), ("chromadb", "stores/passages")])
def test_a_store_s_library_is_imported_by_its_store_alone(library: str, folder: str) -> None:
    imports = re.compile(rf"^\s*(?:import|from) {library}\b", re.MULTILINE)
    code = [path for part in ("backend", "app", "models") for path in (ROOT / part).rglob("*.py")]
    users = [path for path in code if imports.search(path.read_text(encoding="utf-8"))]
    assert users and [path for path in users if not path.is_relative_to(ROOT / "backend" / folder)] == []
