"""Settings, routes, systems and commands stand in the documents that promise to list them."""

import re

from backend.__main__ import main
from backend.bench.rows import ROWS
from backend.settings import Settings
from backend.systems import SYSTEMS
from tests.shipping.instructions import ROOT


def _example() -> dict[str, tuple[str, str]]:
    """Name to (comment above it, value) of .env.example."""
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    return {name: (about, value) for about, name, value in re.findall(r"# (.+)\n# (LEAPNOTE_\w+)=(.*)\n", text)}


def test_the_example_lists_exactly_the_settings_there_are() -> None:
    assert set(_example()) == {f"LEAPNOTE_{name.upper()}" for name in Settings.model_fields}


def test_the_example_uses_the_words_of_the_settings() -> None:
    for name, field in Settings.model_fields.items():
        about, _ = _example()[f"LEAPNOTE_{name.upper()}"]
        assert about.startswith(str(field.description)), name


def test_the_example_shows_each_plain_default() -> None:
    for name, field in Settings.model_fields.items():
        if isinstance(field.default, str | int | float):
            shown = _example()[f"LEAPNOTE_{name.upper()}"][1]
            assert type(field.default)(shown) == field.default, name


def test_every_route_is_in_the_api_document() -> None:
    from backend.api.app import create_app

    told = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    missing = [
        f"{method.upper()} {path}"
        for path, methods in create_app(Settings()).openapi()["paths"].items()
        for method in methods
        if f"`{method.upper()} {path}`" not in told
    ]
    assert not missing


def test_every_package_is_in_the_architecture() -> None:
    told = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    packages = [path.parent.name for path in (ROOT / "backend").glob("*/__init__.py")]
    assert not [name for name in packages if f"backend/{name}" not in told]


def test_every_system_is_in_the_readme_and_the_papers() -> None:
    for document in ("README.md", "docs/papers.md"):
        told = (ROOT / document).read_text(encoding="utf-8")
        assert not [entry.name for entry in SYSTEMS if f"`{entry.name}`" not in told], document


def test_every_benchmark_has_its_target_in_the_architecture() -> None:
    document = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert not [entry.name for entry in ROWS if f"`{entry.name}`" not in document]


def test_the_readme_names_only_commands_there_are(capsys: object) -> None:
    told = (ROOT / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"python -m backend ([a-z]+)", told))
    assert named
    for command in sorted(named):
        try:
            main([command, "--help"])
        except SystemExit as ended:
            assert ended.code == 0, command


def test_every_file_a_document_links_to_exists() -> None:
    for document in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
            if target.endswith("screenshot.png"):
                continue  # made when a version is cut
            assert (document.parent / target).exists(), f"{document.name}: {target}"
