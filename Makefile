# The commands of the workbook. Each is a line that can be typed by hand as well.

ENGINE  ?= auto
DIR     ?=
LEVEL   ?= 1
IN      := $(if $(DIR),--dir '$(DIR)')
OWN     := $(if $(DIR),-own)
GO_MIN  := $(shell awk '$$1 == "go" { print $$2 }' go.work)
STAGES  := 05 06 07 08
HARNESS := .build/harness
BENCH   := .build/bench
TESTSUM := $(CURDIR)/.build/gotestsum
LABS    := $(CURDIR)/.build/labs
MODULES := harness harness/bench $(patsubst %/go.mod,%,$(wildcard stages/*/go.mod)) lessons/labs

# Every module stands on its own, as a submission of one stage would.
export GOWORK := off

# The race detector needs cgo and a C compiler; without them the tests run without it.
RACE := $(shell [ "$$(go env CGO_ENABLED)" = 1 ] && command -v "$$(go env CC)" >/dev/null 2>&1 && echo -race)

.DEFAULT_GOAL := help
.PHONY: help all bench grade test lab labs doctor progress checklist redis-image python-image clean diff-05-06 diff-06-07 diff-07-08
.PHONY: $(foreach task,stage map storm start watch hint play,$(STAGES:%=$(task)-%)) $(STAGES:%=diff-own-%)

help: ## show this list
	@echo "  make stage-NN     run the scenarios and promises of a stage (there are: $(STAGES));"
	@echo "                    DIR=work/NN runs yours instead of the reference, here and below"
	@echo "  make map-NN       put a fault at every command of one job, and draw what is left"
	@echo "  make storm-NN     import many batches while faults fire at random"
	@echo "  make start-NN     make work/NN, in which you write the stage yourself"
	@echo "  make watch-NN     run it again whenever you save"
	@echo "  make hint-NN      help with what broke last; LEVEL=2 and LEVEL=3 say more"
	@echo "  make play-NN      start Redis, server and workers, to try them by hand"
	@echo "  make diff-07-08   show what a stage changes (also diff-05-06, diff-06-07)"
	@echo "  make diff-own-NN  show how work/NN differs from the reference"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo "  ENGINE=container|miniredis|auto chooses where Redis comes from (now: $(ENGINE));"
	@echo "  HARNESS_REDIS_IMAGE names another image than the pinned one."

$(STAGES:%=stage-%): stage-%: $(HARNESS)
	@$(HARNESS) run $* --engine $(ENGINE) $(IN)

$(STAGES:%=start-%): start-%: $(HARNESS)
	@$(HARNESS) start $*

$(STAGES:%=watch-%): watch-%: $(HARNESS)
	@$(HARNESS) watch $* --engine $(ENGINE) $(IN)

$(STAGES:%=hint-%): hint-%: $(HARNESS)
	@$(HARNESS) hint $* --level $(LEVEL)

$(STAGES:%=play-%): play-%: $(HARNESS)
	@$(HARNESS) play $* --engine $(ENGINE) $(IN)

doctor: ## look whether this machine has what is needed
	@command -v go >/dev/null 2>&1 || { echo "there is no go on PATH: install Go $(GO_MIN) or newer, from your system's packages or https://go.dev/dl"; exit 3; }
	@$(MAKE) --no-print-directory $(HARNESS)
	@$(HARNESS) doctor

progress: $(HARNESS) ## show how far you are in work/
	@$(HARNESS) progress

grade: $(HARNESS) ## STAGE=08 DIR=...: build and run somebody's stage, and say what it is worth
	$(if $(and $(STAGE),$(DIR)),,$(error name both: make grade STAGE=08 DIR=path/to/submission))
	@$(HARNESS) grade --stage "$(STAGE)" --engine $(ENGINE) $(GRADE_FLAGS) "$(DIR)"

all: $(HARNESS) ## run all stages, and show them side by side
	@$(HARNESS) run $(STAGES) --engine $(ENGINE)

# The map of one stage: in the terminal, and as a page with the story of each cell.
$(STAGES:%=map-%): map-%: $(HARNESS)
	@$(HARNESS) map $* --engine $(ENGINE) $(IN) $(foreach form,html svg json,--$(form) .build/map-$*$(OWN).$(form))
	@echo "  the story of each cell: .build/map-$*$(OWN).html"

$(STAGES:%=storm-%): storm-%: $(HARNESS)
	@$(HARNESS) storm $* --engine $(ENGINE) $(IN)

# What a stage teaches is what it changes. Test files and module files are left out.
diff-05-06 diff-06-07 diff-07-08: diff-%:
	@diff -ruN -x '*_test.go' -x go.mod -x go.sum -x testdata \
	  stages/$(firstword $(subst -, ,$*))-* stages/$(lastword $(subst -, ,$*))-* || [ $$? -eq 1 ]

$(STAGES:%=diff-own-%): diff-own-%:
	@[ -d work/$* ] || { echo "there is no work/$*: make start-$* makes it"; exit 1; }
	@diff -ruN -x '*_test.go' -x 'go.*' -x testdata -x importer work/$* stages/$*-* || [ $$? -eq 1 ]

# Compiled side by side, run one package after the other: several of them run whole stages, which
# have bounds of their own. Tests of the labs read lessons, which lie outside of their module, where the
# go command does not see that a file is newer than the result it remembers; hence -count=1.
test: ## run all tests of all modules; those that need Docker are skipped without it
	@cd harness && go build -o $(TESTSUM) gotest.tools/gotestsum
	@failed=; for module in $(MODULES); do \
	  echo "== $$module"; (cd $$module && { go test $(RACE) -run '^$$' ./... >/dev/null 2>&1; $(TESTSUM) --format pkgname --format-hide-empty-pkg --packages ./... -- -p 1 $(RACE) $$([ $$module != lessons/labs ] || echo -count=1); }) || failed="$$failed $$module"; \
	done; if [ -n "$$failed" ]; then echo "failed:$$failed"; exit 1; fi

# A starter fails its check until it is solved, and so does this line of make.
lab: ## LAB=law: hand out the exercises of a lab in lessons/labs/work, and check what is there
	@cd lessons/labs && go build -o $(LABS) . && $(LABS) "$(LAB)"

labs: $(HARNESS) ## run all tests of the labs; those with Redis need Docker
	@$(HARNESS) labs

bench: $(BENCH) ## measure the stages side by side with others (QUICK=1: a look of a minute)
	@$(BENCH) $(if $(QUICK),-quick) $(if $(CHECK),-check) $(if $(NOTE),-note lessons/what-it-costs.md) \
	  -json $(or $(JSON),.build/bench.json) -svg $(or $(SVG),.build/bench.svg)
	@echo "  the figures: $(or $(JSON),.build/bench.json), and as a chart: $(or $(SVG),.build/bench.svg)"

checklist: $(HARNESS) ## write CHECKLIST.md anew from what was run
	@$(HARNESS) checklist

redis-image: ## build importer-redis:local where no registry can be reached
	@harness/redis-image/build.sh

python-image: ## build importer-python:local of this machine's python3, for grade --isolate --image
	@harness/python-image/build.sh

clean: ## remove what was built
	rm -rf .build

# Asking make for what has changed is quicker than asking go.
$(HARNESS): harness/go.mod harness/go.sum $(shell find harness -path harness/bench -prune -o -name '*.go' -not -name '*_test.go' -print -o -name '*.tmpl' -print -o -name 'points.csv' -print)
	@[ -x $@ ] || echo "building the harness (the first time on a machine takes a minute)"
	@cd harness && CGO_ENABLED=0 go build -o $(CURDIR)/$@ .
	@touch $@

$(BENCH): harness/go.mod harness/bench/go.mod harness/bench/go.sum $(shell find harness -name '*.go' -not -name '*_test.go' -o -name '*.tmpl')
	@[ -x $@ ] || echo "building the benchmark (the first time on a machine takes a minute)"
	@cd harness/bench && go build -o $(CURDIR)/$@ .
	@touch $@
