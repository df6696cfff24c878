"""Whether a change of the code changes any study: record before it, compare after it.

    python -m benchmarks.golden_studies record before.json
    python -m benchmarks.golden_studies compare before.json

Every method answers 40 questions about three data sets, the number of groups known and unknown,
kept in SQLite or as JSON lines, with an "unsure", a retraction and a reopening on the way; so does
every method for costly similarities. Questions, forecasts, labels, confidence and journals are
compared bit for bit. Recordings hold on the machine that made them: another linear algebra library
rounds otherwise.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed

import likewise as lw

N_ANSWERS = 40
DATA = ("iris", "wine", "digits")
SIMILARITY_METHODS = ("iu-red", "s-and-t", "random")


def data(name: str) -> tuple[Any, Any]:
    """Return at most 240 items of a data set that comes with scikit-learn."""
    X, y = lw.datasets.load(name)
    rows = np.random.default_rng(0).permutation(len(X))[:240]
    return X[rows], y[rows]


def digest(array: Any) -> str:
    """Return a short name for the exact bytes of an array."""
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()[:16]


def journal(path: Path) -> str:
    """Return a short name for all that a journal says but when it was said."""
    if path.suffix == ".jsonl":
        records = [json.loads(line) for line in path.read_text().splitlines()]
    else:
        import sqlite3

        with sqlite3.connect(path) as connection:
            connection.row_factory = sqlite3.Row
            rows = connection.execute("select * from events order by position")
            dropped = ("study_id", "token")
            records = [{k: row[k] for k in row.keys() if k not in dropped} for row in rows]  # noqa: SIM118
    for record in records:
        record.pop("when", None)
    text = json.dumps(records, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def answers(method: str, name: str, known: bool, ending: str) -> dict[str, Any]:
    """Return what a study of same or different asks and finds."""
    X, y = data(name)
    if method == "asc":
        keep = y < 2
        X, y = X[keep], y[keep]
    k = len(set(y.tolist())) if known else None
    asked: list[Any] = []
    found: list[Any] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"study.likewise.{ending}"
        study = lw.Study(X, method=method, n_clusters=k, random_state=3, store=path)
        for n in range(N_ANSWERS):
            question = study.ask()
            if question is None:
                break
            i, j = question.pair
            asked.append([int(i), int(j), question.same_probability.hex()])
            if n == 7:
                study.tell(question, "unsure")
            else:
                study.tell(question, bool(y[i] == y[j]), who="ada", seconds=1.5)
            if n == 11:
                study.undo()
            if n == 20:
                study = lw.Study.open(path, X)
            if n % 10 == 9:
                found.append([digest(study.labels_), digest(study.confidence_)])
        more = [[int(q.pair.i), int(q.pair.j)] for q in study.ask(3)]
        return {"asked": asked, "found": found, "batch": more, "journal": journal(path)}


def similarities(method: str, interleave: bool, repeats: int, k: int) -> dict[str, Any]:
    """Return what a study of costly similarities asks and finds."""
    X, _ = lw.datasets.load("iris")
    X = X[::3]
    W = np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=2))
    asked: list[Any] = []
    found: list[Any] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"study.likewise.{'db' if interleave else 'jsonl'}"
        settings: Any = {"method": method, "interleave": interleave, "max_repeats": repeats}
        study = lw.SimilarityStudy(len(X), n_clusters=k, random_state=3, store=path, **settings)
        for n in range(2 * N_ANSWERS):
            pair = study.ask()
            if pair is None:
                break
            asked.append([int(p) for p in pair])
            if n == 7:
                study.unavailable(pair)
            else:
                study.tell(pair, float(W[pair]))
            if n == 11:
                study.undo()
            if n == 20:
                study = lw.SimilarityStudy.open(path)
            if n % 10 == 9:
                found.append([digest(study.labels_), digest(study.confidence_)])
        return {"asked": asked, "found": found, "journal": journal(path)}


def recorded() -> dict[str, Any]:
    """Return all studies, by a name that says how each was made."""
    jobs: dict[str, Any] = {}
    for method in sorted(lw.METHODS):
        for at, name in enumerate(DATA):
            for known in (False, True):
                ending = ("db", "jsonl")[(at + known) % 2]
                key = f"{method} {name} {'k known' if known else 'k unknown'} {ending}"
                jobs[key] = delayed(answers)(method, name, known, ending)
    for method in SIMILARITY_METHODS:
        for interleave in (False, True):
            for repeats, k in ((1, 2), (2, 3)):
                key = f"similarity {method} {interleave=} {repeats=} {k=}"
                jobs[key] = delayed(similarities)(method, interleave, repeats, k)
    done = Parallel(n_jobs=2, verbose=5)(jobs.values())
    return dict(zip(jobs, done, strict=True))


def main() -> None:
    """Record studies, or compare them with a recording."""
    what, path = sys.argv[1], Path(sys.argv[2])
    now = recorded()
    if what == "record":
        path.write_text(json.dumps(now, indent=1))
        return
    before = json.loads(path.read_text())
    now = json.loads(json.dumps(now))
    differing = [key for key in before if now.get(key) != before[key]]
    sys.stdout.write(f"{len(before) - len(differing)} of {len(before)} studies are equal\n")
    for key in differing:
        sys.stdout.write(f"  {key}\n")
    sys.exit(bool(differing))


if __name__ == "__main__":
    main()
