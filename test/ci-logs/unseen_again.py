"""Jobs that fail, of kinds that neither cases.py nor unseen.py has: judged once, when the rules of both were done."""

from unseen import case as _case, numbered


def case(*args, **more):
    _case(*args, folder="unseen-again", **more)


case("octave-nonconformant", "octave", "signals", "octave tests", "octave-cli --no-gui --quiet run_tests.m",
     ["octave-cli --no-gui --quiet run_tests.m", ["nonconformant arguments (op1 is 1x3, op2 is 1x4)"], ["run_tests.m", "mix"]], [],
     {"run_tests.m": "for n = 1:20\n  printf('case %d ok\\n', n);\nend\nfunction y = mix(a, b)\n  y = a + b;\nend\nmix([1 2 3], [1 2 3 4]);\n"})

case("mcs-error", "csharp", "legacy-net", "build (mono)", "mcs -warn:4 -out:app.exe src/*.cs",
     ["mcs -warn:4 -out:app.exe", ["error CS0103", "The name `totl' does not exist in the current context"], ["src/Cart.cs(4,"]], ["warning CS0219", "is assigned but its value is never used"],
     {"src/Cart.cs": "class Cart {\n  static int Sum(int total) {\n    int spare = 1;\n    return totl + 1;\n  }\n  static void Main() { System.Console.WriteLine(Sum(2)); }\n}\n"})

case("iverilog-unknown-module", "verilog", "uart", "simulate", "iverilog -Wall -o sim.vvp rtl/uart.v tb/tb.v\nvvp sim.vvp",
     ["iverilog -Wall", ["Unknown module type: fifo8"], ["rtl/uart.v:3"]], [],
     {"rtl/uart.v": "module uart(input clk, output tx);\n  wire w;\n  fifo8 q(.clk(clk), .q(w));\n  assign tx = w;\nendmodule\n", "tb/tb.v": "module tb;\n  reg clk = 0;\n  wire tx;\n  uart u(clk, tx);\nendmodule\n"})

case("scons-missing-source", "scons", "demoscene", "scons", "scons -j2",
     ["scons -j2", ["Source `gfx.c' not found", "`gfx.c'"], ["needed by target"]], [],
     {"SConstruct": "Program('demo', ['main.c', 'gfx.c'])\n", "main.c": "int main(void){return 0;}\n"})

case("cabal-no-mirror", "cabal", "hs-lens-lite", "cabal build", "cabal v2-build --offline -v1 exe:lite",
     ["cabal v2-build --offline", ["Could not resolve host: hackage.haskell.org"]], [],
     {"lite.cabal": "cabal-version: 2.4\nname: lite\nversion: 0.1.0.0\nexecutable lite\n  main-is: Main.hs\n  hs-source-dirs: app\n  build-depends: base\n  default-language: Haskell2010\n", "app/Main.hs": "module Main where\n\nmain :: IO ()\nmain = print (lenght [1 :: Int])\n"})

case("groovy-assert", "groovy", "pipeline-lib", "groovy checks", "groovy checks.groovy",
     ["groovy checks.groovy", ["assert total(items) == 42"], ["checks.groovy:4", "checks.groovy"]], [],
     {"checks.groovy": "def items = [20, 21]\ndef total(l) { l.sum() }\n15.times { println \"stage $it ok\" }\nassert total(items) == 42\n"})

case("fish-unknown-command", "fish", "dotfiles3", "fish", "fish -c 'for i in (seq 12); echo step $i; end; frobnicate --all; or exit 3'",
     ["frobnicate --all", ["Unknown command: frobnicate", "fish: Unknown command"], ["exit code 3"]])

case("asciidoctor-failure-level", "asciidoctor", "book", "book", "asciidoctor --failure-level=WARN -D out book.adoc",
     ["asciidoctor --failure-level=WARN", ["include file not found"], ["chapters/two.adoc"]], [],
     {"book.adoc": "= Book\n\ninclude::chapters/one.adoc[]\n\ninclude::chapters/two.adoc[]\n", "chapters/one.adoc": "== One\n\nText.\n"})

case("puppet-syntax", "puppet", "manifests", "puppet parser", "puppet parser validate manifests/*.pp",
     ["puppet parser validate", ["Syntax error at"], ["site.pp", "line: 3", "line: 4"]], [],
     {"manifests/site.pp": "node default {\n  package { 'jq'\n    ensure => present,\n  }\n}\n", "manifests/ok.pp": "notice('ok')\n"})

case("haproxy-config", "haproxy", "lb", "haproxy -c", "haproxy -c -f haproxy.cfg",
     ["haproxy -c -f haproxy.cfg", ["unknown keyword 'balnce'"], ["haproxy.cfg:7"]], ["missing timeouts"],
     {"haproxy.cfg": "defaults\n  mode http\nfrontend web\n  bind 127.0.0.1:9080\n  default_backend app\nbackend app\n  balnce roundrobin\n  server s1 127.0.0.1:9081\n"})

case("bison-conflict", "bison", "calc-lang", "grammar", "make parser.c",
     ["make parser.c", ["symbol 'exprr' is used, but is not defined", "'exprr'", "‘exprr’"], ["calc.y:3"]], [],
     {"Makefile": "parser.c: calc.y\n\tbison -Wall -Werror -o $@ $<\n", "calc.y": "%token NUM\n%%\nexpr: exprr '+' NUM | NUM;\n"})

case("clang-tidy-error", "clang-tidy", "audio3", "clang-tidy", "clang-tidy --quiet -checks='-*,bugprone-*' -warnings-as-errors='*' src/mem.c -- -Wall",
     ["clang-tidy --quiet", ["bugprone-sizeof-expression", "suspicious usage of"], ["src/mem.c:3"]], [],
     {"src/mem.c": "#include <string.h>\nvoid clear(int *p) {\n  memset(p, 0, sizeof(sizeof(*p)));\n}\n"})

case("perlcritic-violation", "perlcritic", "Text-Lite", "perlcritic", "perlcritic --severity 5 lib",
     ["perlcritic --severity 5 lib", ["Code before strictures are enabled", "strictures"], ["lib/Lite.pm", "line 2"]], [],
     {"lib/Lite.pm": "package Lite;\nmy $x = 1;\n1;\n", "lib/Ok.pm": "package Ok;\nuse strict;\nuse warnings;\n1;\n"})

case("ruby-test-unit", "test-unit", "csvish", "test (3.1)", "ruby -Ilib test/csv_test.rb -v",
     ["ruby -Ilib test/csv_test.rb", ["test_quotes(CsvTest)", "test_quotes"], ["<\"a;b\"> expected but was", "\"a;b\""]], [],
     {"lib/csvish.rb": "def join(l) = l.join(',')\n", "test/csv_test.rb": "require 'test/unit'\nrequire 'csvish'\nclass CsvTest < Test::Unit::TestCase\n  20.times { |n| define_method(\"test_row_#{n}\") { assert_equal(\"#{n}\", join([n])) } }\n  def test_quotes = assert_equal('a;b', join(%w[a b]))\nend\n"})

case("rspec-load-error", "rspec", "mailer", "rspec (3.1)", [{"name": "Specs", "run": "rspec spec"}],
     ["rspec spec", ["cannot load such file -- mailer/queue"], ["spec/queue_spec.rb"]], [],
     {"spec/ok_spec.rb": "describe('ok') { it('is') { expect(1).to eq 1 } }\n", "spec/queue_spec.rb": "require 'mailer/queue'\ndescribe('queue') { it('is') { expect(1).to eq 1 } }\n"})

case("go-deadlock", "go run", "broker", "smoke", "go run . --once",
     ["go run . --once", ["all goroutines are asleep - deadlock!"], ["main.go:9", "main.drain"]], [],
     {"go.mod": "module example.org/broker\n\ngo 1.19\n", "main.go": "package main\n\nimport \"fmt\"\n\nfunc drain(c chan int) {\n\tfor n := 0; n < 20; n++ {\n\t\tfmt.Println(\"message\", n, \"acknowledged, 0 errors\")\n\t}\n\t<-c\n}\n\nfunc main() { drain(make(chan int)) }\n"})

case("go-missing-module", "go build", "gateway2", "build", [{"name": "Build", "run": "go build ./...", "env": {"GOFLAGS": "-mod=readonly", "GOPROXY": "off"}}],
     ["go build ./...", ["cannot find module providing package github.com/acme/frob"], ["main.go:3"]], [],
     {"go.mod": "module example.org/gateway\n\ngo 1.19\n", "main.go": "package main\n\nimport _ \"github.com/acme/frob\"\n\nfunc main() {}\n"})

case("cargo-unresolved-import", "cargo check", "cli-rs", "check (stable)", "cargo check --offline --message-format=human",
     ["cargo check --offline", ["unresolved import `crate::confg`"], ["src/main.rs:2"]], ["unused variable"],
     {"Cargo.toml": "[package]\nname = \"cli\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "src/main.rs": "mod config;\nuse crate::confg::Config;\n\nfn main() {\n    let spare = 1;\n}\n", "src/config.rs": "pub struct Config;\n"})

case("cargo-run-panic", "cargo run", "cli-rs2", "smoke", [{"name": "Smoke", "run": "cargo run --offline --quiet -- --input missing.toml", "env": {"RUST_BACKTRACE": "0"}}],
     ["cargo run --offline --quiet -- --input missing.toml", ["cannot read missing.toml"], ["src/main.rs:4"]], [],
     {"Cargo.toml": "[package]\nname = \"cli\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "src/main.rs": "fn main() {\n    let path = std::env::args().nth(2).unwrap();\n    for n in 0..20 { println!(\"plugin {n} loaded\"); }\n    std::fs::read(&path).unwrap_or_else(|e| panic!(\"cannot read {path}: {e}\"));\n}\n"})

case("rustdoc-broken-link", "rustdoc", "lib-rs", "docs", [{"name": "Docs", "run": "cargo doc --offline --no-deps", "env": {"RUSTDOCFLAGS": "-D warnings"}}],
     ["cargo doc --offline --no-deps", ["unresolved link to `Confg`"], ["src/lib.rs:1"]], [],
     {"Cargo.toml": "[package]\nname = \"lib\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "src/lib.rs": "/// See [`Confg`].\npub struct Config;\n"})

case("pytest-conftest-import", "pytest", "svc-py", "tests", [{"name": "Tests", "run": "pytest -q"}],
     ["pytest -q", ["No module named 'svc_settings'"], ["conftest.py"]], [],
     {"conftest.py": "import svc_settings\n", "tests/test_a.py": "def test_a():\n    pass\n"})

case("pytest-nothing-collected", "pytest", "svc-py2", "tests (changed)", [{"name": "Changed tests", "run": "pytest -q -k billing_v3"}],
     ["pytest -q -k billing_v3", ["deselected", "no tests ran"], ["exit code 5"]], [],
     {"tests/test_a.py": "def test_a():\n    pass\n\ndef test_b():\n    pass\n"})

case("python-syntax-error", "python", "scripts", "generate", "for s in gen/*.py; do python $s; done",
     ["python $s", ["SyntaxError: '(' was never closed", "was never closed"], ["gen/b.py\", line 2", "gen/b.py"]], [],
     {"gen/a.py": "print('a: 12 files')\n", "gen/b.py": "x = 1\nprint('b',\ny = 2\n"})

case("python-exit-message", "python", "scripts2", "check translations", "python check_po.py --all",
     ["python check_po.py --all", ["nb.po: msgid 'Save %s' has 1 placeholder, translation has 2"]], ["de.po"],
     {"check_po.py": "import sys\nfor l in ['de', 'fr', 'it', 'es', 'pt', 'nl', 'sv', 'da', 'fi', 'pl', 'cs', 'hu', 'ro', 'bg', 'el', 'tr', 'ja', 'ko', 'zh', 'vi', 'th', 'id', 'ms', 'uk', 'he', 'ar', 'hi', 'bn', 'ta', 'te']:\n    print(l + '.po: 212 messages checked')\nsys.exit(\"nb.po: msgid 'Save %s' has 1 placeholder, translation has 2\")\n"})

case("behave-step", "behave", "shop-bdd", "bdd", "behave --no-color --no-timings",
     ["behave --no-color --no-timings", ["Then the total is 90"], ["total is 100", "Assertion Failed: total is 100"]], [],
     {"features/cart.feature": "Feature: cart\n" + numbered("  Scenario: keeps @\n    Given a cart of @\n", 12) + "  Scenario: discount\n    Given a cart of 100\n    Then the total is 90\n", "features/steps/s.py": "from behave import given, then\n\n@given('a cart of {n:d}')\ndef g(context, n):\n    context.n = n\n\n@then('the total is {n:d}')\ndef t(context, n):\n    assert context.n == n, 'total is %d' % context.n\n"})

case("alembic-heads", "alembic", "crm2", "migrations", "alembic upgrade head",
     ["alembic upgrade head", ["Multiple head revisions are present"]], [],
     {"alembic.ini": "[alembic]\nscript_location = mig\nsqlalchemy.url = sqlite:///x.db\n", "mig/env.py": "from alembic import context\nfrom sqlalchemy import create_engine\nwith create_engine('sqlite:///x.db').connect() as c:\n    context.configure(connection=c)\n    with context.begin_transaction():\n        context.run_migrations()\n", "mig/versions/a.py": "revision = 'a1'\ndown_revision = None\ndef upgrade(): pass\n", "mig/versions/b.py": "revision = 'b1'\ndown_revision = 'a1'\ndef upgrade(): pass\n", "mig/versions/c.py": "revision = 'c1'\ndown_revision = 'a1'\ndef upgrade(): pass\n"})

case("check-jsonschema", "jsonschema", "configs", "schemas", "check-jsonschema --schemafile schema.json conf/*.json",
     ["check-jsonschema --schemafile schema.json", ["'80' is not of type 'integer'"], ["conf/b.json"]], [],
     {"schema.json": "{\"$schema\": \"http://json-schema.org/draft-07/schema#\", \"properties\": {\"port\": {\"type\": \"integer\"}}}\n", "conf/a.json": "{\"port\": 80}\n", "conf/b.json": "{\"port\": \"80\"}\n"})

case("import-linter", "import-linter", "layers", "architecture", [{"name": "Layers", "run": "lint-imports", "env": {"PYTHONPATH": "."}}],
     ["lint-imports", ["Layers BROKEN", "BROKEN"], ["app.domain -> app.web", "app.domain.model -> app.web"]], [],
     {".importlinter": "[importlinter]\nroot_package = app\n\n[importlinter:contract:1]\nname = Layers\ntype = layers\nlayers =\n    app.web\n    app.domain\n", "app/__init__.py": "", "app/web.py": "X = 1\n", "app/domain/__init__.py": "", "app/domain/model.py": "from app.web import X\n"})

case("ava-failure", "ava", "dates", "ava", "ava",
     ["ava", ["leap years"], ["Difference", "- 365", "- 365,"], ["test.mjs:4", "366"]], [],
     {"package.json": "{\"name\": \"dates\", \"type\": \"module\"}\n", "test.mjs": "import test from 'ava';\nfor (let i = 0; i < 12; i++) test('keeps ' + i, t => t.is(i, i));\n\ntest('leap years', t => t.is(365, 366));\n"}, prepare="ln -s \"$TOOLS/js/node_modules\" node_modules")

case("jasmine-failure", "jasmine", "router2", "jasmine", "jasmine spec/*.js",
     ["jasmine spec/*.js", ["matches nested routes"], ["Expected '/a' to be '/a/b'"]], [],
     {"spec/router.spec.js": "describe('router', () => {\n  for (let i = 0; i < 15; i++) it('keeps ' + i, () => expect(i).toBe(i));\n  it('matches nested routes', () => expect('/a').toBe('/a/b'));\n});\n"})

case("htmlhint", "htmlhint", "landing", "html", "htmlhint 'www/**/*.html'",
     ["htmlhint", ["Tag must be paired", "tag-pair"], ["www/index.html"]], [],
     {"www/index.html": "<!DOCTYPE html>\n<html lang=\"en\"><head><title>x</title></head><body><div></body></html>\n", "www/ok.html": "<!DOCTYPE html>\n<html lang=\"en\"><head><title>x</title></head><body></body></html>\n"})

case("rollup-unresolved", "rollup", "sdk2", "bundle", "rollup src/main.js --file out.js --format es",
     ["rollup src/main.js", ["Could not resolve \"./lib/queue.js\" from \"src/main.js\"", "Could not resolve './lib/queue.js'"]], ["Circular dependency"],
     {"src/main.js": "import q from './lib/queue.js';\nimport './a.js';\nq();\n", "src/a.js": "import './b.js';\nexport const a = 1;\n", "src/b.js": "import './a.js';\n"})

case("oxlint", "oxlint", "panel2", "oxlint", "oxlint --deny-warnings src",
     ["oxlint --deny-warnings src", ["no-debugger", "`debugger` statement is not allowed"], ["src/a.js:2"]], [],
     {"src/a.js": "export const x = 1;\ndebugger;\n"})

case("gcc-werror", "gcc", "tinyhttp", "build (-Werror)", "make CFLAGS='-Wall -Wextra -Werror' all",
     ["make CFLAGS=", ["unused variable ‘spare’", "unused-variable"], ["src/req.c:3"]], [],
     {"Makefile": "all: src/a.o src/req.o src/z.o\n", "src/a.c": "int a;\n", "src/z.c": "int z;\n", "src/req.c": "int parse(const char *s)\n{\n  int spare = 3;\n  return s[0];\n}\n"})

case("cmake-ninja-multiple-definition", "ninja", "engine", "build (ninja)", [
    {"name": "Configure", "run": "cmake -S . -B build -G Ninja"}, {"name": "Build", "run": "ninja -C build -v"}],
    ["ninja -C build -v", ["multiple definition of `config'"], ["b.c", "first defined here"]], [],
    {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.16)\nproject(engine C)\nadd_executable(e main.c a.c b.c)\n", "main.c": "int main(void){return 0;}\n", "a.c": "int config = 1;\n", "b.c": "int config = 2;\n"})

case("configure-missing-library", "autoconf", "netcatlike", "configure", [{"name": "Configure", "run": "autoconf\n./configure --with-frob"}],
     ["./configure --with-frob", ["libfrob is required, install libfrob-dev"]], ["checking for gcc"],
     {"configure.ac": "AC_INIT([nc], [1.0])\nAC_PROG_CC\nAC_CHECK_HEADERS([stdio.h stdlib.h string.h])\nAC_CHECK_LIB([frob], [frob_init], [], [AC_MSG_ERROR([libfrob is required, install libfrob-dev])])\nAC_OUTPUT\n"})

case("java-stack-overflow", "java", "solver", "solve", "javac Solver.java\njava -Xss512k -XX:MaxJavaStackTraceDepth=200 Solver",
     ["java -Xss512k -XX:MaxJavaStackTraceDepth=200 Solver", ["java.lang.StackOverflowError"], ["Solver.java:3", "Solver.depth"]], [],
     {"Solver.java": "public class Solver {\n  static int depth(int n) {\n    return depth(n + 1) + 1;\n  }\n  public static void main(String[] a) {\n    for (int n = 0; n < 15; n++) System.out.println(\"puzzle \" + n + \" solved\");\n    System.out.println(depth(0));\n  }\n}\n"})

case("curl-404", "curl", "mirror2", "fetch", "mkdir -p srv && touch srv/a.tar\npython3 -m http.server 8917 --bind 127.0.0.1 -d srv >/dev/null 2>&1 & pid=$!\ntrap 'kill $pid' EXIT\nsleep 1\nfor f in a.tar b.tar c.tar; do echo \"fetching $f\"; curl -fsSO http://127.0.0.1:8917/$f; done",
     ["curl -fsSO http://127.0.0.1:8917/$f", ["The requested URL returned error: 404"], ["fetching b.tar"]])

case("wget-unknown-host", "wget", "mirror3", "fetch data", "wget --tries=2 --waitretry=1 --progress=dot https://data.example.invalid/set.tar.gz",
     ["wget --tries=2", ["unable to resolve host address", "data.example.invalid"]], [])

case("tar-truncated", "tar", "backup2", "restore test", "for f in backups/*.tar.gz; do echo \"testing $f\"; tar -xzf $f -C out; done",
     ["tar -xzf $f -C out", ["Unexpected EOF in archive", "unexpected end of file"], ["backups/b.tar.gz"]], [],
     {"data/x": numbered("@ line of text\n", 3000), "out/keep": ""}, prepare="mkdir backups && tar -czf backups/a.tar.gz data && head -c 900 backups/a.tar.gz >backups/b.tar.gz && cp backups/a.tar.gz backups/c.tar.gz")

case("git-submodule", "git", "superproj", "submodules", [{"name": "Submodules", "run": "git submodule update --init --recursive"}],
     ["git submodule update --init --recursive", ["vendor/frob", "../frob-is-gone"], ["does not exist", "not found", "clone of"]], [],
     prepare="git init -q ../frob-is-gone && git -C ../frob-is-gone commit -q --allow-empty -m one && git init -q . && git -c protocol.file.allow=always submodule --quiet add ../frob-is-gone vendor/frob && git commit -qm one && rm -rf vendor/frob .git/modules ../frob-is-gone && git checkout -q . || true")

case("openssl-verify", "openssl", "pki", "certificates", "for c in certs/*.pem; do openssl verify -CAfile ca.pem $c; done",
     ["openssl verify -CAfile ca.pem", ["certs/b.pem: verification failed", "error 18", "self-signed certificate"]], [],
     prepare="mkdir certs && openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -subj /CN=ca -days 2 && openssl req -newkey rsa:2048 -nodes -keyout a.key -out a.csr -subj /CN=a && openssl x509 -req -in a.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out certs/a.pem && openssl req -x509 -newkey rsa:2048 -nodes -keyout b.key -out certs/b.pem -subj /CN=b -days 2")

case("xargs-123", "xargs", "lint-many", "json files", "find data -name '*.json' | sort | xargs -n1 python3 -m json.tool --indent 0 >/dev/null",
     ["xargs -n1 python3 -m json.tool", ["Expecting ',' delimiter: line 3 column 1"], ["exit code 123"]], [],
     {"data/a.json": "{}\n", "data/b.json": "{\"x\": 1\n\n\"y\": 2}\n", "data/c.json": "[]\n"})

case("awk-report", "awk", "budget", "budget check", "awk -F, 'BEGIN { bad = 0 } $2 > 100 { print \"line \" NR \": \" $1 \" spends \" $2 \" of 100\"; bad = 1 } END { print NR \" lines read\"; exit bad }' costs.csv",
     ["costs.csv", ["line 41: cloud spends 180 of 100"]], [],
     {"costs.csv": numbered("item@,1@\n", 40) .replace(",1", ",") + "cloud,180\n" + numbered("late@,@\n", 20)})

case("progress-bars-carriage-returns", "script", "installer2", "install sdk", "python3 get.py",
     ["python3 get.py", ["sdk-2.1: signature made by unknown key 0xBEEF"]], [],
     {"get.py": "import sys\nfor f in ['base', 'tools', 'sdk-2.1']:\n    for n in range(0, 101, 4):\n        sys.stdout.write('\\r\\x1b[K%s %3d%% |%-25s| %d/100 kB' % (f, n, '█' * (n // 4), n))\n    sys.stdout.write('\\r\\n')\nprint('sdk-2.1: signature made by unknown key 0xBEEF\\r')\nfor n in range(12): print('removing part %d\\r' % n)\nsys.exit(9)\n"})

case("js-action-stack", "action", "site3", "release", [
    {"name": "Build", "run": "echo built"},
    {"name": "Release", "uses": "example/release-action@v2", "with": ["tag: v1.2.0", "files: dist/*.zip"], "run": "node -e 'console.log(\"Looking for files\"); console.log(\"::warning::no body given\"); console.log(\"::error::Error: Tag v1.2.0 already exists at 91ab2c3, refusing to move it\"); process.exit(1)'"}],
    ["example/release-action@v2", ["Tag v1.2.0 already exists at 91ab2c3"]], ["no body given"])

case("hang-after-noise", "timeout", "crawler", "crawl", [{"name": "Crawl", "run": "python3 crawl.py", "limit": 4}],
     ["python3 crawl.py", ["GET /sitemap-9.xml"], ["The operation was canceled"]], [],
     {"crawl.py": "import time, sys\nfor n in range(200): print('GET /page-%d 200 in %d ms' % (n, n % 37), flush=True)\nprint('error: page /old-7 has no title, skipped', flush=True)\nfor n in range(200): print('GET /post-%d 200 in %d ms' % (n, n % 31), flush=True)\nprint('GET /sitemap-9.xml', flush=True)\ntime.sleep(60)\n"})

case("silent-failure", "bash", "cron-jobs", "nightly", [{"name": "Nightly", "run": "set -e\n./prepare.sh\n./rotate.sh --keep 7\n./report.sh"}],
     ["./rotate.sh --keep 7", ["rotating /var/log/app.7"], ["exit code 4"]], ["echo report"],
     {"prepare.sh": "#!/bin/sh\nfor i in 1 2 3 4 5 6 7 8 9; do echo \"prepared volume $i\"; done\n", "rotate.sh": "#!/bin/sh\nfor i in 9 8 7; do echo \"rotating /var/log/app.$i\"; done\nexit 4\n", "report.sh": "#!/bin/sh\necho report\n"})
