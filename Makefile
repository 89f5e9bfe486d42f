# `make site` and `make test` need Python 3.11+ and make; the rest they set up themselves in .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: site test check format bench clean

site: $(READY)
	$(BIN)/paper-notes build

test: $(READY)
	$(BIN)/python -m pytest -n auto --dist worksteal

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/paper-notes build --check

format: $(READY)
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

bench: $(READY)
	$(BIN)/python tests/bench/switch.py
	$(BIN)/python tests/bench/startup.py
	$(BIN)/python tests/bench/bibtex.py
	$(BIN)/python tests/bench/search.py
	$(BIN)/python tests/bench/build.py

$(READY): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "paper-notes needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable . --group dev
	@touch $@

clean:
	rm -rf $(VENV) dist build
