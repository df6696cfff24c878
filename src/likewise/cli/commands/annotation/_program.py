"""`likewise answer --by`: a program answers, and what that takes is said."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from likewise.cli.console import err, progress, say
from likewise.cli.formatting import count
from likewise.cli.outcome import exit_if_interrupted
from likewise.cli.pile_source import PileSource
from likewise.errors import DataError, MethodError

if TYPE_CHECKING:
    from likewise.answerers import LanguageModel, Program, ProgramSession
    from likewise.study import Study

ADDRESS = "LIKEWISE_LLM_URL"  # the environment variable that names the server

EndpointOption = Annotated[
    str | None,
    typer.Option(
        "--endpoint", metavar="URL", help="Its server, or LIKEWISE_LLM_URL in the environment."
    ),
]
InstructionsOption = Annotated[
    str, typer.Option("--instructions", metavar="TEXT", help="What it takes for the same.")
]
PriceOption = Annotated[
    str | None,
    typer.Option(
        "--price", metavar="P or P,P", help="Per answer; or per million tokens sent, received."
    ),
]
MoneyOption = Annotated[
    float | None,
    typer.Option("--money", metavar="AMOUNT", help="What it may cost, all times together."),
]


def price_given(text: str | None) -> float | tuple[float, float]:
    """Return the price that was typed: one amount per answer, or two per million tokens.

    >>> price_given("0.01"), price_given("0.15,0.60"), price_given(None)
    (0.01, (0.15, 0.6), 0.0)
    """
    if text is None:
        return 0.0
    try:
        amounts = [float(part) for part in text.split(",")]
    except ValueError:
        amounts = []
    if len(amounts) == 1:
        return amounts[0]
    if len(amounts) == 2:
        return amounts[0], amounts[1]
    raise MethodError(
        f"--price is one amount per answer, like 0.01, or two per million tokens sent and "
        f"received, like 0.15,0.60, not {text!r}"
    )


def language_model(
    by: str,
    *,
    endpoint: str | None,
    instructions: str,
    price: str | None,
    money: float | None,
    send: bool,
    option: str = "--by",
) -> LanguageModel:
    """Return the model that the options describe; `option` is the one that names it."""
    from likewise.answerers import LanguageModel
    from likewise.simulation import Money

    address = endpoint or os.environ.get(ADDRESS)
    if not address:
        raise DataError(
            f"{option} needs the address of the model's server: --endpoint "
            f"http://localhost:11434/v1, say, or the environment variable {ADDRESS}"
        )
    return LanguageModel(
        base_url=address,
        model=by,
        instructions=instructions,
        price=price_given(price),
        budget=None if money is None else Money(money),
        send=send,
    )


def offered_program(
    by: str, *, budget: int | None, send: bool, settings: dict[str, object]
) -> Program | None:
    """Return the answerer that a package offers by this name; None if it offers none.

    One that sends items elsewhere says so (`sends_to`) and needs to be allowed (`send`); one with
    a price needs a budget. The settings of a language model, by option, are not for it.
    """
    from likewise.simulation.offered_answerers import offered_answerer, plugins

    if by not in plugins.entry_names():
        return None
    program: Any = offered_answerer(by)
    for option, value in settings.items():
        if value:
            raise MethodError(
                f"{option} is for a language model on a server, and {by} is an answerer of an "
                "installed package; leave it out"
            )
    price: float = getattr(program, "price", 0.0)
    if budget is None and price > 0:
        raise MethodError("say how far it may go: --budget 100 answers, say")
    if hasattr(program, "sends_to"):
        if not send:
            raise DataError(
                f"items of the pile would be sent to {program.sends_to}; allow it with --send"
            )
        program.send = True
    found: Program = program
    return found


def allow_sending(pile_source: PileSource) -> bool:
    """Return whether items may be sent to the model; `--send` may be meant for that one alone."""
    from likewise.features.base import RemoteModel
    from likewise.features.models import build

    allowed = pile_source.send
    remote = pile_source.model is not None and isinstance(build(pile_source.model), RemoteModel)
    pile_source.send = allowed and remote
    return allowed


def require_allowed(model: LanguageModel, *, budget: int | None, dry_run: bool) -> None:
    """Refuse, before the pile is read, what has no limit and what nobody has allowed."""
    if dry_run:
        if budget is None:
            raise MethodError("a dry run needs to know for how many answers: --budget 100, say")
        return
    if budget is None and model.budget is None:
        raise MethodError("say how far it may go: --budget 100 answers, or --money 2.50")
    if not model.send:
        raise DataError(
            f"items of the pile would be sent to {model.sends_to}; allow it with --send, or see "
            "with --dry-run what it would take"
        )


def answer_by_program(
    pile_source: PileSource,
    study: Study,
    model: LanguageModel | Program,
    *,
    budget: int | None,
    kind: str,
) -> None:
    """Let a program answer; exit with 2 when it fails."""
    from likewise.answerers import answer

    with progress(f"{model.name} answers") as bar:
        done = 0

        def on_answer(_: object) -> None:
            nonlocal done
            done += 1
            bar(done, budget or done)

        session = answer(study, model, budget=budget, kind=kind, on_answer=on_answer)
    _say_session(pile_source, study, model, session)
    if session.outcome.name == "ORACLE_FAILED":
        say(f"likewise: {session.reason}", to=err)
        raise typer.Exit(2)
    exit_if_interrupted(session.outcome)


def say_estimate(study: Study, model: LanguageModel, budget: int, kind: str) -> None:
    """Say what so many answers of a language model would take."""
    from likewise.answerers import estimate

    guess = estimate(study, model, budget=budget, kind=kind)
    say(
        f"{count(guess.questions, 'question')} would take about {count(guess.calls, 'call')} to "
        f"{model.sends_to}: {guess.sent:,} tokens sent, {guess.received:,} received."
    )
    if guess.remembered:
        say(f"  {guess.remembered} of the next are remembered, and free.")
    if not model.token_price.is_free:
        say(f"  About {guess.cost:.4f}, at most {guess.most:.4f}; --money sets a limit.")
    say("Nothing was sent.")


def _say_session(
    pile_source: PileSource, study: Study, model: LanguageModel | Program, session: ProgramSession
) -> None:
    from likewise.answerers import LanguageModel

    tally = session.tally
    if not session.failed:
        say(f"{session.reason.capitalize()}.")
    elif session.outcome.name == "COST_LIMIT":
        say(f"The money is spent: {session.reason}.")
    answered = f"{model.name} answered {count(session.questions, 'question')}"
    if isinstance(model, LanguageModel):
        answered += (
            f" in {count(tally.calls, 'call')}: {tally.sent:,} tokens sent, {tally.received:,} "
            "received"
        )
    is_free = not (tally.cost or isinstance(model, LanguageModel))
    say(f"{answered}." if is_free else f"{answered}, {tally.cost:.4f} spent.")
    if tally.remembered:
        say(f"  {tally.remembered} were remembered from earlier calls, and free.")
    if tally.swapped:
        say(
            f"  Asked in both orders: {count(tally.swapped, 'pair')}; answered in two ways, which "
            f"counts as unsure: {tally.changed}."
        )
    if session.said_only is not None and not session.failed:
        say(
            f"  Every answer was {session.said_only.value!r}: look at a few before you believe "
            f"them; `{pile_source.command('retract')} --all-of {model.name}` takes them back."
        )
    say(f"Every answer is kept in {pile_source.journal}.")
    if session.unsure:
        say(f"  {pile_source.command('answer')}   asks you what it was unsure about first")
    say(f"  {pile_source.command('labels')}   writes the groups")
