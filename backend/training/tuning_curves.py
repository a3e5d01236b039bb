"""The curves of fine-tuning or preference training as a page of its own: loss, and for pairs the reward margin.

The margin is beta times the difference of the two log-ratios, in nats, above 0 where the chosen reply gained on the
rejected one; accuracy is the share of pairs where it did.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

SHOWN = (
    ("loss", "loss, nats"),
    ("rewards/margins", "reward margin, nats"),
    ("rewards/accuracies", "pairs in the right order, share"),
    ("mean_token_accuracy", "tokens foretold, share"),
)


def write_tuning_curves(folder: Path, history: Sequence[Mapping[str, float]], name: str) -> None:
    """Write `curves.html`, which loads nothing from anywhere; what was not logged has no panel. No history, no page."""
    import plotly.graph_objects as go
    from plotly.subplots import make_subplots

    shown = [(field, words) for field, words in SHOWN if any(field in line for line in history)]
    if not shown:
        return
    figure = make_subplots(rows=len(shown), cols=1, subplot_titles=[words for _, words in shown])
    for row, (field, words) in enumerate(shown, start=1):
        lines = [line for line in history if field in line]
        steps = [line.get("step", place + 1) for place, line in enumerate(lines)]
        trace = go.Scatter(x=steps, y=[line[field] for line in lines], mode="lines+markers", name=words)
        figure.add_trace(trace, row=row, col=1)
    figure.update_layout(
        title=f"Training of {name}", showlegend=False, template="simple_white", height=120 + 260 * len(shown)
    )
    figure.update_xaxes(title_text="step")
    partial = folder / "curves.partial.html"
    figure.write_html(str(partial), include_plotlyjs=True)
    partial.replace(folder / "curves.html")
