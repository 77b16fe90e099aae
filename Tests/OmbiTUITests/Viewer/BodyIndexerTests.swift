import OmbiDocument
import Testing

@testable import OmbiTUI

@Suite struct BodyIndexerTests {
    @Test(arguments: [
        ("[[[[1]]]]", "application/json", "JSON nested deeper than 3 levels"),
        ("<a><b><c><d>\n</d></c></b></a>", "application/xml", "XML nested deeper than 3 levels"),
    ])
    func `what is nested too deep is shown as text, with the reason`(body: String, type: String, reason: String) {
        let bytes = Bytes(body.utf8)
        for portion in [1, 1000] {
            let indexer = BodyIndexer(contentType: type, limits: IndexLimits(depth: 3))
            var document = BodyDocument.empty
            repeat {
                document = indexer.read(bytes, isComplete: true, budget: portion)
            } while indexer.left(of: bytes) > 0
            guard case .text(nil) = document.shape else {
                Issue.record("shown as \(document.shape)")
                return
            }
            #expect(document.note == "shown as text: this is \(reason)")
            #expect(document.isComplete)
        }
    }
}
