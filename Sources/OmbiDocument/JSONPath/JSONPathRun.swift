/// The shared state of one evaluation: the document and the cancellation flag.
final class JSONPathRun {
    let document: JSONDocument
    /// The index of the value that `$` stands for.
    let root: Int
    private let isCancelled: (() -> Bool)?
    private var steps = 0
    private(set) var isStopped = false
    /// The last pattern, compiled: usually there is only one.
    private var pattern: (source: [UInt8], expression: IRegexp?)?

    init(document: JSONDocument, root: Int, isCancelled: (() -> Bool)?) {
        self.document = document
        self.root = root
        self.isCancelled = isCancelled
    }

    /// Counts a visited value. Returns false once the evaluation is cancelled.
    @inline(__always) func step() -> Bool {
        steps &+= 1
        return steps & 0xFFF == 0 ? ask() : !isStopped
    }

    private func ask() -> Bool {
        if let isCancelled, isCancelled() { isStopped = true }
        return !isStopped
    }

    /// Returns nil for a pattern that RFC 9485 does not allow.
    func expression(_ source: [UInt8]) -> IRegexp? {
        if let pattern, pattern.source == source { return pattern.expression }
        let expression = IRegexp(String(decoding: source, as: UTF8.self))
        pattern = (source, expression)
        return expression
    }
}
