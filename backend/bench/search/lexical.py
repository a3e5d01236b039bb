"""bm25: top 32 over 200,000 synthetic passages of 60 words; peer rank_bm25 on the same tokens."""

import sys
import time

from backend.bench.measuring import Measured, rss_mb, timed
from backend.bench.notes.synthetic_texts import passages, queries
from backend.bench.peers import run_peer
from backend.stores.passages.bm25 import K1, B, Bm25Index

PASSAGES, QUERIES, WARM = 200_000, 300, 20
PEER_QUERIES = 10
TOP = 32


def bm25(peer_python: str | None) -> Measured:
    """Queries of eight words of one passage each. rank_bm25 is among the requirements of development: peer_python is not asked."""
    texts = list(passages(PASSAGES))
    asked = queries(texts, QUERIES + WARM)
    start = time.perf_counter()
    index = Bm25Index(texts)
    built = time.perf_counter() - start
    timed(lambda query: index.search(query, TOP), asked[:WARM])
    times = timed(lambda query: index.search(query, TOP), asked[WARM:])
    memory = rss_mb()
    codes: dict[str, int] = {}
    coded = [[codes.setdefault(word, len(codes)) for word in text.split()] for text in texts]
    task = {
        "words": list(codes),
        "texts": coded,
        "queries": [[codes[word] for word in query.split()] for query in asked[WARM : WARM + PEER_QUERIES]],
        "k": TOP,
        "k1": K1,
        "b": B,
    }
    peer, reason = run_peer("rank_bm25", sys.executable, "search/rank_bm25_search.py", task)
    return Measured(
        times_ms=times.wall,
        cpu_ms=times.cpu,
        rss_mb=memory,
        build_s=round(built, 1),
        about=f"one query of 8 words, top {TOP} of {PASSAGES:,} synthetic passages of 60 words; the texts are held too",
        peer=peer,
        peer_reason=reason,
    )
