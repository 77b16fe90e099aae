/// Writes a load as an ES module for k6.
enum K6Script {
    static func text(of steps: [LoadStep], _ losses: [String], _ plan: LoadPlan) -> String {
        let indices = steps.indices
        let setUp = indices.filter { steps[$0].isSetUp }
        let own = indices.filter { !steps[$0].isSetUp }
        return
            ([
                """
                // Written by Ombi. Runs with: k6 run FILE
                // OMBI_USERS, OMBI_DURATION and OMBI_RATE (requests in a second of all users) set the size of the load.
                """,
                losses.map { "// \(ShellQuotes.comment($0))" }.joined(separator: "\n"), start(steps, plan),
                options(steps, own.count, plan), judge, load(setUp, own),
                indices.map { request(steps[$0], $0) }.joined(separator: "\n\n"), report(plan),
            ].filter { !$0.isEmpty }.joined(separator: "\n\n"))
    }

    private static func start(_ steps: [LoadStep], _ plan: LoadPlan) -> String {
        let json = JSONValue.array(steps.map(\.json)).compact
        let variables = steps.variables.map(ExportQuotes.javaScript).joined(separator: ", ")
        let files = steps.enumerated().compactMap { index, step -> String? in
            guard case .file(let path)? = step.request.body else { return nil }
            return "const file_\(index) = open(\(expression(path)), \"b\");"
        }
        return
            ([
                """
                import { sleep } from "k6";
                import { SharedArray } from "k6/data";
                import encoding from "k6/encoding";
                import exec from "k6/execution";
                import http from "k6/http";
                import { Counter, Trend } from "k6/metrics";

                const users = Number(__ENV.OMBI_USERS || \(plan.users));
                const duration = __ENV.OMBI_DURATION || "\(plan.length(for: .k6))";
                const rate = Number(__ENV.OMBI_RATE || \(plan.rate ?? 0));
                if (!(users >= 1 && rate >= 0)) throw new Error("OMBI_USERS and OMBI_RATE are numbers");
                for (const variable of [\(variables)]) {
                  if (__ENV[variable] === undefined) throw new Error("the variable " + variable + " is not set");
                }

                const steps = JSON.parse(\(ExportQuotes.javaScript(json)));
                const rows = __ENV.\(LoadScript.rowsVariable)
                  ? new SharedArray("rows", () => JSON.parse(open(__ENV.\(LoadScript.rowsVariable))))
                  : [{}];
                const times = steps.map((step, index) => new Trend("ombi_time_" + index, true));
                const failures = steps.map((step, index) => new Counter("ombi_failed_" + index));
                const allTimes = new Trend("ombi_time_all", true);
                const allFailures = new Counter("ombi_failed_all");
                """
            ] + files).joined(separator: "\n")
    }

    private static func options(_ steps: [LoadStep], _ count: Int, _ plan: LoadPlan) -> String {
        let percentiles = plan.percentiles.map { "\"p(\(number($0)))\"" }.joined(separator: ", ")
        let isUnverified = steps.contains { !$0.request.verifiesTLS }
        // A pass over the requests begins so often in so many seconds; both have to be whole numbers.
        return """
            const arrivals = {
              executor: "constant-arrival-rate",
              rate: Math.max(1, Math.round(rate * 1000)),
              timeUnit: "\(max(1, count) * 1000)s",
              duration,
              preAllocatedVUs: users,
              maxVUs: users,
            };

            export const options = {
              scenarios: { load: rate > 0 ? arrivals : { executor: "constant-vus", vus: users, duration } },
              summaryTrendStats: ["count", "avg", "max", \(percentiles)],
              insecureSkipTLSVerify: \(isUnverified),
            };
            """
    }

    /// The functions that compare a response with its expectations.
    private static let judge = """
        const missing = Symbol("missing");

        function pick(value, keys) {
          for (const key of keys) {
            const isThere = typeof key === "string"
              ? value !== null && typeof value === "object" && !Array.isArray(value)
                && Object.prototype.hasOwnProperty.call(value, key)
              : Array.isArray(value) && key < value.length;
            if (!isThere) return missing;
            value = value[key];
          }
          return value;
        }

        function same(one, other) {
          if (one === null || other === null || typeof one !== "object" || typeof other !== "object") {
            return one === other;
          }
          if (Array.isArray(one) !== Array.isArray(other)) return false;
          const names = Object.keys(one);
          return names.length === Object.keys(other).length
            && names.every((name) => {
              return Object.prototype.hasOwnProperty.call(other, name) && same(one[name], other[name]);
            });
        }

        function meets(found, key, wanted) {
          if (key === "exists") return (found !== missing) === wanted;
          if (found === missing) return false;
          if (key === "equals") return same(found, wanted);
          if (key === "contains") {
            if (Array.isArray(found)) return found.some((item) => same(item, wanted));
            return typeof found === "string" && typeof wanted === "string" && found.includes(wanted);
          }
          if (typeof found !== typeof wanted || !["string", "number"].includes(typeof found)) return false;
          if (key === "less") return found < wanted;
          if (key === "atMost") return found <= wanted;
          return key === "greater" ? found > wanted : found >= wanted;
        }

        function part(response, rule) {
          if (rule.subject === "status") return response.status;
          if (rule.subject === "header") {
            const name = Object.keys(response.headers).find((name) => name.toLowerCase() === rule.header);
            return name === undefined ? missing : response.headers[name];
          }
          if (rule.subject === "text") return response.body === null ? "" : response.body;
          try {
            return pick(JSON.parse(response.body), rule.keys);
          } catch (error) {
            return missing;
          }
        }

        function problem(response, step) {
          if (response.status === 0) return response.error || "no response";
          if (!step.statuses.some(([low, high]) => low <= response.status && response.status <= high)) {
            return "status " + response.status;
          }
          if (response.timings.duration > step.limitMs) return "took longer than " + step.limitMs + " ms";
          const unmet = step.checks.find((check) => !meets(part(response, check), check.key, check.wanted));
          return unmet === undefined ? null : unmet.words;
        }

        function finish(index, response, values) {
          const step = steps[index];
          let reason = problem(response, step);
          for (const rule of reason === null ? step.taken : []) {
            const value = part(response, rule);
            if (value === missing) reason = "could not capture " + rule.name;
            else values[rule.name] = typeof value === "string" ? value : JSON.stringify(value);
          }
          for (const metric of [times[index], allTimes]) metric.add(response.timings.duration);
          if (reason !== null) for (const metric of [failures[index], allFailures]) metric.add(1);
        }

        function need(values, name) {
          if (Object.prototype.hasOwnProperty.call(values, name)) return values[name];
          sleep(1);
          throw new Error("there is no value for " + name);
        }
        """

    private static func load(_ setUp: [Int], _ own: [Int]) -> String {
        let lines = { (indices: [Int]) in indices.map { "  request_\($0)(values);\n" }.joined() }
        return """
            export function setup() {
              const values = {};
            \(lines(setUp))  return values;
            }

            export default function (captured) {
              const values = Object.assign({}, captured, rows[exec.scenario.iterationInTest % rows.length]);
            \(lines(own))}
            """
    }

    private static func request(_ step: LoadStep, _ index: Int) -> String {
        let request = step.request
        let body =
            switch request.body {
            case .text, .form: expression(request.text ?? ExportText())
            case .file: "file_\(index)"
            case .multipart, nil: "null"
            }
        var headers = step.request.mergedHeaders.map { "\(key($0.name)): \(expression($0.value))" }
        if case .basic(let name, let password)? = request.credentials {
            headers.append("\"Authorization\": \"Basic \" + encoding.b64encode(\(expression(name + ":" + password)))")
        }
        return """
            function request_\(index)(values) {
              const response = http.request(
                \(ExportQuotes.javaScript(request.method.rawValue)),
                \(expression(request.address)),
                \(body),
                {
                  headers: { \(headers.joined(separator: ", ")) },
                  timeout: "\(max(step.limit, .milliseconds(1)).text)",
                  redirects: \(request.followsRedirects ? request.maximumRedirects : 0),
                  jar: new http.CookieJar(),
                  tags: { name: steps[\(index)].name },
                },
              );
              finish(\(index), response, values);
            }
            """
    }

    private static func key(_ name: ExportText) -> String { "[\(expression(name))]" }

    /// `95`, `99.9`
    private static func number(_ number: Double) -> String {
        number == number.rounded() ? "\(Int(number))" : "\(number)"
    }

    private static func expression(_ text: ExportText) -> String {
        text.sum(literal: ExportQuotes.javaScript) { ExportCode.javaScript(variable($0), $0.encoding) }
    }

    private static func variable(_ value: ExportValue) -> String {
        let name = ExportQuotes.javaScript(value.name)
        return switch value.source {
        case .secret: "__ENV[\(name)]"
        case .template: "need(values, \(name))"
        }
    }

    /// The results that the script writes at its end, instead of a summary.
    private static func report(_ plan: LoadPlan) -> String {
        let percentiles = plan.percentiles.map { "\"\(number($0))\"" }.joined(separator: ", ")
        return """
            function figures(data, name) {
              const time = data.metrics["ombi_time_" + name];
              const failed = data.metrics["ombi_failed_" + name];
              const values = time === undefined ? { count: 0 } : time.values;
              const percentiles = {};
              for (const percent of values.count > 0 ? [\(percentiles)] : []) {
                percentiles[percent] = values["p(" + percent + ")"];
              }
              return {
                count: values.count,
                failed: failed === undefined ? 0 : failed.values.count,
                meanMs: values.count > 0 ? values.avg : null,
                maxMs: values.count > 0 ? values.max : null,
                percentiles,
              };
            }

            export function handleSummary(data) {
              const requests = steps.map((step, index) => figures(data, index));
              const total = figures(data, "all");
              const path = __ENV.\(LoadScript.resultVariable);
              if (path) return { [path]: JSON.stringify({ requests, total }) };
              const line = (name, one) => {
                const times = Object.keys(one.percentiles).map((p) => `, p${p} ${one.percentiles[p].toFixed(1)} ms`);
                return `${name}: ${one.count} sent, ${one.failed} failed${times.join("")}\\n`;
              };
              const lines = steps.map((step, index) => line(step.name, requests[index]));
              return { stdout: lines.join("") + line("all", total) };
            }
            """
    }
}
