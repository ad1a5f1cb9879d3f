# The commands of the workbook. Each is a line that can be typed by hand as well.

ENGINE  ?= auto
STAGES  := 08
HARNESS := .build/harness
TESTSUM := $(CURDIR)/.build/gotestsum
MODULES := harness $(patsubst %/go.mod,%,$(wildcard stages/*/go.mod))

# Every module stands on its own, as a submission of one stage would.
export GOWORK := off

# The race detector needs cgo and a C compiler; without them the tests run without it.
RACE := $(shell [ "$$(go env CGO_ENABLED)" = 1 ] && command -v "$$(go env CC)" >/dev/null 2>&1 && echo -race)

.DEFAULT_GOAL := help
.PHONY: help test checklist redis-image clean $(STAGES:%=stage-%)

help: ## show this list
	@echo "  make stage-NN     run the scenarios and promises of a stage (there are: $(STAGES))"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo "  ENGINE=container|miniredis|auto chooses where Redis comes from (now: $(ENGINE));"
	@echo "  HARNESS_REDIS_IMAGE names another image than the pinned one."

$(STAGES:%=stage-%): stage-%: $(HARNESS)
	@$(HARNESS) run $* --engine $(ENGINE)

test: ## run all tests of all modules; those that need Docker are skipped without it
	@cd harness && go build -o $(TESTSUM) gotest.tools/gotestsum
	@failed=; for module in $(MODULES); do \
	  echo "== $$module"; (cd $$module && $(TESTSUM) --format pkgname --format-hide-empty-pkg -- $(RACE) ./...) || failed="$$failed $$module"; \
	done; if [ -n "$$failed" ]; then echo "failed:$$failed"; exit 1; fi

checklist: $(HARNESS) ## write CHECKLIST.md anew from what was run
	@$(HARNESS) checklist

redis-image: ## build importer-redis:local where no registry can be reached
	@harness/redis-image/build.sh

clean: ## remove what was built
	rm -rf .build

# Asking make for what has changed is quicker than asking go.
$(HARNESS): harness/go.mod harness/go.sum $(shell find harness -name '*.go' -not -name '*_test.go')
	@[ -x $@ ] || echo "building the harness (the first time on a machine takes a minute)"
	@cd harness && go build -o $(CURDIR)/$@ .
	@touch $@
