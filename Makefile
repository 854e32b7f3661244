# Two commands do everything on a fresh Debian or Ubuntu with Swift 6.2 or newer: make demo, make test.
.DEFAULT_GOAL := help
.PHONY: help demo test test-all mutants bench check lint format build release deb docs deps testdeps hooks clean

BUILD := swift build --explicit-target-dependency-import-check error
SOURCES := Package.swift Sources jobs sql Tests Examples
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

help: ## Show this list.
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-9s %s\n", $$1, $$2}'

demo: deps ## Install what is missing, build, replay real check-ins and show boards.
	@$(BUILD) -c release --product gymrats
	@env -u DATABASE_URL -u BATON_SCHEMA -u PGHOSTADDR -u PGSERVICE -u PGOPTIONS \
	  .build/release/gymrats demo

test: deps testdeps ## Run the tests against a private PostgreSQL that they start. CHANGED=1: those that a change can break.
	@Tests/run $(if $(CHANGED),--filter "$$(Tests/changed)")

test-all: deps testdeps ## Run everything at full size, for hours; goes on where it was stopped.
	@Tests/all

mutants: deps testdeps ## Take defences out: their tests must fail. N=20, SEED=1, ONLY="NAME NAME".
	@$(BUILD) --product mutants
	@.build/debug/mutants $(if $(N),--count $(N)) $(if $(SEED),--seed $(SEED)) $(ONLY)

bench: release ## Measure against plain SQL on the private server, which must be empty.
	@.build/release/gymrats db up >/dev/null
	@.build/release/gymrats bench

check: lint test ## All that CI runs.

lint: ## Fail on anything that `make format` would change or that breaks a rule.
	@swift format lint --strict --parallel -r $(SOURCES)

format: ## Format the sources in place.
	@swift format -i --parallel -r $(SOURCES)

build: deps ## Build everything for debugging.
	@$(BUILD)

release: deps ## Build the optimised programs: .build/release/baton, gymrats and whosthere.
	@for program in baton gymrats whosthere; do \
	  BATON_COMMIT=$$(git rev-parse --short=12 HEAD 2>/dev/null) $(BUILD) -c release --product $$program || exit; done

deb: deps ## Build the Debian packages: .build/deb/packages/gymrats.deb, whosthere.deb and baton.deb.
	@for program in gymrats whosthere baton; do Sources/Tools/Debian/build $$program || exit; done

docs: build ## Build the site, pages and reference, into .build/site; every link is looked at.
	@Sources/Tools/Site/build

deps: ## Install PostgreSQL, libpq and zlib with apt where they are missing.
	@if ! command -v pg_config >/dev/null || ! [ -x "$$(pg_config --bindir)/initdb" ] \
	  || ! [ -f "$$(pg_config --includedir)/libpq-fe.h" ] || ! [ -f /usr/include/zlib.h ] \
	  || ! command -v pkg-config >/dev/null; then \
	  echo "installing postgresql, libpq-dev, zlib1g-dev and pkg-config" && \
	  $(SUDO) apt-get update -q && \
	  $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
	    postgresql libpq-dev zlib1g-dev pkg-config; \
	fi

testdeps: ## Install PgBouncer, strace and openssl, which only the tests need, where they are missing.
	@if ! [ -x /usr/sbin/pgbouncer ] || ! [ -x /usr/bin/strace ] || ! [ -x /usr/bin/openssl ]; then \
	  echo "installing pgbouncer, strace and openssl" && $(SUDO) apt-get update -q && \
	  $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
	    pgbouncer strace openssl; \
	fi

hooks: ## Lint staged files before each commit.
	@git config core.hooksPath .githooks

clean: ## Remove what was built and the private servers' data.
	@rm -rf .build .baton
