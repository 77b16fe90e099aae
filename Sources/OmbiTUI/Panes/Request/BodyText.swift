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
    var highlighter: LineHighlighter? { textType.flatMap(ContentType.init).flatMap(LineHighlighter.init) }
}

extension LineHighlighter {
    /// The colours of a type of content; nil for plain text.
    init?(_ type: ContentType) {
        switch type.syntax {
        case "json": self = .json
        case "yaml", "x-yaml": self = .yaml
        case "markdown": self = .markdown
        case "xml", "html": self = .markup
        case "graphql": self = .graphQL
        default: return nil
        }
    }
}
