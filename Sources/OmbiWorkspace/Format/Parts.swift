/// Reads parts of a large file at the same time.
enum Parts {
    /// In bytes. Less is read before another thread has begun.
    private static let size = 100_000

    /// The number of parts to read that many bytes in: many for each processor, of which some begin late.
    static func count(bytes: Int) -> Int {
        let wanted = bytes / size
        // The processors are counted by reading a file, which a small collection need not wait for.
        return wanted > 1 && Processors.count > 1 ? min(wanted, 8 * Processors.count) : 1
    }

    /// Returns what `read` makes of each part, in order.
    static func map<Result: Sendable>(_ count: Int, _ read: @Sendable (_ part: Int) -> Result) -> [Result] {
        if count == 1 { return [read(0)] }
        let results = Lock<[Int: Result]>([:])
        DispatchQueue.concurrentPerform(iterations: count) { part in
            let result = read(part)
            results.withLock { $0[part] = result }
        }
        let all = results.withLock { $0 }
        return (0..<count).compactMap { all[$0] }
    }
}
