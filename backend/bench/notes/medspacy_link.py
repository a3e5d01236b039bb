"""medspaCy on the same notes: its section, target and context components over the same names. Reads and prints JSON.

Stands alone: it runs under an interpreter that has medspaCy, which need not have Leapnote's packages. Exit status 3:
medspaCy is not installed.
"""

import json
import os
import sys
import time
from pathlib import Path


def main() -> int:
    """Read notes and names from standard input, link, print figures; exit status 3 where medspaCy is not installed."""
    try:
        import logging

        logging.disable(logging.CRITICAL)
        import medspacy
        from medspacy.ner import TargetRule
    except ImportError:
        return 3
    import warnings
    from importlib.metadata import version

    warnings.simplefilter("ignore")
    task = json.load(sys.stdin)
    start = time.perf_counter()
    nlp = medspacy.load(
        enable=["medspacy_pyrush", "medspacy_target_matcher", "medspacy_context", "medspacy_sectionizer"]
    )
    matcher = nlp.get_pipe("medspacy_target_matcher")
    matcher.add([TargetRule(name, category) for name, category in task["names"]])
    built = time.perf_counter() - start
    for note in task["warm"]:
        nlp(note)
    times = []
    for note in task["notes"]:
        start = time.perf_counter()
        nlp(note)
        times.append((time.perf_counter() - start) * 1000)
    rss = int(Path(f"/proc/{os.getpid()}/statm").read_text().split()[1]) * 4096 / 2**20
    name = f"medspaCy {version('medspacy')}"
    print(json.dumps({"name": name, "times_ms": times, "build_s": built, "rss_mb": round(rss, 1)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
