"""`likewise answer`: questions about the items of a pile in the terminal."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from likewise.cli.commands._opening import begin
from likewise.cli.commands.annotation._program import (
    EndpointOption,
    InstructionsOption,
    MoneyOption,
    PriceOption,
    allow_sending,
    answer_by_program,
    language_model,
    offered_program,
    require_allowed,
    say_estimate,
)
from likewise.cli.console import say
from likewise.cli.formatting import count, sizes_in_words
from likewise.cli.options import BudgetOption, ClustersOption, MethodOption, SeedOption, takes_pile
from likewise.cli.outcome import exit_if_interrupted
from likewise.cli.pile_source import LINES, PileSource
from likewise.errors import MethodError
from likewise.views.group_sizes import group_sizes

if TYPE_CHECKING:
    from likewise.piles import Pile
    from likewise.study import Study
    from likewise.study.loop import Outcome


class Kind(StrEnum):
    """What is asked."""

    PAIR = "pair"
    PLACE = "place"
    SHEET = "sheet"
    BEST = "best"


@takes_pile
def answer(
    pile_source: PileSource,
    method: MethodOption = None,
    clusters: ClustersOption = None,
    seed: SeedOption = None,
    budget: BudgetOption = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="NAME",
            help="Let a language model answer, to which items are sent; or a package's answerer.",
        ),
    ] = None,
    endpoint: EndpointOption = None,
    instructions: InstructionsOption = "",
    price: PriceOption = None,
    money: MoneyOption = None,
    ask: Annotated[
        Kind, typer.Option("--ask", help="About pairs, where items belong, sheets, or the best.")
    ] = Kind.PAIR,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify", help="Ask again where a mistake would cost most; for who may err."
        ),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what it would take: calls, tokens, money.")
    ] = False,
) -> None:
    """Answer questions about a pile in the terminal, or let a program answer them.

    Every answer is kept beside the pile.
    """
    if by is not None:
        if ask not in (Kind.PAIR, Kind.PLACE):
            raise MethodError(
                f"a program is asked about pairs or places, not {ask.value!r}; leave out --by to "
                "answer yourself"
            )
        send = allow_sending(pile_source)
        program = offered_program(
            by,
            budget=budget,
            send=send,
            settings={
                "--endpoint": endpoint,
                "--instructions": instructions,
                "--price": price,
                "--money": money,
                "--dry-run": dry_run,
            },
        )
        if program is None:
            program = model = language_model(
                by,
                endpoint=endpoint,
                instructions=instructions,
                price=price,
                money=money,
                send=send,
            )
            require_allowed(model, budget=budget, dry_run=dry_run)
    elif endpoint or instructions or price or money is not None or dry_run:
        raise MethodError(
            "--endpoint, --instructions, --price, --money and --dry-run are for a language model; "
            "name one with --by"
        )
    if verify and (by is not None or ask is not Kind.PAIR):
        raise MethodError(
            "--verify are about pairs that you answer yourself; leave out --by and --ask"
        )
    pile, study = begin(
        pile_source, method=method, n_clusters=clusters, seed=seed, budget=budget, ending=LINES
    )
    if by is None:
        answer_in_terminal(
            pile_source,
            pile,
            study,
            budget=budget,
            verb="answer",
            kind=ask.value,
            verify=verify,
        )
    elif dry_run:
        assert budget is not None
        say_estimate(study, model, budget, ask.value)
    else:
        assert program is not None
        answer_by_program(pile_source, study, program, budget=budget, kind=ask.value)


def answer_in_terminal(
    pile_source: PileSource,
    pile: Pile,
    study: Study,
    *,
    budget: int | None,
    verb: str,
    kind: str = "pair",
    verify: bool = False,
) -> None:
    """Ask about the items until somebody stops, then say what there is and how to go on.

    `verb` is the command that goes on with the study, `kind` what is asked, with `verify` at
    what is known already.
    Exits with code 130 after Ctrl-C.
    """
    from likewise.cli.terminal.kinds_loop import KindsLoop
    from likewise.cli.terminal.loop import answer_loop, require_budget
    from likewise.cli.terminal.pair_page import PairLayout, PairPage
    from likewise.cli.terminal.screen import respondent

    if kind == "pair":
        so_far = f"{count(study.n_answers, 'answer')} so far." if study.n_answers else ""
        with respondent(PairPage(PairLayout.of(pile_source.path, pile))) as respond:
            outcome = answer_loop(study, respond, budget=budget, note=so_far, verify=verify)
    else:
        require_budget(budget)
        outcome = KindsLoop(
            study, kind, lambda: sys.stdin.readline() or None, say, budget=budget
        ).run()
    _conclude(study, outcome, pile_source, verb)
    exit_if_interrupted(outcome)


def _conclude(study: Study, outcome: Outcome, pile_source: PileSource, verb: str) -> None:
    """Say what there is now, and what can be done with it."""
    from likewise.journal.pairs import Verdict
    from likewise.study.loop import Outcome

    if outcome in (Outcome.NOTHING_LEFT, Outcome.BUDGET_SPENT):
        open_still = outcome is Outcome.NOTHING_LEFT and any(
            answer.verdict is Verdict.UNSURE for answer in study.answers
        )
        but = ", except what you were not sure about" if open_still else ""
        say(f"{outcome.value.capitalize()}{but}.")
    sizes = group_sizes(study.labels_)
    say(f"{count(study.n_answers, 'answer')} in all made {sizes_in_words(sizes.values())}.")
    say(f"Every answer is kept in {pile_source.journal}.")
    if outcome is not Outcome.NOTHING_LEFT:
        say(f"  {pile_source.command(verb)}   goes on")
    say(f"  {pile_source.command('labels')}   writes the groups")
