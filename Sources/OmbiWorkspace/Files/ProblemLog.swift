/// Collects every problem of one file while it is read, so that all of them are reported at once.
final class ProblemLog {
    private let file: String
    private let source: SourceText
    private var found: [Problem] = []

    init(file: String, source: SourceText) {
        self.file = file
        self.source = source
    }

    /// All problems in the order of the file.
    var problems: [Problem] {
        found.enumerated().sorted { left, right in
            let (first, second) = (left.element.position, right.element.position)
            guard let first, let second, first != second else { return left.offset < right.offset }
            return first < second
        }.map(\.element)
    }

    func error(at offset: Int, _ message: String) { add(.error, offset, message) }
    func warning(at offset: Int, _ message: String) { add(.warning, offset, message) }

    func add(_ mistake: JSONMistake, _ severity: Problem.Severity) {
        found.append(
            Problem(file: file, position: mistake.position, severity: severity, message: mistake.message))
    }

    private func add(_ severity: Problem.Severity, _ offset: Int, _ message: String) {
        found.append(
            Problem(file: file, position: source.position(at: offset), severity: severity, message: message))
    }
}
