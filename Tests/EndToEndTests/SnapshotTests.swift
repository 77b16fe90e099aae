import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Snapshots of `ombi run`: files that a later run is compared with.
    @Suite struct SnapshotTests {
        private static func shop(_ port: Int) -> String {
            """
            { "version": 1, "name": "shop",
              "environments": [{ "name": "local", "host": "http://127.0.0.1:\(port)",
                  "additionalHeaders": { "X-Key": "{{key}}" }, "secrets": { "key": { "env": "OMBI_TEST_SECRET" } } }],
              "items": [{ "request": "list", "path": "/list", "compare": { "ignore": ["$.number"] } },
                { "request": "plain", "path": "/plain" }] }
            """
        }

        /// A number that differs each time, and the key that came.
        private static func server() throws -> LoopbackServer {
            try LoopbackServer { request in
                guard request.target != "/plain" else {
                    return .ok("hello\n", headers: [("Content-Type", "text/plain")])
                }
                let key = request.headers["x-key"] ?? ""
                return .ok(
                    "{\"total\":3,\"number\":\(request.number),\"sent\":\"\(key)\"}",
                    headers: [("Content-Type", "application/json")])
            }
        }

        private static func run(
            _ scene: Scene, _ words: String..., environment: [String: String] = [:]
        ) throws -> Outcome {
            let arguments = ["run", "--snapshot", "snaps", "--trust", "--no-record"] + words
            return try scene.background(
                Program.ombi, arguments,
                environment: ["OMBI_TEST_SECRET": "s3cr3t-key"].merging(environment) { $1 }
            ).outcome()
        }

        @Test func `a snapshot is written, compared and accepted`() throws {
            try Scene.play { scene in
                let server = try Self.server()
                defer { server.stop() }
                try scene.write("shop.json", Self.shop(server.port))
                let first = try Self.run(scene, "shop.json")
                #expect(first.status == 0 && first.errors.contains("wrote the snapshot shop/list.snap\n"), "\(first)")
                let file =
                    "HTTP 200\ncontent-type: application/json\n\n{\n  \"number\": \"(ignored)\",\n"
                    + "  \"sent\": \"••••••\",\n  \"total\": 3\n}\n"
                #expect(try scene.read("snaps/shop/list.snap") == file)
                #expect(
                    try scene.read("snaps/shop/plain.snap") == "HTTP 200\ncontent-type: text/plain\n\nhello\n")
                let second = try Self.run(scene, "shop.json")
                #expect(second.status == 0 && second.errors.contains("snapshots: 2 the same\n"), "\(second)")
                try scene.write("snaps/shop/list.snap", file.replacingOccurrences(of: "3", with: "4"))
                let third = try Self.run(scene, "shop.json", "--exit-class")
                #expect(third.status == 4 && third.output.contains("2 requests, 1 failed"), "\(third)")
                #expect(third.output.contains("differs from its snapshot shop/list.snap: $.total: 4 → 3"))
                let accepted = try Self.run(scene, "shop.json", "--update-snapshots")
                #expect(accepted.status == 0 && accepted.errors.contains("updated the snapshot shop/list.snap\n"))
                #expect(try scene.read("snaps/shop/list.snap") == file)
            }
        }

        @Test func `a difference is in every report`() throws {
            try Scene.play { scene in
                let server = try Self.server()
                defer { server.stop() }
                try scene.write("shop.json", Self.shop(server.port))
                _ = try Self.run(scene, "shop.json/list")
                let file = try scene.read("snaps/shop/list.snap")
                try scene.write("snaps/shop/list.snap", file.replacingOccurrences(of: "3", with: "4"))
                let reports = ["run.xml", "run.tap", "run.html", "run.json"]
                let outcome = try Self.run(
                    scene, "shop.json/list", "--report", "junit=run.xml", "--report", "tap=run.tap", "--report",
                    "html=run.html", "--report", "json=run.json", "--report", "github=-")
                #expect(outcome.status == 1)
                for text in try reports.map(scene.read) + [outcome.output] {
                    #expect(text.contains("snapshot shop/list.snap: $.total: 4 "), "\(text)")
                    #expect(!text.contains("s3cr3t"))
                }
                #expect(outcome.output.contains("::error file=shop.json,line=4"), "\(outcome.output)")
            }
        }

        @Test func `in CI a missing snapshot fails, and an obsolete one is reported`() throws {
            try Scene.play { scene in
                let server = try Self.server()
                defer { server.stop() }
                try scene.write("shop.json", Self.shop(server.port))
                let missing = try Self.run(scene, "shop.json/plain", environment: ["CI": "true"])
                #expect(missing.status == 1, "\(missing)")
                #expect(missing.output.contains("there is no snapshot shop/plain.snap; --update-snapshots writes it"))
                #expect(!FileManager.default.fileExists(atPath: scene.path("snaps")))
                _ = try Self.run(scene, "shop.json/plain", "--update-snapshots", environment: ["CI": "true"])
                try scene.write("snaps/shop/old.snap", "HTTP 200\n\n")
                let outcome = try Self.run(scene, "shop.json/plain", environment: ["CI": "true"])
                #expect(outcome.status == 0, "\(outcome)")
                #expect(
                    outcome.errors.contains("no request has this snapshot any more, so remove it: shop/old.snap\n"))
            }
        }

        @Test func `rows of data have snapshots of their own`() throws {
            try Scene.play { scene in
                let server = try Self.server()
                defer { server.stop() }
                try scene.write("shop.json", Self.shop(server.port))
                try scene.write("rows.csv", "id\n1\n2\n")
                let outcome = try Self.run(scene, "shop.json/plain", "--data", "rows.csv")
                #expect(outcome.status == 0, "\(outcome)")
                let names = try FileManager.default.contentsOfDirectory(atPath: scene.path("snaps/shop")).sorted()
                #expect(names == ["plain@1.snap", "plain@2.snap"])
            }
        }

        @Test func `a link in the folder is not followed`() throws {
            try Scene.play { scene in
                let server = try Self.server()
                defer { server.stop() }
                try scene.write("shop.json", Self.shop(server.port))
                try FileManager.default.createDirectory(
                    atPath: scene.path("snaps"), withIntermediateDirectories: true)
                try FileManager.default.createSymbolicLink(
                    atPath: scene.path("snaps/shop"), withDestinationPath: scene.folder)
                let outcome = try Self.run(scene, "shop.json/plain")
                #expect(outcome.status == 3 && outcome.output.contains("it is a symbolic link"), "\(outcome)")
                #expect(!FileManager.default.fileExists(atPath: scene.path("plain.snap")))
            }
        }
    }
}
