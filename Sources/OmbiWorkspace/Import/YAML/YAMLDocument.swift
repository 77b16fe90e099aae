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

/// The offsets in a YAML text of the values of its JSON.
struct YAMLPlaces: Sendable {
    private var places: [(json: Int, text: Int)] = []

    init() {}

    /// Adds a value behind all others.
    mutating func add(_ json: Int, at text: Int) { places.append((json, text)) }

    /// Returns the offset in the text of the value that begins at an offset of the JSON, or of the one before.
    func offset(of json: Int) -> Int {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle].json <= json { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? places[low - 1].text : 0
    }
}

/// The error of a YAML text that is not read.
struct YAMLError: Error, Sendable, Equatable {
    /// In bytes.
    var offset: Int
    var reason: String
}
