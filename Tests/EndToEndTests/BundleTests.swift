import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// An incident that one hands over and another opens and plays again.
    @Suite struct BundleTests {
        private static let secret = "s3cr3t-key-in-a-header"

        /// Runs a request whose first attempt gets a 503, and writes the bundle of it.
        private static func record(_ scene: Scene) throws -> Outcome {
            let server = try LoopbackServer { request in
                request.number == 1 ? .status(503, "busy \(request.headers["x-key"] ?? "")") : .ok("done")
            }
            defer { server.stop() }
            try scene.write(
                "shop.json",
                """
                { "version": 1, "name": "shop",
                  "environments": [{ "name": "live", "host": "\(server.host)",
                      "additionalHeaders": { "X-Key": "{{key}}" },
                      "secrets": { "key": { "env": "OMBI_TEST_SECRET" } } }],
                  "items": [{ "request": "order", "path": "/orders/7",
                      "policy": { "retries": 1, "backoff": { "first": "1ms" } } }] }
                """)
            let environment = ["OMBI_TEST_SECRET": secret]
            _ = try scene.ombi("run", "shop.json", "--trust", environment: environment)
            return try scene.ombi("incident", "1h..", "--bundle", "incident.json", environment: environment)
        }

        @Test func `a bundle is written once, without a secret, and is the user's alone`() throws {
            try Scene.play { scene in
                let written = try Self.record(scene)
                #expect(written.status == 0 && written.errors.contains("1 run in incident.json"), "\(written.errors)")
                let text = try scene.read("incident.json")
                #expect(text.contains("busy ••••••") && !text.contains(Self.secret))
                #expect(text.contains("\"secrets\":{\"key\":{\"prompt\":\"\"}}"), "its source is not this machine's")
                let mode = try FileManager.default.attributesOfItem(atPath: scene.path("incident.json"))[
                    .posixPermissions]
                #expect(mode as? Int == 0o600)
                let again = try scene.ombi("incident", "1h..", "--bundle", "incident.json")
                #expect(again.status == 3 && again.errors.contains("--force replaces it"), "\(again.errors)")
                #expect(try scene.ombi("incident", "2020-01-01..2020-01-02", "--bundle", "no.json").status == 1)
                let two = try scene.ombi("incident", "1h..", "--bundle", "no.json", "--html")
                #expect(two.status == 2 && two.errors.contains("--bundle writes a file of its own"), "\(two.errors)")
            }
        }

        @Test func `it opens with its runs where nothing else is known, and sends nothing by itself`() throws {
            try Scene.play { scene in
                _ = try Self.record(scene)
                try FileManager.default.removeItem(atPath: scene.path("shop.json"))
                let elsewhere = ["XDG_STATE_HOME": scene.path("elsewhere"), "TMPDIR": scene.folder]
                let session = try scene.explore("incident.json", environment: elsewhere)
                _ = try session.see("incident.json is an incident bundle, read-only", "recorded", "done")
                session.type("s")
                _ = try session.see("E chooses an environment: live")
                session.type("q")
                #expect(try session.waitForExit() == 0)
                let left = try FileManager.default.contentsOfDirectory(atPath: scene.folder)
                #expect(!left.contains { $0.hasPrefix("ombi-") }, "\(left)")
                // Nothing was sent, so nothing is there to be recorded.
                let sent = try scene.ombi("run", "incident.json", environment: elsewhere)
                #expect(sent.status != 0 && (sent.output + sent.errors).contains("chooses one: live"), "\(sent.errors)")
                let text = try scene.read("incident.json")
                try scene.write("damaged.json", text.replacing("\"format\": 1", with: "\"format\": 2"))
                let refused = try scene.explore("damaged.json")
                _ = try refused.see("this Ombi reads format 1")
                #expect(try refused.waitForExit() == 2)
            }
        }

        @Test func `a tape plays what was recorded to another client, and ends with the signal`() throws {
            try Scene.play { scene in
                _ = try Self.record(scene)
                let outcome = try scene.shell(
                    """
                    mkfifo out
                    "$0" tape incident.json --speed 0 > out 2> notes &
                    exec 3< out
                    read url <&3
                    "$0" send "$url/orders/7" --body --no-record; echo " $?"
                    "$0" send "$url/orders/7" --body --no-record; echo " $?"
                    "$0" send "$url/orders/8" --body --no-record
                    kill -TERM $!
                    wait $!
                    echo "ended $?"
                    cat <&3
                    """)
                let notes = try scene.read("notes")
                #expect(notes.contains("1 request, 2 responses; Ctrl+C ends it"), "\(notes)")
                for part in [
                    "busy •••••• 1", "done 0", "\"nearest\":\"GET /orders/7\"", "ended 0",
                    "GET /orders/7  503 Service Unavailable, 1 of 2", "GET /orders/7  200 OK, 2 of 2",
                    "GET /orders/8  501, not recorded; the nearest is GET /orders/7",
                ] { #expect(outcome.output.contains(part), "\(part)\n\(outcome.output)\(outcome.errors)") }
            }
        }

        @Test func `a tape of the history has the runs of a time`() throws {
            try Scene.play { scene in
                _ = try Self.record(scene)
                #expect(try scene.ombi("tape", "2020-01-01..2020-01-02").status == 1)
                let wrong = [["1h", "--speed", "fast"], ["1h", "--port", "70000"], ["1h", "--host", "all"], ["x"]]
                for arguments in wrong {
                    let outcome = try scene.background(Program.ombi, ["tape"] + arguments).outcome()
                    #expect(outcome.status == 2, "\(arguments) \(outcome.errors)")
                }
                let unknown = try scene.ombi("tape", "yesterday")
                #expect(unknown.errors.contains("or name an incident bundle"), "\(unknown.errors)")
                for (path, reason) in [("shop.json", "this is no incident bundle"), ("incidnt.json", "no such file")] {
                    let file = try scene.ombi("tape", path)
                    #expect(file.status == 2 && file.errors.contains(reason), "\(file.errors)")
                }
            }
        }
    }
}
