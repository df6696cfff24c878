"""`likewise bench`: experiments, papers' tables, reports, speed."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from likewise.cli.console import err, out, progress, say
from likewise.cli.formatting import count, safe

if TYPE_CHECKING:
    import pandas as pd

    from likewise.bench.experiment import Experiment, Task
    from likewise.bench.results import Results
    from likewise.bench.runner import RunPlan

app = typer.Typer(no_args_is_help=True, help="Compare methods on data sets.")

OutOption = Annotated[
    Path | None, typer.Option("--out", metavar="FILE.parquet", help="Where the results go.")
]
JobsOption = Annotated[int, typer.Option(help="Runs at a time; -1 for one per core.")]
DaskOption = Annotated[
    str | None, typer.Option(metavar="tcp://…", help="A dask scheduler whose workers do the work.")
]
QuickOption = Annotated[
    bool, typer.Option("--quick", help="The shorter version, for a first look.")
]
ForceOption = Annotated[bool, typer.Option("--force", help="Run everything again.")]
KeepOldOption = Annotated[
    bool,
    typer.Option(
        "--keep-old", help="Run only what is missing: keep rows of other code or other data."
    ),
]


@app.command()
def run(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="What to run.")],
    to: OutOption = None,
    jobs: JobsOption = -1,
    dask: DaskOption = None,
    quick: QuickOption = False,
    force: ForceOption = False,
    keep_old: KeepOldOption = False,
) -> None:
    """Carry out an experiment; interrupted, the same command goes on where it stopped."""
    from likewise.bench.experiment import Experiment
    from likewise.bench.results import Results

    experiment = Experiment.read(file, quick=quick)
    results = Results(to or file.with_name(f"{experiment.name}.parquet"))
    _carry_out(experiment, results, jobs, dask, force=force, keep_old=keep_old)
    _exit_if_all_failed(experiment, results)


@app.command()
def paper(
    name: Annotated[str, typer.Argument(help="Which paper; for instance urasc.")],
    quick: QuickOption = False,
    to: OutOption = None,
    jobs: JobsOption = -1,
    dask: DaskOption = None,
    force: ForceOption = False,
    keep_old: KeepOldOption = False,
) -> None:
    """Repeat a paper's experiment and set its figures beside ours."""
    from likewise.bench import papers
    from likewise.bench.results import Results

    chosen = papers.load(name, quick=quick)
    results = Results(to or Path(f"{chosen.experiment.name}.parquet"))
    _carry_out(chosen.experiment, results, jobs, dask, force=force, keep_old=keep_old)
    frame = results.frame()
    if frame is not None:
        both = chosen.compare(frame).rename(columns={"questions": "at", "difference": "diff"})
        # In this order, and no more than this, a line fits 80 columns.
        columns = (
            "data",
            "at",
            "noise",
            "method",
            "metric",
            "published",
            "ours",
            "diff",
            "reference",
        )
        shown = [name for name in columns if name in both]
        out.print(_table(both[shown].round(3)))
    _exit_if_all_failed(chosen.experiment, results)


@app.command()
def report(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE.parquet…", help="Results of one or more experiments."),
    ],
    to: Annotated[
        Path | None, typer.Option("--out", metavar="FOLDER", help="Where the page goes.")
    ] = None,
    title: Annotated[
        str | None, typer.Option(help="The page's title; the experiment's unless said.")
    ] = None,
) -> None:
    """Write one page about results: curves, ranks, questions needed, time, memory, failures."""
    import pandas as pd

    from likewise.bench.provenance import with_states
    from likewise.bench.report import with_limits, write_report
    from likewise.bench.results import Results
    from likewise.errors import DataError

    frames, titles = [], []
    for file in files:
        frame = Results(file).frame()
        if frame is None:
            raise DataError(f"there are no results in {file}; run the experiment first")
        titles += [frame.attrs["title"]] if "title" in frame.attrs else []
        frames.append(with_limits(with_states(frame, file.parent), file.parent))
    rows = pd.concat(frames, ignore_index=True)
    title = title or ", ".join(titles) or "likewise bench"
    say(f"wrote {write_report(rows, to or files[0].with_suffix(''), title=title)}")


@app.command()
def speed(
    method: Annotated[
        list[str] | None, typer.Option("--method", help="Repeatable; all unless said.")
    ] = None,
    sizes: Annotated[str, typer.Option(help="Numbers of items.")] = "500,1000,2000,4000",
    questions: Annotated[int, typer.Option(help="Questions timed per run.")] = 30,
    rounds: Annotated[int, typer.Option(help="Repetitions.")] = 3,
) -> None:
    """Measure seconds per question against the number of items, with the exponent of growth."""
    from likewise.bench import speed as bench_speed
    from likewise.errors import MethodError
    from likewise.methods import METHODS

    methods = method or [name for name in METHODS if name != "auto"]
    try:
        numbers = [int(n) for n in sizes.split(",")]
    except ValueError:
        raise MethodError(f"--sizes must be numbers like 500,1000 but got {sizes!r}") from None
    with _progress("measuring", (rounds + 1) * len(numbers) * (len(methods) + 1)) as advance:
        rows = bench_speed.measure(
            methods, sizes=numbers, questions=questions, rounds=rounds, on_step=advance
        )
    out.print(_table(bench_speed.summary(rows)))


@app.command()
def data(
    fetch: Annotated[
        list[str] | None,
        typer.Option(
            "--fetch", metavar="NAME", help="Bring a missing set from OpenML (repeatable)."
        ),
    ] = None,
) -> None:
    """List the data sets that are here and those that are missing."""
    import pandas as pd

    from likewise.bench import data_sets

    for name in fetch or ():
        say(f"fetched {data_sets.fetch(name)}")
    rows = pd.DataFrame(data_sets.listing())
    rows["here"] = rows["here"].map({True: "yes", False: "no"})
    out.print(_table(rows))


def _carry_out(
    experiment: Experiment,
    results: Results,
    jobs: int,
    dask: str | None,
    *,
    force: bool,
    keep_old: bool,
) -> None:
    """Run what is left to do, and tell what went wrong."""
    from likewise.bench.runner import carry_out, plan

    planned = plan(experiment, results, force=force, keep_old=keep_old)
    _say_what_is_old(planned, keep_old=keep_old)
    unfinished: Counter[str] = (
        Counter()
    )  # by reason: a missing data set fails all of its runs alike
    with _progress(experiment.name, len(planned.tasks)) as advance:

        def note(task: Task, rows: list[dict[str, Any]]) -> None:
            last = rows[-1]
            if last["status"] != "ok":
                unfinished[last["reason"]] += 1
                if unfinished[last["reason"]] == 1:
                    which = f"{task.method} on {task.data_name}, seed {task.seed}"
                    say(f"{which}: {last['status']}, {last['reason']}", to=err)
            advance()

        carry_out(experiment, results, n_jobs=jobs, dask=dask, tasks=planned.tasks, on_done=note)
    n_now = len(planned.tasks)
    say(f"{len(experiment.tasks)} runs, {n_now} of them now; results are in {results.path}")
    if unfinished:
        say(
            f"{count(unfinished.total(), 'run')} did not end well; likewise bench report lists them"
        )


def _say_what_is_old(planned: RunPlan, *, keep_old: bool) -> None:
    """Tell which results are not of this code and these data, and what becomes of them."""
    from likewise.bench.provenance import STALE, UNCHECKED

    verb = "kept" if keep_old else "run again"
    for state in STALE:
        if planned.states[state]:
            what = "unknown code and data" if state == "unknown" else state
            say(f"{count(planned.states[state], 'run')} of {what}, {verb}", to=err)
    if planned.states[UNCHECKED]:
        n_runs = count(planned.states[UNCHECKED], "run")
        say(f"{n_runs} kept unchecked: their data cannot be read here", to=err)


def _exit_if_all_failed(experiment: Experiment, results: Results) -> None:
    """End with code 1 when not one run of the experiment gave anything."""
    frame = results.frame()
    keys = {task.key for task in experiment.tasks}
    if frame is not None and (frame.loc[frame["key"].isin(keys), "status"] == "failed").all():
        raise typer.Exit(1)


@contextmanager
def _progress(what: str, total: int) -> Iterator[Callable[[], None]]:
    """Show a progress bar with the time left; yields a function that advances it by one."""
    with progress(what, transient=False) as update:
        update(0, total)
        done = itertools.count(1)
        yield lambda: update(next(done), total)


def _table(frame: pd.DataFrame) -> Table:
    """Return a data frame as a table for people; its text is made safe to show."""
    table = Table(box=None, padding=(0, 1, 0, 0))
    for name in frame.columns:
        numeric = frame[name].dtype.kind in "fi"
        table.add_column(Text(safe(str(name))), justify="right" if numeric else "left")
    for row in frame.astype(object).where(frame.notna(), "").itertuples(index=False):
        table.add_row(*(Text(safe(str(value))) for value in row))
    return table
