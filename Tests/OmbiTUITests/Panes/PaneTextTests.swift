import OmbiCore
import OmbiTerminal
import Testing

@testable import OmbiTUI

/// Texts that several panes show.
@Suite struct PaneTextTests {
    @Test func `a figure that is wider than the pane goes on below`() {
        let row = ResponseRow([
            Span(text: "slow or failed    ", role: .key), Span(text: "14:05 to 14:19", role: .plain),
            Span(text: "  20 of 20 runs; slow is over 90 ms", role: .dim),
        ])
        let texts = { (columns: Int) in
            StatisticsTab.folded(row, columns: columns).map { $0.spans.map(\.text).joined() }
        }
        #expect(texts(80) == ["slow or failed    14:05 to 14:19  20 of 20 runs; slow is over 90 ms"])
        #expect(
            texts(60) == ["slow or failed    14:05 to 14:19", "                  20 of 20 runs; slow is over 90 ms"])
        #expect(texts(40).dropFirst() == ["                  20 of 20 runs", "                  slow is over 90 ms"])
        let window = ResponseRow([
            Span(text: "SLA, 1 h          ", role: .key), Span(text: "100 %; left", role: .plain),
        ])
        #expect(
            StatisticsTab.folded(window, columns: 24).map { $0.spans.map(\.text).joined() }
                == ["SLA, 1 h          100 %", "                  left"])
    }

    @Test func `a title leaves out the parts that have no room, with their signs`() {
        var story = Story()
        story.finish(story.send())
        guard let run = story.state.run else { return #expect(Bool(false)) }
        for columns in 8...60 {
            let text = ResponseTitle.spans(run, columns: columns).map(\.text).joined()
            #expect(!text.hasSuffix(" · ") && !text.hasSuffix("─ ") && text.contains("200"), "\(text)")
            #expect(TextWidth.of(text) <= max(columns, 7) || text.contains("attempt"), "\(columns): \(text)")
        }
    }

    @Test(arguments: [
        ("", []), ("plain", ["plain"]), ("{{a}}", ["{{a}}"]), ("x{{a}}{{b}}y", ["x", "{{a}}", "{{b}}", "y"]),
        ("open {{a", ["open {{a"]), ("}}{{", ["}}{{"]), ("{{{a}}}", ["{", "{{a}}", "}"]),
    ])
    func `templates stand out`(text: String, parts: [String]) {
        let spans = TemplateSpans.spans(of: text, plain: .plain)
        #expect(spans.map(\.text) == parts)
        for span in spans {
            #expect((span.role == .variable) == (span.text.hasPrefix("{{") && span.text.hasSuffix("}}")))
        }
    }

    @Test(arguments: RequestMethod.allCases + ["PROPFIND"]) func `a method fits beside a name`(method: RequestMethod) {
        #expect(method.shortName.count <= 5)
        #expect(!method.shortName.isEmpty)
    }
}
