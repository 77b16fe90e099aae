/// Looks at a YAML text before its parser does.
enum YAMLGuard {
    /// With fewer, keys that hold aliases of aliases are hashed in no time.
    private static let maximumAliases = 40

    /// Returns the place of a key that may be a list or an object in a text with many aliases: hashing such a key would
    /// visit each value as often as it is named. Nil for all other texts.
    static func hostileOffset(_ bytes: [UInt8]) -> Int? {
        let anchors = Set(names(bytes, UInt8(ascii: "&")))
        guard !anchors.isEmpty else { return nil }
        let aliases = names(bytes, UInt8(ascii: "*")).count { anchors.contains($0) }
        guard aliases > maximumAliases else { return nil }
        var last: UInt8 = 0x0A
        for (index, byte) in bytes.enumerated() {
            let isBlank = index + 1 == bytes.count || bytes[index + 1] <= 0x20
            let isStart = last <= 0x20 || "[{,".utf8.contains(last)
            if byte == UInt8(ascii: "?"), isStart, isBlank { return index }
            if byte == UInt8(ascii: ":"), isBlank, endsCollectionOrAlias(bytes, index) { return index }
            last = byte
        }
        return nil
    }

    /// The names behind a mark at the start of a word.
    private static func names(_ bytes: [UInt8], _ mark: UInt8) -> [[UInt8]] {
        var found: [[UInt8]] = []
        var last: UInt8 = 0x0A
        for (index, byte) in bytes.enumerated() {
            if byte == mark, last <= 0x20 || "[{,:".utf8.contains(last) {
                let rest = bytes[(index + 1)...].prefix(maximumName)
                let name = rest.prefix { $0 > 0x20 && !",[]{}".utf8.contains($0) }
                if !name.isEmpty, name.last != mark { found.append(Array(name)) }
            }
            last = byte
        }
        return found
    }

    private static let maximumName = 200

    /// Returns true for a colon behind `]`, `}` or `*name`.
    private static func endsCollectionOrAlias(_ bytes: [UInt8], _ colon: Int) -> Bool {
        var end = colon
        while end > 0, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        guard end > 0 else { return false }
        if bytes[end - 1] == UInt8(ascii: "]") || bytes[end - 1] == UInt8(ascii: "}") { return true }
        let word = bytes[max(0, end - maximumName)..<end].reversed().prefix { $0 > 0x20 && !",[{".utf8.contains($0) }
        return word.last == UInt8(ascii: "*")
    }

    /// Returns the text with spaces for the tabs of lines that have nothing else, which libyaml refuses.
    static func withoutTabs(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(0x09) else { return bytes }
        var result = bytes
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
            if bytes[start..<end].allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
                for index in start..<end { result[index] = 0x20 }
            }
            start = end + 1
        }
        return result
    }
}
