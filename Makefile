# Two commands do everything: `make run` and `make test`. The rest is for daily work.

LISTEN ?= 127.0.0.1:8080
DATA   ?= ./data

.PHONY: help run build test lint sim fmt schema

help: ## Show this list.
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 12

run: ## Build in release and serve on LISTEN with the embedded stores under DATA.
	@scripts/install.sh build
	cargo build --release --locked -p rookery-server
	@exec target/release/rookery serve --listen $(LISTEN) --data $(DATA)

build: ## Build target/release/rookery and target/release/rookery-loadtest.
	@scripts/install.sh build
	cargo build --release --locked -p rookery-server -p rookery-loadtest

test: ## Everything CI runs; name stages to run only those: make test STAGES="lint unit".
	@scripts/install.sh test
	@scripts/test.sh $(STAGES)

lint: ## Format, clippy, docs, direction of dependencies.
	@scripts/test.sh lint

sim: ## The long simulation: 100,000 games, or GAMES=n, from SEED=n.
	@scripts/sim.sh $(or $(GAMES),100000) $(SEED)

fmt: ## Format the sources.
	cargo fmt --all

schema: ## Write the JSON Schema, the AsyncAPI document and the OpenAPI document anew.
	@scripts/schema.sh
