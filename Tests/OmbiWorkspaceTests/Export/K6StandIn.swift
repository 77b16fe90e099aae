/// Stand-ins for the modules of k6, as far as a script needs them: Node.js runs it, and its requests are kept in `calls`.
enum K6StandIn {
    private static let modules = [
        "package.json": #"{ "type": "module", "exports": { ".": "./index.js", "./*": "./*.js" } }"#,
        "index.js": "export const sleep = () => {};",
        "data.js": "export class SharedArray {}",
        "encoding.js": "export default { b64encode: (text) => Buffer.from(text).toString(\"base64\") };",
        "execution.js": "export default { scenario: { iterationInTest: 0 } };",
        "metrics.js": """
        export class Trend {
          constructor(name) { this.name = name; }
          add(value) { globalThis.add(this.name, value); }
        }
        export class Counter extends Trend {}
        """,
        "http.js": """
        class CookieJar {}
        const request = (method, url, body, options) => {
          globalThis.calls.push({ method, url, body, headers: options.headers });
          return { status: 200, headers: {}, body: '{"token":"t","id":7}', timings: { duration: 2 } };
        };
        export default { CookieJar, request };
        """,
    ]

    /// Runs `load.mjs`, and sends its requests as k6 does.
    private static let sender = #"""
        import { readFileSync } from "node:fs";
        import http from "node:http";

        globalThis.__ENV = process.env;
        globalThis.calls = [];
        globalThis.add = () => {};
        globalThis.open = (path) => readFileSync(path);
        const script = await import("./load.mjs");
        script.default(script.setup());
        for (const { method, url, body, headers } of calls) {
          const [, host, port, path] = /^http:\/\/([^:]+):(\d+)(.*)$/s.exec(url);
          const fields = {};
          for (const [name, value] of Object.entries(headers)) {
            // Node.js writes a byte for each character.
            fields[name] = Buffer.from(value.replace(/^[ \t]+|[ \t]+$/g, "")).toString("latin1");
          }
          const bytes = body === null ? undefined : Buffer.from(body);
          if (bytes !== undefined) fields["Content-Length"] = `${bytes.length}`;
          await new Promise((resolve) => {
            const sent = http.request({ host, port, path, method, headers: fields, agent: false }, (response) => {
              response.resume().on("end", resolve);
            });
            // A server may answer HEAD with a body.
            sent.on("error", resolve);
            sent.end(bytes);
          });
        }
        """#

    /// Writes the modules for a script in the folder, and `send.mjs`, which sends what the script would.
    static func write(into folder: borrowing TemporaryFolder) throws {
        for (name, text) in modules { _ = try folder.file("node_modules/k6/\(name)", text) }
        _ = try folder.file("send.mjs", sender)
    }
}
