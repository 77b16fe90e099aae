import OmbiCore

/// A request of a batch that is sent again and again. It is resolved once, unless something was read for it that may
/// change: a secret, a file, the time, a random number.
final class RepeatedRequest: Sendable {
    private let known = Lock<(request: SharedRequest, scope: CapturedScope)?>(nil)

    /// Returns the request as it was resolved with these captured values.
    func request(in scope: CapturedScope) -> SharedRequest? {
        known.withLock { known in
            guard let known, known.scope == scope else { return nil }
            return known.request
        }
    }

    func keep(_ request: SharedRequest, in scope: CapturedScope) {
        guard request.value.isRepeatable else { return }
        known.withLock { $0 = (request, scope) }
    }
}

/// The requests of a batch whose turns come several times.
struct RepeatedRequests {
    private let length: RunPlan.Length
    private var known: [Int: RepeatedRequest] = [:]

    init(_ plan: RunPlan) { length = plan.length }

    /// Nil for a request that comes once, and for one with a row of data: there may be a million of those.
    subscript(turn: RunTurn, of order: RunOrder) -> RepeatedRequest? {
        mutating get {
            guard order.row == nil, length != .times(1) else { return nil }
            if let known = known[turn.order] { return known }
            // All turns of a request are in a row.
            if case .times = length { known = [:] }
            let new = RepeatedRequest()
            known[turn.order] = new
            return new
        }
    }
}
