/// A problem with a file, reported as compilers do, so that editors can jump to it.
package struct Problem: Sendable, Hashable {
    package enum Severity: String, Sendable, Hashable {
        /// The file cannot be used as it is.
        case error
        /// The file can be used, but probably not as intended.
        case warning
    }

    package var file: String
    /// Nil when the problem is with the file as a whole.
    package var position: TextPosition?
    package var severity: Severity
    package var message: String

    package init(file: String, position: TextPosition? = nil, severity: Severity = .error, message: String) {
        self.file = file
        self.position = position
        self.severity = severity
        self.message = message
    }
}

extension Problem: Error, CustomStringConvertible {
    /// `file:line:column: error: message`
    package var description: String { "\(place(in: file)): \(severity.rawValue): \(message)" }

    /// `file:line:column`, without the folder of the file.
    package var shortPlace: String { place(in: file.split(separator: "/").last.map(String.init) ?? file) }

    private func place(in file: String) -> String {
        position.map { "\(file):\($0.line):\($0.column)" } ?? file
    }
}
