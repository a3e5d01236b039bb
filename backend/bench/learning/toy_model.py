"""A language model small enough to be made on the spot: word-level tokenizer, two layers, trained from nothing.

It reads a prompt as a token that names it and the fenced data; the instructions, which never change, are left out, and of
the choice all but question and passages, the only data that differ in its world. What it writes are whole replies, JSON included. It shows whether training works, and nothing about any real model.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend.prompts.draft_prompts import CHOICE
from backend.prompts.evidence_prompts import PLAN, THOUGHT
from backend.prompts.template import Prompt
from backend.prompts.training_prompts import DIRECT
from backend.schemas.chat import (
    GREEDY,
    Abilities,
    Cancelled,
    Completion,
    Finish,
    Message,
    Piece,
    SamplingParams,
    Usage,
    never,
)

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

KNOWN: dict[str, Prompt] = {"thought": THOUGHT, "option": CHOICE, "direct": DIRECT, "plan": PLAN}
END, PAD, UNKNOWN = "<end>", "<pad>", "<unknown>"
GO = "=>"
_WORD = re.compile(r"<[a-z-]+>|=>|\w+|[^\w\s]")
_FENCED = re.compile(r"<<[0-9a-f]{16} ([A-Z ]+)>>\n(.*?)\n<</[0-9a-f]{16}>>", re.DOTALL)
_QUOTED = re.compile(r'"\s*([^"]*?)\s*"')
LONGEST = 384


def flat(messages: Sequence[Message]) -> str:
    """A conversation as the small model reads it. Raises ValueError for a prompt it does not know."""
    begun = messages[0].content
    for name, prompt in KNOWN.items():
        if begun.startswith(prompt.instructions[:40]):
            fenced = _FENCED.findall(messages[1].content)
            if prompt is CHOICE:
                held = dict(fenced)
                fenced = [(part, held[part]) for part in ("QUESTION", "PASSAGES") if part in held]
            return f"<{name}> {' | '.join(text for _, text in fenced)} {GO}"
    raise ValueError("The small model was never shown this prompt.")


def words(text: str) -> list[str]:
    """The tokens of a text: words and marks."""
    return _WORD.findall(text)


def unspaced(text: str) -> str:
    """Words joined by spaces as JSON reads them: no space at the ends of a quoted text."""
    return _QUOTED.sub(r'"\1"', text)


def make_model(texts: Sequence[str], folder: Path, seed: int, width: int = 64, layers: int = 2) -> None:
    """Write tokenizer and fresh weights. texts: every word that will ever be read or written."""
    import torch
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    known = sorted({word for text in texts for word in words(text)})
    vocabulary = {word: i for i, word in enumerate([PAD, END, UNKNOWN, *known])}
    inner = Tokenizer(models.WordLevel(vocabulary, unk_token=UNKNOWN))
    inner.pre_tokenizer = pre_tokenizers.Split(Regex(_WORD.pattern), "removed", invert=True)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner, pad_token=PAD, eos_token=END, unk_token=UNKNOWN, padding_side="left"
    )
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=len(vocabulary),
        hidden_size=width,
        intermediate_size=2 * width,
        num_hidden_layers=layers,
        num_attention_heads=4,
        max_position_embeddings=LONGEST,
        tie_word_embeddings=False,
        initializer_range=0.08,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=1,
    )
    folder.mkdir(parents=True, exist_ok=True)
    LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


class ToyModel:
    """A LanguageModel over the folder of a small model. Replies of one call are written together."""

    context = LONGEST
    abilities = Abilities(schema=False, scores=False, counts_tokens=True)

    def __init__(self, folder: Path) -> None:
        from transformers import AutoModelForCausalLM, AutoTokenizer

        self.name = folder.name
        self._tokenizer: PreTrainedTokenizerFast = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        self._network: Any = AutoModelForCausalLM.from_pretrained(folder, local_files_only=True).eval()
        self._kept: dict[str, str] = {}

    def chat(
        self,
        messages: Sequence[Message],
        *,
        sampling: SamplingParams = GREEDY,
        schema: Mapping[str, object] | None = None,
        scored: bool = False,
        cancelled: Cancelled = never,
    ) -> tuple[Completion, ...]:
        """Replies by the small model; those at temperature 0 are kept."""
        prompt = flat(messages)
        if sampling.temperature == 0.0:
            if prompt not in self._kept:
                self._kept[prompt] = self._written(prompt, GREEDY)[0]
            return (Completion(self._kept[prompt], usage=self._usage(messages)),) * sampling.n
        return tuple(Completion(text, usage=self._usage(messages)) for text in self._written(prompt, sampling))

    def stream(
        self,
        messages: Sequence[Message],
        *,
        sampling: SamplingParams = GREEDY,
        cancelled: Cancelled = never,
    ) -> Iterator[Piece]:
        """The whole reply as one piece, then its end."""
        text = self.chat(messages, sampling=sampling._replace(n=1))[0].text
        yield Piece(text)
        yield Piece("", Completion(text, Finish.STOP))

    def count_tokens(self, messages: Sequence[Message]) -> int:
        """Words and marks of the conversation."""
        return len(words(flat(messages)))

    def _usage(self, messages: Sequence[Message]) -> Usage:
        return Usage(self.count_tokens(messages), 0)

    def _written(self, prompt: str, sampling: SamplingParams) -> list[str]:
        import torch

        n, temperature, top_p, seed, _ = sampling

        ids = torch.tensor([self._tokenizer(prompt)["input_ids"]] * n)
        length = ids.shape[1]
        generator = torch.Generator().manual_seed(seed)
        open_ = torch.ones(n, dtype=torch.bool)
        written: list[Any] = []
        cache, step = None, ids
        with torch.no_grad():
            for _ in range(LONGEST - length):
                found = self._network(input_ids=step, past_key_values=cache, use_cache=True)
                cache = found.past_key_values
                chosen = _chosen(found.logits[:, -1], temperature, top_p, generator)
                written.append(torch.where(open_, chosen, 0))
                open_ &= chosen != 1
                if not open_.any():
                    break
                step = chosen[:, None]
        rows = torch.stack(written, dim=1) if written else torch.zeros((n, 0), dtype=torch.long)
        return [unspaced(" ".join(self._words(row))) for row in rows.tolist()]

    def _words(self, row: Sequence[int]) -> list[str]:
        return [str(self._tokenizer.convert_ids_to_tokens(i)) for i in row if i > 1]


def _chosen(logits: Any, temperature: float, top_p: float, generator: Any) -> Any:
    """The next token of each row: the likeliest at temperature 0, else drawn from the likeliest that make up top_p."""
    import torch

    if temperature == 0.0:
        return logits.argmax(dim=-1)
    chances, order = torch.softmax(logits / temperature, dim=-1).sort(dim=-1, descending=True)
    chances[chances.cumsum(dim=-1) - chances >= top_p] = 0.0
    drawn = torch.multinomial(chances, 1, generator=generator)
    return order.gather(1, drawn)[:, 0]
