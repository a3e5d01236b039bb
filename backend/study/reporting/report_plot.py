"""A frame for one figure in print: axes, ticks, boxes, points, a legend. Drawn with reportlab."""

from collections.abc import Sequence
from functools import lru_cache
from math import log10
from statistics import mean, median
from typing import Any

Figure = dict[str, Any]
SHADES = ("#0b5f86", "#8a5a00", "#4b4b4b", "#6a3d9a", "#1b7837", "#b35806", "#2166ac", "#762a83")
INK, LINE, PAPER = "#17232b", "#c3ccd2", "#ffffff"
SMALL = 7.0
LONGEST = 34  # characters of a name on an axis


class Plot:
    """A frame in points with an axis of names and one of numbers. sideways: names go down, numbers across."""

    def __init__(
        self,
        made: Any,
        box: tuple[float, float, float, float],
        names: Sequence[str],
        span: tuple[float, float],
        sideways: bool,
    ) -> None:
        self.made, self.names, self.span, self.sideways = made, list(names), span, sideways
        self.x0, self.y0, self.x1, self.y1 = box
        self.log = False

    def frame(self, layout: Figure, log: bool) -> None:
        self.log = log and self.span[0] > 0
        self.text(12, self.y1 + 18, str(layout["title"]["text"]), 9.5, bold=True)
        numbers, names = ("xaxis", "yaxis") if self.sideways else ("yaxis", "xaxis")
        self.text(self.x0, self.y1 + 6, title_of(layout, numbers)[:90], SMALL)
        self.text(self.x0, self.y0 - 52, title_of(layout, names)[:90], SMALL)
        for tick in self._ticks():
            at = self._at(tick)
            if self.sideways:
                self._line(at, self.y0, at, self.y1, LINE)
                self.text(at, self.y0 - 10, f"{tick:g}", SMALL, anchor="middle")
            else:
                self._line(self.x0, at, self.x1, at, LINE)
                self.text(self.x0 - 4, at - 2.5, f"{tick:g}", SMALL, anchor="end")
        step = max(1, len(self.names) // 12) if not self.sideways else 1
        room = (self.x1 - self.x0) / max(len(self.names) // step, 1)
        crowded = max((len(name) for name in self.names), default=0) * SMALL * 0.55 > room
        for i, name in enumerate(self.names):
            if i % step:
                continue
            if self.sideways:
                self.text(self.x0 - 4, self._place(i) - 2.5, short(name, 40), SMALL, anchor="end")
            else:
                # names that would touch stand in three rows
                row = i // step % 3 if crowded else 0
                self.text(self._place(i), self.y0 - 10 - 9 * row, short(name, LONGEST), SMALL, anchor="middle")

    def marks(self, values: Sequence[float]) -> None:
        """Dotted lines across, where no effect is."""
        for value in values:
            at = self._at(value)
            for step in range(int(self.y0), int(self.y1), 6):
                self._line(at, step, at, min(step + 3.0, self.y1), INK)

    def boxes(self, trace: Figure, n: int, of: int, log: bool) -> None:
        from reportlab.graphics.shapes import Rect
        from reportlab.lib.colors import HexColor

        groups: dict[str, list[float]] = {}
        xs = trace.get("x") or [trace.get("name", "")] * len(trace["y"])
        for x, y in zip(xs, trace["y"], strict=True):
            groups.setdefault(str(x), []).append(float(y))
        grouped = bool(trace.get("x"))
        wide = (self.x1 - self.x0) / max(len(self.names), 1) * 0.7 / (of if grouped else 1)
        for name, values in groups.items():
            middle = self._place(self.names.index(name)) + ((n - (of - 1) / 2) * wide if grouped else 0)
            low, high = _quantile(values, 0.25), _quantile(values, 0.75)
            bottom, top = self._at(low), self._at(high)
            colour = SHADES[n % len(SHADES)]
            self._line(middle, self._at(min(values)), middle, self._at(max(values)), colour)
            box = Rect(middle - wide * 0.38, bottom, wide * 0.76, max(top - bottom, 0.5))
            box.fillColor, box.strokeColor, box.strokeWidth = HexColor(PAPER), HexColor(colour), 1
            self.made.add(box)
            at = self._at(median(values))
            self._line(middle - wide * 0.38, at, middle + wide * 0.38, at, colour, 1.8)
            if not log:
                self._mark(middle, self._at(mean(values)), n)

    def points(self, trace: Figure, n: int) -> None:
        colour = SHADES[n % len(SHADES)]
        places, values = (trace["y"], trace["x"]) if self.sideways else (trace["x"], trace["y"])
        bars = trace.get("error_x" if self.sideways else "error_y", {})
        before: tuple[float, float] | None = None
        for i, (name, value) in enumerate(zip(places, values, strict=True)):
            place, at = self._place(self.names.index(str(name))), self._at(value)
            up, down = bars.get("array", ()), bars.get("arrayminus", ())
            if up:
                ends = (self._at(value - down[i]), self._at(value + up[i]))
                across = (ends[0], place, ends[1], place) if self.sideways else (place, ends[0], place, ends[1])
                self._line(*across, colour)
            point = (at, place) if self.sideways else (place, at)
            if before is not None and "lines" in trace.get("mode", ""):
                self._line(*before, *point, colour)
            before = point
            self._mark(*point, n)

    def legend(self, names: Sequence[str]) -> None:
        x = self.x0
        for n, name in enumerate(names):
            if len(names) < 2:
                return
            self._mark(x, self.y0 - 40, n)
            self.text(x + 7, self.y0 - 42.5, short(name, 24), SMALL)
            x += 18 + 4 * min(len(name), 24)

    def _mark(self, x: float, y: float, n: int) -> None:
        from reportlab.graphics.widgets.markers import makeMarker
        from reportlab.lib.colors import HexColor

        kinds = (
            "FilledCircle",
            "FilledSquare",
            "FilledDiamond",
            "FilledCross",
            "FilledTriangle",
            "FilledHexagon",
            "FilledStarFive",
            "FilledPentagon",
        )
        mark = makeMarker(kinds[n % len(kinds)], x=x, y=y, size=5)
        mark.fillColor = mark.strokeColor = HexColor(SHADES[n % len(SHADES)])
        self.made.add(mark)

    def _place(self, i: int) -> float:
        share = (i + 0.5) / max(len(self.names), 1)
        return self.y1 - share * (self.y1 - self.y0) if self.sideways else self.x0 + share * (self.x1 - self.x0)

    def _at(self, value: float) -> float:
        low, high = self.span
        if self.log:
            low, high, value = log10(low), log10(high), log10(max(value, self.span[0]))
        share = (value - low) / (high - low) if high > low else 0.5
        return self.x0 + share * (self.x1 - self.x0) if self.sideways else self.y0 + share * (self.y1 - self.y0)

    def _ticks(self) -> list[float]:
        low, high = self.span
        if self.log:
            return [10.0**e * m for e in range(-2, 6) for m in (1, 2, 5) if low <= 10.0**e * m <= high]
        step = next(s for s in (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 1e3, 1e5, 1e9) if (high - low) / s <= 8)
        first = int(low // step)
        return [round(i * step, 6) for i in range(first, first + 12) if low <= i * step <= high + 1e-9]

    def _line(self, x0: float, y0: float, x1: float, y1: float, colour: str, width: float = 0.8) -> None:
        from reportlab.graphics.shapes import Line
        from reportlab.lib.colors import HexColor

        self.made.add(Line(x0, y0, x1, y1, strokeColor=HexColor(colour), strokeWidth=width))

    def text(self, x: float, y: float, text: str, size: float, bold: bool = False, anchor: str = "start") -> None:
        from reportlab.graphics.shapes import String
        from reportlab.lib.colors import HexColor

        font = "Helvetica-Bold" if bold else "Helvetica"
        self.made.add(
            String(x, y, _latin(text), fontSize=size, fontName=font, textAnchor=anchor, fillColor=HexColor(INK))
        )


def title_of(layout: Figure, axis: str) -> str:
    return str(layout.get(axis, {}).get("title", {}).get("text", ""))


def short(name: str, most: int) -> str:
    return name if len(name) <= most else "..." + name[-(most - 3) :]


def _quantile(values: Sequence[float], share: float) -> float:
    """Linear between neighbours, as numpy's default."""
    ordered = sorted(values)
    at = share * (len(ordered) - 1)
    below = int(at)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (at - below) * (ordered[above] - ordered[below])


@lru_cache(maxsize=1024)
def _latin(text: str) -> str:
    """What the built-in fonts have; the tables hold the names in full."""
    return text.encode("latin-1", "replace").decode("latin-1")
