import Foundation
import TestSupport
import Testing

private let chromium = ChildProgram.find("chromium") ?? ChildProgram.find("google-chrome")

extension EndToEnd {
    /// Pages of HTML as a browser shows them.
    @Suite(
        .enabled(
            if: chromium != nil && ChildProgram.find("node") != nil, "apt-get install chromium nodejs"))
    struct ReportPageTests {
        private static let peer = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "Peers/page.mjs").path

        /// Requests that pass, fail, are repeated and are slow, with names that are long or want to be markup.
        private static func shop(_ port: Int) -> String {
            let long = String(repeating: "x", count: 300)
            let names = ["<script>alert(1)</script>", long, String(repeating: "long name ", count: 40), "שלום 日本語"]
            let passed = names.map { "{ \"request\": \"\($0)\", \"path\": \"/users/1\" }" }.joined(separator: ",\n")
            return """
                { "version": 1, "name": "shop",
                  "environments": [{ "name": "local", "host": "http://127.0.0.1:\(port)" }],
                  "items": [
                    \(passed),
                    { "request": "flaky", "path": "/flaky",
                      "query": [{ "name": "failures", "value": "2" }, { "name": "key", "value": "page" }],
                      "policy": { "retries": 3, "backoff": { "first": "10ms" } } },
                    { "request": "slow", "path": "/slow", "query": [{ "name": "ms", "value": "60000" }],
                      "policy": { "sla": "200ms" } },
                    { "request": "echo", "method": "POST", "path": "/echo/\(long)",
                      "headers": [{ "name": "X-Long", "value": "\(long)" }],
                      "body": { "json": { "text": "\(long)" } }, "expect": { "status": 500 } }
                  ] }
                """
        }

        /// Returns what is wrong with a page, a line each.
        private static func faults(of page: String, _ scene: Scene) throws -> String {
            let (node, browser) = (try #require(ChildProgram.find("node")), try #require(chromium))
            let outcome = try scene.background(
                node, [peer, browser, page], environment: ["TMPDIR": scene.folder]
            ).outcome(timeout: 90)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return outcome.output
        }

        @Test func `a browser shows all of a report in any light, at any width and on paper`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(try scene.port()))
                let run = try scene.ombi(
                    "run", "shop.json", "--report", "html=run.html", "--threshold", "p95<1ms")
                #expect(run.status == 1, "\(run.errors)")
                #expect(try Self.faults(of: "run.html", scene) == "")
                _ = try scene.ombi("check", "shop.json", "none.json", "--report", "html=check.html")
                #expect(try Self.faults(of: "check.html", scene) == "")
                _ = try scene.ombi("history", "replay", "--all-methods", "--report", "html=replay.html")
                #expect(try Self.faults(of: "replay.html", scene) == "")
                let incident = try scene.ombi("incident", "1h..", "--html", "--out", "incident.html")
                #expect(incident.status == 0, "\(incident.errors)")
                #expect(try Self.faults(of: "incident.html", scene) == "")
            }
        }

        @Test func `a page that cannot be read is found out`() throws {
            try Scene.play { scene in
                try scene.write(
                    "bad.html",
                    """
                    <!DOCTYPE html><html><head><meta charset="utf-8"><title>bad</title><script>1</script></head>
                    <body onload="1" style="background: #fff; color: #000"><p style="color: #999">pale</p>
                    <p style="width: 3000px">wide</p><p style="position: absolute; left: -50px">cut off</p>
                    <div style="position: absolute; top: 200px">one text</div>
                    <div style="position: absolute; top: 205px">another text</div>
                    <details><summary>more</summary><p>folded</p></details>
                    <img src="http://127.0.0.1:9/x.png"></body></html>
                    """)
                let faults = try Self.faults(of: "bad.html", scene)
                for fault in [
                    "screen 400 dark: is 3", "has a script\n", "has a script in onload\n", "has policy \n",
                    "has a contrast of 2.8 in p \"pale\"\n", "cuts p \"cut off\"\n",
                    "has div \"one text\" on div \"another text\"\n", "print 720 light: hides p \"folded\"\n",
                    "requests http://127.0.0.1:9/x.png\n",
                ] { #expect(faults.contains(fault), "\(fault) \(faults)") }
            }
        }
    }
}
