/// A JSON text to write. Members keep their order, so that the API's responses read the same each time.
enum JSON: Sendable, ExpressibleByStringLiteral {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([(String, JSON)])
    /// Text that is JSON already.
    case raw(String)

    init(stringLiteral value: String) { self = .string(value) }

    /// The compact form.
    var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .number(let value): text += value.isFinite ? "\(value)" : "null"
        case .string(let value): Self.quote(value, to: &text)
        case .raw(let value): text += value
        case .array(let values):
            Self.list(values, "[", "]", to: &text) { $0.write(to: &$1) }
        case .object(let members):
            Self.list(members, "{", "}", to: &text) {
                Self.quote($0.0, to: &$1)
                $1 += ":"
                $0.1.write(to: &$1)
            }
        }
    }

    private static func list<Item>(
        _ items: [Item], _ open: String, _ close: String, to text: inout String, each: (Item, inout String) -> Void
    ) {
        text += open
        for (index, item) in items.enumerated() {
            if index > 0 { text += "," }
            each(item, &text)
        }
        text += close
    }

    /// RFC 8259 §7.
    private static func quote(_ value: String, to text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..<"\u{20}":
                let hex = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
