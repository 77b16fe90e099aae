/// The shared knowledge of all runs to one origin: the state of its circuit breaker, and the retries of its budget.
///
/// A value without a clock: each call brings the time, which never goes back.
package struct OriginHealth: Sendable {
    /// The decision about an attempt that is to start.
    package enum Admission: Sendable {
        /// It starts; its outcome is reported with the pass, exactly once.
        case pass(Pass)
        /// Holds the attempt, which asks again at `until`, when the next probe is due; nil while a probe is under way.
        case hold(until: Duration?)
    }

    /// The permission of an attempt, which counts as long as the breaker stays in the state that gave it.
    package struct Pass: Sendable {
        fileprivate let generation: Int
    }

    /// An attempt as far as the breaker is concerned.
    package enum Outcome: Sendable {
        /// The server has answered, and be it with a 404.
        case success
        /// No response, or one that reports a failure of the server.
        case failure
        /// An attempt that was cancelled, or failed on this machine.
        case unknown
    }

    private enum State: Sendable {
        case closed
        case open(until: Duration)
        /// Half-open. So many probes are under way; the first outcome decides.
        case probing(Int)
    }

    /// The time of the last call.
    private var now = Duration.zero
    private var state = State.closed
    /// Grows with each change of the state: outcomes of attempts that began before it do not count.
    private var generation = 0
    /// The times of failures since the breaker closed, the newest last.
    private var failures: [Duration] = []
    private var budget = RetryWindow()

    package init() {}

    // MARK: Breaker

    /// - Parameter asProbe: true for an attempt that is not held in any state.
    package mutating func admit(at time: Duration, asProbe: Bool = false) -> Admission {
        now = max(now, time)
        switch state {
        case .closed: break
        case .open(let until):
            guard asProbe || until <= now else { return .hold(until: until) }
            change(to: .probing(1))
        case .probing(let count):
            guard asProbe else { return .hold(until: nil) }
            state = .probing(count + 1)
        }
        return .pass(Pass(generation: generation))
    }

    /// - Parameter breaker: The settings of the run that made the attempt.
    /// - Returns: true if held attempts must ask again.
    package mutating func report(
        _ outcome: Outcome, of pass: Pass, _ breaker: CircuitBreaker, at time: Duration
    ) -> Bool {
        now = max(now, time)
        guard pass.generation == generation else { return false }
        switch state {
        case .open: return false
        case .closed:
            if case .failure = outcome { fail(breaker) }
            return false
        case .probing(let count):
            switch outcome {
            case .success: change(to: .closed)
            case .failure: pause(breaker)
            case .unknown where count > 1:
                state = .probing(count - 1)
                return false
            case .unknown: change(to: .open(until: now))
            }
            return true
        }
    }

    private mutating func fail(_ breaker: CircuitBreaker) {
        failures.append(now)
        if failures.count > CircuitBreaker.maximumFailures { failures.removeFirst() }
        let recent = failures.count { now - $0 < breaker.within }
        if recent >= min(max(breaker.failures, 1), CircuitBreaker.maximumFailures) { pause(breaker) }
    }

    private mutating func pause(_ breaker: CircuitBreaker) {
        change(to: .open(until: now + min(max(breaker.pause, .zero), .longest)))
    }

    private mutating func change(to state: State) {
        self.state = state
        generation += 1
        failures.removeAll()
    }

    // MARK: Budget

    /// Counts the first attempt of a run.
    package mutating func countRequest(at time: Duration) {
        now = max(now, time)
        budget.add(isRetry: false, at: now)
    }

    /// Takes a retry from the budget.
    /// - Returns: the first attempts and the retries of the last 60 seconds where none is left; else nil.
    package mutating func takeRetry(_ budget: RetryBudget, at time: Duration) -> (requests: Int, retries: Int)? {
        now = max(now, time)
        self.budget.advance(to: now)
        let (requests, retries) = (self.budget.requests, self.budget.retries)
        guard retries < budget.retries(for: requests) else { return (requests, retries) }
        self.budget.add(isRetry: true, at: now)
        return nil
    }

    // MARK: Age

    /// Returns true if nothing would be lost by forgetting the origin.
    func isIdle(at time: Duration) -> Bool {
        guard time - now > Self.memory else { return false }
        return switch state {
        case .closed: true
        case .open(let until): until < time
        case .probing: false
        }
    }

    /// The longest time in which failures count.
    private static let memory = Duration.seconds(24 * 3600)
}

/// The first attempts and the retries of the current second and the 59 before it.
private struct RetryWindow: Sendable {
    private static let length = 60

    /// The counts of each second, at its number modulo 60; empty before the first one.
    private var requestsOfSecond: [Int] = []
    private var retriesOfSecond: [Int] = []
    private var second = 0
    private(set) var requests = 0
    private(set) var retries = 0

    mutating func add(isRetry: Bool, at time: Duration) {
        advance(to: time)
        let slot = second % Self.length
        if isRetry {
            retriesOfSecond[slot] += 1
            retries += 1
        } else {
            requestsOfSecond[slot] += 1
            requests += 1
        }
    }

    /// The maximum age of a failure that counts.
    mutating func advance(to time: Duration) {
        let now = max(0, Int(clamping: time.components.seconds))
        if requestsOfSecond.isEmpty {
            requestsOfSecond = Array(repeating: 0, count: Self.length)
            retriesOfSecond = requestsOfSecond
            second = now
        }
        guard now > second else { return }
        for passed in max(second + 1, now - Self.length + 1)...now {
            let slot = passed % Self.length
            requests -= requestsOfSecond[slot]
            retries -= retriesOfSecond[slot]
            (requestsOfSecond[slot], retriesOfSecond[slot]) = (0, 0)
        }
        second = now
    }
}

/// The share of retries that an origin is sent, so that retries do not keep a server down that cannot answer first
/// attempts.
///
/// In the last 60 seconds, at most `share` times the first attempts are retries, and `minimum` of them in any case: few
/// requests can be retried, too. A retry counts when it is decided, before its wait. Only requests with a budget count,
/// and neither `RequestHandle.retryNow()` nor new credentials nor the next connection of a stream takes from it.
public struct RetryBudget: Sendable, Equatable {
    /// The number of retries per first attempt: 0.2 allows one retry for five requests. Negative numbers and NaN count
    /// as 0.
    public var share: Double
    /// The retries that are sent however few first attempts there were, 3 by default.
    public var minimum: Int

    /// Creates a budget.
    public init(share: Double, minimum: Int = 3) {
        self.share = share
        self.minimum = minimum
    }

    /// Returns the maximum number of retries for a number of first attempts.
    package func retries(for requests: Int) -> Int {
        let share = share.isFinite ? min(max(share, 0), 1000) : 0
        // A hair more, for shares that have no exact number.
        return max(minimum, Int(share * Double(requests) + 1e-9))
    }
}

/// The budget of an origin at the moment when it had no retry left.
public struct SpentRetryBudget: Sendable, Equatable {
    /// Host and port of the origin: "api.example.com".
    public var server: String
    /// `RetryBudget.share`.
    public var share: Double
    /// The first attempts of the last 60 seconds.
    public var requests: Int
    /// The retries of the last 60 seconds.
    public var retries: Int

    /// Creates the figures, for tests and for programs that store reports.
    public init(server: String, share: Double, requests: Int, retries: Int) {
        self.server = server
        self.share = share
        self.requests = requests
        self.retries = retries
    }
}

extension SpentRetryBudget: CustomStringConvertible {
    /// "retry budget of api.example.com spent: 20 % of the last 50 requests"; the number of retries if the minimum
    /// allowed them.
    public var description: String {
        let percent = share.isFinite ? (share * 1000).rounded() / 10 : 0
        let text = percent == percent.rounded() && abs(percent) < 1e6 ? "\(Int(percent))" : "\(percent)"
        let isMinimum = Double(retries) > share * Double(requests)
        return "retry budget of \(server) spent: "
            + (isMinimum ? "\(retries) in the last minute" : "\(text) % of the last \(requests) requests")
    }
}

/// The rule that holds attempts while their origin does not respond.
///
/// The breaker opens after `failures` failed attempts within `within`: failed connections, timeouts, and statuses from
/// 500 on. Attempts then wait for `pause`, within the SLA of their runs, before one of them is sent as a probe. If it
/// succeeds, the breaker closes and the others are sent; if not, it pauses again.
///
/// All runs whose policies have a breaker share the state of an origin (`OriginRegistry`); the run whose attempt fails
/// provides the settings. A WebSocket has no breaker.
public struct CircuitBreaker: Sendable, Equatable {
    /// The failures that open the breaker, from 1 to 1000.
    public var failures: Int
    /// The time within which `failures` failures open the breaker.
    public var within: Duration
    /// The time before a probe.
    public var pause: Duration
    /// The statuses from 500 on that a request expects, which are no failures; none by default.
    public var expectedStatusCodes: Set<Int>

    /// The maximum number of failures that are counted.
    package static let maximumFailures = 1000

    /// Creates a breaker; by default, five failures in 30 seconds open it for 10 seconds.
    public init(
        failures: Int = 5, within: Duration = .seconds(30), pause: Duration = .seconds(10),
        expectedStatusCodes: Set<Int> = []
    ) {
        self.failures = failures
        self.within = within
        self.pause = pause
        self.expectedStatusCodes = expectedStatusCodes
    }

    /// Returns true for an unexpected status from 500 on. A 4xx is a fault of the request, not of the server.
    package func isFailure(_ statusCode: Int) -> Bool {
        statusCode >= 500 && !expectedStatusCodes.contains(statusCode)
    }

    /// Returns true for a failure on the way to the server, and false for one on this machine.
    package static func isFailure(_ code: TransportError.Code) -> Bool {
        switch code {
        case .cannotFindHost, .cannotConnectToHost, .connectionLost, .timedOut, .secureConnectionFailed,
            .certificateNotTrusted, .malformedResponse:
            true
        case .cancelled, .tooManyRedirects, .redirectRefused, .responseTooLarge, .requestBodyFailed,
            .responseNotStored, .unsupportedURL, .unsupportedOption, .noDescriptors, .outOfMemory,
            .transportUnavailable, .refused, .unknown:
            false
        }
    }
}
