/// Refuses header fields that would change the meaning of the bytes after them (RFC 9110 §5.1 and §5.5).
///
/// A value may be of any length, and may hold anything but control characters; what is not ASCII goes out as UTF-8.
enum HeaderCheck {
    static func check(_ headers: RequestHeaders) throws {
        for field in headers.fields {
            let name = field.key.name
            guard !name.isEmpty else { throw MalformedRequest(.header, "a header has an empty name") }
            guard name.utf8.allSatisfy(isToken) else {
                throw MalformedRequest(.header, "\"\(name.visible)\" is not a header name")
            }
            try check(field.value.text, of: name)
        }
    }

    private static func check(_ value: String, of name: String) throws {
        if value.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 }) {
            throw MalformedRequest(
                .header, "the value of the header \(name) contains a line break or a zero byte; remove it")
        }
        if value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
            throw MalformedRequest(
                .header, "the value of the header \(name) contains a control character; remove it")
        }
    }

    /// A token of RFC 9110 §5.6.2.
    private static func isToken(_ byte: UInt8) -> Bool {
        PercentEncoding.isUnreserved(byte) || "!#$%&'*+^`|".utf8.contains(byte)
    }
}
