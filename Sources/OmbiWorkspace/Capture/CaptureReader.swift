extension Capture {
    /// The part of a response.
    package enum Source: Sendable, Hashable {
        /// The one value that a JSONPath selects in the body.
        case path(String)
        case header(String)
        case cookie(String)
        case status
        /// The first group of a regular expression in the text of the body; without groups, all that it matches.
        case regex(String)
    }
}

extension Capture.Source {
    /// The keys in the file; one of them names the source.
    static let keys = ["path", "header", "cookie", "status", "regex"]

    /// A line of text, with the key before all but a path: `$.token`, `header ETag`, `status`.
    package var text: String {
        switch self {
        case .path(let path): path
        case .header(let name): "header \(name)"
        case .cookie(let name): "cookie \(name)"
        case .status: "status"
        case .regex(let pattern): "regex \(pattern)"
        }
    }

    package init(_ text: String) throws(FieldError) {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        let rest = words.count == 2 ? String(words[1].drop { $0 == " " }) : ""
        switch words.first {
        case _ where text.hasPrefix("$"): self = .path(text)
        case "path" where !rest.isEmpty: self = .path(rest)
        case "header" where !rest.isEmpty: self = .header(rest)
        case "cookie" where !rest.isEmpty: self = .cookie(rest)
        case "regex" where !rest.isEmpty: self = .regex(rest)
        case "status" where rest.isEmpty: self = .status
        default:
            throw FieldError("write a JSONPath such as $.token, header NAME, cookie NAME, status, or regex PATTERN")
        }
        try check()
    }

    /// Throws for an expression that cannot match.
    func check() throws(FieldError) {
        switch self {
        case .path(let path):
            do throws(JSONPathError) { _ = try JSONPath(path) } catch {
                throw FieldError("\(path) is no JSONPath: \(error)")
            }
        case .header(let name): if !HeaderCheck.isToken(name) { throw FieldError(HeaderCheck.nameForm) }
        case .regex(let pattern):
            do throws(PatternError) { _ = try GroupPattern(pattern) } catch {
                throw FieldError("\(pattern) is no regular expression: \(error)")
            }
        case .cookie, .status: break
        }
    }
}

/// Takes the values of captures from one response.
struct CaptureReader {
    /// The reason why a capture found nothing, and what the response has instead.
    struct Failure: Error {
        var reason: String
        init(_ reason: String) { self.reason = reason }
    }

    private let response: TransportResponse
    /// Shared by all captures of the response.
    let time: EvaluationTime
    /// The body as JSON, parsed once.
    private lazy var document: JSONDocument? = try? JSONDocument(checking: Bytes(response.body ?? Data()))

    init(_ response: TransportResponse, within time: EvaluationTime = EvaluationTime()) {
        (self.response, self.time) = (response, time)
    }

    /// The bytes of a body that a regular expression is matched with.
    private static let maximumText = 16 << 20

    mutating func value(of source: Capture.Source) throws(Failure) -> String {
        switch source {
        case .path(let path): return try value(at: path)
        case .header(let name):
            if let value = response.headers?[.init(name)] { return value.text }
            let names = Set((response.headers?.fields ?? []).map(\.key.name)).sorted()
            throw Failure("the response has no header \(name)" + Self.instead(names))
        case .cookie(let name): return try cookie(name)
        case .status:
            guard let status = response.statusCode else { throw Failure("the response has no status") }
            return "\(status)"
        case .regex(let pattern): return try group(of: pattern)
        }
    }

    private static func instead(_ names: [String]) -> String {
        guard !names.isEmpty else { return ", and none at all" }
        let shown = names.prefix(8).joined(separator: ", ")
        return "; there are " + shown + (names.count > 8 ? " and \(names.count - 8) more" : "")
    }

    private func cookie(_ name: String) throws(Failure) -> String {
        let fields = (response.headers?.fields ?? []).filter { $0.key == .init("Set-Cookie") }
        let cookies = fields.compactMap { SetCookie($0.value.text) }
        if let cookie = cookies.last(where: { $0.name == name }) { return cookie.value }
        throw Failure("the response sets no cookie \(name)" + Self.instead(cookies.map(\.name)))
    }

    private func group(of pattern: String) throws(Failure) -> String {
        let body = response.body ?? Data()
        guard body.count <= Self.maximumText else { throw Failure("the body is larger than 16 MB") }
        let compiled: GroupPattern
        do throws(PatternError) { compiled = try GroupPattern(pattern) } catch {
            throw Failure("\(pattern) is no regular expression: \(error)")
        }
        let text = Bytes(String(decoding: body, as: UTF8.self).utf8)
        let found = compiled.first(in: text, within: time)
        try checkTime(pattern)
        switch found {
        case .text(let range): return text.text(range)
        case .nothing: throw Failure("\(pattern) matches nothing in the body (\(kind))")
        case .noGroup: throw Failure("the first group of \(pattern) matches nothing")
        }
    }

    /// Throws once the time is over, because the results so far are inconclusive.
    private func checkTime(_ expression: String) throws(Failure) {
        if let interruption = time.interruption { throw Failure("\(expression): \(interruption.reason)") }
    }

    private var kind: String {
        let size = response.body?.count ?? 0
        return size == 0 ? "empty" : (response.headers?[.contentType]?.text ?? "no type") + ", \(size) bytes"
    }

    // MARK: JSONPath

    private mutating func value(at path: String) throws(Failure) -> String {
        guard let document, let root = document.firstRoot else { throw Failure("the body is not JSON (\(kind))") }
        guard let query = try? JSONPath(path) else { throw Failure("\(path) is no JSONPath") }
        var matches = query.matches(in: document, within: time)
        guard let node = matches.next() else {
            try checkTime(path)
            throw Failure("\(path) selects nothing" + nearest(to: path, in: document, root))
        }
        var count = 1
        while count < 1000, matches.next() != nil { count += 1 }
        try checkTime(path)
        guard count == 1 else {
            let found = count < 1000 ? "\(count)" : "1000 or more"
            throw Failure("\(path) selects \(found) values; the first is at \(document.shortPath(of: node))")
        }
        switch document.kind(of: node) {
        case .null: throw Failure("\(path) is null")
        case .string: return document.text(of: node)?.string ?? ""
        case .true: return "true"
        case .false: return "false"
        case .number: return document.source(of: node)
        case .array, .object: return document.value(of: node).compact
        }
    }

    /// The matching part of the path, and the value there.
    private func nearest(to path: String, in document: JSONDocument, _ root: JSONNode) -> String {
        var prefix = path[...]
        while let cut = prefix.lastIndex(where: { $0 == "." || $0 == "[" }), cut > path.startIndex {
            prefix = path[..<cut]
            guard let query = try? JSONPath(String(prefix)) else { continue }
            var matches = query.matches(in: document, within: time)
            if let node = matches.next() { return "; \(prefix) \(Self.content(of: node, in: document))" }
        }
        return "; the body \(Self.content(of: root, in: document))"
    }

    private static func content(of node: JSONNode, in document: JSONDocument) -> String {
        switch document.kind(of: node) {
        case .object:
            let keys = document.children(of: node).prefix(8).compactMap { document.key(of: $0)?.string }
            return keys.isEmpty ? "is an empty object" : "has " + keys.joined(separator: ", ")
        case .array: return "is an array of \(document.childCount(of: node))"
        case .string: return "is a string"
        case .number: return "is a number"
        case .true, .false: return "is a Boolean"
        case .null: return "is null"
        }
    }
}
