"""Runs dedupe on a table: `python run_dedupe.py TABLE.csv 25,50,100`; prints labels as JSON.

The truth in the column `label` answers; what dedupe is unsure of is asked, as its users are.
"""
# mypy: disable-error-code="import-not-found, import-untyped"

from __future__ import annotations

import io
import json
import random
import sys
from typing import Any


def main() -> None:
    """Answer what is asked; train and group after each number of answers."""
    import dedupe
    import numpy as np
    import pandas as pd
    from dedupe import variables

    random.seed(0)
    np.random.seed(0)  # noqa: NPY002 - dedupe draws from the global generators
    table = pd.read_csv(sys.argv[1], dtype=str)
    checkpoints = [int(part) for part in sys.argv[2].split(",")]
    truth = table.pop("label").tolist()
    columns = list(table.columns)
    data: dict[int, dict[str, Any]] = {
        k: {c: (row[c].lower().strip() if isinstance(row[c], str) else None) for c in columns}
        for k, row in enumerate(table.to_dict("records"))
    }
    position = {id(row): k for k, row in data.items()}

    def new() -> Any:
        # With variables of its own: they hold the index, which is dropped when groups are made.
        fields = [variables.String(name, has_missing=True) for name in columns]
        return dedupe.Dedupe(fields, num_cores=1)

    linker = new()
    linker.prepare_training(data)
    found: dict[str, list[int]] = {}
    for asked in range(max(checkpoints) + 1):
        if asked in checkpoints:
            # Another one is trained: what was trained has no more questions.
            answered = io.StringIO()
            linker.write_training(answered)
            answered.seek(0)
            found[str(asked)] = _groups(new(), data, answered)
        ((one, other),) = linker.uncertain_pairs()
        i, j = position[id(one)], position[id(other)]
        kind = "match" if truth[i] == truth[j] else "distinct"
        linker.mark_pairs({"match": [], "distinct": [], kind: [(one, other)]})
    sys.stdout.write(json.dumps(found))


def _groups(linker: Any, data: dict[int, dict[str, Any]], answered: io.StringIO) -> list[int]:
    labels = list(range(len(data)))
    try:
        linker.prepare_training(data, training_file=answered)
        linker.train()
        for number, (members, _) in enumerate(linker.partition(data, 0.5)):
            for member in members:
                labels[member] = len(data) + number
    except ValueError as error:  # too few of a kind to train on: nothing is put together
        sys.stderr.write(f"{error}\n")
    return labels


if __name__ == "__main__":
    main()
