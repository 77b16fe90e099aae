/// Numbers that outlive a request, by name: how often `/flaky` has failed, what `/idempotent` has done.
actor Counters {
    private var counts: [String: Int] = [:]

    /// Counts one more, and tells the new count. Past 10 000 names all begin anew.
    func increment(_ name: String) -> Int {
        if counts.count >= 10_000 && counts[name] == nil { counts = [:] }
        counts[name, default: 0] += 1
        return counts[name, default: 0]
    }

    func reset(_ name: String) { counts[name] = nil }
}
