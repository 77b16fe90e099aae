#!/usr/bin/env python3
"""Time that 1,000 expectations add to a run with a JSON body of 100 MB: bench/expectations.py [OMBI]

Sends the same request without and with expectations, five times each, and prints the medians of the time from the response to
the exit of `ombi run`: that of the command without the time of the request.
"""

import functools, http.server, json, os, statistics, subprocess, sys, tempfile, threading, time

OMBI = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".build/release/ombi")
SIZE, COUNT, RUNS = 100_000_000, 1_000, 5


def body(path):
    """Writes a list of records; returns their number."""
    count = 0
    with open(path, "w") as file:
        file.write('{"items":[')
        while file.tell() < SIZE:
            record = {"id": count, "name": f"user {count}", "tags": ["a", "b"], "active": count % 2 == 0, "price": count / 8}
            file.write(("," if count else "") + json.dumps(record))
            count += 1
        file.write("]}")
    return count


def expectations(count):
    """A thousand conditions, spread over the whole body."""
    rows = [lambda i: {"path": f"$.items[{i}].id", "equals": i}, lambda i: {"path": f"$.items[{i}].name", "matches": "^user [0-9]+$"},
            lambda i: {"path": f"$.items[{i}].tags", "count": 2}, lambda i: {"path": f"$.items[{i}].price", "type": "number"}]
    return [rows[n % 4](n * (count - 1) // COUNT) for n in range(COUNT)]


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments): pass


def run(folder, port, expected):
    request = {"request": "body", "path": "/body.json", "expect": {"status": "200", **({"body": expected} if expected else {})}}
    file = os.path.join(folder, "shop.json")
    with open(file, "w") as out:
        json.dump({"version": 1, "name": "shop", "environments": [{"name": "local", "host": f"http://127.0.0.1:{port}"}],
                   "items": [request]}, out)
    start = time.monotonic()
    done = subprocess.run([OMBI, "run", file, "--output", "json"], stdout=subprocess.PIPE, check=True)
    seconds = time.monotonic() - start
    result = json.loads(done.stdout)["requests"][0]
    assert result["passed"] and len(result["expectations"]) == 1 + len(expected), result["failures"][:3]
    return seconds - result["durationMs"] / 1000


with tempfile.TemporaryDirectory() as folder:
    count = body(os.path.join(folder, "body.json"))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port, times = server.server_port, {0: [], COUNT: []}
    for _ in range(RUNS):
        for number in times:
            times[number].append(run(folder, port, expectations(count) if number else []))
    server.shutdown()
    for number, seconds in times.items():
        print(f"{number} expectations: {statistics.median(seconds):.3f} s ({min(seconds):.3f}-{max(seconds):.3f})")
    print(f"added by {COUNT}: {statistics.median(times[COUNT]) - statistics.median(times[0]):.3f} s")
