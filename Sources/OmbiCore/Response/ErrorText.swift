#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Words for people from any error.
enum ErrorText {
    static func sentence(_ error: any Error) -> String {
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
            "\(place(context.codingPath)) has no \"\(key.stringValue)\""
        case .typeMismatch(let type, let context):
            "\(place(context.codingPath)) is not of the type \(type)"
        case .valueNotFound(let type, let context):
            "\(place(context.codingPath)) is null, expected \(type)"
        case .dataCorrupted(let context):
            context.codingPath.isEmpty
                ? context.debugDescription : "\(place(context.codingPath)): \(context.debugDescription)"
        @unknown default: String(describing: error)
        }
    }

    private static func encoding(_ error: EncodingError) -> String {
        guard case .invalidValue(_, let context) = error else { return String(describing: error) }
        return "\(place(context.codingPath)): \(context.debugDescription)"
    }

    /// "$.orders[0].id"
    private static func place(_ path: [any CodingKey]) -> String {
        path.reduce("$") { text, key in
            key.intValue.map { "\(text)[\($0)]" } ?? "\(text).\(key.stringValue)"
        }
    }
}
