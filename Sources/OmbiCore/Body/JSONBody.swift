#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Decodes JSON, and says more than the decoder where that only says that the data is not valid.
enum JSONBody {
    /// Throws `DecodingError`, or what the type itself throws.
    static func decode<Body: Decodable>(_ type: Body.Type, from data: Data, with decoder: JSONDecoder) throws -> Body {
        do {
            return try decoder.decode(type, from: data)
        } catch DecodingError.dataCorrupted(let context) where saysNothing(context) {
            let words = reason(data) ?? context.debugDescription
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: [], debugDescription: words,
                    underlyingError: DecodingError.dataCorrupted(context)))
        }
    }

    private static func saysNothing(_ context: DecodingError.Context) -> Bool {
        context.codingPath.isEmpty && context.debugDescription.hasPrefix("The given data was not valid JSON")
    }

    private static func reason(_ data: Data) -> String? {
        if data.isEmpty { return "the body is empty, expected JSON" }
        guard (try? JSONDecoder().decode(AnyJSON.self, from: data)) == nil else {
            // The decoder calls all of the data invalid for a number that is only too large or not whole.
            return "a number in the body does not fit the type that is expected"
        }
        let start = String(decoding: data.prefix(120), as: UTF8.self).drop { $0.isWhitespace }
        // Only what cannot be JSON is shown, since that is a page or a message of some server, and holds no credentials.
        if let first = start.first, "{[\"".contains(first) { return "the body is not valid JSON, or not complete" }
        return "the body is no JSON: it begins with \"\(String(start.prefix(40)).visible)\""
    }
}
