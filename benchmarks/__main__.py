"""The experiments behind the tables and figures in docs/: all of them, or those named."""

from __future__ import annotations

import sys
from importlib import import_module

EXPERIMENTS = (
    "advice",
    "aqm",
    "aqm_augmentation",
    "auto",
    "auto_parts",
    "auto_piles",
    "auto_speed",
    "closure",
    "cobras",
    "comparison",
    "coprf_active",
    "coprf_faces",
    "coprf_tables",
    "coprf_variants",
    "doubt",
    "durability",
    "forest_speed",
    "growth",
    "iured",
    "iured_speed",
    "kasp",
    "kmeans_speed",
    "piles",
    "load",
    "million",
    "neighbours",
    "page",
    "page_pictures",
    "propagation",
    "rivals",
    "rivals_speed",
    "robustness",
    "text_features",
    "sgt",
    "second_looks",
    "urasc_table",
)

if __name__ == "__main__":
    unknown = set(sys.argv[1:]) - set(EXPERIMENTS)
    if unknown:
        sys.exit(f"there is no experiment {sorted(unknown)[0]!r}; there are {EXPERIMENTS}")
    for name in sys.argv[1:] or EXPERIMENTS:
        sys.stderr.write(f"{name}\n")
        import_module(f"benchmarks.{name}").main()
