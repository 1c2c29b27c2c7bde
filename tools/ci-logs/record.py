#!/usr/bin/env python3
"""record.py [--diff] [--force] CASE.txt...: run the steps of cases of fixtures/ci-logs/ with the tools of this machine, and
write the outputs and exit codes into the case files.  Expectations and scripts stay unchanged.
A case stays unchanged when its steps end otherwise than before, or when its log lacks a text that must be told: mostly a tool
is missing.  --force writes such a case too.  --diff prints the differences and writes no file.

A step is run by `bash -e` in /home/runner/work/REPO/REPO, as on a hosted runner, with both output streams in one.  Paths and
names of this machine are replaced by those of a hosted runner.  The environment variable TOOLS names the folder of the tools
that pip and npm install; record.sh fills that folder.  fixtures/ci-logs/README.md describes the format of a case.
"""

import difflib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

RUNNER = pathlib.Path("/home/runner/work")
HOME = str(pathlib.Path.home())
TOOLS = os.environ.get("TOOLS", "/nonexistent")
ENDS = ("exit", "cancelled", "skipped")


def parts_of(text):
    """Return the parts of the case `text` as lists [mark, lines]; the first part is the head, whose mark is empty."""
    parts = [["", []]]
    for line in text.split("\n")[:-1]:
        if line.startswith("%% "):
            parts.append([line[3:], []])
        else:
            parts[-1][1].append(line)
    return parts


def text_of(parts):
    lines = []
    for mark, below in parts:
        lines += ["%% " + mark] * bool(mark) + below
    return "\n".join(lines) + "\n"


def facts(lines):
    """Return the `lines` of the form `name: value` as {name: [value, ...]}."""
    found = {}
    for name, _, value in (line.partition(": ") for line in lines if line):
        found.setdefault(name, []).append(value)
    return found


def names_of(words):
    """Yield the names that stand after `for`: `3..5` is 3 4 5, and `08..10` is 08 09 10."""
    for word in words:
        found = re.fullmatch(r"(\d+)\.\.(\d+)", word)
        if found:
            first, last = found.groups()
            yield from (str(n).zfill(len(first)) for n in range(int(first), int(last) + 1))
        else:
            yield word


def files_of(parts):
    """Return the files of a case as {path: text}.  A file with `for` is made once for each name: the name replaces @ in path
    and text, and @@ becomes one @."""
    files = {}
    for mark, lines in parts:
        word, *words = mark.split(" ")
        if word != "file":
            continue
        text = "".join(line + "\n" for line in lines)
        if words[1:2] != ["for"]:
            files[words[0]] = text
            continue
        for name in names_of(words[2:]):
            files[words[0].replace("@", name)] = "@".join(piece.replace("@", name) for piece in text.split("@@"))
    return files


def set_up(parts, root):
    shutil.rmtree(root.parent, ignore_errors=True)
    root.mkdir(parents=True)
    for name, text in files_of(parts).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if text.startswith("#!"):
            path.chmod(0o755)
    for mark, lines in parts:
        if mark == "prepare":
            subprocess.run(["bash", "-e", "-c", "\n".join(lines)], cwd=root, check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, env=dict(os.environ, GIT_CONFIG_GLOBAL=git_config()))


def git_config():
    path = RUNNER / "gitconfig"
    path.write_text("[user]\nname = Dev\nemail = dev@example.org\n[init]\ndefaultBranch = main\n"
                    "[advice]\nmergeConflict = true\n[safe]\ndirectory = *\n")
    return str(path)


def clean(text):
    """Return `text` with the names of this machine replaced by a hosted runner's, and with no package registry's host name."""
    python = "/opt/hostedtoolcache/Python/3.11.9/x64"
    text = text.replace(TOOLS + "/venv", python).replace(TOOLS + "/js", "/home/runner/tools")
    text = text.replace(TOOLS, "/home/runner/tools")
    text = re.sub(re.escape(HOME) + r"/\.pyenv/versions/[\d.]+", python, text)
    text = re.sub(r"(npm error request to https://)[^/ ]+", r"\1packages.example", text)
    text = text.replace(HOME + "/", "/home/runner/").replace("root@", "runner@")
    return re.sub(r"\b%s\b" % re.escape(os.uname().nodename), "fv-az1234", text)


def run(script, root, step):
    """Run `script` as the step `step`; return the lines of its output and its exit code, or None after the time limit."""
    path = root.parent / "step.sh"
    path.write_text(script + "\n")
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail"] if "shell" in step else ["bash", "-e"]
    environment = dict(os.environ)
    environment.pop("OLDPWD", None)  # a tool may print its environment; better: call this script below `env -i`
    environment.setdefault("CARGO_HOME", HOME + "/.cargo")
    environment.setdefault("RUSTUP_HOME", HOME + "/.rustup")
    environment.update(HOME="/home/runner", CI="true", GITHUB_ACTIONS="true", LC_ALL="C.UTF-8", TERM="dumb", GOFLAGS="-mod=mod",
                       GOCACHE=TOOLS + "/gocache", GOTOOLCHAIN="local", PIP_FIND_LINKS="", PIP_CONFIG_FILE="/dev/null",
                       MIX_HOME=TOOLS + "/mix", GIT_CONFIG_GLOBAL=git_config(), PYTHONDONTWRITEBYTECODE="1")
    environment.update(value.split(": ", 1) for value in step.get("env", []))
    child = subprocess.Popen(shell + [str(path)], cwd=root, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, start_new_session=True)
    try:
        out, _ = child.communicate(timeout=int(step.get("limit", ["300"])[0]))
        code = child.returncode if child.returncode >= 0 else 128 - child.returncode
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        out, _ = child.communicate()
        code = None
    text = clean(out.decode("utf-8", "replace")).replace(str(path), "/home/runner/work/_temp/4c1f.sh")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return [marked(line, step.get("matcher", [None])[0]) for line in text.removesuffix("\n").split("\n") if text], code


def marked(line, matcher):
    """Return `line` as the runner shows it: with a workflow command rewritten, or marked by the problem matcher `matcher`."""
    found = re.match(r"::(error|warning|notice|debug|group|endgroup)(?: [^:]*)?::(.*)$", line)
    if found:
        return "##[%s]%s" % found.groups()
    return "##[error]" + line if matcher and re.search(matcher, line) else line


def record(name, text):
    """Record the case `name` with the content `text` again; return the new text and a list of faults.  The text is None where
    the case cannot be recorded."""
    parts = parts_of(text)
    head = facts(parts[0][1])
    if "repo" not in head:
        return None, ["it was recorded elsewhere and has no files"]
    root = RUNNER / head["repo"][0] / head["repo"][0]
    set_up(parts, root)
    new, failed, step = [], [], {}
    for mark, lines in parts:
        word = mark.split(" ")[0]
        if word in ("output",) + ENDS:
            continue
        new.append([mark, lines])
        if word == "step":
            label, step = mark[len("step "):], facts(lines)
        if word not in ("run", "stand-in"):
            continue
        if failed and "always" not in step:
            new.append(["skipped", [""]])
            continue
        out, code = run("\n".join(lines), root, step)
        if word == "stand-in" and "uses" not in step:
            out.insert(0, "Post job cleanup.")
        if any(line.startswith("%% ") for line in out):
            raise SystemExit("%s: a line of the output begins as a mark does" % name)
        new += [["output", out]] * bool(out) + [["cancelled" if code is None else "exit %d" % code, [""]]]
        if code != 0 and "may fail" not in step:
            failed.append(label)
    shutil.rmtree(root.parent, ignore_errors=True)
    if new[-1][1] == [""]:
        new[-1][1] = []
    ends = [[mark for mark, _ in these if mark.split(" ")[0] in ENDS] for these in (parts, new)]
    wrong = []
    if ends[0] not in ([], ends[1]):
        wrong.append("in the file its steps end by %s, in this run by %s" % tuple(", ".join(of) for of in ends))
    if failed[:1] != head["step"]:
        wrong.append("another step failed first; all that failed: %s" % ", ".join(failed))
    wrong += ["the log has none of: %s" % " | ".join(texts) for texts in untold(parts[0][1], text_of(new[1:]))]
    return text_of(new), wrong


def untold(head, log):
    """Return the lists of texts of `head` (one text of each list must be told) of which `log` has none.  Lists with a sentence
    of the runner's own are left out."""
    log = " ".join(re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", log).split())
    lists = []
    for name, _, value in (line.partition(": ") for line in head):
        if name in ("command", "tell"):
            lists.append([value])
        elif name == "or":
            lists[-1].append(value)
    own = re.compile(r"exit code \d+|The operation was canceled")
    return [texts for texts in lists if not any(own.search(text) or " ".join(text.split()) in log for text in texts)]


def main(arguments):
    RUNNER.mkdir(parents=True, exist_ok=True)
    kept = 0
    for name in (argument for argument in arguments if not argument.startswith("--")):
        with open(name, encoding="utf-8", newline="") as file:
            old = file.read()
        new, wrong = record(name, old)
        for line in wrong:
            print("%s: %s" % (name, line))
        if new is None or wrong and not {"--diff", "--force"} & set(arguments):
            kept += 1
            continue
        if "--diff" in arguments:
            sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True), name, "recorded", n=0))
        else:
            with open(name, "w", encoding="utf-8", newline="") as file:
                file.write(new)
        print("%s: %s" % (name, "unchanged" if new == old else "differs"))
    return 1 if kept else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
