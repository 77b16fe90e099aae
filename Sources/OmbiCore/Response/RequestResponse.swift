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
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    /// Returns the next link and its parameters; the first of equal names wins (RFC 8288 §3.3).
    mutating func next() -> (target: String, parameters: [String: String])? {
        rest = rest.drop { " \t,".utf8.contains($0) }
        guard rest.first == UInt8(ascii: "<"), let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        let target = String(decoding: rest[..<end].dropFirst(), as: UTF8.self)
        rest = rest[end...].dropFirst()
        var parameters: [String: String] = [:]
        while let (name, value) = parameter() {
            if parameters[name] == nil { parameters[name] = value }
        }
        return (target, parameters)
    }

    private mutating func parameter() -> (String, String)? {
        rest.skipSpaces()
        guard rest.first == UInt8(ascii: ";") else { return nil }
        rest.removeFirst()
        rest.skipSpaces()
        let name = rest.take { !";,= \t".utf8.contains($0) }.lowercased()
        rest.skipSpaces()
        guard rest.first == UInt8(ascii: "=") else { return (name, "") }
        rest.removeFirst()
        rest.skipSpaces()
        return (name, rest.takeQuoted() ?? rest.take { !";, \t".utf8.contains($0) })
    }
}
