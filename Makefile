# Everything a fresh machine needs is made by these targets: python3.11, node and make are there, nothing else is assumed.
.DEFAULT_GOAL := help
SHELL := /bin/bash

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
SHARED ?= $(abspath ../shared)
NODE := scripts/typescript
NODE_READY := $(NODE)/node_modules/.ready

export PYTHONDONTWRITEBYTECODE := 1

.PHONY: help run test check types types-check lint unit acceptance cover clean

help: ## say what there is
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 14

run: $(READY) ## show the main job, live, in the terminal
	$(BIN)/lineup-host demo

test: check unit acceptance ## everything that must hold

check: lint types-check ## fast: style, types, layers, generated files

lint: $(READY) ## style, types and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

types: $(READY) ## write OpenRPC, JSON Schema and TypeScript from the models
	$(BIN)/python -m rpc_schema.export

types-check: $(READY) $(NODE_READY) ## the generated files are fresh and compile strictly
	$(BIN)/python -m rpc_schema.export --check
	cd $(NODE) && npm run --silent check

unit: $(READY) ## the project's own tests, with branch coverage of the contract and the domain
	$(BIN)/coverage run -m pytest
	$(BIN)/coverage report --fail-under=100

acceptance: $(READY) ## black-box tests of the wire, where they lie beside the project
	@if [ -d "$(SHARED)/acceptance" ]; then \
	  cd "$(SHARED)/acceptance" && LINEUP_SIDECAR="$(abspath $(BIN))/lineup-sidecar" \
	  "$(abspath $(BIN))/pytest" -q -p no:cacheprovider; \
	else echo "no acceptance tests beside the project: skipped"; fi

clean: ## remove what these targets made
	rm -rf $(VENV) $(NODE)/node_modules .coverage .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(READY): pyproject.toml constraints.txt
	python3 -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

$(NODE_READY): $(NODE)/package.json $(NODE)/package-lock.json
	cd $(NODE) && npm ci --no-audit --no-fund --silent
	touch $@
