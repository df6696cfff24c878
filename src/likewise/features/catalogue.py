"""Which feature models there are, what each costs, and how good it is: for `likewise models`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from likewise.features.base import PictureModel, TextModel
from likewise.features.models import plugins
from likewise.features.named import FAMILIES

FIGURES = Path(__file__).with_name("figures.json")  # written by benchmarks; it says which


@dataclass(frozen=True)
class ModelEntry:
    """A model, or a family of models, that can be given to `--model`.

    Parameters
    ----------
    name : str
        What is given; words in capitals are to be filled in.
    serves : str
        "texts", "pictures" or "texts and pictures".
    summary : str
        What it is, in a line.
    install : str
        What to type before it can be used; empty where nothing is missing.
    ms, mb, vote, kmeans, area : float, optional
        Milliseconds per item, megabytes on the disk, and how good it is, where that was measured;
        `figures` says on what.
    """

    name: str
    serves: str
    summary: str
    install: str = ""
    ms: float | None = None
    mb: float | None = None
    vote: float | None = None
    kmeans: float | None = None
    area: float | None = None


_OURS = {
    "texts": {
        "mixed": "words and sentences together, the default",
        "minilm": "what sentences say (English)",
        "wordllama": "what words mean (English)",
        "tf-idf": "which words are used (any language)",
    },
    "pictures": {
        "photographs": "what is on them and how they look, the default",
        "mobilenet": "what is on them",
        "edges-texture-colour": "how they look",
    },
}


def entries() -> list[ModelEntry]:
    """List the models that come with likewise, families by name, and other packages'."""
    ours = [
        ModelEntry(name, serves, summary, **figures()[serves]["models"].get(name, {}))
        for serves, models in _OURS.items()
        for name, summary in models.items()
    ]
    families = [
        ModelEntry(
            f"{family.prefix}:{family.name}",
            family.serves,
            family.summary,
            "" if family.is_installed else f"pip install {family.package}",
        )
        for family in FAMILIES.values()
    ]
    return [*ours, *families, *map(_of_package, plugins)]


@cache
def figures() -> dict[str, Any]:
    """Return what was measured of texts and of pictures: by which command, and on which piles."""
    found: dict[str, Any] = json.loads(FIGURES.read_text())
    return found


def _of_package(name: str) -> ModelEntry:
    """Describe a model of another package; one that cannot be built says so in its line."""
    maker = plugins.get(name)
    assert maker is not None
    try:
        model = maker()
    except Exception as error:  # noqa: BLE001 - whatever went wrong inside, the list goes on
        return ModelEntry(name, "", f"cannot be loaded ({type(error).__name__}: {error})")
    kinds = (("texts", TextModel), ("pictures", PictureModel))
    serves = " and ".join(word for word, kind in kinds if isinstance(model, kind))
    summary = next(iter((type(model).__doc__ or "").strip().splitlines()), "")
    return ModelEntry(name, serves, summary)
