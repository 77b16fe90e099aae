import Testing

@testable import OmbiTUI

@Suite struct JSONHighlighterTests {
    struct Sample: Sendable {
        var line: String
        var spans: [String]
    }

    /// A letter for each role, so that the table can be read.
    private static func marks(_ line: String) -> [String] {
        JSONHighlighter.spans(of: line).map { span in
            let mark =
                switch span.role {
                case .key: "k"
                case .string: "s"
                case .number: "n"
                case .literal: "l"
                case .punctuation: "p"
                default: "?"
                }
            return mark + "|" + span.text
        }
    }

    @Test(arguments: [
        Sample(line: "", spans: []),
        Sample(line: "{", spans: ["p|{"]),
        Sample(line: #"  "a": 1,"#, spans: ["p|  ", #"k|"a""#, "p|: ", "n|1", "p|,"]),
        Sample(line: #"  "a b": "c: d","#, spans: ["p|  ", #"k|"a b""#, "p|: ", #"s|"c: d""#, "p|,"]),
        Sample(line: #"  "q\"\\": "\\","#, spans: ["p|  ", #"k|"q\"\\""#, "p|: ", #"s|"\\""#, "p|,"]),
        Sample(line: #"  "e": [],"#, spans: ["p|  ", #"k|"e""#, "p|: [],"]),
        Sample(line: "    -1.5e+10,", spans: ["p|    ", "n|-1.5e+10", "p|,"]),
        Sample(line: #""t": true"#, spans: [#"k|"t""#, "p|: ", "l|true"]),
        Sample(line: "null,", spans: ["l|null", "p|,"]),
        Sample(line: #"  "cut off"#, spans: ["p|  ", #"s|"cut off"#]),
        Sample(line: #"  "cut\"#, spans: ["p|  ", #"s|"cut\"#]),
    ])
    func `the parts of a line are told apart`(sample: Sample) {
        #expect(Self.marks(sample.line) == sample.spans)
    }

    @Test(arguments: 0..<60) func `the spans of any line join to the line`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let pieces = [
            "\"", "\\", ":", " ", "a", "Z", "é", "1", "-", ".", "e", "{", "]", ",", "\r", "\u{301}", "😀", "ﬁ", "٣",
        ]
        let line = (0..<40).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        let spans = JSONHighlighter.spans(of: line)
        #expect(spans.map(\.text).joined() == line)
        #expect(spans.allSatisfy { !$0.text.isEmpty })
    }
}
