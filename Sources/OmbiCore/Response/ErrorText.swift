/// Readable descriptions of any error.
enum ErrorText {
    /// Control characters are escaped: they may come from a server.
    static func sentence(_ error: any Error) -> String { text(error).visible }

    private static func text(_ error: any Error) -> String {
        switch error {
        case let error as DecodingError: decoding(error)
        case let error as EncodingError: encoding(error)
        case let error as any LocalizedError: error.errorDescription ?? String(describing: error)
        default: String(describing: error)
        }
    }

    private static func decoding(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context):
            "\(location(context.codingPath)) has no \"\(key.stringValue)\""
        case .typeMismatch(let type, let context):
            "\(location(context.codingPath)) is \(found(context) ?? "something else"), expected \(kind(type))"
        case .valueNotFound(let type, let context):
            "\(location(context.codingPath)) is null, expected \(kind(type))"
        case .dataCorrupted(let context): corrupted(context)
        @unknown default: String(describing: error)
        }
    }

    private static func corrupted(_ context: DecodingError.Context) -> String {
        let reason = plain(context.debugDescription)
        return context.codingPath.isEmpty ? reason : "\(location(context.codingPath)): \(reason)"
    }

    private static func encoding(_ error: EncodingError) -> String {
        guard case .invalidValue(let value, let context) = error else { return String(describing: error) }
        guard let number = value as? any BinaryFloatingPoint else {
            return "\(location(context.codingPath)): \(plain(context.debugDescription))"
        }
        return "\(location(context.codingPath)) is \(number), which JSON cannot express"
    }

    /// "$.orders[0].id"
    private static func location(_ path: [any CodingKey]) -> String {
        path.reduce("$") { text, key in
            key.intValue.map { "\(text)[\($0)]" } ?? "\(text).\(key.stringValue)"
        }
    }

    /// Returns JSON's name of the type, or the type's own name.
    private static func kind(_ type: Any.Type) -> String {
        let name = String(describing: type)
        switch name {
        case "String": return "a string"
        case "Bool": return "true or false"
        case "Double", "Float", "Decimal": return "a number"
        case _ where type is any FixedWidthInteger.Type: return "an integer"
        case _ where name.hasPrefix("Array<"): return "an array"
        case _ where name.hasPrefix("Dictionary<"): return "an object"
        default: return name
        }
    }

    /// Returns the found type. The decoder reports it in a sentence only: "Expected to decode Int but found a string
    /// instead."
    private static func found(_ context: DecodingError.Context) -> String? {
        let words = context.debugDescription.split(separator: " ")
        guard let start = words.lastIndex(of: "found"), let end = words.lastIndex(where: { $0.hasPrefix("instead") }),
            start + 1 < end
        else { return nil }
        let text = words[(start + 1)..<end].joined(separator: " ")
        switch text {
        case "bool", "a bool": return "true or false"
        case "number": return "a number"
        case "a dictionary": return "an object"
        default: return text
        }
    }

    /// Returns a sentence as part of another one: without a capital and a full stop.
    private static func plain(_ text: String) -> String {
        let text = text.hasSuffix(".") ? String(text.dropLast()) : text
        guard let first = text.first, text.dropFirst().first?.isLowercase ?? false else { return text }
        return first.lowercased() + text.dropFirst()
    }
}

// `localizedDescription` of an error comes from Foundation, which uses `LocalizedError`; the protocol alone is in
// FoundationEssentials. A program without Foundation uses the member of the same name of each type, or prints it.

extension MalformedRequest: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
    /// The same as `description`.
    public var localizedDescription: String { description }
}

extension CodingFailure: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
    /// The same as `description`.
    public var localizedDescription: String { description }
}

extension TransportError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
    /// The same as `description`.
    public var localizedDescription: String { description }
}

extension HTTPError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
    /// The same as `description`.
    public var localizedDescription: String { description }
}

extension ResponseMismatch: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
    /// The same as `description`.
    public var localizedDescription: String { description }
}

extension BodyStreamError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
    /// The same as `description`.
    public var localizedDescription: String { description }
}

extension UnreadableFile: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
    /// The same as `description`.
    public var localizedDescription: String { description }
}

extension MissingBody: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
    /// The same as `description`.
    public var localizedDescription: String { description }
}

extension StringProtocol {
    /// Returns the text for a message: at most `limit` characters, then "…", with invisible characters (control
    /// characters, bidirectional marks) escaped.
    package func excerpt(_ limit: Int = 120) -> String {
        // A character may be any number of scalars.
        let start = unicodeScalars.prefix(limit)
        let text = start.reduce(into: "") { text, scalar in
            if scalar.isInvisible { text += scalar.escaped(asASCII: true) } else { text.unicodeScalars.append(scalar) }
        }
        return start.endIndex == unicodeScalars.endIndex ? text : text + "…"
    }

    /// The text with its first letter in lower case, unless it starts with an abbreviation.
    package var asClause: String {
        guard let first, dropFirst().first?.isUppercase != true else { return String(self) }
        return first.lowercased() + dropFirst()
    }
}

extension Unicode.Scalar {
    fileprivate var isInvisible: Bool {
        guard value > 0x7E || value < 0x20 else { return false }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}
