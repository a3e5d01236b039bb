"""Decisions of clinicians about the knowledge: each is kept, holds at the next reading, and breaks nothing."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from backend.errors import InputError, KnowledgeError, NotFoundError
from backend.knowledge.handbook import handbook_passages
from backend.knowledge.review.decisions import FILE, Verdict
from backend.knowledge.review.items import Kind
from backend.knowledge.review.knowledge_review import KnowledgeReview, Reviewed, State, chosen, counted
from backend.knowledge.starter import read_starter
from backend.settings import ROOT

SHIPPED = ROOT / "assets" / "knowledge"
WHEN = datetime(2026, 11, 28, 9, 30, tzinfo=UTC)
WHO = "Dr Okafor"
STANDING = (
    "id\tneeds\tsection\tsentence\nsteroids\ttakes:corticosteroid\tPrecautions\tDo not stop steroids on your own.\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The shipped knowledge without its vectors, which a test may change."""
    return Path(shutil.copytree(SHIPPED, tmp_path / "shipped", ignore=shutil.ignore_patterns("vectors")))


@pytest.fixture
def review(folder: Path, tmp_path: Path) -> KnowledgeReview:
    return KnowledgeReview(folder, tmp_path / "data", lambda: WHEN)


def first(review: KnowledgeReview, kind: Kind, words: str = "") -> Reviewed:
    return chosen(review.items(), kind, "", words)[0]


def test_nothing_is_reviewed_at_first_and_the_shipped_folder_is_read(review: KnowledgeReview, folder: Path) -> None:
    assert {one.state for one in review.items()} == {State.UNREVIEWED}
    assert review.folder() == folder
    assert review.chapters() == {}
    assert review.difference() == ""


def test_an_item_id_stands_for_one_item(review: KnowledgeReview) -> None:
    ids = [one.item.id for one in review.items()]
    assert len(ids) == len(set(ids))
    assert counted(review.items())["chapter"]["unreviewed"] >= 240


def test_an_accepted_chapter_says_who_and_when_in_its_passages(review: KnowledgeReview, folder: Path) -> None:
    review.decide("chapter/gout", Verdict.ACCEPTED, WHO)
    assert review.folder() == folder  # nothing is read otherwise
    assert review.chapters() == {"gout": "reviewed by Dr Okafor on 2026-11-28"}
    rows = handbook_passages(read_starter(folder).handbook, review.chapters())
    licences = {row.document_id: row.licence for row in rows}
    assert "reviewed by Dr Okafor on 2026-11-28" in licences["handbook/gout"]
    assert "not reviewed by a clinician" in licences["handbook/asthma"]


def test_a_refused_chapter_is_not_read_nor_what_belongs_to_it(review: KnowledgeReview) -> None:
    review.decide("chapter/chest-pain", Verdict.REFUSED, WHO, reason="ours is another")
    read = read_starter(review.folder())
    assert "chest pain" not in {section.condition for section in read.handbook}
    assert "chest pain" not in {row.chapter for row in read.applicability}
    assert "chest pain" not in {flag.concept for flag in read.red_flags}
    assert "dyspnea" in {row.chapter for row in read.applicability}
    assert "-Write down when chest pain comes" in review.difference().replace("\n-", "\n-")


def test_a_changed_row_is_read_as_it_was_changed(review: KnowledgeReview) -> None:
    row = first(review, Kind.DOSE, "gabapentin 3600").item
    review.decide(row.id, Verdict.CHANGED, WHO, row.text.replace("3600", "3000"))
    drug = [dose for dose, _ in read_starter(review.folder()).doses if dose.drug_id == "LN:gabapentin"]
    assert 3000 in {dose.maximum for dose in drug}
    assert 3600 not in {dose.maximum for dose in drug}
    removed, added = (
        line for line in review.difference().splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")
    )
    assert ("3600" in removed, "3000" in added) == (True, True)
    assert review.one(row.id).state is State.CHANGED


def test_a_changed_chapter_keeps_the_rows_of_sentences_that_still_stand(review: KnowledgeReview) -> None:
    chapter = review.one("chapter/chest-pain").item
    kept, gone = (
        "Do not smoke, because smoke narrows the blood vessels of the heart.",
        "Eat small meals if chest pain tends to come after food.",
    )
    review.decide(chapter.id, Verdict.CHANGED, WHO, chapter.text.replace(gone, "Eat what you like."))
    sentences = {row.sentence for row in read_starter(review.folder()).applicability if row.chapter == "chest pain"}
    assert (kept in sentences, gone in sentences) == (True, False)
    assert "Eat what you like." in {
        s.text for s in read_starter(review.folder()).handbook if s.condition == "chest pain"
    }


def test_a_change_that_cannot_be_read_is_refused_with_its_place_and_nothing_is_kept(review: KnowledgeReview) -> None:
    row = first(review, Kind.DOSE, "gabapentin 3600").item
    with pytest.raises(InputError, match="cannot be read"):
        review.decide(row.id, Verdict.CHANGED, WHO, row.text.replace("3600", "much"))
    assert review.one(row.id).decision is None


def test_a_change_that_breaks_a_rule_is_refused(review: KnowledgeReview) -> None:
    chapter = review.one("chapter/asthma").item
    with pytest.raises(InputError, match="breaks a rule"):
        review.decide(chapter.id, Verdict.CHANGED, WHO, chapter.text.replace("## Diet", "## Food"))


@pytest.mark.parametrize(
    ("item", "verdict", "reviewer", "text", "words"),
    [
        ("chapter/gout", Verdict.CHANGED, WHO, "", "needs the new text"),
        ("chapter/gout", Verdict.ACCEPTED, WHO, "# gout", "no other decision has one"),
        ("chapter/gout", Verdict.ACCEPTED, "  ", "", "name of the clinician"),
        ("chapter/gout", Verdict.SIGNED, WHO, "", "no standing instruction"),
        ("chapter/gout", Verdict.WITHDRAWN, WHO, "", "nothing can be withdrawn"),
    ],
)
def test_a_decision_that_makes_no_sense_says_why(
    review: KnowledgeReview, item: str, verdict: Verdict, reviewer: str, text: str, words: str
) -> None:
    with pytest.raises(InputError, match=words):
        review.decide(item, verdict, reviewer, text)


def test_an_item_that_is_none_is_not_found(review: KnowledgeReview) -> None:
    with pytest.raises(NotFoundError, match="chapter/none"):
        review.decide("chapter/none", Verdict.ACCEPTED, WHO)


def test_the_last_decision_counts_and_all_are_kept(review: KnowledgeReview, folder: Path) -> None:
    for verdict in (Verdict.ACCEPTED, Verdict.REFUSED, Verdict.WITHDRAWN):
        review.decide("chapter/gout", verdict, WHO)
    assert review.one("chapter/gout").state is State.UNREVIEWED
    assert [one.verdict for one in review.history("chapter/gout")] == ["accepted", "refused", "withdrawn"]
    assert review.folder() == folder


def test_a_chapter_that_was_changed_since_is_outdated_and_a_row_is_another(
    review: KnowledgeReview, folder: Path
) -> None:
    row = first(review, Kind.DOSE, "gabapentin 3600").item
    review.decide("chapter/gout", Verdict.ACCEPTED, WHO)
    review.decide(row.id, Verdict.ACCEPTED, WHO)
    for path in (folder / "handbook").glob("*.md"):
        path.write_text(path.read_text().replace("# gout\n", "# gout\n\n", 1))
    doses = folder / row.file
    doses.write_text(doses.read_text().replace(row.text, row.text.replace("3600", "3500")))
    assert review.one("chapter/gout").state is State.OUTDATED
    assert review.chapters() == {}
    assert [one.item for one in review.orphans()] == [row.id]


def test_standing_instructions_are_off_until_they_are_signed(review: KnowledgeReview, folder: Path) -> None:
    (folder / "standing.tsv").write_text(STANDING)
    assert review.signed() == frozenset()
    review.decide("standing/steroids", Verdict.SIGNED, WHO)
    assert review.signed() == {"steroids"}
    (folder / "standing.tsv").write_text(STANDING.replace("on your own", "yourself"))
    assert review.signed() == frozenset()  # another text than the one that was signed


def test_the_folder_is_built_once_and_again_after_a_decision(review: KnowledgeReview) -> None:
    review.decide("chapter/gout", Verdict.REFUSED, WHO)
    mark = review.folder() / "meta.json"
    built = mark.stat().st_mtime_ns
    assert (review.folder() / "meta.json").stat().st_mtime_ns == built
    review.decide("chapter/asthma", Verdict.REFUSED, WHO)
    assert "asthma" not in {section.condition for section in read_starter(review.folder()).handbook}


def test_a_line_that_is_no_decision_is_named(review: KnowledgeReview, tmp_path: Path) -> None:
    review.decide("chapter/gout", Verdict.ACCEPTED, WHO)
    with (tmp_path / "data" / "knowledge" / FILE).open("a") as file:
        file.write("{}\n")
    with pytest.raises(KnowledgeError, match=f"{FILE}:2"):
        review.items()


@pytest.mark.parametrize(
    ("line", "stated"),
    [
        (b'{"item": "x", "verdict": "maybe"}', "verdict is 'maybe'"),
        (b'{"item": "x"}', "verdict field required"),
        (b"no json", "Invalid JSON"),
        (b"\xff\xfe", "Invalid JSON"),
    ],
)
def test_a_line_that_is_no_decision_says_which_field_and_value(
    review: KnowledgeReview, tmp_path: Path, line: bytes, stated: str
) -> None:
    (tmp_path / "data" / "knowledge").mkdir(parents=True)
    (tmp_path / "data" / "knowledge" / FILE).write_bytes(line + b"\n")
    with pytest.raises(KnowledgeError, match=stated):
        review.items()


def test_a_change_that_a_new_version_cannot_be_read_with_is_named_with_who_made_it(
    review: KnowledgeReview, folder: Path
) -> None:
    one = first(review, Kind.INTERACTION, "amiodarone avoid").item
    review.decide(one.id, Verdict.CHANGED, WHO, one.text.replace("\tavoid\t", "\tmonitor\t"))
    read = review.folder()
    file = read / one.file
    before = file.read_text()
    journal = folder.parent / "data" / "knowledge" / FILE
    journal.write_text(journal.read_text().replace("amiodarone", "a medicine that is gone"))
    with pytest.raises(KnowledgeError, match=f"{one.id} .changed by {WHO}, 2026-11-28.*a medicine that is gone"):
        review.folder()
    assert file.read_text() == before  # what was read last stays


OWN = """# tennis elbow

## What it is
Tennis elbow is pain on the outer side of the elbow.

## How it shows
Tennis elbow hurts when you grip or lift something.

## Tests
Your doctor can tell tennis elbow by examining your arm.

## Treatment
Your team may offer exercises for tennis elbow.

## Medicines
Your team may suggest a gel for the pain of tennis elbow.

## Diet
No special diet is needed for tennis elbow.

## Activity
Go back to lifting slowly with tennis elbow.

## Precautions
Take breaks at work if you have tennis elbow.

## Warning signs
emergency_department: your arm is suddenly very swollen and hot with fever
call_today: you cannot straighten or bend your elbow at all
next_visit: the elbow still hurts after three months

## Follow-up
See your doctor if tennis elbow lasts longer than three months.
"""


def test_a_hospital_adds_a_chapter_of_its_own_that_is_read_like_the_shipped_ones(review: KnowledgeReview) -> None:
    review.add(OWN, WHO, "asked for")
    read = read_starter(review.folder())
    titles = [one.title for one in read.handbook if one.condition == "tennis elbow"]
    assert titles[-2:] == ["Warning signs", "Follow-up"] and len(titles) == 10
    assert [one.level.value for one in read.red_flags if one.concept == "tennis elbow"] == [
        "emergency_department",
        "call_today",
        "next_visit",
    ]
    assert next(row for row, _ in read.concepts if row.name == "tennis elbow").condition
    assert review.chapters() == {"tennis elbow": "reviewed by Dr Okafor on 2026-11-28"}
    assert "+# tennis elbow" in review.difference()
    assert review.one("chapter/tennis-elbow").state is State.ADDED
    assert review.orphans() == []


def test_an_added_chapter_is_changed_by_adding_it_again_and_withdrawn(review: KnowledgeReview, folder: Path) -> None:
    review.add(OWN, WHO)
    review.add(OWN.replace("lifting slowly", "lifting very slowly"), WHO)
    assert "lifting very slowly" in review.one("chapter/tennis-elbow").item.text
    with pytest.raises(InputError, match="own chapter"):
        review.decide("chapter/tennis-elbow", Verdict.ACCEPTED, WHO)
    review.decide("chapter/tennis-elbow", Verdict.WITHDRAWN, WHO)
    assert review.folder() == folder
    with pytest.raises(NotFoundError):
        review.one("chapter/tennis-elbow")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Tennis elbow hurts.", "begins with a line"),
        (OWN.replace("# tennis elbow", "# elbow of the moon", 1), "no concept"),
        (OWN.replace("# tennis elbow", "# gout", 1), "has a chapter"),
        (OWN.replace("call_today: you", "you"), "level: sign"),
        (OWN.replace("call_today:", "call_sometime:"), "cannot be read"),
        (OWN.replace("## Diet\nNo special diet is needed for tennis elbow.\n", ""), "breaks a rule"),
    ],
)
def test_a_chapter_that_breaks_a_rule_is_not_added(review: KnowledgeReview, text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        review.add(text, WHO)
    assert review.folder().name == "shipped"


def test_a_symptom_s_chapter_of_the_hospital_holds_for_everybody(review: KnowledgeReview) -> None:
    sections = ("What it is", "Activity", "Precautions", "Warning signs", "Follow-up")
    lines = {
        "Warning signs": "call_today: one vein is suddenly hard and hot\nnext_visit: the veins ache\nnext_visit: the skin itches"
    }
    body = "\n\n".join(
        f"## {one}\n{lines.get(one, f'Varicose veins of the legs are told of under {one}.')}" for one in sections
    )
    review.add(f"# varicose veins\n\n{body}", WHO)
    rows = [row for row in read_starter(review.folder()).applicability if row.chapter == "varicose veins"]
    assert {row.section for row in rows} >= {"What it is", "Activity", "Precautions", "Follow-up"}


def test_undo_goes_back_one_decision_at_a_time(review: KnowledgeReview, folder: Path) -> None:
    item = first(review, Kind.CHAPTER).item.id
    review.decide(item, Verdict.ACCEPTED, "Dr Okafor")
    review.decide(item, Verdict.REFUSED, "Dr Okafor")
    review.decide(item, Verdict.WITHDRAWN, "Dr Okafor")
    assert review.one(item).state is State.UNREVIEWED
    review.undo(item, "Dr Rao")
    assert review.one(item).state is State.REFUSED
    review.decide(item, Verdict.UNDONE, "Dr Rao")
    assert (review.one(item).state, review.folder()) == (State.ACCEPTED, folder)
    review.undo(item, "Dr Rao")
    assert review.one(item).state is State.UNREVIEWED
    with pytest.raises(InputError, match="taken back already"):
        review.undo(item, "Dr Rao")
    assert [one.verdict for one in review.journal()][:3] == [Verdict.UNDONE] * 3
    with pytest.raises(InputError, match="name of the clinician"):
        review.undo(item, " ")


def test_a_table_of_the_hospital_is_no_item_to_decide_about(review: KnowledgeReview) -> None:
    with pytest.raises(InputError, match="own tables"):
        review.decide(first(review, Kind.CHAPTER).item.id, Verdict.INSTALLED, "Dr Okafor")
