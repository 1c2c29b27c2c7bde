"""Jobs that fail in ways that no other file of cases has: judged once, when the rules of all of them were done."""

from unseen import case as _case, numbered


def case(*args, **more):
    _case(*args, folder="unseen-last", **more)


case("long-script-line-blamed", "long script", "release-sh", "release", [{"name": "Release", "run": "set -eu\n" + numbered("echo \"part @\"\nprintf 'file @ ok\\n'\n", 9) + "tag=v1.2.0\ncd dist\nzipp -r app.zip .\ncd ..\n" + numbered("echo \"late @\"\n", 9)}],
     [["zipp -r app.zip ."], ["zipp: command not found"]], [], {"dist/a": "x\n"})

case("many-tests-one-cause", "pytest", "billing2", "tests", [{"name": "Tests", "run": "pytest -q"}],
     ["pytest -q", ["test_invoice_0"], ["currency table is empty", "RuntimeError: currency table is empty"], ["rates.py:2", "rates.py"]], [],
     {"rates.py": "def rate(n):\n    raise RuntimeError('currency table is empty')\n", "test_invoice.py": "from rates import rate\n" + numbered("\ndef test_invoice_@():\n    assert rate(@) == @\n", 14)})

case("parallel-prefixes", "parallel", "mono-js", "dev checks", [{"name": "Checks", "run": "node run-all.js"}],
     ["node run-all.js", ["[api] src/orders.ts(12,7): error TS2339", "error TS2339: Property 'totl' does not exist on type 'Order'"]], ["[web] 0 errors"],
     {"run-all.js": "const l = s => console.log(s);\nfor (let i = 0; i < 12; i++) { l(`[web] chunk ${i} rendered`); l(`[api] checked file ${i}`); if (i === 6) l(\"[api] src/orders.ts(12,7): error TS2339: Property 'totl' does not exist on type 'Order'.\"); l(`[docs] page ${i} ok`); }\nl('[web] 0 errors');\nl('[api] exited with code 2');\nl('--> Sending SIGTERM to other processes..');\nl('[web] exited with code SIGTERM');\nl('[docs] exited with code SIGTERM');\nprocess.exit(2);\n"})

case("ctest-segfault", "ctest", "vecmath", "ctest (asserts)", [
    {"name": "Build", "run": "cmake -S . -B build -G Ninja >/dev/null\ncmake --build build >/dev/null"}, {"name": "Test", "run": "ctest --test-dir build --output-on-failure"}],
    ["ctest --test-dir build", ["dot_product"], ["SEGFAULT", "Exception: SegFault"], ["normalising zero vector"]], [],
    {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.16)\nproject(v C)\nenable_testing()\nforeach(n RANGE 8)\n add_test(NAME ok${n} COMMAND ${CMAKE_COMMAND} -E true)\nendforeach()\nadd_executable(t t.c)\nadd_test(NAME dot_product COMMAND t)\n", "t.c": "#include <stdio.h>\nint main(void){ puts(\"normalising zero vector\"); fflush(stdout); return *(volatile int *)0; }\n"})

case("npm-nested-scripts", "npm", "app-nested", "ci", [{"name": "CI", "run": "npm run ci"}],
     ["npm run ci", ["locales/fr.json: key checkout.pay is missing"], ["check-locales.js", "npm run check:locales", "node check-locales.js"]], ["npm error command failed"],
     {"package.json": "{\"name\": \"app\", \"version\": \"1.0.0\", \"scripts\": {\"ci\": \"npm run build && npm run check\", \"build\": \"node -e 'console.log(1)'\", \"check\": \"npm run check:locales\", \"check:locales\": \"node check-locales.js\"}}\n", "check-locales.js": "for (const l of ['de', 'es', 'it']) console.log(`locales/${l}.json: 214 keys`);\nconsole.log('locales/fr.json: key checkout.pay is missing');\nprocess.exitCode = 1;\n"})

case("cargo-test-result-err", "cargo test", "conf-rs", "test", [{"name": "Test", "run": "cargo test --offline", "env": {"RUST_BACKTRACE": "0"}}],
     ["cargo test --offline", ["tests::reads_port"], ["invalid digit found in string", "InvalidDigit"]], [],
     {"Cargo.toml": "[package]\nname = \"conf\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "src/lib.rs": "#[cfg(test)]\nmod tests {\n    #[test]\n    fn reads_port() -> Result<(), std::num::ParseIntError> {\n        let _port: u16 = \"80a\".parse()?;\n        Ok(())\n    }\n    #[test]\n    fn errors_are_shown() {}\n}\n"})

case("go-test-nil-panic", "go test", "ledger-go", "test", "go test ./...",
     ["go test ./...", ["TestBalanceOfClosedAccount"], ["nil pointer dereference", "invalid memory address"], ["ledger.go:6", "ledger_test.go:6"]], [],
     {"go.mod": "module example.org/ledger\n\ngo 1.19\n", "ledger.go": "package ledger\n\ntype Account struct{ Cents int }\n\nfunc Balance(a *Account) int {\n\treturn a.Cents\n}\n", "ledger_test.go": "package ledger\n\nimport \"testing\"\n\nfunc TestBalanceOfClosedAccount(t *testing.T) {\n\tif Balance(nil) != 0 {\n\t\tt.Fatal(\"not zero\")\n\t}\n}\n"})

case("jest-snapshot", "jest", "cards", "snapshots", [{"name": "Snapshots", "run": "jest --ci"}],
     ["jest --ci", ["renders the price"], ["- \"price\": \"12,00 EUR\"", "\"price\": \"12.00 EUR\"", "12.00 EUR"]], [],
     {"package.json": "{\"name\": \"cards\"}\n", "card.test.js": "for (let i = 0; i < 9; i++) test('keeps ' + i, () => expect(i).toBe(i));\ntest('renders the price', () => expect({price: '12.00 EUR', name: 'x'}).toMatchInlineSnapshot({}, `\n{\n  \"name\": \"x\",\n  \"price\": \"12,00 EUR\",\n}\n`));\n"})

case("isort-check", "isort", "py-lib", "imports", "isort --check-only --diff src",
     ["isort --check-only", ["Imports are incorrectly sorted"], ["src/a.py"]], [],
     {"src/a.py": "import sys\nimport os\n\nprint(os, sys)\n", "src/b.py": "import os\n"})

case("sqlfluff-lint", "sqlfluff", "models", "sql lint", "sqlfluff lint --dialect ansi models",
     ["sqlfluff lint", ["models/orders.sql"], ["CP01", "Keywords must be consistently upper case", "LT01", "must be consistently"]], [],
     {"models/orders.sql": "SELECT\n    id,\n    total\nfrom orders\n"})

case("pip-hash-mismatch", "pip", "secure-svc", "install", [{"name": "Install", "run": "pip install --no-index --find-links wheels --require-hashes -r requirements.txt"}],
     ["pip install --no-index", ["DO NOT MATCH THE HASHES", "Expected sha256"], ["alpha==1.0", "alpha"]], [],
     {"mk.py": "import zipfile, os\nos.makedirs('wheels', exist_ok=True)\nwith zipfile.ZipFile('wheels/alpha-1.0-py3-none-any.whl', 'w') as z:\n    d = 'alpha-1.0.dist-info/'\n    z.writestr(d + 'METADATA', 'Metadata-Version: 2.1\\nName: alpha\\nVersion: 1.0\\n')\n    z.writestr(d + 'WHEEL', 'Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')\n    z.writestr(d + 'RECORD', '')\n", "requirements.txt": "alpha==1.0 --hash=sha256:" + "ab" * 32 + "\n"}, prepare="python3 mk.py")

case("java-main-class", "java", "batch-java", "run", "mkdir -p out && javac -d out src/*.java\njava -cp out app.Mian --once",
     ["java -cp out app.Mian --once", ["Could not find or load main class app.Mian"]], [],
     {"src/Main.java": "package app;\npublic class Main { public static void main(String[] a) {} }\n"})

case("javac-werror", "javac", "strict-java", "compile (-Werror)", "javac -Xlint:all -Werror -d out $(find src -name '*.java')",
     ["javac -Xlint:all -Werror", ["[rawtypes]", "found raw type: List"], ["src/A.java:3"], ["warnings found and -Werror specified", "-Werror"]], [],
     {"src/A.java": "import java.util.*;\npublic class A {\n  List items;\n}\n"})

case("lua-nil-index", "lua", "lua-game", "smoke (lua 5.4)", "lua5.4 main.lua --headless",
     ["lua5.4 main.lua --headless", ["attempt to index a nil value (local 'player')", "attempt to index a nil value"], ["main.lua:3"]], [],
     {"main.lua": "for n = 1, 20 do print('frame ' .. n .. ' drawn') end\nlocal function move(player)\n  player.x = 1\nend\nmove(nil)\n"})

case("ocaml-exception", "ocaml", "solver-ml", "run", "ocaml solve.ml",
     ["ocaml solve.ml", ["Exception: Not_found", "Not_found"]], [],
     {"solve.ml": "let () = for n = 1 to 15 do Printf.printf \"clause %d ok\\n%!\" n done\nlet () = print_int (List.assoc 3 [1, 2])\n"})

case("haskell-runtime", "haskell", "hs-run", "run", "ghc -v0 Main.hs -o main\n./main",
     ["./main", ["Prelude.head: empty list", "empty list"]], [],
     {"Main.hs": "main :: IO ()\nmain = do\n  mapM_ (\\n -> putStrLn (\"row \" ++ show n)) [1 .. 12 :: Int]\n  print (head ([] :: [Int]))\n"})

case("elixir-undefined", "elixir", "mailer-ex", "compile", "elixir lib/mailer.ex",
     ["elixir lib/mailer.ex", ["undefined function deliverr/1"], ["lib/mailer.ex:4"]], [],
     {"lib/mailer.ex": "defmodule Mailer do\n  def deliver(m), do: m\n  def run do\n    deliverr(:welcome)\n  end\nend\n"})

case("redis-refused", "redis", "cache-svc", "integration", "redis-cli -h 127.0.0.1 -p 6399 ping",
     ["redis-cli -h 127.0.0.1 -p 6399 ping", ["Could not connect to Redis at 127.0.0.1:6399: Connection refused"]])

case("sqlite-constraint", "sqlite", "seed-db", "seed", "for f in seed/*.sql; do\n  echo \"seeding from $f\"\n  sqlite3 -bail app.db <\"$f\"\ndone",
     ["sqlite3 -bail app.db", ["UNIQUE constraint failed: users.email"], ["seed/20.sql"]], [],
     {"seed/10.sql": "create table users (email text unique);\n", "seed/20.sql": "insert into users values ('a');\ninsert into users values ('a');\n", "seed/30.sql": "select 1;\n"})

case("git-describe", "git", "versioned", "version", "version=$(git describe --tags --abbrev=0)\necho \"building $version\"",
     ["git describe --tags", ["No names found, cannot describe anything"]], [],
     prepare="git init -q . && git commit -q --allow-empty -m one")

case("git-whitespace", "git", "tidy-repo", "whitespace", "git diff --check HEAD~1",
     ["git diff --check HEAD~1", ["notes.txt:2: trailing whitespace"]], [],
     prepare="git init -q . && echo a >notes.txt && git add . && git commit -qm one && printf 'a\\nb  \\n' >notes.txt && git commit -qam two")

case("rsync-missing", "rsync", "static-site", "deploy", "rsync -a --delete public/ /tmp/site-target/",
     ["rsync -a --delete public/", ["public\" failed: No such file or directory", "No such file or directory"], ["change_dir", "link_stat"]])

case("msgfmt-errors", "gettext", "i18n", "translations", "for p in po/*.po; do echo \"checking $p\"; msgfmt -c -o /dev/null $p; done",
     ["msgfmt -c -o /dev/null", ["'msgid' and 'msgstr' entries do not both end with '\\n'", "format specifications in 'msgid' and 'msgstr'", "number of format specifications"], ["po/fr.po:8", "po/fr.po"]], [],
     {"po/de.po": "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\n#, c-format\nmsgid \"Save %s\"\nmsgstr \"%s sichern\"\n", "po/fr.po": "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\n\n#, c-format\nmsgid \"Save %s\"\nmsgstr \"Enregistrer %s %d\"\n"})

case("exception-group", "python", "async-svc", "smoke", "python smoke.py",
     ["python smoke.py", ["ValueError: tenant 7 has no region"], ["smoke.py\", line 5", "smoke.py"]], [],
     {"smoke.py": "import asyncio\nasync def check(n):\n    await asyncio.sleep(0)\n    if n == 7:\n        raise ValueError(f'tenant {n} has no region')\n    print('tenant', n, 'ok', flush=True)\nasync def main():\n    async with asyncio.TaskGroup() as g:\n        for n in range(12): g.create_task(check(n))\nasyncio.run(main())\n"})

case("logging-error-then-exit", "python", "billing-job", "nightly billing", "python bill.py --all",
     ["python bill.py --all", ["invoice 17: VAT id of customer Acme is not valid"]], ["slow query"],
     {"bill.py": "import logging, sys\nlogging.basicConfig(level=logging.INFO, stream=sys.stdout, format='%(asctime)s %(levelname)-8s %(name)s: %(message)s')\nlog = logging.getLogger('bill')\nfor n in range(30):\n    log.info('invoice %d sent, 0 errors', n)\n    if n == 9: log.warning('slow query, error budget shrinks')\n    if n == 17: log.error('invoice 17: VAT id of customer Acme is not valid')\nlog.info('30 invoices, 1 rejected')\nsys.exit(1)\n"})

case("cleanup-also-fails", "bash", "e2e-sh", "e2e", [{"name": "E2E", "run": "./e2e.sh"}],
     ["./e2e.sh", ["login page: title is 'Maintenance', expected 'Sign in'"]], ["volume cj-e2e is in use"],
     {"e2e.sh": "#!/bin/bash\nset -e\ntrap 'echo \"stopping browser\"; rm run/browser.pid || true; echo \"removing volume\"; echo \"volume cj-e2e is in use, kept\"' EXIT\nfor p in home search cart; do echo \"$p page: ok\"; done\necho \"login page: title is 'Maintenance', expected 'Sign in'\"\nexit 1\n"})

case("benchmark-regression", "benchmark", "perf", "perf gate", "node bench.js",
     ["node bench.js", ["parse/large", "412 ms"], ["+37 %", "baseline 300 ms"]], [],
     {"bench.js": "for (let i = 0; i < 20; i++) console.log(`case small/${i}: ${20 + i} ms (baseline ${21 + i} ms, -1 %)`);\nconsole.log('case parse/large: 412 ms (baseline 300 ms, +37 %) REGRESSION');\nfor (let i = 0; i < 5; i++) console.log(`case tail/${i}: ${20 + i} ms (baseline ${21 + i} ms, -1 %)`);\nconsole.log('1 of 26 cases slower than 10 %');\nprocess.exit(1);\n"})

case("chinese-log", "locale", "gongju", "检查配置", [{"name": "检查", "run": "python3 jiancha.py"}],
     ["python3 jiancha.py", ["配置项 database.port 的值 99999 超出范围"]], ["警告"],
     {"jiancha.py": "import sys\nfor n in range(15): print('配置项 %d 正常' % n)\nprint('警告：缓存目录为空')\nprint('错误：配置项 database.port 的值 99999 超出范围')\nprint('共检查 16 项')\nsys.exit(1)\n"})

case("annotations-of-a-script", "annotation", "docs-lint", "docs", [{"name": "Check links", "run": "python3 links.py"}],
     ["python3 links.py", ["broken link to ../api/v3.md"]], ["page has no description"],
     {"links.py": "import sys\nfor n in range(20): print('docs/p%d.md: 4 links' % n)\nprint('::warning file=docs/a.md,line=1::page has no description')\nprint('::error file=docs/guide.md,line=12,title=Link::broken link to ../api/v3.md')\nprint('21 pages')\nsys.exit(1)\n"})

case("c-assert-abort", "crash", "cjson", "unit (debug)", "gcc -g -o t t.c\n./t",
     ["./t", ["Assertion `depth < 3' failed", "depth < 3"], ["t.c:5"]], [],
     {"t.c": "#include <assert.h>\n#include <stdio.h>\nstatic void parse(int depth)\n{\n  assert(depth < 3);\n  parse(depth + 1);\n}\nint main(void)\n{\n  for (int i = 0; i < 12; i++) printf(\"document %d ok\\n\", i);\n  fflush(stdout);\n  parse(0);\n}\n"})

case("emacs-load-error", "emacs", "init-el", "emacs 28.2", "emacs -Q --batch -l init.el",
     ["emacs -Q --batch -l init.el", ["frob-mode"], ["Cannot open load file"]], [],
     {"init.el": ";;; -*- lexical-binding: t -*-\n(dotimes (n 12) (message \"module %d loaded\" n))\n(require 'frob-mode)\n"})

case("env-variable-missing", "script", "deployer", "deploy", [{"name": "Deploy", "run": "./deploy.sh"}],
     ["./deploy.sh", ["DEPLOY_TOKEN"], ["set DEPLOY_TOKEN first"]], [],
     {"deploy.sh": "#!/bin/sh\nset -e\nfor i in 1 2 3 4 5; do echo \"bundle $i verified\"; done\n: \"${DEPLOY_TOKEN:?set DEPLOY_TOKEN first}\"\necho deployed\n"})

case("post-failure-hides-nothing", "two steps", "svc-two", "ci", [
    {"name": "Tests", "run": "python3 -m unittest -q test_x"},
    {"name": "Collect logs", "run": "cat logs/server.log", "always": True}],
    ["python3 -m unittest -q test_x", ["test_retry_limit"], ["3 != 5"]], [],
    {"test_x.py": "import unittest\n\n\nclass X(unittest.TestCase):\n    def test_retry_limit(self):\n        self.assertEqual(3, 5)\n"})
