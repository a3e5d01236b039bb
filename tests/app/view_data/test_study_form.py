"""The coordinator's form: what is filled in becomes a setup and back, and what does not fit is named by field or line."""

import json

import pytest

from app.view_data import study_files, study_form
from backend.schemas.studies.study_design import Factor, StudyCase
from backend.study.design.instruments import shipped
from backend.study.design.setups import all_templates, setup_from, template
from tests.study.sample import setup

TEMPLATES = {one.id: one.model_dump(mode="json") for one in all_templates()}


def test_a_setup_comes_back_from_its_own_form() -> None:
    made = setup(extra_headings=("My advice",), rated_cases=3, instructions="Read the note first.")
    assert study_form.setup_of(study_form.fields_of(made), (), made.plan) == made


def test_a_study_of_two_writers_and_one_of_uploads_come_back_too() -> None:
    fields = study_form.empty_fields() | {"name": "x", "instruments": ["reinrag-statements"]}
    writers = fields | {"factor": "generator", "system": "leapnote", "generators": "composer\nvllm:a/b"}
    made = study_form.setup_of(writers, shipped())
    assert [(arm.id, arm.system, arm.generator) for arm in made.arms] == [
        ("writer-1", "leapnote", "composer"),
        ("writer-2", "leapnote", "vllm:a/b"),
    ]
    uploads = fields | {"factor": "upload", "uploads": "theirs\n\nours ", "labels": "theirs = By them"}
    other = study_form.setup_of(uploads, shipped())
    assert [(arm.id, arm.system, arm.guess_label) for arm in other.arms] == [
        ("theirs", None, "By them"),
        ("ours", None, ""),
    ]
    for one in (made, other):
        fields = study_form.fields_of(one)
        assert study_form.setup_of(fields | {"labels": fields["labels"]}, shipped()).factor in (
            Factor.GENERATOR,
            Factor.UPLOAD,
        )


def test_a_template_fills_the_form_with_the_published_design() -> None:
    fields = study_form.template_fields(TEMPLATES["reinrag"]) | {"name": "Ours"}
    made = study_form.setup_of(fields, shipped(), TEMPLATES["reinrag"]["plan"])
    assert made == setup_from(template("reinrag"), "Ours")


def test_a_template_without_systems_waits_for_them() -> None:
    fields = study_form.template_fields(TEMPLATES["omnirag"]) | {"name": "Ours"}
    with pytest.raises(ValueError, match="this one has 0: choose systems"):
        study_form.setup_of(fields, shipped())
    four = ["no-retrieval", "leapnote", "spo", "rar2"]
    assert len(study_form.setup_of(fields | {"systems": four}, shipped()).arms) == 4


def test_what_does_not_fit_is_named_with_its_place_and_never_its_text() -> None:
    fields = study_form.empty_fields() | {"name": "x", "systems": ["a", "b"], "instruments": ["nothing"]}
    with pytest.raises(ValueError, match="no instrument 'nothing'"):
        study_form.setup_of(fields, shipped())
    with pytest.raises(ValueError, match="there is no arm 'c'"):
        study_form.setup_of(fields | {"instruments": ["soap-quality"], "labels": "c = words"}, shipped())
    with pytest.raises(ValueError, match="ARM = words"):
        study_form.setup_of(fields | {"instruments": ["soap-quality"], "labels": "words"}, shipped())
    good = json.dumps({"id": "a", "text": "A note."})
    with pytest.raises(ValueError, match=r"^Line 3 is not a case \(or so\): id") as caught:
        study_files.read_lines(f'{good}\n\n{{"text": "secret"}}', StudyCase, "a case (or so)")
    assert "secret" not in str(caught.value)
    with pytest.raises(ValueError, match="holds no line"):
        study_files.read_lines(" \n", StudyCase, "a case")


def test_outcomes_are_questions_about_drafts_and_means_of_scales() -> None:
    found = study_form.outcomes(setup())
    assert found[0] == "reinrag-statements/mean"
    assert "reinrag-statements/rare_omission" in found
    assert not [name for name in found if name.startswith("closing-comments")]


@pytest.mark.parametrize(
    ("field", "value", "stated"),
    [
        ("name", " ", "no name"),
        ("instruments", [], "Choose an instrument"),
        ("instruments", ["pairwise-preference"], "'Preference with strength' cannot be asked"),
        ("systems", ["leapnote"], "this one has 1: choose systems"),
    ],
)
def test_what_is_missing_is_shown_in_words(field: str, value: object, stated: str) -> None:
    fields = study_form.fields_of(setup()) | {"own": {}, field: value}
    assert study_form.setup_of(study_form.fields_of(setup()), shipped()).name
    with pytest.raises(ValueError, match=stated):
        study_form.setup_of(fields, shipped())


def test_a_folder_gives_a_case_a_note_with_its_reference() -> None:
    files = [("b.txt", "note b"), ("sub/a.txt", "note a"), ("sub/a.reference.txt", "what was right"), ("c.md", "x")]
    found = study_files.folder_cases(files)
    assert [(case.id, case.text, case.reference) for case in found] == [
        ("a", "note a", "what was right"),
        ("b", "note b", ""),
    ]


@pytest.mark.parametrize(
    ("files", "stated"),
    [
        ([("a.md", "x")], "no .txt file"),
        ([("a.txt", "x"), ("d/a.txt", "y")], "same name"),
        ([("a.txt", "x"), ("b.reference.txt", "y")], r"b.reference.txt is a reference without a note. Add b.txt"),
        ([("a.txt", "secret\x00")], r"^a.txt is no case: (?!.*secret)"),
    ],
)
def test_a_folder_that_does_not_fit_says_which_file(files: list[tuple[str, str]], stated: str) -> None:
    with pytest.raises(ValueError, match=stated):
        study_files.folder_cases(files)
