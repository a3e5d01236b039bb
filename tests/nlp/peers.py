"""What medspaCy, negspaCy and a plain rule read in the held-out rounds: `PYTHON tests/nlp/peers.py [round …]`.

`PYTHON tests/nlp/peers.py --public FILE [odd|even]`: what they read in the public corpus of public.py, and how fast.

Stands alone: it runs under an interpreter that has spaCy, medspaCy and negspaCy (PyRuSH comes with medspaCy), which need not have
Leapnote's packages. The peers get the spans as they are marked; so only their reading of the words around is measured. Of several
assertions medspaCy gives a phrase the first of ORDER counts, as it does with ours.
"""

import logging
import re
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
PASSAGES = str(HERE.parents[1] / "assets" / "rules" / "allergies" / "passages.tsv")
MARK = re.compile(r"\{([nhfyup]):([^}]*)\}")
ORDER = (
    ("is_family", "f"), ("is_hypothetical", "y"), ("is_negated", "n"), ("is_historical", "h"), ("is_uncertain", "u"),
)  # fmt: skip
NONE_KNOWN = re.compile(r"\b(no|none|nil|nk[da]+|denie[sd]|negative|not)\b", re.I)
UNREADABLE = re.compile(r"\b(unknown|unobtainable|unable|see|unk|not (?:obtain|on file|available))", re.I)


class Passage(NamedTuple):
    """One passage without its marks, and its spans: first character, the one after the last, label."""

    text: str
    spans: tuple[tuple[int, int, str], ...]


def passages(rounds: tuple[str, ...]) -> Iterator[Passage]:
    for _, _, marked in rows("fresh_assertions.tsv", rounds, 3):
        text, spans, at = "", [], 0
        marked = marked.replace("\\n", "\n")
        for mark in MARK.finditer(marked):
            text += marked[at : mark.start()]
            spans.append((len(text), len(text) + len(mark[2]), mark[1]))
            text, at = text + mark[2], mark.end()
        yield Passage(text + marked[at:], tuple(spans))


def rows(name: str, rounds: tuple[str, ...], cells: int) -> Iterator[list[str]]:
    lines = [line for line in (HERE / name).read_text("utf-8").splitlines() if line and not line.startswith("#")]
    for line in lines[1:]:
        parts = line.split("\t", cells - 1)
        if not rounds or parts[0] in rounds:
            yield parts


def reader(pipes: tuple[str, ...], negex: bool = False, every: bool = False) -> Callable[[Passage], list[str]]:
    """pipes: medspaCy's parts that follow its sentence splitter; negex: negspaCy's clinical cues instead of them.

    every: all the labels that a peer gives a phrase, in ORDER ("nh"), rather than the first.
    """
    import medspacy
    from loguru import logger
    from spacy.util import filter_spans

    logger.disable("PyRuSH")
    nlp = medspacy.load(enable=["medspacy_tokenizer", "medspacy_pyrush"])
    for pipe in set(nlp.pipe_names) - {"medspacy_pyrush"}:
        nlp.remove_pipe(pipe)  # load() adds its defaults to what is asked for
    if negex:
        import negspacy.negation  # noqa: F401 (registers "negex")

        nlp.add_pipe("negex")
    for pipe in pipes:
        nlp.add_pipe(pipe)

    def read(passage: Passage) -> list[str]:
        doc = nlp.make_doc(passage.text)
        spans = [doc.char_span(a, b, label="FINDING", alignment_mode="expand") for a, b, _ in passage.spans]
        for name, pipe in nlp.pipeline:
            doc = pipe(doc)
            if name == "medspacy_pyrush":
                doc.ents = filter_spans(spans)  # two phrases in one token ("N/V") are one entity
        ents = [next(ent for ent in doc.ents if ent.start < span.end and span.start < ent.end) for span in spans]
        if negex:
            return ["n" if ent._.negex else "p" for ent in ents]
        marks = ["".join(mark for name, mark in ORDER if getattr(ent._, name)) or "p" for ent in ents]
        return marks if every else [mark[0] for mark in marks]

    return read


def f1(pairs: list[tuple[str, str]], label: str) -> str:
    """pairs: label as meant and as read; F1 0 to 1, with the number that bear the label."""
    right = sum(a == b == label for a, b in pairs)
    wrong = sum((a == label) != (b == label) for a, b in pairs)
    return f"{2 * right / (2 * right + wrong):.3f} ({sum(a == label for a, _ in pairs)})" if right + wrong else "-"


def public_figures(path: Path, half: str) -> None:
    """Negation, and history as public.py counts it, with the processor time a sentence takes in milliseconds."""
    from public import corpus, figures  # beside this file

    rows = corpus(path, half)
    texts = [Passage(row.text, ((*row.span, ""),)) for row in rows]
    past = [row.time == "Historical" for row in rows]
    denied = [row.negation == "Negated" for row in rows]
    for name, pipes in {"negspaCy": (), "medspaCy": ("medspacy_context",)}.items():
        read = reader(pipes, negex=not pipes, every=True)
        read(texts[0])
        began = time.process_time()
        said = [read(text)[0] for text in texts]
        spent = 1000 * (time.process_time() - began) / len(texts)
        print(f"{name}: {spent:.3f} ms of processor time each")
        print(f"{name}: negated", figures(denied, ["n" in one for one in said]))
        if pipes:
            print(f"{name}: historical, denied or not, by the first", figures(past, [one[0] == "h" for one in said]))
            print(f"{name}: historical, denied or not, by all", figures(past, ["h" in one for one in said]))
            own = [one and not no for one, no in zip(past, denied, strict=True)]
            print(f"{name}: historical", figures(own, [one[0] == "h" for one in said]))


def plain_status(body: str) -> str:
    """The plain rule: a word that denies, anywhere, is none known; a word that says nobody knows is unreadable; else listed."""
    if UNREADABLE.search(body):
        return "unreadable"
    return "none_known" if NONE_KNOWN.search(body) else "listed"


def main(rounds: tuple[str, ...]) -> None:
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    if rounds[:1] == ("--public",):
        return public_figures(Path(rounds[1]), rounds[2] if len(rounds) > 2 else "")
    peers = {
        "negspaCy": reader((), negex=True),
        "medspaCy": reader(("medspacy_context",)),
        "medspaCy with sections": reader(("medspacy_context", "medspacy_sectionizer")),
    }
    labels = "nh" if "-a" not in rounds else "nhfyup"
    rounds = tuple(one for one in rounds if one != "-a")
    known = sorted({row[0] for row in rows("fresh_assertions.tsv", rounds, 3)}, key=int)
    for group in [*((one,) for one in known), tuple(known)]:
        texts = list(passages(group))
        for name, read in peers.items():
            pairs = [(span[2], said) for one in texts for span, said in zip(one.spans, read(one), strict=True)]
            shown = "  ".join(f"{label} {f1(pairs, label)}" for label in (labels if name != "negspaCy" else "n"))
            print(f"round {','.join(group)}  {name}: {shown}")
    for group in [*((one,) for one in known), tuple(known)]:
        bodies = [row for row in rows(PASSAGES, group, 6) if row[4] == "section"]
        labelled = [row for row in bodies if row[2] in {"listed", "none_known"}]
        if bodies:
            right = sum(plain_status(row[5]) == row[2] for row in bodies)
            apart = sum((plain_status(row[5]) == "none_known") == (row[2] == "none_known") for row in labelled)
            print(
                f"round {','.join(group)}  plain rule: status {right / len(bodies):.3f} of {len(bodies)} bodies,"
                f" none against present {apart / len(labelled):.3f} of {len(labelled)}"
            )


if __name__ == "__main__":
    main(tuple(sys.argv[1:]))
