import OmbiDocument

/// How much of an input comes before the part that is at hand, so that a mistake is told with its place in the whole.
struct FilterPlace {
    private var bytes = 0
    private var lines = 0
    /// In the line that goes on behind.
    private var characters = 0

    /// Counts bytes that are let go.
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
