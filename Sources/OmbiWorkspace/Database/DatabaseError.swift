/// The reason why a database could not be opened, read or written.
struct DatabaseError: Error, Equatable, Sendable {
    enum Kind: Sendable {
        case libraryMissing, cannotOpen, readOnly, full, failed, busy, damaged, interrupted, other
    }

    var kind: Kind

    /// True where a file that cannot be written may be one that can be read.
    var mayBeReadable: Bool { [.cannotOpen, .readOnly, .full, .failed].contains(kind) }

    /// To follow a colon.
    var message: String

    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// - Parameters:
    ///   - code: a result code of SQLite, primary or extended.
    ///   - detail: its description by SQLite.
    init(code: CInt, _ detail: String) {
        switch code & 0xFF {
        // A lock of other programs that is taken again and again counts as one that is held.
        case 5, 6, 15: self.init(.busy, "another program is writing it and does not finish")
        case 10: self.init(.failed, "\(detail) (SQLite error \(code))")
        case 8: self.init(.readOnly, "it may not be written")
        case 9: self.init(.interrupted, "interrupted")
        case 11, 26: self.init(.damaged, "the file is damaged (\(detail))")
        case 13: self.init(.full, "the disk is full")
        case 14: self.init(.cannotOpen, "it cannot be opened")
        default: self.init(.other, "\(detail) (SQLite error \(code))")
        }
    }
}
