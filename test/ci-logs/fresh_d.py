"""Failing jobs of one more organisation, each judged once at first sight; what must be told was written before any was run."""

from unseen import GIT, case as _case, dedented as d, each, numbered


def case(*args, **more):
    _case(*args, folder="fresh-d", **more)


WORDS = ["amber", "basil", "cedar", "daisy", "elder", "fern", "ginger", "hazel", "iris", "jasmin", "kale", "linden"]

# --- compilers, linkers, build systems --------------------------------------------------------------------------------

case("cobol-undefined-field", "cobc", "payroll-cob", "compile (gnucobol 3)", [{"name": "Compile", "run": "mkdir -p bin\nfor f in src/*.cob; do\n  echo \"cobc $f\"\n  cobc -x -Wall -o bin/$(basename $f .cob) $f\ndone"}],
    [["cobc -x -Wall"], ["'WS-GROSS-PAY' is not defined"], ["src/net.cob:9", "src/net.cob: 9"]],
    ["line not terminated by a newline"],
    {**{"src/%s.cob" % n: "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. %s.\n       PROCEDURE DIVISION.\n           DISPLAY \"%s\".\n           STOP RUN.\n" % (n, n) for n in WORDS[:4]},
     "src/net.cob": "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. net.\n       DATA DIVISION.\n       WORKING-STORAGE SECTION.\n       01 WS-NET PIC 9(6)V99.\n       01 WS-TAX PIC 9(6)V99 VALUE 100.\n       PROCEDURE DIVISION.\n           MOVE 0 TO WS-NET.\n           COMPUTE WS-NET = WS-GROSS-PAY - WS-TAX.\n           DISPLAY WS-NET.\n           STOP RUN.\n"})

case("vala-missing-method", "valac", "notes-vala", "build (vala 0.56)", [{"name": "Build", "run": "make -s all"}],
    ["make -s all", ["The name `add_tagg' does not exist in the context of `Note'"], ["src/app.vala:6"]],
    ["unused_helper", "never used"],
    {"Makefile": "all:\n\t@echo '  VALAC notes'\n\t@valac -C -o notes src/*.vala\n",
     "src/note.vala": "public class Note : Object {\n  public void add_tag (string t) {}\n  private void unused_helper () {}\n}\n",
     "src/app.vala": "int main (string[] args) {\n  var n = new Note ();\n  n.add_tag (\"a\");\n  stdout.printf (\"%s\\n\", \"b\");\n  // the tag of the day\n  n.add_tagg (\"b\");\n  return 0;\n}\n"})

case("dlang-unittest", "ldc2", "interval-d", "unittest (ldc)", [{"name": "Unit tests", "run": "ldc2 --version | head -1\nldc2 -unittest -main -w -of=unit source/*.d\n./unit"}],
    ["./unit", ["source/interval.d(12)"], ["[3, 9) and [9, 12) must not overlap"]],
    ["span.d"],
    {"source/interval.d": d("""
        module interval;
        struct Interval {
            int from, to;
            bool overlaps(Interval o) const { return from <= o.to && o.from <= to; }
        }

        unittest {
            assert(Interval(1, 4).overlaps(Interval(2, 3)));
        }

        unittest {
            assert(!Interval(3, 9).overlaps(Interval(9, 12)), "[3, 9) and [9, 12) must not overlap");
        }
        """),
     "source/span.d": "module span;\nint span(int a, int b) { return b - a; }\nunittest { assert(span(1, 3) == 2); }\n"})

case("gas-bad-instruction", "as", "boot-x86", "firmware (gcc-12)", [{"name": "Assemble", "run": "make -j2 CROSS= boot.o"}],
    ["make -j2 CROSS= boot.o", ["no such instruction: `movzbll %al,%eax'", "no such instruction"], ["src/entry.S:7"]],
    ["idle loop burns power"],
    {"Makefile": "CC = $(CROSS)gcc\nOBJ = src/idle.o src/trap.o src/entry.o\nboot.o: $(OBJ)\n\tld -r -o $@ $(OBJ)\n%.o: %.S\n\t$(CC) -c -o $@ $<\n",
     "src/idle.S": "#warning \"idle loop burns power\"\n.globl idle\nidle:\n  hlt\n  jmp idle\n", "src/trap.S": ".globl trap\ntrap:\n  iretq\n",
     "src/entry.S": "/* entry */\n.globl entry\nentry:\n  xor %eax, %eax\n  inb $0x60, %al\n  nop\n  movzbll %al, %eax\n  call idle\n  ret\n"})

case("flex-bad-rule", "flex", "queryparse", "build (autogen)", "make scanner.c",
    ["make scanner.c", ["missing quote"], ["scanner.l:9"]],
    ["option tag `-Wall'"],
    {"Makefile": "scanner.c: scanner.l\n\t@echo 'note: bison is not needed for this target'\n\tflex -o $@ $<\n",
     "scanner.l": "%option noyywrap\n%{\n#include <stdio.h>\n%}\nDIGIT [0-9]\n%%\n{DIGIT}+   return 1;\n[a-z]+     return 2;\n\"unfinished   return 3;\n[ \\t]+     ;\n%%\n"})

case("coq-proof-does-not-close", "coq", "lists-coq", "coq 8.16", [{"name": "Proofs", "run": "for f in theories/*.v; do\n  echo \"COQC $f\"\n  coqc -Q theories Lists $f\ndone"}],
    [["coqc -Q theories Lists"], ["theories/Rev.v\", line 7"], ["Unable to unify", "Attempt to save an incomplete proof", "Impossible to unify"]],
    ["theories/Append.v\", line"],
    {"theories/Append.v": "Require Import List. Import ListNotations.\nLemma app_nil : forall (A : Type) (l : list A), l ++ [] = l.\nProof. induction l; simpl; congruence. Qed.\n",
     "theories/Length.v": "Require Import List.\nLemma len_nil : forall A, length (@nil A) = 0.\nProof. reflexivity. Qed.\n",
     "theories/Rev.v": "Require Import List. Import ListNotations.\n\nLemma rev_one : forall (A : Type) (x y : A),\n  rev [x; y] = [x; y].\nProof.\n  intros A x y.\n  reflexivity.\nQed.\n"})

case("lld-undefined-symbol", "ld.lld", "voxel", "build (clang-14, lld)", [{"name": "Configure", "run": "cmake -S . -B build -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld"}, {"name": "Build", "run": "cmake --build build"}],
    ["cmake --build build", ["undefined symbol: mesh_weld"], ["src/export.c", "export.c.o"]],
    ["unused variable 'pad'"],
    {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.20)\nproject(voxel C)\nadd_compile_options(-Wall)\nfile(GLOB SRC src/*.c)\nadd_executable(voxel ${SRC})\n",
     "src/main.c": "int export_all(void);\nint main(void) { return export_all(); }\n", "src/export.c": "int mesh_weld(int eps);\nint export_all(void) { return mesh_weld(3); }\n",
     **each("src/@.c", "int @(int n) {\n  int pad = 4;\n  return n;\n}\n", WORDS)})

case("flash-region-overflow", "ld", "thermostat-fw", "firmware (release)", [{"name": "Link", "run": "./tools/build.sh release"}],
    ["./tools/build.sh release", ["section `.text'"], ["will not fit in region `FLASH'"]],
    ["LOAD segment with RWX permissions"],
    {"tools/build.sh": "#!/bin/sh\nset -e\necho \"profile: $1\"\nfor f in src/*.c; do echo \"CC $f\"; gcc -Os -ffreestanding -fno-pic -fno-stack-protector -fcf-protection=none -c $f -o ${f%.c}.o; done\necho 'LD firmware.elf'\ngcc -nostdlib -no-pie -static -Wl,--build-id=none -T flash.ld -o firmware.elf src/*.o\nsize firmware.elf\n",
     "flash.ld": "ENTRY(main)\nMEMORY { FLASH (rx) : ORIGIN = 0x08000000, LENGTH = 4K\n RAM (rwx) : ORIGIN = 0x20000000, LENGTH = 2K }\nSECTIONS { .text : { *(.text*) *(.rodata*) } > FLASH\n .data : { *(.data*) *(.bss*) } > RAM\n /DISCARD/ : { *(.eh_frame*) *(.note*) *(.comment*) } }\n",
     "src/main.c": "extern const char font[];\nint main(void) { return font[3]; }\n", "src/font.c": "const char font[6000] = {1};\n", "src/adc.c": "int adc(void) { return 1; }\n"})

case("symbol-lookup-at-run-time", "ld.so", "codec-plugins", "plugin smoke test", [{"name": "Build", "run": "make all"}, {"name": "Load every plugin", "run": "for p in plugins/*.so; do\n  ./host $p\ndone"}],
    [["./host $p", "for p in plugins/*.so"], ["undefined symbol: opus_gain_v2"], ["plugins/opus.so"]],
    ["no icon for plugins/flac.so"],
    {"Makefile": "P = $(patsubst %.c,%.so,$(wildcard plugins/*.c))\nall: host $(P)\nhost: host.c\n\tgcc -o $@ $< -ldl\n%.so: %.c\n\tgcc -shared -fPIC -o $@ $<\n",
     "host.c": "#include <dlfcn.h>\n#include <stdio.h>\nint main(int c, char **v) {\n  void *h = dlopen(v[1], RTLD_NOW);\n  if (!h) { fprintf(stderr, \"host: %s\\n\", dlerror()); return 1; }\n  fprintf(stderr, \"warning: no icon for %s\\n\", v[1]);\n  printf(\"loaded %s\\n\", v[1]);\n  return 0;\n}\n",
     **each("plugins/@.c", "int init(void) { return 0; }\n", ["aac", "flac", "mp3", "vorbis"]), "plugins/opus.c": "int opus_gain_v2(int);\nint init(void) { return opus_gain_v2(1); }\n"}, prepare="true")

case("cmake-target-not-found", "cmake", "simcore", "configure (ubuntu, static)", [{"name": "Configure", "run": "cmake -S . -B build -DSIM_STATIC=ON -Wno-dev"}],
    ["cmake -S . -B build -DSIM_STATIC=ON", ["Solver::dense"], ["but the target was not found", "target was not found"], ["CMakeLists.txt:8", "app/CMakeLists.txt:2"]],
    ["doxygen not found"],
    {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.20)\nproject(simcore C)\nmessage(WARNING \"doxygen not found, no manual\")\n" + numbered("message(STATUS \"module @ enabled\")\n", 40) + "add_subdirectory(app)\n",
     "app/CMakeLists.txt": "add_executable(sim main.c)\ntarget_link_libraries(sim PRIVATE Solver::dense m)\n", "app/main.c": "int main(void) { return 0; }\n"})

case("ninja-missing-generated", "ninja", "glyphd", "build (ninja)", [{"name": "Build", "run": "python3 configure.py > build.ninja\nninja -v"}],
    ["ninja -v", ["'gen/unicode_tables.h', needed by 'obj/shape.o'", "gen/unicode_tables.h"], ["missing and no known rule to make it"]],
    [],
    {"configure.py": "import sys\nprint('rule cc\\n  command = gcc -c $in -o $out\\n')\nfor n in %r:\n    print(f'build obj/{n}.o: cc src/{n}.c')\n    print('note: optional component %%s is off' %% n, file=sys.stderr)\nprint('build obj/shape.o: cc src/shape.c | gen/unicode_tables.h')\n" % WORDS[:6],
     **each("src/@.c", "int @(void) { return 1; }\n", WORDS[:6] + ["shape"])})

case("meson-unknown-option", "meson", "panelkit", "build (meson, minimal)", [{"name": "Configure", "run": "ci/configure.sh minimal"}, {"name": "Build", "run": "ninja -C _build"}],
    ["ci/configure.sh minimal", ["Unknown options: \"wayland_only\"", "Unknown options"]],
    ["Program xgettext found: NO", "libpanel-extra"],
    {"ci/configure.sh": "#!/bin/sh\nset -e\ncase $1 in\n  minimal) opts='-Ddocs=false -Dwayland_only=true' ;;\nesac\nmeson setup _build --buildtype=debugoptimized $opts\n",
     "meson.build": "project('panelkit', 'c', version: '3.2')\nfind_program('libpanel-extra', required: false)\nexecutable('p', 'p.c')\n", "meson_options.txt": "option('docs', type: 'boolean', value: true)\noption('wayland', type: 'boolean', value: true)\n", "p.c": "int main(void) { return 0; }\n"})

case("configure-compiler-cannot", "autoconf", "libtone", "build (armhf flags)", [{"name": "Configure", "run": "./configure --prefix=/usr || { echo '--- config.log'; grep -A4 'error:' config.log | head -40; exit 1; }", "env": {"CFLAGS": "-O2 -mfpu=neon"}}],
    ["./configure --prefix=/usr", ["C compiler cannot create executables"], ["unrecognized command-line option ‘-mfpu=neon’", "unrecognized command-line option '-mfpu=neon'"]],
    [],
    {"configure.ac": "AC_INIT([libtone], [1.0])\nAC_PROG_CC\nAC_CHECK_HEADERS([math.h])\nAC_OUTPUT\n"}, prepare="autoconf && rm -rf autom4te.cache")

case("make-missing-separator", "make", "netboot", "image", "make image",
    ["make image", ["Makefile:7: *** missing separator", "missing separator"]], [],
    {"Makefile": "IMG := out/net.img\n\nimage: $(IMG)\n\n$(IMG):\n\tmkdir -p out\n    truncate -s 1M $@\n"})

case("gcc-long-build-one-header", "g++", "renderfarm", "build (gcc, -j2)", [{"name": "Build", "run": "make -j2 -k all 2>&1"}],
    ["make -j2 -k all", ["invalid conversion from ‘const char*’ to ‘char*’", "invalid conversion from"], ["src/mod_517.cc:5"]],
    ["src/mod_12.cc"],
    {"Makefile": "SRC := $(wildcard src/*.cc)\nall: $(SRC:.cc=.o)\n%.o: %.cc\n\tg++ -Wall -Wextra -fsyntax-only $<\n",
     **each("src/mod_@.cc", "int job@(int n,\n         int flags) {\n  return n;\n}\n", range(10, 60)), "src/mod_517.cc": "void fill(char *b);\nint job517(const char *name,\n           int) {\n  // fill it\n  fill(name);\n  return 0;\n}\n"})

case("leak-sanitizer", "lsan", "jsonpull", "test (asan+lsan)", [{"name": "Test", "run": "make check"}],
    ["make check", ["LeakSanitizer: detected memory leaks", "detected memory leaks"], ["parse_object", "src/json.c:5"], ["48 byte(s) leaked", "48 byte(s)"]],
    ["rejects trailing comma"],
    {"Makefile": "check: t\n\t./t\nt: src/json.c src/t.c\n\tgcc -g -O0 -fsanitize=address -fno-omit-frame-pointer -o t src/json.c src/t.c\n",
     "src/json.c": "#include <stdlib.h>\n#include <string.h>\n\nchar *parse_object(const char *s) {\n  char *copy = malloc(48);\n  strcpy(copy, s);\n  return copy;\n}\n",
     "src/t.c": "#include <stdio.h>\nchar *parse_object(const char *);\nint main(void) {\n  for (int i = 0; i < 60; i++) printf(\"ok %d - error: rejects trailing comma\\n\", i);\n  char *volatile o = parse_object(\"{}\");\n  o = 0;\n  return 0;\n}\n"})

case("cxx-terminate-out-of-range", "g++", "routeplan", "self test", [{"name": "Build", "run": "g++ -O1 -g -o selftest src/selftest.cc"}, {"name": "Self test", "run": "./selftest --verbose | tee selftest.log", "shell": "bash"}],
    [["./selftest --verbose"], ["std::out_of_range", "map::at"], ["detour via closed bridge"]],
    ["caught: empty graph"],
    {"src/selftest.cc": "#include <iostream>\n#include <map>\n#include <stdexcept>\nint main() {\n  std::cout << std::unitbuf;\n  std::map<int, int> cost{{1, 2}};\n  try { throw std::runtime_error(\"empty graph\"); } catch (std::exception &e) { std::cout << \"[ ok ] caught: \" << e.what() << \"\\n\"; }\n  for (int i = 0; i < 120; i++) std::cout << \"[ ok ] route \" << i << \"\\n\";\n  std::cout << \"[ .. ] detour via closed bridge\\n\";\n  return cost.at(7);\n}\n"})

case("valgrind-definitely-lost", "valgrind", "strpool", "memcheck", [{"name": "Memcheck", "run": "gcc -g -O0 -o pool_test src/*.c\nvalgrind --leak-check=full --error-exitcode=9 ./pool_test"}],
    ["valgrind --leak-check=full", ["120 bytes in 3 blocks are definitely lost"], ["pool_dup (pool.c:3)", "pool.c:3"]],
    ["pool exhausted"],
    {"src/pool.c": "#include <stdlib.h>\nvoid *pool_dup(int n) {\n  return malloc(n);\n}\n", "src/main.c": "#include <stdio.h>\nvoid *pool_dup(int n);\nint main(void) {\n  for (int i = 0; i < 80; i++) printf(\"case %d passed\\n\", i);\n  fprintf(stderr, \"error: pool exhausted (expected)\\n\");\n  for (int i = 0; i < 3; i++) pool_dup(40);\n  return 0;\n}\n"})

case("ctest-regex-and-properties", "ctest", "cliconv", "test (Debug)", [{"name": "Build", "run": "cmake -S . -B build && cmake --build build"}, {"name": "Test", "run": "ctest --test-dir build --output-on-failure -j2"}],
    ["ctest --test-dir build", ["cli.converts-miles"], ["Required regular expression not found", "12 mi = 19.31 km", "12 mi = 12.00 km"]],
    ["cli.rejects-nonsense", "unknown unit 'parsec'"],
    {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.20)\nproject(cliconv C)\nenable_testing()\nadd_executable(conv conv.c)\nadd_test(NAME cli.rejects-nonsense COMMAND conv parsec)\nset_tests_properties(cli.rejects-nonsense PROPERTIES WILL_FAIL TRUE)\nforeach(n RANGE 1 45)\n  add_test(NAME cli.keeps-${n} COMMAND conv km)\nendforeach()\nadd_test(NAME cli.converts-miles COMMAND conv mi)\nset_tests_properties(cli.converts-miles PROPERTIES PASS_REGULAR_EXPRESSION \"12 mi = 19.31 km\")\n",
     "conv.c": "#include <stdio.h>\n#include <string.h>\nint main(int c, char **v) {\n  if (!strcmp(v[1], \"parsec\")) { fprintf(stderr, \"error: unknown unit 'parsec'\\n\"); return 2; }\n  printf(\"12 %s = 12.00 km\\n\", v[1]);\n  return 0;\n}\n"})

case("fortran-namelist-eof", "gfortran", "tides", "regression (gfortran)", [{"name": "Regression", "run": "make -s regress"}],
    ["make -s regress", ["Fortran runtime error"], ["cases/harbour.nml", "tides.f90 (unit", "At line 8 of file tides.f90"]],
    ["coarse grid"],
    {"Makefile": "regress: tides\n\t@set -e; for f in cases/*.nml; do echo \"case $$f\"; ./tides $$f; done\ntides: tides.f90\n\t@gfortran -g -o tides tides.f90\n",
     "tides.f90": "program tides\n  implicit none\n  integer :: steps = 0\n  character(len=80) :: name\n  namelist /run/ steps\n  call get_command_argument(1, name)\n  open(10, file=trim(name))\n  read(10, nml=run)\n  print *, 'warning: coarse grid'\n  print *, 'steps', steps\nend program\n",
     **each("cases/@.nml", "&run steps = 4 /\n", ["atlantic", "baltic", "channel", "estuary"]), "cases/harbour.nml": "&run stepz = 9 /\n"})

case("go-build-constraints", "go build", "sysmon-go", "build (windows/amd64)", [{"name": "Cross build", "run": "for os in linux darwin windows; do\n  echo \"== $os\"\n  GOOS=$os GOARCH=amd64 CGO_ENABLED=0 go build -o bin/$os/ ./cmd/...\ndone"}],
    [["GOOS=$os GOARCH=amd64 CGO_ENABLED=0 go build"], ["build constraints exclude all Go files"], ["internal/proc"], ["== windows", "cmd/sysmon/main.go:3", "main.go:3"]],
    [],
    {"go.mod": "module example.org/sysmon\n\ngo 1.19\n", "cmd/sysmon/main.go": "package main\n\nimport \"example.org/sysmon/internal/proc\"\n\nfunc main() { println(proc.Count()) }\n",
     "internal/proc/proc_unix.go": "//go:build linux || darwin\n\npackage proc\n\nfunc Count() int { return 1 }\n"})

case("go-embed-no-match", "go build", "console-go", "build", [{"name": "Vet", "run": "go vet ./internal/..."}, {"name": "Build", "run": "make build"}],
    ["make build", ["pattern dist/*: no matching files found"], ["web/web.go:5"]],
    [],
    {"go.mod": "module example.org/console\n\ngo 1.19\n", "Makefile": "build:\n\t@echo 'skipping the web bundle: npm is not installed'\n\tgo build -trimpath -o bin/console ./cmd/console\n",
     "cmd/console/main.go": "package main\n\nimport \"example.org/console/web\"\n\nfunc main() { _ = web.FS }\n", "internal/a/a.go": "package a\n\nvar A = 1\n",
     "web/web.go": "package web\n\nimport \"embed\"\n\n//go:embed dist/*\nvar FS embed.FS\n"})

case("go-generic-constraint", "go build", "collect-go", "build (1.19)", "go version\ngo build ./...",
    ["go build ./...", ["Version does not implement Ordered", "does not implement"], ["index/index.go:8"]],
    [],
    {"go.mod": "module example.org/collect\n\ngo 1.19\n", "set/set.go": "package set\n\ntype Ordered interface{ ~int | ~string }\n\nfunc Max[T Ordered](a, b T) T {\n\tif a > b {\n\t\treturn a\n\t}\n\treturn b\n}\n",
     "index/index.go": "package index\n\nimport \"example.org/collect/set\"\n\ntype Version struct{ Major int }\n\nfunc Newest(a, b Version) Version {\n\treturn set.Max(a, b)\n}\n"})

case("go-fuzz-seed", "go test", "cronexpr-go", "test (fuzz seeds)", [{"name": "Test", "run": "go test -v -count=1 ./..."}],
    ["go test -v -count=1 ./...", ["FuzzParse/seed#3", "FuzzParse"], ["\"*/0 * * * *\": step of zero was accepted", "step of zero was accepted"], ["cron_test.go:20"]],
    ["ignoring unknown timezone"],
    {"go.mod": "module example.org/cronexpr\n\ngo 1.19\n", "cron.go": "package cronexpr\n\nfunc Parse(s string) error { return nil }\n",
     "cron_test.go": d("""
        package cronexpr

        import (
        	"fmt"
        	"strings"
        	"testing"
        )

        func TestKeeps(t *testing.T) {
        	for i := 0; i < 90; i++ {
        		t.Run(fmt.Sprint("case_", i), func(t *testing.T) { t.Log("error: ignoring unknown timezone") })
        	}
        }

        func FuzzParse(f *testing.F) {
        	for _, s := range []string{"* * * * *", "1 2 3 4 5", "@daily", "*/0 * * * *", "0 0 1 1 *"} { f.Add(s) }
        	f.Fuzz(func(t *testing.T, s string) {
        		err := Parse(s)
        		if err == nil && strings.Contains(s, "/0") {
        			t.Errorf("%q: step of zero was accepted", s)
        		}
        	})
        }
        """)})

case("cgo-missing-header", "go build", "tuner-go", "build (cgo)", [{"name": "Build", "run": "CGO_ENABLED=1 go build -v ./..."}],
    ["go build -v ./...", ["fatal error: hidraw/device.h: No such file or directory", "hidraw/device.h"], ["hid/hid.go:3", "hid/hid.go"]],
    [],
    {"go.mod": "module example.org/tuner\n\ngo 1.19\n", "hid/hid.go": "package hid\n\n// #include <hidraw/device.h>\nimport \"C\"\n\nfunc Open() int { return int(C.hid_open()) }\n", **each("p@/p.go", "package p@\n\nvar X = 1\n", range(6))})

case("rust-link-undefined", "cargo build", "radio-rs", "build (stable)", [{"name": "Build", "run": "cargo build --offline --release"}],
    ["cargo build --offline --release", ["linking with `cc` failed"], ["undefined reference to `rtl_tuner_init'", "undefined reference to `rtl_tuner_init", "undefined symbol: rtl_tuner_init"]],
    ["constant `LEGACY` is never used"],
    {"Cargo.toml": "[package]\nname = \"radio\"\nversion = \"0.3.0\"\nedition = \"2021\"\n", "src/main.rs": "const LEGACY: u8 = 1;\nextern \"C\" {\n    fn rtl_tuner_init(n: i32) -> i32;\n}\n\nfn main() {\n    println!(\"{}\", unsafe { rtl_tuner_init(1) });\n}\n"})

case("rust-not-send", "cargo check", "spider-rs", "check (all features)", [{"name": "Check", "run": "cargo check --offline --all-features --color always"}],
    ["cargo check --offline --all-features", ["`Rc<String>` cannot be sent between threads safely", "E0277"], ["src/pool.rs:6", "src/pool.rs:5"]],
    ["unused variable: `depth`", "src/fetch.rs"],
    {"Cargo.toml": "[package]\nname = \"spider\"\nversion = \"0.3.0\"\nedition = \"2021\"\n", "src/lib.rs": "pub mod fetch;\npub mod pool;\n", "src/fetch.rs": numbered("pub fn fetch_@(depth: u32) {}\n", 30),
     "src/pool.rs": "use std::rc::Rc;\nuse std::thread;\n\npub fn run(seed: Rc<String>) {\n    let t = thread::spawn(move || {\n        println!(\"{}\", seed);\n    });\n    t.join().unwrap();\n}\n"})

case("rust-overflow-in-thousand", "cargo test", "bitset-rs", "test (debug assertions)", [{"name": "Test", "run": "cargo test --offline --quiet -- --format=pretty"}, {"name": "Upload", "run": "echo 'nothing to upload'", "always": True}],
    ["cargo test --offline", ["words::shrinks_an_empty_set"], ["attempt to subtract with overflow"], ["src/lib.rs:5"]],
    ["bit 64 is out of range"],
    {"Cargo.toml": "[package]\nname = \"bitset\"\nversion = \"0.3.0\"\nedition = \"2021\"\n",
     "src/lib.rs": "#![allow(dead_code)]\npub fn shrink(n: usize) -> usize {\n    // one word less\n    let words = n / 64;\n    words - 1\n}\n#[cfg(test)]\nmod words {\n    use super::*;\n" + numbered("    #[test]\n    fn keeps_@() { if @ % 7 == 0 { eprintln!(\"error: bit 64 is out of range\"); } }\n", 500) + "    #[test]\n    fn shrinks_an_empty_set() {\n        assert_eq!(shrink(0), 0);\n    }\n}\n"})

case("cargo-feature-missing", "cargo", "gateway-rs", "build (tls)", [{"name": "Build", "run": "cargo --version\ncargo build --offline -p gateway --features tls-vendored"}],
    [["cargo build --offline -p gateway"], ["tls-vendored"], ["does not contain this feature", "does not have the feature", "does not have these features", "does not have feature"]],
    [],
    {"Cargo.toml": "[workspace]\nmembers = [\"gateway\"]\nresolver = \"2\"\n", "gateway/Cargo.toml": "[package]\nname = \"gateway\"\nversion = \"0.1.0\"\nedition = \"2021\"\nhomepag = \"x\"\n\n[features]\ntls = []\n", "gateway/src/lib.rs": ""})

case("javac-records-release-8", "javac", "events-java", "compile (--release 8)", [{"name": "Compile", "run": "javac -version\nmake classes RELEASE=8"}],
    ["make classes RELEASE=8", ["records are not supported in -source 8"], ["src/org/example/Event.java:3"]],
    ["source value 8 is obsolete", "system modules path not set"],
    {"Makefile": "classes:\n\tjavac -Xlint:all --release $(RELEASE) -d out $$(find src -name '*.java' | sort)\n", **each("src/org/example/P@.java", "package org.example;\n\npublic class P@ {\n  java.util.List x = null;\n}\n", range(5)),
     "src/org/example/Event.java": "package org.example;\n\npublic record Event(String name, long at) {\n}\n"})

case("maven-unparseable-pom", "maven", "rates-java", "build (17)", [{"name": "Build", "run": "mvn -B -o -ntp verify"}],
    ["mvn -B -o -ntp verify", ["Non-parseable POM"], ["core/pom.xml"], ["@7:", "line 7", "position: TEXT seen"]],
    [],
    {"pom.xml": "<project>\n  <modelVersion>4.0.0</modelVersion>\n  <groupId>g</groupId>\n  <artifactId>root</artifactId>\n  <version>1</version>\n  <packaging>pom</packaging>\n  <modules><module>api</module><module>core</module></modules>\n</project>\n",
     "api/pom.xml": "<project>\n  <modelVersion>4.0.0</modelVersion>\n  <parent><groupId>g</groupId><artifactId>root</artifactId><version>1</version></parent>\n  <artifactId>api</artifactId>\n</project>\n",
     "core/pom.xml": "<project>\n  <modelVersion>4.0.0</modelVersion>\n  <parent><groupId>g</groupId><artifactId>root</artifactId><version>1</version></parent>\n  <artifactId>core</artifactId>\n  <dependencies>\n    <dependency><groupId>g</groupId>\n    </dependencies>\n</project>\n"})

case("ant-fail-unless", "ant", "kiosk-java", "dist (ant)", [{"name": "Dist", "run": "ant -noinput -Dversion=4.1 dist"}],
    ["ant -noinput -Dversion=4.1 dist", ["keystore.alias must be set to sign dist/kiosk.jar"], ["build.xml:12"]],
    ["deprecated target"],
    {"build.xml": "<project name=\"kiosk\" default=\"dist\">\n  <target name=\"prepare\">\n    <mkdir dir=\"dist\"/>\n    <echo level=\"warning\">prepare is a deprecated target</echo>\n  </target>\n  <target name=\"jar\" depends=\"prepare\">\n    <echo file=\"a.txt\">x</echo>\n    <jar destfile=\"dist/kiosk.jar\" basedir=\".\" includes=\"a.txt\"/>\n  </target>\n  <target name=\"dist\" depends=\"jar\">\n    <!-- signed jars only -->\n    <fail unless=\"keystore.alias\" message=\"keystore.alias must be set to sign dist/kiosk.jar\"/>\n  </target>\n</project>\n"})

case("kotlin-werror", "kotlinc", "inbox-kt", "compile (-Werror)", "kotlinc -Werror src -d inbox.jar",
    ["kotlinc -Werror src", ["warnings found and -Werror specified"], ["variable 'cursor' is never used", "Variable 'cursor' is never used", "'cursor'"], ["src/Page.kt:3"]], [],
    {"src/Page.kt": "class Page(val size: Int) {\n    fun next(): Int {\n        val cursor = size * 2\n        return size + 1\n    }\n}\n", "src/Mail.kt": "data class Mail(val to: String)\n"})

case("mono-type-initializer", "mono", "tariff-cs", "smoke (mono)", [{"name": "Build", "run": "mcs -out:tariff.exe src/*.cs"}, {"name": "Smoke", "run": "for c in list show check; do\n  mono --debug tariff.exe $c\ndone"}],
    [["mono --debug tariff.exe"], ["tariff table v7 has no row for zone 4"], ["src/Table.cs:6", "Table.cs:6", "Tariff.Table"]],
    ["cache is cold"],
    {"src/Table.cs": "using System;\nnamespace Tariff {\n  static class Table {\n    static readonly int[] rows = Load();\n    static int[] Load() {\n      throw new InvalidOperationException(\"tariff table v7 has no row for zone 4\");\n    }\n    public static int Row(int n) { return rows[n]; }\n  }\n}\n",
     "src/Main.cs": "using System;\nnamespace Tariff {\n  static class Program {\n    static int Main(string[] a) {\n      Console.Error.WriteLine(\"warning: cache is cold\");\n      for (int i = 0; i < 30; i++) Console.WriteLine(\"{0}: zone {1}\", a[0], i);\n      if (a[0] == \"check\") return Table.Row(4);\n      return 0;\n    }\n  }\n}\n"})

case("ghc-module-cycle", "ghc", "router-hs", "build (ghc)", [{"name": "Build", "run": "ghc --make -Wall -isrc -outputdir dist src/Main.hs"}],
    ["ghc --make -Wall -isrc", ["Module graph contains a cycle", "Module imports form a cycle", "module graph contains a cycle"], ["src/Route.hs"], ["src/Auth.hs"]],
    [],
    {"src/Main.hs": "module Main (main) where\nimport Route (route)\nmain :: IO ()\nmain = print (route 1)\n", "src/Route.hs": "module Route (route) where\nimport Auth (auth)\nroute :: Int -> Int\nroute = auth\n", "src/Auth.hs": "module Auth (auth) where\nimport Route ()\nauth :: Int -> Int\nauth = id\n"})

case("ocaml-partial-match", "dune", "chess-ml", "build (dev profile)", [{"name": "Build", "run": "dune build 2>&1 | tee build.log", "shell": "bash"}],
    ["dune build", ["this pattern-matching is not exhaustive", "partial-match"], ["lib/piece.ml\", line 4", "lib/piece.ml"], ["Knight"]],
    [],
    {"dune-project": "(lang dune 2.9)\n", "lib/dune": "(library (name chess))\n", "lib/piece.ml": "type t = Pawn | Knight | Rook\n\nlet value p =\n  match p with\n  | Pawn -> 1\n  | Rook -> 5\n", **each("lib/@.ml", "let v = 1\n", WORDS[:5])})

case("crystal-nil-method", "crystal", "feedbot-cr", "build (crystal)", [{"name": "Build", "run": "crystal --version | head -1\ncrystal build --no-color src/feedbot.cr -o feedbot"}],
    ["crystal build --no-color src/feedbot.cr", ["undefined method 'upcase' for Nil"], ["src/feed.cr:4"]],
    [],
    {"src/feedbot.cr": "require \"./feed\"\nputs Feed.new.label({\"title\" => \"x\"})\n", "src/feed.cr": "class Feed\n  def label(row : Hash(String, String))\n    # titles may be missing\n    row[\"title\"]?.upcase\n  end\nend\n"})

case("nim-undeclared-in-template", "nim", "statsd-nim", "nim c -d:release", [{"name": "Compile", "run": "nim c -d:release --colors:off --hint:Conf:off -o:statsd src/statsd.nim"}],
    ["nim c -d:release", ["undeclared identifier: 'flushIntervall'"], ["src/statsd.nim(6", "statsd.nim(6"]],
    ["'oldPort' is declared but not used"],
    {"src/statsd.nim": "import std/strformat\nlet flushInterval = 10\nproc main() =\n  let oldPort = 8125\n  for n in 1 .. 3:\n    echo fmt\"{n}: \", flushIntervall\nmain()\n"})

case("cython-compile-error", "cython", "fastdist", "build ext (3.11)", [{"name": "Build extensions", "run": "python setup.py build_ext --inplace"}],
    ["python setup.py build_ext --inplace", ["undeclared name not builtin: squared"], ["fastdist/metric.pyx:6", "metric.pyx:6:16"]],
    ["language_level not set", "fastdist/grid.pyx:"],
    {"setup.py": "from setuptools import setup\nfrom Cython.Build import cythonize\nsetup(name='fastdist', ext_modules=cythonize(['fastdist/grid.pyx', 'fastdist/metric.pyx']))\n", "fastdist/__init__.py": "", "fastdist/grid.pyx": "def grid(int n):\n    return n\n",
     "fastdist/metric.pyx": "def euclid(double a, double b):\n    cdef double d = a - b\n    if d < 0:\n        d = -d\n    # cheap\n    return d * squared\n"})

# --- test runners -------------------------------------------------------------------------------------------------------

case("tcltest-one-failure", "tcltest", "expectlib", "tcl 8.6 / make test", [{"name": "Test", "run": "tclsh tests/all.tcl -verbose pe"}],
    ["tclsh tests/all.tcl", ["quote-2.3"], ["{a\\ b}", "\"a b\"", "---- Result was:"]],
    ["pty device is slow"],
    {"tests/all.tcl": "package require tcltest\nnamespace import ::tcltest::*\nconfigure -testdir [file dirname [info script]] {*}$argv\nset failed [runAllTests]\nputs stderr {warning: pty device is slow}\nexit $failed\n",
     "tests/quote.test": "package require tcltest\nnamespace import ::tcltest::*\n" + numbered("test quote-1.@ {keeps @} {expr 1} 1\n", 60) + "test quote-2.3 {blank is quoted} {set x {\"a b\"}} {{a\\ b}}\ncleanupTests\n"})

case("octave-own-tests", "octave", "filters-m", "octave / tests", [{"name": "Test", "run": "octave-cli --no-init-file --eval \"addpath('m'); ok = true; for f = {'hann','lowpass','median5'}; [n, m] = test(f{1}, 'normal', stdout); ok = ok && n == m; end; exit(!ok)\""}],
    ["octave-cli --no-init-file", ["m/lowpass.m", "lowpass.m"], ["ASSERT errors for", "!!!!! test failed"], ["0.25"]],
    [],
    {"m/hann.m": "function y = hann(n)\n  y = n;\nend\n%!assert (hann (3), 3)\n", "m/median5.m": "function y = median5(n)\n  y = n;\nend\n%!assert (median5 (3), 3)\n",
     "m/lowpass.m": "function y = lowpass(x)\n  y = x / 2;\nend\n%!assert (lowpass (0), 0)\n%!assert (lowpass (1), 0.25)\n"})

case("clojure-test", "clojure.test", "tax-clj", "test (clojure 1.11)", [{"name": "Test", "run": "clojure -Sdeps '{}' -M -e 1 >/dev/null 2>&1 || true\njava -cp \"/usr/share/java/*:src:test\" clojure.main test/run.clj"}],
    ["clojure.main test/run.clj", ["reverse-charge", "tax.core-test/reverse-charge"], ["(not (= 0 19))", "actual: (not (= 0 19))"], ["core_test.clj:8"]],
    ["rate table is stale"],
    {"src/tax/core.clj": "(ns tax.core)\n(defn vat [country b2b] 19)\n", "test/run.clj": "(require 'clojure.test 'tax.core-test)\n(let [r (clojure.test/run-tests 'tax.core-test)]\n  (System/exit (if (clojure.test/successful? r) 0 1)))\n",
     "test/tax/core_test.clj": "(ns tax.core-test\n  (:require [clojure.test :refer [deftest is]] [tax.core :refer [vat]]))\n(deftest domestic\n  (dotimes [n 40] (println \"checked invoice\" n))\n  (println \"WARN rate table is stale\")\n  (is (= 19 (vat :de false))))\n(deftest reverse-charge\n  (is (= 0 (vat :at true))))\n"})

case("cucumber-scenario", "cucumber", "ticketing-js", "acceptance", [{"name": "Acceptance", "run": "cucumber-js --format progress"}],
    ["cucumber-js", ["Refund after the show", "features/refund.feature:6", "features/refund.feature:9"], ["refund of 25 was granted, policy says 0"]],
    ["card reader offline"],
    {"package.json": "{\"name\": \"t\"}\n", "features/book.feature": "Feature: Book\n" + numbered("  Scenario: Book seat @\n    Given a ticket of 25\n    Then it is valid\n", 30),
     "features/refund.feature": "Feature: Refund\n  Scenario: Refund before the show\n    Given a ticket of 25\n    Then it is valid\n\n  Scenario: Refund after the show\n    Given a ticket of 25\n    When the show is over\n    Then the refund is 0\n",
     "features/steps/s.js": "const { Given, When, Then } = require('@cucumber/cucumber');\nGiven('a ticket of {int}', function (n) { this.n = n; if (n > 30) console.error('card reader offline'); });\nWhen('the show is over', function () { console.error('Error: card reader offline (ignored)'); });\nThen('it is valid', function () {});\nThen('the refund is {int}', function (n) { if (this.n !== n) throw new Error(`refund of ${this.n} was granted, policy says ${n}`); });\n"}, prepare="ln -s $TOOLS/node-d/node_modules node_modules")

case("pytest-internal-error", "pytest", "sensor-hub", "tests (3.11, hw-less)", [{"name": "Tests", "run": "pytest tests -q --durations=3"}],
    ["pytest tests -q", ["INTERNALERROR"], ["board.yaml lists no serial port for 'hub-3'"], ["conftest.py\", line 6", "conftest.py"]],
    [],
    {"conftest.py": "BOARDS = {'hub-1': '/dev/a'}\n\ndef pytest_collection_modifyitems(items):\n    for item in items:\n        if 'hub-3' not in BOARDS:\n            raise LookupError(\"board.yaml lists no serial port for 'hub-3'\")\n",
     "tests/test_a.py": "import pytest\n@pytest.mark.parametrize('n', range(30))\ndef test_ok(n):\n    pass\n"})

case("pytest-captured-log-decoy", "pytest", "ingest-py", "unit / shard 2 of 6", [{"name": "Shard", "run": "python -m pytest -v --log-level=INFO --color=yes tests"}],
    ["python -m pytest -v --log-level=INFO", ["test_keeps_partial_batch[kafka]"], ["assert 40 == 41"], ["tests/test_batch.py:12", "tests/test_batch.py::"]],
    ["PytestUnknownMarkWarning", "pytest.mark.slowish"],
    {"tests/test_batch.py": "import logging\nimport pytest\n\nlog = logging.getLogger('ingest')\n\n\n@pytest.mark.slowish\n@pytest.mark.parametrize('source', ['file', 'kafka', 'http'])\ndef test_keeps_partial_batch(source):\n    log.error('broker hung up, reconnecting')\n    rows = 40 if source == 'kafka' else 41\n    assert rows == 41\n",
     **{"tests/test_%s.py" % w: "import pytest\n\n@pytest.mark.parametrize('n', range(15))\ndef test_%s(n):\n    pass\n" % w for w in WORDS}})

case("trial-dirty-reactor", "trial", "relay-tw", "trial (py3.11)", [{"name": "Trial", "run": "trial --reporter=verbose relay", "env": {"PYTHONPATH": "."}}],
    ["trial --reporter=verbose relay", ["test_reconnects_once", "relay.test_relay"], ["DirtyReactorAggregateError", "Reactor was unclean"], ["DelayedCall"]],
    [],
    {"relay/__init__.py": "", "relay/test_relay.py": "from twisted.internet import reactor\nfrom twisted.trial import unittest\n\n\nclass Relay(unittest.TestCase):\n" + numbered("    def test_keeps_@(self):\n        pass\n\n", 40) + "    def test_reconnects_once(self):\n        reactor.callLater(30, print, 'again')\n"})

case("nox-session-fails", "nox", "geo-utils", "nox (3.11)", [{"name": "Nox", "run": "nox --no-venv -s lint types tests docs"}],
    ["nox --no-venv", ["Session types failed", "Session types: failed", "types: failed"], ["geo/area.py:2"], ["Incompatible return value type"]],
    ["Session docs was successful"],
    {"noxfile.py": "import nox\n\n@nox.session\ndef lint(session):\n    session.run('ruff', 'check', 'geo', external=True)\n\n@nox.session\ndef types(session):\n    session.run('mypy', 'geo', external=True)\n\n@nox.session\ndef tests(session):\n    session.run('python', '-m', 'unittest', '-v', external=True)\n\n@nox.session\ndef docs(session):\n    session.run('python', '-c', 'print(\"docs fine\")', external=True)\n",
     "geo/__init__.py": "", "geo/area.py": "def area(w: int, h: int) -> str:\n    return w * h\n", "test_geo.py": "import unittest\n\nclass T(unittest.TestCase):\n" + numbered("    def test_@(self):\n        pass\n", 20)})

case("unittest-many-dots-diff", "unittest", "textwrap2", "unit (3.11)", [{"name": "Unit", "run": "python -m unittest discover -s t -p 't_*.py'"}],
    ["python -m unittest discover -s t", ["test_hanging_indent"], ["AssertionError: Lists differ", "First differing element 1"], ["'    two words'", "'  two words'", "t/t_wrap.py\", line 7", "t_wrap.py"]],
    ["could not be wrapped"],
    {"t/t_wrap.py": "import unittest\n\n\nclass Wrap(unittest.TestCase):\n    def test_hanging_indent(self):\n        got = ['a first line', '  two words', 'end']\n        self.assertEqual(got, ['a first line', '    two words', 'end'])\n",
     **each("t/t_@.py", "import unittest, sys\n\n\nclass T(unittest.TestCase):\n" + numbered("    def test_#(self):\n        print('ERROR: @ could not be wrapped, kept as it is', file=sys.stderr)\n".replace("#", "%s") % "@", 1).replace("test_0", "test_one") + "    def test_two(self):\n        pass\n", WORDS)})

case("erlang-common-test", "common_test", "queue-erl", "ct (otp 25)", [{"name": "Common test", "run": "mkdir -p logs\nct_run -noshell -dir test -logdir logs"}],
    ["ct_run -noshell -dir test", ["queue_SUITE:drains_in_order", "queue_SUITE", "drains_in_order"], ["{badmatch,[3,2,1]}", "badmatch"]],
    [],
    {"test/queue_SUITE.erl": "-module(queue_SUITE).\n-compile([export_all, nowarn_export_all]).\nall() -> [keeps_one, keeps_two, drains_in_order].\nkeeps_one(_) -> ok.\nkeeps_two(_) -> ok.\ndrains_in_order(_) ->\n    [1,2,3] = lists:reverse([1,2,3]),\n    ok.\n"})

case("exunit-doctest", "mix test", "units-ex", "test (elixir 1.14)", [{"name": "Test", "run": "mix test --trace --seed 0"}],
    ["mix test --trace", ["doctest Units.to_feet/1", "Units.to_feet/1"], ["Doctest failed", "3.2808"], ["test/units_test.exs:3", "lib/units.ex:5"]],
    ["function spare/0 is unused", "spare/0"],
    {"mix.exs": "defmodule Units.MixProject do\n  use Mix.Project\n  def project, do: [app: :units, version: \"0.1.0\"]\nend\n", "lib/units.ex": "defmodule Units do\n  @doc \"\"\"\n  Feet of metres.\n\n      iex> Units.to_feet(1)\n      3.2808\n  \"\"\"\n  def to_feet(m), do: m * 3.3\n  defp spare, do: 1\nend\n",
     "test/test_helper.exs": "ExUnit.start()\n", "test/units_test.exs": "defmodule UnitsTest do\n  use ExUnit.Case\n  doctest Units\n  for n <- 1..60 do\n    test \"keeps #{n}\", do: assert true\n  end\nend\n"})

case("plunit-failed", "swipl", "grammar-pl", "swipl / plunit", [{"name": "Test", "run": "swipl -q -g \"load_test_files([]),run_tests,halt(0)\" -t 'halt(1)' tests.pl"}],
    ["swipl -q -g", ["plural_of_child", "test plural_of_child"], ["tests.pl:9"]],
    ["Clauses of trace_it/1 are not together"],
    {"tests.pl": ":- use_module(library(plunit)).\nplural(X, Y) :- atom_concat(X, s, Y).\ntrace_it(1).\nother(1).\ntrace_it(2).\n:- begin_tests(words).\ntest(cat) :- plural(cat, cats).\ntest(dog) :- plural(dog, dogs).\ntest(plural_of_child) :- plural(child, children).\n:- end_tests(words).\n"})

case("guile-srfi-64", "guile", "lexer-scm", "guile 3 / check", [{"name": "Check", "run": "guile --no-auto-compile -L . tests/lexer.scm || { cat lexer.log; exit 1; }"}],
    ["guile --no-auto-compile -L .", ["nested block comment"], ["actual-value: (comment 2)", "(comment 2)"]],
    ["strings keep escapes 3"],
    {"tests/lexer.scm": "(use-modules (srfi srfi-64))\n(test-begin \"lexer\")\n(do ((i 0 (+ i 1))) ((= i 40)) (test-equal (string-append \"strings keep escapes \" (number->string i)) i i))\n(test-equal \"nested block comment\" '(comment 3) (list 'comment (+ 1 1)))\n(test-equal \"datum comment\" 1 1)\n(define failed (test-runner-fail-count (test-runner-current)))\n(test-end \"lexer\")\n(exit (if (zero? failed) 0 1))\n"})

case("racket-contract-violation", "racket", "shapes-rkt", "raco / smoke", [{"name": "Smoke", "run": "raco make main.rkt\nracket main.rkt --demo"}],
    ["racket main.rkt --demo", ["area: contract violation", "contract violation"], ["positive?", "(and/c real? positive?)"], ["main.rkt", "-4"]],
    [],
    {"shapes.rkt": "#lang racket/base\n(require racket/contract)\n(provide (contract-out [area (-> (and/c real? positive?) real?)]))\n(define (area r) (* 3.14 r r))\n", "main.rkt": "#lang racket/base\n(require \"shapes.rkt\")\n(for ([n (in-range 1 40)]) (printf \"shape ~a: ~a\\n\" n (area n)))\n(area -4)\n"})

case("perl-strict-in-prove", "prove", "Feed-Merge", "perl 5.36 / prove", [{"name": "Test", "run": "prove -lr --timer t"}],
    ["prove -lr --timer t", ["Global symbol \"%seen\" requires explicit package name"], ["lib/Feed/Dedup.pm line 7"], ["t/30-dedup.t"]],
    ["Use of uninitialized value $guess"],
    {"lib/Feed/Dedup.pm": "package Feed::Dedup;\nuse strict;\nuse warnings;\nsub new { bless {}, shift }\nsub add {\n    my ($self, $item) = @_;\n    return $seen{$item}++;\n}\n1;\n",
     "t/10-parse.t": "use warnings; use Test::More; my $guess; my $x = \"a$guess\"; ok(1, \"parse $_\") for 1..50; done_testing;\n", "t/20-sort.t": "use Test::More; ok(1) for 1..9; done_testing;\n", "t/30-dedup.t": "use strict; use Test::More;\nuse Feed::Dedup;\nok(Feed::Dedup->new); done_testing;\n", "t/40-write.t": "use Test::More; ok 1; done_testing;\n"})

case("rake-frozen-error", "rake", "pages-rb", "site build (ruby)", [{"name": "Build", "run": "rake --trace site:build"}],
    ["rake --trace site:build", ["can't modify frozen String: \"/tags\"", "FrozenError"], ["lib/pages.rb:4"]],
    ["mincss is not installed"],
    {"Rakefile": "require_relative 'lib/pages'\nnamespace :site do\n  task :css do\n    warn 'warning: mincss is not installed'\n    20.times { |n| puts \"css #{n}\" }\n  end\n  task build: :css do\n    Pages.link('/tags')\n  end\nend\n", "lib/pages.rb": "# frozen_string_literal: true\nmodule Pages\n  def self.link(path)\n    path.dup.freeze << '/index.html'\n  end\nend\n"})

case("php-lint-xargs", "php -l", "legacy-shop", "php lint (8.2)", [{"name": "Lint", "run": "find src -name '*.php' -print0 | sort -z | xargs -0 -n1 -P2 php -l"}],
    ["php -l", ["syntax error, unexpected token \"}\""], ["src/Cart/Discount.php"]],
    ["Errors parsing src/Cart/p3.php"],
    {**each("src/Cart/p@.php", "<?php\nfunction p@() { return 1; }\n", range(90)), "src/Cart/Discount.php": "<?php\nclass Discount {\n  function rate() {\n    return 3\n  }\n}\n"})

case("phpunit-exception-message", "phpunit", "mailer-php", "unit (8.2)", [{"name": "Unit", "run": "phpunit --testdox --colors=never tests"}],
    ["phpunit --testdox", ["testRejectsTwoAts", "Rejects two ats", "RejectsTwoAts"], ["Failed asserting that exception of type \"InvalidArgumentException\" is thrown", "InvalidArgumentException"]],
    ["bounce of nobody@example.org"],
    {"tests/AddressTest.php": "<?php\nuse PHPUnit\\Framework\\TestCase;\nfinal class AddressTest extends TestCase {\n" + numbered("  public function testKeeps@(): void { $this->assertTrue(true); }\n", 30) + "  public function testBounce(): void { fwrite(STDERR, \"Error: bounce of nobody@example.org\\n\"); $this->assertTrue(true); }\n  public function testRejectsTwoAts(): void {\n    $this->expectException(InvalidArgumentException::class);\n    strlen('a@@b');\n  }\n}\n"})

case("tsc-build-references", "tsc", "ledger-ts", "build (project references)", [{"name": "Build", "run": "tsc -b packages/app --verbose"}],
    ["tsc -b packages/app", ["TS2724", "has no exported member named 'roundUp'"], ["packages/app/src/bill.ts(1,", "packages/app/src/bill.ts:1"]],
    [],
    {"packages/core/tsconfig.json": "{\"compilerOptions\": {\"composite\": true, \"outDir\": \"out\", \"rootDir\": \"src\", \"strict\": true, \"module\": \"nodenext\", \"moduleResolution\": \"nodenext\", \"types\": []}, \"include\": [\"src\"]}\n",
     "packages/app/tsconfig.json": "{\"compilerOptions\": {\"composite\": true, \"outDir\": \"out\", \"rootDir\": \"src\", \"strict\": true, \"module\": \"nodenext\", \"moduleResolution\": \"nodenext\", \"types\": []}, \"references\": [{\"path\": \"../core\"}], \"include\": [\"src\"]}\n",
     "packages/core/src/money.ts": "export function round(n: number): number { return Math.round(n); }\n", "packages/app/src/bill.ts": "import { round, roundUp } from '../../core/src/money.js';\nexport const total = roundUp(round(2.5));\n"})

case("svelte-check", "svelte-check", "planner-ui", "check (svelte)", [{"name": "Check", "run": "svelte-check --output human --threshold warning --no-tsconfig"}],
    ["svelte-check", ["src/Board.svelte:3"], ["Type 'string' is not assignable to type 'number'", "is not assignable to type 'number'"]],
    ["Unused CSS selector"],
    {"package.json": "{\"name\": \"p\", \"type\": \"module\"}\n", "src/Card.svelte": "<p>card</p>\n<style>\n.gone { color: red }\n</style>\n", "src/Board.svelte": "<script lang=\"ts\">\n  // limit of a column\n  let limit: number = 'five';\n</script>\n\n<p>{limit}</p>\n"}, prepare="ln -s $TOOLS/node-d/node_modules node_modules")

case("jest-unwritten-snapshot", "jest", "mailtpl", "unit (node 20)", [{"name": "Unit", "run": "jest --ci --colors"}],
    ["jest --ci", ["renders the reminder in Dutch"], ["New snapshot was not written"], ["test/reminder.test.js:3", "reminder.test.js"]],
    ["Experimental feature", "theme.json is missing"],
    {"package.json": "{\"name\": \"m\"}\n", **each("test/@.test.js", "test('renders @', () => { console.warn('theme.json is missing, using the default'); });\n", WORDS), "test/reminder.test.js": "test('renders the reminder in German', () => {});\ntest('renders the reminder in Dutch', () => {\n  expect('<p>Hallo</p>').toMatchSnapshot();\n});\n"})

case("mocha-load-error", "mocha", "cachekit", "test (20)", [{"name": "Test", "run": "npm test", "env": {"FORCE_COLOR": "0"}}],
    [["npm test", "mocha --recursive test"], ["makeClock is not defined"], ["test/ttl.spec.js:2"]],
    ["old lockfile"],
    {"package.json": "{\"name\": \"cachekit\", \"version\": \"1.0.0\", \"scripts\": {\"pretest\": \"echo 'npm warn old lockfile'\", \"test\": \"mocha --recursive test\"}}\n", "test/a.spec.js": "describe('a', () => { it('keeps', () => {}); });\n", "test/ttl.spec.js": "describe('ttl', () => {\n  const clock = makeClock();\n  it('expires', () => clock.tick(1));\n});\n"})

case("node-test-deep-diff", "node --test", "permissions", "node 20 (spec)", [{"name": "Test", "run": "node --test test/"}],
    ["node --test test/", ["editor may not delete"], ["Expected values to be strictly deep-equal", "+     'delete'", "'delete'"], ["test/roles.test.js:6", "roles.test.js"]],
    ["ExperimentalWarning", "audit trail is off"],
    {**each("test/@.test.js", "const test = require('node:test');\ntest('@ is kept', async t => { for (let i = 0; i < 16; i++) await t.test('part ' + i, () => {}); console.error('Error: audit trail is off'); });\n", WORDS[:8]),
     "test/roles.test.js": "const { describe, it } = require('node:test');\nconst assert = require('node:assert');\ndescribe('roles', () => {\n  it('viewer reads', () => {});\n  it('editor may not delete', () => {\n    assert.deepStrictEqual(['read', 'write', 'delete'], ['read', 'write']);\n  });\n});\n"})

case("uvu-not-equal", "uvu", "slugger", "unit (uvu)", [{"name": "Unit", "run": "uvu test '\\.spec\\.js$'"}],
    ["uvu test", ["strips emoji", "\"strips emoji\""], ["Expected values to be strictly equal"], ["test/slug.spec.js", "slug.spec.js"]],
    [],
    {"package.json": "{\"name\": \"s\"}\n", "test/slug.spec.js": "const { suite } = require('uvu');\nconst assert = require('uvu/assert');\nconst s = suite('slug');\nfor (let i = 0; i < 30; i++) s('keeps ' + i, () => {});\ns('strips emoji', () => { assert.is('party-', 'party'); });\ns.run();\n", "test/trim.spec.js": "const { test } = require('uvu');\ntest('trims', () => {});\ntest.run();\n"}, prepare="ln -s $TOOLS/js/node_modules node_modules")

case("gulp-task-errored", "gulp", "brochure", "assets (gulp)", [{"name": "Assets", "run": "gulp build"}],
    ["gulp build", ["'icons' errored", "icons"], ["icons/phone.svg: viewBox is missing"]],
    ["'fonts' after"],
    {"package.json": "{\"name\": \"b\"}\n", "gulpfile.js": "const { series, parallel } = require('gulp');\nconst ok = n => { const f = async () => { for (let i = 0; i < 9; i++) console.log(`${n}: wrote ${n}-${i}`); }; f.displayName = n; return f; };\nasync function icons() { throw new Error('icons/phone.svg: viewBox is missing'); }\nexports.build = series(ok('clean'), parallel(ok('fonts'), ok('styles')), icons, ok('html'));\n"}, prepare="ln -s $TOOLS/node-d/node_modules node_modules")

case("vitest-snapshot-mismatch", "vitest", "invoice-ui", "unit (vitest)", [{"name": "Unit", "run": "vitest run --reporter=verbose"}],
    ["vitest run", ["prints the footer"], ["Snapshot `footer > prints the footer 1` mismatched", "mismatched"], ["test/footer.test.ts:4", "footer.test.ts"]],
    ["fonts are not loaded"],
    {"package.json": "{\"name\": \"i\", \"type\": \"module\"}\n", "test/footer.test.ts": "import { describe, expect, it } from 'vitest';\ndescribe('footer', () => {\n  it('prints the footer', () => {\n    expect('<footer>2026 Acme Ltd</footer>').toMatchSnapshot();\n  });\n});\n",
     "test/__snapshots__/footer.test.ts.snap": "// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`footer > prints the footer 1`] = `\"<footer>2026 Acme</footer>\"`;\n",
     **each("test/@.test.ts", "import { expect, it } from 'vitest';\nfor (let i = 0; i < 30; i++) it('@ keeps ' + i, () => { if (i === 3) console.error('Error: fonts are not loaded'); expect(i).toBe(i); });\n", WORDS[:6])}, prepare="ln -s $TOOLS/js/node_modules node_modules")

case("emacs-org-export", "emacs", "handbook-org", "publish (org)", [{"name": "Export", "run": "make html"}],
    ["make html", ["Unable to resolve link: \"sec:escalation\"", "sec:escalation"]],
    [],
    {"Makefile": "html:\n\t@for f in org/*.org; do echo \"exporting $$f\"; emacs -Q --batch --eval '(message \"warning: no htmlize\")' $$f --eval \"(progn (require 'ox-html) (org-html-export-to-html))\" || exit 1; done\n",
     **each("org/@.org", "#+title: @\n\n* One\n  Text.\n", WORDS[:6]), "org/oncall.org": "#+title: On call\n\n* Who\n  See [[#sec:escalation]].\n"})

# --- linters, packaging, documents, infrastructure ---------------------------------------------------------------------

case("apache-configtest", "apache", "edge-httpd", "config / apache", [{"name": "Config test", "run": "ci/render.sh sites\napache2 -t -d \"$PWD\" -f conf/httpd.conf"}],
    ["apache2 -t", ["Invalid command 'ProxyPas'"], ["conf/sites/shop.conf", "line 3 of"]],
    ["Could not reliably determine"],
    {"ci/render.sh": "#!/bin/sh\nfor n in $(seq 1 25); do echo \"rendered vhost $n\"; done\n", "conf/httpd.conf": "ServerRoot \".\"\nLoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so\nListen 8099\nInclude conf/sites/*.conf\n",
     "conf/sites/blog.conf": "<VirtualHost *:8099>\n</VirtualHost>\n", "conf/sites/shop.conf": "<VirtualHost *:8099>\n  ServerAdmin a@example.org\n  ProxyPas / http://127.0.0.1:9000/\n</VirtualHost>\n"})

case("redis-bad-directive", "redis", "session-store", "config (redis)", [{"name": "Start", "run": "for f in conf/*.conf; do\n  echo \"== $f\"\n  timeout 2 redis-server $f --port 0 --unixsocket $PWD/r.sock || test $? = 124\ndone"}],
    [["redis-server $f --port 0"], ["FATAL CONFIG FILE ERROR"], ["maxmemory-polcy"], ["Bad directive or wrong number of arguments", "== conf/session.conf", "at line 3"]],
    ["overcommit_memory"],
    {"conf/cache.conf": "save \"\"\n", "conf/session.conf": "save \"\"\nmaxmemory 64mb\nmaxmemory-polcy allkeys-lru\n"})

case("xsltproc-stylesheet", "xsltproc", "feed-xsl", "transform", [{"name": "Transform", "run": "make -k feeds"}],
    ["make -k feeds", ["compilation error: file xsl/atom.xsl line 4", "xsl/atom.xsl:4", "xsl/atom.xsl line 4"], ["XSLT-error: could not compile", "xsl:value-of : could not compile select expression", "could not compile select expression"]],
    ["no date, using today"],
    {"Makefile": "feeds: rss.xml atom.xml\n%.xml: xsl/%.xsl\n\t@echo 'XSLT $@'\n\t@xsltproc -o $@ $< src.xml\n", "src.xml": "<f><t>a</t></f>\n",
     "xsl/rss.xsl": "<xsl:stylesheet version=\"1.0\" xmlns:xsl=\"http://www.w3.org/1999/XSL/Transform\">\n<xsl:template match=\"/\"><xsl:message>warning: no date, using today</xsl:message><r/></xsl:template>\n</xsl:stylesheet>\n",
     "xsl/atom.xsl": "<xsl:stylesheet version=\"1.0\" xmlns:xsl=\"http://www.w3.org/1999/XSL/Transform\">\n<xsl:template match=\"/\">\n<a>\n<xsl:value-of select=\"f/t[\"/>\n</a>\n</xsl:template>\n</xsl:stylesheet>\n"})

case("xmllint-schema", "xmllint", "orders-xsd", "validate samples", [{"name": "Validate", "run": "xmllint --noout --schema order.xsd samples/*.xml"}],
    ["xmllint --noout --schema order.xsd", ["samples/bulk.xml:3", "samples/bulk.xml"], ["'qty'", "Element 'qty'"], ["'a dozen' is not a valid value of the atomic type 'xs:positiveInteger'", "is not a valid value"]],
    ["samples/amber.xml"],
    {"order.xsd": "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\"><xs:element name=\"order\"><xs:complexType><xs:sequence><xs:element name=\"sku\" type=\"xs:string\"/><xs:element name=\"qty\" type=\"xs:positiveInteger\"/></xs:sequence></xs:complexType></xs:element></xs:schema>\n",
     **each("samples/@.xml", "<order>\n<sku>a</sku>\n<qty>1</qty>\n</order>\n", WORDS), "samples/bulk.xml": "<order>\n<sku>b</sku>\n<qty>a dozen</qty>\n</order>\n"})

case("dtc-syntax", "dtc", "board-dts", "device trees", [{"name": "Device trees", "run": "for f in boards/*.dts; do\n  echo \"DTC $f\"\n  dtc -I dts -O dtb -o /dev/null $f\ndone"}],
    [["dtc -I dts -O dtb"], ["syntax error"], ["boards/rev-c.dts:5"]],
    ["Warning (unit_address_vs_reg)", "boards/rev-a.dts:"],
    {"boards/rev-a.dts": "/dts-v1/;\n/ {\n  led@1 { };\n};\n", "boards/rev-b.dts": "/dts-v1/;\n/ {\n  led { };\n};\n", "boards/rev-c.dts": "/dts-v1/;\n/ {\n  model = \"c\";\n  // blue\n  led = <1 2;\n};\n"})

case("cfn-lint-template", "cfn-lint", "stacks", "cloudformation", [{"name": "Lint", "run": "cfn-lint --non-zero-exit-code error 'templates/*.yaml'"}],
    ["cfn-lint", ["E3002", "E3003", "'BucketNam' was unexpected", "BucketNam"], ["templates/logs.yaml:6", "templates/logs.yaml"]],
    ["W2001"],
    {"templates/base.yaml": "AWSTemplateFormatVersion: '2010-09-09'\nParameters:\n  Stage:\n    Type: String\nResources:\n  T:\n    Type: AWS::SNS::Topic\n", "templates/logs.yaml": "AWSTemplateFormatVersion: '2010-09-09'\nResources:\n  Logs:\n    Type: AWS::S3::Bucket\n    Properties:\n      BucketNam: logs\n"})

case("hadolint-one-error", "hadolint", "images", "dockerfiles", [{"name": "Hadolint", "run": "hadolint --failure-threshold error docker/*/Dockerfile"}],
    ["hadolint --failure-threshold error", ["DL3020", "Use COPY instead of ADD"], ["docker/web/Dockerfile:4"]],
    ["DL3059"],
    {"docker/api/Dockerfile": "FROM debian:12\nRUN echo a\nRUN echo b\nRUN echo a | wc -l\n", "docker/job/Dockerfile": "FROM debian:latest\nRUN echo a\n", "docker/web/Dockerfile": "FROM nginx:1.25\nRUN echo a\nWORKDIR /srv\nADD site /srv/site\n"})

case("ansible-lint-findings", "ansible-lint", "roles-base", "ansible-lint", [{"name": "Lint", "run": "ansible-lint --offline --nocolor play.yml"}],
    ["ansible-lint --offline", ["risky-file-permissions", "no-changed-when"], ["play.yml:5", "play.yml:9"]],
    [],
    {"play.yml": "---\n- name: Base\n  hosts: all\n  tasks:\n    - name: Write motd\n      ansible.builtin.copy:\n        content: hi\n        dest: /etc/motd\n    - name: Reload\n      ansible.builtin.command: /bin/true\n"})

case("ansible-rescued-then-real", "ansible", "fleet-db", "converge (db)", [{"name": "Converge", "run": "ansible-playbook -i hosts.ini site.yml"}],
    ["ansible-playbook -i hosts.ini", ["Check free space on data volume"], ["db2"], ["/var/lib/db2 has 3 GiB free, 20 are needed"]],
    ["probe of the old agent failed"],
    {"hosts.ini": "[db]\ndb1 ansible_connection=local free=40\ndb2 ansible_connection=local free=3\n",
     "site.yml": "- hosts: db\n  gather_facts: false\n  tasks:\n    - block:\n        - name: Probe old agent\n          fail: {msg: probe of the old agent failed}\n      rescue:\n        - name: No old agent\n          debug: {msg: nothing to remove}\n    - name: Optional tuning\n      command: /bin/false\n      ignore_errors: true\n" + numbered("    - name: Set option @\n      debug: {msg: ok}\n", 12) + "    - name: Check free space on data volume\n      fail: {msg: \"/var/lib/{{ inventory_hostname }} has {{ free }} GiB free, 20 are needed\"}\n      when: free | int < 20\n"})

case("djlint-templates", "djlint", "portal-tpl", "templates", [{"name": "djLint", "run": "djlint templates --lint --profile=django"}],
    ["djlint templates --lint", ["H025", "orphan"]],
    [],
    {"templates/login.html": "<form action=\"/login\">\n  <div>\n    <p>hello</p>\n</form>\n", **each("templates/@.html", "<p>@</p>\n", WORDS[:5])})

case("appstream-validate", "appstreamcli", "desk-app", "metadata", [{"name": "Validate", "run": "desktop-file-validate data/*.desktop\nappstreamcli validate --no-net --no-color data/*.metainfo.xml"}],
    ["appstreamcli validate", ["releases-info-missing", "tag-invalid", "metadata-license-missing", "metadata-license"], ["org.example.Desk"]],
    [],
    {"data/desk.desktop": "[Desktop Entry]\nType=Application\nName=Desk\nExec=desk\nCategories=Utility;\n", "data/desk.metainfo.xml": "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<component type=\"desktop-application\">\n  <id>org.example.Desk</id>\n  <name>Desk</name>\n  <summary>Sorts things</summary>\n  <project_license>MIT</project_license>\n  <description><p>It sorts things and keeps them sorted.</p></description>\n</component>\n"})

case("lintian-fail-on-error", "lintian", "agent-pkg", "deb / lintian", [{"name": "Package", "run": "dpkg-deb --root-owner-group --build pkg agent_1.0_all.deb"}, {"name": "Lintian", "run": "lintian --fail-on error agent_1.0_all.deb"}],
    ["lintian --fail-on error", ["no-copyright-file", "E: agent:"]],
    [],
    {"pkg/DEBIAN/control": "Package: agent\nVersion: 1.0\nArchitecture: all\nMaintainer: Dev <dev@example.org>\nSection: utils\nPriority: optional\nDescription: collects metrics\n It collects metrics of a host.\n", "pkg/usr/bin/agent": "#!/bin/sh\necho 1\n"}, prepare="chmod 755 pkg/DEBIAN pkg/usr pkg/usr/bin")

case("dpkg-auto-test", "dpkg-buildpackage", "libcsv2-deb", "deb (bookworm, amd64)", [{"name": "Build package", "run": "dpkg-buildpackage -us -uc -b"}],
    ["dpkg-buildpackage -us -uc -b", ["row 3: wanted 4 fields, got 5"], ["dh_auto_test"]],
    ["compat level", "using a gain-root-command"],
    {"debian/control": "Source: libcsv2\nSection: libs\nPriority: optional\nMaintainer: Dev <dev@example.org>\nStandards-Version: 4.6.2\n\nPackage: libcsv2\nArchitecture: any\nDescription: csv\n csv.\n", "debian/changelog": "libcsv2 (2.0-1) unstable; urgency=medium\n\n  * New.\n\n -- Dev <dev@example.org>  Mon, 02 Nov 2026 10:00:00 +0000\n", "debian/compat": "13\n", "debian/rules": "#!/usr/bin/make -f\n%:\n\tdh $@\n",
     "Makefile": "all:\n\t@for n in 1 2 3 4 5 6; do echo CC part$$n; done\ntest:\n\t@for n in 1 2 3 4 5 6 7 8; do echo \"ok - keeps row $$n\"; done\n\t@echo 'not ok - quoted comma'; echo 'row 3: wanted 4 fields, got 5'; exit 1\n"}, prepare="chmod 755 debian/rules")

case("twine-check-readme", "twine", "plotlite", "release / check dist", [{"name": "Check", "run": "python -m twine check --strict dist/*"}],
    ["twine check --strict", ["`long_description` has syntax errors in markup", "`long_description` missing", "`long_description_content_type` missing", "syntax errors in markup"], ["plotlite-1.2.0"]],
    [],
    {"README.rst": "Plotlite\n====\n\n.. code-blok:: python\n\n   x\n\nsee `broken <\n", "setup.py": "from setuptools import setup\nsetup(name='plotlite', version='1.2.0', py_modules=['plotlite'], long_description=open('README.rst').read(), long_description_content_type='text/x-rst')\n", "plotlite.py": ""}, prepare="$TOOLS/py-d/bin/python setup.py -q bdist_wheel sdist")

case("reuse-lint-missing", "reuse", "open-firmware", "reuse compliance", [{"name": "REUSE", "run": "reuse lint"}],
    ["reuse lint", ["drivers/spi.c"], ["have no copyright and licensing information", "no licensing information", "MISSING COPYRIGHT AND LICENSING INFORMATION"]],
    [],
    {"LICENSES/MIT.txt": "MIT\n", **each("drivers/@.c", "// SPDX-FileCopyrightText: 2026 Example\n// SPDX-License-Identifier: MIT\nint @;\n", WORDS), "drivers/spi.c": "int spi;\n"}, prepare=GIT)

case("vulture-after-doc8", "vulture", "sched-py", "quality (3.11)", [{"name": "Quality", "run": "set -x\ndoc8 --max-line-length 99 docs\npydocstyle --select=D300 sched\nvulture sched --min-confidence 90"}],
    ["vulture sched --min-confidence 90", ["unused import 'shutil'"], ["sched/plan.py:1"]],
    ["Total accumulated errors = 0"],
    {"docs/a.rst": "A\n=\n\nText.\n", "sched/plan.py": "import shutil\n\n\ndef plan(n):\n    return n\n", "sched/run.py": "from sched.plan import plan\nprint(plan(1))\n"})

case("sphinx-doctest", "sphinx", "quantity", "docs / doctest", [{"name": "Doctest", "run": "sphinx-build -b doctest docs docs/_build -q\necho fine"}],
    ["sphinx-build -b doctest", ["guide.rst"], ["Expected:", "'2 km'"], ["'2.0 km'"]],
    ["duplicate label"],
    {"docs/conf.py": "extensions = ['sphinx.ext.doctest']\n", "docs/index.rst": "Q\n=\n\n.. toctree::\n\n   guide\n   faq\n", "docs/faq.rst": "FAQ\n===\n\n.. _one:\n\nA\n-\n\nText.\n\n.. _one:\n\nB\n-\n\nText.\n", "docs/guide.rst": "Guide\n=====\n\n>>> '%s km' % (4 / 2)\n'2 km'\n\n>>> 1 + 1\n2\n"})

case("nbconvert-execute", "jupyter", "course-notebooks", "execute notebooks", [{"name": "Execute", "run": "for f in nb/*.ipynb; do\n  jupyter nbconvert --to notebook --execute --stdout $f >/dev/null\ndone"}],
    [["jupyter nbconvert --to notebook --execute"], ["KeyError: 'temp_c'"], ["nb/03-weather.ipynb", "df['temp_c']", "row['temp_c']"]],
    [],
    {**each("nb/@.ipynb", "{\"cells\": [{\"cell_type\": \"code\", \"execution_count\": null, \"id\": \"a1b2\", \"metadata\": {}, \"outputs\": [], \"source\": \"1 + 1\"}], \"metadata\": {\"kernelspec\": {\"name\": \"python3\", \"display_name\": \"Python 3\", \"language\": \"python\"}}, \"nbformat\": 4, \"nbformat_minor\": 5}", ["01-intro", "02-types"]),
     "nb/03-weather.ipynb": "{\"cells\": [{\"cell_type\": \"code\", \"execution_count\": null, \"id\": \"a1b2\", \"metadata\": {}, \"outputs\": [], \"source\": \"row = {'temp': 3}\\nprint(row['temp_c'])\"}], \"metadata\": {\"kernelspec\": {\"name\": \"python3\", \"display_name\": \"Python 3\", \"language\": \"python\"}}, \"nbformat\": 4, \"nbformat_minor\": 5}"})

case("madge-circular", "madge", "editor-core", "architecture", [{"name": "Circular imports", "run": "madge --circular --no-spinner src"}],
    ["madge --circular", ["Found 1 circular dependency"], ["undo.js > buffer.js", "buffer.js > undo.js"]],
    [],
    {"package.json": "{\"name\": \"e\"}\n", **each("src/@.js", "exports.x = 1;\n", WORDS), "src/undo.js": "require('./buffer');\n", "src/buffer.js": "require('./mark');\nrequire('./undo');\n", "src/mark.js": "exports.m = 1;\n"})

case("redocly-openapi", "redocly", "public-api", "openapi", [{"name": "Lint", "run": "redocly lint openapi.yaml --format=stylish"}],
    ["redocly lint openapi.yaml", ["no-unresolved-refs", "Can't resolve $ref"], ["11:71", "openapi.yaml:11"]],
    ["operation-4xx-response"],
    {"openapi.yaml": "openapi: 3.0.3\ninfo: {title: Public, version: '1'}\nservers: [{url: 'https://api.example.org'}]\npaths:\n  /orders:\n    get:\n      operationId: list\n      security: []\n      summary: List\n      responses:\n        '200': {description: ok, content: {application/json: {schema: {\n          $ref: '#/components/schemas/Ordr'}}}}\ncomponents:\n  schemas:\n    Order: {type: object}\n"})

case("standard-style", "standard", "tiny-emitter2", "style", [{"name": "Style", "run": "npm run lint", "env": {"NO_UPDATE_NOTIFIER": "1"}}],
    [["npm run lint", "standard 'src/**/*.js'"], ["'listners' is not defined", "no-undef"], ["src/emit.js:3:3", "src/emit.js:3"]],
    [],
    {"package.json": "{\"name\": \"t\", \"version\": \"1.0.0\", \"scripts\": {\"lint\": \"standard 'src/**/*.js'\"}}\n", "src/emit.js": "module.exports = function emit (name) {\n  // all of them\n  listners.push(name)\n}\n", "src/a.js": "module.exports = 1\n"})

case("kubectl-bad-yaml", "kubectl", "deploy-manifests", "manifests", [{"name": "Parse", "run": "for f in k8s/*.yaml; do\n  kubectl label --local -o name -f $f env=prod\n  echo\ndone"}],
    [["kubectl label --local"], ["k8s/worker.yaml"], ["did not find expected key", "error converting YAML to JSON", "error parsing"]],
    ["configmap/amber"],
    {**each("k8s/@.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: @\n", WORDS[:5]), "k8s/worker.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: worker\n labels:\n   a: b\n"})

case("composer-validate-strict", "composer", "api-php", "composer validate", [{"name": "Validate", "run": "composer validate --strict --no-check-publish"}],
    ["composer validate --strict", ["The lock file is not up to date", "lock file is not up to date"]],
    [],
    {"composer.json": "{\"name\": \"example/api\", \"description\": \"x\", \"license\": \"MIT\", \"require\": {\"php\": \">=8.1\", \"ext-json\": \"*\"}}\n", "composer.lock": "{\"content-hash\": \"0123456789abcdef0123456789abcdef\", \"packages\": [], \"packages-dev\": [], \"aliases\": [], \"minimum-stability\": \"stable\", \"stability-flags\": {}, \"prefer-stable\": false, \"prefer-lowest\": false, \"platform\": {\"php\": \">=8.1\"}, \"platform-dev\": {}}\n"})

case("bundle-exec-missing", "bundler", "wiki-rb", "style (ruby 3.1)", [{"name": "Rubocop", "run": "bundle config set --local path vendor\nbundle exec rubocop-daemon start --auto"}],
    ["bundle exec rubocop-daemon start", ["command not found: rubocop-daemon"], ["missing gem executables with `bundle install`", "bundler: command not found"]],
    [],
    {"Gemfile": "source 'https://rubygems.org'\n"})

case("yarn-missing-script", "yarn", "landing", "build css", [{"name": "Build", "run": "yarn --version\nyarn run build:scripts\nyarn run build:css --minify"}],
    ["yarn run build:css", ["Command \"build:css\" not found", "Couldn't find a script named \"build:css\"", "build:css"]],
    ["browserslist is 14 months old"],
    {"package.json": "{\"name\": \"landing\", \"version\": \"1.0.0\", \"license\": \"MIT\", \"scripts\": {\"build:scripts\": \"echo 'warning: browserslist is 14 months old' && echo bundled 1 && echo bundled 2\", \"build:style\": \"true\"}}\n"}, prepare="$TOOLS/js2/node_modules/.bin/yarn install")

case("named-checkconf-option", "bind", "resolver-conf", "named-checkconf", [{"name": "Check", "run": "named-checkconf -z named.conf"}],
    ["named-checkconf -z named.conf", ["unknown option 'allow-recursoin'"], ["named.conf:4"]],
    [],
    {"named.conf": "options {\n  recursion yes;\n  // office only\n  allow-recursoin { 10.0.0.0/8; };\n};\n"})

case("git-clone-branch-missing", "git", "integration-suite", "fetch fixtures", [{"name": "Fixtures", "run": "./ci/fixtures.sh"}],
    ["./ci/fixtures.sh", ["Remote branch release/9 not found in upstream origin"]],
    ["dropping lock", "fixtures-a is 400 days old"],
    {"ci/fixtures.sh": "#!/bin/bash\nset -euo pipefail\necho 'warning: fixtures-a is 400 days old'\ntrap 'echo \"cleaning up\"; echo \"dropping lock\"' EXIT\nfor n in a b c d e f g h; do echo \"fixtures-$n: up to date\"; done\ngit clone -q --depth 1 --branch release/9 \"file://$PWD/upstream.git\" fixtures\n"}, prepare="git init -q --bare upstream.git; git init -q s; cd s; git commit -q --allow-empty -m a; git push -q ../upstream.git HEAD:main; cd ..; rm -rf s")

# --- scripts, several steps, cancelled and post steps ---------------------------------------------------------------------

case("service-log-tells-cause", "bash", "billing-it", "integration (compose-less)", [{"name": "Integration", "run": "ci/up.sh billing"}],
    ["ci/up.sh billing", ["billing did not become healthy"], ["LEDGER_DSN: unknown scheme 'postgress'"]],
    ["stopping mailhog"],
    {"ci/up.sh": "#!/bin/bash\nset -eu\ntrap 'echo \"stopping mailhog\"; echo \"stopping billing\"' EXIT\npython3 svc.py >svc.log 2>&1 &\nfor n in 1 2 3 4 5 6; do echo \"waiting for $1 ($n/6)\"; sleep 0.1; done\necho \"$1 did not become healthy in 60 s, its log:\"\nsed 's/^/    /' svc.log\necho 'end of the log of '$1\nexit 1\n",
     "svc.py": "import sys\nfor n in range(40): print(f'level=info msg=\"migration {n} applied\"')\nprint('level=info msg=\"config loaded\"')\nprint(\"level=fatal msg=\\\"LEDGER_DSN: unknown scheme 'postgress'\\\"\")\nsys.exit(1)\n"})

case("table-one-row-fails", "python", "replica-check", "consistency (nightly)", [{"name": "Compare", "run": "python tools/compare.py --tables all"}],
    ["python tools/compare.py --tables all", ["shipment_line"], ["48213", "48207"]],
    ["audit_log"],
    {"tools/compare.py": "import sys\nprint('%-24s %10s %10s  %s' % ('table', 'primary', 'replica', 'result'))\nprint('%-24s %10s %10s  %s' % ('audit_log', 90, 88, 'skipped (append only)'))\nbad = 0\nfor n in range(260):\n    name, a, b = ('shipment_line', 48213, 48207) if n == 171 else (f'table_{n:03}', n * 31, n * 31)\n    bad += a != b\n    print('%-24s %10d %10d  %s' % (name, a, b, 'ok' if a == b else 'MISMATCH'))\nprint(f'{bad} of 260 tables differ')\nsys.exit(1)\n"})

case("jq-e-false", "jq", "status-gate", "gate / promote", [{"name": "Gate", "shell": "bash", "run": "ci/gate.sh 4.8.1"}],
    ["ci/gate.sh 4.8.1", ["error budget", "error_budget"], ["false"]],
    [],
    {"ci/gate.sh": "#!/bin/bash\nset -eo pipefail\ntrap 'echo \"released lock gate-$1\"' EXIT\nfor q in latency saturation freshness error_budget coverage; do\n  echo \"gate: $q\"\n  jq -e --arg q $q '.[$q].ok' slo.json\ndone\necho promoted\n", "slo.json": "{\"latency\": {\"ok\": true}, \"saturation\": {\"ok\": true}, \"freshness\": {\"ok\": true}, \"error_budget\": {\"ok\": false}, \"coverage\": {\"ok\": true}}\n"})

case("retry-recovers-then-silent", "bash", "mirror-sync", "sync (eu)", [{"name": "Sync", "run": "bash scripts/sync.sh eu"}],
    ["bash scripts/sync.sh eu", ["manifest: 4 of 312 packages are unsigned"]],
    ["connection reset by peer", "removing staging-eu"],
    {"scripts/sync.sh": "set -e\ntrap 'for n in 1 2 3; do echo \"removing staging-eu/$n\"; done' EXIT\ntry() { n=0; until \"$@\"; do n=$((n+1)); [ $n -lt 4 ] || return 1; echo \"attempt $n failed, retrying\"; done; }\nflaky() { [ -e up ] && return 0; touch up; echo 'rsync error: connection reset by peer' >&2; return 1; }\ntry flaky\nfor n in $(seq 1 80); do echo \"fetched package $n\"; done\npython3 scripts/sign.py\n", "scripts/sign.py": "import sys\nprint('manifest: 4 of 312 packages are unsigned')\nprint('see docs/signing.md')\nsys.exit(1)\n"})

case("parallel-prefixed-lanes", "node", "mobile-web", "lanes (lint, unit, build)", [{"name": "Lanes", "run": "node ci/lanes.js"}],
    ["node ci/lanes.js", ["[unit]"], ["cart keeps its coupon"], ["expected 'SPRING' but got undefined"]],
    ["deprecated rule no-mixed"],
    {"ci/lanes.js": "const c = { lint: 35, unit: 36, build: 33 };\nconst say = (l, s) => console.log(`\\x1b[${c[l]}m[${l}]\\x1b[0m ${s}`);\nfor (let i = 0; i < 80; i++) {\n  say('build', `chunk ${i} emitted`);\n  if (i % 20 === 0) say('lint', 'warning: deprecated rule no-mixed');\n  if (i === 47) { say('unit', '✗ cart keeps its coupon'); say('lint', 'checked 47 files'); say('unit', \"    expected 'SPRING' but got undefined\"); }\n  else say('unit', `✓ case ${i}`);\n}\nsay('lint', 'done'); say('build', 'done'); say('unit', '1 of 80 failed');\nprocess.exitCode = 1;\n"})

case("two-steps-one-allowed", "several", "search-api", "contract + load", [
    {"name": "Load test (informational)", "may_fail": True, "run": "./load.sh"},
    {"name": "Contract", "run": "python -m unittest -v contract.test_search"},
    {"name": "Slack", "always": True, "run": "./notify.sh"}],
    ["python -m unittest -v contract.test_search", ["test_facets_are_sorted"], ["['b', 'a'] != ['a', 'b']", "Lists differ"]],
    ["p99 812 ms", "webhook answered 410"],
    {"load.sh": "#!/bin/sh\necho 'p99 812 ms exceeds 500 ms'\necho 'FAILED: load test'\nexit 1\n", "notify.sh": "#!/bin/sh\necho 'error: webhook answered 410' >&2\n", "contract/__init__.py": "", "contract/test_search.py": "import unittest\n\n\nclass Search(unittest.TestCase):\n    def test_facets_are_sorted(self):\n        self.assertEqual(['b', 'a'], ['a', 'b'])\n\n    def test_empty(self):\n        pass\n"})

case("three-failing-steps", "several", "tokenizer-c", "all checks (continue)", [
    {"name": "Format", "run": "./ci/format.sh"},
    {"name": "Build", "always": True, "run": "gcc -Wall -c src/tok.c -o tok.o"},
    {"name": "Docs", "always": True, "run": "echo 'docs fine'"}],
    ["./ci/format.sh", ["src/lex.c: tabs are not allowed (line 2)"], ["gcc -Wall -c src/tok.c"], ["expected ‘,’ or ‘;’ before ‘return’", "src/tok.c:3"]],
    [],
    {"ci/format.sh": "#!/bin/bash\nfor f in src/*.c; do n=$(grep -n -m1 $'\\t' $f | cut -d: -f1); if [ -n \"$n\" ]; then echo \"$f: tabs are not allowed (line $n)\"; bad=1; else echo \"$f: fine\"; fi; done\nexit ${bad:-0}\n", "src/lex.c": "int lex(void)\n{\treturn 1; }\n", "src/tok.c": "int tok(void) {\n  int a = 3\n  return a;\n}\n", "src/ast.c": "int ast;\n"})

case("artifact-no-files", "action", "docs-site2", "build / upload", [
    {"name": "Build", "run": "./site.sh"},
    {"name": "Upload site", "uses": "actions/upload-artifact@v4", "with": ["name: site", "path: public/", "if-no-files-found: error", "compression-level: 6"], "run": "echo '::error::No files were found with the provided path: public/. No artifacts will be uploaded.'; exit 1"}],
    ["actions/upload-artifact@v4", ["No files were found with the provided path: public/"]], ["out/search.json was not written"], {"site.sh": "#!/bin/sh\necho 'warning: out/search.json was not written'\nfor n in 1 2 3 4 5; do echo \"page $n\"; done\n"})

case("post-cache-save", "post step", "wheels-ci", "wheels (3.12)", [
    {"name": "Restore cache", "uses": "example/cache-dir@v3", "with": ["path: .wheelcache", "key: wheels-3.12"], "run": "echo 'Cache not found for input keys: wheels-3.12'"},
    {"name": "Build wheels", "run": "./wheels.sh"},
    {"name": "Post Restore cache", "post": True, "always": True, "run": "node dist/save.js"}],
    [["Post Restore cache", "dist/save.js"], ["EACCES: permission denied, open '.wheelcache/index.lock'", "index.lock is held by pid 1"]],
    ["wheel 7 has no licence file"],
    {"wheels.sh": "#!/bin/sh\necho 'warning: wheel 7 has no licence file'\nfor n in $(seq 1 60); do echo \"built wheel $n (0 errors)\"; done\n", "dist/save.js": "console.log('[command]/usr/bin/tar --posix -cf cache.tzst --exclude cache.tzst -P -C /home/runner/work .wheelcache');\nthrow new Error('cannot save wheels-3.12: index.lock is held by pid 1');\n"}, cmd=(0,))

case("post-agent-stop", "post step", "deploy-scripts2", "deploy (canary)", [
    {"name": "Start agent", "uses": "example/ssh-agent@v2", "with": ["key: ***"], "run": "echo 'Agent pid 4242'"},
    {"name": "Deploy", "run": "for n in $(seq 1 20); do echo \"host $n: ok, failed=0\"; done"},
    {"name": "Post Start agent", "post": True, "always": True, "run": "python3 stop.py"}],
    [["Post Start agent", "stop.py"], ["ProcessLookupError", "agent 4242 is gone"]],
    ["host 7: ok, failed=0"],
    {"stop.py": "print('Stopping SSH agent')\nraise ProcessLookupError('agent 4242 is gone, its socket /run/ssh/agent.4242 stays')\n"})

case("cancelled-go-test", "timeout", "drain-go", "integration (go)", [{"name": "Integration", "limit": 14, "run": "go test -v -timeout 0 ./..."}],
    ["go test -v -timeout 0", ["TestDrainUnderLoad"], ["The operation was canceled"]],
    ["could not open /dev/kvm"],
    {"go.mod": "module example.org/drain\n\ngo 1.19\n", "d_test.go": "package drain\n\nimport (\n\t\"fmt\"\n\t\"testing\"\n\t\"time\"\n)\n\nfunc TestBoot(t *testing.T) {\n\tfmt.Println(\"error: could not open /dev/kvm, using emulation\")\n\tfor i := 0; i < 60; i++ {\n\t\tt.Run(fmt.Sprint(i), func(t *testing.T) {})\n\t}\n}\n\nfunc TestDrainUnderLoad(t *testing.T) {\n\tfor {\n\t\ttime.Sleep(time.Second)\n\t}\n}\n"})

case("cancelled-waiting-for-lock", "timeout", "infra-prod", "apply (prod)", [{"name": "Apply", "limit": 3, "run": "./apply.sh prod"}],
    ["./apply.sh prod", ["state lock prod is held by runner-17 since 09:12", "held by runner-17"], ["The operation was canceled"]],
    ["provider cache is empty"],
    {"apply.sh": "#!/bin/bash\necho 'warning: provider cache is empty'\nfor n in $(seq 1 50); do echo \"module.$n: refreshed\"; done\nwhile :; do echo 'waiting: state lock prod is held by runner-17 since 09:12'; sleep 0.2; done\n"})

case("composite-inner-jest-like", "composite", "design-system", "visual / tokens", [
    {"name": "Set up", "inside": "setup", "run": "echo 'node 20 ready'"},
    {"name": "Tokens", "inside": "tokens", "shell": "bash", "run": "node tokens.js --check | sed 's/^/tokens: /'"}],
    ["node tokens.js --check", ["color.danger.text: contrast 3.1 is below 4.5"]],
    ["color.legacy is deprecated"],
    {"tokens.js": "console.log('warning: color.legacy is deprecated');\nfor (let i = 0; i < 140; i++) console.log(`color.${i}: contrast 7.${i % 10}`);\nconsole.log('color.danger.text: contrast 3.1 is below 4.5');\nfor (let i = 0; i < 40; i++) console.log(`space.${i}: fine`);\nprocess.exitCode = 1;\n"}, unknown=True)

case("unknown-step-gcc", "gcc", "ntpd-lite", "build / clang 14", [{"name": "Lint", "run": "./lint.sh"}, {"name": "Build", "run": "make CC=clang -j2"}],
    ["make CC=clang -j2", ["use of undeclared identifier 'leap_smear'"], ["src/clock.c:3"]],
    ["3 files have no header"],
    {"lint.sh": "#!/bin/sh\necho 'warning: 3 files have no header'\n", "Makefile": "OBJ := $(patsubst %.c,%.o,$(sort $(wildcard src/*.c)))\nall: $(OBJ)\n", **each("src/@.c", "int @;\n", WORDS), "src/clock.c": "int clock_step(int ms) {\n  /* spread it */\n  return ms + leap_smear;\n}\n"}, unknown=True)

case("env-missing-in-python-cli", "python", "notify-cron", "nightly / digest", [{"name": "Digest", "run": "python -m digest send --dry-run", "env": {"DIGEST_TO": "team@example.org"}}],
    ["python -m digest send --dry-run", ["DIGEST_SMTP_URL is not set", "KeyError: 'DIGEST_SMTP_URL'"]],
    ["template footer.txt is empty"],
    {"digest/__init__.py": "", "digest/__main__.py": "import logging, os, sys\nlogging.basicConfig(level=logging.INFO, format='%(asctime)s %(levelname)-8s %(name)s: %(message)s')\nlog = logging.getLogger('digest')\nlog.warning('template footer.txt is empty')\nfor n in range(50): log.info('collected %d items of feed %d', n * 3, n)\nif 'DIGEST_SMTP_URL' not in os.environ:\n    log.critical('DIGEST_SMTP_URL is not set, cannot send to %s', os.environ['DIGEST_TO'])\n    sys.exit(78)\n"})

case("sql-check-constraint-thousands", "sqlite", "geo-import", "import (full)", [{"name": "Import", "run": "python3 gen.py > import.sql\nsqlite3 -bail -echo geo.db < import.sql | tail -n 600"}, {"name": "Count", "run": "sqlite3 geo.db 'select count(*) from place'"}, {"name": "Verify", "run": "python3 verify.py"}],
    ["python3 verify.py", ["place 417: latitude 481.2 is out of range"]],
    ["insert into place values(3,"],
    {"gen.py": "print('create table place(id int, lat real);')\nfor n in range(600): print(f'insert into place values({n}, {481.2 if n == 417 else n / 20});')\n", "verify.py": "import sqlite3, sys\nbad = [r for r in sqlite3.connect('geo.db').execute('select * from place') if abs(r[1]) > 90]\nfor i, lat in bad: print(f'place {i}: latitude {lat} is out of range')\nsys.exit(bool(bad))\n"})
