"""Where a collection is built, and how it takes its place.

It is built in `.<name>.building` beside its folder, which outlives a kill so that the work goes on there. A `meta.json` in it
says that it is whole; from then on it takes the place of the old folder, by renames that a kill cannot leave half done:
`mend` finishes them.
"""

import shutil
from pathlib import Path

from backend.stores.swapped_folder import MARK, make_durable, sync


def building(folder: Path) -> Path:
    """The folder beside, in which the collection of `folder` is built."""
    return folder.parent / f".{folder.name}.building"


def finish(folder: Path) -> None:
    """Put the finished building in the place of `folder`. The building must have its `meta.json`, written last."""
    work, old = building(folder), _old(folder)
    make_durable(work)
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    work.rename(folder)
    sync(folder.parent)
    shutil.rmtree(old, ignore_errors=True)


def mend(folder: Path) -> None:
    """Finish or undo what a killed program left: afterwards `folder` is the old or the new collection, or absent.

    A building without `meta.json` stays as it is: an import of the same goes on in it.
    """
    old = _old(folder)
    if (building(folder) / MARK).is_file():
        finish(folder)
    elif old.exists() and not folder.exists():
        old.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def mend_all(sources: Path) -> None:
    """`mend` for every collection under the folder of sources."""
    for left in sorted([*sources.glob("*/.*.building"), *sources.glob("*/.*.old")]):
        mend(left.parent / left.name[1:].rsplit(".", 1)[0])


def discard(folder: Path) -> None:
    """Remove the collection and what was being built for it."""
    for left in (building(folder), building(folder).with_name(f"{building(folder).name}-kept"), _old(folder)):
        shutil.rmtree(left, ignore_errors=True)
    if folder.exists():
        folder.rename(_old(folder))  # gone under its name at once, however long removing its files takes
        shutil.rmtree(_old(folder), ignore_errors=True)


def _old(folder: Path) -> Path:
    return folder.parent / f".{folder.name}.old"
