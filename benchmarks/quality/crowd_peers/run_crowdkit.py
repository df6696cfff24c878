"""Runs crowd-kit's Dawid-Skene: reads lines of votes as JSON, answers each with labels by task."""
# mypy: disable-error-code="import-not-found, import-untyped"

from __future__ import annotations

import json
import sys


def main() -> None:
    """Answer until nothing more comes."""
    import pandas as pd
    from crowdkit.aggregation import DawidSkene

    for line in sys.stdin:
        votes = pd.DataFrame(json.loads(line), columns=["task", "worker", "label"])
        labels = DawidSkene(n_iter=50).fit_predict(votes)
        sys.stdout.write(json.dumps({str(task): str(label) for task, label in labels.items()}))
        sys.stdout.write("\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
