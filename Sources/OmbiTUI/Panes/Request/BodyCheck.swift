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
    var highlighter: LineHighlighter? { textType.flatMap(ContentType.init).flatMap(LineHighlighter.init) }

    var fileSuffix: String {
        switch textType.flatMap(ContentType.init)?.syntax {
        case "graphql": ".graphql"
        case "xml": ".xml"
        case "html": ".html"
        case "yaml", "x-yaml": ".yaml"
        case "markdown": ".md"
        default: ".json"
        }
    }
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

/// The syntax of a JSON body under edit, or the check of a query with its schema.
enum BodyCheck: Equatable, Sendable {
    /// The body is neither.
    case none
    /// The first problem of a query; nil for none.
    case query(GraphQLProblem?)
    case valid
    /// The first key that an object has twice; both are kept.
    case repeated(JSONSyntaxError)
    case invalid(JSONSyntaxError)
    case tooLarge

    /// A larger text takes too long to be read with every key.
    static let maximumByteCount = 500_000

    init(_ buffer: TextBuffer) {
        guard buffer.count <= Self.maximumByteCount else {
            self = .tooLarge
            return
        }
        self = buffer.read { bytes in
            do throws(JSONSyntaxError) {
                let document = try JSONDocument(checking: Bytes(JSONTemplateText.masked(bytes.array(0..<bytes.count))))
                return document.duplicateKeys.first.map { .repeated($0.error) } ?? .valid
            } catch {
                return .invalid(error)
            }
        }
    }

    init(query: TextBuffer, _ schema: GraphQLSchema) {
        guard query.count <= Self.maximumByteCount else {
            self = .none
            return
        }
        self = .query(query.read { schema.problems(in: $0).first })
    }

    /// False for a text that is known to be no JSON.
    var isWhole: Bool {
        switch self {
        case .valid, .repeated, .tooLarge: true
        case .none, .invalid, .query: false
        }
    }

    /// A word for the status of the text.
    var word: String? {
        switch self {
        case .none: nil
        case .valid, .repeated: "JSON ✓"
        case .invalid: "JSON ✗"
        case .query(let problem): problem == nil ? "GraphQL ✓" : "GraphQL ✗"
        case .tooLarge: "JSON not checked over \(TimeText.size(Self.maximumByteCount))"
        }
    }

    var problem: Span? {
        switch self {
        case .none, .valid, .tooLarge: nil
        case .query(let problem): problem.map { Span(text: $0.description, role: .failure) }
        case .repeated(let error): Span(text: error.description, role: .warning)
        case .invalid(let error): Span(text: error.description, role: .failure)
        }
    }
}

/// JSON laid out anew: numbers, strings, the order of keys and duplicate keys stay as they are.
struct JSONLayout: Equatable {
    var text: String
    /// The cursor behind the same character as before.
    var cursor: Int

    static func of(
        _ buffer: TextBuffer, _ form: JSONWriter.Form, cursor: Int
    ) -> Result<JSONLayout, JSONSyntaxError> {
        buffer.read { bytes in
            do throws(JSONSyntaxError) {
                let original = bytes.array(0..<bytes.count)
                let masked = Bytes(JSONTemplateText.masked(original))
                var writer = JSONWriter(try JSONDocument(checking: masked), form: form)
                var new: [UInt8] = []
                while let portion = writer.next() { new += portion }
                new = JSONTemplateText.unmasked(new, original: original)
                let place = offset(behind: buffer.bytes[..<cursor].count { $0 > 0x20 }, in: new)
                return .success(JSONLayout(text: String(decoding: new, as: UTF8.self), cursor: place))
            } catch {
                return .failure(error)
            }
        }
    }

    /// The offset behind that many bytes that are not white space.
    private static func offset(behind count: Int, in bytes: [UInt8]) -> Int {
        var left = count
        for (offset, byte) in bytes.enumerated() where byte > 0x20 {
            if left == 0 { return offset }
            left -= 1
            if left == 0 { return offset + 1 }
        }
        return bytes.count
    }
}
