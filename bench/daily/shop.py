"""The world of a story: its folder, its collection and a server."""

import collections
import http.server
import json
import os

from daily.screen import Failure


class World:
    """What a story can reach: its folder, the port of the server, the collection and the tmux that shows the screen."""

    def __init__(self, folder, port):
        self.folder, self.port, self.screen = folder, port, None
        os.makedirs(self.path("collections"))

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w") as file:
            file.write(text)

    def read(self, name="collections/shop.json"):
        with open(self.path(name)) as file:
            return file.read()

    def replace(self, old, new, name="collections/shop.json"):
        """Changes a file as git does: a new one takes its place."""
        text = self.read(name)
        if old not in text:
            raise Failure(f"{name} does not have {old!r}")
        self.write(name + ".new", text.replace(old, new))
        os.rename(self.path(name + ".new"), self.path(name))

    def shop(self):
        """A collection with what most stories need."""
        def request(name, path, method="GET", **more):
            return {"request": name, "method": method, "path": path, **more}

        self.write("collections/shop.json", json.dumps({
            "version": 1, "name": "shop", "environments": [
                {"name": "local", "host": f"http://127.0.0.1:{self.port}"},
                {"name": "staging", "host": f"http://127.0.0.1:{self.port}", "additionalHeaders": {"X-Stage": "staging"}},
                {"name": "guarded", "host": f"http://127.0.0.1:{self.port}", "protected": True},
                {"name": "down", "host": "http://127.0.0.1:1"}],
            "items": [
                {"folder": "users", "items": [
                    request("all users", "/users"), request("one user", "/users/1"),
                    request("new user", "/users", "POST", body={"json": {"name": "Ada", "city": "London"}})]},
                request("large", "/large"), request("count", "/count"),
                request("busy", "/busy", policy={"retries": 8, "sla": "1h", "backoff": {"first": "5m", "factor": 1, "jitter": 0}})],
        }, indent=2))

    def living(self):
        """A request that is based on an operation of a document."""
        identifier = {"name": "id", "in": "path", "required": True, "example": 7}
        operation = {"operationId": "getUser", "summary": "Get a user", "parameters": [identifier], "responses": {}}
        self.write("collections/openapi.yaml", json.dumps({
            "openapi": "3.0.3", "info": {"title": "shop", "version": "1"},
            "paths": {"/users/{id}": {"get": operation}}}, indent=2))
        self.write("collections/shop.json", json.dumps({
            "version": 1, "name": "shop", "environments": [{"name": "local", "host": f"http://127.0.0.1:{self.port}"}],
            "items": [{"operation": "getUser", "specification": "./openapi.yaml"}]}, indent=2))

    def orders(self):
        items = [{"request": f"order {number}", "method": "GET", "path": f"/orders/{number}"} for number in range(1000)]
        self.write("collections/shop.json", json.dumps({
            "version": 1, "name": "shop", "items": items,
            "environments": [{"name": "local", "host": f"http://127.0.0.1:{self.port}"}]}, indent=2))

    def broken(self):
        self.shop()
        self.replace('"method": "POST"', '"method": "post"')
        self.write("editor", '#!/bin/sh\nfor file; do :; done\nsed s/post/POST/ "$file" >"$file.new" && mv "$file.new" "$file"\n')
        os.chmod(self.path("editor"), 0o700)

    def vim(self):
        self.shop()
        self.write("config/ombi/config.json", '{ "keys": { "preset": "vim" } }')


class Answers(http.server.BaseHTTPRequestHandler):
    """The server of the stories. Nothing that it answers depends on the time."""

    protocol_version = "HTTP/1.1"
    large = json.dumps({
        "items": [{"id": number, "name": f"item {number}", "text": "lorem ipsum dolor sit amet " * 4}
                  for number in range(70_000)],
        "needle": "found", "last": True}, indent=1).encode()
    count = collections.Counter()

    def do_GET(self):
        if self.headers["Content-Length"]:
            self.rfile.read(int(self.headers["Content-Length"]))
        status, body = 200, {"path": self.path, "stage": self.headers["X-Stage"], "user": {"name": "Grace", "city": "Oslo"}}
        if self.path == "/busy":
            status = 503
        elif self.command == "POST":
            status = 201
        elif self.path == "/count":
            self.count["seen"] += 1
            body = {"same": 1, "seen": f"number {self.count['seen']}"}
        data = self.large if self.path == "/large" else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_POST = do_GET

    def log_message(self, *_):
        pass
