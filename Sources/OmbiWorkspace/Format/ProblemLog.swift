import OmbiDocument

/// Collects every problem of one file while it is read, so that all of them are reported at once.
package final class ProblemLog {
    let document: JSONDocument
    private let file: String
    private var found: [(offset: Int, severity: Problem.Severity, message: String)] = []

    init(file: String, document: JSONDocument) {
        self.file = file
        self.document = document
    }

    /// All problems in the order of the file.
    var problems: [Problem] {
        var locator = TextLocator(document.bytes)
        return found.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }.map {
            Problem(
                file: file, position: locator.position(of: $0.element.offset), severity: $0.element.severity,
                message: $0.element.message)
        }
    }

    /// The line and column of an offset, for a message that names a second place.
    package func position(of offset: Int) -> TextPosition {
        var locator = TextLocator(document.bytes)
        return locator.position(of: offset)
    }

    package func error(at offset: Int, _ message: String) { add(.error, offset, message) }
    package func warning(at offset: Int, _ message: String) { add(.warning, offset, message) }

    func add(_ severity: Problem.Severity, _ offset: Int, _ message: String) {
        found.append((offset, severity, message))
    }
}
