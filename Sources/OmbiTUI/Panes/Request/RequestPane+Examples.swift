import OmbiCore
import OmbiDocument
import OmbiTerminal
import OmbiWorkspace

/// The responses that are saved with a request, to read.
extension RequestPane {
    /// Shows the only one, or offers several.
    static func examples(of request: SavedRequest) -> [Outcome] {
        let examples = request.examples ?? []
        guard !examples.isEmpty else { return .notify(.info, "\(request.name) has no saved examples") }
        guard examples.count > 1 else { return showExample(0, of: request) }
        let items = examples.enumerated().map { index, example in
            PickerOverlay.Item(
                name: example.name, note: "\(example.status) \(example.contentType)",
                action: .request(.showExample(index)))
        }
        return [.open(.picker(PickerOverlay(title: "Saved examples of \(request.name)", items: items)))]
    }

    static func showExample(_ index: Int, of request: SavedRequest) -> [Outcome] {
        guard let example = (request.examples ?? [])[safe: index] else { return [] }
        return [.open(.preview(PreviewOverlay(example.name, rows(of: example))))]
    }

    /// The longest body to look through.
    private static let maximumLines = 5000

    private static func rows(of example: SavedExample) -> [[Span]] {
        let reason = StatusCode.reason(example.status).map { " " + $0 } ?? ""
        var rows = [[Span(text: "\(example.status)\(reason)", role: .forStatus(example.status))]]
        rows += example.headers.filter(\.enabled).map { header in
            [Span(text: header.name + ": ", role: .key), Span(text: header.value, role: .plain)]
        }
        rows.append([])
        if let file = example.file { return rows + [[Span(text: "The body is in \(file).", role: .dim)]] }
        let body = example.body
        let text = (try? JSONValue.parse(body))?.text ?? body
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        rows += lines.prefix(maximumLines).map { [Span(text: String($0), role: .plain)] }
        return lines.count > maximumLines ? rows + [[Span(text: "…", role: .dim)]] : rows
    }
}
