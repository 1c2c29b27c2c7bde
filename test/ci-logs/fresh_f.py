"""Failing jobs of many tools, collected as from ordinary repositories; each judged once, its expectations written before it was run."""

from unseen import GIT, case as _case, dedented as d, each, numbered


def case(*args, **more):
    _case(*args, folder="fresh-f", **more)


NAMES = ["amber", "beech", "cedar", "delta", "elm", "fern", "grove", "heath", "iris", "jade", "kelp", "lotus"]

# --- compilers, linkers, build systems ------------------------------------------------------------------------------------

case("f-gcc-implicit-decl", "gcc", "tinyhttpd", "build (gcc, -Werror=implicit)", [{"name": "Configure", "run": "echo 'checking for gcc... gcc'\necho 'config.status: creating Makefile'"}, {"name": "Compile", "run": "make CFLAGS='-O2 -Wall -Werror=implicit-function-declaration'"}],
    ["make CFLAGS=", ["implicit declaration of function ‘strlcpy’", "implicit declaration of function"], ["src/req.c:6"]], ["unused variable ‘spare’"],
    {"Makefile": "OBJ := $(patsubst %.c,%.o,$(sort $(wildcard src/*.c)))\nhttpd: $(OBJ)\n\t$(CC) -o $@ $^\n%.o: %.c\n\t@echo '  CC      $@'\n\t@$(CC) $(CFLAGS) -c -o $@ $<\n",
     **each("src/@.c", "int @(void) {\n  int spare;\n  return 1;\n}\n", NAMES), "src/req.c": "#include <stdio.h>\n\nvoid copy(char *to, const char *from)\n{\n  /* bounded */\n  strlcpy(to, from, 64);\n}\n"})

case("f-gxx-deleted-copy", "g++", "taskpool", "linux-gcc (Debug)", [{"name": "Build", "run": "cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Debug\ncmake --build build"}],
    ["cmake --build build", ["use of deleted function"], ["src/pool.cpp:9"]], ["comparison of integer expressions"],
    {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.16)\nproject(pool CXX)\nset(CMAKE_CXX_STANDARD 17)\nadd_compile_options(-Wall -Wextra)\nfile(GLOB SRC src/*.cpp)\nadd_library(pool ${SRC})\n",
     **each("src/@.cpp", "int @(unsigned a, int b) { return a < b; }\n", NAMES[:8]),
     "src/pool.cpp": "#include <memory>\n#include <vector>\n\nstruct Job { std::unique_ptr<int> data; };\n\nvoid run(Job job);\n\nvoid run_all(std::vector<Job> &jobs) {\n  for (auto &j : jobs) run(j);\n}\n"})

case("f-ld-multiple-definition", "ld", "sensor-hub", "link (gcc 12)", [{"name": "Build", "run": "make"}],
    ["make", ["multiple definition of `log_level'", "multiple definition of"], ["src/net.c", "net.o", "log.h"]], [],
    {"Makefile": "OBJ := $(patsubst %.c,%.o,$(sort $(wildcard src/*.c)))\nhub: $(OBJ)\n\t$(CC) -o $@ $^\n", "src/log.h": "int log_level = 2;\n", "src/main.c": "#include \"log.h\"\nint main(void) { return log_level; }\n", "src/net.c": "#include \"log.h\"\nint net(void) { return log_level; }\n",
     **each("src/@.c", "int @(void) { return 1; }\n", NAMES)})

case("f-clang-undeclared", "clang", "romtool", "clang-14", [{"name": "Build", "shell": "bash", "run": "for f in src/*.c; do\n  clang -std=c11 -Wall -fcolor-diagnostics -c \"$f\" -o \"${f%.c}.o\"\ndone"}],
    [["clang -std=c11 -Wall", "for f in src/*.c"], ["use of undeclared identifier 'bank_sise'"], ["src/mapper.c:5"]], ["unused variable 'tmp'"],
    {**each("src/@.c", "int @(void) {\n  int tmp;\n  return 1;\n}\n", NAMES[:9]), "src/mapper.c": "enum { bank_size = 16 };\n\nint map(int n)\n{\n  return n * bank_sise;\n}\n"})

case("f-rust-borrow", "cargo build", "ledgerd", "build (nightly)", [{"name": "Build", "run": "cargo build --offline --release", "env": {"CARGO_TERM_COLOR": "always"}}],
    ["cargo build --offline --release", ["E0502", "cannot borrow `self.rows` as mutable"], ["src/book.rs:8"]], ["unused import"],
    {"Cargo.toml": "[package]\nname = \"ledgerd\"\nversion = \"0.3.0\"\nedition = \"2021\"\n", "src/main.rs": "mod book;\nmod util;\nfn main() { book::Book::default().post(); util::u(); }\n", "src/util.rs": "use std::fmt::Display;\nuse std::collections::HashMap;\npub fn u() {}\n",
     "src/book.rs": "#[derive(Default)]\npub struct Book { rows: Vec<String> }\n\nimpl Book {\n    pub fn post(&mut self) {\n        let first = self.rows.first();\n        // add one\n        self.rows.push(String::new());\n        println!(\"{:?}\", first);\n    }\n}\n"})

case("f-rustdoc-broken-link", "rustdoc", "wiretypes", "docs (stable)", [{"name": "Docs", "run": "cargo doc --offline --no-deps", "env": {"RUSTDOCFLAGS": "-D warnings"}}],
    ["cargo doc --offline --no-deps", ["unresolved link to `Frames`", "unresolved link"], ["src/lib.rs:3"]], [],
    {"Cargo.toml": "[package]\nname = \"wiretypes\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "src/lib.rs": "//! Types.\n\n/// One frame of many, see [`Frames`].\npub struct Frame;\n"})

case("f-go-undefined", "go build", "edge-cache", "build (linux/amd64)", [{"name": "Build", "run": "go version\ngo build -v ./cmd/..."}],
    ["go build -v ./cmd/...", ["undefined: store.NewLRU"], ["cmd/edge/main.go:6"]], [],
    {"go.mod": "module example.org/edge\n\ngo 1.19\n", "store/store.go": "package store\n\nfunc New() int { return 1 }\n", "cmd/edge/main.go": "package main\n\nimport \"example.org/edge/store\"\n\nfunc main() {\n\tprintln(store.NewLRU(12))\n}\n"})

case("f-javac-unreported", "javac", "etl-java", "compile (jdk 17)", [{"name": "Compile", "run": "javac -Xlint -d build $(find src -name '*.java' | sort)"}],
    ["javac -Xlint -d build", ["unreported exception IOException", "unreported exception"], ["src/etl/Load.java:7", "Load.java:7"]], ["[rawtypes]"],
    {"src/etl/Load.java": "package etl;\n\nimport java.nio.file.*;\n\nclass Load {\n  String read(String name) {\n    return Files.readString(Path.of(name));\n  }\n}\n", **each("src/etl/@.java", "package etl;\nclass @ {\n  java.util.Map cache = null;\n}\n", ["Alpha", "Beta", "Gamma"])})

case("f-maven-enforcer-like-test", "maven", "tariff-java", "mvn test", [{"name": "Test", "run": "mvn -B -o test"}],
    ["mvn -B -o test", ["maven-resources-plugin:2.6"], ["could not be resolved", "Cannot access central"]], [],
    {"pom.xml": d("""
      <project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
      <groupId>org.example</groupId><artifactId>tariff</artifactId><version>1.0</version>
      <properties><maven.compiler.source>11</maven.compiler.source><maven.compiler.target>11</maven.compiler.target><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
      <dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.x</version><scope>test</scope></dependency></dependencies>
      </project>
      """), "src/main/java/t/Tariff.java": "package t;\npublic class Tariff { public static int night() { System.err.println(\"WARN rate table is stale\"); return 15; } }\n",
     "src/test/java/t/TariffTest.java": "package t;\nimport org.junit.*;\npublic class TariffTest {\n  @Test public void dayRate() { }\n  @Test public void nightRate() { for (int n = 0; n < 30; n++) System.out.println(\"ok \" + n); Assert.assertEquals(12, Tariff.night()); }\n}\n"})

case("f-kotlin-type-mismatch", "kotlinc", "quotes-kt", "kotlin 1.x", "kotlinc -Werror src -d out.jar",
    ["kotlinc -Werror src", ["type mismatch: inferred type is String but Int was expected", "type mismatch"], ["src/Quote.kt:3"]], [],
    {"src/Quote.kt": "class Quote(val cents: Int)\n\nfun parse(s: String) = Quote(s)\n", "src/Cli.kt": "fun cli() = println(\"quote\")\n"})

case("f-ghc-ambiguous", "ghc", "stats-hs", "ghc (cabal-less)", "ghc -Wall -O0 -isrc -outputdir o app/Main.hs -o stats",
    ["ghc -Wall -O0 -isrc", ["Couldn't match expected type", "Couldn't match type"], ["src/Stats.hs:4"]], ["Defined but not used"],
    {"app/Main.hs": "module Main (main) where\nimport Stats\nimport Extra\nmain :: IO ()\nmain = print (mean [1, 2] + extra)\n", "src/Extra.hs": "module Extra (extra) where\nextra :: Double\nextra = 2\nspare :: Int\nspare = 3\n", "src/Stats.hs": "module Stats (mean) where\n\nmean :: [Double] -> Double\nmean xs = sum xs / length xs\n"})

case("f-crystal-undefined-method", "crystal", "feeds-cr", "crystal build", "crystal build --no-color src/feeds.cr -o feeds",
    ["crystal build --no-color", ["undefined method 'titel' for Item", "undefined method 'titel'"], ["src/feeds.cr:5"]], [],
    {"src/feeds.cr": "class Item\n  getter title = \"a\"\nend\n\nputs Item.new.titel\n"})

case("f-ldc-unittest", "ldc2", "strutil-d", "unittest (ldc)", "ldc2 -unittest -main -of=ut source/strutil.d\n./ut",
    ["./ut", ["source/strutil.d(9)", "strutil.d(9)"], ["Assertion failure"]], [],
    {"source/strutil.d": "module strutil;\n\nint[] order(int[] a) { return a; }\n\nunittest { assert(order([]) == []); }\n\nunittest {\n  auto got = order([3, 1]);\n  assert(got == [1, 3]);\n}\n"})

case("f-mcs-cannot-convert", "csharp", "planner-cs", "mcs", "mcs -out:planner.exe -warn:4 $(ls src/*.cs)",
    ["mcs -out:planner.exe", ["CS0029", "Cannot implicitly convert type `string' to `int'"], ["src/Slot.cs(3"]], [],
    {"src/Main.cs": "class P { static void Main() { int spare = 1; } }\n", "src/Slot.cs": "class Slot {\n  int Parse(string s) {\n    int n = s;\n    return n;\n  }\n}\n"})

case("f-fpc-missing-unit", "fpc", "ledger-pas", "fpc build", "fpc -vewn src/ledger.pas -oledger",
    ["fpc -vewn src/ledger.pas", ["Can't find unit Currency", "Can't find unit"], ["ledger.pas(3"]], [],
    {"src/ledger.pas": "program ledger;\n\nuses SysUtils, Currency;\n\nbegin\n  WriteLn('hi');\nend.\n"})

case("f-gnat-missing-body", "gnat", "radio-ada", "gnatmake", "gnatmake -gnatwa -D obj -Isrc main.adb",
    ["gnatmake -gnatwa", ["\"Volume\" is undefined"], ["main.adb:6"]], [],
    {"main.adb": "with Ada.Text_IO; use Ada.Text_IO;\nwith Tuner;\nprocedure Main is\nbegin\n   Put_Line (\"on\");\n   Tuner.Set (Volume);\nend Main;\n", "src/tuner.ads": "package Tuner is\n   procedure Set (N : Integer);\nend Tuner;\n", "obj/.keep": ""})

case("f-iverilog-unknown-module", "iverilog", "vga-core", "elaborate", "iverilog -g2012 -Wall -o sim rtl/*.v tb/top_tb.v",
    ["iverilog -g2012 -Wall", ["Unknown module type: line_buffer"], ["rtl/vga.v:3"]], [],
    {"rtl/vga.v": "`timescale 1ns/1ps\nmodule vga(input clk, output [7:0] q);\n  line_buffer lb(.clk(clk), .q(q));\nendmodule\n", "tb/top_tb.v": "module top_tb;\n  reg clk = 0;\n  wire [7:0] q;\n  vga v(.clk(clk), .q(q));\nendmodule\n"})

case("f-yosys-missing-module", "yosys", "blinky", "synth (ice40)", "yosys -p 'read_verilog rtl/top.v; synth -top blinky; stat'",
    ["yosys -p", ["Module `blinky' not found"]], [],
    {"rtl/top.v": "module top(input clk, output led);\n  reg [23:0] n;\n  always @(posedge clk) n <= n + 1;\n  assign led = n[23];\nendmodule\n"})

case("f-nasm-bad-operand", "nasm", "bootsector", "assemble", "for f in boot stage2; do echo \"asm $f\"; nasm -Wall -f bin -o $f.bin src/$f.asm; done",
    [["nasm -Wall -f bin", "for f in boot stage2"], ["invalid combination of opcode and operands"], ["src/stage2.asm:4"]], [],
    {"src/boot.asm": "bits 16\norg 0x7c00\n  cli\n  hlt\n", "src/stage2.asm": "bits 16\n; go\n  cli\n  mov ax, bl\n  hlt\n"})

case("f-protoc-duplicate-number", "protoc", "events-proto", "protoc", "protoc -I proto --python_out=/dev/null proto/*.proto || protoc -I proto --descriptor_set_out=all.pb proto/*.proto",
    ["protoc -I proto", ["Field number 3 has already been used in \"shop.Order\" by field \"total\"", "has already been used"], ["order.proto:7"]], [],
    {"proto/order.proto": "syntax = \"proto3\";\npackage shop;\nmessage Order {\n  string id = 1;\n  string buyer = 2;\n  int64 total = 3;\n  string note = 3;\n}\n", "proto/item.proto": "syntax = \"proto3\";\npackage shop;\nmessage Item { string sku = 1; }\n"})

case("f-cmake-missing-subdir", "cmake", "codec-suite", "configure", [{"name": "Configure", "run": "cmake -S . -B build -DWITH_TOOLS=ON"}],
    ["cmake -S . -B build -DWITH_TOOLS=ON", ["add_subdirectory given source \"tools/bench\" which is not an existing directory", "which is not an existing"], ["CMakeLists.txt:4"]], [],
    {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.16)\nproject(codec C)\nmessage(STATUS \"OpenMP was not found\")\nadd_subdirectory(tools/bench)\n" + numbered("message(STATUS \"option @ is off\")\n", 10)})

case("f-ninja-missing-input", "ninja", "gamepack", "pack", "python3 gen.py > build.ninja\nninja -v",
    ["ninja -v", ["'assets/level9.map', needed by 'out/level9.pak', missing and no known rule to make it", "missing and no known rule to make it"]], [],
    {"gen.py": "print('rule pack\\n  command = cp $in $out')\nfor n in range(12): print(f'build out/level{n}.pak: pack assets/level{n}.map')\n", **{"assets/level%d.map" % n: "m" for n in range(12) if n != 9}})

case("f-scons-compile", "scons", "synthbox", "scons", "scons -j1 -Q",
    ["scons -j1 -Q", ["unknown type name ‘uint16_t’", "unknown type name"], ["dsp/reverb.c:1"]], [],
    {"SConstruct": "Program('synthbox', sorted(Glob('dsp/*.c'), key=str))\n", **each("dsp/@.c", "int @;\n", NAMES[:9]), "dsp/main.c": "int main(void) { return 0; }\n", "dsp/reverb.c": "uint16_t taps[4];\n"})

case("f-meson-compile", "meson", "panel-widget", "build (meson)", [{"name": "Build", "run": "meson setup build --buildtype=debug\nmeson compile -C build"}],
    ["meson compile -C build", ["too few arguments to function ‘draw’", "too few arguments to function"], ["clock.c:4"]], [],
    {"meson.build": "project('panel', 'c', default_options: ['warning_level=2'])\nexecutable('panel', 'src/main.c', 'src/clock.c', 'src/tray.c')\n", "src/main.c": "int main(void) { return 0; }\n", "src/tray.c": "int tray(void) { return 0; }\n", "src/clock.c": "void draw(int x, int y);\nvoid tick(void)\n{\n  draw(3);\n}\n"})

case("f-ant-javac", "ant", "imgtool-java", "ant (jdk 17)", "ant -noinput dist",
    ["ant -noinput dist", ["cannot find symbol"], ["Crop.java:3"]], [],
    {"build.xml": "<project name='imgtool' default='dist'>\n<target name='init'><mkdir dir='out'/></target>\n<target name='compile' depends='init'><javac srcdir='src' destdir='out' includeantruntime='false'/></target>\n<target name='dist' depends='compile'><jar destfile='i.jar' basedir='out'/></target>\n</project>\n", "src/Crop.java": "class Crop {\n  int side(Rect2 r) {\n    return 1;\n  }\n}\n".replace("  int side(Rect2 r) {\n    return 1;", "  int side(int w) {\n    return Match.min(w, 3);")})

case("f-make-missing-separator", "make", "dot-config", "install test", "make -n install\nmake install DESTDIR=stage",
    ["make -n install", ["missing separator"], ["Makefile:6"]], [],
    {"Makefile": "PREFIX = /usr\nall:\n\t@echo all\n\ninstall:\n    install -d $(DESTDIR)$(PREFIX)\n"})

case("f-automake-check-log", "automake", "unitconv", "make check", [{"name": "Bootstrap", "run": "autoreconf -i >/dev/null 2>&1\n./configure -q"}, {"name": "Check", "run": "make check || { cat test-suite.log; exit 1; }"}],
    ["make check", ["t/kelvin.sh", "FAIL: t/kelvin"], ["0K: got -273, want -273.15"]], [],
    {"configure.ac": "AC_INIT([unitconv], [1.0])\nAM_INIT_AUTOMAKE([foreign])\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n", "Makefile.am": "TEST_EXTENSIONS = .sh\nTESTS = " + " ".join("t/%s.sh" % n for n in NAMES) + " t/kelvin.sh\nEXTRA_DIST = $(TESTS)\n", **each("t/@.sh", "#!/bin/sh\necho 'warning: old table'\nexit 0\n", NAMES), "t/kelvin.sh": "#!/bin/sh\necho 'kelvin: 4 checks'\necho '0K: got -273, want -273.15'\nexit 1\n"})

# --- test runners -------------------------------------------------------------------------------------------------------------

case("f-pytest-fixture-missing", "pytest", "parcel-py", "tests (3.11)", [{"name": "Tests", "run": "pytest -v --color=yes"}],
    ["pytest -v --color=yes", ["test_label_size"], ["fixture 'printr' not found"]], ["address is deprecated"],
    {**each("test_@.py", "import pytest, warnings\n\n\ndef t(n):\n    warnings.warn('address is deprecated', DeprecationWarning)\n\n\ntest_@ = pytest.mark.parametrize('n', range(15))(t)\ndel t\n", NAMES[:5]), "test_zlabel.py": "def test_ok():\n    pass\n\n\ndef test_label_size(printr):\n    assert printr.size == 4\n"})

case("f-pytest-two-failures-xdist", "pytest", "forum-py", "tests (xdist)", "python -m pytest -n 2 -q --durations=3 tests",
    ["python -m pytest -n 2 -q", ["test_thread_locked"], ["KeyError: 'locked'"], ["test_signature"], ["assert '-- ' in 'hello'"]], [],
    {**each("tests/test_@.py", "import pytest\n\n\ndef t(n):\n    pass\n\n\ntest_@ = pytest.mark.parametrize('n', range(30))(t)\n", NAMES[:6]), "tests/test_thread.py": "def test_thread_locked():\n    thread = {'id': 3}\n    assert thread['locked']\n\n\ndef test_signature():\n    assert '-- ' in 'hello'\n"})

case("f-pytest-approx", "pytest", "orbit-py", "numerics", "pytest --tb=short -rA tests/",
    ["pytest --tb=short -rA", ["test_period_of_mars"], ["686.2", "assert 680.1 == 686.2 ± 6.9e-04"], ["tests/test_orbit.py:14"]], ["kernel file is old"],
    {"tests/test_orbit.py": "import logging\nimport pytest\n\n\n@pytest.mark.parametrize('n', range(20))\ndef test_ephemeris(n):\n    logging.error('kernel file is old')\n    print('loaded', n)\n\n\ndef test_period_of_mars():\n    got = 680.1\n    # days\n    assert got == pytest.approx(686.2)\n"})

case("f-pytest-subprocess-cli", "pytest", "backupctl", "cli tests", "pytest -q tests/test_cli.py",
    ["pytest -q tests/test_cli.py", ["test_restore_prints_summary"], ["unrecognized arguments: --dry", "assert 2 == 0"]], [],
    {"cli.py": "import argparse\np = argparse.ArgumentParser(prog='backupctl')\np.add_argument('--dry-run', action='store_true')\np.add_argument('--tag', action='append')\nimport sys\nif '--dry' in sys.argv: p.allow_abbrev = False\np.parse_args()\n", "tests/test_cli.py": "import subprocess, sys\nimport pytest\n\n\n@pytest.mark.parametrize('n', range(60))\ndef test_tag(n):\n    pass\n\n\ndef test_restore_prints_summary():\n    done = subprocess.run([sys.executable, 'cli.py', '--dry', '3'])\n    assert done.returncode == 0\n"})

case("f-unittest-buffer", "unittest", "clockwork", "unit (3.11)", "python -m unittest discover -s tests -b -v",
    ["python -m unittest discover -s tests", ["test_dst_gap"], ["AssertionError: 3 != 2", "3 != 2"]], [],
    {"tests/test_clock.py": "import sys\nimport unittest\n\n\nclass Clock(unittest.TestCase):\n" + numbered("    def test_tick_@(self):\n        print('error: clock drift')\n\n", 40) + "    def test_dst_gap(self):\n        self.assertEqual(3, 2)\n"})

case("f-pytest-doctest-modules", "pytest", "units-lib", "doctests", "pytest --doctest-modules -q units",
    ["pytest --doctest-modules -q units", ["units.length.feet", "units/length.py"], ["3.281"], ["3.2808"]], [],
    {"units/__init__.py": "", "units/mass.py": "def kg(n):\n    \"\"\"\n    >>> kg(2)\n    2\n    \"\"\"\n    return n\n", "units/length.py": "def feet(m):\n    \"\"\"Feet of metres.\n\n    >>> feet(1)\n    3.281\n    \"\"\"\n    return m * 3.2808\n"})

case("f-green-runner", "green", "plot-py", "tests (green)", "green -vv tests",
    ["green -vv tests", ["test_axis_labels"], ["Lists differ: ['0', '5'] != ['0', '5', '10']", "Second list contains 1 additional elements"]], [],
    {"tests/__init__.py": "", "tests/test_axis.py": "import unittest\n\n\nclass Axis(unittest.TestCase):\n" + numbered("    def test_scale_@(self):\n        pass\n\n", 30) + "    def test_axis_labels(self):\n        self.assertEqual(['0', '5'], ['0', '5', '10'])\n"})

case("f-behave-step-fails", "behave", "kiosk-bdd", "acceptance", "behave --no-color --format progress3",
    ["behave --no-color --format progress3", ["Refund after close"], ["drawer is 40, want 35"]], [],
    {"features/refund.feature": "Feature: refunds\n" + numbered("  Scenario: Sale @\n    Given a till with 40\n", 15) + "  Scenario: Refund after close\n    Given a till with 40\n    Then the drawer holds 35\n", "features/steps/s.py": "from behave import *\n\n\n@given('a till with {n:d}')\ndef g(c, n):\n    c.n = n\n\n\n@then('the drawer holds {n:d}')\ndef t(c, n):\n    assert c.n == n, f'drawer is {c.n}, want {n}'\n"})

case("f-jest-snapshot-obsolete", "jest", "badge-ui", "unit (jest)", "jest --ci --colors",
    ["jest --ci --colors", ["renders the overdue badge"], ["badge--late"], ["test/badge.test.js:3", "test/badge.test.js"]], ["deprecated colour name"],
    {"package.json": "{\"name\": \"b\"}\n", **each("test/@.test.js", "test('keeps @', () => { console.warn('deprecated colour name'); });\n", NAMES[:6]), "test/badge.test.js": "const badge = late => `<b class=\"badge badge--${late ? 'overdue' : 'ok'}\">`;\ntest('renders the ok badge', () => expect(badge(false)).toMatch('badge--ok'));\ntest('renders the overdue badge', () => expect(badge(true)).toBe('<b class=\"badge badge--late\">'));\n"})

case("f-jest-syntax", "jest", "cart-web", "unit", "npx jest --ci --verbose",
    ["npx jest --ci --verbose", ["test/total.test.js"], ["SyntaxError: Unexpected token", "Unexpected token"], ["src/total.js"]], [],
    {"package.json": "{\"name\": \"c\"}\n", **each("test/@.test.js", "describe('@', () => { for (let i = 0; i < 9; i++) test('adds ' + i, () => {}); });\n", NAMES[:6]), "src/total.js": "module.exports = function total(items) {\n  return items.reduce((a, b) => a + b.price, 0;\n};\n", "test/total.test.js": "const total = require('../src/total');\ntest('sums', () => expect(total([])).toBe(0));\n"})

case("f-vitest-each-and-junit", "vitest", "tax-ts", "unit (vitest)", "vitest run --reporter=verbose",
    ["vitest run --reporter=verbose", ["rounds 2.675 up"], ["expected 2.67 to be 2.68"], ["test/round.test.ts:5", "test/round.test.ts"]], [],
    {"package.json": "{\"name\": \"tax\", \"type\": \"module\"}\n", "test/round.test.ts": "import { test, expect } from 'vitest';\nconst round = (n: number) => Math.round(n * 100) / 100;\nfor (let i = 0; i < 30; i++) test('keeps ' + i, () => { if (i == 3) console.error('slow locale data'); });\ntest.each([[1.005, 1], [2.675, 2.68]])('rounds %d up', (n, want) => {\n  expect(n === 2.675 ? 2.67 : 1).toBe(want);\n});\n"})

case("f-mocha-dot-reporter", "mocha", "acl-js", "test (node 20)", "mocha --reporter dot 'test/*.js'",
    ["mocha --reporter dot", ["denies a guest"], ["expected true to be false", "+true", "Expected values to be strictly equal"], ["test/acl.js:4"]], [],
    {"test/acl.js": "const assert = require('assert');\ndescribe('acl', () => {\n  for (let i = 0; i < 90; i++) it('allows ' + i, () => {});\n  it('denies a guest', () => assert.strictEqual(true, false));\n});\n"})

case("f-mocha-json-min", "mocha", "wallet-js", "unit (min)", "mocha --reporter min test.js",
    ["mocha --reporter min", ["locks after five tries"], ["wallet.lock is not a function"]], [],
    {"test.js": "describe('wallet', () => {\n  for (let i = 0; i < 25; i++) it('opens ' + i, () => {});\n  it('locks after five tries', () => { const wallet = {}; wallet.lock(); });\n});\n"})

case("f-node-test-dot", "node --test", "ring-js", "node 20 (dot)", "node --test --test-reporter=dot test/",
    ["node --test --test-reporter=dot", ["drops the oldest"], ["'b' !== 'a'", "Expected values to be strictly equal"]], [],
    {"test/ring.test.js": "const test = require('node:test'); const assert = require('assert');\nfor (let i = 0; i < 40; i++) test('pushes ' + i, () => {});\ntest('drops the oldest', () => { assert.strictEqual('b', 'a'); });\n"})

case("f-jasmine-error", "jasmine", "menu-js", "jasmine", "jasmine --random=false 'spec/*.js'",
    ["jasmine --random=false", ["menu closes on escape", "closes on escape"], ["Expected 'open' to equal 'closed'"]], [],
    {"spec/menu.js": "describe('menu', () => {\n  for (let i = 0; i < 30; i++) it('item ' + i, () => { expect(i).toBe(i); });\n  it('closes on escape', () => { expect('open').toEqual('closed'); });\n});\n"})

case("f-lab-runner", "lab", "hawk-auth", "test (lab)", "lab -v test/index.js",
    ["lab -v test/index.js", ["rejects a stale nonce"], ["Expected 200 to equal 401", "expected 200 to equal 401"]], [],
    {"test/index.js": "const Lab = require('@hapi/lab');\nconst lab = exports.lab = Lab.script();\nlab.experiment('auth', () => {\n  for (let i = 0; i < 20; i++) lab.test('accepts ' + i, () => {});\n  lab.test('rejects a stale nonce', () => { throw new Error('Expected 200 to equal 401'); });\n});\n"}, prepare="mkdir -p node_modules/@hapi && ln -s /tmp/tools/node-f/node_modules/@hapi/lab node_modules/@hapi/lab")

case("f-cucumber-js", "cucumber", "loyalty-js", "features", "cucumber-js --format progress",
    ["cucumber-js --format progress", ["Points expire"], ["balance 30, want 0"]], [],
    {"features/points.feature": "Feature: points\n" + numbered("  Scenario: Earn @\n    Given a member\n", 10) + "  Scenario: Points expire\n    Given a member\n    Then the balance is 0\n", "features/s.js": "const { Given, Then } = require('@cucumber/cucumber');\nGiven('a member', function () {});\nThen('the balance is {int}', function (n) { throw new Error('balance 30, want ' + n); });\n"}, prepare="mkdir -p node_modules/@cucumber && ln -s $(dirname $(find /tmp/tools/*/node_modules/@cucumber/cucumber -maxdepth 1 -name package.json | head -1)) node_modules/@cucumber/cucumber")

case("f-nyc-threshold", "nyc", "cidr-js", "coverage (nyc)", "nyc --check-coverage --branches 90 --reporter text mocha test.js",
    ["nyc --check-coverage --branches 90", ["Coverage for branches (50%) does not meet global threshold (90%)", "does not meet global threshold (90%)"], ["cidr.js"]], [],
    {"package.json": "{\"name\": \"cidr\"}\n", "cidr.js": "module.exports = n => {\n  if (n > 32) {\n    return null;\n  }\n  return n;\n};\n", "test.js": "const c = require('./cidr');\nfor (let i = 0; i < 20; i++) it('parses ' + i, () => c(i));\n"})

case("f-go-subtest-table", "go test", "slot-go", "test (linux)", "go test -v -count=1 ./...",
    ["go test -v -count=1 ./...", ["TestOverlap/ends_at_midnight"], ["overlap = false, want true"], ["slot_test.go:15"]], ["clock skew"],
    {"go.mod": "module example.org/slot\n\ngo 1.19\n", "slot_test.go": "package slot\n\nimport (\n\t\"log\"\n\t\"strconv\"\n\t\"testing\"\n)\n\nfunc TestMany(t *testing.T) {\n\tlog.Print(\"error: clock skew\")\n\tfor i := 0; i < 30; i++ { t.Run(strconv.Itoa(i), func(t *testing.T) {}) }\n}\n\nfunc TestOverlap(t *testing.T) {\n\tt.Run(\"ends at midnight\", func(t *testing.T) { t.Errorf(\"overlap = %v, want true\", false) })\n\tt.Run(\"starts at noon\", func(t *testing.T) {})\n}\n"})

case("f-go-test-nil-panic", "go test", "quota-go", "unit", "go test ./...",
    ["go test ./...", ["TestChargeUnknownTenant"], ["nil pointer dereference"], ["quota/quota.go:6", "quota.go:6"]], [],
    {"go.mod": "module example.org/quota\n\ngo 1.19\n", **each("@/@.go", "package @\n", NAMES[:6]), "quota/quota.go": "package quota\n\ntype T struct{ n int }\n\nfunc Charge(t *T) {\n\tt.n++\n}\n", "quota/quota_test.go": "package quota\n\nimport \"testing\"\n\nfunc TestChargeUnknownTenant(t *testing.T) { Charge(nil) }\n"})

case("f-cargo-doc-test", "cargo test", "lines-rs", "test (stable)", "cargo test --offline",
    ["cargo test --offline", ["src/lib.rs - wrap (line 3)", "wrap (line 3)"], ["left: 2", "right: 3"]], [],
    {"Cargo.toml": "[package]\nname = \"lines-rs\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "src/lib.rs": "/// Wraps.\n///\n/// ```\n/// assert_eq!(lines_rs::wrap(\"a b\"), 3);\n/// ```\npub fn wrap(_: &str) -> usize { 2 }\n#[cfg(test)]\nmod tests {\n" + numbered("    #[test]\n    fn keeps_@() {}\n", 60) + "}\n"})

case("f-cargo-test-result-err", "cargo test", "confd-rs", "test (1.7x, linux)", "cargo test --offline --workspace --no-fail-fast",
    ["cargo test --offline --workspace", ["loads_the_old_format"], ["missing field `listen`", "missing field"]], [],
    {"Cargo.toml": "[workspace]\nresolver = \"2\"\nmembers = [\"a\", \"b\"]\n", **each("@/Cargo.toml", "[package]\nname = \"@\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", ["a", "b"]), "b/src/lib.rs": "#[cfg(test)]\nmod tests {\n" + numbered("    #[test]\n    fn ok_@() {}\n", 40) + "}\n", "a/src/lib.rs": "#[cfg(test)]\nmod tests {\n    #[test]\n    fn loads_the_old_format() -> Result<(), String> {\n        Err(\"missing field `listen` at line 4\".into())\n    }\n}\n"})

case("f-rspec-let-nomethod", "rspec", "tickets-rb", "rspec (3.1)", "rspec --force-color --format documentation spec",
    ["rspec --force-color", ["Ticket escalates after two days", "escalates after two days"], ["undefined method `hours'", "NoMethodError"], ["spec/ticket_spec.rb:3"]], ["priority is deprecated"],
    {"spec/ticket_spec.rb": "RSpec.describe 'Ticket' do\n  it('opens') { warn 'priority is deprecated' }\n  let(:age) { 48.hours }\n" + numbered("  it('keeps @') { }\n", 40) + "  it 'escalates after two days' do\n    expect(age).to eq 2\n  end\nend\n"})

case("f-test-unit-ruby", "test-unit", "csvkit-rb", "ruby 3.1", "ruby -Ilib test/test_csv.rb",
    ["ruby -Ilib test/test_csv.rb", ["test_quoted_newline"], ["<\"a\\nb\"> expected but was", "expected but was"], ["test/test_csv.rb:4"]], [],
    {"lib/x.rb": "", "test/test_csv.rb": "require 'test/unit'\nclass TestCsv < Test::Unit::TestCase\n" + "  def test_quoted_newline\n    assert_equal(\"a\\nb\", \"a b\")\n  end\n" + numbered("  def test_row_@; assert true; end\n", 30) + "end\n"})

case("f-phpunit-exception", "phpunit", "cart-php", "phpunit 9", "phpunit --colors=never --testdox tests",
    ["phpunit --colors=never --testdox", ["Removes last line", "removesLastLine", "testRemovesLastLine"], ["UnderflowException: cart is empty", "cart is empty"], ["tests/CartTest.php:6"]], [],
    {"tests/CartTest.php": "<?php\nuse PHPUnit\\Framework\\TestCase;\nfinal class CartTest extends TestCase {\n  /** @dataProvider many */ public function testKeeps($n): void { $this->assertTrue(true); }\n  public function many(): array { return array_map(fn($n) => [$n], range(0, 20)); }\n  public function testRemovesLastLine(): void { throw new UnderflowException('cart is empty'); }\n}\n"})

case("f-prove-die-in-test", "prove", "Net-Poll", "perl / prove", "prove -l -v t",
    ["prove -l -v t", ["t/30-retry.t"], ["Can't locate object method \"backoff\" via package \"Net::Poll\"", "Can't locate object method"], ["t/30-retry.t line 3"]], [],
    {"lib/Net/Poll.pm": "package Net::Poll;\nsub new { bless {} }\n1;\n", **each("t/@.t", "use Test::More;\nok 1, \"@ $_\" for 1 .. 12;\ndone_testing;\n", ["10-load", "20-poll", "40-close"]), "t/30-retry.t": "use Test::More; use Net::Poll;\nok 1, 'made';\nis(Net::Poll->new->backoff, 2, 'backs off');\ndone_testing;\n"})

case("f-bats-status", "bats", "deploy-sh", "bats (tap)", "bats --tap test",
    ["bats --tap test", ["rollback restores the link"], ["test/deploy.bats, line 8", "`[ \"$status\" -eq 0 ]' failed"]], [],
    {"test/a.bats": "@test \"lists\" { true; }\n" + numbered("@test \"keeps @\" { true; }\n", 20), "test/deploy.bats": "rollback() { echo 'no previous release'; return 4; }\n\n@test \"deploys\" {\n  true\n}\n@test \"rollback restores the link\" {\n  run rollback\n  [ \"$status\" -eq 0 ]\n}\n"})

case("f-shunit2", "shunit2", "path-sh", "shunit2", "sh test/path_test.sh",
    ["sh test/path_test.sh", ["testJoinsTrailingSlash"], ["expected:<a/b> but was:<a//b>"]], [],
    {"test/path_test.sh": "testEmpty() { assertEquals '' ''; }\n" + numbered("testKeeps@() { assertEquals 1 1; }\n", 12) + "testJoinsTrailingSlash() {\n  assertEquals 'joined' 'a/b' 'a//b'\n}\n. shunit2\n"})

case("f-busted-spec", "busted", "router-lua", "busted", "busted --output=utfTerminal spec",
    ["busted --output=utfTerminal spec", ["router matches a wildcard", "matches a wildcard"], ["Expected objects to be equal", "Passed in:"], ["spec/router_spec.lua:4"]], [],
    {"spec/router_spec.lua": "describe('router', function()\n  for n = 1, 30 do it('keeps ' .. n, function() end) end\n  it('matches a wildcard', function()\n    assert.are.equal('/a/*', '/a/b')\n  end)\nend)\n"})

case("f-ert-error-in-test", "ert", "journal-el", "emacs 28", "emacs -Q --batch -L . -l journal-tests.el -f ert-run-tests-batch-and-exit",
    ["emacs -Q --batch -L .", ["journal-test-carries-todo"], ["(void-function journal--carry)", "void-function journal--carry"]], [],
    {"journal-tests.el": ";;; -*- lexical-binding: t -*-\n(require 'ert)\n" + numbered("(ert-deftest journal-test-keeps-@ () (message \"Warning: old org file\") (should t))\n", 30) + "(ert-deftest journal-test-carries-todo ()\n  (should (equal (journal--carry \"TODO a\") '(\"a\"))))\n"})

case("f-exunit-match-error", "exunit", "inbox_ex", "mix test", [{"name": "Test", "run": "mix test --no-color --seed 0"}],
    ["mix test --no-color", ["test archives a thread"], ["no match of right hand side value: {:error, :locked}", "MatchError"], ["test/inbox_test.exs:6"]], [],
    {"mix.exs": "defmodule Inbox.MixProject do\n  use Mix.Project\n  def project, do: [app: :inbox, version: \"0.1.0\", deps: []]\nend\n", "lib/inbox.ex": "defmodule Inbox do\n  def archive(_), do: {:error, :locked}\nend\n", "test/test_helper.exs": "ExUnit.start()\n", "test/inbox_test.exs": "defmodule InboxTest do\n  use ExUnit.Case\n  for n <- 1..30, do: test(\"keeps #{n}\", do: :ok)\n\n  test \"archives a thread\" do\n    {:ok, _} = Inbox.archive(3)\n  end\nend\n"})

case("f-gtest-death-in-ctest", "gtest", "bitset-cc", "ctest (Release)", [{"name": "Build", "run": "cmake -S . -B build > /dev/null\ncmake --build build > /dev/null"}, {"name": "Test", "run": "ctest --test-dir build --output-on-failure"}],
    ["ctest --test-dir build", ["BitsetTest.ShiftByWidth"], ["Which is: 255", "shift(255, 8)"], ["t.cc:5"]], [],
    {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.16)\nproject(b CXX)\nenable_testing()\nfind_package(GTest REQUIRED)\nadd_executable(t t.cc)\ntarget_link_libraries(t GTest::gtest_main)\nadd_test(NAME unit COMMAND t)\nforeach(n RANGE 20)\n  add_test(NAME smoke_${n} COMMAND t --gtest_filter=Nothing)\nendforeach()\n", "t.cc": "#include <gtest/gtest.h>\nint shift(int v, int) { return v; }\nTEST(BitsetTest, Sets) { EXPECT_EQ(1, 1); }\nTEST(BitsetTest, ShiftByWidth) {\n  EXPECT_EQ(0, shift(255, 8));\n}\n"})

case("f-junit5-console", "junit", "money-java", "junit (jdk 17)", "javac -cp /usr/share/java/junit4.jar -d out src/*.java\njava -cp out:/usr/share/java/junit4.jar:/usr/share/java/hamcrest-core.jar org.junit.runner.JUnitCore MoneyTest",
    [["java -cp out", "org.junit.runner.JUnitCore MoneyTest"], ["splitsEvenly"], ["expected:<[34, 33, 33]> but was:<[33, 33, 33]>", "expected:<[3[4], 33, 33]> but was:<[3[3], 33, 33]>"], ["MoneyTest.java:5"]], [],
    {"src/MoneyTest.java": "import org.junit.*;\npublic class MoneyTest {\n  @Test public void adds() { for (int n = 0; n < 40; n++) System.out.println(\"added \" + n); }\n  @Test public void splitsEvenly() {\n    Assert.assertEquals(\"[34, 33, 33]\", \"[33, 33, 33]\");\n  }\n}\n"})

case("f-dejagnu", "dejagnu", "calc-gnu", "runtest", "runtest --tool calc",
    ["runtest --tool calc", ["FAIL: subtract"], ["calc.log", "# of unexpected failures", "unexpected failures"]], [],
    {"testsuite/calc.test/basic.exp": "foreach n {1 2 3 4 5 6} { pass \"add $n\" }\nfail \"subtract\"\npass \"multiply\"\n", "calc.test/basic.exp": "foreach n {1 2 3 4 5 6} { pass \"add $n\" }\nfail \"subtract\"\npass \"multiply\"\n", "config/default.exp": ""})

case("f-octave-assert", "octave", "dsp-m", "octave tests", "octave-cli --no-gui --norc run_tests.m",
    ["octave-cli --no-gui", ["window_is_symmetric", "symmetric"], ["ASSERT errors for:", "Abs err"]], [],
    {"run_tests.m": "for n = 1:20\n  printf('ok filter_%d\\n', n);\nend\nprintf('running window_is_symmetric\\n');\nassert([1 2 1.5], [1.5 2 1.5], 1e-6);\n"})

case("f-tcltest", "tcltest", "cfg-tcl", "tcltest", "tclsh tests/all.tcl",
    ["tclsh tests/all.tcl", ["cfg-2.1"], ["Result was"], ["line 12"]], [],
    {"tests/all.tcl": "package require tcltest\nnamespace import tcltest::*\nfor {set n 1} {$n < 20} {incr n} { test cfg-1.$n keeps {expr 1} 1 }\ntest cfg-2.1 {reads a section} {\n  string toupper abc\n} {line 12}\nset f $tcltest::numTests(Failed)\ncleanupTests\nexit [expr {$f > 0}]\n"})

# --- linters, type checkers, formatters ---------------------------------------------------------------------------------------

case("f-eslint-json-then-summary", "eslint", "chat-web", "lint", [{"name": "Lint", "run": "npm run -s lint"}],
    ["npm run -s lint", ["no-undef", "'socket' is not defined"], ["src/room.js", "12:3"]], [],
    {"package.json": "{\"name\": \"chat\", \"scripts\": {\"lint\": \"eslint --color src\"}}\n", "eslint.config.mjs": "export default [{rules: {'no-undef': 'error', 'no-unused-vars': 'warn'}}];\n", **each("src/@.js", "const unused = 1;\nexport const @ = 2;\n", NAMES[:7]), "src/room.js": "export function join(id) {\n" + "  // step\n" * 10 + "  socket.emit('join', id);\n}\n"})

case("f-oxlint", "oxlint", "player-web", "oxlint", "oxlint --deny-warnings src",
    ["oxlint --deny-warnings src", ["no-debugger", "`debugger` statement is not allowed"], ["src/seek.js:2"]], [],
    {**each("src/@.js", "export const @ = 2;\n", NAMES[:7]), "src/seek.js": "export function seek(t) {\n  debugger;\n  return t;\n}\n"})

case("f-html-validate", "html-validate", "brochure-site", "html", "html-validate public/*.html",
    ["html-validate public/*.html", ["public/prices.html", "prices.html:5", "5:"], ["<img> is missing required \"src\" attribute", "required \"src\" attribute", "element-required-attributes"]], [],
    {".htmlvalidate.json": "{\"root\": true, \"rules\": {\"element-required-attributes\": \"error\"}}\n", **each("public/@.html", "<!DOCTYPE html>\n<title>@</title>\n<p>@</p>\n", NAMES[:4]), "public/prices.html": "<!DOCTYPE html>\n<title>Prices</title>\n<p>From 3.\n</p>\n<img alt=\"tag\">\n"})


case("f-depcheck", "depcheck", "jobs-js", "unused deps", "depcheck .",
    ["depcheck .", ["Unused dependencies", "Missing dependencies"], ["lodash"]], [],
    {"package.json": "{\"name\": \"jobs\", \"version\": \"1.0.0\", \"dependencies\": {\"lodash\": \"^4.0.0\"}}\n", "index.js": "module.exports = 1;\n"})

case("f-tsc-build-refs", "tsc", "sdk-refs", "tsc -b", "tsc -b --pretty false packages/app",
    ["tsc -b --pretty false packages/app", ["TS2339", "Property 'amout' does not exist on type 'Price'"], ["packages/core/src/price.ts(2", "price.ts"]], [],
    {"packages/core/tsconfig.json": "{\"compilerOptions\": {\"composite\": true, \"outDir\": \"out\", \"types\": [], \"rootDir\": \"src\"}, \"include\": [\"src\"]}\n", "packages/core/src/price.ts": "export interface Price { amount: number }\nexport const cents = (p: Price) => p.amout * 100;\n", "packages/app/tsconfig.json": "{\"compilerOptions\": {\"composite\": true, \"outDir\": \"out\", \"types\": [], \"rootDir\": \"src\"}, \"include\": [\"src\"], \"references\": [{\"path\": \"../core\"}]}\n", "packages/app/src/main.ts": "export const x = 1;\n"})

case("f-flow-check", "flow", "legacy-ui", "flow", "flow check --show-all-errors .",
    ["flow check", ["Cannot return `n` because number", "incompatible with string", "is incompatible with"], ["src/label.js:3"]], [],
    {".flowconfig": "[ignore]\n[options]\n", "src/label.js": "// @flow\nexport function label(n: number): string {\n  return n;\n}\n", "src/ok.js": "// @flow\nexport const a: number = 1;\n"})

case("f-mypy-daemonless-many", "mypy", "roster-py", "mypy --strict", "mypy --strict --pretty roster",
    ["mypy --strict --pretty roster", ["Incompatible return value type", "got \"int\", expected \"str\""], ["roster/shift.py:2"]], [],
    {"roster/__init__.py": "", **each("roster/@.py", "def @() -> int:\n    return 1\n", NAMES[:6]), "roster/shift.py": "def name(n: int) -> str:\n    return n\n"})

case("f-ruff-github-format", "ruff", "scraper-py", "ruff (annotations)", "ruff check --output-format=github .",
    ["ruff check --output-format=github .", ["F821", "Undefined name `sesion`", "undefined name `sesion`"], ["fetch.py:4", "scraper/fetch.py"]], [],
    {"scraper/fetch.py": "session = None\n\ndef get(url):\n    return sesion.get(url)\n", **each("scraper/@.py", "def @():\n    return 1\n", NAMES[:5])})

case("f-flake8-complexity", "flake8", "router-py", "flake8", "flake8 --max-complexity 3 --count --statistics router",
    ["flake8 --max-complexity 3", ["C901 'route' is too complex", "C901"], ["router/match.py:1"]], [],
    {"router/match.py": "def route(a):\n" + numbered("    if a == @:\n        return @\n", 6), "router/ok.py": "X = 1\n"})

case("f-isort-and-black", "isort", "intranet-py", "format", "isort --check-only --profile black . && black --check .",
    ["isort --check-only --profile black", ["Imports are incorrectly sorted"], ["intranet/views.py"]], [],
    {"intranet/views.py": "import sys\nimport os\n\nprint(os, sys)\n", "intranet/models.py": "X = 1\n"})

case("f-bandit-shell", "bandit", "ops-api", "security", "bandit -q -r -ll ops",
    ["bandit -q -r -ll ops", ["B602", "subprocess call with shell=True identified"], ["ops/run.py:5"]], [],
    {"ops/run.py": "import subprocess\n\n\ndef run(cmd):\n    return subprocess.call(cmd, shell=True)\n", "ops/ok.py": "X = 1\n"})

case("f-bashate", "bashate", "stack-sh", "bashate", "bashate -e E006 scripts/*.sh",
    ["bashate -e E006", ["E003", "E003 Indent not multiple of 4"], ["scripts/up.sh:3", "scripts/up.sh"]], [],
    {"scripts/up.sh": "#!/bin/bash\nif true; then\n   echo up\nfi\n", "scripts/down.sh": "#!/bin/bash\necho down\n"})


case("f-pymarkdown", "pymarkdown", "guides-md", "markdown", "pymarkdown scan docs",
    ["pymarkdown scan docs", ["MD001", "Heading levels should only increment by one level at a time"], ["docs/setup.md:3"]], [],
    {"docs/setup.md": "# Setup\n\n### Install\n\nRun it.\n", "docs/ok.md": "# Fine\n\nText.\n"})

case("f-perlcritic", "perlcritic", "Log-Tiny", "critic", "perlcritic --severity 4 lib",
    ["perlcritic --severity 4 lib", ["Code before strictures are enabled"], ["line 3", "lib/Log/Tiny.pm"]], [],
    {"lib/Log/Tiny.pm": "package Log::Tiny;\n\nour $n = 1;\n\nuse strict;\nuse warnings;\n1;\n", "lib/Log/Ok.pm": "package Log::Ok;\nuse strict;\nuse warnings;\n1;\n"})

case("f-cppcheck-leak", "cppcheck", "imgcodec", "cppcheck", "cppcheck --enable=warning --error-exitcode=2 --quiet --inline-suppr src",
    ["cppcheck --enable=warning", ["Memory leak: buf", "memleak"], ["src/decode.c:7"]], [],
    {"src/decode.c": "#include <stdlib.h>\n\nint decode(int n)\n{\n  char *buf = malloc(64);\n  if (n < 0)\n    return -1;\n  free(buf);\n  return 0;\n}\n", "src/ok.c": "int ok(void) { return 0; }\n"})

case("f-sparse", "sparse", "drv-char", "sparse", "for f in drivers/*.c; do echo \"  CHECK   $f\"; sparse -Wsparse-error \"$f\"; done",
    [["sparse -Wsparse-error", "for f in drivers/*.c"], ["symbol 'counter' was not declared"], ["drivers/tty.c:1"]], [],
    {"drivers/a.c": "static int a;\nint b(void);\nint b(void) { return a; }\n", "drivers/tty.c": "int counter = 1;\n"})


case("f-djlint-rubocop-lint", "rubocop", "queue-rb", "rubocop", "rubocop --format clang --only Lint lib",
    ["rubocop --format clang", ["Lint/UselessAssignment", "Useless assignment to variable - `retries`", "Useless assignment"], ["lib/worker.rb:2"]], [],
    {"lib/worker.rb": "def work(job)\n  retries = 3\n  job.call\nend\n", "lib/ok.rb": "OK = 1\n"})

case("f-phpcs", "phpcs", "plugin-php", "phpcs", "phpcs --standard=PSR12 --report=full src",
    ["phpcs --standard=PSR12", ["Opening brace should be on a new line", "Opening brace"], ["src/Hook.php", "5 |"]], [],
    {"src/Hook.php": "<?php\n\nnamespace Plugin;\n\nclass Hook {\n}\n", "src/Ok.php": "<?php\n\nnamespace Plugin;\n\nclass Ok\n{\n}\n"})

case("f-luacheck", "luacheck", "hud-lua", "luacheck", "luacheck --no-color lua",
    ["luacheck --no-color lua", ["accessing undefined variable 'heatlh'", "accessing undefined variable"], ["lua/hud.lua:2"]], [],
    {"lua/hud.lua": "local function draw()\n  print(heatlh)\nend\nreturn draw\n", **each("lua/@.lua", "return 1\n", NAMES[:6])})

# --- package managers ---------------------------------------------------------------------------------------------------------

case("f-npm-missing-script", "npm", "studio-web", "build", [{"name": "Build", "run": "npm run build:prod"}],
    ["npm run build:prod", ["Missing script: \"build:prod\""]], [], {"package.json": "{\"name\": \"studio\", \"scripts\": {\"build\": \"echo\"}}\n"})

case("f-pip-editable-build", "pip", "grid-ext", "install (3.11)", "pip install --no-index --no-build-isolation -e .",
    ["pip install --no-index", ["metadata-generation-failed", "GRID_HOME must be set", "RuntimeError: GRID_HOME is not set"], ["GRID_HOME is not set"]], [],
    {"setup.py": "import os\nfrom setuptools import setup\nif 'GRID_HOME' not in os.environ:\n    raise RuntimeError('GRID_HOME is not set')\nsetup(name='grid', version='1')\n"})

case("f-pip-check", "pip", "stack-py", "dependency check", "python -m venv --without-pip .v\nmkdir -p .v/lib/python3.11/site-packages/web-1.0.dist-info\nprintf 'Metadata-Version: 2.1\\nName: web\\nVersion: 1.0\\nRequires-Dist: templating>=3\\n' > .v/lib/python3.11/site-packages/web-1.0.dist-info/METADATA\npip --python .v check",
    ["pip --python .v check", ["web 1.0 requires templating, which is not installed"]], [], {"x": ""})

case("f-cargo-missing-feature", "cargo", "imgsrv", "build (features)", "cargo build --offline --features avif",
    ["cargo build --offline --features avif", ["does not contain this feature: avif", "none of the selected packages contains", "avif"]], [],
    {"Cargo.toml": "[package]\nname = \"imgsrv\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[features]\nwebp = []\n", "src/main.rs": "fn main() {}\n"})

case("f-bundle-missing-gem", "bundler", "shop-rails", "setup", "bundle install --local",
    ["bundle install --local", ["Could not find gem 'stripe-webhooks (~> 2.1)'", "Could not find gem 'stripe-webhooks"]], [],
    {"Gemfile": "source 'https://rubygems.org'\ngem 'rake'\ngem 'stripe-webhooks', '~> 2.1'\n"})

case("f-go-mod-missing-sum", "go mod", "relay-go", "build", "GOFLAGS=-mod=readonly GOPROXY=off go build ./...",
    ["go build ./...", ["cannot find module providing package github.com/example/backoff"], ["main.go:3"]], [],
    {"go.mod": "module example.org/relay\n\ngo 1.19\n", "main.go": "package main\n\nimport \"github.com/example/backoff\"\n\nfunc main() { backoff.Do() }\n"})

# --- shells, own scripts, kills ----------------------------------------------------------------------------------------------

case("f-silent-set-e-grep", "bash", "pkg-mirror", "sync / index", [{"name": "Index", "run": "./ci/index.sh stable"}],
    ["./ci/index.sh stable", ["reading list of stable/contrib"]], ["releasing lock", "removed 3 temporary files"],
    {"ci/index.sh": "#!/bin/bash\nset -e\ntrap 'for n in $(seq 1 12); do echo \"unmount $n\"; done; echo releasing lock; echo removed 3 temporary files' EXIT\nfor s in main universe contrib; do\n  echo \"reading list of $1/$s\"\n  for n in $(seq 1 15); do [ $s = contrib ] || echo \"  $s: package $n indexed\"; done\n  [ $s != contrib ] || n=$(grep -c Package: lists/$s)\ndone\necho 'index written'\n", "lists/contrib": "none\n"})

case("f-zsh-no-match", "zsh", "dotfiles-zsh", "zsh checks", "zsh -f ci/check.zsh",
    ["zsh -f ci/check.zsh", ["no matches found: themes/*.zsh-theme", "no matches found"], ["ci/check.zsh:4"]], [],
    {"ci/check.zsh": "set -e\nfor n in {1..20}; do print \"alias $n ok\"; done\nprint 'themes'\nfor t in themes/*.zsh-theme; do print $t; done\n"})

case("f-own-words-table", "python", "dns-zones", "propagation", "python3 check.py --all",
    ["python3 check.py --all", ["ns2.example.net"], ["serial 2026110301, want 2026110402"]], ["ttl is low"],
    {"check.py": "import sys\nbad = 0\nfor n in range(40):\n    if n == 9: print('note: ttl is low')\n    if n == 27:\n        print('ns2.example.net   FAILED   serial 2026110301, want 2026110402'); bad += 1\n    else: print(f'ns{n}.example.org   ok       serial 2026110402')\nprint('40 servers asked,', bad, 'bad')\nsys.exit(bad)\n"})

case("f-python-chained-exception", "python", "rates-job", "nightly", "python3 -m rates.refresh --date 2026-11-02",
    ["python3 -m rates.refresh", ["RuntimeError: no rate for CHF on 2026-11-02", "no rate for CHF on 2026-11-02"], ["rates/refresh.py", "line 8"]], ["holiday calendar missing"],
    {"rates/__init__.py": "", "rates/refresh.py": "import sys\nTABLE = {'EUR': 1, 'USD': 2}\n\ndef rate(c):\n    try:\n        return TABLE[c]\n    except KeyError as e:\n        raise RuntimeError(f'no rate for {c} on 2026-11-02') from e\n\nprint('WARNING: holiday calendar missing', flush=True)\nfor n in range(30): print('currency', n, 'refreshed', flush=True)\nfor c in ('EUR', 'USD', 'CHF'): rate(c)\n"})

case("f-node-unhandled-cause", "node", "sync-js", "sync", "node sync.mjs",
    ["node sync.mjs", ["connect ECONNREFUSED 127.0.0.1:5999", "ECONNREFUSED"], ["sync.mjs:4", "fetch failed", "sync of region eu failed"]], [],
    {"sync.mjs": "for (let i = 0; i < 30; i++) console.log(`row ${i} synced`);\nimport net from 'node:net';\nconst go = () => new Promise((ok, no) => net.connect(5999, '127.0.0.1').on('error', no));\ntry { await go(); } catch (e) { throw new Error('sync of region eu failed', { cause: e }); }\n"})

case("f-ruby-exception", "ruby", "invoice-job", "nightly / invoices", "ruby bin/invoices --month 2026-10",
    ["ruby bin/invoices --month 2026-10", ["undefined method `round' for nil", "NoMethodError"], ["lib/tax.rb:2"]], [],
    {"bin/invoices": "#!/usr/bin/env ruby\nrequire_relative '../lib/tax'\n40.times { |n| puts \"invoice #{n} ok\" }\n$stdout.flush\nputs tax(nil)\n", "lib/tax.rb": "def tax(n)\n  n.round(2)\nend\n"})

case("f-java-exception-in-init", "java", "gateway-java", "smoke", "javac -d out src/*.java\njava -cp out Gateway --check",
    ["java -cp out Gateway --check", ["IllegalStateException: keystore alias 'edge' is missing", "keystore alias 'edge' is missing"], ["Gateway.java:4"]], [],
    {"src/Gateway.java": "public class Gateway {\n  static class Keys {\n    static final int N = load();\n    static int load() { throw new IllegalStateException(\"keystore alias 'edge' is missing\"); }\n  }\n  public static void main(String[] a) {\n    for (int n = 0; n < 20; n++) System.out.println(\"route \" + n + \" ok\");\n    System.out.println(Keys.N);\n  }\n}\n"})

case("f-timeout-124", "timeout", "crawler-it", "integration", [{"name": "Crawl", "run": "timeout 2 ./crawl.sh"}],
    ["timeout 2 ./crawl.sh", ["fetching https://docs.example.org/page/17"], ["exit code 124"]], [],
    {"crawl.sh": "#!/bin/bash\nfor n in $(seq 1 16); do echo \"fetching https://docs.example.org/page/$n ... 200\"; done\necho 'fetching https://docs.example.org/page/17 ...'\nsleep 30\n"})

case("f-oom-137", "kill", "embed-train", "train", [{"name": "Train", "run": "python3 train.py --epochs 3"}],
    ["python3 train.py --epochs 3", ["epoch 2/3 step 140"], ["exit code 137", "Killed"]], ["learning rate is high"],
    {"train.py": "import os, signal\nprint('warning: learning rate is high', flush=True)\nfor n in range(0, 150, 10): print(f'epoch 2/3 step {n} loss 0.{900 - n}', flush=True)\nos.kill(os.getpid(), signal.SIGKILL)\n"})

case("f-segv-native", "crash", "audio-c", "smoke (gcc)", "gcc -g -o play src/play.c\n./play --selftest",
    ["./play --selftest", ["Segmentation fault"], ["opening track 3"]], [],
    {"src/play.c": "#include <stdio.h>\nint main(void)\n{\n  for (int n = 0; n < 3; n++) printf(\"track %d ok\\n\", n);\n  puts(\"opening track 3\");\n  fflush(stdout);\n  *(volatile int *)0 = 1;\n  return 0;\n}\n"})

case("f-asan-uaf", "asan", "list-c", "asan", "gcc -g -O0 -fsanitize=address -o t src/list.c\n./t",
    ["./t", ["heap-use-after-free"], ["src/list.c:8"]], [],
    {"src/list.c": "#include <stdio.h>\n#include <stdlib.h>\nint main(void)\n{\n  int *p = malloc(8);\n  *p = 3;\n  free(p);\n  return *p;\n}\n"})

case("f-valgrind-leak", "valgrind", "parser-c", "valgrind", "gcc -g -O0 -o t src/p.c\nvalgrind --leak-check=full --error-exitcode=9 ./t",
    ["valgrind --leak-check=full", ["definitely lost"], ["p.c:5", "(p.c:5)"]], [],
    {"src/p.c": "#include <stdlib.h>\n#include <stdio.h>\nstatic void parse(void)\n{\n  char *s = malloc(40);\n  s[0] = 'a';\n}\nint main(void) { for (int n = 0; n < 9; n++) printf(\"rule %d ok\\n\", n); parse(); return 0; }\n"})

case("f-retry-recovers-then-diff", "bash", "openapi-client", "generated code", [{"name": "Generate", "run": "./ci/generate.sh\ngit diff --exit-code"}],
    ["git diff --exit-code", ["client/orders.py"], ["+    timeout: int = 30", "timeout: int = 30"]], ["registry timed out"],
    {"ci/generate.sh": "#!/bin/bash\nset -e\necho 'attempt 1: error: registry timed out'\necho 'attempt 2: ok'\nfor n in $(seq 1 20); do echo \"wrote model_$n.py\"; done\necho '    timeout: int = 30' >> client/orders.py\n", "client/orders.py": "class Orders:\n    retries: int = 3\n"}, prepare=GIT)

# --- docs, data bases, config checkers, multi-step forms --------------------------------------------------------------------------

case("f-sphinx-nitpick", "sphinx", "rtd-handbook", "docs", "sphinx-build -W --keep-going -n -b html docs out",
    ["sphinx-build -W --keep-going", ["unknown document: 'setup/instal'", "unknown document"], ["docs/index.rst:8", "index.rst:8"]], [],
    {"docs/conf.py": "project = 'h'\n", "docs/index.rst": "Handbook\n========\n\n.. toctree::\n\n   setup/install\n\nSee :doc:`setup/instal`.\n".replace("   setup/install\n\nSee", "   setup/install\nSee").replace("   setup/install\nSee", "   setup/install\n\nSee"), "docs/setup/install.rst": "Install\n=======\n\nText.\n"})

case("f-eleventy", "eleventy", "blog-11ty", "site", "eleventy --input=src --output=dist",
    ["eleventy --input=src", ["undefined filter: readableDate", "undefined filter", "filter not found: readableDate"], ["src/post.liquid", "post.liquid"]], [],
    {"package.json": "{\"name\": \"blog\"}\n", **each("src/@.md", "# @\n", NAMES[:5]), "src/post.liquid": "---\ntitle: a\n---\n{{ page.date | readableDate }}\n", "eleventy.config.js": "module.exports = c => { c.setLiquidOptions({ strictFilters: true }); };\n"})

case("f-latex-missing-sty", "pdflatex", "poster-tex", "pdf", "pdflatex -interaction=nonstopmode -halt-on-error poster.tex",
    ["pdflatex -interaction=nonstopmode", ["File `fancyposter.sty' not found"], ["poster.tex:2", "l.3", "l.2"]], [],
    {"poster.tex": "\\documentclass{article}\n\\usepackage{fancyposter}\n\\begin{document}\nHi\n\\end{document}\n"})

case("f-graphviz-syntax", "dot", "arch-diagrams", "diagrams", "for f in diagrams/*.dot; do echo \"render $f\"; dot -Tsvg \"$f\" -o \"${f%.dot}.svg\"; done",
    [["dot -Tsvg", "for f in diagrams/*.dot"], ["syntax error in line 3"], ["diagrams/flow.dot"]], [],
    {"diagrams/core.dot": "digraph { a -> b; }\n", "diagrams/flow.dot": "digraph {\n  a -> b;\n  b -> -> c;\n}\n"})

case("f-sqlite-no-such-column", "sqlite", "metrics-db", "migrations", "for f in migrations/*.sql; do echo \"apply $f\"; sqlite3 -bail app.db < \"$f\"; done",
    [["sqlite3 -bail app.db", "for f in migrations/*.sql"], ["no such column: tenant_id"], ["migrations/004_index.sql", "apply migrations/004_index.sql"]], [],
    {"migrations/001_init.sql": "CREATE TABLE m (id INTEGER);\n", "migrations/002_name.sql": "ALTER TABLE m ADD name TEXT;\n", "migrations/003_fill.sql": "UPDATE m SET name = 'x';\n", "migrations/004_index.sql": "UPDATE m SET name = 'y' WHERE tenant_id = 2;\n"})

case("f-sqlfluff", "sqlfluff", "warehouse-sql", "sqlfluff", "sqlfluff lint --dialect ansi models",
    ["sqlfluff lint --dialect ansi models", ["CP01", "Keywords must be consistently upper case"], ["models/orders.sql", "L:   2"]], [],
    {"models/orders.sql": "SELECT a\nfrom orders\n", "models/ok.sql": "SELECT a\nFROM t\n"})

case("f-alembic-heads", "alembic", "crm-api", "migrations / heads", "alembic upgrade head",
    ["alembic upgrade head", ["Multiple head revisions are present"]], [],
    {"alembic.ini": "[alembic]\nscript_location = mig\nsqlalchemy.url = sqlite:///a.db\n", "mig/env.py": "from alembic import context\nfrom sqlalchemy import create_engine\nwith create_engine('sqlite:///a.db').connect() as c:\n    context.configure(connection=c)\n    with context.begin_transaction():\n        context.run_migrations()\n", **each("mig/versions/@.py", "revision = '@'\ndown_revision = None\ndef upgrade(): pass\n", ["a1", "b2"])})

case("f-openssl-verify", "openssl", "pki-tools", "chain", "openssl req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out ca.pem -subj /CN=ca -days 2 2>/dev/null\nopenssl req -x509 -newkey rsa:2048 -nodes -keyout k2.pem -out leaf.pem -subj /CN=api.example.org -days 2 2>/dev/null\nopenssl verify -CAfile ca.pem leaf.pem",
    ["openssl verify -CAfile ca.pem leaf.pem", ["self-signed certificate", "self signed certificate"], ["CN = api.example.org", "leaf.pem: verification failed"]], [], {"x": ""})

case("f-sshd-config", "ssh", "bastion-conf", "sshd -t", "cat sshd.d/*.conf > sshd_config\nssh -G -F sshd_config bastion > /dev/null\necho ok",
    ["ssh -G -F sshd_config bastion", ["Bad configuration option: proxyjmp"], ["sshd_config: line 5", "sshd_config line 5"]], [],
    {"sshd.d/10-base.conf": "Host *\n  ServerAliveInterval 30\n", "sshd.d/20-jump.conf": "Host bastion\n  User ops\n  ProxyJmp edge\n"})

case("f-jsonschema-config", "check-jsonschema", "feature-conf", "schema", "check-jsonschema --schemafile schema.json conf/*.json",
    ["check-jsonschema --schemafile schema.json", ["'90' is not of type 'integer'", "is not of type 'integer'"], ["conf/eu.json"]], [],
    {"schema.json": "{\"type\": \"object\", \"properties\": {\"timeout\": {\"type\": \"integer\"}}}\n", "conf/us.json": "{\"timeout\": 60}\n", "conf/eu.json": "{\"timeout\": \"90\"}\n"})

case("f-jq-assertion", "jq", "manifest-check", "manifest", "jq . manifest.json > /dev/null\njq -r '.images[] | .tag | ltrimstr(\"v\") | tonumber' manifest.json",
    [["jq -r '.images[]", "jq -r"], ["cannot be parsed as a number", "1.4-rc"]], [], {"manifest.json": "{\"images\": [{\"tag\": \"v1.2\"}, {\"tag\": \"v1.3\"}, {\"tag\": \"v1.4-rc\"}]}\n"})

case("f-terraform-unsupported-arg", "terraform", "net-tf", "validate", "terraform init -backend=false -input=false -no-color\nterraform validate -no-color",
    ["terraform validate -no-color", ["Reference to undeclared input variable"], ["on main.tf line 6", "main.tf line 6"]], [],
    {"main.tf": "terraform {\n  required_version = \">= 1.0\"\n}\n\noutput \"region\" {\n  value = var.regoin\n}\n", "vars.tf": "variable \"region\" {\n  default = \"eu\"\n}\n"})

case("f-ansible-syntax", "ansible", "site-yml", "syntax", "ansible-playbook -i localhost, --syntax-check site.yml",
    ["ansible-playbook -i localhost, --syntax-check", ["'aptt' is not a valid attribute", "couldn't resolve module/action 'aptt'", "aptt"], ["site.yml"], ["line 6", "site.yml:6", "line': 6"]], [],
    {"site.yml": "- hosts: all\n  tasks:\n    - name: Tools\n      debug: {msg: hi}\n\n    - name: Install\n      aptt:\n        name: curl\n"})

case("f-rsync-missing", "rsync", "static-deploy", "deploy", "mkdir -p site dest\nrsync -a --stats site/ dest/\nrsync -a --delete public/assets/ dest/assets/",
    ["rsync -a --delete public/assets/", ["change_dir", "No such file or directory"], ["public/assets"]], [], {"site/index.html": "x\n"})

case("f-git-tag-exists", "git", "release-bot", "tag", "git tag v2.3.0\ngit tag v2.3.0 -m 'release 2.3.0'",
    ["git tag v2.3.0 -m", ["fatal: tag 'v2.3.0' already exists", "already exists"]], [], {"a": "1\n"}, prepare=GIT)

case("f-two-steps-independent", "two steps", "catalog-py", "check", [{"name": "Types", "run": "mypy catalog"}, {"name": "Tests", "always": True, "run": "python -m pytest -q"}],
    ["mypy catalog", ["catalog/item.py:2"], ["Unsupported operand types", "unsupported operand"], "python -m pytest -q", ["test_sku_upper"], ["assert 'ab1' == 'AB1'"]], [],
    {"catalog/__init__.py": "", "catalog/item.py": "def total(a: int, b: str) -> int:\n    return a + b\n", "test_c.py": "import pytest\n\n\n@pytest.mark.parametrize('n', range(40))\ndef test_ok(n):\n    pass\n\n\ndef test_sku_upper():\n    assert 'ab1' == 'AB1'\n"}, cmd=(0, 3))

case("f-composite-unit", "composite", "widgets-lib", "unit", [{"name": "Unit", "inside": "node-test", "shell": "bash", "run": "npm run -s test:unit"}],
    ["npm run -s test:unit", ["closes the popover"], ["Expected values to be strictly equal", "'open' !== 'shut'"]], [],
    {"package.json": "{\"name\": \"w\", \"scripts\": {\"test:unit\": \"node --test test/\"}}\n", "test/pop.test.js": "const test = require('node:test'); const assert = require('assert');\nfor (let i = 0; i < 20; i++) test('opens ' + i, () => {});\ntest('closes the popover', () => { assert.strictEqual('open', 'shut'); });\n"})

case("f-unknown-step-make", "gcc", "router-fw", "build (mips)", [{"name": "Tools", "run": "echo 'warning: ccache is disabled'\nseq 1 30 | sed 's/^/tool /'"}, {"name": "Firmware", "run": "make -s firmware"}],
    ["make -s firmware", ["conflicting types for ‘led_set’", "conflicting types for"], ["led.c:3"]], ["ccache is disabled"],
    {"Makefile": "firmware: led.o wifi.o\n", "wifi.c": "int wifi;\n", "led.c": "int led_set(int n);\n\nvoid led_set(int n) { }\n"}, unknown=True)

case("f-post-step-fails", "post step", "lint-charts", "lint", [{"name": "Lint", "run": "seq 1 20 | sed 's/^/chart /; s/$/ ok/'"}, {"name": "Post Start emulator", "post": True, "always": True, "run": "node dist/stop.js"}],
    [["Post Start emulator", "stop.js"], ["emulator did not stop: device 5554 is busy"]], [],
    {"dist/stop.js": "console.log('stopping emulator');\nthrow new Error('emulator did not stop: device 5554 is busy');\n"}, cmd=(0,))

case("f-cancelled-e2e", "timeout", "kiosk-e2e", "e2e (chromium)", [{"name": "E2E", "limit": 4, "run": "./e2e.sh"}],
    ["./e2e.sh", ["waiting for selector #pay-button", "checkout > pays by card"], ["The operation was canceled"]], [],
    {"e2e.sh": "#!/bin/bash\nfor n in $(seq 1 40); do echo \"  ok $n browse > opens page $n\"; done\necho '  .. checkout > pays by card'\necho '     waiting for selector #pay-button'\nsleep 60\n"})

case("f-tox-one-env", "tox", "clients-py", "tox (py311, lint)", "tox run -e lint,unit --skip-pkg-install",
    ["tox run -e lint,unit", ["unit: FAIL", "unit: exit 1"], ["test_retry_header"], ["assert 3 == 5"]], [],
    {"tox.ini": "[tox]\nskipsdist = true\n[testenv]\nskip_install = true\nallowlist_externals = python3, pytest\ncommands =\n  lint: python3 -c \"print('lint ok')\"\n  unit: pytest -q\n", "test_r.py": "def test_retry_header():\n    assert 3 == 5\n"})

case("f-precommit-local", "pre-commit", "monitor-cfg", "pre-commit", "pre-commit run --all-files --color never",
    ["pre-commit run --all-files", ["no-tabs"], ["alerts/disk.yml"]], [],
    {".pre-commit-config.yaml": "repos:\n- repo: local\n  hooks:\n  - id: no-tabs\n    name: no tabs in yaml\n    language: system\n    entry: python3 hook.py\n    files: '\\.yml$'\n  - id: names\n    name: rule names\n    language: system\n    entry: 'true'\n", "hook.py": "import sys\nbad = [f for f in sys.argv[1:] if '\\t' in open(f).read()]\nfor f in bad: print(f'{f}: contains a tab')\nsys.exit(bool(bad))\n", "alerts/cpu.yml": "a: 1\n", "alerts/disk.yml": "a:\t1\n"}, prepare=GIT)

case("f-webpack-missing-module", "webpack", "admin-spa", "bundle", "webpack --mode production --entry ./src/index.js --output-path dist",
    ["webpack --mode production", ["Can't resolve './charts/pie'"], ["./src/index.js"]], [],
    {"src/index.js": "import pie from './charts/pie';\nimport bar from './charts/bar';\npie(bar);\n", "src/charts/bar.js": "export default 1;\n"})

case("f-vite-build", "vite", "portal-vite", "build (vite)", "vite build",
    ["vite build", ["\"formatDat\" is not exported by", "formatDat"], ["src/main.js"]], [],
    {"index.html": "<script type=\"module\" src=\"/src/main.js\"></script>\n", "src/main.js": "import { formatDat } from './date.js';\nconsole.log(formatDat(1));\n", "src/date.js": "export const formatDate = n => n;\n"})

case("f-two-errors-warn-noise-esbuild", "esbuild", "bundle-lib", "esbuild", "esbuild src/index.ts --bundle --outfile=out.js",
    ["esbuild src/index.ts --bundle", ["Could not resolve \"./parse/tokens\""], ["src/index.ts:2"]], [],
    {"src/index.ts": "import { a } from './a';\nimport { t } from './parse/tokens';\nconsole.log(a, t);\n", "src/a.ts": "export const a = 1;\n"})
