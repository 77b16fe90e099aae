import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// What only the real loop on a real terminal can show.
    @Suite struct LoopTests {
        @Test func `a paste of 100 lines arrives whole`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: 1))
                let ombi = try scene.explore("shop.json")
                try ombi.choose("echo")
                ombi.type("2", "]", "]", Keys.down)
                try ombi.seeCursor(on: "\"word\"")
                let rows = (1...100).map { "    {\"line\": \($0), \"text\": \"äöü q w s x \($0)\"}" }
                // As in a browser: selected whole, pasted over.
                ombi.type(Keys.enter)
                try ombi.see("Esc done")
                ombi.type(String(repeating: "\u{1B}[3~", count: 80), String(repeating: "\u{7F}", count: 80))
                try ombi.seeGone("word")
                ombi.type(Keys.paste("[\n" + rows.joined(separator: ",\n") + "\n]"))
                try ombi.see("\"line\": 100,")
                ombi.type(Keys.escape)
                try ombi.see("› echo ●")
                ombi.type("w")
                try ombi.see("Saved shop.json")
                let text = try scene.read("shop.json")
                let numbers = text.matches(of: /"line": ([0-9]+),\s+"text": "äöü q w s x ([0-9]+)"/)
                #expect(numbers.map { Int($0.output.1) } == (1...100).map(Optional.init))
                #expect(numbers.allSatisfy { $0.output.1 == $0.output.2 })
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        @Test func `a paste outside of a field is no command`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: 1))
                let ombi = try scene.explore("shop.json")
                try ombi.see("› list users")
                ombi.type(Keys.paste("ddddqj"), "j")
                try ombi.see("› one user", "list users")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        /// While half a second passes elsewhere, an explorer with nothing to do is never woken. (After a run, the
        /// threads of the pool that served it end one by one some seconds later; the state tests hold the rest.)
        @Test(
            .disabled(
                if: ProcessInfo.processInfo.environment["TSAN_OPTIONS"] != nil,
                "a thread of the sanitizer wakes ten times a second"))
        func `with nothing to do it does nothing`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                let ombi = try scene.explore("shop.json")
                try ombi.choose("one user")
                let other = { () throws in
                    let outcome = try scene.ombi("run", "shop/trouble/half a second")
                    #expect(outcome.status == 0)
                }
                // The first run begins the history, in the home that is the watched folder here; that is looked at soon after.
                try other()
                try other()
                let before = try ombi.wakeUps()
                try other()
                // On a slow machine a thread of the pool may end meanwhile.
                let after = try ombi.wakeUps()
                #expect(after == before.filter { after[$0.key] != nil })
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        @Test func `a click beside a field that cannot be kept leaves it open, and says why`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: 1))
                let ombi = try scene.explore("shop.json")
                try ombi.see("› list users")
                ombi.type("2[[[[[", Keys.down)
                try ombi.seeCursor(on: "SLA")
                ombi.type(Keys.enter, "soon")
                try ombi.see("Esc cancel")
                ombi.type(Keys.click(column: 60, row: 20))
                try ombi.see("soon", "duration")
                ombi.type(Keys.escape)
                try ombi.seeGone("soon")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        @Test func `many keys in one go are all obeyed`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: 1))
                let ombi = try scene.explore("shop.json")
                try ombi.see("› list users")
                ombi.type(String(repeating: "jk", count: 2000), "jjjj")
                try ombi.see("› flaky")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        @Test func `two saves at once are no conflict`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: 1))
                let ombi = try scene.explore("shop.json")
                try ombi.see("› list users")
                ombi.type("2", Keys.enter, "/one", Keys.enter, "w", Keys.enter, "/two", Keys.enter, "ww")
                try ombi.look {
                    $0.contains("Saved shop.json") || $0.contains("changed on disk")
                } orSay: {
                    "an end of it"
                }
                try ombi.seeGone("●")
                #expect(!ombi.screen.contains("changed on disk"))
                #expect(try scene.read("shop.json").contains("\"path\": \"/users/one/two\""))
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        @Test func `w and q in one go save and quit`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: 1))
                let ombi = try scene.explore("shop.json")
                try ombi.editURL(adding: "/one")
                ombi.type("wq")
                #expect(try ombi.waitForExit() == 0)
                #expect(try scene.read("shop.json").contains("\"path\": \"/users/one\""))
            }
        }
    }
}

extension Session {
    /// How often the threads of the program went to wait and were woken.
    fileprivate func wakeUps() throws -> [String: String] {
        let tasks = "/proc/\(terminal.processIdentifier)/task"
        var counts: [String: String] = [:]
        for thread in try FileManager.default.contentsOfDirectory(atPath: tasks) {
            let status = try String(contentsOfFile: "\(tasks)/\(thread)/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
            counts[thread] = line.map(String.init)
        }
        return counts
    }
}
