/// Checks that a file is UTF-8, and locates the first byte that is not.
enum UTF8Check {
    static func check(_ source: SourceText) throws(JSONMistake) {
        if source.bytes.starts(with: [0xFF, 0xFE]) || source.bytes.starts(with: [0xFE, 0xFF]) {
            throw JSONMistake(
                position: Position(line: 1, column: 1), message: "the file is UTF-16; save it as UTF-8")
        }
        guard let offset = firstInvalidByte(in: source.bytes) else { return }
        let hex = String(source.bytes[offset], radix: 16, uppercase: true)
        throw JSONMistake(
            position: source.position(at: offset),
            message: "not UTF-8: byte 0x\(hex) at byte \(offset + 1) of the file; save the file as UTF-8")
    }

    /// The index of the first byte that begins no valid UTF-8 sequence.
    private static func firstInvalidByte(in bytes: [UInt8]) -> Int? {
        if String(validating: bytes, as: UTF8.self) != nil { return nil }
        var parser = UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var offset = 0
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let scalar): offset += scalar.count
            case .error: return min(offset, bytes.count - 1)
            case .emptyInput: return nil
            }
        }
    }
}
