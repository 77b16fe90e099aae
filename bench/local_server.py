"""Servers on 127.0.0.1 that answer each request with the same JSON."""

import http.server
import os
import shutil
import socket
import subprocess
import threading
import time

NGINX = """
worker_processes 1; daemon off; pid {0}/pid; error_log {0}/error.log;
events {{ worker_connections 256; }}
http {{
    access_log off; keepalive_requests 1000000000; default_type application/json; open_file_cache max=4;
    client_body_temp_path {0}/a; proxy_temp_path {0}/b; fastcgi_temp_path {0}/c; uwsgi_temp_path {0}/d; scgi_temp_path {0}/e;
    server {{ listen 127.0.0.1:{1}; root {0}/site; }}
}}
"""


def answer(body):
    """Starts a server in this program, and returns its port."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    class Server(http.server.ThreadingHTTPServer):
        def handle_error(self, *_):
            """Programs that are done close their connections."""

    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def nginx(folder, body):
    """Starts nginx, which answers /user.json and is no burden; returns the process and its port."""
    os.makedirs(os.path.join(folder, "site"))
    os.chmod(folder, 0o755)  # its worker is another user
    with open(os.path.join(folder, "site/user.json"), "wb") as file:
        file.write(body)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    with open(os.path.join(folder, "nginx.conf"), "w") as file:
        file.write(NGINX.format(folder, port))
    server = subprocess.Popen(
        [shutil.which("nginx") or "/usr/sbin/nginx", "-c", os.path.join(folder, "nginx.conf")], stderr=subprocess.DEVNULL)
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return server, port
        except ConnectionRefusedError:
            assert server.poll() is None, "nginx does not start"
            time.sleep(0.01)
