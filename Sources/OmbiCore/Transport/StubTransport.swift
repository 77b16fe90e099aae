import Dispatch

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Answers from a function instead of the network, for tests.
public struct StubTransport: Transport {
    private let handler: @Sendable (TransportRequest) -> Result<TransportResponse, TransportError>
    private let queue = DispatchQueue(label: "ombi.stub")

    /// The function is called once for each attempt, on a queue of the stub, one attempt after the other. It may not
    /// wait for another request to the same stub.
    public init(_ handler: @escaping @Sendable (TransportRequest) -> Result<TransportResponse, TransportError>) {
        self.handler = handler
    }

    public func start(
        _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask {
        var request = request
        if let jar = request.cookieJar { request.headers = jar.adding(to: request.headers, for: request.url) }
        let task = StubTask(queue: queue, onEvent: onEvent)
        queue.async { [request] in
            guard !task.hasEnded else { return }
            task.finish(Self.read(request.bodyStream).flatMap { self.handler(request) }, request)
        }
        return task
    }

    /// Reads a stream to its end, as sending it would.
    private static func read(_ stream: BodyStream?) -> Result<Void, TransportError> {
        guard let stream else { return .success(()) }
        return Result { _ = try stream.data }
            .mapError { TransportError(code: .requestBodyFailed, message: "\($0)") }
    }

    /// The same response to every request.
    public static func stub(with response: TransportResponse) -> StubTransport {
        StubTransport { _ in .success(response) }
    }

    /// Adds `Content-Length` unless the body is empty.
    public static func stubResponse(statusCode: Int, data: Data, headers: RequestHeaders = [:]) -> StubTransport {
        StubTransport { request in
            var headers = headers
            if !data.isEmpty, headers[.contentLength] == nil { headers[.contentLength] = .int(data.count) }
            return .success(
                TransportResponse(url: request.url, headers: headers, statusCode: statusCode, body: data))
        }
    }

    /// The same, as `application/json`.
    public static func stubJSONResponse(statusCode: Int, data: Data, headers: RequestHeaders = [:]) -> StubTransport {
        var headers = headers
        if headers[.contentType] == nil { headers[.contentType] = .contentType(.json) }
        return stubResponse(statusCode: statusCode, data: data, headers: headers)
    }

    /// The same failure for every request.
    public static func stub(error: TransportError) -> StubTransport { StubTransport { _ in .failure(error) } }
}

/// One stubbed attempt. Its events all come on the queue of the stub.
private final class StubTask: TransportTask {
    private let queue: DispatchQueue
    private let onEvent: @Sendable (TransportEvent) -> Void
    private let ended = Lock(false)

    init(queue: DispatchQueue, onEvent: @escaping @Sendable (TransportEvent) -> Void) {
        self.queue = queue
        self.onEvent = onEvent
    }

    var hasEnded: Bool { ended.withLock { $0 } }

    func cancel() {
        guard endsNow() else { return }
        queue.async {
            self.onEvent(.failed(TransportError(code: .cancelled, message: "cancelled"), TransportMetrics()))
        }
    }

    func finish(_ result: Result<TransportResponse, TransportError>, _ request: TransportRequest) {
        guard endsNow() else { return }
        switch result {
        case .success(let response):
            request.cookieJar?.store(response.headers, from: response.url ?? request.url)
            let sent = request.bodyLength ?? 0
            let received = response.body?.count ?? 0
            if sent > 0 { onEvent(.sent(bytes: sent, expected: sent)) }
            onEvent(.phase(.wait))
            onEvent(.phase(.receive))
            if let code = response.statusCode {
                onEvent(
                    .head(
                        ResponseHead(
                            url: response.url ?? request.url, statusCode: code, headers: response.headers ?? [:])))
            }
            if received > 0 { onEvent(.received(bytes: received, expected: received)) }
            onEvent(.finished(response, TransportMetrics(bytesReceived: received, bytesSent: sent)))
        case .failure(let error): onEvent(.failed(error, TransportMetrics()))
        }
    }

    private func endsNow() -> Bool {
        ended.withLock { ended in
            defer { ended = true }
            return !ended
        }
    }
}
