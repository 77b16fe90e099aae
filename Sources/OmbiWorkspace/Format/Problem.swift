import OmbiDocument

/// A problem with a file, reported as compilers do, so that editors can jump to it.
public struct Problem: Sendable, Hashable {
    public enum Severity: String, Sendable, Hashable {
        /// The file cannot be used as it is.
        case error
        /// The file can be used, but probably not as intended.
        case warning
    }

    public var file: String
    /// Nil when the problem is with the file as a whole.
    public var position: TextPosition?
    public var severity: Severity
    /// The problem and its remedy, in one line.
    public var message: String

    public init(file: String, position: TextPosition? = nil, severity: Severity = .error, message: String) {
        self.file = file
        self.position = position
        self.severity = severity
        self.message = message
    }
}

extension Problem: Error, CustomStringConvertible {
    /// `file:line:column: error: message`
    public var description: String { "\(place(in: file)): \(severity.rawValue): \(message)" }

    /// `file:line:column`, without the folder of the file.
    public var shortPlace: String { place(in: file.split(separator: "/").last.map(String.init) ?? file) }

    private func place(in file: String) -> String {
        position.map { "\(file):\($0.line):\($0.column)" } ?? file
    }
}
