"""The ways from the keyboard to Ombi: tmux alone, ssh, and a slow line."""

import contextlib
import getpass
import os
import select
import shlex
import socket
import subprocess
import sys

# As root, sshd wants a user and a folder, and notes logins in /var/log: it gets them in a mount namespace of its own.
AS_ROOT = """
cp /etc/passwd "$0/passwd"
grep -q ^sshd: "$0/passwd" || echo sshd:x:65533:65533::/:/bin/false >>"$0/passwd"
mount --bind "$0/passwd" /etc/passwd
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /var/log
mkdir -m 755 /run/sshd
exec "$@"
"""


class Ways:
    """How each way runs a command in the terminal; what they need runs while this is open."""

    def __init__(self, folder, sshd):
        self.folder, self.sshd, self.server, self.ssh = folder, sshd, None, None
        self.obstacle = "" if sshd else "no sshd"

    def __enter__(self):
        if self.sshd:
            self.serve()
        return self

    def __exit__(self, *_):
        if self.server:
            self.server.terminate()
            self.server.wait()

    def commands(self):
        ways = {"tmux": lambda command: command}
        if self.ssh:
            ways["ssh"] = lambda command: f"{self.ssh} {shlex.quote(command)}"
        delay = os.path.join(os.path.dirname(__file__), "delay.py")
        ways["slow line"] = lambda command: f"{shlex.quote(sys.executable)} {shlex.quote(delay)} {command}"
        return ways

    def serve(self):
        """An sshd for the user who runs this, on 127.0.0.1, with keys of its own."""
        for name in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", f"{self.folder}/{name}"], check=True)
        port = free_port()
        settings = {
            "ListenAddress": f"127.0.0.1:{port}", "HostKey": f"{self.folder}/host", "AuthorizedKeysFile": f"{self.folder}/user.pub",
            "PidFile": "none", "StrictModes": "no", "UsePAM": "no", "PasswordAuthentication": "no", "PermitRootLogin": "yes"}
        with open(f"{self.folder}/sshd_config", "w") as file:
            file.writelines(f"{name} {value}\n" for name, value in settings.items())
        command = [self.sshd, "-D", "-e", "-f", f"{self.folder}/sshd_config"]
        if os.getuid() == 0:
            command = ["unshare", "--mount", "sh", "-ec", AS_ROOT, self.folder, *command]
        with open(f"{self.folder}/sshd.log", "w") as log:
            self.server = subprocess.Popen(command, stderr=log)
        while True:
            with contextlib.suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
                break
            if self.server.poll() is not None:
                with open(f"{self.folder}/sshd.log") as log:
                    self.obstacle = log.read().strip()
                return
            select.select([], [], [], 0.03)
        self.ssh = (f"env -u LD_LIBRARY_PATH ssh -tt -F none -i {self.folder}/user -p {port} -o IdentitiesOnly=yes -o LogLevel=ERROR "
                    f"-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null {getpass.getuser()}@127.0.0.1")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]
