"""A language model at work on one pile: questions go out in prompts, answers come back by pair."""

from __future__ import annotations

import logging
import weakref
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING

from likewise.answerers.ledger import Ledger
from likewise.answerers.prompts import VERSION, Asked, ItemPrompts, PairAsked, PlaceAsked, Prompt
from likewise.answerers.replies import answers_in
from likewise.answerers.reply_cache import ReplyCache, digest, open_database
from likewise.errors import DataError
from likewise.items import Items
from likewise.journal.pairs import Verdict

if TYPE_CHECKING:
    from likewise.answerers.language_model import LanguageModel

_TRIES = 2  # calls in which one question alone stays without an answer: then it is "unsure"
_FRUITLESS = 3  # calls in a row that hold no answer at all: then something else is wrong

_log = logging.getLogger(__name__)


@dataclass
class Tally:
    """What was asked and what it took.

    Parameters
    ----------
    calls : int
        Replies that came.
    remembered : int
        Questions whose answers were known from earlier calls, and so were free.
    sent, received : int
        Tokens.
    cost : float
        Money.
    swapped, changed : int
        Pairs that were asked in both orders, and those of them that were answered in two ways.
    unreadable : int
        Questions that were asked and got no answer that could be read, or a refusal.
    """

    calls: int = 0
    remembered: int = 0
    sent: int = 0
    received: int = 0
    cost: float = 0.0
    swapped: int = 0
    changed: int = 0
    unreadable: int = 0


class AskedModel:
    """Answers about pairs, and about where items belong; made by `LanguageModel.about`.

    It is an answerer, and an oracle that takes many pairs at once.

    Parameters
    ----------
    model : LanguageModel
        The model and its settings.
    items : Items
        The pile.
    study : str
        The identity of the study under which costs are kept.
    """

    def __init__(self, model: LanguageModel, items: Items, study: str) -> None:
        self.model, self.items = model, items
        self.name, self.weight = model.name, model.weight
        self.tally = Tally()
        self.cards = ItemPrompts(items, model.picture_size)
        database = open_database()
        weakref.finalize(self, database.close)
        self._cache = ReplyCache(database)
        limit = None if model.budget is None else model.budget.amount
        self.ledger = Ledger(database, study, model.name, limit)
        self._unpaid = 0.0  # what was spent and is not yet part of an answer's cost
        self._said_so = False
        self._known: dict[str, str] = {}  # replies of this run, by the key of the question

    @property
    def questions_per_call(self) -> int:
        """How many questions are asked at once."""
        return self.model.questions_per_call

    @cached_property
    def price(self) -> float:
        """What an answer costs at most, asked alone."""
        two = self.pair(0, len(self.items) - 1)
        return self._most(Prompt.of([two], self.model.instructions))

    def __call__(self, i: int, j: int) -> Verdict:
        """Return the answer about one pair."""
        return next(self.many([(i, j)]))

    def many(self, pairs: Sequence[tuple[int, int]]) -> Iterator[Verdict]:
        """Yield the verdicts in the order of the pairs, each as soon as those before it are there.

        Raises
        ------
        CostLimit
            If the next call could cost more than is left.
        DataError
            If nobody has allowed that items are sent, or the server refuses or keeps failing.
        """
        asked = [self.pair(*pair) for pair in pairs]
        for reply in self.replies(asked):
            yield Verdict.of(reply)

    def replies(self, asked: Sequence[Asked]) -> Iterator[str]:
        """Yield what is replied to each question, in their order."""
        keys = [self._key(one) for one in asked]
        new = {key: one for key, one in zip(keys, asked, strict=True) if key not in self._known}
        known = self._remembered(new)
        self._known.update(known)
        self.tally.remembered += len(known)
        coming = self._answered({key: one for key, one in new.items() if key not in known})
        for key in keys:
            while key not in self._known:
                self._known.update(next(coming))
            yield self._known[key]

    def pair(self, i: int, j: int) -> PairAsked:
        """Return the question about a pair; which item comes first is a matter of their content."""
        one, other = self.cards[i], self.cards[j]
        asked = PairAsked(one, other)
        first_is_one = int(digest(asked.identity)[-1], 16) % 2 == (one.digest < other.digest)
        return asked if first_is_one else asked.swapped

    def place(self, item: int, groups: Sequence[Sequence[int]]) -> PlaceAsked:
        """Return the question to which of these groups, shown by some members, an item belongs."""
        shown = tuple(tuple(self.cards[one] for one in group) for group in groups)
        return PlaceAsked(self.cards[item], shown)

    def n_remembered(self, asked: Sequence[Asked]) -> int:
        """Return to how many questions the replies are known, and so are free."""
        return len(self._remembered({self._key(one): one for one in asked}))

    def n_affordable(self, asked: Sequence[Asked]) -> int:
        """Return how many of these questions, the first ones, can surely be paid for."""
        n = len(asked)
        while n and sum(map(self._most, self.prompts(asked[:n]))) > self.ledger.left:
            n //= 2
        return n

    def take_cost(self) -> float:
        """Return what was spent since this was last called: the cost of the answers since then."""
        cost, self._unpaid = self._unpaid, 0.0
        return cost

    def may_spend(self, amount: float) -> None:
        """Limit what is spent from now on, to this and to the model's own budget."""
        own = inf if self.model.budget is None else self.model.budget.amount
        self.ledger.limit = min(own, self.ledger.spent + amount)

    def prompts(self, asked: Sequence[Asked]) -> list[Prompt]:
        """Return the calls that new questions take, without making them."""
        keyed = {self._key(one): one for one in asked}
        known = self._remembered(keyed)
        new = [one for key, one in keyed.items() if key not in known]
        both = [
            one.swapped
            for key, one in keyed.items()
            if key not in known and isinstance(one, PairAsked) and self._is_sampled(key)
        ]
        size = self.model.questions_per_call
        return [
            Prompt.of(part[first : first + size], self.model.instructions)
            for part in (new, both)
            for first in range(0, len(part), size)
        ]

    # -- one call after the other --------------------------------------------------------------

    def _remembered(self, asked: Mapping[str, Asked]) -> dict[str, str]:
        """Return the replies that were paid for earlier, where nothing is missing of them."""
        found = self._cache.known(list(asked))
        both = self._asked_twice({key: asked[key] for key in found}, found)
        again = self._cache.known([_swapped(key) for key in both])
        whole = {key: found[key] for key in found if key not in both or _swapped(key) in again}
        for key in both.keys() & whole.keys():
            if again[_swapped(key)] != whole[key]:
                whole[key] = "unsure"
        return whole

    def _answered(self, asked: dict[str, Asked]) -> Iterator[dict[str, str]]:
        """Yield replies by the key of the question, as they come."""
        size, keys = self.model.questions_per_call, list(asked)
        for first in range(0, len(keys), size):
            part = {key: asked[key] for key in keys[first : first + size]}
            once = self._asked_until_answered(part)
            both = self._asked_twice(part, once)
            if both:
                again = self._asked_until_answered({_swapped(key): both[key] for key in both})
                differ = [key for key in both if again[_swapped(key)] != once[key]]
                self.tally.swapped += len(both)
                self.tally.changed += len(differ)
                once.update(dict.fromkeys(differ, "unsure"))
            yield once

    def _asked_twice(
        self, asked: Mapping[str, Asked], replies: Mapping[str, str]
    ) -> dict[str, Asked]:
        """Return the other order of the pairs that are asked in both."""
        return {
            key: one.swapped
            for key, one in asked.items()
            if isinstance(one, PairAsked) and self._is_sampled(key) and replies[key] != "unsure"
        }

    def _asked_until_answered(self, asked: Mapping[str, Asked]) -> dict[str, str]:
        """Return a reply to each question: what is missing is asked again, in smaller prompts.

        Every reply is on the disk before the next call is made: a program that is killed has paid
        for none of them in vain.
        """
        found = self._cache.known(list(asked))
        tries = dict.fromkeys(asked, 0)
        left = [key for key in asked if key not in found]
        waiting = deque([left] if left else [])
        fruitless = 0
        while waiting:
            keys = waiting.popleft()
            replies, refused = self._call([asked[key] for key in keys])
            new = {keys[k]: reply for k, reply in replies.items()}
            missing = [key for key in keys if key not in new]
            if refused and len(keys) == 1:
                self.tally.unreadable += 1
                new, missing = {keys[0]: "unsure"}, []
            self._cache.keep(new)
            found.update(new)
            fruitless = 0 if new or refused else fruitless + 1
            if fruitless == _FRUITLESS:
                raise DataError(
                    f"{self.model.sends_to} sent nothing that can be read as answers "
                    f"{_FRUITLESS} times running; check that {self.model.model!r} is a chat model "
                    "that can reply in JSON"
                )
            if missing and len(keys) == 1:
                tries[keys[0]] += 1
                if tries[keys[0]] == _TRIES:
                    self.tally.unreadable += 1
                    found[keys[0]] = "unsure"
                    continue
            # A reply without any answer may have been too long, or one item in it refused.
            half = (len(missing) + 1) // 2 if len(missing) == len(keys) else len(missing)
            waiting.extend(part for part in (missing[:half], missing[half:]) if part)
        return found

    def _call(self, asked: Sequence[Asked]) -> tuple[dict[int, str], bool]:
        """Ask in one call; return the replies by place, and whether it refused to reply."""
        self._require_consent()
        prompt = Prompt.of(asked, self.model.instructions)
        before = self.ledger.spent
        try:
            done = self.model.endpoint.complete(
                prompt, self.model.token_price, self.ledger, self.model.picture_tokens
            )
        finally:  # calls whose replies were lost have their cost, too
            self._unpaid += self.ledger.spent - before
            self.tally.cost += self.ledger.spent - before
        self.tally.calls += 1
        self.tally.sent += done.sent
        self.tally.received += done.received
        found = answers_in(done.text, prompt.questions)
        return {int(name[1:]) - 1: said for name, said in found.items()}, done.refused

    def _require_consent(self) -> None:
        """Say what is about to leave this machine, once, or refuse where nobody has allowed it."""
        what = f"items of the pile ({self._shown()})"
        if not self.model.send:
            raise DataError(
                f"{what} would be sent to {self.model.sends_to}; allow it with --send (in Python: "
                "with send=True)"
            )
        if not self._said_so:
            _log.warning("%s are sent to %s now", what, self.model.sends_to)
            self._said_so = True

    def _shown(self) -> str:
        shown = ("texts", "rows", "pictures")
        return ", ".join(kind for kind in shown if getattr(self.items, kind) is not None)

    # -- what a question is --------------------------------------------------------------------

    def _key(self, asked: Asked) -> str:
        model = self.model
        settings = [model.endpoint.address, model.model, VERSION, model.instructions]
        return digest([*settings, model.picture_size, asked.identity])

    def _is_sampled(self, key: str) -> bool:
        return int(key[:8], 16) < self.model.swapped * 16**8

    def _most(self, prompt: Prompt) -> float:
        sent = prompt.tokens(self.model.picture_tokens, at_most=True)
        n = len(prompt.questions)
        return self.model.token_price.cost(sent, prompt.most_reply_tokens, n)


def _swapped(key: str) -> str:
    """Return the key of a question in the other order.

    >>> _swapped("5f")
    '5f/swapped'
    """
    return f"{key}/swapped"
