import OmbiDocument
import Testing

@testable import OmbiTUI
@testable import OmbiViewer

/// Results over results: filters and commands, each on what the one before gave.
@Suite struct ResultStories {
    private static let people = ViewerStories.people

    private func input(of effect: Effect?) -> String? {
        guard case .view(7, .shell(_, let page, _)) = effect else { return nil }
        var writer = page.input
        var bytes: [UInt8] = []
        while let portion = writer.next(7) { bytes += portion }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `a command on a filter's result gets its lines, and Esc leads back step by step`() {
        var story = ViewerStory(Self.people, columns: 76)
        story.press("Down", "Down", "Enter")
        #expect(story.current.contains("{…}"), "\(story.text)")
        story.filter("$.people[*].address")
        story.press("Down")
        let atFilter = story.lines
        _ = story.takeEffects()
        story.run("sort -r", "2\n1\n")
        #expect(
            input(of: story.takeEffects().first)
                == #"{"city":"London","zip":{"code":1}}"# + "\n" + #"{"city":"Zürich","zip":{"code":2}}"# + "\n")
        #expect(story.lines[0] == "1 2")
        #expect(story.foot.hasPrefix("| $.people[*].address ! sort -r  line 1 of 2"), "\(story.foot)")
        story.press("Esc")
        #expect(story.lines == atFilter, "\(story.text)")
        story.press("Esc")
        #expect(story.current.contains("{…}"), "the fold and the place are kept: \(story.text)")
        #expect(story.viewer.results.isEmpty)
    }

    @Test func `a filter on a command's output filters that`() {
        var story = ViewerStory("plain text", columns: 76)
        story.run("to-json", #"{"made": [{"by": "hand"}, {"by": "machine"}]}"#)
        story.filter("$.made[1].by")
        #expect(story.lines[0] == "1 $.made[1].by: \"machine\"", "\(story.text)")
        #expect(story.foot.hasPrefix("! to-json | $.made[1].by · 1 match"), "\(story.foot)")
        story.press("Esc")
        #expect(story.foot.hasPrefix("! to-json"), "\(story.foot)")
    }

    @Test func `a filter on a filter's result asks each value, and says where it is in the body`() {
        var story = ViewerStory(Self.people, columns: 76)
        story.filter("$..address")
        story.filter("$.city")
        #expect(story.lines[1] == "2 $.people[1].address.city: \"Zürich\"", "\(story.text)")
        #expect(story.foot.hasPrefix("| $..address | $.city · 2 matches"), "\(story.foot)")
    }

    @Test func `what a filter selected is copied and saved as text, one value per line`() throws {
        var story = ViewerStory(Self.people, columns: 76)
        story.filter("$..city")
        _ = story.takeEffects()
        story.perform(.view(.copyText))
        #expect(story.takeCopies() == ["London\nZürich\n"])
        story.press("S")
        #expect(story.foot.hasPrefix("save one value per line to:"), "\(story.foot)")
        story.press("Tab", "Tab")
        #expect(story.foot.hasPrefix("save text, one value per line to:"), "\(story.foot)")
        story.type("a")
        story.press("Enter")
        guard case .output(_, .save(path: "a", let document, .text, overwriting: false))? = story.takeEffects().last
        else {
            Issue.record("it was not saved as text")
            return
        }
        var writer = BodyWriter(document, .text)
        #expect(writer.next().map { String(decoding: $0, as: UTF8.self) } == "London\nZürich\n")
        var whole = ViewerStory(Self.people, columns: 76)
        whole.press("S", "Tab", "Tab")
        #expect(whole.foot.hasPrefix("save unchanged to:"), "a body that is not filtered is no list: \(whole.foot)")
    }

    @Test func `a filter that is left while it is typed leaves what was there`() {
        var story = ViewerStory(Self.people, columns: 76)
        story.filter("$..address")
        let before = story.lines
        story.press("|")
        story.type("$.zip")
        #expect(story.lines[0].contains("$.people[0].address.zip"), "\(story.text)")
        for _ in 0..<5 { story.press("Backspace") }
        #expect(story.lines[0] == before[0], "nothing typed is no filter: \(story.text)")
        story.type("$.zip")
        story.press("Esc")
        #expect(story.lines == before, "\(story.text)")
    }

    @Test func `Esc takes marks away before it takes the result`() {
        var story = ViewerStory(Self.people, columns: 76)
        story.filter("$..city")
        story.press("/")
        story.type("Z")
        story.press("Enter", "Esc")
        #expect(story.marks.isEmpty && story.viewer.results.count == 1)
        story.press("Esc")
        #expect(story.viewer.results.isEmpty)
    }

    @Test func `Esc ends a command that runs, and what it gives then is not shown`() throws {
        var story = ViewerStory(Self.people)
        story.filter("$..city")
        story.press("!")
        story.type("slow")
        story.press("Enter")
        #expect(story.foot.contains("working… Esc stops it"))
        let number = try #require(story.viewer.query?.number)
        _ = story.takeEffects()
        story.press("Esc")
        #expect(story.takeEffects() == [.view(7, .stopQuery)])
        #expect(!story.foot.contains("working"))
        let output = BodyDocument(Bytes("late".utf8), contentType: nil)
        let answer = CommandAnswer(command: "slow", output: output, errorOutput: "", ending: .exited(0))
        story.receive(.ran(answer, number: number))
        #expect(story.foot.hasPrefix("| $..city"), "\(story.foot)")
    }

    @Test func `going to a path leaves a question that is under way alone`() throws {
        var story = ViewerStory(Self.people, columns: 76)
        story.press("!")
        story.type("slow")
        story.press("Enter")
        let number = try #require(story.viewer.query?.number)
        story.press("Ctrl+G")
        story.type("$.people[1]")
        story.press("Enter")
        #expect(story.foot.hasPrefix("$.people[1]"), "\(story.foot)")
        #expect(story.foot.contains("working…"), "\(story.foot)")
        let output = BodyDocument(Bytes("done".utf8), contentType: nil)
        let answer = CommandAnswer(command: "slow", output: output, errorOutput: "", ending: .exited(0))
        story.receive(.ran(answer, number: number))
        #expect(story.lines[0] == "1 done")
        story.receive(.located(offset: 0, problem: "late", number: number + 1))
        #expect(story.notice == nil, "what was looked for in another page is of no use")
    }

    @Test func `a filter that is asked again of all of a body takes nothing away meanwhile`() {
        var story = ViewerStory("[" + (0..<2000).map(String.init).joined(separator: ",") + "]", columns: 76)
        story.filter("$[*]")
        story.press("G")
        let before = story.lines
        let number = story.viewer.startQuery(over: 0)
        guard case .filter(let path, _)? = story.viewer.result?.source, let part = story.viewer.body?.document else {
            Issue.record("nothing is filtered")
            return
        }
        var answers: [ViewerEvent] = []
        ViewerJobs.filter("$[0,1,2]", part, number, CancelFlag()) { answers.append($0) }
        guard case .filtered(.matches(_, let few, _, _), _)? = answers.last else {
            Issue.record("no answer: \(answers)")
            return
        }
        story.receive(.filtered(.matches(path, few, isCut: false, isDone: false), number: number))
        #expect(story.lines.dropLast() == before.dropLast(), "\(story.text)")
        story.receive(.filtered(.matches(path, few, isCut: false, isDone: true), number: number))
        #expect(story.foot.contains("3 matches"), "\(story.foot)")
    }

    @Test func `Esc ends a filter that is asked again below others, and takes none of them away`() {
        var story = ViewerStory(Self.people, columns: 76)
        story.filter("$..address")
        story.filter("$.city")
        _ = story.viewer.startQuery(over: 0)
        story.press("Esc")
        #expect(story.viewer.results.count == 2)
        #expect(story.viewer.query == nil)
        #expect(story.takeEffects() == [.view(7, .stopQuery)], "nothing is asked again")
    }

    /// Lets the next body begin at the place of this one.
    private func next(_ story: inout ViewerStory, _ body: String) {
        let place = story.viewer.place
        story.viewer = Viewer(id: 7, size: story.size)
        story.viewer.start = place
        story.receive(.read(ViewerStory.document(body)))
    }

    @Test func `the next body begins with the filters of the one before, and with its row`() {
        var story = ViewerStory(Self.people, columns: 76)
        story.filter("$..address")
        story.filter("$.city")
        story.press("Down")
        let (lines, current) = (story.lines, story.current)
        next(&story, Self.people)
        #expect(story.lines == lines && story.current == current, "\(story.text)")
        next(&story, "Service Unavailable")
        #expect(story.lines[0] == "1 Service Unavailable", "nothing can be filtered: \(story.text)")
        next(&story, Self.people)
        #expect(story.lines == lines && story.current == current, "\(story.text)")
    }

    @Test func `a filter that was left stays away from the next body`() {
        var story = ViewerStory(Self.people, columns: 76)
        story.filter("$..address")
        next(&story, Self.people)
        story.press("Esc")
        let lines = story.lines
        next(&story, Self.people)
        #expect(story.lines == lines && story.viewer.results.isEmpty, "\(story.text)")
    }

    @Test func `the last steps of a long chain show beside the place`() {
        var story = ViewerStory(Self.people, columns: 60)
        for _ in 0..<8 { story.filter("$..*") }
        #expect(story.foot.hasPrefix("…"), "\(story.foot)")
        #expect(story.foot.contains("| $..* · 0 matches"), "\(story.foot)")
    }

    @Test func `sixteen results are enough`() {
        var story = ViewerStory(Self.people)
        for _ in 0..<Viewer.maximumResults { story.filter("$") }
        story.press("|")
        #expect(story.viewer.line == nil)
        #expect(story.notice?.text == "16 results are on top of each other; Esc takes one away")
        story.press("Esc", "|")
        #expect(story.viewer.line != nil)
    }

    @Test func `what a command complained about stays over its output`() {
        var story = ViewerStory("[1]", columns: 76)
        story.run("x", "some output\n", status: 3, errorOutput: "bad\u{1B}[31m input")
        #expect(story.notice?.text.hasPrefix("x ended with status 3: bad") == true)
        #expect(story.lines[0].hasPrefix("it ended with status 3: bad"), "\(story.text)")
        #expect(!story.text.unicodeScalars.contains("\u{1B}"), "\(story.text)")
        #expect(story.lines[1] == "1 some output")
        story.press("Esc")
        story.run("true", "")
        #expect(story.lines[0] == "No output.")
    }

    @Test func `a filtered view is saved a value a line, or laid out`() {
        var story = ViewerStory(Self.people, columns: 76)
        story.filter("$..name")
        story.press("S")
        #expect(story.foot.hasPrefix("save one value per line to:"), "\(story.foot)")
        story.type("/tmp/x")
        story.press("Enter")
        guard case .output(7, .save(path: "/tmp/x", let document, .raw, overwriting: false))? = story.takeEffects().last
        else {
            Issue.record("it was not saved")
            return
        }
        var writer = BodyWriter(document, .raw)
        #expect(writer.next().map { String(decoding: $0, as: UTF8.self) } == "\"Ada\"\n\"Bob\"\n")
    }
}
