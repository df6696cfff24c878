"""Methods by name: ours, those of installed packages, and those that a program adds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import replace
from difflib import get_close_matches

from likewise._plugins import Plugins
from likewise.errors import MethodError, StoreError
from likewise.journal.group_number import NumberOfGroups, described_number
from likewise.methods.catalogue import RECIPES
from likewise.methods.recipe import Recipe


class MethodRegistry(MutableMapping[str, Recipe]):
    """A dict of recipes that also knows the methods which installed packages offer.

    A package offers methods as entry points of the group `likewise.methods`. It is imported when
    one of its names is looked up, or when the names are listed (iteration, `len`); never when
    likewise is imported. One that cannot be loaded is left out with a logged sentence. A recipe
    set by a program hides a package's of the same name.

    Parameters
    ----------
    recipes : mapping of str to Recipe
        Methods that need no package; no package can replace them.
    """

    def __init__(self, recipes: Mapping[str, Recipe]) -> None:
        self._recipes = dict(recipes)
        self.plugins: Plugins[Recipe] = Plugins(
            "likewise.methods",
            kind="a likewise.Recipe",
            accepts=lambda part: isinstance(part, Recipe),
            reserved=frozenset(recipes),
        )

    def __getitem__(self, name: str) -> Recipe:
        recipe = self._recipes.get(name) or self.plugins.get(name)
        if recipe is None:
            raise KeyError(name)
        return recipe if recipe.name == name else replace(recipe, name=name)

    def __setitem__(self, name: str, recipe: Recipe) -> None:
        self._recipes[name] = recipe

    def __delitem__(self, name: str) -> None:
        del self._recipes[name]

    def __iter__(self) -> Iterator[str]:
        yield from list(self._recipes)
        yield from (name for name in self.plugins if name not in self._recipes)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self)})"

    def problem(self, name: str) -> str | None:
        """Return the sentence that says why a package's method is left out; None if it is not."""
        return self.plugins.problem(name)

    def problems(self) -> list[str]:
        """Return a sentence for each method of a package that is left out."""
        return self.plugins.problems()


METHODS = MethodRegistry(RECIPES)


def find_recipe(name: str) -> Recipe:
    """Return the recipe of a method.

    Raises
    ------
    MethodError
        If there is no such method; it says which names there are, or why a package's method of
        this name cannot be used.
    """
    if name in METHODS:
        return METHODS[name]
    if problem := METHODS.problem(name):
        raise MethodError(problem)
    close = get_close_matches(str(name), METHODS, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(sorted(METHODS))}"
    raise MethodError(f"there is no method {name!r}; {hint}")


def named_recipe(method: str | Recipe) -> tuple[str, Recipe]:
    """Return the name and the recipe of a method that is given as either.

    Raises
    ------
    MethodError
        If there is no method of this name, or if a recipe has the name of another method.
    """
    if not isinstance(method, Recipe):
        return method, find_recipe(method)
    if METHODS.get(method.name, method) != method:
        raise MethodError(
            f"the name {method.name!r} belongs to another method; give the recipe one of its own"
        )
    return method.name, method


def recipe_begun_with(name: str, method: str | Recipe | None) -> Recipe:
    """Return the recipe of the method that a journal names.

    Parameters
    ----------
    name : str
        The method that the journal was begun with.
    method : str, Recipe or None
        The method given when it is opened again; a journal does not change its method.

    Returns
    -------
    Recipe
        The given one, or the registered one of that name.

    Raises
    ------
    MethodError
        When nothing is given and no method has the name.
    StoreError
        When another method is given.
    """
    if method is None:
        if name not in METHODS and METHODS.problem(name) is None:
            raise MethodError(
                f"the journal was begun with the method {name!r}, which has no recipe "
                "here; give it again, Study.open(store, X, method=recipe)"
            )
        return find_recipe(name)
    given, recipe = named_recipe(method)
    if given != name:
        raise StoreError(
            f"the journal was begun with method={name!r}, not {given!r}; give that method"
        )
    return recipe


def groups_for(method: str | Recipe, n_clusters: NumberOfGroups) -> NumberOfGroups:
    """Return the number of groups that a study by this method has, where it is known.

    A method for two groups takes it that there are two, unless it is told of more; then it raises
    `MethodError`.
    """
    name, recipe = named_recipe(method)
    most = recipe.most_groups
    if most is None:
        return n_clusters
    least = n_clusters[0] if isinstance(n_clusters, tuple) else n_clusters
    if least is not None and least > most:
        raise MethodError(
            f"the method {name!r} tells {most} groups apart, not {described_number(n_clusters)}; "
            "use 'urasc', 'quire' or 'closest' for more"
        )
    return n_clusters if isinstance(n_clusters, int) else most
