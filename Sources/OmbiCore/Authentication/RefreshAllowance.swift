/// The refreshes of credentials that the responses with 401 of a run may cause: one, and one more for a nonce that is
/// stale (RFC 7616 §3.3), where the credentials themselves are right.
struct RefreshAllowance {
    private var hasRefreshed = false
    private var hasReplacedNonce = false

    /// Returns false if nothing is left for a response with this status and these challenges.
    func allows(_ response: TransportResponse) -> Bool {
        response.statusCode == 401 && (!hasRefreshed || response.hasStaleNonce && !hasReplacedNonce)
    }

    /// Counts a refresh.
    mutating func use(for response: TransportResponse) {
        if response.hasStaleNonce, !hasReplacedNonce { hasReplacedNonce = true } else { hasRefreshed = true }
    }
}

extension TransportResponse {
    fileprivate var hasStaleNonce: Bool {
        challenges.contains { $0.uses("Digest") && $0.parameters["stale"]?.lowercased() == "true" }
    }
}
