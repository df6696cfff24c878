"""Methods: recipes that name an affinity, a clusterer and a strategy."""

from likewise.methods.recipe import (
    Recipe,
    close_neighbours,
    constraint_forest,
    neighbour_graph,
    spectral_learning,
)
from likewise.methods.registry import (
    METHODS,
    MethodRegistry,
    find_recipe,
    groups_for,
    named_recipe,
    recipe_begun_with,
)

__all__ = [
    "METHODS",
    "MethodRegistry",
    "Recipe",
    "close_neighbours",
    "constraint_forest",
    "find_recipe",
    "groups_for",
    "named_recipe",
    "neighbour_graph",
    "recipe_begun_with",
    "spectral_learning",
]
