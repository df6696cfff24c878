# Each target makes what it needs: `make demo` or `make test` on a fresh clone is enough.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
TESTS  ?= -n auto

.PHONY: demo test test-oldest test-oldest-core test-newest test-long check bench docs linkcheck clean

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

# Where the versions of other packages matter: frames, files, pictures, texts, databases, the server,
# figures. Their warnings are not ours to mend, so none is an error here.
BORDERS := tests/items/test_given.py tests/items/test_items.py tests/features/test_tfidf.py \
	tests/features/test_decoding.py tests/test_plots.py \
	tests/stores/test_migrations.py tests/web/test_routes_study.py tests/web/test_routes_media.py \
	tests/affinities/test_precomputed.py tests/metrics/test_learning_curves.py

test-oldest: $(VENV)/.installed-dev ## the borders to other packages, with the oldest versions that pyproject.toml allows
	$(call borders,$(VENV)-oldest,--resolution lowest-direct)

# The library alone, with the oldest versions of the packages that it needs, and nothing else beside them.
CORE := tests/test_extras.py tests/metrics tests/journal/test_constraints.py tests/affinities/test_precomputed.py \
	tests/affinities/test_kernels.py tests/clusterers/kmeans/test_pckmeans.py tests/clusterers/spectral/test_spectral.py \
	tests/strategies/test_membership.py tests/strategies/items/test_minmax.py tests/study/test_kinds.py \
	tests/simulation/test_pair_run.py tests/items/test_units.py tests/auto/test_experts.py

test-oldest-core: $(VENV)/.installed-dev ## the library alone, with the oldest versions of what it needs: the part that CI runs
	$(BIN)/uv venv --quiet --allow-existing --python $(BIN)/python $(VENV)-oldest-core
	$(BIN)/uv pip install --quiet --python $(VENV)-oldest-core/bin/python --resolution lowest-direct --reinstall-package likewise .
	$(BIN)/uv pip install --quiet --python $(VENV)-oldest-core/bin/python pytest pytest-timeout pytest-xdist hypothesis
	$(VENV)-oldest-core/bin/python -m pytest $(TESTS) -W default -m "not slow and not long" $(CORE)

test-newest: $(VENV)/.installed-dev ## the same with the newest, previews included
	$(call borders,$(VENV)-newest,--prerelease allow --upgrade)

# An environment of its own, with likewise as users get it. The second line adds what only tests need, and leaves
# alone what is there already.
define borders
	$(BIN)/uv venv --quiet --allow-existing --python $(BIN)/python $(1)
	$(BIN)/uv pip install --quiet --python $(1)/bin/python $(2) --reinstall-package likewise ".[all]"
	$(BIN)/uv pip install --quiet --python $(1)/bin/python ".[test]"
	$(1)/bin/python -m pytest $(TESTS) -W default -m "not slow and not long" $(BORDERS)
endef

check: $(VENV)/.installed-dev ## the fast part, for while you work
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest $(TESTS) -m "not slow and not long" -x

test-long: $(VENV)/.installed-dev ## clusters of processes that are killed and replaced; properties on many more examples
	$(BIN)/python -m pytest -m long tests
	LIKEWISE_TEST_EXAMPLES=400 $(BIN)/python -m pytest $(TESTS) -m "hypothesis and not long" tests

bench: $(VENV)/.installed-dev ## the long experiments behind the tables in docs/ (`python -m benchmarks --list`); LIKEWISE_DATA names the data folder
	$(BIN)/python -m benchmarks

docs: $(VENV)/.installed-dev  ## the documentation, in docs/_build/html
	.ci/browser
	$(BIN)/sphinx-build -W --keep-going -b html docs docs/_build/html

linkcheck: $(VENV)/.installed-dev ## whether the pages that the documentation points at are still there
	$(BIN)/sphinx-build -q -b linkcheck docs docs/_build/linkcheck

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
	rm -rf $(VENV) $(VENV)-oldest $(VENV)-oldest-core $(VENV)-newest docs/_build .mypy_cache .ruff_cache .pytest_cache .hypothesis
