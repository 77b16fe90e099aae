import Foundation
import OmbiCore
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// An incident that somebody else has handed over, on the screen.
@Suite struct BundleStories {
    private static let bundle = """
        {"ombi":"incident-bundle","format":1,
        "collection":{"version":1,"name":"shop","environments":[{"name":"live","host":"http://api.test"}],
        "items":[{"folder":"orders","items":[{"request":"order","path":"/orders/7"}]}]},
        "marks":[],"contents":["{\\"id\\":7}","busy"],
        "runs":[{"path":["orders","order"],"environment":"live","startedAt":1800000000000000,"duration":9000,
        "outcome":"passed","status":200,"attemptCount":2,"method":"GET","url":"http://api.test/orders/7","size":8,
        "body":0,"response":{"headers":[["X-Node","b8"]]},
        "attempts":[{"number":1,"reason":0,"startedAt":0,"duration":5000,"phases":[0,0,0,0,0,5000,0],"outcome":1,
        "failure":2,"message":"503 Service Unavailable","status":503,"pause":1000,"pauseReason":0,
        "bytesReceived":4,"bytesSent":0,"response":{"status":503,"size":4,"body":1}},
        {"number":2,"reason":1,"startedAt":6000,"duration":3000,"phases":[0,0,0,0,0,3000,0],"outcome":0,"status":200,
        "bytesReceived":8,"bytesSent":0}]}]}
        """

    private static func story() -> Story {
        var story = Story(files: [])
        let loaded = Story.loaded(bundle, path: "incident.json").readInPlace
        story.receive(.opened([loaded], environment: nil))
        _ = story.takeEffects()
        return story
    }

    @Test func `it opens read-only, without an environment, and says so`() {
        var story = Self.story()
        #expect(story.treeNames == ["shop", "  orders", "    order"])
        let notice = story.state.notice?.text ?? ""
        #expect(notice.hasPrefix("incident.json is an incident bundle, read-only: E chooses"), "\(notice)")
        #expect(story.state.workbench.environment == nil && story.screen.contains("no environment"))
        story.choose("shop")
        #expect(story.screen.contains("Nothing is sent until E chooses an environment."), "\(story.screen)")
    }

    @Test func `nothing is sent, previewed or run as a folder until an environment is chosen`() throws {
        var story = Self.story()
        story.choose("order")
        for key in ["s", "p"] {
            story.press(key)
            let effects = story.takeEffects()
            #expect(!effects.contains { if case .send = $0 { true } else { false } }, "\(key)")
            #expect(!effects.contains { if case .preview = $0 { true } else { false } }, "\(key)")
            #expect(story.state.notice?.text.contains("E chooses an environment: live") == true, "\(key)")
        }
        story.choose("orders")
        story.press("s")
        #expect(story.state.overlays.isEmpty)
        #expect(!story.takeEffects().contains { if case .send = $0 { true } else { false } })
        story.choose("order")
        story.perform(.files(.switchEnvironment("live", path: "incident.json")))
        #expect(story.state.workbench.environment?.name == "live")
        _ = story.send()
        let order = try #require(story.lastOrder)
        #expect(order.environment == "live" && order.file == "incident.json")
    }

    @Test func `its runs show with every attempt, from a history of its own`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/incident.json"
        try Self.bundle.write(toFile: path, atomically: true, encoding: .utf8)
        let opened = try #require(try OpenedBundle.find(in: [path]))
        defer { opened.remove() }
        #expect(opened.history.path.hasPrefix(folder) == false)
        let item = ItemPath(file: path, path: ["orders", "order"])
        let history = opened.history
        let found = Task { () async -> RecordedRun? in
            try? await history.neighbor(of: nil, isOlder: true, in: HistoryFilter(item: history.resolved(item)))?.run
        }.wait()
        let run = try #require(found)
        #expect(run.result.response?.body == Data("{\"id\":7}".utf8))
        #expect(run.result.report?.attempts.first?.received?.body == Data("busy".utf8))
        // The windows of statistics end with the incident, whenever it is opened.
        let statistics = Task { () async -> HistoryStatistics? in try? await history.statistics(HistoryFilter()) }
        #expect(statistics.wait()?.windows.map(\.runs) == [1, 1, 1])
        var story = Self.story()
        story.choose("order")
        let id = try #require(story.state.workbench.selected)
        let place = HistoryPlace(number: 1, count: 1)
        story.receive(.history(.last(run, place, age: .seconds(3 * 3600), for: id)))
        story.press("3")
        #expect(story.screen.contains("recorded 3 h ago"), "\(story.screen)")
    }

    @Test func `another file is no bundle, and a damaged one says where`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/incident.json"
        func opens(_ paths: [String]) throws -> Bool {
            guard let opened = try OpenedBundle.find(in: paths) else { return false }
            opened.remove()
            return true
        }
        #expect(try !opens([path]) && !opens([folder]))
        try "{ \"version\": 1 }".write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try !opens([path]))
        try Self.bundle.replacing("\"outcome\":\"passed\"", with: "\"outcome\":\"won\"")
            .write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try !opens([path, path]), "only a bundle by itself")
        let error = #expect(throws: OpenedBundle.Failure.self) { try opens([path]) }
        #expect(error?.description.hasPrefix(path + ": line 5") == true, "\(error?.description ?? "")")
    }
}
