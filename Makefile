# Everything a fresh machine needs is made by these targets: python3.11, node and make are there, nothing else is assumed.
.DEFAULT_GOAL := help
SHELL := /bin/bash

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
SHARED ?= $(abspath ../shared)
NODE := scripts/typescript
NODE_READY := $(NODE)/node_modules/.ready
HOST_JS := host_bridge/typescript
HOST_JS_READY := $(HOST_JS)/node_modules/.ready
PAGE_JS := tauri-host-example
PAGE_JS_READY := $(PAGE_JS)/node_modules/.ready
PAGE := $(PAGE_JS)/dist/index.html
BUNDLE_VENV := .venv-bundle
BUNDLE_READY := $(BUNDLE_VENV)/.ready
TAURI := tauri-host-example/src-tauri
BINARIES := $(TAURI)/binaries
TAURI_APP := $(TAURI)/target/driven/lineup-app
TAURI_DRIVER := build/cargo/bin/tauri-driver

# Install Debian's packages $(2) where what the command $(1) asks for is not there.
need = @{ $(1); } > /dev/null || \
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends $(2) > /dev/null; }

export PYTHONDONTWRITEBYTECODE := 1

ifeq ($(shell cargo -V 2> /dev/null),)
# rustup keeps its compilers in the user's home, wherever HOME leads.
export RUSTUP_HOME ?= $(shell getent passwd "$$(id -un)" | cut -d: -f6)/.rustup
endif

.PHONY: help run demo test check types types-check lint unit host-js page-check browser fuzz soak acceptance bench bench-trace bench-full bench-page clean

help: ## say what there is
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 14

run: $(READY) $(PAGE) ## be the Host in a browser: prints the address to open; a scripted Agent is ready to play
	$(BIN)/lineup-host serve

demo: $(READY) ## show the main job, live, in the terminal
	$(BIN)/lineup-host demo

test: check unit host-js page-check browser acceptance ## everything that must hold

check: lint types-check ## fast: style, types, layers, generated files

lint: $(READY) ## style, types (on each system) and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@for platform in win32 darwin; do echo "$(BIN)/mypy --platform $$platform"; \
	  $(BIN)/mypy --platform $$platform --no-warn-unreachable --cache-dir .mypy_cache/$$platform || exit 1; done
	$(BIN)/lint-imports --no-cache

types: $(READY) ## write OpenRPC, JSON Schema and TypeScript from the models, and the store's SQL from its tables
	$(BIN)/python -m rpc_schema.export
	$(BIN)/python -m sidecar.store.export

types-check: $(READY) $(NODE_READY) ## the generated files are fresh and compile strictly
	$(BIN)/python -m rpc_schema.export --check
	$(BIN)/python -m sidecar.store.export --check
	cd $(NODE) && npm run --silent check

.PHONY: gcc
gcc: # for the disk that forgets, where there is no compiler yet
	$(call need,command -v gcc,gcc libc6-dev)

unit: $(READY) $(NODE_READY) gcc ## the project's own tests, with branch coverage of the contract and the domain
	$(BIN)/coverage run -m pytest --ignore=tests/browser
	$(BIN)/coverage report --fail-under=100

host-js: $(READY) $(HOST_JS_READY) ## the TypeScript package: style, types, build, tests with the real sidecar
	cd $(HOST_JS) && npm run --silent check && npm run --silent build && npm test --silent -- --run

page-check: $(PAGE_JS_READY) $(HOST_JS_READY) ## the page: style, types, tests of what is pure
	cd $(PAGE_JS) && npm run --silent check && npm test --silent

browser: $(READY) $(PAGE) chromium ## the page and real views in a real browser
	cd $(HOST_JS) && npm run --silent build
	$(BIN)/pytest tests/browser
	cd $(HOST_JS) && LINEUP_HOST="$(abspath $(BIN))/lineup-host" npm run --silent test:browser

.PHONY: chromium
chromium: # Debian's browser, where none is there yet
	$(call need,command -v chromium,chromium)

SECONDS_OF_FUZZING ?= 600
fuzz: $(READY) ## look for counterexamples for long: SECONDS_OF_FUZZING=600 for each of four targets
	for target in frame-reader json-reader schema-gate; do \
	  $(BIN)/python -m tests.fuzz.guided $$target --seconds $(SECONDS_OF_FUZZING) --seed $$RANDOM || exit 1; \
	done
	$(BIN)/python -m tests.fuzz.whole --seconds $(SECONDS_OF_FUZZING)

MINUTES ?= 30
soak: $(READY) ## half of what it can do, for MINUTES=30, while workers are killed: every promise kept, memory flat
	$(BIN)/python -m tests.soak --minutes $(MINUTES)

.PHONY: reliability
reliability: $(READY) ## kill workers, sidecar, Host or all of them at every place that can be named, and write what was found to docs/reliability.md
	$(BIN)/python -m tests.reliability.document

SEEDS ?= 20
.PHONY: power-loss
power-loss: $(READY) gcc ## cut the power at many more places of many more lives than the tests do: SEEDS=20 of them
	$(BIN)/python -m tests.power_loss --seeds $(SEEDS)

acceptance: $(READY) ## black-box tests of the wire, where they lie beside the project
	@if [ -d "$(SHARED)/acceptance" ]; then \
	  cd "$(SHARED)/acceptance" && LINEUP_SIDECAR="$(abspath $(BIN))/lineup-sidecar" \
	  "$(abspath $(BIN))/pytest" -q -p no:cacheprovider; \
	else echo "no acceptance tests beside the project: skipped"; fi

IN_POSTGRESQL = LINEUP_SIDECAR="$(abspath $(BIN))/python $(CURDIR)/tests/postgresql/sidecar.py" \
  $(BIN)/python -m scripts.postgresql $(BIN)/pytest

.PHONY: test-postgresql postgresql postgresql-scenarios postgresql-store postgresql-wire
test-postgresql: $(READY) postgresql ## the store, whole conversations and the wire, on real PostgreSQL servers, two at a time
	$(MAKE) -j2 --output-sync=target --no-print-directory postgresql-scenarios postgresql-store postgresql-wire

postgresql-scenarios:
	$(IN_POSTGRESQL) -m "not sqlite" tests/scenarios

postgresql-store:
	$(BIN)/python -m scripts.postgresql $(BIN)/pytest tests/sidecar/store tests/postgresql
	$(IN_POSTGRESQL) -m "not sqlite" tests/sidecar/commands

postgresql-wire:
	@if [ -d "$(SHARED)/acceptance" ]; then \
	  $(IN_POSTGRESQL) -q -p no:cacheprovider -p no:lineup -c /dev/null "$(SHARED)/acceptance"; \
	else echo "no acceptance tests beside the project: skipped"; fi

postgresql: # Debian's server and its pooler, where none is there yet
	$(call need,command -v initdb || ls /usr/lib/postgresql/*/bin/initdb 2> /dev/null,postgresql)
	$(call need,command -v pgbouncer || ls /usr/sbin/pgbouncer 2> /dev/null,pgbouncer)

bench: ## measure side by side with the MCP SDK's low-level stdio server
	bash benchmarks/install.sh
	benchmarks/.venv/bin/python -m benchmarks --out benchmarks/results.md

bench-trace: ## say where the time of one Tool loop goes
	bash benchmarks/install.sh
	benchmarks/.venv/bin/python -m benchmarks.trace

bench-full: ## measure on a store that holds a million calls, beside an empty one (needs 4 GB of disk)
	bash benchmarks/install.sh
	benchmarks/.venv/bin/python -m benchmarks.full

bench-page: $(READY) $(PAGE) chromium ## measure what a person waits for in the browser
	$(BIN)/python -m benchmarks.page

.PHONY: bundle test-bundle test-tauri rust webkit
bundle: $(BUNDLE_READY) rust ## freeze the sidecar for this platform, where the Tauri app takes it from
	$(BUNDLE_VENV)/bin/python -m scripts.bundle.build

test-bundle: $(READY) bundle ## hold the frozen sidecar to what holds from source, and measure its start
	LINEUP_BUNDLE="$(abspath $(BINARIES))" SHARED="$(SHARED)" $(BIN)/pytest tests/bundle
	$(BIN)/python -m scripts.bundle.measure

test-tauri: $(READY) $(PAGE) bundle webkit $(TAURI_DRIVER) ## build the Tauri app around the frozen sidecar and drive it in WebKit
	cd $(TAURI) && export TAURI_CONFIG="$$(cat tauri.bundle.conf.json)" && \
	  cargo test --quiet --profile driven && cargo build --quiet --profile driven
	LINEUP_TAURI_APP="$(abspath $(TAURI_APP))" TAURI_DRIVER="$(abspath $(TAURI_DRIVER))" \
	  dbus-run-session -- $(BIN)/pytest tests/tauri

rust: # a compiler, and tools that take apart what it and Python make
	$(call need,command -v cargo,cargo-web rustc-web)
	$(call need,command -v cc && command -v strip,build-essential binutils)

webkit: # the engine, its driver and a screen
	$(call need,pkg-config --exists webkit2gtk-4.1 && command -v WebKitWebDriver && command -v Xvfb && command -v dbus-run-session,\
	  pkg-config libwebkit2gtk-4.1-dev webkit2gtk-driver xvfb dbus)

$(TAURI_DRIVER): | rust
	cargo install --quiet tauri-driver --version =2.1.0 --locked --root build/cargo

clean: ## remove what these targets made
	rm -rf $(VENV) $(BUNDLE_VENV) $(addprefix $(TAURI)/,binaries target gen permissions/autogenerated) benchmarks/.venv build \
	  $(NODE)/node_modules $(HOST_JS)/node_modules $(HOST_JS)/dist $(HOST_JS)/src/generated \
	  $(PAGE_JS)/node_modules $(PAGE_JS)/dist .coverage .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(READY): pyproject.toml constraints.txt
	python3 -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

$(NODE_READY): $(NODE)/package.json $(NODE)/package-lock.json
	cd $(NODE) && npm ci --no-audit --no-fund --silent
	touch $@

$(HOST_JS_READY): $(HOST_JS)/package.json $(HOST_JS)/package-lock.json
	cd $(HOST_JS) && npm ci --no-audit --no-fund --silent
	touch $@

$(PAGE_JS_READY): $(PAGE_JS)/package.json $(PAGE_JS)/package-lock.json
	cd $(PAGE_JS) && npm ci --no-audit --no-fund --silent
	touch $@

$(PAGE): $(PAGE_JS_READY) $(HOST_JS_READY) $(shell find $(PAGE_JS)/src $(PAGE_JS)/public $(HOST_JS)/src -type f 2> /dev/null)
	cd $(PAGE_JS) && npm run --silent build
	touch $@

$(BUNDLE_READY): pyproject.toml constraints.txt
	python3 -m venv $(BUNDLE_VENV)
	$(BUNDLE_VENV)/bin/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[bundle]'
	touch $@
