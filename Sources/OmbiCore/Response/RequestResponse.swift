/// The response of a server. Every part is optional: a fallback may have a body only, and a body may decode to nil.
public struct RequestResponse<Body> {
    /// The URL of the response, after redirects.
    public var url: URL?
    /// Every header field, in the order of arrival.
    public var headers: RequestHeaders?
    /// The status, from 100 to 599 in general (RFC 9110 §15).
    public var statusCode: Int?
    /// The decoded body; nil if there was none, if the decoder returned nil, and in `empty`.
    public var body: Body?

    /// Creates a response, for fallbacks, stubs and tests.
    public init(url: URL? = nil, headers: RequestHeaders? = nil, statusCode: Int? = nil, body: Body? = nil) {
        self.url = url
        self.headers = headers
        self.statusCode = statusCode
        self.body = body
    }

    /// A response without content, as a substitute for an error.
    public static var empty: Self { Self() }

    /// The first value of a header field.
    public subscript(header: RequestHeaders.Key) -> RequestHeaders.Value? { headers?[header] }
}

extension RequestResponse: Sendable where Body: Sendable {}
extension RequestResponse: Equatable where Body: Equatable {}
extension RequestResponse: Hashable where Body: Hashable {}

extension RequestResponse {
    /// The targets of the `Link` header (RFC 8288) by relation, in lowercase: "next", "prev", "last". Relative targets
    /// are resolved against the URL of the response. The first of several targets with one relation wins; links of
    /// another context (`anchor`) are omitted.
    public var links: [String: URL] { headers?.links(from: url) ?? [:] }
}

extension TransportResponse {
    package init(head: ResponseHead, body: Data? = nil) {
        self.init(url: head.url, headers: head.headers, statusCode: head.statusCode, body: body)
    }

    /// The targets of the `Link` header by relation, as in `RequestResponse.links`.
    public var links: [String: URL] { headers?.links(from: url) ?? [:] }
}

extension RequestHeaders {
    fileprivate func links(from base: URL?) -> [String: URL] {
        var links: [String: URL] = [:]
        for value in values(for: "Link") {
            var parser = LinkParser(value.text)
            while let (target, parameters) = parser.next() {
                guard parameters["anchor"] == nil, let relations = parameters["rel"],
                    let url = URL(string: target, relativeTo: base)?.absoluteURL
                else { continue }
                for relation in relations.split(separator: " ") {
                    let name = relation.lowercased()
                    if links[name] == nil { links[name] = url }
                }
            }
        }
        return links
    }
}

/// A parser for the values of one `Link` field. Malformed text ends it; nothing traps.
private struct LinkParser {
    private var rest: Substring

    init(_ text: String) { rest = text[...] }

    /// Returns the next link and its parameters; the first of equal names wins (RFC 8288 §3.3).
    mutating func next() -> (target: String, parameters: [String: String])? {
        rest = rest.drop { " \t,".contains($0) }
        guard rest.first == "<", let end = rest.firstIndex(of: ">") else { return nil }
        let target = String(rest[rest.index(after: rest.startIndex)..<end])
        rest = rest[rest.index(after: end)...]
        var parameters: [String: String] = [:]
        while let (name, value) = parameter() {
            if parameters[name] == nil { parameters[name] = value }
        }
        return (target, parameters)
    }

    private mutating func parameter() -> (String, String)? {
        skipSpaces()
        guard rest.first == ";" else { return nil }
        rest = rest.dropFirst()
        skipSpaces()
        let name = rest.prefix { !";,= \t".contains($0) }
        rest = rest[name.endIndex...]
        skipSpaces()
        guard rest.first == "=" else { return (name.lowercased(), "") }
        rest = rest.dropFirst()
        skipSpaces()
        return (name.lowercased(), rest.first == "\"" ? quoted() : token())
    }

    private mutating func token() -> String {
        let token = rest.prefix { !";, \t".contains($0) }
        rest = rest[token.endIndex...]
        return String(token)
    }

    private mutating func quoted() -> String {
        rest = rest.dropFirst()
        var text = ""
        while let character = rest.popFirst(), character != "\"" {
            if character == "\\", let escaped = rest.popFirst() { text.append(escaped) } else { text.append(character) }
        }
        return text
    }

    private mutating func skipSpaces() { rest = rest.drop { $0 == " " || $0 == "\t" } }
}
