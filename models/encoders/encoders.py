"""The encoder that the setting LEAPNOTE_ENCODER names."""

from backend.interfaces import Encoder, EncoderFactory
from backend.registry import ENCODERS
from models.encoders.sentence_encoder import SentenceEncoder


def make_encoder(setting: str) -> Encoder:
    """The encoder of a setting.

    Args:
        setting: a registered name ("minilm"), one with a folder to load it from ("sapbert:FOLDER"; that of medcpt holds
            article-encoder and query-encoder), a folder with a sentence-transformers model, or a hub name.

    Returns:
        The encoder, whose weights may still have to be loaded. What cannot be loaded raises MissingError.
    """
    name, _, folder = setting.partition(":")
    if name in ENCODERS.names():
        factory: EncoderFactory = ENCODERS.get(name).value
        return factory(folder)
    return SentenceEncoder(setting)
