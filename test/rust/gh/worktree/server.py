"""A git server by HTTPS for tests: git http-backend behind a login.

Arguments: ready file, log, certificate, key, root of bare repositories, token, and where all is redirected to ("" for nowhere).
Each request is one line of the log: path, a tab, and the value of Authorization.
"""

import http.server
import os
import ssl
import subprocess
import sys
import urllib.parse

READY, LOG, CERTIFICATE, KEY, ROOT, TOKEN, ELSEWHERE = sys.argv[1:8]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, headers, body=b""):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def body(self):
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = []
        while True:
            size = int(self.rfile.readline().split(b";")[0], 16)
            parts.append(self.rfile.read(size))
            self.rfile.readline()
            if size == 0:
                return b"".join(parts)

    def do_GET(self):
        given = self.headers.get("Authorization", "")
        with open(LOG, "a") as log:
            log.write(self.path + "\t" + given + "\n")
        body = self.body()
        if ELSEWHERE:
            self.answer(301, [("Location", ELSEWHERE + self.path)])
            return
        if not given:
            self.answer(401, [("WWW-Authenticate", 'Basic realm="GitHub"')])
            return
        import base64

        if base64.b64decode(given.split()[-1]).decode().split(":")[-1] != TOKEN:
            self.answer(401, [("WWW-Authenticate", 'Basic realm="GitHub"')])
            return
        path, _, query = self.path.partition("?")
        environment = {
            "PATH": os.environ["PATH"],
            "GIT_PROJECT_ROOT": ROOT,
            "GIT_HTTP_EXPORT_ALL": "1",
            "REQUEST_METHOD": self.command,
            "PATH_INFO": urllib.parse.unquote(path),
            "QUERY_STRING": query,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            "REMOTE_USER": "octo",
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "safe.directory",
            "GIT_CONFIG_VALUE_0": "*",
        }
        ran = subprocess.run(["git", "http-backend"], input=body, env=environment, capture_output=True)
        head, _, rest = ran.stdout.partition(b"\r\n\r\n")
        headers = [tuple(line.split(": ", 1)) for line in head.decode().split("\r\n")]
        status = next((int(value.split()[0]) for name, value in headers if name == "Status"), 200)
        self.answer(status, [pair for pair in headers if pair[0] != "Status"], rest)

    do_POST = do_GET


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(CERTIFICATE, KEY)
server.socket = context.wrap_socket(server.socket, server_side=True)
with open(READY + ".new", "w") as ready:
    ready.write(str(server.server_address[1]))
os.rename(READY + ".new", READY)
server.serve_forever()
