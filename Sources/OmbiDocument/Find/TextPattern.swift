/// A regular expression in the syntax of a search (see `RegexParser`), for a yes or no: it also matches empty text. Its
/// tables are filled while it matches, so it belongs to one thread.
package final class TextPattern {
    private let machine: RegexMachine

    package init(_ source: String) throws(PatternError) {
        let node = try RegexParser.parse(source, ignoringCase: false)
        let program = try RegexProgram(node, isReversed: false, isAnchored: false)
        machine = RegexMachine(program, wantsLongest: false)
    }

    /// Returns true if any part of the text matches; false once the time is over.
    package func matches(_ text: Bytes, within time: EvaluationTime? = nil) -> Bool {
        machine.time = time
        return machine.end(in: text, from: 0, before: text.count, window: 0) != nil
    }
}
