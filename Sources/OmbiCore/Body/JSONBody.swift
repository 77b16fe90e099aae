#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Decoding of JSON, with details where the decoder only reports invalid data.
enum JSONBody {
    /// Decodes JSON. Throws `DecodingError`, or the error of the type itself.
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
            // The decoder calls all of the data invalid if a number is merely too large or not whole.
            return "a number in the body does not fit the type that is expected"
        }
        let start = String(decoding: data.prefix(120), as: UTF8.self).drop { $0.isWhitespace }
        // The excerpt is limited to bodies that cannot be JSON: a page or a message of some server, without
        // credentials.
        if let first = start.first, "{[\"".contains(first) { return "the body is not valid JSON, or not complete" }
        return "the body is no JSON: it begins with \"\(String(start.prefix(40)).visible)\""
    }
}
