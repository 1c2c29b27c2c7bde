# cj-gate: build, test and lint.  `make help' lists the targets.

.POSIX:
.SUFFIXES:

CARGO  = cargo
TARGET = $${CARGO_TARGET_DIR:-target}

help:
	@echo 'make deps       get what the rest needs, under .deps (and say what it took)'
	@echo 'make build      the release module, lisp/cj-gate-module.so'
	@echo 'make test       every test: Rust, then ERT in each Emacs that deps provided'
	@echo 'make test-core  the Rust tests alone: no Emacs needed'
	@echo 'make test-lisp  the ERT tests alone; TEST=name for test/lisp/name-tests.el alone'
	@echo 'make fuzz       the properties of the classifier with CASES=100000 cases each (long)'
	@echo 'make catalog    ask each catalogued gh anew for its commands and flags (long)'
	@echo 'make catalog-since  ask each release of gh that can be had since when it has what the catalog knows (long)'
	@echo 'make versions   every command with old releases of gh, in which extensions own the words that came later; ALL=1 for all'
	@echo 'make conformance  each verdict held against what the real gh does, and whom it asks (long)'
	@echo 'make canaries   every call that may run, in repositories whose every setting names a canary (long)'
	@echo 'make lint       formatting, clippy, Lisp checks, shell and workflow files'
	@echo 'make bench      times beside those of plain Emacs, and whether the goals are met; BENCH=name for one'
	@echo 'make info       the manual, docs/cj-gate.info, its entry for Info, docs/dir, and what README.org has from the manual'
	@echo 'make tokens     what the schemas and results of the tools cost a model, and whether the goals are met; SHOW=1 for the texts'
	@echo 'make screenshots  the pictures of the manual, from a real Emacs on a display of its own'
	@echo 'make approvals  a picture of each kind of approval in each state, light and dark, in target/approvals/; ONLY=pr-merge for some'
	@echo 'make demo       a conversation through every layer, on stand-ins'
	@echo 'make clean      remove what was built; distclean: what deps fetched too'
	@echo
	@echo 'EMACS=command   that Emacs alone, instead of all that deps provided'
	@echo 'GH=command      that gh alone'
	@echo 'GPTEL=dir       the gptel in that directory, instead of the one that deps took'
	@echo 'demo: LIVE=1 REPO=owner/name PR=n reads that pull request with your own gh'

deps:
	@EMACS='$(EMACS)' GH='$(GH)' sh test/setup/deps.sh

# A loaded module must never be overwritten in place (Emacs would crash): it is replaced by rename.
build:
	@sources=$$(sh test/setup/fingerprint.sh) && \
	$(CARGO) build --release --locked --lib && \
	sh test/setup/install-module.sh "$(TARGET)/release" lisp "$$sources"

# The module that tests load is of the dev profile and stays under the build directory.
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

# Long: some thousand questions to each binary.  The result is committed; a test says when it is stale.
catalog: deps
	@$(CARGO) build --quiet --locked --no-default-features --example catalog
	@while read -r gh; do \
	  version=$$("$$gh" --version | sed -n 's/^gh version \([0-9.]*\).*/\1/p') && \
	  sh test/setup/own-home.sh "$(TARGET)/debug/examples/catalog" "$$gh" "fixtures/gh-catalog/$$version.json" || exit; \
	done <.deps/gh/list

# Long: it downloads 43 releases.  The result is committed; tests hold it against both catalogs.
catalog-since:
	@$(CARGO) build --quiet --locked --no-default-features --example catalog
	@sh test/versions/get.sh all
	@sh test/setup/own-home.sh "$(TARGET)/debug/examples/catalog" --since fixtures/gh-since.json $$(ls -d .deps/gh/[0-9]*/gh | grep -v /2.23.0/)

# Long: exits with an error where something ran unasked, or where a read that the release has was asked about.
versions: deps test-module
	@ALL='$(ALL)' sh test/versions/run.sh

# Long: every leaf, flag and labelled case, and a few thousand generated calls; then foreign hosts through every value of every leaf.
# ARGS=--quick is what the tests run of it.
conformance: deps
	@$(CARGO) build --quiet --locked --no-default-features --example lab --example conformance
	@"$(TARGET)/debug/examples/conformance" $(ARGS)
	@"$(TARGET)/debug/examples/conformance" --foreign $(ARGS)

# Long: every leaf and flag that may run, with each git of this machine; ARGS=--quick is what the tests run of it.
canaries: deps
	@$(CARGO) build --quiet --locked --no-default-features --example lab --example conformance
	@"$(TARGET)/debug/examples/conformance" --hostile $(ARGS)

lint: deps
	@sh test/lint/lint.sh

# The chapters that the sources tell are committed, so are README.org, which is made of excerpts of the manual, and what Info
# reads, since not everybody who installs the package has texinfo; tests say when they are stale.
info: deps
	@read -r emacs <.deps/emacs/list && sh test/setup/own-home.sh "$$emacs" -Q --batch -l test/setup/init.el \
	  -l tools/manual-reference.el -f manual-reference-write
	cd docs && makeinfo --no-split -o cj-gate.info cj-gate.texi && rm -f dir && install-info cj-gate.info dir

# The pictures of the manual, committed; docs/images/version says of which version they are.
screenshots: deps test-module
	@sh test/setup/pictures.sh
	@sh tools/screenshots/run.sh

# target/approvals/ has the pictures and their texts; two sheets of them are in docs/images/, committed.
approvals: deps test-module
	@sh test/setup/pictures.sh
	@ONLY='$(ONLY)' sh tools/screenshots/run.sh approvals

demo: deps test-module
	@LIVE='$(LIVE)' REPO='$(REPO)' PR='$(PR)' sh test/demo/run.sh

# Exits with an error when a goal is missed; above a load of 1.5 nothing is judged.
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

.PHONY: help deps build test-module test test-core test-lisp fuzz catalog catalog-since versions conformance canaries lint info screenshots approvals demo bench tokens clean distclean
