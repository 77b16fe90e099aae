import Foundation
import Testing

extension EndToEnd {
    /// Requests that a run leaves out.
    @Suite struct DisabledTests {
        private static func file(port: Int) -> String {
            """
            { "version": 1, "name": "off", "environments": [{ "name": "local", "host": "http://127.0.0.1:\(port)" }],
              "items": [
                { "folder": "users", "items": [
                  { "request": "on", "path": "/users" }, { "request": "off", "path": "/users", "disabled": true }
                ] },
                { "folder": "none", "items": [{ "request": "one", "path": "/users", "disabled": true }] }
              ] }
            """
        }

        @Test func `a run leaves disabled requests out and names them, unless they are chosen`() throws {
            try Scene.play { scene in
                try scene.write("off.json", Self.file(port: try scene.port()))
                let run = try scene.ombi("run", "off.json/users", "--dry-run")
                #expect(run.status == 0, "\(run.errors)")
                #expect(run.errors.contains("disabled, not sent: off/users/off"))
                #expect(!run.output.contains("off/users/off"))
                let named = try scene.ombi("run", "off.json/users/off", "--dry-run")
                #expect(named.status == 0 && !named.errors.contains("disabled"), "\(named.errors)")
                let none = try scene.ombi("run", "off.json/none")
                #expect(none.status == 2 && none.output == "")
                #expect(none.errors.contains("name one to send it: off/none/one"))
                let list = try scene.ombi("list", "off.json")
                #expect(list.output.contains("off/users/off (disabled)\n"))
                #expect(list.output.contains("off/users/on\n"))
            }
        }
    }
}
