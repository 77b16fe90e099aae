import OmbiCore

extension SessionResult {
    /// Returns true for an attempt whose failure the run expects: one with the status of a run that passed, such as a 503
    /// that an expectation names, and one after which the run obtained new credentials, such as the first 401 of Digest.
    func expectsFailure(ofAttemptAt index: Int) -> Bool {
        let attempts = report?.attempts ?? []
        guard index < attempts.count else { return false }
        if index + 1 < attempts.count, attempts[index + 1].reason == .credentialsRefreshed { return true }
        guard passed, let status = attempts.last?.response?.statusCode else { return false }
        return attempts[index].response?.statusCode == status
    }

    /// The number of attempts without those with new credentials, which every run of Digest needs: no retries. Of a list
    /// in pages that of the page with the most.
    public var tries: Int {
        let attempts = report?.attempts ?? []
        guard pages != nil else { return attemptCount - attempts.count { $0.reason == .credentialsRefreshed } }
        var (most, current) = (0, 0)
        for attempt in attempts where attempt.reason != .credentialsRefreshed {
            current = attempt.reason == .first ? 1 : current + 1
            most = max(most, current)
        }
        return most
    }
}
