import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// `ombi run --changed-since` in a repository of git.
    @Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/git"))) struct ChangedSinceTests {
        private static let git = "git -c user.name=a -c user.email=a@example.com -c init.defaultBranch=main"

        private static func shop(_ port: Int) -> String {
            """
            { "version": 1, "name": "shop", "variables": { "size": "1" },
              "environments": [{ "name": "local", "host": "http://127.0.0.1:\(port)" }],
              "items": [{ "request": "plain", "path": "/plain" },
                { "request": "sized", "path": "/sized", "query": [{ "name": "size", "value": "{{size}}" }] }] }
            """
        }

        private static func commit(_ scene: Scene) throws {
            let outcome = try scene.shell(
                "\(git) init -q . && \(git) add shop.json && \(git) commit -q -m one && \(git) tag v1")
            try #require(outcome.status == 0, "\(outcome)")
        }

        private static func run(_ scene: Scene, since revision: String, _ words: String...) throws -> Outcome {
            // A repository around the folder of temporary files is none of the story.
            let above = URL(fileURLWithPath: scene.folder).deletingLastPathComponent().path
            return try scene.background(
                Program.ombi, ["run", "--no-record", "--changed-since", revision] + words,
                environment: ["GIT_CEILING_DIRECTORIES": above]
            ).outcome()
        }

        @Test func `only the requests are sent that an edit is about`() throws {
            try Scene.play { scene in
                let server = try LoopbackServer { _ in .ok("") }
                defer { server.stop() }
                let shop = Self.shop(server.port)
                try scene.write("shop.json", shop)
                try Self.commit(scene)
                for same in [shop, shop.replacingOccurrences(of: "\n", with: "\n  ")] {
                    try scene.write("shop.json", same)
                    let outcome = try Self.run(scene, since: "HEAD")
                    #expect(outcome.status == 0 && outcome.output == "", "\(outcome)")
                    #expect(outcome.errors == "nothing changed since HEAD\n")
                }
                try scene.write("shop.json", shop.replacingOccurrences(of: "\"size\": \"1\"", with: "\"size\": \"2\""))
                let sized = try Self.run(scene, since: "v1")
                #expect(sized.status == 0 && sized.output.contains("shop/sized"), "\(sized)")
                #expect(!sized.output.contains("shop/plain") && sized.output.contains("1 request, all passed"))
                try scene.write("new.json", shop.replacingOccurrences(of: "shop", with: "new"))
                let all = try Self.run(scene, since: "v1", "new.json")
                #expect(all.status == 0 && all.output.contains("2 requests, all passed"), "\(all)")
            }
        }

        @Test func `an unknown revision and a folder without git are errors, and nothing is sent`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(1))
                let piped = try Self.run(scene, since: "HEAD", "-")
                #expect(piped.status == 2 && piped.errors.contains("git, which has no pipe; name the file"), "\(piped)")
                let outside = try Self.run(scene, since: "HEAD")
                #expect(outside.status == 2 && outside.errors.contains("is in no git repository"), "\(outside)")
                try Self.commit(scene)
                let unknown = try Self.run(scene, since: "v2")
                #expect(unknown.status == 2 && unknown.errors.contains("git knows no revision v2 in "), "\(unknown)")
                let option = try scene.ombi("run", "--changed-since=--upload-pack=x")
                #expect(option.status == 2 && option.errors.contains("--changed-since takes a revision"), "\(option)")
            }
        }

        @Test func `the settings of a repository start no program for an object that is not there`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(1))
                try Self.commit(scene)
                let missing = "rm -f .git/objects/$(git rev-parse HEAD:shop.json | sed 's,^..,&/,')"
                let settings = [
                    "core.repositoryformatversion 1", "extensions.partialClone origin", "remote.origin.promisor true",
                    "protocol.ext.allow always", "remote.origin.url 'ext::sh -c touch% \(scene.folder)/ran'",
                ]
                let outcome = try scene.shell(
                    ([missing] + settings.map { "git config \($0)" }).joined(separator: " && "))
                try #require(outcome.status == 0, "\(outcome)")
                let run = try Self.run(scene, since: "HEAD")
                #expect(run.status == 2 && run.errors.contains("git cannot read shop.json"), "\(run)")
                #expect(!FileManager.default.fileExists(atPath: scene.folder + "/ran"))
            }
        }

        @Test func `a file that was no collection before is sent as a whole`() throws {
            try Scene.play { scene in
                let server = try LoopbackServer { _ in .ok("") }
                defer { server.stop() }
                try scene.write("shop.json", "{")
                try Self.commit(scene)
                try scene.write("shop.json", Self.shop(server.port))
                let outcome = try Self.run(scene, since: "HEAD")
                #expect(outcome.status == 0 && outcome.output.contains("2 requests, all passed"), "\(outcome)")
                #expect(outcome.errors.contains("cannot be read as it was at HEAD"))
            }
        }
    }
}
