"""`likewise demo`: a pile of handwritten digits, grouped by a person or, to watch, by itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from likewise.cli.commands.annotation.serve import serve_page
from likewise.cli.console import say, working
from likewise.cli.formatting import count, sizes_in_words
from likewise.cli.options import BrowserOption, ClustersOption, PortOption
from likewise.cli.outcome import exit_if_interrupted
from likewise.cli.owner_token import owner_token
from likewise.errors import DataError, MethodError
from likewise.views.group_sizes import group_sizes

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from likewise.cli.terminal.digits_page import DigitsPage
    from likewise.cli.terminal.keys import Action
    from likewise.cli.terminal.loop import OpenQuestion, Respond
    from likewise.journal.group_number import NumberOfGroups
    from likewise.study import Study

_PAUSE = 0.05  # seconds that each simulated question can be looked at
_EVERY = 10  # answers between two lines of progress


def demo(
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Answer by itself, from the true labels.")
    ] = False,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="Answer here, not in the browser.")
    ] = False,
    budget: Annotated[int, typer.Option(help="How many answers at most, here or simulated.")] = 100,
    items: Annotated[int, typer.Option(help="How many digits, chosen by the seed.")] = 300,
    method: Annotated[str, typer.Option(help="See `likewise methods`.")] = "auto",
    clusters: ClustersOption = None,
    seed: Annotated[int, typer.Option(help="Same seed, same questions.")] = 0,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Keep the answers, to go on later.")
    ] = None,
    port: PortOption = 0,
    browser: BrowserOption = True,
) -> None:
    """Group handwritten digits: likewise shows two, you say whether they are the same."""
    settings = _Settings(items, budget, method, clusters, seed, save)
    if simulate:
        _simulate(settings)
    elif terminal:
        _answer(settings)
    else:
        token = owner_token()
        with working("Getting the digits"):
            study, _, _ = _begin(settings)
        serve_page(
            study,
            "handwritten digits",
            token=token,
            access_file=_access_file(save),
            port=port,
            open_browser=browser,
        )


def _access_file(save: Path | None) -> Path:
    """Return where the tokens are kept: beside the answers, or with what is the user's own."""
    if save is not None:
        return save.with_suffix(".access")
    from platformdirs import user_state_path

    return user_state_path("likewise", appauthor=False) / "demo.access"


@dataclass(frozen=True)
class _Settings:
    """The options of the command."""

    items: int
    budget: int
    method: str
    clusters: NumberOfGroups
    seed: int
    save: Path | None


def _answer(settings: _Settings) -> None:
    """Let a person group the digits in the terminal, and say what came of it."""
    from likewise.cli.terminal.loop import answer_loop
    from likewise.cli.terminal.screen import respondent
    from likewise.study.loop import Outcome

    study, page, _ = _first_question(settings)
    note = f"{count(study.n_answers, 'answer')} so far." if study.n_answers else ""
    with respondent(page) as respond:
        outcome = answer_loop(study, respond, budget=settings.budget, note=note)
    if outcome in (Outcome.NOTHING_LEFT, Outcome.BUDGET_SPENT):
        say(f"{outcome.value.capitalize()}.")
    sizes = group_sizes(study.labels_)
    say(f"{count(study.n_answers, 'answer')} made {sizes_in_words(sizes.values())}.")
    if settings.save is not None:
        say(f"They are kept in {settings.save}; the same command goes on from there.")
    else:
        say("The demo keeps nothing, unless --save FILE.jsonl says where. For your own pile:")
        say("  likewise start FOLDER or FILE")
    exit_if_interrupted(outcome)


def _simulate(settings: _Settings) -> None:
    """Let the true labels answer, and show it."""
    from likewise.cli.terminal.loop import answer_loop
    from likewise.metrics import ari

    study, page, truth = _first_question(settings)
    before = ari(truth, study.labels_)
    since = "this sitting" if study.n_answers else "the first answer"
    with _simulator(page, truth) as respond:
        outcome = answer_loop(study, respond, budget=settings.budget)
    after = ari(truth, study.labels_)
    groups = len(group_sizes(study.labels_))
    say(
        f"{count(study.n_answers, 'answer')}, {count(groups, 'group')} found, "
        f"ARI {after:.2f} ({before:.2f} before {since})"
    )
    exit_if_interrupted(outcome)


def _first_question(settings: _Settings) -> tuple[Study, DigitsPage, npt.NDArray[np.int64]]:
    """Return the study with its first question computed, its page, and the true labels."""
    from likewise.cli.terminal.digits_page import DigitsPage
    from likewise.cli.terminal.loop import require_budget

    require_budget(settings.budget)
    with working("Getting the digits"):
        study, pixels, truth = _begin(settings)
        study.ask()
    images = [image.reshape(8, 8) / 16 for image in pixels]
    return study, DigitsPage(images, limit=study.n_answers + settings.budget), truth


def _begin(settings: _Settings) -> tuple[Study, npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Begin or resume the study; return it with the pixels and the true label of every item."""
    import numpy as np

    from likewise.datasets import load
    from likewise.items import Items
    from likewise.study import Study

    pixels, truth = load("digits")
    if not 2 <= settings.items <= len(truth):
        raise DataError(f"--items must be between 2 and {len(truth)} but got {settings.items}")
    if settings.seed < 0:
        raise MethodError(f"--seed must not be negative but got {settings.seed}")
    rng = np.random.default_rng(settings.seed)
    chosen = np.sort(rng.choice(len(truth), settings.items, replace=False))
    # Black ink on white paper, as bytes.
    shades = (255 - pixels[chosen] * (255 / 16)).astype(np.uint8).reshape(-1, 8, 8)
    study = Study(
        replace(Items.of(pixels[chosen]), pictures=list(shades)),
        method=settings.method,
        n_clusters=settings.clusters,
        random_state=settings.seed,
        store=settings.save,
    )
    return study, pixels[chosen], truth[chosen]


@contextmanager
def _simulator(page: DigitsPage, truth: npt.NDArray[np.int64]) -> Iterator[Respond]:
    """Yield a function that answers from the labels, and draws pages or prints lines meanwhile."""
    from likewise.cli.terminal.keys import Action, action_of
    from likewise.cli.terminal.screen import full_screen, is_interactive
    from likewise.journal.pairs import Verdict
    from likewise.metrics import ari
    from likewise.simulation.oracles import FromLabels

    oracle = FromLabels(truth)
    page.scores = scores = []

    def verdict(asked: OpenQuestion) -> Action:
        same = oracle(*asked.question.pair) is Verdict.SAME
        return Action.SAME if same else Action.DIFFERENT

    def in_lines(asked: OpenQuestion) -> Action:
        study = asked.study
        if study.n_answers and study.n_answers % _EVERY == 0:
            groups = len(group_sizes(study.labels_))
            score = ari(truth, study.labels_)
            say(f"{study.n_answers:5} answers  {groups:3} groups  ARI {score:.2f}")
        return verdict(asked)

    if not is_interactive():
        yield in_lines
        return
    with full_screen() as (read, live):

        def on_page(asked: OpenQuestion) -> Action | None:
            scores.append(ari(truth, asked.study.labels_))
            action = verdict(asked)
            drawn = page.render(replace(asked, note=f"The labels say: {action.value}."))
            live.update(drawn, refresh=True)
            key = read(_PAUSE)
            return Action.STOP if key is None or action_of(key) is Action.STOP else action

        yield on_page
