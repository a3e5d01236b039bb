"""The curves of a training run as a page of its own, which loads nothing from anywhere."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

    from models.policy.gro_trainer import Epoch

POLICY = (
    ("reward", "reward, training (sampled)"),
    ("validation_reward", "reward, validation (greedy)"),
    ("validation_recall", "new-concept recall, validation"),
    ("entropy", "entropy of the policy, nats"),
)
"""Fields of an epoch and what they are."""
TUNING = (
    ("loss", "loss, nats"),
    ("rewards/margins", "reward margin, nats"),
    ("rewards/accuracies", "pairs in the right order, share"),
    ("mean_token_accuracy", "tokens foretold, share"),
)
"""Logged values of fine-tuning or preference training and what they are.

The margin is beta times the difference of the two log-ratios, in nats, above 0 where the chosen reply gained on the
rejected one; accuracy is the share of pairs where it did.
"""


def write_curves(folder: Path, history: Sequence["Epoch"], name: str) -> None:
    """Write `curves.html` of a run of the path policy: reward, entropy and recall by epoch."""
    import plotly.graph_objects as go
    from plotly.subplots import make_subplots

    figure = make_subplots(rows=2, cols=2, subplot_titles=[words for _, words in POLICY])
    for place, (field, words) in enumerate(POLICY):
        epochs = [line.epoch + 1 for line in history]
        values = [getattr(line, field) for line in history]
        trace = go.Scatter(x=epochs, y=values, mode="lines", name=words)
        figure.add_trace(trace, row=place // 2 + 1, col=place % 2 + 1)
    figure.update_layout(title=f"Training of the policy {name}", showlegend=False, template="simple_white")
    figure.update_xaxes(title_text="epoch")
    _write(folder, figure)


def write_tuning_curves(folder: Path, history: Sequence[Mapping[str, float]], name: str) -> None:
    """Write `curves.html` of a fine-tuning; what was not logged has no panel. No history, no page."""
    import plotly.graph_objects as go
    from plotly.subplots import make_subplots

    shown = [(field, words) for field, words in TUNING if any(field in line for line in history)]
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
    _write(folder, figure)


def _write(folder: Path, figure: "Figure") -> None:
    """Leave a whole page or none."""
    partial = folder / "curves.partial.html"
    figure.write_html(str(partial), include_plotlyjs=True)
    partial.replace(folder / "curves.html")
