import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Turns the bytes of a response into a document: decides what they are, and lays them out.
enum BodyLayout {
    static func document(for response: TransportResponse) -> BodyDocument {
        guard let body = response.body, !body.isEmpty else { return .empty }
        let contentType = response[.contentType]?.text.lowercased() ?? ""
        return document(for: Array(body), contentType: contentType)
    }

    static func document(for bytes: [UInt8], contentType: String) -> BodyDocument {
        let (text, charset) = TextDecoder.utf8(bytes, contentType: contentType)
        guard let text else {
            return BodyDocument(
                kind: .binary, bytes: bytes, note: BinaryFormat.describe(bytes, contentType: contentType))
        }
        let note = charset.map { "decoded from \($0)" }
        guard contentType.contains("json") || looksLikeJSON(text) else {
            return BodyDocument(kind: .text, bytes: text, note: note)
        }
        do {
            let formatted = try JSONFormatter.format(text)
            return BodyDocument(kind: .json, bytes: formatted.bytes, lineStarts: formatted.lineStarts, note: note)
        } catch {
            // A body that only looked like JSON is plain text; one that is said to be JSON is broken.
            let reason = "not valid JSON: line \(error.line), column \(error.column): \(error.reason); shown as it came"
            return BodyDocument(kind: .text, bytes: text, note: contentType.contains("json") ? reason : note)
        }
    }

    private static func looksLikeJSON(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first(where: { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }) else { return false }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }
}
