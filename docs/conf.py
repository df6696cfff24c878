"""Sphinx settings; `make docs` builds with warnings as errors."""

from __future__ import annotations

from likewise import __version__

project = "likewise"
author = "the likewise developers"
release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_enable_extensions = ["attrs_block", "colon_fence", "deflist"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "none"
html_static_path = ["_static"]
html_css_files = ["landing.css"]
html_theme = "pydata_sphinx_theme"
html_title = "likewise"
html_theme_options = {"show_prev_next": False, "navigation_with_keys": False}
