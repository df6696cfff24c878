"""Models of texts in the ONNX format, run by onnxruntime: a text becomes one vector."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.errors import DataError
from likewise.features.onnx_session import described, open_session

_FED = ("input_ids", "attention_mask", "token_type_ids")  # what can be given to a model
_MOST_PARTS = 4  # of a long text; more cost time and did not bring like texts nearer
_LONGEST_PART = 128  # tokens, unless the tokeniser says how many its model was made for

Floats = npt.NDArray[np.float32]


class TextEncoder:
    """A model of texts in an ONNX file, and the tokeniser that it was made with.

    A text longer than the model reads at once is cut into parts; its vector is the mean over the
    tokens of the first four of them.

    Parameters
    ----------
    path : Path
        The ONNX file.
    read_tokenizer : callable
        Returns the `tokenizers.Tokenizer`, whose truncation is how many tokens the model reads at
        once; called when the file is known to be a model of texts.

    Raises
    ------
    DataError
        If the file cannot be run, or is a model of another kind.
    """

    def __init__(self, path: Path, read_tokenizer: Callable[[], Any]) -> None:
        self._session = open_session(path)
        self._fed = _inputs(path, self._session)
        self._output = _output(path, self._session)
        self._tokenizer = tokenizer = read_tokenizer()
        truncation = tokenizer.truncation or {"max_length": _LONGEST_PART}
        tokenizer.enable_truncation(truncation["max_length"])
        tokenizer.no_padding()

    def encode(self, texts: Sequence[str]) -> Floats:  # (n, d), rows of length one or zero
        """Return a vector of length one per text; zeros for one without a letter or digit."""
        # Each text alone, so that none depends on those beside it; threads make up for it.
        with ThreadPoolExecutor(os.cpu_count()) as several:
            vectors = np.array(list(several.map(self._encode_one, texts)), dtype=np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.where(lengths > 0, lengths, 1), dtype=np.float32)

    def _encode_one(self, text: str) -> Floats:  # (d,)
        if not any(map(str.isalnum, text)):  # as wide as any other; some models choke on nothing
            return np.zeros_like(self._encode_one("a"))
        whole = self._tokenizer.encode(text)
        parts = [whole, *whole.overflowing][:_MOST_PARTS]
        lengths = [max(len(part.ids), 1) for part in parts]
        return np.average([self._run(part) for part in parts], axis=0, weights=lengths)

    def _run(self, part: Any) -> Floats:  # (d,)
        given = {
            "input_ids": part.ids,
            "attention_mask": part.attention_mask,
            "token_type_ids": part.type_ids,
        }
        feed = {name: np.array([given[name]], dtype=np.int64) for name in self._fed}
        found: Floats = self._session.run([self._output], feed)[0][0]
        return found if found.ndim == 1 else found.sum(axis=0) / max(len(found), 1)


def _inputs(path: Path, session: Any) -> list[str]:
    """Return what the model is fed with; refuse one that does not take tokens."""
    inputs = {one.name: one for one in session.get_inputs()}
    integers = all(one.type == "tensor(int64)" for one in inputs.values())
    if "input_ids" not in inputs or not set(inputs) <= set(_FED) or not integers:
        raise DataError(
            f"{path} is not a model of texts: it takes {described(inputs.values())}, but a model "
            f"of texts takes {', '.join(_FED[:2])} and perhaps {_FED[2]}, all int64"
        )
    return list(inputs)


def _output(path: Path, session: Any) -> str:
    """Return the output that holds vectors; refuse a model that returns anything else."""
    outputs = [one for one in session.get_outputs() if one.type == "tensor(float)"]
    # A vector per text, if there is one, else a vector per token, which are averaged.
    for axes in (2, 3):
        for one in outputs:
            if len(one.shape) == axes:
                return str(one.name)
    raise DataError(
        f"{path} is not a model of texts: it returns {described(session.get_outputs())}, but a "
        "model of texts returns a vector per text or per token"
    )
