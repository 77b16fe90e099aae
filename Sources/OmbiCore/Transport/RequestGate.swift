/// The sources that the parts of a request were made from, such as "$API_TOKEN" or the path of a file.
///
/// A source is any text that a `RequestGate` understands. A part without sources may go anywhere.
public struct RequestProvenance: Sendable, Equatable {
    /// The name of a source.
    public typealias Source = String

    /// The sources of the URL: its host, path, query and user information.
    public var url: Set<Source>
    /// The sources of header fields, by their names.
    public var headers: [RequestHeaders.Key: Set<Source>]
    /// The sources of the body.
    public var body: Set<Source>

    /// Creates a provenance; by default no part has a source.
    public init(
        url: Set<Source> = [], headers: [RequestHeaders.Key: Set<Source>] = [:], body: Set<Source> = []
    ) {
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// True if no part has a source.
    public var isEmpty: Bool { url.isEmpty && body.isEmpty && headers.values.allSatisfy(\.isEmpty) }
}

/// A request that is about to be sent: the first of an attempt, or that of a redirect.
public struct RequestHop: Sendable, Equatable {
    /// The URL to be requested.
    public var url: URL
    /// The settings that apply to this hop. A redirect to another origin gets no client certificate and no pins, and is
    /// always verified.
    public var connection: Connection
    /// True for the request of a redirect.
    public var isRedirect: Bool
    /// The sources of the parts that this hop still carries.
    public var provenance: RequestProvenance

    /// Creates a hop, for tests of gates.
    public init(
        url: URL, connection: Connection = Connection(), isRedirect: Bool = false, provenance: RequestProvenance
    ) {
        self.url = url
        self.connection = connection
        self.isRedirect = isRedirect
        self.provenance = provenance
    }
}

/// The decision about one hop.
public enum GateDecision: Sendable, Equatable {
    /// Sends it as it is.
    case send
    /// Sends it without these header fields.
    case withhold(Set<RequestHeaders.Key>)
    /// Does not send it; the attempt fails with `TransportError.Code.refused` and this sentence.
    case refuse(String)
}

/// Decides where the parts of a request may go, by what they were made from.
///
/// It is asked before each hop: every attempt, every redirect, and the opening handshake of a WebSocket. A credential that
/// may go to one server is withheld from another, whatever the name of its header field:
///
///     struct OneHost: RequestGate {
///         func decide(_ hop: RequestHop) -> GateDecision {
///             hop.url.host() == "api.example.com" ? .send : .withhold(Set(hop.provenance.headers.keys))
///         }
///     }
///
/// Set `TransportRequest.provenance` and `TransportRequest.gate` in a `RequestInterceptor`.
public protocol RequestGate: Sendable {
    /// Returns the decision at once: it is called on a thread of the transport. Not called for requests without provenance;
    /// called for the redirects of all others, whose URL may repeat what the server has got.
    func decide(_ hop: RequestHop) -> GateDecision
}

/// A gate, and the provenance that it decides by. Most requests have none.
final class GatePass: Sendable, Equatable {
    let provenance: RequestProvenance
    let gate: (any RequestGate)?
    /// True if the request had any provenance when it was first sent.
    let isGuarded: Bool

    init(_ provenance: RequestProvenance, _ gate: (any RequestGate)?, isGuarded: Bool? = nil) {
        self.provenance = provenance
        self.gate = gate
        self.isGuarded = isGuarded ?? !provenance.isEmpty
    }

    /// Returns the pass of a request that has lost these parts.
    func without(url: Bool = false, body: Bool = false, headers: [RequestHeaders.Key] = []) -> GatePass {
        var left = provenance
        if url { left.url = [] }
        if body { left.body = [] }
        for key in headers { left.headers[key] = nil }
        return left == provenance ? self : GatePass(left, gate, isGuarded: isGuarded)
    }

    static func == (left: GatePass, right: GatePass) -> Bool {
        left === right || left.provenance == right.provenance
    }
}

extension TransportRequest {
    /// The sources that its parts were made from. A transport tells them to the gate, and to nobody else.
    public var provenance: RequestProvenance {
        get { pass?.provenance ?? RequestProvenance() }
        set { pass = GatePass(newValue, pass?.gate) }
    }

    /// Decides before each hop; nil sends all.
    public var gate: (any RequestGate)? {
        get { pass?.gate }
        set { pass = GatePass(provenance, newValue) }
    }

    /// The request as its gate lets it through, before its first hop.
    func throughGate() throws(TransportError) -> TransportRequest {
        guard let pass, let gate = pass.gate, !pass.provenance.isEmpty else { return self }
        let hop = RequestHop(url: url, connection: connection, provenance: pass.provenance)
        switch gate.decide(hop) {
        case .send: return self
        case .withhold(let keys):
            var request = self
            request.headers = headers.without { keys.contains($0.key) }
            if keys.contains(.authorization) { request.connectionAuthentication = nil }
            return request
        case .refuse(let reason): throw TransportError(code: .refused, message: reason)
        }
    }
}

extension Transport {
    func startThroughGate(
        _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask {
        guard request.pass != nil else { return start(request, onEvent: onEvent) }
        do throws(TransportError) {
            return start(try request.throughGate(), onEvent: onEvent)
        } catch {
            onEvent(.failed(error, TransportMetrics()))
            return RefusedAttempt()
        }
    }
}

/// An attempt that has ended before it began.
private struct RefusedAttempt: TransportTask {
    func cancel() {}
}
