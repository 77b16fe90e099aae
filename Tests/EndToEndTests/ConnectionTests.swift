import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The connection of environments in headless runs, against nginx.
    @Suite(.enabled(if: NginxServer.isInstalled, "nginx is not installed: apt-get install nginx-light"))
    struct ConnectionTests {
        private static func shop(_ nginx: NginxServer) -> String {
            """
            {
              "version": 1, "name": "shop",
              "environments": [
                { "name": "off", "host": "\(nginx.host)", "verifyTLS": false },
                { "name": "on", "host": "\(nginx.host)", "connection": { "caFile": "\(nginx.authorityFile)" } },
                { "name": "system", "host": "\(nginx.host)" },
                { "name": "wrong", "host": "\(nginx.host)", "connection": { "caFile": "\(nginx.authorityFile)",
                  "pins": ["sha256//\(String(repeating: "A", count: 43))="] } }
              ],
              "items": [{ "request": "root", "path": "/" }]
            }
            """
        }

        @Test func `a run says that nobody verifies, in words and in JSON`() throws {
            let nginx = try NginxServer()
            defer { nginx.stop() }
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(nginx))
                let off = try scene.ombi("run", "shop.json", "-e", "off")
                #expect(off.status == 0)
                #expect(
                    off.errors.contains("certificates are not verified: verifyTLS is false in the environment off"))
                let json = try scene.ombi("run", "shop.json", "-e", "off", "--output", "json")
                #expect(json.output.contains("\"verifiesTLS\": false"))
                let on = try scene.ombi("run", "shop.json", "-e", "on")
                #expect(on.status == 0 && on.errors.hasPrefix("1 request") || on.errors.isEmpty)
                let verified = try scene.ombi("run", "shop.json", "-e", "on", "--output", "json")
                #expect(!verified.output.contains("verifiesTLS"))
            }
        }

        @Test func `a server that is not trusted, or has another key, fails with the key of the file to change`() throws
        {
            let nginx = try NginxServer()
            defer { nginx.stop() }
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(nginx))
                let system = try scene.ombi("run", "shop.json", "-e", "system")
                #expect(system.status == 1)
                #expect(
                    system.output.contains(
                        "name the file of its authority in caFile of the connection (CA file in the tab Connection)"))
                #expect(try scene.ombi("run", "shop.json", "-e", "system", "--exit-class").status == 7)
                let wrong = try scene.ombi("run", "shop.json", "-e", "wrong")
                #expect(wrong.status == 1 && wrong.output.contains("its public key is none of pins"), "\(wrong.output)")
            }
        }

        @Test func `check names what is wrong with a connection, with its place`() throws {
            try Scene.play { scene in
                try scene.write(
                    "c.json",
                    """
                    { "version": 1, "name": "c", "items": [],
                      "connection": { "caFile": "./no.pem", "prxy": "none" } }
                    """)
                let warned = try scene.ombi("check", "c.json")
                #expect(warned.status == 0)
                #expect(
                    warned.output.contains("c.json:2:29: warning: ./no.pem cannot be read: No such file or directory"))
                #expect(warned.output.contains("c.json:2:41: warning: unknown key \"prxy\"; did you mean \"proxy\"?"))
                try scene.write(
                    "c.json", "{ \"version\": 1, \"name\": \"c\", \"items\": [], \"connection\": { \"proxy\": 1 } }")
                let broken = try scene.ombi("check", "c.json")
                #expect(broken.status == 2 && broken.output.contains(":1:68: error: \"proxy\": expected a string"))
            }
        }
    }
}
