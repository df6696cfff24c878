"""The page's modules fit together, also those that a test in a browser does not open."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import likewise.web

STATIC = Path(likewise.web.__file__).parent / "static"
IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w.]+)";', re.MULTILINE)
EXPORT = re.compile(r"^export (?:async )?(?:function|const|let|class) (\w+)", re.MULTILINE)


@pytest.mark.parametrize("module", sorted(STATIC.glob("*.js")), ids=lambda path: path.name)
def test_whatever_a_module_imports_is_exported_and_used(module: Path) -> None:
    text = module.read_text(encoding="utf-8")
    body = IMPORT.sub("", text)
    for names, source in IMPORT.findall(text):
        exported = set(EXPORT.findall((STATIC / source).read_text(encoding="utf-8")))
        for name in filter(None, (one.strip() for one in names.split(","))):
            there, _, here = name.partition(" as ")
            assert there in exported, f"{module.name} imports {there} from {source}"
            assert re.search(rf"\b{here or there}\b", body), f"{module.name} does not use {name}"
