"""Sphinx settings; `make docs` builds with warnings as errors."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from likewise import __version__

project = "likewise"
author = "the likewise developers"
release = __version__
sys.path.insert(0, str(Path(__file__).parent))
extensions = [
    "_directives",
    "_objects",
    "_pictures",
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_gallery.gen_gallery",
]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}  # the latter: the gallery's
exclude_patterns = ["_build", "examples"]
sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "gallery",  # made by the build, so that no figure goes stale
    "abort_on_example_error": True,
    # Which examples use what: told on the page of every class and function.
    "backreferences_dir": "gallery/used",
    "doc_module": ("likewise",),
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
}
myst_enable_extensions = ["attrs_block", "colon_fence", "deflist"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
maximum_signature_line_length = 80  # longer ones have a line per parameter
# scikit-learn makes these for every estimator, with labels of its own documentation.
autodoc_default_options = {"exclude-members": "set_fit_request,set_score_request"}
# What a study inherits is shown on its page and on its part's: either will do as a target.
suppress_warnings = ["ref.python"]
default_role = "code"  # docstrings put names between single backticks
html_static_path = ["_static"]
html_css_files = ["likewise.css"]
published = {
    entry["version"]
    for entry in json.loads((Path(__file__).parent / "_static" / "versions.json").read_text())
}
html_theme = "pydata_sphinx_theme"
html_title = "likewise"
html_theme_options = {
    "show_prev_next": False,
    "navigation_with_keys": False,
    # Other versions of these pages: a file beside them, to which every release adds a line.
    "switcher": {
        "json_url": "_static/versions.json",
        "version_match": release if release in published else "dev",
    },
    "footer_center": ["version-switcher"],
}
napoleon_google_docstring = False
napoleon_use_ivar = True  # attributes in one list: as directives they would be described twice
