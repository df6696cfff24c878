"""A model in a file of the user's own, in the ONNX format."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.errors import DataError
from likewise.features.named.family import Family, require
from likewise.features.onnx_picture import PictureEncoder
from likewise.features.onnx_text import TextEncoder

_TOKENIZER, _PICTURES = "tokenizer.json", "preprocessor_config.json"


class OnnxFileModel:
    """A model in an ONNX file; fits `TextModel` and `PictureModel`, whichever it turns out to be.

    A model of texts needs the file `tokenizer.json` beside it or in the folder above; for a model
    of pictures `preprocessor_config.json` there may say how colours are scaled.

    Parameters
    ----------
    name : str
        The path of the file.

    Raises
    ------
    DataError
        If there is no such file.
    """

    def __init__(self, name: str) -> None:
        self.path = Path(name)
        if not self.path.is_file():
            raise DataError(f"there is no file {name}; check the name, or leave --model out")
        self.cache_key = f"onnx:{self._digest()}"

    def embed_texts(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return a vector of length one per text; zeros for one without a letter or digit.

        Raises
        ------
        DataError
            If the file is no model of texts, or its tokeniser is missing or damaged.
        """
        return self._text_encoder.encode(texts)

    def embed_pictures(self, pictures: Sequence[Any]) -> npt.NDArray[np.float32]:
        """Return a vector of length one per picture.

        Raises
        ------
        DataError
            If the file is no model of pictures.
        """
        return self._picture_encoder.encode(pictures)

    @cached_property
    def _text_encoder(self) -> TextEncoder:
        return TextEncoder(self.path, self._tokenizer)

    def _tokenizer(self) -> Any:
        tokenizers = require("tokenizers", "tokenizers", str(self.path))
        path = self._beside(_TOKENIZER)
        if path is None:
            raise DataError(
                f"{self.path} needs the tokeniser that it was made with; put its {_TOKENIZER} "
                "into the same folder"
            )
        try:
            return tokenizers.Tokenizer.from_file(str(path))
        except Exception as error:  # tokenizers raises nothing more exact
            raise DataError(f"{path} cannot be read as a tokeniser ({error})") from error

    @cached_property
    def _picture_encoder(self) -> PictureEncoder:
        path = self._beside(_PICTURES)
        if path is None:
            return PictureEncoder(self.path)
        try:
            found = json.loads(path.read_bytes())
            mean, deviation = (
                np.array(found[key], dtype=np.float32).reshape(3)
                for key in ("image_mean", "image_std")
            )
        except (ValueError, KeyError, TypeError) as error:
            raise DataError(
                f"{path} must give image_mean and image_std, three numbers each ({error})"
            ) from error
        return PictureEncoder(self.path, mean, deviation)

    def _beside(self, name: str) -> Path | None:
        places = (self.path.parent / name, self.path.absolute().parent.parent / name)
        return next((place for place in places if place.is_file()), None)

    def _digest(self) -> str:
        """Return a short name for all that the vectors depend on, weights in files beside too."""
        parts = sorted(self.path.parent.glob(f"{self.path.name}*"))
        settings = [found for name in (_TOKENIZER, _PICTURES) if (found := self._beside(name))]
        whole = hashlib.blake2b(digest_size=16)
        for part in (*parts, *settings):
            with part.open("rb") as file:
                whole.update(hashlib.file_digest(file, "blake2b").digest())
        return whole.hexdigest()


FAMILY = Family(
    prefix="onnx",
    build=OnnxFileModel,
    serves="texts and pictures",
    module="onnxruntime",
    package="onnxruntime",
    name="FILE",
    summary="a file of your own; a model of texts needs its tokenizer.json beside it",
)
