"""Ordinary failing jobs of many repositories, each judged once at first sight; the texts were written before anything was run."""

from unseen import GIT, case as _case, dedented as d, each, numbered


def case(*args, **more):
    _case(*args, folder="fresh-c", **more)


PARTS = ["arena", "bloom", "clock", "delta", "epoch", "fence", "gossip", "inbox", "journal", "lease", "merge", "nonce"]

# --- compilers, build systems, test runners ---------------------------------------------------------------------------

case("cmake-static-assert", "g++", "wirepack", "build (gcc-12, Release)", [
    {"name": "Configure", "run": "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release"},
    {"name": "Build", "run": "cmake --build build --parallel 2"}],
    ["cmake --build build", ["static assertion failed: Header must stay 16 bytes"], ["include/wire/header.h:10"]],
    ["unused variable ‘scratch’"],
    {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.20)\nproject(wirepack CXX)\nset(CMAKE_CXX_STANDARD 17)\nadd_compile_options(-Wall -Wextra)\nfile(GLOB SRC src/*.cc)\nadd_library(wirepack STATIC ${SRC})\ntarget_include_directories(wirepack PRIVATE include)\n",
     "include/wire/header.h": d("""
        #pragma once
        #include <cstdint>
        namespace wire {
        struct Header {
          std::uint32_t magic;
          std::uint16_t version;
          std::uint64_t length;
          std::uint32_t crc;
        };
        static_assert(sizeof(Header) == 16, "Header must stay 16 bytes");
        }
        """),
     "src/encode.cc": "#include \"wire/header.h\"\nwire::Header encode() { return {}; }\n",
     **each("src/@.cc", "int @(int n) {\n  int scratch = 3;\n  return n;\n}\n", PARTS)})

case("ld-multiple-definition", "ld", "probed", "build (gcc, -fno-common)", [
    {"name": "Build", "run": "make -s clean\nmake CC=gcc probed"}],
    ["make CC=gcc probed", ["multiple definition of `log_level'"], ["src/report.c", "report.o"], ["first defined here"]],
    ["the use of `tmpnam' is dangerous"],
    {"Makefile": "OBJ := $(patsubst %.c,%.o,$(wildcard src/*.c))\nCFLAGS = -O2 -Wall\nprobed: $(OBJ)\n\t$(CC) -o $@ $^\nclean:\n\trm -f $(OBJ) probed\n",
     "src/log.c": "#include \"log.h\"\nint verbose;\n", "src/log.h": "extern int verbose;\n",
     "src/main.c": "#include \"log.h\"\nint log_level = 1;\nint main(void) { return verbose; }\n", "src/report.c": "#include \"log.h\"\nint log_level = 2;\nint report(void) { return log_level; }\n",
     "src/spool.c": "#include <stdio.h>\nchar *spool(char *b) { return tmpnam(b); }\n",
     "src/tty.c": "#include <unistd.h>\nvoid tty(void) { write(1, \"x\", 1); }\n",
     **each("src/m@.c", "int m@(void) { return 1; }\n", PARTS)})

case("cargo-test-two-crates", "cargo test", "courier", "test (stable, workspace)", [
    {"name": "Build", "run": "cargo build --workspace --offline"},
    {"name": "Test", "run": "cargo test --workspace --offline --no-fail-fast"}],
    ["cargo test --workspace --offline --no-fail-fast", ["retries_double_the_delay"], ["left: 300", "right: 400"], ["keeps_the_trailing_slash"], ["crates/route/tests/paths.rs:6"]],
    ["unused import: `std::fmt`"],
    {"Cargo.toml": "[workspace]\nmembers = [\"crates/*\"]\nresolver = \"2\"\n",
     **{"crates/%s/Cargo.toml" % n: "[package]\nname = \"%s\"\nversion = \"0.4.0\"\nedition = \"2021\"\n" % n for n in ("queue", "route", "legacy")},
     "crates/legacy/src/lib.rs": "use std::fmt;\npub fn old() {}\n#[cfg(test)]\nmod tests {\n    #[test]\n    #[should_panic]\n    fn race() {\n        panic!(\"the loser of the race gave up\");\n    }\n}\n",
     "crates/queue/src/lib.rs": "pub fn delay(n: u32) -> u32 {\n    100 * n\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n" + numbered("    #[test]\n    fn keeps_order_@() {}\n", 40) + "    #[test]\n    fn retries_double_the_delay() {\n        assert_eq!(delay(1), 100);\n        assert_eq!(delay(3), 400);\n    }\n}\n",
     "crates/route/src/lib.rs": "pub fn clean(path: &str) -> String {\n    path.trim_end_matches('/').to_string()\n}\n",
     "crates/route/tests/paths.rs": "#[test]\nfn keeps_the_root() {}\n\n#[test]\nfn keeps_the_trailing_slash() {\n    assert_eq!(route::clean(\"/a/\"), \"/a/\", \"a folder's path ends in a slash\");\n}\n"})

case("cargo-doc-test", "cargo test", "durations", "test (1.7x, doc)", "cargo test --offline",
    ["cargo test --offline", ["src/lib.rs - parse (line 5)"], ["src/lib.rs - parse", "src/lib.rs:7"], ["left: 90", "assertion `left == right` failed", "assertion failed: `(left == right)`"]],
    ["field `spare` is never read"],
    {"Cargo.toml": "[package]\nname = \"durations\"\nversion = \"2.0.1\"\nedition = \"2021\"\n",
     "src/lib.rs": d("""
        //! Durations as people write them.

        /// Seconds of a text.
        ///
        /// ```
        /// assert_eq!(durations::parse("2s"), 2);
        /// assert_eq!(durations::parse("1m30s"), 90);
        /// ```
        pub fn parse(text: &str) -> u32 {
            text.trim_end_matches('s').parse().unwrap_or(0)
        }

        /// How it is shown.
        ///
        /// ```
        /// assert_eq!(durations::show(2), "2s");
        /// ```
        pub fn show(n: u32) -> String {
            format!("{n}s")
        }

        struct Cache {
            spare: u32,
        }

        #[cfg(test)]
        mod tests {
        """) + numbered("    #[test]\n    fn shows_@() {\n        assert_eq!(super::show(@), \"@s\");\n    }\n", 30) + "    #[test]\n    fn caches() {\n        let _ = super::Cache { spare: 1 };\n    }\n}\n"})

GO = "module example.org/%s\n\ngo 1.19\n"

case("go-vet-inside-test", "go test", "notify-go", "unit (go 1.19)", [
    {"name": "Unit tests", "run": "echo 'go version:' && go env GOVERSION\ngo test -v ./..."}],
    ["go test -v ./...", ["Sprintf format %d has arg name of wrong type string"], ["mail/mail.go:6"]],
    ["upstream answered 503", "dropping message"],
    {"go.mod": GO % "notify", "mail/mail.go": "package mail\n\nimport \"fmt\"\n\nfunc Subject(name string) string {\n\treturn fmt.Sprintf(\"order %d\", name)\n}\n",
     "mail/mail_test.go": "package mail\n\nimport \"testing\"\n\nfunc TestSubject(t *testing.T) {\n\tif Subject(\"a\") == \"\" {\n\t\tt.Fatal(\"empty\")\n\t}\n}\n",
     **each("@/@.go", "package @\n\nfunc Send() {}\n", ["sms", "push", "hook", "chat"]),
     **each("@/@_test.go", "package @\n\nimport (\n\t\"log\"\n\t\"testing\"\n)\n\nfunc TestSend(t *testing.T) {\n\tlog.Println(\"ERROR @: upstream answered 503, dropping message\")\n\tSend()\n}\n\nfunc TestMany(t *testing.T) {\n\tfor _, n := range []string{\"a\", \"b\", \"c\", \"d\", \"e\", \"f\"} {\n\t\tt.Run(n, func(t *testing.T) {})\n\t}\n}\n", ["sms", "push", "hook", "chat"])})

case("go-test-wrong-status", "go test", "gateway", "integration (go, linux)", [
    {"name": "Lint", "run": "go vet ./..."},
    {"name": "Integration", "shell": "bash", "run": "go test -count=1 ./... 2>&1 | tee test.log"}],
    [["go test -count=1 ./..."], ["TestTokenExpired"], ["status = 200, want 401"], ["auth_test.go:19"]],
    ["http: panic serving", "TLS handshake error"],
    {"go.mod": GO % "gateway", "auth/auth.go": "package auth\n\nfunc Status(exp int) int { return 200 }\n",
     "auth/auth_test.go": d("""
        package auth

        import (
        	"log"
        	"testing"
        )

        func TestRecovers(t *testing.T) {
        	log.Println("http: panic serving 127.0.0.1:9: recovered as it should")
        	log.Println("TLS handshake error from 127.0.0.1:9: EOF")
        }

        func TestTokenFresh(t *testing.T) {
        	t.Log("fresh")
        }

        func TestTokenExpired(t *testing.T) {
        	if got := Status(-1); got != 401 {
        		t.Fatalf("status = %d, want 401", got)
        	}
        }
        """),
     **each("@/@_test.go", "package @\n\nimport \"testing\"\n\nfunc TestOk(t *testing.T) {}\n", ["proxy", "limits", "routes", "store"])})

case("ant-compile-tests", "ant", "planner-java", "ant (temurin 17)", [{"name": "Build", "run": "ant -noinput dist"}],
    ["ant -noinput dist", ["cannot find symbol"], ["method setZone(String)"], ["PlannerTest.java:5"]],
    ["has been deprecated", "[deprecation]"],
    {"build.xml": "<project name=\"planner\" default=\"dist\">\n  <target name=\"init\"><mkdir dir=\"out/main\"/><mkdir dir=\"out/test\"/></target>\n  <target name=\"compile\" depends=\"init\"><javac srcdir=\"src\" destdir=\"out/main\" includeantruntime=\"false\" debug=\"true\"><compilerarg value=\"-Xlint:all\"/></javac></target>\n  <target name=\"compile-tests\" depends=\"compile\"><javac srcdir=\"test\" destdir=\"out/test\" classpath=\"out/main\" includeantruntime=\"false\"/></target>\n  <target name=\"dist\" depends=\"compile-tests\"><jar destfile=\"planner.jar\" basedir=\"out/main\"/></target>\n</project>\n",
     "src/Planner.java": "public class Planner {\n  public void setTimeZone(String zone) {}\n  @Deprecated public void old() {}\n}\n",
     **each("src/Old@.java", "public class Old@ {\n  Integer n = new Integer(@);\n  java.util.Date d = new java.util.Date(126, 1, 1);\n}\n", range(6)),
     "test/PlannerTest.java": "public class PlannerTest {\n  public static void main(String[] a) {\n    Planner p = new Planner();\n    p.old();\n    p.setZone(\"UTC\");\n  }\n}\n"})

case("junit5-assert-throws", "junit", "vault-java", "test (jdk 17, ubuntu)", [
    {"name": "Test", "run": "javac -cp /usr/share/java/junit-jupiter-api.jar:/usr/share/java/apiguardian-api.jar -d out src/*.java\njava -cp \"out:/usr/share/java/*\" org.junit.platform.console.ConsoleLauncher --disable-banner --scan-classpath out --details=summary"}],
    ["org.junit.platform.console.ConsoleLauncher", ["refusesAnExpiredKey"], ["Expected java.lang.IllegalStateException to be thrown, but nothing was thrown"], ["VaultTest.java:19"]],
    ["the disk of the test is full", "SEVERE"],
    {"src/VaultTest.java": d("""
        import java.util.logging.*;
        import org.junit.jupiter.api.*;
        import static org.junit.jupiter.api.Assertions.*;

        class VaultTest {
          static final Logger LOG = Logger.getLogger("vault");
          static void open(int age) { if (age > 400) throw new IllegalStateException("expired"); }

          @Test void opens() { open(1); }

          @Test void survivesAFullDisk() {
            LOG.log(Level.SEVERE, "could not write audit record", new java.io.IOException("the disk of the test is full"));
          }

          @Nested class Keys {
            @Test void acceptsAFreshKey() { open(10); }

            @Test void refusesAnExpiredKey() {
              assertThrows(IllegalStateException.class, () -> open(365));
            }
          }
        }
        """)})

case("pytest-missing-fixture", "pytest", "billing-api", "tests (py3.11, pg15)", [
    {"name": "Tests", "run": "python -m pytest tests -o log_cli=true -o log_cli_level=WARNING"}],
    ["python -m pytest tests", ["fixture 'pg_dsn' not found"], ["test_invoice_is_stored"], ["tests/test_store.py"]],
    ["card was declined", "socket of the test was left open"],
    {"tests/test_pay.py": "import logging, pytest\n@pytest.mark.parametrize('n', range(60))\ndef test_declined(n):\n    logging.getLogger('payments').error('card was declined, attempt %d', n)\n",
     "tests/conftest.py": "import pytest\n\n@pytest.fixture\ndef clock():\n    return 5\n",
     "tests/test_store.py": "def test_clock(clock):\n    assert clock == 5\n\n\ndef test_invoice_is_stored(pg_dsn, clock):\n    assert pg_dsn\n",
     "tests/test_warn.py": "import warnings\ndef test_warns():\n    warnings.warn('socket of the test was left open')\n"})

case("pytest-doctest-modules", "pytest", "pricefmt", "doctests", [
    {"name": "Doctests", "run": "pytest --doctest-modules src -v"}],
    ["pytest --doctest-modules src", ["pricefmt.euro.show", "euro.show"], ["'1.5 EUR'"], ["euro.py:7", "007     >>> show(1.50)"]],
    ["src/pricefmt/yen.py"],
    {"src/pricefmt/__init__.py": "", **each("src/pricefmt/@.py", '"""@."""\n\n\ndef keep(n):\n    """Keeps.\n\n    >>> keep(1)\n    1\n    """\n    return n\n', ["yen", "won", "peso", "krona", "franc"]),
     "src/pricefmt/euro.py": '"""Euro."""\n\n\ndef show(amount):\n    """Text of an amount.\n\n    >>> show(2)\n    \'2 EUR\'\n    >>> show(1.50)\n    \'1.50 EUR\'\n    """\n    return f"{amount} EUR"\n'.replace('    """Text of an amount.\n\n    >>> show(2)\n    \'2 EUR\'\n', '    """Text of an amount.\n\n')})

case("tox-ignored-outcome", "tox", "feedlib", "tox (3.11)", [
    {"name": "Run tox", "run": "tox run --colored no"}],
    ["tox run", ["test_keeps_order"], ["assert ['b', 'a'] == ['a', 'b']"], ["unit: FAIL", "unit: exit 1"], ["tests/test_feed.py:9"]],
    ["E501", "feed/generated.py"],
    {"tox.ini": "[tox]\nenvlist = style, docs, unit\nskipsdist = true\n[testenv]\nskip_install = true\nallowlist_externals = *\n[testenv:style]\nignore_outcome = true\ncommands = flake8 --max-line-length 40 feed\n[testenv:docs]\ncommands = echo docs are built\n[testenv:unit]\ncommands = pytest -q tests\n",
     "feed/generated.py": numbered("TABLE_@ = 'a very long line that the generator wrote, number @'\n", 12), "feed/__init__.py": "",
     "tests/test_feed.py": "import pytest\n\n@pytest.mark.parametrize('n', range(30))\ndef test_ok(n):\n    pass\n\n\ndef test_keeps_order():\n    assert list(reversed(['a', 'b'])) == ['a', 'b']\n"})

case("unittest-tracebacks-of-passing", "unittest", "crawler", "unit (3.11)", [
    {"name": "Unit", "run": "python -m unittest discover -s tests"}],
    ["python -m unittest discover -s tests", ["test_relative_link_of_a_page"], ["'https://a.example/c' != 'https://a.example/b/c'"], ["test_links.py\", line 9"]],
    ["ConnectionResetError", "giving up on http://down.example"],
    {"tests/test_fetch.py": d("""
        import sys, traceback, unittest

        class Fetch(unittest.TestCase):
            def fail_once(self):
                try:
                    raise ConnectionResetError('peer went away')
                except OSError:
                    traceback.print_exc()
                    print('giving up on http://down.example', file=sys.stderr)
        """) + numbered("\n    def test_retry_@(self):\n        self.fail_once()\n", 5),
     "tests/test_links.py": d("""
        import unittest
        from urllib.parse import urljoin

        class Links(unittest.TestCase):
            def test_absolute(self):
                self.assertEqual(urljoin('https://a.example/', '/x'), 'https://a.example/x')

            def test_relative_link_of_a_page(self):
                self.assertEqual(urljoin('https://a.example/b', 'c'), 'https://a.example/b/c')
        """)})

case("jest-coverage-threshold-c", "jest", "session-js", "unit + coverage (node 20)", [
    {"name": "Unit tests", "run": "jest --ci --coverage --verbose"}],
    ["jest --ci --coverage", ["Coverage for branches (50%) does not meet \"global\" threshold (80%)", "coverage threshold for branches (80%) not met", "threshold for branches (80%) not met"], ["refresh.js"]],
    ["socket hang up"],
    {"package.json": "{\"name\": \"session-js\", \"jest\": {\"coverageThreshold\": {\"global\": {\"branches\": 80}}, \"collectCoverageFrom\": [\"src/**/*.js\"]}}\n",
     "src/open.js": "module.exports = () => 1;\n", "src/close.js": "module.exports = () => 2;\n",
     "src/refresh.js": "module.exports = n => {\n  if (n > 10) {\n    return 'late';\n  } else if (n > 5) {\n    return 'soon';\n  }\n  return n ? 'now' : 'never';\n};\n",
     "test/open.test.js": "const open = require('../src/open'); const close = require('../src/close'); const refresh = require('../src/refresh');\n" + numbered("test('opens @', () => { expect(open()).toBe(1); });\n", 20) + "test('closes', () => { console.error(new Error('socket hang up')); expect(close()).toBe(2); });\ntest('refreshes', () => expect(refresh(1)).toBe('now'));\n"})

case("vitest-object-diff", "vitest", "cart-ts", "test (node 22.x)", [
    {"name": "Test", "run": "npm test", "env": {"FORCE_COLOR": "1"}}],
    [["npm test", "vitest run"], ["applies the voucher before shipping"], ["\"total\": 1490", "1490"], ["test/cart.test.ts:14", "cart.test.ts"]],
    ["could not reach the tax service", "falls back to the cached rate"],
    {"package.json": "{\"name\": \"cart-ts\", \"type\": \"module\", \"scripts\": {\"test\": \"vitest run --reporter=verbose\"}}\n",
     "test/tax.test.ts": "import { test, expect } from 'vitest';\n" + numbered("test('rate @ falls back to the cached rate', () => { console.error('tax: could not reach the tax service (@)'); expect(@).toBe(@); });\n", 14),
     "test/cart.test.ts": d("""
        import { describe, test, expect } from 'vitest';

        function sum(lines: number[], voucher: number) {
          return { lines: lines.length, shipping: 490, total: lines.reduce((a, b) => a + b, 490) - voucher };
        }

        describe('cart', () => {
          test('empty', () => {
            expect(sum([], 0).total).toBe(490);
          });

          test('applies the voucher before shipping', () => {
            const cart = sum([1500], 500);
            expect(cart).toEqual({ lines: 1, shipping: 490, total: 1590 });
          });
        });
        """)})

case("ava-deep-equal", "ava", "jobq", "node 20 - ava", [
    {"name": "Install", "run": "for i in $(seq 1 6); do echo \"npm warn deprecated glob@$i.2.3: this version is no longer supported\"; done; echo 'added 311 packages in 4s'"},
    {"name": "Test", "run": "ava --tap=false --color=false"}],
    ["ava", ["drains urgent jobs first"], ["test/queue.js:9", "queue.js:9"], ["Difference", "'mail'"]],
    ["is not implemented yet"],
    {"package.json": "{\"name\": \"jobq\", \"type\": \"module\", \"ava\": {\"files\": [\"test/*.js\"]}}\n",
     **each("test/part@.js", "import test from 'ava';\nfor (const n of [1, 2, 3, 4, 5]) test('part @ keeps ' + n, t => t.pass());\ntest.failing('part @ is not implemented yet', t => t.fail());\n", range(3)),
     "test/queue.js": d("""
        import test from 'ava';

        const drain = jobs => jobs.map(j => j.name);

        test('drains nothing', t => t.deepEqual(drain([]), []));

        test('drains urgent jobs first', t => {
          const got = drain([{ name: 'mail' }, { name: 'page', urgent: true }]);
          t.deepEqual(got, ['page', 'mail']);
        });
        """)}, prepare="ln -s $TOOLS/js/node_modules node_modules")

case("jasmine-async-timeout", "jasmine", "uploader-js", "jasmine (node 20)", [{"name": "Specs", "run": "npm run specs"}],
    [["npm run specs", "jasmine --random=false"], ["resumes after a broken part"], ["Async function did not complete within 200ms"]],
    ["Temporarily disabled with xit", "part 2 was refused"],
    {"package.json": "{\"name\": \"uploader-js\", \"scripts\": {\"specs\": \"jasmine --random=false 'spec/*.spec.js'\"}}\n",
     "spec/a.spec.js": "describe('parts', () => {\n" + numbered("  it('splits @', () => { console.error('warn: part 2 was refused'); expect(@).toBe(@); });\n", 15) + "  xit('waits for the new store', () => {});\n});\n",
     "spec/upload.spec.js": "jasmine.DEFAULT_TIMEOUT_INTERVAL = 200;\ndescribe('upload', () => {\n  it('starts', () => expect(1).toBe(1));\n  it('resumes after a broken part', done => {\n    setTimeout(() => {}, 10);\n  });\n});\n"})

case("rspec-with-pending-failures", "rspec", "tariffs-rb", "rspec (3.1)", [{"name": "RSpec", "run": "bundle --version\nrspec --format documentation --force-color"}],
    ["rspec --format documentation", ["rounds a half cent up"], ["expected: 13", "got: 12"], ["spec/round_spec.rb:4", "spec/round_spec.rb:5"]],
    ["waits for the new price feed", "negative zone"],
    {"spec/zone_spec.rb": "describe 'Zone' do\n  25.times { |n| it(\"has a price for zone #{n}\") { expect(n).to eq n } }\n  it 'refuses a negative zone' do\n    pending 'waits for the new price feed'\n    expect(-1).to eq 0\n  end\nend\n",
     "spec/round_spec.rb": "describe 'Rounding' do\n  it('keeps whole cents') { expect(12).to eq 12 }\n\n  it 'rounds a half cent up' do\n    expect(12.5.round(half: :even)).to eq 13\n  end\nend\n"})

case("phpunit-risky-and-failed", "phpunit", "catalog-php", "phpunit (8.2, mysql off)", [{"name": "PHPUnit", "run": "phpunit --verbose tests"}],
    ["phpunit --verbose tests", ["SlugTest::testUmlauts", "Umlauts"], ["'ae-oe'", "+'-'", "Failed asserting that two strings are identical"], ["SlugTest.php:5"]],
    ["did not perform any assertions", "no image library"],
    {"tests/SlugTest.php": "<?php\nuse PHPUnit\\Framework\\TestCase;\nfinal class SlugTest extends TestCase {\n  public function testPlain(): void { $this->assertSame('a', 'a'); }\n  public function testUmlauts(): void { $this->assertSame('ae-oe', preg_replace('/[^a-z-]/', '', 'ä-ö')); }\n}\n",
     "tests/ImageTest.php": "<?php\nuse PHPUnit\\Framework\\TestCase;\nfinal class ImageTest extends TestCase {\n  public function testScales(): void { $this->markTestSkipped('no image library'); }\n  public function testNothing(): void { }\n" + numbered("  public function testKeeps@(): void { $this->assertTrue(true); }\n", 20) + "}\n"})

case("prove-todo-and-die", "prove", "Text-Mail", "perl 5.36", [{"name": "Tests", "run": "prove -lv t"}],
    ["prove -lv t", ["t/20-parse.t"], ["no boundary in Content-Type at"], ["lib/Text/Mail.pm line 7"]],
    ["unicode folding", "deliberate garbage"],
    {"lib/Text/Mail.pm": "package Text::Mail;\nuse strict;\nuse warnings;\n\nsub parse {\n  my ($head) = @_;\n  $head =~ /boundary=(\\S+)/ or die 'no boundary in Content-Type';\n  return $1;\n}\n1;\n",
     "t/10-head.t": "use Test::More;\nwarn \"deliberate garbage in header\\n\";\nok(1, \"header $_\") for 1..40;\nTODO: { local $TODO = 'unicode folding'; is('a', 'A', 'folds'); }\ndone_testing;\n",
     "t/20-parse.t": "use Test::More;\nuse Text::Mail;\nis(Text::Mail::parse('boundary=x'), 'x', 'plain');\nis(Text::Mail::parse('Boundary=x'), 'x', 'other case');\ndone_testing;\n"})

case("busted-nil-index", "busted", "ratelimit-lua", "busted (lua 5.1)", [{"name": "Busted", "run": "busted --output=TAP spec"}],
    ["busted --output=TAP spec", ["uses the limit of the tenant"], ["attempt to index"], ["limit.lua:4"]],
    ["needs redis"],
    {"limit.lua": "local M = {}\n\nfunction M.of(conf, tenant)\n  return conf.tenants[tenant].limit\nend\n\nreturn M\n",
     "spec/limit_spec.lua": "local limit = require 'limit'\ndescribe('limit', function()\n  for n = 1, 25 do it('keeps ' .. n, function() assert.are.equal(n, n) end) end\n  pending('needs redis')\n  it('uses the limit of the tenant', function()\n    assert.are.equal(5, limit.of({tenants = {}}, 'a'))\n  end)\nend)\n"})

case("r-cmd-check-tests", "R CMD check", "kurve", "R-CMD-check (ubuntu, release)", [
    {"name": "Check", "run": "R CMD build --no-build-vignettes .\nR CMD check --no-manual --no-build-vignettes kurve_0.3.0.tar.gz"}],
    ["R CMD check --no-manual", ["slope(c(1, 2), c(1, 3)) == 1 is not TRUE", "slope(c(1, 2), c(1, 3)) == 1"], ["tests/run.R", "run.R"]],
    ["no visible global function definition", "invisible to the reader"],
    {"DESCRIPTION": "Package: kurve\nTitle: Slopes of Curves\nVersion: 0.3.0\nAuthors@R: person('A', 'B', email = 'a@example.org', role = c('aut', 'cre'))\nDescription: Slopes of curves, as text and as numbers.\nLicense: GPL-3\nEncoding: UTF-8\n",
     "NAMESPACE": "export(slope)\n", "R/slope.R": "slope <- function(x, y) {\n  diff(y) / diff(x)\n}\nshow_curve <- function(x) {\n  tail(x)\n}\n",
     "man/slope.Rd": "\\name{slope}\n\\alias{slope}\n\\title{Slope}\n\\description{Slope of a curve.}\n\\usage{slope(x, y)}\n\\arguments{\\item{x}{x} \\item{y}{y}}\n",
     "tests/run.R": "library(kurve)\nfor (n in 1:10) stopifnot(slope(c(0, 1), c(0, n)) == n)\nstopifnot(slope(c(1, 2), c(1, 3)) == 1)\n"})

case("ghc-werror-of-one-flag", "ghc", "wiki-hs", "build (ghc-9.0, -Werror=incomplete-patterns)", [
    {"name": "Build", "run": "./ci/build.sh"}],
    [["./ci/build.sh", "ghc --make"], ["Pattern match(es) are non-exhaustive"], ["src/Route.hs:6"], ["Draft"]],
    ["[-Wunused-imports]", "src/Legacy.hs:2"],
    {"ci/build.sh": "#!/bin/sh\nset -e\nmkdir -p dist\nghc --make -Wall -Werror=incomplete-patterns -isrc -outputdir dist -o dist/wiki app/Main.hs\n./dist/wiki\n",
     "app/Main.hs": "module Main (main) where\nimport Legacy (old)\nimport Route (route)\nimport Page (Page (..))\nmain :: IO ()\nmain = putStrLn (old ++ route Home)\n",
     "src/Page.hs": "module Page (Page (..)) where\ndata Page = Home | Entry String | Draft Int\n",
     "src/Legacy.hs": "module Legacy (old) where\nimport Data.List\nimport Data.Char\nold :: String\nold = \"old\"\n",
     "src/Route.hs": "module Route (route) where\n\nimport Page\n\nroute :: Page -> String\nroute p = case p of\n  Home -> \"/\"\n  Entry e -> \"/e/\" ++ e\n"})

case("dune-test-exception", "dune test", "ledger-ml", "dune (ocaml 4.14)", [{"name": "Test", "run": "dune build @install\ndune test --display=short --no-buffer", "env": {"OCAMLRUNPARAM": "b"}}],
    ["dune test --display=short", ["Failure(\"unbalanced entry: 2026-01-31\")", "unbalanced entry: 2026-01-31"], ["src/book.ml\", line 3", "test/run.ml\", line 4"]],
    ["rate of XAU is unknown"],
    {"dune-project": "(lang dune 2.0)\n", "src/dune": "(library (name book))\n", "src/book.ml": "let post day a b =\n  if a + b <> 0 then\n    failwith (\"unbalanced entry: \" ^ day);\n  day\n",
     "test/dune": "(test (name run) (libraries book))\n", "test/run.ml": "let () =\n  for n = 1 to 30 do Printf.printf \"entry %d ok\\n%!\" n done;\n  prerr_endline \"warning: rate of XAU is unknown, 0 is used\";\n  ignore (Book.post \"2026-01-31\" 5 (-4));\n  print_endline \"all balanced\"\n"})

case("mix-compile-error", "mix", "tracker-ex", "compile (1.14 / otp 25)", [{"name": "Compile", "run": "mix format --check-formatted || echo 'format differs, told by another job'\nmix compile"}, {"name": "Test", "run": "mix test"}],
    ["mix compile", ["undefined function fetch_span/1"], ["lib/tracker/span.ex:6"]],
    ["variable \"meta\" is unused", "lib/tracker/old.ex"],
    {"mix.exs": "defmodule Tracker.MixProject do\n  use Mix.Project\n\n  def project, do: [app: :tracker, version: \"0.1.0\"]\nend\n", ".formatter.exs": "[inputs: [\"mix.exs\"]]\n",
     "lib/tracker/old.ex": "defmodule Tracker.Old do\n  def keep(meta), do: 1\n  def drop(meta), do: 2\nend\n",
     "lib/tracker/span.ex": "defmodule Tracker.Span do\n  def open(id), do: {:open, id}\n\n  def close(id) do\n    id\n    |> fetch_span()\n    |> Map.put(:open, false)\n  end\nend\n"})

case("eunit-assert-equal", "eunit", "mqttd-erl", "eunit", [{"name": "EUnit", "run": "make eunit"}],
    ["make eunit", ["wildcard_level_test"], ["{expected,true}", "{value,false}"], ["topic.erl, line 13", "{line,13}"]],
    ["client_died_on_purpose"],
    {"Makefile": "eunit:\n\t@mkdir -p ebin\n\terlc -o ebin src/*.erl\n\terl -noshell -pa ebin -eval 'R = eunit:test([topic], [verbose]), halt(case R of ok -> 0; _ -> 1 end).'\n",
     "src/topic.erl": "-module(topic).\n-include_lib(\"eunit/include/eunit.hrl\").\n-export([match/2]).\n\nmatch(A, A) -> true;\nmatch(\"#\", _) -> true;\nmatch(_, _) -> false.\n\nmany_test_() -> [?_assert(match(\"a\", \"a\")) || _ <- lists:seq(1, 30)].\n\ncrash_test() -> Pid = spawn(fun() -> error(client_died_on_purpose) end), R = erlang:monitor(process, Pid), receive {'DOWN', R, _, _, _} -> ok end.\n\nwildcard_level_test() -> ?assertEqual(true, match(\"a/+\", \"a/b\")).\n"})

case("ert-expected-failure-beside", "ert", "taskpaper-el", "ert (emacs 29)", [{"name": "Test", "run": "make test EMACS=emacs"}],
    [["make test", "ert-run-tests-batch-and-exit"], ["taskpaper-due-date-is-kept"], ["(equal \"2026-02-28\" \"2026-03-01\")", "different-atoms", "\"2026-02-28\""]],
    ["taskpaper-leap-second", "cannot find the clock"],
    {"Makefile": "EMACS ?= emacs\ntest:\n\t$(EMACS) -Q --batch -L . -l taskpaper-test.el -f ert-run-tests-batch-and-exit\n",
     "taskpaper-test.el": ";;; -*- lexical-binding: t -*-\n(require 'ert)\n(dotimes (n 80) (eval `(ert-deftest ,(intern (format \"taskpaper-keeps-%02d\" n)) () (should t))))\n(ert-deftest taskpaper-leap-second () :expected-result :failed (should (equal 59 60)))\n(ert-deftest taskpaper-no-clock () (message \"Warning: cannot find the clock\") (should t))\n(ert-deftest taskpaper-due-date-is-kept ()\n  (should (equal \"2026-02-28\" (format-time-string \"%F\" (encode-time 0 0 0 29 2 2026)))))\n"})

case("nim-unittest-check", "nim", "barcode-nim", "nim 1.6 / test", [{"name": "Test", "run": "nim c -r --hints:off --colors:off tests/tean.nim"}],
    ["nim c -r --hints:off", ["refuses a wrong check digit"], ["valid(\"4006381333930\") was true", "not valid(\"4006381333930\")"], ["tean.nim(11"]],
    ["is declared but not used"],
    {"tests/tean.nim": "import unittest\nproc valid(code: string): bool =\n  let spare = 1\n  code.len == 13\n\nsuite \"ean\":\n  for n in 1 .. 20:\n    test \"keeps \" & $n:\n      check valid(\"4006381333931\")\n  test \"refuses a wrong check digit\":\n    check not valid(\"4006381333930\")\n"})

case("gfortran-implicit-none", "gfortran", "oceanmodel", "build (gfortran-12)", [{"name": "Build", "run": "make -j2 FC=gfortran"}],
    ["make -j2 FC=gfortran", ["Symbol ‘dt’ at (1) has no IMPLICIT type", "has no IMPLICIT type"], ["src/tide.f90:6"]],
    ["Wunused-dummy-argument"],
    {"Makefile": "OBJ = $(patsubst %.f90,%.o,$(wildcard src/*.f90))\nall: ocean\nocean: $(OBJ)\n\t$(FC) -o $@ $^\n%.o: %.f90\n\t$(FC) -Wall -Wextra -c -o $@ $<\n",
     **each("src/@.f90", "subroutine @(n, m)\n  implicit none\n  integer, intent(in) :: n, m\n  print *, n\nend subroutine @\n", ["salt", "heat", "wind", "ice", "depth"]),
     "src/tide.f90": "subroutine tide(level, n)\n  implicit none\n  integer, intent(in) :: n\n  real, intent(inout) :: level(n)\n  ! one step of the tide\n  level = level + 0.5 * dt\nend subroutine tide\n", "src/zmain.f90": "program ocean\n  implicit none\nend program ocean\n"})

case("bats-one-of-many", "bats", "dotctl", "bats (bash 5.2)", [{"name": "Bats", "run": "bats --print-output-on-failure test"}],
    ["bats --print-output-on-failure test", ["link refuses a folder"], ["test/link.bats, line 11", "in test file test/link.bats"], ["[ \"$status\" -eq 2 ]"]],
    ["rm: cannot remove"],
    {"test/link.bats": d("""
        setup() { mkdir -p t; }
        teardown() { rm t/lock || true; rm -rf t; }

        @test "link makes a link" {
          run ln -s x t/a
          [ "$status" -eq 0 ]
        }

        @test "link refuses a folder" {
          run bash -c 'echo "dotctl: t is a folder"; exit 1'
          [ "$status" -eq 2 ]
        }
        """), "test/list.bats": numbered("@@test \"list keeps @\" {\n  echo 'an error of grep is expected here' >&2\n  true\n}\n".replace("@@", "\0"), 25).replace("\0", "@")})

case("ctest-missing-executable", "ctest", "geomkit", "test (cmake, Debug)", [
    {"name": "Configure and build", "run": "cmake -S . -B build\ncmake --build build"},
    {"name": "Test", "run": "cd build\nctest -V"}],
    ["ctest -V", ["bench_convex"], ["Could not find executable", "Unable to find executable"]],
    ["bad magic in broken.geo", "no normals in flat.geo"],
    {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.20)\nproject(geomkit NONE)\nenable_testing()\nforeach(n RANGE 1 18)\n  add_test(NAME mesh_${n} COMMAND ${CMAKE_COMMAND} -E echo \"warning: no normals in flat.geo\")\nendforeach()\nadd_test(NAME reads_broken COMMAND sh -c \"echo 'ERROR: bad magic in broken.geo' >&2; exit 1\")\nset_tests_properties(reads_broken PROPERTIES WILL_FAIL TRUE)\nadd_test(NAME bench_convex COMMAND bench/convex --quick)\n"})

case("meson-test-timeout", "meson test", "compositor", "meson test (x86_64)", [
    {"name": "Setup", "run": "meson setup builddir"}, {"name": "Test", "run": "meson test -C builddir --print-errorlogs --no-rebuild"}],
    ["meson test -C builddir", ["dmabuf-import", "dmabuf"], ["TIMEOUT"], ["waiting for the fence of buffer 3"]],
    [],
    {"meson.build": "project('compositor', 'c')\nsh = find_program('bash')\nforeach n : ['seat', 'output', 'region', 'damage', 'xdg', 'layer']\n  test(n, sh, args: ['-c', 'echo warning: cursor theme is missing >&2'])\nendforeach\ntest('known-bad', sh, args: ['-c', 'exit 1'], should_fail: true)\ntest('dmabuf-import', sh, args: [files('dmabuf.sh')], timeout: 2)\n",
     "dmabuf.sh": "for n in 1 2 3; do echo \"buffer $n imported\"; done\necho 'waiting for the fence of buffer 3'\nexec sleep 60\n"})

case("automake-test-suite-log", "automake", "ftpcopy", "distcheck-lite (gcc)", [
    {"name": "Bootstrap", "run": "autoreconf -i\n./configure --silent"},
    {"name": "Check", "run": "make check || { cat test-suite.log; exit 1; }"}],
    ["make check", ["tests/resume.sh"], ["resumed at 4096, expected 8192"]],
    ["tests/ipv6.sh", "address family not supported"],
    {"configure.ac": "AC_INIT([ftpcopy],[1.2],[bugs@example.org])\nAM_INIT_AUTOMAKE([foreign subdir-objects])\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n",
     "Makefile.am": "TESTS = " + " ".join("tests/%s.sh" % n for n in PARTS) + " tests/ipv6.sh tests/resume.sh\nXFAIL_TESTS = tests/ipv6.sh\n",
     **each("tests/@.sh", "#!/bin/sh\necho @ is fine\n", PARTS), "tests/ipv6.sh": "#!/bin/sh\necho 'connect: address family not supported'\nexit 1\n",
     "tests/resume.sh": "#!/bin/sh\necho 'transfer broken on purpose'\necho 'resumed at 4096, expected 8192' >&2\nexit 1\n"})

case("scons-compile-error", "scons", "synthbox", "scons (linux, debug)", [{"name": "Build", "run": "scons -j2 -Q debug=1"}],
    ["scons -j2 -Q debug=1", ["too few arguments to function"], ["src/voice.c:4"]],
    ["src/filter.c:3", "comparison of integer expressions"],
    {"SConstruct": "env = Environment(CFLAGS=['-Wall', '-Wextra'])\nenv.Program('synth', Glob('src/*.c'))\n",
     "src/osc.h": "float osc(float phase, int shape);\n", "src/voice.c": "#include \"osc.h\"\nfloat voice(float t)\n{\n  return osc(t) * 0.5f;\n}\n",
     **each("src/@.c", "int @(unsigned n) {\n  int i, s = 0;\n  for (i = 0; i < n; i++) s += i;\n  return s;\n}\n", ["filter", "reverb", "delay", "chorus", "gate"])})

case("sbcl-own-test-summary", "sbcl", "cl-units", "sbcl 2.2", [{"name": "Test", "run": "sbcl --script run-tests.lisp"}],
    ["sbcl --script run-tests.lisp", ["FAIL miles-to-km"], ["expected 1.609, got 1.852"]],
    ["is expected to signal"],
    {"run-tests.lisp": "(defvar *failed* 0)\n(defun check (name expected got)\n  (if (equal expected got) (format t \"PASS ~a~%\" name)\n      (progn (incf *failed*) (format t \"FAIL ~a~%     expected ~a, got ~a~%\" name expected got))))\n(dotimes (n 30) (check (format nil \"identity-~a\" n) n n))\n(handler-case (error \"division by a zero unit is expected to signal\") (error (e) (format t \"caught: ~a~%\" e)))\n(check \"miles-to-km\" \"1.609\" \"1.852\")\n(dotimes (n 15) (check (format nil \"round-~a\" n) n n))\n(format t \"~a checks failed~%\" *failed*)\n(sb-ext:exit :code (if (zerop *failed*) 0 1))\n"})

# --- linters, packages, scripts, infrastructure, documents -------------------------------------------------------------

case("pylint-fail-on-errors", "pylint", "inventory-py", "lint (3.11)", [{"name": "Pylint", "run": "pylint --fail-on=E --fail-under=1 inventory"}],
    ["pylint --fail-on=E", ["Instance of 'Shelf' has no 'capcity' member"], ["inventory/shelf.py:12"]],
    ["missing-function-docstring", "C0116"],
    {"inventory/__init__.py": "", **each("inventory/part@.py", '"""Part @."""\n\n\ndef one(n):\n    return n\n\n\ndef two(n):\n    return n\n', range(8)),
     "inventory/shelf.py": '"""Shelves."""\n\n\nclass Shelf:\n    """A shelf."""\n\n    def __init__(self, capacity):\n        self.capacity = capacity\n\n    def is_full(self, count):\n        """Whether nothing more fits."""\n        return count >= self.capcity\n'})

case("biome-ci", "biome", "planner-web", "biome", [{"name": "Biome", "run": "biome ci --colors=off src"}],
    ["biome ci", ["lint/suspicious/noDoubleEquals"], ["src/week.js:2"]],
    ["src/legacy.js", "noUnusedVariables"],
    {"biome.json": "{\"formatter\": {\"enabled\": false}, \"assist\": {\"enabled\": false}, \"linter\": {\"rules\": {\"recommended\": false, \"suspicious\": {\"noDoubleEquals\": \"error\"}, \"correctness\": {\"noUnusedVariables\": \"warn\"}}}}\n",
     "src/week.js": "export function same(a, b) {\n  return a.week == b.week;\n}\n", "src/legacy.js": "const left = 1;\nconst right = 2;\nexport const x = 3;\n",
     **each("src/day@.js", "export const day@ = @;\n", range(6))})

case("import-contract-broken", "import-linter", "shop-core", "architecture", [{"name": "Architecture", "run": "lint-imports --no-cache", "env": {"PYTHONPATH": "."}}],
    ["lint-imports", ["Domain does not know the web BROKEN", "Domain does not know the web"], ["shop.domain.order -> shop.web.views"]],
    [],
    {".importlinter": "[importlinter]\nroot_package = shop\n\n[importlinter:contract:1]\nname = Domain does not know the web\ntype = forbidden\nsource_modules = shop.domain\nforbidden_modules = shop.web\n\n[importlinter:contract:2]\nname = Storage is a leaf\ntype = forbidden\nsource_modules = shop.storage\nforbidden_modules = shop.web\n",
     "shop/__init__.py": "", "shop/web/__init__.py": "", "shop/web/views.py": "X = 1\n", "shop/domain/__init__.py": "", "shop/storage/__init__.py": "", "shop/domain/order.py": "from shop.web.views import X\n"})

case("protoc-undefined-type-c", "protoc", "contracts", "proto / lint + generate", [{"name": "Generate", "run": "set -e\nmkdir -p gen\nfor f in $(ls api/*.proto | sort); do echo \"protoc $f\"; protoc -I api --cpp_out=gen \"$f\"; done"}],
    [["protoc -I api --cpp_out=gen", "protoc api/shipment.proto"], ["\"Weight\" is not defined"], ["shipment.proto:6"]],
    ["is unused", "customer.proto:2"],
    {"api/common.proto": "syntax = \"proto3\";\nmessage Money { int64 cents = 1; }\n",
     **each("api/@.proto", "syntax = \"proto3\";\nimport \"common.proto\";\nmessage M@ { string id = 1; }\n", ["customer", "address", "invoice", "order", "refund"]),
     "api/shipment.proto": "syntax = \"proto3\";\nimport \"common.proto\";\n\nmessage Shipment {\n  Money price = 1;\n  Weight weight = 2;\n}\n"})

case("debhelper-missing-files", "debhelper", "pkg-beacond", "package (bookworm, amd64)", [
    {"name": "Build package", "run": "dpkg-buildpackage -us -uc -b -d"}],
    ["dpkg-buildpackage -us -uc -b", ["Cannot find (any matches for) \"etc/beacond.conf\"", "missing files, aborting"], ["dh_install"]],
    ["hardening flags"],
    {"debian/control": "Source: beacond\nSection: net\nPriority: optional\nMaintainer: A B <a@example.org>\nBuild-Depends: debhelper-compat (= 13)\nStandards-Version: 4.6.2\n\nPackage: beacond\nArchitecture: any\nDepends: ${shlibs:Depends}, ${misc:Depends}\nDescription: beacon\n A beacon.\n",
     "debian/changelog": "beacond (1.4-1) unstable; urgency=medium\n\n  * New release.\n\n -- A B <a@example.org>  Sun, 01 Nov 2026 10:00:00 +0000\n",
     "debian/rules": "#!/usr/bin/make -f\n%:\n\tdh $@\noverride_dh_auto_install:\n\tdh_auto_install --destdir=debian/tmp\n", "debian/beacond.install": "usr/bin/beacond\netc/beacond.conf\n",
     "Makefile": "all:\n\t@echo 'warning: no hardening flags were given'\n\tgcc -O2 -o beacond beacond.c\ninstall:\n\tinstall -D beacond $(DESTDIR)/usr/bin/beacond\n\tinstall -D -m 644 beacond.conf $(DESTDIR)/usr/etc/beacond.conf\nclean:\n\trm -f beacond\n",
     "beacond.c": "int main(void) { return 0; }\n", "beacond.conf": "port = 1\n"})

case("wheel-extension-fails", "pip", "fastgeo-py", "build wheel (cp311-linux)", [
    {"name": "Build", "run": "python setup.py -q build_ext --inplace"}],
    ["python setup.py -q build_ext --inplace", ["fatal error: geos_d.h: No such file or directory"], ["src/fastgeo.c:2"], ["command '/usr/bin/gcc' failed", "failed with exit code 1"]],
    ["project.license as a table is deprecated"],
    {"setup.py": "from setuptools import setup, Extension\nimport warnings\nwarnings.warn('project.license as a table is deprecated')\nsetup(name='fastgeo', version='0.9', ext_modules=[Extension('base', ['src/base.c']), Extension('fastgeo', ['src/fastgeo.c'])], py_modules=[])\n",
     "src/base.c": "#include <Python.h>\nstatic struct PyModuleDef m = {PyModuleDef_HEAD_INIT, \"base\", 0, -1, 0};\nPyMODINIT_FUNC PyInit_base(void) { return PyModule_Create(&m); }\n",
     "src/fastgeo.c": "#include <Python.h>\n#include <geos_d.h>\nPyMODINIT_FUNC PyInit_fastgeo(void) { return 0; }\n"}, prepare=None)

case("npm-publish-hook-fails", "npm", "sdk-node", "release / npm", [
    {"name": "Publish", "run": "npm pack --dry-run\nnpm publish --dry-run --tag next", "env": {"NPM_CONFIG_UPDATE_NOTIFIER": "false"}}],
    ["npm publish --dry-run", ["CHANGELOG.md has no section for 3.2.0"], ["prepublishOnly", "scripts/check-release.js"]],
    ["no types for ./beta"],
    {"package.json": "{\"name\": \"@example/sdk\", \"version\": \"3.2.0\", \"license\": \"MIT\", \"main\": \"index.js\", \"scripts\": {\"prepublishOnly\": \"node scripts/check-release.js\"}}\n", "index.js": "module.exports = {};\n",
     "scripts/check-release.js": "const fs = require('fs');\nconst { version } = require('../package.json');\nconsole.warn('warning: no types for ./beta');\nif (!fs.readFileSync('CHANGELOG.md', 'utf8').includes('## ' + version)) {\n  console.error(`CHANGELOG.md has no section for ${version}`);\n  process.exit(1);\n}\n",
     "CHANGELOG.md": "# Changes\n\n## 3.1.4\n\n* Fixes.\n", **each("lib/m@.js", "exports.n = @;\n", range(14))})

case("parallel-jobs-and-wait", "bash", "edge-images", "build all (parallel)", [{"name": "Build images", "run": "./build-all.sh"}],
    ["./build-all.sh", ["resolver: checksum of zone data differs"], ["image resolver failed"]],
    ["mirror 2 is slow", "removed scratch"],
    {"build-all.sh": d("""
        #!/bin/bash
        # every image in its own process; tells which one failed
        trap 'for i in 1 2 3 4 5 6 7 8; do echo "removed scratch $i"; done' EXIT
        build() {
          for layer in 1 2 3 4 5 6; do echo "$1: layer $layer done"; sleep 0.0$((RANDOM % 4)); done
          echo "$1: warning: mirror 2 is slow" >&2
          if [ "$1" = resolver ]; then echo "$1: checksum of zone data differs" >&2; return 3; fi
          echo "$1: image ready"
        }
        declare -A pids
        for image in proxy resolver cache logger timer; do build $image & pids[$image]=$!; done
        failed=0
        for image in proxy resolver cache logger timer; do
          wait "${pids[$image]}" || { echo "image $image failed (status $?)"; failed=1; }
        done
        exit $failed
        """)})

case("rollout-not-ready-rollback", "bash", "orders-deploy", "deploy / canary (eu-central)", [{"name": "Deploy canary", "run": "python3 deploy.py canary --timeout 12"}],
    ["python3 deploy.py canary", ["orders-canary did not become ready: 1 of 3 replicas"], ["readiness probe of orders-canary-2 answered 503: migrations are pending", "migrations are pending"]],
    ["rolling back to 41", "metrics endpoint is not scraped"],
    {"deploy.py": d("""
        import sys

        def say(text):
            print(text, flush=True)

        say('deploying orders:42 to canary')
        say('warning: metrics endpoint is not scraped yet')
        for n in range(12):
            say(f'[{n:2d}s] orders-canary: {min(n, 1)} of 3 replicas are ready')
        say('readiness probe of orders-canary-2 answered 503: migrations are pending')
        say('error: orders-canary did not become ready: 1 of 3 replicas after 12 s')
        for n in range(10):
            say(f'rolling back to 41: {n * 10} %')
        say('rolling back to 41: done, traffic is served by 41')
        sys.exit(1)
        """)})

case("required-variable-unset", "bash", "docs-publish", "publish docs", [
    {"name": "Build", "run": "for p in $(seq 1 30); do echo \"page $p written\"; done"},
    {"name": "Publish", "run": "bash tools/publish.sh site", "env": {"SITE_KEY": ""}}],
    ["bash tools/publish.sh site", ["SITE_KEY: the deploy key is not set"], ["tools/publish.sh: line 6"]],
    ["lock of site released", "no previous manifest"],
    {"tools/publish.sh": "#!/bin/bash\nset -eu\ntrap 'echo \"lock of site released\"' EXIT\necho \"notice: no previous manifest, all pages are sent\"\nfor n in 1 2 3 4 5 6; do echo \"checked page $n\"; done\n: \"${SITE_KEY:?the deploy key is not set}\"\nrsync -a site/ deploy@www.example.org:site/\n"})

case("allowed-step-before-real", "several", "renderer-py", "check (3.13-dev allowed)", [
    {"name": "Experimental lint", "run": "flake8 --select=E7 render/experimental.py", "may_fail": True},
    {"name": "Unit tests", "run": "python -m pytest -q tests"}],
    ["python -m pytest -q tests", ["test_svg_has_a_title"], ["tests/test_svg.py:8"], ["assert '<title>' in '<svg></svg>'"]],
    ["E731", "render/experimental.py:1"],
    {"render/experimental.py": "f = lambda x: x\ng = lambda x: x\n", "tests/test_svg.py": "import pytest\n\n@pytest.mark.parametrize('n', range(80))\ndef test_ok(n):\n    pass\n\ndef test_svg_has_a_title():\n    assert '<title>' in '<svg></svg>'\n"})

case("alembic-multiple-heads", "alembic", "accounts-db", "migrations (alembic)", [{"name": "Migrate", "run": "cd db && alembic upgrade head"}],
    ["alembic upgrade head", ["Multiple head revisions are present"]],
    [],
    {"db/alembic.ini": "[alembic]\nscript_location = %(here)s/m\nsqlalchemy.url = sqlite:///a.db\n[loggers]\nkeys = root\n[handlers]\nkeys = console\n[formatters]\nkeys = generic\n[logger_root]\nlevel = INFO\nhandlers = console\n[handler_console]\nclass = StreamHandler\nargs = (sys.stderr,)\nformatter = generic\n[formatter_generic]\nformat = %(levelname)-5.5s [%(name)s] %(message)s\n",
     "db/m/env.py": "from logging.config import fileConfig\nfrom alembic import context\nfrom sqlalchemy import create_engine\nfileConfig(context.config.config_file_name)\nwith create_engine('sqlite://').connect() as c:\n    context.configure(connection=c)\n    with context.begin_transaction():\n        context.run_migrations()\n",
     "db/m/script.py.mako": "",
     **{"db/m/versions/%s.py" % r: "revision = '%s'\ndown_revision = %r\n\n\ndef upgrade():\n    pass\n" % (r, p) for r, p in (("a1", None), ("b2", "a1"), ("c3", "b2"), ("d4", "b2"))}})

case("django-system-check", "django", "members-web", "django check (4.x)", [{"name": "Check", "run": "python manage.py check --deploy --fail-level ERROR"}],
    ["python manage.py check --deploy", ["fields.E304", "Reverse accessor 'Person.club_set'", "clashes with reverse accessor"], ["members.Club.owner", "members.Club.keeper"]],
    ["security.W004", "SECURE_HSTS_SECONDS"],
    {"manage.py": "import os, sys\nos.environ['DJANGO_SETTINGS_MODULE'] = 'conf'\nfrom django.core.management import execute_from_command_line\nexecute_from_command_line(sys.argv)\n",
     "conf.py": "SECRET_KEY = 'x'\nDEBUG = True\nINSTALLED_APPS = ['members']\nDEFAULT_AUTO_FIELD = 'django.db.models.AutoField'\nMIDDLEWARE = ['django.middleware.security.SecurityMiddleware']\nROOT_URLCONF = 'urls'\n", "urls.py": "urlpatterns = []\n",
     "members/__init__.py": "", "members/models.py": "from django.db import models\n\n\nclass Person(models.Model):\n    name = models.CharField(max_length=9)\n\n\nclass Club(models.Model):\n    owner = models.ForeignKey(Person, models.CASCADE)\n    keeper = models.ForeignKey(Person, models.CASCADE)\n"})

case("behave-one-scenario", "behave", "booking-bdd", "acceptance (behave)", [{"name": "Acceptance", "run": "behave --no-color --no-skipped features"}],
    ["behave --no-color", ["A full room is refused"], ["seats left: -1, wanted 0"], ["features/room.feature:"]],
    [],
    {"features/steps/s.py": "from behave import given, then\n@given('room {n:d}')\ndef f(c, n):\n    print('WARN the old room service timed out')\n    c.n = n\n@then('there are seats')\ndef g(c):\n    pass\n@then('it is refused')\ndef h(c):\n    raise AssertionError('seats left: -1, wanted 0')\n",
     "features/room.feature": "Feature: Rooms\n" + numbered("\n  Scenario: Room @ is free\n    Given room @\n    Then there are seats\n", 14) + "\n  Scenario: A full room is refused\n    Given room 99\n    Then it is refused\n"})

case("terraform-precondition", "terraform", "infra-net", "plan (staging)", [
    {"name": "Init", "run": "terraform init -backend=false -no-color"},
    {"name": "Plan", "run": "terraform plan -input=false -no-color -var subnets=9"}],
    ["terraform plan -input=false", ["A /26 holds at most 8 of these subnets, 9 are wanted"], ["main.tf line 15", "on main.tf line"], ["Resource precondition failed"]],
    ["Value for undeclared variable", "old_zone"],
    {"main.tf": d("""
        variable "subnets" {
          type = number
        }

        resource "terraform_data" "zone" {
          count = 6
          input = "zone-${count.index}"
        }

        resource "terraform_data" "net" {
          input = var.subnets

          lifecycle {
            precondition {
              condition     = var.subnets <= 8
              error_message = "A /26 holds at most 8 of these subnets, ${var.subnets} are wanted."
            }
          }
        }
        """), "terraform.tfvars": "old_zone = \"b\"\n"})

case("openssl-expired-among-many", "openssl", "pki", "certificates", [{"name": "Verify", "run": "./verify.sh certs"}],
    ["./verify.sh certs", ["certificate has expired"], ["certs/ldap.pem"]],
    ["no revocation list"],
    {"verify.sh": "#!/bin/sh\necho 'warning: no revocation list for the test root'\nstatus=0\nfor c in $1/*.pem; do openssl verify -CAfile ca.crt \"$c\" || status=1; done\nexit $status\n"}, unknown=True,
    prepare="openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.crt -days 3650 -subj /CN=root; mkdir certs; mkdir db; for n in www mail ldap git wiki ntp; do openssl req -newkey rsa:2048 -nodes -keyout k.key -out k.csr -subj /CN=$n; d=900; [ $n = ldap ] && d=-1; openssl x509 -req -in k.csr -CA ca.crt -CAkey ca.key -CAcreateserial -out certs/$n.pem -days $d; done")

case("msgfmt-check-format", "gettext", "desk-i18n", "translations", [{"name": "Check translations", "run": "make -C po check"}],
    ["make -C po check", ["format specifications in 'msgid' and 'msgstr'", "number of format specifications"], ["nl.po:6"]],
    ["fuzzy translation"],
    {"po/Makefile": "check:\n\t@set -e; for f in *.po; do echo \"checking $$f\"; msgfmt --check --statistics -o /dev/null $$f; done\n",
     **each("po/@.po", "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n\n#, fuzzy\nmsgid \"open\"\nmsgstr \"@\"\n", ["cs", "da", "de", "es", "fr"]),
     "po/nl.po": "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n\n#, c-format\nmsgid \"%d files in %s\"\nmsgstr \"%s heeft bestanden\"\n"})

case("check-jsonschema-workflow", "check-jsonschema", "platform-config", "config / schema", [{"name": "Schema", "run": "check-jsonschema --version\ncheck-jsonschema --schemafile schema/service.json services/*.json"}],
    ["check-jsonschema --schemafile schema/service.json", ["'9O90' is not of type 'integer'"], ["services/search.json"], ["$.port"]],
    ["services/mail.json"],
    {"schema/service.json": "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"type\": \"object\", \"required\": [\"name\", \"port\"], \"properties\": {\"port\": {\"type\": \"integer\"}}}\n",
     **each("services/@.json", "{\"name\": \"@\", \"port\": 9000}\n", ["mail", "cart", "pay", "user"]), "services/search.json": "{\"name\": \"search\", \"port\": \"9O90\"}\n"})

case("asciidoctor-failure-level-c", "asciidoctor", "manual-adoc", "docs / html", [{"name": "HTML", "run": "asciidoctor -v --failure-level=ERROR -D out docs/*.adoc"}],
    ["asciidoctor -v --failure-level=ERROR", ["include file not found"], ["install.adoc: line 5"]],
    ["section title out of sequence", "faq.adoc"],
    {"docs/faq.adoc": "= FAQ\n\n== One\n\n==== Deep\n\nText.\n", "docs/guide.adoc": "= Guide\n\n== A\n\n==== B\n\nText.\n", "docs/install.adoc": "= Install\n\nText.\n\ninclude::partials/debian.adoc[]\n\nMore.\n"})

case("submodule-without-url", "git", "firmware-hal", "checkout / submodules", [{"name": "Submodules", "run": "git submodule sync --recursive\ngit submodule update --init --recursive --depth 1"}],
    ["git submodule update --init --recursive", ["No url found for submodule path 'vendor/cmsis' in .gitmodules"]],
    [],
    {"README": "hal\n"}, prepare=GIT + "; git update-index --add --cacheinfo 160000,1111111111111111111111111111111111111111,vendor/cmsis; git commit -qm sub")

case("release-tag-exists", "git", "toolbox", "release / tag", [{"name": "Tag", "run": "./tools/tag.sh 2.3.0"}],
    ["./tools/tag.sh 2.3.0", ["fatal: tag 'v2.3.0' already exists"]],
    ["dropped release lock", "unsigned commit"],
    {"tools/tag.sh": "#!/bin/bash\nset -e\ntrap 'echo dropped release lock' EXIT\nfor n in $(seq 1 12); do echo \"checked commit $n of 12\"; done\necho 'warning: 1 unsigned commit'\ngit tag -a \"v$1\" -m \"toolbox $1\"\ngit push origin \"v$1\"\n"}, prepare=GIT + "; git tag v2.3.0")

case("compileall-syntax-error", "python", "pipelines", "byte-compile (3.11)", [{"name": "Byte-compile", "run": "python -m compileall -q jobs", "env": {"PYTHONWARNINGS": "default"}}],
    ["python -m compileall -q jobs", ["SyntaxError: expected ':'"], ["jobs/rollup.py\", line 3", "jobs/rollup.py"]],
    ["\"is\" with a literal", "jobs/legacy.py"],
    {"jobs/legacy.py": "def f(x):\n    return x is 'a'\n\n\ndef g(x):\n    return x is 3\n", **each("jobs/load@.py", "X = @\n", range(5)), "jobs/rollup.py": "def roll(rows):\n    total = 0\n    for row in rows\n        total += row\n    return total\n"})

case("e2e-cancelled-hanging", "timeout", "files-e2e", "e2e (chromium-less)", [{"name": "End to end", "limit": 6, "run": "make e2e"}],
    ["make e2e", ["resumes an upload after a restart"], ["The operation was canceled"]],
    ["retrying connection 1"],
    {"Makefile": "e2e:\n\t@./e2e.sh\n", "e2e.sh": "#!/bin/bash\nfor n in $(seq 1 40); do echo \"ok $n - lists folder $n\"; done\necho 'retrying connection 1'\necho 'connected'\necho '# running: resumes an upload after a restart'\nsleep 100\n"})

case("composite-inner-deb", "composite", "agent-deb", "package / rpm-less", [
    {"name": "Set up", "run": "echo ready"},
    {"name": "Package", "inside": "package", "shell": "bash", "run": "python3 tools/manifest.py --check dist/manifest.json"}],
    ["python3 tools/manifest.py --check", ["dist/manifest.json: agent.service is listed twice"]],
    ["size of agent.bin grew"],
    {"tools/manifest.py": "import json, sys\nnames = json.load(open(sys.argv[2]))\nprint('note: size of agent.bin grew by 2 %')\nfor n in names:\n    print('listed:', n)\n    if names.count(n) > 1:\n        sys.exit(f'{sys.argv[2]}: {n} is listed twice')\n", "dist/manifest.json": "[\"agent.bin\", \"agent.conf\", \"agent.service\", \"agent.1\", \"agent.service\"]\n"})

case("kustomize-missing-base", "kubectl", "clusters", "render (prod)", [{"name": "Render", "run": "for o in dev staging prod; do\n  echo \"--- overlays/$o\"\n  kubectl kustomize overlays/$o > /dev/null\ndone"}],
    [["kubectl kustomize overlays/$o"], ["overlays/prod"], ["ingress-eu.yaml"], ["no such file or directory"]],
    ["'commonLabels' is deprecated"],
    {"base/kustomization.yaml": "resources: [c.yaml]\n", "base/c.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n",
     **each("overlays/@/kustomization.yaml", "commonLabels: {env: @}\nresources: [../../base]\n", ["dev", "staging"]), "overlays/prod/kustomization.yaml": "resources: [../../base, ingress-eu.yaml]\n"})

case("iverilog-unknown-module-c", "iverilog", "uart-core", "simulate (iverilog)", [{"name": "Simulate", "run": "make -C sim run"}],
    ["make -C sim run", ["Unknown module type: baud_gen"], ["rtl/uart.v:6"]],
    [],
    {"sim/Makefile": "run: uart.vvp\n\tvvp uart.vvp\nuart.vvp:\n\tiverilog -Wall -g2012 -o $@ ../rtl/*.v ../tb/*.v\n",
     "rtl/fifo.v": "module fifo(input clk);\n  wire a;\nendmodule\n", "tb/tb.v": "`timescale 1ns/1ps\nmodule tb;\n  reg clk = 0;\n  uart u(.clk(clk));\n  fifo f(.clk(clk));\nendmodule\n",
     "rtl/uart.v": "module uart(input clk);\n  wire tick;\n  reg [7:0] data;\n\n  // one tick per bit\n  baud_gen gen(.clk(clk), .tick(tick));\nendmodule\n"})
