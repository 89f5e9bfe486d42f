# `make site` and `make test` need Python 3.11+ and make; the rest they set up themselves in .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
USABLE := $(VENV)/.usable
READY := $(VENV)/.ready
OLDEST := .venv-oldest
PROPERTIES = $(shell grep --recursive --files-with-matches --include=*.py @given tests)
PIP := python -m pip install --quiet --disable-pip-version-check

.PHONY: site test nightly test-oldest check format guide picture fuzz mutants bench lock clean

site: $(USABLE)
	$(BIN)/paper-notes build $(if $(BASE_URL),--base-url "$(BASE_URL)")

test: $(READY)
	$(BIN)/python -m pytest -n auto --dist worksteal

# every test with each of its cases and the largest of its inputs: of long ones `make test` has some
nightly: $(READY)
	FUZZ_EXAMPLES=20 $(BIN)/python -m pytest -n auto --dist worksteal

# with the oldest versions that pyproject.toml lets users have, and without a browser
test-oldest: $(OLDEST)/.ready
	$(OLDEST)/bin/python -m pytest -n auto --dist worksteal --ignore=tests/browser

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/paper-notes build --check

format: $(READY)
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

guide: $(READY)
	PYTHONPATH=tests $(BIN)/python tests/rules/writing_the_guide.py

# that of README, with Chromium
picture: $(READY)
	PYTHONPATH=tests $(BIN)/python tests/picture.py

# FUZZ_SECONDS, FUZZ_SEED, FUZZ_BROKEN (see fuzzing.py); what is not survived is kept in .fuzz/. Then the properties, with
# a thousand examples of their own
fuzz: $(READY)
	PYTHONPATH=tests $(BIN)/python tests/fuzz/fuzzing.py
	FUZZ_EXAMPLES=1000 $(BIN)/python -m pytest -n auto -o timeout=7200 $(PROPERTIES)

# which faults would no test notice? MUTANTS_PACKAGE, MUTANTS, MUTANTS_SEED (see mutants.py)
mutants: $(READY)
	PYTHONPATH=tests $(BIN)/python tests/mutants.py

bench: $(READY)
	$(BIN)/python tests/bench/switch.py
	$(BIN)/python tests/bench/everyday.py
	$(BIN)/python tests/bench/bibtex.py
	$(BIN)/python tests/bench/search.py
	$(BIN)/python tests/bench/build.py
	$(BIN)/python tests/bench/imports.py
	$(BIN)/python tests/bench/days.py

# the newest versions of everything, found with the oldest Python; then `make test`, and commit both files
lock: $(READY)
	$(BIN)/python tests/pins.py lock

# what the program needs, with the tools that draw the diagrams of the sample collection
$(USABLE): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "paper-notes needs Python 3.11 or newer")'
	@echo "Setting up $(VENV), once: paper-notes and the packages it needs. This takes a minute or two."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/$(PIP) --constraint constraints.txt --upgrade pip
	@$(BIN)/$(PIP) --constraint constraints.txt --build-constraint constraints.txt --editable ".[mermaid,vega]"
	@touch $@

# what its tests need, too
$(READY): $(USABLE)
	@echo "Adding to $(VENV), once, what tests and checks need: browsers' driver, types, style."
	@$(BIN)/$(PIP) --constraint constraints.txt --build-constraint constraints.txt --editable . --group dev
	@touch $@

$(OLDEST)/.ready: pyproject.toml constraints.txt constraints-oldest.txt
	$(PYTHON) -m venv --clear $(OLDEST)
	$(OLDEST)/bin/$(PIP) --constraint constraints-oldest.txt --upgrade pip
	$(OLDEST)/bin/$(PIP) --constraint constraints-oldest.txt --build-constraint constraints.txt --editable . --group test
	@touch $@

clean:
	rm -rf $(VENV) $(OLDEST) .fuzz .mutants dist build
