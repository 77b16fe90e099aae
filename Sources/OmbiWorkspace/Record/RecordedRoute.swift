import OmbiCore
import OmbiDocument

/// A request of recorded traffic as a collection has it: one for all samples that differ in the identifiers of their
/// paths.
struct RecordedRoute: Sendable {
    /// With an absolute URL, and with its credentials.
    var request: SavedRequest
    let path: RoutePath
    /// The operation, where one URL has several: of GraphQL and JSON-RPC. Empty for any other.
    let operation: String
    var hasSucceeded: Bool
    /// The bytes of the body that the request has.
    let size: Int
    /// True where the file has the request.
    var isWritten = false
    /// The names of its folders in the file, and its own.
    var names: [String]

    /// Equal for the samples of one route.
    var key: String { "\(request.method.rawValue) \(path.pattern) \(operation)" }

    /// In bytes. A longer body is a file, and no part of a collection.
    private static let maximumBody = 256 << 10

    /// Nil for an exchange that no collection can have.
    init?(_ exchange: ProxiedExchange, origin: String) {
        guard var request = Self.request(of: exchange) else { return nil }
        let (base, query, _) = ForeignText.split(request.path)
        guard base.hasPrefix(origin) else { return nil }
        path = RoutePath(String(base.dropFirst(origin.count)))
        let (operation, title) = Self.operation(of: request.body)
        self.operation = operation
        request.path = origin + path.pattern + (query.map { "?" + $0 } ?? "")
        request.pathParameters = path.parameters
        let words = [request.method.rawValue, path.pattern, title.excerpted].filter { !$0.isEmpty }
        request.name = ForeignText.name(words.joined(separator: " "), or: "request")
        if exchange.bodySize > 0, request.body == nil {
            request.description = "The body of \(exchange.bodySize) bytes was not recorded: it is long, or no text."
        }
        self.request = request
        hasSucceeded = exchange.hasSucceeded
        size = request.body == nil ? 0 : exchange.bodySize
        names = [request.name]
    }

    /// Returns the request as that of a recording of a browser is imported.
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

    /// The operation that a body names, and its name for people.
    static func operation(of body: SavedBody?) -> (key: String, title: String) {
        switch body {
        case .graphql(let content)?:
            let name = content.operationName ?? declaredName(in: content.query)
            return (name ?? content.query, name ?? "")
        case .json(let content)?:
            guard content.value["jsonrpc"] != nil, let method = content.value["method"]?.stringValue else {
                return ("", "")
            }
            return (method, method)
        case .text?, .form?, .multipart?, .file?, nil: return ("", "")
        }
    }

    /// Returns `GetUser` for `query GetUser($id: ID!) { … }`.
    private static func declaredName(in query: String) -> String? {
        let text = query.drop(while: \.isWhitespace)
        guard let keyword = ["query", "mutation", "subscription"].first(where: { text.hasPrefix($0) }) else {
            return nil
        }
        let rest = text.dropFirst(keyword.count)
        guard rest.first?.isWhitespace == true else { return nil }
        let name = rest.drop(while: \.isWhitespace).prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        return name.isEmpty ? nil : String(name)
    }

    /// Returns true for a saved request that is this one.
    /// - Parameter hostPaths: the paths of the hosts that a relative path may follow.
    func matches(_ saved: SavedRequest, origin: String, hostPaths: [String]) -> Bool {
        guard saved.method == request.method, Self.operation(of: saved.body).key == operation else { return false }
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
