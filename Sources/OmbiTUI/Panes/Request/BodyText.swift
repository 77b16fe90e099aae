import OmbiDocument
import OmbiTerminal
import OmbiWorkspace

/// The text of a body as the pane shows it, laid out once for each edit.
struct BodyText: Equatable, Sendable {
    let buffer: TextBuffer
    let highlighter: LineHighlighter?

    /// Nil for a body that is not edited as text.
    init?(_ body: SavedBody?) {
        guard let body, let text = body.text else { return nil }
        buffer = TextBuffer(text)
        highlighter = body.highlighter
    }
}

extension SavedBody {
    /// The colours of the text.
    var highlighter: LineHighlighter? {
        switch self {
        case .json: .json
        case .text(let text): text.contentType.flatMap(ContentType.init).flatMap(Self.highlighter)
        case .form: nil
        }
    }

    private static func highlighter(of type: ContentType) -> LineHighlighter? {
        switch type.syntax {
        case "json": .json
        case "yaml", "x-yaml": .yaml
        case "markdown": .markdown
        case "xml", "html": .markup
        case "graphql": .graphQL
        default: nil
        }
    }
}
