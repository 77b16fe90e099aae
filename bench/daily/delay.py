"""Runs a command behind a line on which everything is under way for 300 ms, both ways: python3 slowline.py COMMAND…"""

import collections
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
import tty

DELAY = 0.3  # seconds, each way


def slow_line(command):
    """Runs a command in a pseudo-terminal; what is typed and what it prints is under way for DELAY seconds each."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp(command[0], command)

    def resize(*_):
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, fcntl.ioctl(0, termios.TIOCGWINSZ, struct.pack("HHHH", 0, 0, 0, 0)))

    resize()
    signal.signal(signal.SIGWINCH, resize)
    tty.setraw(0)
    under_way = collections.deque()  # (time of arrival, where to, bytes)
    sources = {0: terminal, terminal: 1}
    while sources or under_way:
        wait = max(0, under_way[0][0] - time.monotonic()) if under_way else None
        for source in select.select(list(sources), [], [], wait)[0]:
            try:
                data = os.read(source, 1 << 16)
            except OSError:
                data = b""
            if not data:
                sources.clear()
            under_way.append((time.monotonic() + DELAY, sources.get(source), data))
        while under_way and under_way[0][0] <= time.monotonic():
            _, target, data = under_way.popleft()
            if target is not None:
                os.write(target, data)
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


sys.exit(slow_line(sys.argv[1:]))
