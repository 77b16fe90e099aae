/// What the parts of one evaluation share: the document, and whether to go on.
final class JSONPathRun {
    let document: JSONDocument
    /// What `$` stands for.
    let root: Int
    private let isCancelled: (() -> Bool)?
    private var steps = 0
    private(set) var isStopped = false
    /// The last pattern, ready to be used: mostly there is only one.
    private var pattern: (source: [UInt8], expression: IRegexp?)?

    init(document: JSONDocument, root: Int, isCancelled: (() -> Bool)?) {
        self.document = document
        self.root = root
        self.isCancelled = isCancelled
    }

    /// Notes that a value was looked at; false when the evaluation is to stop.
    @inline(__always) func step() -> Bool {
        steps &+= 1
        return steps & 0xFFF == 0 ? ask() : !isStopped
    }

    private func ask() -> Bool {
        if let isCancelled, isCancelled() { isStopped = true }
        return !isStopped
    }

    /// nil for a pattern that RFC 9485 does not allow.
    func expression(_ source: [UInt8]) -> IRegexp? {
        if let pattern, pattern.source == source { return pattern.expression }
        let expression = IRegexp(String(decoding: source, as: UTF8.self))
        pattern = (source, expression)
        return expression
    }
}
