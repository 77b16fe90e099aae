import OmbiDocument
import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiViewer

/// What a person does with a body: looks, folds, goes about, takes parts out.
@Suite struct ViewerStories {
    static let people = #"""
        {"people":[{"name":"Ada","tags":["a","b"],"address":{"city":"London","zip":{"code":1}}},
        {"name":"Bob","tags":[],"address":{"city":"Zürich","zip":{"code":2}}}],"count":2}
        """#

    // MARK: Each kind of body

    @Test func `JSON is laid out with numbers and the path of the cursor`() {
        var story = ViewerStory(Self.people, rows: 8)
        story.press("Down", "Down", "Down")
        let wanted = [
            " 1 {", " 2   \"people\": [", " 3     {", " 4       \"name\": \"Ada\",",
            " 5       \"tags\": [\"a\", \"b\"],", " 6       \"address\": {", " 7         \"city\": \"London\",",
        ]
        #expect(Array(story.lines.prefix(7)) == wanted, "\(story.text)")
        #expect(story.foot.hasPrefix("$.people[0].name"))
        #expect(story.current.contains("Ada"))
    }

    @Test(arguments: [
        ("text/plain", "one\ntwo\n", ["1 one", "2 two"]),
        ("text/csv", "id,name\n1,Ada\n22,Bob\n", ["  id  name", "1  1  Ada", "2 22  Bob"]),
        ("text/xml", "<a><b>1</b><c x='2'/></a>", ["1 <a>", "2   <b>1</b>", "3   <c x='2'/>", "4 </a>"]),
        ("application/x-www-form-urlencoded", "a=1&b=x%20y", ["a = 1", "b = x y"]),
        ("text/event-stream", "event: up\ndata: 1\n\ndata: 2\n\n", ["1 up  1", "2 message  2"]),
        ("application/yaml", "a: 1\nb: 2\n", ["1 a: 1", "2 b: 2"]),
        ("", "", ["No body."]),
    ])
    func `each kind of body has its look`(type: String, body: String, wanted: [String]) {
        let story = ViewerStory(body, type: type)
        #expect(Array(story.lines.prefix(wanted.count)) == wanted, "\(story.text)")
    }

    @Test func `bytes are shown in hexadecimal, and an image is named with its size`() {
        let story = ViewerStory(Array("GIF89a".utf8) + [0x80, 2, 0xE0, 1], columns: 80)
        #expect(story.lines[0] == "GIF image, 640×480 pixels, as hexadecimal")
        #expect(story.lines[1].hasPrefix("00000000  47 49 46 38"))
        #expect(story.foot.contains("byte 0 of 10"))
    }

    @Test func `broken JSON says where, and shows the rest as it came`() {
        let story = ViewerStory("{\"a\": 1,\n \"b\": [1, 2],\n oops }", type: "application/json")
        #expect(story.lines[0].hasPrefix("not valid JSON: line 3, column 2: expected a key"), "\(story.text)")
        #expect(story.lines.contains { $0.contains("oops }") }, "\(story.text)")
        #expect(story.lines.contains { $0.contains("\"a\": 1") }, "\(story.text)")
    }

    @Test func `a body is text and bytes, too, and keeps its place`() {
        var story = ViewerStory("[1,\n22,\n{\"a\": 3}]", columns: 80)
        story.press("Down", "Down", "t")
        #expect(story.current.contains("22,"), "\(story.text)")
        #expect(story.foot.contains("text"))
        story.press("t")
        #expect(story.lines[0].hasPrefix("00000000  5b 31 2c 0a"), "\(story.text)")
        story.press("t")
        #expect(story.lines[0] == "1 [")
    }

    @Test func `long lines wrap, or are scrolled sideways`() {
        let line = (0..<30).map { "word\($0)" }.joined(separator: " ")
        var story = ViewerStory(line, columns: 40)
        #expect(story.lines[1].contains("word"), "\(story.text)")
        story.press("W")
        #expect(story.lines[1].isEmpty, "\(story.text)")
        story.press(">", "Right")
        #expect(story.lines[0] == "1 " + line.dropFirst(16).prefix(37) + "…", "\(story.text)")
        story.press("#")
        #expect(story.lines[0] == line.dropFirst(16).prefix(39) + "…", "\(story.text)")
    }

    // MARK: Folding

    @Test func `containers fold with their counts, one by one and by levels`() {
        var story = ViewerStory(Self.people, rows: 30)
        story.press("Down", "Enter")
        #expect(story.current.contains("\"people\": ["))
        #expect(story.current.contains("2"), "the count: \(story.current)")
        #expect(story.filled == 5, "\(story.text)")
        story.press("Right", "Right")
        #expect(story.current == " 3     {")
        story.press("*", "-")
        #expect(story.filled == 5, "\(story.text)")
        story.press("=")
        #expect(story.filled == 8, "\(story.text)")
    }

    @Test func `from value to value`() {
        var story = ViewerStory(Self.people, rows: 30)
        story.press("Down", "Down", "}")
        #expect(story.foot.hasPrefix("$.people[1]"))
        story.press("{")
        #expect(story.foot.hasPrefix("$.people[0]"))
        story.press("p")
        #expect(story.foot.hasPrefix("$.people "))
        story.press("Left")
        #expect(story.filled == 5, "folded: \(story.text)")
        story.press("Left")
        #expect(story.foot.hasPrefix("$ "))
    }

    @Test(arguments: [
        ("people[1].name", "$.people[1].name"), ("$.people[0].address.city", "$.people[0].address.city"),
        (".count", "$.count"),
    ])
    func `a path that is typed is gone to, and unfolded`(typed: String, path: String) {
        var story = ViewerStory(Self.people)
        story.press("-", "Ctrl+G")
        story.type(typed)
        story.press("Enter")
        #expect(story.foot.hasPrefix(path + " "), "\(story.foot)")
    }

    @Test func `a number that is typed is a line, and what is nowhere is said`() {
        var story = ViewerStory(Self.people)
        story.press("Ctrl+G")
        story.type("4")
        story.press("Enter")
        #expect(story.current.contains("Ada"), "\(story.text)")
        story.press("Ctrl+G")
        story.type("nowhere")
        story.press("Enter")
        #expect(story.notice == Notice(.warning, "nothing is at nowhere"))
    }

    @Test func `elements of XML fold as well`() {
        var story = ViewerStory("<a><b><c>1</c><d>2</d></b><e/></a>", type: "application/xml")
        story.press("Down", "Enter")
        #expect(story.current.contains("<b>…</b>"), "\(story.current)")
        story.press("}")
        #expect(story.current.contains("<e/>"))
        #expect(story.foot.hasPrefix("/a/e"))
    }

    // MARK: Copies, files, commands

    @Test func `value, path and body are copied`() {
        var story = ViewerStory(Self.people)
        story.press("Down", "Down", "Down", "y", "C", "Alt+y")
        #expect(
            story.takeEffects() == [
                .copy("Ada", named: "$.people[0].name"),
                .copy("$.people[0].name", named: "the path $.people[0].name"),
                .copy(Self.people, named: "the body"),
            ])
    }

    @Test func `a body is saved unchanged or formatted`() {
        var story = ViewerStory("[1]", columns: 76)
        story.press("S")
        #expect(story.foot.hasPrefix("save unchanged to:"))
        story.press("Tab")
        story.type("/tmp/x")
        story.press("Enter")
        guard case .output(7, .save(path: "/tmp/x", _, .formatted, overwriting: false))? = story.takeEffects().last
        else {
            Issue.record("it was not saved")
            return
        }
    }

    @Test func `a body is not saved without a path, and the prompt says so`() {
        var story = ViewerStory("[1]", columns: 76)
        story.press("S", "Enter")
        #expect(story.text.contains("type the path of a file"), "\(story.text)")
        #expect(story.viewer.line?.subject == .save && story.takeEffects().isEmpty)
        story.type("a")
        #expect(!story.text.contains("type the path of a file"))
        story.press("Enter")
        guard case .output(_, .save(path: "a", _, .raw, overwriting: false))? = story.takeEffects().last else {
            Issue.record("it was not saved")
            return
        }
    }

    @Test func `a file that is there is overwritten by Enter only`() {
        var story = ViewerStory("[1]", columns: 76)
        story.receive(.notSaved(path: "a.json", .formatted, reason: "it exists", exists: true))
        #expect(story.text.contains("save formatted to: a.json"), "\(story.text)")
        #expect(story.text.contains("that file exists: Enter overwrites it, Esc leaves it"))
        var other = story
        other.press("Esc")
        #expect(other.viewer.line == nil && other.takeEffects().isEmpty)
        story.press("Enter")
        guard case .output(7, .save(path: "a.json", _, .formatted, overwriting: true))? = story.takeEffects().last
        else {
            Issue.record("it was not saved")
            return
        }
    }

    @Test func `another name than that of a file that is there overwrites nothing`() {
        var story = ViewerStory("[1]", columns: 76)
        story.receive(.notSaved(path: "a.json", .raw, reason: "it exists", exists: true))
        story.type("x")
        #expect(!story.text.contains("overwrites"))
        story.press("Enter")
        guard case .output(7, .save(path: "a.jsonx", _, .raw, overwriting: false))? = story.takeEffects().last else {
            Issue.record("it was not saved under the other name")
            return
        }
    }

    @Test func `a path that could not be written is there to be mended`() {
        var story = ViewerStory("[1]", columns: 76)
        let reason = "cannot write no/a.json: no such file or folder"
        story.receive(.notSaved(path: "no/a.json", .raw, reason: reason, exists: false))
        #expect(story.text.contains("save unchanged to: no/a.json") && story.text.contains(reason))
        story.press("Enter")
        guard case .output(7, .save(path: "no/a.json", _, .raw, overwriting: false))? = story.takeEffects().last else {
            Issue.record("it was not tried again")
            return
        }
    }

    @Test(arguments: ["-9223372036854775808", "0x-8000000000000000", "9223372036854775807", "-1"])
    func `numbers that no row has do no harm`(number: String) {
        for (text, type) in [
            ("[1, 2]", nil), ("a\nb", "text/plain"), ("<a><b/></a>", "text/xml"), ("a,b\n1,2", "text/csv"),
        ] {
            var story = ViewerStory(text, type: type)
            for _ in 0..<3 {
                story.press("Ctrl+G")
                story.type(number)
                story.press("Enter", "t")
                #expect(story.filled > 1)
            }
        }
    }

    @Test func `a command gets the body, and its output is a body`() {
        var story = ViewerStory("[3,1]")
        story.press("!")
        story.type("sort")
        story.press("Enter")
        guard case .view(7, .shell("sort", let body, let number))? = story.takeEffects().last else {
            Issue.record("no command was ordered")
            return
        }
        #expect(body.input.all == Array("[3,1]".utf8))
        let output = BodyDocument(Bytes("sorted\n".utf8), contentType: nil)
        let answer = CommandAnswer(command: "sort", output: output, errorOutput: "", ending: .exited(0))
        story.receive(.ran(answer, number: number))
        #expect(story.lines[0] == "1 sorted")
        #expect(story.foot.hasPrefix("! sort"))
        story.press("Esc")
        #expect(story.lines[0].contains("["))
    }

    @Test func `a command that fails says why`() {
        var story = ViewerStory("[3,1]")
        story.run("long | " + String(repeating: "x", count: 100), "", status: 1)
        #expect(story.notice == Notice(.failure, "long | xxxxxxxxxxxxxxxx… ended with status 1"))
        story.run("x", "", status: 127, errorOutput: "x: not found")
        #expect(story.notice == Notice(.failure, "x ended with status 127: x: not found"))
        #expect(story.viewer.result == nil)
    }

    @Test func `saving tells how far it is, ends with Esc, and is done one at a time`() {
        var story = ViewerStory("[1]", columns: 76)
        story.press("S")
        story.type("/tmp/x")
        story.press("Enter")
        #expect(story.foot.contains("saving 0 B"), "\(story.foot)")
        story.receive(.saving(SaveProgress(written: 42_000_000, total: 100_000_000, fraction: nil)))
        #expect(story.foot.contains("saving 42.0 MB of 100 MB…"), "\(story.foot)")
        _ = story.takeEffects()
        story.press("e")
        #expect(story.notice?.text == "The last one is still written; Esc ends that")
        #expect(story.takeEffects().isEmpty)
        story.press("Esc")
        #expect(story.takeEffects() == [.output(7, .stopSaving)])
        story.receive(.saving(nil))
        #expect(!story.foot.contains("saving"))
        story.press("e")
        guard case .output(7, .open(.editor, _))? = story.takeEffects().last else {
            Issue.record("it was not opened")
            return
        }
    }

    // MARK: While it arrives

    @Test(arguments: [
        ("text/plain", "one\r\ntwo\n\nthree\n", [1, 2, 3, 4]),
        ("application/json", "[{\"a\": 1},\n[2, 3, {\"b\": []}], \"x\"]", Array(1...13)),
        ("text/csv", "id,name\n1,Ada\n2,Bob\n", [1, 2]),
        ("text/event-stream", "data: 1\n\ndata: 2\n\n", [1, 2]),
    ])
    func `every row has its number, however much has come`(type: String, body: String, numbers: [Int]) {
        let bytes = Bytes(body.utf8)
        let indexer = BodyIndexer(contentType: type)
        var story = ViewerStory("", columns: 60, rows: 16)
        story.viewer = Viewer(id: 7, size: story.size)
        for count in 1...bytes.count {
            let isLast = count == bytes.count
            story.receive(.read(indexer.read(bytes[0..<count], isComplete: isLast, budget: .max)))
            let shown = story.lines.dropLast().filter { !$0.isEmpty }
            let found = shown.compactMap { line in line.split(separator: " ").first.flatMap { Int($0) } }
            let isTable = type == "text/csv" && isLast
            #expect(found == Array(1...max(1, shown.count - (isTable ? 1 : 0))), "after \(count) bytes:\n\(story.text)")
            if isLast { #expect(found == numbers, "\(story.text)") }
        }
    }

    @Test func `more of a body leaves the reader where they are`() {
        let whole = Bytes(Self.people.utf8)
        let indexer = BodyIndexer(contentType: "application/json")
        var story = ViewerStory("")
        story.viewer = Viewer(id: 7, size: story.size)
        story.receive(.read(indexer.read(whole, isComplete: true, budget: 60)))
        story.press("Down", "Down", "Down")
        let before = story.current
        #expect(before.contains("Ada"))
        #expect(story.foot.contains("60 B…"), "\(story.foot)")
        story.receive(.read(indexer.read(whole, isComplete: true, budget: .max)))
        #expect(story.current.contains("Ada"))
        story.press("G")
        #expect(story.foot.contains("end"), "\(story.foot)")
    }

    @Test func `more of a page leaves the reader and the folds where they are`() {
        let text = "<feed>\n<a>\n" + (0..<40).map { "<i>\($0)</i>\n" }.joined() + "</a>\n<b>last</b>\n</feed>"
        let whole = Bytes(text.utf8)
        let indexer = BodyIndexer(contentType: "application/xml")
        var story = ViewerStory("")
        story.viewer = Viewer(id: 7, size: story.size)
        story.receive(.read(indexer.read(whole, isComplete: true, budget: 100)))
        story.press("Down", "Enter")
        #expect(story.current.contains("<a>…"), "\(story.text)")
        story.receive(.read(indexer.read(whole, isComplete: true, budget: 100)))
        #expect(story.current.contains("<a>…"), "\(story.text)")
        #expect(!story.text.contains("<i>"), "what came of a folded element is hidden\n\(story.text)")
        story.receive(.read(indexer.read(whole, isComplete: true, budget: .max)))
        #expect(story.current.contains("<a>…</a>"), "\(story.text)")
        #expect(story.text.contains("<b>last</b>"), "\(story.text)")
        story.press("Down")
        #expect(story.current.contains("<b>last</b>"), "\(story.text)")
    }

    @Test(arguments: [
        ("application/json", "{\"a\": [1, \"é\", {}],\n\"b\": null}"),
        ("application/xml", "<a b='c'><!-- d --><e>f</e>\n</a>"),
        ("text/html", "<ul><li>a<li>b</ul><script>if (a < b) {}</script>"), ("text/csv", "a,b\n\"c\n\",d\n"),
        ("text/event-stream", "event: a\ndata: b\n\ndata: c"), ("application/x-www-form-urlencoded", "a=b&c=%41"),
        ("text/markdown", "# A\n- `b`\n"), ("application/yaml", "a: [1]\nb: 'c'\n"),
        ("text/plain; charset=utf-16le", "a\0b\0\n\0"),
        ("image/png", "\u{89}PNG\r\n\u{1A}\n"),
    ])
    func `whatever happens to a body, something of it is on the screen`(type: String, text: String) {
        let sample = Array(text.utf8)
        let cuts = (1...sample.count).map { Array(sample.prefix($0)) }
        let changes = sample.indices.map { index in
            sample.enumerated().map { $0.offset == index ? UInt8(truncatingIfNeeded: index &* 151) : $0.element }
        }
        for bytes in cuts + changes {
            var story = ViewerStory(bytes, type: type, rows: 4)
            let isShown = story.filled > 1 || bytes.allSatisfy { $0 <= 0x20 || $0 == 0x26 }
            #expect(isShown, "\(bytes)\n\(story.text)")
            story.press("G", "g", "Down", "Up")
        }
    }

    @Test func `what came of a body stays, and it is said that it is not whole`() {
        var story = ViewerStory("[1, {\"a\": 2", type: "application/json")
        story.viewer.interruption = "cancelled: only this part arrived"
        #expect(story.lines[0] == "cancelled: only this part arrived")
        #expect(story.lines.contains { $0.contains("\"a\": 2") }, "\(story.text)")
    }
}
