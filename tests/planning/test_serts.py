"""The search tree: UCT, selection and back-propagation, derived by hand."""

import math

import pytest

from backend.planning.serts import Node, select, uct


def test_values_visits_and_selection_as_worked_out_by_hand() -> None:
    # rewards are scores of 5: 2, 3, 1, 4, 0
    root = Node("root", 0.4)
    a = Node("a", 0.6, root)
    b = Node("b", 0.2, root)
    # visits of root 3, of a and b 1 each; ln 3 = 1.0986, sqrt = 1.0481, times sqrt 2 = 1.4823
    assert uct(a) == pytest.approx(0.6 + 1.4823, abs=1e-4)
    assert uct(b) == pytest.approx(0.2 + 1.4823, abs=1e-4)
    assert select(root, 2) is a
    first = Node("a1", 0.8, a)
    # a: 2 visits, (0.6 + 0.8) / 2 = 0.7; root: 4 visits, (0.4 + 0.6 + 0.2 + 0.8) / 4 = 0.5
    assert (a.visits, a.value, root.visits, root.value) == (2, pytest.approx(0.7), 4, pytest.approx(0.5))
    # a: 0.7 + 1.4142 * sqrt(1.3863 / 2) = 0.7 + 1.1774 = 1.8774; b: 0.2 + 1.4142 * sqrt(1.3863) = 0.2 + 1.6651 = 1.8651
    assert uct(a) == pytest.approx(1.8774, abs=1e-4)
    assert uct(b) == pytest.approx(1.8651, abs=1e-4)
    assert select(root, 2) is a
    second = Node("a2", 0.0, a)
    # a: 1.4 / 3 + 1.4142 * sqrt(1.6094 / 3) = 0.4667 + 1.0358; b: 0.2 + 1.4142 * sqrt(1.6094) = 0.2 + 1.7941
    assert uct(a) == pytest.approx(1.5025, abs=1e-4)
    assert uct(b) == pytest.approx(1.9941, abs=1e-4)
    assert select(root, 2) is b
    assert [node.item for node in second.ancestry()] == ["root", "a", "a2"]
    assert first.parent is a


def test_a_node_with_room_is_chosen_before_its_children() -> None:
    root = Node(0, 1.0)
    assert select(root, 2) is root
    Node(1, 1.0, root)
    assert select(root, 2) is root
    assert select(root, 1) is root.children[0]


def test_equal_children_are_taken_by_age_and_no_exploring_takes_the_best() -> None:
    root = Node("root", 0.0)
    older, younger = Node("older", 0.5, root), Node("younger", 0.5, root)
    assert select(root, 2) is older
    Node("below", 0.0, younger)
    assert select(root, 2, explore=0.0) is older
    assert uct(older, 0.0) == 0.5
    assert math.isclose(younger.value, 0.25)


def test_a_root_has_no_rival() -> None:
    with pytest.raises(ValueError, match="root"):
        uct(Node("root", 0.0))
