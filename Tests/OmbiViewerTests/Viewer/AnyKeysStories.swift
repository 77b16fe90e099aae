import OmbiDocument
import OmbiTerminal
import TestSupport
import Testing

@testable import OmbiTUI
@testable import OmbiViewer

/// Whatever is pressed while whatever arrives: something harmless is on the screen.
@Suite struct AnyKeysStories {
    private static let bodies: [(name: String, type: String?, text: String)] = [
        (
            "JSON", nil,
            "{\"list\": [{\"a\": 1, \"text\": \"\(String(repeating: "long \u{1F600} ", count: 60))\"}, [1, [2, [3]]], null],"
                + " \"a\": {\"b\": {\"c\": [{\"d\": \"\\u001b[31m\"}]}}, \"a\": 1e400}"
        ),
        ("broken JSON", nil, "{\"a\": [1, 2, {\"b\": tru}], \"c\": \u{1B}[31m\u{202E} more\nand more\n"),
        (
            "JSON Lines", "application/x-ndjson",
            (0..<40).map { "{\"n\": \($0), \"b\": [\($0)]}" }.joined(separator: "\n")
        ),
        ("XML", nil, "<?xml version=\"1.0\"?><a><b c=\"d\">text</b><!-- \u{202E} --><e/><f><g>1</g><g>2</g></f></a>"),
        (
            "HTML", "text/html",
            "<!doctype html><title>t</title><ul><li>one<li>two</ul><script>if (a < b) {}</script><p>x"
        ),
        (
            "CSV", "text/csv",
            "id,name\n" + (0..<60).map { "\($0),\"n\($0), \u{6771}\u{4EAC}\"" }.joined(separator: "\n")
        ),
        ("YAML", "application/yaml", "a:\n  - 1\n  - \"x\" # c\nb: |\n  text\n"),
        ("form", "application/x-www-form-urlencoded", "a=1&b=%1B%5B31m&c=x+y&d"),
        ("events", "text/event-stream", "event: a\ndata: {\"x\": 1}\nid: 7\n\ndata: b\ndata: c\n\n: note\n\ndata"),
        (
            "text", "text/plain",
            (0..<80).map { "line \($0)\t\u{7}\u{202E}\u{200F}\u{1B}]52;c;eA==\u{7}" }.joined(separator: "\n")
        ),
        ("bytes", "application/octet-stream", String((0..<300).compactMap { Unicode.Scalar($0).map(Character.init) })),
        ("nothing", nil, ""),
    ]
    private static let words = ["a", "1", "n", "$", ".", "*", "[", "]", "(", "?", "@", "e", "x", "0", "#", "\u{1B}"]
    private static let actions: [Action] = Keymap.standard.bindings
        .filter { [.viewer, .folding, .selecting, .lists, .line].contains($0.scope) }.map(\.action)

    @Test(arguments: bodies.indices, 1...4)
    func `no row of keys shows harm`(body: Int, seed: Int) {
        let (name, type, text) = Self.bodies[body]
        var random = SeededRandom(seed: seed * 31 + body)
        var arrival = Arrival(text, type)
        var story = ViewerStory("", columns: 80, rows: 24)
        story.viewer = Viewer(id: 7, size: story.size)
        var keys: [String] = []
        for _ in 0..<250 {
            keys.append(Self.step(&story, &arrival, &random))
            if let harm = Self.harm(on: story.surface) {
                Issue.record("\(name): \(harm) after \(keys.suffix(12).joined(separator: ", "))\n\(story.text)")
                return
            }
        }
    }

    /// Does something, and says what.
    private static func step(_ story: inout ViewerStory, _ arrival: inout Arrival, _ random: inout SeededRandom)
        -> String
    {
        switch Int.random(in: 0..<20, using: &random) {
        case 0, 1:
            guard let document = arrival.next(Int.random(in: 0..<200, using: &random)) else { return "nothing more" }
            story.receive(.read(document))
            return "\(document.raw.count) bytes"
        case 2:
            let (columns, rows) = ([1, 7, 40, 80, 200], [1, 2, 3, 10, 24, 60])
            let size = Size(
                columns: columns.randomElement(using: &random) ?? 80, rows: rows.randomElement(using: &random) ?? 24)
            story.resize(to: size)
            return "\(size.columns)x\(size.rows)"
        case 3:
            let output = BodyDocument(Bytes("[\"\u{1B}[2J\", 2]".utf8), contentType: nil)
            let answer = CommandAnswer(command: "\u{1B}c", output: output, errorOutput: "\u{7}", ending: .exited(1))
            story.receive(.ran(answer, number: story.viewer.query?.number ?? 0))
            return "a command's output"
        case 4: return click(&story, Int.random(in: -1..<70, using: &random))
        case 5...9 where story.viewer.line != nil:
            let word = words.randomElement(using: &random) ?? "a"
            story.perform(.text(.insert(word)))
            return "\"\(word)\""
        default:
            let action = actions.randomElement(using: &random) ?? .leave
            story.perform(action)
            // Nobody writes files here.
            story.receive(.saving(nil))
            return "\(action)"
        }
    }

    private static func click(_ story: inout ViewerStory, _ row: Int) -> String {
        if row.isMultiple(of: 2) {
            story.viewer.click(Point(column: 0, row: row))
        } else {
            story.viewer.drag(Point(column: 0, row: row))
        }
        story.viewer.scroll(by: row - 30)
        return "the mouse in row \(row)"
    }

    /// What a terminal should not be given.
    private static func harm(on surface: Surface) -> String? {
        for row in 0..<surface.size.rows {
            for column in 0..<surface.size.columns {
                let scalar = surface[column, row].scalar
                if case .unprintable = ScalarClass(scalar), scalar.value != 0 {
                    return "U+\(String(scalar.value, radix: 16)) in column \(column), row \(row)"
                }
            }
        }
        return nil
    }
}

/// A body that comes in portions, always at the same address.
private struct Arrival {
    private let bytes: Bytes
    private let indexer: BodyIndexer
    private var count = 0
    private var isWhole = false

    init(_ text: String, _ type: String?) {
        bytes = Bytes(text.utf8)
        indexer = BodyIndexer(contentType: type)
    }

    mutating func next(_ more: Int) -> BodyDocument? {
        guard !isWhole else { return nil }
        count = min(bytes.count, count + more)
        isWhole = count == bytes.count
        return indexer.read(bytes[0..<count], isComplete: isWhole, budget: .max)
    }
}
