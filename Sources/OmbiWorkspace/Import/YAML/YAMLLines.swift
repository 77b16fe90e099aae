/// The lines of a YAML text, for the positions that its parser gives.
struct YAMLLines {
    private let bytes: [UInt8]
    private var starts = [0]

    /// Counting characters is bounded: a hostile text may be one line.
    private static let maximumCount = 512

    /// Lines end as in YAML 1.1, which libyaml reads: also at U+0085, U+2028 and U+2029.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var next = 0
        while next < bytes.count {
            let length = Self.breakLength(bytes, next)
            next += max(length, 1)
            if length > 0 { starts.append(next) }
        }
    }

    private static func breakLength(_ bytes: [UInt8], _ index: Int) -> Int {
        switch bytes[index] {
        case 0x0A: return 1
        case 0x0D: return index + 1 < bytes.count && bytes[index + 1] == 0x0A ? 2 : 1
        case 0xC2: return index + 1 < bytes.count && bytes[index + 1] == 0x85 ? 2 : 0
        case 0xE2:
            let isBreak =
                index + 2 < bytes.count && bytes[index + 1] == 0x80 && (bytes[index + 2] | 1) == 0xA9
            return isBreak ? 3 : 0
        default: return 0
        }
    }

    /// Returns the offset of a line and a column, which count from 1; columns count characters.
    func offset(line: Int, column: Int) -> Int {
        guard line > 0, line <= starts.count else { return line > 0 ? bytes.count : 0 }
        var offset = starts[line - 1]
        var left = max(column - 1, 0)
        var counted = 0
        while left > 0, counted < Self.maximumCount, offset < bytes.count {
            offset += 1
            while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
            left -= 1
            counted += 1
        }
        return min(offset + left, bytes.count)
    }
}
