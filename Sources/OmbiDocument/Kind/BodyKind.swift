/// The kind of a body, which decides how it is shown.
public enum BodyKind: Sendable, Equatable {
    case empty
    case json
    /// One JSON value per line.
    case jsonLines
    case xml
    case html
    case yaml
    /// Rows of cells, with the byte that separates them.
    case table(separator: UInt8)
    /// `a=b&c=d`.
    case form
    case markdown
    /// Server-sent events.
    case events
    case text
    case image(ImageKind)
    /// Binary data, with a more specific name where it is known: `PDF document`.
    case binary(name: String?)

    public var isText: Bool {
        switch self {
        case .empty, .image, .binary: false
        default: true
        }
    }

    public var name: String {
        switch self {
        case .empty: "empty"
        case .json: "JSON"
        case .jsonLines: "JSON Lines"
        case .xml: "XML"
        case .html: "HTML"
        case .yaml: "YAML"
        case .table(let separator): separator == 0x09 ? "TSV" : "CSV"
        case .form: "form"
        case .markdown: "Markdown"
        case .events: "events"
        case .text: "text"
        case .image(let image): image.name
        case .binary(let name): name ?? "binary"
        }
    }
}
