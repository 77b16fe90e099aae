"""Measures how long the screen goes on moving after a key that was held is released, on a slow line: see scripts/bench-slowline."""

import collections
import fcntl
import heapq
import json
import os
import pty
import random
import select
import signal
import struct
import sys
import tempfile
import termios
import time

from local_server import answer

DELAY = 0.15  # seconds, each way
BUFFER = 32_768  # bytes that the network holds
KEYS_PER_SECOND = 30
HELD = 3  # seconds
REQUEST, REPLY = b"\x1b[5n", b"\x1b[0n"


class Line:
    """A program in a pseudo-terminal of 120x34, behind a line with so many bytes a second; the terminal replies to status requests."""

    def __init__(self, rate, *argv):
        self.rate = rate
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = "xterm-256color"
            os.execvp(argv[0], argv)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 34, 120, 0, 0))
        self.output = collections.deque()  # (time of arrival, bytes)
        self.input = []  # a heap of (time, bytes)
        self.held = self.sent = 0
        self.free = self.last = time.time()
        self.tail = b""

    def type(self, when, data):
        heapq.heappush(self.input, (when, data))

    def run(self, until):
        while (now := time.time()) < until:
            self.deliver(now)
            due = [until] + [at for at, _ in list(self.output)[:1] + self.input[:1]]
            wait = min(max(0, min(due) - now), 0.02)
            readable, _, _ = select.select([self.terminal] if self.held < BUFFER else [], [], [], wait)
            if readable:
                self.take()

    def deliver(self, now):
        while self.output and self.output[0][0] <= now:
            self.last, data = self.output.popleft()
            self.held -= len(data)
            text = self.tail + data
            self.tail = b"" if text.endswith(REQUEST) else text[-3:]
            for _ in range(text.count(REQUEST)):
                self.type(now + DELAY, REPLY)
        while self.input and self.input[0][0] <= now:
            os.write(self.terminal, heapq.heappop(self.input)[1])

    def take(self):
        data = os.read(self.terminal, min(256, BUFFER - self.held))
        self.sent += len(data)
        self.held += len(data)
        self.free = max(self.free, time.time()) + len(data) / self.rate
        self.output.append((self.free + DELAY, data))

    def hold(self, key):
        """Returns the bytes for each key, and the seconds from the release to the last byte on the screen."""
        before, start = self.sent, time.time()
        for number in range(KEYS_PER_SECOND * HELD):
            self.type(start + number / KEYS_PER_SECOND + DELAY, key)
        release = start + HELD
        self.run(release + 10)
        return (self.sent - before) / (KEYS_PER_SECOND * HELD), max(0, self.last - release)

    def end(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.terminal)


def serve():
    random.seed(3)
    words = ["alpha", "beta", "a longer text", "δέλτα", "x"]
    body = json.dumps(
        [
            {"id": random.randrange(10 ** random.randrange(1, 9)), random.choice(words): random.choice(words) * random.randrange(1, 5),
             "tags": random.sample(words, random.randrange(0, 4)), "ok": random.random() < 0.5}
            for _ in range(800)
        ]
    ).encode()

    return answer(body)


def main(programs):
    port = serve()
    folder = tempfile.mkdtemp()
    os.environ["XDG_STATE_HOME"] = os.environ["XDG_CONFIG_HOME"] = folder
    collection = folder + "/slow.json"
    with open(collection, "w") as file:
        environments = [{"name": "local", "host": f"http://127.0.0.1:{port}"}]
        items = [{"request": "list", "method": "GET", "path": "/list"}]
        json.dump({"version": 1, "name": "slow", "environments": environments, "items": items}, file)
    print("| program | key held | line (kB/s) | bytes a key | goes on for (s) |\n| --- | --- | ---: | ---: | ---: |")
    for rate in (20_000, 5_000):
        for name, key in (("Down", b"\x1b[B"), ("PageDown", b"\x1b[6~")):
            for program in programs:
                line = Line(rate, program, collection)
                line.run(time.time() + 2.5)
                for typed in (b"s", b"3"):
                    line.type(time.time(), typed)
                    line.run(time.time() + 1.5)
                size, after = line.hold(key)
                line.end()
                print(f"| {os.path.basename(program)} | {name} | {rate // 1000} | {size:.0f} | {after:.2f} |", flush=True)


main(sys.argv[1:])
