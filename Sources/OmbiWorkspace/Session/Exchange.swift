import Dispatch
import OmbiCore

/// A protocol in which a request that is ready is sent and answered: HTTP, its pages, a WebSocket. What comes before and
/// after, such as grants, captures and the verdict, is the same for all, and the session's.
protocol Exchange {
    /// Nil for a request of another protocol.
    init?(_ sending: Sending)

    /// Sends the request, delivers what happens, and returns the end.
    func perform() async -> Session.Outcome
}

/// A request that is ready, with all that sending it takes.
struct Sending: Sendable {
    let session: Session
    let order: RunOrder
    let request: WireRequest
    let manager: RequestManager
    let run: SessionRun
    let events: RunEvents

    /// The exchange by which the request is sent: HTTP takes what no more particular one takes.
    var exchange: any Exchange {
        if let socket = WebSocketExchange(self) { return socket }
        if let pages = PagesExchange(self) { return pages }
        return HTTPExchange(self)
    }

    /// Returns the same for another request of the run.
    func sending(_ request: WireRequest) -> Sending {
        Sending(session: session, order: order, request: request, manager: manager, run: run, events: events)
    }
}

/// The receiver of what happens in a run. Secrets of its steps are masked.
struct RunEvents: Sendable {
    let mask: RunMask
    /// The queue on which events are delivered.
    let queue: DispatchQueue
    let receive: @Sendable (SessionEvent) -> Void

    func emit(_ event: RequestEvent) {
        guard let event = mask.redactor.redact(event) else { return }
        emit(.step(event))
    }

    func emit(_ event: SessionEvent) { queue.async { [receive] in receive(event) } }
}
