"""Models in the ONNX format: the file is opened by onnxruntime, or refused in a sentence."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from likewise.errors import DataError, MissingExtra


def open_session(path: Path) -> Any:
    """Load an ONNX file into onnxruntime, on the processor and on one thread per call.

    Raises
    ------
    MissingExtra
        If onnxruntime is not installed.
    DataError
        If the file is not there, or is nothing that onnxruntime can run.
    """
    try:
        import onnxruntime
    except ImportError as error:
        raise MissingExtra(
            f"the model {str(path)!r} needs onnxruntime; install it with pip install onnxruntime, "
            "or leave --model out"
        ) from error
    if not path.is_file():
        raise DataError(f"there is no file {path}; check the name")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # what goes wrong is raised as well
    try:
        return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # its errors have no common class of their own
        reason = next(iter(str(error).strip().splitlines()), type(error).__name__)
        raise DataError(
            f"{path} cannot be run: it is damaged, no ONNX model, or needs parts that onnxruntime "
            f"lacks ({reason})"
        ) from error


def described(tensors: Iterable[Any]) -> str:
    """Describe the inputs or outputs of a model.

    >>> from types import SimpleNamespace
    >>> described([SimpleNamespace(name="x", type="tensor(float)", shape=["n", 3])])
    'x (float, n × 3)'
    """
    found = [f"{one.name} ({one.type[7:-1]}, {' × '.join(map(str, one.shape))})" for one in tensors]
    return ", ".join(found) or "nothing"
