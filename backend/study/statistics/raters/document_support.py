"""'Do the documents support the answer', yes or no: a method's verdicts against people's (Omni-RAG, Table 9 and A.2).

A person's verdict is the reference, yes is the positive class. All four figures are 0 to 1, higher is better.
"""

from collections.abc import Sequence

import numpy as np

from backend.schemas.studies.estimates import Estimate
from backend.schemas.studies.study_analysis import SupportScores
from backend.study.statistics.intervals import Sampling, bootstrap, undefined, wilson
from backend.study.statistics.rating_arrays import Array
from backend.study.statistics.rating_data import Support


def support_scores(method: str, rows: Sequence[Support], sampling: Sampling) -> SupportScores:
    """Shares have Wilson's interval where every verdict stands alone, else the bootstrap over clusters; F1 always the
    bootstrap. rows: those of this method."""
    said = np.array([row.verdict for row in rows], dtype=bool)
    true = np.array([row.human for row in rows], dtype=bool)
    number = {cluster: n for n, cluster in enumerate(dict.fromkeys(row.cluster for row in rows))}
    clusters = np.array([number[row.cluster] for row in rows], dtype=np.int64)

    def share(hits: Array, of: Array, reason: str) -> Estimate:
        if not of.any():
            return undefined(reason)
        if len(number) == len(rows):
            return wilson(int((hits & of).sum()), int(of.sum()))
        return bootstrap(
            lambda drawn: float((hits & of)[drawn].sum() / of[drawn].sum()) if of[drawn].any() else None,
            clusters,
            sampling,
        )

    def f1(drawn: Array) -> float | None:
        both = int((said[drawn] & true[drawn]).sum())
        either = int(said[drawn].sum() + true[drawn].sum())
        return 2 * both / either if either else None

    either = bool(len(rows)) and bool((said | true).any())
    return SupportScores(
        method=method,
        judged=len(rows),
        accuracy=share(said == true, np.ones(len(rows), dtype=bool), "nothing was judged"),
        precision=share(true, said, "the method never said yes"),
        recall=share(said, true, "no person said yes"),
        f1=bootstrap(f1, clusters, sampling) if either else undefined("neither the method nor a person said yes"),
    )
