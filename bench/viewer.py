"""Measures the viewer where a harness of other programs cannot: see scripts/bench-viewer."""

import contextlib
import fcntl
import json
import multiprocessing
import os
import pty
import random
import select
import signal
import socket
import statistics
import struct
import subprocess
import sys
import termios
import time

MB = 1_000_000
# The attribute of the row under the cursor, alone or with others in one sequence.
HIGHLIGHT = b"[7m", b";7m", b"[7;38;", b";7;"


class Program:
    """A program in a pseudo-terminal of 120x40."""

    def __init__(self, *argv):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = "xterm-256color"
            os.execvp(argv[0], argv)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.terminal)

    def settle(self, quiet=0.3):
        while select.select([self.terminal], [], [], quiet)[0]:
            os.read(self.terminal, 1 << 16)

    def press(self, keys):
        os.write(self.terminal, keys)
        self.settle()

    def send(self, keys, *shown, timeout=30):
        """Seconds from a key to the first of some texts on the way to the screen; what came before is not looked at."""
        while select.select([self.terminal], [], [], 0)[0]:
            os.read(self.terminal, 1 << 16)
        begin, seen = time.perf_counter(), b""
        os.write(self.terminal, keys)
        while not any(text in seen for text in shown):
            if not select.select([self.terminal], [], [], timeout)[0]:
                sys.exit(f"{keys!r}: none of {shown!r} within {timeout} s")
            seen += os.read(self.terminal, 1 << 16)
        return time.perf_counter() - begin

    def peak(self):
        """The most memory that it had so far, mapped files included, in MiB."""
        with open(f"/proc/{self.pid}/status") as status:
            return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))


def users(size, seed=1):
    """JSON of about that many bytes; its last value but one is the only one with the word needle."""
    dice, parts, count = random.Random(seed), [], 0
    while count < size:
        part = json.dumps({
            "id": len(parts), "name": f"user {dice.randrange(10**6)}", "email": f"u{len(parts)}@example.test",
            "tags": ["a", "b", "c"], "score": dice.random(),
            "nested": {"x": 1, "y": [1, 2, 3], "text": "lorem ipsum dolor sit amet " * 3}})
        parts.append(part)
        count += len(part) + 2
    return ('{"first": true, "users": [' + ",\n".join(parts) + '], "needle": 1, "last": true}').encode()


def serve(listener, body, rate):
    """Answers every request with a body, at so many bytes a second at most."""
    while True:
        connection, _ = listener.accept()
        connection.recv(1 << 16)
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        connection.sendall(head.encode())
        begin, view, sent = time.perf_counter(), memoryview(body), 0
        with contextlib.suppress(ConnectionError):
            while sent < len(body):
                connection.sendall(view[sent : sent + (1 << 18)])
                sent += 1 << 18
                time.sleep(max(0, sent / rate - (time.perf_counter() - begin)))


def keys_while_it_arrives(ombi, folder, body, rate, seconds, rounds):
    """Milliseconds from Down or Up to the moved cursor, while a body arrives and is indexed."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = multiprocessing.Process(target=serve, args=(listener, body, rate), daemon=True)
    server.start()
    collection = os.path.join(folder, "bench.json")
    url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    with open(collection, "w") as file:
        json.dump({"version": 1, "name": "bench", "items": [{"request": "big", "method": "GET", "path": url}]}, file)
    times = []
    for _ in range(rounds):
        with Program(ombi, collection) as program:
            program.settle()
            program.press(b"j")
            program.press(b"3")
            program.send(b"s", b"first")
            end, number = time.perf_counter() + seconds, 0
            while time.perf_counter() < end:
                times.append(program.send(b"\x1b[A" if number % 2 else b"\x1b[B", *HIGHLIGHT) * 1000)
                number += 1
                time.sleep(0.01)
    server.kill()
    times.sort()
    return f"{statistics.median(times):.2f} | {times[int(len(times) * 0.95)]:.2f} | {times[-1]:.1f} | {len(times)}"


def first_hit(ombi, path):
    """Milliseconds from the last letter of a word to its only match, at the end of the body."""
    times = []
    for _ in range(5):
        with Program(ombi, "view", path) as program:
            program.settle(1)
            program.press(b"/needl")
            times.append(program.send(b"e", b"match", b"1 of 1") * 1000)
    return statistics.median(times), max(times)


def in_turn(rounds, **commands):
    """The median seconds of each command."""
    times = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            begin = time.perf_counter()
            subprocess.run(command, shell=True, stdout=subprocess.DEVNULL, executable="/bin/bash")
            times[name].append(time.perf_counter() - begin)
    return {name: statistics.median(values) for name, values in times.items()}


def main(ombi, folder):
    big, old, new = (os.path.join(folder, name) for name in ("big.json", "old.json", "new.json"))
    body = users(100 * MB)
    with open(big, "wb") as file:
        file.write(body)
    for path, word in ((old, b"user 7"), (new, b"user number 7")):
        with open(path, "wb") as file:
            file.write(users(10 * MB).replace(b"user 777", word + b"77"))

    print("| while 100 MB arrive: Down/Up to the moved cursor (ms) | p50 | p95 | most | keys |")
    print("| --- | ---: | ---: | ---: | ---: |")
    print("| as fast as they come |", keys_while_it_arrives(ombi, folder, body, 1e12, 0.25, 10), "|")
    print("| at 20 MB a second |", keys_while_it_arrives(ombi, folder, body, 20 * MB, 4, 2), "|")

    middle, most = first_hit(ombi, big)
    print(f"\nThe only match, at the end of 100 MB: on the screen {middle:.0f} ms after the last letter ({most:.0f} at most).")

    with Program(ombi, "view", big) as program:
        program.settle(1)
        seen = program.peak()
        program.send(b"|$..name\r", b"matches", timeout=60)
        program.settle(1)
        print(f"Peak memory with 100 MB: {seen:.0f} MiB, with all names filtered {program.peak():.0f} MiB.\n")

    print("| on the command line | ombi (s) | the other (s) | times as fast |")
    print("| --- | ---: | ---: | ---: |")
    pairs = {
        "`ombi filter '$..name'`, `jq '..\\|.name?'`, 100 MB": (f"{ombi} filter '$..name' {big}", f"jq '..|.name?' {big}"),
        "`ombi diff`, `diff` of what `jq -S` made of them, 10 MB": (
            f"{ombi} diff {old} {new}", f"diff -u <(jq -S . {old}) <(jq -S . {new})"),
    }
    for name, (mine, other) in pairs.items():
        times = in_turn(3, ombi=mine, other=other)
        print(f"| {name} | {times['ombi']:.2f} | {times['other']:.2f} | {times['other'] / times['ombi']:.0f} |")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
