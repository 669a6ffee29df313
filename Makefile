# Two commands for a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c requirements.lock
BENCH_INSTALL := $(subst $(BIN),.venv-bench/bin,$(INSTALL))
PEERS := import tomllib; p = tomllib.load(open('pyproject.toml', 'rb')); \
  print(*p['project']['optional-dependencies']['bench'])

.PHONY: demo test browser bench docs dist core update-golden clean

demo: .venv/installed
	$(BIN)/rotation run examples/matmul_tiled.kernel

test: .venv/installed-test browser
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n 2 --dist worksteal -q

update-golden: .venv/installed-test
	$(BIN)/python -m pytest -q tests --update-golden

# Other libraries of index expressions have an environment of their own.
bench: .venv-bench/installed
	.venv-bench/bin/python -m benchmarks.peers.compare
	.venv-bench/bin/python -m benchmarks.startup
	.venv-bench/bin/python -m benchmarks.scale
	.venv-bench/bin/python -m benchmarks.allocation --counts 1000 10000 100000

# Pages are tested in a real browser; where none can be had, those tests are skipped.
browser:
	@command -v chromium > /dev/null || { test "$$(id -u)" = 0 && \
	  apt-get update -qq && apt-get install -y -qq --no-install-recommends \
	  chromium fonts-dejavu-core > /dev/null; } || \
	  echo "chromium cannot be installed here: the tests in a browser are skipped"

# The site of the pages, in site/; a link that leads nowhere is an error.
docs: .venv/installed-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

# The wheel and the source archive, in dist/; the same commit gives the same bytes.
dist: .venv/installed-test
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(BIN)/python -m hatchling build

# A wheel for this machine with the compiled core, in dist/; it needs a C compiler.
core: .venv/installed-test
	PELICAN_COMPILE=1 $(BIN)/python -m hatchling build -t wheel

clean:
	rm -rf .venv .venv-bench build dist site

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/installed: pyproject.toml requirements.lock | .venv/bin/python
	$(INSTALL) -e .
	touch $@

.venv/installed-test: pyproject.toml requirements.lock | .venv/bin/python
	$(INSTALL) -e '.[test]'
	touch $@

.venv/installed-docs: pyproject.toml requirements.lock | .venv/bin/python
	$(INSTALL) -e '.[docs]'
	touch $@

# A library that cannot be had here is left out, and so is its column.
.venv-bench/installed: pyproject.toml requirements.lock
	$(PYTHON) -m venv .venv-bench
	$(BENCH_INSTALL) -e .
	for peer in $$(.venv-bench/bin/python -c "$(PEERS)"); do \
	  $(BENCH_INSTALL) "$$peer" || echo "$$peer cannot be installed: left out"; done
	touch $@
