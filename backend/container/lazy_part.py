"""Parts that are built when first asked for, once, whichever thread asks first."""

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

Part = TypeVar("Part")
_LOCKS = "_locks_of_lazy_parts"


class lazy_part(Generic[Part]):
    """A method without arguments as an attribute that is built once an instance.

    `functools.cached_property` builds twice where two threads ask at once (Python 3.12), or has one lock for all instances
    (3.11). Here each instance has one lock a part, so that parts of one instance are built side by side. A build that
    fails leaves nothing behind, and is tried again by whoever asks next. The value lies in the instance's `__dict__`.

    Args:
        build: the method; parts that it asks for of other objects must not ask for this one.
    """

    def __init__(self, build: Callable[[Any], Part]) -> None:
        self._build = build
        self._name = build.__name__
        self.__doc__ = build.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> "lazy_part[Part]": ...

    @overload
    def __get__(self, instance: object, owner: type | None = None) -> Part: ...

    def __get__(self, instance: object | None, owner: type | None = None) -> "lazy_part[Part] | Part":
        if instance is None:
            return self
        held = vars(instance)
        # dict.setdefault is one step for all threads
        locks: dict[str, threading.RLock] = held.setdefault(_LOCKS, {})
        with locks.setdefault(self._name, threading.RLock()):
            if self._name not in held:
                held[self._name] = self._build(instance)
        part: Part = held[self._name]
        return part


def is_built(instance: object, name: str) -> bool:
    """Whether a lazy part of an instance has been built."""
    return name in vars(instance)
