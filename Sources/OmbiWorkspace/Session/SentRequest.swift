import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The request of a result as it went on the wire, masked when it is first looked at: most results of a long run are only
/// counted.
final class SentRequest: Sendable {
    private let state: Lock<State>

    private enum State {
        case shown(PreparedRequest)
        /// The attempts are unmasked.
        case sent(SharedRequest, RequestReport, Redactor)
    }

    init(_ shown: PreparedRequest) { state = Lock(.shown(shown)) }

    /// - Parameters:
    ///   - report: unmasked; nil when nothing was sent.
    ///   - expiresAt: the expiry of the token that was sent.
    init(_ shared: SharedRequest, _ report: RequestReport?, _ redactor: Redactor, expiresAt: Date?) {
        guard let report, expiresAt == nil, report.attempts.last?.metrics.tls == nil else {
            // These say how long something lasts from now on.
            state = Lock(.shown(shared.prepared.sent(report, redactor, expiresAt: expiresAt)))
            return
        }
        state = Lock(.sent(shared, report, redactor))
    }

    var value: PreparedRequest {
        state.withLock { state in
            switch state {
            case .shown(let request): return request
            case .sent(let shared, let report, let redactor):
                let request = shared.prepared.sent(report, redactor)
                state = .shown(request)
                return request
            }
        }
    }
}

extension SentRequest: Equatable {
    static func == (one: SentRequest, other: SentRequest) -> Bool { one === other || one.value == other.value }
}

extension SentRequest: CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: ["value": value]) }
}
