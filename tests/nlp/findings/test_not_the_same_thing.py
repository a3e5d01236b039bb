"""What is near a concept of the starter knowledge and is another thing does not get its name."""

import pytest

from tests.nlp.fresh import linker


@pytest.mark.parametrize(
    ("text", "name", "not_name"),
    [
        ("Impression: LRTI.", "chest infection", "pneumonia"),
        ("Diagnosis: medial epicondylitis.", "golfer's elbow", "tennis elbow"),
        ("Impression: hepatitis of unclear cause.", "hepatitis", "viral hepatitis"),
        ("Minor head injury after a fall.", "head injury", "concussion"),
        ("CT shows a pancreatic head mass.", "pancreatic mass", "pancreatic cancer"),
        ("History of PIH.", "gestational hypertension", "preeclampsia"),
        ("Bone metastases of breast cancer.", "bone metastases", "metastatic breast cancer"),
    ],
)
def test_a_near_thing_is_read_as_itself(text: str, name: str, not_name: str) -> None:
    record = linker().read(text).record
    names = [one.name for one in record.problems]
    assert name in names
    assert not_name not in names
