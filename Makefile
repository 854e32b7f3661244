# On a new Debian or Ubuntu with Swift 6.2 or newer, two commands are enough: `make demo` and `make test`.
.DEFAULT_GOAL := help
.PHONY: help demo test test-all mutants bench check lint format build release deb docs deps testdeps hooks clean

BUILD := swift build --explicit-target-dependency-import-check error
SOURCES := Package.swift Sources jobs sql Tests Examples
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

help: ## Show this list.
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-9s %s\n", $$1, $$2}'

demo: deps ## Install missing packages, build, replay check-ins, show boards and serve phones.
	@$(BUILD) -c release --product gymrats
	@env -u DATABASE_URL -u BATON_SCHEMA -u PGHOSTADDR -u PGSERVICE -u PGOPTIONS \
	  .build/release/gymrats demo

test: deps testdeps ## Run the tests on a private PostgreSQL server. CHANGED=1 runs only tests that a change can break.
	@Tests/run $(if $(CHANGED),--filter "$$(Tests/changed)")

test-all: deps testdeps ## Run all tests at full size, for hours. A stopped run continues at the next start.
	@Tests/all

mutants: deps testdeps ## Check that tests fail if a defence is removed. Options: N=20, SEED=1, ONLY="NAME NAME".
	@$(BUILD) --product mutants
	@.build/debug/mutants $(if $(N),--count $(N)) $(if $(SEED),--seed $(SEED)) $(ONLY)

bench: release ## Compare with plain SQL on the private server, which must be empty.
	@.build/release/gymrats db up >/dev/null
	@.build/release/gymrats bench

check: lint test ## Run all steps of CI.

lint: ## Check the format and the lint rules of the sources.
	@swift format lint --strict --parallel -r $(SOURCES)

format: ## Format the sources in place.
	@swift format -i --parallel -r $(SOURCES)

build: deps ## Build all targets for debugging.
	@$(BUILD)

release: deps ## Build the optimised programs .build/release/baton, gymrats and whosthere.
	@for program in baton gymrats whosthere; do \
	  BATON_COMMIT=$$(git rev-parse --short=12 HEAD 2>/dev/null) $(BUILD) -c release --product $$program || exit; done

deb: deps ## Build the Debian packages gymrats.deb, whosthere.deb and baton.deb in .build/deb/packages.
	@for program in gymrats whosthere baton; do Sources/Tools/Debian/build $$program || exit; done

docs: build ## Build the site with pages, reference and tutorial in .build/site, and check all links.
	@Sources/Tools/Site/build

deps: ## Install PostgreSQL, libpq and zlib with apt if they are missing.
	@if ! command -v pg_config >/dev/null || ! [ -x "$$(pg_config --bindir)/initdb" ] \
	  || ! [ -f "$$(pg_config --includedir)/libpq-fe.h" ] || ! [ -f /usr/include/zlib.h ] \
	  || ! command -v pkg-config >/dev/null; then \
	  echo "installing postgresql, libpq-dev, zlib1g-dev and pkg-config" && \
	  $(SUDO) apt-get update -q && \
	  $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
	    postgresql libpq-dev zlib1g-dev pkg-config; \
	fi

testdeps: ## Install PgBouncer, strace and openssl for the tests if they are missing.
	@if ! [ -x /usr/sbin/pgbouncer ] || ! [ -x /usr/bin/strace ] || ! [ -x /usr/bin/openssl ]; then \
	  echo "installing pgbouncer, strace and openssl" && $(SUDO) apt-get update -q && \
	  $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
	    pgbouncer strace openssl; \
	fi

hooks: ## Install a Git hook that lints staged files before each commit.
	@git config core.hooksPath .githooks

clean: ## Remove the build results and the data of the private servers.
	@rm -rf .build .baton
