import OmbiDocument
import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiViewer

/// `ombi view`: one body that fills the screen.
@Suite struct PagerStories {
    private var state = PagerState(name: "people.json", size: Size(columns: 60, rows: 10))

    private var lines: [String] {
        state.draw().surface.text().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private mutating func press(_ names: String...) -> [Effect] {
        names.flatMap { name -> [Effect] in
            guard let key = Key(name: name), let action = state.keymap.action(for: key, in: state.scopes) else {
                Issue.record("nothing is bound to \(name)")
                return []
            }
            return state.update(action, at: .zero)
        }
    }

    private mutating func read(_ text: String) {
        let event = ViewerEvent.read(BodyDocument(Bytes(text.utf8), contentType: nil))
        #expect(state.receive(.viewer(state.viewer.id, event), at: .zero).isEmpty)
    }

    @Test func `it begins with reading`() {
        #expect(state.start == [.view(state.viewer.id, .read(.input, contentType: "application/json"))])
        #expect(lines[1] == "Reading…")
    }

    @Test func `what is there already is shown at once`() {
        let document = BodyDocument(Bytes("[1]".utf8), contentType: nil)
        let state = PagerState(name: "a -> b", size: Size(columns: 60, rows: 10), document: document)
        #expect(state.start.isEmpty)
        #expect(state.draw().surface.text().hasPrefix(" a -> b · 3 B\n1 [1]\n"))
    }

    @Test mutating func `n and N go through the differences of a comparison`() throws {
        let bodies = ["{\"a\":1,\"b\":2,\"c\":3}", "{\"a\":0,\"b\":2,\"c\":4}"].map {
            NamedBody(name: "x", document: BodyDocument(Bytes($0.utf8), contentType: nil))
        }
        let comparison = try #require(BodyComparison(from: bodies[0], to: bodies[1]))
        state = PagerState(
            name: "x -> x", size: Size(columns: 60, rows: 10), document: comparison.text,
            differences: comparison.positions)
        #expect(press("n", "n").isEmpty && state.notice == nil)
        #expect(lines[8].contains("difference 2 of 2"), "\(lines)")
        #expect(press("N").isEmpty && lines[8].contains("difference 1 of 2"), "\(lines)")
    }

    @Test(arguments: [
        ("people.CSV", "text/csv"), ("a.b.tsv", "text/tab-separated-values"), ("README.md", "text/markdown"),
        ("x.yml", "application/yaml"), ("log.jsonl", "application/x-ndjson"),
    ])
    func `a name says what its text may not show`(name: String, type: String) {
        let state = PagerState(name: name, size: Size(columns: 60, rows: 10))
        #expect(state.start == [.view(state.viewer.id, .read(.input, contentType: type))])
    }

    @Test mutating func `name, size, body, place and keys are on the screen`() {
        read("{\"a\":[1,{\"b\":2}]}")
        #expect(lines[0] == " people.json · 17 B")
        #expect(lines[1] == "1 {")
        #expect(lines[8].hasPrefix("$ "))
        #expect(lines[9].hasSuffix("? help  q quit"), "\(lines[9])")
    }

    @Test mutating func `q quits, and in a line it is a letter`() {
        read("[1]")
        #expect(press("/", "q").allSatisfy { $0 != .quit })
        #expect(state.viewer.line?.field.text == "q")
        #expect(press("Esc", "q").last == .quit)
    }

    @Test mutating func `the help lists the keys of the pager only`() {
        read("[1]")
        _ = press("?")
        #expect(state.draw().surface.text().contains("Fold or unfold"))
        #expect(Keymap.pager.bindings.allSatisfy { $0.action != .run(.send) })
        _ = press("Esc")
        #expect(lines[1] == "1 [1]" || lines[1] == "1 [", "\(lines)")
    }

    @Test mutating func `what was done is told in the last line`() {
        read("[1]")
        _ = state.receive(.notice(Notice(.success, "Saved 3 B to x")), at: .zero)
        #expect(lines[8].contains("Saved 3 B to x") || lines[9].contains("Saved 3 B to x"))
        #expect(state.receive(.terminating, at: .zero) == [.quit])
    }

    @Test mutating func `it follows the size of the window`() {
        read((1...50).map(String.init).joined(separator: "\n"))
        _ = press("G")
        _ = state.receive(.resized(Size(columns: 50, rows: 6)), at: .zero)
        #expect(lines.count == 6)
        #expect(lines[3] == "50 50", "\(lines)")
    }
}
