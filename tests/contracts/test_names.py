"""One name, one thing: classes, modules and folders of the package."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import pytest

import likewise

SOURCE = Path(likewise.__file__).parent
# The drivers of peers are scripts that run in other environments, not modules of the package.
MODULES = sorted(
    path.relative_to(SOURCE)
    for path in SOURCE.rglob("*.py")
    if "drivers" not in path.relative_to(SOURCE).parts
)
MOST_MODULES, MOST_LINES = 20, 500

# Words that say nothing to somebody who knows clustering, active learning and web servers. They
# may be part of a longer name that does, such as `pile_source`.
METAPHORS = {
    "apart", "asking", "begun", "clouds", "complaints", "counted", "desk", "endings", "facing",
    "facts", "findings", "gone", "heard", "impatient", "islands", "judging", "landscape", "listen",
    "looking", "mark", "measured", "moment", "newcomers", "opinion", "pencil", "pillar", "room",
    "said", "second_looks", "seen", "sitting", "source", "stage", "standing", "supposed",
    "thinker", "thinking", "told", "walks",
}  # fmt: skip
# Names that say nothing at all.
EMPTY = {"common", "helpers", "manager", "misc", "utils"}


def public_classes() -> dict[str, list[str]]:
    """The modules that define each public class name."""
    found = defaultdict(list)
    for module in MODULES:
        for node in ast.walk(ast.parse((SOURCE / module).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(module.as_posix())
    return found


def test_no_two_public_classes_share_a_name() -> None:
    shared = {name: where for name, where in public_classes().items() if len(where) > 1}
    assert shared == {}


@pytest.mark.parametrize("words", [METAPHORS, EMPTY], ids=["metaphors", "empty"])
def test_modules_and_folders_are_named_in_words_of_the_field(words: set[str]) -> None:
    names = {part.removesuffix(".py").strip("_") for path in MODULES for part in path.parts}
    assert names & words == set()


def test_no_folder_shows_more_than_twenty_modules() -> None:
    shown: dict[Path, int] = defaultdict(int)
    for module in MODULES:
        shown[module.parent] += module.name != "__init__.py"
    assert {str(folder): n for folder, n in shown.items() if n > MOST_MODULES} == {}


def test_no_module_is_longer_than_five_hundred_lines() -> None:
    lines = {str(m): len((SOURCE / m).read_text(encoding="utf-8").splitlines()) for m in MODULES}
    assert {module: n for module, n in lines.items() if n > MOST_LINES} == {}
