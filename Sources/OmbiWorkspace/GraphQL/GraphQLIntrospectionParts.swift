/// The places of the parts of a response to an introspection query. They are found without an index of all values, which
/// would take half as much memory again as the response; each part is checked when it is read.
///
/// It looks at brackets and at quotes only, and takes more than JSON.
struct GraphQLIntrospectionParts {
    private(set) var types: [Range<Int>] = []
    /// Those besides the types, by their keys.
    private(set) var others: [String: Range<Int>] = [:]
    private(set) var hasSchema = false

    private let bytes: Bytes
    private var next = 0

    private enum Level {
        case response, data, schema

        /// The keys of the parts that are read.
        var keys: [String] {
            switch self {
            case .response: ["errors"]
            case .data: []
            case .schema: ["queryType", "mutationType", "subscriptionType", "directives"]
            }
        }
    }

    /// Returns nil unless the bytes are a JSON object.
    init?(_ bytes: Bytes) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { next = 3 }
        guard readMembers(.response) else { return nil }
        skipSpace()
        if next < bytes.count { return nil }
    }

    private mutating func readMembers(_ level: Level) -> Bool {
        guard accept("{") else { return false }
        if accept("}") { return true }
        repeat {
            skipSpace()
            let start = next
            guard bytes[next] == UInt8(ascii: "\""), skipString() else { return false }
            let key = bytes.text(start + 1..<next - 1)
            guard accept(":"), readValue(of: key, level) else { return false }
        } while accept(",")
        return accept("}")
    }

    private mutating func readValue(of key: String, _ level: Level) -> Bool {
        skipSpace()
        let (start, first) = (next, bytes[next])
        switch (level, key, first) {
        case (.response, "data", UInt8(ascii: "{")): return readMembers(.data)
        case (.response, "__schema", UInt8(ascii: "{")), (.data, "__schema", UInt8(ascii: "{")):
            hasSchema = true
            return readMembers(.schema)
        case (.schema, "types", UInt8(ascii: "[")): return readTypes()
        default: break
        }
        guard skipValue() else { return false }
        if level.keys.contains(key) { others[key] = start..<next }
        return true
    }

    private mutating func readTypes() -> Bool {
        next += 1
        if accept("]") { return true }
        repeat {
            skipSpace()
            let start = next
            guard skipValue() else { return false }
            // One more than are read is an error of its own.
            if types.count <= GraphQLSchemaBuilder.maximumTypes { types.append(start..<next) }
        } while accept(",")
        return accept("]")
    }

    // MARK: Tokens

    private mutating func skipValue() -> Bool {
        var depth = 0
        repeat {
            skipSpace()
            switch bytes[next] {
            case UInt8(ascii: "\""): guard skipString() else { return false }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                next += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                next += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                guard depth > 0 else { return false }
                next += 1
            default: guard skipScalar() else { return false }
            }
        } while depth > 0
        return depth == 0
    }

    private mutating func skipScalar() -> Bool {
        let start = next
        while next < bytes.count, bytes[next] > 0x20, !Self.isMark(bytes[next]) { next += 1 }
        return next > start
    }

    private static func isMark(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","),
            UInt8(ascii: ":"), UInt8(ascii: "\""):
            true
        default: false
        }
    }

    private mutating func skipString() -> Bool {
        next += 1
        while next < bytes.count {
            switch bytes[next] {
            case UInt8(ascii: "\""):
                next += 1
                return true
            case 0x5C: next += 2
            default: next += 1
            }
        }
        return false
    }

    private mutating func skipSpace() { while next < bytes.count, bytes[next] <= 0x20 { next += 1 } }

    private mutating func accept(_ mark: Unicode.Scalar) -> Bool {
        skipSpace()
        guard bytes[next] == UInt8(ascii: mark) else { return false }
        next += 1
        return true
    }
}
