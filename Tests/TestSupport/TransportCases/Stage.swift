import Foundation
import OmbiCore

/// Where a case is played: starts its servers, attempts its requests, and keeps the lines that were observed.
final class Stage: Sendable {
    let subject: TransportSubject
    private let state = LoopbackLock((lines: [String](), servers: [StageServer]()))

    init(_ subject: TransportSubject) { self.subject = subject }

    var lines: [String] { state.withLock { $0.lines } }

    func note(_ lines: String...) { state.withLock { $0.lines += lines } }
    func note(_ lines: [String]) { state.withLock { $0.lines += lines } }

    /// A server that answers with the function; without a network, a name for it.
    func server(greeting: Data? = nil, _ handler: @escaping LoopbackServer.Handler) throws -> StageServer {
        let loopback = subject.make == nil ? nil : try LoopbackServer(greeting: greeting, handler)
        let server = StageServer(handler: handler, loopback: loopback)
        state.withLock { $0.servers.append(server) }
        return server
    }

    func stopServers() {
        for server in state.withLock({ $0.servers }) { server.loopback?.stop() }
    }

    func transport(for server: StageServer? = nil, maximumResponseBytes: Int? = nil) -> any Transport {
        subject.make?(maximumResponseBytes) ?? StubTransport { server?.answer($0) ?? .failure(.noAnswer) }
    }

    /// Attempts a request and notes its head, its redirects, its pieces and its end.
    @discardableResult
    func attempt(_ request: TransportRequest, at server: StageServer, on transport: (any Transport)? = nil) async
        -> [TransportEvent]
    {
        let events = await (transport ?? self.transport(for: server)).allEvents(of: request)
        note(events.outline(hidden(server)))
        return events
    }

    /// Ports differ from run to run.
    func hidden(_ server: StageServer) -> @Sendable (String) -> String {
        let places = state.withLock { $0.servers }.enumerated().map { index, other in
            (other.place, other === server ? "SERVER" : "OTHER\(index == 0 ? "" : "\(index)")")
        }
        return { text in
            places.reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
        }
    }
}

/// A server of a case.
final class StageServer: Sendable {
    let loopback: LoopbackServer?
    private let handler: LoopbackServer.Handler
    private let arrived = LoopbackLock<[LoopbackRequest]>([])

    init(handler: @escaping LoopbackServer.Handler, loopback: LoopbackServer?) {
        self.handler = handler
        self.loopback = loopback
    }

    /// "127.0.0.1:8080"
    var place: String { loopback.map { "127.0.0.1:\($0.port)" } ?? "stub.test" }
    var host: String { "http://\(place)" }
    var connectionCount: Int { loopback?.connectionCount ?? 0 }

    var requests: [LoopbackRequest] { loopback?.requests ?? arrived.withLock { $0 } }

    /// Each request as it arrived: "POST /x "body"".
    var arrivals: [String] {
        requests.map { request in
            "\(request.method) \(request.target)" + (request.body.isEmpty ? "" : " \(request.body.outline)")
        }
    }

    func request(
        _ method: RequestMethod = .get, _ path: String = "/", headers: RequestHeaders = [:], body: String? = nil,
        _ change: (inout TransportRequest) -> Void = { _ in }
    ) -> TransportRequest {
        var request = TransportRequest(
            url: URL(string: host + path) ?? URL(fileURLWithPath: "/"), method: method, headers: headers,
            body: body.map { Data($0.utf8) })
        change(&request)
        return request
    }

    /// What the server's function says to a request that goes over no network.
    func answer(_ request: TransportRequest) -> StubTransport.Reply {
        let query = request.url.query().map { "?\($0)" } ?? ""
        let headers = request.headers.fields.map { ($0.key.name.lowercased(), $0.value.text) }
        let number = arrived.withLock { $0.count + 1 }
        let body = request.method == .head ? Data() : request.bodyStream.flatMap(Self.read) ?? request.body ?? Data()
        let arrival = LoopbackRequest(
            number: number, method: request.method.rawValue, target: request.url.path() + query,
            headers: Dictionary(headers) { "\($0), \($1)" }, body: body)
        arrived.withLock { $0.append(arrival) }
        guard case .response(let status, let fields, let answer) = handler(arrival) else { return .failure(.noAnswer) }
        let hasBody = request.method != .head && ![204, 304].contains(status)
        return .success(
            TransportResponse(
                url: request.url,
                headers: RequestHeaders(fields.map { .init(.init($0.0), .string($0.1)) }), statusCode: status,
                body: hasBody ? answer : Data()))
    }

    private static func read(_ stream: BodyStream) -> Data? {
        guard let reader = try? stream.open() else { return nil }
        var data = Data()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { buffer.deallocate() }
        while let count = try? reader.read(into: buffer), count > 0 { data.append(contentsOf: buffer.prefix(count)) }
        return data
    }
}

extension TransportError {
    static let noAnswer = TransportError(code: .connectionLost, message: "there is no network")
}
