/// A regular expression of RFC 9485. Its tables are filled while it matches, so it belongs to one thread.
///
/// A `^` that opens a branch and a `$` that closes one match the beginning and the end of the text, as in every engine
/// that RFC 9485, section 5, maps to and as the JSONPath compliance suite expects; elsewhere they stand for themselves.
final class IRegexp {
    private let node: RegexNode
    private lazy var whole = machine(isWhole: true)
    private lazy var part = machine(isWhole: false)

    /// The maximum number of compiled steps: `\p{L}` alone has 2000. Longer expressions, such as `(a{1000}){1000}`, are
    /// rejected.
    private static let maximumSteps = 200_000

    /// Returns nil for an expression that RFC 9485 does not allow or that is too long.
    init?(_ source: String) {
        var parser = IRegexpParser(source)
        guard let node = parser.parse() else { return nil }
        self.node = node
        guard part != nil else { return nil }
    }

    private func machine(isWhole: Bool) -> RegexMachine? {
        let program = try? RegexProgram(
            node, isReversed: false, isAnchored: isWhole, maximumSteps: Self.maximumSteps)
        return program.map { RegexMachine($0, wantsLongest: isWhole) }
    }

    /// - Parameter text: UTF-8. Invalid sequences (a lone surrogate) are matched as U+FFFD.
    /// - Parameter isWhole: True to match the whole text, false to match any part of it.
    func matches(_ text: [UInt8], isWhole: Bool, within time: EvaluationTime? = nil) -> Bool {
        let isASCII = text.allSatisfy { $0 < 0x80 }
        let bytes = isASCII ? Bytes(text) : Bytes(String(decoding: text, as: UTF8.self).utf8)
        let count = bytes.count
        let machine = isWhole ? whole : part
        machine?.time = time
        if isWhole { return machine?.end(in: bytes, from: 0, before: count, window: count) == count }
        return machine?.end(in: bytes, from: 0, before: count, window: 0) != nil
    }
}
