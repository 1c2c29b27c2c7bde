#!/bin/sh
# make.sh TOOLS [NAME...]: run the cases of cases.py anew with the tools of this machine and write their logs, in both
# of GitHub's forms, to fixtures/ci-logs/.  TOOLS is a folder for what pip and npm bring; the rest comes from apt.
# Nothing of this is needed to run the tests: they read the committed logs.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tools=$1
shift
mkdir -p "$tools"
[ -d "$tools/venv" ] || {
  python3 -m venv "$tools/venv"
  "$tools/venv/bin/pip" install -q pytest pytest-cov mypy ruff flake8 black isort pylint yamllint codespell sphinx \
    mkdocs pre-commit ansible-core sqlfluff pytest-timeout pytest-xdist bandit tox django alembic robotframework behave \
    check-jsonschema import-linter uv
}
[ -d "$tools/js/node_modules" ] || {
  mkdir -p "$tools/js"
  (cd "$tools/js" && npm init -y >/dev/null && npm install --no-audit --no-fund --legacy-peer-deps typescript eslint vitest mocha chai \
    prettier markdownlint-cli webpack webpack-cli vite esbuild @commitlint/cli @commitlint/config-conventional jest \
    stylelint htmlhint cspell @biomejs/biome ava rollup jasmine oxlint)
}
for tool in cmake ninja go ruby rspec php phpunit shellcheck bats lua5.4 busted dune elixir ghc gfortran clang \
  Rscript valgrind javac emacs sqlite3 jq prove meson sbcl guile nim crystal racket fpc gnatmake swipl tclsh \
  zsh automake mvn ant rubocop bundle rake phpcs composer erl psql nginx xmllint cppcheck clang-format protoc nasm pdflatex \
  luacheck doxygen octave-cli mcs iverilog scons cabal groovy fish asciidoctor puppet haproxy bison clang-tidy perlcritic; do
  command -v "$tool" >/dev/null || echo "missing, its cases are left as they are: $tool" >&2
done
PATH="$tools/venv/bin:$tools/js/node_modules/.bin:$PATH" TOOLS="$tools" exec python3 "$here/make.py" "$@"
