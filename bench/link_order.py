"""Prints the functions that a start, keys and a request run, each part behind the one before, for the linker: see scripts/link-order.

Arguments: the program with its symbols, and the linker's map of it."""

import collections
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

from local_server import answer

ESCAPE, DOWN, PAGE_DOWN = b"\x1b", b"\x1b[B", b"\x1b[6~"
# The functions whose calls count where keys alone do, mangled: what reads one, and what draws a frame.
OF_KEYS = ["*MainLoopC9readInput*", "*ApplicationC12drawIfNeeded*"]
MOVES = [b"j", DOWN, b"k", DOWN, b"j", b"k"]
# What is typed, a pause after each: valgrind is slow. The moves come first, as they are done most.
PARTS = [
    MOVES,
    [],
    [b"j", DOWN, b"k", b"G", b"g", b"j", b"2", b"\r", b"abc", ESCAPE, b"]", b"\t", b"1", b"/", b"get", ESCAPE, b":", ESCAPE, b"?", ESCAPE],
    [b"j", b"s", b"", b"", b"", b"3", b"j", b" ", PAGE_DOWN, b"]", b"[", b"G", b"/", b"n1", b"\r", b"1", b"j", b"s", b"", b""],
]
PAUSE = 1.5  # seconds
START = 12  # seconds
END = 60  # seconds, for the profile
REPLIES = {b"\x1b]11;?": b"\x1b]11;rgb:0000/0000/0000\x1b\\", b"\x1b[5n": b"\x1b[0n", b"\x1b[c": b"\x1b[?62c"}
BODY = json.dumps([{"id": n, "name": f"n{n}", "tags": ["a", "b"], "ok": True, "v": 1.5} for n in range(200)]).encode()
MAXIMUM_SHARED = 30_000  # bytes of a section that holds many functions, of which one is enough to bring it along


def record(program, keys, folder, counted=()):
    """Runs the program in a terminal of 120x40 while keys are typed; returns the names of its functions, mangled."""
    profile = os.path.join(folder, "profile")
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", HOME=folder, XDG_STATE_HOME=folder, XDG_CONFIG_HOME=folder)
        command = ["valgrind", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={profile}"]
        command += [f"--toggle-collect={name}" for name in counted]
        os.execvp("valgrind", command + [program, os.path.join(folder, "requests.json")])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))

    def read(seconds):
        """Returns false once the program has ended."""
        end = time.time() + seconds
        while (left := end - time.time()) > 0:
            if select.select([terminal], [], [], left)[0]:
                try:
                    output = os.read(terminal, 65536)
                except OSError:
                    return False
                for request, reply in REPLIES.items():
                    os.write(terminal, reply * output.count(request))
        return True

    read(START)
    for key in keys:
        os.write(terminal, key)
        read(PAUSE)
    os.kill(pid, signal.SIGTERM)
    if read(END):
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(terminal)
    with open(profile) as lines:
        names = [match.group(1) for line in lines if (match := re.match(r"c?fn=\(\d+\) (\S+?)('\d+)?$", line))]
    os.remove(profile)
    return names


def sections(path):
    """The section of each function in the linker's map, as its name and its bytes."""
    found, section = {}, None
    with open(path) as lines:
        for line in lines:
            fields = line.split(None, 4)
            if len(fields) < 5 or not re.fullmatch("[0-9a-f]+", fields[0]):
                continue
            name = fields[4].strip()
            if ":(" in name:
                section = (name, int(fields[2], 16)) if ":(.text" in name else None
            elif section:
                found.setdefault(name, section)
    return found


def main(program, map_path):
    known, done, shared, port = sections(map_path), set(), set(), answer(BODY)
    with tempfile.TemporaryDirectory() as folder:
        requests = [{"request": f"get-{n:03}", "path": f"http://127.0.0.1:{port}/x.json"} for n in range(1, 31)]
        with open(os.path.join(folder, "requests.json"), "w") as file:
            json.dump({"version": 1, "name": "order", "items": requests}, file)
        for keys in PARTS:
            parts = collections.defaultdict(list)
            for name in record(program, keys, folder, OF_KEYS if keys == MOVES else []):
                if name in done or name not in known:
                    continue
                done.add(name)
                section, size = known[name]
                if not section.endswith(":(.text)"):
                    parts["own"].append(name)
                elif section not in shared and size <= MAXIMUM_SHARED:
                    shared.add(section)
                    parts["shared"].append(name)
            # Sorted, so that a new list differs by what has changed.
            print("\n".join(sorted(parts["own"]) + sorted(parts["shared"])))


main(*sys.argv[1:])
