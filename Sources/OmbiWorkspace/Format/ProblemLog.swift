/// Collects every problem of one file while it is read, so that all of them are reported at once.
package final class ProblemLog {
    let document: JSONDocument
    /// The document for values that are read later. Each log has one of its own: threads that share one would count its
    /// references in turn.
    let shared: SharedDocument
    private let file: String
    /// True for a file that may hold the values of secrets.
    var allowsValues = false
    /// Nil while nothing but the document is looked at.
    private let checks: FileChecks?
    private(set) var entries: [Entry] = []
    /// The number of errors among the entries.
    private(set) var errorCount = 0
    /// True once a request was read that is based on an operation.
    var hasOperations = false

    /// A problem, and the byte at which it is.
    struct Entry: Sendable {
        var offset: Int
        var severity: Problem.Severity
        var message: String
    }

    init(file: String, document: JSONDocument, checks: FileChecks? = nil) {
        self.file = file
        self.document = document
        shared = SharedDocument(document)
        self.checks = checks
    }

    /// Returns the members of an object.
    // By itself, where the document need not be copied: threads that read parts of it would count its references in turn.
    @inline(never)
    func members(of node: JSONNode) -> ObjectMembers { document.members(ofObject: node) }

    /// True where nothing but the document is looked at: parts of it can be read at the same time.
    var isSimple: Bool { checks == nil && !allowsValues }

    /// Takes in the problems of a part that was read with a log of its own.
    func take(_ others: [Entry]) {
        entries += others
        errorCount += others.count { $0.severity == .error }
    }

    /// All problems in the order of the file.
    var problems: [Problem] {
        var locator = TextLocator(document.bytes)
        return entries.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }.map {
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

    /// Logs a warning for a file that cannot be read. A path with templates may be any.
    func check(file path: String, at offset: Int) {
        guard !path.isEmpty, !path.contains("{{"), let reason = checks?.reads(path) else { return }
        warning(at: offset, "\(path) cannot be read: \(reason); paths start at the folder of this file")
    }

    /// Logs an error for a file that can be read and holds no schema.
    func check(schema path: String, at offset: Int) {
        guard let checks, !path.isEmpty, checks.reads(path) == nil, let reason = checks.judges(path) else { return }
        error(at: offset, "\"schema\": \(reason)")
    }

    /// Logs a warning for settings that no request can be sent with on this system.
    func check(connection: Connection, key: String, at offset: Int) {
        guard let reason = checks?.refuses(connection) else { return }
        // The engine names its own member first.
        warning(at: offset, "\"\(key)\": it " + reason.drop { $0 != " " }.dropFirst())
    }

    /// Logs a warning for a scheme that no request can be sent with on this system.
    func check(scheme: ConnectionAuthentication.Scheme, at offset: Int) {
        if let reason = checks?.lacks(scheme) { warning(at: offset, "\"authentication\": \(reason)") }
    }

    /// Logs a warning for a `.netrc` file that others can read, or that cannot be read.
    /// - Parameter path: empty for that of the user.
    func check(netrc path: String, at offset: Int) {
        check(file: path, at: offset)
        if let reason = checks?.exposes(path) { warning(at: offset, "\"authentication\": \(reason)") }
    }

    package func error(at offset: Int, _ message: String) { add(.error, offset, message) }
    package func warning(at offset: Int, _ message: String) { add(.warning, offset, message) }

    func add(_ severity: Problem.Severity, _ offset: Int, _ message: String) {
        entries.append(Entry(offset: offset, severity: severity, message: message))
        if severity == .error { errorCount += 1 }
    }
}

/// Looks at what a file names and needs. Each check returns the reason for a problem; nil for none.
struct FileChecks {
    /// For a file that cannot be read.
    var reads: (_ path: String) -> String? = { _ in nil }
    /// For settings with which no request can be sent.
    var refuses: (Connection) -> String? = { _ in nil }
    /// For a file that holds no schema.
    var judges: (_ path: String) -> String? = { _ in nil }
    /// For a scheme that cannot be negotiated.
    var lacks: (ConnectionAuthentication.Scheme) -> String? = { _ in nil }
    /// For a `.netrc` file whose passwords are not private.
    var exposes: (_ netrc: String) -> String? = { _ in nil }
}

/// A secret without which a request cannot be filled in, and which can be had: a program has to run, or somebody to answer.
package struct MissingSecret: Sendable, Equatable, CustomStringConvertible {
    var name: String
    var flows: [Flow] = []
    /// True for a variable of the environment that is not set: at a screen its value can be typed.
    var isUnset = false
    /// The reason why there is no value, as a sentence.
    package var description: String
}
