import OmbiCore
import Testing

@testable import OmbiTUI

/// Texts that several panes show.
@Suite struct PaneTextTests {
    @Test(arguments: [
        ("", []), ("plain", ["plain"]), ("{{a}}", ["{{a}}"]), ("x{{a}}{{b}}y", ["x", "{{a}}", "{{b}}", "y"]),
        ("open {{a", ["open {{a"]), ("}}{{", ["}}{{"]), ("{{{a}}}", ["{{{a}}", "}"]),
    ])
    func `templates stand out`(text: String, parts: [String]) {
        let spans = TemplateSpans.spans(of: text, plain: .plain)
        #expect(spans.map(\.text) == parts)
        for span in spans {
            #expect((span.role == .variable) == (span.text.hasPrefix("{{") && span.text.hasSuffix("}}")))
        }
    }

    @Test(arguments: RequestMethod.allCases) func `a method fits beside a name`(method: RequestMethod) {
        #expect(method.shortName.count <= 5)
        #expect(!method.shortName.isEmpty)
    }
}
