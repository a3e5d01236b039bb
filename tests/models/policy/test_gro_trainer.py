"""A training run: the same weights whether it is broken or not, by itself or over two processes, and nothing it cannot read."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch

from models.policy.concept_step.concept_training import fit_concept_step
from models.policy.concept_step.similar_notes import left_out
from models.policy.gro import GROSettings
from models.policy.gro_trainer import Trainer
from models.policy.network import PolicyNetwork
from models.policy.rollouts import Example, Forest, RewardSettings
from models.policy.walking.environment import Environment, observation_width
from models.policy.walking.walk_settings import LEAPNOTE
from tests.models.world import random_world

SETTINGS = GROSettings(epochs=5, batch=4, rollouts=4, learning_rate=1e-3, patience=99)
SCRIPT = """
import sys
from pathlib import Path
from tests.models.policy.test_gro_trainer import trainer
made = trainer(Path(sys.argv[1]), learned=True)
made.fit(lambda done, total, told: print(done, flush=True))
"""


def examples(seed: int, count: int) -> list[Example]:
    rng = np.random.default_rng(seed)
    made = []
    for i in range(count):
        keywords = rng.choice(120, 4, replace=False).astype(np.int32)
        made.append(Example(f"{seed}-{i}", keywords, np.sort(rng.choice(40, 9, replace=False)).astype(np.int32)))
    return made


def trainer(folder: Path, learned: bool = False, epochs: int = SETTINGS.epochs) -> Trainer:
    graph, vectors = random_world(1)
    train, held = examples(0, 10), examples(1, 4)
    forests = [
        Forest(Environment(graph, LEAPNOTE), vectors, part, RewardSettings(), left_out=without)
        for part, without in ((train, left_out(train)), (held, None))
    ]
    fit = (lambda policy: fit_concept_step(train, graph, vectors, LEAPNOTE, 0, policy=policy)) if learned else None
    settings = SETTINGS._replace(epochs=epochs)
    return Trainer(
        PolicyNetwork(8, outlook_width=observation_width(LEAPNOTE)),
        *forests,
        settings,
        folder,
        fit,
        2 if learned else 0,
        save_every_s=0.0,
    )


def same(a: Trainer, b: Trainer) -> bool:
    parts = zip(a.network.state_dict().values(), b.network.state_dict().values(), strict=True)
    return all(torch.equal(x, y) for x, y in parts)


@pytest.mark.parametrize("learned", [False, True])
def test_a_run_that_stops_and_goes_on_ends_with_the_same_weights(tmp_path: Path, learned: bool) -> None:
    whole = trainer(tmp_path / "whole", learned)
    assert whole.fit()
    broken = trainer(tmp_path / "broken", learned)
    assert not broken.fit(stop=lambda: len(broken.history) == 3)
    resumed = trainer(tmp_path / "broken", learned)
    assert resumed.fit()
    assert [line.reward for line in resumed.history] == [line.reward for line in whole.history]
    assert same(whole, resumed)
    if learned:
        assert whole.step is not None and resumed.step is not None
        np.testing.assert_array_equal(whole.step.weights.base, resumed.step.weights.base)


def test_a_run_that_is_killed_goes_on_with_the_same_weights(tmp_path: Path) -> None:
    whole = trainer(tmp_path / "whole", learned=True)
    whole.fit()
    command = [sys.executable, "-c", SCRIPT, str(tmp_path / "killed")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        for line in run.stdout:
            if int(line) >= 2:
                run.send_signal(signal.SIGKILL)
                break
    resumed = trainer(tmp_path / "killed", learned=True)
    resumed.fit()
    assert same(whole, resumed)


def test_the_best_epoch_is_kept_and_patience_ends_the_run(tmp_path: Path) -> None:
    made = trainer(tmp_path, epochs=40)
    made.settings = made.settings._replace(patience=2)
    assert made.fit()
    best = max(range(len(made.history)), key=lambda i: (made.history[i].validation_reward, -i))
    assert made.best_epoch == best
    assert len(made.history) in (best + 3, 40)


DISTRIBUTED = """
import os, sys
from pathlib import Path
import torch
torch.distributed.init_process_group("gloo")
from models.policy.gro_trainer import Processes
from tests.models.policy.test_gro_trainer import examples, SETTINGS
from tests.models.world import random_world
from models.policy.walking.environment import Environment, observation_width
from models.policy.gro_trainer import Trainer
from models.policy.network import PolicyNetwork
from models.policy.rollouts import Forest, RewardSettings
from models.policy.walking.walk_settings import LEAPNOTE
graph, vectors = random_world(1)
forests = [Forest(Environment(graph, LEAPNOTE), vectors, examples(s, n), RewardSettings()) for s, n in ((0, 10), (1, 4))]
rank = int(os.environ["RANK"])
made = Trainer(PolicyNetwork(8, outlook_width=observation_width(LEAPNOTE)), *forests, SETTINGS._replace(epochs=2), Path(sys.argv[1]), processes=Processes(rank, 2))
made.fit()
torch.save(made.network.state_dict(), Path(sys.argv[1]) / f"rank{rank}.pt")
"""


def test_two_processes_train_the_same_network_as_one(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    (tmp_path / "run").mkdir()
    runs = []
    for rank in range(2):
        variables = {"RANK": str(rank), "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
        environment = {**os.environ, **variables, "OMP_NUM_THREADS": "1"}
        runs.append(subprocess.Popen([sys.executable, "-c", DISTRIBUTED, str(tmp_path / "run")], env=environment))
    deadline = time.monotonic() + 120
    for run in runs:
        assert run.wait(timeout=deadline - time.monotonic()) == 0
    first, second = (torch.load(tmp_path / "run" / f"rank{rank}.pt", weights_only=True) for rank in range(2))
    graph, vectors = random_world(1)
    parts = [examples(0, 10), examples(1, 4)]
    forests = [Forest(Environment(graph, LEAPNOTE), vectors, part, RewardSettings()) for part in parts]
    alone = Trainer(
        PolicyNetwork(8, outlook_width=observation_width(LEAPNOTE)),
        *forests,
        SETTINGS._replace(epochs=2),
        tmp_path / "alone",
    )
    alone.fit()
    for name, part in alone.network.state_dict().items():
        assert torch.equal(first[name], second[name])
        # sums run in another order over two processes
        torch.testing.assert_close(first[name], part, atol=2e-4, rtol=1e-3)
