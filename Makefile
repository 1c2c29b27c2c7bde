# cj-gate: build, test and lint.  `make help' lists the targets.

.POSIX:
.SUFFIXES:

CARGO  = cargo
TARGET = $${CARGO_TARGET_DIR:-target}

help:
	@echo 'make deps       download what the other targets need into .deps, and list it'
	@echo 'make build      the release module, lisp/cj-gate-module.so'
	@echo 'make test       every test: Rust, and ERT in each Emacs that deps provided'
	@echo 'make test-core  the Rust tests alone: no Emacs needed'
	@echo 'make test-lisp  the ERT tests alone; TEST=name for test/lisp/name-tests.el alone'
	@echo 'make fuzz       test each property of the classifier on CASES=100000 random calls (long)'
	@echo 'make catalog    write the catalog of commands and flags of each catalogued gh anew (long)'
	@echo 'make catalog-since  write which release of gh first had each command and flag of the catalog (long)'
	@echo 'make versions   call every command with old releases of gh, where extensions have the names of later commands; ALL=1 for all releases (long)'
	@echo 'make netlab       ask net_diagnose in 228 networks, most of them broken, and count how often it is right (long; root)'
	@echo 'make conformance  compare each verdict with what the real gh does and which hosts it asks (long)'
	@echo 'make canaries   make every call that may run, in repositories whose settings all name a program that reports its start (long)'
	@echo 'make lint       formatting, clippy, Lisp checks, shell and workflow files'
	@echo 'make bench      measure times beside those of plain Emacs, and say whether the goals are met; BENCH=name for one bench'
	@echo 'make info       write docs/cj-gate.info, its entry docs/dir, and the excerpts of the manual in README.org'
	@echo 'make tokens     count the tokens of schemas and results, and say whether the goals are met; SHOW=1 for the texts'
	@echo 'make screenshots  write the pictures of the manual, from a real Emacs on a virtual display'
	@echo 'make approvals  write a picture of each kind of approval in each state, light and dark, in target/approvals/; ONLY=pr-merge for some'
	@echo 'make try        an Emacs in this terminal, on stand-ins for GitHub and the model: you press the keys'
	@echo 'make demo       a conversation through every layer, on stand-ins, printed'
	@echo 'make clean      remove what was built; distclean: what deps fetched too'
	@echo
	@echo 'EMACS=command   that Emacs alone, instead of all that deps provided'
	@echo 'GH=command      that gh alone'
	@echo 'GPTEL=dir       the gptel in that directory, instead of the one that deps took'
	@echo 'demo: LIVE=1 REPO=owner/name PR=n reads that pull request with your own gh'

deps:
	@EMACS='$(EMACS)' GH='$(GH)' sh test/setup/deps.sh

# A module that an Emacs has loaded must not be overwritten in place, or that Emacs crashes; a rename replaces it.
build:
	@sources=$$(sh test/setup/fingerprint.sh) && \
	$(CARGO) build --release --locked --lib && \
	sh test/setup/install-module.sh "$(TARGET)/release" lisp "$$sources"

# Tests load a module of the dev profile, which stays in the build directory.
test-module:
	@sources=$$(sh test/setup/fingerprint.sh) && \
	$(CARGO) build --quiet --locked --lib && \
	sh test/setup/install-module.sh "$(TARGET)/debug" "$(TARGET)/dev-module" "$$sources"
	@$(CARGO) build --quiet --locked --no-default-features --example lab

test: deps
	@sh test/setup/test.sh core lisp

test-core:
	@sh test/setup/test.sh core

test-lisp: deps
	@TEST='$(TEST)' sh test/setup/test.sh lisp

CASES = 100000
fuzz:
	PROPTEST_CASES=$(CASES) $(CARGO) test --release --locked --no-default-features --test suite -- classify_props

# Long: it asks each gh some thousand questions.  The result is committed; a test fails when it is stale.
catalog: deps
	@$(CARGO) build --quiet --locked --no-default-features --example catalog
	@while read -r gh; do \
	  version=$$("$$gh" --version | sed -n 's/^gh version \([0-9.]*\).*/\1/p') && \
	  sh test/setup/own-home.sh "$(TARGET)/debug/examples/catalog" "$$gh" "fixtures/gh-catalog/$$version.json" || exit; \
	done <.deps/gh/list

# Long: it downloads 43 releases.  The result is committed; tests compare it with both catalogs.
catalog-since:
	@$(CARGO) build --quiet --locked --no-default-features --example catalog
	@sh test/versions/get.sh all
	@sh test/setup/own-home.sh "$(TARGET)/debug/examples/catalog" --since fixtures/gh-since.json $$(ls -d .deps/gh/[0-9]*/gh | grep -v /2.23.0/)

# Long.  Exits with an error if an extension or alias ran without a question, or if there was a question about a read that the release has.
versions: deps test-module
	@ALL='$(ALL)' sh test/versions/run.sh

# Long: it runs every leaf, flag and labelled case and a few thousand generated calls; then it runs every leaf with the URL of a
# foreign host in each value.  The tests run it with ARGS=--quick.
conformance: deps
	@$(CARGO) build --quiet --locked --no-default-features --example lab --example conformance
	@"$(TARGET)/debug/examples/conformance" $(ARGS)
	@"$(TARGET)/debug/examples/conformance" --foreign $(ARGS)

# Long: it runs every leaf and flag that may run, with each git of this machine.  The tests run it with ARGS=--quick.
canaries: deps
	@$(CARGO) build --quiet --locked --no-default-features --example lab --example conformance
	@"$(TARGET)/debug/examples/conformance" --hostile $(ARGS)

# Long: twelve minutes.  ARGS=--say prints what is not right; the tests run some of it (--quick).
netlab: deps test-module
	@python3 test/netlab/diagnoses.py $(ARGS)
	@python3 test/netlab/diagnoses.py --user $(ARGS)

lint: deps
	@sh test/lint/lint.sh

# The reference chapters, made from the sources, are committed; so are README.org, which has excerpts of the manual, and the Info
# file, since not everybody who installs the package has texinfo.  Tests fail when one of them is stale.
info: deps test-module
	@read -r emacs <.deps/emacs/list && sh test/setup/own-home.sh "$$emacs" -Q --batch -l test/setup/init.el \
	  -l tools/manual-reference.el -f manual-reference-write
	cd docs && makeinfo --no-split -o cj-gate.info cj-gate.texi && rm -f dir && install-info cj-gate.info dir

# The pictures of the manual are committed; docs/images/version names the version that they show.
screenshots: deps test-module
	@sh test/setup/pictures.sh
	@sh tools/screenshots/run.sh

# The pictures and their texts go to target/approvals/; two sheets of them go to docs/images/ and are committed.
approvals: deps test-module
	@sh test/setup/pictures.sh
	@ONLY='$(ONLY)' sh tools/screenshots/run.sh approvals

try: deps test-module
	@sh test/demo/run.sh try

demo: deps test-module
	@LIVE='$(LIVE)' REPO='$(REPO)' PR='$(PR)' sh test/demo/run.sh

# Exits with an error when a goal is missed.  Above a load of 1.5 no goal is judged, since times of a busy machine prove nothing.
bench: deps
	@sh test/setup/bench.sh $(BENCH)

# Exits with an error when a goal is missed.
tokens: deps test-module
	@SHOW='$(SHOW)' sh tools/tokens/run.sh

clean:
	rm -f lisp/*.elc test/lisp/*.elc tools/*.elc lisp/cj-gate-module*.so lisp/cj-gate-module*.dylib
	$(CARGO) clean

distclean: clean
	rm -rf .deps

.PHONY: help deps build test-module test test-core test-lisp fuzz catalog catalog-since versions conformance canaries netlab lint info screenshots approvals demo bench tokens try clean distclean
