"""A seeded sample of MedQuAD (NIH questions and answers) as passages and questions, read from its zip.

Takes the folder of open data; copies nothing. A passage's title is its page's topic, never the question.
"""

import random
import zipfile
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from backend.errors import MissingError
from backend.nlp.document import passages


class Sample(NamedTuple):
    """titles and texts: one a passage. questions: one an answer; answers: for each question the passages of its answer."""

    titles: list[str]
    texts: list[str]
    questions: list[str]
    answers: list[frozenset[int]]


def read_sample(folder: Path, size: int, seed: int = 0) -> Sample:
    """About so many passages: whole pages in random order until there are enough. Raises MissingError without the data."""
    archive = folder / "medquad" / "MedQuAD-master.zip"
    if not archive.is_file():
        raise MissingError(
            "MedQuAD is not there. Set LEAPNOTE_TEST_DATA to a folder that holds medquad/MedQuAD-master.zip."
        )
    sample = Sample([], [], [], [])
    with zipfile.ZipFile(archive) as pages:
        names = sorted(name for name in pages.namelist() if name.endswith(".xml"))
        random.Random(seed).shuffle(names)
        for name in names:
            if len(sample.texts) >= size:
                break
            _add(sample, ElementTree.fromstring(pages.read(name)))
    return sample


def _add(sample: Sample, page: ElementTree.Element) -> None:
    title = (page.findtext("Focus") or "").strip()
    for pair in page.iter("QAPair"):
        question = " ".join((pair.findtext("Question") or "").split())
        answer = " ".join((pair.findtext("Answer") or "").split())
        if not question or not answer:
            continue  # some publishers' answers are left out of the distribution
        first = len(sample.texts)
        for start, end in passages(answer):
            sample.titles.append(title)
            sample.texts.append(answer[start:end])
        sample.questions.append(question)
        sample.answers.append(frozenset(range(first, len(sample.texts))))
