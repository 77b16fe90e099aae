import OmbiDocument
import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiViewer

/// Finding and filtering in a body.
@Suite struct FindStories {
    private static let people = ViewerStories.people

    // MARK: Finding

    @Test func `what is typed is found and marked at once, counted, and gone through`() {
        var story = ViewerStory(Self.people, columns: 76, rows: 9)
        story.press("/")
        story.type("zip")
        #expect(story.current.contains("\"zip\""), "\(story.text)")
        #expect(story.marks == ["zip"])
        #expect(
            story.foot.hasPrefix("/zip") && story.foot.contains("1 of 2"), "the keys are in the key line: \(story.foot)"
        )
        story.press("Enter")
        #expect(story.foot.contains("/zip 1 of 2"), "\(story.foot)")
        story.press("n")
        #expect(story.foot.contains("2 of 2"))
        #expect(story.foot.contains("$.people[1].address.zip"))
        story.press("n")
        #expect(story.foot.contains("1 of 2"))
        #expect(story.notice?.text == "From the start again")
        story.press("N")
        #expect(story.foot.contains("2 of 2"))
        #expect(story.notice?.text == "From the end again")
        story.press("Esc")
        #expect(story.marks.isEmpty)
    }

    @Test func `Esc goes back to where the search began`() {
        var story = ViewerStory(Self.people)
        story.press("Down", "/")
        story.type("count")
        #expect(story.current.contains("count"))
        story.press("Esc")
        #expect(story.current.contains("people"), "\(story.text)")
    }

    @Test func `a regular expression is a key away, and its mistakes are shown`() {
        var story = ViewerStory("ab12\ncd345\n", columns: 76)
        story.press("/")
        story.type("[0-9")
        story.press("Tab")
        #expect(story.foot.contains("^"), "\(story.text)")
        story.type("]{3}")
        #expect(story.marks == ["345"], "\(story.text)")
        story.press("Enter", "/")
        #expect(story.foot.contains("regex"), "it stays what it was: \(story.foot)")
    }

    @Test func `what was typed before comes back`() {
        var story = ViewerStory("one two three")
        for word in ["one", "two"] {
            story.press("/")
            story.type(word)
            story.press("Enter")
        }
        story.press("/", "Up", "Up")
        #expect(story.viewer.line?.field.text == "one")
        #expect(story.marks == ["one"])
        story.press("Down", "Down")
        #expect(story.viewer.line?.field.text.isEmpty == true)
    }

    @Test func `a match that is folded away is unfolded`() {
        var story = ViewerStory(Self.people)
        story.press("-", "/")
        story.type("London")
        #expect(story.current.contains("London"), "\(story.text)")
    }

    @Test(arguments: [
        ("text/plain", "one\ntwo\n"), ("text/csv", "id,name\n1,two\n"), ("text/xml", "<a><b>1</b><c>two</c></a>"),
        ("application/x-www-form-urlencoded", "a=1&b=two"), ("text/event-stream", "data: 1\n\ndata: two\n\n"),
    ])
    func `every kind of body is searched`(type: String, body: String) {
        var story = ViewerStory(body, type: type)
        story.press("/")
        story.type("two")
        story.press("Enter")
        #expect(story.current.contains("two"), "\(story.text)")
        #expect(story.marks.contains { $0.contains("two") }, "\(story.marks)")
        #expect(story.foot.contains("1 of 1"))
    }

    @Test func `bytes are found in hexadecimal`() {
        var story = ViewerStory([0, 1, 0xDE, 0xAD, 0], columns: 80)
        story.press("/", "Tab")
        story.type("de ad")
        #expect(story.marks.contains("de"), "\(story.marks)")
    }

    @Test func `nothing found says so, and n without a search, too`() {
        var story = ViewerStory("abc")
        story.press("n")
        #expect(story.notice?.text == "Nothing to find yet; / starts a search")
        story.press("/")
        story.type("x")
        story.press("Enter")
        #expect(story.foot.contains("/x no match"))
    }

    @Test func `a step that takes long says so, gives way to a newer one, and ends with Esc`() {
        var story = ViewerStory("a b a b a")
        story.press("/")
        story.type("a")
        story.press("Enter")
        #expect(story.foot.contains("1 of 3"))
        story.isSlow = true
        story.press("n")
        guard case .view(7, .findNext(let first, _))? = story.takeEffects().last else {
            Issue.record("no step was ordered")
            return
        }
        #expect(!story.foot.contains("looking"), "a step that takes a moment says nothing")
        story.receive(.looking(number: first.number))
        #expect(story.foot.contains("/a looking…"), "\(story.foot)")
        story.press("N")
        guard case .view(7, .findNext(let second, _))? = story.takeEffects().last else {
            Issue.record("no second step was ordered")
            return
        }
        story.receive(.found(4..<5, number: first.number))
        #expect(story.foot.contains("looking"), "the answer to the first step comes too late: \(story.foot)")
        story.press("Esc")
        #expect(story.takeEffects() == [.view(7, .stopStepping)])
        #expect(story.foot.contains("1 of 3"), "the search is kept: \(story.foot)")
        story.receive(.found(8..<9, number: second.number))
        #expect(story.foot.contains("1 of 3"))
        story.press("Esc")
        #expect(story.takeEffects() == [.view(7, .stopFinding)])
        #expect(!story.foot.contains("/a"))
    }

    @Test func `a step that nobody waits for ends`() throws {
        let body = BodyDocument(Bytes("a b a".utf8), contentType: nil)
        let flag = CancelFlag()
        flag.cancel()
        let query = FindQuery(text: "a", syntax: .text, isRaw: false, number: 1)
        for forward in [true, false] {
            let step = FindStep(query: query, offset: 0, forward: forward, number: 2)
            ViewerJobs.findNext(step, body, flag) { Issue.record("it told \($0)") }
        }
    }

    // MARK: Filtering

    @Test func `a filter shows what it selects with its paths, as it is typed`() {
        var story = ViewerStory(Self.people, columns: 76)
        story.press("|")
        story.type("$..city")
        #expect(story.lines[0] == "1 $.people[0].address.city: \"London\"", "\(story.text)")
        #expect(story.lines[1] == "2 $.people[1].address.city: \"Zürich\"", "\(story.text)")
        #expect(story.foot.contains("2 matches"), "\(story.foot)")
        story.press("Enter", "Down")
        #expect(story.foot.hasPrefix("| $..city · 2 matches  $.people[1].address.city "), "\(story.foot)")
        story.press("Esc")
        #expect(story.lines[1].contains("people"))
    }

    @Test func `what is copied of a match is its path in the whole body, its value, and all values`() {
        var story = ViewerStory(Self.people)
        story.filter("$..address")
        story.press("Down", "Down", "Down")
        #expect(story.current.contains("\"code\": 1"), "\(story.text)")
        _ = story.takeEffects()
        story.press("C", "y", "Alt+y")
        let lines = #"{"city":"London","zip":{"code":1}}"# + "\n" + #"{"city":"Zürich","zip":{"code":2}}"# + "\n"
        #expect(story.takeCopies() == ["$.people[0].address.zip.code", "1", lines])
    }

    @Test(
        arguments: [
            ("text/plain", "one\ntwo", nil), ("text/csv", "a,b\n1,2", nil), ("text/event-stream", "data: 1\n\n", nil),
            ("application/x-www-form-urlencoded", "a=1", nil), ("application/octet-stream", "\u{0}\u{1}", nil),
            ("application/xml", "<a><b>1</b></a>", "/a"), ("application/json", "{\"a\": 1}", "$"),
        ] as [(String, String, String?)])
    func `the path of a value is copied, and the number of a row is none`(type: String, text: String, path: String?) {
        var story = ViewerStory(Array(text.utf8), type: type, columns: 60, rows: 10)
        _ = story.takeEffects()
        story.press("C")
        #expect(story.takeCopies() == (path.map { [$0] } ?? []), "\(story.text)")
        #expect(story.viewer.hint(for: .copyPath) == (path == nil ? .hidden : .shown))
    }

    @Test func `when the rest of a body comes its matches are counted, and the reader stays`() {
        let lines = (0..<50).map { "line \($0)\n" }.joined()
        let bytes = Bytes(lines.utf8)
        let indexer = BodyIndexer(contentType: "text/plain")
        var story = ViewerStory("")
        story.viewer = Viewer(id: 7, size: story.size)
        story.receive(.read(indexer.read(bytes[0..<200], isComplete: false, budget: .max)))
        story.press("/")
        story.type("line")
        story.press("Enter", "n", "n", "n")
        let current = story.current
        story.receive(.read(indexer.read(bytes, isComplete: true, budget: .max)))
        #expect(story.current == current, "\(story.text)")
        #expect(story.foot.contains("4 of 50"), "\(story.foot)")
        #expect(story.notice == nil)
    }

    @Test func `JSON is searched as it shows, however the body is laid out`() {
        for body in [#"{"a":0,"id":10,"n":{"b":[1,2]}}"#, "{\"a\": 0,\n\"id\" :\t10, \"n\": {\"b\": [1, 2]}}"] {
            for text in [#""id": 10"#, #""id":10"#, "[1, 2]", #""b": ["#] {
                var story = ViewerStory(body, columns: 76)
                story.press("/")
                story.type(text)
                story.press("Enter")
                #expect(story.foot.contains("1 of 1"), "\(text) in \(body): \(story.foot)")
            }
        }
        var text = ViewerStory("\"id\":10", type: "text/plain")
        text.press("/")
        text.type("\"id\": 10")
        #expect(text.foot.contains("no match"), "a text is searched as it stands: \(text.foot)")
    }

    @Test func `escaped text is found by its value where JSON is formatted, and as it came where it is shown so`() {
        let body = #"{"name":"M\u00fcller","site":"http:\/\/a"}"#
        var story = ViewerStory(body, columns: 76)
        for text in ["Müller", "http://a", #"M\u00fcller"#] {
            story.press("/")
            story.type(text)
            story.press("Enter")
            #expect(story.foot.contains("1 of 1"), "\(text): \(story.foot)")
        }
        story.press("Esc", "t", "/")
        story.type("Müller")
        #expect(story.foot.contains("no match"), "\(story.foot)")
    }

    @Test func `nothing that a filter left out is found, counted or gone to`() {
        var story = ViewerStory(Self.people, columns: 76)
        story.filter("$.people[1]")
        story.press("/")
        story.type("name")
        story.press("Enter")
        #expect(story.foot.contains("1 of 1"), "Ada's name does not show: \(story.foot)")
        #expect(story.foot.contains("$.people[1].name"))
        story.press("n", "N")
        #expect(story.foot.contains("$.people[1].name"))
        story.press("/")
        story.type("count")
        #expect(story.foot.contains("no match"), "\(story.foot)")
        story.press("Esc", "Ctrl+G")
        story.type("$.count")
        story.press("Enter")
        #expect(story.notice == Notice(.warning, "It is not in what the filter selected"))
        #expect(story.foot.contains("$.people[1]"))
    }

    @Test func `matches in each other are found once, and stay where they are while others fold`() {
        var story = ViewerStory("{\"a\": {\"a\": {\"a\": [{\"x\": 7}]}}}", columns: 76, rows: 30)
        story.filter("$..a")
        #expect(story.foot.contains("3 matches"))
        story.press("/")
        story.type("7")
        story.press("Enter")
        #expect(story.foot.contains("1 of 1"), "\(story.foot)")
        story.press("Esc", "G")
        #expect(story.current.hasSuffix("]"), "\(story.current)")
        story.press("-")
        #expect(story.current.hasSuffix("]"), "the last match is still under the cursor: \(story.text)")
    }

    @Test func `a filter has one way to show what it selected`() {
        var story = ViewerStory(Self.people)
        story.filter("$..name")
        let before = story.lines
        story.press("t")
        #expect(story.notice?.text == "What a filter selected is shown in one way; ! cat makes text of it")
        #expect(story.lines == before)
    }

    @Test func `a filter that selects nothing says so`() {
        var story = ViewerStory(Self.people)
        story.filter("$.nobody")
        #expect(story.lines[0] == "No match.")
        #expect(story.foot.hasPrefix("| $.nobody · 0 matches"))
    }

    @Test func `what was asked of a part is asked again when all is there`() {
        let whole = Bytes("[{\"n\": 1},\n{\"n\": 2},\n{\"n\": 3}]".utf8)
        let indexer = BodyIndexer(contentType: "application/json")
        var story = ViewerStory("")
        story.viewer = Viewer(id: 7, size: story.size)
        story.receive(.read(indexer.read(whole, isComplete: true, budget: 24)))
        story.filter("$[*]")
        story.filter("$.n")
        story.press("Down")
        #expect(story.foot.hasPrefix("| $[*] | $.n · 2 matches  $[1].n"), "\(story.foot)")
        story.receive(.read(indexer.read(whole, isComplete: true, budget: .max)))
        #expect(story.foot.hasPrefix("| $[*] | $.n · 3 matches  $[1].n"), "the place is kept: \(story.foot)")
        story.press("Esc")
        #expect(story.foot.hasPrefix("| $[*] · 3 matches"), "\(story.foot)")
    }

    @Test func `matches show as they are found`() throws {
        let body = BodyDocument(
            Bytes(("[" + (0..<5000).map(String.init).joined(separator: ",") + "]").utf8), contentType: nil)
        var told: [BodyDocument] = []
        var ends: [Bool] = []
        ViewerJobs.filter("$[*]", body, 1, CancelFlag()) { event in
            guard case .filtered(.matches("$[*]", let document, isCut: false, let isDone), number: 1) = event else {
                return
            }
            told.append(document)
            ends.append(isDone)
        }
        #expect(told.first?.matchCount == 256, "a screen at once")
        #expect(told.last?.matchCount == 5000)
        #expect(ends.last == true && ends.dropLast().allSatisfy { !$0 })
        #expect(told.allSatisfy { $0.raw.base == body.raw.base }, "nothing is copied")
        var story = ViewerStory("[]", rows: 6)
        story.receive(.read(body))
        _ = story.viewer.filter("$[*]", over: 0)
        let number = try #require(story.viewer.query?.number)
        story.receive(.filtered(.matches("$[*]", told[0], isCut: false, isDone: false), number: number))
        story.press("G")
        #expect(story.foot.contains("256 matches  $[255]") && story.foot.contains("working…"), "\(story.foot)")
        story.receive(.filtered(.matches("$[*]", try #require(told.last), isCut: false, isDone: true), number: number))
        #expect(story.foot.contains("5000 matches  $[255]") && !story.foot.contains("working"), "\(story.foot)")
        story.press("G")
        #expect(story.current == "5000 $[4999]: 4999", "\(story.text)")
    }

    @Test func `a filter that is cancelled tells nothing`() {
        let flag = CancelFlag()
        flag.cancel()
        let body = BodyDocument(Bytes("[1,2]".utf8), contentType: nil)
        ViewerJobs.filter("$[*]", body, 1, flag) { Issue.record("it told \($0)") }
    }

    @Test func `a mistake in a filter is shown under its column, and Esc leaves`() {
        var story = ViewerStory(Self.people, columns: 76)
        story.press("|")
        story.type("$.a[")
        #expect(story.lines[story.size.rows - 2].hasPrefix("| $.a["), "\(story.text)")
        #expect(story.foot.hasPrefix("      ^"), "\(story.text)")
        story.press("Enter")
        #expect(story.viewer.line != nil, "what is wrong is not kept")
        story.press("Esc")
        #expect(story.viewer.line == nil)
        #expect(story.viewer.result == nil)
    }

    @Test func `a mistake that is found after Enter is told all the same`() {
        var story = ViewerStory(Self.people)
        story.filter("$")
        let number = story.viewer.startQuery(over: 0)
        story.receive(.filtered(.problem(column: 3, reason: "expected a name"), number: number))
        #expect(story.notice == Notice(.warning, "The filter is wrong at column 3: expected a name"))
    }

    @Test func `an answer to an older filter is not shown`() {
        var story = ViewerStory(Self.people)
        story.receive(.filtered(.matches("$", .empty, isCut: false, isDone: true), number: 99))
        #expect(story.viewer.result == nil)
    }
}
