"""`likewise demo`: a pile of handwritten digits, grouped by a person or, to watch, by itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from likewise.cli.consoles import say, working
from likewise.cli.dialogue import Moment, Respond, converse, require_budget
from likewise.cli.digits import Digits
from likewise.cli.endings import Ending
from likewise.cli.facts import group_sizes, in_words
from likewise.cli.keys import Action, meaning
from likewise.cli.page import show_page
from likewise.cli.show import count
from likewise.cli.stage import on_screen, person, screen
from likewise.errors import DataError, MethodError
from likewise.journal.pairs import Verdict

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from likewise.study import Study

_PAUSE = 0.05  # seconds that each simulated question can be looked at
_EVERY = 10  # answers between two lines of progress


@dataclass(frozen=True)
class Settings:
    """The options of the command."""

    items: int
    budget: int
    method: str
    clusters: int | None
    seed: int
    save: Path | None


def demo(settings: Settings, *, simulate: bool) -> Ending:
    """Group some of the digits, and say what came of it."""
    require_budget(settings.budget)
    with working("Getting the digits"):
        study, pixels, truth = _begin(settings)
        study.ask()
    images = [image.reshape(8, 8) / 16 for image in pixels]
    scene = Digits(images, limit=study.n_answers + settings.budget)
    if simulate:
        return _watch(study, scene, truth, settings.budget)
    note = f"{count(study.n_answers, 'answer')} so far." if study.n_answers else ""
    with person(scene) as respond:
        ending = converse(study, respond, budget=settings.budget, note=note)
    if ending in (Ending.NOTHING_LEFT, Ending.BUDGET_SPENT):
        say(f"{ending.value.capitalize()}.")
    say(f"{count(study.n_answers, 'answer')} made {in_words(group_sizes(study))}.")
    if settings.save is not None:
        say(f"They are kept in {settings.save}; the same command goes on from there.")
    else:
        say("The demo keeps nothing, unless --save FILE.jsonl says where. For your own pile:")
        say("  likewise start FOLDER or FILE")
    return ending


def serve_demo(settings: Settings, *, port: int, open_browser: bool) -> None:
    """The digits on the page, until Ctrl-C."""
    with working("Getting the digits"):
        study, _, _ = _begin(settings)
    show_page(study, "handwritten digits", port=port, open_browser=open_browser)


def _begin(settings: Settings) -> tuple[Study, npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """The study, and pixels and true label of every item."""
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


def _watch(study: Study, scene: Digits, truth: npt.NDArray[np.int64], budget: int) -> Ending:
    """Let the labels answer, and show it."""
    from likewise.metrics import ari

    before = ari(truth, study.labels_)
    since = "this sitting" if study.n_answers else "the first answer"
    with _simulator(scene, truth) as respond:
        ending = converse(study, respond, budget=budget)
    after = ari(truth, study.labels_)
    groups = len(group_sizes(study))
    say(
        f"{count(study.n_answers, 'answer')}, {count(groups, 'group')} found, "
        f"ARI {after:.2f} ({before:.2f} before {since})"
    )
    return ending


@contextmanager
def _simulator(scene: Digits, truth: npt.NDArray[np.int64]) -> Iterator[Respond]:
    """Answers from the labels; shows the page if there is a screen, else a line now and then."""
    from likewise.metrics import ari
    from likewise.simulation.oracles import FromLabels

    oracle = FromLabels(truth)
    scene.scores = scores = []

    def verdict(moment: Moment) -> Action:
        same = oracle(*moment.question.pair) is Verdict.SAME
        return Action.SAME if same else Action.DIFFERENT

    def in_lines(moment: Moment) -> Action:
        study = moment.study
        if study.n_answers and study.n_answers % _EVERY == 0:
            groups = len(group_sizes(study))
            score = ari(truth, study.labels_)
            say(f"{study.n_answers:5} answers  {groups:3} groups  ARI {score:.2f}")
        return verdict(moment)

    if not on_screen():
        yield in_lines
        return
    with screen() as (read, live):

        def on_page(moment: Moment) -> Action | None:
            scores.append(ari(truth, moment.study.labels_))
            said = verdict(moment)
            page = scene.page(replace(moment, note=f"The labels say: {said.value}."))
            live.update(page, refresh=True)
            key = read(_PAUSE)
            return Action.STOP if key is None or meaning(key) is Action.STOP else said

        yield on_page
