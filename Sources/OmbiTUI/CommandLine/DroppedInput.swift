import OmbiDocument

/// The size of the dropped part of an input, so that an error is reported with its position in the whole.
struct DroppedInput {
    private var bytes = 0
    private var lines = 0
    /// Characters of the line that was cut.
    private var characters = 0
    /// The line ends with LF, CR LF or CR: the byte after a CR decides.
    private var isBehindReturn = false

    /// Counts dropped bytes.
    mutating func add(_ dropped: UnsafeBufferPointer<UInt8>) {
        bytes += dropped.count
        for byte in dropped {
            if byte == 0x0A || isBehindReturn {
                lines += 1
                characters = 0
            }
            isBehindReturn = byte == 0x0D
            if byte != 0x0A, byte & 0xC0 != 0x80 { characters += 1 }
        }
    }

    func apply(to error: JSONSyntaxError) -> JSONSyntaxError {
        let inside = error.position
        let column = inside.column + (inside.line == 1 ? characters : 0)
        return JSONSyntaxError(
            offset: bytes + error.offset, position: TextPosition(line: lines + inside.line, column: column),
            reason: error.reason)
    }
}
