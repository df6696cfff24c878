"""What is installed, as a bill of materials for who audits a release."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[1] / "tools" / "bill_of_materials.py"


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
