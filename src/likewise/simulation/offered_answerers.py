"""Answerers that other packages offer, by their names."""

from __future__ import annotations

from collections.abc import Callable

from likewise._plugins import Plugins
from likewise.errors import LikewiseError, MethodError
from likewise.simulation.answerers import Program

plugins: Plugins[Callable[[], Program]] = Plugins(
    "likewise.answerers",
    kind="a class or a function without arguments that builds an answerer",
    accepts=callable,
)


def offered_answerer(name: str) -> Program:
    """Build the answerer that a package offers under this name.

    A package offers one as an entry point of the group `likewise.answerers`: the name of the entry
    is what is given to `likewise answer --by` or `lw.run(X, name)`, its value a class, or a
    function without arguments, that builds a `Program`.

    Raises
    ------
    MethodError
        If no package offers one, or it cannot be used; a sentence says why.
    """
    build = plugins.get(name)
    if build is None:
        names = ", ".join(plugins.names()) or "none"
        raise MethodError(
            plugins.problem(name)
            or f"no package offers an answerer {name!r}; those that are offered: {names}"
        )
    try:
        program = build()
    except LikewiseError:
        raise
    except Exception as error:  # whatever went wrong inside, it is this answerer
        raise MethodError(f"the answerer {name!r} cannot be built ({error})") from error
    if not (isinstance(getattr(program, "name", None), str) and callable(_about(program))):
        raise MethodError(
            f"the answerer {name!r} must have a name and a method about(items, study), but a "
            f"{type(program).__name__} came"
        )
    return program


def _about(program: object) -> object:
    return getattr(program, "about", None)
