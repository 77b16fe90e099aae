/// A YAML text as JSON, which all importers read, with the place of each value in the text.
struct YAMLDocument: Sendable {
    let json: [UInt8]
    let places: YAMLPlaces

    init(json: [UInt8], places: YAMLPlaces) {
        self.json = json
        self.places = places
    }

    /// Reads the first document of a text in UTF-8.
    /// - Parameter keepsTags: true for each tag that is none of YAML's own as an object around its value.
    init(_ bytes: [UInt8], keepsTags: Bool = false) throws(YAMLError) {
        self = try YAMLReader.read(bytes, keepsTags: keepsTags)
    }

    /// Returns true for a text whose first line with content is a key, as that of a request or of a command is not.
    static func isLikely(_ bytes: [UInt8]) -> Bool {
        for line in bytes.prefix(maximumHead).split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let rest = line.drop { $0 == 0x20 || $0 == 0x09 }
            guard let first = rest.first, first != UInt8(ascii: "#") else { continue }
            if rest.starts(with: "---".utf8) || first == UInt8(ascii: "%") { return true }
            let key = rest.prefix { isKey($0) }
            let end = rest[key.endIndex...]
            guard !key.isEmpty, end.first == UInt8(ascii: ":") else { return false }
            return end.dropFirst().first.map { $0 == 0x20 || $0 == 0x09 } ?? true
        }
        return false
    }

    /// Returns true for a mapping in braces whose first key is not in double quotes, as that of JSON is.
    static func isFlow(_ bytes: [UInt8]) -> Bool {
        let rest = bytes.prefix(maximumHead).drop { $0 <= 0x20 }
        guard rest.first == UInt8(ascii: "{"), let first = rest.dropFirst().first(where: { $0 > 0x20 }) else {
            return false
        }
        return isKey(first) && first != UInt8(ascii: "\"")
    }

    /// In bytes; comments may stand in front.
    private static let maximumHead = 64 << 10

    private static func isKey(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "_$.-\"'".utf8.contains(byte)
        }
    }
}
