/// Indexes a JSON body while it arrives, in one pass and with about 8 bytes per value, and reports the first error.
///
/// It belongs to one thread. It returns values that any thread may read while this one goes on:
///
///     let index = JSONIndex(roots: .one)
///     let soFar = index.append(bytes)    // whenever bytes have come: all of them
///     let document = index.finish()      // a `JSONDocument` that has the error, if any
public final class JSONIndex {
    public static let maximumByteCount = IndexLimits.maximumByteCount

    private var bytes = Bytes.empty
    private let maximumByteCount: Int
    private(set) var scanner: JSONScanner
    private var error: JSONSyntaxError?
    private var isFinished = false

    /// - Parameter roots: `one` makes a second value in the body an error.
    public convenience init(roots: JSONRoots, limits: IndexLimits = IndexLimits()) {
        self.init(roots: roots, limits: limits, maximumByteCount: Self.maximumByteCount)
    }

    init(roots: JSONRoots, limits: IndexLimits, maximumByteCount: Int) {
        self.maximumByteCount = maximumByteCount
        scanner = JSONScanner(base: bytes.base, tape: JSONTape(), roots: roots, limits: limits)
    }

    /// Returns the document of a complete body.
    public static func document(_ bytes: Bytes, roots: JSONRoots = .one) -> JSONDocument {
        let index = JSONIndex(roots: roots)
        _ = index.append(bytes)
        return index.finish()
    }

    /// Reads the bytes that have come since the last call.
    /// - Parameter body: All bytes received so far, from the start of the body. Fewer than before change nothing.
    public func append(_ body: Bytes) -> JSONDocument {
        guard !isFinished, body.count > bytes.count else { return document }
        bytes = body
        // Also after an error: the memory of before may be gone.
        scanner.base = body.base
        // Bytes after an error are kept to be shown, and not read.
        guard error == nil else { return document }
        let count = body.count
        // On a copy in a local variable; see JSONScanner.
        var pass = scanner
        scanner.open = []  // its only other owner, so that the stack is not copied
        pass.scan(upTo: min(count, maximumByteCount))
        if count > maximumByteCount, pass.failure == nil {
            _ = pass.fail(at: maximumByteCount, "the body is larger than 4 GiB; the rest is not indexed")
        }
        scanner = pass
        noteFailure()
        return document
    }

    /// Ends the body: what is unfinished now is an error.
    public func finish() -> JSONDocument {
        guard !isFinished else { return document }
        isFinished = true
        guard error == nil else { return document }
        if scanner.state == .number, scanner.numberPhase.isWhole { scanner.appendScalar() }
        if let reason = scanner.truncation { _ = scanner.fail(at: scanner.end, reason) }
        noteFailure()
        return document
    }

    /// The document of what has been read so far.
    public var document: JSONDocument {
        JSONDocument(
            bytes: bytes, tape: scanner.tape, count: scanner.count, byteCount: scanner.end,
            open: scanner.open.map { $0 >> 1 }, rootCount: scanner.rootCount, error: error,
            isFinished: isFinished, hasByteOrderMark: scanner.hasByteOrderMark,
            hasEscapedKeys: scanner.hasEscapedKeys, limit: scanner.limit)
    }

    private func noteFailure() {
        guard let failure = scanner.failure, error == nil else { return }
        error = JSONSyntaxError(offset: failure.offset, reason: failure.reason, in: bytes)
    }
}
