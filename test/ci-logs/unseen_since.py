"""Jobs that fail by well-known tools in less known ways: judged once, when the rules for all other cases were done."""

from unseen import case as _case, numbered


def case(*args, **more):
    _case(*args, folder="unseen-since", **more)


case("jest-suite-cannot-run", "jest", "widgets3", "unit", [{"name": "Unit", "run": "jest --ci"}],
     ["jest --ci", ["test/menu.test.js"], ["Cannot find module '../src/menuu'"]], [],
     {"package.json": "{\"name\": \"w\"}\n", "test/ok.test.js": numbered("test('keeps @', () => {});\n", 9), "test/menu.test.js": "const m = require('../src/menuu');\ntest('opens', () => m());\n"})

case("mocha-timeout", "mocha", "sockets", "test (20)", "mocha --timeout 300 test.js",
     ["mocha --timeout 300 test.js", ["waits for the handshake"], ["Timeout of 300ms exceeded"]], [],
     {"test.js": "describe('socket', () => {\n  for (let i = 0; i < 9; i++) it('keeps ' + i, () => {});\n  it('waits for the handshake', done => {});\n});\n"})

case("node-test-spec", "node --test", "limits", "node 20", "node --test --test-reporter=spec test/",
     ["node --test --test-reporter=spec", "rejects the eleventh request", ["429 !== 200", "200 !== 429", "Expected values to be strictly equal"]], [],
     {"test/limit.test.js": "const test = require('node:test'); const assert = require('assert');\nfor (let i = 0; i < 12; i++) test('keeps ' + i, () => {});\ntest('rejects the eleventh request', () => { assert.strictEqual(200, 429); });\n"})

case("tsc-pretty", "tsc", "store", "types", "tsc --noEmit --strict --pretty --types '' src/store.ts",
     ["tsc --noEmit --strict --pretty", ["TS2322", "Type 'string' is not assignable to type 'number'"], ["src/store.ts:3", "src/store.ts"]], [],
     {"src/store.ts": "interface Item { price: number }\nexport const item: Item = {\n  price: '12',\n};\n"})

case("eslint-parsing-error", "eslint", "dash2", "lint", "eslint src",
     ["eslint src", ["Parsing error: Unexpected token"], ["src/broken.js"]], ["no-unused-vars"],
     {"eslint.config.mjs": "export default [{rules: {'no-unused-vars': 'warn'}}];\n", "src/broken.js": "export const x = {;\n", "src/warn.js": "const y = 1;\n"})

case("ruff-format-check", "ruff", "etl-py", "format", "ruff format --check .",
     ["ruff format --check .", ["Would reformat: etl/load.py", "etl/load.py:1"]], ["etl/ok.py"],
     {"etl/load.py": "x = {  'a':1 }\n", "etl/ok.py": "x = 1\n"})

case("pytest-warnings-are-errors", "pytest", "legacy-py", "tests (strict)", [{"name": "Tests", "run": "pytest -q -W error"}],
     ["pytest -q -W error", ["test_exports"], ["DeprecationWarning: export_v1 goes away in 3.0"]], [],
     {"exp.py": "import warnings\ndef export_v1():\n    warnings.warn('export_v1 goes away in 3.0', DeprecationWarning)\n", "test_exp.py": "from exp import export_v1\nimport pytest\n@pytest.mark.parametrize('n', range(20))\ndef test_ok(n):\n    pass\n\ndef test_exports():\n    export_v1()\n"})

case("pytest-strict-xfail", "pytest", "solver-py", "tests", "pytest -q",
     ["pytest -q", ["test_degenerate_matrix"], ["XPASS(strict)"]], [],
     {"test_s.py": "import pytest\n\n@pytest.mark.parametrize('n', range(20))\ndef test_ok(n):\n    pass\n\n@pytest.mark.xfail(strict=True, reason='needs pivoting')\ndef test_degenerate_matrix():\n    pass\n"})

case("unittest-setup-class", "unittest", "mail-py", "unit", "python -m unittest -v test_mail",
     ["python -m unittest -v test_mail", ["setUpClass (test_mail.Mail)", "setUpClass"], ["smtp fixture mail.json is missing"]], [],
     {"test_mail.py": "import unittest\n\nclass Ok(unittest.TestCase):\n" + numbered("    def test_@(self):\n        pass\n", 9) + "\nclass Mail(unittest.TestCase):\n    @classmethod\n    def setUpClass(cls):\n        raise FileNotFoundError('smtp fixture mail.json is missing')\n    def test_send(self):\n        pass\n"})

case("go-subtests", "go test", "units-go", "test", "go test ./...",
     ["go test ./...", ["TestParse/two_units"], ["parse(\"1m 2s\") = 1, want 62"], ["units_test.go:9"]], [],
     {"go.mod": "module example.org/units\n\ngo 1.19\n", "units.go": "package units\n\nfunc parse(s string) int { return 1 }\n", "units_test.go": "package units\n\nimport \"testing\"\n\nfunc TestParse(t *testing.T) {\n\tfor name, c := range map[string]struct{ in string; want int }{\"one\": {\"1s\", 1}, \"two units\": {\"1m 2s\", 62}} {\n\t\tt.Run(name, func(t *testing.T) {\n\t\t\tif got := parse(c.in); got != c.want {\n\t\t\t\tt.Errorf(\"parse(%q) = %d, want %d\", c.in, got, c.want)\n\t\t\t}\n\t\t})\n\t}\n}\n"})

case("rustc-borrow", "cargo build", "arena", "build", "cargo build --offline --all-targets",
     ["cargo build --offline --all-targets", ["E0502", "cannot borrow `items` as mutable"], ["src/lib.rs:3"]], ["unused variable"],
     {"Cargo.toml": "[package]\nname = \"arena\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "src/lib.rs": "pub fn grow(items: &mut Vec<u32>) -> u32 {\n    let first = &items[0];\n    items.push(1);\n    *first\n}\npub fn spare() {\n    let x = 1;\n}\n"})

case("ld-missing-library", "ld", "viewer2", "link", "make viewer",
     ["make viewer", ["cannot find -lfrobgl"]], [],
     {"Makefile": "viewer: main.c\n\tgcc -o $@ $< -lfrobgl -lm\n", "main.c": "int main(void){return 0;}\n"})

case("make-recipe-own-words", "make", "maps", "check", "make check",
     ["make check", ["tiles/7.png: 3 of 256 tiles are empty"]], [],
     {"Makefile": "check: render\n\t@./check.sh\nrender:\n\t@for i in 1 2 3 4 5 6; do echo rendered $$i; done\n", "check.sh": "#!/bin/sh\nfor i in 1 2 3 4 5 6; do echo \"tiles/$i.png: 256 tiles\"; done\necho 'tiles/7.png: 3 of 256 tiles are empty'\nexit 1\n"})

case("phpunit-error", "phpunit", "shop-php", "unit", "phpunit tests",
     ["phpunit tests", ["CartTest::testCheckout", "testCheckout"], ["Call to a member function charge() on null"], ["CartTest.php:5"]], [],
     {"tests/CartTest.php": "<?php\nuse PHPUnit\\Framework\\TestCase;\nfinal class CartTest extends TestCase {\n  public function testEmpty(): void { $this->assertSame(0, 0); }\n  public function testCheckout(): void { $gateway = null; $gateway->charge(1); }\n}\n"})

case("rspec-before-hook", "rspec", "jobs-rb", "rspec", "rspec spec",
     ["rspec spec", ["connects to the queue"], ["broker fixture is not running"], ["spec/job_spec.rb:2"]], [],
     {"spec/job_spec.rb": "describe 'Job' do\n  before { raise 'broker fixture is not running' if @needs.nil? && RSpec.current_example.description.start_with?('connects') }\n  12.times { |n| it(\"keeps #{n}\") { expect(n).to eq n } }\n  it('connects to the queue') { expect(1).to eq 1 }\nend\n"})

case("prove-bad-plan", "prove", "Counter", "perl", "prove -l t",
     ["prove -l t", ["t/02-count.t"], ["Looks like you planned 5 tests but ran 3", "Bad plan.  You planned 5 tests but ran 3", "planned 5 tests but ran 3"]], [],
     {"t/01-ok.t": "use Test::More tests => 9; ok(1) for 1..9;\n", "t/02-count.t": "use Test::More tests => 5; ok(1) for 1..3;\n"})

case("perl-missing-module", "perl", "mailer-pl", "smoke", "perl -Ilib bin/mailer --dry-run",
     ["perl -Ilib bin/mailer --dry-run", ["Can't locate Frob/Sender.pm"]], [],
     {"bin/mailer": "use strict;\nuse warnings;\nuse Frob::Sender;\nprint 1;\n"})

case("ansible-undefined", "ansible", "roles", "converge", "ansible-playbook -i localhost, -c local play.yml",
     ["ansible-playbook -i localhost", ["write config"], ["'listen_port' is undefined"]], [],
     {"play.yml": "- hosts: all\n  gather_facts: false\n  tasks:\n" + numbered("    - name: step @\n      debug: msg=ok\n", 6) + "    - name: write config\n      copy: {content: \"{{ listen_port }}\", dest: conf}\n"})

case("trap-err-line", "bash", "packer-sh", "package", [{"name": "Package", "run": "./package.sh"}],
     ["./package.sh", ["cp build/app.bin dist/"], ["cannot stat 'build/app.bin'", "failed at line 5"]], ["removing dist.lock"],
     {"package.sh": "#!/bin/bash\nset -Ee\ntrap 'echo \"package.sh failed at line $LINENO: $BASH_COMMAND\"' ERR\ntrap 'for i in 1 2 3; do echo \"removing dist.lock $i\"; done' EXIT\nmkdir -p dist; for i in 1 2 3 4 5 6; do echo \"bundled $i\"; done; cp build/app.bin dist/\n"})

case("multiprocessing-remote", "python", "grid", "grid search", "python grid.py",
     ["python grid.py", ["learning rate 0 is not allowed"], ["grid.py\", line 5", "in train"]], [],
     {"grid.py": "from multiprocessing import Pool\n\ndef train(rate):\n    if rate == 0:\n        raise ValueError('learning rate 0 is not allowed')\n    return rate\n\nif __name__ == '__main__':\n    for n in range(10): print('fold', n, 'ready', flush=True)\n    with Pool(2) as p:\n        p.map(train, [3, 2, 1, 0])\n"})

case("java-suppressed", "java", "etl-java", "load", "javac -d out Load.java\njava -cp out Load",
     ["java -cp out Load", ["column VAT is missing in orders.csv"], ["Load.java:3"]], [],
     {"Load.java": "public class Load {\n  static void read() {\n    throw new IllegalArgumentException(\"column VAT is missing in orders.csv\");\n  }\n  public static void main(String[] a) throws Exception {\n    for (int n = 0; n < 10; n++) System.out.println(\"table \" + n + \" loaded\");\n    try { read(); } catch (RuntimeException e) { Exception f = new Exception(\"load failed\", e); f.addSuppressed(new java.io.IOException(\"temp file stays\")); throw f; }\n  }\n}\n"})

case("pre-commit-bad-config", "pre-commit", "mono2", "hooks", "pre-commit run --all-files",
     ["pre-commit run --all-files", ["InvalidConfigError"], ["found unexpected end of stream"]], [],
     {".pre-commit-config.yaml": "repos:\n- repo: local\n  hooks:\n  - {id: ok, name: always ok, language: system, entry: 'true', pass_filenames: false}\n  - {id: norm, name: normalise json, language: system, entry: bash -c 'echo \"{}\" >conf.json', pass_filenames: false}\n", "conf.json": "{ }\n"}, prepare="git init -q . && git add . && git commit -qm one")

case("byte-compile-unbalanced", "emacs", "mode-el", "compile", "emacs -Q --batch -L . -f batch-byte-compile a.el b.el",
     ["batch-byte-compile", ["End of file during parsing"], ["b.el"]], [],
     {"a.el": ";;; a.el --- a -*- lexical-binding: t -*-\n(provide 'a)\n", "b.el": ";;; b.el --- b -*- lexical-binding: t -*-\n(defun b ()\n  (list 1 2)\n"})

case("gcc-template-error", "g++", "meta", "build", "g++ -std=c++17 -c src/sort.cc",
     ["g++ -std=c++17 -c src/sort.cc", ["no match for ‘operator-’", "no match for"], ["src/sort.cc:5", "required from here"]], [],
     {"src/sort.cc": "#include <algorithm>\n#include <list>\nvoid f() {\n  std::list<int> l{3, 1, 2};\n  std::sort(l.begin(), l.end());\n}\n"})
