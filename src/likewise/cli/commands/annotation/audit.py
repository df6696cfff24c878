"""`likewise audit`: random pairs, asked in the terminal and compared with the groups."""

from __future__ import annotations

from typing import Annotated

import typer

from likewise.cli.commands._opening import read_aloud
from likewise.cli.console import say, working
from likewise.cli.options import takes_pile
from likewise.cli.pile_source import PileSource


@takes_pile
def audit(
    pile_source: PileSource,
    pairs: Annotated[
        int, typer.Option(help="How many random pairs; 59 without an error show 5% at most.")
    ] = 59,
    delta: Annotated[
        float, typer.Option(help="With what probability the bound may be wrong.")
    ] = 0.05,
    answer_error: Annotated[
        float, typer.Option(help="How often answers are wrong; taken off the bound.")
    ] = 0.0,
) -> None:
    """Answer random pairs, half within groups and half across, to bound how many are wrong."""
    from likewise.cli.terminal.loop import audit_loop
    from likewise.cli.terminal.pair_page import PairLayout, PairPage
    from likewise.cli.terminal.screen import respondent
    from likewise.quality import Audit

    pile = read_aloud(pile_source, pile_source.read)
    with working("Drawing the pairs"):
        study = pile_source.open_study(pile.items)
        # The groups are judged as they are now, whatever the answers change.
        started = Audit.of(study, pairs, delta=delta, answer_error=answer_error)
    with respondent(PairPage(PairLayout.of(pile_source.path, pile))) as respond:
        finished = audit_loop(study, started, respond)
    say(finished.sentence)
