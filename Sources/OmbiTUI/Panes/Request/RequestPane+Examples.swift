import OmbiTerminal
import OmbiWorkspace

/// The responses that are saved with a request and those that a document describes, to read.
extension RequestPane {
    static func documentation(of request: SavedRequest) -> [Outcome] {
        let rows = DocumentedRows.rows(request.documentedResponses)
        guard !rows.isEmpty else { return .notify(.info, "No document describes the responses to \(request.name)") }
        return [.open(.preview(PreviewOverlay("Responses to \(request.name)", rows)))]
    }

    /// Shows the only one, or offers several.
    static func examples(of request: SavedRequest) -> [Outcome] {
        let examples = request.shownExamples
        guard !examples.isEmpty else { return .notify(.info, "\(request.name) has no saved examples") }
        guard examples.count > 1 else { return [.perform(.response(.showExample(0)))] }
        let items = examples.enumerated().map { index, example in
            PickerOverlay.Item(
                name: example.name, note: "\(example.status) \(example.contentType)",
                action: .response(.showExample(index)))
        }
        return [.open(.picker(PickerOverlay(title: "Saved examples of \(request.name)", items: items)))]
    }
}
