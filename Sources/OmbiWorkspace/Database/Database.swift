#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A file of SQLite: prepared statements, rows with types, and transactions. It is used by one thread at a time.
///
/// Several programs may use the file at once: readers never wait, and a writer waits for another for
/// `maximumWait`.
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

    /// A row of a result, valid only while it is read.
    struct Row {
        fileprivate let library: SQLiteLibrary
        fileprivate let statement: OpaquePointer

        func isNull(_ column: Int) -> Bool { library.columnType(statement, CInt(column)) == Code.null }

        /// 0 for NULL.
        func integer(_ column: Int) -> Int { Int(library.columnInteger(statement, CInt(column))) }
        func optionalInteger(_ column: Int) -> Int? { isNull(column) ? nil : integer(column) }

        /// Empty for NULL.
        func text(_ column: Int) -> String {
            guard let bytes = library.columnText(statement, CInt(column)) else { return "" }
            let count = Int(library.columnBytes(statement, CInt(column)))
            return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
        }

        func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }

        /// Empty for NULL.
        func blob(_ column: Int) -> Data {
            guard let bytes = library.columnBlob(statement, CInt(column)) else { return Data() }
            return Data(bytes: bytes, count: Int(library.columnBytes(statement, CInt(column))))
        }
    }

    /// Results and types of SQLite (sqlite3.h).
    private enum Code {
        static let ok: CInt = 0
        static let row: CInt = 100
        static let done: CInt = 101
        static let null: CInt = 5
        /// SQLITE_OPEN_READWRITE, and with SQLITE_OPEN_CREATE.
        static let readWrite: CInt = 2
        static let create: CInt = 4
        /// SQLITE_TRANSIENT: SQLite copies the bytes.
        static var transient: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: -1) }
    }

    /// In milliseconds.
    private static let maximumWait: CInt = 5000
    private static let maximumStatements = 64

    private let library: SQLiteLibrary
    private let handle: OpaquePointer?
    private var statements: [String: OpaquePointer] = [:]
    /// The number of results that are being read.
    private var reading = 0

    /// - Parameter creates: false throws where there is no file.
    init(path: String, creates: Bool = true) throws(DatabaseError) {
        library = try SQLiteLibrary.shared.get()
        var opened: OpaquePointer?
        let code = library.open(path, &opened, Code.readWrite | (creates ? Code.create : 0), nil)
        handle = opened
        if code != Code.ok {
            let error = Self.error(code, library, opened)
            _ = library.close(opened)
            throw error
        }
        _ = library.busyTimeout(handle, Self.maximumWait)
    }

    deinit {
        for statement in statements.values { _ = library.finalize(statement) }
        _ = library.close(handle)
    }

    var lastInsertedRow: Int { Int(library.lastInsertedRow(handle)) }

    /// The number that tells which migrations the file has had.
    func schemaVersion() throws(DatabaseError) -> Int { try first("PRAGMA user_version") { $0.integer(0) } ?? 0 }

    /// Keeps what is written in a log beside the file from now on, so that readers never wait. The file remembers it.
    ///
    /// SQLite itself does not wait here for another program that writes, so its transaction is waited for.
    func useWriteAheadLog() throws(DatabaseError) {
        let end = ContinuousClock.now + .milliseconds(Int(Self.maximumWait))
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

    func first<Result>(_ sql: String, _ values: Value..., read: (Row) -> Result) throws(DatabaseError) -> Result? {
        var result: Result?
        try forEach(sql, values) { row in
            result = read(row)
            return false
        }
        return result
    }

    func rows<Result>(_ sql: String, _ values: [Value] = [], read: (Row) -> Result) throws(DatabaseError) -> [Result] {
        var results: [Result] = []
        try forEach(sql, values) { row in
            results.append(read(row))
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
        while true {
            switch library.step(statement) {
            case Code.row: if !body(Row(library: library, statement: statement)) { return }
            case Code.done: return
            case let code: throw error(code)
            }
        }
    }

    /// Performs all of it or, when it throws, nothing. Others write before or after it.
    func transaction<Result>(_ body: () throws(DatabaseError) -> Result) throws(DatabaseError) -> Result {
        try execute("BEGIN IMMEDIATE")
        do throws(DatabaseError) {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // SQLite may have rolled it back by itself, and then says that there is none.
            try? execute("ROLLBACK")
            throw error
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
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    // Without an address the value would be NULL.
                    characters.baseAddress.map {
                        library.bindText(statement, index, $0, CInt(characters.count), Code.transient)
                    } ?? library.bindText(statement, index, "", 0, Code.transient)
                }
            }
        case .blob(let data):
            return data.withUnsafeBytes { bytes in
                bytes.baseAddress.map { library.bindBlob(statement, index, $0, CInt(bytes.count), Code.transient) }
                    ?? library.bindBlob(statement, index, "", 0, Code.transient)
            }
        }
    }

    private func error(_ code: CInt) -> DatabaseError { Self.error(code, library, handle) }

    private static func error(_ code: CInt, _ library: SQLiteLibrary, _ handle: OpaquePointer?) -> DatabaseError {
        DatabaseError(code: code, library.message(handle).map { String(cString: $0) } ?? "no description")
    }
}
