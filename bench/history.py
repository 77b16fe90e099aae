"""Measures the history with a million attempts: see scripts/bench-history."""

import json
import os
import sqlite3
import statistics
import subprocess
import sys
import time

from local_server import nginx
from viewer import Program

REQUESTS = 500


def make(state, runs, requests):
    """Fills the history that Ombi has just begun: runs of one attempt each, one a second, evenly over the requests."""
    path = os.path.join(state, "ombi", "history.sqlite")
    begin = time.perf_counter()
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA synchronous = OFF")
        first, file, environment, url, prepared, body, response = database.execute(
            "SELECT run.request, request.file, environment, url, prepared, body, response FROM run"
            " JOIN request ON request.id = run.request ORDER BY run.id LIMIT 1").fetchone()
        names = [json.dumps([f"request {number}"], separators=(",", ":")) for number in range(requests)]
        database.executemany("INSERT OR IGNORE INTO request (file, path) VALUES (?, ?)", [(file, name) for name in names])
        base = database.execute(
            "SELECT min(id) FROM request WHERE path LIKE '[\"request %' AND file = ?", (file,)).fetchone()[0]
        now = int(time.time() * 1e6)
        numbers = f"WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < {runs})"
        database.execute(
            f"INSERT INTO run (request, environment, started, duration, sla, outcome, status, attempts, method, url, failure,"
            f" size, body, prepared, response) {numbers} SELECT {base} + n % {requests}, ?, {now} - ({runs} - n) * 1000000,"
            f" 3000 + (n * 7919) % 400000, 1000000, n % 97 = 0, CASE n % 97 WHEN 0 THEN 503 ELSE 200 END, 1, 'GET', ?, NULL,"
            f" 56, ?, ?, ? FROM number", (environment, url, body, prepared, response))
        database.execute(
            "INSERT INTO attempt SELECT id, 1, 0, 0, duration, 0, 0, 300, 0, 50, duration - 500, 150, outcome,"
            " CASE outcome WHEN 1 THEN 2 END, NULL, status, NULL, NULL, NULL, 1, 'HTTP/1.1', 180, 120 FROM run"
            " WHERE id > (SELECT min(run) FROM attempt)")
        count(database)
    database.close()
    seconds = time.perf_counter() - begin
    return f"{runs:,} runs of {requests} requests, made in {seconds:.0f} s, {os.path.getsize(path) / 1e6:.0f} MB"


def count(database):
    """Counts the runs as Ombi does with those that it writes, after the first, which it has counted."""
    step = "(SELECT min(upTo) FROM step WHERE upTo >= duration)"
    whose = "request, coalesce(environment, 0)"
    rest = "FROM run WHERE id > (SELECT min(id) FROM run) GROUP BY"
    status = "outcome, CASE outcome WHEN 1 THEN 2 ELSE -1 END, coalesce(status, -1)"
    for table, columns, keys in [
        ("period", f"started - started % 300000000 AS slot, min(started), max(started), max(duration), count(*), 0,"
         " sum(outcome = 0), sum(outcome = 0), sum(outcome = 0 AND duration <= sla)", "slot"),
        ("run_tally", f"{step} AS step, count(*)", "step"),
        ("attempt_tally", f"0, 0, {status}, {step} AS step, count(*)", "outcome, status, step"),
        ("address_tally", f"0, 1, {status}, {step} AS step, count(*)", "outcome, status, step"),
    ]:
        database.execute(f"INSERT OR REPLACE INTO {table} SELECT {whose}, {columns} {rest} {whose}, {keys}")


def milliseconds(command, rounds=7):
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times.append((time.perf_counter() - begin) * 1000)
    return statistics.median(times)


def tab(ombi, collection, keys, shown, rounds=7):
    """Milliseconds from a key to what it shows; each time in a program of its own."""
    times = []
    for _ in range(rounds):
        with Program(ombi, collection) as program:
            program.settle(0.6)
            # The first request: Ombi begins where it ended.
            program.press(b"g")
            program.press(b"j")
            for key in keys[:-1]:
                program.press(key)
            times.append(program.send(keys[-1], *shown) * 1000)
    return f"{statistics.median(times):.1f} ({max(times):.1f})"


def first_frames(ombi, collection, states, rounds=61):
    """Milliseconds from the start to the first byte of a list with the requests, in turn with each folder of state."""
    times = {state: [] for state in states}
    for _ in range(rounds):
        for state in states:
            os.environ["XDG_STATE_HOME"] = state
            begin = time.perf_counter()
            with Program(ombi, collection) as program:
                seen = b""
                while b"request 1" not in seen:
                    seen += os.read(program.terminal, 1 << 16)
                times[state].append((time.perf_counter() - begin) * 1000)
    return [f"{statistics.median(all):.2f} ({min(all):.2f} to {max(all):.1f})" for all in times.values()]


def measure(ombi, folder, runs, requests):
    state, empty = (os.path.join(folder, f"{name}-{requests}") for name in ("state", "empty"))
    os.environ.update(XDG_STATE_HOME=state, XDG_CONFIG_HOME=os.path.join(folder, "config"), HOME=folder)
    server, port = nginx(os.path.join(folder, f"nginx-{requests}"), b'{"id":42,"name":"Ada Lovelace","city":"London","n":1}')
    collection = os.path.join(folder, f"bench-{requests}.json")
    url = f"http://127.0.0.1:{port}/user.json"
    items = [{"request": f"request {number}", "path": url} for number in range(REQUESTS)]

    def write(**further):
        with open(collection, "w") as file:
            json.dump({"version": 1, "name": "bench", "items": items} | further, file)

    write()
    subprocess.run([ombi, "run", f"{collection}/request 0"], stdout=subprocess.DEVNULL, check=True)
    # A reader puts the run into the tables, from which it is multiplied.
    subprocess.run([ombi, "history", "list"], stdout=subprocess.DEVNULL, check=True)
    print(make(state, runs, requests))
    without, with_history = first_frames(ombi, collection, [empty, state])
    print(f"first frame: {with_history} ms, without a history {without}")
    os.environ["XDG_STATE_HOME"] = state
    one = f"{collection}/request 0"
    commands = {
        "--help, which opens nothing": ["history", "list", "--help"],
        "list of a request, newest 1,000": ["history", "list", one, "--limit", "1000"],
        "list --text found": ["history", "list", "--text", "user.json", "--limit", "1000"],
        "list --text found nowhere": ["history", "list", "--text", "nowhere"],
        "stats of a request": ["history", "stats", one],
        "stats of all": ["history", "stats"],
        "hosts of all": ["history", "hosts"],
        "hosts of a collection, last hour": ["history", "hosts", collection, "--since", "1h"],
        "simulate, newest 5,000": ["history", "simulate", one, "--retries", "3"],
    }
    for name, words in commands.items():
        print(f"{name}: {milliseconds([ombi, *words]):.1f} ms")
    write(objective={"success": "99.5%", "within": "500ms", "window": "7d"})
    print(f"objectives of {REQUESTS}: {milliseconds([ombi, 'history', 'objectives', collection]):.1f} ms")
    write()
    print(f"H to the first run on the screen: {tab(ombi, collection, [b'H'], [b'20', b'50'])} ms")
    print(f"a key of the filter over all requests: {tab(ombi, collection, [b'H', b'H', b'/', b'z'], [b'Searching'])} ms")
    print(f"] from History to Statistics: {tab(ombi, collection, [b'H', b']'], [b'eventually'])} ms")
    for options in (["--no-record"], []):
        begin = time.perf_counter()
        count = 20_000
        subprocess.run(
            [ombi, "run", one, "--repeat", str(count), "--concurrency", "8", *options], stdout=subprocess.DEVNULL)
        print(f"{count} requests {' '.join(options)}: {(time.perf_counter() - begin) / count * 1000:.3f} ms each")
    server.terminate()
    server.wait()


if __name__ == "__main__":
    program, place = sys.argv[1:3]
    million = int(sys.argv[3]) if len(sys.argv) > 3 else 1_000_000
    for parts in (REQUESTS, 1):
        measure(program, place, million, parts)
