import OmbiDocument

/// The size of the dropped part of an input, so that an error is reported with its position in the whole.
struct FilterPlace {
    private var bytes = 0
    private var lines = 0
    /// Characters of the line that was cut.
    private var characters = 0

    /// Counts bytes that are dropped.
    mutating func pass(_ passed: UnsafeBufferPointer<UInt8>) {
        bytes += passed.count
        lines += passed.reduce(into: 0) { $0 += $1 == 0x0A ? 1 : 0 }
        let lineStart = passed.lastIndex(of: 0x0A).map { $0 + 1 }
        if lineStart != nil { characters = 0 }
        characters += passed[(lineStart ?? 0)...].reduce(into: 0) { $0 += $1 & 0xC0 == 0x80 ? 0 : 1 }
    }

    func apply(to error: JSONSyntaxError) -> JSONSyntaxError {
        JSONSyntaxError(
            offset: bytes + error.offset, line: lines + error.line,
            column: error.column + (error.line == 1 ? characters : 0), reason: error.reason)
    }
}
