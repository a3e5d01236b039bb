"""How the engine in process draws tokens: with a generator of its own, so that a seed gives a reply whatever else runs.

`generate` draws from PyTorch's one global generator, which other threads use as well. Here noise is added to the scores and
the greatest taken: with Gumbel noise that is a draw from their softmax (Gumbel-max trick; Maddison, Tarlow and Minka 2014).
Each class is a logits processor: called with input_ids (1, length so far) int64 and scores (1, vocabulary) float, gives scores of that shape.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch


class GumbelNoise:
    """Turns greedy decoding into sampling. seed: equal seeds draw equal noise, on one kind of device."""

    def __init__(self, seed: int, device: "torch.device") -> None:
        import torch

        self._generator = torch.Generator(device=device)
        self._generator.manual_seed(seed)

    def __call__(self, input_ids: "torch.Tensor", scores: "torch.Tensor") -> "torch.Tensor":
        import torch

        flat = torch.rand(scores.shape, generator=self._generator, device=scores.device, dtype=torch.float64)
        # uniform numbers may be 0 and, rounded, 1: both would make an infinity
        flat = flat.clamp(1e-300, 1.0 - 1e-16)
        return scores.double() - torch.log(-torch.log(flat))


class TokenScores:
    """Remembers the log-probability of each token that was taken, from the model's own scores. Put it first.

    What was taken shows in the next step's input; so only one row is kept, not one for each token.
    """

    def __init__(self) -> None:
        self._row: torch.Tensor | None = None
        self._taken: list[float] = []

    def __call__(self, input_ids: "torch.Tensor", scores: "torch.Tensor") -> "torch.Tensor":
        if self._row is not None:
            self._taken.append(float(self._row[input_ids[0, -1]]))
        self._row = scores[0].float().log_softmax(dim=-1)
        return scores

    def finished(self, last: int) -> tuple[float, ...]:
        """Natural logarithms, at most 0, of all tokens written; last: the last one's id."""
        if self._row is not None:
            self._taken.append(float(self._row[last]))
            self._row = None
        return tuple(min(0.0, score) for score in self._taken)


def processors(temperature: float, top_p: float, seed: int, device: "torch.device", scored: TokenScores | None) -> Any:
    """The processors of one reply, in order: scores, temperature, nucleus, noise. At temperature 0 the greatest is taken."""
    from transformers import LogitsProcessorList
    from transformers.generation.logits_process import TemperatureLogitsWarper, TopPLogitsWarper

    chain: list[Any] = [scored] if scored is not None else []
    if temperature > 0:
        if temperature != 1.0:
            chain.append(TemperatureLogitsWarper(float(temperature)))
        if top_p < 1.0:
            chain.append(TopPLogitsWarper(float(top_p)))
        chain.append(GumbelNoise(seed, device))
    return LogitsProcessorList(chain)
