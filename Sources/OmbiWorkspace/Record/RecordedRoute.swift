/// A request of recorded traffic as a collection has it: one for all samples that differ in the identifiers of their
/// paths, and in the values of their queries and bodies.
struct RecordedRoute: Sendable {
    /// With an absolute URL, and with its credentials.
    var request: SavedRequest
    let path: RoutePath
    let operation: RouteOperation
    var hasSucceeded: Bool
    /// The bytes of the body that the request has.
    let size: Int
    /// True if the file has the request.
    var isWritten = false
    /// The names of its folders in the file, and its own.
    var names: [String]

    /// Equal for the samples of one route.
    var key: String { "\(endpoint) \(operation.key)" }
    /// Equal for the operations of one URL.
    var endpoint: String { "\(request.method.rawValue) \(path.pattern)" }

    /// In bytes. A longer body is a file, and no part of a collection.
    private static let maximumBody = 256 << 10

    /// Nil for an exchange that no collection can have.
    init?(_ exchange: ProxiedExchange, origin: String) {
        guard var request = Self.request(of: exchange) else { return nil }
        let (base, query, _) = ForeignText.split(request.path)
        guard base.hasPrefix(origin) else { return nil }
        path = RoutePath(Self.withoutSession(base.dropFirst(origin.count)))
        operation = RouteOperation(of: request)
        request.path = origin + path.pattern + (query.map { "?" + $0 } ?? "")
        request.pathParameters = path.parameters
        request.name = Self.name(of: request.method, path, operation.title)
        if exchange.bodySize > 0, request.body == nil {
            request.description = "The body of \(exchange.bodySize) bytes was not recorded: it is long, or no text."
        }
        self.request = request
        hasSucceeded = exchange.hasSucceeded
        size = request.body == nil ? 0 : exchange.bodySize
        names = [request.name]
    }

    /// Returns a path without the parameters that are credentials, such as the session of a servlet: another run has
    /// another.
    private static func withoutSession(_ path: Substring) -> String {
        guard path.contains(";") else { return String(path) }
        return path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            let parts = segment.split(separator: ";", omittingEmptySubsequences: false)
            let kept = parts.dropFirst().filter { parameter in
                let (written, value) = parameter.cut(at: UInt8(ascii: "="))
                let name = PercentEncoding.unescapeForm(written)
                return !SecretDetector.isSensitive(name) && !LogMask.isSession(value ?? "", named: name)
            }
            return (parts.prefix(1) + kept).joined(separator: ";")
        }.joined(separator: "/")
    }

    /// Returns the request in the form in which a browser's recording is imported.
    private static func request(of exchange: ProxiedExchange) -> SavedRequest? {
        let headers = exchange.headers.fields.map { field -> JSONValue in
            ["name": .string(field.key.name), "value": .string(field.value.text)]
        }
        var request: [JSONValue.Member] = [
            JSONValue.Member("method", .string(exchange.method)), JSONValue.Member("url", .string(exchange.url)),
            JSONValue.Member("headers", .array(headers)),
        ]
        if let text = exchange.text, !text.isEmpty, exchange.bodySize <= maximumBody {
            let type = exchange.headers[.contentType]?.text ?? ""
            request.append(JSONValue.Member("postData", ["mimeType": .string(type), "text": .string(text)]))
        }
        let response: JSONValue = ["status": .number(exchange.response?.statusCode ?? 0)]
        let entry: JSONValue = ["request": .object(request), "response": response]
        let log: JSONValue = ["entries": .array([entry])]
        let archive: JSONValue = ["log": log]
        guard let file = try? ForeignFile(Array(archive.compact.utf8), path: "traffic.har"),
            let imported = try? HARImport.read(file)
        else { return nil }
        return imported.collection.requests.first
    }

    private static func name(of method: RequestMethod, _ path: RoutePath, _ operation: String) -> String {
        let words = [method.rawValue, path.pattern, operation.excerpted].filter { !$0.isEmpty }
        return ForeignText.name(words.joined(separator: " "), or: "request")
    }

    /// Names the request by the values in its body: another one to the same URL has its short name.
    mutating func nameByMembers() {
        guard operation.title.isEmpty else { return }
        request.name = Self.name(of: request.method, path, operation.members)
        names = [request.name]
    }

    /// Returns true for a saved request to the same URL, be it another operation.
    /// - Parameter hostPaths: the paths of the hosts that a relative path may follow.
    func isEndpoint(of saved: SavedRequest, origin: String, hostPaths: [String]) -> Bool {
        guard saved.method == request.method else { return false }
        var address = ForeignText.split(saved.path).base
        if address.hasPrefix(origin) {
            address = String(address.dropFirst(origin.count))
            return path.matches(address.isEmpty ? "/" : address, saved.pathParameters)
        }
        if address.hasPrefix("{{"), let end = address.firstRange(of: "}}") {
            address = String(address[end.upperBound...])
        }
        guard address.hasPrefix("/") else { return false }
        return hostPaths.contains { path.matches($0 + address, saved.pathParameters) }
    }
}

/// A path with parameters in the places of identifiers: the samples of one route have the same pattern.
struct RoutePath: Equatable, Sendable {
    /// `/users/:userId/orders`
    let pattern: String
    /// With the values of the sample.
    let parameters: [Field]
    private let segments: [Segment]

    private enum Segment: Equatable, Sendable {
        case plain(Substring)
        /// - Parameter end: the ending of a file, with its dot.
        case parameter(end: Substring)
    }

    /// - Parameter path: percent-encoded, without a query.
    init(_ path: String) {
        var (segments, parameters, written): ([Segment], [Field], [String]) = ([], [], [])
        var names = UniqueNames()
        var noun = ""
        for segment in path.split(separator: "/", omittingEmptySubsequences: false) {
            let (stem, end) = Self.parts(of: segment)
            guard let kind = IdentifierKind(stem) else {
                segments.append(.plain(segment))
                written.append(String(segment))
                if !segment.isEmpty { noun = Self.noun(segment) }
                continue
            }
            let name = names.take(kind.name(of: noun))
            parameters.append(Field(name, String(stem)))
            segments.append(.parameter(end: end))
            written.append(":\(name)\(end)")
            noun = ""
        }
        (self.segments, self.parameters) = (segments, parameters)
        pattern = written.joined(separator: "/")
    }

    /// Splits `42.json`; the end is empty for a segment that is no file.
    private static func parts(of segment: Substring) -> (stem: Substring, end: Substring) {
        guard let dot = segment.lastIndex(of: "."), dot > segment.startIndex else { return (segment, "") }
        let letters = segment[segment.index(after: dot)...]
        let isEnding = (1...5).contains(letters.count) && letters.allSatisfy { $0.isASCII && $0.isLetter }
        return isEnding ? (segment[..<dot], segment[dot...]) : (segment, "")
    }

    /// Returns `orderItem` for `order-items`; empty for a segment that no name can be made of.
    private static func noun(_ segment: Substring) -> String {
        let words = segment.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.map(String.init)
        guard let first = words.first, first.first?.isLetter == true, words.count <= 3, segment.count <= 40 else {
            return ""
        }
        let rest = words.dropFirst().map { "\($0.prefix(1).uppercased())\($0.dropFirst())" }
        return singular("\(first.prefix(1).lowercased())\(first.dropFirst())\(rest.joined())")
    }

    private static func singular(_ noun: String) -> String {
        if noun.hasSuffix("ies"), noun.count > 4 { return "\(noun.dropLast(3))y" }
        if ["sses", "xes", "ches", "shes"].contains(where: { noun.hasSuffix($0) }) { return String(noun.dropLast(2)) }
        if noun.hasSuffix("s"), !noun.hasSuffix("ss"), !noun.hasSuffix("us"), noun.count > 2 {
            return String(noun.dropLast())
        }
        return noun
    }

    /// Returns true for the path of a saved request that has this route. A name for a part of the path matches
    /// identifiers, and the value that it has there.
    func matches(_ path: String, _ values: [Field]) -> Bool {
        let others = path.split(separator: "/", omittingEmptySubsequences: false)
        guard others.count == segments.count else { return false }
        return zip(segments, others).allSatisfy { segment, other in
            switch segment {
            case .plain(let text):
                guard other.hasPrefix(":") else { return text == other }
                return values.contains { other.dropFirst() == $0.name && text == $0.value }
            case .parameter(let end):
                guard other.hasSuffix(end) else { return false }
                return other.hasPrefix(":") || other.contains("{{") || IdentifierKind(Self.parts(of: other).stem) != nil
            }
        }
    }
}

/// A form of identifiers, which distinguishes a part of a path from a word.
enum IdentifierKind: Equatable, Sendable {
    case number, uuid, hexadecimal, random, date, secret

    /// Nil for a word.
    init?(_ text: Substring) {
        guard !text.isEmpty, text.utf8.count <= 4096 else { return nil }
        if !SecretDetector.find(in: String(text), named: "").isEmpty {
            self = .secret
        } else if text.utf8.allSatisfy(\.isASCIIDigit) {
            self = .number
        } else if Self.isUUID(text) {
            self = .uuid
        } else if Self.isDate(text) {
            self = .date
        } else if text.utf8.count >= 8, text.utf8.contains(where: \.isASCIIDigit), text.allSatisfy(\.isHexDigit) {
            self = .hexadecimal
        } else if Self.isRandom(text) {
            self = .random
        } else {
            return nil
        }
    }

    /// The name of a parameter after a noun: `userId`.
    func name(of noun: String) -> String {
        switch self {
        case .date: "date"
        case .secret: "token"
        case .number, .uuid, .hexadecimal, .random: noun.isEmpty ? "id" : noun + "Id"
        }
    }

    private static func isUUID(_ text: Substring) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && parts.allSatisfy { $0.allSatisfy(\.isHexDigit) }
    }

    /// `2026-11-28`
    private static func isDate(_ text: Substring) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [4, 2, 2] && parts.allSatisfy { $0.utf8.allSatisfy(\.isASCIIDigit) }
    }

    /// ULIDs (`01ARZ3NDEKTSV4RRFFQ69G5FAV`), identifiers with a prefix (`ord_8f2kQ1xZ`) and those in Base64.
    private static func isRandom(_ text: Substring) -> Bool {
        let isAlphanumeric = { (character: Character) in
            character.isASCII && (character.isLetter || character.isNumber)
        }
        guard text.allSatisfy({ isAlphanumeric($0) || $0 == "_" || $0 == "-" }),
            text.utf8.contains(where: \.isASCIIDigit)
        else { return false }
        let (hasCapitals, hasSmall) = (text.contains(where: \.isUppercase), text.contains(where: \.isLowercase))
        if text.utf8.count == 26, !hasSmall, text.allSatisfy(isAlphanumeric) { return true }
        if text.utf8.count >= 20, hasCapitals, hasSmall, !text.contains("-") { return true }
        guard let underscore = text.firstIndex(of: "_") else { return false }
        let (prefix, rest) = (text[..<underscore], text[text.index(after: underscore)...])
        return (2...5).contains(prefix.count) && prefix.allSatisfy(\.isLowercase) && rest.utf8.count >= 8
            && rest.allSatisfy(isAlphanumeric) && rest.utf8.contains(where: \.isASCIIDigit)
    }
}

/// A request that a recording proxy has passed on, and its result, unmasked.
package struct ProxiedExchange: Sendable {
    package var method: String
    /// As the target got it.
    package var url: String
    /// Those that belong to no connection.
    package var headers: RequestHeaders
    /// Nil if it is too long to be kept.
    package var body: Data?
    /// In bytes.
    package var bodySize: Int
    /// The head, and the body as far as it has come; a body that is too long to be kept is nil. Nil without a head.
    package var response: TransportResponse?
    /// In bytes.
    package var responseSize: Int
    /// The reason why the response is not complete; nil for none.
    package var problem: TransportError?
    /// True if the client disconnected first.
    package var isCancelled: Bool
    package var metrics: TransportMetrics
    package var duration: Duration

    package init(
        method: String, url: String, headers: RequestHeaders = [:], body: Data? = Data(), bodySize: Int = 0,
        response: TransportResponse? = nil, responseSize: Int = 0, problem: TransportError? = nil,
        isCancelled: Bool = false, metrics: TransportMetrics = TransportMetrics(), duration: Duration = .zero
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.bodySize = bodySize
        self.response = response
        self.responseSize = responseSize
        self.problem = problem
        self.isCancelled = isCancelled
        self.metrics = metrics
        self.duration = duration
    }

    /// True for a response that came completely, and is no error.
    var hasSucceeded: Bool { problem == nil && !isCancelled && (response?.statusCode ?? 500) < 400 }

    /// The body as text; nil if it has none.
    var text: String? {
        let coding = headers[.contentEncoding]?.text.lowercased() ?? "identity"
        guard let body, coding == "identity" else { return nil }
        return String(validating: body, as: UTF8.self)
    }
}
