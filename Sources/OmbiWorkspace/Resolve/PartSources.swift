import OmbiCore

/// The sources that the parts of a request were made from.
struct PartSources: Sendable, Equatable {
    var url: Set<Source> = []
    var headers: [RequestHeaders.Key: Set<Source>] = [:]
    /// The sources of the body, and of the messages of a WebSocket.
    var body: Set<Source> = []
    /// The sources of credentials that are obtained or computed while the request is sent.
    var credentials: Set<Source> = []
    /// The sources of a proxy and its credentials, of a certificate's password and of the paths of a connection.
    var way: Set<Source> = []

    var isEmpty: Bool {
        url.isEmpty && headers.isEmpty && body.isEmpty && credentials.isEmpty && way.isEmpty
    }

    mutating func add(_ sources: Set<Source>, to key: RequestHeaders.Key) {
        if !sources.isEmpty { headers[key, default: []].formUnion(sources) }
    }

    /// The parts that a source is in, as words.
    func parts(of source: Source) -> [String] {
        var parts = url.contains(source) ? ["URL"] : []
        parts += headers.filter { $0.value.contains(source) }.map { "header \($0.key.name)" }.sorted()
        if body.contains(source) { parts.append("body") }
        if credentials.contains(source) { parts.append("authentication") }
        if way.contains(source) { parts.append("connection") }
        if case .token = source { parts.append("authentication") }
        return parts
    }

    /// The sources of what the server gets.
    var sent: Set<Source> { headers.values.reduce(url.union(body).union(credentials)) { $0.union($1) } }
}
