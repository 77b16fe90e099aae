#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A `Content-Range` in bytes (RFC 9110 §14.4).
struct ContentRange: Hashable {
    /// The bytes of the body; nil in a 416.
    var range: ClosedRange<Int>?
    /// The length of the whole representation; nil if unknown to the server.
    var total: Int?

    /// Returns nil for text other than a range of bytes.
    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[1] != "*" {
            guard let total = Self.number(parts[1]) else { return nil }
            self.total = total
        }
        if parts[0] == "*" {
            guard total != nil else { return nil }
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false).map(Self.number)
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last, last < total ?? .max else {
            return nil
        }
        range = first...last
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(text) : nil
    }
}

extension RequestHeaders {
    /// The value of a later `If-Range` for a response with these fields (RFC 9110 §13.1.5): a strong entity tag or,
    /// without any tag, a modification time at least a second older than the response (§8.8.2.2).
    var resumeValidator: String? {
        if let tag = self[.etag]?.text { return Self.isStrong(tag) ? tag : nil }
        guard let text = self[.lastModified]?.text, let changed = RetryAfter.date(text),
            let sent = self["Date"].flatMap({ RetryAfter.date($0.text) }), sent > changed
        else { return nil }
        return text
    }

    /// True if the body had a content coding, which the transport has decoded.
    var isEncoded: Bool { self[.contentEncoding].map { $0.text.lowercased() != "identity" } ?? false }

    /// Returns true if a saved text is valid in `If-Range`.
    static func isResumeValidator(_ text: String) -> Bool {
        isStrong(text) || text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } && RetryAfter.date(text) != nil
    }

    private static func isStrong(_ tag: String) -> Bool {
        let bytes = tag.utf8
        return bytes.count >= 2 && bytes.first == 0x22 && bytes.last == 0x22
            && bytes.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }
    }
}
