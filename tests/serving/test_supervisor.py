"""The one who watches a server: by a clock of the test's own, with servers that end when the test says so."""

import itertools

import pytest

from backend.serving.status import ServerState, ServerStatus
from backend.serving.supervisor import Patience, Supervisor

PATIENCE = Patience(start_s=100, look_s=1, look_ready_s=5, misses=3, first_s=1, longest_s=8, deaths=6, steady_s=60)


class Run:
    """A server of the test."""

    def __init__(self) -> None:
        self.status: int | None = None
        self.words = ""
        self.stopped = False

    def ended(self) -> int | None:
        return self.status

    def stop(self) -> None:
        self.stopped = True

    def last_words(self) -> str:
        return self.words


class World:
    """Time, servers and what was told."""

    def __init__(self, patience: Patience = PATIENCE) -> None:
        self.now = 0.0
        self.healthy = True
        self.runs: list[Run] = []
        self.reported: list[ServerStatus] = []
        self.supervisor = Supervisor(
            model="m",
            url="http://127.0.0.1:1/v1",
            start=self._start,
            healthy=lambda: self.healthy,
            report=self.reported.append,
            clock=lambda: self.now,
            wall=lambda: 1_000 + self.now,
            patience=patience,
        )

    def _start(self) -> Run:
        self.runs.append(Run())
        return self.runs[-1]

    def until(self, second: float) -> ServerStatus:
        """Steps once a second, up to and with this one."""
        while self.now < second:
            self.now += 1
            self.supervisor.step()
        return self.supervisor.step()

    @property
    def states(self) -> list[ServerState]:
        return [status.state for status in self.reported]


def test_it_starts_and_becomes_ready_when_the_server_says_so() -> None:
    world = World()
    world.healthy = False
    assert world.until(30).state == ServerState.STARTING
    assert world.supervisor.status.since == 1_001  # of the epoch: the first step is in second 1
    world.healthy = True
    assert world.until(31).state == ServerState.READY
    assert world.states == [ServerState.STARTING, ServerState.READY]
    assert len(world.runs) == 1


def test_a_server_that_dies_is_started_again_after_a_wait_that_doubles() -> None:
    world = World()
    world.healthy = False
    started = []
    for _ in range(5):
        before = len(world.runs)
        while len(world.runs) == before:
            world.until(world.now + 1)
        started.append(world.now)
        world.runs[-1].status = 1
        world.supervisor.step()  # it is seen to have died in the second in which it was started
    # the first start is at once (seen in the first second); then the waits 1, 2, 4 and 8 s
    assert [later - earlier for earlier, later in itertools.pairwise(started)] == [1, 2, 4, 8]


def test_the_wait_has_a_longest() -> None:
    world = World(PATIENCE._replace(deaths=50))
    world.healthy = False
    for _ in range(20):
        count = len(world.runs)
        start = world.now
        while len(world.runs) == count:
            world.until(world.now + 1)
        assert world.now - start <= 8
        world.runs[-1].status = 1
        world.supervisor.step()


def test_after_so_many_deaths_it_is_given_up_and_the_reason_told() -> None:
    world = World(PATIENCE._replace(deaths=3))
    world.healthy = False
    for _ in range(200):
        world.until(world.now + 1)
        world.runs[-1].status = -9
    assert len(world.runs) == 3
    status = world.supervisor.status
    assert status.state == ServerState.FAILED
    assert status.deaths == 3
    assert "3 times" in status.reason
    assert "SIGKILL" in status.reason


def test_what_would_fail_again_is_not_tried_again() -> None:
    world = World()
    world.healthy = False
    world.until(1)
    world.runs[-1].words = "ValueError: No available memory for the cache blocks. Try increasing"
    world.runs[-1].status = 1
    world.until(100)
    assert len(world.runs) == 1
    assert world.supervisor.status.state == ServerState.FAILED
    assert "LEAPNOTE_VLLM_MAX_MODEL_LEN" in world.supervisor.status.reason


def test_memory_that_runs_out_in_the_midst_of_work_is_a_reason_to_start_again() -> None:
    world = World()
    world.until(3)
    world.runs[-1].words = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB"
    world.runs[-1].status = 1
    assert world.until(10).state == ServerState.READY
    assert len(world.runs) == 2


def test_a_server_that_never_gets_ready_is_ended() -> None:
    world = World()
    world.healthy = False
    world.until(100)
    assert not world.runs[-1].stopped
    world.until(103)
    assert world.runs[-1].stopped
    assert world.supervisor.status.state == ServerState.FAILED
    assert "not ready after 100 s" in world.supervisor.status.reason


def test_a_server_that_falls_silent_is_ended_and_started_again() -> None:
    world = World()
    world.until(10)
    world.healthy = False
    # looks are 5 s apart and 3 in a row must fail: within 15 s, and one second until the next start
    world.until(26)
    assert world.runs[0].stopped
    assert len(world.runs) == 2
    assert any("did not answer for 15 s" in status.reason for status in world.reported)


def test_two_looks_that_fail_are_forgiven() -> None:
    world = World()
    world.until(10)
    for _ in range(10):
        world.healthy = False
        world.until(world.now + 9)  # one or two looks
        world.healthy = True
        world.until(world.now + 6)
    assert len(world.runs) == 1
    assert world.supervisor.status.state == ServerState.READY


@pytest.mark.parametrize(("lived", "counted"), [(50, 2), (70, 1)])
def test_deaths_long_ago_are_forgotten(lived: int, counted: int) -> None:
    world = World()
    world.until(2)
    world.runs[-1].status = 1
    world.until(5)  # ready again
    world.until(5 + lived)
    world.runs[-1].status = 1
    world.supervisor.step()
    assert world.supervisor.status.deaths == counted  # steady_s is 60


def test_a_stopped_server_stays_so() -> None:
    world = World()
    world.until(5)
    world.supervisor.stop()
    assert world.runs[-1].stopped
    assert world.until(500).state == ServerState.STOPPED
    assert len(world.runs) == 1


def test_one_that_waits_can_be_stopped() -> None:
    world = World()
    world.until(5)
    world.runs[-1].status = 1
    world.supervisor.step()
    assert world.supervisor.status.state == ServerState.WAITING
    world.supervisor.stop()
    world.until(500)
    assert len(world.runs) == 1
