"""`likewise mcp`: agents read the groups of a pile, are asked and answer."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from enum import StrEnum
from typing import Annotated

import typer

from likewise.cli.commands._opening import begin
from likewise.cli.console import err, say
from likewise.cli.options import ClustersOption, MethodOption, SeedOption, takes_pile
from likewise.cli.pile_source import PileSource


class May(StrEnum):
    """What an agent may do."""

    READ = "read"
    ANSWER = "answer"


@takes_pile
def mcp(
    pile_source: PileSource,
    method: MethodOption = None,
    clusters: ClustersOption = None,
    seed: SeedOption = None,
    who: Annotated[
        str, typer.Option("--who", metavar="NAME", help="The agent's name, for its answers.")
    ] = "agent",
    may: Annotated[May, typer.Option("--may", help="Only look, or answer too.")] = May.ANSWER,
    budget: Annotated[
        int | None,
        typer.Option(
            "--budget", min=1, metavar="N", help="How many answers it may give, all times together."
        ),
    ] = None,
) -> None:
    """Serve a pile to an agent by the Model Context Protocol, on standard input and output."""
    from likewise.mcp import Rights, StudyTools, ToolServer
    from likewise.mcp.tools import INSTRUCTIONS

    rights = Rights(who, may is May.ANSWER, budget)
    out = sys.stdout
    # Whatever else is said must not come between the messages.
    with redirect_stdout(sys.stderr):
        _, study = begin(pile_source, method=method, n_clusters=clusters, seed=seed)
        say("What the agent asks to see of the items goes to its model.", to=err)
        tools = StudyTools(study, rights).tools()

        def write(line: str) -> None:
            out.write(line)
            out.flush()

        ToolServer(tools, INSTRUCTIONS).serve(sys.stdin, write)
