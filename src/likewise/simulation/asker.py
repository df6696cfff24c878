"""Asking an oracle: one pair, or a batch side by side; whatever was answered is handed on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, TypeVar

from likewise.errors import LikewiseError, OracleError
from likewise.journal.pairs import Pair, Verdict
from likewise.simulation.awaited import awaited
from likewise.simulation.oracles import Oracle

_T = TypeVar("_T")


class Asker:
    """An oracle whose failures are told from everybody else's: whatever it raises is `OracleError`.

    Parameters
    ----------
    oracle : Oracle
        Who is asked. One with a method `many` is given a whole batch: it returns, or yields as
        they come, the verdicts in the order of the pairs. Any other is called from several
        threads; what it returns may be awaitable, as of an `async` function: all of these run
        on one event loop.

    Examples
    --------
    >>> list(Asker(lambda i, j: i + j == 3).many([Pair(1, 2), Pair(1, 3)]))
    [<Verdict.SAME: 'same'>, <Verdict.DIFFERENT: 'different'>]
    """

    def __init__(self, oracle: Oracle) -> None:
        self.oracle = oracle

    def __call__(self, i: int, j: int) -> Verdict:
        """Return the answer about one pair."""
        return self._guarded(lambda: Verdict.of(awaited(self.oracle(i, j))))

    def name_of(self, item: int) -> str:
        """Return the class of an item, of an oracle that knows classes."""
        oracle: Any = self.oracle
        return self._guarded(lambda: str(oracle.name_of(item)))

    def many(self, pairs: Sequence[Pair]) -> Iterator[Verdict | None]:
        """Yield the answers in the order of the pairs; None where there is none.

        When the oracle fails on some of them, or the keyboard interrupts, those under way are
        waited for and yielded first; the error comes last.
        """
        if len(pairs) == 1:
            yield self(*pairs[0])
        elif hasattr(self.oracle, "many"):
            yield from self._in_one(pairs)
        else:
            yield from self._side_by_side(pairs)

    def _in_one(self, pairs: Sequence[Pair]) -> Iterator[Verdict]:
        oracle: Any = self.oracle
        coming: Iterator[Any] = self._guarded(lambda: iter(oracle.many(pairs)))
        for k in range(len(pairs)):
            yield self._guarded(lambda: Verdict.of(next(coming)), f"gave {k} of {len(pairs)}")

    def _side_by_side(self, pairs: Sequence[Pair]) -> Iterator[Verdict | None]:
        problem: BaseException | None = None
        with ThreadPoolExecutor(len(pairs)) as pool:
            asked = [pool.submit(self, *pair) for pair in pairs]
            for one in asked:
                problem = _finished(one, asked) or problem
                failed = one.exception()
                problem = problem or failed
                yield None if failed is not None else one.result()
        if problem is not None:
            raise problem

    def _guarded(self, call: Callable[[], _T], said: str = "") -> _T:
        try:
            return call()
        except StopIteration as error:
            raise OracleError(f"the oracle {said} answers") from error
        except LikewiseError as error:
            raise OracleError(f"the oracle failed: {error}") from error
        except Exception as error:
            raise OracleError(f"the oracle raised {type(error).__name__}: {error}") from error


def _finished(one: Future[Verdict], asked: Sequence[Future[Verdict]]) -> BaseException | None:
    """Wait for an answer; if the keyboard interrupts, for all of them, and return the interrupt."""
    try:
        wait([one])
    except KeyboardInterrupt as interrupt:
        wait(asked)
        return interrupt
    return None
