import OmbiCore

/// Stops sending to a server that keeps failing: opens after some failures in a row, and after a time lets one attempt
/// through (half-open), whose outcome closes the circuit or opens it again.
actor CircuitBreaker<C: Clock>: RequestMiddleware where C.Duration == Duration {
    private enum State {
        case closed(failures: Int)
        case open(until: C.Instant)
        case halfOpen
    }

    private let maximumFailures: Int
    private let cooldown: Duration
    private let clock: C
    private var state = State.closed(failures: 0)

    init(maximumFailures: Int = 5, cooldown: Duration = .seconds(30), clock: C) {
        self.maximumFailures = maximumFailures
        self.cooldown = cooldown
        self.clock = clock
    }

    func send(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
        let isProbe = try admit()
        do {
            let response = try await next(request)
            settle(isProbe, failed: response.statusCode.map { $0 >= 500 } ?? false)
            return response
        } catch {
            if Task.isCancelled { withdraw(isProbe) } else { settle(isProbe, failed: true) }
            throw error
        }
    }

    /// Returns true for the attempt that finds out whether the server is back.
    private func admit() throws(CircuitOpen) -> Bool {
        switch state {
        case .closed: return false
        case .open(let end) where end <= clock.now:
            state = .halfOpen
            return true
        case .open, .halfOpen: throw CircuitOpen()
        }
    }

    /// While the circuit is open or half-open, only the probe counts; attempts from before change nothing any more.
    private func settle(_ isProbe: Bool, failed: Bool) {
        switch state {
        case .closed(let failures) where failed && failures + 1 < maximumFailures:
            state = .closed(failures: failures + 1)
        case .closed, .halfOpen:
            if case .halfOpen = state, !isProbe { return }
            state = failed ? .open(until: clock.now.advanced(by: cooldown)) : .closed(failures: 0)
        case .open: break
        }
    }

    /// A probe that was cancelled says nothing: the next attempt is the probe.
    private func withdraw(_ isProbe: Bool) {
        if isProbe { state = .open(until: clock.now) }
    }
}

/// Why nothing was sent.
struct CircuitOpen: Error, Equatable, CustomStringConvertible {
    var description: String { "the hub keeps failing, so nothing was sent; try again later" }
}
