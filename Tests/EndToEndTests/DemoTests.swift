import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The environments of the demo collection that go another way to its server.
    @Suite struct DemoTests {
        private static let collection = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "collections/demo.json").path

        private static func run(
            _ scene: Scene, _ request: String, _ environment: String, _ more: [String], path: String? = nil
        ) throws -> Outcome {
            let words = ["run", "\(collection)/\(request)", "-e", environment, "--trust", "--no-record"]
            return try scene.background(
                Program.ombi, words + more, environment: path.map { ["PATH": $0, "TMPDIR": scene.folder] } ?? [:]
            ).outcome()
        }

        @Test(.enabled(if: ChildProgram.find("socat") != nil, "socat is not installed: apt-get install socat"))
        func `a client certificate leads through socat to the demo server`() throws {
            try Scene.play { scene in
                let folder = (Self.collection as NSString).deletingLastPathComponent + "/certificates/"
                let options = [
                    "OPENSSL-LISTEN:0", "bind=127.0.0.1", "reuseaddr", "fork", "cert=\(folder)server.pem",
                    "cafile=\(folder)authority.pem",
                ]
                let socat = try scene.start(
                    try #require(ChildProgram.find("socat")),
                    ["-d", "-d", options.joined(separator: ","), "TCP:127.0.0.1:\(try scene.port())"], columns: 200)
                // "listening on AF=2 127.0.0.1:37223", with the port that the system chose.
                let line = try socat.see("listening on AF=2 127.0.0.1:").text
                let port = try #require(line.split(separator: "AF=2 127.0.0.1:").last?.prefix { $0.isNumber })
                let request = "TLS and ssh/with a client certificate"
                let more = ["--set", "tlsPort=\(port)"]
                let shown = try Self.run(scene, request, "client certificate", more)
                #expect(shown.status == 0 && shown.output.contains("200"), "\(shown)")
                let text = try String(contentsOfFile: Self.collection, encoding: .utf8)
                    .replacing("\"./certificates/authority.pem\"", with: "\"\(folder)authority.pem\"")
                    .replacing(
                        "\"clientCertificate\": { \"file\": \"./certificates/client.pem\" }", with: "\"cookies\": true")
                try scene.write("other.json", text)
                let refused = try scene.ombi(
                    "run", "other.json/\(request)", "-e", "client certificate", "--trust", "--set", "tlsPort=\(port)")
                #expect(refused.status == 1, "\(refused)")
                #expect(refused.output.contains("name one in clientCertificate of the connection"), "\(refused)")
            }
        }

        @Test(.enabled(if: SSHServer.isInstalled, "\(SSHServer.hint)"))
        func `the demo server is reached through ssh`() throws {
            let ssh = try SSHServer()
            defer { ssh.stop() }
            try Scene.play { scene in
                let outcome = try Self.run(
                    scene, "TLS and ssh/through ssh", "through ssh",
                    ["--set", "port=\(try scene.port())", "--set", "sshPort=\(ssh.port)"],
                    path: ssh.binaries + ":/usr/bin:/bin")
                #expect(outcome.status == 0 && outcome.output.contains("200"), "\(outcome)")
                #expect(ssh.log.contains("Accepted publickey"))
            }
        }
    }
}
