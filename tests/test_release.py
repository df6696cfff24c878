"""What is sent to users and what the release runs: nothing is said twice or missing."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import jinja2
import pytest
import yaml

import likewise

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_version_is_kept_once() -> None:
    assert PROJECT["project"]["dynamic"] == ["version"]
    kept_in = ROOT / PROJECT["tool"]["hatch"]["version"]["path"]
    assert f'__version__ = "{likewise.__version__}"' in kept_in.read_text(encoding="utf-8")
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert "version" not in citation


def test_the_papers_to_cite_are_the_same_as_bibtex() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    page = (ROOT / "docs" / "reference" / "citing.md").read_text(encoding="utf-8")
    entries = page.split("\n@")[2:]  # the first entry is likewise itself
    assert len(entries) == len(citation["references"]) == 5
    for reference, entry in zip(citation["references"], entries, strict=True):
        said = dict(re.findall(r"(\w+) *= \{(.*)\}", entry))
        assert said["title"] == reference["title"]
        assert said["year"] == str(reference["year"])
        assert said.get("doi") == reference.get("doi")
        assert len(said["author"].split(" and ")) == len(reference["authors"])
        if "start" in reference:
            assert said["pages"] == f"{reference['start']}--{reference['end']}"


@pytest.mark.skipif(not WORKFLOWS, reason="workflows are not in an sdist")
def test_workflows_run_only_targets_and_files_that_exist() -> None:
    targets = set(
        re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    )
    run = [
        step["run"]
        for workflow in WORKFLOWS
        for job in yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"].values()
        for step in job["steps"]
        if "run" in step
    ]
    made = [target for line in run for target in re.findall(r"\bmake ([\w-]+)", line)]
    assert {"test", "docs"} <= set(made) <= targets
    for file in {path for line in run for path in re.findall(r"\bdocker/[\w.]+", line)}:
        assert (ROOT / file).exists(), file


@pytest.mark.skipif(not WORKFLOWS, reason="workflows are not in an sdist")
def test_every_python_that_is_promised_is_tried_on_three_systems() -> None:
    promised = {
        classifier.rpartition(" ")[2]
        for classifier in PROJECT["project"]["classifiers"]
        if re.search(r":: 3\.\d+$", classifier)
    }
    for name in ("tests", "wheels"):
        text = (ROOT / ".github" / "workflows" / f"{name}.yml").read_text(encoding="utf-8")
        (matrix,) = (
            job["strategy"]["matrix"]
            for job in yaml.safe_load(text)["jobs"].values()
            if "strategy" in job
        )
        assert promised <= set(matrix["python"])
        assert len(matrix["system"]) == 3


def test_the_conda_recipe_needs_what_the_library_needs() -> None:
    recipe = jinja2.Template((ROOT / "conda" / "meta.yaml").read_text(encoding="utf-8")).render(
        load_file_regex=lambda load_file, regex_pattern, from_recipe_dir: re.search(
            regex_pattern, (ROOT / "conda" / load_file).read_text(encoding="utf-8")
        ),
        PYTHON="python",
    )
    said = yaml.safe_load(recipe)
    assert said["package"]["version"] == likewise.__version__
    python, *others = (line.replace(" ", "") for line in said["requirements"]["run"])
    assert python == f"python{PROJECT['project']['requires-python']}"
    assert others == PROJECT["project"]["dependencies"]


@pytest.mark.skipif(not (ROOT / "docker" / "compose.yaml").exists(), reason="not in an sdist")
def test_the_compose_file_gives_the_program_all_that_it_reads() -> None:
    compose = yaml.safe_load((ROOT / "docker" / "compose.yaml").read_text(encoding="utf-8"))
    team = compose["services"]["likewise"]
    program = (ROOT / "docker" / "team.py").read_text(encoding="utf-8")
    read = set(re.findall(r'environ(?:\.get\(|\[)"(\w+)"', program))
    assert read
    assert read <= set(team["environment"])
    assert set(team["depends_on"]) < set(compose["services"])
    secrets = [team["environment"]["LIKEWISE_TOKEN"], team["environment"]["PGPASSWORD"]]
    assert all(":?" in secret for secret in secrets), "a secret must have no default"
