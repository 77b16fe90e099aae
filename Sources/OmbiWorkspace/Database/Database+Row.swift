extension Database {
    /// A row of a result, valid only while it is read. Whatever a damaged file holds, its values are within their ranges.
    final class Row {
        private let library: SQLiteLibrary
        private let statement: OpaquePointer
        /// True once a value was read that is none of Ombi.
        private(set) var isDamaged = false

        init(_ library: SQLiteLibrary, _ statement: OpaquePointer) {
            (self.library, self.statement) = (library, statement)
        }

        /// Makes it the next row.
        func begin() { isDamaged = false }

        private func type(_ column: Int) -> CInt { library.columnType(statement, CInt(column)) }

        func isNull(_ column: Int) -> Bool { type(column) == Code.null }

        /// Returns true for a value of a type; a value of another one but NULL is damage.
        private func has(_ type: CInt, _ column: Int) -> Bool {
            let found = self.type(column)
            if found != type, found != Code.null { isDamaged = true }
            return found == type
        }

        /// 0 for NULL.
        func integer(_ column: Int) -> Int {
            has(Code.integer, column) ? Int(library.columnInteger(statement, CInt(column))) : 0
        }

        func optionalInteger(_ column: Int) -> Int? { isNull(column) ? nil : integer(column) }

        private func integer(_ column: Int, in range: ClosedRange<Int>) -> Int {
            let value = integer(column)
            if !range.contains(value) { isDamaged = true }
            return min(max(value, range.lowerBound), range.upperBound)
        }

        /// A number of things, or of bytes; 0 for NULL.
        func count(_ column: Int) -> Int { integer(column, in: StoredRange.count) }
        func optionalCount(_ column: Int) -> Int? { isNull(column) ? nil : count(column) }

        /// The code of an HTTP response; nil for NULL.
        func status(_ column: Int) -> Int? { isNull(column) ? nil : integer(column, in: StoredRange.status) }

        /// Zero for NULL.
        func duration(_ column: Int) -> Duration { .microseconds(integer(column, in: StoredRange.duration)) }
        func optionalDuration(_ column: Int) -> Duration? { isNull(column) ? nil : duration(column) }

        /// That of 1970 for NULL.
        func date(_ column: Int) -> Date { Date(microseconds: integer(column, in: StoredRange.date)) }

        /// Empty for NULL.
        func text(_ column: Int) -> String {
            guard has(Code.text, column), let bytes = library.columnText(statement, CInt(column)) else { return "" }
            let count = Int(library.columnBytes(statement, CInt(column)))
            return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
        }

        func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }

        /// Empty for NULL.
        func blob(_ column: Int) -> Data {
            guard has(Code.blob, column), let bytes = library.columnBlob(statement, CInt(column)) else { return Data() }
            return Data(bytes: bytes, count: Int(library.columnBytes(statement, CInt(column))))
        }
    }
}

/// The ranges of numbers in a file that may be damaged: what is within them can be added up, multiplied and shown.
enum StoredRange {
    /// Far more than is recorded.
    static let count = 0...1 << 40
    static let status = 0...999
    /// In microseconds: 31 years. A clock that is set may make one negative.
    static let duration = -1_000_000_000_000_000...1_000_000_000_000_000
    /// In microseconds since 1970: the years 1 to 9999.
    static let date = -62_135_596_800_000_000...253_402_300_799_999_999
}

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
