"""The learning curve of a run as a page of its own: reward, entropy and recall by epoch."""

from collections.abc import Sequence
from pathlib import Path

from models.policy.gro_trainer import Epoch

SHOWN = (
    ("reward", "reward, training (sampled)"),
    ("validation_reward", "reward, validation (greedy)"),
    ("validation_recall", "new-concept recall, validation"),
    ("entropy", "entropy of the policy, nats"),
)


def write_curves(folder: Path, history: Sequence[Epoch], name: str) -> None:
    """Write `curves.html`, which loads nothing from anywhere."""
    import plotly.graph_objects as go
    from plotly.subplots import make_subplots

    figure = make_subplots(rows=2, cols=2, subplot_titles=[words for _, words in SHOWN])
    for place, (field, words) in enumerate(SHOWN):
        epochs = [line.epoch + 1 for line in history]
        values = [getattr(line, field) for line in history]
        trace = go.Scatter(x=epochs, y=values, mode="lines", name=words)
        figure.add_trace(trace, row=place // 2 + 1, col=place % 2 + 1)
    figure.update_layout(title=f"Training of the policy {name}", showlegend=False, template="simple_white")
    figure.update_xaxes(title_text="epoch")
    partial = folder / "curves.partial.html"
    figure.write_html(str(partial), include_plotlyjs=True)
    partial.replace(folder / "curves.html")
