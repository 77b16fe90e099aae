/// The name in a name selector.
struct JSONPathName: Sendable {
    let bytes: JSONPathBytes
    /// True if JSON cannot hold the name without an escape: then no key is equal to it byte by byte.
    let needsEscape: Bool

    init(_ text: String) {
        bytes = JSONPathBytes(text)
        needsEscape = text.utf8.contains { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }
    }
}
