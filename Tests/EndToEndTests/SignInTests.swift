import Foundation
import Testing

extension EndToEnd {
    /// Tags, signing in and the machine, on the command line.
    @Suite struct SignInTests {
        private static func shop(port: Int) -> String {
            """
            { "version": 1, "name": "shop", "environments": [{ "name": "local", "host": "http://127.0.0.1:\(port)" }],
              "items": [
                { "request": "users", "path": "/users", "tags": ["smoke"] },
                { "folder": "slow ones", "tags": ["slow"], "items": [
                    { "request": "time", "path": "/time", "tags": ["smoke"] } ] },
                { "request": "me", "path": "/oauth/protected", "tags": ["person"],
                  "authentication": { "oauth2": { "grant": "authorizationCode", "tokenURL": "/oauth/token",
                    "authorizationURL": "/oauth/authorize", "clientID": "browser" } } },
                { "request": "tv", "path": "/oauth/protected", "tags": ["person"],
                  "authentication": { "oauth2": { "grant": "deviceCode", "tokenURL": "/oauth/token",
                    "deviceURL": "/oauth/device", "clientID": "demo", "clientSecret": "demo" } } } ] }
            """
        }

        @Test func `requests are chosen by their tags`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(port: try scene.port()))
                let all = try scene.ombi("list", "shop.json")
                #expect(all.output.contains("GET     shop/slow ones/time  #smoke #slow\n"), "\(all.output)")
                let some = try scene.ombi("list", "shop.json", "--tag", "!slow", "--tag", "smoke")
                #expect(some.output == "GET     shop/users  #smoke\n")
                let run = try scene.ombi("run", "shop.json", "--tag", "smoke")
                #expect(run.status == 0 && run.output.contains("2 requests, all passed"), "\(run.output)")
                let none = try scene.ombi("run", "shop.json", "--tag", "smok")
                #expect(none.status == 2 && none.output == "")
                #expect(
                    none.errors
                        == "ombi: no request is selected by --tag; the tags here are person, slow, smoke\n")
                #expect(try scene.ombi("run", "shop.json", "--tag", "a b").status == 2)
            }
        }

        #if os(Linux)
        @Test func `without a terminal nobody can sign in, and the run says so at once`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(port: try scene.port()))
                for request in ["me", "tv"] {
                    let outcome = try scene.shell("setsid -w \"$0\" run shop.json/\(request) --trust </dev/null")
                    #expect(outcome.status == 1, "\(outcome.errors)")
                    #expect(outcome.output.contains("a person signs in, and there is no terminal"), "\(outcome.output)")
                }
            }
        }

        @Test func `in a terminal the address of the browser is pasted, and the token is there at the next start`()
            throws
        {
            try Scene.play { scene in
                let port = try scene.port()
                try scene.write("shop.json", Self.shop(port: port))
                try FileManager.default.createDirectory(
                    atPath: scene.path("config/ombi"), withIntermediateDirectories: true)
                try scene.write("config/ombi/config.json", #"{ "tokens": "file" }"#)
                let places = ["XDG_CONFIG_HOME": scene.path("config"), "XDG_STATE_HOME": scene.path("state")]
                let run = try scene.start(
                    Program.ombi, ["run", "shop.json/me", "--body", "--trust"], columns: 500, environment: places)
                let screen = try run.see("Sign in at", "Address:").text
                let page = try #require(
                    screen.split(whereSeparator: \.isWhitespace).first { $0.contains("/authorize?") })
                // A browser elsewhere: it is sent to an address that it cannot reach.
                let address = try scene.shell("curl -s -o /dev/null -w '%{redirect_url}' '\(page)&decision=yes'").output
                #expect(address.hasPrefix("http://127.0.0.1:") && address.contains("/callback?code="))
                run.type("http://127.0.0.1/callback?code=x&state=other\r")
                _ = try run.see("Not taken: this is not the address of this sign-in")
                run.type(address + "\r")
                _ = try run.see("authenticated")
                #expect(try run.waitForExit() == 0)
                let second = try scene.ombi("run", "shop.json/me", "--body", "--trust", environment: places)
                #expect(second.status == 0 && second.output.contains("authenticated"), "\(second.errors)")
            }
        }
        #endif

        @Test func `doctor says what the machine has`() throws {
            try Scene.play { scene in
                let text = try scene.ombi("doctor")
                #expect(text.output.contains("libcurl") && text.output.contains("trusted files"), "\(text.output)")
                #expect(text.errors == "")
                let json = try scene.ombi("doctor", "--output", "json")
                let value = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
                #expect((value?["findings"] as? [[String: String]])?.contains { $0["name"] == "libcurl" } == true)
                #expect(text.status == json.status)
            }
        }
    }
}
