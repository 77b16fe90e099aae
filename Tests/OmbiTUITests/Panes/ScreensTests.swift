import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// Every pane and overlay at five sizes, as text in `Tests/Screens`. `scripts/screenshots` writes the files
/// anew; look at what has changed before you keep it.
@Suite struct ScreensTests {
    /// A name, and what is done to see it, from a response on.
    private static let scenes: [(name: String, act: @Sendable (inout Story) -> Void)] = [
        ("requests", { $0.press("1") }),
        ("a search of the requests", { $0.press("1", "/", "u", "s") }),
        ("parameters", { $0.press("2") }),
        ("a header that is typed", { $0.press("2", "]", "a", "A", "c", "c") }),
        (
            "a body under edit",
            {
                $0.choose("create user")
                $0.press("2", "]", "]", "Down", "Enter")
            }
        ),
        ("policy", { $0.press("2", "]", "]", "]", "]") }),
        ("a response", { $0.press("3") }),
        ("its headers", { $0.press("3", "]", "Down") }),
        ("its timeline", { $0.press("3", "]", "]", "]") }),
        (
            "what was sent",
            {
                $0.press("3")
                $0.press("]", times: ResponseTab.sent.position)
            }
        ),
        (
            "a request that was not sent",
            {
                $0.choose("list users")
                $0.press("3")
            }
        ),
        (
            "no connection",
            {
                $0.choose("list users")
                $0.refuse($0.send())
                $0.press("3")
            }
        ),
        ("what can be copied", { $0.press("3", "Y") }),
        ("commands", { $0.press(":") }),
        ("environments", { $0.press("E") }),
        (
            "a question",
            {
                $0.choose("users")
                $0.press("d")
            }
        ),
        ("the help", { $0.press("3", "?") }),
        ("messages", { $0.press("2", "]", "]", "]", "d", "L") }),
    ]

    private static func text(_ size: Size) -> String {
        scenes.map { scene in
            var story = Story(columns: size.columns, rows: size.rows)
            story.choose("user by id")
            story.finish(story.send())
            scene.act(&story)
            return "## \(scene.name)\n\n" + story.lines.joined(separator: "\n")
        }.joined(separator: "\n\n") + "\n"
    }

    @Test(arguments: [(200, 60), (120, 34), (80, 24), (60, 18), (40, 10)])
    func `every pane is as it was recorded`(columns: Int, rows: Int) throws {
        let found = Self.text(Size(columns: columns, rows: rows))
        try RecordedFile("Tests/Screens/\(columns)x\(rows).txt").expect(found)
    }

    @Test(arguments: [(60, 18), (40, 10)])
    func `the frame of a response keeps its status where the request has one line`(columns: Int, rows: Int) {
        var story = Story(columns: columns, rows: rows)
        story.choose("user by id")
        story.finish(story.send())
        #expect(story.screen.contains("3 Response ─ 200 · "), "\(story.screen)")
    }

    @Test func `a very wide screen gives the response what the request does not need`() throws {
        let story = Story(columns: 300, rows: 100)
        let (request, response) = (try #require(story.state.layout.request), try #require(story.state.layout.response))
        #expect(request.columns == 90 && response.columns > 150)
    }
}
