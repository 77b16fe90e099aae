import Foundation
import OmbiCore
import OmbiDocument
import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiViewer
@testable import OmbiWorkspace

/// Expectations: set on the screen, made of a value of a response, and shown with their verdict.
@Suite struct ExpectationStories {
    private static func story(_ expectation: OmbiWorkspace.Expectation? = nil) -> Story {
        var story = Story()
        story.choose("list users")
        if let expectation { story.state.workbench.editRequest { $0.expect = expectation } }
        return story
    }

    /// A story in the Expect tab of the request.
    private static func editing() -> Story {
        var story = story()
        story.press("2")
        while story.state.requestPane.tab != .expect { story.press("]") }
        return story
    }

    @Test func `the first run of another request without expectations shows its body in place of none`() {
        var story = Self.story()
        story.press("3")
        story.perform(.response(.showTab(ResponseTab.expect.number)))
        story.finish(story.send())
        #expect(story.state.responsePane.tab == .body, "\(story.screen)")
        story.perform(.response(.showTab(ResponseTab.expect.number)))
        story.finish(story.send())
        #expect(story.state.responsePane.tab == .expect, "it stays for the same request")
    }

    @Test func `the rows of the whole run are edited as one line each`() {
        var story = Self.editing()
        for text in ["2xx, 404", "500ms", "200ms", "<1000", "14"] {
            story.press("Enter")
            story.replace(with: text)
            story.press("Enter", "Down")
        }
        #expect(
            story.request?.expect
                == OmbiWorkspace.Expectation(
                    status: [.hundreds(2), .code(404)], within: .milliseconds(500),
                    firstAttemptWithin: .milliseconds(200), size: NumberComparison(.less, 1000), certificateDays: 14))
        for _ in 0..<5 { story.press("Up", "d") }
        #expect(story.request?.expect == nil && !story.state.workbench.files[0].isDirty)
    }

    @Test func `a row of the body has a path and its conditions`() {
        var story = Self.editing()
        story.press("a")
        story.type("$.id")
        story.press("Enter")
        story.type("integer; > 0")
        story.press("Enter")
        #expect(story.request?.expect?.body == [BodyExpectation("$.id", [.type([.integer]), .greater(.number("0"))])])
        #expect(story.screen.contains("type integer; > 0") && story.screen.contains("Expect 2"))
        story.press("d")
        #expect(story.request?.expect == nil)
    }

    @Test func `a row of a header is added below those of the headers`() {
        var story = Self.editing()
        story.press("Down", times: 6)
        story.press("Enter")
        story.type("ETag")
        story.press("Enter")
        story.type("matches ^W/")
        story.press("Enter")
        #expect(story.request?.expect?.headers == [HeaderExpectation("ETag", [.matches("^W/")])])
    }

    @Test(arguments: [("id", "did you mean $.id?"), ("$.a[", "expected a name in quotes")])
    func `a path that is none stays open and says why`(path: String, reason: String) {
        var story = Self.editing()
        story.press("a")
        story.type(path)
        story.press("Enter")
        #expect(story.openField == path)
        #expect(story.state.notice?.text.contains(reason) == true, "\(story.state.notice?.text ?? "")")
    }

    @Test func `leaving a new row leaves no trace`() {
        var story = Self.editing()
        story.press("a", "Esc")
        #expect(story.request?.expect == nil && !story.state.workbench.files[0].isDirty)
    }

    // MARK: The response

    private static let failing = OmbiWorkspace.Expectation(
        status: [.hundreds(2)],
        body: [
            BodyExpectation("$.name", [.equals(.string("Zoë"))]), BodyExpectation("$.id", [.type([.integer])]),
            BodyExpectation("$.none"),
        ])

    /// The story after a response to its request.
    private static func answered(_ expectation: OmbiWorkspace.Expectation) -> Story {
        var story = story(expectation)
        story.press("s")
        let id = story.state.runs.lastID
        var sent = SampleRun.sent
        sent.expectation = expectation
        let result = SessionResult(.response(SampleRun.answer), prepared: sent, report: SampleRun.report)
        story.receive(.run(id, .ended(result)))
        for case .view(let viewer, .read(.data(let data), let type)) in story.takeEffects() {
            let document = BodyIndexer(contentType: type).read(Bytes(data), isComplete: true, budget: .max)
            story.receive(.viewer(viewer, .read(document)))
        }
        story.press("3")
        return story
    }

    @Test func `the response counts the expectations, and lists each with its verdict`() {
        var story = Self.answered(Self.failing)
        #expect(story.screen.contains("✗ 2 failed expectations of 4"), "\(story.screen)")
        #expect(story.screen.contains("Expect ✗ 2"))
        story.press("]", "]")
        #expect(story.screen.contains("✓ status 2xx"))
        #expect(story.screen.contains("✗ $.name = \"Zoë\"  got \"Ada\""))
        #expect(story.screen.contains("✓ $.id of type integer"))
        #expect(story.screen.contains("✗ $.none to exist  got nothing"))
    }

    @Test func `Enter on an expectation goes to its value`() {
        var story = Self.answered(Self.failing)
        story.press("]", "]", "Down", "Enter")
        #expect(story.state.responsePane.tab == .body)
        #expect(story.state.shownViewer?.page?.shortPath == "$.name")
    }

    @Test(arguments: [
        (OmbiWorkspace.Expectation(status: [.code(201)]), "status"),
        (OmbiWorkspace.Expectation(size: NumberComparison(.less, 1)), "size in bytes"),
    ])
    func `Enter on an expectation that has no place in the response edits it`(
        expectation: OmbiWorkspace.Expectation, row: String
    ) {
        var story = Self.answered(expectation)
        story.press("]", "]")
        #expect(story.lines.last?.contains("Enter edit") == true, "\(story.screen)")
        story.press("Enter")
        #expect(story.state.focus == .request && story.state.requestPane.tab == .expect, "\(story.screen)")
        #expect(story.state.requestPane.row.map { story.formRows[$0].name } == row)
        #expect(story.openField?.isEmpty == false, "\(story.screen)")
    }

    @Test func `Enter on an expectation that is met says nothing of what was expected`() {
        var story = Self.answered(OmbiWorkspace.Expectation(status: [.code(200)]))
        story.press("]", "]", "Enter")
        #expect(story.state.focus == .request && story.state.requestPane.tab == .expect, "\(story.screen)")
        #expect(story.state.notice == nil)
    }

    @Test func `Enter on an expectation of a value that is not there says so`() {
        var story = Self.answered(Self.failing)
        story.press("]", "]", "Down", "Down", "Down", "Enter")
        #expect(story.state.responsePane.tab == .expect)
        #expect(story.state.notice?.text.hasPrefix("There is no such value in the body") == true)
    }

    @Test func `X on a value offers what can be expected of it, and writes it into the request`() {
        var story = Self.answered(OmbiWorkspace.Expectation(status: [.hundreds(2)]))
        story.press("Down", "X")
        #expect(
            story.screen.contains("Expect $.id") && story.screen.contains("= 42")
                && story.screen.contains("type integer"))
        story.press("Down", "Enter")
        #expect(story.request?.expect?.body == [BodyExpectation("$.id", [.type([.integer])])])
        story.press("X", "Enter")
        #expect(story.request?.expect?.body == [BodyExpectation("$.id", [.equals(.number("42")), .type([.integer])])])
    }

    @Test func `X on a list offers its count`() {
        var story = Self.answered(OmbiWorkspace.Expectation(status: [.hundreds(2)]))
        story.press("Down", "Down", "Down", "X")
        #expect(story.screen.contains("count > 0") && story.screen.contains("count = 2"), "\(story.screen)")
    }
}
