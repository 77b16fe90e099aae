#!/usr/bin/env python3
"""Figures of `ombi run` and of reading a collection: bench/headless.py [OMBI [ENGINE]]

    run    10,000 requests, 32 at a time, to nginx on 127.0.0.1: `ombi run --no-record` beside OmbiCore alone (CoreBenchmark,
           "callback, immediate, bytes"), in turn, seven times each. The time of `ombi` is that of the whole command.
    load   a collection of 5,000 requests in 100 folders: the time of a command that reads it and selects nothing, less that of the same
           command on one request, 25 times each. Once with folders that hand down variables, headers, credentials, policies and a
           connection, and once with headers, a description and a JSON body of half a kilobyte in each request.
    rows   the peak memory of `ombi run --data` with 1,000 and with 1,000,000 rows (CSV), of which it sends the first for a second.

Nothing else should run meanwhile. Build with `swift build -c release --product ombi` and `--product CoreBenchmark`.
"""

import json, os, signal, statistics, subprocess, sys, tempfile, time

from local_server import nginx

OMBI = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".build/release/ombi")
ENGINE = os.path.abspath(sys.argv[2] if len(sys.argv) > 2 else ".build/release/CoreBenchmark")
REQUESTS, WIDTH, ROUNDS, LOADS = 10_000, 32, 7, 25
BODY = b'{"id":42,"name":"Ada Lovelace","email":"ada@example.test","tags":["one","two","three"],"active":true}'


def write(path, items, host, **more):
    with open(path, "w") as file:
        json.dump({"version": 1, "name": "shop", **more, "environments": [{"name": "local", "host": host}], "items": items}, file)


def used(command, expected=0):
    """Wall time, processor time and peak memory (MB) of a command."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert os.waitstatus_to_exitcode(status) == expected, command
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def runs(folder, port, host):
    file = os.path.join(folder, "one.json")
    write(file, [{"request": "user", "path": "/user.json"}], host)
    program = [OMBI, "run", file, "--no-record", "--repeat", str(REQUESTS), "--concurrency", str(WIDTH)]
    door = f"callback, immediate, bytes {WIDTH}"
    rates = {"ombi run": [], "OmbiCore": []}
    for _ in range(ROUNDS):
        rates["ombi run"].append(REQUESTS / used(program)[0])
        line = subprocess.run([ENGINE, f"{host}/user.json", str(REQUESTS), door], stdout=subprocess.PIPE, check=True, text=True)
        rates["OmbiCore"].append(float(line.stdout.split("\t")[3]))
    medians = {name: statistics.median(values) for name, values in rates.items()}
    for name, rate in medians.items():
        print(f"{name}: {rate:,.0f} requests a second ({min(rates[name]):,.0f} to {max(rates[name]):,.0f})")
    print(f"ratio: {medians['ombi run'] / medians['OmbiCore']:.2f} (aim: 0.6)")


def folders(count, each):
    return [{"folder": f"folder {n}", "variables": {f"v{n}": "{{base}}/" + str(n)}, "headers": [{"name": "X-Folder", "value": str(n)}],
             "authentication": {"bearer": "{{v%d}}" % n}, "policy": {"retries": n % 5}, "connection": {"connectTimeout": "5s"},
             "items": [{"request": f"request {i}", "path": f"/{{{{v{n}}}}}/{i}", "query": [{"name": "page", "value": str(i)}],
                        "body": {"json": {"id": i, "name": "Ada"}}, "method": "POST"} for i in range(each)]} for n in range(count)]


def bodies(count, each):
    address = {"street": "Main Street 1", "city": "Oslo", "zip": "0150"}
    note = "a note of some length, so that the file is as large as real ones are " * 4
    return [{"folder": f"folder {n}",
             "items": [{"request": f"request {n} {i}", "method": "POST", "path": f"/things/{n}/{i}", "description": "says what the request does",
                        "headers": [{"name": "X-Request", "value": f"value-{i}"}, {"name": "Accept", "value": "application/json"}],
                        "query": [{"name": "q", "value": "{{base}}"}],
                        "body": {"json": {"id": i, "name": "Ada Lovelace", "email": "ada@example.test", "tags": ["one", "two", "three"],
                                          "address": address, "active": True, "note": note}}} for i in range(each)]} for n in range(count)]


def loads(folder, host, content, aim):
    big, small = os.path.join(folder, "big.json"), os.path.join(folder, "small.json")
    shared = {"variables": {"base": "v1"}, "headers": [{"name": "Accept", "value": "application/json"}]}
    write(big, content(100, 50), host, **shared)
    write(small, content(1, 1), host, **shared)
    # Reads the file and goes through all requests with their levels.
    times = {path: [] for path in (big, small)}
    for _ in range(LOADS):
        for path in times:
            times[path].append(used([OMBI, "run", path, "--tag", "nothing"], expected=2)[:2])
    print(f"5,000 requests, {content.__name__}, {os.path.getsize(big) / 1e6:.1f} MB (aim: {aim} ms):")
    for index, name in enumerate(("time", "CPU")):
        large, little = ([time[index] * 1000 for time in times[path]] for path in (big, small))
        print(f"    {name}: {statistics.median(large) - statistics.median(little):.1f} ms, at least {min(large) - min(little):.1f}")


def rows(folder, host):
    file = os.path.join(folder, "row.json")
    write(file, [{"request": "user", "path": "/user.json", "query": [{"name": "id", "value": "{{id}}"}]}], host)
    for count in (1_000, 1_000_000):
        data = os.path.join(folder, "rows.csv")
        with open(data, "w") as out:
            out.write("id,name\n" + "".join(f"{n},user {n}\n" for n in range(count)))
        wall, cpu, memory = used([OMBI, "run", file, "--no-record", "--data", data, "--duration", "1s", "--concurrency", str(WIDTH)])
        print(f"{count:,} rows, {os.path.getsize(data) / 1e6:.1f} MB: {memory:.0f} MB at most, {wall:.2f} s, {cpu:.2f} s of CPU")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(HOME=folder, XDG_STATE_HOME=folder)
        server, port = nginx(folder, BODY)
        host = f"http://127.0.0.1:{port}"
        try:
            runs(folder, port, host)
            loads(folder, host, folders, 20)
            loads(folder, host, bodies, 15)
            rows(folder, host)
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()


main()
