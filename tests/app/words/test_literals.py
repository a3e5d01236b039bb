"""No text that the page draws is outside the catalogue: every literal that a drawing call is given passes through `_` or `plural`.

What a study wrote and what the API says is drawn as it comes.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.app.words.texts import APP, MARKS

DRAWS = frozenset(
    [
        "title",
        "header",
        "subheader",
        "markdown",
        "caption",
        "info",
        "warning",
        "error",
        "success",
        "button",
        "form_submit_button",
        "download_button",
        "text_input",
        "text_area",
        "number_input",
        "selectbox",
        "multiselect",
        "radio",
        "checkbox",
        "toggle",
        "pills",
        "segmented_control",
        "slider",
        "file_uploader",
        "expander",
        "popover",
        "tabs",
        "metric",
        "toast",
        "page_link",
        "link_button",
        "progress",
        "spinner",
        "draw_refused",
        "draw_words",
        "draw_table",
    ]
)
SHOWN = frozenset(("label", "placeholder", "help", "text", "alt"))
WORDS = re.compile(r"[A-Za-z]{3,}")
STYLE = re.compile(
    r"\s*<style|:material/\w+:\s*$|Leapnote$|screens/\w+/\w+\.py$|vllm:|theirs\nours$|Python , $|\s*sha256| UTC: "
)
"""Not words: styles, icons, names, paths, and what an engineer types as it stands."""


def drawn(path: Path) -> Iterator[str]:
    """Each literal in words that a call of DRAWS is given and that no mark holds, with its line."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or _name(call) not in DRAWS:
            continue
        given = [*call.args[:2], *(one.value for one in call.keywords if one.arg in SHOWN)]
        for value in given:
            for text in _outside(value):
                if WORDS.search(text) and not STYLE.match(text) and not re.fullmatch(r"[a-z]+[a-z0-9_-]*", text):
                    yield f"{path.relative_to(APP).as_posix()}:{call.lineno}: {text[:60]}"


def _outside(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Call):
        if _name(node) in MARKS:
            return
        for one in node.args:  # of a call inside, what it is given to format or escape
            yield from _outside(one)
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(one.value for one in node.values if isinstance(one, ast.Constant))
    elif isinstance(node, ast.BinOp | ast.IfExp | ast.BoolOp | ast.List | ast.Tuple):
        for child in ast.iter_child_nodes(node):
            yield from _outside(child)


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def test_the_search_finds_what_it_must_and_spares_what_it_may() -> None:
    calls = 'st.title("Not marked")\nst.title(_("Marked"))\nst.button(f"{n} items left")\nst.markdown("<style>x</style>")\nst.write(x)'
    found = [text for node in ast.walk(ast.parse(calls)) if isinstance(node, ast.Call) and _name(node) in DRAWS
             for text in _outside(node.args[0])]  # fmt: skip
    assert found == ["Not marked", " items left", "<style>x</style>"] and STYLE.match(found[2])


def test_no_drawing_call_is_given_a_text_outside_the_catalogue() -> None:
    files = sorted(APP.rglob("*.py"))
    assert len(files) > 60
    assert [line for path in files for line in drawn(path)] == []
