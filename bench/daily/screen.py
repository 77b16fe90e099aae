"""The screen of a story: a terminal of tmux, whose text is waited for."""

import os
import re
import select
import subprocess
import time

COLUMNS, ROWS = 120, 34
KEYS = re.compile(r'"[^"]*"|\'[^\']*\'|\S+')  # in quotes: typed as it is; else the name that tmux has for a key


class Failure(Exception):
    """A story that did not go as told."""


class Gone(str):
    """A text that must not be on the screen."""


class Screen:
    """Ombi in a window of tmux, on a server of its own."""

    def __init__(self, folder, command, limit):
        self.socket, self.command, self.limit = os.path.join(folder, "tmux"), command, limit
        self.open()

    def tmux(self, *arguments, **more):
        """Runs a command of tmux."""
        return subprocess.run(["tmux", "-u", "-S", self.socket, *arguments], capture_output=True, text=True, **more)

    def open(self):
        settings = ["set", "-g", "set-clipboard", "on", ";", "set", "-g", "escape-time", "0", ";",
                    "set", "-g", "default-terminal", "tmux-256color", ";", "set", "-g", "remain-on-exit", "on", ";",
                    "set", "-g", "exit-empty", "off", ";"]
        size = ["-x", str(COLUMNS), "-y", str(ROWS)]
        started = self.tmux("-f", "/dev/null", "start", ";", *settings, "new-session", "-d", "-s", "story", *size, self.command)
        if started.returncode:
            raise Failure(started.stderr)

    def close(self):
        """As a closed terminal or a dropped line does: who is left gets SIGHUP."""
        pid = int(self.tmux("display", "-p", "#{pane_pid}").stdout or 0)
        self.tmux("kill-session", "-t", "story")
        if pid:
            self.wait_for(lambda: is_gone(pid) or None, "the end of what ran in the terminal")

    def end(self):
        self.close()
        self.tmux("kill-server")

    def press(self, keys):
        for key in KEYS.findall(keys):
            literal = key[0] in "\"'" and len(key) > 1
            self.tmux("send-keys", *(["-l", "--", key[1:-1]] if literal else ["--", key]))

    def paste(self, text):
        self.tmux("load-buffer", "-", input=text)
        self.tmux("paste-buffer", "-p")

    def text(self):
        return self.tmux("capture-pane", "-p").stdout

    def clipboard(self):
        return self.tmux("show-buffer").stdout

    def see(self, *texts):
        def missing():
            screen = self.text()
            return [text for text in texts if (text in screen) == isinstance(text, Gone)]

        def seen():
            return not missing() or None

        try:
            self.wait_for(seen, "")
        except Failure:
            told = ", ".join(("still there: " if isinstance(text, Gone) else "not there: ") + repr(str(text)) for text in missing())
            raise Failure(told or "there only after the limit") from None

    def wait_for(self, condition, name):
        end = time.monotonic() + self.limit
        while (found := condition()) is None:
            if time.monotonic() > end:
                raise Failure(f"not within {self.limit} s: {name}")
            select.select([], [], [], 0.03)
        return found


def is_gone(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False
