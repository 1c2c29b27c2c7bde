"""Run the cases of cases.py with real tools and wrap what they print as GitHub's runner does.

A step is run by `bash -e` in /home/runner/work/REPO/REPO, as on a hosted runner, with both streams in one; its exit code
is what it is. The words around it are the runner's: time stamps with seven decimals, a byte order mark, groups,
`##[error]`. Of a case come NAME.raw.log (the job's log), NAME.ghfailed.log (what `gh run view --log-failed` prints: failed
steps only, JOB<tab>STEP<tab> before each line) and NAME.expect.json.
"""

import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import zlib

from cases import CASES
import fresh_a, fresh_b, fresh_c, fresh_d, fresh_e, fresh_f, unseen_again, unseen_last, unseen_since  # noqa: F401,E401  they and unseen.py add their cases to CASES

HERE = pathlib.Path(__file__).resolve().parent
OUT = HERE.parent.parent / "fixtures" / "ci-logs"
RUNNER = pathlib.Path("/home/runner/work")
TOOLS = os.environ["TOOLS"]


class Clock:
    """Times that only go forward, the same for the same case."""

    def __init__(self, name):
        self.random = random.Random(zlib.crc32(name.encode()))
        self.ticks = self.random.randrange(3_600, 80_000) * 10_000_000
        self.day = self.random.randrange(1, 22)

    def __call__(self, step=0.002):
        self.ticks += int(step * 10_000_000 * (0.5 + self.random.random())) + 1
        seconds, rest = divmod(self.ticks, 10_000_000)
        return "2026-11-%02dT%02d:%02d:%02d.%07dZ" % (
            self.day, seconds // 3600 % 24, seconds // 60 % 60, seconds % 60, rest)


def clean(text):
    """What would name this machine, as a hosted runner would have it, and no registry by its host."""
    text = text.replace(TOOLS + "/venv", "/opt/hostedtoolcache/Python/3.11.9/x64")
    text = text.replace(TOOLS + "/js", "/home/runner/tools").replace(TOOLS, "/home/runner/tools")
    text = re.sub(r"/root/\.pyenv/versions/[\d.]+", "/opt/hostedtoolcache/Python/3.11.9/x64", text)
    text = re.sub(r"(npm error request to https://)[^/ ]+", r"\1packages.example", text)
    text = text.replace("/root/", "/home/runner/").replace("root@", "runner@")
    return re.sub(r"\b%s\b" % re.escape(os.uname().nodename), "fv-az1234", text)


def run(script, root, env, shell, limit):
    path = root.parent / "step.sh"
    path.write_text(script + "\n")
    command = ["bash", "-e", str(path)] if shell != "bash" else ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(path)]
    environment = dict(os.environ)
    environment.update(HOME="/home/runner", CI="true", GITHUB_ACTIONS="true", LC_ALL="C.UTF-8", TERM="dumb",
                       GOFLAGS="-mod=mod", GOCACHE=TOOLS + "/gocache", GOTOOLCHAIN="local", PIP_FIND_LINKS="", PIP_CONFIG_FILE="/dev/null", MIX_HOME=TOOLS + "/mix",
                       GIT_CONFIG_GLOBAL=TOOLS + "/gitconfig", CARGO_HOME="/root/.cargo", RUSTUP_HOME="/root/.rustup",
                       PYTHONDONTWRITEBYTECODE="1")
    environment.update(env)
    child = subprocess.Popen(command, cwd=root, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, start_new_session=True)
    try:
        out, _ = child.communicate(timeout=limit)
        code = child.returncode
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        out, _ = child.communicate()
        code = None
    text = clean(out.decode("utf-8", "replace")).replace("/home/runner/work/%s/step.sh" % root.name, "/home/runner/work/_temp/4c1f.sh")
    return text, code if code is None or code >= 0 else 128 - code


def lines_of(text):
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text[:-1].split("\n") if text.endswith("\n") else text.split("\n") if text else []


def marked(line, matcher):
    """Workflow commands and problem matchers, as the runner shows them."""
    found = re.match(r"::(error|warning|notice|debug|group|endgroup)(?: [^:]*)?::(.*)$", line)
    if found:
        return "##[%s]%s" % found.groups()
    return "##[error]" + line if matcher and re.search(matcher, line) else line


class Log:
    def __init__(self, name):
        self.clock = Clock(name)
        self.rows = []  # (step, time, text)

    def add(self, step, text, wait=0.002):
        self.rows.append((step, self.clock(wait), text))


def write_files(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if text.startswith("#!"):
            path.chmod(0o755)


def preamble(log, case):
    for line in ["Current runner version: '2.329.0'", "Runner name: 'GitHub Actions 1000%05d'" % (log.clock.day * 311),
                 "Runner group name: 'GitHub Actions'", "Machine name: 'runnervmf2e7y'", "##[group]Operating System", "Ubuntu",
                 "24.04.3", "LTS", "##[endgroup]", "##[group]Runner Image", "Image: ubuntu-24.04", "Version: 20261112.1.0",
                 "##[endgroup]", "##[group]GITHUB_TOKEN Permissions", "Contents: read", "Metadata: read", "##[endgroup]",
                 "Secret source: Actions", "Prepare workflow directory", "Prepare all required actions",
                 "Getting action download info", "Download action repository 'actions/checkout@v5'",
                 "Complete job name: " + case["job"]]:
        log.add("Set up job", line, 0.01)
    repo = case["repo"]
    for line in ["##[group]Run actions/checkout@v5", "with:", "  repository: example/" + repo, "  token: ***", "  fetch-depth: 1",
                 "##[endgroup]", "Syncing repository: example/" + repo, "##[group]Getting Git version info",
                 "[command]/usr/bin/git version", "git version 2.51.2", "##[endgroup]", "##[group]Fetching the repository",
                 "[command]/usr/bin/git -c protocol.version=2 fetch --no-tags --prune --no-recurse-submodules --depth=1 origin",
                 " * [new ref]         2f1c0de -> pull/%d/merge" % (log.clock.day * 17), "##[endgroup]",
                 "[command]/usr/bin/git log -1 --format=%H", "2f1c0de9a6f3b1d4c5e7a8b9c0d1e2f3a4b5c6d7"]:
        log.add("Check out", line, 0.01)


def make(case):
    name, repo = case["name"], case["repo"]
    top = RUNNER / repo
    shutil.rmtree(top, ignore_errors=True)
    root = top / repo
    root.mkdir(parents=True)
    write_files(root, case.get("files", {}))
    if case.get("prepare"):
        subprocess.run(["bash", "-e", "-c", case["prepare"]], cwd=root, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, env=dict(os.environ, GIT_CONFIG_GLOBAL=TOOLS + "/gitconfig"))
    log = Log(name)
    preamble(log, case)
    failed = []
    for step in case["steps"]:
        script, label = step["run"], step["name"]
        if failed and not step.get("always"):
            continue
        action = step.get("uses")
        if step.get("post"):
            log.add(label, "Post job cleanup.")
        elif action:
            log.add(label, "##[group]Run " + action)
            for line in ["with:"] + ["  " + line for line in step.get("with", [])] + ["##[endgroup]"]:
                log.add(label, line)
        else:
            if step.get("inside"):
                log.add(label, "##[group]Run ./.github/actions/" + step["inside"])
                for line in ["with:", "  mode: full", "##[endgroup]"]:
                    log.add(label, line)
            log.add(label, "##[group]Run " + script.split("\n")[0])
            for line in script.split("\n"):
                log.add(label, "\x1b[36;1m" + line + "\x1b[0m")
            log.add(label, "shell: /usr/bin/bash " + ("--noprofile --norc -e -o pipefail {0}" if step.get("shell") == "bash" else "-e {0}"))
            if step.get("env"):
                log.add(label, "env:")
                for key, value in step["env"].items():
                    log.add(label, "  %s: %s" % (key, value))
            log.add(label, "##[endgroup]")
        text, code = run(script, root, step.get("env", {}), step.get("shell"), step.get("limit", 300))
        for line in lines_of(text):
            log.add(label, marked(line, step.get("matcher")))
        if code is None:
            log.add(label, "##[error]The operation was canceled.", 0.4)
        elif code and not action and not step.get("post"):
            log.add(label, "##[error]Process completed with exit code %d." % code, 0.01)
        if code != 0 and not step.get("may_fail"):
            failed.append((label, code))
    shutil.rmtree(top, ignore_errors=True)
    if not failed:
        print("%s: nothing failed" % name)
        return False
    for line in ["Post job cleanup.", "[command]/usr/bin/git version", "git version 2.51.2",
                 "[command]/usr/bin/git config --local --name-only --get-regexp core\\.sshCommand",
                 "[command]/usr/bin/git config --local --unset-all http.https://github.com/.extraheader"]:
        log.add("Post Check out", line, 0.05)
    log.add("Complete job", "Cleaning up orphan processes", 0.3)
    raw = "".join("%s %s\n" % (time, text) for _, time, text in log.rows)
    steps = [label for label, code in failed if code is not None]
    told, last = [], None
    for label, time, text in log.rows:
        if case.get("unknown"):  # the run's archive has no log of single steps: gh prints the whole job
            told.append("%s\tUNKNOWN STEP\t%s%s %s\n" % (case["job"], "" if last else "\ufeff", time, text))
        elif label in steps:
            told.append("%s\t%s\t%s%s %s\n" % (case["job"], label, "" if label == last else "\ufeff", time, text))
        last = label
    expect = {key: case[key] for key in ("kind", "job", "must_contain_any", "cmd", "must_not_be_claimed")}
    expect["step"] = failed[0][0]
    if not steps:
        expect["only_in_raw"] = True
    folder = OUT / case.get("folder", "held" if case["held"] else "made")
    folder.mkdir(parents=True, exist_ok=True)
    told_by_log = " ".join(re.sub(r"\x1b\[[0-9;]*m", "", raw).split())
    for any_of in case["must_contain_any"]:
        if not any(" ".join(text.split()) in told_by_log for text in any_of):
            print("%s: the log itself has none of %s" % (name, any_of))
    (folder / (name + ".raw.log")).write_text("\ufeff" + raw)
    (folder / (name + ".ghfailed.log")).write_text("".join(told))
    (folder / (name + ".expect.json")).write_text(json.dumps(expect, ensure_ascii=False, indent=1) + "\n")
    print("%s: %d bytes, %s" % (name, len(raw), failed))
    return True


def main():
    pathlib.Path(TOOLS, "gitconfig").write_text(
        "[user]\nname = Dev\nemail = dev@example.org\n[init]\ndefaultBranch = main\n[advice]\nmergeConflict = true\n[safe]\ndirectory = *\n")
    wanted = sys.argv[1:]
    sys.exit(0 if all([make(case) for case in CASES if not wanted or case["name"] in wanted]) else 1)


main()
