import Foundation
import Testing

extension EndToEnd {
    /// The settings of a user, and terminals that cannot show everything.
    @Suite struct SettingsTests {
        private static func write(_ settings: String, in scene: Scene) throws {
            try FileManager.default.createDirectory(
                atPath: scene.path(".config/ombi/themes"), withIntermediateDirectories: true)
            try scene.write(".config/ombi/config.json", settings)
        }

        @Test func `settings choose keys and the mouse, and show in the key line`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: 1))
                try Self.write("{\"mouse\": false, \"keys\": {\"everywhere\": {\"quit\": \"Ctrl+X q\"}}}", in: scene)
                let ombi = try scene.explore("shop.json")
                try ombi.see("Ctrl+X q quit")
                ombi.type("\u{18}")
                try ombi.see("Ctrl+X …", "q quit", "Esc cancel")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
                ombi.expectTerminalRestored()
            }
        }

        @Test func `a mistake in the settings shows at the start, and the rest counts`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: 1))
                try Self.write(
                    "{\n  \"theme\": \"drak\",\n  \"keys\": {\"everywhere\": {\"send\": \"F6\"}}\n}\n", in: scene)
                let ombi = try scene.explore("shop.json")
                try ombi.see("config.json:2:12: \"theme\"", "F6 send", "› list users")
                ombi.type("j")
                try ombi.seeGone("config.json:2:12")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
                let check = try scene.ombi("check", ".config/ombi/config.json")
                #expect(check.status == 2)
                #expect(check.output.contains(".config/ombi/config.json:2:12: error: \"theme\": there is no theme"))
                try Self.write("{}", in: scene)
                try scene.write(".config/ombi/themes/mine.json", "{\"rolse\": {}}")
                #expect(try scene.ombi("check", ".config/ombi/config.json").status == 0)
                let theme = try scene.ombi("check", ".config/ombi/themes/mine.json")
                #expect(theme.status == 0)
                #expect(theme.output.contains("mine.json:1:2: warning: unknown key \"rolse\"; did you mean \"roles\"?"))
            }
        }

        @Test func `a run says what is wrong with the settings, and is not recorded if they cannot be read`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                try Self.write("{\"history\": {\"record\": false},}", in: scene)
                let run = try scene.ombi("run", "shop.json/users/list users")
                #expect(run.status == 0)
                #expect(run.errors.contains(".config/ombi/config.json:1:30: error: trailing comma"), "\(run.errors)")
                #expect(try scene.ombi("history").errors.contains("no run was found"))
            }
        }

        @Test func `no moment is marked where settings keep no history`() throws {
            try Scene.play { scene in
                try Self.write("{\"history\": {\"record\": false}}", in: scene)
                let mark = try scene.ombi("mark", "deploy 1.4.2")
                #expect(mark.status == 3 && mark.errors.contains("no history is kept"), "\(mark.errors)")
                #expect(try scene.ombi("mark", "--list").errors.contains("no moment is marked"))
            }
        }

        @Test func `F1 opens the manual, which can be searched`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: 1))
                let ombi = try scene.explore("shop.json")
                try ombi.see("› list users")
                ombi.type("\u{1B}OP")
                try ombi.see("─ Manual ─", "Contents")
                ombi.type("/high-contrast")
                try ombi.see("Settings › Theme", "at least 7:1")
                ombi.type(Keys.escape)
                try ombi.see("Contents")
                ombi.type("q")
                try ombi.seeGone("─ Manual ─")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        @Test(arguments: [
            (["LANG": "C", "TERM": "linux"], "{}"), (["TERM": "vt100"], "{}"),
            (["TERM": "xterm-256color"], "{\"ascii\": true}"),
        ])
        func `a terminal without symbols gets ASCII`(environment: [String: String], settings: String) throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: 1))
                try Self.write(settings, in: scene)
                let ombi = try scene.explore("shop.json", environment: environment)
                let screen = try ombi.see("1 Requests", "| v shop", "> list users", "+ 1 Requests ==")
                let others = screen.text.unicodeScalars.filter { !$0.isASCII }
                #expect(others.isEmpty, "\(screen.text)")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }
    }
}
