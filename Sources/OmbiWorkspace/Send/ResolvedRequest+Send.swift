import Dispatch
import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ResolvedRequest {
    /// The request for display, secrets masked.
    public var sent: SentRequest { SentRequest(self) }

    /// Sends it, and calls the closures one after the other on a serial queue.
    /// - Parameters:
    ///   - handler: gets the result, after the last event.
    ///   - onEvent: gets the events in order; `RequestEvent.finished(_:)` is the last.
    public func send(
        through transport: any Transport, on queue: DispatchQueue,
        handler: @escaping @Sendable (RunResult) -> Void, onEvent: @escaping @Sendable (RunEvent) -> Void
    ) -> RunHandle {
        let manager = RequestManager(host: host, transport: transport)
        manager.additionalHeaders = additionalHeaders
        if !verifyTLS { manager.connection.tls.verifiesServer = false }
        let task = manager.send(WireRequest(resolved: self), retry: retry, sla: sla, on: queue) {
            handler(RunResult($0, redactor))
        } onEvent: { event in
            if case .finished(let report) = event, let sent = SentRequest(self, report) { onEvent(.sent(sent)) }
            if let event = redactor.redact(event) { onEvent(.step(event)) }
        }
        return RunHandle(handle: task)
    }
}

/// The handle of a run. Its methods are harmless once the run has ended.
public struct RunHandle: Sendable {
    let handle: any RequestHandle

    public func cancel() { handle.cancel() }
    public func retryNow() { handle.retryNow() }
    public func addAttempts(_ count: Int) { handle.addAttempts(count) }
}

/// A resolved request for the engine: bytes out, bytes in, and every status is a response.
private struct WireRequest: Requestable {
    typealias RequestBody = Data
    typealias ResponseBody = Data
    typealias ResponseError = NoError

    let resolved: ResolvedRequest

    var path: String { resolved.path }
    var method: RequestMethod { resolved.method }
    var query: [URLQueryItem] { resolved.query }
    var headers: RequestHeaders { resolved.headers }
    var body: Data? { resolved.body }
    var attemptTimeout: Duration? { resolved.attemptTimeout }
    /// `attemptTimeout` is the only limit of an attempt.
    var timeoutInterval: TimeInterval { .infinity }
}
