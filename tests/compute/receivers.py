"""A receiver of webhooks on this machine, and the secret that it shares."""

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = "whsec_" + "bm90IGEgc2VjcmV0IGF0IGFsbCwganVzdCBmb3IgdGVzdHM="


class Receiver:
    """An HTTP server that answers with the given statuses, then with 204, and keeps what it got."""

    def __init__(self, *statuses):
        self.statuses = statuses = list(statuses)
        self.got = got = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                got.append(({name.lower(): value for name, value in self.headers.items()}, body))
                self.send_response(statuses.pop(0) if statuses else 204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, args=(0.005,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
