/// The share of retries that an origin is sent, so that retries do not keep a server down that cannot answer first
/// attempts.
///
/// In the last 60 seconds, at most `share` times the first attempts are retries, and `minimum` of them in any case: few
/// requests can be retried, too. A retry counts when it is decided, before its wait. Only requests with a budget count,
/// and neither `RequestHandle.retryNow()` nor new credentials nor the next connection of a stream takes from it.
public struct RetryBudget: Sendable, Equatable {
    /// The retries for each first attempt: 0.2 is one for five. Less than 0 and what is no number count as 0.
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

/// The budget of an origin at the time at which it had no retry left.
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

/// The rule by which attempts are held while their origin does not answer.
///
/// The breaker opens after `failures` failed attempts in `within`: failed connections, time limits, and statuses from
/// 500 on. For the time of `pause` attempts wait, within the SLA of their runs. Then one of them is sent as a probe: if
/// it succeeds the breaker closes and all of them are sent, else it pauses again.
///
/// All runs whose policies have a breaker share the state of an origin (`OriginRegistry`); the run whose attempt fails
/// gives the settings. WebSockets have none.
public struct CircuitBreaker: Sendable, Equatable {
    /// The failures that open the breaker, from 1 to 1000.
    public var failures: Int
    /// The time in which they count.
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

    /// Returns true for a status from 500 on that is not expected. A 4xx says something about the request.
    package func isFailure(_ statusCode: Int) -> Bool {
        statusCode >= 500 && !expectedStatusCodes.contains(statusCode)
    }

    /// Returns true for a failure of the way to the server. What went wrong on this machine says nothing about it.
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
