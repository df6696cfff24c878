"""What is installed, as a bill of materials for who audits a release."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
TOOL = ROOT / "tools" / "bill_of_materials.py"
LOCK = ROOT / "docker" / "requirements.lock"


@pytest.mark.skipif(not TOOL.exists(), reason="tools are not in an sdist")
def test_every_installed_package_is_listed_once_in_order() -> None:
    installed = [
        {"metadata": {"name": "Zope.Interface", "version": "7.0", "license_expression": "ZPL-2.1"}},
        {"metadata": {"name": "numpy", "version": "2.1.0"}},
    ]
    made = subprocess.run(
        [sys.executable, TOOL],
        input=json.dumps({"installed": installed}),
        capture_output=True,
        text=True,
        check=True,
    )
    bill = json.loads(made.stdout)
    assert bill["bomFormat"] == "CycloneDX"
    numpy, zope = bill["components"]
    assert numpy["purl"] == "pkg:pypi/numpy@2.1.0"
    assert "licenses" not in numpy
    assert zope["purl"] == "pkg:pypi/zope-interface@7.0"
    assert zope["licenses"] == [{"expression": "ZPL-2.1"}]


@pytest.mark.skipif(not LOCK.exists(), reason="the image is not in an sdist")
def test_the_image_is_made_of_one_version_of_each_package_with_hashes() -> None:
    entries = re.findall(r"^([^ #\n]+) \\\n((?:    --hash=.*\n)+)", LOCK.read_text(), re.MULTILINE)
    pins = [re.fullmatch(r"([a-z0-9.-]+)==([^;]+)", name) for name, _ in entries]
    versions = {pin[1]: pin[2] for pin in pins if pin}
    assert len(versions) == len(entries) == LOCK.read_text().count("==")
    assert all(hashes.count("sha256:") >= 1 for _, hashes in entries)
    for wanted in requirements_of("app", "postgres"):
        name = canonicalize_name(wanted.name)
        assert wanted.specifier.contains(versions[name]), f"{name} {versions[name]}: renew the lock"


def requirements_of(*extras: str) -> list[Requirement]:
    """Return what likewise needs with some extras, those that extras name included."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    found = [Requirement(line) for line in project["dependencies"]]
    for extra in extras:
        for wanted in map(Requirement, project["optional-dependencies"][extra]):
            if wanted.name == "likewise":
                found += requirements_of(*wanted.extras)
            else:
                found.append(wanted)
    return found
