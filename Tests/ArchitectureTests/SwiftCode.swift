/// Swift text without its comments and the text of its strings. What strings interpolate stays, and so do the lines.
enum SwiftCode {
    private enum Place: Equatable {
        /// In code, that many parentheses deep since the interpolation began.
        case code(depth: Int)
        case string(quotes: Int, pounds: Int)
    }

    private static let (quote, pound, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "\\"))
    private static let (slash, star, newline) = (UInt8(ascii: "/"), UInt8(ascii: "*"), UInt8(ascii: "\n"))

    static func of(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var code: [UInt8] = []
        code.reserveCapacity(bytes.count)
        var places = [Place.code(depth: 0)]
        var index = 0
        while index < bytes.count {
            let start = index
            switch places[places.count - 1] {
            case .code(let depth): index = readCode(bytes, index, depth, &places, &code)
            case .string(let quotes, let pounds): index = readString(bytes, index, quotes, pounds, &places)
            }
            // Positions by line stay true.
            code += bytes[start..<index].filter { $0 == newline }
        }
        return String(decoding: code, as: UTF8.self)
    }

    /// Returns the index after what it has read: a comment, the beginning of a string, or a byte of code.
    private static func readCode(
        _ bytes: [UInt8], _ index: Int, _ depth: Int, _ places: inout [Place], _ code: inout [UInt8]
    ) -> Int {
        if starts(bytes, index, [slash, slash]) { return bytes[index...].firstIndex(of: newline) ?? bytes.count }
        if starts(bytes, index, [slash, star]) {
            return (index + 2..<bytes.count).first { starts(bytes, $0, [star, slash]) }.map { $0 + 2 } ?? bytes.count
        }
        let pounds = bytes[index...].prefix { $0 == pound }.count
        if starts(bytes, index + pounds, [quote]) {
            let quotes = starts(bytes, index + pounds, [quote, quote, quote]) ? 3 : 1
            places.append(.string(quotes: quotes, pounds: pounds))
            return index + pounds + quotes
        }
        if bytes[index] == UInt8(ascii: "(") { places[places.count - 1] = .code(depth: depth + 1) }
        if bytes[index] == UInt8(ascii: ")") {
            if depth == 0, places.count > 1 {
                places.removeLast()
            } else {
                places[places.count - 1] = .code(depth: depth - 1)
            }
        }
        if bytes[index] != newline { code.append(bytes[index]) }
        return index + 1
    }

    /// Returns the index after what it has read: the end of the string, the beginning of an interpolation, or a byte.
    private static func readString(
        _ bytes: [UInt8], _ index: Int, _ quotes: Int, _ pounds: Int, _ places: inout [Place]
    ) -> Int {
        let mark = [UInt8](repeating: pound, count: pounds)
        if starts(bytes, index, [UInt8](repeating: quote, count: quotes) + mark) {
            places.removeLast()
            return index + quotes + pounds
        }
        guard starts(bytes, index, [backslash] + mark) else { return index + 1 }
        if starts(bytes, index + 1 + pounds, [UInt8(ascii: "(")]) { places.append(.code(depth: 0)) }
        return index + 2 + pounds
    }

    private static func starts(_ bytes: [UInt8], _ index: Int, _ wanted: [UInt8]) -> Bool {
        index + wanted.count <= bytes.count && bytes[index..<index + wanted.count].elementsEqual(wanted)
    }
}
