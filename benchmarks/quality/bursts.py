"""How often photographs of a burst are told to look alike, and how often different ones are.

Run with `python -m benchmarks bursts`; LIKEWISE_DATA names the folder with `images/<pile>/<kind>/`.
No camera's own bursts were at hand, so they are made: two looks at one photograph, each moved,
turned, enlarged and lit a little otherwise, as a hand and a lens do within a second. Beside them
all pairs of different photographs of the same pile, of one kind or not. The measure and its limit
were chosen on these piles.
"""

from __future__ import annotations

import os
from itertools import combinations
from pathlib import Path

import numpy as np
from PIL import Image, ImageEnhance

from benchmarks.rows import show_progress
from benchmarks.tables import markdown, write_table
from likewise.bench.provenance import commit
from likewise.features.pictures.bursts import ALIKE, Small, likeness, small_picture

MOST = 100  # photographs of a pile
HANDS = {"steady": 0.02, "unsteady": 0.04}  # share of the picture by which it moves
_SUFFIXES = (".jpg", ".jpeg", ".png")


def look(photograph: Image.Image, moved: float, rng: np.random.Generator) -> Small:
    """Return a photograph as it is seen a moment later."""
    turned = photograph.rotate(50 * moved * rng.uniform(-1, 1), Image.Resampling.BILINEAR)
    width, height = photograph.size
    share = rng.uniform(0.9 - moved / 2, 0.9 + moved / 2)
    left, top = (side * ((1 - share) / 2 + moved * rng.uniform(-1, 1)) for side in (width, height))
    seen = turned.crop((int(left), int(top), int(left + share * width), int(top + share * height)))
    return small_picture(ImageEnhance.Brightness(seen).enhance(1 + 2 * moved * rng.uniform(-1, 1)))


def measured(files: list[Path], moved: float, seed: int) -> tuple[float, float]:
    """Return which share of bursts, and of different photographs, is told to look alike."""
    rng = np.random.default_rng(seed)
    chosen = [files[k] for k in rng.permutation(len(files))[:MOST]]
    photographs = [Image.open(file).convert("RGB") for file in chosen]
    first, second = ([look(one, moved, rng) for one in photographs] for _ in range(2))
    bursts = [likeness(a, b) >= ALIKE for a, b in zip(first, second, strict=True)]
    others = [likeness(a, b) >= ALIKE for a, b in combinations(first, 2)]
    return float(np.mean(bursts)), float(np.mean(others))


def main() -> None:
    """Measure every pile of pictures and write the table."""
    folder = Path(os.environ["LIKEWISE_DATA"]) / "images"
    rows = []
    for pile in sorted(path for path in folder.iterdir() if path.is_dir()):
        files = sorted(one for one in pile.rglob("*") if one.suffix.lower() in _SUFFIXES)
        cells = []
        for moved in HANDS.values():
            alike, wrong = measured(files, moved, seed=0)
            cells += [f"{alike:.3f}", f"{wrong:.4f}"]
            show_progress()
        rows.append([pile.name, *cells, commit()])
    header = ["pile"]
    for hand in HANDS:
        header += [f"{hand} hand: of a burst", "different ones"]
    write_table("bursts", markdown([*header, "commit"], rows))


if __name__ == "__main__":
    main()
