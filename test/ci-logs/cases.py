"""Jobs that fail: the files of a small project, the steps that are run, and what a maintainer must be told.

`must` has lists of texts of which one each must be told, `cmd` which of these name the command, `never` what would mislead.
Each was written before any result for it was seen.  Every third case is held out: it was first judged when the rules were done.
"""

CASES = []


def case(name, kind, repo, job, steps, must, never=(), files=None, prepare=None, cmd=(0,)):
    steps = [{"name": "Run", "run": steps}] if isinstance(steps, str) else steps
    CASES.append({
        "name": name, "kind": kind, "repo": repo, "job": job, "steps": steps, "files": files or {}, "prepare": prepare,
        "must_contain_any": [one if isinstance(one, list) else [one] for one in must], "cmd": list(cmd),
        "must_not_be_claimed": list(never), "held": len(CASES) % 3 == 2})


GO_MOD = "module example.org/parse\n\ngo 1.19\n"

case("go-test-one-of-many", "go test", "parse", "test (1.22, ubuntu-latest)", [
    {"name": "Test", "run": "go test -v ./..."}],
    ["go test -v ./...", "TestDurationRejectsNegative", ["want error, got 5s", "parse_test.go:17"]],
    ["level=warn"],
    {"go.mod": GO_MOD, "parse.go": "package parse\n\nfunc Twice(n int) int { return 2 * n }\n",
     "parse_test.go": """package parse

import (
\t"fmt"
\t"testing"
)

func TestTwice(t *testing.T) {
\tfor n := 0; n < 90; n++ {
\t\tt.Run(fmt.Sprint(n), func(t *testing.T) { if Twice(n) != 2*n { t.Fatal(n) } })
\t}
}
func TestDurationRejectsNegative(t *testing.T) {
\tfmt.Println("level=warn msg=\\"error while reading cache, ignored\\"")
\tgot := fmt.Sprint(Twice(2)+1, "s")
\tif got != "" {
\t\tt.Errorf("Duration(-5s): want error, got 5s")
\t}
}
func TestZ(t *testing.T) { t.Skip("needs the network") }
"""})

case("go-build-undefined", "go build", "gateway", "build / linux-amd64", "go build ./... && go vet ./...",
     ["go build ./...", "undefined: newRouter", ["main.go:6:7", "main.go:6"]], [],
     {"go.mod": "module example.org/gateway\n\ngo 1.19\n", "main.go": "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tr := newRouter()\n\tfmt.Println(r)\n}\n"})

case("go-panic-nil-map", "go run", "indexer", "smoke", "go run . --records 40",
     ["go run .", "assignment to entry in nil map", ["main.go:12", "main.add"]], [],
     {"go.mod": "module example.org/indexer\n\ngo 1.19\n", "main.go": """package main

import "fmt"

type index struct {
\tnames map[string]int
}

var all index

func add(name string) {
\tall.names[name]++
}

func main() {
\tfor n := 0; n < 40; n++ {
\t\tfmt.Println("record", n, "read without errors")
\t}
\tadd("x")
}
"""})

case("rspec-one-failure", "rspec", "invoices", "rspec (3.2)", [
    {"name": "Specs", "run": "rspec --format documentation"}],
    ["rspec --format documentation", ["rounds half up", "spec/total_spec.rb"], ["expected: 12", "got: 11"]],
    ["DEPRECATION"],
    {"spec/total_spec.rb": """describe 'Total' do
  60.times { |n| it("adds #{n}") { expect(n + n).to eq(2 * n) } }
  it 'rounds half up' do
    warn 'DEPRECATION: Total#round without digits'
    expect(11.5.floor).to eq(12)
  end
end
"""})

case("minitest-error", "minitest", "slugger", "test (ruby-3.2)", "ruby -Ilib:test test/slug_test.rb --verbose",
     ["ruby -Ilib:test test/slug_test.rb", ["SlugTest#test_nil_title", "test_nil_title"], "undefined method `downcase' for nil"], [],
     {"lib/slug.rb": "def slug(t) = t.downcase.tr(' ', '-')\n", "test/slug_test.rb": """require 'minitest/autorun'
require 'slug'
class SlugTest < Minitest::Test
  30.times { |n| define_method("test_word_#{n}") { assert_equal "w#{n}", slug("W#{n}") } }
  def test_nil_title = assert_equal('', slug(nil))
end
"""})

case("phpunit-failure", "phpunit", "cart", "php 8.2 / unit", "phpunit --testdox tests",
     ["phpunit --testdox tests", ["testDiscountIsCapped", "Discount is capped"], "Failed asserting that 130 matches expected 100"], [],
     {"tests/CartTest.php": """<?php
use PHPUnit\\Framework\\TestCase;
final class CartTest extends TestCase {
  public function testEmpty(): void { $this->assertSame(0, 0); }
  public function testDiscountIsCapped(): void { $this->assertEquals(100, 130); }
  public function testTax(): void { $this->assertSame(1, 1); }
}
"""})

case("perl-prove", "prove", "Text-Wrapish", "perl 5.36", "prove -lv t",
     ["prove -lv t", "keeps the last word", ["got: 'a b'", "expected: 'a b c'"]], [],
     {"lib/Wrapish.pm": "package Wrapish; use strict; sub wrap { my $s = shift; $s =~ s/ \\w$//; $s } 1;\n",
      "t/00-load.t": "use Test::More tests => 40; ok(1, \"error handling $_\") for 1..40;\n",
      "t/01-wrap.t": "use Test::More tests => 2; use Wrapish; ok(1, 'loads'); is(Wrapish::wrap('a b c'), 'a b c', 'keeps the last word');\n"})

case("java-compile", "javac", "ledger", "compile (temurin-17)", "mkdir -p out\njavac -Xlint:all -d out $(find src -name '*.java')",
     ["javac -Xlint:all", ["incompatible types: String cannot be converted to int", "String cannot be converted to int"], ["Ledger.java:6", "src/Ledger.java:6"]],
     ["unchecked"],
     {"src/Ledger.java": """import java.util.*;
public class Ledger {
  List raw = new ArrayList();
  void put(Object o) { raw.add(o); }
  int balance() {
    int total = "12";
    return total;
  }
}
"""})

case("java-caused-by", "java", "importer", "nightly import", "mkdir -p out && javac -d out src/*.java\njava -cp out Importer --from exports/today.csv",
     ["java -cp out Importer", ["exports/today.csv (No such file or directory)", "No such file or directory"], ["import failed for tenant 7", "Caused by"]], [],
     {"src/Importer.java": """import java.io.*;
public class Importer {
  static void open(String name) throws IOException { new FileInputStream(name).close(); }
  public static void main(String[] a) {
    for (int n = 0; n < 50; n++) System.out.println("tenant " + n % 7 + ": 0 errors, " + n + " rows");
    try { open(a[1]); } catch (IOException e) { throw new IllegalStateException("import failed for tenant 7", e); }
  }
}
"""})

case("shellcheck-findings", "shellcheck", "dotfiles", "lint", [{"name": "ShellCheck", "run": "shellcheck scripts/*.sh"}],
     ["shellcheck scripts/*.sh", ["SC2086", "Double quote to prevent globbing"], ["In scripts/backup.sh line 3", "scripts/backup.sh"]], [],
     {"scripts/backup.sh": "#!/bin/sh\nset -eu\ncp $1 /backup/\n", "scripts/ok.sh": "#!/bin/sh\necho ok\n"})

case("bats-failure", "bats", "notes-cli", "bats", "bats --tap test",
     ["bats --tap test", "search is case insensitive", ["[ \"$output\" = \"Milk\" ]", "test/notes.bats"]], [],
     {"test/notes.bats": "".join("@test \"prints note %d\" { true; }\n" % n for n in range(30)) + """@test "search is case insensitive" {
  run echo milk
  [ "$output" = "Milk" ]
}
@test "last" { true; }
"""})

case("busted-failure", "busted", "lru", "lua 5.1", "busted --lpath='./?.lua' spec",
     ["busted", "evicts the oldest entry", ["Expected objects to be equal", "(string) 'b'", "spec/lru_spec.lua"]], [],
     {"spec/lru_spec.lua": """describe('lru', function()
  for n = 1, 20 do it('keeps ' .. n, function() assert.is_true(true) end) end
  it('evicts the oldest entry', function() assert.are.equal('a', 'b') end)
end)
"""})

case("dune-type-error", "ocaml", "tiny-json", "ocaml 4.14", "dune build 2>&1",
     ["dune build", "This expression has type string but an expression was expected of type", ["File \"bin/main.ml\", line 3", "bin/main.ml"]], [],
     {"dune-project": "(lang dune 2.0)\n", "bin/dune": "(executable (name main))\n", "bin/main.ml": "let total l = List.fold_left (+) 0 l\nlet () =\n  print_int (total [1; \"2\"])\n"})

case("elixir-test", "mix test", "queue_ex", "mix test (1.14)", "elixir -r lib/queue.ex test/queue_test.exs",
     ["elixir -r lib/queue.ex test/queue_test.exs", "dequeue keeps order", ["left:  [1, 2]", "[2, 1]"]], [],
     {"lib/queue.ex": "defmodule Queue do\n  def all(q), do: Enum.reverse(q)\nend\n", "test/queue_test.exs": """ExUnit.start()
defmodule QueueTest do
  use ExUnit.Case
  for n <- 1..25 do
    test "empty #{n}" do
      assert Queue.all([]) == []
    end
  end
  test "dequeue keeps order" do
    assert Queue.all([2, 1]) == [2, 1]
  end
end
"""})

case("ghc-type-error", "ghc", "parsec-lite", "ghc 9.0", "ghc -Wall -O0 src/Main.hs -outputdir build -o app",
     ["ghc -Wall -O0 src/Main.hs", ["Couldn't match", "No instance for"], ["src/Main.hs:7", "Main.hs:7"]], ["is not used", "Defined but not used"],
     {"src/Main.hs": "module Main where\n\nunused :: Int\nunused = 3\n\nwidth :: String -> Int\nwidth s = s ++ \"x\"\n\nmain :: IO ()\nmain = print (width \"abc\")\n"})

case("gfortran-error", "gfortran", "heat", "build (gfortran-12)", "make FC=gfortran",
     ["make FC=gfortran", ["Symbol 'steps' at (1) has no IMPLICIT type", "has no IMPLICIT type"], ["heat.f90:4", "heat.f90"]], [],
     {"Makefile": "heat: heat.f90\n\t$(FC) -o heat heat.f90\n", "heat.f90": "program heat\n  implicit none\n  real :: t(10)\n  do steps = 1, 10\n    t(1) = 0.0\n  end do\nend program\n"})

case("clang-error-among-warnings", "clang", "codec", "build (clang)", "make -k CC='clang -Wall -Wextra'",
     ["make -k CC='clang -Wall -Wextra'", ["no member named 'lenght'", "lenght"], ["src/enc7.c:4", "enc7.c"]], ["unused variable"],
     dict({"Makefile": "OBJ := $(patsubst %.c,%.o,$(wildcard src/*.c))\nall: $(OBJ)\n"},
          **{"src/enc%d.c" % n: "struct buf { int length; };\nint f%d(struct buf *b, int k) {\n  int spare = 1;\n  return b->%s;\n}\n" % (n, "lenght" if n == 7 else "length") for n in range(12)}))

case("cmake-missing-package", "cmake", "viewer", "configure (ubuntu)", [{"name": "Configure", "run": "cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release"}],
     ["cmake -S . -B build", ["Could not find a package configuration file provided by \"Frobnicate\"", "FindFrobnicate.cmake", "FrobnicateConfig.cmake"], ["CMakeLists.txt:3", "find_package"]], [],
     {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.16)\nproject(viewer C)\nfind_package(Frobnicate 2 REQUIRED)\nadd_executable(v main.c)\n", "main.c": "int main(void){return 0;}\n"})

case("ctest-failure", "ctest", "matrix", "test (Debug)", [
    {"name": "Build", "run": "cmake -S . -B build -G Ninja\ncmake --build build"},
    {"name": "Test", "run": "ctest --test-dir build --output-on-failure"}],
    ["ctest --test-dir build", ["determinant of identity", "t_det"], ["expected 1, got 0"]], [],
    {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.16)\nproject(matrix C)\nenable_testing()\nforeach(n RANGE 20)\n add_test(NAME ok${n} COMMAND ${CMAKE_COMMAND} -E true)\nendforeach()\nadd_executable(t_det t_det.c)\nadd_test(NAME t_det COMMAND t_det)\n",
     "t_det.c": "#include <stdio.h>\nint main(void){ printf(\"determinant of identity: expected 1, got 0\\n\"); return 1; }\n"})

case("r-stop", "Rscript", "surveys", "render report", "Rscript analysis/report.R",
     ["Rscript analysis/report.R", ["column 'age' is missing", "column 'age'"]], [],
     {"analysis/report.R": "for (i in 1:30) cat('read wave', i, '- 0 errors\\n')\ncheck <- function(d) { if (is.null(d$age)) stop(\"column 'age' is missing in wave 30\") }\ncheck(data.frame(id = 1))\n"})

case("valgrind-invalid-read", "valgrind", "ringbuf", "memcheck", "gcc -g -O0 -o ring ring.c\nvalgrind --error-exitcode=9 --leak-check=full ./ring",
     ["valgrind --error-exitcode=9", ["Invalid read of size 4"], ["ring.c:6", "peek"]], [],
     {"ring.c": "#include <stdio.h>\n#include <stdlib.h>\n\nstatic int peek(int *r, int at)\n{\n  return r[at];\n}\n\nint main(void)\n{\n  int *r = calloc(4, sizeof *r);\n  for (int i = 0; i < 20; i++) printf(\"slot %d ok\\n\", i);\n  int v = peek(r, 4);\n  free(r);\n  return v > 1000;\n}\n"})

case("asan-overflow", "asan", "unzipper", "sanitizers (address)", "gcc -g -fsanitize=address -o u u.c && ./u sample.zip",
     ["gcc -g -fsanitize=address -o u u.c && ./u sample.zip", "heap-buffer-overflow", ["u.c:7", "in copy"]], [],
     {"u.c": "#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\n\nstatic void copy(char *to, const char *from, size_t n)\n{\n  for (size_t i = 0; i < n; i++) to[i] = from[i];\n}\n\nint main(void)\n{\n  char *b = malloc(8);\n  puts(\"reading entries\");\n  copy(b, \"a name that is too long\", 23);\n  free(b);\n  return 0;\n}\n"})

case("segfault", "crash", "fastcsv", "fuzz corpus", "gcc -g -O0 -o fast fast.c\nfor f in a b c; do ./fast corpus/$f; done",
     ["./fast corpus/$f", ["Segmentation fault"], ["corpus/b", "exit code 139"]], [],
     {"fast.c": "#include <stdio.h>\n#include <string.h>\nint main(int c, char **v)\n{\n  (void)c;\n  printf(\"parsing %s\\n\", v[1]);\n  fflush(stdout);\n  if (strstr(v[1], \"/b\")) *(volatile int *)0 = 1;\n  return 0;\n}\n"})

case("git-merge-conflict", "git", "handbook", "rebase check", [{"name": "Merge main", "run": "git merge --no-edit feature"}],
     ["git merge --no-edit feature", "CONFLICT (content): Merge conflict in guide.md"], ["notes.md"],
     prepare="git init -q . && printf 'a\\nb\\n' >guide.md && echo n >notes.md && git add . && git commit -qm one && git checkout -qb feature && printf 'a\\nc\\n' >guide.md && echo m >>notes.md && git commit -qam two && git checkout -q main && printf 'a\\nd\\n' >guide.md && git commit -qam three")

case("generated-files-stale", "git diff", "protos", "generated code", [
    {"name": "Generate", "run": "./gen.sh"}, {"name": "Check that nothing changed", "run": "git diff --exit-code"}],
    ["git diff --exit-code", ["gen/types.ts"], ["+export type Id = string;", "-export type Id = number;"]], [],
    {"gen.sh": "#!/bin/sh\nmkdir -p gen\necho 'export type Id = string;' >gen/types.ts\necho generated 1 file\n"},
    prepare="mkdir -p gen && echo 'export type Id = number;' >gen/types.ts && git init -q . && git add . && git commit -qm one")

case("curl-refused-after-retries", "curl", "status-page", "smoke test", [
    {"name": "Wait for the service", "run": "for i in 1 2 3; do\n  curl -fsS http://127.0.0.1:9/health && break || echo \"attempt $i failed, retrying\"\ndone\ncurl -fsS http://127.0.0.1:9/health"}],
    ["curl -fsS http://127.0.0.1:9/health", ["curl: (7) Failed to connect to 127.0.0.1 port 9"]])

case("mypy-errors", "mypy", "billing", "typing (3.11)", [{"name": "mypy", "run": "mypy --strict billing"}],
     ["mypy --strict billing", ["Incompatible return value type", "[return-value]"], ["billing/tax.py:2"]], [],
     {"billing/__init__.py": "", "billing/tax.py": "def rate(country: str) -> float:\n    return country\n", "billing/ok.py": "def f() -> int:\n    return 1\n"})

case("black-would-reformat", "black", "scraper", "style", [{"name": "Formatting", "run": "black --check --diff ."}],
     ["black --check", ["would reformat", "--- "], ["fetch.py"]], [],
     {"fetch.py": "def get( url ):\n  return {'a':1}\n", "ok.py": "x = 1\n"})

case("pylint-errors", "pylint", "robot", "pylint", "pylint --disable=C,R robot.py",
     ["pylint --disable=C,R robot.py", ["E1101", "no-member"], ["robot.py:7", "robot.py"]], [],
     {"robot.py": "import os\n\nclass Arm:\n    def move(self):\n        return 1\n\nArm().grab()\n"})

case("pip-no-version", "pip", "etl", "install", [{"name": "Dependencies", "run": "python -m pip install --no-index -r requirements.txt"}],
     ["python -m pip install", ["No matching distribution found for frobnicator==9.9", "Could not find a version that satisfies the requirement frobnicator==9.9"]], [],
     {"requirements.txt": "frobnicator==9.9\n"})

case("npm-missing-script", "npm", "widgets", "build (20)", "npm run build:prod",
     ["npm run build:prod", ["Missing script: \"build:prod\""]], ["A complete log of this run"],
     {"package.json": "{\"name\": \"widgets\", \"version\": \"1.0.0\", \"scripts\": {\"build\": \"true\"}}\n"})

case("eslint-errors", "eslint", "dash", "lint (20)", [{"name": "Lint", "run": "npm run lint"}],
     [["npm run lint", "eslint ."], ["'total' is not defined", "no-undef"], "src/sum.js"], ["is assigned a value but never used"],
     {"package.json": "{\"name\": \"dash\", \"version\": \"1.0.0\", \"scripts\": {\"lint\": \"eslint .\"}}\n",
      "eslint.config.mjs": "export default [{files: ['**/*.js'], rules: {'no-undef': 'error', 'no-unused-vars': 'warn'}}];\n",
      "src/sum.js": "const spare = 1;\nexport const sum = () => total + 1;\n", "src/a.js": "const other = 2;\n"})

case("vitest-failure", "vitest", "colors", "unit", "vitest run",
     ["vitest run", ["mixes two colours"], ["expected '#808080' to be '#7f7f7f'", "#7f7f7f"]], [],
     {"package.json": "{\"name\": \"colors\", \"type\": \"module\"}\n", "vitest.config.mjs": "export default {test: {globals: true}};\n",
      "test/mix.test.js": "describe('mix', () => {\n  for (let i = 0; i < 20; i++) it('keeps ' + i, () => expect(i).toBe(i));\n  it('mixes two colours', () => { expect('#808080').toBe('#7f7f7f'); });\n});\n"})

case("mocha-failure", "mocha", "router", "test (18)", "mocha --recursive test",
     ["mocha --recursive test", ["decodes percent signs"], ["expected '/a%20b' to equal '/a b'", "+/a b", "'/a%20b'"]], [],
     {"package.json": "{\"name\": \"router\"}\n", "test/path.js": "const assert = require('assert');\ndescribe('path', () => {\n  for (let i = 0; i < 40; i++) it('error page ' + i, () => {});\n  it('decodes percent signs', () => { assert.strictEqual('/a%20b', '/a b', \"expected '/a%20b' to equal '/a b'\"); });\n});\n"})

case("node-test-tap", "node --test", "cachekit", "node 20", "node --test test/",
     ["node --test test/", "expires after the ttl", ["Expected values to be strictly equal", "1 !== 2"]], [],
     {"test/cache.test.js": "const test = require('node:test'); const assert = require('assert');\nfor (let i = 0; i < 15; i++) test('keeps ' + i, () => {});\ntest('expires after the ttl', () => { assert.strictEqual(1, 2); });\n"})

case("tsc-in-a-script", "tsc", "sdk", "package", "set -e\nnode -e 'for (let i = 0; i < 80; i++) console.log(\"generated client\", i)'\ntsc --noEmit --strict --types '' src/*.ts\necho packed",
     ["tsc --noEmit", ["TS2345", "is not assignable to parameter of type"], ["src/client.ts(2,", "src/client.ts:2"]], [],
     {"src/client.ts": "export function get(id: number) { return id; }\nget('7');\n"})

case("webpack-module-not-found", "webpack", "portal", "bundle", "webpack --mode production",
     ["webpack --mode production", ["Can't resolve './charts'"], ["./src/index.js"]], [],
     {"package.json": "{\"name\": \"portal\"}\n", "src/index.js": "import chart from './charts';\nchart();\n"})

case("esbuild-error", "esbuild", "widget", "bundle", "esbuild src/app.js --bundle --outfile=out.js",
     ["esbuild src/app.js --bundle", ["Could not resolve \"left-padding\""], ["src/app.js:1"]], [],
     {"src/app.js": "import pad from 'left-padding';\nconsole.log(pad);\n"})

case("prettier-check", "prettier", "site", "format", [{"name": "Prettier", "run": "prettier --check ."}],
     ["prettier --check .", "src/menu.js"], ["src/ok.js"],
     {"src/menu.js": "const a   =  {b:1}\n", "src/ok.js": "const ok = 1;\n"})

case("yamllint", "yamllint", "charts", "yaml", "yamllint -s values.yaml",
     ["yamllint -s values.yaml", ["expected <block end>", "syntax error"], ["values.yaml"]], [],
     {"values.yaml": "---\nimage:\n    tag: 1\n  pull: always\n"})

case("codespell", "codespell", "docs-site", "spelling", "codespell docs",
     ["codespell docs", ["recieve ==> receive"], ["docs/api.md:3", "docs/api.md"]], [],
     {"docs/api.md": "# API\n\nYou recieve a token.\n"})

case("pytest-collection-error", "pytest", "worker", "tests (3.11)", [{"name": "Tests", "run": "pytest -q"}],
     ["pytest -q", ["No module named 'worker.retries'", "ModuleNotFoundError"], ["tests/test_retry.py"]], [],
     {"worker/__init__.py": "", "tests/test_ok.py": "def test_ok():\n    pass\n", "tests/test_retry.py": "from worker.retries import retry\n\ndef test_retry():\n    assert retry\n"})

case("pytest-coverage-too-low", "coverage", "forms", "coverage", "pytest -q --cov=forms --cov-fail-under=90",
     [["pytest -q --cov=forms --cov-fail-under=90"], ["Required test coverage of 90% not reached", "total of"]], [],
     {"forms/__init__.py": "def used():\n    return 1\n\n\ndef unused():\n    a = 1\n    b = 2\n    c = 3\n    return a + b + c\n", "tests/test_forms.py": "import sys\nsys.path.insert(0, '.')\nfrom forms import used\n\ndef test_used():\n    assert used() == 1\n"})

case("unittest-failure", "unittest", "geo", "unit (3.11)", "python -m unittest -v",
     ["python -m unittest -v", ["test_wraps_at_the_date_line"], ["181 != -179"]], ["ResourceWarning"],
     {"test_geo.py": "import unittest\n\nclass Geo(unittest.TestCase):\n" + "".join("    def test_point_%02d(self):\n        self.assertTrue(True)\n" % n for n in range(50)) + "    def test_wraps_at_the_date_line(self):\n        open('/dev/null')\n        self.assertEqual(181, -179)\n"})

case("python-chained-exception", "python", "sync-tool", "nightly", "python sync.py --all",
     ["python sync.py --all", ["KeyError: 'region'", "SystemExit", "ConfigError: account 12 has no region"], ["sync.py"]], ["timed out, retrying"],
     {"sync.py": "import logging, sys\nlogging.basicConfig(level=logging.INFO, stream=sys.stdout)\nclass ConfigError(Exception):\n    pass\ndef region(account):\n    try:\n        return {'id': 12}['region']\n    except KeyError as e:\n        raise ConfigError('account 12 has no region') from e\nfor n in range(40):\n    logging.info('account %d synced, 0 errors', n)\n    if n % 9 == 0:\n        logging.warning('request to shard %d timed out, retrying', n)\nregion(12)\n"})

case("cargo-test-panic", "cargo test", "tally", "test (stable)", [{"name": "cargo test", "run": "cargo test --offline"}],
     ["cargo test --offline", ["tests::carries_over_midnight"], ["left: 23", "assertion `left == right` failed"], ["src/lib.rs:9"]], [],
     {"Cargo.toml": "[package]\nname = \"tally\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "src/lib.rs": "pub fn hour(n: u32) -> u32 {\n    n\n}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn carries_over_midnight() {\n        let error = super::hour(23);\n        assert_eq!(error, 24);\n    }\n    #[test]\n    fn error_is_zero() {}\n}\n"})

case("clippy-denied", "clippy", "tally", "clippy", "cargo clippy --offline --all-targets -- -D warnings",
     ["cargo clippy", ["this comparison involving the minimum or maximum element", "unneeded `return` statement", "needless_return"], ["src/lib.rs:2"]], [],
     {"Cargo.toml": "[package]\nname = \"tally\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "src/lib.rs": "pub fn two() -> u32 {\n    return 2;\n}\n"})

case("cargo-fmt", "rustfmt", "tally", "fmt", "cargo fmt --all -- --check",
     ["cargo fmt --all -- --check", ["Diff in"], ["src/lib.rs", "+pub fn two() -> u32 {"]], [],
     {"Cargo.toml": "[package]\nname = \"tally\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "src/lib.rs": "pub fn two()->u32{2}\n"})

case("make-no-rule", "make", "firmware", "build (arm)", "make -j2 image.bin",
     ["make -j2 image.bin", ["No rule to make target 'boot.o', needed by 'image.bin'"]], [],
     {"Makefile": "image.bin: main.o boot.o\n\tcat $^ >$@\nmain.o:\n\ttouch main.o\n"})

case("bash-command-not-found", "bash", "deploy", "deploy (staging)", [
    {"name": "Deploy", "run": "echo \"deploying to staging\"\n./scripts/deploy.sh staging"}],
    ["./scripts/deploy.sh staging", ["frobctl: command not found"], ["scripts/deploy.sh: line 4", "exit code 127"]], ["cleaning"],
    {"scripts/deploy.sh": "#!/bin/bash\nset -euo pipefail\ntrap 'for i in $(seq 15); do echo \"cleaning cache $i\"; done' EXIT\nfrobctl apply --env \"$1\"\necho deployed\n"})

case("bash-unbound", "bash", "release-tools", "publish", "bash -u scripts/publish.sh",
     ["scripts/publish.sh", ["RELEASE_TAG: unbound variable"]], [],
     {"scripts/publish.sh": "for i in $(seq 30); do echo \"asset $i: checksum ok\"; done\necho \"tag ${RELEASE_TAG}\"\n"})

case("version-mismatch-own-words", "script", "pkg", "verify release", [{"name": "Verify", "run": "./verify.sh"}],
     ["./verify.sh", ["tag is v2.1.0 but package.json says 2.0.9"]], ["removing"],
     {"verify.sh": "#!/bin/bash\nset -e\ntrap 'echo removing /tmp/verify.x1; echo removing /tmp/verify.x2' EXIT\nfor i in $(seq 60); do echo \"file $i signed\"; done\necho 'tag is v2.1.0 but package.json says 2.0.9'\nexit 1\n"})

case("xtrace-silent", "bash", "infra", "provision", [{"name": "Provision", "run": "set -x\nmkdir -p state\necho '{}' >state/a.json\ntest -s state/lock.json\necho done", "shell": "bash"}],
     ["test -s state/lock.json"], [])

case("ert-error", "ert", "ledgerlike", "emacs 28.2", "emacs -Q --batch -L . -l ert -l test.el -f ert-run-tests-batch-and-exit",
     ["ert-run-tests-batch-and-exit", "ledger-parses-dates", ["void-function ledger-parse-date", "(void-function ledger-parse-date)"]], [],
     {"test.el": ";;; -*- lexical-binding: t -*-\n(dotimes (n 80) (eval `(ert-deftest ,(intern (format \"ledger-ok-%02d\" n)) () (should t))))\n(ert-deftest ledger-parses-dates () (should (ledger-parse-date \"2026-01-01\")))\n"})

case("byte-compile-warning-is-error", "emacs", "ledgerlike", "compile", "emacs -Q --batch --eval '(setq byte-compile-error-on-warn t)' -f batch-byte-compile a.el b.el",
     ["batch-byte-compile", ["reference to free variable ‘totl’", "totl"], ["b.el:3", "In b-sum"]], [],
     {"a.el": ";;; a.el --- a -*- lexical-binding: t -*-\n(provide 'a)\n", "b.el": ";;; b.el --- b -*- lexical-binding: t -*-\n(defun b-sum (_total)\n  (+ totl 1))\n(provide 'b)\n"})

case("sqlite-migration", "sqlite", "shop-db", "migrations", "for f in migrations/*.sql; do\n  echo \"applying $f\"\n  sqlite3 -bail app.db <\"$f\"\ndone",
     ["sqlite3 -bail app.db", ["no such column: emial", "emial"], ["migrations/003.sql"]], [],
     {"migrations/001.sql": "create table users (id integer primary key, email text);\n", "migrations/002.sql": "alter table users add column name text;\n", "migrations/003.sql": "create index by_mail on users (id);\nupdate users set name = emial;\n", "migrations/004.sql": "select 1;\n"})

case("jq-parse-error", "jq", "catalogue", "validate json", "for f in data/*.json; do jq -e . \"$f\" >/dev/null; echo \"$f ok\"; done",
     ["jq -e .", ["parse error"], ["line 3", "data/b.json", "data/a.json ok"]], [],
     {"data/a.json": "{}\n", "data/b.json": "{\n \"x\": 1,\n}\n"})

case("sha256-mismatch", "checksum", "mirror", "verify downloads", "sha256sum -c SHA256SUMS",
     ["sha256sum -c SHA256SUMS", ["dist/b.tar: FAILED"]], ["dist/a.tar: FAILED"],
     {"dist/a.tar": "a\n", "dist/b.tar": "b\n"},
     prepare="sha256sum dist/a.tar dist/b.tar >SHA256SUMS && echo changed >dist/b.tar")

case("node-heap", "memory", "analytics", "aggregate", "node --max-old-space-size=24 agg.js",
     ["node --max-old-space-size=24 agg.js", ["JavaScript heap out of memory"]], [],
     {"agg.js": "for (let i = 0; i < 25; i++) console.log('partition', i, 'loaded');\nconst all = []; for (;;) all.push(new Array(1000).fill(Math.random()));\n"})

case("killed-137", "memory", "trainer", "train (tiny)", "./train.sh",
     ["./train.sh", ["exit code 137"], ["epoch 12", "Killed"]], [],
     {"train.sh": "#!/bin/bash\nfor i in $(seq 12); do echo \"epoch $i loss 0.$((900 - i * 31))\"; done\nkill -9 $$\n"})

case("timeout-124", "timeout", "etl2", "load", "timeout 2 ./load.sh",
     ["timeout 2 ./load.sh", ["exit code 124"], ["waiting for lock on table orders"]], [],
     {"load.sh": "#!/bin/bash\nfor i in $(seq 9); do echo \"batch $i committed\"; done\necho 'waiting for lock on table orders'\nsleep 30\n"})

case("cancelled-while-hanging", "timeout", "peer", "integration (sqlite)", [{"name": "Integration", "run": "./it.sh", "limit": 3}],
     ["./it.sh", ["scenario 8: failover"], ["The operation was canceled"]], [],
     {"it.sh": "#!/bin/bash\nfor i in $(seq 7); do echo \"scenario $i: ok\"; done\necho 'scenario 8: failover'\nsleep 60\n"})

case("sphinx-warning-is-error", "sphinx", "manual", "docs", "sphinx-build -W -b html docs out",
     ["sphinx-build -W -b html docs out", ["unknown document", "document isn't included", "usage2"], ["docs/index.rst", "index.rst"]], [],
     {"docs/conf.py": "project = 'x'\n", "docs/index.rst": "Manual\n======\n\nSee :doc:`usage2`.\n"})

case("mkdocs-strict", "mkdocs", "manual2", "docs", "mkdocs build --strict",
     ["mkdocs build --strict", ["missing.md"], ["strict mode", "index.md"]], [],
     {"mkdocs.yml": "site_name: x\n", "docs/index.md": "# x\n\n[y](missing.md)\n"})

case("ansible-task-failed", "ansible", "play", "converge", "ansible-playbook -i localhost, -c local site.yml",
     ["ansible-playbook -i localhost", ["fatal: [localhost]: FAILED!", "fatal: [localhost]"], ["port 99999 is out of range"], ["check the port"]], [],
     {"site.yml": "- hosts: all\n  gather_facts: false\n  tasks:\n" + "".join("    - name: task %d\n      debug: msg=ok\n" % n for n in range(8)) + "    - name: check the port\n      fail: msg='port 99999 is out of range'\n"})

case("pre-commit-local-hook", "pre-commit", "mono", "pre-commit", "pre-commit run --all-files",
     ["pre-commit run --all-files", ["no tabs"], ["conf/app.ini:2", "conf/app.ini"]], [],
     {".pre-commit-config.yaml": "repos:\n- repo: local\n  hooks:\n  - {id: ok, name: always ok, language: system, entry: 'true', pass_filenames: false}\n  - {id: no-tabs, name: no tabs, language: system, entry: bash -c 'grep -nHP \"\\t\" conf/app.ini && exit 1', pass_filenames: false}\n  - {id: ok2, name: ok too, language: system, entry: 'true', pass_filenames: false}\n", "conf/app.ini": "[a]\n\tb=1\n"},
     prepare="git init -q . && git add .")

case("commitlint", "commitlint", "lib", "commit messages", "echo 'Fixed Stuff.' | commitlint --verbose",
     ["commitlint", ["subject may not be empty", "type may not be empty"]], [],
     {"commitlint.config.js": "module.exports = {rules: {'type-empty': [2, 'never'], 'subject-empty': [2, 'never'], 'subject-full-stop': [1, 'never', '.']}};\n"})

case("allowed-failure-then-real", "two steps", "api", "ci", [
    {"name": "Spelling (advisory)", "run": "codespell docs", "may_fail": True},
    {"name": "Build", "run": "python -m compileall -q src\necho compiled"},
    {"name": "Unit tests", "run": "python -m unittest discover -s tests"},
    {"name": "Upload report", "run": "echo 'uploading report.xml'", "always": True}],
    ["python -m unittest discover -s tests", ["test_limit"], ["3 != 4"]], ["recieve", "uploading report"],
    {"docs/a.md": "recieve\n", "src/a.py": "x = 1\n", "tests/test_a.py": "import unittest\n\nclass A(unittest.TestCase):\n    def test_limit(self):\n        self.assertEqual(3, 4)\n"})

case("two-failures-with-upload-between", "two steps", "api2", "ci (always)", [
    {"name": "Types", "run": "mypy src"},
    {"name": "Upload mypy report", "run": "echo 'uploading mypy.xml'", "always": True},
    {"name": "Lint", "run": "flake8 src", "always": True}],
    ["mypy src", ["Unsupported operand types", "[operator]"], "flake8 src", ["F401", "'os' imported but unused"]], ["uploading mypy.xml"],
    {"src/a.py": "import os\n\n\ndef f(n: int) -> int:\n    return n + 'x'\n"}, cmd=(0, 2))

case("action-input-missing", "action", "site2", "deploy pages", [
    {"name": "Build", "run": "echo built 12 pages"},
    {"name": "Deploy", "uses": "example/deploy-pages@v3", "with": ["branch: pages", "dry-run: false"], "run": "node -e 'console.log(\"Deploying to pages\"); console.log(\"::error::Input required and not supplied: token\"); process.exit(1)'"}],
    ["example/deploy-pages@v3", ["Input required and not supplied: token"]])

case("post-step-python", "post step", "svc", "release", [
    {"name": "Publish", "run": "echo published 3 packages, 0 failed"},
    {"name": "Post Log in", "post": True, "run": "python -c \"import json; print('Removing login'); json.load(open('/home/runner/.docker-ci/config.json'))\""}],
    [["config.json"], ["FileNotFoundError", "No such file or directory"]], ["0 failed"], cmd=())

case("composite-action", "composite", "plugin", "check", [
    {"name": "Full check", "run": "ruby -c lib/plugin.rb", "inside": "check"}],
    ["ruby -c lib/plugin.rb", ["syntax error, unexpected end-of-input", "syntax error"], ["lib/plugin.rb:4", "lib/plugin.rb"]], [],
    {"lib/plugin.rb": "class Plugin\n  def run\n    1\n"})

case("long-noisy-make", "gcc", "bigproj", "build (all)", "make -j2 -k all",
     ["make -j2 -k all", ["'struct node' has no member named 'nxet'", "nxet"], ["src/mod211.c:3"]], ["unused"],
     dict({"Makefile": "OBJ := $(patsubst %.c,%.o,$(wildcard src/*.c))\nall: $(OBJ)\n%.o: %.c\n\tgcc -std=c11 -Wall -Wextra -Iinclude -DNDEBUG -DERROR_LEVEL=2 -fdiagnostics-color=never -fsyntax-only $<\n"},
          **{"src/mod%d.c" % n: "struct node { struct node *next; int v; };\nint f%d(struct node *p, int unused_%d) {\n  return p->%s != 0;\n}\n" % (n, n, "nxet" if n == 211 else "next") for n in range(260)}))

case("long-pytest-xdist-like", "pytest", "monorepo", "tests (shard 3/8)", [{"name": "Shard", "run": "pytest -v -p no:cacheprovider"}],
     ["pytest -v", ["test_currency_is_kept"], ["assert 'EUR' == 'USD'"]], ["PytestDeprecation", "legacy error path"],
     dict({"tests/test_money.py": "def test_currency_is_kept():\n    print('legacy error path used')\n    assert 'EUR' == 'USD'\n"},
          **{"tests/test_part_%02d.py" % n: "import pytest\n\n@pytest.mark.parametrize('n', range(60))\ndef test_error_code(n):\n    assert n >= 0\n" for n in range(30)}))

case("progress-then-error", "script", "assets", "fetch assets", "python fetch.py",
     ["python fetch.py", ["asset pack 3: expected 1048576 bytes, got 524288"]], [],
     {"fetch.py": "import sys\nfor p in range(3):\n    for n in range(0, 101, 1):\n        sys.stdout.write('\\rpack %d: %3d%% [%s]' % (p, n, '#' * (n // 4)))\n    print()\nprint('asset pack 3: expected 1048576 bytes, got 524288')\nsys.exit(4)\n"})

case("perl-die", "perl", "reports", "monthly", "perl -w bin/monthly.pl --month 13",
     ["perl -w bin/monthly.pl --month 13", ["month 13 is out of range at bin/monthly.pl line 3"]], ["uninitialized"],
     {"bin/monthly.pl": "my %o = @ARGV; my $u;\nprint \"section $_ done\\n\" for 1..20; { my $x = \"a\" . $u; }\ndie \"month $o{'--month'} is out of range\" if $o{'--month'} > 12;\n"})
