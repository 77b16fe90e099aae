/// The values of a document that a comparison passes over, as if they were absent.
struct JSONIgnored {
    /// One for each entry of the tape; empty where nothing is ignored.
    private var flags: [Bool] = []

    /// - Returns: nil when cancelled.
    init?(_ paths: [JSONPath], in document: JSONDocument, isCancelled: () -> Bool) {
        for path in paths {
            for root in document.roots {
                if isCancelled() { return nil }
                for node in path.matches(in: document, root: root) {
                    if flags.isEmpty { flags = Array(repeating: false, count: document.count) }
                    flags[node.index] = true
                }
            }
        }
    }

    @inline(__always) subscript(index: Int) -> Bool { index < flags.count && flags[index] }
}
