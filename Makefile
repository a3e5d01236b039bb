# make run: set up and start.  make test: set up and test.  See README.md.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip install --quiet --disable-pip-version-check

.PHONY: run test test-services test-long bench lint vectors policies tables setup setup-dev llm llm-setup clean

run: $(VENV)/.installed
	$(PY) -m backend up

setup: $(VENV)/.installed

setup-dev: $(VENV)/.installed-dev

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("Leapnote needs Python 3.11 or later; set PYTHON=python3.11" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

# torch goes first and is repeated: without the pin another package may pull a build of several gigabytes
$(VENV)/.installed: requirements.txt | $(VENV)/bin/python
	@echo "Installing what Leapnote needs (once, about 2.5 GB, one to three minutes) ..."
	$(PIP) torch==2.13.0
	$(PIP) torch==2.13.0 -r requirements.txt
	$(PY) -m compileall -q app backend models
	touch $@

$(VENV)/.installed-dev: requirements-dev.txt $(VENV)/.installed
	$(PIP) torch==2.13.0 -r requirements-dev.txt
	touch $@

$(VENV)/.installed-services: requirements-services.txt $(VENV)/.installed-dev
	$(PIP) torch==2.13.0 -r requirements-services.txt
	touch $@

# on all cores; the tests of one file stay together, for they share what is slow to make
test: $(VENV)/.installed-dev
	OMP_NUM_THREADS=1 $(PY) -m pytest -n auto --maxprocesses 8 --dist loadfile

# the environment of the tests' language model server is built first: it takes minutes, and a test may not
test-services: $(VENV)/.installed-services
	-$(PY) tests/services/vllm_cpu/build.py
	OMP_NUM_THREADS=1 $(PY) -m pytest -m "services or browser" -n 2 --dist loadfile

$(VENV)/.installed-train: requirements-train.txt $(VENV)/.installed-dev
	$(PIP) torch==2.13.0 -r requirements-train.txt
	touch $@

test-long: $(VENV)/.installed-train
	$(PY) -m pytest -m slow

bench: $(VENV)/.installed-dev
	$(PY) -m backend bench --json

lint: $(VENV)/.installed-dev
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

# the tables that documents show, from docs/results
tables: $(VENV)/.installed
	$(PY) -m backend.evaluation.reports.document_tables

vectors: $(VENV)/.installed
	$(PY) -m backend knowledge vectors

# The policies that ship, trained anew on the starter graph into OUT, which may exist: it goes on where it stopped.
policies: $(VENV)/.installed
	OUT=$(OUT) bash assets/training/shipped_policies.sh

# A language model on a GPU, in an environment of its own: docs/models.md. `up` starts one by itself with
# LEAPNOTE_GENERATOR=vllm:<model>; this one runs beside it.
llm: $(VENV)/.installed
	$(if $(MODEL),,$(error Name the model: make llm MODEL=/folder/of/a/model))
	$(PY) -m backend llm serve "$(MODEL)"

llm-setup: $(VENV)/.installed
	$(PY) -m backend llm setup

clean:
	rm -rf $(VENV)
