extension LineCursor {
    /// Styles a line of JSON that is shown as received: invalid JSON, or one value per line.
    mutating func json() {
        while !isAtEnd {
            switch peek() {
            case UInt8(ascii: "\""):
                let stop = quotedEnd(escape: UInt8(ascii: "\\"))
                take(upTo: stop, isFollowedByColon(stop) ? .key : .string)
            case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","),
                UInt8(ascii: ":"):
                take(upTo: offset + 1, .punctuation)
            case 0...0x20: skip()
            default:
                let stop = max(offset + 1, wordEnd("{}[],:\""))
                take(upTo: stop, valueStyle(upTo: stop, literals: ["true", "false", "null"]) ?? .plain)
            }
        }
    }

    private func isFollowedByColon(_ position: Int) -> Bool {
        var position = position
        while position < end, bytes[position] == 0x20 || bytes[position] == 0x09 { position += 1 }
        return position < end && bytes[position] == UInt8(ascii: ":")
    }
}
