# Subscribes to a topic, renews, and takes what is pushed. Run it behind a server that speaks HTTPS.
#   TOPIC     the topic's URL             HUB       the hub's URL
#   CALLBACK  where this program is reached from outside, e.g. https://you.example/websub
#   PORT      to listen on                STATE     a file for the subscription; it holds its secret
#   CONTENT   a file for the newest content
import hashlib
import hmac
import json
import os
import re
import secrets
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlencode
from urllib.request import Request, urlopen

TOPIC, HUB, CALLBACK = os.environ["TOPIC"], os.environ["HUB"], os.environ["CALLBACK"]
STATE = os.environ.get("STATE", "subscription.json")
CONTENT = os.environ.get("CONTENT", "content")
MAX_BYTES = 256 * 1024 * 1024
LEASE_SECONDS = 10 * 86_400
PENDING_SECONDS = 600  # for this long the hub may ask about a request
RETRY_SECONDS = [60, 300, 3600]
# What a challenge may consist of (WebSub, section 5.3).
CHALLENGE = re.compile(r"[+\-./0-9=A-Z_a-z]{1,512}")


def write(path, content):
    handle = os.open(path + ".new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(handle)
    os.replace(path + ".new", path)


class Subscription:
    """What this program knows of its subscription; the path cannot be guessed."""

    def __init__(self):
        self.lock = threading.Lock()
        self.pending_until = self.failures = self.next_try = 0
        try:
            with open(STATE) as file:
                self.kept = json.load(file)
        except FileNotFoundError:
            token, secret = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
            self.kept = {"token": token, "secret": secret, "renew_at": 0, "etag": None}
        self.next_try = self.kept["renew_at"]

    def save(self, **changes):
        self.kept.update(changes)
        write(STATE, json.dumps(self.kept).encode())

    def try_later(self):
        self.pending_until = 0
        self.next_try = time.time() + RETRY_SECONDS[min(self.failures, len(RETRY_SECONDS) - 1)]
        self.failures += 1

    def subscribe(self):
        with self.lock:
            self.pending_until = self.next_try = time.time() + PENDING_SECONDS
            form = {
                "hub.mode": "subscribe",
                "hub.topic": TOPIC,
                "hub.callback": CALLBACK.rstrip("/") + "/" + self.kept["token"],
                "hub.secret": self.kept["secret"],
                "hub.lease_seconds": LEASE_SECONDS,
            }
            if self.kept["etag"]:  # what we have; anything newer is sent at once
                form["hub.etag"] = self.kept["etag"]
        try:
            with urlopen(Request(HUB, urlencode(form).encode()), timeout=30) as answer:
                if answer.status == 202:
                    return
                print(f"the hub refused: {answer.status}", flush=True)
        except HTTPError as error:
            print(f"the hub refused: {error.code} {error.read(200)!r}", flush=True)
        except OSError as error:
            print(f"the hub cannot be reached: {error}", flush=True)
        with self.lock:
            self.try_later()

    def confirm(self, asked):
        """Returns the challenge if the question is about a request of ours, else None."""
        challenge, lease = asked.get("hub.challenge", ""), asked.get("hub.lease_seconds", "")
        with self.lock:
            is_ours = asked.get("hub.topic") == TOPIC and asked.get("hub.mode") == "subscribe"
            if not is_ours or time.time() >= self.pending_until:
                return None
            if not CHALLENGE.fullmatch(challenge) or not re.fullmatch(r"[1-9]\d{0,9}", lease):
                return None
            self.pending_until = self.failures = 0
            self.next_try = time.time() + int(lease) * 0.8  # with a fifth of the lease left
            self.save(renew_at=self.next_try)
        print(f"subscribed for {lease} s", flush=True)
        return challenge

    def denied(self, reason):
        print("denied: " + re.sub(r"[^ -~]", " ", reason)[:200], flush=True)
        with self.lock:
            self.save(renew_at=0)
            self.try_later()

    def take(self, body, signature, etag):
        right = "sha256=" + hmac.new(self.kept["secret"].encode(), body, hashlib.sha256).hexdigest()
        if not hmac.compare_digest((signature or "").encode(), right.encode()):
            return print("ignored: wrong signature", flush=True)
        with self.lock:
            if etag and etag == self.kept["etag"]:
                return print("ignored: it is known", flush=True)
            write(CONTENT, body)  # yours to use
            self.save(etag=etag)
            print(f"new content: {len(body)} bytes", flush=True)


class Subscriber(BaseHTTPRequestHandler):
    timeout = 60

    def answer(self, status, body=""):
        self.send_response(status)
        self.send_header("Content-Type", "text/plain")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def is_callback(self):
        return self.path.split("?", 1)[0].endswith("/" + subscription.kept["token"])

    def do_GET(self):
        if not self.is_callback():
            return self.answer(404)
        query = self.path.partition("?")[2]
        asked = {name: values[0] for name, values in parse_qs(query).items()}
        if asked.get("hub.mode") == "denied":
            if asked.get("hub.topic") == TOPIC:
                subscription.denied(asked.get("hub.reason", ""))
            return self.answer(200)
        challenge = subscription.confirm(asked)
        self.answer(404 if challenge is None else 200, challenge or "")

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not self.is_callback():
            return self.answer(404)
        if not re.fullmatch(r"\d{1,12}", length):
            return self.answer(411)
        if int(length) > MAX_BYTES:
            return self.answer(413)
        body = self.rfile.read(int(length))
        if len(body) < int(length):  # it was cut off
            return
        subscription.take(body, self.headers["X-Hub-Signature"], self.headers["ETag"])
        self.answer(202)  # any 2xx, once it is kept: the hub sends again what is not acknowledged

    def log_message(self, *_):
        pass  # the path is a secret


def renew():
    while True:
        if time.time() >= subscription.next_try:
            subscription.subscribe()
        time.sleep(1)


subscription = Subscription()
subscription.save()
server = ThreadingHTTPServer(("", int(os.environ.get("PORT", "8080"))), Subscriber)
print(f"listening on {server.server_port}", flush=True)
threading.Thread(target=renew, daemon=True).start()
server.serve_forever()
