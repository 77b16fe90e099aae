#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
