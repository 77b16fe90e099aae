"""A WebSocket server for tests. It listens on its standard input, a socket.

Usage: websocket_peer.py [CERTIFICATE KEY]    (PEM files; with them it speaks TLS)
"""

import asyncio
import json
import socket as sockets
import ssl
import sys
from http import HTTPStatus
from urllib.parse import parse_qs, urlsplit

import websockets

PAGES = {
    "/forbidden": (403, [("Content-Type", "application/json")], b'{"error": "not for you"}'),
    "/busy": (503, [("Retry-After", "7")], b""),
    "/moved": (302, [("Location", "/echo")], b""),
}


async def page(path, headers):
    page = PAGES.get(urlsplit(path).path)
    return page and (HTTPStatus(page[0]), *page[1:])


async def echo(socket):
    async for message in socket:
        await socket.send(message)


async def talk(socket):
    url = urlsplit(socket.path)
    query = {name: values[0] for name, values in parse_qs(url.query).items()}
    if url.path == "/echo":
        await echo(socket)
    elif url.path == "/close":
        await socket.close(int(query["code"]), query.get("reason", ""))
    elif url.path == "/count":
        for number in range(int(query["to"])):
            await socket.send(str(number))
    elif url.path == "/handshake":
        fields = [[name, value] for name, value in socket.request_headers.raw_items()]
        await socket.send(json.dumps({"path": socket.path, "headers": fields, "subprotocol": socket.subprotocol}))
    elif url.path == "/pings":
        for _ in range(int(query["times"])):
            await (await socket.ping())
        await socket.send("all answered")
    elif url.path == "/fragments":
        await socket.send(query["text"])
        await socket.send([letter for letter in query["text"]])
    elif url.path == "/abort":
        await socket.send("before")
        socket.transport.abort()
    elif url.path == "/closed":
        await socket.wait_closed()
        await asyncio.sleep(0)


async def main():
    context = None
    if len(sys.argv) > 2:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
    await websockets.serve(
        talk, sock=sockets.socket(fileno=0), ssl=context, process_request=page, subprotocols=["v2", "v1"], max_size=None,
        ping_interval=None, close_timeout=5)
    await asyncio.Future()


asyncio.run(main())
