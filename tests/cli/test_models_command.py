"""`likewise models` lists what there is; `--send` is for models that are elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from likewise.cli.app import app
from likewise.features.catalogue import entries, figures
from likewise.features.named import FAMILIES


def run(*words: str) -> str:
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == 0, result.output
    return result.output


def refused(*words: str) -> str:
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == 2, result.output
    return result.output


@pytest.fixture
def lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("lines.txt").write_text("one\ntwo\nthree\n")
    return "lines.txt"


def test_models_are_listed_with_what_they_cost_and_how_good_they_are() -> None:
    found = json.loads(run("models", "--json"))
    models = {model["name"]: model for model in found["models"]}
    ours = {
        "texts": ("mixed", "minilm", "wordllama", "tf-idf"),
        "pictures": ("photographs", "mobilenet", "edges-texture-colour"),
    }
    assert set(found["figures"]) == set(ours)
    for serves, names in ours.items():
        for name in names:
            assert models[name]["serves"] == serves
            assert models[name]["ms"] > 0
            assert 0 < models[name]["kmeans"] <= models[name]["vote"] <= 1
        measured = found["figures"][serves]
        assert measured["piles"]
        assert measured["commits"]
        assert measured["made_by"] == f"python -m benchmarks {serves[:-1]}_features"
    for prefix, family in FAMILIES.items():
        (listed,) = [model for name, model in models.items() if name.startswith(f"{prefix}:")]
        assert listed["install"] == ("" if family.is_installed else f"pip install {family.package}")


def test_people_get_the_same_as_a_table() -> None:
    shown = run("models")
    begun = {line.split()[0] for line in shown.splitlines() if line.split()}
    assert {entry.name for entry in entries() if entry.vote is not None} <= begun
    assert f"Means over {len(figures()['texts']['piles'])} piles of up to 1,000 texts" in shown
    assert f"Means over {len(figures()['pictures']['piles'])} piles of up to" in shown
    assert "fastembed" in shown


def test_sending_is_refused_unless_allowed_and_allowed_only_where_it_is_meant(lines: str) -> None:
    endpoint = "endpoint:http://127.0.0.1:1/v1#m"
    said = refused("answer", lines, "--model", endpoint)
    assert "3 items of the pile would be sent to 127.0.0.1:1; allow it with --send" in said
    assert not list(Path().glob("*.likewise.*"))
    for model in ("minilm", "some-name", "tf-idf"):
        assert "leave --send out" in refused("answer", lines, "--model", model, "--send")
    assert "leave --send out" in refused("answer", lines, "--send")


def test_the_command_to_go_on_with_allows_the_same() -> None:
    from likewise.cli.pile_source import PileSource

    source = PileSource(Path("t.txt"), model="endpoint:http://h/v1#m", send=True)
    assert (
        source.command("labels") == "likewise labels t.txt --model 'endpoint:http://h/v1#m' --send"
    )
