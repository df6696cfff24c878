"""Small models in the ONNX format, written byte by byte: the package onnx is not needed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

FLOAT, INT64 = 1, 7  # element types of the format
Axes = Sequence[int | str]


def write_text_model(path: Path, table: npt.ArrayLike) -> Path:
    """Write a model that looks every token up in a table, (vocabulary, d)."""
    rows = np.asarray(table, dtype=np.float32)
    nodes = [_node("Gather", ["table", "input_ids"], ["last_hidden_state"])]
    inputs = [_tensor(name, INT64, ["n", "t"]) for name in ("input_ids", "attention_mask")]
    output = _tensor("last_hidden_state", FLOAT, ["n", "t", rows.shape[1]])
    path.write_bytes(_model(nodes, inputs, [output], {"table": rows}))
    return path


def write_picture_model(path: Path, side: int | str = "side") -> Path:
    """Write a model whose vector is the mean of each channel."""
    nodes = [
        _node("GlobalAveragePool", ["pixels"], ["means"]),
        _node("Flatten", ["means"], ["vector"]),
    ]
    pixels = _tensor("pixels", FLOAT, ["n", 3, side, side])
    path.write_bytes(_model(nodes, [pixels], [_tensor("vector", FLOAT, ["n", 3])], {}))
    return path


def write_negation(path: Path, kind: int = FLOAT, axes: Axes = ("n", 4)) -> Path:
    """Write a model of no kind that likewise knows: numbers in, their negatives out."""
    tensors = [_tensor(name, kind, axes) for name in ("x", "y")]
    path.write_bytes(_model([_node("Neg", ["x"], ["y"])], tensors[:1], tensors[1:], {}))
    return path


def _model(
    nodes: list[bytes],
    inputs: list[bytes],
    outputs: list[bytes],
    constants: dict[str, npt.NDArray[np.float32]],
) -> bytes:
    graph = b"".join(_field(1, node) for node in nodes) + _field(2, b"graph")
    for name, array in constants.items():
        dims = b"".join(_number(1, n) for n in array.shape)
        content = dims + _number(2, FLOAT) + _field(8, name.encode()) + _field(9, array.tobytes())
        graph += _field(5, content)
    graph += b"".join(_field(11, one) for one in inputs)
    graph += b"".join(_field(12, one) for one in outputs)
    return _number(1, 8) + _field(7, graph) + _field(8, _field(1, b"") + _number(2, 17))


def _node(kind: str, inputs: list[str], outputs: list[str]) -> bytes:
    names = b"".join(_field(1, name.encode()) for name in inputs)
    names += b"".join(_field(2, name.encode()) for name in outputs)
    return names + _field(4, kind.encode())


def _tensor(name: str, kind: int, axes: Axes) -> bytes:
    dims = [_number(1, n) if isinstance(n, int) else _field(2, n.encode()) for n in axes]
    shape = b"".join(_field(1, one) for one in dims)
    return _field(1, name.encode()) + _field(2, _field(1, _number(1, kind) + _field(2, shape)))


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _field(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])
