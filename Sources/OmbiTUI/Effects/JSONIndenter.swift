import OmbiDocument

/// Writes JSON that is known to be well-formed with a value a line, strings and numbers digit by digit as they came.
struct JSONIndenter {
    private let bytes: Bytes
    private var output: [UInt8] = []
    private var depth = 0

    static func format(_ bytes: Bytes) -> [UInt8] {
        var indenter = JSONIndenter(bytes: bytes)
        indenter.run()
        return indenter.output
    }

    private init(bytes: Bytes) { self.bytes = bytes }

    private mutating func run() {
        output.reserveCapacity(bytes.count + bytes.count / 2)
        var offset = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            switch byte {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            case UInt8(ascii: "\""):
                let end = end(ofString: offset)
                output += bytes.array(offset..<end)
                offset = end
            case UInt8(ascii: "{"), UInt8(ascii: "["): open(byte, &offset)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                startLine()
                output.append(byte)
                offset += 1
            case UInt8(ascii: ","):
                output.append(byte)
                startLine()
                offset += 1
            case UInt8(ascii: ":"):
                output += [byte, 0x20]
                offset += 1
            default:
                if depth == 0, let last = output.last, last != 0x0A { output.append(0x0A) }
                while offset < bytes.count, !Self.endsWord(bytes[offset]) {
                    output.append(bytes[offset])
                    offset += 1
                }
            }
        }
        output.append(0x0A)
    }

    private mutating func open(_ byte: UInt8, _ offset: inout Int) {
        // Of several values each begins on a line.
        if depth == 0, let last = output.last, last != 0x0A { output.append(0x0A) }
        output.append(byte)
        offset += 1
        while offset < bytes.count, bytes[offset] <= 0x20 { offset += 1 }
        if bytes[offset] == byte + 2 {
            output.append(byte + 2)
            offset += 1
        } else {
            depth += 1
            startLine()
        }
    }

    private mutating func startLine() {
        output.append(0x0A)
        output.append(contentsOf: repeatElement(0x20, count: max(0, depth) * 2))
    }

    private func end(ofString start: Int) -> Int {
        var offset = start + 1
        while offset < bytes.count, bytes[offset] != 0x22 { offset += bytes[offset] == 0x5C ? 2 : 1 }
        return min(offset + 1, bytes.count)
    }

    private static func endsWord(_ byte: UInt8) -> Bool {
        byte <= 0x20 || ",:{}[]\"".utf8.contains(byte)
    }
}
