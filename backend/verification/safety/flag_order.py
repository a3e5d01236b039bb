"""The order in which flags are shown, and which warnings are folded: the severest first, a medicine's together, at most five warnings open.

A severe flag is never folded, and nothing is left out.
"""

from collections.abc import Iterable

from backend.schemas.drafts.draft import Flag
from backend.schemas.vocabulary import Severity

OPEN_WARNINGS = 5
"""Warnings that stand open at most."""


def in_order(flags: Iterable[Flag]) -> tuple[Flag, ...]:
    """All flags: severe ones, then warnings with those of one medicine together, then information; warnings beyond the fifth are folded.

    Within a severity flags keep their order but for those of a medicine, which follow its first.
    """
    order = list(Severity)
    given = list(flags)
    first: dict[tuple[Severity, str], int] = {}
    for place, flag in enumerate(given):
        first.setdefault((flag.severity, flag.medicine or f"#{place}"), place)
    placed = sorted(
        enumerate(given),
        key=lambda pair: (
            order.index(pair[1].severity),
            first[pair[1].severity, pair[1].medicine or f"#{pair[0]}"],
            pair[0],
        ),
    )
    out: list[Flag] = []
    warnings = 0
    for _, flag in placed:
        warnings += flag.severity is Severity.WARNING
        folded = flag.severity is Severity.WARNING and warnings > OPEN_WARNINGS
        out.append(flag if flag.folded is folded else flag.model_copy(update={"folded": folded}))
    return tuple(out)
