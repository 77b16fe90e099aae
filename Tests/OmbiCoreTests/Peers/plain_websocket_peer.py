"""A WebSocket server (RFC 6455) for tests, without any package. It listens on its standard input, a socket.

Paths: /echo, /handshake (sends path and headers as JSON), /close?code=N&reason=TEXT, /forbidden (403).
"""

import base64
import hashlib
import json
import socket as sockets
import struct
import threading
from urllib.parse import parse_qs, urlsplit

KEY = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


def frame(opcode, payload):
    length = len(payload)
    if length < 126:
        head = bytes([0x80 | opcode, length])
    elif length < 1 << 16:
        head = bytes([0x80 | opcode, 126]) + struct.pack(">H", length)
    else:
        head = bytes([0x80 | opcode, 127]) + struct.pack(">Q", length)
    return head + payload


def read_frame(stream):
    first, second = stream.read(2)
    length = second & 0x7F
    if length == 126:
        (length,) = struct.unpack(">H", stream.read(2))
    elif length == 127:
        (length,) = struct.unpack(">Q", stream.read(8))
    mask = stream.read(4)  # A client masks (RFC 6455, section 5.3).
    return first & 0x0F, bytes(byte ^ mask[index % 4] for index, byte in enumerate(stream.read(length)))


def closing(code, reason=""):
    return frame(8, struct.pack(">H", code) + reason.encode())


def talk(connection):
    with connection, connection.makefile("rwb", buffering=0) as raw:
        stream = connection.makefile("rb")
        path = stream.readline().split()[1].decode()
        fields = []
        while (line := stream.readline().strip()):
            name, value = line.decode("latin-1").split(":", 1)
            fields.append([name, value.strip()])
        url = urlsplit(path)
        if url.path == "/forbidden":
            raw.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            return
        key = next(value for name, value in fields if name.lower() == "sec-websocket-key")
        accept = base64.b64encode(hashlib.sha1(key.encode() + KEY).digest())
        raw.write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n")
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        if url.path == "/handshake":
            raw.write(frame(1, json.dumps({"path": path, "headers": fields}).encode()) + closing(1000))
        elif url.path == "/close":
            raw.write(closing(int(query["code"]), query.get("reason", "")))
        while True:
            opcode, payload = read_frame(stream)
            if opcode == 8:
                if url.path == "/echo":
                    raw.write(frame(8, payload))
                return
            if opcode in (1, 2):
                raw.write(frame(opcode, payload))


def serve(connection):
    try:
        talk(connection)
    except (OSError, ValueError):
        pass  # The client is gone.


server = sockets.socket(fileno=0)
while True:
    threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
