# Everything a fresh machine needs is Python 3.11 or newer, git and make.
# The first target builds .venv and installs into it; after that nothing is fetched, but for the browser of `make verify`.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
SHELL := /bin/sh

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
BROWSER := $(VENV)/.browser
WORKERS ?= 2

# The first interpreter that starts and is new enough; `make PYTHON=… test` decides otherwise.
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11 python; do \
	if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then echo $$python; break; fi; done)

.PHONY: help install demo test verify lint format clean

help:
	@echo "make demo     a guided run on a small git repository, built in a temporary folder"
	@echo "make test     the tests (under eight minutes on two cores); ARGS='tests/logic -k pattern' narrows them"
	@echo "make verify   the long suites that make test leaves out; some need a chromium, which it installs where it may"
	@echo "make lint     ruff, mypy --strict, import-linter"
	@echo "make format   let ruff rewrite what it can"
	@echo "make clean    remove .venv and everything the tools left behind"

install: $(READY)

demo: $(READY)
	@$(BIN)/python -m compat demo $(ARGS)

test: $(READY)
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not long" $(ARGS)

verify: $(READY) $(BROWSER)
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m long $(ARGS)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) build dist .pytest_cache .hypothesis .mypy_cache .ruff_cache .import_linter_cache

# The build backend goes in first and pinned, so that installing the project itself needs no second environment.
# The stamp is written last: an interrupted installation is done again.
$(READY): pyproject.toml constraints.txt
	@if [ -z "$(PYTHON)" ]; then \
		echo "compat needs Python 3.11 or newer, and none was found (looked for python3, python3.13, python3.12, python3.11)." >&2; \
		echo "Install one, or name it: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; exit 1; fi
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "compat needs Python 3.11 or newer; $(PYTHON) is not." >&2; exit 1; }
	@$(BIN)/python -c '' >/dev/null 2>&1 || { rm -rf $(VENV); $(PYTHON) -m venv $(VENV); } || { \
		echo "$(PYTHON) could not make a virtual environment. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@echo "Installing into $(VENV), once …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt hatchling editables
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --no-build-isolation -e '.[dev]'
	@touch $(READY)

# What HTML reports are opened with. Where it cannot be had the tests that need it are skipped, and say so.
$(BROWSER): $(READY)
	@$(BIN)/python -c 'import playwright' >/dev/null 2>&1 || { \
		echo "Installing what drives a browser, once …"; \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check --retries 1 -c constraints.txt playwright; } || true
	@command -v chromium >/dev/null 2>&1 || command -v google-chrome >/dev/null 2>&1 || { \
		[ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 && echo "Installing chromium, once …" && \
		apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium fonts-dejavu-core >/dev/null; } || true
	@if $(BIN)/python -c 'import sys; sys.path.append("tests"); import browsing; sys.exit(bool(browsing.MISSING))'; then touch $@; else \
		echo "No browser here: the tests of HTML reports in a browser are skipped. On Debian and Ubuntu: apt install chromium"; fi
