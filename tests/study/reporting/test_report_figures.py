"""Figures as matplotlib draws them: in the right place, whole in themselves, words as words."""

import re
from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader

from backend.study.reporting.report_figures import WIDTH, as_pdf_page, as_svg, drawing


def figure(*traces: dict[str, Any], title: str = "A title", **layout: Any) -> dict[str, Any]:
    axes = {"xaxis": {"title": {"text": "names"}}, "yaxis": {"title": {"text": "values"}}}
    return {"data": list(traces), "layout": {"title": {"text": title}, **axes, **layout}}


def points(*values: float, **changed: Any) -> dict[str, Any]:
    names = [f"name {n}" for n in range(len(values))]
    return {"type": "scatter", "mode": "markers", "name": "a", "x": names, "y": list(values), **changed}


BOXES = {"type": "box", "name": "a", "x": ["one"] * 5, "y": [1, 2, 3, 4, 5], "marker": {"symbol": "square"}}
CELLS = {
    "type": "heatmap", "x": ["a", "b"], "y": ["a", "b"], "z": [[None, 3.0], [1.0, None]], "text": [["", "3"], ["1", ""]],
    "colorscale": [[0, "#ffffff"], [1, "#000000"]],
}  # fmt: skip
FOREST = {
    "type": "scatter", "mode": "markers", "x": [0.5, 1.5], "y": ["first", "second"],
    "error_x": {"type": "data", "array": [0.25, 0.5], "arrayminus": [0.5, 0.25]},
}  # fmt: skip
EVERY = {"points": points(1.0, 5.0), "boxes": BOXES, "cells": CELLS, "forest": FOREST}


@pytest.mark.parametrize("trace", EVERY.values(), ids=EVERY)
def test_a_figure_asks_nobody_for_anything_and_runs_nothing(trace: dict[str, Any]) -> None:
    svg = as_svg(figure(trace))
    assert svg.startswith("<svg") and svg.rstrip().endswith("</svg>")
    assert not re.search(r'(?:src|href)="(?!#)|url\((?!#)|<(?:script|image|foreignObject|metadata)', svg)


@pytest.mark.parametrize("trace", EVERY.values(), ids=EVERY)
def test_words_are_text_in_svg_and_in_pdf(trace: dict[str, Any]) -> None:
    made = figure(trace, title="T & <b> $x_1$ Müller")
    assert "T &amp; &lt;b&gt; $x_1$ Müller" in as_svg(made)
    page = PdfReader(BytesIO(as_pdf_page(made))).pages[0]
    assert "T & <b> $x_1$ Müller" in page.extract_text()
    assert float(page.mediabox.width) == pytest.approx(72 * WIDTH)
    assert not page.images  # lines and words, no pixels


def test_points_stand_at_the_height_of_their_values() -> None:
    # 2 lies a quarter of the way from 1 to 5
    marks = [
        float(y)
        for y in re.findall(
            r'<use xlink:href="#\w+" x="[\d.]+" y="([\d.]+)" style="fill: #0b5f86',
            as_svg(figure(points(1.0, 2.0, 5.0))),
        )
    ]
    low, middle, high = marks
    assert (low - middle) / (low - high) == pytest.approx(0.25, abs=1e-6)


def test_error_bars_reach_from_the_lower_to_the_upper_bound() -> None:
    axes = drawing(figure(FOREST)).axes[0]
    bars = [segment[:, 0].tolist() for segment in axes.collections[0].get_segments()]
    assert bars == [[0.0, 0.75], [1.25, 2.0]]  # 0.5 - 0.5 to 0.5 + 0.25; 1.5 - 0.25 to 1.5 + 0.5


def test_a_box_goes_from_the_first_to_the_third_quartile_and_whiskers_to_the_ends() -> None:
    # of 1 2 3 4 5 the quartiles are 2 and 4
    lines = [line.get_ydata().tolist() for line in drawing(figure(BOXES)).axes[0].lines]
    assert lines[0] == [2, 2, 4, 4, 2]
    assert lines[1:3] == [[2, 1], [4, 5]]


def test_the_names_of_a_forest_go_down_in_their_order() -> None:
    axes = drawing(figure(FOREST, shapes=[{"x0": 1.0}])).axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["first", "second"]
    assert axes.yaxis_inverted()
    assert axes.lines[0].get_xdata() == [1.0, 1.0]  # where no effect is


def test_groups_differ_by_their_marks() -> None:
    both = figure(points(1.0), points(2.0, name="b", marker={"symbol": "square"}))
    made = drawing(both)
    assert [text.get_text() for text in made.legends[0].get_texts()] == ["a", "b"]
    assert len({handle.get_marker() for handle in made.legends[0].legend_handles}) == 2


def test_the_same_figure_gives_the_same_bytes() -> None:
    assert as_svg(figure(BOXES)) == as_svg(figure(BOXES))
    assert as_pdf_page(figure(BOXES)) == as_pdf_page(figure(BOXES))


def test_no_id_stands_in_two_figures_of_a_page_but_for_the_same_thing() -> None:
    found: dict[str, str] = {}
    for svg in (as_svg(figure(EVERY["points"])), as_svg(figure(EVERY["boxes"]))):
        for name, rest in re.findall(r'id="([^"]+)"([^>]*>)', svg):
            assert found.setdefault(name, rest) == rest
