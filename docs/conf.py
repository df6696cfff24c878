"""Sphinx settings; `make docs` builds with warnings as errors."""

from __future__ import annotations

import sys
from pathlib import Path

from likewise import __version__

project = "likewise"
author = "the likewise developers"
release = __version__
sys.path.insert(0, str(Path(__file__).parent))
extensions = ["_directives", "myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_enable_extensions = ["attrs_block", "colon_fence", "deflist"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "none"
# scikit-learn makes these for every estimator, with labels of its own documentation.
autodoc_default_options = {"exclude-members": "set_fit_request,set_score_request"}
default_role = "code"  # docstrings put names between single backticks
html_static_path = ["_static"]
html_css_files = ["likewise.css"]
html_theme = "pydata_sphinx_theme"
html_title = "likewise"
html_theme_options = {"show_prev_next": False, "navigation_with_keys": False}
napoleon_google_docstring = False
napoleon_use_ivar = True  # attributes in one list: as directives they would be described twice
