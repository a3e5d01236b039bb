"""The knowledge as a hospital's decisions leave it: a folder beside the shipped one, with the same files.

What was refused is gone, what was changed stands as it was changed, and rows of a chapter go with it; chapters of the hospital's own stand in
files of their own. Where nothing was changed or
refused the shipped folder itself is used.
"""

import difflib
import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from backend.knowledge.review.decisions import Decision, Verdict
from backend.knowledge.review.items import NONE, Kind, ReviewItem, review_items, row_cells
from backend.knowledge.review.own_chapters import own_chapters, own_files
from backend.knowledge.starter_check import SENTENCE_END
from backend.stores.swapped_folder import MARK, beside

FOLDER = "reviewed"
KIND = "reviewed knowledge"
_OF_CHAPTERS = frozenset({Kind.RED_FLAG, Kind.APPLICABILITY})
_VECTORS = "vectors"
_SAYS, _BEFORE_NEEDS = ("needs", "excludes", "reason"), 3
"""The cells of a row of applicability that say for whom, or why for everybody; where they begin."""


def reviewed_folder(
    shipped: Path, decisions: Mapping[str, Decision], place: Path, check: Callable[[Path], None] | None = None
) -> Path:
    """The folder to read the knowledge from, built anew where the decisions or the shipped files have changed.

    Args:
        shipped: the knowledge as it ships.
        decisions: those that count, by item.
        place: where the folder is put.
        check: asked about a folder that is built anew, before it takes the place of the last; its error leaves that one.
    """
    texts = changed_files(shipped, decisions)
    if not texts:
        return shipped
    target = place / FOLDER
    files = list(_files(shipped))
    state = _state(shipped, files, texts)
    mark = target / MARK
    if mark.is_file() and json.loads(mark.read_text(encoding="utf-8")).get("state") == state:
        return target
    with beside(target, KIND) as folder:
        for parent in {Path(name).parent for name in texts}:
            (folder / parent).mkdir(parents=True, exist_ok=True)
        for name in texts.keys() - {path.relative_to(shipped).as_posix() for path in files}:
            (folder / name).write_text(texts[name], encoding="utf-8")
        for path in files:
            name = path.relative_to(shipped).as_posix()
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            if name in texts:
                (folder / name).write_text(texts[name], encoding="utf-8")
            else:
                shutil.copyfile(path, folder / name)
        if check is not None:
            check(folder)
        (folder / MARK).write_text(json.dumps({"kind": KIND, "state": state}), encoding="utf-8")
    return target


def changed_files(shipped: Path, decisions: Mapping[str, Decision]) -> dict[str, str]:
    """The whole text of each file that decisions change, by its name below the folder; a decision whose item is gone changes nothing."""
    changing = {item: one for item, one in decisions.items() if one.verdict in (Verdict.CHANGED, Verdict.REFUSED)}
    own = own_chapters(decisions)
    if not changing:
        return own_files(shipped, own, {})
    items = review_items(shipped)
    hit = {item.id: item for item in items if item.id in changing}
    refused = {item.title.lower() for item in hit.values() if _goes(item, changing)}
    rewritten = {
        item.title.lower(): changing[item.id].text
        for item in hit.values()
        if item.kind is Kind.CHAPTER and not _goes(item, changing)
    }
    edits: dict[str, list[tuple[ReviewItem, str | None]]] = {}
    for item in items:
        if item.id in hit:
            edits.setdefault(item.file, []).append((item, None if _goes(item, changing) else changing[item.id].text))
        elif item.kind in _OF_CHAPTERS and _lost(item, refused, rewritten):
            edits.setdefault(item.file, []).append((item, None))
    texts = {name: _edited(shipped / name, of_file) for name, of_file in edits.items()}
    for name, rows in _for_everybody(items, rewritten).items():
        before = texts.get(name) or (shipped / name).read_text(encoding="utf-8")
        texts[name] = before.rstrip("\n") + "\n" + "".join(f"{row}\n" for row in rows)
    return texts | own_files(shipped, own, texts)


def difference(shipped: Path, decisions: Mapping[str, Decision]) -> str:
    """What the decisions change, as a unified diff against the shipped files; empty where they change nothing."""
    parts: list[str] = []
    for name, text in sorted(changed_files(shipped, decisions).items()):
        before = (shipped / name).read_text(encoding="utf-8") if (shipped / name).is_file() else ""
        place = f"assets/knowledge/{name}"
        parts += difflib.unified_diff(
            before.splitlines(keepends=True), text.splitlines(keepends=True), f"a/{place}", f"b/{place}"
        )
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in parts)


def _goes(item: ReviewItem, changing: Mapping[str, Decision]) -> bool:
    return changing[item.id].verdict is Verdict.REFUSED


def _lost(item: ReviewItem, refused: Iterable[str], rewritten: Mapping[str, str]) -> bool:
    """Whether a row belongs to a chapter that was refused, or speaks of a sentence that its changed chapter has no more."""
    cells = row_cells(item.text)
    chapter = cells[0].lower()
    if chapter in refused:
        return True
    sentence = item.cells.get("sentence", "")
    return chapter in rewritten and item.kind is Kind.APPLICABILITY and sentence not in rewritten[chapter]


def _for_everybody(items: Iterable[ReviewItem], rewritten: Mapping[str, str]) -> dict[str, list[str]]:
    """Rows by file for the new sentences of a changed chapter whose every sentence has one: a hospital's own sentence holds for everybody."""
    rows: dict[str, list[ReviewItem]] = {}
    for item in items:
        if item.kind is Kind.APPLICABILITY and (chapter := row_cells(item.text)[0].lower()) in rewritten:
            rows.setdefault(chapter, []).append(item)
    found: dict[str, list[str]] = {}
    for chapter, own in rows.items():
        if not any({item.cells.get(one, NONE) for one in _SAYS} == {NONE} for item in own):
            continue
        known, name = {item.cells["sentence"] for item in own}, row_cells(own[0].text)[0]
        title = ""
        for line in rewritten[chapter].splitlines():
            title = line.removeprefix("## ").strip() if line.startswith("## ") else title
            if title and not line.startswith("#"):
                new = [one for one in SENTENCE_END.split(line.strip()) if one and one not in known]
                nothing = "".join(f"\t{NONE}" for _ in own[0].head[_BEFORE_NEEDS:])
                found.setdefault(own[0].file, []).extend(f"{name}\t{title}\t{one}{nothing}" for one in new)
    return found


def _edited(path: Path, edits: Iterable[tuple[ReviewItem, str | None]]) -> str:
    lines = path.read_text(encoding="utf-8").split("\n")
    for item, text in sorted(edits, key=lambda edit: -edit[0].line):
        start = item.line - 1
        end = start + item.lines
        kept = [] if text is None else text.rstrip("\n").split("\n")
        last = end >= len(lines)
        if kept and item.kind is Kind.CHAPTER and not last:
            kept.append("")
        lines[start:end] = [*kept, ""] if last and item.kind is Kind.CHAPTER else kept
    return "\n".join(lines)


def _files(folder: Path) -> Iterator[Path]:
    """What the knowledge is read from; the vectors stay where they are."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.relative_to(folder).parts[0] != _VECTORS:
            yield path


def _state(shipped: Path, files: Iterable[Path], texts: Mapping[str, str]) -> str:
    digest = hashlib.sha256("".join(texts[name] for name in sorted(texts)).encode())
    for path in files:
        name = path.relative_to(shipped).as_posix()
        digest.update(name.encode() + b"\0" + (texts[name].encode() if name in texts else path.read_bytes()) + b"\0")
    return digest.hexdigest()
