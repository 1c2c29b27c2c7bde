"""Jobs of linters, package managers, own scripts, deployments and bundlers, each judged once at first sight.

The texts were written before anything was run.  Beyond what make.sh brings these need pyright, pnpm, poetry, ansible-core,
staticcheck, reuse and the web and name servers' own checkers.
"""

from unseen import case as _case, numbered


def case(*args, **more):
    _case(*args, folder="fresh-b", **more)


LOCAL_REPO = "git init -q . && git add -A && git commit -qm 'import'"

# --- linters and formatters -------------------------------------------------------------------------------------------

case("eslint-one-error-among-warnings", "eslint", "dashboard", "lint (node 20)", [
    {"name": "Lint", "run": "npm run lint"}],
    [["npm run lint", "eslint --color src"], ["'retryCount' is not defined", "no-undef"], ["src/api/session.js"], ["4:11", "session.js:4"]],
    ["src/widgets/panel03.js", "is assigned a value but never used"],
    {"package.json": "{\"name\": \"dashboard\", \"version\": \"2.4.0\", \"private\": true, \"scripts\": {\"lint\": \"eslint --color src\"}}\n",
     "eslint.config.mjs": "export default [{rules: {'no-console': 'warn', 'no-unused-vars': 'warn', 'no-undef': 'error'}, languageOptions: {globals: {console: 'readonly', fetch: 'readonly'}}}];\n",
     **{"src/widgets/panel%02d.js" % n: "export function draw%d() {\n  const left = %d;\n  console.log('draw');\n}\n" % (n, n) for n in range(24)},
     "src/api/session.js": "export async function open(url) {\n  console.log('open', url);\n  const answer = await fetch(url);\n  return [retryCount, answer];\n}\n"})

case("eslint-too-many-warnings", "eslint", "forms-ui", "quality / eslint", [
    {"name": "Install", "run": "for n in $(seq 1 12); do echo \"npm warn deprecated left-$n@1.$n.0: no longer maintained\"; done; echo 'added 412 packages in 9s'"},
    {"name": "ESLint", "run": "eslint --max-warnings 2 src"}],
    ["eslint --max-warnings 2 src", ["ESLint found too many warnings", "too many warnings (maximum: 2)"], ["src/date.js"], ["eqeqeq", "Expected '===' and instead saw '=='"]],
    ["npm warn deprecated"],
    {"eslint.config.mjs": "export default [{rules: {'eqeqeq': 'warn'}}];\n",
     "src/date.js": "export function same(a, b) {\n  if (a == b) return true;\n  if (a.year == b.year) return a.day == b.day;\n  return false;\n}\n"})

case("lint-script-runs-all-tools", "mypy", "billing-py", "lint / static (3.11)", [
    {"name": "Static checks", "run": "bash scripts/lint.sh"}],
    [["scripts/lint.sh", "mypy --strict billing"], ["Argument 1 to \"charge\" has incompatible type \"str\"; expected \"int\"", "arg-type"], ["billing/refund.py:5"]],
    ["billing/legacy.py", "would be reformatted"],
    {"scripts/lint.sh": "#!/bin/bash\n# run everything, tell at the end\nstatus=0\nrun() { echo; echo \"==> $*\"; if \"$@\"; then echo \"ok: $1\"; else echo \"bad: $1\"; status=1; fi; }\nrun ruff check billing\nrun black --check billing\nrun mypy --strict billing\nrun codespell billing README.md\nrun yamllint .github\necho\nif [ $status -ne 0 ]; then echo 'lint: there are problems, see above'; fi\nexit $status\n",
     "README.md": "# billing\n", ".github/workflows/ci.yml": "---\n\"on\": push\njobs: {}\n",
     "billing/__init__.py": "", "billing/core.py": "def charge(cents: int) -> int:\n    return cents\n",
     "billing/legacy.py": "# ruff: noqa: F401\nimport warnings\n",
     "billing/refund.py": "from billing.core import charge\n\n\ndef refund(amount: str) -> int:\n    return -charge(amount)\n"})

case("pyright-summary", "pyright", "pipeline-py", "type check", [
    {"name": "Types", "run": "pyright --warnings etl"}],
    ["pyright --warnings etl", ["\"rows\" is not a known attribute of \"None\"", "reportOptionalMemberAccess"], ["etl/load.py:7"]],
    ["0 errors in stubs"],
    {"pyrightconfig.json": "{\"typeCheckingMode\": \"basic\", \"pythonVersion\": \"3.11\"}\n",
     "etl/__init__.py": "", **{"etl/step%d.py" % n: "def run(x: int) -> int:\n    return x + %d\n" % n for n in range(5)},
     "etl/load.py": "import re\n\n\ndef load(text: str) -> int:\n    \"\"\"How many rows the header announces.\"\"\"\n    found = re.match(r\"(\\d+) rows\", text)\n    return int(found.rows)\n"})

case("pre-commit-several-hooks", "pre-commit", "mono", "pre-commit", [
    {"name": "Run pre-commit", "run": "pre-commit run --all-files --show-diff-on-failure --color=always"}],
    [["pre-commit run --all-files --show-diff-on-failure"], ["sort the word list", "sort-words"], ["files were modified by this hook"], ["words.txt", "check for TODO without ticket"]],
    ["no files to check"],
    {".pre-commit-config.yaml": "repos:\n- repo: local\n  hooks:\n" + "".join(
        "  - {id: %s, name: %s, language: system, entry: %s, pass_filenames: false%s}\n" % one for one in [
            ("merge", "check for merge conflicts", "bash -c true", ""), ("toml", "check toml", "bash -c true", ", files: '[.]toml$'"),
            ("yaml", "check yaml", "bash -c true", ""), ("large", "check for added large files", "bash -c true", ""),
            ("sort-words", "sort the word list", "sort -o words.txt words.txt", ""), ("eof", "fix end of files", "bash -c true", ""),
            ("shell", "shell syntax", "bash -n tool.sh", ""), ("spell", "codespell", "codespell doc.md", "")]),
     "words.txt": "".join("word%02d\n" % (n * 7 % 23) for n in range(23)), "tool.sh": "#!/bin/bash\ntrue\n", "doc.md": "All is well.\n"},
    prepare=LOCAL_REPO)

case("prettier-check-coloured", "prettier", "site-ui", "format", [
    {"name": "Check format", "run": "npm run --silent lint:css\nnpx prettier --check \"src/**/*.{js,css,md}\""}],
    ["npx prettier --check", ["src/menu/open.js"], ["Code style issues found in the above file", "Code style issues found"]],
    ["npm warn"],
    {"package.json": "{\"name\": \"site-ui\", \"private\": true, \"scripts\": {\"lint:css\": \"node -e \\\"for (let i = 0; i < 20; i++) console.log('css/part' + i + '.css: ok')\\\"\"}}\n",
     **{"src/part%d.js" % n: "export const a%d = %d;\n" % (n, n) for n in range(12)},
     "src/menu/open.js": "export function open( menu ){ return menu.open( ) }\n", "src/a.css": "a {\n  color: red;\n}\n"})

case("shellcheck-in-find", "shellcheck", "ops-scripts", "shellcheck", [
    {"name": "Shellcheck", "run": "find scripts -name '*.sh' -print0 | sort -z | xargs -0 -n1 shellcheck --severity=warning"}],
    [["find scripts -name '*.sh'", "xargs -0 -n1 shellcheck"], ["SC2164", "Use 'cd ... || exit'"], ["scripts/rotate.sh line 4", "scripts/rotate.sh"]],
    [],
    {**{"scripts/job%d.sh" % n: "#!/bin/sh\nset -eu\necho \"%d\"\n" % n for n in range(8)},
     "scripts/rotate.sh": "#!/bin/bash\ndir=$1\n\ncd \"$dir\"\nrm -f -- *.old\n"})

case("yamllint-github-format", "yamllint", "charts", "yaml", [
    {"name": "yamllint", "run": "yamllint -f github ."}],
    ["yamllint -f github", ["duplication of key \"image\" in mapping"], ["charts/web/values.yaml", "values.yaml"], ["5:1"]],
    ["line too long"],
    {".yamllint": "extends: default\nrules:\n  line-length: {max: 80, level: warning}\n  document-start: disable\n",
     **{"charts/c%d/values.yaml" % n: "name: c%d\ndescription: \"%s\"\n" % (n, "long " * 20) for n in range(9)},
     "charts/web/values.yaml": "image: web:1.0\nreplicas: 2\nport: 8080\n\nimage: web:1.1\n"})

case("rubocop-fail-level", "rubocop", "shop-rb", "rubocop", [
    {"name": "Rubocop", "run": "rubocop --fail-level E --display-only-fail-level-offenses\nrubocop --fail-level W --only Lint lib"}],
    ["rubocop --fail-level W --only Lint lib", ["Lint/UselessAssignment", "Useless assignment to variable - `total`"], ["lib/cart.rb:6"]],
    ["Style/FrozenStringLiteralComment"],
    {".rubocop.yml": "AllCops:\n  NewCops: disable\n  SuggestExtensions: false\n",
     **{"lib/part%d.rb" % n: "def part%d\n  %d\nend\n" % (n, n) for n in range(15)},
     "lib/cart.rb": "# A cart.\nclass Cart\n  attr_reader :lines\n\n  def sum\n    total = 0\n    lines.sum\n  end\nend\n"})

case("clippy-deny-warnings", "clippy", "wire", "clippy (stable)", [
    {"name": "Clippy", "run": "cargo clippy --offline --workspace --all-targets -- -D warnings", "env": {"CARGO_TERM_COLOR": "always"}}],
    ["cargo clippy --offline --workspace --all-targets -- -D warnings", ["clippy::needless_range_loop", "the loop variable `i` is only used to index `frame`", "is only used to index"], ["crates/codec/src/lib.rs:3"]],
    ["bindings were generated by an old version"],
    {"Cargo.toml": "[workspace]\nmembers = [\"crates/*\"]\nresolver = \"2\"\n",
     "crates/base/Cargo.toml": "[package]\nname = \"base\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
     "crates/base/build.rs": "fn main() { println!(\"cargo:warning=bindings were generated by an old version\"); }\n",
     "crates/base/src/lib.rs": "pub fn one() -> u32 {\n    1\n}\n",
     "crates/codec/Cargo.toml": "[package]\nname = \"codec\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nbase = { path = \"../base\" }\n",
     "crates/codec/src/lib.rs": "pub fn sum(frame: &[u8]) -> u32 {\n    let mut sum = base::one();\n    for i in 0..frame.len() {\n        sum += u32::from(frame[i]);\n    }\n    sum\n}\n"})

case("gofmt-own-words", "gofmt", "router-go", "lint (1.19)", [
    {"name": "Vet", "run": "go vet ./..."},
    {"name": "Format", "run": "unformatted=$(gofmt -l .)\nif [ -n \"$unformatted\" ]; then\n  echo \"Go files must be formatted with gofmt. Please run:\"\n  for fn in $unformatted; do echo \"  gofmt -w $PWD/$fn\"; done\n  exit 1\nfi"}],
    [["gofmt -l ."], ["Go files must be formatted with gofmt"], ["routes/tree.go"]], ["routes/ok.go"],
    {"go.mod": "module example.org/router\n\ngo 1.19\n", "routes/ok.go": "package routes\n\nfunc Ok() int { return 1 }\n",
     "routes/tree.go": "package routes\n\nfunc Tree(  ) int {\n  return 2 }\n"})

case("staticcheck-after-vet", "staticcheck", "queue-go", "lint / go", [
    {"name": "Lint", "run": "make lint"}],
    [["make lint", "staticcheck ./..."], ["SA4006", "this value of err is never used"], ["store/disk.go:6"]],
    ["# example.org/queue/gen"],
    {"Makefile": "PKGS = ./...\n\n.PHONY: lint vet static\nlint: vet static\n\t@echo 'lint is clean'\nvet:\n\tgo vet $(PKGS)\nstatic:\n\tstaticcheck ./...\n",
     "go.mod": "module example.org/queue\n\ngo 1.19\n", "gen/gen.go": "package gen\n\nfunc Ok() int { return 1 }\n",
     "store/disk.go": "package store\n\nimport \"os\"\n\nfunc Load() ([]byte, error) {\n\tf, err := os.Open(\"a\")\n\tb, err := os.ReadFile(\"b\")\n\t_ = f\n\treturn b, err\n}\n"})

case("commitlint-third-commit", "commitlint", "sdk-js", "commit messages", [
    {"name": "commitlint", "run": "commitlint --from HEAD~4 --to HEAD --verbose"}],
    ["commitlint --from HEAD~4", ["type may not be empty", "[type-empty]"], ["Fixed the uploader"]], ["feat: keep part"],
    {"package.json": "{\"name\": \"sdk\", \"private\": true}\n", "commitlint.config.mjs": "export default {rules: {'type-empty': [2, 'never'], 'subject-empty': [2, 'never'], 'header-max-length': [2, 'always', 72]}};\n"},
    prepare="git init -q . && git add -A && git commit -qm 'chore: start'; for n in 1 2; do git commit -q --allow-empty -m \"feat: keep part $n\"; done; git commit -q --allow-empty -m 'Fixed the uploader'; git commit -q --allow-empty -m 'feat: keep part 4'")

case("codespell-after-reuse", "codespell", "handbook", "prose", [
    {"name": "Prose", "run": "./ci/prose.sh"}],
    ["./ci/prose.sh", ["recieve ==> receive"], ["docs/ch07.md:3"]], ["teh quick"],
    {"ci/prose.sh": "#!/usr/bin/env bash\nset -euo pipefail\nfor c in docs/*.md; do printf '%-20s %4d words\\n' \"$c\" \"$(wc -w <\"$c\")\"; done\ncodespell --ignore-words-list teh docs\necho 'prose is fine'\n",
     **{"docs/ch%02d.md" % n: "# Chapter %d\n\nThe teh quick example is ignored.\n" % n for n in range(1, 14) if n != 7},
     "docs/ch07.md": "# Chapter 7\n\nYou recieve a letter.\n"})

# --- package managers -------------------------------------------------------------------------------------------------

case("npm-ci-out-of-sync", "npm", "portal", "build (20.x)", [
    {"name": "Install", "run": "npm ci --offline"}, {"name": "Build", "run": "npm run build"}],
    ["npm ci --offline", ["can only install packages when your package.json and package-lock.json", "package.json and package-lock.json are in sync"], ["Missing: palette@2.0.0 from lock file", "Missing: palette@"]],
    ["A complete log of this run"],
    {"package.json": "{\"name\": \"portal\", \"version\": \"1.0.0\", \"dependencies\": {\"grid\": \"file:vendor/grid\", \"palette\": \"file:vendor/palette\"}}\n",
     "vendor/grid/package.json": "{\"name\": \"grid\", \"version\": \"1.1.0\"}\n", "vendor/palette/package.json": "{\"name\": \"palette\", \"version\": \"2.0.0\"}\n",
     "package-lock.json": "{\"name\": \"portal\", \"version\": \"1.0.0\", \"lockfileVersion\": 3, \"requires\": true, \"packages\": {\"\": {\"name\": \"portal\", \"version\": \"1.0.0\", \"dependencies\": {\"grid\": \"file:vendor/grid\"}}, \"node_modules/grid\": {\"resolved\": \"vendor/grid\", \"link\": true}, \"vendor/grid\": {\"version\": \"1.1.0\"}}}\n"})

case("npm-eresolve-local", "npm", "widgets-app", "install (node 20)", [
    {"name": "Install dependencies", "run": "npm install --offline --no-audit --no-fund"}],
    ["npm install --offline", ["ERESOLVE"], ["peer core@\"^3.0.0\" from plug@", "peer core@\"^3.0.0\""], ["Found: core@2.5.0"]],
    ["A complete log of this run"],
    {"package.json": "{\"name\": \"widgets-app\", \"version\": \"1.0.0\", \"dependencies\": {\"core\": \"file:core-2.5.0.tgz\", \"plug\": \"file:plug-1.0.0.tgz\"}}\n"},
    prepare="mkdir package; echo '{\"name\":\"core\",\"version\":\"2.5.0\"}' >package/package.json; tar czf core-2.5.0.tgz package; echo '{\"name\":\"plug\",\"version\":\"1.0.0\",\"peerDependencies\":{\"core\":\"^3.0.0\"}}' >package/package.json; tar czf plug-1.0.0.tgz package; rm -r package")

case("pnpm-frozen-lockfile", "pnpm", "studio", "build / web", [
    {"name": "Install", "run": "pnpm install --frozen-lockfile --offline"}],
    ["pnpm install --frozen-lockfile", ["ERR_PNPM_OUTDATED_LOCKFILE"], ["pnpm-lock.yaml is not up to date", "Cannot install with \"frozen-lockfile\""]], ["Update available"],
    {"package.json": "{\"name\": \"studio\", \"version\": \"0.3.0\", \"private\": true, \"dependencies\": {\"grid\": \"link:vendor/grid\", \"palette\": \"link:vendor/palette\"}}\n",
     "vendor/grid/package.json": "{\"name\": \"grid\", \"version\": \"1.1.0\"}\n", "vendor/palette/package.json": "{\"name\": \"palette\", \"version\": \"2.0.0\"}\n",
     "pnpm-lock.yaml": "lockfileVersion: '9.0'\n\nsettings:\n  autoInstallPeers: true\n  excludeLinksFromLockfile: false\n\nimporters:\n\n  .:\n    dependencies:\n      grid:\n        specifier: link:vendor/grid\n        version: link:vendor/grid\n"})

WHEELS = """python3 - <<'E'
import os, zipfile
os.mkdir('wheels')
def wheel(name, version, needs=()):
    with zipfile.ZipFile('wheels/%s-%s-py3-none-any.whl' % (name, version), 'w') as z:
        info = '%s-%s.dist-info/' % (name, version)
        z.writestr(zipfile.ZipInfo(name + '.py'), 'x = 1\\n')
        z.writestr(zipfile.ZipInfo(info + 'METADATA'), 'Metadata-Version: 2.1\\nName: %s\\nVersion: %s\\n' % (name, version) + ''.join('Requires-Dist: %s\\n' % n for n in needs))
        z.writestr(zipfile.ZipInfo(info + 'WHEEL'), 'Wheel-Version: 1.0\\nGenerator: made\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
        z.writestr(zipfile.ZipInfo(info + 'RECORD'), '')
for n in range(8): wheel('helper%d' % n, '1.%d' % n)
wheel('schema', '1.4'); wheel('schema', '2.1')
wheel('orders', '3.0', ['schema<2', 'helper1']); wheel('ledger', '5.2', ['schema>=2', 'helper2'])
E
"""

case("pip-resolution-impossible", "pip", "erp", "tests (3.11)", [
    {"name": "Install", "run": "python -m venv --without-pip .venv\npip --disable-pip-version-check install --dry-run --no-index --find-links wheels -r requirements.txt"},
    {"name": "Test", "run": "pytest -q"}],
    [["--find-links wheels -r requirements.txt"], ["ResolutionImpossible"], ["orders 3.0 depends on schema<2"], ["ledger 5.2 depends on schema>=2"]], ["Processing ./wheels/helper4"],
    {"requirements.txt": "".join("helper%d\n" % n for n in range(8)) + "orders==3.0\nledger==5.2\n"}, prepare=WHEELS)

case("pip-hash-mismatch-b", "pip", "payroll", "install (hashes)", [
    {"name": "Install pinned", "run": "pip --disable-pip-version-check install --dry-run --no-index --find-links wheels --require-hashes -r requirements.lock"}],
    ["--require-hashes -r requirements.lock", ["DO NOT MATCH THE HASHES"], ["schema==2.1"], ["Expected sha256 0123456789abcdef"]], ["helper0"],
    {"requirements.lock": "schema==2.1 --hash=sha256:" + "0123456789abcdef" * 4 + "\n"}, prepare=WHEELS)

case("uv-lock-stale", "uv", "agent-py", "check lock", [
    {"name": "Lock is fresh", "run": "uv --version | cut -d' ' -f1\nuv lock --check --offline"}, {"name": "Test", "run": "uv run pytest"}],
    ["uv lock --check --offline", ["The lockfile at `uv.lock` needs to be updated", "needs to be updated"]], ["Resolved"],
    {"pyproject.toml": "[project]\nname = \"agent\"\nversion = \"0.2.0\"\nrequires-python = \">=3.10\"\ndependencies = []\n",
     "uv.lock": "version = 1\nrevision = 2\nrequires-python = \">=3.10\"\n\n[[package]]\nname = \"agent\"\nversion = \"0.1.0\"\nsource = { virtual = \".\" }\n"})

case("poetry-lock-stale", "poetry", "mailer-py", "poetry", [
    {"name": "Check", "run": "poetry check --lock"}],
    ["poetry check --lock", ["pyproject.toml changed significantly since poetry.lock was last generated"]], ["is deprecated"],
    {"pyproject.toml": "[project]\nname = \"mailer\"\nversion = \"0.2.0\"\nrequires-python = \">=3.10\"\ndescription = \"d\"\nauthors = [{name = \"A\"}]\ndependencies = []\n\n[tool.poetry.dependencies]\npython = \">=3.10\"\n\n[tool.poetry.group.dev.dependencies]\npytest = \"*\"\n",
     "poetry.lock": "# This file is automatically @generated by Poetry 2.1.0 and should not be changed by hand.\npackage = []\n\n[metadata]\nlock-version = \"2.1\"\npython-versions = \">=3.10\"\ncontent-hash = \"" + "ab12" * 16 + "\"\n"})

case("bundler-frozen", "bundler", "blog-rb", "setup (3.1)", [
    {"name": "Bundle", "run": "bundle config set --local frozen true\nbundle install --local --jobs 2", "env": {"BUNDLE_SILENCE_ROOT_WARNING": "1"}}],
    ["bundle install --local --jobs 2", ["after changing your Gemfile", "The dependencies in your gemfile changed"], ["* mark"]], [],
    {"Gemfile": "gem 'post', path: 'gems/post'\ngem 'mark', path: 'gems/mark'\n",
     **{"gems/%s/%s.gemspec" % (n, n): "Gem::Specification.new { |s| s.name = '%s'; s.version = '1.0'; s.summary = 's'; s.authors = ['a']; s.files = [] }\n" % n for n in ("post", "mark")},
     "Gemfile.lock": "PATH\n  remote: gems/post\n  specs:\n    post (1.0)\n\nGEM\n  specs:\n\nPLATFORMS\n  ruby\n\nDEPENDENCIES\n  post!\n\nBUNDLED WITH\n   2.3.15\n"})

case("composer-not-resolvable", "composer", "intranet-php", "php 8.2", [
    {"name": "Composer", "run": "composer install --no-interaction --no-progress --prefer-dist", "env": {"COMPOSER_ALLOW_SUPERUSER": "1", "COMPOSER_DISABLE_NETWORK": "1"}}],
    ["composer install --no-interaction", ["Your requirements could not be resolved to an installable set of packages"], ["intranet/auth 1.0.0 requires ext-frob", "ext-frob"]], ["The disk seems to be full"],
    {"composer.json": "{\"name\": \"intranet/site\", \"require\": {\"intranet/auth\": \"^1.0\"}, \"repositories\": [{\"packagist.org\": false}, {\"type\": \"path\", \"url\": \"auth\"}]}\n",
     "auth/composer.json": "{\"name\": \"intranet/auth\", \"version\": \"1.0.0\", \"require\": {\"ext-frob\": \"*\"}}\n"})

case("cargo-locked-stale", "cargo", "daemon", "build (locked)", [
    {"name": "Build", "run": "cargo build --offline --locked --release", "env": {"CARGO_TERM_COLOR": "always"}}],
    ["cargo build --offline --locked --release", ["because --locked was passed", "cannot update the lock file"], ["Cargo.lock"]], [],
    {"Cargo.toml": "[package]\nname = \"daemon\"\nversion = \"1.2.0\"\nedition = \"2021\"\n[dependencies]\nproto = { path = \"proto\" }\n",
     "src/main.rs": "fn main() {}\n", "proto/Cargo.toml": "[package]\nname = \"proto\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "proto/src/lib.rs": "\n",
     "Cargo.lock": "version = 4\n\n[[package]]\nname = \"daemon\"\nversion = \"1.2.0\"\n"})

case("go-mod-tidy-diff", "go mod", "gateway-go", "tidy", [
    {"name": "Tidy", "run": "go mod tidy -v\ngit diff --exit-code -- go.mod go.sum", "env": {"GOFLAGS": "-mod=mod", "GOPROXY": "off"}}],
    ["git diff --exit-code -- go.mod go.sum", ["example.org/old v0.0.0"], ["a/go.mod", "b/go.mod"]], ["innocent"],
    {"go.mod": "module example.org/gateway\n\ngo 1.19\n\nrequire (\n\texample.org/kit v0.0.0\n\texample.org/old v0.0.0\n)\n\nreplace (\n\texample.org/kit => ./kit\n\texample.org/old => ./old\n)\n", "go.sum": "",
     "main.go": "package main\n\nimport \"example.org/kit\"\n\nfunc main() { kit.Run() }\n",
     "kit/go.mod": "module example.org/kit\n\ngo 1.19\n", "kit/kit.go": "package kit\n\nfunc Run() {}\n", "old/go.mod": "module example.org/old\n\ngo 1.19\n", "old/old.go": "package old\n"}, prepare=LOCAL_REPO)

case("apt-get-no-such-package", "apt", "player", "build (deb)", [
    {"name": "Build dependencies", "run": "./ci/deps.sh", "env": {"APT_CONFIG": "/home/runner/work/player/player/apt.conf"}}, {"name": "Build", "run": "make"}],
    [["./ci/deps.sh", "apt-get install"], ["Unable to locate package libfrob3-dev"]], ["deps.log: removed"],
    {"ci/deps.sh": "#!/bin/bash\nset -e\ntrap 'echo \"deps.log: removed\"; rm -f deps.log' EXIT\napt-get update\nfor p in gcc make pkgconf; do echo \"$p is already the newest version.\"; done\napt-get install -y --no-install-recommends libalpha-dev libfrob3-dev libbeta-dev\necho ready\n",
     "apt.conf": "Dir::State \"/home/runner/work/player/player/st\";\nDir::State::status \"/home/runner/work/player/player/st/status\";\nDir::Cache \"/home/runner/work/player/player/ca\";\nDir::Etc::sourcelist \"/home/runner/work/player/player/sources.list\";\nDir::Etc::sourceparts \"-\";\nDebug::NoLocking \"1\";\nAPT::Sandbox::User \"\";\nAcquire::AllowInsecureRepositories \"1\";\n",
     "sources.list": "deb [trusted=yes] file:/home/runner/work/player/player/pool ./\n",
     "st/status": "", "pool/Packages": "".join("Package: lib%s-dev\nVersion: 1.0\nArchitecture: all\nMaintainer: a <a@example.org>\nFilename: ./x.deb\nSize: 1\nDescription: x\n\n" % n for n in ("alpha", "beta"))},
    prepare="mkdir -p st/lists/partial ca/archives/partial")

# --- a project's own scripts ------------------------------------------------------------------------------------------

case("silent-middle-exit-trap", "bash", "release-tools", "release / notes", [
    {"name": "Prepare release", "run": "./release.sh 5.1.0"}],
    ["./release.sh 5.1.0", ["looking for the upgrade notes of 5.1.0"]], ["unlocking channel 3", "purging cache entry"],
    {"release.sh": "#!/usr/bin/env bash\nset -euo pipefail\nversion=$1\ncleanup() { for n in 1 2 3 4 5; do echo \"unlocking channel $n\"; done; for n in $(seq 1 20); do echo \"purging cache entry $n (error: not in cache)\"; done; }\ntrap cleanup EXIT\nfor step in tag branch notes assets; do echo \"checking $step\"; done\nfor n in $(seq 1 30); do echo \"asset $n: signed\"; done\necho \"looking for the upgrade notes of $version\"\ngrep -q \"^## $version\" UPGRADING.md\necho \"ready to release $version\"\n",
     "UPGRADING.md": "## 5.0.0\n\n## 4.9.1\n"})

case("xtrace-failing-test", "bash", "image-builder", "rootfs (arm64)", [
    {"name": "Build root file system", "run": "bash -ex build/rootfs.sh arm64"}],
    ["bash -ex build/rootfs.sh arm64", ["+ test 3 -eq 4", "test 3 -eq 4"]], ["umount: proc: not mounted", "+ echo stage-2"],
    {"build/rootfs.sh": "arch=$1\ntrap 'set +x; echo \"umount: proc: not mounted\"' EXIT\nmkdir -p out\nfor s in 1 2 3; do\n  echo stage-$s >out/$s\n  cat out/$s\ndone\nfor p in base-files bash coreutils dpkg grep gzip sed tar; do\n  echo \"unpacking $p:$arch\"\ndone\ncount=$(ls out | wc -l)\ntest \"$count\" -eq 4\ntar cf rootfs.tar out\n"})

case("python-heredoc-keyerror", "python", "metrics-jobs", "nightly / report", [
    {"name": "Report", "shell": "bash", "run": "mkdir -p out\npython3 - data.json <<'PY'\nimport json, sys\nrows = json.load(open(sys.argv[1]))\nfor row in rows:\n    try:\n        print('region', row['region'], 'errors', row['errors'])\n    except KeyError:\n        print('WARN no error count for', row['region'])\ntotal = sum(row['latency']['p99'] for row in rows)\nprint('total', total)\nPY\necho report written"}],
    [["python3 - data.json"], ["KeyError: 'p99'"], ["File \"<stdin>\", line 8"]], ["WARN no error count for"],
    {"data.json": "[" + ", ".join("{\"region\": \"r%d\", %s\"latency\": {\"%s\": 1}}" % (n, "" if n % 5 == 2 else "\"errors\": 0, ", "p95" if n == 17 else "p99") for n in range(25)) + "]\n"})

case("retry-recovers-then-cross", "bash", "checkout-e2e", "smoke (staging)", [
    {"name": "Smoke", "run": "./smoke.sh"}],
    ["./smoke.sh", ["refund is idempotent"], ["second refund answered 500, expected 409"]],
    ["connection reset by peer", "attempt 1 failed"],
    {"smoke.sh": "#!/bin/bash\n# smoke tests against staging\ntry() { for n in 1 2 3; do if [ $n -lt 3 ]; then echo \"  curl: (56) Recv failure: connection reset by peer\"; echo \"  attempt $n failed, retrying in 0s\"; else echo \"  attempt $n ok\"; return 0; fi; done; }\nfailed=0\npass() { printf '\\033[32m  ✓\\033[0m %s\\n' \"$1\"; }\nfail() { printf '\\033[31m  ✗\\033[0m %s\\n' \"$1\"; failed=$((failed + 1)); }\necho 'warm up'; try\nfor n in $(seq 1 25); do pass \"page $n renders\"; done\nfail 'refund is idempotent'; echo '      second refund answered 500, expected 409'\nfor n in $(seq 1 12); do pass \"error page $n is shown for failed payments\"; done\necho\necho \"37 passed, $failed failed\"\nexit $failed\n"})

case("pipefail-middle-command", "bash", "geo-data", "import", [
    {"name": "Import", "shell": "bash", "run": "for f in a b c; do echo \"fetching $f.csv\"; done\ncat raw/*.csv | python3 tools/normalise.py | sort -u | tee out.csv | wc -l\necho \"imported\""}],
    [["cat raw/*.csv | python3 tools/normalise.py"], ["ValueError: could not convert string to float: '12,5"], ["tools/normalise.py\", line 6"]], ["skipping the header"],
    {"tools/normalise.py": "import sys\nfor line in sys.stdin:\n    if line.startswith('name'):\n        print('normalise: warning: skipping the header', file=sys.stderr)\n        continue\n    print(line.split(';')[0], float(line.split(';')[1]))\n",
     **{"raw/%d.csv" % n: "name;lat\n" + "".join("p%d;%d.5\n" % (m, m) for m in range(30)) + ("q;12,5\n" if n == 7 else "") for n in range(9)}})

case("unbound-variable-sourced", "bash", "infra-live", "deploy / eu", [
    {"name": "Deploy", "run": "./bin/deploy eu", "env": {"STAGE": "prod"}}],
    ["./bin/deploy eu", ["BUCKET: unbound variable"], ["lib/upload.sh: line 4", "lib/upload.sh"]], ["profile is not set, using default"],
    {"bin/deploy": "#!/bin/bash\nset -euo pipefail\n. lib/upload.sh\necho \"warning: profile is not set, using default\" >&2\nfor n in $(seq 1 12); do echo \"rendered template $n\"; done\nupload \"$1\"\necho deployed\n",
     "lib/upload.sh": "# helpers\nupload() {\n  echo \"uploading to $1 ($STAGE)\"\n  echo cp -r dist \"s3://$BUCKET/$1\"\n}\n"})

case("node-json-lines-log", "node", "sync-service", "contract", [
    {"name": "Contract tests", "run": "node contract.js | tee contract.log\ntest \"${PIPESTATUS[0]}\" -eq 0"}],
    [["node contract.js"], ["price 0 accepted for item 41"], ["item-41"]], ["upstream closed the stream, reconnecting"],
    {"contract.js": "const log = (level, msg, more) => console.log(JSON.stringify({level, time: 1763800000 + (log.n = (log.n || 0) + 1), msg, ...more}));\nfor (let i = 0; i < 40; i++) { log('info', 'scenario passed', {scenario: 'item-' + i}); if (i % 9 === 4) log('warn', 'upstream closed the stream, reconnecting', {attempt: 1}); }\nlog('error', 'scenario failed', {scenario: 'item-41', reason: 'price 0 accepted for item 41'});\nfor (let i = 42; i < 60; i++) log('info', 'scenario passed', {scenario: 'item-' + i});\nlog('info', 'done', {passed: 58, failed: 1});\nprocess.exitCode = 1;\n"})

case("logfmt-then-fatal", "python", "mirror-job", "nightly mirror", [
    {"name": "Mirror", "run": "python3 mirror.py --all"}],
    ["python3 mirror.py --all", ["checksum of pkg-31 differs"], ["pkg-31"]], ["slow answer", "will be tried again"],
    {"mirror.py": "import sys\ndef log(level, msg, **more):\n    print('ts=2026-11-10T10:00:%02d level=%s msg=\"%s\"%s' % (len(msg) % 60, level, msg, ''.join(' %s=%s' % one for one in more.items())), flush=True)\nfor n in range(60):\n    if n in (4, 19):\n        log('error', 'slow answer, will be tried again', pkg='pkg-%d' % n)\n        log('info', 'second try succeeded', pkg='pkg-%d' % n)\n    log('info', 'mirrored', pkg='pkg-%d' % n, bytes=n * 1000)\n    if n == 31:\n        log('fatal', 'checksum of pkg-31 differs', want='9f2c', got='11aa')\n        sys.exit(3)\n"})

case("perl-own-brackets", "perl", "schema-lint", "schema", [
    {"name": "Schemas", "run": "perl tools/check.pl schemas"}],
    ["perl tools/check.pl schemas", ["duplicate key 'currency'"], ["schemas/07.txt:4"]], ["[warn] schemas/03.txt"],
    {"tools/check.pl": "use strict; use warnings;\n$| = 1;\nmy $bad = 0;\nfor my $f (sort glob \"$ARGV[0]/*.txt\") {\n  my (%seen, @out); open my $h, '<', $f or die \"$f: $!\";\n  while (<$h>) { chomp; push @out, \"[error] $f:$.: duplicate key '$_'\" if $seen{$_}++; }\n  print \"[warn] $f: no description (error in strict mode)\\n\" if $f =~ /3/;\n  print @out ? map({\"$_\\n\"} @out) : \"[info] $f is fine\\n\"; $bad += @out;\n}\nprint \"[info] $bad problem(s)\\n\";\nexit($bad ? 1 : 0);\n",
     **{"schemas/%02d.txt" % n: "id\namount\ncurrency\n" + ("currency\n" if n == 7 else "vat\n") for n in range(20)}})

case("make-own-words-parallel", "make", "firmware-docs", "consistency", [
    {"name": "Check", "run": "make -k check"}],
    ["make -k check", ["register CTRL2 has two addresses: 0x14 and 0x18"], ["Makefile:4: check-regs", "check-regs"]], ["FAILURES are listed below"],
    {"Makefile": "check: check-links check-regs check-words\n\t@echo all fine\ncheck-regs:\n\t@./regs.sh\ncheck-links:\n\t@for i in 1 2 3 4 5 6 7 8; do echo \"links of chapter $$i: ok (FAILURES are listed below)\"; done\ncheck-words:\n\t@for i in 1 2 3 4; do echo \"words of chapter $$i: ok\"; done\n",
     "regs.sh": "#!/bin/sh\nfor r in CTRL0 CTRL1 STAT; do echo \"register $r: 1 address\"; done\necho 'register CTRL2 has two addresses: 0x14 and 0x18'\nfor r in IRQ DMA; do echo \"register $r: 1 address\"; done\nexit 4\n"})

case("generated-files-differ", "git diff", "api-spec", "generated code", [
    {"name": "Generated code is up to date", "run": "make generate\ngit diff --stat --exit-code || { echo \"Generated files are stale. Run 'make generate' and commit.\"; git --no-pager diff; exit 1; }"}],
    [["make generate", "git diff --stat --exit-code"], ["Generated files are stale"], ["gen/client_07.py"], ["TIMEOUT = 30", "-TIMEOUT = 20"]], ["deprecated generator option"],
    {"Makefile": "generate:\n\t@python3 gen.py\n", "gen.py": "import sys\nprint('warning: deprecated generator option --flat', file=sys.stderr)\nfor n in range(20):\n    open('gen/client_%02d.py' % n, 'w').write('# generated\\nTIMEOUT = %d\\n' % (30 if n == 7 else 20))\n    print('wrote gen/client_%02d.py' % n)\n",
     **{"gen/client_%02d.py" % n: "# generated\nTIMEOUT = 20\n" for n in range(20)}}, prepare=LOCAL_REPO)

case("coverage-gate", "pytest-cov", "tariff-py", "tests (3.11, ubuntu)", [
    {"name": "Test", "run": "pytest --cov=tariff --cov-report=term-missing --cov-fail-under=90"}],
    ["--cov-fail-under=90", ["Required test coverage of 90% not reached", "total of 79 is less than fail-under=90", "less than fail-under=90"], ["tariff/peak.py"]],
    ["test_broken_meter", "meter answered with an error"],
    {"tariff/__init__.py": "", "tariff/base.py": numbered("def f@(x):\n    return x + @\n", 10),
     "tariff/peak.py": numbered("def peak@(x):\n    if x > @:\n        return x\n    return @\n", 6),
     "test_tariff.py": "import logging, warnings\nimport pytest\nfrom tariff import base, peak\n@pytest.mark.parametrize('n', range(10))\ndef test_f(n):\n    assert getattr(base, f'f{n}')(1) == n + 1\ndef test_broken_meter():\n    warnings.warn('meter answered with an error')\n"})

case("bundle-size-gate", "node", "shop-web", "bundle size", [
    {"name": "Build", "run": "node build.js"},
    {"name": "Bundle size", "run": "node size.js --limits size-limits.json"}],
    ["node size.js --limits size-limits.json", ["checkout.js"], ["311.2 kB exceeds the limit of 280 kB"]], ["vendor.js"],
    {"build.js": "const fs = require('fs'); fs.mkdirSync('dist'); for (const [n, k] of [['vendor', 500], ['home', 90], ['cart', 120], ['checkout', 311.2], ['admin', 30]]) { fs.writeFileSync('dist/' + n + '.js', 'x'.repeat(k * 1000)); console.log('dist/' + n + '.js  ' + k + ' kB'); }\nconsole.log('(!) Some chunks are larger than 500 kB after minification.');\n",
     "size.js": "const fs = require('fs'); const limits = JSON.parse(fs.readFileSync(process.argv[3]));\nlet bad = 0;\nfor (const [n, kb] of Object.entries(limits)) { const size = fs.statSync('dist/' + n).size / 1000; const over = size > kb; bad += over;\n  console.log((over ? '❌ ' : '✅ ') + n.padEnd(14) + (over ? size + ' kB exceeds the limit of ' + kb + ' kB' : size + ' kB of ' + kb + ' kB')); }\nprocess.exit(bad ? 2 : 0);\n",
     "size-limits.json": "{\"vendor.js\": 520, \"home.js\": 100, \"cart.js\": 130, \"checkout.js\": 280, \"admin.js\": 40}\n"})

case("performance-gate-table", "python", "parser-rs-bench", "bench", [
    {"name": "Compare with main", "run": "python3 compare.py base.json head.json --max 1.10"}],
    ["python3 compare.py base.json head.json", ["parse_large"], ["1.42x"]], ["parse_mixed_23"],
    {"compare.py": "import json, sys\nbase, head = (json.load(open(f)) for f in sys.argv[1:3]); limit = float(sys.argv[4])\nslow = 0\nprint('%-20s %8s %8s %7s' % ('benchmark', 'base', 'head', 'ratio'))\nfor name in sorted(base):\n    r = head[name] / base[name]\n    over = r > limit\n    slow += over\n    print('%-20s %6dus %6dus %6.2fx%s' % (name, base[name], head[name], r, '  REGRESSION' if over else '  improved' if r < .9 else ''))\nprint('%d of %d benchmarks regressed by more than 10 %%' % (slow, len(base)))\nsys.exit(slow > 0)\n",
     "base.json": "{" + ", ".join("\"parse_mixed_%02d\": 100" % n for n in range(40)) + ", \"parse_large\": 1000}\n",
     "head.json": "{" + ", ".join("\"parse_mixed_%02d\": %d" % (n, 96 + n % 9) for n in range(40)) + ", \"parse_large\": 1420}\n"})

case("licence-header-check", "bash", "kernel-tools", "licence headers", [
    {"name": "Headers", "run": "./ci/headers.sh src"}],
    ["./ci/headers.sh src", ["src/net/sock.c"], ["SPDX-License-Identifier"]], ["src/part03.c"],
    {"ci/headers.sh": "#!/bin/bash\nmissing=()\nwhile IFS= read -r f; do\n  if head -n 2 \"$f\" | grep -q SPDX; then echo \"checked $f\"; else missing+=(\"$f\"); fi\ndone < <(find \"$1\" -name '*.c' | sort)\nif ((${#missing[@]})); then\n  echo 'These files have no SPDX-License-Identifier in their first two lines:'\n  printf '    %s\\n' \"${missing[@]}\"\n  exit 1\nfi\n",
     **{"src/part%02d.c" % n: "/* SPDX-License-Identifier: MIT */\nint a%d;\n" % n for n in range(30)}, "src/net/sock.c": "int sock;\n"})

case("link-check-files", "python", "wiki", "links", [
    {"name": "Links", "run": "python3 tools/links.py pages"}],
    ["python3 tools/links.py pages", ["pages/setup.md:5"], ["../img/flow.svg"]], ["external, not checked"],
    {"tools/links.py": "import pathlib, re, sys\nbad = []\nfor page in sorted(pathlib.Path(sys.argv[1]).glob('*.md')):\n    n_links = 0\n    for n, line in enumerate(page.read_text().split('\\n'), 1):\n        for to in re.findall(r'\\]\\(([^)]+)\\)', line):\n            n_links += 1\n            if to.startswith('http'): print(f'{page}:{n}: {to}: external, not checked')\n            elif not (page.parent / to).exists(): bad.append(f'{page}:{n}: dead link to {to}')\n    print(f'{page}: {n_links} links')\nprint()\nprint('\\n'.join(bad) or 'all links are alive')\nsys.exit(len(bad))\n",
     **{"pages/p%02d.md" % n: "# P\n\n[home](p00.md) [site](https://example.org/404)\n" for n in range(18)}, "pages/setup.md": "# Setup\n\n[first](p01.md)\n\n![flow](../img/flow.svg)\n"})

# --- databases, documents ---------------------------------------------------------------------------------------------

case("sqlite-migration-b", "sqlite", "ledger-db", "migrations", [
    {"name": "Migrate", "run": "for f in migrations/*.sql; do echo \"-- $f\"; sqlite3 -bail app.db <\"$f\"; done"}],
    [["for f in migrations/*.sql", "sqlite3 -bail app.db"], ["NOT NULL constraint failed: account_new.email"], ["migrations/011_email.sql"]], ["migrations/010"],
    {**{"migrations/%03d_t.sql" % n: "create table t%d(a);\n" % n for n in range(1, 11)},
     "migrations/000_init.sql": "create table account(id integer primary key, email text);\ninsert into account values (1, 'a@example.org'), (2, null);\n",
     "migrations/011_email.sql": "begin;\ncreate table account_new(id integer primary key, email text not null);\ninsert into account_new select id, email from account;\ndrop table account;\ncommit;\n", "migrations/012_x.sql": "create table x(a);\n"})

case("psql-refused-after-wait", "psql", "tenant-db", "integration (pg 15)", [
    {"name": "Wait and load", "run": "./ci/load.sh", "env": {"PGHOST": "127.0.0.1", "PGPORT": "54391", "PGUSER": "app"}}],
    ["./ci/load.sh", ["Connection refused"], ["port 54391"]], ["removing volume"],
    {"ci/load.sh": "#!/bin/bash\nset -e\ntrap 'for n in 1 2 3 4 5 6 7 8; do echo \"removing volume $n\"; done' EXIT\nfor n in 1 2 3 4 5; do\n  pg_isready -q && break\n  echo \"database is not ready ($n/5)\"\n  sleep 0.1\ndone\npsql -v ON_ERROR_STOP=1 -d app -f schema.sql\n", "schema.sql": "create table t(a int);\n"})

case("sphinx-warning-is-error-b", "sphinx", "manual-sphinx", "docs", [
    {"name": "Documents", "run": "sphinx-build -W --keep-going -b html docs out"}],
    ["sphinx-build -W --keep-going", ["undefined label: 'retry-policy'", "undefined label"], ["docs/part07.rst:6"]], ["part03"],
    {"docs/conf.py": "project = 'manual'\nextensions = []\nhtml_theme = 'basic'\n",
     "docs/index.rst": "Manual\n======\n\n.. toctree::\n\n" + numbered("   part0@\n", 9),
     **{"docs/part%02d.rst" % n: "Part %d\n======\n\nText.\n\n%s\n" % (n, "See :ref:`retry-policy`." if n == 7 else "More.") for n in range(9)}})

case("mkdocs-strict-b", "mkdocs", "handbook-md", "docs / build", [
    {"name": "Build", "run": "mkdocs build --strict --site-dir public"}],
    ["mkdocs build --strict", ["Aborted with 1 warnings in strict mode", "Aborted with 1 warning"], ["'guide/start.md' contains a link 'instal.md'", "instal.md"]], ["exist in the docs directory, but are not included"],
    {"mkdocs.yml": "site_name: Handbook\nnav:\n- index.md\n- guide/start.md\n", "docs/index.md": "# Home\n\n[start](guide/start.md)\n",
     "docs/guide/start.md": "# Start\n\n[install](instal.md)\n", **{"docs/extra%d.md" % n: "# E\n" for n in range(9)}})

case("doxygen-warn-as-error-b", "doxygen", "libsig", "api docs", [
    {"name": "API docs", "run": "doxygen Doxyfile"}],
    ["doxygen Doxyfile", ["argument 'gain' of command @param is not found in the argument list of amplify", "argument 'gain'"], ["inc/sig.h:"]], ["tag INPUT"],
    {"Doxyfile": "PROJECT_NAME = sig\nINPUT = inc\nGENERATE_LATEX = NO\nWARN_AS_ERROR = FAIL_ON_WARNINGS\nHAVE_DOT = NO\nRECURSIVE = YES\n",
     **{"inc/p%d.h" % n: "/** @file */\n/** f%d. */\nint f%d(void);\n" % (n, n) for n in range(12)},
     "inc/sig.h": "/** @file */\n\n/**\n * Amplify a signal.\n * @param in  what comes in\n * @param gain how much\n */\nint amplify(int in);\n"})

case("texinfo-unknown-node", "makeinfo", "gnu-thing", "manual", [
    {"name": "Manual", "run": "make -C doc info"}],
    ["make -C doc info", ["@ref reference to nonexistent node `Retrys'", "reference to nonexistent node"], ["thing.texi:14"]], ["unreferenced node"],
    {"doc/Makefile": "MAKEINFO = makeinfo --error-limit=5\n\ninfo: thing.info\nthing.info: thing.texi\n\t$(MAKEINFO) --no-split -o $@ $<\n",
     "doc/thing.texi": "\\input texinfo\n@settitle Thing\n@node Top\n@top Thing\n@menu\n* Retries::\n@end menu\n\n@node Retries\n@chapter Retries\nSome words.\n\nMore words.\nSee @ref{Retrys}.\n@node Lost\n@chapter Lost\n@bye\n"})

case("pandoc-missing-filter", "pandoc", "thesis", "pdf", [
    {"name": "Chapters", "run": "for c in ch/*.md; do echo \"$c\"; pandoc --fail-if-warnings -o \"${c%.md}.html\" --lua-filter count.lua \"$c\"; done"}],
    [["pandoc --fail-if-warnings"], ["attempt to index a nil value (field 'width')", "attempt to index a nil value", "attempt to perform arithmetic on a nil value (field 'width')", "attempt to perform arithmetic on a nil value"], ["count.lua:3"], ["ch/06.md"]], ["ch/02.md"],
    {"count.lua": "function Image(i)\n  local a = i.attributes\n  local half = a.width / 2\n  a.width = tostring(half)\n  return i\nend\n", **{"ch/%02d.md" % n: "# C\n\nText.\n" + ("\n![x](x.png)\n" if n == 6 else "") for n in range(9)}})

# --- infrastructure and deployment ------------------------------------------------------------------------------------

case("ansible-assert-among-hosts", "ansible", "fleet", "converge (3 hosts)", [
    {"name": "Converge", "run": "ansible-playbook -i hosts.ini site.yml", "env": {"ANSIBLE_FORCE_COLOR": "1"}}],
    ["ansible-playbook -i hosts.ini site.yml", ["disk quota is set"], ["quota of db2 is 0"], ["db2"]], ["optional agent is missing"],
    {"hosts.ini": "[all]\nweb1 quota=5\nweb2 quota=6\ndb2 quota=0\n[all:vars]\nansible_connection=local\nansible_python_interpreter=/usr/bin/python3\n",
     "site.yml": "- hosts: all\n  gather_facts: false\n  tasks:\n" + numbered("    - name: install package @\n      ansible.builtin.debug: {msg: ok}\n", 7)
     + "    - name: optional agent\n      ansible.builtin.fail: {msg: optional agent is missing}\n      ignore_errors: true\n    - name: mounts\n      ansible.builtin.debug: {msg: ok}\n    - name: users\n      ansible.builtin.debug: {msg: ok}\n"
     + "    - name: disk quota is set\n      ansible.builtin.assert:\n        that: quota | int > 0\n        fail_msg: \"quota of {{ inventory_hostname }} is {{ quota }}\"\n        success_msg: fine\n    - name: start service\n      ansible.builtin.debug: {msg: up}\n"})

case("terraform-validate", "terraform", "infra-tf", "validate (envs/prod)", [
    {"name": "Init", "run": "terraform -chdir=envs/prod init -backend=false -input=false", "env": {"TF_CLI_CONFIG_FILE": "/dev/null"}},
    {"name": "Validate", "run": "terraform -chdir=envs/prod validate", "env": {"TF_CLI_CONFIG_FILE": "/dev/null"}}],
    ["terraform -chdir=envs/prod validate", ["Reference to undeclared input variable"], ["main.tf line 12", "var.replicas_max"]], ["Deprecated"],
    {"envs/prod/main.tf": "terraform {\n  required_version = \">= 1.5\"\n}\n\nvariable \"replicas\" {\n  type = number\n}\n\nresource \"terraform_data\" \"web\" {\n  count = var.replicas\n  input = {\n    most = var.replicas_max\n  }\n}\n"})

case("terraform-fmt-diff", "terraform", "infra-tf2", "fmt", [
    {"name": "Format", "run": "terraform fmt -check -diff -recursive", "env": {"TF_CLI_CONFIG_FILE": "/dev/null"}}],
    ["terraform fmt -check -diff -recursive", ["modules/net/main.tf"], ["cidr", "-  cidr = \"10.0.0.0/16\""]], ["modules/dns"],
    {**{"modules/%s/main.tf" % n: "locals {\n  name = \"%s\"\n}\n" % n for n in ("dns", "log", "web")}, "modules/net/main.tf": "locals {\n  name = \"net\"\n  cidr_block    = \"10.0.0.0/16\"\n}\n"})

case("nginx-config-test", "nginx", "edge-conf", "nginx -t", [
    {"name": "Check configuration", "run": "for s in sites/*.conf; do echo \"site $s\"; done\nnginx -p $PWD -e stderr -t -c $PWD/nginx.conf"}],
    [["nginx -p $PWD -e stderr -t"], ["unknown directive \"proxy_passs\""], ["sites/shop.conf:4"]], ["sites/blog.conf", "could not build optimal"],
    {"nginx.conf": "pid nginx.pid;\nevents {}\nhttp {\n  access_log off;\n  include sites/*.conf;\n}\n",
     **{"sites/%s.conf" % n: "server {\n  listen 80%d;\n  location / {\n    %s http://127.0.0.1:9000;\n  }\n}\n" % (i, "proxy_passs" if n == "shop" else "proxy_pass") for i, n in enumerate(["api", "auth", "blog", "docs", "shop", "wiki"], 10)}})

case("haproxy-check", "haproxy", "lb-conf", "haproxy", [
    {"name": "Check", "run": "haproxy -c -f conf.d"}],
    ["haproxy -c -f conf.d", ["unable to find required default_backend: 'shopp'", "unable to find required default_backend"], ["Proxy 'web'"]], ["path to executable is"],
    {"conf.d/10-global.cfg": "global\n  maxconn 100\ndefaults\n  mode http\n  timeout connect 1s\n  timeout client 1s\n  timeout server 1s\n",
     "conf.d/20-slow.cfg": "backend blog\n  server a 127.0.0.1:9001\n", "conf.d/30-shop.cfg": "frontend web\n  bind 127.0.0.1:8088\n  default_backend shopp\n\nbackend shop\n  server a 127.0.0.1:9000\n"})

case("named-checkzone-loop", "bind", "zones", "zones", [
    {"name": "Zones", "run": "status=0\nfor z in zones/*; do named-checkzone \"$(basename $z)\" $z || status=1; done\nexit $status"}],
    [["named-checkzone"], ["mail.shop.example: bad dotted quad", "bad dotted quad"], ["zones/shop.example:6"]], ["zone wiki.example/IN: loaded"],
    {**{"zones/%s.example" % n: "$TTL 300\n@ IN SOA ns root 1 300 300 300 300\n@ IN NS ns\nns IN A 192.0.2.1\nwww IN A 192.0.2.2\nmail IN A %s\n" % ("192.0.2.333" if n == "shop" else "192.0.2.3") for n in ("blog", "cdn", "docs", "shop", "wiki")}})

case("systemd-analyze-verify", "systemd", "units", "unit files", [
    {"name": "Verify units", "run": "for u in units/*.service; do echo \"verify $u\"; systemd-analyze verify --man=no \"./$u\"; done"}],
    [["systemd-analyze verify"], ["Command /usr/lib/sync/syncd is not executable", "is not executable"], ["units/sync.service", "sync.service"]], ["verify units/backup.service"],
    {**{"units/%s.service" % n: "[Unit]\nDescription=%s\n[Service]\nExecStart=%s\n" % (n, "/usr/lib/sync/syncd" if n == "sync" else "/bin/true") for n in ("backup", "cron2", "sync")}})

SERVER = "python3 -m http.server --bind 127.0.0.1 %s --directory www >server.log 2>&1 &\nfor n in $(seq 1 50); do curl -s -o /dev/null http://127.0.0.1:%s/ && break; sleep 0.1; done\n"

case("curl-404-download", "curl", "toolchain", "fetch toolchain", [
    {"name": "Fetch", "run": SERVER % (8931, 8931) + "trap 'kill %1' EXIT\n./fetch.sh"}],
    [["./fetch.sh"], ["The requested URL returned error: 404"], ["sdk-2.1.tar"]], ["http.server"],
    {"fetch.sh": "#!/bin/bash\nset -euo pipefail\nfor part in base docs sdk; do\n  v=2.0; [ $part = sdk ] && v=2.1\n  echo \"downloading $part-$v.tar\"\n  curl -fL --retry 1 --retry-delay 0 -o $part.tar http://127.0.0.1:8931/$part-$v.tar\ndone\necho unpacked\n", "www/base-2.0.tar": "x" * 4000, "www/docs-2.0.tar": "y" * 90000})

case("upload-4xx-body", "python", "publisher", "publish", [
    {"name": "Publish", "run": "python3 server.py >/dev/null 2>&1 &\nsleep 1\nbash publish.sh; code=$?\nkill %1\nexit $code", "shell": None}],
    [["publish.sh"], ["409"], ["version 1.4.0 of widget already exists"]], ["uploaded gadget-1.4.0"],
    {"server.py": "import http.server\nclass H(http.server.BaseHTTPRequestHandler):\n    def do_PUT(self):\n        self.rfile.read(int(self.headers['Content-Length']))\n        bad = 'widget' in self.path\n        self.send_response(409 if bad else 201); self.end_headers()\n        self.wfile.write(b'{\"error\": \"conflict\", \"message\": \"version 1.4.0 of widget already exists\"}\\n' if bad else b'{}\\n')\nhttp.server.HTTPServer(('127.0.0.1', 8932), H).serve_forever()\n",
     "publish.sh": "trap 'rm -f answer.json' EXIT\nfor p in gadget sprocket widget; do\n  code=$(curl -sS -o answer.json -w '%{http_code}' -T $p.tar http://127.0.0.1:8932/$p/1.4.0)\n  if [ \"$code\" -ge 400 ]; then echo \"upload of $p failed: HTTP $code\"; cat answer.json; exit 1; fi\n  echo \"uploaded $p-1.4.0\"\ndone\n",
     **{p + ".tar": "z" * 5000 for p in ("gadget", "sprocket", "widget")}})

case("sha256-mismatch-b", "coreutils", "firmware-dl", "verify downloads", [
    {"name": "Verify", "run": "cd dl\nsha256sum -c SHA256SUMS\necho verified"}],
    ["sha256sum -c SHA256SUMS", ["part17.bin: FAILED"], ["1 computed checksum did NOT match"]], ["part16.bin"],
    {"dl/%s" % ("part%02d.bin" % n): "data %d\n" % n for n in range(30)}, prepare="cd dl; sha256sum part*.bin >SHA256SUMS; echo more >>part17.bin")

case("gpg-bad-signature", "gpg", "dist-keys", "signatures", [
    {"name": "Verify signatures", "run": "for f in *.tar; do echo \"== $f\"; gpg --homedir keys --batch --verify $f.asc $f; done", "env": {"GNUPGHOME": "keys"}}],
    [["gpg --homedir keys --batch --verify"], ["BAD signature from \"Release Key"], ["tool-1.2.tar"]], ["tool-1.0.tar", "not certified with a trusted signature"],
    {"tool-1.0.tar": "a\n", "tool-1.1.tar": "b\n", "tool-1.2.tar": "c\n"},
    prepare="mkdir -m 700 keys; export GNUPGHOME=$PWD/keys; gpg --batch --passphrase '' --quick-gen-key 'Release Key <rel@example.org>' ed25519 sign never; for f in *.tar; do gpg --batch --armor --detach-sign $f; done; echo d >>tool-1.2.tar; gpgconf --kill all")

case("git-push-hook-declined", "git", "site-deploy", "publish pages", [
    {"name": "Publish", "run": "git checkout -q -b pages\necho built >index.html\ngit add -A\ngit commit -qm 'Publish site'\ngit push origin pages"}],
    ["git push origin pages", ["index.html has no canonical link", "pre-receive hook declined"], ["remote rejected"], ["index.html has no canonical link"]], ["quota 61 % used"],
    {"a.txt": "a\n"}, prepare=LOCAL_REPO + "; git init -q --bare ../origin.git; printf '%s\\n' '#!/bin/sh' 'echo \"quota 61 % used\"' 'echo \"policy: index.html has no canonical link\"' 'exit 1' >../origin.git/hooks/pre-receive; chmod +x ../origin.git/hooks/pre-receive; git remote add origin ../origin.git")

case("git-merge-conflict-b", "git", "backports", "backport to 4.x", [
    {"name": "Cherry-pick", "run": "git checkout -q 4.x\nfor c in $(git rev-list --reverse 4.x..main); do\n  echo \"picking $(git log -1 --format='%h %s' $c)\"\n  git cherry-pick -x $c\ndone"}],
    [["git cherry-pick -x"], ["CONFLICT (content): Merge conflict in src/limits.c"], ["could not apply", "raise the limit"]], ["add a note 3"],
    {"src/limits.c": "int most = 10;\n", "notes": "n\n"},
    prepare=LOCAL_REPO + "; git branch 4.x; for n in 1 2 3 4; do echo $n >>notes; git commit -qam \"add a note $n\"; done; echo 'int most = 30;' >src/limits.c; git commit -qam 'raise the limit'; git checkout -q 4.x; echo 'int most = 20;' >src/limits.c; git commit -qam 'other limit'; git checkout -q main")

case("git-apply-failed-b", "git", "vendor-patches", "apply patches", [
    {"name": "Patches", "run": "./vendor/update.sh"}],
    ["./vendor/update.sh", ["patch does not apply"], ["patch failed: vendor/zip.c:2", "vendor/zip.c:2"], ["05-zip.patch"]], ["trailing whitespace"],
    {"vendor/update.sh": "#!/bin/bash\nset -e\ncount=0\nfor p in vendor/patches/*.patch; do\n  echo \"applying $(basename \"$p\")\"\n  git apply --whitespace=warn \"$p\"\n  count=$((count + 1))\ndone\necho \"$count patches applied\"\n",
     **{"vendor/patches/%02d-p.patch" % n: "--- a/vendor/f%d.c\n+++ b/vendor/f%d.c\n@@ -1 +1,2 @@\n int a;\n+int b; \n" % (n, n) for n in (1, 2, 3, 4, 6)},
     **{"vendor/f%d.c" % n: "int a;\n" for n in (1, 2, 3, 4, 6)}, "vendor/zip.c": "int x;\nint z;\nint y;\n",
     "vendor/patches/05-zip.patch": "--- a/vendor/zip.c\n+++ b/vendor/zip.c\n@@ -2,2 +2,3 @@\n int q;\n+int r;\n int y;\n"}, prepare=LOCAL_REPO)

# --- resources --------------------------------------------------------------------------------------------------------

case("killed-137-b", "bash", "train-small", "train (cpu)", [
    {"name": "Train", "run": "./train.sh"}],
    ["./train.sh", ["Killed"], ["python3 fit.py --model", "fit large"]], ["not enough memory for the cache, going on without"],
    {"train.sh": "#!/bin/bash\nset -e\nfor m in small medium large; do\n  echo \"fit $m\"\n  python3 fit.py --model $m\ndone\necho 'all models are fitted'\n",
     "fit.py": "import os, signal, sys\nprint('warning: not enough memory for the cache, going on without', flush=True)\nfor n in range(8): print('epoch', n, 'loss', round(1 / (n + 1), 3), flush=True)\nif 'large' in sys.argv: os.kill(os.getpid(), signal.SIGKILL)\n"})

case("memory-error-ulimit", "python", "raster", "tiles", [
    {"name": "Tiles", "run": "ulimit -v 600000\npython3 tiles.py --zoom 12"}],
    [["python3 tiles.py --zoom 12"], ["MemoryError"], ["tiles.py\", line 4", "in render"]], ["tile 3 is empty"],
    {"tiles.py": "import sys\n\ndef render(n):\n    return bytearray(n * 400_000_000)\n\nfor n in range(12): print('tile', n, 'is empty' if n == 3 else 'done')\nrender(4)\n"})

case("disk-full-b", "tar", "backup-job", "backup", [
    {"name": "Backup", "run": "mkdir -p vol && mount -t tmpfs -o size=1m tmpfs vol\ntrap 'umount vol; echo \"removed snapshot (error: no snapshot found)\"' EXIT\nfor n in 1 2 3 4 5 6; do echo \"archive set$n\"; tar -cf vol/set$n.tar set$n.dat; done\necho complete"}],
    [["tar -cf vol/set$n.tar set$n.dat"], ["Wrote only 4096 of 10240 bytes", "No space left on device"], ["archive set4", "vol/set4.tar"]], ["no snapshot found"],
    {"set%d.dat" % n: "0123456789" * 30000 for n in range(1, 7)})

case("timeout-124-in-script", "bash", "broker-it", "integration", [
    {"name": "Integration", "run": "./it.sh"}],
    ["./it.sh", ["scenario 9: consumer resumes after rebalance", "consumer resumes after rebalance"], ["124"]], ["heartbeat"],
    {"it.sh": "#!/bin/bash\nset -e\nfor n in 1 2 3 4 5 6 7 8; do echo \"scenario $n: message $n is kept\"; echo '  heartbeat timeout ignored'; done\necho 'scenario 9: consumer resumes after rebalance'\ntimeout 1 sleep 30\necho 'all scenarios passed'\n"})

case("too-many-open-files", "python", "indexer", "index", [
    {"name": "Index", "run": "ulimit -n 40\npython3 -u index.py"}],
    [["python3 -u index.py"], ["[Errno 24] Too many open files: 'parts/", "Too many open files"], ["index.py\", line 6", "in open_part"]], ["part 5 is short"],
    {"index.py": "import os\nos.makedirs('parts', exist_ok=True)\nkept = []\ndef open_part(n):\n    \"Open one part for writing.\"\n    kept.append(open(f'parts/{n}', 'w'))\nfor n in range(60):\n    open_part(n)\n    if n % 5 == 0: print('part', n, 'is short')\n"})

# --- bundlers ---------------------------------------------------------------------------------------------------------

case("webpack-module-not-found-b", "webpack", "admin-ui", "build (production)", [
    {"name": "Build", "run": "npm run build", "env": {"NODE_ENV": "production"}}],
    [["npm run build", "webpack --mode production"], ["Can't resolve './chartt'", "Module not found: Error: Can't resolve './chartt'"], ["./src/pages/report.js 2:0", "src/pages/report.js"]], ["asset size limit"],
    {"package.json": "{\"name\": \"admin-ui\", \"private\": true, \"scripts\": {\"prebuild\": \"node -e 'console.log(1)'\", \"build\": \"webpack --mode production\"}}\n",
     "webpack.config.js": "module.exports = {entry: './src/index.js', performance: {hints: 'warning', maxAssetSize: 100, maxEntrypointSize: 100}};\n",
     "src/index.js": "import './pages/report';\n" + numbered("import './p@';\n", 9), **{"src/p%d.js" % n: "console.log('%s');\n" % ("x" * 200) for n in range(9)},
     "src/pages/report.js": "import '../p1';\nimport { chart } from './chartt';\nchart();\n"})

case("vite-missing-export", "vite", "kiosk", "build", [
    {"name": "Build", "run": "vite build --emptyOutDir"}],
    ["vite build", ["\"formatPrice\" is not exported by \"src/money.js\""], ["src/main.js (2:9)", "src/main.js:2:9", "src/main.js"]], ["public directory"],
    {"package.json": "{\"name\": \"kiosk\", \"type\": \"module\"}\n", "index.html": "<!doctype html><script type=\"module\" src=\"/src/main.js\"></script>\n", "src/money.js": "export const price = 1;\n", "src/main.js": "import './a.js';\nimport { formatPrice } from './money.js';\nconsole.log(formatPrice(1));\n", "src/a.js": "export const a = 1;\n"})

case("esbuild-script", "esbuild", "cli-js", "bundle", [
    {"name": "Bundle", "run": "node scripts/bundle.mjs"}],
    ["node scripts/bundle.mjs", ["Could not resolve \"./commands/exprot.js\""], ["src/cli.js:3"]], ["Comparison with -0"],
    {"scripts/bundle.mjs": "import {execFileSync} from 'node:child_process';\nfor (const t of ['lib', 'worker', 'cli']) { console.log('bundling ' + t); try { execFileSync('esbuild', ['src/' + t + '.js', '--bundle', '--platform=node', '--outfile=out/' + t + '.js'], {stdio: 'inherit'}); } catch (e) { console.error('bundle of ' + t + ' failed'); process.exit(e.status); } }\n",
     "src/lib.js": "export const same = x => x === -0;\n", "src/worker.js": "export const w = x => typeof x === 'strnig';\n", "src/cli.js": "import './lib.js';\nimport './worker.js';\nimport run from './commands/exprot.js';\nrun();\n"})

# --- jobs of several steps --------------------------------------------------------------------------------------------

case("allowed-failure-then-real-b", "several", "plugin-api", "compat (22)", [
    {"name": "Audit", "run": "echo '3 vulnerabilities (1 moderate, 2 high)'; echo 'Error: audit failed' >&2; exit 1", "may_fail": True},
    {"name": "Build", "run": "node tools/lint-docs.js || true\nfor n in $(seq 1 20); do echo \"compiled module $n\"; done"},
    {"name": "Test", "run": "python3 -m unittest discover -s legacy 2>&1 || echo 'legacy tests are allowed to fail'\npython3 -m unittest -v test_api"}],
    [["python3 -m unittest -v test_api"], ["test_hook_order"], ["Lists differ: ['b', 'a'] != ['a', 'b']", "['b', 'a'] != ['a', 'b']"], ["test_api.py\", line 8"]],
    ["test_old_names", "2 high", "undocumented option"],
    {"tools/lint-docs.js": "console.error('ERROR undocumented option --fast'); process.exit(1);\n",
     "legacy/test_old.py": "import unittest\nclass Old(unittest.TestCase):\n    def test_old_names(self): self.assertEqual(1, 2)\n",
     "test_api.py": "import unittest\n\nclass Api(unittest.TestCase):\n    def test_a(self): pass\n    def test_b(self): pass\n    def test_hook_order(self):\n        order = ['b', 'a']\n        self.assertEqual(order, ['a', 'b'])\n    def test_z(self): pass\n"})

case("two-failures-lint-and-test", "several", "catalog-py", "check (3.12)", [
    {"name": "Unit tests", "run": "pytest -v tests"}, {"name": "Types", "run": "mypy catalog", "always": True}, {"name": "Upload coverage", "run": "echo 'warning: no coverage.xml found, nothing to upload'", "always": True}],
    ["pytest -v tests", ["test_isbn_check_digit"], ["assert '4' == 'X'"], ["mypy catalog"], ["Incompatible return value type (got \"str\", expected \"int\")"], ["catalog/isbn.py:2"]],
    ["nothing to upload"],
    {"catalog/__init__.py": "", "catalog/isbn.py": "def digits(s: str) -> int:\n    return s.strip('-')\n",
     "tests/test_isbn.py": "import pytest\n@pytest.mark.parametrize('n', range(200))\ndef test_ok(n):\n    pass\ndef test_isbn_check_digit():\n    assert '4' == 'X'\n"}, cmd=(0, 3))

case("post-step-fails", "post step", "mobile-app", "assemble", [
    {"name": "Assemble", "run": "for n in $(seq 1 40); do echo \"> Task :m$n:assemble\"; done; echo 'BUILD SUCCESSFUL in 12s (0 errors)'"},
    {"name": "Post Cache Gradle", "post": True, "run": "node post.js"}],
    [["ENOSPC: no space left on device"], ["gradle-cache.tzst"], ["Post Cache Gradle", "post.js"]], ["0 errors"],
    {"post.js": "console.log('Cache is stale, it is saved anew');\nfor (let i = 0; i < 6; i++) console.log('packing part ' + i);\nconst e = new Error(\"ENOSPC: no space left on device, write 'gradle-cache.tzst'\"); e.code = 'ENOSPC'; throw e;\n"}, cmd=(2,))

case("cancelled-in-download", "timeout", "weights-ci", "smoke (gpu-less)", [
    {"name": "Smoke", "run": "bash smoke.sh", "limit": 4}],
    [["bash smoke.sh"], ["case 7: beam search with 64 beams"], ["The operation was canceled"]], ["Cleaning up orphan processes"],
    {"smoke.sh": "for n in 1 2 3 4 5 6; do echo \"case $n: ok\"; done\necho 'case 7: beam search with 64 beams'\nfor n in 1 2; do printf 'still running\\n'; sleep 1; done\nsleep 60\n"})

case("composite-inner-step", "composite", "monorepo-act", "package / linux", [
    {"name": "Package", "inside": "package", "shell": "bash", "run": "echo \"packaging $(cat VERSION)\"\npython3 .github/actions/package/manifest.py dist.json\necho \"::notice title=package::done\""}],
    [["manifest.py dist.json"], ["entry 12 has no licence"], ["manifest.py\", line 5"]], ["size is not set"],
    {"VERSION": "3.1.0\n", ".github/actions/package/manifest.py": "import json, sys\nfor n, e in enumerate(json.load(open(sys.argv[1]))):\n    if 'size' not in e: print(f'::warning::entry {n}: size is not set')\n    if 'licence' not in e:\n        raise SystemError(f'entry {n} has no licence')\n    print('entry', n, 'is complete')\n",
     "dist.json": "[" + ", ".join("{\"name\": \"e%d\"%s%s}" % (n, "" if n % 4 == 1 else ", \"size\": 1", "" if n == 12 else ", \"licence\": \"MIT\"") for n in range(16)) + "]\n"})

case("matcher-marks-warnings-too", "gcc", "codec-c", "build (gcc, -Werror=format)", [
    {"name": "Compile", "matcher": r"(warning|error):", "run": "for f in src/*.c; do gcc -Wall -Werror=format -c $f -o ${f%.c}.o; done"}],
    [["gcc -Wall -Werror=format"], ["format ‘%d’ expects argument of type ‘int’", "expects argument of type"], ["src/m6.c:3"]], ["unused variable"],
    {"src/m%d.c" % n: "#include <stdio.h>\nint f%d(long n) {\n  %s\n  int spare;\n  return 0;\n}\n" % (n, "printf(\"%d\", n);" if n == 6 else "(void)n;") for n in range(9)})

case("very-long-lines", "node", "minify-check", "dist", [
    {"name": "Check dist", "run": "node check.js dist/app.min.js"}],
    ["node check.js dist/app.min.js", ["debugger statement"], ["offset 30412", "dist/app.min.js"]], ["source map is optional"],
    {"check.js": "const fs = require('fs'); const text = fs.readFileSync(process.argv[2], 'utf8');\nconsole.log('warning: source map is optional and missing');\nconsole.log(text.slice(0, 12000));\nconst at = text.indexOf('debugger');\nif (at >= 0) { console.log(text.slice(at - 3000, at + 3000)); console.error(process.argv[2] + ': debugger statement at offset ' + at); process.exit(1); }\n",
     "dist/app.min.js": "var a=1;" * 3801 + "b();debugger;" + "var c=2;" * 2000 + "\n"})

case("progress-bars-carriage-return", "python", "dataset-ci", "build dataset", [
    {"name": "Build dataset", "run": "python3 -u build.py"}],
    ["python3 -u build.py", ["shard 17: 3 records have no label"], ["shard 17"]], ["retrying shard 4"],
    {"build.py": "import sys\nfor shard in range(20):\n    for p in range(0, 101, 10): sys.stdout.write(f'\\rshard {shard}: {p:3d}% |{\"#\" * (p // 10):10s}|')\n    print()\n    if shard == 4: print('timeout, retrying shard 4')\n    if shard == 17: sys.exit('shard 17: 3 records have no label')\n"})

case("unknown-step-make-check", "make", "calc-c", "check (clang)", [
    {"name": "Configure", "run": "for n in $(seq 1 80); do echo \"checking for header$n.h... $([ $((n % 7)) = 0 ] && echo no || echo yes)\"; done; echo 'configure: error: optional libquad not found (ignored)'"},
    {"name": "Check", "run": "make check"}],
    ["make check", ["FAIL: sqrt"], ["sqrt(2) gives 1.4143, expected 1.4142"]], ["libquad", "PASS: sin"],
    {"Makefile": "check:\n\t@./run.sh\n", "run.sh": "#!/bin/sh\nfor t in add sub mul div sin cos tan log exp pow; do echo \"PASS: $t\"; done\necho 'sqrt.c:12: sqrt(2) gives 1.4143, expected 1.4142'\necho 'FAIL: sqrt'\nfor t in floor ceil round; do echo \"PASS: $t\"; done\necho '==========='; echo '1 of 14 tests failed'; echo '==========='\nexit 1\n"}, unknown=True)

case("unknown-step-silent", "bash", "cron-scripts", "nightly", [
    {"name": "Prepare", "run": "echo 'WARNING: cache is cold'; for n in $(seq 1 30); do echo \"prepared $n\"; done"},
    {"name": "Rotate", "run": "./rotate.sh 30"}],
    ["./rotate.sh 30", ["comparing the index of archive-2026-09"]], ["cache is cold", "prepared 12"],
    {"rotate.sh": "#!/bin/bash\nset -e\nfor m in 06 07 08 09; do\n  echo \"comparing the index of archive-2026-$m\"\n  cmp -s idx/$m.old idx/$m.new\n  echo \"archive-2026-$m is kept\"\ndone\n",
     **{"idx/%s.%s" % (m, k): "%s\n" % (k if m == "09" else m) for m in ("06", "07", "08", "09") for k in ("old", "new")}}, unknown=True)

# --- more linters, builds and deployments -----------------------------------------------------------------------------

case("markdownlint-one-of-many", "markdownlint", "cookbook", "docs lint", [
    {"name": "Markdown", "run": "ls docs | wc -l\nmarkdownlint 'docs/**/*.md'"}],
    [["markdownlint 'docs/**/*.md'"], ["MD040/fenced-code-language"], ["docs/usage.md:5"]], ["docs/r03.md"],
    {**{"docs/r%02d.md" % n: "# R %d\n\nText.\n" % n for n in range(40)}, "docs/usage.md": "# Usage\n\nRun it:\n\n```\nrun me\n```\n"})

case("isort-diff-after-black", "isort", "ml-utils", "style (3.11)", [
    {"name": "Black", "run": "black --check ."}, {"name": "Imports", "run": "isort --profile black --check-only --diff ."}],
    ["isort --profile black --check-only --diff .", ["Imports are incorrectly sorted and/or formatted", "Imports are incorrectly sorted"], ["ml/train.py"]], ["would be left unchanged"],
    {**{"ml/p%d.py" % n: "import os\nimport sys\n\nprint(os, sys)\n" for n in range(20)}, "ml/train.py": "import sys\nimport os\n\nprint(os, sys)\n"})

case("flake8-statistics", "flake8", "feeds-py", "flake8", [
    {"name": "Lint", "run": "flake8 . --count --select=E9,F63,F7,F82 --show-source --statistics\nflake8 . --count --exit-zero --max-complexity=1 --statistics\nflake8 . --extend-ignore=E501 --extend-select=W"}],
    [["flake8 . --extend-ignore=E501"], ["F811 redefinition of unused 'parse'"], ["./feeds/atom.py:5", "feeds/atom.py:5"]], ["is too complex", "C901"],
    {**{"feeds/f%d.py" % n: "def f(x):\n    if x:\n        return 1  # %s\n    return 2\n" % ("long" * 20) for n in range(15)}, "feeds/atom.py": "def parse(x):\n    return x\n\n\ndef parse(x, y):\n    return x + y\n"})

case("rsync-missing-source", "rsync", "cdn-sync", "deploy / assets", [
    {"name": "Deploy", "run": "bash -c 'for n in 1 2 3 4 5 6 7 8; do echo \"purge zone $n: 404 not cached\"; done'\n./sync.sh"}],
    ["./sync.sh", ["link_stat", "No such file or directory (2)"], ["dist/maps"], ["code 23"]], ["404 not cached"],
    {"sync.sh": "#!/bin/sh\nset -e\nmkdir -p mirror\nrsync -av dist/css dist/js mirror/\nrsync -av --delete dist/fonts dist/maps mirror/\necho synced\n",
     **{"dist/%s/f%d" % (d, n): "x" for d in ("css", "js", "fonts") for n in range(12)}})

case("ssh-refused-all-attempts", "ssh", "edge-deploy", "deploy (edge-3)", [
    {"name": "Deploy", "run": "./deploy.sh edge-3"}],
    ["./deploy.sh edge-3", ["ssh: connect to host 127.0.0.1 port 8933: Connection refused"], ["gave up on edge-3 after 3 attempts"]], ["known_hosts"],
    {"deploy.sh": "#!/bin/bash\necho 'warning: known_hosts is empty, host keys are not checked'\nfor n in $(seq 1 15); do echo \"packed release file $n\"; done\nfor n in 1 2 3; do\n  echo \"attempt $n\"\n  ssh -p 8933 -o BatchMode=yes -o StrictHostKeyChecking=no app@127.0.0.1 true && exit 0\ndone\necho \"gave up on $1 after 3 attempts\"\nfor n in 1 2 3 4; do echo \"removed release file $n\"; done\nexit 1\n"})

case("mvn-parent-not-found", "mvn", "claims-java", "build (17)", [
    {"name": "Build", "run": "mvn -B -o --no-transfer-progress verify"}],
    [["mvn -B -o --no-transfer-progress verify"], ["Non-resolvable parent POM"], ["org.example:parent:pom:7", "org.example:parent"], ["pom.xml, line 3", "line 3, column", "pom.xml"]], ["parent.relativePath"],
    {"pom.xml": "<project xmlns=\"http://maven.apache.org/POM/4.0.0\">\n  <modelVersion>4.0.0</modelVersion>\n  <parent><groupId>org.example</groupId><artifactId>parent</artifactId><version>7</version></parent>\n  <artifactId>claims</artifactId>\n</project>\n"})

case("rollup-unresolved", "rollup", "charting", "build / esm", [
    {"name": "Build", "run": "for f in esm cjs; do rollup -c --environment FORMAT:$f; done"}],
    [["rollup -c --environment"], ["Could not resolve \"./scale.js\" from \"src/axis.js\"", "Could not resolve"], ["src/axis.js"]], ["Circular dependency"],
    {"package.json": "{\"name\": \"charting\", \"type\": \"module\"}\n", "rollup.config.js": "export default {input: 'src/main.js', output: {dir: 'out', format: process.env.FORMAT}};\n",
     "src/main.js": "import './a.js';\nimport './axis.js';\nexport const m = 1;\n", "src/a.js": "import { b } from './b.js';\nexport const a = () => b;\n", "src/b.js": "import { a } from './a.js';\nexport const b = () => a;\n", "src/axis.js": "import scale from './scale.js';\nexport default scale;\n"})
