#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small, real, broken networks, made of Linux network namespaces.

    networks.py list                          a line of JSON for each scenario
    networks.py run [--user] NAME -- COMMAND  make the network, run COMMAND on its client, remove it all
    networks.py check [-j N] [NAME...]        verify with ordinary tools that the faults are there
    networks.py clean                         remove what a killed networks.py left behind

What a scenario's cause is, and what a report about it must and must not say, stands in
fixtures/networks/NAME.toml; how its network is made stands in the function of that name below.
"""

import contextlib
import ctypes
import fcntl
import glob
import heapq
import json
import os
import re
import select
import shutil
import signal
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
NETWORKS = os.path.join(HERE, "..", "..", "fixtures", "networks")
NOBODY = 65534

CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWPID, CLONE_NEWNET = 0x20000, 0x4000000, 0x20000000, 0x40000000
MS_BIND, MS_REC, MS_PRIVATE, MNT_DETACH = 0x1000, 0x4000, 0x40000, 2
PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38
TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 1, 0x1000
SIOCETHTOOL = 0x8946
OFFLOADS = {"tso": 0x1F, "gso": 0x24, "gro": 0x2C}

libc = ctypes.CDLL(None, use_errno=True)
SCENARIOS = {}


def call(name, *args):
    """Call a function of the C library; an error becomes an OSError."""
    if getattr(libc, name)(*args) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def mount(source, target, kind, flags=0):
    call("mount", source.encode(), target.encode(), kind.encode() if kind else None, flags, None)


def scenario(function):
    """Register a function that makes the network of the scenario of its name."""
    SCENARIOS[function.__name__.replace("_", "-")] = function
    return function


class Lab:
    """One network: its namespaces, files, servers and checks."""

    def __init__(self, name):
        self.name = name
        self.prefix = f"lab{os.getpid()}-"
        self.spaces = []
        self.dir = tempfile.mkdtemp(prefix=self.prefix)
        os.chmod(self.dir, 0o755)
        self.home = os.open("/proc/self/ns/net", os.O_RDONLY)
        self.services = []
        self.checks = []
        self.children = []
        self.v6 = False
        self.files = {
            "resolv.conf": "nameserver 10.1.0.53\n",
            "hosts": "127.0.0.1 localhost\n::1 localhost\n127.0.1.1 client\n",
            "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
            "gai.conf": "",
        }
        self.authorities = None

    # Namespaces and links

    def full(self, space):
        return self.prefix + space

    @contextlib.contextmanager
    def inside(self, space):
        """This process is in another network namespace for a while."""
        with open(f"/run/netns/{self.full(space)}", encoding="ascii") as handle:
            call("setns", handle.fileno(), CLONE_NEWNET)
        try:
            yield
        finally:
            call("setns", self.home, CLONE_NEWNET)

    def batch(self, lines, *options):
        done = subprocess.run(["ip", *options, "-batch", "-"], input="\n".join(lines) + "\n",
                              text=True, capture_output=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{self.name}: ip {' '.join(options)}: {done.stderr}\n{lines}")

    def create(self, *spaces, routers=()):
        self.spaces += spaces
        self.batch([f"netns add {self.full(space)}" for space in spaces])
        for space in spaces:
            settings = {"ipv6/conf/all/accept_dad": 0, "ipv6/conf/default/accept_dad": 0,
                        "ipv6/conf/default/accept_ra": 0, "ipv6/conf/all/accept_ra": 0}
            if space in routers:
                settings |= {"ipv4/ip_forward": 1, "ipv6/conf/all/forwarding": 1}
                settings |= {"ipv4/conf/all/send_redirects": 0,
                             "ipv4/conf/default/send_redirects": 0}
            if space == "client":
                settings["ipv4/ping_group_range"] = "0 2147483647"
            self.sysctl(space, settings)
            self.ip(space, "link set lo up")

    def sysctl(self, space, settings):
        with self.inside(space):
            for key, value in settings.items():
                with open(f"/proc/sys/net/{key}", "w", encoding="ascii") as handle:
                    handle.write(str(value))

    def links(self, *pairs):
        """Each pair is "space.interface space.interface"."""
        lines, ends = [], {}
        for pair in pairs:
            (one, dev1), (two, dev2) = (end.split(".") for end in pair.split())
            lines.append(f"link add {dev1} netns {self.full(one)} type veth "
                         f"peer name {dev2} netns {self.full(two)}")
            ends.setdefault(one, []).append(f"link set {dev1} up")
            ends.setdefault(two, []).append(f"link set {dev2} up")
        self.batch(lines)
        for space, ups in ends.items():
            self.ip(space, *ups)

    def ip(self, space, *commands):
        """Run ip(8) commands in a namespace. IPv6 ones begin with "-6"; they need no batch."""
        plain = [line for line in commands if not line.startswith("-")]
        if plain:
            self.batch(plain, "-n", self.full(space))
        for line in commands:
            if line.startswith("-"):
                subprocess.run(["ip", "-n", self.full(space), *line.split()], check=True)

    def nft(self, space, chain, *rules):
        """Add a filter chain of this name and hook ("output", "input", "forward")."""
        text = "table inet site {\n chain %s {\n  type filter hook %s priority 0;\n  %s\n }\n}\n"
        self.nft_raw(space, text % (chain, chain, "\n  ".join(rules)))

    def nft_raw(self, space, text):
        subprocess.run(["ip", "netns", "exec", self.full(space), "nft", "-f", "-"],
                       input=text, text=True, check=True)

    def no_offload(self, space, *devices):
        """Switch off segmentation offloads, so that a link really limits the size of packets."""
        with self.inside(space), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
            for device in devices:
                for number in OFFLOADS.values():
                    value = ctypes.create_string_buffer(struct.pack("II", number, 0))
                    request = struct.pack("16sP", device.encode(), ctypes.addressof(value))
                    fcntl.ioctl(sock, SIOCETHTOOL, request.ljust(40, b"\0"))

    # Servers

    def tcp(self, space, port, handler, *addresses, backlog=50):
        for address in addresses or (("0.0.0.0", "::") if self.v6 else ("0.0.0.0",)):
            self.services.append((space, tcp_server, (address, port, handler, backlog)))

    def dns(self, space, address, zone, **how):
        self.services.append((space, dns_server, (address, zone, how)))

    def later(self, space, function, *args):
        """Call function(*args) in the server process, in this namespace."""
        self.services.append((space, function, args))

    def start(self):
        """Start all servers in one process; return when all of them listen."""
        ready, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                os.close(ready)
                parent_death_kills()
                for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                    signal.signal(number, signal.SIG_IGN)
                log = os.open(f"{self.dir}/server.log", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
                null = os.open("/dev/null", os.O_RDWR)
                for source, target in ((null, 0), (log, 1), (log, 2)):
                    os.dup2(source, target)
                for space, function, args in self.services:
                    with self.inside(space):
                        function(*args)
                os.write(write, b"y")
                while True:
                    signal.pause()
            except BaseException:
                import traceback
                traceback.print_exc()
            finally:
                os._exit(1)
        self.children.append(pid)
        os.close(write)
        answer = os.read(ready, 1)
        os.close(ready)
        if answer != b"y":
            with open(f"{self.dir}/server.log", encoding="utf-8") as handle:
                raise RuntimeError(f"{self.name}: the servers do not start: {handle.read()}")

    # The client

    def write_files(self):
        for name, text in self.files.items():
            with open(f"{self.dir}/{name}", "w", encoding="ascii") as handle:
                handle.write(text)
        if self.authorities:
            certs = f"{self.dir}/certs"
            os.mkdir(certs)
            shutil.copy(self.authorities, f"{certs}/ca-certificates.crt")
            number = subprocess.run(["openssl", "x509", "-hash", "-noout", "-in",
                                     self.authorities], capture_output=True, text=True,
                                    check=True).stdout.strip()
            os.symlink("ca-certificates.crt", f"{certs}/{number}.0")

    def dress(self, space):
        """In the new mount namespace: the scenario's own files, /proc and /sys."""
        mount("none", "/", None, MS_REC | MS_PRIVATE)
        mount("proc", "/proc", "proc")
        libc.umount2(b"/sys", MNT_DETACH)
        with contextlib.suppress(OSError):
            mount("sysfs", "/sys", "sysfs")
        mount("none", "/run/netns", "tmpfs")
        for name in self.files:
            target = os.path.realpath(f"/etc/{name}")
            if os.path.exists(target):
                mount(f"{self.dir}/{name}", target, None, MS_BIND)
        if self.authorities and os.path.isdir("/etc/ssl/certs"):
            mount(f"{self.dir}/certs", "/etc/ssl/certs", None, MS_BIND)
        host = space.encode()
        call("sethostname", host, len(host))

    def execute(self, command, space="client", user=False, env=None, out=None):
        """Run a command in a namespace, in its own mounts and process ids; return its code."""
        pid = os.fork()
        if pid == 0:
            try:
                parent_death_kills()
                if out is not None:
                    os.dup2(out, 1)
                    os.dup2(out, 2)
                os._exit(self.confine(command, space, user, env or {}))
            except BaseException as error:
                print(f"networks.py: {error}", file=sys.stderr)
            finally:
                sys.stderr.flush()
                os._exit(125)
        self.children.append(pid)
        code = exit_code(os.waitpid(pid, 0)[1])
        self.children.remove(pid)
        return code

    def confine(self, command, space, user, env):
        with open(f"/run/netns/{self.full(space)}", encoding="ascii") as handle:
            call("setns", handle.fileno(), CLONE_NEWNET)
        call("unshare", CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWUTS)
        first = os.fork()
        if first:
            return exit_code(os.waitpid(first, 0)[1])
        parent_death_kills()
        forget_arguments()
        self.dress(space)
        pid = os.fork()
        if pid:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            while True:
                gone, status = os.wait()
                if gone == pid:
                    return exit_code(status)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        clean = {key: value for key, value in os.environ.items()
                 if not key.lower().endswith("_proxy") and not key.startswith("SSL_")}
        clean |= env
        if user:
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
            call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
            clean |= {"HOME": "/nonexistent", "USER": "nobody", "LOGNAME": "nobody"}
        try:
            os.execvpe(command[0], command, clean)
        except FileNotFoundError:
            print(f"networks.py: {command[0]}: not found", file=sys.stderr)
            return 127
        except OSError as error:
            print(f"networks.py: {command[0]}: {error.strerror}", file=sys.stderr)
            return 126

    # What "networks.py check" tries

    def check(self, command, want, space="client", user=False):
        """The command's output, then [exit N], must match want ("!..." must not)."""
        self.checks.append((space, command, want, user))

    def check_ping(self, address, up=True, space="client"):
        self.check(f"ping -n -c1 -W1 {address}", "1 received" if up else "!1 received", space)

    def check_tcp(self, address, port, want, space="client"):
        """want: open, refused, timeout, no-route (host unreachable), net-unreachable"""
        words = {"open": "succeeded", "refused": "refused", "timeout": "timed out",
                 "no-route": "No route to host", "net-unreachable": "Network is unreachable"}
        wait = 5 if want == "no-route" else 2
        self.check(f"nc -nvz -w{wait} {address} {port}", words[want], space)

    def check_http(self, url, want="200", space="client", options=""):
        """want: the status code, or "000" and a piece of curl's message"""
        self.check(f"curl -sS -m3 -o /dev/null -w '[%{{http_code}}]' {options} {url}",
                   rf"\[{want}\]" if want.isdigit() else want, space)

    def check_dig(self, question, want):
        self.check(f"dig +time=2 +tries=1 {question}", want)

    def check_others(self, name=True):
        """The rest of the network is well: a machine on the link, another one far away."""
        if name:
            self.check_http("http://box.corp.test/")
            self.check_http("http://other.corp.test/")
        else:
            self.check_http("http://10.1.0.30/")
            self.check_http("http://10.3.0.81/")

    def remove(self):
        for pid in list(self.children):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)
        names = [self.full(space) for space in self.spaces]
        remove_spaces([name for name in names if os.path.exists(f"/run/netns/{name}")])
        shutil.rmtree(self.dir, ignore_errors=True)
        os.close(self.home)


def remove_spaces(names):
    if names:
        subprocess.run(["ip", "-force", "-batch", "-"], text=True, check=False,
                       input="".join(f"netns del {name}\n" for name in names))


def parent_death_kills():
    call("prctl", PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def forget_arguments():
    """Empty this process's command line, which names the scenario, in the list of processes."""
    with open("/proc/self/stat", encoding="ascii") as handle:
        fields = handle.read().rpartition(")")[2].split()
    start, end = int(fields[45]), int(fields[46])
    ctypes.memset(start, 0, end - start)


def exit_code(status):
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


# Servers: each is called in its namespace, makes its sockets and starts its threads.

def thread(function, *args):
    threading.Thread(target=function, args=args, daemon=True).start()


def tcp_server(address, port, handler, backlog):
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if family == socket.AF_INET6:
        sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        sock.setsockopt(socket.IPPROTO_IPV6, 78, 1)  # IPV6_FREEBIND
    else:
        sock.setsockopt(socket.SOL_IP, 15, 1)  # IP_FREEBIND: also while the interface is down
    sock.bind((address, port))
    sock.listen(backlog)
    if handler:
        thread(accept_all, sock, handler)
    else:
        KEPT.append(sock)


KEPT = []


def accept_all(sock, handler):
    while True:
        conn, _ = sock.accept()
        thread(serve_one, conn, handler)


def serve_one(conn, handler):
    with contextlib.suppress(OSError), conn:
        conn.settimeout(60)
        handler(conn)


def banner(text=b"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n"):
    """A server that talks first, as SSH does."""
    def handle(conn):
        conn.sendall(text)
        conn.recv(4096)
        time.sleep(0.2)
    return handle


def silent(conn):
    """Accept, read, say nothing."""
    while conn.recv(4096):
        pass


def reset(conn):
    time.sleep(0.05)
    conn.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def reset_on_data(conn):
    conn.recv(4096)
    reset(conn)


def close_at_once(_conn):
    """The caller closes the connection."""


def answer_bytes(data):
    """Whatever is asked, answer these bytes and close."""
    def handle(conn):
        conn.recv(4096)
        conn.sendall(data)
    return handle


def read_head(conn):
    data = b""
    while b"\r\n\r\n" not in data and len(data) < 65536:
        more = conn.recv(4096)
        if not more or (not data and more[0] < 32):
            return None
        data += more
    return data.decode("latin-1")


def http(status="200 OK", body=b"hello\n", headers=(), delay=0):
    """A web server with one answer; what is no HTTP request gets a 400, as nginx does."""
    def handle(conn):
        head = read_head(conn)
        if delay:
            time.sleep(delay)
        say = status if head else "400 Bad Request"
        lines = [f"HTTP/1.1 {say}", "Server: web", f"Content-Length: {len(body)}",
                 "Content-Type: text/html", "Connection: close", *headers]
        data = ("\r\n".join(lines) + "\r\n\r\n").encode()
        conn.sendall(data if head and head.startswith("HEAD ") else data + body)
        conn.shutdown(socket.SHUT_WR)
        conn.recv(4096)
    return handle


def tls(context, handler):
    """handler in TLS; plain HTTP gets a 400 in plain text, as from nginx."""
    def handle(conn):
        if conn.recv(1, socket.MSG_PEEK)[:1].isalpha():
            body = b"<h1>400 Bad Request</h1>The plain HTTP request was sent to HTTPS port\n"
            return http("400 Bad Request", body)(conn)
        with context.wrap_socket(conn, server_side=True,
                                 do_handshake_on_connect=False) as wrapped:
            try:
                wrapped.do_handshake()
            except ssl.SSLError:
                # Read what is still to come, or else closing resets the alert just sent away.
                socket.socket.shutdown(wrapped, socket.SHUT_WR)
                while socket.socket.recv(wrapped, 4096):
                    pass
                return None
            handler(wrapped)
        return None
    return handle


def proxy(status=None):
    """An HTTP proxy: CONNECT and plain requests. With a status it refuses all with that."""
    def handle(conn):
        head = read_head(conn)
        if not head:
            return
        if status:
            more = "Proxy-Authenticate: Basic realm=proxy\r\n" if status[:3] == "407" else ""
            conn.sendall(f"HTTP/1.1 {status}\r\n{more}Content-Length: 0\r\n"
                         "Connection: close\r\n\r\n".encode())
            return
        method, where, _ = head.split(" ", 2)
        if method != "CONNECT":
            where = where.split("/")[2]
        host, _, port = where.partition(":")
        known = {"app.corp.test": "10.2.0.80", "other.corp.test": "10.3.0.81"}
        try:
            there = socket.create_connection((known.get(host, host), int(port or 80)), 3)
        except OSError:
            conn.sendall(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
            return
        if method == "CONNECT":
            conn.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            there.sendall(head.replace(f"http://{where}", "", 1).encode("latin-1"))
        pump(conn, there)
    return handle


def pump(one, two):
    with two:
        while True:
            ready, _, _ = select.select([one, two], [], [], 30)
            if not ready:
                return
            for sock in ready:
                data = sock.recv(65536)
                if not data:
                    return
                (two if sock is one else one).sendall(data)


# DNS

TYPES = {"A": 1, "NS": 2, "CNAME": 5, "SOA": 6, "AAAA": 28}
RCODES = {"NOERROR": 0, "SERVFAIL": 2, "NXDOMAIN": 3, "REFUSED": 5}


def dns_name(name):
    parts = [part for part in name.split(".") if part]
    return b"".join(bytes([len(part)]) + part.encode() for part in parts) + b"\0"


def dns_record(owner, kind, data):
    head = struct.pack("!HHIH", TYPES[kind], 1, 60, len(data))
    return dns_name(owner) + head + data


def dns_answers(zone, name, kind):
    """The records for a question, CNAMEs followed, and the response code."""
    found, seen = [], set()
    while name not in seen:
        seen.add(name)
        values = zone.get(name)
        if values is None:
            return found, "NXDOMAIN"
        if isinstance(values, str) and values in RCODES:
            return found, values
        values = [values] if isinstance(values, str) else values
        alias = [value[6:] for value in values if value.startswith("CNAME ")]
        if alias:
            found.append(dns_record(name, "CNAME", dns_name(alias[0])))
            name = alias[0]
            continue
        for value in values:
            if kind == TYPES["A"] and ":" not in value:
                found.append(dns_record(name, "A", socket.inet_aton(value)))
            if kind == TYPES["AAAA"] and ":" in value:
                found.append(dns_record(name, "AAAA", socket.inet_pton(socket.AF_INET6, value)))
        break
    return found, "NOERROR"


def dns_reply(query, zone, how, over_tcp):
    place, labels = 12, []
    while query[place]:
        labels.append(query[place + 1:place + 1 + query[place]].decode("latin-1").lower())
        place += 1 + query[place]
    question = query[12:place + 5]
    kind = struct.unpack("!H", query[place + 1:place + 3])[0]
    if kind in [TYPES[each] for each in how.get("ignore", ())]:
        return None
    found, code = dns_answers(zone, ".".join(labels), kind)
    code = how.get("rcode", code)
    if how.get("rcode"):
        found = []
    flags = 0x8080 | (query[2] & 1) << 8 | RCODES[code]
    if how.get("truncate") and not over_tcp:
        found, flags = [], flags | 0x0200
    authority = b""
    if not found and code in ("NOERROR", "NXDOMAIN") and not flags & 0x0200:
        top = how.get("top", "corp.test")
        data = dns_name(f"ns.{top}") + dns_name(f"admin.{top}")
        authority = dns_record(top, "SOA", data + struct.pack("!5I", 1, 60, 60, 60, 60))
    head = query[:2] + struct.pack("!5H", flags, 1, len(found), 1 if authority else 0, 0)
    return head + question + b"".join(found) + authority


def dns_server(address, zone, how):
    """A small resolver. how: rcode, delay, truncate, tcp=False, reply_from=ADDRESS,
    top=ZONE of the SOA record, ignore=TYPES of questions that get no answer."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_DGRAM)
    sock.bind((address, 53))
    back = sock
    if how.get("reply_from"):
        back = socket.socket(family, socket.SOCK_DGRAM)
        back.bind((how["reply_from"], 53))

    def listen():
        while True:
            query, peer = sock.recvfrom(4096)
            with contextlib.suppress(IndexError, struct.error, OSError):
                reply = dns_reply(query, zone, how, False)
                if reply is None:
                    continue
                threading.Timer(how.get("delay", 0), back.sendto, (reply, peer)).start()

    def stream(conn):
        while True:
            head = conn.recv(2)
            if len(head) < 2:
                return
            reply = dns_reply(conn.recv(4096), zone, how, True)
            if reply is None:
                continue
            time.sleep(how.get("delay", 0))
            conn.sendall(struct.pack("!H", len(reply)) + reply)

    thread(listen)
    if how.get("tcp", True):
        tcp_server(address, 53, stream, 20)


# Packets through user space: tunnels and slow links

def open_tun(name):
    handle = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(handle, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
    return handle


def swallow(name):
    """The far end of a tunnel that takes all packets and gives none."""
    handle = open_tun(name)

    def read():
        while True:
            os.read(handle, 65536)
    thread(read)


def tunnel_pair(lab, near, far):
    """A tunnel between two namespaces: what enters one end comes out of the other."""
    handles = []
    for space, name in (near, far):
        with lab.inside(space):
            handles.append(open_tun(name))

    def copy(source, target):
        while True:
            with contextlib.suppress(OSError):
                os.write(target, os.read(source, 65536))

    thread(copy, *handles)
    thread(copy, *reversed(handles))


def untouched(packet):
    """Give back the hop that the way through the slow link takes, so that it counts none."""
    if packet[0] >> 4 == 6:
        return packet[:7] + bytes([packet[7] + 1]) + packet[8:]
    size = (packet[0] & 15) * 4
    head = bytearray(packet[:size])
    head[8] += 1
    head[10:12] = b"\0\0"
    total = sum(struct.unpack(f"!{size // 2}H", head))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    head[10:12] = struct.pack("!H", ~total & 0xFFFF)
    return bytes(head) + packet[size:]


def slow_link(name, delay):
    """Give back each packet that comes out of this tun device after some seconds."""
    handle = open_tun(name)
    waiting, wake = [], threading.Condition()

    def read():
        count = 0
        while True:
            packet = os.read(handle, 65536)
            with wake:
                count += 1
                heapq.heappush(waiting, (time.monotonic() + delay, count, packet))
                wake.notify()

    def write():
        while True:
            with wake:
                while not waiting:
                    wake.wait()
                due, _, packet = waiting[0]
                now = time.monotonic()
                if due > now:
                    wake.wait(due - now)
                    continue
                heapq.heappop(waiting)
            with contextlib.suppress(OSError):
                os.write(handle, untouched(packet))

    thread(read)
    thread(write)


# Certificates

def certificate(lab, name, issuer=None, names=(), authority=False, start=-30, end=300,
                subject=None):
    """Make NAME.key and NAME.pem in the lab's directory, signed by issuer or by itself."""
    base = f"{lab.dir}/{name}"
    with open(f"{base}.cnf", "w", encoding="ascii") as handle:
        handle.write(f"""[ca]
default_ca = d
[d]
database = {base}.index
new_certs_dir = {lab.dir}
serial = {base}.serial
default_md = sha256
policy = p
unique_subject = no
[p]
commonName = supplied
organizationName = optional
[req]
distinguished_name = n
prompt = no
[n]
[x]
basicConstraints = critical,CA:{'TRUE' if authority else 'FALSE'}
keyUsage = critical,{'keyCertSign,cRLSign' if authority else 'digitalSignature'}
subjectKeyIdentifier = hash
""")
        if names:
            handle.write("subjectAltName = " + ",".join(
                ("IP:" if re.fullmatch(r"[\d.]+|.*:.*", each) else "DNS:") + each
                for each in names) + "\n")
    open(f"{base}.index", "w", encoding="ascii").close()
    with open(f"{base}.serial", "w", encoding="ascii") as handle:
        handle.write("4A" + os.urandom(8).hex().upper() + "\n")

    def day(number):
        return time.strftime("%Y%m%d%H%M%SZ", time.gmtime(time.time() + number * 86400))

    signer = f"{lab.dir}/{issuer or name}"
    own = ["-selfsign"] if issuer is None else ["-cert", f"{signer}.pem"]
    for command in (
            ["req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
             "-config", f"{base}.cnf", "-keyout", f"{base}.key", "-out", f"{base}.csr",
             "-subj", f"/O=Lab/CN={subject or (names[0] if names else name)}"],
            ["ca", "-batch", "-notext", "-config", f"{base}.cnf", *own,
             "-keyfile", f"{signer}.key", "-in", f"{base}.csr", "-out", f"{base}.pem",
             "-startdate", day(start), "-enddate", day(end), "-extensions", "x"]):
        done = subprocess.run(["openssl", *command], capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"openssl {command[0]}: {done.stderr}")


def authority(lab):
    """The certificate authority that the client knows."""
    if lab.authorities is None:
        certificate(lab, "ca", authority=True, subject="Lab Root CA")
        lab.authorities = f"{lab.dir}/ca.pem"


def context(lab, name, *chain):
    """A TLS server's context with this certificate and the others of the chain."""
    with open(f"{lab.dir}/{name}.chain", "w", encoding="ascii") as handle:
        for each in (name, *chain):
            with open(f"{lab.dir}/{each}.pem", encoding="ascii") as pem:
                handle.write(pem.read())
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(f"{lab.dir}/{name}.chain", f"{lab.dir}/{name}.key")
    return made


def https(lab, space, port=443, handler=None, names=("app.corp.test",), **how):
    """A sound HTTPS server, or one whose certificate is made otherwise (see certificate)."""
    authority(lab)
    key = f"{space}-{port}"
    certificate(lab, key, issuer="ca", names=names, **how)
    lab.tcp(space, port, tls(context(lab, key), handler or http()))


# The network that the scenarios start from
#
#   client 10.1.0.20 --+-- switch --+-- gw 10.1.0.1 ---- 10.2.0.1 srv 10.2.0.80
#                      |            |      \
#   dns 10.1.0.53 -----+            |       +---------- 10.3.0.1 other 10.3.0.81
#   box 10.1.0.30 ------------------+
#
# With two routers: gw 10.9.0.1 -- 10.9.0.2 r2 10.2.0.1 -- srv. With IPv6 the same numbers:
# fd00:1::/64 for 10.1.0.0/24 and so on, and the host part of the IPv4 address.

def site(lab, routers=1, v6=False, v4=True, zone=None, dns=True, net="10.2.0",
         name="app.corp.test"):
    """Make the network; name is the name of srv, whose network is net (with net.1 and net.80)."""
    lab.v6 = v6
    spaces = ["client", "switch", "gw", "dns", "box", "srv", "other"]
    far = "gw" if routers == 1 else "r2"
    pairs = ["client.eth0 switch.client", "gw.lan switch.gw", "dns.eth0 switch.dns",
             "box.eth0 switch.box", f"{far}.wan srv.eth0", "gw.dmz other.eth0"]
    if routers == 2:
        spaces.append("r2")
        pairs.append("gw.mid r2.mid")
    lab.create(*spaces, routers=("gw", "r2"))
    lab.links(*pairs)
    lab.ip("switch", "link add br0 type bridge", "link set br0 up",
           *(f"link set {port} master br0" for port in ("client", "gw", "dns", "box")))

    def put(space, dev, host, lan, gateway=True):
        lines = []
        if v4:
            lines.append(f"addr add {lan}.{host}/24 dev {dev}")
            if gateway:
                lines.append(f"route add default via {lan}.1")
        if v6:
            wide = {net: "fd00:2"}.get(lan, f"fd00:{lan.split('.')[1]}")
            lines.append(f"addr add {wide}::{host}/64 dev {dev} nodad")
            if gateway:
                lines.append(f"route add default via {wide}::1")
        lab.ip(space, *lines)

    put("client", "eth0", 20, "10.1.0")
    put("dns", "eth0", 53, "10.1.0")
    put("box", "eth0", 30, "10.1.0")
    put("gw", "lan", 1, "10.1.0", False)
    put("gw", "dmz", 1, "10.3.0", False)
    put("other", "eth0", 81, "10.3.0")
    put(far, "wan", 1, net, False)
    put("srv", "eth0", 80, net)
    if routers == 2:
        put("gw", "mid", 1, "10.9.0", False)
        put("r2", "mid", 2, "10.9.0")
        if v4:
            lab.ip("gw", f"route add {net}.0/24 via 10.9.0.2")
        if v6:
            lab.ip("gw", "route add fd00:2::/64 via fd00:9::2")
    lab.zone = {
        "corp.test": [],
        name: ([f"{net}.80"] if v4 else []) + (["fd00:2::80"] if v6 else []),
        "other.corp.test": (["10.3.0.81"] if v4 else []) + (["fd00:3::81"] if v6 else []),
        "box.corp.test": (["10.1.0.30"] if v4 else []) + (["fd00:1::30"] if v6 else []),
    }
    lab.zone.update(zone or {})
    if dns:
        for address in (["10.1.0.53"] if v4 else []) + (["fd00:1::53"] if v6 else []):
            lab.dns("dns", address, lab.zone)
    if not v4:
        lab.files["resolv.conf"] = "nameserver fd00:1::53\n"
    lab.tcp("box", 80, http())
    lab.tcp("other", 80, http())
    lab.tcp("srv", 22, banner())


def slow_router(lab, space, delay, *selectors):
    """What these selectors of "ip rule" match waits for a while in a router."""
    lab.ip(space, "tuntap add mode tun name slow0", "link set slow0 up",
           "route add default dev slow0 table 77",
           *(f"rule add {selector} lookup 77" for selector in selectors))
    lab.later(space, slow_link, "slow0", delay)


def tunnel(lab, *routes, open_end=True):
    """A tunnel of the client, as a VPN makes it, that gives back nothing."""
    lab.ip("client", "tuntap add mode tun name tun0", "link set tun0 up",
           "addr add 10.8.0.2/24 dev tun0", *(f"route add {route} dev tun0" for route in routes))
    if open_end:
        lab.later("client", swallow, "tun0")


def readdress(lab, address, gateway):
    """Give the client another IPv4 address (with prefix length) and another gateway."""
    lab.ip("client", "addr flush dev eth0", f"addr add {address} dev eth0",
           f"route add default via {gateway}")


def second_dns(lab):
    """The machine dns has a second address; both are in resolv.conf, no server runs yet."""
    lab.ip("dns", "addr add 10.1.0.54/24 dev eth0")
    lab.files["resolv.conf"] = "nameserver 10.1.0.53\nnameserver 10.1.0.54\n"


def web_well(lab, **how):
    """The network with a web server on srv that is well."""
    site(lab, **how)
    lab.tcp("srv", 80, http())


# Scenarios: this machine

@scenario
def interface_down(lab):
    web_well(lab)
    lab.ip("client", "link set eth0 down")
    lab.check("ip -br link show eth0", "DOWN")
    lab.check("ip route", "!10.1.0.1")
    lab.check_http("http://10.2.0.80/", space="box")


@scenario
def interface_down_by_address(lab):
    interface_down(lab)
    lab.check_tcp("10.2.0.80", 80, "net-unreachable")


@scenario
def no_carrier(lab):
    web_well(lab)
    lab.ip("switch", "link set client down")
    lab.check("ip link show eth0", "NO-CARRIER")
    lab.check_ping("10.1.0.1", False)
    lab.check_http("http://10.2.0.80/", space="box")


@scenario
def no_address(lab):
    web_well(lab)
    lab.ip("client", "addr flush dev eth0 scope global")
    lab.check("ip -4 -br addr show eth0", "!10\\.")
    lab.check("ip -br link show eth0", "UP")
    lab.check_http("http://10.2.0.80/", space="box")


@scenario
def no_default_route(lab):
    web_well(lab)
    lab.ip("client", "route del default")
    lab.check("ip route", "!default")
    lab.check_dig("app.corp.test", r"10\.2\.0\.80")
    lab.check_tcp("10.2.0.80", 80, "net-unreachable")
    lab.check_http("http://box.corp.test/")


@scenario
def no_route_to_net(lab):
    web_well(lab)
    lab.ip("client", "route del default", "route add 10.3.0.0/24 via 10.1.0.1")
    lab.check_tcp("10.2.0.80", 80, "net-unreachable")
    lab.check_others()


def own_route(lab, route, words):
    web_well(lab)
    lab.ip("client", f"route add {route}")
    lab.check("ip route get 10.2.0.80", words)
    lab.check_others()
    lab.check_http("http://10.2.0.80/", space="box")


@scenario
def route_blackhole(lab):
    own_route(lab, "blackhole 10.2.0.0/24", "Invalid argument")


@scenario
def route_blackhole_host(lab):
    own_route(lab, "blackhole 10.2.0.80", "Invalid argument")


@scenario
def route_unreachable(lab):
    own_route(lab, "unreachable 10.2.0.0/24", "No route to host")


@scenario
def route_prohibit(lab):
    own_route(lab, "prohibit 10.2.0.0/24", "Permission denied")


@scenario
def route_elsewhere_host(lab):
    own_route(lab, "10.2.0.80 via 10.1.0.99", r"10\.1\.0\.99")
    lab.check_tcp("10.2.0.80", 80, "no-route")


@scenario
def two_default_routes(lab):
    web_well(lab)
    lab.ip("client", "route del default", "route add default via 10.1.0.99 metric 50",
           "route add default via 10.1.0.1 metric 100")
    lab.check("ip route get 10.2.0.80", r"via 10\.1\.0\.99")
    lab.check_tcp("10.2.0.80", 80, "no-route")
    lab.check_http("http://box.corp.test/")
    lab.check_ping("10.1.0.1")
    lab.check_http("http://10.2.0.80/", space="box")


@scenario
def ttl_one(lab):
    web_well(lab)
    lab.sysctl("client", {"ipv4/ip_default_ttl": 1})
    lab.check("ping -n -c1 -W1 10.2.0.80", "10.1.0.1 .*Time to live exceeded")
    lab.check("ping -n -c1 -W1 -t 64 10.2.0.80", "1 received")
    lab.check("nc -nvz -w2 10.2.0.80 80", "timed out|No route to host")
    lab.check_http("http://box.corp.test/")


@scenario
def policy_rule_elsewhere(lab):
    web_well(lab)
    lab.ip("client", "rule add to 10.2.0.0/24 lookup 100",
           "route add default via 10.1.0.30 table 100")
    lab.check("ip route get 10.2.0.80", r"via 10\.1\.0\.30")
    lab.check_tcp("10.2.0.80", 80, "timeout")
    lab.check_others()
    lab.check_http("http://10.2.0.80/", space="box")


@scenario
def policy_rule_prohibit(lab):
    web_well(lab)
    lab.ip("client", "rule add to 10.2.0.80 prohibit")
    lab.check("ip route get 10.2.0.80", "Permission denied")
    lab.check_others()
    lab.check_http("http://10.2.0.80/", space="box")


@scenario
def gateway_dead(lab):
    web_well(lab)
    lab.ip("gw", "link set lan down")
    lab.check("ping -n -c1 -W1 10.1.0.1; sleep 3; ip neigh show 10.1.0.1", "FAILED|INCOMPLETE")
    lab.check_http("http://box.corp.test/")


@scenario
def gateway_wrong(lab):
    web_well(lab)
    lab.ip("client", "route replace default via 10.1.0.254")
    lab.check_tcp("10.2.0.80", 80, "no-route")
    lab.check_http("http://box.corp.test/")
    lab.check_ping("10.1.0.1")
    lab.check_http("http://10.2.0.80/", space="box")


@scenario
def gateway_static_mac(lab):
    web_well(lab)
    lab.ip("client", "neigh replace 10.1.0.1 lladdr 02:00:00:00:00:99 dev eth0 nud permanent")
    lab.check("ip neigh show 10.1.0.1", "00:99.*PERMANENT")
    lab.check_ping("10.1.0.1", False)
    lab.check_tcp("10.2.0.80", 80, "timeout")
    lab.check_http("http://box.corp.test/")
    lab.check_http("http://10.2.0.80/", space="box")


@scenario
def duplicate_address(lab):
    web_well(lab)
    lab.create("twin")
    lab.links("twin.eth0 switch.twin")
    lab.ip("switch", "link set twin master br0")
    lab.ip("twin", "link set eth0 address 02:00:00:00:00:66", "addr add 10.1.0.20/24 dev eth0",
           "route add default via 10.1.0.1")
    # The gateway has heard the twin last; without this line that would be a matter of luck.
    lab.ip("gw", "neigh replace 10.1.0.20 lladdr 02:00:00:00:00:66 dev lan nud permanent")
    lab.check_tcp("10.2.0.80", 80, "timeout")
    lab.check_tcp("10.2.0.80", 80, "open", space="twin")
    lab.check("ip -br addr show eth0", r"10\.1\.0\.20", space="twin")
    lab.check_http("http://10.2.0.80/", space="box")


def own_firewall(lab, rule, want):
    web_well(lab)
    lab.nft("client", "output", rule)
    lab.check_tcp("10.2.0.80", 80, want)
    lab.check_http("http://10.2.0.80/", space="box")


@scenario
def own_firewall_drop(lab):
    own_firewall(lab, "tcp dport 80 drop", "timeout")
    lab.check_ping("10.2.0.80")
    lab.check_tcp("10.2.0.80", 22, "open")
    lab.check_dig("app.corp.test", r"10\.2\.0\.80")


@scenario
def own_firewall_reject(lab):
    own_firewall(lab, "tcp dport 80 reject", "refused")
    lab.check_ping("10.2.0.80")
    lab.check_tcp("10.2.0.80", 22, "open")


@scenario
def own_firewall_reset(lab):
    own_firewall(lab, "ip daddr 10.2.0.80 tcp dport 80 reject with tcp reset", "refused")
    lab.check_ping("10.2.0.80")
    lab.check_others()


@scenario
def own_firewall_all(lab):
    # An ordinary user cannot read the rules, but is told that he is not permitted to send.
    own_firewall(lab, "ip daddr 10.2.0.80 drop", "timeout")
    lab.check("ping -n -c1 -W1 10.2.0.80", "not permitted|0 received")
    lab.check_others()


@scenario
def own_firewall_all_icmp_too(lab):
    own_firewall(lab, "ip daddr 10.2.0.0/24 drop", "timeout")
    lab.check("ping -n -c1 -W1 10.2.0.80", "not permitted|0 received")
    lab.check_others()


@scenario
def own_firewall_input(lab):
    web_well(lab)
    lab.nft_raw("client", """table inet site {
        chain input { type filter hook input priority 0; policy drop;
                      iif lo accept; meta l4proto ipv6-icmp accept; }
    }""")
    lab.check_tcp("10.2.0.80", 80, "timeout")
    lab.check_ping("10.1.0.1", False)
    lab.check("ip neigh show 10.1.0.1", "REACHABLE|STALE|DELAY|PROBE")
    lab.check_http("http://10.2.0.80/", space="box")


@scenario
def wrong_netmask(lab):
    web_well(lab)
    readdress(lab, "10.1.0.20/8", "10.1.0.1")
    lab.check("ip route get 10.2.0.80", "!via")
    lab.check_tcp("10.2.0.80", 80, "no-route")
    lab.check_http("http://box.corp.test/")
    lab.check_ping("10.1.0.1")
    lab.check_http("http://10.2.0.80/", space="box")


@scenario
def wrong_subnet(lab):
    web_well(lab)
    readdress(lab, "10.1.10.20/24", "10.1.10.1")
    lab.check_tcp("10.2.0.80", 80, "no-route")
    lab.check_http("http://10.2.0.80/", space="box")


@scenario
def tunnel_swallows(lab):
    web_well(lab)
    tunnel(lab, "10.2.0.0/24")
    lab.check("ip link show tun0", "LOWER_UP")
    lab.check("ip route get 10.2.0.80", "dev tun0")
    lab.check_tcp("10.2.0.80", 80, "timeout")
    lab.check_others()


@scenario
def tunnel_default(lab):
    web_well(lab)
    tunnel(lab, "0.0.0.0/1", "128.0.0.0/1")
    lab.check("ip route get 10.2.0.80", "dev tun0")
    lab.check_tcp("10.2.0.80", 80, "timeout")
    lab.check_http("http://box.corp.test/")


@scenario
def tunnel_no_carrier(lab):
    web_well(lab)
    tunnel(lab, "10.2.0.0/24", open_end=False)
    lab.check("ip link show tun0", "NO-CARRIER")
    lab.check_http("http://10.2.0.80/", "Could|timed out|Failed|\\[000\\]")
    lab.check_others()


@scenario
def mtu_too_large(lab):
    site(lab)
    for space in ("client", "box"):
        lab.ip(space, "link set eth0 mtu 9000")
        lab.no_offload(space, "eth0")
    lab.no_offload("switch", "client", "box")
    lab.services = [each for each in lab.services if each[0] != "box"]
    lab.tcp("box", 80, http(body=b"x" * 30000))
    lab.check("ping -n -c1 -W1 -M do -s 1400 10.1.0.30", "1 received")
    lab.check("ping -n -c1 -W1 -M do -s 4000 10.1.0.30", "0 received")
    lab.check_http("http://10.1.0.30/", "timed out")
    lab.check_http("http://other.corp.test/")


@scenario
def mtu_too_small(lab):
    web_well(lab, v6=True, zone={"v6.corp.test": ["fd00:2::80"]})
    lab.ip("client", "link set eth0 mtu 1000")
    lab.check("ip -6 addr show eth0", "!inet6")
    lab.check_others()
    lab.check_http("http://10.2.0.80/")
    lab.check_http("http://v6.corp.test/", "\\[000\\]")
    lab.check_http("http://[fd00:2::80]/", space="box")


@scenario
def loopback_down(lab):
    site(lab)
    lab.tcp("client", 8080, http())
    lab.ip("client", "link set lo down")
    lab.check("ip -br link show lo", "DOWN")
    lab.check_http("http://127.0.0.1:8080/", "\\[000\\]")
    lab.check_http("http://10.1.0.20:8080/", space="box")
    lab.check_others()


@scenario
def subnet_clash(lab):
    web_well(lab)
    lab.ip("client", "link add br0 type bridge", "link add veth0 type veth peer name veth1",
           "link set veth0 master br0", "link set veth0 up", "link set veth1 up",
           "link set br0 up", "addr add 10.2.0.1/24 dev br0")
    lab.check("ip route get 10.2.0.80", "dev br0")
    lab.check_tcp("10.2.0.80", 80, "no-route")
    lab.check_others()
    lab.check_http("http://10.2.0.80/", space="box")


@scenario
def target_address_on_lo(lab):
    web_well(lab)
    lab.ip("client", "addr add 10.2.0.80/32 dev lo")
    lab.check("ip route get 10.2.0.80", "local|dev lo")
    lab.check_tcp("10.2.0.80", 80, "refused")
    lab.check_others()
    lab.check_http("http://10.2.0.80/", space="box")


@scenario
def wrong_source_address(lab):
    web_well(lab)
    lab.ip("client", "addr add 10.99.0.1/32 dev lo",
           "route replace default via 10.1.0.1 src 10.99.0.1")
    lab.check("ip route get 10.2.0.80", r"src 10\.99\.0\.1")
    lab.check_tcp("10.2.0.80", 80, "timeout")
    lab.check("nc -nvz -w2 -s 10.1.0.20 10.2.0.80 80", "succeeded")
    lab.check_http("http://box.corp.test/")


@scenario
def own_loopback_only(lab):
    site(lab)
    lab.tcp("client", 8080, http(), "127.0.0.1")
    lab.check_tcp("10.1.0.20", 8080, "refused")
    lab.check_http("http://127.0.0.1:8080/")
    lab.check_others()


@scenario
def own_v6_loopback_only(lab):
    site(lab)
    lab.tcp("client", 8080, http(), "::1")
    lab.check_tcp("127.0.0.1", 8080, "refused")
    lab.check_http("http://[::1]:8080/")
    lab.check_others()


@scenario
def own_nothing_listens(lab):
    site(lab)
    lab.check_tcp("127.0.0.1", 8080, "refused")
    lab.check_ping("127.0.0.1")
    lab.check_others()


# Scenarios: on the way

def filtered(lab, rule, port, want, space="gw", chain="forward", routers=1):
    """A firewall on the way (or the target's); a service on this port is well."""
    site(lab, routers=routers)
    if port == 8443:
        https(lab, "srv", port)
    else:
        lab.tcp("srv", port, http() if port == 80 else silent)
    lab.nft(space, chain, rule)
    lab.check_tcp("10.2.0.80", port, want)
    lab.check_tcp("127.0.0.1", port, "open", space="srv")
    lab.check_others()


def host_is_well(lab):
    lab.check_ping("10.2.0.80")
    lab.check_tcp("10.2.0.80", 22, "open")


@scenario
def fw_drop_port(lab):
    filtered(lab, "tcp dport 8443 drop", 8443, "timeout")
    host_is_well(lab)


@scenario
def fw_drop_all(lab):
    filtered(lab, "ip daddr 10.2.0.80 drop", 8443, "timeout")
    lab.check_ping("10.2.0.80", False)


@scenario
def fw_drop_all_tcp(lab):
    filtered(lab, "ip daddr 10.2.0.80 meta l4proto tcp drop", 80, "timeout")
    lab.check_tcp("10.2.0.80", 22, "timeout")
    lab.check_ping("10.2.0.80")


@scenario
def srv_fw_drop_port(lab):
    filtered(lab, "iif != lo tcp dport 8443 drop", 8443, "timeout", "srv", "input")
    host_is_well(lab)


@scenario
def fw_reject_port(lab):
    filtered(lab, "tcp dport 8443 reject with icmp type port-unreachable", 8443, "refused")
    host_is_well(lab)


@scenario
def fw_reject_host(lab):
    filtered(lab, "tcp dport 8443 reject with icmp type host-unreachable", 8443, "no-route")
    host_is_well(lab)


@scenario
def fw_reject_admin(lab):
    filtered(lab, "tcp dport 8443 reject with icmp type admin-prohibited", 8443, "no-route")
    host_is_well(lab)


@scenario
def fw_reject_net(lab):
    filtered(lab, "ip daddr 10.2.0.0/24 reject with icmp type net-unreachable", 8443,
             "net-unreachable")
    lab.check("ping -n -c1 -W1 10.2.0.80", "10.1.0.1 .*Net Unreachable")


@scenario
def fw_reject_reset(lab):
    filtered(lab, "tcp dport 8443 reject with tcp reset", 8443, "refused")
    host_is_well(lab)


@scenario
def fw_reject_all_admin(lab):
    filtered(lab, "ip daddr 10.2.0.80 reject with icmp type admin-prohibited", 80, "no-route")
    lab.check("ping -n -c1 -W1 10.2.0.80", "10.1.0.1 .*Packet filtered")


@scenario
def r2_reject_admin(lab):
    filtered(lab, "tcp dport 5432 reject with icmp type admin-prohibited", 5432, "no-route",
             "r2", routers=2)
    host_is_well(lab)


def narrow_middle(lab):
    """A link with MTU 1400 in the middle, and nobody hears of it."""
    site(lab, routers=2)
    for space in ("gw", "r2"):
        lab.ip(space, "link set mid mtu 1400")
        lab.nft(space, "output", "icmp type destination-unreachable icmp code 4 drop")
    lab.check("ping -n -c1 -W1 -M do -s 1300 10.2.0.80", "1 received")
    lab.check("ping -n -c1 -W1 -M do -s 1450 10.2.0.80", "0 received")


@scenario
def mtu_black_hole(lab):
    narrow_middle(lab)
    lab.tcp("srv", 80, http(body=b"x" * 30000))
    lab.check_http("http://app.corp.test/", "timed out")
    lab.check_tcp("10.2.0.80", 80, "open")
    lab.check_others()


@scenario
def mtu_black_hole_tls(lab):
    narrow_middle(lab)
    more = tuple(f"a-quite-long-name-number-{number}.corp.test" for number in range(80))
    https(lab, "srv", names=("app.corp.test", *more))
    lab.check_http("https://app.corp.test/", "timed out")
    lab.check_tcp("10.2.0.80", 443, "open")
    lab.check_http("https://app.corp.test/", space="r2",
                   options="--resolve app.corp.test:443:10.2.0.80")
    lab.check_others()


@scenario
def routing_loop(lab):
    web_well(lab, routers=2)
    lab.ip("r2", "route add 10.2.0.80 via 10.9.0.1")
    lab.check("ping -n -c1 -W1 10.2.0.80", "Time to live exceeded")
    lab.check("traceroute -n -q1 -w1 -m7 10.2.0.80", r"10\.9\.0\.2[\s\S]*10\.9\.0\.2")
    lab.check_others()


@scenario
def latency_400(lab):
    web_well(lab)
    slow_router(lab, "gw", 0.2, "iif lan to 10.2.0.0/24", "iif wan")
    lab.check("ping -n -c1 -W2 10.2.0.80", r"time=4\d\d")
    lab.check_http("http://app.corp.test/")
    lab.check("traceroute -n -q1 -w1 -m3 10.2.0.80", r"1  10\.1\.0\.1 .*\s+2  10\.2\.0\.80")
    lab.check_others()


@scenario
def loss_30(lab):
    web_well(lab)
    # Each 10 packets 3 are lost; at random a test of few packets would find none now and then.
    lab.nft("gw", "forward", "ip daddr 10.2.0.80 numgen inc mod 10 { 2, 5, 8 } drop")
    lab.check("ping -n -c10 -i0.1 -W1 10.2.0.80", "30% packet loss")
    lab.check_http("http://app.corp.test/")
    lab.check_others()


@scenario
def no_return_route(lab):
    web_well(lab, routers=2)
    lab.ip("r2", "route del default")
    lab.check_tcp("10.2.0.80", 80, "timeout")
    lab.check_ping("10.9.0.2", False)
    lab.check_http("http://10.2.0.80/", space="r2")
    lab.check_others()


@scenario
def server_no_return_route(lab):
    web_well(lab)
    lab.ip("srv", "route del default")
    lab.check_tcp("10.2.0.80", 80, "timeout")
    lab.check_ping("10.2.0.80", False)
    lab.check_ping("10.2.0.1")
    lab.check_http("http://10.2.0.80/", space="gw")
    lab.check_others()


@scenario
def middle_router_dead(lab):
    web_well(lab, routers=2)
    lab.ip("r2", "addr flush dev mid")
    lab.check("ping -n -c1 -W5 10.2.0.80", "10.1.0.1 .*Destination Host Unreachable")
    lab.check_tcp("10.2.0.80", 80, "no-route")
    lab.check_others()


@scenario
def middle_router_not_forwarding(lab):
    web_well(lab, routers=2)
    lab.sysctl("r2", {"ipv4/ip_forward": 0})
    lab.check_ping("10.9.0.2")
    lab.check_tcp("10.2.0.80", 80, "timeout")
    lab.check_others()


@scenario
def gateway_not_forwarding(lab):
    web_well(lab)
    lab.sysctl("gw", {"ipv4/ip_forward": 0})
    lab.check_ping("10.1.0.1")
    lab.check_tcp("10.2.0.80", 80, "timeout")
    lab.check_http("http://box.corp.test/")


@scenario
def gateway_no_route(lab):
    web_well(lab, routers=2)
    lab.ip("gw", "route del 10.2.0.0/24")
    lab.check("ping -n -c1 -W1 10.2.0.80", "10.1.0.1 .*Net Unreachable")
    lab.check_tcp("10.2.0.80", 80, "net-unreachable")
    lab.check_others()


@scenario
def gateway_drops_internet(lab):
    site(lab, net="10.93.184", name="www.example.test")
    lab.ip("srv", "addr add 10.93.184.34/24 dev eth0")
    lab.zone["www.example.test"] = "10.93.184.34"
    https(lab, "srv", names=("www.example.test",))
    lab.nft("gw", "forward", "drop")
    lab.check_ping("10.1.0.1")
    lab.check_tcp("10.93.184.34", 443, "timeout")
    lab.check_tcp("10.93.184.34", 443, "open", space="gw")
    lab.check_http("http://box.corp.test/")


@scenario
def tls_filtered(lab):
    site(lab)
    https(lab, "srv")
    lab.nft("gw", "forward", "tcp dport 443 meta length > 150 drop")
    host_is_well(lab)
    lab.check_tcp("10.2.0.80", 443, "open")
    lab.check_http("https://app.corp.test/", "timed out")
    lab.check_http("https://app.corp.test/", space="gw",
                   options="--resolve app.corp.test:443:10.2.0.80")
    lab.check_others()


# Scenarios: target

@scenario
def host_down_link(lab):
    site(lab)
    lab.ip("box", "link set eth0 down")
    lab.check_tcp("10.1.0.30", 80, "no-route")
    lab.check_http("http://other.corp.test/")
    lab.check_dig("box.corp.test", r"10\.1\.0\.30")


@scenario
def host_down_link_by_address(lab):
    site(lab)
    lab.check_tcp("10.1.0.77", 22, "no-route")
    lab.check_others()


def host_down(lab, routers, says):
    site(lab, routers=routers)
    lab.ip("srv", "addr flush dev eth0")
    lab.check("ping -n -c1 -W5 10.2.0.80", f"{says} .*Destination Host Unreachable")
    lab.check_others()


@scenario
def host_down_far(lab):
    host_down(lab, 1, "10.1.0.1")


@scenario
def host_down_far_two_routers(lab):
    host_down(lab, 2, "10.9.0.2")


@scenario
def port_closed(lab):
    site(lab)
    lab.check_tcp("10.2.0.80", 8443, "refused")
    host_is_well(lab)
    lab.check_others()


@scenario
def port_closed_link(lab):
    site(lab)
    lab.check_tcp("10.1.0.30", 22, "refused")
    lab.check_others()


@scenario
def far_loopback_only(lab):
    site(lab)
    lab.tcp("srv", 8080, http(), "127.0.0.1")
    lab.check_tcp("10.2.0.80", 8080, "refused")
    lab.check_http("http://127.0.0.1:8080/", space="srv")
    host_is_well(lab)
    lab.check_others()


def service(lab, port, handler):
    """The service of the target behaves in some way; its port and all else are well."""
    site(lab)
    if port == 22:
        lab.services = [each for each in lab.services if each[0] != "srv"]
    else:
        lab.check_tcp("10.2.0.80", 22, "open")
    lab.tcp("srv", port, handler)
    lab.check_ping("10.2.0.80")
    lab.check_tcp("10.2.0.80", port, "open")
    lab.check_others()


@scenario
def hang_http(lab):
    service(lab, 80, silent)
    lab.check_http("http://app.corp.test/", "timed out")


@scenario
def hang_tls(lab):
    service(lab, 443, silent)
    lab.check_http("https://app.corp.test/", "timed out")


@scenario
def hang_ssh(lab):
    service(lab, 22, silent)
    lab.check("timeout 2 nc -n 10.2.0.80 22 </dev/null", r"^\s*\[exit 124\]")


@scenario
def accept_reset(lab):
    service(lab, 80, reset)
    lab.check_http("http://app.corp.test/", "reset by peer|Empty reply")


@scenario
def reset_on_request(lab):
    service(lab, 80, reset_on_data)
    lab.check_http("http://app.corp.test/", "reset by peer")


@scenario
def tls_reset_on_hello(lab):
    service(lab, 443, reset_on_data)
    lab.check_http("https://app.corp.test/", "reset by peer|SSL_ERROR_SYSCALL")


@scenario
def accept_close(lab):
    service(lab, 443, close_at_once)
    lab.check_http("https://app.corp.test/", "SSL_ERROR_SYSCALL|reset by peer|unexpected eof")


@scenario
def accept_close_ssh(lab):
    service(lab, 2222, close_at_once)
    lab.check("timeout 2 nc -n 10.2.0.80 2222", r"^\s*\[exit 0\]")


def fill_queue(address, port):
    """Connections that the service never accepts, until no more fit in its queue."""
    for _ in range(4):
        sock = socket.socket()
        sock.setblocking(False)
        sock.connect_ex((address, port))
        KEPT.append(sock)


@scenario
def backlog_full(lab):
    site(lab)
    lab.tcp("srv", 8080, None, "0.0.0.0", backlog=0)
    lab.later("srv", fill_queue, "127.0.0.1", 8080)
    lab.check_tcp("10.2.0.80", 8080, "timeout")
    lab.check("ss -ltn", r"LISTEN.*:8080", space="srv")
    host_is_well(lab)
    lab.check_others()


@scenario
def ssh_on_443(lab):
    service(lab, 443, banner())
    lab.check_http("https://app.corp.test/", "wrong version number")


@scenario
def http_on_443(lab):
    service(lab, 443, http())
    lab.check_http("https://app.corp.test/", "wrong version number")
    lab.check_http("http://app.corp.test:443/")


@scenario
def tls_on_80(lab):
    site(lab)
    https(lab, "srv", 80)
    lab.check_http("http://app.corp.test/", "400")
    lab.check_http("https://app.corp.test:80/")
    host_is_well(lab)
    lab.check_others()


@scenario
def smtp_on_80(lab):
    service(lab, 80, banner(b"220 mail.corp.test ESMTP Postfix\r\n"))
    lab.check_http("http://app.corp.test/", "HTTP/0.9|\\[000\\]")


@scenario
def http_on_22(lab):
    service(lab, 22, http())
    lab.check_http("http://app.corp.test:22/")


def status_code(lab, words):
    service(lab, 80, http(words))
    lab.check_http("http://app.corp.test/", words[:3])


@scenario
def http_500(lab):
    status_code(lab, "500 Internal Server Error")


@scenario
def http_502(lab):
    status_code(lab, "502 Bad Gateway")


@scenario
def http_503(lab):
    status_code(lab, "503 Service Unavailable")


@scenario
def http_504(lab):
    status_code(lab, "504 Gateway Timeout")


@scenario
def http_401(lab):
    service(lab, 80, http("401 Unauthorized", headers=['WWW-Authenticate: Basic realm="app"']))
    lab.check_http("http://app.corp.test/", "401")


@scenario
def http_403(lab):
    status_code(lab, "403 Forbidden")


@scenario
def http_404(lab):
    status_code(lab, "404 Not Found")


@scenario
def https_403(lab):
    site(lab)
    https(lab, "srv", handler=http("403 Forbidden"))
    lab.check_http("https://app.corp.test/", "403")
    host_is_well(lab)
    lab.check_others()


def redirect(where, code="302 Found"):
    return http(code, headers=[f"Location: {where}"])


@scenario
def redirect_other(lab):
    service(lab, 80, redirect("http://other.corp.test/"))
    lab.check_http("http://app.corp.test/", "302")
    lab.check_http("http://app.corp.test/", "200", options="-L")


@scenario
def redirect_unknown_name(lab):
    service(lab, 80, redirect("http://login.corp.test/"))
    lab.check_http("http://app.corp.test/", "302")
    lab.check_dig("login.corp.test", "NXDOMAIN")


@scenario
def redirect_dead_host(lab):
    service(lab, 80, redirect("http://old.corp.test/", "301 Moved Permanently"))
    lab.zone["old.corp.test"] = "10.3.0.99"
    lab.check_http("http://app.corp.test/", "301")
    lab.check_tcp("10.3.0.99", 80, "no-route")


@scenario
def redirect_loop(lab):
    service(lab, 80, redirect("http://app.corp.test/"))
    lab.check_http("http://app.corp.test/", "redirects", options="-L")


@scenario
def redirect_loop_two(lab):
    site(lab)
    lab.services = [each for each in lab.services if each[0] != "other"]
    lab.tcp("srv", 80, redirect("http://other.corp.test/"))
    lab.tcp("other", 80, redirect("http://app.corp.test/"))
    lab.check_http("http://app.corp.test/", "redirects", options="-L")
    host_is_well(lab)


@scenario
def slow_first_byte(lab):
    service(lab, 80, http(delay=3))
    lab.check("curl -sS -m6 -o /dev/null -w '[%{http_code}] %{time_starttransfer}' "
              "http://app.corp.test/", r"\[200\] 3\.")


# Scenarios: captive portal

def portal(conn):
    head = read_head(conn) or ""
    if "host: portal.lan.test" in head.lower():
        answer = b"<h1>Log in to the guest network</h1>\n"
        conn.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n"
                     + f"Content-Length: {len(answer)}\r\n\r\n".encode() + answer)
    else:
        conn.sendall(b"HTTP/1.1 302 Found\r\nLocation: http://portal.lan.test/login\r\n"
                     b"Connection: close\r\nContent-Length: 0\r\n\r\n")


def captive(lab, what_443):
    """Web traffic to the outside ends at the gateway, whoever it is meant for."""
    site(lab, net="10.93.184", name="www.example.test", zone={"portal.lan.test": "10.1.0.1"})
    lab.ip("srv", "addr add 10.93.184.34/24 dev eth0")
    lab.zone["www.example.test"] = "10.93.184.34"
    https(lab, "srv", names=("www.example.test",))
    lab.tcp("srv", 80, http())
    lab.tcp("gw", 80, portal)
    lab.tcp("gw", 443, what_443)
    lab.nft_raw("gw", """table ip portal { chain prerouting {
        type nat hook prerouting priority -100;
        iifname lan tcp dport { 80, 443 } redirect;
    }; }""")
    lab.check("curl -sS -m3 -o /dev/null -w '%{http_code} %{redirect_url}' "
              "http://www.example.test/", "302 http://portal.lan.test/login")
    lab.check_ping("10.93.184.34")
    lab.check_http("http://10.93.184.34/", space="gw")


@scenario
def captive_http(lab):
    captive(lab, reset_on_data)
    lab.check_http("http://portal.lan.test/login")


@scenario
def captive_tls_cut(lab):
    captive(lab, reset_on_data)
    lab.check_http("https://www.example.test/", "reset by peer|SSL_ERROR_SYSCALL")


@scenario
def captive_tls_name(lab):
    def of_portal(conn):
        tls(made[0], portal)(conn)

    made = []
    captive(lab, of_portal)
    certificate(lab, "portal", issuer="ca", names=("portal.lan.test",))
    made.append(context(lab, "portal"))
    lab.check_http("https://www.example.test/", "no alternative certificate subject name matches")


# Scenarios: TLS

def tls_server(lab, handler, says):
    """Port 443 of the target with this handler; curl says that about it."""
    lab.tcp("srv", 443, handler)
    lab.check_http("https://app.corp.test/", says)


def tls_site(lab):
    site(lab)
    authority(lab)
    host_is_well(lab)
    lab.check_tcp("10.2.0.80", 443, "open")
    lab.check_others()


@scenario
def tls_expired(lab):
    tls_site(lab)
    https(lab, "srv", start=-95, end=-5)
    lab.check_http("https://app.corp.test/", "certificate has expired")
    lab.check_http("https://app.corp.test/", options="-k")


@scenario
def tls_not_yet_valid(lab):
    tls_site(lab)
    https(lab, "srv", start=5)
    lab.check_http("https://app.corp.test/", "not yet valid")
    lab.check_http("https://app.corp.test/", options="-k")


@scenario
def tls_self_signed(lab):
    tls_site(lab)
    certificate(lab, "own", names=("app.corp.test",))
    tls_server(lab, tls(context(lab, "own"), http()), "self-signed certificate")


@scenario
def tls_unknown_ca(lab):
    tls_site(lab)
    certificate(lab, "rogue", authority=True, subject="Other Root CA")
    certificate(lab, "leaf", issuer="rogue", names=("app.corp.test",))
    tls_server(lab, tls(context(lab, "leaf"), http()), "unable to get local issuer")


@scenario
def tls_missing_intermediate(lab):
    tls_site(lab)
    certificate(lab, "middle", issuer="ca", authority=True, subject="Lab Intermediate CA")
    certificate(lab, "leaf", issuer="middle", names=("app.corp.test",))
    tls_server(lab, tls(context(lab, "leaf"), http()), "unable to get local issuer")
    lab.check("openssl s_client -connect 10.2.0.80:443 </dev/null 2>&1", "Lab Intermediate CA")


@scenario
def tls_intermediate_expired(lab):
    tls_site(lab)
    certificate(lab, "middle", issuer="ca", authority=True, subject="Lab Intermediate CA",
                start=-95, end=-5)
    certificate(lab, "leaf", issuer="middle", names=("app.corp.test",))
    tls_server(lab, tls(context(lab, "leaf", "middle"), http()), "certificate has expired")


@scenario
def tls_wrong_name(lab):
    tls_site(lab)
    https(lab, "srv", names=("www.other.test",))
    lab.check_http("https://app.corp.test/", "no alternative certificate subject name matches")


@scenario
def tls_address_not_in_certificate(lab):
    tls_site(lab)
    https(lab, "srv")
    lab.check_http("https://10.2.0.80/", "no alternative certificate subject name matches")
    lab.check_http("https://app.corp.test/")


@scenario
def tls_client_certificate(lab):
    tls_site(lab)
    certificate(lab, "leaf", issuer="ca", names=("app.corp.test",))
    made = context(lab, "leaf")
    made.verify_mode = ssl.CERT_REQUIRED
    made.load_verify_locations(lab.authorities)
    tls_server(lab, tls(made, http()), "certificate required|handshake failure")


@scenario
def tls_old_version(lab):
    tls_site(lab)
    certificate(lab, "leaf", issuer="ca", names=("app.corp.test",))
    made = context(lab, "leaf")
    made.set_ciphers("ALL:@SECLEVEL=0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made.minimum_version = ssl.TLSVersion.TLSv1
        made.maximum_version = ssl.TLSVersion.TLSv1_1
    tls_server(lab, tls(made, http()), "protocol version|legacy sigalg|unsupported protocol")
    lab.check("openssl s_client -connect 10.2.0.80:443 -tls1_1 -cipher ALL:@SECLEVEL=0 "
              "</dev/null 2>&1", "TLSv1.1")


@scenario
def tls_handshake_alert(lab):
    tls_site(lab)
    tls_server(lab, answer_bytes(b"\x15\x03\x03\x00\x02\x02\x28"), "handshake failure")


@scenario
def tls_version_alert(lab):
    tls_site(lab)
    tls_server(lab, answer_bytes(b"\x15\x03\x01\x00\x02\x02\x46"), "protocol version")


@scenario
def tls_unrecognized_name(lab):
    tls_site(lab)
    tls_server(lab, answer_bytes(b"\x15\x03\x03\x00\x02\x02\x70"), "unrecognized name")


# Scenarios: IPv6

V6_NAME = {"v6.corp.test": ["fd00:2::80"]}


@scenario
def v6_dropped(lab):
    web_well(lab, v6=True)
    lab.nft("gw", "forward", "ip6 daddr fd00:2::80 drop")
    lab.check_http("http://app.corp.test/", options="-4")
    lab.check_tcp("fd00:2::80", 80, "timeout")
    lab.check_http("http://other.corp.test/", options="-6")
    lab.check_others()


@scenario
def v6_refused(lab):
    site(lab, v6=True)
    lab.tcp("srv", 80, http(), "0.0.0.0")
    lab.check_http("http://app.corp.test/", options="-4")
    lab.check_tcp("fd00:2::80", 80, "refused")
    lab.check_ping("fd00:2::80")
    lab.check_others()


@scenario
def v6_stale_aaaa(lab):
    web_well(lab, v6=True, zone={"app.corp.test": ["10.2.0.80", "fd00:2::99"]})
    lab.check_http("http://app.corp.test/", options="-4")
    lab.check_tcp("fd00:2::99", 80, "no-route")
    lab.check_http("http://[fd00:2::80]/")
    lab.check_others()


@scenario
def v6_only_name(lab):
    web_well(lab, zone=V6_NAME)
    lab.check_dig("v6.corp.test AAAA", "fd00:2::80")
    lab.check("ip -6 addr show scope global", "!inet6")
    lab.check_http("http://app.corp.test/")
    lab.check_others()


@scenario
def v6_no_default_route(lab):
    web_well(lab, v6=True, zone=V6_NAME)
    lab.ip("client", "-6 route del default")
    lab.check_tcp("fd00:2::80", 80, "net-unreachable")
    lab.check_http("http://box.corp.test/", options="-6")
    lab.check_http("http://[fd00:2::80]/", space="box")
    lab.check_others()


@scenario
def v6_router_dead(lab):
    web_well(lab, v6=True, zone=V6_NAME)
    lab.ip("gw", "-6 addr del fd00:1::1/64 dev lan")
    lab.check_tcp("fd00:2::80", 80, "no-route")
    lab.check_http("http://box.corp.test/", options="-6")
    lab.check_http("http://app.corp.test/", options="-4")
    lab.check_others()


@scenario
def v4_broken(lab):
    web_well(lab, v6=True)
    lab.nft("gw", "forward", "ip daddr 10.2.0.80 drop")
    lab.check_http("http://app.corp.test/", options="-6")
    lab.check_tcp("10.2.0.80", 80, "timeout")
    lab.check_others()


@scenario
def v6_disabled(lab):
    web_well(lab, v6=True)
    lab.sysctl("client", {f"ipv6/conf/{which}/disable_ipv6": 1
                          for which in ("default", "all", "eth0", "lo")})
    lab.check("ip -6 addr", "!inet6")
    lab.check_http("http://app.corp.test/", options="-4")
    lab.check_http("http://[fd00:2::80]/", space="box")
    lab.check_others()


@scenario
def v6_port_dropped(lab):
    site(lab, v6=True)
    https(lab, "srv", 8443)
    lab.nft("gw", "forward", "ip6 daddr fd00:2::80 tcp dport 8443 drop")
    lab.check_tcp("fd00:2::80", 8443, "timeout")
    lab.check_tcp("fd00:2::80", 22, "open")
    lab.check_ping("fd00:2::80")
    lab.check_others()


@scenario
def v6_mtu_black_hole(lab):
    site(lab, routers=2, v6=True, zone=V6_NAME)
    for space in ("gw", "r2"):
        lab.ip(space, "link set mid mtu 1400")
        lab.nft(space, "output", "icmpv6 type packet-too-big drop")
    lab.tcp("srv", 80, http(body=b"x" * 30000))
    lab.check("ping -n -c1 -W1 -M do -s 1300 fd00:2::80", "1 received")
    lab.check("ping -n -c1 -W1 -M do -s 1440 fd00:2::80", "0 received")
    lab.check_http("http://v6.corp.test/", "timed out")
    lab.check_others()


@scenario
def v6_port_closed(lab):
    site(lab, v6=True, zone=V6_NAME)
    lab.check_tcp("fd00:2::80", 8443, "refused")
    lab.check_tcp("fd00:2::80", 22, "open")
    lab.check_others()


# Scenarios: DNS

def web_is_well(lab):
    """The target is well, by its address."""
    lab.check_http("http://10.2.0.80/")
    lab.check_others(name=False)


@scenario
def dns_first_dead(lab):
    web_well(lab, dns=False)
    second_dns(lab)
    lab.ip("dns", "addr del 10.1.0.53/24 dev eth0", "addr replace 10.1.0.54/24 dev eth0")
    lab.dns("dns", "10.1.0.54", lab.zone)
    lab.check_dig("app.corp.test @10.1.0.53", "no servers could be reached|timed out")
    lab.check_dig("app.corp.test @10.1.0.54", r"10\.2\.0\.80")
    web_is_well(lab)


@scenario
def dns_second_dead(lab):
    web_well(lab)
    lab.files["resolv.conf"] = "nameserver 10.1.0.53\nnameserver 10.1.0.54\n"
    lab.check_dig("app.corp.test @10.1.0.53", r"10\.2\.0\.80")
    lab.check_ping("10.1.0.54", False)
    web_is_well(lab)


@scenario
def dns_all_dead(lab):
    web_well(lab, dns=False)
    second_dns(lab)
    lab.nft("dns", "input", "meta l4proto { tcp, udp } th dport 53 drop")
    lab.check_dig("app.corp.test", "no servers could be reached")
    web_is_well(lab)


@scenario
def dns_host_down(lab):
    web_well(lab)
    lab.ip("dns", "link set eth0 down")
    lab.check_ping("10.1.0.53", False)
    lab.check_dig("app.corp.test", "no servers could be reached")
    web_is_well(lab)


@scenario
def dns_port_unreachable(lab):
    web_well(lab, dns=False)
    lab.check_dig("app.corp.test", "connection refused")
    lab.check_ping("10.1.0.53")
    web_is_well(lab)


def dns_that(lab, question, says, **how):
    """The only DNS server behaves in some way."""
    web_well(lab, dns=False)
    lab.dns("dns", "10.1.0.53", lab.zone, **how)
    lab.check_dig(question, says)
    web_is_well(lab)


@scenario
def dns_slow(lab):
    dns_that(lab, "+time=4 app.corp.test", r"Query time: 2\d\d\d", delay=2.02)


@scenario
def dns_servfail(lab):
    dns_that(lab, "app.corp.test", "SERVFAIL", rcode="SERVFAIL")


@scenario
def dns_refused(lab):
    dns_that(lab, "app.corp.test", "status: REFUSED", rcode="REFUSED")


def two_dns(lab, first, **how):
    """A first DNS server with another zone or behaviour; the second one is well."""
    web_well(lab, dns=False)
    second_dns(lab)
    lab.dns("dns", "10.1.0.53", lab.zone | first, **how)
    lab.dns("dns", "10.1.0.54", lab.zone)
    lab.check_dig("app.corp.test @10.1.0.54", r"10\.2\.0\.80")
    web_is_well(lab)


@scenario
def dns_disagree(lab):
    two_dns(lab, {"app.corp.test": "10.2.0.99"})
    lab.check_dig("app.corp.test @10.1.0.53", r"10\.2\.0\.99")
    lab.check_tcp("10.2.0.99", 80, "no-route")


@scenario
def dns_disagree_nxdomain(lab):
    two_dns(lab, {"app.corp.test": None})
    lab.check_dig("app.corp.test @10.1.0.53", "NXDOMAIN")
    lab.check_dig("box.corp.test @10.1.0.53", r"10\.1\.0\.30")


@scenario
def dns_first_servfail(lab):
    two_dns(lab, {}, rcode="SERVFAIL")
    lab.check_dig("app.corp.test @10.1.0.53", "SERVFAIL")


def dns_zone(lab, zone, question, says):
    """The zone is at fault, the server is not."""
    web_well(lab, zone=zone)
    lab.check_dig(question, says)
    web_is_well(lab)
    lab.check_others()


@scenario
def dns_nxdomain(lab):
    dns_zone(lab, {}, "gone.corp.test", "NXDOMAIN")


@scenario
def name_typo(lab):
    dns_zone(lab, {}, "ap.corp.test", "NXDOMAIN")


@scenario
def dns_nodata(lab):
    dns_zone(lab, {}, "corp.test", "NOERROR.*[\\s\\S]*ANSWER: 0")


@scenario
def dns_dangling_cname(lab):
    dns_zone(lab, {"alias.corp.test": "CNAME gone.corp.test"}, "alias.corp.test",
             "NXDOMAIN[\\s\\S]*CNAME\\s+gone.corp.test")


@scenario
def dns_cname_loop(lab):
    dns_zone(lab, {"one.corp.test": "CNAME two.corp.test", "two.corp.test": "CNAME one.corp.test"},
             "one.corp.test", "CNAME\\s+two.corp.test[\\s\\S]*CNAME\\s+one.corp.test")


@scenario
def dns_zero_answer(lab):
    dns_zone(lab, {"app.corp.test": "0.0.0.0"}, "app.corp.test", r"A\s+0\.0\.0\.0")


@scenario
def dns_loopback_answer(lab):
    dns_zone(lab, {"app.corp.test": "127.0.0.1"}, "app.corp.test", r"A\s+127\.0\.0\.1")
    lab.check_tcp("127.0.0.1", 80, "refused")


@scenario
def dns_wrong_address(lab):
    dns_zone(lab, {"app.corp.test": "10.2.0.99"}, "app.corp.test", r"10\.2\.0\.99")
    lab.check_tcp("10.2.0.99", 22, "no-route")
    host_is_well(lab)


@scenario
def dns_truncated(lab):
    dns_that(lab, "+ignore app.corp.test", "flags: .*tc", truncate=True, tcp=False)
    lab.nft("dns", "input", "tcp dport 53 drop")
    lab.check_tcp("10.1.0.53", 53, "timeout")


@scenario
def dns_none_configured(lab):
    web_well(lab)
    lab.files["resolv.conf"] = "search corp.test\n"
    lab.check("grep nameserver /etc/resolv.conf", r"\[exit 1\]")
    lab.check_dig("app.corp.test @10.1.0.53", r"10\.2\.0\.80")
    web_is_well(lab)


@scenario
def dns_other_address(lab):
    web_well(lab, dns=False)
    lab.ip("dns", "addr add 10.1.0.54/24 dev eth0")
    lab.dns("dns", "10.1.0.53", lab.zone, reply_from="10.1.0.54", tcp=False)
    lab.check_dig("app.corp.test", "no servers could be reached")
    query = "0001010000010000000000000361707004636f727004746573740000010001"
    lab.check(f"""{sys.executable} -c 'import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.settimeout(2)
s.sendto(bytes.fromhex("{query}"), ("10.1.0.53", 53))
print("from", s.recvfrom(999)[1][0])'""", r"from 10\.1\.0\.54")
    web_is_well(lab)


@scenario
def dns_search(lab):
    web_well(lab, zone={"app.dev.corp.test": "10.2.0.99"})
    lab.files["resolv.conf"] = "search dev.corp.test corp.test\nnameserver 10.1.0.53\n"
    lab.check("getent ahosts app", r"10\.2\.0\.99")
    lab.check_dig("app.corp.test", r"10\.2\.0\.80")
    lab.check_tcp("10.2.0.99", 80, "no-route")
    web_is_well(lab)


@scenario
def dns_search_missing(lab):
    web_well(lab)
    lab.check("getent ahosts app", r"\[exit 2\]")
    lab.check_http("http://app.corp.test/")
    lab.check_others()


@scenario
def hosts_stale(lab):
    web_well(lab)
    lab.files["hosts"] += "10.2.0.99 app.corp.test\n"
    lab.check("getent ahosts app.corp.test", r"10\.2\.0\.99")
    lab.check_dig("app.corp.test", r"10\.2\.0\.80")
    lab.check_tcp("10.2.0.99", 80, "no-route")
    web_is_well(lab)


@scenario
def hosts_loopback(lab):
    web_well(lab)
    lab.files["hosts"] += "127.0.0.1 app.corp.test\n"
    lab.check("getent ahosts app.corp.test", r"127\.0\.0\.1")
    lab.check_dig("app.corp.test", r"10\.2\.0\.80")
    web_is_well(lab)


@scenario
def nsswitch_files_only(lab):
    web_well(lab)
    lab.files["nsswitch.conf"] = "passwd: files\ngroup: files\nhosts: files\n"
    lab.check("getent ahosts app.corp.test", r"\[exit 2\]")
    lab.check_dig("app.corp.test", r"10\.2\.0\.80")
    web_is_well(lab)


@scenario
def dns_blocked(lab):
    web_well(lab, dns=False)
    lab.files["resolv.conf"] = "nameserver 10.3.0.81\n"
    lab.dns("other", "10.3.0.81", lab.zone)
    lab.nft("gw", "forward", "meta l4proto { tcp, udp } th dport 53 drop")
    lab.check_dig("app.corp.test", "no servers could be reached")
    lab.check("dig +short app.corp.test @10.3.0.81", r"10\.2\.0\.80", space="gw")
    web_is_well(lab)


@scenario
def own_firewall_dns(lab):
    web_well(lab)
    lab.nft("client", "output", "meta l4proto { tcp, udp } th dport 53 drop")
    lab.check_dig("app.corp.test", "no servers could be reached|not permitted|permission denied")
    lab.check("dig +short app.corp.test @10.1.0.53", r"10\.2\.0\.80", space="box")
    web_is_well(lab)


@scenario
def dns_typo_in_resolv_conf(lab):
    web_well(lab)
    lab.files["resolv.conf"] = "nameserver 10.1.0.35\n"
    lab.check_ping("10.1.0.35", False)
    lab.check_dig("app.corp.test @10.1.0.53", r"10\.2\.0\.80")
    web_is_well(lab)


# Scenarios: proxy

DIRECT = "--noproxy '*'"


def proxied(lab, port, handler, says, blocked=False):
    """The target is well; handler (if any) is the proxy on 10.1.0.30:3128."""
    site(lab)
    lab.tcp("srv", 80, http())
    https(lab, "srv")
    if handler:
        lab.tcp("box", 3128, handler)
    if blocked:
        lab.nft("gw", "forward", "iifname lan ip saddr 10.1.0.20 tcp dport { 80, 443 } drop")
    url = f"http{'s' if port == 443 else ''}://app.corp.test/"
    lab.check_http(url, says, options="-m6")
    lab.check_http(url, "timed out" if blocked else "200", options=DIRECT)
    lab.check_http("http://box.corp.test/", options=DIRECT)
    host_is_well(lab)


@scenario
def proxy_dead_direct_well(lab):
    proxied(lab, 443, None, "Failed to connect|timed out")
    lab.check_ping("10.1.0.9", False)


@scenario
def proxy_http_dead(lab):
    proxied(lab, 80, None, "Failed to connect|timed out")
    lab.check_ping("10.1.0.9", False)


@scenario
def proxy_dead_direct_blocked(lab):
    proxied(lab, 443, None, "Failed to connect|timed out", blocked=True)
    lab.check_ping("10.1.0.9", False)


@scenario
def proxy_refused(lab):
    proxied(lab, 443, None, "Failed to connect")
    lab.check_tcp("10.1.0.30", 3128, "refused")


@scenario
def proxy_auth(lab):
    proxied(lab, 443, proxy("407 Proxy Authentication Required"), "response 407", blocked=True)


@scenario
def proxy_forbids(lab):
    proxied(lab, 443, proxy("403 Forbidden"), "response 403", blocked=True)


@scenario
def proxy_bad_gateway(lab):
    proxied(lab, 443, proxy("502 Bad Gateway"), "response 502", blocked=True)


@scenario
def proxy_unknown_name(lab):
    proxied(lab, 80, None, "Could not resolve proxy")


# Scenarios: sound

@scenario
def sound_http(lab):
    web_well(lab)
    lab.check("id -u; grep CapEff /proc/self/status", "65534\n.*0000000000000000", user=True)
    lab.check("ping -n -c1 -W1 app.corp.test", "1 received", user=True)
    lab.check("ps ax", "!sound-http")
    lab.check_http("http://app.corp.test/")
    lab.check_http("http://app.corp.test/", space="client")
    host_is_well(lab)
    lab.check_others()


@scenario
def sound_https(lab):
    tls_site(lab)
    https(lab, "srv")
    lab.check_http("https://app.corp.test/")


@scenario
def sound_ssh(lab):
    site(lab)
    lab.check("timeout 2 nc -n 10.2.0.80 22 </dev/null", "SSH-2.0")
    host_is_well(lab)
    lab.check_others()


@scenario
def sound_silent_port(lab):
    service(lab, 5432, silent)


@scenario
def sound_dual_stack(lab):
    site(lab, v6=True)
    https(lab, "srv")
    lab.check_http("https://app.corp.test/", options="-4")
    lab.check_http("https://app.corp.test/", options="-6")
    lab.check_others()


@scenario
def sound_v6_only(lab):
    web_well(lab, v4=False, v6=True)
    lab.check_http("http://app.corp.test/")
    lab.check("ip -4 addr show eth0", "!inet")
    lab.check_others()


@scenario
def sound_two_routers(lab):
    web_well(lab, routers=2)
    lab.check_http("http://app.corp.test/")
    lab.check("traceroute -n -q1 -w1 -m4 10.2.0.80", r"3  10\.2\.0\.80")
    host_is_well(lab)
    lab.check_others()


@scenario
def sound_no_ping(lab):
    web_well(lab)
    lab.nft("srv", "input", "icmp type echo-request drop")
    lab.check_ping("10.2.0.80", False)
    lab.check_http("http://app.corp.test/")
    lab.check_others()


@scenario
def sound_own_address(lab):
    site(lab)
    lab.tcp("client", 8080, http())
    lab.check_http("http://10.1.0.20:8080/")
    lab.check_others()


@scenario
def sound_loopback(lab):
    site(lab)
    lab.tcp("client", 8080, http(), "127.0.0.1", "::1")
    lab.check_http("http://localhost:8080/")
    lab.check_others()


@scenario
def sound_hosts_name(lab):
    web_well(lab)
    lab.files["hosts"] += "10.2.0.80 intra\n"
    lab.check_http("http://intra/")
    lab.check_others()


@scenario
def sound_404(lab):
    status_code(lab, "404 Not Found")


@scenario
def sound_jumbo(lab):
    site(lab)
    lab.ip("client", "link set eth0 mtu 9000")
    lab.ip("box", "link set eth0 mtu 9000")
    lab.ip("dns", "link set eth0 mtu 9000")
    lab.ip("gw", "link set lan mtu 9000")
    lab.ip("switch", *(f"link set {port} mtu 9000" for port in ("client", "box", "dns", "gw")),
           "link set br0 mtu 9000")
    lab.services = [each for each in lab.services if each[0] != "box"]
    lab.tcp("box", 80, http(body=b"x" * 30000))
    lab.check("ping -n -c1 -W1 -M do -s 8900 10.1.0.30", "1 received")
    lab.check_others()


@scenario
def sound_latency_60(lab):
    web_well(lab)
    slow_router(lab, "gw", 0.03, "iif lan to 10.2.0.0/24", "iif wan")
    lab.check("ping -n -c1 -W2 10.2.0.80", r"time=[67]\d")
    lab.check_http("http://app.corp.test/")
    lab.check_others()


@scenario
def sound_no_port(lab):
    web_well(lab)
    https(lab, "srv")
    lab.check_http("http://app.corp.test/")
    lab.check_http("https://app.corp.test/")
    host_is_well(lab)
    lab.check_others()


@scenario
def sound_link(lab):
    site(lab)
    lab.check_http("http://10.1.0.30/")
    lab.check_others()


@scenario
def sound_redirect_https(lab):
    site(lab)
    lab.tcp("srv", 80, redirect("https://app.corp.test/", "301 Moved Permanently"))
    https(lab, "srv")
    lab.check_http("http://app.corp.test/", "301")
    lab.check_http("http://app.corp.test/", "200", options="-L")
    lab.check_others()


@scenario
def sound_cname(lab):
    web_well(lab, zone={"www.corp.test": "CNAME app.corp.test"})
    lab.check_http("http://www.corp.test/")
    lab.check_others()


@scenario
def sound_proxy(lab):
    proxied(lab, 443, proxy(), "200", blocked=True)


@scenario
def sound_unused_rules(lab):
    web_well(lab)
    tunnel(lab)
    lab.nft("client", "output", "ip daddr 192.168.77.0/24 drop", "udp dport 9999 reject")
    lab.ip("client", "rule add to 192.168.78.0/24 prohibit")
    lab.check_http("http://app.corp.test/")
    lab.check_others()


@scenario
def sound_no_aaaa_two_servers(lab):
    web_well(lab, dns=False)
    second_dns(lab)
    lab.dns("dns", "10.1.0.53", lab.zone)
    lab.dns("dns", "10.1.0.54", lab.zone)
    lab.check_dig("other.corp.test @10.1.0.54", r"10\.3\.0\.81")
    lab.check_others()


# A second network, with other names, numbers and interfaces
#
#   client 10.20.4.37/22 --+-- switch --+-- gw 10.20.7.254 ------ 10.50.1.1 wiki 10.50.1.20
#     (enp3s0)             |            |     | 10.255.1.1
#   ns 10.20.4.2 ----------+            |     | 10.255.1.2
#   printer 10.20.5.9 ------------------+    r2 10.40.8.1 ------- srv 10.40.8.15 shop.plant.test
#
# With three routers: r2 10.255.2.1 -- 10.255.2.2 r3 10.40.8.1 -- srv. With IPv6: fd00:20::37,
# fd00:20::1 (gw), fd00:20::2 (ns), fd00:20::9 (printer), fd00:50::20 (wiki), fd00:40::15 (srv),
# fd00:255:1::1 and ::2 between gw and r2, fd00:255:2::1 and ::2 between r2 and r3.

def plant(lab, routers=2, v6=False, v4=True, zone=None, dns=True, name="shop.plant.test"):
    """Make this network; name is the name of srv."""
    lab.v6 = v6
    chain = ["gw", "r2", "r3"][:routers]
    ports = ["client", "gw", "ns", "printer"]
    lab.create("client", "switch", "ns", "printer", "srv", "wiki", *chain, routers=chain)
    lab.links("client.enp3s0 switch.client", "gw.lan switch.gw", "ns.eth0 switch.ns",
              "printer.eth0 switch.printer", "gw.dmz wiki.eth0", f"{chain[-1]}.wan srv.eth0",
              *(f"{one}.far {two}.mid" for one, two in zip(chain, chain[1:])))
    lab.ip("switch", "link add br0 type bridge", "link set br0 up",
           *(f"link set {port} master br0" for port in ports))

    def put(space, dev, address, wide, via=None):
        family, mine, router = [], [], (via or (None, None))
        if v4:
            family.append((address, router[0]))
        if v6:
            family.append((wide, router[1]))
        for where, gate in family:
            mine.append(f"addr add {where} dev {dev}" + (" nodad" if ":" in where else ""))
            if gate:
                mine.append(f"route add default via {gate}")
        lab.ip(space, *mine)

    lan = ("10.20.7.254", "fd00:20::1")
    put("client", "enp3s0", "10.20.4.37/22", "fd00:20::37/64", lan)
    put("ns", "eth0", "10.20.4.2/22", "fd00:20::2/64", lan)
    put("printer", "eth0", "10.20.5.9/22", "fd00:20::9/64", lan)
    put("gw", "lan", "10.20.7.254/22", "fd00:20::1/64")
    put("gw", "dmz", "10.50.1.1/24", "fd00:50::1/64")
    put("wiki", "eth0", "10.50.1.20/24", "fd00:50::20/64", ("10.50.1.1", "fd00:50::1"))
    put(chain[-1], "wan", "10.40.8.1/24", "fd00:40::1/64")
    put("srv", "eth0", "10.40.8.15/24", "fd00:40::15/64", ("10.40.8.1", "fd00:40::1"))
    for number, (one, two) in enumerate(zip(chain, chain[1:]), 1):
        here, there = f"10.255.{number}", f"fd00:255:{number}:"
        put(one, "far", f"{here}.1/30", f"{there}:1/64")
        put(two, "mid", f"{here}.2/30", f"{there}:2/64", (f"{here}.1", f"{there}:1"))
        if v4:
            lab.ip(one, f"route add 10.40.8.0/24 via {here}.2")
        if v6:
            lab.ip(one, f"route add fd00:40::/64 via {there}:2")
    lab.zone = {
        "plant.test": [],
        name: (["10.40.8.15"] if v4 else []) + (["fd00:40::15"] if v6 else []),
        "wiki.plant.test": (["10.50.1.20"] if v4 else []) + (["fd00:50::20"] if v6 else []),
        "printer.plant.test": (["10.20.5.9"] if v4 else []) + (["fd00:20::9"] if v6 else []),
    }
    lab.zone.update(zone or {})
    lab.files["resolv.conf"] = f"nameserver {'10.20.4.2' if v4 else 'fd00:20::2'}\n"
    if dns:
        plant_dns(lab, *(["10.20.4.2"] if v4 else []), *(["fd00:20::2"] if v6 else []))
    lab.tcp("printer", 80, http())
    lab.tcp("wiki", 80, http())
    lab.tcp("srv", 22, banner())


def plant_dns(lab, *addresses, **how):
    for address in addresses:
        lab.dns("ns", address, lab.zone, top="plant.test", **how)


def plant_dns_addresses(lab, *last):
    """More addresses of the machine ns; all the given ones are in resolv.conf."""
    for number in last:
        if number != 2:
            lab.ip("ns", f"addr add 10.20.4.{number}/22 dev eth0")
    lab.files["resolv.conf"] = "".join(f"nameserver 10.20.4.{number}\n" for number in last)


def plant_web(lab, **how):
    """This network with a good web server on srv, HTTP and HTTPS."""
    plant(lab, **how)
    lab.tcp("srv", 80, http())
    https(lab, "srv", names=(how.get("name", "shop.plant.test"),))


def plant_second_address(lab):
    """srv has the address 10.40.8.16 as well, and its name both of them."""
    lab.ip("srv", "addr add 10.40.8.16/24 dev eth0")
    lab.zone["shop.plant.test"] = ["10.40.8.15", "10.40.8.16"]


def plant_others(lab):
    """A machine on the link and one behind the first router are well."""
    lab.check_http("http://printer.plant.test/")
    lab.check_http("http://wiki.plant.test/")


def plant_host(lab):
    """The target answers ping and on port 22."""
    lab.check_ping("10.40.8.15")
    lab.check_tcp("10.40.8.15", 22, "open")


def plant_from_printer(lab, port=443):
    """Seen from another machine on the link the target is well."""
    lab.check_tcp("10.40.8.15", port, "open", space="printer")


def no_icmp(lab, *routers):
    """Routers and the target neither answer nor forward any ICMP."""
    for space in routers:
        for chain in ("output", "forward"):
            lab.nft(space, chain, "meta l4proto icmp drop")
    lab.nft("srv", "input", "meta l4proto icmp drop")


# Scenarios in the second network: this machine

@scenario
def second_interface_down(lab):
    plant(lab, zone={"nas.plant.test": "10.60.0.5"})
    lab.create("san", "nas", "backup")
    lab.links("client.enp4s0 san.client", "nas.eth0 san.nas", "backup.eth0 san.backup")
    lab.ip("san", "link add br0 type bridge", "link set br0 up",
           *(f"link set {port} master br0" for port in ("client", "nas", "backup")))
    lab.ip("nas", "addr add 10.60.0.5/24 dev eth0")
    lab.ip("backup", "addr add 10.60.0.6/24 dev eth0")
    lab.ip("client", "addr add 10.60.0.37/24 dev enp4s0", "link set enp4s0 down")
    lab.tcp("nas", 445, silent)
    lab.check("ip -br addr show enp4s0", r"DOWN.*10\.60\.0\.37")
    lab.check("ip route get 10.60.0.5", r"via 10\.20\.7\.254")
    lab.check_tcp("10.60.0.5", 445, "net-unreachable")
    lab.check_tcp("10.60.0.5", 445, "open", space="backup")
    plant_others(lab)


@scenario
def bridge_without_port(lab):
    plant_web(lab)
    lab.ip("client", "addr flush dev enp3s0", "link add br0 type bridge", "link set br0 up",
           "link set enp3s0 master br0", "link set enp3s0 nomaster",
           "addr add 10.20.4.37/22 dev br0", "route add default via 10.20.7.254")
    lab.check("ip link show br0", "NO-CARRIER")
    lab.check("ip -br link show master br0", r"^\s*\[exit 0\]")
    lab.check("ip link show enp3s0", "LOWER_UP")
    lab.check("ip route get 10.40.8.15", "dev br0")
    lab.check_tcp("10.40.8.15", 443, "no-route")
    plant_from_printer(lab)


@scenario
def policy_rule_port(lab):
    plant(lab)
    https(lab, "srv", 8443, names=("shop.plant.test",))
    lab.ip("client", "rule add to 10.40.8.0/24 ipproto tcp dport 8443 prohibit")
    lab.check("ip route get 10.40.8.15", r"via 10\.20\.7\.254")
    lab.check("ip route get 10.40.8.15 ipproto tcp dport 8443", "Permission denied")
    lab.check("nc -nvz -w2 10.40.8.15 8443", "Permission denied")
    plant_host(lab)
    plant_others(lab)
    plant_from_printer(lab, 8443)


@scenario
def own_firewall_prerouting(lab):
    plant_web(lab)
    lab.nft_raw("client", """table inet edge { chain early {
        type filter hook prerouting priority -300;
        tcp sport 443 drop;
    }; }""")
    lab.check_tcp("10.40.8.15", 443, "timeout")
    lab.check("nft list ruleset", "hook prerouting[\\s\\S]*tcp sport 443 drop")
    plant_host(lab)
    plant_others(lab)
    plant_from_printer(lab)


@scenario
def own_nat_redirect(lab):
    plant_web(lab)
    lab.nft_raw("client", """table ip proxy { chain output {
        type nat hook output priority -100;
        ip daddr != 127.0.0.0/8 tcp dport 80 redirect to :8118;
    }; }""")
    lab.check_tcp("10.40.8.15", 80, "refused")
    lab.check_tcp("127.0.0.1", 8118, "refused")
    lab.check_tcp("10.40.8.15", 443, "open")
    lab.check("nft list ruleset", "redirect to :8118")
    plant_host(lab)
    plant_from_printer(lab, 80)


@scenario
def gateway_outside_subnet(lab):
    plant_web(lab)
    lab.ip("client", "route replace default via 10.20.44.254 dev enp3s0 onlink")
    lab.check("ip route", r"default via 10\.20\.44\.254 .*onlink")
    lab.check_tcp("10.40.8.15", 443, "no-route")
    lab.check_http("http://printer.plant.test/")
    lab.check_ping("10.20.7.254")
    plant_from_printer(lab)


@scenario
def leftover_address(lab):
    plant_web(lab)
    lab.ip("client", "addr add 10.40.8.200/24 dev enp3s0")
    lab.check("ip route get 10.40.8.15", r"10\.40\.8\.15 dev enp3s0 src 10\.40\.8\.200")
    lab.check_tcp("10.40.8.15", 443, "no-route")
    plant_others(lab)
    plant_from_printer(lab)


def wireguard_rules(lab):
    """Policy rules as wg-quick sets them."""
    lab.ip("client", "route add default dev wg0 table 51820",
           "rule add not fwmark 0xca6c lookup 51820",
           "rule add lookup main suppress_prefixlength 0")
    lab.check("ip route get 10.40.8.15", "dev wg0 table 51820")
    lab.check("ip route get 10.20.5.9", "dev enp3s0")


@scenario
def vpn_policy_swallows(lab):
    plant_web(lab)
    lab.ip("client", "tuntap add mode tun name wg0", "link set wg0 mtu 1420 up",
           "addr add 10.66.0.2/32 dev wg0")
    lab.later("client", swallow, "wg0")
    wireguard_rules(lab)
    lab.check_tcp("10.40.8.15", 443, "timeout")
    lab.check_http("http://printer.plant.test/")
    lab.check_ping("10.20.7.254")
    plant_from_printer(lab)


@scenario
def own_not_on_loopback(lab):
    plant(lab)
    lab.tcp("client", 9090, http(), "10.20.4.37")
    lab.check_tcp("127.0.0.1", 9090, "refused")
    lab.check_http("http://localhost:9090/", "\\[000\\]")
    lab.check_http("http://10.20.4.37:9090/")
    lab.check("ss -ltn", r"10\.20\.4\.37:9090", user=True)
    plant_others(lab)


# Scenarios in the second network: on the way

@scenario
def fw_drop_port_no_icmp(lab):
    plant(lab, name="search.plant.test")
    no_icmp(lab, "gw", "r2")
    lab.tcp("srv", 9200, http())
    lab.nft_raw("r2", "table inet fw { chain forward { type filter hook forward priority 0; "
                "tcp dport 9200 drop; }; }")
    lab.check_tcp("10.40.8.15", 9200, "timeout")
    lab.check_tcp("10.40.8.15", 9200, "open", space="r2")
    lab.check_tcp("10.40.8.15", 22, "open")
    lab.check_ping("10.40.8.15", False)
    lab.check_ping("10.20.7.254", False)
    lab.check("traceroute -n -q1 -w1 -m3 10.40.8.15", "!(?m)^ *[23]  10")
    plant_others(lab)


@scenario
def r3_reject_port_unreachable(lab):
    plant(lab, routers=3, name="db.plant.test")
    lab.tcp("srv", 5432, silent)
    lab.nft("r3", "forward", "tcp dport 5432 reject with icmp type port-unreachable")
    lab.check_tcp("10.40.8.15", 5432, "refused")
    lab.check_tcp("10.40.8.15", 5432, "open", space="r3")
    # The third router answers where the server itself should.
    lab.check("traceroute -n -T -p 5432 -q1 -w1 -m6 10.40.8.15", r"4  10\.255\.2\.2 ")
    plant_host(lab)
    plant_others(lab)


@scenario
def r2_net_prohibited(lab):
    plant_web(lab)
    lab.nft("r2", "forward", "ip daddr 10.40.8.0/24 reject with icmp type net-prohibited")
    lab.check("ping -n -c1 -W1 10.40.8.15", "10.255.1.2 .*Net Prohibited")
    lab.check("nc -nvz -w2 10.40.8.15 443", "unreachable|No route to host")
    lab.check_tcp("10.40.8.15", 443, "open", space="r2")
    plant_others(lab)


@scenario
def mtu_black_hole_three(lab):
    plant(lab, routers=3)
    for space, dev in (("r2", "far"), ("r3", "mid")):
        lab.ip(space, f"link set {dev} mtu 1280")
        lab.nft(space, "output", "icmp type destination-unreachable icmp code 4 drop")
    lab.tcp("srv", 8080, http(body=b"x" * 30000))
    lab.check("ping -n -c1 -W1 -M do -s 1200 10.40.8.15", "1 received")
    lab.check("ping -n -c1 -W1 -M do -s 1400 10.40.8.15", "0 received")
    lab.check("ping -n -c1 -W1 -M do -s 1400 10.255.1.2", "1 received")
    lab.check_tcp("10.40.8.15", 8080, "open")
    lab.check_http("http://shop.plant.test:8080/", "timed out")
    lab.check_http("http://10.40.8.15:8080/", space="r3")
    plant_others(lab)


@scenario
def loop_r2_r3(lab):
    plant_web(lab, routers=3)
    lab.ip("r3", "route add 10.40.8.15 via 10.255.2.1")
    lab.check("ping -n -c1 -W1 10.40.8.15", "Time to live exceeded")
    lab.check("traceroute -n -q1 -w1 -m7 10.40.8.15", r"10\.255\.2\.2[\s\S]*10\.255\.2\.2")
    lab.check_tcp("10.40.8.15", 443, "open", space="srv")
    plant_others(lab)


@scenario
def loss_40_second_router(lab):
    plant_web(lab)
    lab.nft("r2", "forward", "ip daddr 10.40.8.15 numgen inc mod 5 { 1, 3 } drop")
    lab.check("ping -n -c10 -i0.1 -W1 10.40.8.15", "40% packet loss")
    lab.check("ping -n -c10 -i0.1 -W1 10.255.1.2", " 0% packet loss")
    lab.check_http("http://shop.plant.test/", options="-m14")
    plant_others(lab)


@scenario
def latency_600_far(lab):
    plant_web(lab)
    slow_router(lab, "r2", 0.3, "iif mid to 10.40.8.0/24", "iif wan")
    lab.check("ping -n -c1 -W2 10.40.8.15", r"time=6\d\d")
    lab.check("ping -n -c1 -W1 10.255.1.2", "1 received")
    lab.check_http("http://shop.plant.test/")
    plant_others(lab)


@scenario
def r2_no_route(lab):
    plant_web(lab, routers=3)
    lab.ip("r2", "route del 10.40.8.0/24", "route del default",
           "route add 10.20.4.0/22 via 10.255.1.1", "route add 10.50.1.0/24 via 10.255.1.1")
    lab.check("ping -n -c1 -W1 10.40.8.15", "10.255.1.2 .*Net Unreachable")
    lab.check_tcp("10.40.8.15", 443, "net-unreachable")
    lab.check_tcp("10.40.8.15", 443, "open", space="r3")
    plant_others(lab)


# Scenarios in the second network: target

@scenario
def two_addresses_one_refused(lab):
    plant(lab)
    plant_second_address(lab)
    lab.tcp("srv", 80, http(), "10.40.8.16")
    lab.check_dig("shop.plant.test", r"10\.40\.8\.15[\s\S]*10\.40\.8\.16")
    lab.check_tcp("10.40.8.15", 80, "refused")
    lab.check_http("http://10.40.8.16/")
    plant_host(lab)
    plant_others(lab)


@scenario
def https_503_8443(lab):
    plant(lab, name="api.plant.test")
    https(lab, "srv", 8443, http("503 Service Unavailable"), names=("api.plant.test",))
    lab.check_http("https://api.plant.test:8443/", "503")
    plant_host(lab)
    plant_others(lab)


def stalling(conn):
    """The head of an answer and the begin of its body; the rest never comes."""
    read_head(conn)
    conn.sendall(b"HTTP/1.1 200 OK\r\nServer: web\r\nContent-Type: text/html\r\n"
                 b"Content-Length: 20000\r\n\r\n" + b"x" * 600)
    conn.recv(4096)


@scenario
def http_stalls_in_body(lab):
    plant(lab)
    lab.tcp("srv", 80, stalling)
    lab.check_http("http://shop.plant.test/", "600 out of 20000 bytes received")
    lab.check("ping -n -c1 -W1 -M do -s 1472 10.40.8.15", "1 received")
    plant_host(lab)
    plant_others(lab)


@scenario
def redirect_to_closed_port(lab):
    plant(lab)
    lab.tcp("srv", 80, redirect("https://shop.plant.test/", "301 Moved Permanently"))
    lab.check_http("http://shop.plant.test/", "301")
    lab.check_tcp("10.40.8.15", 443, "refused")
    plant_host(lab)
    plant_others(lab)


@scenario
def redirect_loop_https(lab):
    plant(lab)
    lab.tcp("srv", 80, redirect("https://shop.plant.test/", "301 Moved Permanently"))
    https(lab, "srv", handler=redirect("http://shop.plant.test/"), names=("shop.plant.test",))
    lab.check_http("https://shop.plant.test/", "302")
    lab.check_http("http://shop.plant.test/", "301")
    lab.check_http("https://shop.plant.test/", "redirects", options="-L")
    plant_host(lab)
    plant_others(lab)


def max_startups(conn):
    conn.sendall(b"Exceeded MaxStartups\r\n")
    conn.shutdown(socket.SHUT_WR)
    conn.settimeout(1)
    conn.recv(4096)


@scenario
def ssh_max_startups(lab):
    plant(lab, name="git.plant.test")
    lab.services = [each for each in lab.services if each[0] != "srv"]
    lab.tcp("srv", 22, max_startups)
    lab.check("timeout 3 nc -n 10.40.8.15 22 </dev/null", r"Exceeded MaxStartups\s+\[exit 0\]")
    lab.check_ping("10.40.8.15")
    plant_others(lab)


@scenario
def tls_reset_after_request(lab):
    plant(lab)
    https(lab, "srv", handler=reset_on_data, names=("shop.plant.test",))
    lab.check_http("https://shop.plant.test/", "reset by peer|SSL_ERROR_SYSCALL|SSL_read")
    lab.check("openssl s_client -connect 10.40.8.15:443 -servername shop.plant.test "
              "</dev/null 2>&1", "Verify(?:cation: OK| return code: 0)")
    plant_host(lab)
    plant_others(lab)


@scenario
def captive_511(lab):
    plant(lab, name="news.plant.test", zone={"login.plant.test": "10.20.7.254"})
    lab.tcp("srv", 80, http())
    lab.tcp("gw", 80, http("511 Network Authentication Required", body=(
        b"<html><head><meta http-equiv=\"refresh\" content=\"0; url=http://login.plant.test/\">"
        b"</head><body>You need to <a href=\"http://login.plant.test/\">log in to the network</a>"
        b"</body></html>\n"), headers=("Cache-Control: no-store",)))
    lab.nft_raw("gw", """table ip portal { chain prerouting {
        type nat hook prerouting priority -100;
        iifname lan tcp dport 80 redirect;
    }; }""")
    lab.check_http("http://news.plant.test/", "511")
    lab.check_http("http://wiki.plant.test/", "511")
    lab.check("curl -sS -m3 http://news.plant.test/", "log in to the network")
    lab.check_http("http://10.40.8.15/", space="gw")
    lab.check_http("http://printer.plant.test/")
    plant_host(lab)


# Scenarios in the second network: TLS

@scenario
def tls_wildcard_too_deep(lab):
    plant(lab, name="eu.api.plant.test")
    https(lab, "srv", names=("*.plant.test",))
    lab.check_http("https://eu.api.plant.test/", "no alternative certificate subject name matches")
    lab.check_http("https://eu.api.plant.test/", options="-k")
    lab.check_http("https://api.plant.test/", options="--resolve api.plant.test:443:10.40.8.15")
    plant_host(lab)
    plant_others(lab)


@scenario
def tls_expired_one_address(lab):
    plant(lab)
    plant_second_address(lab)
    authority(lab)
    for last, how in ((15, {"start": -102, "end": -12}), (16, {})):
        certificate(lab, f"leaf{last}", issuer="ca", names=("shop.plant.test",), **how)
        lab.tcp("srv", 443, tls(context(lab, f"leaf{last}"), http()), f"10.40.8.{last}")
    lab.check_http("https://shop.plant.test/", "certificate has expired",
                   options="--resolve shop.plant.test:443:10.40.8.15")
    lab.check_http("https://shop.plant.test/",
                   options="--resolve shop.plant.test:443:10.40.8.16")
    lab.check_dig("shop.plant.test", r"10\.40\.8\.15[\s\S]*10\.40\.8\.16")
    plant_host(lab)
    plant_others(lab)


@scenario
def tls_self_signed_default(lab):
    plant(lab, name="api.plant.test")
    authority(lab)
    certificate(lab, "own", names=("localhost.localdomain",))
    lab.tcp("srv", 8443, tls(context(lab, "own"), http()))
    lab.check_http("https://api.plant.test:8443/", "self-signed certificate")
    lab.check_http("https://api.plant.test:8443/", options="-k")
    plant_host(lab)
    plant_others(lab)


IMAP = b"* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] Dovecot ready.\r\n"


@scenario
def plain_imap_on_993(lab):
    plant(lab, name="mail.plant.test")
    authority(lab)
    lab.tcp("srv", 993, banner(IMAP))
    lab.check("timeout 2 nc -n 10.40.8.15 993 </dev/null", "OK .*IMAP4rev1")
    lab.check("openssl s_client -connect 10.40.8.15:993 </dev/null 2>&1", "wrong version number")
    plant_host(lab)
    plant_others(lab)


# Scenarios in the second network: IPv6

@scenario
def v6_address_dadfailed(lab):
    plant(lab, v6=True, zone={"v6.plant.test": ["fd00:40::15"]})
    lab.tcp("srv", 80, http())
    lab.create("twin")
    lab.links("twin.eth0 switch.twin")
    lab.ip("switch", "link set twin master br0")
    lab.ip("client", "addr del fd00:20::37/64 dev enp3s0")
    lab.ip("twin", "addr add fd00:20::37/64 dev eth0 nodad", "route add default via fd00:20::1")
    lab.sysctl("client", {"ipv6/conf/enp3s0/accept_dad": 1, "ipv6/conf/enp3s0/dad_transmits": 3})
    lab.ip("client", "addr add fd00:20::37/64 dev enp3s0",
           "route replace default via fd00:20::1 dev enp3s0")
    for _ in range(50):
        shown = subprocess.run(["ip", "-n", lab.full("client"), "-6", "addr", "show", "dev",
                                "enp3s0"], capture_output=True, text=True, check=True).stdout
        if "dadfailed" in shown:
            break
        time.sleep(0.1)
    lab.check("ip -6 addr show dev enp3s0", "fd00:20::37/64.* dadfailed")
    lab.check_http("http://v6.plant.test/", "\\[000\\]")
    lab.check_http("http://[fd00:40::15]/", space="printer")
    lab.check_http("http://[fd00:40::15]/", space="twin")
    lab.check_http("http://shop.plant.test/", options="-4")
    plant_others(lab)


@scenario
def v6_reject_admin(lab):
    plant_web(lab, v4=False, v6=True)
    lab.nft("r2", "forward", "tcp dport 443 reject with icmpv6 type admin-prohibited")
    lab.check("nc -nvz -w2 fd00:40::15 443", "Permission denied")
    lab.check_tcp("fd00:40::15", 22, "open")
    lab.check_tcp("fd00:40::15", 443, "open", space="r2")
    lab.check_ping("fd00:40::15")
    lab.check("ip -4 addr show enp3s0", "!inet")
    plant_others(lab)


@scenario
def v4_no_default_beside_v6(lab):
    plant_web(lab, v6=True)
    lab.ip("client", "route del default via 10.20.7.254")
    lab.check("ip -4 route", "!default")
    lab.check_tcp("10.40.8.15", 443, "net-unreachable")
    lab.check_http("https://shop.plant.test/", options="-6")
    lab.check_tcp("10.40.8.15", 443, "open", space="printer")
    plant_others(lab)


# Scenarios in the second network: DNS

def plant_web_well(lab):
    """The target is well, by its address."""
    lab.check_tcp("10.40.8.15", 443, "open")
    plant_host(lab)
    lab.check_http("http://10.20.5.9/")
    lab.check_http("http://10.50.1.20/")


@scenario
def dns_three_two_dead(lab):
    plant_web(lab, dns=False)
    plant_dns_addresses(lab, 2, 3, 4)
    lab.ip("ns", "addr del 10.20.4.2/22 dev eth0", "addr replace 10.20.4.3/22 dev eth0",
           "addr replace 10.20.4.4/22 dev eth0")
    plant_dns(lab, "10.20.4.4")
    lab.check_dig("shop.plant.test @10.20.4.2", "no servers could be reached|timed out")
    lab.check_dig("shop.plant.test @10.20.4.3", "connection refused")
    lab.check_dig("shop.plant.test @10.20.4.4", r"10\.40\.8\.15")
    lab.check_ping("10.20.4.2", False)
    lab.check_ping("10.20.4.3")
    lab.check("getent ahosts shop.plant.test", r"10\.40\.8\.15")
    plant_web_well(lab)


@scenario
def dns_aaaa_dropped(lab):
    plant_web(lab, dns=False)
    lab.files["resolv.conf"] += "options timeout:2\n"
    plant_dns(lab, "10.20.4.2", ignore=("AAAA",))
    lab.check_dig("shop.plant.test A", r"Query time: \d{1,2} msec")
    lab.check_dig("shop.plant.test A", r"10\.40\.8\.15")
    lab.check_dig("shop.plant.test AAAA", "no servers could be reached|timed out")
    lab.check("date +%s; getent ahosts shop.plant.test; date +%s", r"10\.40\.8\.15")
    lab.check("timeout 1.9 getent ahosts shop.plant.test", r"\[exit 124\]")
    plant_web_well(lab)


@scenario
def dns_servfail_one_name(lab):
    plant(lab, zone={"billing.plant.test": "SERVFAIL"})
    https(lab, "srv", names=("billing.plant.test", "shop.plant.test"))
    lab.check_dig("billing.plant.test", "status: SERVFAIL")
    lab.check("getent ahosts billing.plant.test", r"\[exit 2\]")
    lab.check_http("https://shop.plant.test/")
    plant_host(lab)
    plant_others(lab)


@scenario
def dns_cname_chain(lab):
    plant_web(lab, zone={"www.plant.test": "CNAME cdn.plant.test",
                         "cdn.plant.test": "CNAME edge.plant.test"})
    lab.check_dig("www.plant.test", "NXDOMAIN[\\s\\S]*CNAME\\s+cdn.plant.test"
                  "[\\s\\S]*CNAME\\s+edge.plant.test")
    lab.check_http("http://shop.plant.test/")
    plant_others(lab)


@scenario
def dns_ndots(lab):
    plant_web(lab, zone={"files.office.test": "10.40.8.15", "office.test": [],
                         "files.office.test.plant.test": "10.40.8.99"})
    lab.files["resolv.conf"] = "search plant.test\nnameserver 10.20.4.2\noptions ndots:4\n"
    lab.check("getent ahosts files.office.test", r"^10\.40\.8\.99")
    lab.check("getent ahosts files.office.test.", r"^10\.40\.8\.15")
    lab.check_dig("files.office.test", r"A\s+10\.40\.8\.15")
    lab.check_tcp("10.40.8.99", 80, "no-route")
    lab.check_http("http://10.40.8.15/")
    plant_others(lab)


@scenario
def hosts_other_machine(lab):
    plant(lab, name="billing.plant.test")
    lab.tcp("srv", 8080, http())
    lab.files["hosts"] += "10.50.1.20 billing.plant.test billing\n"
    lab.check("getent ahosts billing.plant.test", r"10\.50\.1\.20")
    lab.check_dig("billing.plant.test", r"10\.40\.8\.15")
    lab.check_tcp("10.50.1.20", 8080, "refused")
    lab.check_http("http://10.40.8.15:8080/")
    plant_others(lab)


@scenario
def dns_truncated_tcp_refused(lab):
    plant_web(lab, dns=False)
    plant_dns(lab, "10.20.4.2", truncate=True, tcp=False)
    lab.check_dig("+ignore shop.plant.test", "flags: .*tc")
    lab.check_tcp("10.20.4.2", 53, "refused")
    lab.check("getent ahosts shop.plant.test", r"\[exit 2\]")
    plant_web_well(lab)


# Scenarios in the second network: proxy

@scenario
def proxy_hangs(lab):
    plant_web(lab)
    lab.tcp("printer", 8080, silent)
    lab.check_http("https://shop.plant.test/", "timed out")
    lab.check_tcp("10.20.5.9", 8080, "open")
    lab.check_http("https://shop.plant.test/", options=DIRECT)
    lab.check_http("http://wiki.plant.test/", options=DIRECT)
    plant_host(lab)


# Scenarios in the second network: sound

@scenario
def sound_icmp_filtered(lab):
    plant_web(lab)
    no_icmp(lab, "gw", "r2")
    lab.check_ping("10.40.8.15", False)
    lab.check_ping("10.20.7.254", False)
    lab.check_http("https://shop.plant.test/")
    plant_others(lab)


@scenario
def sound_round_robin(lab):
    plant_web(lab, dns=False)
    plant_second_address(lab)
    plant_dns_addresses(lab, 2, 3)
    plant_dns(lab, "10.20.4.2")
    lab.zone = lab.zone | {"shop.plant.test": ["10.40.8.16", "10.40.8.15"]}
    plant_dns(lab, "10.20.4.3")
    lab.check_dig("shop.plant.test @10.20.4.2", r"10\.40\.8\.15[\s\S]*10\.40\.8\.16")
    lab.check_dig("shop.plant.test @10.20.4.3", r"10\.40\.8\.16[\s\S]*10\.40\.8\.15")
    for last in (15, 16):
        lab.check_http(f"http://10.40.8.{last}/")
    lab.check_http("http://shop.plant.test/")
    plant_others(lab)


@scenario
def sound_imaps(lab):
    plant(lab, name="mail.plant.test")
    https(lab, "srv", 993, banner(IMAP), names=("mail.plant.test",))
    lab.check("timeout 3 openssl s_client -quiet -verify_return_error -connect mail.plant.test:993 "
              "-verify_hostname mail.plant.test </dev/null 2>&1; sleep 0.2", "IMAP4rev1")
    plant_host(lab)
    plant_others(lab)


@scenario
def sound_vpn(lab):
    plant_web(lab)
    for space, host in (("client", 2), ("gw", 1)):
        lab.ip(space, "tuntap add mode tun name wg0", "link set wg0 mtu 1420 up",
               f"addr add 10.66.0.{host}/24 dev wg0")
    lab.ip("r2", "route add 10.66.0.0/24 via 10.255.1.1")
    lab.later("gw", tunnel_pair, lab, ("client", "wg0"), ("gw", "wg0"))
    wireguard_rules(lab)
    lab.check_http("https://shop.plant.test/")
    lab.check("traceroute -n -q1 -w1 -m5 10.40.8.15", r"1  10\.66\.0\.1[\s\S]*3  10\.40\.8\.15")
    plant_host(lab)
    plant_others(lab)


# Commands

def described(name):
    with open(f"{NETWORKS}/{name}.toml", "rb") as handle:
        return tomllib.load(handle)


@contextlib.contextmanager
def network(name):
    """Make the network of this scenario, and remove it in any case."""
    def stop(number, _frame):
        raise SystemExit(128 + number)

    ends = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    for number in ends:
        signal.signal(number, stop)
    lab = Lab(name)
    try:
        SCENARIOS[name](lab)
        lab.write_files()
        lab.start()
        yield lab
    finally:
        for number in ends:
            signal.signal(number, signal.SIG_IGN)
        lab.remove()


def run(words):
    user = False
    if words and words[0] == "--user":
        user, words = True, words[1:]
    if "--" not in words or words.index("--") == len(words) - 1 or not words.index("--"):
        raise SystemExit("usage: networks.py run [--user] NAME [--user] -- COMMAND...")
    split = words.index("--")
    name, command = words[0], words[split + 1:]
    for word in words[1:split]:
        if word != "--user":
            raise SystemExit(f"networks.py: {word}: not known")
        user = True
    if name not in SCENARIOS:
        raise SystemExit(f"networks.py: there is no scenario {name}")
    with network(name) as lab:
        return lab.execute(command, user=user, env=described(name).get("env"))


def show():
    for name in sorted(SCENARIOS):
        about = described(name)
        print(json.dumps({"name": name, "family": about["family"], "target": about["target"],
                          "port": about.get("port"), "sound": about.get("sound", False),
                          "env": about.get("env", {}), "cause": about["cause"]}))


def wrong_words(name):
    """What is wrong with networks/NAME.toml: its own cause must pass its own rules."""
    about = described(name)
    for key in about:
        if key not in ("family", "target", "port", "cause", "first", "first_user", "never",
                       "sound", "env"):
            yield f"unknown key {key}"
    for pattern in about["first"]:
        if not re.search(pattern, about["cause"]):
            yield f"the cause does not match first {pattern!r}"
    for pattern in about.get("first_user", []):
        re.compile(pattern)
    for pattern in about["never"]:
        if re.search(pattern, about["cause"]):
            yield f"the cause matches never {pattern!r}"


def check_one(name):
    """Check one scenario; return 0 if all is as it is described."""
    begin = time.monotonic()
    try:
        return check_network(name, begin)
    except (OSError, RuntimeError, subprocess.CalledProcessError) as error:
        print(f"FAULT {name}: {error}")
        return 1


def check_network(name, begin):
    faults = list(wrong_words(name))
    with network(name) as lab:
        made = time.monotonic() - begin
        env = described(name).get("env")
        for space, command, want, user in lab.checks:
            with tempfile.TemporaryFile() as out:
                argv = ["timeout", "15", "sh", "-c", command]
                code = lab.execute(argv, space, user, env, out.fileno())
                out.seek(0)
                text = out.read().decode(errors="replace") + f"\n[exit {code}]"
            absent = want.startswith("!")
            if bool(re.search(want.lstrip("!"), text)) == absent:
                faults.append(f"{space}: {command}\n     wanted {want}\n     got "
                              + text.strip().replace("\n", "\n         "))
        if not lab.checks:
            faults.append("nothing is checked")
        with open(f"{lab.dir}/server.log", encoding="utf-8", errors="replace") as handle:
            log = handle.read()
        if "Traceback" in log:
            faults.append("the servers say: " + log)
        count = len(lab.checks)
    print(f"{'FAULT' if faults else 'ok':5} {name} ({count} checks, made in {made:.2f} s, "
          f"{time.monotonic() - begin:.1f} s in all)", *faults, sep="\n   - " if faults else "")
    return 1 if faults else 0


def check(words):
    jobs = 4
    if words[:1] == ["-j"]:
        jobs, words = int(words[1]), words[2:]
    begin = time.monotonic()
    described_names = {os.path.basename(path)[:-5] for path in glob.glob(f"{NETWORKS}/*.toml")}
    for name in sorted(described_names ^ set(SCENARIOS)):
        print(f"FAULT {name}: only one of the function and the toml is there")
    names = words or sorted(described_names & set(SCENARIOS))
    if len(names) == 1:
        return check_one(names[0])
    bad, running = 0, []
    for name in names + [None] * jobs:
        while len(running) >= jobs or (name is None and running):
            done = [each for each in running if each.poll() is not None]
            bad += sum(1 for each in done if each.returncode)
            running = [each for each in running if each not in done]
            time.sleep(0.02)
        if name:
            running.append(subprocess.Popen([sys.executable, os.path.abspath(__file__),
                                             "check", name]))
    print(f"{len(names)} networks, {bad} with faults, {time.monotonic() - begin:.0f} s")
    return 1 if bad else 0


def clean():
    """Remove the namespaces and directories of networks.py processes that are no more."""
    for path in glob.glob("/run/netns/lab*-*") + glob.glob(f"{tempfile.gettempdir()}/lab*-*"):
        match = re.fullmatch(r"lab(\d+)-.*", os.path.basename(path))
        if match and not os.path.exists(f"/proc/{match[1]}"):
            if path.startswith("/run/netns/"):
                remove_spaces([os.path.basename(path)])
            else:
                shutil.rmtree(path, ignore_errors=True)


def main(words):
    if words[:1] == ["list"]:
        return show()
    if os.geteuid() != 0:
        raise SystemExit("networks.py: only root can make network namespaces")
    if words[:1] == ["run"]:
        return run(words[1:])
    if words[:1] == ["check"]:
        return check(words[1:])
    if words[:1] == ["clean"]:
        return clean()
    raise SystemExit(__doc__)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
