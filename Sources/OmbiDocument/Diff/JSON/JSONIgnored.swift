/// The values of a document that a comparison passes over, as if they were absent.
struct JSONIgnored {
    /// One for each entry of the tape; empty where nothing is ignored.
    private var flags: [Bool] = []

    /// Values that take longer to find than `EvaluationTime.limit` are compared.
    /// - Returns: nil when cancelled.
    init?(_ paths: [JSONPath], in document: JSONDocument, isCancelled: () -> Bool) {
        var found: [Bool] = []
        let interruption = withoutActuallyEscaping(isCancelled) { isCancelled in
            let time = EvaluationTime(isCancelled: isCancelled)
            for path in paths {
                for root in document.roots where time.poll() {
                    for node in path.matches(in: document, root: root, within: time) {
                        if found.isEmpty { found = Array(repeating: false, count: document.count) }
                        found[node.index] = true
                    }
                }
            }
            return time.interruption
        }
        if interruption == .cancelled { return nil }
        flags = found
    }

    @inline(__always) subscript(index: Int) -> Bool { index < flags.count && flags[index] }
}
