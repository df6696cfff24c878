# Each target makes what it needs: `make demo` or `make test` on a fresh clone is enough.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
TESTS  ?= -n auto

.PHONY: demo test test-long check bench docs clean

demo: $(VENV)/.installed      ## group a pile of handwritten digits, in the browser
	$(BIN)/likewise demo $(ARGS)

test: $(VENV)/.installed-dev  ## everything that decides: format, lint, types, layers, tests, doctests, docs
	.ci/browser
	.ci/proxies
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest $(TESTS) -m "not long"
	$(BIN)/sphinx-build -q -W --keep-going -b html docs docs/_build/html

check: $(VENV)/.installed-dev ## the fast part, for while you work
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest $(TESTS) -m "not slow and not long" -x

test-long: $(VENV)/.installed-dev ## clusters of processes that are killed and replaced, minutes of waiting
	$(BIN)/python -m pytest -m long tests

bench: $(VENV)/.installed-dev ## the long experiments behind the tables in docs/ (`python -m benchmarks --list`); LIKEWISE_DATA names the data folder
	$(BIN)/python -m benchmarks

docs: $(VENV)/.installed-dev  ## the documentation, in docs/_build/html
	$(BIN)/sphinx-build -W --keep-going -b html docs docs/_build/html

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# uv installs in seconds what takes pip minutes; where it cannot be had, pip does it.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
INSTALL = { $(PIP) uv && $(BIN)/uv pip install --quiet --python $(BIN)/python

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml
	$(INSTALL) -e ".[app]"; } || $(PIP) -e ".[app]"
	touch $@

$(VENV)/.installed-dev: $(VENV)/bin/python pyproject.toml
	$(INSTALL) -e ".[dev]"; } || $(PIP) -e ".[dev]"
	touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) docs/_build .mypy_cache .ruff_cache .pytest_cache .hypothesis
