import Foundation
import Testing

extension EndToEnd {
    /// The last good response that stands in for one that fails.
    @Suite struct FallbackTests {
        private static func file(_ port: Int, down: Bool) -> String {
            """
            { "version": 1, "name": "shop", "environments": [ { "name": "local", "host": "http://127.0.0.1:\(port)" } ],
              "items": [ { "request": "rates", "path": "/rates", "headers": [ { "name": "X-Down", "value": "yes", "enabled": \(down) } ],
                "policy": { "retries": 0 }, "fallbackResponse": { "history": true } } ] }
            """
        }

        @Test func `a run that fails prints what stood in, and fails`() throws {
            try Scene.play { scene in
                let port = try scene.port()
                try scene.write("shop.json", Self.file(port, down: true))
                let none = try scene.ombi("run", "shop.json")
                #expect(none.status == 1)
                #expect(none.output.contains("no fallback: the history has no good response"), "\(none.output)")
                try scene.write("shop.json", Self.file(port, down: false))
                #expect(try scene.ombi("run", "shop.json").status == 0)
                try scene.write("shop.json", Self.file(port, down: true))
                let failed = try scene.ombi("run", "shop.json")
                #expect(failed.status == 1 && failed.output.contains("503"), "\(failed.output)")
                #expect(failed.output.contains("    fallback: response of 20"), "\(failed.output)")
                let body = try scene.ombi("run", "shop.json", "--body")
                #expect(body.status == 1 && body.output.contains("\"USD\""), "\(body.output)\(body.errors)")
                #expect(body.errors.contains("rates: fallback: response of 20"), "\(body.errors)")
                let unrecorded = try scene.ombi("run", "shop.json", "--no-record", "--output", "json")
                let requests = try unrecorded.json()["requests"] as? [[String: Any]]
                let fallback = requests?.first?["fallback"] as? [String: Any]
                #expect(fallback?["run"] as? Int == 2 && fallback?["status"] as? Int == 200, "\(unrecorded.output)")
                #expect(requests?.first?["outcome"] as? String == "failed" && requests?.first?["status"] as? Int == 503)
                let shown =
                    try scene.ombi("history", "show", "3", "--output", "json").json()["fallback"] as? [String: Any]
                #expect(shown?["run"] as? Int == 2)
                #expect(try scene.ombi("history", "show", "3").output.contains("fallback: response of 20"))
            }
        }
    }
}
