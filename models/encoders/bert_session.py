"""A BERT that onnxruntime runs, from the folder transformers keeps it in: its graph is written here, no exporter is needed.

It takes a tenth of a second to be ready, where importing torch and transformers takes several, and gives the same
vectors. The graph is an ONNX ModelProto in the protobuf wire format; its field numbers are those of onnx.proto3. The
fused operators are onnxruntime's own (domain com.microsoft).
"""

import json
import os
import struct
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

FUSED = "com.microsoft"
FLOAT, INT32 = 1, 6  # TensorProto.DataType
IR_VERSION, OPSET = 10, 20
HIDDEN = "hidden"


class BertShape(NamedTuple):
    """What of a model's config.json shapes the graph. epsilon: of its layer normalisations."""

    layers: int
    heads: int
    width: int
    epsilon: float


class BertSession:
    """One model, ready to run. Threads share it, but two runs at once fight over the cores.

    Args:
        folder: holds config.json and model.safetensors in float32, as transformers' BertModel writes them.
        threads: how many work on one run; 0 takes every core this process may use.

    Raises:
        ValueError: config.json names another architecture, or the weights are not float32.
    """

    def __init__(self, folder: Path, threads: int = 0) -> None:
        import onnxruntime  # type: ignore[import-untyped]

        self.shape = read_shape(folder)
        weights = read_safetensors(folder / "model.safetensors")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads or _cores()
        options.log_severity_level = 3
        options.enable_cpu_mem_arena = False  # it would keep the largest batch's memory for good
        # threads that wait by spinning slow each other down tenfold where other programs use the cores too
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        graph = _Graph()
        model = graph.bert(weights, self.shape)
        # as views of the mapped file: what the session reads as it lies takes no memory of its own
        values = [onnxruntime.OrtValue.ortvalue_from_numpy(array) for array in graph.held.values()]
        options.add_external_initializers(list(graph.held), values)
        self._session: Any = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def run(self, ids: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """The last layer's states.

        Args:
            ids: (texts, tokens) int32.
            mask: the same shape, int32; 1 for a token, 0 for padding, which stands at the end.

        Returns:
            (texts, tokens, width) float32.
        """
        given = {"ids": ids, "segments": np.zeros_like(ids), "mask": mask}
        return np.asarray(self._session.run([HIDDEN], given)[0])


def read_shape(folder: Path) -> BertShape:
    """What config.json says.

    Raises:
        ValueError: the model is no BERT with the exact GELU and absolute positions, which the graph is written for.
    """
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    known = (config["model_type"], config["hidden_act"], config.get("position_embedding_type", "absolute"))
    if known != ("bert", "gelu", "absolute"):
        raise ValueError(f"The model is {', '.join(known)}; only bert with gelu and absolute positions can be run here")
    return BertShape(
        config["num_hidden_layers"], config["num_attention_heads"], config["hidden_size"], config["layer_norm_eps"]
    )


def read_safetensors(path: Path) -> dict[str, np.ndarray]:
    """The float32 arrays of a file by name, as views of the file, which is mapped and not read.

    Format: 8 bytes of length, a JSON header of that length, then the arrays.
    """
    raw = np.memmap(path, dtype=np.uint8, mode="r")
    length = int.from_bytes(raw[:8].tobytes(), "little")
    header = json.loads(raw[8 : 8 + length].tobytes())
    found = {}
    for name, one in header.items():
        if name != "__metadata__" and one["dtype"] == "F32":
            start, end = (8 + length + offset for offset in one["data_offsets"])
            found[name] = np.asarray(raw[start:end]).view(np.float32).reshape(one["shape"])
    return found


class _Graph:
    """The nodes of a graph as they are added, and the arrays they hold, by name."""

    def __init__(self) -> None:
        self.held: dict[str, np.ndarray] = {}
        self._parts: list[bytes] = []

    def bert(self, weights: dict[str, np.ndarray], shape: BertShape) -> bytes:
        """The model's bytes; the arrays stand in `held` and are handed over beside it."""

        def hold(name: str, array: np.ndarray | None = None) -> str:
            self.held[name] = np.ascontiguousarray(weights[name] if array is None else array)
            return name

        def matrix(name: str) -> str:
            return hold(f"{name}.weight", weights[f"{name}.weight"].T)

        def norm(name: str) -> list[str]:
            return [hold(f"{name}.weight"), hold(f"{name}.bias")]

        tables = [hold(f"embeddings.{kind}_embeddings.weight") for kind in ("word", "position", "token_type")]
        given = ["ids", "segments", *tables, *norm("embeddings.LayerNorm")]
        state = self._node("EmbedLayerNormalization", given, "start", epsilon=shape.epsilon, beside="lengths")
        for number in range(shape.layers):
            layer = f"encoder.layer.{number}"
            parts = [f"{layer}.attention.self.{part}" for part in ("query", "key", "value")]
            projected = [self._node("MatMul", [state, matrix(part)], part) for part in parts]
            biases = hold(f"{layer}.biases", np.concatenate([weights[f"{part}.bias"] for part in parts]))
            attended = self._node(
                "MultiHeadAttention", [*projected, biases, "mask"], f"{layer}.attended", num_heads=shape.heads
            )
            dense = f"{layer}.attention.output.dense"
            joined = self._node("MatMul", [attended, matrix(dense)], f"{layer}.joined")
            added = [state, joined, *norm(f"{layer}.attention.output.LayerNorm"), hold(f"{dense}.bias")]
            state = self._node("SkipLayerNormalization", added, f"{layer}.middle", epsilon=shape.epsilon)
            dense = f"{layer}.intermediate.dense"
            wide = self._node("MatMul", [state, matrix(dense)], f"{layer}.wide")
            active = self._node("BiasGelu", [wide, hold(f"{dense}.bias")], f"{layer}.active")
            dense = f"{layer}.output.dense"
            narrow = self._node("MatMul", [active, matrix(dense)], f"{layer}.narrow")
            added = [state, narrow, *norm(f"{layer}.output.LayerNorm"), hold(f"{dense}.bias")]
            last = number == shape.layers - 1
            state = self._node(
                "SkipLayerNormalization", added, HIDDEN if last else f"{layer}.end", epsilon=shape.epsilon
            )
        graph = b"".join(self._parts) + _bytes(2, "bert")
        graph += b"".join(_bytes(5, _outside(name, array)) for name, array in self.held.items())
        graph += b"".join(_bytes(11, _port(name, INT32, "texts", "tokens")) for name in ("ids", "segments", "mask"))
        graph += _bytes(12, _port(HIDDEN, FLOAT, "texts", "tokens", shape.width))
        operators = _bytes(8, _int(2, OPSET)) + _bytes(8, _bytes(1, FUSED) + _int(2, 1))
        return _int(1, IR_VERSION) + _bytes(7, graph) + operators

    def _node(self, operator: str, inputs: list[str], output: str, beside: str = "", **settings: float) -> str:
        """NodeProto. Gives back the output's name."""
        node = b"".join(_bytes(1, name) for name in inputs)
        node += b"".join(_bytes(2, name) for name in (output, beside) if name) + _bytes(4, operator)
        for name, value in settings.items():  # AttributeProto: an INT or a FLOAT
            kept = (_int(3, value), 2) if isinstance(value, int) else (_tag(2, 5) + struct.pack("<f", value), 1)
            node += _bytes(5, _bytes(1, name) + kept[0] + _int(20, kept[1]))
        self._parts.append(_bytes(1, node + (b"" if operator == "MatMul" else _bytes(7, FUSED))))
        return output


def _outside(name: str, array: np.ndarray) -> bytes:
    """TensorProto of an array that is handed over beside the model."""
    place = _bytes(13, _bytes(1, "location") + _bytes(2, "beside")) + _int(14, 1)
    return b"".join(_int(1, size) for size in array.shape) + _int(2, FLOAT) + _bytes(8, name) + place


def _port(name: str, kind: int, *shape: str | int) -> bytes:
    """ValueInfoProto of an input or output; a size by name may be any."""
    sizes = b"".join(_bytes(1, _bytes(2, one) if isinstance(one, str) else _int(1, one)) for one in shape)
    return _bytes(1, name) + _bytes(2, _bytes(1, _int(1, kind) + _bytes(2, sizes)))


def _varint(number: int) -> bytes:
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def _tag(field: int, kind: int) -> bytes:
    return _varint(field << 3 | kind)


def _int(field: int, number: int) -> bytes:
    return _tag(field, 0) + _varint(number)


def _bytes(field: int, content: bytes | str) -> bytes:
    raw = content.encode() if isinstance(content, str) else content
    return _tag(field, 2) + _varint(len(raw)) + raw


def _cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)  # absent on macOS
    return len(affinity(0)) if affinity else os.cpu_count() or 1
