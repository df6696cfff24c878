"""`likewise plan`: what a grouping is expected to take, before anybody is asked."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Annotated, Any

import typer

from likewise.cli.commands._opening import begin
from likewise.cli.console import print_json, progress, say
from likewise.cli.options import ClustersOption, JsonOption, MethodOption, SeedOption, takes_pile
from likewise.cli.pile_source import PileSource
from likewise.errors import MethodError

if TYPE_CHECKING:
    from likewise.simulation.planning import PlannedAnswerer


@takes_pile
def plan(
    pile_source: PileSource,
    who: Annotated[
        list[str] | None,
        typer.Option(
            "--answerer",
            metavar="NAME:ERROR:PRICE[:SECONDS]",
            help="Who could answer, with the share of wrong answers (repeatable).",
        ),
    ] = None,
    draws: Annotated[int, typer.Option("--draws", metavar="N", help="Simulations of each.")] = 5,
    budget: Annotated[
        int, typer.Option("--budget", metavar="N", help="Look so many answers ahead at most.")
    ] = 200,
    method: MethodOption = None,
    clusters: ClustersOption = None,
    seed: SeedOption = None,
    as_json: JsonOption = False,
) -> None:
    """Simulate how many questions, minutes and how much money it takes to 80, 90 and 95 % right."""
    from likewise.simulation.planning import PlannedAnswerer
    from likewise.simulation.planning import plan as planned

    people = [_answerer(one) for one in who or ()] or [PlannedAnswerer("you")]
    mixes = {one.name: [one] for one in people}
    if len(people) > 1:
        mixes[" + ".join(one.name for one in people)] = people
    _, study = begin(pile_source, method=method, n_clusters=clusters, seed=seed)
    with progress("Simulating") as bar:
        table = planned(study, mixes, draws=draws, budget=budget, progress=bar)
    rows: list[dict[str, Any]] = [
        {str(key): _finite(value) for key, value in row.items()} for row in table.to_dict("records")
    ]
    if as_json:
        print_json(rows)
        return
    for row in rows:
        say(_sentence(row, budget))
    if study.n_answers < 10:
        say("Nothing is known of your groups yet; after ten answers or more this is worth more.")


def _answerer(text: str) -> PlannedAnswerer:
    """Return the answerer that was typed."""
    from likewise.simulation.planning import PlannedAnswerer

    name, *numbers = text.split(":")
    try:
        error, price, *seconds = map(float, numbers)
    except ValueError:
        error, price, seconds = 0.0, 0.0, [0.0, 0.0]
    if len(seconds) > 1:
        raise MethodError(
            f"--answerer is NAME:ERROR:PRICE or NAME:ERROR:PRICE:SECONDS, like Ada:0.05:0.10:3, "
            f"not {text!r}"
        )
    return PlannedAnswerer(name, error, price, seconds[0] if seconds else None)


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not isfinite(value) else value


def _sentence(row: dict[str, Any], budget: int) -> str:
    share = f"{row['mix']}, {row['target']:.0%} right"
    if row["questions"] is None:
        return (
            f"{share}: more than {budget} questions in {1 - row['reached']:.0%} of the simulations"
        )
    high = f"more than {budget}" if row["high"] is None else f"{row['high']:.0f}"
    return (
        f"{share}: about {row['questions']:.0f} questions ({row['low']:.0f} to {high}), "
        f"{row['minutes']:.1f} minutes, {row['money']:.2f} of money"
    )
