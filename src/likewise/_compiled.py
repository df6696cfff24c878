"""Compiled loops: numba's, kept on disk for the next program where there is a place for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(**options: Any) -> Callable[[Function], Function]:
    """Return a decorator that compiles a function when it is first called.

    What was compiled is kept beside the code or, where that cannot be written, in the home folder.
    Where neither can be, numba refuses to begin; here the function is compiled in every program
    anew, which costs seconds and nothing else.

    Parameters
    ----------
    **options
        As for `numba.njit`, all but `cache`.

    Examples
    --------
    >>> @compiled(nogil=True)
    ... def doubled(x):
    ...     return 2 * x
    >>> doubled(21)
    42
    """

    def decorate(function: Function) -> Function:
        try:
            kernel: Function = njit(cache=True, **options)(function)
        except RuntimeError:
            kernel = njit(**options)(function)
        return kernel

    return decorate
