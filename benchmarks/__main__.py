"""The experiments behind the tables and figures in docs/: all of them, or those named.

    python -m benchmarks                      # everything, as `make bench`
    python -m benchmarks comparison auto      # some
    python -m benchmarks --keep-old auto      # the tables from the rows there are
    python -m benchmarks --quick fuzz         # fewer runs, where an experiment has a quick mode
    python -m benchmarks --minutes 10 aqm     # stop then, tables of what there is; goes on later
    python -m benchmarks --methods auto,a3s auto_piles   # rows of these anew, others as they are
    python -m benchmarks --list               # what there is

Rows are kept in results/; those of other code or other data are computed again, as those are of
which nobody knows, unless they shall be kept.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from time import monotonic, perf_counter

from benchmarks import rows
from benchmarks.catalogue import EXPERIMENTS
from benchmarks.tables import markdown
from likewise.errors import LikewiseError


def main() -> None:
    """Run the experiments that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="all unless said")
    parser.add_argument("--keep-old", action="store_true", help="compute only what is missing")
    parser.add_argument("--quick", action="store_true", help="fewer runs, where that is possible")
    parser.add_argument("--minutes", type=float, help="compute no longer than this")
    parser.add_argument("--methods", metavar="A,B", help="compute rows of these methods alone")
    parser.add_argument("--list", action="store_true", help="print the experiments and end")
    words = parser.parse_args()
    if unknown := sorted(set(words.names) - set(EXPERIMENTS)):
        parser.error(f"there is no experiment {unknown[0]!r}; there are {', '.join(EXPERIMENTS)}")
    if words.list:
        lines = [
            [name, entry.shows, "" if entry.minutes is None else str(entry.minutes)]
            for name, entry in EXPERIMENTS.items()
        ]
        sys.stdout.write(markdown(["experiment", "what it shows", "minutes"], lines))
        return
    rows.keep_old, rows.quick = words.keep_old, words.quick
    rows.methods = frozenset((words.methods or "").split(",")) - {""}
    rows.until = None if words.minutes is None else monotonic() + 60 * words.minutes
    for name in words.names or EXPERIMENTS:
        began = perf_counter()
        sys.stderr.write(f"{name}\n")
        try:
            import_module(EXPERIMENTS[name].module).main()
        except LikewiseError as error:  # a package or data that are not there, say
            parser.exit(2, f"{name}: {error}\n")
        sys.stderr.write(f"{name}: {(perf_counter() - began) / 60:.1f} minutes\n")


if __name__ == "__main__":
    main()
