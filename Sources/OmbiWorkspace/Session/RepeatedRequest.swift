import OmbiCore

/// A request of a batch that is sent again and again. It is resolved once, and again when a captured value or a secret has
/// changed; each time where a file, the time or a random number was read for it.
final class RepeatedRequest: Sendable {
    /// The values that a request is made from, but for those that cannot change: of captures, and of all secrets of its
    /// environment, which are masked.
    struct Values: Equatable, Sendable {
        var captured: CapturedScope
        /// Nil for a secret that is not there.
        var secrets: [String?]
    }

    private let known = Lock<(request: SharedRequest, values: Values)?>(nil)
    /// Nil where one is in a file, which may take any time to read.
    private let secrets: [Secret]?

    init(_ order: RunOrder) {
        let secrets = order.chosenEnvironment?.secrets ?? []
        self.secrets = secrets.contains { $0.source.isInFile } ? nil : secrets
    }

    /// Returns the values as they are now; nil where a request is resolved each time.
    func values(_ captured: CapturedScope, _ reader: @autoclosure () -> SecretReader) -> Values? {
        guard let secrets else { return nil }
        guard !secrets.isEmpty else { return Values(captured: captured, secrets: []) }
        let reader = reader()
        return Values(captured: captured, secrets: secrets.map { try? reader.value(of: $0) })
    }

    /// Returns the request as it was resolved with these values.
    func request(with values: Values) -> SharedRequest? {
        known.withLock { known in
            guard let known, known.values == values else { return nil }
            return known.request
        }
    }

    func keep(_ request: SharedRequest, with values: Values) {
        guard request.value.isRepeatable else { return }
        known.withLock { $0 = (request, values) }
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
            // The turns of a request are in a row, but for those that pass others.
            if case .times = length { known = [:] }
            let new = RepeatedRequest(order)
            known[turn.order] = new
            return new
        }
    }
}
