"""Parts of other packages: found by entry points, loaded when asked for, failing alone."""

from __future__ import annotations

import ast
import doctest
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

METHODS = """
from likewise.methods import Recipe
from likewise.strategies import Placing, RandomItems

class LastFirst:
    def rank(self, view, candidates, n, rng):
        return [int(i) for i in candidates[::-1][:n]]

last_first = Recipe("the last item first", lambda: Placing(LastFirst()))
no_recipe = {"summary": "a dict is no recipe"}
impostor = Recipe("not ours", lambda: Placing(RandomItems()))
"""
METHOD_ENTRIES = """
[likewise.methods]
last-first = good_methods:last_first
class-instead = good_methods:Recipe
no-recipe = good_methods:no_recipe
missing = good_methods:missing
urasc = good_methods:impostor
broken = broken_methods:recipe
quits = quitting_methods:recipe
unfinished = unfinished_methods:recipe
"""

Run = Callable[..., str]


def install(folder: Path, name: str, entries: str, **modules: str) -> None:
    """Write modules and the metadata that an installed distribution leaves behind."""
    metadata = folder / f"{name}-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(entries)
    for module, code in modules.items():
        (folder / f"{module}.py").write_text(code)


@pytest.fixture
def python(tmp_path: Path) -> Run:
    """Run a fresh interpreter that finds what is installed in `tmp_path`; both its streams."""

    def run(*arguments: str, stderr: bool = True) -> str:
        path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
        done = subprocess.run(
            [sys.executable, *arguments],
            env={
                **os.environ,
                "PYTHONPATH": path,
                "COLUMNS": "500",
                "LIKEWISE_CACHE": str(tmp_path / "cache"),
            },
            check=False,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if stderr else subprocess.DEVNULL,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    return run


@pytest.fixture
def with_methods(tmp_path: Path) -> None:
    install(
        tmp_path,
        "some-methods",
        METHOD_ENTRIES,
        good_methods=METHODS,
        broken_methods="raise RuntimeError('the disk is\\non fire')",
        quitting_methods="raise SystemExit",
        unfinished_methods="from likewise import Recipe\nrecipe = Recipe('what', strategy='urasc')",
    )


@pytest.mark.usefixtures("with_methods")
def test_methods_of_other_packages_are_listed_and_the_unusable_left_out(python: Run) -> None:
    listed = python("-m", "likewise", "methods")
    assert "last-first" in listed
    assert "the last item first" in listed
    assert "not ours" not in listed
    for sentence in (
        "broken = 'broken_methods:recipe' in likewise.methods of the package some-methods is left "
        "out: it cannot be loaded (RuntimeError: the disk is)",
        "it cannot be loaded (SystemExit)",
        "no-recipe = 'good_methods:no_recipe' in likewise.methods of the package some-methods is "
        "left out: it must be a likewise.Recipe but is a dict",
        "it must be a likewise.Recipe but is the class Recipe",
        "it cannot be loaded (AttributeError: module 'good_methods' has no attribute 'missing')",
        "it has a name that likewise uses itself; rename it",
        "a recipe's strategy must be a function that builds one (or its class), got 'urasc'",
    ):
        assert listed.count(sentence) == 1, sentence
    assert "Traceback" not in listed
    as_json = python("-m", "likewise", "methods", "--json", stderr=False)
    names = [one["name"] for one in json.loads(as_json)]
    assert names[-1] == "last-first"
    assert names.count("urasc") == 1


@pytest.mark.usefixtures("with_methods")
def test_a_package_is_imported_when_its_method_is_asked_for_and_not_before(python: Run) -> None:
    python(
        "-c",
        "import sys, likewise as lw\n"
        "assert 'urasc' in lw.METHODS and lw.METHODS['coprf']\n"
        "assert not {'good_methods', 'broken_methods'} & set(sys.modules)\n"
        "assert 'last-first' in lw.METHODS\n"
        "assert 'good_methods' in sys.modules and 'broken_methods' not in sys.modules\n"
        "study = lw.Study([[0.0], [0.1], [5.0], [5.1]], method='last-first')\n"
        "assert 3 in study.ask().pair\n"
        "assert 'broken_methods' not in sys.modules\n"
        "assert 'broken' not in lw.METHODS and lw.METHODS.get('broken') is None\n"
        "assert len(lw.METHODS) == len(list(lw.METHODS)) == len(sorted(lw.METHODS))\n"
        "assert lw.METHODS['urasc'].summary != 'not ours'\n"
        "assert len(lw.METHODS.problems()) == 7\n",
    )


@pytest.mark.usefixtures("with_methods")
def test_a_package_may_be_imported_first(python: Run) -> None:
    python(
        "-c",
        "import good_methods\n"
        "import likewise as lw\n"
        "assert lw.METHODS['last-first'].strategy is good_methods.last_first.strategy\n",
    )


@pytest.mark.usefixtures("with_methods")
def test_asking_for_an_unusable_method_says_why(python: Run) -> None:
    printed = python(
        "-c",
        "import likewise as lw\n"
        "try:\n    lw.Study([[0.0], [1.0]], method='no-recipe')\n"
        "except lw.errors.MethodError as error:\n    print(error)\n",
        stderr=False,
    )
    assert "must be a likewise.Recipe but is a dict" in printed


STORE = """
from likewise.stores import MemoryStore

PLACES = {}

def open_place(address):
    return PLACES.setdefault(address, MemoryStore())

def refuse(address):
    raise ConnectionError("nobody is there")

def no_store(address):
    return {}
"""
STORE_ENTRIES = """
[likewise.stores]
shelf = some_stores:open_place
refusing = some_stores:refuse
dicts = some_stores:no_store
lost = some_stores:lost
text = some_stores:__name__
jsonl = some_stores:open_place
"""


def test_stores_of_other_packages_are_opened_by_scheme_and_by_suffix(
    tmp_path: Path, python: Run
) -> None:
    install(tmp_path, "some-stores", STORE_ENTRIES, some_stores=STORE)
    printed = python(
        "-c",
        "import sys, likewise as lw\n"
        "X = [[0.0], [0.1], [5.0], [5.1]]\n"
        "assert type(lw.stores.open_store('a.jsonl')).__name__ == 'JsonLinesStore'\n"
        "assert 'some_stores' not in sys.modules\n"
        "for place in ('shelf://user:secret@there/a', 'a.shelf'):\n"
        "    study = lw.Study(X, store=place)\n"
        "    study.tell(study.ask(), 'same')\n"
        "    assert lw.Study.open(place, X).n_answers == 1\n"
        "for place in ('refusing://:secret@', 'dicts://', 'lost://', 'a.text', 'a.other', 'o://'):\n"
        "    try:\n"
        "        lw.stores.open_store(place)\n"
        "    except lw.errors.StoreError as error:\n"
        "        print(error)\n",
        stderr=False,
    )
    for line, sentence in zip(
        printed.splitlines(),
        [
            "the refusing store cannot be opened: nobody is there",
            "the dicts store must have the methods append and read, but a dict came",
            "it cannot be loaded (AttributeError: module 'some_stores' has no attribute 'lost')",
            "it must be a function that takes the address and returns a store but is a str",
            "a journal file must end in .jsonl or .db but got 'a.other'",
            "o:// is no store; give a file, or the address of a database",
        ],
        strict=True,
    ):
        assert sentence in line
    assert "secret" not in printed


MODELS = """
class Lengths:
    cache_key = "lengths 1"

    def embed_texts(self, texts):
        return [[float(len(text)), 1.0] for text in texts]

class Colours:
    cache_key = "colours 1"

    def embed_pictures(self, pictures):
        return [[float(channel) for channel in p.resize((1, 1)).getpixel((0, 0))] for p in pictures]

class Ragged(Lengths):
    cache_key = "ragged 1"

    def embed_texts(self, texts):
        return [0.0]

def fails():
    raise RuntimeError("no weights")

weights = 3
"""
MODEL_ENTRIES = """
[likewise.feature_models]
lengths = some_models:Lengths
colours = some_models:Colours
ragged = some_models:Ragged
fails = some_models:fails
weights = some_models:weights
"""


def test_help_and_the_list_name_the_models_of_other_packages(tmp_path: Path, python: Run) -> None:
    install(tmp_path, "some-models", MODEL_ENTRIES, some_models=MODELS)
    shown = " ".join(python("-m", "likewise", "start", "--help", stderr=False).split())
    words = "".join(shown.replace("│", "").split())
    assert "Fromotherpackages:colours,fails,lengths,ragged,weights." in words
    found = json.loads(python("-m", "likewise", "models", "--json", stderr=False))
    serves = {model["name"]: model["serves"] for model in found["models"]}
    assert (serves["lengths"], serves["colours"], serves["fails"]) == ("texts", "pictures", "")
    assert "weights" not in serves


def test_feature_models_of_other_packages_are_named_like_ours(tmp_path: Path, python: Run) -> None:
    install(tmp_path, "some-models", MODEL_ENTRIES, some_models=MODELS)
    (tmp_path / "words.txt").write_text("a\nbb\nccc\n")
    (tmp_path / "photos").mkdir()
    printed = python(
        "-c",
        "import sys, likewise as lw\n"
        "from pathlib import Path\n"
        "from PIL import Image\n"
        f"here = Path({str(tmp_path)!r})\n"
        "for k, colour in enumerate(['red', 'red', 'blue']):\n"
        "    Image.new('RGB', (8 + k, 8), colour).save(here / 'photos' / f'{k}.png')\n"
        "(here / 'photos' / 'bad.png').write_text('no picture')\n"
        "assert lw.load_items(here / 'words.txt', model='tf-idf').data.shape[0] == 3\n"
        "assert 'some_models' not in sys.modules\n"
        "X = lw.load_items(here / 'words.txt', model='lengths').features\n"
        "assert X[:, 0].tolist() == [1.0, 2.0, 3.0], X\n"
        "X = lw.load_items(here / 'photos', model='colours').features\n"
        "assert X.tolist() == [[255, 0, 0], [255, 0, 0], [0, 0, 255]], X\n"
        "wrong = {'colours': 'words.txt', 'lengths': 'photos', 'fails': 'words.txt',\n"
        "         'ragged': 'words.txt', 'weights': 'words.txt'}\n"
        "for model, pile in wrong.items():\n"
        "    try:\n"
        "        lw.load_items(here / pile, model=model)\n"
        "    except lw.errors.DataError as error:\n"
        "        print(error)\n",
        stderr=False,
    )
    for line, sentence in zip(
        printed.splitlines(),
        [
            "the model 'colours' is not for texts: it lacks cache_key or embed_texts",
            "the model 'lengths' is not for pictures: it lacks cache_key or embed_pictures",
            "the model 'fails' cannot be loaded (no weights)",
            "the model 'ragged' must return 3 rows of finite numbers, but an array of shape (1,)",
            "weights = 'some_models:weights' in likewise.feature_models of the package some-models "
            "is left out: it must be a class or a function without arguments that builds a feature",
        ],
        strict=True,
    ):
        assert sentence in line


@pytest.mark.usefixtures("with_methods")
def test_every_plugin_is_listed_with_what_is_wrong_with_it(python: Run) -> None:
    listed = json.loads(python("-m", "likewise", "plugins", "--json", stderr=False))
    problems = {plugin["name"]: plugin["problem"] for plugin in listed}
    assert {plugin["group"] for plugin in listed} == {"likewise.methods"}
    assert problems.pop("last-first") == ""
    assert "the disk is" in problems["broken"]
    assert "has a name that likewise uses itself" in problems["urasc"]
    assert all(problems.values())


ANSWERERS = """
class Rule:
    name = "by-colour"

    def about(self, items, study=""):
        self.colours = [text.split()[0] for text in items.texts]
        return self

    def __call__(self, i, j):
        one, other = self.colours[i], self.colours[j]
        return "unsure" if "?" in (one, other) else one == other

class Priced(Rule):
    price = 0.5

class Remote(Rule):
    sends_to, send = "example.org", False

class Fails(Rule):
    def __call__(self, i, j):
        raise ValueError("no ink")

class Mumbles(Rule):
    def __call__(self, i, j):
        return "perhaps"

class Nameless(Rule):
    def about(self, items, study=""):
        return lambda i, j: "same"

def no_program():
    return 3
"""
ANSWERER_ENTRIES = """
[likewise.answerers]
by-colour = some_answerers:Rule
priced = some_answerers:Priced
remote = some_answerers:Remote
fails = some_answerers:Fails
mumbles = some_answerers:Mumbles
nameless = some_answerers:Nameless
no-program = some_answerers:no_program
gone = some_answerers:gone
"""


@pytest.fixture
def with_answerers(tmp_path: Path) -> Path:
    install(tmp_path, "some-answerers", ANSWERER_ENTRIES, some_answerers=ANSWERERS)
    pile = tmp_path / "things.txt"
    things = ("car", "pen", "hat", "sofa", "door", "shoe")
    pile.write_text("\n".join(f"{c} {t}" for t in things for c in ("red", "blue", "?")) + "\n")
    return pile


def test_an_answerer_of_a_package_answers_in_runs_and_studies(
    with_answerers: Path, python: Run
) -> None:
    python(
        "-c",
        "import likewise as lw\n"
        f"items = lw.load_items({str(with_answerers)!r}, model='tf-idf')\n"
        "colours = [text.split()[0] for text in items.texts]\n"
        "sure = [k for k, colour in enumerate(colours) if colour != '?']\n"
        "study = lw.Study(items, method='random-items')\n"
        "session = lw.answerers.answer(study, 'by-colour', budget=60)\n"
        "assert not session.failed and session.unsure, session\n"
        "labels = [study.labels_[k] for k in sure]\n"
        "assert lw.metrics.ari([colours[k] for k in sure], labels) == 1\n"
        "assert {one.who for one in study.answers} == {'by-colour'}\n"
        "run = lw.run(items, 'by-colour', budget=5, method='random-items')\n"
        "assert run.n_questions == 5, run\n"
        "run = lw.run(items, answerers=['by-colour', lw.answerers.Simulated('Ada', colours)],\n"
        "             budget=6, method='random-items', checkpoints=[])\n"
        "assert 'by-colour' in set(run.study.answerers_.who)\n"
        "said = lw.answerers.answer(lw.Study(items), 'fails', budget=3)\n"
        "assert said.failed and said.reason == 'by-colour failed (ValueError: no ink)', said\n"
        "said = lw.answerers.answer(lw.Study(items), 'mumbles', budget=3)\n"
        "assert said.failed and 'perhaps' in said.reason, said\n"
        "study = lw.Study(items)\n"
        "assert lw.answerers.answer(study, 'priced', budget=3).tally.cost == 1.5\n"
        "assert study.answerers_.cost.sum() == 1.5\n"
        "for name, sentence in {\n"
        "    'gone': \"has no attribute 'gone'\", 'no-program': 'must have a name and a method',\n"
        "    'nobody': 'no package offers an answerer', 'nameless': 'with a name',\n"
        "}.items():\n"
        "    try:\n"
        "        lw.run(items, name)\n"
        "    except lw.errors.MethodError as error:\n"
        "        assert sentence in str(error), error\n"
        "    else:\n"
        "        raise AssertionError(name)\n",
    )


def test_an_answerer_of_a_package_answers_on_the_command_line(
    with_answerers: Path, python: Run
) -> None:
    pile = str(with_answerers)
    command = ["-m", "likewise", "answer", pile, "--model", "tf-idf", "--method", "random-items"]
    said = python(*command, "--by", "by-colour", "--budget", "8")
    assert "by-colour answered 8 questions." in said
    listed = json.loads(python("-m", "likewise", "plugins", "--json", stderr=False))
    problems = {plugin["name"]: plugin["problem"] for plugin in listed}
    assert {plugin["group"] for plugin in listed} == {"likewise.answerers"}
    assert "has no attribute 'gone'" in problems["gone"]
    assert problems["by-colour"] == ""


UNUSABLE = {
    "remote --budget 3": "items of the pile would be sent to example.org; allow it with --send",
    "priced": "say how far it may go: --budget 100 answers",
    "by-colour --money 2": "--money is for a language model on a server",
    "by-colour --ask place": "by-colour answers about pairs alone",
    "gone": "has no attribute 'gone'",
    "fails --budget 3": "by-colour failed (ValueError: no ink)",
}


def test_an_answerer_that_cannot_be_used_is_one_sentence(with_answerers: Path, python: Run) -> None:
    said = python(
        "-c",
        "import json\n"
        "from typer.testing import CliRunner\n"
        "from likewise.cli.app import app\n"
        f"command = ['answer', {str(with_answerers)!r}, '--model', 'tf-idf', '--by']\n"
        f"done = [CliRunner().invoke(app, command + by.split()) for by in {list(UNUSABLE)!r}]\n"
        "print(json.dumps([[one.exit_code, one.output, str(one.exception)] for one in done]))",
        stderr=False,
    )
    for (code, printed, error), sentence in zip(json.loads(said), UNUSABLE.values(), strict=True):
        assert code in (1, 2)  # the sentence is printed by whoever calls the app
        assert sentence in printed + error


# --- the package that the documentation tells how to make ----------------------------------------

PAGE = Path(__file__).parents[1] / "docs" / "howto" / "extend.md"


def blocks(page: str, language: str) -> list[str]:
    """Return the fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)


def parts(page: str) -> str:
    """Return the module of parts: imports, classes, functions and recipes of the examples."""
    examples = doctest.DocTestParser().get_examples("\n".join(blocks(page, "python")))
    kept = []
    for example in examples:
        (statement,) = ast.parse(example.source).body
        is_value = isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Dict)
        is_recipe = isinstance(statement, ast.Assign) and "lw.Recipe(" in example.source
        kinds = (ast.Import, ast.ImportFrom, ast.ClassDef, ast.FunctionDef)
        if isinstance(statement, kinds) or is_value or is_recipe:
            kept.append(example.source)
    return "".join(kept)


@pytest.mark.slow
def test_the_package_of_the_documentation_is_found_and_keeps_its_contracts(
    tmp_path: Path, python: Run
) -> None:
    page = PAGE.read_text(encoding="utf-8")
    project = tomllib.loads(blocks(page, "toml")[0])["project"]
    entries = "\n".join(
        f"[{group}]\n" + "\n".join(f"{name} = {value}" for name, value in named.items())
        for group, named in project["entry-points"].items()
    )
    install(tmp_path, project["name"], entries, my_package=parts(page))
    (tests,) = (block for block in blocks(page, "python") if block.startswith("import pytest"))
    (tmp_path / "test_parts.py").write_text(tests)

    listed = json.loads(python("-m", "likewise", "plugins", "--json", stderr=False))
    assert len(listed) == 4
    assert not any(plugin["problem"] for plugin in listed), listed
    said = python("-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path / "test_parts.py"))
    assert re.search(r"^\d\d passed", said, re.MULTILINE), said
