#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ask net_diagnose about the broken networks of fixtures/networks, and count how often it is right.

    diagnoses.py [--user] [--half ours|other] [--quick] [--say] [NAME...]

Each network is made by networks.py, and a real Emacs on its client calls the tool; with --user as
an ordinary user.  An answer is right if its first line (below the header) matches each `first`
regex of the network, and false if any line matches one of `never`.  The networks are of two
halves, by their names alone: the rules are set on `ours`; `other` only judges.  --say prints the
answers that are wrong, but never those of the other half.  --quick takes the networks of QUICK,
the faults that people meet most.  Ends with 1 where a goal is missed: the cause on the first line in 0.85 of the
broken networks as root and in 0.75 as an ordinary user, sound networks told to be sound, and
nothing false.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import tomllib
import zlib
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
NETWORKS = os.path.join(ROOT, "fixtures", "networks")


def half(name):
    return "ours" if zlib.crc32(name.encode()) % 2 == 0 else "other"


def emacs():
    """Return the file of an Emacs: EMACS of the environment, or the first one that deps provided."""
    if os.environ.get("EMACS"):
        return os.environ["EMACS"]
    with open(os.path.join(ROOT, ".deps", "emacs", "list"), encoding="utf-8") as file:
        return file.readline().strip()


# One of each kind of fault that people meet most.
QUICK = [
    "accept-reset", "dns-all-dead", "dns-nxdomain", "fw-drop-port", "fw-reject-admin", "gateway-dead",
    "http-503", "interface-down", "loss-30", "mtu-black-hole", "no-default-route", "own-firewall-drop",
    "port-closed", "proxy-refused", "routing-loop", "sound-http", "sound-no-ping", "sound-ssh",
    "tls-expired", "tls-wrong-name", "v6-dropped", "v6-only-name",
]


def ask(name, scenario, user):
    """Return what net_diagnose answers in the network `name`, as a dictionary."""
    words = ["target=" + scenario["target"]]
    if "port" in scenario:
        words.append(f"port={scenario['port']}")
    # The home directory of the Emacs goes with it.
    script = 'HOME=$(mktemp -d) && export HOME && "$@"; code=$?; rm -rf "$HOME"; exit $code'
    command = [sys.executable, os.path.join(HERE, "networks.py"), "run"]
    command += ["--user"] if user else []
    command += [name, "--", "sh", "-c", script, "sh", emacs(), "-Q", "--batch"]
    command += ["-l", os.path.join(ROOT, "test", "setup", "init.el")]
    command += ["-l", os.path.join(HERE, "diagnose.el"), *words]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    for line in ran.stdout.splitlines():
        if line.startswith("{"):
            return json.loads(line)
    print(f"{name} gave no answer:\n{ran.stdout}{ran.stderr}", file=sys.stderr)
    return {"ms": 0, "gap": 0, "tokens": 0, "text": ""}


def judge(scenario, answer, user):
    """Return whether the first line is right, and the false statements."""
    lines = answer["text"].splitlines()[1:] or [""]
    first = scenario.get("first_user" if user else "first", scenario["first"])
    right = all(re.search(one, lines[0]) for one in first)
    text = "\n".join(lines)
    return right, [one.group() for one in (re.search(no, text) for no in scenario["never"]) if one]


def main():
    words = sys.argv[1:]
    user, say = "--user" in words, "--say" in words
    wanted = words[words.index("--half") + 1] if "--half" in words else None
    skip = {"--user", "--say", "--half", "--quick", wanted}
    names = [word for word in words if word not in skip]
    if "--quick" in words:
        names = QUICK
    if not names:
        names = sorted(file[:-5] for file in os.listdir(NETWORKS) if file.endswith(".toml"))
        names = [name for name in names if wanted in (None, half(name))]
    scenarios = {}
    for name in names:
        with open(os.path.join(NETWORKS, name + ".toml"), "rb") as file:
            scenarios[name] = tomllib.load(file)
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda name: ask(name, scenarios[name], user), names))
    rows, counts = [], {}
    for name, answer in zip(names, answers):
        scenario = scenarios[name]
        right, wrong = judge(scenario, answer, user)
        family = "sound" if scenario.get("sound") else scenario["family"]
        count = counts.setdefault((half(name), family), [0, 0, 0])
        for at, one in enumerate([1, right, bool(wrong)]):
            count[at] += one
        rows.append((name, right, wrong, answer))
        if say and half(name) == "ours" and (wrong or not right):
            print(f"=== {name}: {'right' if right else 'NOT RIGHT'}, false: {wrong}")
            print(f"    {scenario['cause']}\n{answer['text']}")
    print(f"as {'an ordinary user' if user else 'root'}, load {os.getloadavg()[0]:.1f}")
    missed = []
    for part in ("ours", "other"):
        for sound in (False, True):
            some = [counts[key] for key in counts if key[0] == part and (key[1] == "sound") == sound]
            total, right, wrong = (sum(one[at] for one in some) for at in range(3))
            if total:
                kind = "sound" if sound else "broken"
                goal = 1 if sound else 0.75 if user else 0.85
                if wrong or right / total < goal:
                    missed.append(f"{part} {kind}")
                print(f"{part:6} {kind:6} {right:3} of {total:3} = {right / total:.2f}, "
                      f"false in {wrong}")
    for (part, family), (total, right, wrong) in sorted(counts.items()):
        print(f"  {part:6} {family:16} {right:3} of {total:3}, false in {wrong}")
    for kind in ("broken", "sound"):
        some = [row[3] for row in rows if bool(scenarios[row[0]].get("sound")) == (kind == "sound")]
        if some:
            for unit in ("ms", "tokens", "gap"):
                values = [answer[unit] for answer in some]
                print(f"{kind} {unit}: median {statistics.median(values):.0f}, most {max(values)}")
    print("goals missed: " + ", ".join(missed) if missed else "goals met")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
