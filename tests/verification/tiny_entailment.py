"""An entailment model for tests: random weights, so that its opinions mean nothing."""

from pathlib import Path


def tiny_model(folder: Path, labels: dict[int, str]) -> Path:
    """A random model of one small layer, saved as a cross-encoder's folder."""
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    place = folder / "model"
    place.mkdir(parents=True)
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "she", "has", "no", "gout"]
    (place / "vocab.txt").write_text("\n".join(words))
    config = BertConfig(
        vocab_size=len(words), hidden_size=8, num_hidden_layers=1, num_attention_heads=1, intermediate_size=8,
        num_labels=len(labels), id2label=labels, label2id={name: i for i, name in labels.items()},
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(place)
    BertTokenizerFast(vocab_file=str(place / "vocab.txt")).save_pretrained(place)
    return place
