"""`likewise serve`: a pile for several people."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from likewise.cli.commands._opening import begin
from likewise.cli.commands.annotation._program import (
    EndpointOption,
    InstructionsOption,
    MoneyOption,
    PriceOption,
    allow_sending,
    language_model,
)
from likewise.cli.console import say
from likewise.cli.options import (
    BrowserOption,
    ClustersOption,
    MethodOption,
    PortOption,
    SeedOption,
    takes_pile,
)
from likewise.cli.owner_token import owner_token
from likewise.cli.pile_source import ACCESS, PileSource, piles_in
from likewise.errors import DataError, MethodError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from likewise.answerers import LanguageModel
    from likewise.study import Study
    from likewise.web.growth import WatchedPile


_GOLD_EVERY = 10  # one in so many questions is of those whose answers are known


@takes_pile
def serve(
    pile_source: PileSource,
    others: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[OTHERS]",
            help="Further piles, each with a study, a link and a port of its own.",
            show_default=False,
        ),
    ] = None,
    method: MethodOption = None,
    clusters: ClustersOption = None,
    seed: SeedOption = None,
    host: Annotated[
        str, typer.Option(help="Where to listen; by default nobody else can reach it.")
    ] = "127.0.0.1",
    port: PortOption = 8000,
    token: Annotated[
        str | None,
        typer.Option(
            help="The owner's token. Other users of this computer can see it in the list of "
            "programs: LIKEWISE_TOKEN and --token-file keep it from them.",
            show_default="made up, and kept beside the journal",
        ),
    ] = None,
    token_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A file with the owner's token in its first line."),
    ] = None,
    no_token: Annotated[
        bool,
        typer.Option("--no-token", help="Let in every user and program of this computer."),
    ] = False,
    invite: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Print a link by which this person can answer (repeatable)."
        ),
    ] = None,
    trusted_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME[:PORT]", help="A name under which a proxy offers the page (repeatable)."
        ),
    ] = None,
    behind_proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="A proxy that is believed about where requests come from (repeatable).",
        ),
    ] = None,
    overlap: Annotated[
        int,
        typer.Option(
            min=0, help="Ask so many people about each pair; 0: a second one where it is doubtful."
        ),
    ] = 1,
    gold: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Answers known to be right, by which people are checked unseen."
        ),
    ] = None,
    gold_every: Annotated[
        int,
        typer.Option(min=2, metavar="N", help="One in so many questions is of those."),
    ] = _GOLD_EVERY,
    paid: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME:PRICE",
            help="What an answer of this person costs; easy questions go to others (repeatable).",
        ),
    ] = None,
    guest: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL",
            help="A language model that you may let answer from the page; items are sent to it.",
        ),
    ] = None,
    endpoint: EndpointOption = None,
    instructions: InstructionsOption = "",
    price: PriceOption = None,
    money: MoneyOption = None,
    lease: Annotated[
        float, typer.Option(min=5, help="Seconds a question is reserved without a sign of life.")
    ] = 60.0,
    browser: BrowserOption = False,
) -> None:
    """Let others answer too: serve the page of a pile, on this computer or beyond it.

    Of a folder of begun studies, all of them are served.
    """
    from likewise.web.server import require_door

    prices = dict(map(_price, paid or ()))
    model = _guest(pile_source, guest, endpoint, instructions, price, money)
    door = {
        "host": host,
        "token": None if no_token and token is None else owner_token(token, token_file),
        "demand_token": not no_token,
        "invite": invite or (),
        "trusted_hosts": trusted_host or (),
        "proxies": behind_proxy or (),
    }
    require_door(host, port, token=token, demand_token=not no_token, invite=invite or ())
    pile_source.quick = True
    if not pile_source.journal_file.is_begun and (inside := piles_in(pile_source.path)):
        first, *rest = inside
        say(f"{pile_source.path} holds {len(inside)} begun stud{'ies' if rest else 'y'}.")
        pile_source, others = replace(pile_source, path=first), [*rest, *(others or ())]
    if others:
        _require_each(pile_source, others, gold, guest)
        serve_pages(
            [pile_source, *(replace(pile_source, path=path) for path in others)],
            {"method": method, "n_clusters": clusters, "seed": seed},
            port=port,
            **door,
            overlap=overlap,
            prices=prices,
            lease_seconds=lease,
            open_browser=browser,
        )
        return
    _, study = begin(pile_source, method=method, n_clusters=clusters, seed=seed)
    if gold is not None:
        from likewise.exchange import import_gold

        say(f"known answers: {import_gold(study, gold).sentence(study.items.ids)}")
    has_gold = any(answer.is_gold for answer in study.answers)
    serve_page(
        study,
        pile_source.path.resolve().name,
        access_file=pile_source.beside(ACCESS),
        pile=watched(pile_source),
        port=port,
        **door,
        overlap=overlap,
        gold_every=gold_every if has_gold else 0,
        prices=prices,
        lease_seconds=lease,
        guest=model,
        open_browser=browser,
    )


def _require_each(
    pile_source: PileSource, others: list[Path], gold: Path | None, guest: str | None
) -> None:
    """Refuse options that only one pile can have, and a pile that is named twice."""
    for option, value in (("--store", pile_source.store), ("--gold", gold), ("--guest", guest)):
        if value is not None:
            raise MethodError(f"{option} is for one pile, not for several; serve that one alone")
    piles = [pile_source.path, *others]
    if len({path.resolve() for path in piles}) < len(piles):
        raise DataError("a pile is named twice; each has one study, so name it once")


def _price(text: str) -> tuple[str, float]:
    """Return who was typed, and what an answer of theirs costs.

    >>> _price("Ada:0.50")
    ('Ada', 0.5)
    """
    from likewise.journal.person_names import person_name

    name, _, amount = text.rpartition(":")
    try:
        price = float(amount)
    except ValueError:
        price = -1.0
    if not name or not 0 <= price < inf:
        raise MethodError(f"--paid is a name and a price, like Ada:0.50, not {text!r}")
    return person_name(name), price


def _guest(
    pile_source: PileSource,
    name: str | None,
    endpoint: str | None,
    instructions: str,
    price: str | None,
    money: float | None,
) -> LanguageModel | None:
    """Return the language model that is a guest, None without one; refuse what nobody allowed."""
    if name is None:
        if endpoint or instructions or price or money is not None:
            raise MethodError(
                "--endpoint, --instructions, --price and --money are for a language model; name "
                "one with --guest"
            )
        return None
    model = language_model(
        name,
        endpoint=endpoint,
        instructions=instructions,
        price=price,
        money=money,
        send=allow_sending(pile_source),
        option="--guest",
    )
    if not model.send:
        raise DataError(
            f"items of the pile would be sent to {model.sends_to}; allow it with --send"
        )
    if model.budget is None and not model.token_price.is_free:
        raise MethodError("a guest with a price needs a limit: --money 2.50, say")
    return model


def watched(pile_source: PileSource) -> WatchedPile:
    """Return the pile as a server watches it: read anew, with its journal, when it has changed.

    One of which a sample was read is read on by another process.
    """
    from likewise.piles.ahead import ReadingAhead
    from likewise.piles.signature import pile_signature
    from likewise.web.growth import WatchedPile

    def reopen(*, quick: bool = False) -> Study:
        afresh = replace(pile_source, quick=quick)  # nothing that was read before
        return afresh.open_study(afresh.read().items)

    def read_rest() -> ReadingAhead | None:
        if not pile_source.n_later:
            return None
        return ReadingAhead(
            pile_source.path,
            text=pile_source.text,
            image=pile_source.image,
            drop=pile_source.drop,
            id_column=pile_source.id_column,
            model=pile_source.model,
            images_anywhere=pile_source.images_anywhere,
        )

    path = pile_source.path
    return WatchedPile(
        lambda: pile_signature(path),
        reopen,
        path=path,
        read_rest=read_rest,
        reopen_so_far=lambda: reopen(quick=True),
    )


def say_link(url: str) -> None:
    """Print where the page is."""
    say(f"{url}   (Ctrl-C stops; nothing is lost)")


def say_note(sentence: str) -> None:
    """Print something to know about the page."""
    say(f"  {sentence}.")


def serve_page(study: Study, name: str, **settings: Any) -> None:
    """Serve the page of a study until Ctrl-C, and say where it is.

    Parameters
    ----------
    study : Study
        The study.
    name : str
        The title of the page.
    **settings
        Passed on to `likewise.web.serve`.
    """
    from likewise.web import serve

    serve(
        study,
        name=name,
        on_start=say_link,
        on_note=say_note,
        on_invite=lambda who, url: say(f"for {who}: {url}"),
        **settings,
    )


def serve_pages(
    pile_sources: Sequence[PileSource], study_settings: Mapping[str, Any], **settings: Any
) -> None:
    """Serve the pages of several studies in one server until Ctrl-C, and say where they are.

    Parameters
    ----------
    pile_sources : sequence of PileSource
        The piles.
    study_settings : mapping of str to object
        Settings of new studies, as for `begin`.
    **settings
        Passed on to `likewise.web.several.serve_several`.
    """
    from likewise.web.several import serve_several

    for one in pile_sources:
        one.require_place()  # all of them, before any is read
    studies = []
    for one in pile_sources:
        _, study = begin(one, **study_settings)
        has_gold = any(answer.is_gold for answer in study.answers)
        own = {
            "name": one.path.resolve().name,
            "access_file": one.beside(ACCESS),
            "pile": watched(one),
            "gold_every": _GOLD_EVERY if has_gold else 0,
            "guest": None,
        }
        studies.append((study, own))
    serve_several(
        studies,
        on_start=lambda name, url: say(f"{name}: {url}"),
        on_note=say_note,
        on_invite=lambda name, who, url: say(f"{name}, for {who}: {url}"),
        **settings,
    )
