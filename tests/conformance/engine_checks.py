"""What every language model engine must do: each check takes an engine and fails by an assertion.

They run on every registered engine with servers and models made here, and on real servers under the marker services.
"""

import json
import threading
from concurrent.futures import ThreadPoolExecutor

from backend.errors import EngineError
from backend.interfaces import Engine
from backend.schemas.chat import Finish, Message, Piece, SamplingParams

TALK = (Message("system", "You help."), Message("user", "Mr Secret has chest pain"))
SHAPE = {
    "type": "object",
    "properties": {"answer": {"type": "string", "enum": ["yes", "no"]}},
    "required": ["answer"],
    "additionalProperties": False,
}
DRAWN = SamplingParams(temperature=1.0, seed=40, max_tokens=12)


def says_what_it_is(engine: Engine) -> None:
    assert engine.name and isinstance(engine.name, str)
    assert engine.context > 0
    assert {type(one) for one in engine.abilities} == {bool}


def gives_so_many_replies_by_their_seeds(engine: Engine) -> None:
    replies = engine.chat(TALK, sampling=DRAWN._replace(n=3))
    assert len(replies) == 3
    assert len({reply.text for reply in replies}) > 1
    for place, reply in enumerate(replies):
        assert engine.chat(TALK, sampling=DRAWN._replace(seed=40 + place))[0].text == reply.text


def is_greedy_at_temperature_0(engine: Engine) -> None:
    one, other = (engine.chat(TALK, sampling=SamplingParams(seed=seed, max_tokens=8))[0] for seed in (1, 2))
    assert one.text == other.text != ""


def streams_what_chat_gives(engine: Engine) -> None:
    pieces = list(engine.stream(TALK, sampling=DRAWN))
    wanted = engine.chat(TALK, sampling=DRAWN)[0]
    ended = pieces[-1].ended
    assert ended is not None and pieces[-1].text == ""
    assert [piece.ended for piece in pieces[:-1]] == [None] * (len(pieces) - 1)
    assert "".join(piece.text for piece in pieces) == ended.text == wanted.text
    assert ended.finish is wanted.finish


def follows_a_schema_or_says_that_it_cannot(engine: Engine) -> None:
    most = 200 if engine.abilities.schema else 12
    replies = engine.chat(TALK, sampling=SamplingParams(n=2, temperature=1.0, max_tokens=most), schema=SHAPE)
    assert len(replies) == 2
    if engine.abilities.schema:
        assert all(json.loads(reply.text)["answer"] in ("yes", "no") for reply in replies)


def scores_tokens_or_says_that_it_cannot(engine: Engine) -> None:
    scores = engine.chat(TALK, sampling=SamplingParams(max_tokens=6), scored=True)[0].scores
    assert bool(scores) is engine.abilities.scores
    assert all(score.log_probability <= 0 for score in scores)


def never_counts_too_few_tokens(engine: Engine) -> None:
    usage = engine.chat(TALK, sampling=SamplingParams(max_tokens=1))[0].usage
    if usage is not None:
        assert engine.count_tokens(TALK) >= usage.prompt
    assert engine.count_tokens((*TALK, *TALK)) > engine.count_tokens(TALK) > 0


def ends_when_cancelled(engine: Engine) -> None:
    got: list[Piece] = []
    for piece in engine.stream(
        TALK, sampling=SamplingParams(temperature=1.0, max_tokens=400), cancelled=lambda: bool(got)
    ):
        got.append(piece)
    ended = got[-1].ended
    assert ended is not None and ended.finish is Finish.CANCELLED
    assert ended.text == "".join(piece.text for piece in got)
    assert [one.finish for one in engine.chat(TALK, sampling=DRAWN._replace(n=2), cancelled=lambda: True)] == [
        Finish.CANCELLED
    ] * 2


def frees_its_place_when_a_stream_is_closed(engine: Engine) -> None:
    for _ in range(3):
        stream = engine.stream(TALK, sampling=SamplingParams(temperature=1.0, max_tokens=400))
        next(stream)
        stream.close()  # type: ignore[attr-defined]
    engine.check_queue()
    assert engine.chat(TALK, sampling=SamplingParams(max_tokens=4))


def serves_threads_alike(engine: Engine) -> None:
    wanted = [engine.chat(TALK, sampling=DRAWN._replace(seed=seed))[0].text for seed in range(4)]
    with ThreadPoolExecutor(4) as threads:
        found = threads.map(lambda seed: engine.chat(TALK, sampling=DRAWN._replace(seed=seed))[0].text, range(4))
        assert list(found) == wanted


def can_be_closed_and_used_again(engine: Engine) -> None:
    before = engine.chat(TALK, sampling=SamplingParams(max_tokens=4))
    threads = threading.active_count()
    engine.close()
    assert threading.active_count() <= threads
    assert engine.chat(TALK, sampling=SamplingParams(max_tokens=4)) == before


def fails_as_an_engine(absent: Engine) -> None:
    """absent: its model is nowhere. Told by EngineError, without a word of what was asked."""
    for ask in (lambda: absent.chat(TALK), lambda: list(absent.stream(TALK)), lambda: absent.context):
        try:
            ask()
        except EngineError as error:
            assert "Secret" not in str(error) + repr(error)
        else:
            raise AssertionError("a model that is nowhere answered")


CHECKS = (
    says_what_it_is,
    gives_so_many_replies_by_their_seeds,
    is_greedy_at_temperature_0,
    streams_what_chat_gives,
    follows_a_schema_or_says_that_it_cannot,
    scores_tokens_or_says_that_it_cannot,
    never_counts_too_few_tokens,
    ends_when_cancelled,
    frees_its_place_when_a_stream_is_closed,
    serves_threads_alike,
    can_be_closed_and_used_again,
)
