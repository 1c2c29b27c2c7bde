"""Jobs of compilers, build systems and test frameworks that fail in their less plain forms: judged once, at first sight."""

from unseen import case as _case, numbered


def case(*args, **more):
    _case(*args, folder="fresh-a", **more)


def files_of(form, names):
    """One file of each name, with that for each @ of path and text; @@ stays as one @."""
    path, text = form
    return {path.replace("@", name): text.replace("@@", "\0").replace("@", name).replace("\0", "@") for name in names}


SOME = ["arena", "bloom", "clock", "codec", "crc", "delta", "epoch", "fence", "gossip", "heap", "inbox", "journal", "keys", "lease",
        "merge", "nonce", "outbox", "pager", "quota", "ring"]

# Compilers and linkers.

case("make-j4-interleaved", "make", "packetd", "build (gcc-12, -j4)", [
    {"name": "Build", "run": "echo \"::group::toolchain\"\ngcc --version | head -1\nmake --version | head -1\necho \"::endgroup::\"\nmake -j4 all\n./packetd --version"}],
    ["make -j4 all", ["has no member named ‘metrics’"], ["src/gateway.c:9"]], ["unused parameter", "src/arena.c"],
    {"Makefile": "SRC := $(wildcard src/*.c)\nOBJ := $(SRC:.c=.o)\nCFLAGS := -O2 -Wall -Wextra -fdiagnostics-color=always\nall: packetd\npacketd: $(OBJ)\n\t$(CC) -o $@ $^\n%.o: %.c\n\t$(CC) $(CFLAGS) -c -o $@ $<\n",
     "src/route.h": "struct route {\n  int hops;\n  int metric;\n};\n",
     "src/gateway.c": "#include <stdlib.h>\n#include \"route.h\"\n\nint route_cost(const struct route *r, int weight)\n{\n  if (!r)\n    return -1;\n\n  return r->metrics * weight + r->hops;\n}\n",
     "src/main.c": "int main(void) { return 0; }\n",
     **files_of(("src/@.c", "#include <string.h>\nint @_open(int flags, void *ctx)\n{\n  return flags + 1;\n}\nint @_close(int ctx)\n{\n  return 0;\n}\n"), SOME)})

case("concept-not-satisfied", "g++", "peerstore", "build (gcc, c++20)", [
    {"name": "Configure", "run": "cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Debug"},
    {"name": "Build", "run": "cmake --build build --target peerstore"}],
    ["cmake --build build", ["constraint failure", "constraints not satisfied", "k.hash()"], ["src/session.cc:10"]], ["is deprecated"],
    {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.20)\nproject(peerstore CXX)\nset(CMAKE_CXX_STANDARD 20)\nfile(GLOB SRC src/*.cc)\nadd_library(peerstore STATIC ${SRC})\ntarget_include_directories(peerstore PRIVATE include)\n",
     "include/index.h": "#pragma once\n#include <concepts>\n#include <cstddef>\n#include <map>\n\ntemplate <class K>\nconcept Key = requires(const K& k) {\n  { k.hash() } -> std::convertible_to<std::size_t>;\n};\n\ntemplate <Key K, class V>\nclass Index {\n  std::map<std::size_t, V> slots_;\n\n public:\n  V& operator[](const K& k) { return slots_[k.hash()]; }\n};\n\n[[deprecated(\"use Index\")]] int old_index();\n",
     "src/session.cc": "#include <string>\n#include \"index.h\"\n\nstruct Peer {\n  std::string host;\n  int port;\n};\n\nint sessions(const Peer& p) {\n  static Index<Peer, int> open;\n  return open[p];\n}\n",
     **files_of(("src/@.cc", "#include \"index.h\"\nint @() { return old_index(); }\n"), SOME[:9])})

case("undefined-vtable", "ld", "drawlib", "build (Release)", [
    {"name": "Build and test", "run": "cmake -S . -B build\ncmake --build build -j2\nctest --test-dir build"}],
    ["cmake --build build", ["undefined reference to `vtable for Circle'"], ["circle.cc", "Circle::Circle"]], ["[-Wsign-compare]", "No tests were found"],
    {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.20)\nproject(drawlib CXX)\nset(CMAKE_CXX_FLAGS \"-Wall -Wextra\")\nfile(GLOB SRC src/*.cc)\nadd_executable(draw ${SRC})\n",
     "src/circle.h": "#pragma once\nstruct Shape { virtual ~Shape() = default; virtual double area() const = 0; };\nstruct Circle : Shape { Circle(double r); double area() const override; double r_; };\n",
     "src/circle.cc": "#include \"circle.h\"\nCircle::Circle(double r) : r_(r) {}\n",
     "src/main.cc": "#include \"circle.h\"\nint main() { Circle c(2); return c.r_ > 3; }\n",
     **files_of(("src/@.cc", "#include <vector>\nint @(const std::vector<int>& v) { int n = 0; for (int i = 0; i < v.size(); ++i) n += v[i]; return n; }\n"), SOME[:10])})

case("meson-missing-header", "meson", "wirefmt", "build (meson, debugoptimized)", [
    {"name": "Setup", "run": "meson setup build -Dwarning_level=3"}, {"name": "Compile", "run": "meson compile -C build --ninja-args=-k0"}],
    ["meson compile -C build", ["wire.pb-c.h: No such file or directory"], ["src/wire.h:3"]], ["unused variable"],
    {"meson.build": "project('wirefmt', 'c')\nexecutable('wirefmt', 'src/main.c', 'src/encode.c', 'src/decode.c', %s)\n" % ", ".join("'src/%s.c'" % n for n in SOME[:8]),
     "src/wire.h": "#ifndef WIRE_H\n#define WIRE_H\n#include \"wire.pb-c.h\"\n#endif\n", "src/encode.c": "#include \"wire.h\"\nint encode(void) { return 1; }\n",
     "src/decode.c": "#include <stdio.h>\n#include \"wire.h\"\nint decode(void) { return 1; }\n", "src/main.c": "int main(void) { return 0; }\n",
     **files_of(("src/@.c", "int @(void)\n{\n  int spare = 1;\n  return 0;\n}\n"), SOME[:8])})

case("recompile-with-fpic", "ld", "fastcodec", "shared library", [
    {"name": "Build", "run": "make clean\nmake libfastcodec.so\nmake install DESTDIR=$PWD/stage"}],
    ["make libfastcodec.so", ["recompile with -fPIC"], ["fast/table.o"]], ["rm: cannot remove"],
    {"Makefile": "libfastcodec.so: codec.o fast/table.o\n\tgcc -shared -o $@ codec.o fast/table.o\ncodec.o: codec.c\n\tgcc -fPIC -O2 -c -o $@ $<\nfast/table.o: fast/table.c\n\tgcc -fno-pic -O2 -c -o $@ $<\nclean:\n\t-rm codec.o fast/table.o libfastcodec.so\ninstall: libfastcodec.so\n\tinstall -D $< $(DESTDIR)/usr/lib/$<\n",
     "codec.c": "extern int lookup(int);\nint codec(int n) { return lookup(n); }\n", "fast/table.c": "int table[256];\nint *cursor = table;\nint lookup(int n) { return table[n] + *cursor; }\n"})

case("rust-error-in-macro", "cargo build", "tablekit", "build (stable, ubuntu-24.04)", [
    {"name": "Build", "env": {"CARGO_TERM_COLOR": "always", "RUST_BACKTRACE": "1"}, "run": "cargo build --workspace --all-targets --offline\ncargo test --workspace --offline"}],
    ["cargo build --workspace --all-targets", ["E0277", "`Duration: Column` is not satisfied"], ["crates/store/src/lib.rs:10"]],
    ["never used", "unused variable", "deprecated"],
    {"Cargo.toml": "[workspace]\nmembers = [\"crates/*\"]\nresolver = \"2\"\n",
     "crates/column/Cargo.toml": "[package]\nname = \"column\"\nversion = \"0.4.1\"\nedition = \"2021\"\n",
     "crates/column/src/lib.rs": "pub trait Column {\n    const WIDTH: usize;\n}\nimpl Column for u32 {\n    const WIDTH: usize = 4;\n}\nimpl Column for String {\n    const WIDTH: usize = 24;\n}\n\n#[macro_export]\nmacro_rules! table {\n    ($name:ident { $($field:ident : $ty:ty),* $(,)? }) => {\n        pub struct $name { $(pub $field: $ty),* }\n        impl $name {\n            pub const fn width() -> usize {\n                0 $(+ <$ty as $crate::Column>::WIDTH)*\n            }\n        }\n    };\n}\n" + numbered("\nfn legacy_@(x: u32) {\n    let spare = 1;\n}\n", 8),
     "crates/store/Cargo.toml": "[package]\nname = \"store\"\nversion = \"0.4.1\"\nedition = \"2021\"\n\n[dependencies]\ncolumn = { path = \"../column\" }\n",
     "crates/store/src/lib.rs": "use column::table;\nuse std::time::Duration;\n\ntable! { User { id: u32, name: String } }\ntable! { Group { id: u32, title: String } }\n\ntable! {\n    Session {\n        id: u32,\n        idle: Duration,\n    }\n}\n\n#[deprecated]\npub fn old() {}\npub fn use_old() {\n    old()\n}\n"})

case("cargo-rust-version", "cargo", "mapserver", "check (1.9x)", "cargo fetch --offline\ncargo check --workspace --offline\ncargo test --workspace --offline",
     ["cargo check --workspace --offline", ["is not supported by the following package"], ["tilecodec@0.18.2 requires rustc 1.199", "requires rustc 1.199"]], [],
     {"Cargo.toml": "[workspace]\nmembers = [\"app\", \"tiles\"]\nresolver = \"2\"\n",
      "app/Cargo.toml": "[package]\nname = \"app\"\nversion = \"2.0.0\"\nedition = \"2021\"\nrust-version = \"1.70\"\n[dependencies]\ntiles = { path = \"../tiles\" }\n", "app/src/main.rs": "fn main() {}\n",
      "tiles/Cargo.toml": "[package]\nname = \"tiles\"\nversion = \"2.0.0\"\nedition = \"2021\"\n[dependencies]\ntilecodec = { path = \"../vendor/tilecodec\" }\n", "tiles/src/lib.rs": "",
      "vendor/tilecodec/Cargo.toml": "[package]\nname = \"tilecodec\"\nversion = \"0.18.2\"\nedition = \"2021\"\nrust-version = \"1.199\"\n", "vendor/tilecodec/src/lib.rs": ""})

case("go-import-cycle", "go build", "billing-go", "build / linux-arm64", [
    {"name": "Build", "env": {"GOARCH": "arm64", "CGO_ENABLED": "0"}, "run": "go env GOARCH GOOS\ngo mod verify || echo 'verify: nothing to verify'\ngo build -trimpath ./...\ngo vet ./..."}],
    ["go build -trimpath ./...", ["import cycle not allowed"], ["example.org/billing/tax"]], [],
    {"go.mod": "module example.org/billing\n\ngo 1.19\n", "invoice/invoice.go": "package invoice\n\nimport \"example.org/billing/tax\"\n\nfunc Total() int { return tax.Of(3) }\n",
     "tax/tax.go": "package tax\n\nimport \"example.org/billing/rates\"\n\nfunc Of(n int) int { return n * rates.Now() }\n",
     "rates/rates.go": "package rates\n\nimport \"example.org/billing/invoice\"\n\nfunc Now() int { return invoice.Total() }\n"})

case("ghc-missing-instance", "ghc", "palette-hs", "build (ghc-9.0, -Wall)", "mkdir -p dist\nghc --make -Wall -isrc -outputdir dist -o dist/palette app/Main.hs",
     ["ghc --make -Wall", ["No instance for (Ord Colour)"], ["src/Palette.hs:8"]], ["Defined but not used", "[-Wunused-top-binds]", "[-Wmissing-signatures]"],
     {"app/Main.hs": "module Main where\nimport Palette\nimport Util\nmain :: IO ()\nmain = print (length (ranked [Red, Blue]) + helper 1)\n",
      "src/Util.hs": "module Util (helper) where\nhelper :: Int -> Int\nhelper n = n + 1\nspare x = x\nother y z = y\n",
      "src/Palette.hs": "module Palette where\nimport qualified Data.Map as M\nimport Util (helper)\n\ndata Colour = Red | Blue deriving (Show, Eq)\n\nranked :: [Colour] -> M.Map Colour Int\nranked cs = M.fromList (zip cs [helper 0 ..])\n"})

case("ocaml-interface-mismatch", "ocaml", "storage-ml", "build (4.14)", [{"name": "Build", "run": "dune build --display=short @all"}],
     ["dune build", ["Values do not match", "does not match the interface"], ["lib/store.mli", "lib/store.ml"], ["val find : string -> t -> int option", "is not included in"]], [],
     {"dune-project": "(lang dune 2.9)\n", "lib/dune": "(library (name storage))\n", "lib/store.mli": "type t\nval empty : t\nval find : string -> t -> int option\n",
      "lib/store.ml": "type t = (string * int) list\nlet empty = []\nlet find t key = List.assoc_opt key t\n", **files_of(("lib/m_@.ml", "let @ = 1\n"), SOME[:8])})

case("dune-cram-diff", "dune test", "todo-ml", "runtest", [{"name": "Tests", "run": "dune build\ndune runtest --force"}],
     ["dune runtest", ["test/list.t"], ["[warning] 1 item has no due date"]], [],
     {"dune-project": "(lang dune 2.9)\n(cram enable)\n", "bin/dune": "(executable (name todo))\n", "bin/todo.ml": "let () = match Sys.argv with\n  | [| _; \"list\" |] -> print_endline \"[warning] 1 item has no due date\"; print_endline \"2 items\"\n  | _ -> print_endline \"usage: todo list\"\n",
      "test/dune": "(cram (deps ../bin/todo.exe))\n", "test/usage.t": "Error texts are shown on a wrong verb:\n\n  $ ../bin/todo.exe\n  usage: todo list\n", "test/list.t": "All items:\n\n  $ ../bin/todo.exe list\n  2 items\n"})

case("ctest-fortran-bounds", "ctest", "heatflow", "test (gfortran-12, Debug)", [
    {"name": "Build", "run": "cmake -S . -B build -DCMAKE_BUILD_TYPE=Debug && cmake --build build"},
    {"name": "Test", "run": "cd build\nctest --output-on-failure -j2"}],
    ["ctest --output-on-failure", ["Index '11' of dimension 1 of array 'u' above upper bound of 10"], ["halo_exchange"], ["solver.f90"]], [],
    {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.20)\nproject(heatflow Fortran)\nset(CMAKE_Fortran_FLAGS \"-fcheck=bounds -g\")\nadd_executable(heat src/main.f90 src/solver.f90)\nenable_testing()\nforeach(n RANGE 1 40)\n  add_test(NAME steady_state_${n} COMMAND heat 4)\nendforeach()\nadd_test(NAME halo_exchange COMMAND heat 11)\nforeach(n RANGE 41 70)\n  add_test(NAME steady_state_${n} COMMAND heat 5)\nendforeach()\n",
     "src/solver.f90": "subroutine relax(n)\n  implicit none\n  integer, intent(in) :: n\n  integer :: i\n  real :: u(10)\n  u = 0\n  do i = 1, n\n    u(i) = u(max(i - 1, 1)) + 0.5\n  end do\n  print *, 'residual', sum(u)\nend subroutine\n",
     "src/main.f90": "program heat\n  implicit none\n  character(len=8) :: a\n  integer :: n\n  call get_command_argument(1, a)\n  read (a, *) n\n  print *, 'warning: no config file, defaults are used'\n  call relax(n)\nend program\n"})

case("ada-constraint-error", "gnat", "ringbuf-ada", "gnat-12 / run tests", "gnatmake -q -g -gnata -Isrc tests/run.adb\n./run",
     ["./run", ["CONSTRAINT_ERROR"], ["ring.adb:7"]], ["PROGRAM_ERROR"],
     {"src/ring.ads": "package Ring is\n   type Slots is array (1 .. 8) of Integer;\n   Data : Slots := (others => 0);\n   procedure Put (At_Slot : Integer; Value : Integer);\nend Ring;\n",
      "src/ring.adb": "package body Ring is\n   procedure Put (At_Slot : Integer; Value : Integer) is\n      Next : Integer;\n   begin\n      Next := At_Slot + 1;\n      --  wraps around at the end\n      Data (Next) := Value;\n   end Put;\nend Ring;\n",
      "tests/run.adb": "with Ada.Text_IO; use Ada.Text_IO;\nwith Ring;\nprocedure Run is\nbegin\n   Put_Line (\"empty ring: PROGRAM_ERROR raised as expected, ok\");\n   for I in 1 .. 9 loop\n      Put_Line (\"put into slot\" & I'Image);\n      Ring.Put (I, I * I);\n   end loop;\nend Run;\n"})

case("pascal-range-check", "fpc", "inventory-pas", "test (fpc 3.2)", "fpc -v0 -Cr -gl -oinv inv.pas\n./inv --selftest\n./inv --report",
     ["./inv --selftest", ["Runtime error 201"], ["line 13 of inv.pas", "inv.pas"]], [],
     {"inv.pas": "program inv;\n{$mode objfpc}\nvar\n  stock: array[1..5] of integer;\n  n: integer;\n\nprocedure take(slot: integer);\nbegin\n  writeln('slot ', slot, ': ok');\n  if slot = 3 then\n    writeln('slot 3: warning, negative stock is clipped');\n  { one slot is kept free }\n  stock[slot + 1] := slot;\nend;\n\nbegin\n  for n := 1 to 5 do\n    take(n);\nend.\n"})

case("csharp-interface-member", "csharp", "mailer-cs", "build (mono)", "mcs -target:library -out:Mailer.dll -warn:4 src/*.cs",
     ["mcs -target:library", ["CS0535", "does not implement interface member"], ["src/Smtp.cs(5"]], ["CS0219", "CS0169"],
     {"src/ISender.cs": "public interface ISender {\n  void Send(string to);\n  void Flush(int timeoutMs);\n}\n", "src/Smtp.cs": "using System;\n\nnamespace Mail {\n\n  public class Smtp : ISender {\n    private int port;\n    public void Send(string to) { int spare = 1; Console.WriteLine(to); }\n  }\n}\n",
      "src/Other.cs": "class Other { int a; void F() { int b = 2; } }\n"})

case("kotlin-nullable", "kotlinc", "contacts-kt", "compile (jvm 17)", "kotlinc src -d contacts.jar",
     ["kotlinc src", ["type mismatch: inferred type is String? but String was expected"], ["src/Contacts.kt:5"]], ["is never used"],
     {"src/Contacts.kt": "data class Contact(val name: String, val mail: String?)\n\nfun domain(mail: String): String = mail.substringAfter('@')\n\nfun domains(all: List<Contact>): List<String> = all.map { domain(it.mail) }\n", "src/Util.kt": "fun spare(a: Int, b: Int): Int {\n    val unused = 3\n    return a\n}\n"})

case("tsc-npm-workspaces", "tsc", "acme-mono", "build packages (node 20)", [
    {"name": "Build", "run": "npm run build --workspaces --if-present\nnpm test --workspaces"}],
    ["npm run build --workspaces", ["TS2339", "Property 'retries' does not exist on type"], ["src/client.ts(4,"], ["@acme/api"]], ["npm warn"],
    {"package.json": "{\"name\": \"acme\", \"private\": true, \"workspaces\": [\"packages/*\"]}\n",
     **files_of(("packages/@/package.json", "{\"name\": \"@@acme/@\", \"version\": \"3.1.0\", \"scripts\": {\"build\": \"tsc -p . --types ''\", \"test\": \"true\"}}\n"), ["api", "core", "ui", "cli"]),
     **files_of(("packages/@/tsconfig.json", "{\"compilerOptions\": {\"strict\": true, \"outDir\": \"dist\", \"rootDir\": \"src\"}, \"include\": [\"src\"]}\n"), ["api", "core", "ui", "cli"]),
     **files_of(("packages/@/src/index.ts", "export const name: string = '@';\n"), ["api", "core", "ui", "cli"]),
     "packages/api/src/client.ts": "interface Options { timeout: number }\n\nexport function connect(o: Options): number {\n  return o.timeout * o.retries;\n}\n"})

case("npm-bad-engine", "npm", "chart-kit", "install (node 20)", [{"name": "Install", "run": "node --version\nnpm --version\nnpm install --no-audit --no-fund\nnpm run build"}],
     ["npm install", ["EBADENGINE", "Unsupported engine"], ["chartlib-zoom@1.2.0"], ["\"node\":\">=26\"", ">=26"]], [],
     {".npmrc": "engine-strict=true\n", "package.json": "{\"name\": \"chart-kit\", \"version\": \"1.0.0\", \"dependencies\": {\"chartlib\": \"file:./vendor/chartlib\", \"chartlib-zoom\": \"file:./vendor/chartlib-zoom\"}}\n",
      "vendor/chartlib/package.json": "{\"name\": \"chartlib\", \"version\": \"3.4.1\", \"engines\": {\"node\": \">=18\"}}\n", "vendor/chartlib-zoom/package.json": "{\"name\": \"chartlib-zoom\", \"version\": \"1.2.0\", \"engines\": {\"node\": \">=26\"}}\n"})

case("autoreconf-undefined-macro", "autoconf", "oldtool", "bootstrap", [{"name": "Bootstrap", "run": "./autogen.sh\n./configure --enable-silent-rules\nmake"}],
     ["./autogen.sh", ["possibly undefined macro: PKG_CHECK_FROB"], ["configure.ac:7"]], ["is obsolete"],
     {"autogen.sh": "#!/bin/sh\nset -e\necho 'preparing build system'\nmkdir -p m4\nautoreconf --force --install --verbose\necho 'now run ./configure'\n",
      "configure.ac": "AC_INIT([oldtool], [1.9])\nAM_INIT_AUTOMAKE([foreign])\nAC_PROG_CC_C99\nAC_CONFIG_HEADERS([config.h])\nm4_pattern_forbid([^PKG_])\nAC_TYPE_SIGNAL\nPKG_CHECK_FROB([FROB], [frob >= 2])\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n", "Makefile.am": "bin_PROGRAMS = oldtool\noldtool_SOURCES = main.c\n", "main.c": "int main(void) { return 0; }\n"})

case("cmake-version-of-subproject", "cmake", "renderd", "configure (ubuntu-22.04)", [
    {"name": "Configure", "run": "cmake -S . -B build -DWITH_GUI=OFF\ncmake --build build"}],
    ["cmake -S . -B build", ["CMake 3.28 or higher is required"], ["third_party/fmtlite/CMakeLists.txt:1"]], ["GUI is off", "Compatibility with CMake < 2.8.12"],
    {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.16)\nproject(renderd C)\nif(NOT WITH_GUI)\n  message(WARNING \"GUI is off: error dialogs go to the terminal\")\nendif()\nadd_subdirectory(third_party/old)\nadd_subdirectory(third_party/fmtlite)\nadd_executable(renderd main.c)\n",
     "third_party/old/CMakeLists.txt": "cmake_minimum_required(VERSION 2.8)\nproject(old C)\n", "third_party/fmtlite/CMakeLists.txt": "cmake_minimum_required(VERSION 3.28)\nproject(fmtlite C)\n", "main.c": "int main(void) { return 0; }\n"})

# Java.

POM = "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion>%s</project>\n"
MAVEN = "-o\n-Dmaven.repo.local=/usr/share/maven-repo\n"
PARENT = POM % ("<groupId>org.example</groupId><artifactId>ledger-parent</artifactId><version>4.2.0-SNAPSHOT</version><packaging>pom</packaging>"
                "<properties><maven.compiler.source>11</maven.compiler.source><maven.compiler.target>11</maven.compiler.target><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>"
                "<modules><module>model</module><module>core</module><module>web</module></modules>"
                "<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.x</version><scope>test</scope></dependency></dependencies>"
                "<build><plugins><plugin><artifactId>maven-compiler-plugin</artifactId><version>3.10.1</version></plugin><plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.0</version></plugin><plugin><artifactId>maven-surefire-plugin</artifactId><version>2.22.3</version></plugin></plugins></build>")
CHILD = POM % "<parent><groupId>org.example</groupId><artifactId>ledger-parent</artifactId><version>4.2.0-SNAPSHOT</version></parent><artifactId>%s</artifactId>"
OK_TEST = "package org.example;\nimport org.junit.Test;\nimport static org.junit.Assert.*;\npublic class %sTest {\n  @Test public void keeps() { assertEquals(1, 1); }\n  @Test public void refuses() { new IllegalStateException(\"closed pool, as the test wants\").printStackTrace(); }\n}\n"

case("maven-surefire-one-module", "maven", "ledger-java", "verify (temurin-17)", [
    {"name": "Verify", "run": "mvn --batch-mode --no-transfer-progress test"}],
    ["mvn --batch-mode", ["roundsPerLine"], ["expected:<12.35> but was:<12.34>"], ["TaxTest.java:8", "TaxTest.roundsPerLine:8"], ["core"]], ["closed pool, as the test wants"],
    {".mvn/maven.config": MAVEN, "pom.xml": PARENT, **{m + "/pom.xml": CHILD % m for m in ("model", "core", "web")},
     **{"%s/src/test/java/org/example/%sTest.java" % (m, n): OK_TEST % n for m in ("model", "core", "web") for n in ("Pool", "Money", "Entry", "Audit")},
     "core/src/test/java/org/example/TaxTest.java": "package org.example;\nimport org.junit.Test;\nimport java.math.BigDecimal;\nimport static org.junit.Assert.*;\npublic class TaxTest {\n  @Test public void zero() { assertEquals(BigDecimal.ZERO, BigDecimal.ZERO); }\n  @Test public void roundsPerLine() {\n    assertEquals(new BigDecimal(\"12.35\"), new BigDecimal(\"12.34\"));\n  }\n}\n"})

case("maven-compile-second-module", "maven", "ledger-java2", "build (temurin-11)", [
    {"name": "Build", "run": "echo 'JAVA_HOME is set by setup-java'\nmvn -B -ntp -T 1 test-compile"}],
    ["mvn -B -ntp", ["method does not override or implement a method from a supertype"], ["LedgerImpl.java:[5,"], ["core"]], ["unchecked or unsafe operations"],
    {".mvn/maven.config": MAVEN, "pom.xml": PARENT, **{m + "/pom.xml": CHILD % m for m in ("model", "core", "web")},
     "model/src/main/java/org/example/Raw.java": "package org.example;\nimport java.util.*;\npublic class Raw { List<String> a = new ArrayList(); }\n",
     "core/src/main/java/org/example/Ledger.java": "package org.example;\npublic interface Ledger {\n  long balance(String account);\n}\n",
     "core/src/main/java/org/example/LedgerImpl.java": "package org.example;\nimport java.util.*;\npublic abstract class LedgerImpl implements Ledger {\n  private final Map<String, Long> all = new HashMap<>();\n  @Override\n  public long balance(String account, String currency) {\n    return all.getOrDefault(account, 0L);\n  }\n}\n",
     "web/src/main/java/org/example/Web.java": "package org.example;\npublic class Web {}\n"})

case("ant-junit-batch", "ant", "calendar-java", "ant test (jdk 17)", [{"name": "Tests", "run": "ant -noinput clean test"}],
     ["ant -noinput clean test", ["leapDay"], ["expected:<29> but was:<28>"], ["DaysTest"]], ["no resource bundle, English is used"],
     {"build.xml": "<project name=\"calendar\" default=\"test\">\n  <path id=\"cp\"><pathelement path=\"out\"/><fileset dir=\"/usr/share/java\" includes=\"junit4.jar,hamcrest*.jar\"/></path>\n  <target name=\"clean\"><delete dir=\"out\"/></target>\n  <target name=\"compile\"><mkdir dir=\"out\"/><javac srcdir=\"src\" destdir=\"out\" classpathref=\"cp\" includeantruntime=\"false\"/></target>\n  <target name=\"test\" depends=\"compile\">\n    <junit fork=\"true\" forkmode=\"once\" failureproperty=\"tests.failed\" showoutput=\"true\">\n      <classpath refid=\"cp\"/>\n      <formatter type=\"plain\" usefile=\"false\"/>\n      <batchtest><fileset dir=\"src\" includes=\"**/*Test.java\"/></batchtest>\n    </junit>\n    <fail if=\"tests.failed\" message=\"some tests failed, see above\"/>\n  </target>\n</project>\n",
      "src/DaysTest.java": "import org.junit.Test;\nimport static org.junit.Assert.*;\npublic class DaysTest {\n  @Test public void january() { assertEquals(31, 31); }\n  @Test public void leapDay() {\n    assertEquals(29, Integer.parseInt(\"28\"));\n  }\n}\n",
      **files_of(("src/Z@Test.java", "import org.junit.Test;\npublic class Z@Test {\n  @@Test public void one() { System.err.println(\"ERROR no resource bundle, English is used\"); }\n  @@Test public void two() {}\n}\n"), SOME[:8])})

case("junit5-parameterized", "junit", "roman-java", "junit platform", [
    {"name": "Compile", "run": "javac -cp /usr/share/java/junit-jupiter-api.jar:/usr/share/java/junit-jupiter-params.jar:/usr/share/java/apiguardian-api.jar -d out src/*.java"},
    {"name": "Test", "run": "java -cp \"out:/usr/share/java/*\" org.junit.platform.console.ConsoleLauncher --disable-banner --scan-classpath out --details=tree"}],
    ["org.junit.platform.console.ConsoleLauncher", ["XL"], ["expected: <40> but was: <60>"], ["RomanTest"]], ["reading rejected numeral IIII"],
    {"src/RomanTest.java": "import org.junit.jupiter.params.ParameterizedTest;\nimport org.junit.jupiter.params.provider.CsvSource;\nimport org.junit.jupiter.api.*;\nimport static org.junit.jupiter.api.Assertions.*;\nclass RomanTest {\n  static int parse(String s) { int n = 0; for (char c : s.toCharArray()) n += \"I-V-X-L\".indexOf(c) == 0 ? 1 : c == 'V' ? 5 : c == 'X' ? 10 : 50; return n; }\n  @ParameterizedTest @CsvSource({\"I,1\", \"II,2\", \"III,3\", \"V,5\", \"VI,6\", \"X,10\", \"XL,40\", \"L,50\", \"LX,60\"})\n  void reads(String roman, int value) {\n    assertEquals(value, parse(roman));\n  }\n  @Test void refusesFourOnes() { System.err.println(\"Exception while reading rejected numeral IIII\"); assertThrows(IllegalStateException.class, () -> { throw new IllegalStateException(\"IIII\"); }); }\n}\n"})

# Go.

GO = "module example.org/%s\n\ngo 1.19\n"
GO_OK = ("@/@.go", "package @\n\nfunc Keep(n int) int { return n }\n"), ("@/@_test.go", "package @\n\nimport (\n\t\"log\"\n\t\"testing\"\n)\n\nfunc TestKeep(t *testing.T) {\n\tlog.Println(\"error: injected by the test of @\")\n\tif Keep(1) != 1 {\n\t\tt.Fatal(\"not kept\")\n\t}\n}\nfunc TestSkip(t *testing.T) { t.Skip(\"slow\") }\n")


def go_ok(names):
    return {**files_of(GO_OK[0], names), **files_of(GO_OK[1], names)}


case("go-panic-in-goroutine", "go test", "workpool", "test (1.19, ubuntu-latest)", [
    {"name": "Test", "run": "go vet ./...\ngo test -v -count=1 ./..."}],
    ["go test -v -count=1 ./...", ["send on closed channel"], ["pool/pool.go:12"], ["TestCloseWhileBusy", "example.org/workpool/pool"]], ["injected by the test of"],
    {"go.mod": GO % "workpool", **go_ok(SOME[:12]),
     "pool/pool.go": "package pool\n\nimport \"time\"\n\n// Pool hands results over one channel.\ntype Pool struct{ out chan int }\n\nfunc New() *Pool { return &Pool{make(chan int, 1)} }\n\nfunc (p *Pool) work(n int) {\n\ttime.Sleep(20 * time.Millisecond)\n\tp.out <- n\n}\n\nfunc (p *Pool) Go(n int) { go p.work(n) }\n\nfunc (p *Pool) Close() { close(p.out) }\n",
     "pool/pool_test.go": "package pool\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n\nfunc TestOpen(t *testing.T) { New().Close() }\n\nfunc TestCloseWhileBusy(t *testing.T) {\n\tp := New()\n\tp.Go(1)\n\tp.Close()\n\ttime.Sleep(time.Second)\n}\n\nfunc TestAfter(t *testing.T) {}\n"})

case("go-test-timeout", "go test", "drainq", "unit (race off)", [{"name": "Unit", "run": "./ci/test.sh"}],
     [["./ci/test.sh", "go test -timeout 3s ./..."], ["test timed out after 3s"], ["TestDrainEmpty"], ["queue_test.go:11", "queue.go:14"]], ["injected by the test of"],
     {"go.mod": GO % "drainq", "ci/test.sh": "#!/usr/bin/env bash\nset -euo pipefail\necho \"running unit tests with $(go version | cut -d' ' -f3)\"\ngo test -timeout 3s ./...\necho done\n", **go_ok(["alpha", "beta", "zeta"]),
      "queue/queue.go": "package queue\n\nimport \"sync\"\n\ntype Queue struct {\n\tmu   sync.Mutex\n\tcond *sync.Cond\n\tn    int\n}\n\nfunc (q *Queue) Drain() {\n\tq.mu.Lock()\n\tfor q.n == 0 {\n\t\tq.cond.Wait()\n\t}\n\tq.mu.Unlock()\n}\n",
      "queue/queue_test.go": "package queue\n\nimport (\n\t\"sync\"\n\t\"testing\"\n)\n\nfunc TestDrainEmpty(t *testing.T) {\n\tq := &Queue{}\n\tq.cond = sync.NewCond(&q.mu)\n\tq.Drain()\n}\n"})

case("go-data-race", "go test", "ttlcache", "race detector", [{"name": "Race", "run": "go test -race -count=1 ./..."}],
     ["go test -race", ["DATA RACE"], ["TestExpireWhileReading"], ["cache.go:8", "cache.go:10"]], [],
     {"go.mod": GO % "ttlcache", "cache.go": "package ttlcache\n\nimport \"sync\"\n\n// Cache counts hits.\ntype Cache struct{ hits int }\n\nfunc (c *Cache) Read() { c.hits++ }\n\nfunc (c *Cache) Expire() { c.hits = 0 }\n\nvar _ sync.Mutex\n",
      "cache_test.go": "package ttlcache\n\nimport (\n\t\"fmt\"\n\t\"sync\"\n\t\"testing\"\n)\n\nfunc TestMany(t *testing.T) {\n\tfor n := 0; n < 50; n++ {\n\t\tt.Run(fmt.Sprint(n), func(t *testing.T) {})\n\t}\n}\n\nfunc TestExpireWhileReading(t *testing.T) {\n\tc := &Cache{}\n\tvar wg sync.WaitGroup\n\twg.Add(2)\n\tgo func() { defer wg.Done(); c.Read() }()\n\tgo func() { defer wg.Done(); c.Expire() }()\n\twg.Wait()\n}\n", **go_ok(["stats"])})

case("go-example-output", "go test", "slugs-go", "test (examples)", "go test -run . -v ./...",
     ["go test -run . -v ./...", ["ExampleSlug_unicode"], ["uber-strasse"], ["über-straße"]], ["injected by the test of"],
     {"go.mod": GO % "slugs", **go_ok(["words"]), "slug.go": "package slugs\n\nimport \"strings\"\n\nfunc Slug(s string) string { return strings.ReplaceAll(strings.ToLower(s), \" \", \"-\") }\n",
      "slug_test.go": "package slugs\n\nimport \"fmt\"\n\nfunc ExampleSlug() {\n\tfmt.Println(Slug(\"Big Red Box\"))\n\t// Output: big-red-box\n}\n\nfunc ExampleSlug_unicode() {\n\tfmt.Println(Slug(\"Über Straße\"))\n\t// Output: uber-strasse\n}\n"})

# Rust tests.

case("cargo-test-stack-overflow", "cargo test", "exprs", "test (beta)", [
    {"name": "Test", "env": {"CARGO_TERM_COLOR": "always"}, "run": "cargo test --workspace --no-fail-fast --offline"}],
    ["cargo test --workspace --no-fail-fast", ["has overflowed its stack", "SIGABRT"], ["parses_deeply_nested_parens"], ["--test nesting", "tests/nesting.rs"]], ["unused variable"],
    {"Cargo.toml": "[package]\nname = \"exprs\"\nversion = \"0.9.0\"\nedition = \"2021\"\n",
     "src/lib.rs": "pub fn depth(text: &[u8]) -> usize {\n    let unused = 1;\n    match text.split_first() {\n        Some((b'(', rest)) => std::hint::black_box(1 + depth(std::hint::black_box(rest))),\n        _ => 0,\n    }\n}\n\n#[cfg(test)]\nmod tests {\n" + numbered("    #[test]\n    fn depth_@() {\n        assert_eq!(super::depth(\"(\".repeat(@).as_bytes()), @);\n    }\n", 150) + "}\n",
     "tests/nesting.rs": "#[test]\nfn parses_flat() {\n    assert_eq!(exprs::depth(b\"1\"), 0);\n}\n\n#[test]\nfn parses_deeply_nested_parens() {\n    let text = vec![b'('; 5_000_000];\n    assert_eq!(exprs::depth(&text), 5_000_000);\n}\n",
     "tests/z_after.rs": "#[test]\nfn reads_error_pages() {}\n"})

case("cargo-test-should-panic-text", "cargo test", "ringq", "test (msrv 1.70)", [
    {"name": "Test", "env": {"RUST_BACKTRACE": "1"}, "run": "cargo build --offline\ncargo test --offline\ncargo test --offline --doc"}],
    ["cargo test --offline", ["rejects_zero_capacity"], ["panic did not contain expected string"], ["drops_oldest_first"], ["src/lib.rs:33"]], [],
    {"Cargo.toml": "[package]\nname = \"ringq\"\nversion = \"0.2.0\"\nedition = \"2021\"\n",
     "src/lib.rs": "/// A ring.\npub fn new(capacity: usize) -> Vec<u8> {\n    assert!(capacity != 0, \"empty ring\");\n    Vec::with_capacity(capacity)\n}\n\n#[cfg(test)]\nmod tests {\n    use super::new;\n\n    #[test]\n    #[should_panic(expected = \"no such error slot\")]\n    fn refuses_error_slot() {\n        panic!(\"no such error slot\");\n    }\n\n    #[test]\n    fn keeps() {\n        new(1);\n    }\n\n    #[test]\n    #[should_panic(expected = \"capacity must not be zero\")]\n    fn rejects_zero_capacity() {\n        new(0);\n    }\n\n    #[test]\n    fn drops_oldest_first() {\n        let mut q = new(2);\n        q.extend([1, 2, 3]);\n        // the ring has room for two\n        assert_eq!(q, [2, 3], \"oldest is kept\");\n    }\n" + numbered("\n    #[test]\n    fn holds_@() {\n        new(@ + 1);\n    }\n", 90) + "}\n"})

# JavaScript.

LINK = "ln -s $TOOLS/js/node_modules node_modules"

case("jest-before-all-timeout", "jest", "orders-api", "unit (node 20, shard 1/2)", [
    {"name": "Unit", "env": {"FORCE_COLOR": "1"}, "run": "jest --ci --colors"}],
    ["jest --ci", ["Exceeded timeout of 200 ms for a hook"], ["test/db.test.js"]], ["ECONNREFUSED (as the test expects)"],
    {"package.json": "{\"name\": \"orders-api\", \"jest\": {\"testEnvironment\": \"node\"}}\n",
     "test/a.test.js": "test('reports a refused connection', () => { console.error('Error: connect ECONNREFUSED (as the test expects)'); });\n" + numbered("test('keeps @', () => {});\n", 60),
     "test/db.test.js": "describe('orders in the database', () => {\n  beforeAll(() => new Promise(() => {}), 200);\n  test('are written once', () => { expect(1).toBe(1); });\n});\n",
     "test/z.test.js": numbered("test('sorts @', () => {});\n", 30)})

case("vitest-unhandled-rejection", "vitest", "leases", "vitest (node 22)", [
    {"name": "Unit", "run": "vitest run --globals --reporter=verbose"}],
    ["vitest run", ["Unhandled Rejection", "Unhandled Error", "1 unhandled error"], ["lease expired while closing"], ["src/lease.js:4", "test/lease.test.js"]], ["retry 1 failed, as wanted"],
    {"package.json": "{\"name\": \"leases\", \"type\": \"module\"}\n", "src/lease.js": "export function close(ms) {\n  // nobody waits for this\n  new Promise((_, no) => setTimeout(no, ms)).catch(() => {\n    throw new Error('lease expired while closing');\n  });\n}\n",
     "test/lease.test.js": "import { close } from '../src/lease.js';\n" + numbered("test('renews @', () => {});\n", 30) + "test('closes', async () => {\n  close(10);\n  await new Promise(ok => setTimeout(ok, 80));\n});\n",
     "test/retry.test.js": "test('retries', () => { console.error('Error: retry 1 failed, as wanted'); });\n" + numbered("test('waits @', () => {});\n", 30)})

case("mocha-after-all-hook", "mocha", "sockpool", "test (18)", "mocha --exit --colors 'test/**/*.js'",
     ["mocha --exit", ["\"after all\" hook"], ["2 sockets are still open"], ["test/pool.js:3"]], ["connection reset by peer (simulated)"],
     {"test/pool.js": "describe('pool', () => {\n  after(function closesAll() {\n    throw new Error('2 sockets are still open');\n  });\n" + numbered("  it('hands out socket @', () => {});\n", 120) + "});\n",
      "test/net.js": "describe('net', () => {\n  it('survives a reset', () => { console.log('Error: connection reset by peer (simulated)'); });\n  it.skip('ipv6');\n});\n"})

case("node-test-timed-out", "node --test", "flushd", "node 20 / test", "node --test --test-reporter=tap test/",
     ["node --test --test-reporter=tap", ["flushes before exit"], ["test timed out after 150ms"], ["test/flush.test.js"]], [],
     {"test/a.test.js": "const { test } = require('node:test');\n" + numbered("test('error path @ is quiet', () => {});\n", 40), "test/flush.test.js": "const { test, describe, it } = require('node:test');\ndescribe('writer', () => {\n  it('opens', () => {});\n  it('flushes before exit', { timeout: 150 }, () => new Promise(ok => setTimeout(ok, 4000)));\n  it('closes', () => {});\n});\n"})

case("playwright-flaky-and-failed", "playwright", "bank-e2e", "e2e (shard 3/4)", [
    {"name": "End to end", "run": "npx --no-install playwright test --retries=2 --workers=1 --reporter=list"}],
    ["playwright test", ["shows the remaining balance"], ["Expected: \"40.00\""], ["tests/account.spec.js:9"]], ["504 from the gateway"],
    {"package.json": "{\"name\": \"bank-e2e\"}\n", "playwright.config.js": "module.exports = { testDir: 'tests' };\n",
     "tests/account.spec.js": "const { test, expect } = require('@playwright/test');\n\nfor (let n = 0; n < 25; n++) test(`opens account ${n}`, () => {});\n\ntest('shows the remaining balance', async () => {\n  await test.step('after a transfer', async () => {\n    const shown = (100 - 60.5).toFixed(2);\n    // two digits, no currency\n    expect(shown).toBe('40.00');\n  });\n});\n",
     "tests/transfer.spec.js": "const { test, expect } = require('@playwright/test');\n\ntest('sends a transfer', async ({}, info) => {\n  if (info.retry < 1) throw new Error('504 from the gateway');\n});\nfor (let n = 0; n < 12; n++) test(`lists transfer ${n}`, () => {});\n"},
    prepare=LINK)

case("tape-one-in-a-thousand", "tape", "geohash-js", "test (lts/*)", "NODE_ENV=test tape 'test/*.js'",
     ["tape 'test/*.js'", ["not ok 517", "decodes cell 516"], ["deepEqual", "should be deeply equivalent"], ["test/decode.js:7"]], [],
     {"test/decode.js": "const test = require('tape');\n\ntest('decodes every cell', t => {\n  for (let n = 0; n < 800; n++) {\n    const cell = { lat: n / 10, lon: n === 516 ? null : n };\n    // an error box of half a cell\n    t.deepEqual(cell, { lat: n / 10, lon: n }, 'decodes cell ' + n);\n  }\n  t.end();\n});\n"},
     prepare=LINK)

case("qunit-global-failure", "qunit", "calcjs", "qunit", "qunit test/*.js",
     ["qunit test/*.js", ["divides by zero"], ["Infinity"], ["test/divide.js:4", "test/divide.js"]], ["Error: logged on purpose"],
     {"test/add.js": "QUnit.module('add');\n" + numbered("QUnit.test('adds @', a => a.equal(@ + 1, 1 + @));\n", 60) + "QUnit.test('logs', a => { console.log('Error: logged on purpose'); a.ok(true); });\n",
      "test/divide.js": "QUnit.module('divide');\nQUnit.test('halves', a => a.equal(4 / 2, 2));\nQUnit.test('divides by zero', a => {\n  a.strictEqual(1 / 0, null, 'has no value');\n});\n"})

# Python.

case("pytest-xdist-worker-crash", "pytest", "nativeext", "tests (3.11, -n 2)", [
    {"name": "Tests", "run": "python -m pytest -n 2 -v --color=no tests"}],
    ["python -m pytest -n 2", ["crashed while running"], ["test_double_free"], ["tests/test_native.py"]], [],
    {"tests/test_native.py": "import os\nimport pytest\n\n@pytest.mark.parametrize('n', range(60))\ndef test_alloc(n):\n    assert n >= 0\n\ndef test_double_free():\n    os.abort()\n\n@pytest.mark.parametrize('n', range(30))\ndef test_error_code(n):\n    assert n >= 0\n"})

case("pytest-teardown-error", "pytest", "connpool-py", "tests (py311)", [
    {"name": "Tests", "env": {"PYTEST_ADDOPTS": "--color=yes"}, "run": "pip list --format=freeze | head -3 || true\npytest tests -ra --durations=3"}],
    ["pytest tests", ["ERROR at teardown of test_rollback", "ERROR tests/test_pool.py::test_rollback"], ["1 connection was not returned"], ["tests/test_pool.py:10", "test_pool.py::test_rollback"]], ["pool is closed already (expected)", "Pipe to stdout was broken"],
    {"tests/test_pool.py": "import logging\nimport pytest\n\n@pytest.fixture\ndef pool():\n    open_ = []\n    yield open_\n    logging.error('pool is closed already (expected)')\n    # every connection goes back\n    assert not open_, f'{len(open_)} connection was not returned'\n\n@pytest.mark.parametrize('n', range(80))\ndef test_get(pool, n):\n    pass\n\ndef test_rollback(pool):\n    pool.append(1)\n    logging.warning('rolled back')\n\n@pytest.mark.skip(reason='needs oracle')\ndef test_oracle():\n    pass\n"})

case("pytest-hypothesis", "pytest", "codec-py", "property tests", "pytest -q tests/test_props.py -p no:cacheprovider",
     ["pytest -q tests/test_props.py", ["test_round_trip"], ["Falsifying example", "Failing test case"], ["text='\\x00'", "text='0'", "assert decode(encode(text)) == text"]], [],
     {"conftest.py": "from hypothesis import settings\nsettings.register_profile('ci', derandomize=True, database=None, max_examples=60)\nsettings.load_profile('ci')\n", "tests/test_props.py": "from hypothesis import given, strategies as st\nimport pytest\n\n\ndef encode(text):\n    return [ord(c) for c in text if c != '0']\n\n\ndef decode(codes):\n    return ''.join(map(chr, codes))\n\n\n@pytest.mark.parametrize('n', range(40))\ndef test_known(n):\n    assert decode(encode('a' * n)) == 'a' * n\n\n\n@given(st.text(alphabet='0123456789'))\ndef test_round_trip(text):\n    assert decode(encode(text)) == text\n"})

case("pytest-reruns", "pytest", "feeds-py", "tests / flaky allowed", [
    {"name": "Tests", "run": "for i in 1 2; do echo \"waiting for the fixture server ($i)\"; done\npytest --reruns 2 -v tests"}],
    ["pytest --reruns 2", ["test_etag_is_kept"], ["assert 'W/\"1\"' == 'W/\"2\"'", "W/\"2\""], ["tests/test_feed.py:16", "tests/test_feed.py"]], ["test_slow_server"],
    {"tests/test_feed.py": "import pytest\n\nseen = []\n\n@pytest.mark.parametrize('n', range(40))\ndef test_entry(n):\n    pass\n\ndef test_slow_server():\n    seen.append(1)\n    assert len(seen) == 2, 'server was too slow'\n\ndef test_etag_is_kept():\n    etag = 'W/\"1\"'\n    # weak tags too\n    assert etag == 'W/\"2\"'\n\n@pytest.mark.parametrize('n', range(20))\ndef test_item(n):\n    pass\n"})

case("pytest-syrupy-snapshot", "pytest", "invoice-html", "snapshot tests", "pytest tests -vv --color=no",
     ["pytest tests -vv", ["test_footer"], ["[- snapshot] [+ received]", "- 'VAT 19 %'", "VAT 19 %"], ["1 snapshot failed", "tests/test_html.py"]], [],
     {"tests/test_html.py": "import pytest\n\n@pytest.mark.parametrize('n', range(25))\ndef test_line(n):\n    pass\n\ndef test_header(snapshot):\n    assert 'Invoice' == snapshot\n\ndef test_footer(snapshot):\n    assert 'VAT 7 %' == snapshot\n",
      "tests/__snapshots__/test_html.ambr": "# serializer version: 1\n# name: test_footer\n  'VAT 19 %'\n# ---\n# name: test_header\n  'Invoice'\n# ---\n"})

case("pytest-many-one-import", "pytest", "plugins-py", "tests (3.12)", [{"name": "Tests", "run": "pytest --color=yes"}],
     ["pytest --color=yes", ["No module named 'yamlish'"], ["plugins/base.py:2", "plugins/base.py"], ["tests/test_arena.py"]], [],
     {"plugins/__init__.py": "", "conftest.py": "", "plugins/base.py": "import json\nimport yamlish\n\nclass Base:\n    pass\n", **files_of(("plugins/@.py", "from plugins.base import Base\n\n\nclass Plugin(Base):\n    pass\n"), SOME[:9]),
      **files_of(("tests/test_@.py", "import pytest\nfrom plugins.@ import Plugin\n\n\ndef test_@():\n    Plugin()\n"), SOME[:9]), "tests/test_zz.py": "def test_zz():\n    pass\n"})

case("unittest-import-and-subtests", "unittest", "routes-py", "unit (3.11)", [{"name": "Unit", "run": "python -W default -m unittest discover -s tests -b"}],
     ["python -W default -m unittest discover", ["cannot import name 'Route'"], ["tests/test_api.py"], ["test_statuses"]], ["ResourceWarning"],
     {"routes.py": "class Router:\n    pass\n", "tests/test_api.py": "import unittest\nfrom routes import Route\n\n\nclass Api(unittest.TestCase):\n    def test_get(self):\n        Route()\n",
      "tests/test_ok.py": "import unittest\n\n\nclass Ok(unittest.TestCase):\n    def test_file(self):\n        open(__file__)\n    def test_statuses(self):\n        for code in (200, 301, 418):\n            with self.subTest(code=code):\n                self.assertIn(code, (200, 301))\n" + numbered("    def test_@(self):\n        pass\n", 50)})

# Other frameworks.

case("prove-is-deeply", "prove", "Config-Layer", "perl 5.38 / test", [{"name": "Test", "run": "prove -r -j4 -Ilib t"}],
     ["prove -r -j4", ["merges nested sections"], ["$got->{db}{port}"], ["t/20-merge.t", "line 6"]], ["cannot read missing.ini (expected)"],
     {"lib/Config/Layer.pm": "package Config::Layer;\nuse strict;\nsub merge { my ($a, $b) = @_; return { %$a, %$b } }\n1;\n", **{"t/%02d-ok.t" % n: "use Test::More;\nok(1, \"key $_\") for 1..30;\ndiag 'error: cannot read missing.ini (expected)';\ndone_testing;\n" for n in range(1, 8)},
      "t/20-merge.t": "use Test::More;\nuse Config::Layer;\nmy $all = Config::Layer::merge({db => {host => 'a', port => 5432}}, {db => {host => 'b'}});\nis($all->{db}{host}, 'b', 'the last one wins');\nisnt($all, undef);\nis_deeply($all, {db => {host => 'b', port => 5432}}, 'merges nested sections');\ndone_testing;\n"})

case("bats-setup-file", "bats", "backup-sh", "bats", [{"name": "Bats", "run": "bats --version\nbats --tap -r test"}],
     ["bats --tap -r test", ["setup_file failed"], ["no room in the scratch volume"], ["test/restore.bats"]], ["umount: scratch: not mounted"],
     {"test/backup.bats": "".join("@test \"keeps generation %d of errors\" {\n  true\n}\n" % n for n in range(25)),
      "test/restore.bats": "setup_file() {\n  echo 'making a scratch volume'\n  make_scratch\n}\n\nmake_scratch() {\n  echo 'no room in the scratch volume' >&2\n  return 28\n}\n\nteardown_file() {\n  echo 'umount: scratch: not mounted' >&2\n}\n\n@test \"restores one file\" {\n  true\n}\n\n@test \"restores links\" {\n  true\n}\n"})

case("busted-before-each-error", "busted", "lua-session", "busted (5.1)", "busted -o plainTerminal spec",
     ["busted", ["attempt to index", "attempt to index a nil value"], ["spec/session_spec.lua:4"], ["session before_each"]], ["expected error: stale cookie"],
     {"spec/session_spec.lua": "describe('session', function()\n  local store\n  before_each(function()\n    store.open = {}\n  end)\n  it('expires', function() assert.is_true(true) end)\nend)\n",
      "spec/cookie_spec.lua": "describe('cookie', function()\n  for n = 1, 50 do it('reads ' .. n, function() assert.equal(n, n) end) end\n  it('logs', function() print('expected error: stale cookie') end)\n  pending('same site')\nend)\n"})

case("ctest-timeout-of-one", "ctest", "rpcd", "test (asan off)", [
    {"name": "Configure", "run": "cmake -S . -B build >/dev/null"}, {"name": "Test", "run": "ctest --test-dir build -j2 --timeout 1"}],
    ["ctest --test-dir build", ["shutdown_drains_clients"], ["Timeout"]], ["config.retry_on_failure"],
    {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.20)\nproject(rpcd NONE)\nenable_testing()\nforeach(n RANGE 1 50)\n  add_test(NAME codec.error_frame_${n} COMMAND true)\nendforeach()\nadd_test(NAME config.retry_on_failure COMMAND true)\nadd_test(NAME shutdown_drains_clients COMMAND sleep 9)\nforeach(n RANGE 51 80)\n  add_test(NAME codec.frame_${n} COMMAND true)\nendforeach()\n"})

case("gtest-thrown-in-body", "gtest", "metrics-cc", "unit (clang, gtest)", [
    {"name": "Build", "run": "g++ -std=c++17 -o units test/units.cc -lgtest -lgtest_main -lpthread"},
    {"name": "Unit", "run": "./units --gtest_color=yes --gtest_shuffle --gtest_random_seed=7"}],
    ["./units --gtest_color=yes", ["Registry.ReadsLabels"], ["map::at"], ["Registry.CountsOnce", "test/units.cc:14"]], ["overflow error is logged, not thrown"],
    {"test/units.cc": "#include <gtest/gtest.h>\n#include <iostream>\n#include <map>\n#include <string>\n\nclass Many : public ::testing::TestWithParam<int> {};\nTEST_P(Many, Keeps) { if (GetParam() == 30) std::cerr << \"E overflow error is logged, not thrown\\n\"; }\nINSTANTIATE_TEST_SUITE_P(All, Many, ::testing::Range(0, 60));\nTEST(Registry, ReadsLabels) {\n  std::map<std::string, int> labels;\n  EXPECT_EQ(labels.at(\"host\"), 1);\n}\nTEST(Registry, CountsOnce) {\n  EXPECT_EQ(1 + 1, 1) << \"registered twice\";\n}\n"})

case("catch2-section-exception", "catch2", "zonelib", "tests (catch2)", [
    {"name": "Tests", "run": "mkdir -p build && g++ -std=c++17 -o build/tests test/*.cc\nbuild/tests --order lex"}],
    ["build/tests --order lex", ["due to unexpected exception with message"], ["no offset for Europe/Kyiv"], ["test/zone.cc:14", "names of 2022"]], [],
    {"test/main.cc": "#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n",
     "test/zone.cc": "#include <catch2/catch.hpp>\n#include <stdexcept>\n#include <string>\n\nint offset(const std::string& z) {\n  if (z == \"Europe/Kyiv\") throw std::out_of_range(\"no offset for Europe/Kyiv\");\n  return 2;\n}\n\nTEST_CASE(\"zones have offsets\") {\n  SECTION(\"old names\") { CHECK(offset(\"Europe/Kiev\") == 2); }\n  SECTION(\"names of 2022\") {\n    INFO(\"tzdata 2022b\");\n    CHECK(offset(\"Europe/Kyiv\") == 2);\n  }\n}\n"})

case("check-segfault-in-fork", "check", "strbuf-c", "make check (gcc)", [{"name": "Check", "run": "make check"}],
     ["make check", ["test_append_after_free"], ["Received signal 11 (Segmentation fault)"], ["tests/check_strbuf.c:"]], [],
     {"Makefile": "check: tests/check_strbuf\n\t./tests/check_strbuf\n\t@echo all good\ntests/check_strbuf: tests/check_strbuf.c\n\t$(CC) -g -o $@ $< -lcheck -lsubunit -lm -lrt -lpthread\n",
      "tests/check_strbuf.c": "#include <check.h>\n#include <string.h>\n\nSTART_TEST(test_keeps) { ck_assert_int_eq(_i, _i); } END_TEST\n\nSTART_TEST(test_append_after_free)\n{\n  char *volatile gone = 0;\n  ck_assert_int_eq(1, 1);\n  strcpy(gone, \"x\");\n}\nEND_TEST\n\nint main(void)\n{\n  Suite *s = suite_create(\"strbuf\");\n  TCase *t = tcase_create(\"core\");\n  tcase_add_loop_test(t, test_keeps, 0, 40);\n  tcase_add_test(t, test_append_after_free);\n  suite_add_tcase(s, t);\n  SRunner *r = srunner_create(s);\n  srunner_run_all(r, CK_NORMAL);\n  int n = srunner_ntests_failed(r);\n  srunner_free(r);\n  return n != 0;\n}\n"})

case("rspec-aggregate-failures", "rspec", "refunds-rb", "rspec (ruby 3.1, seed 99)", [{"name": "Specs", "run": "rspec --force-color --seed 99 --format progress"}],
     ["rspec --force-color", ["refunds the whole order"], ["expected: \"refunded\"", "refunded"], ["spec/refund_spec.rb:8"], ["expected: 0", "got: 12"]], ["rounding differs by design"],
     {"spec/refund_spec.rb": "describe 'Refund' do\n  90.times { |n| it(\"keeps #{n}\") { warn 'ERROR rounding differs by design' if n == 4; expect(n).to eq n } }\n  xit('is partial') { expect(1).to eq 2 }\n\n  it 'refunds the whole order', :aggregate_failures do\n    order = { state: 'paid', open: 12 }\n    expect(order).to be_a Hash\n    expect(order[:state]).to eq 'refunded'\n    expect(order[:open]).to eq 0\n  end\nend\n"})

case("minitest-teardown-parallel", "minitest", "tempdirs", "ruby 3.1 / minitest", "ruby -Ilib -Itest test/all_test.rb --seed 4411",
     ["ruby -Ilib -Itest test/all_test.rb", ["TempdirTest#test_keeps_nested"], ["Errno::ENOTEMPTY", "Directory not empty"], ["test/all_test.rb:9"]], [],
     {"test/all_test.rb": "require 'minitest/autorun'\nrequire 'tmpdir'\n\nclass TempdirTest < Minitest::Test\n  parallelize_me!\n  def setup = @dir = Dir.mktmpdir('t', '.')\n\n  def teardown\n    Dir.rmdir(@dir)\n  end\n\n  80.times { |n| define_method(\"test_error_#{n}\") { assert n } }\n\n  def test_keeps_nested\n    File.write(File.join(@dir, 'x'), '1')\n    assert true\n  end\n\n  def test_later = skip('on Windows only')\nend\n"})

case("phpunit-data-set", "phpunit", "dates-php", "phpunit (php 8.2)", [{"name": "Unit", "run": "php -v | head -1\nphpunit --colors=always tests"}],
     ["phpunit --colors=always", ["with data set \"leap year\"", "\"leap year\""], ["Failed asserting that two arrays are equal", "'days' => 29"], ["tests/DatesTest.php:12", "DatesTest.php"]], ["Deprecated: old_date()"],
     {"tests/DatesTest.php": "<?php\nuse PHPUnit\\Framework\\TestCase;\n\nfinal class DatesTest extends TestCase {\n  public static function months(): array {\n    $all = [];\n    for ($n = 0; $n < 40; $n++) $all[\"month $n\"] = [['days' => 31], ['days' => 31]];\n    return $all + ['leap year' => [['days' => 29], ['days' => 28]]];\n  }\n  /** @dataProvider months */\n  public function testDays(array $want, array $got): void {\n    $this->assertEquals($want, $got);\n  }\n  public function testOld(): void { fwrite(STDERR, \"PHP Deprecated: old_date() goes away\\n\"); $this->assertTrue(true); }\n  public function testNothing(): void {}\n}\n"})

case("ert-no-error-signalled", "ert", "csv-el", "ert (29.4)", [{"name": "Test", "run": "emacs -Q --batch -L . -l csv-test.el -f ert-run-tests-batch-and-exit"}],
     ["ert-run-tests-batch-and-exit", ["csv-refuses-open-quote"], ["did not signal an error"]], ["Error in post-command-hook (csv-mode, as wanted)", "csv-passes-3"],
     {"csv.el": ";;; csv.el --- csv -*- lexical-binding: t -*-\n(defun csv-read (text) (split-string text \",\"))\n(provide 'csv)\n",
      "csv-test.el": ";;; csv-test.el --- tests -*- lexical-binding: t -*-\n(require 'ert)\n(require 'csv)\n(dotimes (n 120)\n  (eval `(ert-deftest ,(intern (format \"csv-passes-%d\" n)) () (should (csv-read \"a\"))) t))\n(ert-deftest csv-logs () (message \"Error in post-command-hook (csv-mode, as wanted)\"))\n(ert-deftest csv-refuses-open-quote ()\n  (should (equal (csv-read \"a,b\") '(\"a\" \"b\")))\n  (should-error (csv-read \"\\\"a,b\")))\n(ert-deftest csv-waits () (ert-skip \"no network\"))\n(ert-deftest csv-known () :expected-result :failed (should nil))\n"})

case("testthat-diffs", "testthat", "ratesR", "R 4.2 / testthat", [{"name": "Test", "run": "Rscript --version\nRscript -e 'testthat::test_dir(\"tests\", reporter = \"check\", stop_on_failure = TRUE)'"}],
     ["Rscript -e 'testthat::test_dir", ["test-rates.R:9", "test-rates.R"], ["keeps the order of currencies"], ['names(got) not equal to c("USD", "EUR")']], ["NAs introduced by coercion"],
     {"tests/test-rates.R": "test_that('many', {\n  for (n in 1:200) expect_equal(n, n)\n})\ntest_that('text is no rate', {\n  expect_true(is.na(as.numeric('x')))\n})\ntest_that('keeps the order of currencies', {\n  got <- sort(c(USD = 1, EUR = 0.9))\n  expect_equal(names(got), c('USD', 'EUR'))\n})\ntest_that('is skipped', {\n  skip('no key for the bank')\n})\n"})

case("exunit-supervised-start", "mix test", "broker-ex", "mix test (1.14, otp 25)", [{"name": "Test", "run": "mix compile --warnings-as-errors\nmix test --seed 0 --color"}],
     ["mix test --seed 0", ["publishes after a restart"], ["failed to start child with the spec", ":eaddrinuse", "port 4369 is taken"], ["test/broker_test.exs:"]], ["GenServer #Terminated on purpose"],
     {"mix.exs": "defmodule Broker.MixProject do\n  use Mix.Project\n  def project, do: [app: :broker, version: \"0.1.0\", elixir: \"~> 1.12\"]\n  def application, do: [extra_applications: [:logger]]\nend\n", "lib/broker.ex": "defmodule Broker do\n  use GenServer\n  def start_link(port), do: GenServer.start_link(__MODULE__, port)\n  def init(4369), do: {:stop, \"port 4369 is taken\"}\n  def init(port), do: {:ok, port}\nend\n",
      "test/test_helper.exs": "ExUnit.start()\n", "test/broker_test.exs": "defmodule BrokerTest do\n  use ExUnit.Case\n  require Logger\n\n  for n <- 1..60 do\n    test \"keeps topic #{n}\" do\n      assert true\n    end\n  end\n\n  test \"logs\" do\n    Logger.error(\"GenServer #Terminated on purpose\")\n  end\n\n  test \"publishes after a restart\" do\n    start_supervised!({Broker, 4369})\n  end\nend\n"})

case("eunit-setup-failed", "eunit", "cachex-erl", "eunit (otp 25)", [{"name": "EUnit", "run": "mkdir -p ebin\nerlc -o ebin src/*.erl\nerl -noshell -pa ebin -eval 'case eunit:test([cache], [verbose]) of ok -> halt(0); _ -> halt(1) end.'"}],
     ["erl -noshell -pa ebin", ["context setup failed"], ["table_is_missing"], ["cache.erl, line 11", "cache:start/0", "line 11"]], [],
     {"src/cache.erl": "-module(cache).\n-include_lib(\"eunit/include/eunit.hrl\").\n-export([keep/1]).\n\nkeep(N) -> N.\n\nmany_test_() -> [?_assertEqual(N, keep(N)) || N <- lists:seq(1, 40)].\n\nstart() ->\n  io:format(user, \"opening the table~n\", []),\n  error(table_is_missing).\n\nstop(_) -> ok.\n\nlookup_test_() -> {setup, fun start/0, fun stop/1, [{\"finds a key\", ?_assert(true)}]}.\n"})

case("sbcl-package-missing", "sbcl", "cl-router", "sbcl / asdf:test-system", "sbcl --noinform --non-interactive --eval '(require :asdf)' --eval '(push (uiop:getcwd) asdf:*central-registry*)' --eval '(asdf:test-system :router)'",
     ["sbcl --noinform --non-interactive", ["Package ALEXANDRIA does not exist"], ["match.lisp"]], ["The variable SPARE is defined but never used", "STYLE-WARNING"],
     {"router.asd": "(defsystem :router :components ((:file \"path\") (:file \"match\") (:file \"serve\")))\n", "path.lisp": "(defpackage :router (:use :cl))\n(in-package :router)\n(defun path (spare) 1)\n", "match.lisp": "(in-package :router)\n\n(defun match (path)\n  (alexandria:when-let ((p path)) p))\n", "serve.lisp": "(in-package :router)\n(defun serve () (match 1))\n"})

case("boost-test-memory", "boost.test", "ledger-cc", "unit (boost 1.74)", [
    {"name": "Unit", "run": "set -x\ng++ -std=c++17 -g -o unit test/unit.cc -lboost_unit_test_framework\n./unit --log_level=test_suite --color_output=no\n./unit --list_content"}],
    ["./unit --log_level=test_suite", ["rounds_to_cents"], ["check round_cents(1.005) == 101 has failed"], ["test/unit.cc"], ["unwinds_on_signal", "memory access violation"]], [],
    {"test/unit.cc": "#define BOOST_TEST_MODULE ledger\n#define BOOST_TEST_DYN_LINK\n#include <boost/test/unit_test.hpp>\n\nint round_cents(double d) { return int(d * 100 + 0.5); }\n\nBOOST_AUTO_TEST_SUITE(money)\n" + numbered("BOOST_AUTO_TEST_CASE(keeps_error_@) { BOOST_TEST(true); }\n", 60) + "BOOST_AUTO_TEST_CASE(rounds_to_cents)\n{\n  BOOST_TEST(round_cents(1.005) == 101);\n}\nBOOST_AUTO_TEST_CASE(unwinds_on_signal)\n{\n  volatile int *p = nullptr;\n  *p = 1;\n}\nBOOST_AUTO_TEST_SUITE_END()\n"})
