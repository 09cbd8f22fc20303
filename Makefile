# The targets that people use; each installs what it needs and does nothing twice.
.PHONY: build all demo test bench check oracle install clean
.DEFAULT_GOAL := build

BUILD := build/release
PYTHON := .venv/bin/python

setup:
	@tools/setup
	@device/build
	@web/build
.PHONY: setup

configured: setup
	@test -f $(BUILD)/build.ninja || cmake --preset release > build-setup.log || { cat build-setup.log; exit 1; }
	@rm -f build-setup.log
.PHONY: configured

# What people run: the program, the emulated device, the page.
build: configured
	@cmake --build --preset release --target willitrun

# Tests, fuzz targets and benchmarks too.
all: configured
	@cmake --build --preset release

# Every test: C++ (ctest), whole-program (pytest), the structure checks. The last line is `N passed, M failed`.
test: all
	@$(PYTHON) tools/run_tests

# The whole path on real small models: zoo, plan, script, sandbox, verification, dataset, table.
demo: build
	@tools/demo

# The planner against Transformers itself, on real configurations (ORACLE_CONFIGS: a folder of <owner>/<name>/config.json).
# What Transformers answered is kept in build/oracle; `make oracle ORACLE_FLAGS=--fresh` asks again.
ORACLE_CONFIGS ?= ../shared/data/hub/models
oracle: build
	@PYTHONPATH=python $(PYTHON) -m oracle --configs $(ORACLE_CONFIGS) $(ORACLE_FLAGS)

# Every benchmark, ours beside a peer's in one run; gathered in build/bench/summary.json (BENCH: names of some).
bench: build
	@$(PYTHON) tools/bench $(BENCH)

# What a reviewer would ask for beside the tests.
check: setup
	@tools/check

# Program, data files, man page and shell completion below PREFIX.
PREFIX ?= /usr/local
install: build
	@cmake --install $(BUILD) --prefix $(PREFIX)

clean:
	rm -rf build
