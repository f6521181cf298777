# Everything the project can do. `make run` and `make test` are all a newcomer needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= auto

.DEFAULT_GOAL := help
.PHONY: help run test check fix bench soak lock vendor

help: ## List the commands
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-8s %s\n", $$1, $$2}'

$(VENV)/.run: requirements.lock
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.run
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $@

run: $(VENV)/.run ## Start the console at 127.0.0.1:8000, on the sample workspace or WILMER_PUBLIC_DIR
	@$(BIN)/python manage.py quickstart

test: $(VENV)/.dev ## Run the tests, in parallel
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -q

check: $(VENV)/.dev ## Formatting, lint, types, import contracts; changes nothing
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/djlint --quiet --lint templates
	@$(BIN)/python manage.py makemigrations --check --dry-run

fix: $(VENV)/.dev ## Format and mend what can be mended
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

bench: $(VENV)/.dev ## Measure, print a table, write benchmarks/results/*.json
	@$(BIN)/python -m benchmarks

soak: $(VENV)/.dev ## Long fault and load runs
	@WILMER_SOAK=1 $(BIN)/python -m pytest -n $(WORKERS) -q -m slow

lock: ## Resolve the dependencies anew and write the lock files
	@$(BIN)/pip-compile -q --generate-hashes --no-emit-index-url --no-emit-trusted-host --allow-unsafe --strip-extras -o requirements.lock pyproject.toml
	@$(BIN)/pip-compile -q --generate-hashes --no-emit-index-url --no-emit-trusted-host --allow-unsafe --strip-extras --extra dev --extra postgres --extra redis -c requirements.lock -o requirements-dev.lock pyproject.toml

vendor: ## Build static/vendor from pinned npm packages (Node.js needed)
	@cd static/vendor/build && npm ci --silent && npm run --silent build
