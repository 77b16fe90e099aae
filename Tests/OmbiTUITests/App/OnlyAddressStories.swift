import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// One address of a server, to which requests are sent alone.
@Suite struct OnlyAddressStories {
    @Test func `Enter on an address of Statistics sends to it only, and again to any`() throws {
        var (story, _) = HistoryStories.story(rows: 60) { path in
            (1...3).reversed().map { id in
                var entry = HistoryStories.entry(id, path)
                entry.url = "http://127.0.0.1:8765/users"
                return entry
            }
        }
        var history = try #require(story.state.runs.history)
        history.statistics.addresses = ["10.0.3.7:8765", "10.0.3.8:8765"].map { HistoryAddress($0, attempts: 2) }
        story.press("]")
        story.receive(.history(.shown(history)))
        for _ in 0..<20 where story.state.responsePane.address(story.state.responseView) == nil { story.press("j") }
        story.press("Enter")
        #expect(story.state.runs.onlyAddress == OnlyAddress("10.0.3.7:8765", of: "http://127.0.0.1:8765/other"))
        #expect(story.screen.contains("  only 10.0.3.7"), "\(story.screen)")
        story.press("Enter")
        #expect(story.state.runs.onlyAddress == nil && !story.screen.contains("  only 10.0.3.7"))
        story.press("Enter")
        _ = story.takeEffects()
        story.press("s")
        let order = story.takeEffects().compactMap { if case .send(let order) = $0 { order } else { nil } }.first
        #expect(order?.request.connection?.resolve == ["127.0.0.1:8765:10.0.3.7"])
        #expect(story.state.workbench.request?.connection == nil)
        story.perform(.files(.switchEnvironment("live", path: "demo.json")))
        #expect(story.screen.contains(" 127.0.0.1:8765 only 10.0.3.7"), "it is of another server: \(story.screen)")
    }

    @Test(arguments: [
        ("http://api.test:8765/x", "8765", " api.test:8765  only 10.0.3.7"),
        ("http://api.test/x", "80", " api.test  only 10.0.3.7"),
        ("http://api.test/x", "8765", " api.test  api.test:8765 only 10.0.3.7"),
    ])
    func `another port of a server is another server`(url: String, port: String, text: String) {
        var header = Header()
        header.address = url
        header.onlyAddress = OnlyAddress("10.0.3.7:\(port)", of: "http://api.test:\(port)/")
        var surface = Surface(size: Size(columns: 100, rows: 1))
        header.draw(on: &surface, in: Rect(surface.size))
        #expect(surface.text(row: 0).contains(text), "\(surface.text(row: 0))")
    }

    @Test(arguments: [
        ("10.0.3.7:3128", "http://api.test/"), ("/tmp/x.sock:80", "http://api.test/"),
        ("10.0.3.7:80", "http://10.0.3.7/"),
        ("10.0.3.7:80", "http://••••••/"), ("10.0.3.7", "http://api.test/"), ("10.0.3.7:80", "https://api.test/"),
    ])
    func `a proxy, a socket and what has no name is no address of a server`(remote: String, url: String) {
        #expect(OnlyAddress(remote, of: url) == nil)
        #expect(OnlyAddress("[::1]:443", of: "https://api.test/a")?.text == "api.test:443:[::1]")
    }
}
