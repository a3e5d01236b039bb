"""rank_bm25 on the same passages and queries, already tokenised. Reads and prints JSON. Exit status 3: not installed."""

import json
import os
import sys
import time
from pathlib import Path


def main() -> int:
    """Read passages and queries from standard input, search, print figures; exit status 3 where rank_bm25 is not installed."""
    try:
        import numpy as np
        from rank_bm25 import BM25Okapi
    except ImportError:
        return 3
    from importlib.metadata import version

    task = json.load(sys.stdin)
    words = task["words"]
    texts = [[words[i] for i in ids] for ids in task["texts"]]
    start = time.perf_counter()
    index = BM25Okapi(texts, k1=task["k1"], b=task["b"])
    built = time.perf_counter() - start
    times = []
    for query in task["queries"]:
        start = time.perf_counter()
        scores = index.get_scores([words[i] for i in query])
        best = np.argpartition(-scores, task["k"])[: task["k"]]
        best[np.argsort(-scores[best])]
        times.append((time.perf_counter() - start) * 1000)
    rss = int(Path(f"/proc/{os.getpid()}/statm").read_text().split()[1]) * 4096 / 2**20
    name = f"rank_bm25 {version('rank_bm25')}"
    print(json.dumps({"name": name, "times_ms": times, "build_s": built, "rss_mb": round(rss, 1)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
