import Dispatch

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A request that its sender has made already, for a front end that sends the same one again and again: it goes on the
/// wire as it is, bytes come back, and every status is a response.
package struct BuiltRequest: Requestable {
    package typealias RequestBody = NoBody
    package typealias ResponseBody = Data
    package typealias ResponseError = NoError

    /// As it goes on the wire; the error of one that could not be made.
    package let request: Result<TransportRequest, any Error>
    package let authenticator: (any Authenticator)?

    package init(_ request: Result<TransportRequest, any Error>, authenticator: (any Authenticator)?) {
        (self.request, self.authenticator) = (request, authenticator)
    }

    package var path: String { (try? request.get())?.url.path ?? "" }
    package var method: RequestMethod { (try? request.get())?.method ?? .get }

    /// The request, and what surrounds its attempts; nil for nothing.
    func build() throws -> (TransportRequest, Surroundings?) {
        (try request.get(), authenticator.map { Surroundings(middlewares: [], authenticator: $0) })
    }
}

extension RequestManager {
    /// Sends a request that is made already.
    /// - Parameters:
    ///   - queue: Runs the closures; nil runs them on the thread that brings the news.
    ///   - handler: Receives the result, after the last event.
    ///   - onEvent: Receives the events in order; nil for a run that nobody watches.
    @discardableResult
    package final func send(
        _ built: BuiltRequest, retry: RetryPolicy, sla: Duration?, on queue: DispatchQueue?,
        handler: @escaping @Sendable (Result<TransportResponse, RequestError<NoError>>) -> Void,
        onEvent: (@Sendable (RequestEvent) -> Void)? = nil
    ) -> RequestTask<BuiltRequest> {
        send(
            built, RunOptions(policy: retry, sla: sla), queue.map(Delivery.queue) ?? .immediate, nil, handler, onEvent)
    }
}
