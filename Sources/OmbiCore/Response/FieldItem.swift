/// A member of a header field that is a list: a name, perhaps with a value, and its parameters (RFC 9110 §5.6, RFC 9651
/// §3.1): `db;dur=53;desc="Postgres"`, `"default";r=50;t=30`, `limit=100`.
struct FieldItem {
    /// A token, or the content of a quoted string.
    var name: String
    /// True for a name in quotes.
    var isQuoted = false
    /// The value after `=`; nil for none.
    var value: String?
    /// In order, with names in lower case; names may repeat.
    var parameters: [(name: String, value: String)] = []

    /// More parameters of a member are passed over.
    private static let maximumParameters = 16
    /// The bytes of one field that are read.
    static let maximumBytes = 16_384

    /// Returns the first parameter of a name in lower case.
    subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// Returns the members of all fields of a name. Members that do not begin with a name are left out.
    static func list(_ key: RequestHeaders.Key, in headers: RequestHeaders, maximum: Int) -> [FieldItem] {
        var items: [FieldItem] = []
        for field in headers.fields where field.key == key {
            var scanner = FieldScanner(field.value.text)
            while !scanner.isAtEnd, items.count < maximum {
                if let item = FieldItem(&scanner) { items.append(item) }
                scanner.skip(to: [FieldScanner.comma])
                _ = scanner.take(FieldScanner.comma)
            }
        }
        return items
    }

    private init?(_ scanner: inout FieldScanner) {
        if let text = scanner.quoted() {
            (name, isQuoted) = (text, true)
        } else {
            guard let token = scanner.token() else { return nil }
            name = token
        }
        if scanner.take(FieldScanner.equals) { value = scanner.value() }
        while scanner.take(FieldScanner.semicolon) {
            guard let name = scanner.token() else { continue }
            let value = scanner.take(FieldScanner.equals) ? scanner.value() ?? "" : ""
            if parameters.count < Self.maximumParameters { parameters.append((name.lowercased(), value)) }
            scanner.skip(to: [FieldScanner.comma, FieldScanner.semicolon])
        }
    }
}

/// Reads tokens and quoted strings out of a header field. Text that belongs to neither is passed over; nothing traps.
private struct FieldScanner {
    private var rest: Substring.UTF8View

    static let comma = UInt8(ascii: ",")
    static let semicolon = UInt8(ascii: ";")
    static let equals = UInt8(ascii: "=")

    init(_ text: String) { rest = text.utf8.prefix(FieldItem.maximumBytes) }

    var isAtEnd: Bool { rest.isEmpty }

    /// Takes a separator, with the spaces before it.
    mutating func take(_ separator: UInt8) -> Bool {
        rest.skipSpaces()
        guard rest.first == separator else { return false }
        rest.removeFirst()
        return true
    }

    mutating func value() -> String? { quoted() ?? token() }

    /// Takes a token; colons and slashes count as part of it, as they do in structured fields.
    mutating func token() -> String? {
        rest.skipSpaces()
        let token = rest.take(while: Self.isToken)
        return token.isEmpty ? nil : token
    }

    mutating func quoted() -> String? {
        rest.skipSpaces()
        return rest.takeQuoted()
    }

    /// Goes to the next of these separators outside quotes, or to the end.
    mutating func skip(to separators: [UInt8]) {
        while let byte = rest.first, !separators.contains(byte) {
            if rest.takeQuoted() == nil { rest.removeFirst() }
        }
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        PercentEncoding.Characters.token.contains(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "/")
    }
}

/// A metric that a server reports about the time of its response (W3C Server Timing §3): `db;dur=53.2;desc="Postgres"`.
package struct ServerTiming: Sendable, Equatable {
    package var name: String
    /// Nil for a metric without one: a remark, such as `miss`.
    package var duration: Duration?
    package var description: String?

    /// The maximum number of metrics of a response; later ones are left out.
    package static let maximumCount = 64
    private static let maximumName = 80
    private static let maximumDescription = 200

    package init(_ name: String, _ duration: Duration? = nil, description: String? = nil) {
        (self.name, self.duration, self.description) = (name, duration, description)
    }

    /// Returns the metrics of all `Server-Timing` fields, in order. Text that is none is left out.
    package static func metrics(in headers: RequestHeaders) -> [ServerTiming] {
        FieldItem.list("Server-Timing", in: headers, maximum: maximumCount).filter { !$0.isQuoted }.map { item in
            let description = item["desc"].map { $0.excerpt(maximumDescription) }
            return ServerTiming(
                item.name.excerpt(maximumName), item["dur"].flatMap { time($0) },
                description: description?.isEmpty == true ? nil : description)
        }
    }

    /// Returns a time in milliseconds; nil for no number, and for one that is negative or has no end.
    private static func time(_ text: String) -> Duration? {
        let isPlain = text.utf8.allSatisfy { $0.isASCIIDigit || "+-.eE".utf8.contains($0) }
        guard isPlain, let milliseconds = Double(text), milliseconds.isFinite, milliseconds >= 0 else { return nil }
        let nanoseconds = (milliseconds * 1e6).rounded()
        return nanoseconds < 1e18 ? .nanoseconds(Int64(nanoseconds)) : .longest
    }
}
