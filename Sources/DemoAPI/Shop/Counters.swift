/// Counters that outlive a request, by name: the failures of `/flaky`, the calls of `/idempotent`.
actor Counters {
    private var counts: [String: Int] = [:]

    /// Increments a counter and returns its value. Beyond 10,000 names, all start over.
    func increment(_ name: String) -> Int {
        if counts.count >= 10_000 && counts[name] == nil { counts = [:] }
        counts[name, default: 0] += 1
        return counts[name, default: 0]
    }

    func reset(_ name: String) { counts[name] = nil }
}
