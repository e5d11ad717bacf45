# Answers the hub's challenge for one topic, then takes what is pushed, if it is signed right.
import hashlib
import hmac
import os
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlsplit

TOPIC, SECRET = os.environ["TOPIC"], os.environ["SECRET"].encode()


def is_signed(header, body):
    right = "sha256=" + hmac.new(SECRET, body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(header or "", right)


class Subscriber(BaseHTTPRequestHandler):
    def do_GET(self):
        asked = parse_qs(urlsplit(self.path).query)
        known = asked.get("hub.topic") == [TOPIC]
        self.send_response(200 if known else 404)
        self.send_header("Content-Type", "text/plain")
        self.end_headers()
        if known:
            self.wfile.write(asked.get("hub.challenge", [""])[0].encode())

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(202)  # any 2xx; three failures in a row end the subscription
        self.end_headers()
        if is_signed(self.headers["X-Hub-Signature"], body):
            print(f"new content: {len(body)} bytes", flush=True)  # yours to use
        else:
            print("ignored: wrong signature", flush=True)


server = HTTPServer(("", int(os.environ.get("PORT", "8080"))), Subscriber)
print(f"listening on {server.server_port}", flush=True)
server.serve_forever()
