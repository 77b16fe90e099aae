/// A file of SQLite: prepared statements, rows with types, and transactions. It is used by one thread at a time.
///
/// Several programs may use the file at once: readers never wait, and a writer waits for another for
/// `maximumWait`. A value of another type or beyond the range that is asked for makes its row a damaged one, which is left out.
final class Database {
    /// A value of a column or of a parameter.
    enum Value: Equatable, Sendable {
        case null
        case integer(Int)
        case text(String)
        case blob(Data)

        static func optional(_ value: Int?) -> Value { value.map(Value.integer) ?? .null }
        static func optional(_ value: String?) -> Value { value.map(Value.text) ?? .null }
    }

    enum Access: Sendable {
        /// The file is created where there is none.
        case write
        case read
        /// For a file that no program writes: creates nothing next to it, and ignores its log.
        case readAlone
    }

    /// Results and types of SQLite (sqlite3.h).
    enum Code {
        static let ok: CInt = 0
        static let row: CInt = 100
        static let done: CInt = 101
        static let tooBig: CInt = 18
        static let integer: CInt = 1
        static let text: CInt = 3
        static let blob: CInt = 4
        static let null: CInt = 5
        /// SQLITE_OPEN_READONLY, SQLITE_OPEN_READWRITE with SQLITE_OPEN_CREATE, SQLITE_OPEN_URI.
        static let read: CInt = 1
        static let write: CInt = 2 | 4
        static let address: CInt = 0x40
        /// SQLITE_TRANSIENT: SQLite copies the bytes.
        static var transient: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: -1) }
    }

    private static let maximumStatements = 64

    /// The time for which a program that writes is waited for.
    let maximumWait: Duration
    /// The rows that were left out, because no Ombi has written such values.
    private(set) var damagedRows = 0
    private let library: SQLiteLibrary
    private let handle: OpaquePointer?
    private var statements: [String: OpaquePointer] = [:]
    /// The number of results that are being read.
    private var reading = 0

    init(
        path: String, _ access: Access = .write, maximumWait: Duration = .seconds(5)
    ) throws(DatabaseError) {
        self.maximumWait = maximumWait
        library = try SQLiteLibrary.shared.get()
        var opened: OpaquePointer?
        let code =
            switch access {
            case .write: library.open(path, &opened, Code.write, nil)
            case .read: library.open(path, &opened, Code.read, nil)
            case .readAlone: library.open(Self.address(of: path), &opened, Code.read | Code.address, nil)
            }
        handle = opened
        if code != Code.ok {
            let error = Self.error(code, library, opened)
            _ = library.close(opened)
            throw error
        }
        setWait(maximumWait)
        // Sorting needs files otherwise, for which there may be no room.
        if access != .write { try execute("PRAGMA temp_store = MEMORY") }
    }

    /// A copy of another database in memory, which can be written where that cannot.
    init(copyOf other: Database) throws(DatabaseError) {
        (library, maximumWait) = (other.library, other.maximumWait)
        var opened: OpaquePointer?
        let code = library.open(":memory:", &opened, Code.write, nil)
        handle = opened
        guard code == Code.ok, let copy = library.beginCopy(opened, "main", other.handle, "main") else {
            throw error(code)
        }
        let copied = library.copy(copy, -1)
        _ = library.endCopy(copy)
        guard copied == Code.done else { throw error(copied) }
    }

    /// The URI of a file that no program writes (sqlite.org/uri.html).
    private static func address(of path: String) -> String {
        let escaped = path.utf8.reduce(into: "") { text, byte in
            let isPlain = byte > 0x20 && byte < 0x7F && !"%?#".utf8.contains(byte)
            let digits = String(byte, radix: 16)
            text += isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
        }
        return "file:" + escaped + "?immutable=1"
    }

    private func setWait(_ duration: Duration) {
        _ = library.busyTimeout(handle, CInt(clamping: duration.wholeMicroseconds / 1000))
    }

    deinit {
        for statement in statements.values { _ = library.finalize(statement) }
        _ = library.close(handle)
    }

    var lastInsertedRow: Int { Int(library.lastInsertedRow(handle)) }

    /// The number of migrations that the file has had.
    func schemaVersion() throws(DatabaseError) -> Int { try first("PRAGMA user_version") { $0.integer(0) } ?? 0 }

    /// Keeps a write-ahead log next to the file from now on, so that readers never wait. The file remembers it.
    ///
    /// SQLite itself does not wait here for another program that writes; the transaction around it does.
    func useWriteAheadLog() throws(DatabaseError) {
        let end = ContinuousClock.now + maximumWait
        while true {
            do throws(DatabaseError) {
                return try execute("PRAGMA journal_mode = WAL")
            } catch  where error.kind == .busy && ContinuousClock.now < end {
                try transaction { () throws(DatabaseError) in }
            }
        }
    }

    /// Runs statements without parameters and results.
    func execute(_ script: String) throws(DatabaseError) {
        let code = library.execute(handle, script, nil, nil, nil)
        guard code == Code.ok else { throw error(code) }
    }

    /// Runs a statement without a result.
    /// - Returns: the number of rows that it changed.
    @discardableResult
    func run(_ sql: String, _ values: Value...) throws(DatabaseError) -> Int {
        try forEach(sql, values) { _ in true }
        return Int(library.changes(handle))
    }

    /// Returns nil for a row that is damaged, too.
    func first<Result>(_ sql: String, _ values: Value..., read: (Row) -> Result) throws(DatabaseError) -> Result? {
        var result: Result?
        try forEach(sql, values) { row in
            let value = read(row)
            if !row.isDamaged { result = value }
            return false
        }
        return result
    }

    func rows<Result>(_ sql: String, _ values: [Value] = [], read: (Row) -> Result) throws(DatabaseError) -> [Result] {
        var results: [Result] = []
        try forEach(sql, values) { row in
            let value = read(row)
            if !row.isDamaged { results.append(value) }
            return true
        }
        return results
    }

    /// Hands on each row of a result until the closure returns false. The closure must not run the same statement.
    func forEach(_ sql: String, _ values: [Value] = [], _ body: (Row) -> Bool) throws(DatabaseError) {
        let statement = try statement(sql)
        reading += 1
        defer {
            reading -= 1
            _ = library.reset(statement)
            _ = library.clearBindings(statement)
        }
        for (index, value) in values.enumerated() {
            let code = bind(value, to: statement, at: CInt(index + 1))
            guard code == Code.ok else { throw error(code) }
        }
        let row = Row(library, statement)
        while true {
            switch library.step(statement) {
            case Code.row:
                row.begin()
                let goesOn = body(row)
                if row.isDamaged { damagedRows += 1 }
                if !goesOn { return }
            case Code.done: return
            case let code: throw error(code)
            }
        }
    }

    /// Performs all changes, or none if one throws. Other programs write before or after it.
    func transaction<Result>(_ body: () throws(DatabaseError) -> Result) throws(DatabaseError) -> Result {
        try begin()
        return try whole(body, end: "COMMIT", undo: "ROLLBACK")
    }

    /// Performs all changes of a part of a transaction, or none of them if one throws.
    func part<Result>(_ body: () throws(DatabaseError) -> Result) throws(DatabaseError) -> Result {
        try execute("SAVEPOINT part")
        return try whole(body, end: "RELEASE part", undo: "ROLLBACK TO part; RELEASE part")
    }

    private func whole<Result>(
        _ body: () throws(DatabaseError) -> Result, end: String, undo: String
    ) throws(DatabaseError) -> Result {
        do throws(DatabaseError) {
            let result = try body()
            try execute(end)
            return result
        } catch {
            // SQLite may have rolled it back by itself, and then says that there is none.
            try? execute(undo)
            throw error
        }
    }

    /// Counts a row as damaged whose values are refused elsewhere.
    func rejectRow() { damagedRows += 1 }

    /// Waits for its turn. By itself SQLite looks less and less often the longer it waits, so that a program that writes again and
    /// again keeps the others away.
    private func begin() throws(DatabaseError) {
        let end = ContinuousClock.now + maximumWait
        setWait(min(maximumWait, .milliseconds(10)))
        defer { setWait(maximumWait) }
        while true {
            do throws(DatabaseError) {
                return try execute("BEGIN IMMEDIATE")
            } catch  where error.kind == .busy && ContinuousClock.now < end {}
        }
    }

    // MARK: Statements

    private func statement(_ sql: String) throws(DatabaseError) -> OpaquePointer {
        if let known = statements[sql] { return known }
        var prepared: OpaquePointer?
        let code = library.prepare(handle, sql, -1, &prepared, nil)
        guard code == Code.ok, let prepared else { throw error(code) }
        if statements.count >= Self.maximumStatements, reading == 0 {
            for statement in statements.values { _ = library.finalize(statement) }
            statements = [:]
        }
        statements[sql] = prepared
        return prepared
    }

    private func bind(_ value: Value, to statement: OpaquePointer, at index: CInt) -> CInt {
        switch value {
        case .null: return library.bindNull(statement, index)
        case .integer(let value): return library.bindInteger(statement, index, Int64(value))
        case .text(var text):
            return text.withUTF8 { bytes in
                guard let count = CInt(exactly: bytes.count) else { return Code.tooBig }
                return bytes.withMemoryRebound(to: CChar.self) { characters in
                    // Without an address the value would be NULL.
                    characters.baseAddress.map {
                        library.bindText(statement, index, $0, count, Code.transient)
                    } ?? library.bindText(statement, index, "", 0, Code.transient)
                }
            }
        case .blob(let data):
            guard let count = CInt(exactly: data.count) else { return Code.tooBig }
            return data.withUnsafeBytes { bytes in
                bytes.baseAddress.map { library.bindBlob(statement, index, $0, count, Code.transient) }
                    ?? library.bindBlob(statement, index, "", 0, Code.transient)
            }
        }
    }

    private func error(_ code: CInt) -> DatabaseError { Self.error(code, library, handle) }

    private static func error(_ code: CInt, _ library: SQLiteLibrary, _ handle: OpaquePointer?) -> DatabaseError {
        DatabaseError(code: code, library.message(handle).map { String(cString: $0) } ?? "no description")
    }
}

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

        /// Counts the row as a damaged one.
        func reject() { isDamaged = true }

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

        /// A count, or a number of bytes; 0 for NULL.
        func count(_ column: Int) -> Int { integer(column, in: StoredRange.count) }
        func optionalCount(_ column: Int) -> Int? { isNull(column) ? nil : count(column) }

        /// The code of an HTTP response; nil for NULL.
        func status(_ column: Int) -> Int? { isNull(column) ? nil : integer(column, in: StoredRange.status) }

        /// Zero for NULL.
        func duration(_ column: Int) -> Duration { .microseconds(integer(column, in: StoredRange.duration)) }
        func optionalDuration(_ column: Int) -> Duration? { isNull(column) ? nil : duration(column) }

        /// The date in a column; 1970 for NULL.
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

/// The ranges of numbers in a file that may be damaged: numbers within them can be added, multiplied and shown.
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
        case libraryMissing, cannotOpen, readOnly, full, failed, busy, damaged, interrupted, refused, other
    }

    var kind: Kind

    /// True if a file that cannot be written may still be readable.
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
        // A constraint, a type or a number of a parameter: these values are in no row of Ombi.
        case 19, 20, 25: self.init(.refused, "\(detail) (SQLite error \(code))")
        default: self.init(.other, "\(detail) (SQLite error \(code))")
        }
    }
}

/// The functions of libsqlite3 that Ombi calls, loaded with the first database. Its handles are opaque, so no header is
/// needed to build.
struct SQLiteLibrary: Sendable {
    typealias Text = UnsafePointer<CChar>

    let open: @convention(c) @Sendable (Text, UnsafeMutablePointer<OpaquePointer?>, CInt, Text?) -> CInt
    let close: @convention(c) @Sendable (OpaquePointer?) -> CInt
    let busyTimeout: @convention(c) @Sendable (OpaquePointer?, CInt) -> CInt
    let message: @convention(c) @Sendable (OpaquePointer?) -> Text?
    let lastInsertedRow: @convention(c) @Sendable (OpaquePointer?) -> Int64
    let changes: @convention(c) @Sendable (OpaquePointer?) -> CInt
    let execute:
        @convention(c) @Sendable (
            OpaquePointer?, Text, OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<Text?>?
        ) -> CInt

    let beginCopy: @convention(c) @Sendable (OpaquePointer?, Text, OpaquePointer?, Text) -> OpaquePointer?
    let copy: @convention(c) @Sendable (OpaquePointer?, CInt) -> CInt
    let endCopy: @convention(c) @Sendable (OpaquePointer?) -> CInt

    let prepare:
        @convention(c) @Sendable (
            OpaquePointer?, Text, CInt, UnsafeMutablePointer<OpaquePointer?>, UnsafeMutablePointer<Text?>?
        ) -> CInt
    let step: @convention(c) @Sendable (OpaquePointer?) -> CInt
    let reset: @convention(c) @Sendable (OpaquePointer?) -> CInt
    let clearBindings: @convention(c) @Sendable (OpaquePointer?) -> CInt
    let finalize: @convention(c) @Sendable (OpaquePointer?) -> CInt

    let bindNull: @convention(c) @Sendable (OpaquePointer?, CInt) -> CInt
    let bindInteger: @convention(c) @Sendable (OpaquePointer?, CInt, Int64) -> CInt
    let bindText: @convention(c) @Sendable (OpaquePointer?, CInt, Text?, CInt, UnsafeRawPointer?) -> CInt
    let bindBlob: @convention(c) @Sendable (OpaquePointer?, CInt, UnsafeRawPointer?, CInt, UnsafeRawPointer?) -> CInt

    let columnType: @convention(c) @Sendable (OpaquePointer?, CInt) -> CInt
    let columnInteger: @convention(c) @Sendable (OpaquePointer?, CInt) -> Int64
    let columnBytes: @convention(c) @Sendable (OpaquePointer?, CInt) -> CInt
    let columnText: @convention(c) @Sendable (OpaquePointer?, CInt) -> UnsafePointer<UInt8>?
    let columnBlob: @convention(c) @Sendable (OpaquePointer?, CInt) -> UnsafeRawPointer?

    /// Loaded once.
    static let shared: Result<SQLiteLibrary, DatabaseError> = Result { () throws(DatabaseError) in try SQLiteLibrary() }

    #if canImport(Darwin)
    private static let names = ["/usr/lib/libsqlite3.dylib"]
    #else
    private static let names = ["libsqlite3.so.0"]
    #endif

    private init() throws(DatabaseError) {
        guard let library = SharedLibrary(Self.names) else {
            throw DatabaseError(.libraryMissing, "there is no SQLite on this system; install libsqlite3-0")
        }
        open = try Self.find("sqlite3_open_v2", in: library)
        close = try Self.find("sqlite3_close_v2", in: library)
        busyTimeout = try Self.find("sqlite3_busy_timeout", in: library)
        message = try Self.find("sqlite3_errmsg", in: library)
        lastInsertedRow = try Self.find("sqlite3_last_insert_rowid", in: library)
        changes = try Self.find("sqlite3_changes", in: library)
        execute = try Self.find("sqlite3_exec", in: library)
        beginCopy = try Self.find("sqlite3_backup_init", in: library)
        copy = try Self.find("sqlite3_backup_step", in: library)
        endCopy = try Self.find("sqlite3_backup_finish", in: library)
        prepare = try Self.find("sqlite3_prepare_v2", in: library)
        step = try Self.find("sqlite3_step", in: library)
        reset = try Self.find("sqlite3_reset", in: library)
        clearBindings = try Self.find("sqlite3_clear_bindings", in: library)
        finalize = try Self.find("sqlite3_finalize", in: library)
        bindNull = try Self.find("sqlite3_bind_null", in: library)
        bindInteger = try Self.find("sqlite3_bind_int64", in: library)
        bindText = try Self.find("sqlite3_bind_text", in: library)
        bindBlob = try Self.find("sqlite3_bind_blob", in: library)
        columnType = try Self.find("sqlite3_column_type", in: library)
        columnInteger = try Self.find("sqlite3_column_int64", in: library)
        columnBytes = try Self.find("sqlite3_column_bytes", in: library)
        columnText = try Self.find("sqlite3_column_text", in: library)
        columnBlob = try Self.find("sqlite3_column_blob", in: library)
    }

    /// Returns a function; the caller gives its C type, as sqlite3.h declares it.
    private static func find<Function>(_ name: String, in library: SharedLibrary) throws(DatabaseError) -> Function {
        guard let function: Function = library.find(name) else {
            throw DatabaseError(.libraryMissing, "the SQLite of this system is too old: it has no \(name)")
        }
        return function
    }
}
