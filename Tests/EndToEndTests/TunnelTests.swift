import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Requests through ssh, with the sshd of the system.
    @Suite(.enabled(if: SSHServer.isInstalled, "\(SSHServer.hint)")) struct TunnelTests {
        private static func shop(_ host: String, via: String, more: String = "") -> String {
            """
            { "version": 1, "name": "shop",
              "environments": [{ "name": "inside", "host": "\(host)", "connection": { "via": "\(via)"\(more) } }],
              "items": [{ "request": "one", "path": "/1" }, { "request": "two", "path": "/2" }] }
            """
        }

        private static func environment(_ ssh: SSHServer, _ scene: Scene) -> [String: String] {
            ["PATH": ssh.binaries + ":/usr/bin:/bin", "TMPDIR": scene.folder]
        }

        private static func logins(_ ssh: SSHServer) -> Int {
            ssh.log.split(whereSeparator: \.isNewline).count { $0.hasPrefix("Accepted publickey") }
        }

        /// Waits until nothing runs that the programs of the scene have started, and no socket is left.
        private static func isQuiet(_ scene: Scene) -> Bool {
            for _ in 0..<5000 {
                let names = (try? FileManager.default.contentsOfDirectory(atPath: scene.folder)) ?? []
                if scene.processes().isEmpty, !names.contains(where: { $0.hasPrefix("ombi-ssh") }) { return true }
                poll(nil, 0, 2)
            }
            return false
        }

        @Test func `requests go through one ssh, once the file is trusted, and it ends with the run`() throws {
            let ssh = try SSHServer()
            defer { ssh.stop() }
            let server = try LoopbackServer { .ok("seen \($0.target)") }
            defer { server.stop() }
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(server.host, via: ssh.url))
                let environment = Self.environment(ssh, scene)
                #expect(try scene.ombi("check", "shop.json", environment: environment).status == 0)
                let refused = try scene.ombi("run", "shop.json", environment: environment)
                #expect(refused.status == 2 && Self.logins(ssh) == 0, "\(refused.errors)")
                #expect(refused.errors.contains("shop.json may not send ssh to \(ssh.url)"), "\(refused.errors)")
                let shown = try scene.ombi("run", "shop.json", "--dry-run", "--trust", environment: environment)
                #expect(shown.output.contains("Via") && shown.output.contains(ssh.url), "\(shown.output)")
                #expect(Self.logins(ssh) == 0)
                let trusted = try scene.ombi("run", "shop.json", "--trust", environment: environment)
                #expect(trusted.status == 0 && trusted.output.contains("200"), "\(trusted.output)\(trusted.errors)")
                #expect(Self.logins(ssh) == 1)
                #expect(Self.isQuiet(scene))
            }
        }

        @Test(.enabled(if: NginxServer.isInstalled, "nginx is not installed: apt-get install nginx-light"))
        func `TLS is verified with the server, not with the host between`() throws {
            let ssh = try SSHServer()
            defer { ssh.stop() }
            let nginx = try NginxServer()
            defer { nginx.stop() }
            try Scene.play { scene in
                let environment = Self.environment(ssh, scene)
                let trust = ", \"caFile\": \"\(nginx.authorityFile)\""
                try scene.write("shop.json", Self.shop(nginx.host, via: ssh.url, more: trust))
                let run = try scene.ombi("run", "shop.json", "--trust", environment: environment)
                #expect(run.status == 0, "\(run.output)\(run.errors)")
                try scene.write("shop.json", Self.shop(nginx.host, via: ssh.url))
                let unknown = try scene.ombi("run", "shop.json", "--trust", environment: environment)
                #expect(unknown.status == 1 && unknown.output.contains("certificate"), "\(unknown.output)")
            }
        }

        @Test func `the error has what ssh says`() throws {
            let ssh = try SSHServer()
            defer { ssh.stop() }
            try Scene.play { scene in
                let environment = Self.environment(ssh, scene)
                let nobody = 1
                try scene.write("shop.json", Self.shop("http://127.0.0.1:\(nobody)", via: ssh.url))
                let refused = try scene.ombi("run", "shop.json", "--trust", environment: environment)
                #expect(refused.status == 1)
                #expect(refused.output.contains("open failed: connect failed: Connection refused"), "\(refused.output)")
                try scene.write("shop.json", Self.shop("http://127.0.0.1:1", via: "ssh://127.0.0.1:\(nobody)"))
                let away = try scene.ombi("run", "shop.json", "--trust", environment: environment)
                #expect(away.status == 1)
                #expect(
                    away.output.contains("ssh: connect to host 127.0.0.1 port \(nobody): Connection refused"),
                    "\(away.output)")
                #expect(!away.output.contains("ssh: ssh:"), "\(away.output)")
                try ssh.forgetHost()
                try scene.write("shop.json", Self.shop("http://127.0.0.1:1", via: ssh.url))
                let unknown = try scene.ombi("run", "shop.json", "--trust", environment: environment)
                #expect(unknown.status == 1 && unknown.output.contains("Host key verification failed"))
                #expect(Self.isQuiet(scene))
            }
        }

        @Test func `the screen asks for trust, names the way, and takes ssh along when it is killed`() throws {
            let ssh = try SSHServer()
            defer { ssh.stop() }
            let server = try LoopbackServer { _ in .ok("inside") }
            defer { server.stop() }
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(server.host, via: ssh.url))
                let ombi = try scene.explore("shop.json", environment: Self.environment(ssh, scene))
                try ombi.see("one")
                ombi.type("s")
                try ombi.see("runs ssh to \(ssh.url)", "y allow it")
                ombi.type("y")
                try ombi.see("200 OK", "inside")
                ombi.type("3", "[")
                try ombi.see("Via", ssh.url)
                let programs = scene.processes()
                #expect(programs.count > 1 && Self.logins(ssh) == 1)
                kill(try #require(programs.min()), SIGKILL)
                #expect(Self.isQuiet(scene))
            }
        }

        @Test func `an ssh that has ended is started again`() throws {
            let ssh = try SSHServer()
            defer { ssh.stop() }
            let server = try LoopbackServer { _ in .ok("inside") }
            defer { server.stop() }
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(server.host, via: ssh.url))
                let ombi = try scene.explore(
                    "shop.json", environment: Self.environment(ssh, scene))
                try ombi.see("one")
                ombi.type("s")
                try ombi.see("y allow it")
                ombi.type("y")
                try ombi.see("200 OK")
                // All but Ombi, which was the first.
                for pid in scene.processes().sorted().dropFirst() { kill(pid, SIGTERM) }
                while scene.processes().count > 1 { poll(nil, 0, 2) }
                ombi.type("j")
                try ombi.see("Not sent yet")
                ombi.type("s")
                try ombi.see("200 OK")
                #expect(Self.logins(ssh) == 2)
            }
        }
    }
}
