/// Writes a load as a script of Python for Locust.
enum LocustScript {
    static func text(of steps: [LoadStep], _ losses: [String], _ plan: LoadPlan) -> String {
        let indices = steps.indices
        let setUp = indices.filter { steps[$0].isSetUp }
        let own = indices.filter { !steps[$0].isSetUp }
        return
            ([
                """
                # Written by Ombi. Runs with: locust -f FILE --headless
                # OMBI_USERS, OMBI_DURATION and OMBI_RATE (requests in a second of all users) set the size of the load.
                """,
                losses.map { "# \(ShellQuotes.comment($0))" }.joined(separator: "\n"), start(steps, plan), judge,
                user(own.count), setUpCode(setUp), iteration(own),
                indices.map { request(steps[$0], $0) }.joined(separator: "\n\n"), reports,
            ].filter { !$0.isEmpty }.joined(separator: "\n\n"))
    }

    private static func start(_ steps: [LoadStep], _ plan: LoadPlan) -> String {
        let json = JSONValue.array(steps.map(\.json)).compact
        let percentiles = plan.percentiles.map { "\($0)" }.joined(separator: ", ")
        let variables = steps.variables.map(ExportQuotes.python).joined(separator: ", ")
        return """
            import itertools
            import json
            import logging
            import os
            import re
            import sys
            import time
            from http.cookiejar import DefaultCookiePolicy
            from urllib.parse import quote, quote_plus

            import gevent
            from locust import HttpUser, constant_throughput, events, runners, task
            from locust.exception import RescheduleTask
            from locust.runners import MasterRunner, WorkerRunner
            from requests.auth import HTTPBasicAuth, HTTPDigestAuth
            from requests.utils import get_auth_from_url

            USERS = int(os.environ.get("OMBI_USERS") or "\(plan.users)")
            DURATION = os.environ.get("OMBI_DURATION") or "\(plan.length(for: .locust))"
            RATE = float(os.environ.get("OMBI_RATE") or "\(plan.rate ?? 0)")
            for variable in [\(variables)]:
                if variable not in os.environ:
                    sys.exit("The variable %s is not set." % variable)

            STEPS = json.loads(\(ExportQuotes.python(json)))
            PERCENTILES = [\(percentiles)]
            ROWS = [{}]
            if "\(LoadScript.rowsVariable)" in os.environ:
                with open(os.environ["\(LoadScript.rowsVariable)"], encoding="utf-8") as rows:
                    ROWS = json.load(rows)
            NEXT_ROW = itertools.cycle(ROWS)
            MISSING = object()
            LOST_WORKERS = set()
            # In seconds; requests that a worker has not reported are lost with it.
            runners.WORKER_REPORT_INTERVAL = 1
            """
    }

    /// The functions that sign in with a URL, and compare a response with what is expected of it.
    private static let judge = """
        def user_of_url(request):
            user, password = get_auth_from_url(request.url)
            if not user or "Authorization" in request.headers:
                return request
            return HTTPBasicAuth(user.encode(), password.encode())(request)

        def pick(value, keys):
            for key in keys:
                if isinstance(key, str):
                    if not isinstance(value, dict) or key not in value:
                        return MISSING
                elif not isinstance(value, list) or key >= len(value):
                    return MISSING
                value = value[key]
            return value

        def same(one, other):
            if isinstance(one, bool) or isinstance(other, bool):
                return one is other
            if isinstance(one, list) and isinstance(other, list):
                return len(one) == len(other) and all(map(same, one, other))
            if isinstance(one, dict) and isinstance(other, dict):
                return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
            return one == other

        def meets(found, key, wanted):
            if key == "exists":
                return (found is not MISSING) == wanted
            if found is MISSING:
                return False
            if key == "equals":
                return same(found, wanted)
            if key == "contains":
                if isinstance(found, list):
                    return any(same(item, wanted) for item in found)
                return isinstance(found, str) and isinstance(wanted, str) and wanted in found
            if isinstance(found, str) != isinstance(wanted, str) or not isinstance(found, (str, int, float)):
                return False
            if key == "less":
                return found < wanted
            if key == "atMost":
                return found <= wanted
            if key == "greater":
                return found > wanted
            return found >= wanted

        def part(response, rule):
            if rule["subject"] == "status":
                return response.status_code
            if rule["subject"] == "header":
                return response.headers.get(rule["header"], MISSING)
            if rule["subject"] == "text":
                return response.text
            try:
                return pick(response.json(), rule["keys"])
            except ValueError:
                return MISSING

        def problem(response, step, milliseconds):
            if not any(low <= response.status_code <= high for low, high in step["statuses"]):
                return "status %d" % response.status_code
            if milliseconds > step["limitMs"]:
                return "took longer than %g ms" % step["limitMs"]
            for check in step["checks"]:
                if not meets(part(response, check), check["key"], check["wanted"]):
                    return check["words"]
            return None

        def finish(response, step, started, values):
            if response.status_code == 0:
                return
            reason = problem(response, step, (time.perf_counter() - started) * 1000)
            for rule in step["taken"] if reason is None else []:
                value = part(response, rule)
                if value is MISSING:
                    reason = "could not capture " + rule["name"]
                else:
                    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
                    values[rule["name"]] = value if isinstance(value, str) else text
            if reason is None:
                response.success()
            else:
                response.failure(reason)
        """

    /// - Parameter count: the number of requests of an iteration.
    private static func user(_ count: Int) -> String {
        """
        class OmbiUser(HttpUser):
            host = ""
            if RATE > 0:
                wait_time = constant_throughput(RATE / \(max(1, count)) / USERS)

            def on_start(self):
                # As Ombi does: no cookies are kept, and no password comes from ~/.netrc.
                self.client.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
                self.client.auth = user_of_url
                self.captured = {}
                self.values = {}
                self.set_up()

            def need(self, name):
                if name not in self.values:
                    gevent.sleep(1)
                    raise RescheduleTask()
                return self.values[name]
        """
    }

    private static func setUpCode(_ indices: [Int]) -> String {
        let calls = indices.map { "            self.request_\($0)()\n" }.joined()
        return """
                def set_up(self):
                    try:
            \(calls)            self.captured = dict(self.values)
                    except RescheduleTask:
                        pass
            """
    }

    private static func iteration(_ indices: [Int]) -> String {
        let calls = indices.map { "        self.request_\($0)()" }.joined(separator: "\n")
        return """
                @task
                def iteration(self):
                    self.values = {**self.captured, **next(NEXT_ROW)}
            \(calls)
            """
    }

    private static func request(_ step: LoadStep, _ index: Int) -> String {
        let request = step.request
        var arguments = [ExportQuotes.python(request.method.rawValue), code.expression(request.address)]
        arguments.append("name=STEPS[\(index)][\"name\"]")
        if !step.request.mergedHeaders.isEmpty {
            let rows = step.request.mergedHeaders.map {
                "\(code.expression($0.name)): \(code.bytes($0.value.withoutIndent))"
            }
            arguments.append("headers={\(rows.joined(separator: ", "))}")
        }
        switch request.body {
        case .text, .form: arguments.append("data=" + code.bytes(request.text ?? ExportText()))
        case .file(let path): arguments.append("data=" + code.file(path))
        case .multipart(let parts): arguments.append("files=[\(parts.map(code.part).joined(separator: ", "))]")
        case nil: break
        }
        arguments += code.credentials(request.credentials)
        arguments.append("timeout=" + CurlLine.seconds(step.limit))
        arguments.append("allow_redirects=" + (request.followsRedirects ? "True" : "False"))
        if !request.verifiesTLS { arguments.append("verify=False") }
        arguments += code.proxies(request.proxy)
        arguments.append("catch_response=True")
        let list = arguments.map { "            \($0),\n" }.joined()
        return """
                def request_\(index)(self):
                    started = time.perf_counter()
                    with self.client.request(
            \(list)        ) as response:
                        finish(response, STEPS[\(index)], started, self.values)
            """
    }

    private static var code: PythonCode { PythonCode(reading: ".read()", variable: variable) }

    private static func variable(_ value: ExportValue) -> String {
        let name = ExportQuotes.python(value.name)
        return switch value.source {
        case .secret: "os.environ[\(name)]"
        case .template: "self.need(\(name))"
        }
    }

    /// The lines of progress and the results at the end.
    private static let reports = """
        def figures(entry):
            return {
                "count": entry.num_requests,
                "failed": entry.num_failures,
                "meanMs": entry.avg_response_time if entry.num_requests else None,
                "maxMs": entry.max_response_time if entry.num_requests else None,
                "percentiles": {
                    "%g" % percent: entry.get_response_time_percentile(percent / 100)
                    for percent in (PERCENTILES if entry.num_requests else [])
                },
            }

        def follow(environment):
            started = time.monotonic()
            done = 0
            while True:
                gevent.sleep(1)
                if isinstance(environment.runner, MasterRunner):
                    LOST_WORKERS.update(client.id for client in environment.runner.clients.missing)
                total = environment.stats.total
                before, done = done, total.num_requests
                p95 = total.get_response_time_percentile(0.95) if total.num_requests else 0
                print(
                    "%.0f s, %d users, %d/s, %d done, p95 %s ms, %d failed"
                    % (
                        time.monotonic() - started,
                        environment.runner.user_count,
                        done - before,
                        done,
                        p95,
                        total.num_failures,
                    ),
                    file=sys.stderr,
                    flush=True,
                )

        @events.init_command_line_parser.add_listener
        def size(parser):
            parser.set_defaults(num_users=USERS, spawn_rate=USERS, run_time=DURATION)

        @events.test_start.add_listener
        def begin(environment, **_):
            if "\(LoadScript.resultVariable)" in os.environ and not isinstance(environment.runner, WorkerRunner):
                # Its tables: the results are shown by whoever reads them.
                logging.getLogger("locust.stats_logger").setLevel(logging.WARNING)
                gevent.spawn(follow, environment)

        @events.test_stop.add_listener
        def gather(environment, **_):
            runner = environment.runner
            if "\(LoadScript.resultVariable)" not in os.environ or not isinstance(runner, MasterRunner):
                return
            # Locust itself waits half a second for the last requests of its workers.
            for client in runner.clients.all:
                runner.send_message("quit", client_id=client.id)
            limit = time.monotonic() + environment.stop_timeout + 5
            while len(runner.clients) > len(runner.clients.missing) and time.monotonic() < limit:
                gevent.sleep(0.1)
            LOST_WORKERS.update(runner.clients)

        @events.quitting.add_listener
        def end(environment, **_):
            path = os.environ.get("\(LoadScript.resultVariable)")
            if path is None or isinstance(environment.runner, WorkerRunner):
                return
            gather(environment)
            stats = environment.stats
            result = {
                "lostWorkers": len(LOST_WORKERS),
                "requests": [figures(stats.get(step["name"], step["method"])) for step in STEPS],
                "total": figures(stats.total),
            }
            with open(path, "w", encoding="utf-8") as file:
                json.dump(result, file)
            environment.process_exit_code = 0
        """
}
