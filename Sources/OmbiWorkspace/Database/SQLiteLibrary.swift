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
