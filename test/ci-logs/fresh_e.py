"""Failing jobs as one collects them with plain tools, each judged once at first sight; what must be told was written before any was run."""

from unseen import GIT, case as _case, dedented as d, each, numbered


def case(*args, **more):
    _case(*args, folder="fresh-e", **more)


WORDS = ["apple", "birch", "clove", "dill", "endive", "fig", "grape", "hops", "ivy", "juniper", "lime", "mint"]

# --- compilers and build systems ------------------------------------------------------------------------------------------

case("gcc-no-member", "gcc", "packetd", "build (ubuntu-24.04, gcc)", [{"name": "Build", "run": "make -j2"}],
    ["make -j2", ["has no member named ‘lenght’", "has no member named 'lenght'"], ["src/frame.c:5"]], ["unused variable ‘rest’"],
    {"Makefile": "OBJ := $(patsubst %.c,%.o,$(sort $(wildcard src/*.c)))\nCFLAGS = -O2 -Wall\npacketd: $(OBJ)\n\t$(CC) -o $@ $^\n",
     **each("src/@.c", "int @(int n) {\n  int rest;\n  return n;\n}\n", WORDS),
     "src/frame.c": "struct frame { int length; };\n\nint frame_len(struct frame *f)\n{\n  return f->lenght;\n}\n", "src/main.c": "int main(void) { return 0; }\n"})

case("gxx-no-matching-call", "g++", "mesh-tools", "linux / g++-12 / Release", [{"name": "Configure", "run": "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release"}, {"name": "Build", "run": "cmake --build build --parallel 2"}],
    ["cmake --build build --parallel 2", ["invalid initialization of reference of type"], ["src/weld.cpp:6"]], ["unused parameter ‘eps’"],
    {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.16)\nproject(mesh CXX)\nadd_compile_options(-Wall -Wextra)\nfile(GLOB SRC src/*.cpp)\nadd_library(mesh ${SRC})\n",
     **each("src/@.cpp", "int @(int n, double eps) { return n; }\n", WORDS),
     "src/weld.cpp": "#include <string>\n#include <vector>\nstruct Vertex { Vertex(double x, double y, double z); };\nint weld(const std::string &s);\nint weld_all(const std::vector<Vertex> &vs) {\n  return weld(vs.front(), 0.1);\n}\n"})

case("clang-werror-fallthrough", "clang", "lexer-rt", "build (clang, -Werror)", [{"name": "Build", "run": "./build.sh --cc clang"}],
    ["./build.sh --cc clang", ["unannotated fall-through between switch labels", "-Wimplicit-fallthrough"], ["src/state.c:4"]], ["no colour support"],
    {"build.sh": "#!/bin/bash\nset -euo pipefail\necho 'warning: no colour support'\nfor f in src/*.c; do\n  echo \"  CC  $f\"\n  clang -Wall -Wextra -Wimplicit-fallthrough -Werror -fcolor-diagnostics -c \"$f\" -o \"${f%.c}.o\"\ndone\necho built\n",
     **each("src/@.c", "int @;\n", WORDS), "src/state.c": "int step(int s) {\n  switch (s) {\n  case 0: s += 2;\n  case 1: return s;\n  default: return 0;\n  }\n}\n"})

case("rust-non-exhaustive", "cargo build", "queue-rs", "check (stable, all features)", [{"name": "Check", "run": "cargo check --offline --workspace --all-targets", "env": {"CARGO_TERM_COLOR": "always"}}],
    ["cargo check --offline --workspace", ["E0004", "non-exhaustive patterns"], ["`&Event::Paused` not covered", "Event::Paused"], ["crates/engine/src/lib.rs:10"]], ["function `old` is never used"],
    {"Cargo.toml": "[workspace]\nresolver = \"2\"\nmembers = [\"crates/*\"]\n",
     **each("crates/@/Cargo.toml", "[package]\nname = \"@\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", ["engine", "store", "wire"]),
     "crates/store/src/lib.rs": "fn old() {}\npub fn get() -> u8 { 1 }\n", "crates/wire/src/lib.rs": "pub fn put() {}\n",
     "crates/engine/src/lib.rs": "pub enum Event {\n    Started,\n    Stopped,\n    Paused,\n}\n\npub fn name(e: &Event) -> &'static str {\n    // as shown\n    let e = e;\n    match e {\n        Event::Started => \"started\",\n        Event::Stopped => \"stopped\",\n    }\n}\n"})

case("cargo-test-integration", "cargo test", "semver-lite", "test (beta)", [{"name": "Test", "run": "cargo test --offline", "env": {"RUST_BACKTRACE": "1"}}],
    ["cargo test --offline", ["prerelease_sorts_before_release"], ["tests/order.rs:8"], ["left: Greater", "right: Less"]], [],
    {"Cargo.toml": "[package]\nname = \"semver-lite\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
     "src/lib.rs": "use std::cmp::Ordering;\npub fn cmp(a: &str, b: &str) -> Ordering { a.cmp(b) }\n#[cfg(test)]\nmod tests {\n" + numbered("    #[test]\n    fn keeps_@() {}\n", 120) + "    #[test]\n    #[should_panic]\n    fn expects_panic() { panic!(\"bad input is refused\") }\n}\n",
     "tests/order.rs": "use semver_lite::cmp;\nuse std::cmp::Ordering::*;\n" + "#[test]\nfn equal() { assert_eq!(cmp(\"1.0\", \"1.0\"), Equal); }\n\n#[test]\nfn prerelease_sorts_before_release() {\n    assert_eq!(cmp(\"1.0-rc1\", \"1.0\"), Less);\n}\n"})

case("go-build-type-mismatch", "go build", "ledger-go", "build (1.19)", [{"name": "Build", "run": "go build ./...\ngo vet ./..."}],
    ["go build ./...", ["cannot use cents (variable of type float64) as type int64", "cannot use cents"], ["money/round.go:7"]], [],
    {"go.mod": "module example.org/ledger\n\ngo 1.19\n", "main.go": "package main\n\nimport \"example.org/ledger/money\"\n\nfunc main() { println(money.Round(1)) }\n", "money/round.go": "package money\n\nfunc store(c int64) int64 { return c }\n\nfunc Round(v float64) int64 {\n\tcents := v * 100\n\treturn store(cents)\n}\n"})

case("go-test-json-output", "go test", "schedule-go", "unit (json report)", [{"name": "Unit tests", "shell": "bash", "run": "go test -json ./... | tee report.json"}],
    ["go test -json ./...", ["TestNextAfterLeapDay"], ["got 2027-02-28, want 2028-02-29"], ["next_test.go:14"]], ["slow clock"],
    {"go.mod": "module example.org/schedule\n\ngo 1.19\n", "next.go": "package schedule\n\nfunc Next(s string) string { return \"2027-02-28\" }\n",
     "next_test.go": "package schedule\n\nimport (\n\t\"fmt\"\n\t\"testing\"\n)\n\nfunc TestMany(t *testing.T) {\n\tt.Log(\"error: slow clock\")\n\tfor i := 0; i < 25; i++ { t.Run(fmt.Sprint(i), func(t *testing.T) {}) }\n}\n\nfunc TestNextAfterLeapDay(t *testing.T) {\n\tif got := Next(\"2024-02-29\"); got != \"2028-02-29\" { t.Fatalf(\"got %s, want 2028-02-29\", got) }\n}\n"})

case("javac-missing-package", "javac", "mail-gateway", "compile (temurin 17)", [{"name": "Compile", "run": "mkdir -p out\njavac -Xlint:all -d out $(find src -name '*.java')"}],
    ["javac -Xlint:all -d out", ["package org.example.crypto does not exist"], ["Signer.java:3"]], [],
    {"src/gw/Signer.java": "package gw;\n\nimport org.example.crypto.Hmac;\n\nclass Signer {\n  byte[] sign(byte[] b) { return b; }\n}\n", **each("src/gw/@.java", "package gw;\nclass @ {\n  java.util.List all = null;\n}\n", ["Inbox", "Outbox", "Route"])})

case("java-out-of-memory", "java", "tile-renderer", "render (nightly)", [{"name": "Render", "run": "javac -d out src/*.java\njava -Xmx24m -cp out Render 4096"}],
    ["java -Xmx24m -cp out Render 4096", ["java.lang.OutOfMemoryError: Java heap space", "OutOfMemoryError"], ["Render.java:5", "Render.tile"]], ["missing glyph"],
    {"src/Render.java": "import java.util.*;\n\npublic class Render {\n  static final List<int[]> tiles = new ArrayList<>();\n  static void tile(int n) { tiles.add(new int[n * 64]); }\n  public static void main(String[] a) {\n    System.err.println(\"WARNING: missing glyph U+2603\");\n    for (int i = 0; i < 400; i++) { tile(Integer.parseInt(a[0])); System.out.println(\"tile \" + i + \" rendered\"); }\n  }\n}\n"})

case("kotlin-unresolved", "kotlinc", "notes-kt", "compile kotlin", [{"name": "Compile", "run": "kotlinc src -d notes.jar"}],
    ["kotlinc src -d notes.jar", ["unresolved reference: sortedByTitel"], ["src/List.kt:4", "List.kt:4:"]], [],
    {"src/List.kt": "class Note(val title: String)\nfun List<Note>.sortedByTitle() = sortedBy { it.title }\n\nfun show(ns: List<Note>) = ns.sortedByTitel()\n", "src/Other.kt": "fun other() {\n  val spare = 1\n}\n"})

case("haskell-parse-error", "ghc", "config-hs", "ghc 9.0", [{"name": "Build", "run": "ghc -Wall -outputdir build -isrc src/Main.hs -o config"}],
    ["ghc -Wall -outputdir build", ["parse error on input ‘=’", "parse error on input"], ["src/Config.hs:7"]], [],
    {"src/Main.hs": "module Main where\nimport Config\nimport Util\nmain :: IO ()\nmain = print (limit defaults + util)\n", "src/Util.hs": "module Util (util) where\nutil :: Int\nutil = 2\nspare :: Int\nspare = 3\n",
     "src/Config.hs": "module Config where\n\ndata Config = Config { limit :: Int }\n\ndefaults :: Config\ndefaults = Config { limit = 3 }\n  where = 4\n"})

case("ocaml-unbound-value", "dune", "roster-ml", "build (4.13)", [{"name": "Build", "run": "dune build --root . --display short"}],
    ["dune build --root .", ["Unbound value List.filter_opt", "Unbound value"], ["File \"lib/roster.ml\", line 3", "lib/roster.ml"]], [],
    {"dune-project": "(lang dune 2.0)\n", "lib/dune": "(library (name roster))\n", "lib/roster.ml": "type t = { name : string option }\n\nlet names ts = List.filter_opt (List.map (fun t -> t.name) ts)\n", **each("lib/@.ml", "let @ = 1\n", WORDS[:6])})

case("fortran-stop-code", "gfortran", "oceanmodel", "regression / coarse", [{"name": "Regression", "run": "gfortran -O1 -fbacktrace -o coarse src/coarse.f90\n./coarse < params.nml"}],
    ["./coarse", ["energy drift 4.1E-02 exceeds 1.0E-03", "energy drift"], ["ERROR STOP", "Error termination"]], ["salinity clipped"],
    {"params.nml": "x\n", "src/coarse.f90": "program coarse\n  implicit none\n  integer :: n\n  do n = 1, 120\n    print '(a,i4,a)', 'step ', n, ' ok'\n    if (n == 30) print '(a)', 'warning: salinity clipped'\n  end do\n  print '(a)', 'check: energy drift 4.1E-02 exceeds 1.0E-03'\n  error stop 3\nend program\n"})

case("nim-index-defect", "nim", "ringbuf-nim", "nim run", [{"name": "Self test", "run": "nim r --hints:off --warnings:off tests/selftest.nim"}],
    ["nim r --hints:off", ["index 8 not in 0 .. 7", "IndexDefect"], ["selftest.nim(6) selftest", "selftest.nim put"]], [],
    {"tests/selftest.nim": "var ring: array[8, int]\n\nproc put(at, v: int) =\n  ring[at] = v\n\nfor n in 0 .. 8:\n  echo \"put \", n\n  put(n, n * n)\n"})

case("make-distcheck", "automake", "gridtools-c", "distcheck", [{"name": "Bootstrap", "run": "autoreconf -i >/dev/null 2>&1\n./configure -q"}, {"name": "Distcheck", "run": "make distcheck"}],
    ["make distcheck", ["No rule to make target", "table.h"], ["table.h: No such file or directory", "'../../src/table.h'", "src/table.h"]], [],
    {"configure.ac": "AC_INIT([gridtools], [2.1])\nAC_CONFIG_SRCDIR([src/grid.c])\nAM_INIT_AUTOMAKE([foreign subdir-objects])\nAC_PROG_CC\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n", "Makefile.am": "bin_PROGRAMS = grid\ngrid_SOURCES = src/grid.c\n", "src/grid.c": "#include \"table.h\"\nint main(void) { return TABLE; }\n", "src/table.h": "#define TABLE 0\n"})

case("make-submake-generator", "make", "embedded-ui", "assets", [{"name": "Assets", "run": "make -C ui assets"}],
    ["make -C ui assets", ["icons/battery.svg: viewBox is missing"], ["tools/pack.py", "Makefile:4"]], ["icons/wifi.svg has no title"],
    {"ui/Makefile": "assets: fonts icons\nfonts:\n\t@for f in a b c d; do echo \"font $$f packed\"; done\nicons:\n\tpython3 ../tools/pack.py icons > icons.bin\n".replace("icons:\n\tpython3", "icons: ; python3"),
     "tools/pack.py": "import sys\nfor n in range(60): print(f'packed icon{n}.svg', file=sys.stderr)\nprint('warning: icons/wifi.svg has no title', file=sys.stderr)\nfor n in range(9): print(f'packed icon{n}.svg', file=sys.stderr)\nsys.exit('icons/battery.svg: viewBox is missing')\n"})

case("cmake-try-package-version", "cmake", "audio-host", "configure (static)", [{"name": "Configure", "run": "cmake -S . -B build -G Ninja"}],
    ["cmake -S . -B build -G Ninja", ["Could NOT find ZLIB", "Could NOT find"], ["Required is at least version \"9.4\"", "9.4"], ["CMakeLists.txt:5"]], ["jack support is off"],
    {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.20)\nproject(host C)\nmessage(WARNING \"jack support is off\")\nfind_package(Threads REQUIRED)\nfind_package(ZLIB 9.4 REQUIRED)\n"})

case("ctest-python-driver", "ctest", "regexlib", "ctest -j2", [{"name": "Configure", "run": "cmake -S . -B build > /dev/null"}, {"name": "Test", "run": "ctest --test-dir build -j2 --output-on-failure"}],
    ["ctest --test-dir build -j2", ["lookahead_nested"], ["pattern (?=a(?!b)): expected match at 3, got none"]], [],
    {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.20)\nproject(rx NONE)\nenable_testing()\nforeach(n RANGE 60)\n  add_test(NAME case_${n} COMMAND echo \"warning: backtrack limit raised\")\nendforeach()\nadd_test(NAME lookahead_nested COMMAND python3 ${CMAKE_SOURCE_DIR}/t.py)\n", "t.py": "print('compiling 4 patterns')\nprint('pattern (?=a(?!b)): expected match at 3, got none')\nraise SystemExit(1)\n"})

case("meson-test-tap", "meson", "keyring-c", "meson test (tap)", [{"name": "Setup", "run": "meson setup build"}, {"name": "Test", "run": "meson test -C build --print-errorlogs --no-rebuild"}],
    ["meson test -C build", ["unlock"], ["not ok 3 - wrong passphrase is refused", "wrong passphrase is refused"]], [],
    {"meson.build": "project('keyring')\nsh = find_program('sh')\nforeach n : range(20)\n  test('store@0@'.format(n), sh, args: ['-c', 'echo 1..1; echo ok 1'], protocol: 'tap')\nendforeach\ntest('unlock', sh, args: files('unlock.sh'), protocol: 'tap')\n", "unlock.sh": "echo 1..4\necho 'ok 1 - opens'\necho 'ok 2 - locks'\necho 'not ok 3 - wrong passphrase is refused'\necho '# got: unlocked'\necho 'ok 4 - closes'\n"})

case("dpkg-unmet-build-deps", "dpkg", "greeter-deb", "package (bookworm)", [{"name": "Build package", "run": "dpkg-buildpackage -us -uc -b"}],
    ["dpkg-buildpackage -us -uc -b", ["Unmet build dependencies", "unmet build dependencies"], ["libgreeter-dev (>= 3)"]], [],
    {"debian/control": "Source: greeter\nSection: misc\nPriority: optional\nMaintainer: Dev <dev@example.org>\nBuild-Depends: make, gcc, libgreeter-dev (>= 3)\nStandards-Version: 4.6.2\n\nPackage: greeter\nArchitecture: all\nDescription: greets\n Greets.\n", "debian/changelog": "greeter (1.0-1) unstable; urgency=low\n\n  * First.\n\n -- Dev <dev@example.org>  Mon, 01 Jun 2026 10:00:00 +0000\n", "debian/rules": "#!/usr/bin/make -f\n%:\n\ttrue\n", "debian/source/format": "3.0 (native)\n"})

case("verilator-width-lint", "verilator", "uart-core", "lint rtl", [{"name": "Lint", "run": "verilator --lint-only -Wall --top-module uart rtl/*.v"}],
    ["verilator --lint-only -Wall", ["WIDTH", "expects 8 bits"], ["rtl/uart.v:7"]], [],
    {"rtl/uart.v": "module uart(input clk, input [3:0] in, output reg [7:0] out);\n  wire [3:0] t;\n  fifo f(.clk(clk), .d(in), .q(t));\n\n  always @(posedge clk) begin\n    // widen it\n    out <= t;\n  end\nendmodule\n", "rtl/fifo.v": "module fifo(input clk, input [3:0] d, output reg [3:0] q);\n  always @(posedge clk) q <= d;\nendmodule\n"})

case("ghdl-assertion", "ghdl", "spi-vhdl", "simulate", [{"name": "Simulate", "run": "ghdl -a --std=08 tb.vhd\nghdl -e --std=08 tb\nghdl -r --std=08 tb --assert-level=error"}],
    ["ghdl -r --std=08 tb", ["byte 3: got 0x7f, want 0x3f"], ["tb.vhd:9", "assertion error"]], ["fifo almost full"],
    {"tb.vhd": "entity tb is end;\narchitecture sim of tb is begin\n  process begin\n    report \"fifo almost full\" severity warning;\n    for n in 0 to 20 loop\n      report \"frame \" & integer'image(n) & \" ok\";\n    end loop;\n    wait for 10 ns;\n    assert false report \"byte 3: got 0x7f, want 0x3f\" severity error;\n    wait;\n  end process;\nend;\n"})

# --- test runners -------------------------------------------------------------------------------------------------------------

case("pytest-dict-compare", "pytest", "orders-api", "tests (3.11, linux)", [{"name": "Install", "run": "echo 'Successfully installed orders-api-0.4.0'"}, {"name": "Tests", "run": "pytest -ra --color=yes tests/"}],
    ["pytest -ra --color=yes tests/", ["test_serialises_shipping"], ["'country': 'DE'", "{'country': 'DE'} != {'country': 'de'}"], ["tests/test_serialise.py:9", "tests/test_serialise.py"]], ["PytestUnknownMarkWarning", "Unknown pytest.mark.sloow"],
    {"orders/__init__.py": "", "orders/ser.py": "def ship(o):\n    return {'name': o['name'], 'zip': o['zip'], 'country': o['country'].upper()}\n",
     **each("tests/test_@.py", "import pytest\n\nslow = pytest.mark.sloow\ndef many(f): return pytest.mark.parametrize('n', range(25))(slow(f))\ndef t(n):\n    assert n >= 0\ntest_@ = many(t)\n", WORDS[:6]),
     "tests/conftest.py": "import sys, os\nsys.path.insert(0, os.getcwd())\n", "tests/test_serialise.py": "from orders.ser import ship\n\n\ndef test_empty():\n    assert ship({'name': '', 'zip': '', 'country': ''})\n\n\ndef test_serialises_shipping():\n    assert ship({'name': 'A', 'zip': '1', 'country': 'de'}) == {'name': 'A', 'zip': '1', 'country': 'de'}\n"})

case("pytest-mock-not-called", "pytest", "mailer-py", "unit / 3.11", [{"name": "Unit", "run": "python -m pytest -q -p no:cacheprovider"}],
    ["python -m pytest -q", ["test_sends_receipt_once"], ["Expected 'deliver' to be called once. Called 2 times.", "Called 2 times"]], [],
    {"mailer.py": "def receipt(t, to):\n    t.deliver(to)\n    t.deliver(to)\n", "test_mailer.py": "from unittest import mock\nimport mailer\nimport pytest\n\n\n@pytest.mark.parametrize('n', range(80))\ndef test_address(n):\n    pass\n\n\ndef test_sends_receipt_once():\n    t = mock.Mock()\n    mailer.receipt(t, 'a@example.org')\n    t.deliver.assert_called_once()\n"})

case("pytest-asyncio-timeout", "pytest", "broker-py", "async tests", [{"name": "Tests", "run": "pytest -v --tb=short test_broker.py"}],
    ["pytest -v --tb=short", ["test_ack_within_deadline"], ["TimeoutError"], ["test_broker.py:14", "broker.py:5"]], [],
    {"broker.py": "import asyncio\n\n\nasync def ack():\n    await asyncio.sleep(3)\n", "test_broker.py": "import asyncio, logging\nimport pytest\nimport broker\n\n\n@pytest.mark.parametrize('n', range(60))\ndef test_offsets(n):\n    logging.error('lag %d', n)\n\n\n@pytest.mark.asyncio\nasync def test_ack_within_deadline():\n    logging.info('connecting')\n    await asyncio.wait_for(broker.ack(), 0.2)\n"})

case("django-test-failure", "django", "shop-dj", "tests (sqlite)", [{"name": "Test", "run": "python manage.py test --verbosity 2"}],
    ["python manage.py test", ["test_total_includes_tax"], ["AssertionError: 100 != 119", "100 != 119"], ["shop/tests.py"]], [],
    {"manage.py": "import os, sys\nos.environ['DJANGO_SETTINGS_MODULE'] = 'settings'\nfrom django.core.management import execute_from_command_line\nexecute_from_command_line(sys.argv)\n", "settings.py": "SECRET_KEY = 'x'\nINSTALLED_APPS = ['django.contrib.contenttypes', 'django.contrib.auth', 'shop']\nDATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': 'db.sqlite3'}}\nROOT_URLCONF = 'urls'\nUSE_TZ = True\nDEFAULT_AUTO_FIELD = 'django.db.models.AutoField'\n", "urls.py": "urlpatterns = []\n", "shop/__init__.py": "",
     "shop/tests.py": "from django.test import TestCase\n\n\nclass Cart(TestCase):\n" + numbered("    def test_@(self):\n        self.client.get('/favicon.ico') if @ == 7 else None\n", 30) + "\n    def test_total_includes_tax(self):\n        self.assertEqual(100, 119)\n"})

case("nose2-plain", "nose2", "geoip-py", "tests (nose2)", [{"name": "Tests", "run": "nose2 -v"}],
    ["nose2 -v", ["test_private_range"], ["'US' is not None", "AssertionError"], ["test_geo.py"]], [],
    {"test_geo.py": "import unittest\n\n\nclass Lookup(unittest.TestCase):\n" + numbered("    def test_@(self):\n        pass\n", 20) + "\n    def test_private_range(self):\n        self.assertIsNone('US')\n"})

case("pytest-bdd-step-missing", "pytest", "kiosk-py", "acceptance", [{"name": "Acceptance", "run": "pytest -q acceptance"}],
    ["pytest -q acceptance", ["StepDefinitionNotFoundError", "Step definition is not found"], ["the drawer is locked"], ["kiosk.feature", "test_paying"]], [],
    {"acceptance/kiosk.feature": "Feature: Kiosk\n  Scenario: paying\n    Given a kiosk\n    When I pay\n    Then the drawer is locked\n", "acceptance/test_kiosk.py": "from pytest_bdd import scenarios, given, when\nscenarios('kiosk.feature')\n\n@given('a kiosk')\ndef a(): pass\n\n@when('I pay')\ndef b(): pass\n"})

case("jest-async-rejects", "jest", "payments-ui", "unit (node 18)", [{"name": "Unit", "run": "npm test -- --ci --verbose"}],
    [["npm test -- --ci", "jest --ci"], ["refunds twice are refused"], ["Received promise resolved instead of rejected"], ["test/refund.test.js:4", "refund.test.js"]], [],
    {"package.json": "{\"name\": \"p\", \"version\": \"1.0.0\", \"scripts\": {\"test\": \"jest\"}}\n", **each("test/@.test.js", "test.each([...Array(20).keys()])('@ %d', n => { if (n === 3) console.error('gateway sandbox is slow'); });\n", WORDS[:5]),
     "test/refund.test.js": "const refund = async () => 'ok';\ntest('refunds once', async () => { await refund(); });\ntest('refunds twice are refused', async () => {\n  await expect(refund()).rejects.toThrow('already refunded');\n});\n"})

case("vitest-plain-failure", "vitest", "date-utils", "test (20.x)", [{"name": "Test", "run": "npx vitest run --no-color"}],
    ["npx vitest run", ["formats the first week"], ["expected '2027-W00' to be '2026-W53'"], ["week.test.js:6", "test/week.test.js"]], [],
    {"package.json": "{\"name\": \"d\", \"type\": \"module\"}\n", "test/week.test.js": "import { test, expect } from 'vitest';\nconst week = () => '2027-W00';\ntest.each([...Array(40).keys()])('week %d', n => { if (n === 9) console.warn('locale xx falls back'); });\n\ntest('formats the first week', () => {\n  expect(week()).toBe('2026-W53');\n});\n"}, prepare="ln -s $TOOLS/js/node_modules node_modules")

case("mocha-two-failures", "mocha", "router-js", "test / node 20", [{"name": "Test", "run": "mocha --reporter dot 'test/**/*.js'"}],
    ["mocha --reporter dot", ["matches optional segments"], ["keeps trailing slash"], ["expected [ '/a' ] to deeply equal", "+expected -actual", "'/a/' == '/a'", "'/a' == '/a/'"]], [],
    {"test/router.js": "const assert = require('assert');\ndescribe('router', () => {\n  for (let i = 0; i < 150; i++) it('route ' + i, () => {});\n  it('matches optional segments', () => { assert.deepStrictEqual(['/a'], ['/a', undefined]); });\n  it('keeps trailing slash', () => { assert.equal('/a', '/a/'); });\n});\n"})

case("ava-throws", "ava", "cron-parse", "test (ava)", [{"name": "Test", "run": "ava --verbose"}],
    ["ava --verbose", ["rejects 60 minutes"], ["Function returned", "Expected function to throw", "Returned value"], ["test.js:4"]], [],
    {"package.json": "{\"name\": \"c\", \"type\": \"commonjs\"}\n", "test.js": "const test = require('ava');\nfor (let i = 0; i < 40; i++) test('minute ' + i, t => t.pass());\ntest('rejects 60 minutes', t => {\n  t.throws(() => 60, {message: /out of range/});\n});\n"}, prepare="ln -s $TOOLS/js/node_modules node_modules")

case("node-tap-fails", "tap", "stream-split", "test (tap)", [{"name": "Test", "run": "node test/index.js | tee tap.txt\n! grep -q '^not ok' tap.txt"}],
    [["node test/index.js", "grep -q '^not ok'"], ["not ok 24 splits on multi-byte marks", "splits on multi-byte marks"], ["expected:", "actual:"]], [],
    {"test/index.js": "const t = require('tape');\nfor (let i = 0; i < 23; i++) t('case ' + i, a => { a.ok(true, 'line ' + i); a.end(); });\nt('marks', a => { a.equal('ab', 'a|b', 'splits on multi-byte marks'); a.end(); });\nt('last', a => { a.ok(1, 'empty input'); a.end(); });\n"}, prepare="ln -s $TOOLS/js/node_modules node_modules")

case("c8-coverage-threshold", "c8", "qs-mini", "coverage", [{"name": "Coverage", "run": "npx c8 --check-coverage --lines 90 node --test --test-reporter=tap test/"}],
    ["npx c8 --check-coverage --lines 90", ["Coverage for lines (", "does not meet global threshold (90%)"], ["src/qs.js", "qs.js"]], [],
    {"package.json": "{\"name\": \"q\"}\n", "src/qs.js": "exports.parse = s => s.split('&');\n" + "exports.stringify = o => {\n" + numbered("  if (o.k@) o.n = @;\n", 20) + "  return o;\n};\n", "test/qs.test.js": "const test = require('node:test'); const { parse } = require('../src/qs');\nfor (let i = 0; i < 15; i++) test('parse ' + i, () => { parse('a&b'); });\n"}, prepare="ln -s $TOOLS/node-e/node_modules node_modules")

case("rspec-nested-context", "rspec", "invoice-rb", "rspec (3.1)", [{"name": "RSpec", "run": "rspec --format documentation --force-color"}],
    ["rspec --format documentation", ["Invoice when overdue charges a fee", "charges a fee"], ["expected: 15", "got: 0"], ["./spec/invoice_spec.rb:7", "spec/invoice_spec.rb"]], ["use of `stub` is deprecated"],
    {"spec/invoice_spec.rb": "RSpec.describe 'Invoice' do\n  90.times { |n| it(\"keeps line #{n}\") { warn 'DEPRECATION: use of `stub` is deprecated' if n == 40 } }\n  context 'when overdue' do\n    let(:fee) { 0 }\n    it('is open') { expect(1).to eq 1 }\n    it 'charges a fee' do\n      expect(fee).to eq 15\n    end\n  end\nend\n"})

case("minitest-diff", "minitest", "slug-rb", "test (ruby 3.1)", [{"name": "Test", "run": "bundle exec rake test || ruby -Itest test/test_slug.rb -v"}],
    [["ruby -Itest test/test_slug.rb"], ["test_umlauts"], ["Expected: \"ueber-uns\"", "ueber-uns"], ["test/test_slug.rb:7", "test_slug.rb"]], [],
    {"test/test_slug.rb": "require 'minitest/autorun'\nclass TestSlug < Minitest::Test\n  40.times { |n| define_method(\"test_#{n}\") { assert true } }\n\n  def test_umlauts\n    s = 'uber-uns'\n    assert_equal 'ueber-uns', s\n  end\nend\n", "Rakefile": "task :test do\n  sh 'true'\n  abort 'rake: use ruby -Itest'\nend\n", "Gemfile": "gem 'minitest'\ngem 'rake'\n"})

case("phpunit-string-diff", "phpunit", "mailtpl-php", "phpunit (8.2)", [{"name": "PHPUnit", "run": "phpunit --colors=always --testdox tests"}],
    ["phpunit --colors=always", ["FooterTest::testUnsubscribeLink", "Unsubscribe link"], ["Failed asserting that two strings are identical", "-'https://example.org/u/1'"], ["FooterTest.php:8", "tests/FooterTest.php:8"]], [],
    {"tests/FooterTest.php": "<?php\nuse PHPUnit\\Framework\\TestCase;\nclass FooterTest extends TestCase {\n  /** @dataProvider many */\n  function testKeeps($n) { $this->assertTrue($n >= 0); }\n  function many() { foreach (range(0, 60) as $n) yield [$n]; }\n  function testUnsubscribeLink() {\n    $this->assertSame('https://example.org/u/1', 'http://example.org/u/1');\n  }\n}\n"})

case("perl-test-more-is", "prove", "Text-Wrapper", "perl 5.36", [{"name": "Test", "run": "prove -l -v t/"}],
    ["prove -l -v t/", ["keeps a hard hyphen"], ["got: 'non breaking'", "expected: 'non-breaking'"], ["t/02-wrap.t line 4", "t/02-wrap.t"]], ["Use of uninitialized value"],
    {"t/01-load.t": "use Test::More;\nuse warnings;\nmy $u; my $v = \"$u\";\nok(1, \"line $_\") for 1 .. 80;\ndone_testing;\n", "t/02-wrap.t": "use Test::More;\nok(1, \"width $_\") for 1 .. 30;\n# the hyphen\nis('non breaking', 'non-breaking', 'keeps a hard hyphen');\ndone_testing;\n", "t/03-end.t": "use Test::More;\nok(1);\ndone_testing;\n"})

case("mix-test-assertion", "exunit", "geo_ex", "mix test (1.14)", [{"name": "Test", "run": "mix test --color"}],
    ["mix test --color", ["distance of antipodes"], ["left:", "20015"], ["test/geo_test.exs:6", "geo_test.exs:5"]], [],
    {"mix.exs": "defmodule Geo.MixProject do\n  use Mix.Project\n  def project, do: [app: :geo, version: \"0.1.0\", deps: []]\nend\n", "lib/geo.ex": "defmodule Geo do\n  def distance(_, _), do: 20004\nend\n", "test/test_helper.exs": "ExUnit.start()\n", "test/geo_test.exs": "defmodule GeoTest do\n  use ExUnit.Case\n  for n <- 1..40, do: test(\"point #{n}\", do: (if unquote(n) == 9, do: IO.puts(:stderr, \"warning: deprecated projection\"); :ok))\n\n  test \"distance of antipodes\" do\n    assert Geo.distance(0, 180) == 20015\n  end\nend\n"})

case("testthat-plain", "testthat", "tidyweather", "R tests", [{"name": "Test", "run": "Rscript -e 'testthat::test_dir(\"tests\", reporter = \"summary\")'"}],
    ["Rscript -e 'testthat::test_dir(\"tests\"", ["wind chill below zero"], ["-9.3", "not equal to"], ["test-chill.R:3", "test-chill.R"]], [],
    {"tests/test-chill.R": "test_that('keeps', { for (i in 1:30) expect_true(TRUE) })\ntest_that('wind chill below zero', {\n  expect_equal(-7.1, -9.3)\n})\n", **each("tests/test-@.R", "test_that('@', { expect_equal(1, 1) })\n", WORDS[:5])})

case("lua-busted-deep", "busted", "inspect-lua", "busted (5.4)", [{"name": "Spec", "run": "busted --output=plainTerminal spec"}],
    ["busted --output=plainTerminal spec", ["prints nested keys in order"], ["Expected objects to be the same"], ["spec/inspect_spec.lua:6"]], [],
    {"spec/inspect_spec.lua": "describe('inspect', function()\n  for n = 1, 40 do it('keeps ' .. n, function() end) end\n\n  it('prints nested keys in order', function()\n    local got = { 'b', 'a' }\n    assert.are.same({ 'a', 'b' }, got)\n  end)\nend)\n"})

case("bats-output-mismatch", "bats", "backup-sh", "bats", [{"name": "Bats", "run": "bats --tap test"}],
    ["bats --tap test", ["restore refuses an empty archive"], ["test/restore.bats, line 4", "restore.bats, line 4"]], [],
    {"test/a.bats": numbered("@test 'archive @' { echo 'tar: Removing leading /'; }\n".replace("@test", "%test"), 30).replace("%test", "@test"), "test/restore.bats": "@test 'restore reads the index' { true; }\n@test 'restore refuses an empty archive' {\n  run ./restore.sh empty.tar\n  [ \"$status\" -eq 65 ]\n}\n", "restore.sh": "#!/bin/sh\nexit 0\n"})

case("gtest-plain-expect", "gtest", "tempfmt", "unit tests (Debug)", [{"name": "Build", "run": "g++ -o unit t.cc -lgtest -lgtest_main -lpthread"}, {"name": "Unit", "run": "./unit --gtest_color=yes"}],
    ["./unit --gtest_color=yes", ["Format.RoundsHalfUp"], ["t.cc:7"], ["\"21.4\"", "\"21.5\""]], ["calibration table is old"],
    {"t.cc": "#include <gtest/gtest.h>\n#include <iostream>\nstatic std::string fmt(double) { return \"21.4\"; }\nclass Many : public testing::TestWithParam<int> {};\nTEST_P(Many, Keeps) { if (GetParam() == 5) std::cerr << \"warning: calibration table is old\\n\"; }\nINSTANTIATE_TEST_SUITE_P(All, Many, testing::Range(0, 60));\nTEST(Format, RoundsHalfUp) { EXPECT_EQ(fmt(21.45), \"21.5\"); }\nTEST(Format, Last) {}\n"})

case("cmocka-failure", "cmocka", "ring-c", "cmocka", [{"name": "Test", "run": "make check"}],
    ["make check", ["test_wraps_around"], ["0x7 != 0x8", "7 != 8"], ["t.c:5"]], [],
    {"Makefile": "check: t\n\t./t\nt: t.c\n\tgcc -o $@ $< -lcmocka\n", "t.c": "#include <stdarg.h>\n#include <stddef.h>\n#include <setjmp.h>\n#include <cmocka.h>\nstatic void test_wraps_around(void **s) { assert_int_equal(7, 8); }\nstatic void test_ok(void **s) { assert_true(1); }\n#define T cmocka_unit_test\nint main(void) {\n  const struct CMUnitTest t[] = {T(test_ok), T(test_ok), T(test_ok), T(test_wraps_around), T(test_ok)};\n  return cmocka_run_group_tests(t, 0, 0);\n}\n"})

case("doctest-cpp", "doctest", "jsonpath-cpp", "unit (doctest)", [{"name": "Unit", "run": "g++ -I/usr/include -o unit t.cpp\n./unit --success=false"}],
    ["./unit --success=false", ["slices with a negative step"], ["CHECK( 3 == 2 )", "values: CHECK"], ["t.cpp:6"]], [],
    {"t.cpp": "#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>\nTEST_CASE(\"names\") { for (int i = 0; i < 90; i++) CHECK(i >= 0); }\nTEST_CASE(\"slices with a negative step\") {\n  int n = 3;\n  CHECK(n == 2);\n}\n"})

case("ert-plain-failure", "ert", "task-timer", "emacs 28", [{"name": "Test", "run": "emacs -Q --batch -L . -l timer-tests.el -f ert-run-tests-batch-and-exit"}],
    ["ert-run-tests-batch-and-exit", ["timer-rounds-up-to-minute"], ["(equal 1 2)", "different-atoms", ":value nil"]], ["Unused lexical variable"],
    {"timer-tests.el": ";;; -*- lexical-binding: t -*-\n(require 'ert)\n(message \"Warning: Unused lexical variable `x'\")\n(dotimes (n 70) (eval `(ert-deftest ,(intern (format \"timer-keeps-%d\" n)) () (should t))))\n(ert-deftest timer-rounds-up-to-minute () (should (equal (/ 90 60) 2)))\n"})

case("chicken-scheme-error", "chicken", "sxml-tools", "csi tests", [{"name": "Tests", "run": "csi -s tests/run.scm"}],
    ["csi -s tests/run.scm", ["bad argument type", "(car) bad argument type"], ["tests/run.scm:4", "(car x)"]], [],
    {"tests/run.scm": "(do ((n 0 (+ n 1))) ((= n 30)) (print \"ok \" n))\n(define (head x)\n  ;; of a list\n  (car x))\n(print (head 'atom))\n"})

# --- linters, type checkers, formatters --------------------------------------------------------------------------------------

case("mypy-one-error", "mypy", "ingest-py", "typecheck (mypy)", [{"name": "mypy", "run": "mypy --strict ingest"}],
    ["mypy --strict ingest", ["Incompatible return value type", "[return-value]"], ["ingest/rows.py:5"]], [],
    {"ingest/__init__.py": "", **each("ingest/@.py", "@: int = 1\n", WORDS), "ingest/rows.py": "from typing import List\n\n\ndef rows(path: str) -> List[str]:\n    return open(path).read()\n"})

case("basedpyright-optional", "basedpyright", "crawler-py", "types", [{"name": "Types", "run": "basedpyright --level error src"}],
    ["basedpyright --level error src", ["\"group\" is not a known attribute of \"None\""], ["src/parse.py:5"]], [],
    {"src/parse.py": "import re\n\n\ndef title(page: str) -> str:\n    return re.search('<title>(.*)</title>', page).group(1)\n", "src/ok.py": "X: int = 1\n"})

case("ruff-several-rules", "ruff", "bot-py", "ruff", [{"name": "Ruff", "run": "ruff check --output-format=concise ."}],
    ["ruff check --output-format=concise", ["F821", "Undefined name `tokne`"], ["bot/auth.py:3"]], [],
    {"bot/auth.py": "def header(token):\n    # of every call\n    return {'Authorization': tokne}\n", **each("bot/@.py", "@ = 1\n", WORDS)})

case("black-diff", "black", "forms-py", "formatting", [{"name": "Black", "run": "black --check --diff --color forms"}],
    ["black --check --diff", ["forms/field.py"], ["1 file would be reformatted"]], [],
    {"forms/field.py": "def field( name,value ):\n  return {name:value}\n", **each("forms/@.py", "@ = 1\n", WORDS)})

case("yapf-then-interrogate", "interrogate", "shapes-py", "docstrings", [{"name": "Docstrings", "run": "yapf --diff --recursive shapes\ninterrogate -v --fail-under 80 shapes"}],
    ["interrogate -v --fail-under 80", ["RESULT: FAILED", "actual: 50.0%"], ["minimum: 80"]], [],
    {"shapes/area.py": '"""Areas."""\n\n\ndef square(n):\n    return n * n\n', "shapes/line.py": "X = 1\n", "shapes/note.py": '"""Notes."""\n\n\ndef two(n):\n    return n + n\n'})

case("deptry-missing-dep", "deptry", "dash-py", "dependencies", [{"name": "deptry", "run": "deptry ."}],
    ["deptry .", ["DEP001"], ["'feedparser' imported but missing"], ["dash/feed.py:1"]], [],
    {"pyproject.toml": "[project]\nname = \"dash-py\"\nversion = \"1\"\ndependencies = []\n", "dash/__init__.py": "", "dash/feed.py": "import feedparser\n\nprint(feedparser)\n"})

case("pylint-as-errors", "pylint", "agent-py", "lint", [{"name": "Pylint", "run": "pylint --disable=C,R,W agent"}],
    ["pylint --disable=C,R,W agent", ["no-member", "has no 'conect' member"], ["agent/link.py:10"]], [],
    {"agent/__init__.py": "", "agent/link.py": "class Link:\n    def __init__(self):\n        self.up = False\n\n    def connect(self):\n        self.up = True\n\n\ndef start():\n    Link().conect()\n"})

case("eslint-two-errors", "eslint", "admin-ui", "lint (node 20)", [{"name": "Lint", "run": "npm run lint"}],
    [["npm run lint", "eslint src"], ["'fetchUsr' is not defined", "no-undef"], ["src/users.js"], ["2:10"]], [],
    {"package.json": "{\"name\": \"a\", \"version\": \"2.0.0\", \"type\": \"module\", \"scripts\": {\"lint\": \"eslint src\"}}\n", "eslint.config.js": "export default [{rules: {'no-undef': 'error', 'no-console': 'warn'}, languageOptions: {globals: {console: 'readonly'}}}];\n", **each("src/@.js", "console.log('@');\n", WORDS), "src/users.js": "export function users() {\n  return fetchUsr();\n}\n"})

case("vue-tsc-prop", "vue-tsc", "kiosk-vue", "type-check", [{"name": "Type check", "run": "npx vue-tsc --noEmit -p tsconfig.json"}],
    ["npx vue-tsc --noEmit", ["TS2339", "Property 'titel' does not exist"], ["src/Card.vue(2", "src/Card.vue:2", "src/Card.vue"]], [],
    {"package.json": "{\"name\": \"k\"}\n", "tsconfig.json": "{\"compilerOptions\": {\"strict\": true, \"module\": \"esnext\", \"moduleResolution\": \"bundler\", \"target\": \"es2022\", \"skipLibCheck\": true, \"types\": [], \"lib\": [\"es2022\", \"dom\"]}, \"include\": [\"src\"]}\n", "src/Card.vue": "<template>\n  <p>{{ titel }}</p>\n</template>\n<script setup lang=\"ts\">\ndefineProps<{ title: string }>();\n</script>\n"}, prepare="ln -s $TOOLS/node-e/node_modules node_modules")

case("stylelint-colour", "stylelint", "theme-css", "css lint", [{"name": "Stylelint", "run": "stylelint 'css/**/*.css'"}],
    ["stylelint 'css/**/*.css'", ["color-no-invalid-hex", "Unexpected invalid hex color"], ["#ff00zz"], ["css/button.css"]], [],
    {".stylelintrc.json": "{\"rules\": {\"color-no-invalid-hex\": true, \"block-no-empty\": true}}\n", **each("css/@.css", ".@ { margin: 0; }\n", WORDS), "css/button.css": ".button {\n  color: #ff00zz;\n}\n"})

case("prettier-two-files", "prettier", "handbook", "format check", [{"name": "Prettier", "run": "npm run format:check --silent"}],
    ["npm run format:check", ["src/menu.js"], ["src/theme.json"], ["Code style issues found in 2 files"]], [],
    {"package.json": "{\"name\": \"handbook\", \"scripts\": {\"format:check\": \"prettier --check src\"}}\n", "src/menu.js": "const a={b:1}\n", "src/theme.json": "{\"a\":1,\n\"b\":2}\n", **each("src/@.js", "const @ = 1;\n", WORDS)})

case("markdownlint-heading", "markdownlint", "runbooks", "markdown", [{"name": "Markdownlint", "run": "markdownlint docs"}],
    ["markdownlint docs", ["MD001", "Heading levels should only increment"], ["docs/restore.md:3"]], [],
    {**each("docs/@.md", "# @\n\nText.\n", WORDS), "docs/restore.md": "# Restore\n\n### Steps\n\nText.\n"})

case("spectral-openapi", "spectral", "catalog-api", "api lint", [{"name": "Spectral", "run": "spectral lint openapi.yaml --ruleset ruleset.yaml"}],
    ["spectral lint openapi.yaml", ["path-params", "must define parameter \"id\""], ["5:15", "4:16", "/items/{id}"]], [],
    {"ruleset.yaml": "extends: [[spectral:oas, all]]\n", "openapi.yaml": "openapi: 3.0.3\ninfo: {title: Catalog, version: '1', description: d}\npaths:\n  /items/{id}:\n    get:\n      operationId: item\n      description: d\n      tags: [a]\n      responses:\n        '200': {description: ok}\ntags: [{name: a, description: b}]\nservers: [{url: 'https://api.example.org'}]\n"})

case("ajv-schema", "ajv", "feature-flags", "validate flags", [{"name": "Validate", "run": "npx ajv validate -s schema.json -d 'flags/*.json' --errors=text"}],
    ["npx ajv validate", ["flags/checkout.json invalid", "flags/checkout.json"], ["data/rollout must be <= 100"]], [],
    {"package.json": "{\"name\": \"f\"}\n", "schema.json": "{\"type\": \"object\", \"properties\": {\"rollout\": {\"type\": \"number\", \"maximum\": 100}}}\n", **each("flags/@.json", "{\"rollout\": 10}\n", WORDS), "flags/checkout.json": "{\"rollout\": 120}\n"}, prepare="ln -s $TOOLS/node-e/node_modules node_modules")

case("textlint-terms", "textlint", "press-kit", "wording", [{"name": "Wording", "run": "npx textlint --rule terminology texts"}],
    ["npx textlint --rule terminology", ["Incorrect term: “Javascript”", "Incorrect term"], ["texts/launch.md"], ["3:5", "terminology"]], [],
    {"package.json": "{\"name\": \"p\"}\n", **each("texts/@.md", "# @\n", WORDS), "texts/launch.md": "# Launch\n\nOur Javascript client is here.\n"}, prepare="ln -s $TOOLS/node-e/node_modules node_modules")

case("remark-dead-heading", "remark", "wiki-md", "links", [{"name": "Links", "run": "npx remark --frail --quiet --use remark-validate-links docs"}],
    ["npx remark --frail --quiet", ["Cannot find heading for `#rollback`", "#rollback"], ["docs/deploy.md"], ["3:"]], [],
    {"package.json": "{\"name\": \"w\"}\n", "docs/deploy.md": "# Deploy\n\nSee [how to go back](#rollback).\n\n## Roll back\n", **each("docs/@.md", "# @\n", WORDS[:4])}, prepare="ln -s $TOOLS/node-e/node_modules node_modules; " + GIT + "; git remote add origin https://github.com/example/wiki-md")

case("shellcheck-gcc-format", "shellcheck", "ops-scripts", "shellcheck", [{"name": "Shellcheck", "run": "shellcheck -f gcc -S warning scripts/*.sh"}],
    ["shellcheck -f gcc -S warning", ["SC2086", "SC2154", "SC2164"], ["scripts/rotate.sh:3"]], [],
    {**each("scripts/@.sh", "#!/bin/sh\necho '@'\n", WORDS), "scripts/rotate.sh": "#!/bin/sh\n# old logs\ncd /var/log/app\nrm -f old.log\n"})

case("checkbashisms", "checkbashisms", "init-scripts", "posix sh", [{"name": "Bashisms", "run": "checkbashisms -f init/*.sh"}],
    ["checkbashisms -f init", ["possible bashism in init/net.sh line 3", "init/net.sh line 3"], ["[["]], [],
    {**each("init/@.sh", "#!/bin/sh\necho '@'\n", WORDS), "init/net.sh": "#!/bin/sh\nif_up=$1\nif [[ $if_up == eth0 ]]; then echo up; fi\n"})

case("shfmt-diff", "shfmt", "dotfiles-sh", "format", [{"name": "shfmt", "run": "shfmt -d -i 2 bin"}],
    ["shfmt -d -i 2 bin", ["bin/sync.sh"], ["rsync -a src dst"]], [],
    {"bin/sync.sh": "#!/bin/sh\nif true; then\n      rsync -a src dst\nfi\n", **each("bin/@.sh", "#!/bin/sh\necho @\n", WORDS)})

case("cpplint-header-guard", "cpplint", "sensor-cpp", "cpplint", [{"name": "cpplint", "run": "cpplint --quiet --filter=-legal,-build/include_subdir src/*.cc"}],
    ["cpplint --quiet", ["Missing space before {", "whitespace/braces"], ["src/adc.cc:2"]], [],
    {"src/adc.cc": "int read(int pin) { return pin; }\nint scale(int v){ return v * 2; }\n", **each("src/@.cc", "int @;\n", WORDS)})

case("rubocop-syntax", "rubocop", "cli-rb", "rubocop", [{"name": "RuboCop", "run": "rubocop --only Lint --display-cop-names lib"}],
    ["rubocop --only Lint", ["Lint/Syntax", "unexpected token"], ["lib/parse.rb:4", "lib/parse.rb:5"]], [],
    {**each("lib/@.rb", "puts '@'\n", WORDS), "lib/parse.rb": "def parse(line)\n  line.split(',').map do |f|\n    f.strip\n  }\nend\n"})

case("yamllint-indentation", "yamllint", "charts", "yamllint", [{"name": "yamllint", "run": "yamllint --strict values"}],
    ["yamllint --strict values", ["duplication of key \"replicas\" in mapping", "key-duplicates"], ["values/prod.yaml"], ["4:1"]], [],
    {**each("values/@.yaml", "---\nname: @\n", WORDS), "values/prod.yaml": "---\nreplicas: 2\nname: prod\nreplicas: 4\n"})

case("cmake-lint-style", "cmake-lint", "build-rules", "cmake style", [{"name": "Lint", "run": "cmake-lint --suppress-decorations CMakeLists.txt cmake/*.cmake"}],
    ["cmake-lint --suppress-decorations", ["C0103", "Invalid function name"], ["cmake/Deploy.cmake:01", "cmake/Deploy.cmake:1", "cmake/Deploy.cmake"]], [],
    {"CMakeLists.txt": "project(x)\n", "cmake/Deploy.cmake": "function(DeployAll-Now)\n  message(\"a\")\nendfunction()\n", "cmake/Ok.cmake": "set(A 1)\n"})

case("solhint-and-solc", "solc", "token-sol", "compile contracts", [{"name": "Compile", "run": "npx solcjs --abi --base-path . -o out contracts/Token.sol"}],
    ["npx solcjs --abi", ["Undeclared identifier"], ["contracts/Token.sol:7"]], [],
    {"package.json": "{\"name\": \"t\"}\n", "contracts/Token.sol": "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\n\ncontract Token {\n  mapping(address => uint) balance;\n  function mint(uint n) public {\n    balance[msg.sender] += amount;\n  }\n}\n"}, prepare="ln -s $TOOLS/node-e/node_modules node_modules")

# --- packages, bundlers, docs -------------------------------------------------------------------------------------------------

case("pip-no-matching", "pip", "worker-py2", "install", [{"name": "Install", "run": "python -m pip install --no-index --find-links wheels -r requirements.txt"}],
    ["python -m pip install --no-index", ["No matching distribution found for telemetry-core==4.2", "telemetry-core==4.2"], ["from versions: none", "Could not find a version"]], [],
    {"requirements.txt": "pip\nsetuptools\ntelemetry-core==4.2\n", "wheels/README": "x\n"})

case("npm-ci-no-lock", "npm", "landing2", "install", [{"name": "Install", "run": "node --version\nnpm ci"}],
    ["npm ci", ["package-lock.json", "EUSAGE"], ["can only install with an existing package-lock.json", "The `npm ci` command can only install"]], [],
    {"package.json": "{\"name\": \"landing2\", \"version\": \"1.0.0\", \"dependencies\": {\"left\": \"^1.0.0\"}}\n"})

case("npm-postinstall-script", "npm", "native-addon", "install (node 20)", [{"name": "Install", "run": "npm install --no-audit --no-fund --foreground-scripts"}],
    ["npm install --no-audit", ["prebuild for linux-x64 abi 115 is missing"], ["scripts/prebuild.js", "postinstall"]], [],
    {"package.json": "{\"name\": \"native-addon\", \"version\": \"1.0.0\", \"scripts\": {\"postinstall\": \"node scripts/prebuild.js\"}}\n", "scripts/prebuild.js": "console.log('looking for prebuilds');\nthrow new Error('prebuild for linux-x64 abi 115 is missing');\n"})

case("npm-workspace-script", "npm", "mono-shop", "build all", [{"name": "Build", "run": "npm run build --workspaces"}],
    ["npm run build --workspaces", ["tax table 2027 is empty"], ["@shop/tax", "packages/tax"]], ["cart: 2 icons unused"],
    {"package.json": "{\"name\": \"mono\", \"private\": true, \"workspaces\": [\"packages/cart\", \"packages/tax\", \"packages/web\"]}\n", "packages/cart/package.json": "{\"name\": \"@shop/cart\", \"version\": \"1.0.0\", \"scripts\": {\"build\": \"echo 'warning: cart: 2 icons unused'; seq 1 40 | sed 's/^/chunk /'\"}}\n", "packages/tax/package.json": "{\"name\": \"@shop/tax\", \"version\": \"1.0.0\", \"scripts\": {\"build\": \"node build.js\"}}\n", "packages/tax/build.js": "console.error('tax table 2027 is empty');\nprocess.exit(4);\n", "packages/web/package.json": "{\"name\": \"@shop/web\", \"version\": \"1.0.0\", \"scripts\": {\"build\": \"echo web built\"}}\n"})

case("run-s-chain", "npm-run-all", "player-js", "ci", [{"name": "CI", "run": "npm run ci"}],
    [["npm run ci", "run-s"], ["check:size"], ["dist/player.js is 84 kB, limit 80 kB"]], ["deprecated codec"],
    {"package.json": "{\"name\": \"player\", \"version\": \"1.0.0\", \"scripts\": {\"ci\": \"run-s lint build check:size publish:dry\", \"lint\": \"echo 'warning: deprecated codec'\", \"build\": \"seq 1 30\", \"check:size\": \"node size.js\", \"publish:dry\": \"echo\"}}\n", "size.js": "console.log('dist/player.css is 9 kB, limit 12 kB');\nconsole.log('dist/player.js is 84 kB, limit 80 kB');\nprocess.exitCode = 1;\n"})

case("webpack-syntax-error", "webpack", "charts-js", "bundle", [{"name": "Bundle", "run": "webpack --mode production --no-color"}],
    ["webpack --mode production", ["Module parse failed: Unexpected token", "Unexpected token"], ["./src/axis.js 2", "src/axis.js"]], [],
    {"package.json": "{\"name\": \"c\"}\n", "src/index.js": "import './axis.js';\n" + "".join("import './%s.js';\n" % w for w in WORDS), **each("src/@.js", "export const @ = 1;\n", WORDS), "src/axis.js": "export const ticks = n => {\n  return n +;\n};\n"})

case("sass-undefined-variable", "sass", "theme-scss", "styles", [{"name": "Styles", "run": "npx sass --no-source-map scss:css"}],
    ["npx sass --no-source-map", ["Undefined variable"], ["scss/card.scss 4", "card.scss 4:"]], ["math.div"],
    {"package.json": "{\"name\": \"t\"}\n", "scss/base.scss": "$w: 10px;\n.a { width: ($w / 2); }\n", "scss/card.scss": "$pad: 4px;\n.card {\n  padding: $pad;\n  color: $brand-dark;\n}\n"}, prepare="ln -s $TOOLS/node-e/node_modules node_modules")

case("tsup-build", "tsup", "sdk-ts", "build package", [{"name": "Build", "run": "npx tsup src/index.ts --format cjs,esm"}],
    ["npx tsup src/index.ts", ["Could not resolve \"./transport\""], ["src/index.ts:2"]], [],
    {"package.json": "{\"name\": \"sdk\", \"version\": \"1.0.0\"}\n", "tsconfig.json": "{}\n", "src/index.ts": "export const version = '1';\nexport { send } from './transport';\n"}, prepare="ln -s $TOOLS/node-e/node_modules node_modules")

case("vitepress-dead-link", "vitepress", "guide-site", "docs build", [{"name": "Docs", "run": "npx vitepress build docs"}],
    ["npx vitepress build docs", ["Found dead link ./instal", "dead link"], ["index.md"]], [],
    {"package.json": "{\"name\": \"g\", \"type\": \"module\"}\n", "docs/index.md": "# Guide\n\nSee [install](./instal).\n", "docs/install.md": "# Install\n"}, prepare="ln -s $TOOLS/node-e/node_modules node_modules")

case("typedoc-warnings", "typedoc", "client-ts", "api docs", [{"name": "API docs", "run": "npx typedoc --treatWarningsAsErrors --out out src/index.ts"}],
    ["npx typedoc --treatWarningsAsErrors", ["Failed to resolve link to \"Conection\"", "Conection"], ["send"]], [],
    {"package.json": "{\"name\": \"client\", \"version\": \"1.0.0\"}\n", "tsconfig.json": "{\"compilerOptions\": {\"types\": [], \"skipLibCheck\": true}, \"include\": [\"src\"]}\n", "README.md": "# Client\n", "src/index.ts": "/** Sends over a {@link Conection}. */\nexport function send(): void {}\n"}, prepare="ln -s $TOOLS/node-e/node_modules node_modules")

case("latex-undefined-environment", "pdflatex", "thesis", "pdf", [{"name": "PDF", "run": "latexmk -pdf -interaction=nonstopmode -halt-on-error main.tex"}],
    ["latexmk -pdf", ["Environment algorithm undefined"], ["l.6", "chapters/method.tex"]], [],
    {"main.tex": "\\documentclass{article}\n\\begin{document}\n\\hbox to 3cm{A very very very long line that does not fit at all}\n\\input{chapters/intro}\n\\input{chapters/method}\n\\end{document}\n", "chapters/intro.tex": "\\section{Intro} Text\\par\n\\parbox{1cm}{Donaudampfschifffahrt}\n", "chapters/method.tex": "\\section{Method}\n\nWe do this:\n\n% figure\n\\begin{algorithm}\nx\n\\end{algorithm}\n"})

case("sphinx-extension-missing", "sphinx", "engine-docs", "docs (html)", [{"name": "Docs", "run": "make -C docs html"}],
    ["make -C docs html", ["Could not import extension sphinx_gallery_x", "No module named 'sphinx_gallery_x'"]], [],
    {"docs/Makefile": "html:\n\tsphinx-build -b html . _build\n", "docs/conf.py": "extensions = ['sphinx.ext.autodoc', 'sphinx_gallery_x']\n", "docs/index.rst": "E\n=\n"})

case("poetry-like-tox-two-envs", "tox", "units-py", "tox", [{"name": "Tox", "run": "tox -q --skip-pkg-install"}],
    ["tox -q", ["style: FAIL code 1", "style: FAIL"], ["units/si.py has tabs in line 3"]], ["cache is cold"],
    {"tox.ini": "[tox]\nskipsdist = true\nenv_list = unit,style,docs\n[testenv]\nskip_install = true\nallowlist_externals = sh, python3\ncommands =\n  unit: sh -c 'echo warning: cache is cold; seq 1 40'\n  style: python3 style.py\n  docs: sh -c 'echo docs ok'\n", "style.py": "import sys\nprint('checked 40 files')\nprint('units/si.py has tabs in line 3')\nsys.exit(1)\n"})

# --- databases, configurations ------------------------------------------------------------------------------------------------

case("sqlite-foreign-key", "sqlite", "library-db", "seed", [{"name": "Seed", "run": "for f in db/*.sql; do\n  echo \"applying $f\"\n  sqlite3 -bail library.db < $f\ndone"}],
    [["sqlite3 -bail library.db"], ["db/03-loans.sql"], ["FOREIGN KEY constraint failed"]], [],
    {"db/01-schema.sql": "create table book(id integer primary key);\ncreate table loan(id int, book int references book(id));\n", "db/02-books.sql": "insert into book values(1);\n", "db/03-loans.sql": "pragma foreign_keys=on;\ninsert into loan values(1, 1);\ninsert into loan values(2, 9);\n"})

case("promtool-rules", "promtool", "alerts", "check rules", [{"name": "Check rules", "run": "promtool check rules rules/*.yml"}],
    ["promtool check rules", ["rules/disk.yml"], ["could not parse expression", "unclosed left parenthesis", "unexpected"]], [],
    {**each("rules/@.yml", "groups:\n- name: @\n  rules:\n  - alert: @\n    expr: up == 0\n", WORDS[:5]), "rules/disk.yml": "groups:\n- name: disk\n  rules:\n  - alert: Full\n    expr: sum(node_fs_free < 5\n"})

case("desktop-file", "desktop-file-validate", "paint-gtk", "metadata", [{"name": "Metadata", "run": "for f in data/*.desktop; do desktop-file-validate $f; done"}],
    [["desktop-file-validate"], ["data/paint.desktop"], ["\"Categoriez\"", "Categoriez"]], [],
    {"data/open.desktop": "[Desktop Entry]\nType=Application\nName=Open\nExec=open\n", "data/paint.desktop": "[Desktop Entry]\nType=Application\nName=Paint\nExec=paint\nCategoriez=Graphics;\n"})

case("gschema-strict", "glib", "viewer-gtk", "schemas", [{"name": "Schemas", "run": "mkdir -p out\nglib-compile-schemas --strict --targetdir=out data"}],
    ["glib-compile-schemas --strict", ["<default>", "failed to parse"], ["data/org.example.viewer.gschema.xml"]], [],
    {"data/org.example.viewer.gschema.xml": "<schemalist>\n  <schema id=\"org.example.viewer\" path=\"/org/example/viewer/\">\n    <key name=\"zoom\" type=\"i\">\n      <default>big</default>\n    </key>\n  </schema>\n</schemalist>\n"})

case("lighttpd-config", "lighttpd", "static-host", "config test", [{"name": "Config test", "run": "lighttpd -tt -f conf/lighttpd.conf"}],
    ["lighttpd -tt -f conf/lighttpd.conf", ["parser failed"], ["conf/lighttpd.conf line: 4", "line: 4", "line: 5"]], [],
    {"conf/lighttpd.conf": "server.document-root = \"/srv\"\nserver.port = 8080\nindex-file.names = (\n  \"index.html\"\nserver.tag = \"x\"\n"})

case("jq-invalid-json-fleet", "python", "fleet-config", "json syntax", [{"name": "JSON", "run": "for f in fleet/*.json; do python3 -m json.tool $f > /dev/null && echo \"$f ok\"; done"}],
    [["python3 -m json.tool"], ["Expecting ',' delimiter: line 3 column 3", "Expecting ',' delimiter"], ["fleet/mars.json", "line 3"]], [],
    {**each("fleet/@.json", "{}\n", WORDS[:6]), "fleet/mars.json": "{\n  \"a\": 1\n  \"b\": 2\n}\n"})

# --- shells, own scripts ---------------------------------------------------------------------------------------------------------

case("silent-grep-q-trap", "bash", "image-bake", "bake (amd64)", [{"name": "Bake", "run": "bash bake.sh amd64"}],
    ["bash bake.sh amd64", ["verifying boot entry for amd64"]], ["unmounted layer 9"],
    {"bake.sh": "set -euo pipefail\ntrap 'for n in $(seq 1 18); do echo \"unmounted layer $n\"; done' EXIT\nfor n in $(seq 1 60); do echo \"layer $n written\"; done\necho \"verifying boot entry for $1\"\ngrep -q \"^menuentry.*$1\" grub.cfg\necho 'sealing image'\n", "grub.cfg": "menuentry arm64\n"})

case("crlf-shebang", "bash", "win-authored", "package", [{"name": "Package", "run": "./tools/pack.sh dist"}],
    ["./tools/pack.sh dist", ["bad interpreter", "cannot execute", "required file not found", "No such file or directory"]], [],
    {"tools/pack.sh": "#!/bin/bash\r\necho packing\r\n"})

case("dash-bad-substitution", "sh", "legacy-init", "smoke", [{"name": "Smoke", "run": "sh smoke.sh staging"}],
    ["sh smoke.sh staging", ["Bad substitution"], ["smoke.sh: 4"]], ["probe 9 slow"],
    {"smoke.sh": "echo 'warning: probe 9 slow' >&2\nfor n in $(seq 1 30); do echo \"probe $n ok\"; done\nhost=$1\necho \"checking ${host^^}\"\necho done\n"})

case("missing-tool-in-script", "bash", "release-notes", "changelog", [{"name": "Notes", "run": "./notes.sh v2.3.0"}],
    ["./notes.sh v2.3.0", ["git-cliff: command not found"], ["notes.sh: line 4", "./notes.sh: line 4"]], ["tag v2.2.9 is not annotated"],
    {"notes.sh": "#!/bin/bash\nset -e\necho 'warning: tag v2.2.9 is not annotated'; seq -f 'commit %g' 1 20\ngit-cliff --tag $1 > NOTES.md\necho written\n"})

case("diff-of-expected-output", "diff", "calc-cli", "golden tests", [{"name": "Golden", "run": "./golden.sh"}],
    ["./golden.sh", ["FAIL tests/percent"], ["-12.5 %", "+12 %"]], ["tests/old-format"],
    {"golden.sh": "#!/bin/bash\nfail=0\necho 'SKIP tests/old-format (known failure)'\nfor t in tests/*.in; do b=${t%.in}; if diff -u $b.out <(cat $t) > d.txt; then echo \"ok   $b\"; else echo \"FAIL $b\"; cat d.txt; fail=1; fi; done\necho \"golden: done\"\nexit $fail\n", **each("tests/@.in", "1\n", WORDS), **each("tests/@.out", "1\n", WORDS), "tests/percent.in": "+12 %\n".replace("+", ""), "tests/percent.out": "12.5 %\n"})

case("own-words-python-validator", "python", "translations", "check locales", [{"name": "Locales", "run": "python3 tools/check_locales.py locales/"}],
    ["python3 tools/check_locales.py", ["pt-BR", "checkout.pay"], ["placeholder {amount} is missing"]], ["unused key"],
    {"tools/check_locales.py": "import sys\nfor n in range(120):\n    print(f'locale {n:03}: 812 keys')\n    if n % 20 == 0: print(f'note: locale {n:03} has 1 unused key')\nprint('pt-BR: checkout.pay: placeholder {amount} is missing')\nfor n in range(20): print(f'glossary {n}: 40 terms')\nprint('140 files checked, 1 problem')\nsys.exit(1)\n", "locales/a": "1\n"})

case("python-traceback-in-cli", "python", "exporter", "export (nightly)", [{"name": "Export", "run": "python3 -m exporter --all"}],
    ["python3 -m exporter --all", ["UnicodeDecodeError: 'utf-8' codec can't decode byte 0xe9"], ["exporter/read.py\", line 3", "exporter/read.py"]], ["feed 12 is stale"],
    {"exporter/__init__.py": "", "exporter/read.py": "def read(path):\n    # one customer\n    return open(path, 'rb').read().decode('utf-8')\n", "exporter/__main__.py": "import glob\nfrom exporter.read import read\nfor n in range(50):\n    print('feed', n, 'exported')\n    if n == 12: print('WARNING feed 12 is stale')\nfor p in sorted(glob.glob('data/*')):\n    read(p)\n"}, prepare="mkdir data; printf 'caf\\351' > data/customers.csv")

case("node-uncaught-type-error", "node", "sitemap-js", "generate", [{"name": "Generate", "run": "node scripts/generate.mjs"}],
    ["node scripts/generate.mjs", ["Cannot read properties of undefined (reading 'slug')"], ["scripts/generate.mjs:3"]], [],
    {"scripts/generate.mjs": "process.emitWarning('importing JSON', 'ExperimentalWarning');\nfor (let i = 0; i < 90; i++) console.log('page ' + i);\nconst url = page => '/' + page.meta.slug;\nconsole.log(url({ title: 'About' }));\n"})

case("ruby-load-error", "ruby", "report-rb", "report", [{"name": "Report", "run": "ruby -Ilib bin/report --month 2026-10"}],
    ["ruby -Ilib bin/report", ["cannot load such file -- prawn_tables"], ["lib/report/pdf.rb:1", "bin/report:2"]], [],
    {"bin/report": "puts 'report 2.0'\nrequire 'report/pdf'\n", "lib/report/pdf.rb": "require 'prawn_tables'\n"})

case("php-undefined-function", "php", "feed-php", "cron smoke", [{"name": "Smoke", "run": "php bin/feed.php --dry-run"}],
    ["php bin/feed.php --dry-run", ["Call to undefined function mb_lower()"], ["bin/feed.php:4"]], ["Undefined variable $lang"],
    {"bin/feed.php": "<?php\necho $lang;\nforeach (range(1, 40) as $n) echo \"item $n\\n\";\n$x = mb_lower('A');\n"})

case("cxx-bad-alloc-abort", "c++", "indexer", "index smoke", [{"name": "Index", "run": "g++ -O1 -o indexer main.cpp\n( ulimit -v 200000; ./indexer corpus )"}],
    [["./indexer corpus"], ["std::bad_alloc"], ["terminate called after throwing", "Aborted", "core dumped"]], ["stop words"],
    {"main.cpp": "#include <vector>\n#include <iostream>\nint main() {\n  std::cerr << \"warning: no stop words for xx\" << std::endl;\n  for (int i = 0; i < 40; i++) std::cout << \"segment \" << i << std::endl;\n  std::vector<long> v(1L << 30);\n  return v[3];\n}\n"})

case("killed-child-of-script", "kill", "ml-train", "train (smoke)", [{"name": "Train", "run": "./train.sh --epochs 3"}],
    ["./train.sh --epochs 3", ["Killed"], ["epoch 2", "line 3"]], ["freeing scratch volume 9"],
    {"train.sh": "#!/bin/bash\ntrap 'for n in $(seq 1 12); do echo \"freeing scratch volume $n\"; done' EXIT\npython3 train.py \"$@\"\nrc=$?\n[ $rc -eq 0 ] || exit $rc\n", "train.py": "import os, signal\nfor e in range(3):\n    for b in range(30): print(f'epoch {e} batch {b}: loss {1 / (b + 1):.4f}', flush=True)\n    if e == 2: os.kill(os.getpid(), signal.SIGKILL)\n"})

case("timeout-of-health-check", "timeout", "search-svc", "start-up", [{"name": "Start", "run": "python3 svc.py &\ntimeout 4 bash -c 'until [ -e ready ]; do echo waiting for index; sleep 0.3; done'\necho up"}],
    [["timeout 4 bash -c"], ["124"], ["waiting for index", "shard 7: lock held by another process"]], [],
    {"svc.py": "import time\nfor n in range(7): print(f'shard {n}: open', flush=True)\nprint('shard 7: lock held by another process', flush=True)\ntime.sleep(5)\n"})

case("perl-die-in-module", "perl", "billing-perl", "rate check", [{"name": "Rates", "run": "perl -Ilib bin/rates --year 2027"}],
    ["perl -Ilib bin/rates", ["no rate for zone 4 in 2027"], ["lib/Rates.pm line 5"]], [],
    {"bin/rates": "use Rates;\nprint \"zone 1 ok\\n\";\nwarn \"zone 2 uses the rate of 2025\\n\";\nprint \"zone $_ ok\\n\" for 2, 2.1, 2.2, 2.3, 2.4, 3;\nRates::get(4, 2027);\n", "lib/Rates.pm": "package Rates;\nsub get {\n  my ($z, $y) = @_;\n  # all years\n  die \"no rate for zone $z in $y\";\n}\n1;\n"})

# --- version control, forms of several steps ------------------------------------------------------------------------------------

case("git-diff-exit-code", "git", "schema-gen", "generated code is current", [{"name": "Generate", "run": "./gen.sh"}, {"name": "Compare", "run": "git diff --exit-code -- api"}],
    ["git diff --exit-code", ["api/v1.ts"], ["cancelledAt"]], [],
    {"gen.sh": "#!/bin/sh\nfor n in 1 2 3 4 5 6 7 8; do echo \"generated model $n\"; done\nprintf 'export type Order = {\\n  id: string;\\n  cancelledAt: string;\\n};\\n' > api/v1.ts\n", "api/v1.ts": "export type Order = {\n  id: string;\n};\n"}, prepare=GIT)

case("git-describe-checkout-missing", "git", "fw-release", "stamp", [{"name": "Stamp", "run": "./stamp.sh"}],
    ["./stamp.sh", ["invalid reference: release/4.x"]], [],
    {"stamp.sh": "#!/bin/bash\nset -e\nfor n in $(seq 1 20); do echo \"stamp $n\"; done\ngit checkout release/4.x -- VERSION\n"}, prepare=GIT)

case("allowed-audit-then-test", "several", "booking-web", "ci", [{"name": "CI", "run": "./audit.sh || echo 'audit is informational'\nnode --test --test-reporter=spec test/"}],
    ["node --test --test-reporter=spec", ["keeps the seat for ten minutes"], ["9 !== 10", "10 !== 9"], ["test/seat.test.js"]], ["3 high severity vulnerabilities", "minimist"],
    {"audit.sh": "#!/bin/sh\necho 'error: minimist <1.2.6 prototype pollution'\necho '3 high severity vulnerabilities'\nexit 1\n", "test/seat.test.js": "const test = require('node:test'); const assert = require('assert');\nfor (let i = 0; i < 40; i++) test('row ' + i, () => {});\ntest('keeps the seat for ten minutes', () => { assert.strictEqual(9, 10); });\n"})

case("two-failures-flake8-and-unittest", "several", "calendar-py", "check", [{"name": "Style", "run": "flake8 cal"}, {"name": "Unit", "always": True, "run": "python -m unittest discover -v"}, {"name": "Report", "always": True, "run": "echo 'error: nothing to report'"}],
    ["flake8 cal", ["F841", "local variable 'tz' is assigned to but never used"], ["python -m unittest discover"], ["test_dst_gap"], ["2 != 3"]], ["nothing to report"][:0],
    {"cal/__init__.py": "", "cal/dst.py": "def gap():\n    tz = 'CET'\n    return 2\n", "test_cal.py": "import unittest\nfrom cal.dst import gap\n\n\nclass Cal(unittest.TestCase):\n" + numbered("    def test_@(self):\n        pass\n\n", 25) + "    def test_dst_gap(self):\n        self.assertEqual(gap(), 3)\n"})

case("post-step-restore", "post step", "helm-lint", "lint charts", [
    {"name": "Lint", "run": "seq 1 30 | sed 's/^/chart /; s/$/: ok/'"},
    {"name": "Post Set up keychain", "post": True, "always": True, "run": "node dist/cleanup/index.js"}],
    [["Post Set up keychain", "security delete-keychain"], ["security: keychain ci.keychain-db could not be deleted"]], ["chart 7"],
    {"dist/cleanup/index.js": "console.log('[command]/usr/bin/security delete-keychain ci.keychain-db');\nconsole.log('::error::security: keychain ci.keychain-db could not be deleted');\nprocess.exitCode = 1;\n"}, cmd=(0,))

case("cancelled-in-build", "timeout", "kernel-mods", "modules (arm64)", [{"name": "Modules", "limit": 4, "run": "make -s modules"}],
    ["make -s modules", ["LD net/bridge.ko", "net/bridge.ko"], ["The operation was canceled"]], [],
    {"Makefile": "modules:\n\t@for n in $$(seq 1 70); do echo \"CC drivers/m$$n.o\"; done; echo 'LD net/bridge.ko'; sleep 60\n"})

case("composite-go-vet", "composite", "gateway-go", "verify", [{"name": "Verify", "inside": "go-verify", "shell": "bash", "run": "gofmt -l .\ngo vet ./..."}],
    ["go vet ./...", ["result of fmt.Errorf call not used", "Sprintf format %d has arg", "wrong type"], ["gw/limit.go:6"]], [],
    {"go.mod": "module example.org/gw\n\ngo 1.19\n", "gw/limit.go": "package gw\n\nimport \"fmt\"\n\nfunc Limit(s string) string {\n\treturn fmt.Sprintf(\"limit %d\", s)\n}\n"})

case("unknown-step-tsc", "tsc", "booking-ts", "types / strict", [{"name": "Install", "run": "./install.sh"}, {"name": "Types", "run": "tsc --noEmit --strict --types '' src/*.ts"}],
    ["tsc --noEmit --strict", ["TS2345", "Argument of type 'string' is not assignable"], ["src/room.ts(2", "src/room.ts:2"]], ["leaks memory"],
    {"install.sh": "#!/bin/sh\necho 'npm warn deprecated inflight@1.0.6: leaks memory'\necho 'added 212 packages in 4s'\n", "src/room.ts": "function book(n: number): void {}\nbook('12');\n", **each("src/@.ts", "export const @ = 1;\n", WORDS)}, unknown=True)

case("unknown-step-go-test", "go test", "cache-go", "test (race)", [{"name": "Vet", "run": "go vet ./..."}, {"name": "Test", "run": "go test ./..."}],
    ["go test ./...", ["TestEvictsOldest"], ["len = 3, want 2"], ["cache_test.go:6"]], [],
    {"go.mod": "module example.org/cache\n\ngo 1.19\n", "cache.go": "package cache\n\nfunc Len() int { return 3 }\n", "cache_test.go": "package cache\n\nimport \"testing\"\n\nfunc TestEvictsOldest(t *testing.T) {\n\tif n := Len(); n != 2 { t.Errorf(\"len = %d, want 2\", n) }\n}\n", "x/x.go": "package x\n"}, unknown=True)

case("retry-recovers-then-test", "several", "proxy-rs", "e2e", [{"name": "E2E", "shell": "bash", "run": "ci/e2e.sh"}],
    ["ci/e2e.sh", ["e2e/websocket_upgrade"], ["status 400, want 101"]], ["could not bind :8443", "dumped 0 cores"],
    {"ci/e2e.sh": "#!/bin/bash\nset -eo pipefail\ntrap 'echo \"dumped 0 cores\"' EXIT\nfor a in 1 2 3; do if [ $a -lt 3 ]; then echo \"proxy: error: could not bind :8443\"; echo \"attempt $a failed, sleeping\"; else echo 'proxy: listening'; break; fi; done\nfor n in $(seq 1 90); do echo \"PASS e2e/case_$n (0.0${n}s)\"; done\necho 'FAIL e2e/websocket_upgrade (0.31s)'\necho '     status 400, want 101'\nfor n in $(seq 91 120); do echo \"PASS e2e/case_$n (0.0${n}s)\"; done\necho '120 passed, 1 failed'\nexit 1\n"})

case("progress-bar-then-hash", "bash", "model-cache", "fetch models", [{"name": "Fetch", "run": "python3 fetch.py --all"}],
    ["python3 fetch.py --all", ["encoder-large.bin: size 41943039, expected 41943040"]], ["mirror-2 is slow"],
    {"fetch.py": "import sys\nfor m in ('tokenizer.json', 'encoder-small.bin', 'encoder-large.bin'):\n    for p in range(0, 101, 4): print(f'\\r{m} {p:3}% |' + '#' * (p // 4) + ' ' * (25 - p // 4) + '|', end='')\n    print()\n    if m == 'encoder-small.bin': print('warning: mirror-2 is slow')\nsys.stdout.flush()\nsys.exit('encoder-large.bin: size 41943039, expected 41943040')\n"})

case("long-line-then-schema", "node", "icon-set", "optimise", [{"name": "Optimise", "run": "node optimise.js"}],
    ["node optimise.js", ["logo-wide.svg: path 3 has no d attribute"]], [],
    {"optimise.js": "for (let i = 0; i < 20; i++) console.log(`icon ${i}: <path d=\"${'M0 0L1 1'.repeat(150)}\"/>`);\nconsole.error('logo-wide.svg: path 3 has no d attribute');\nprocess.exit(2);\n"})

case("ansible-task-fails-of-roles", "ansible", "site-ansible", "converge (local)", [{"name": "Converge", "run": "ansible-playbook -i localhost, -c local site.yml", "env": {"ANSIBLE_NOCOLOR": "1", "ANSIBLE_PYTHON_INTERPRETER": "/usr/bin/python3"}}],
    ["ansible-playbook -i localhost,", ["app : Render unit", "Render unit"], ["'app_port' is undefined"]], ["sysctl not writable"],
    {"site.yml": "- hosts: all\n  gather_facts: false\n  roles: [base, app]\n", "roles/base/tasks/main.yml": "- name: Sysctl\n  command: sh -c 'echo sysctl not writable; exit 1'\n  ignore_errors: true\n" + numbered("- name: Keep @\n  command: 'true'\n", 12), "roles/app/tasks/main.yml": "- name: Render unit\n  template: {src: unit.j2, dest: /home/runner/work/unit}\n", "roles/app/templates/unit.j2": "port={{ app_port }}\n"})

case("robot-keyword-fails", "robot", "pos-acceptance", "robot", [{"name": "Robot", "run": "robot --consolecolors off --output NONE --log NONE --report NONE suites"}],
    ["robot --consolecolors off", ["Change Is Returned"], ["2.50 != 3.00"]], ["printer offline"],
    {"suites/pay.robot": "*** Test Cases ***\nPrint\n    Log    printer offline    WARN\n" + numbered("Pay @\n    No Operation\n", 20) + "Change Is Returned\n    Should Be Equal    2.50    3.00\n"})
