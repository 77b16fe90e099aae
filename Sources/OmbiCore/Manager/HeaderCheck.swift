/// Refuses header fields that would change the meaning of the bytes after them.
enum HeaderCheck {
    static func check(_ headers: RequestHeaders) throws {
        for field in headers.fields {
            guard !field.key.name.isEmpty, field.key.name.utf8.allSatisfy(isToken) else {
                throw MalformedRequest("\"\(escaped(field.key.name))\" is not a header name")
            }
            guard !field.value.text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 }) else {
                throw MalformedRequest(
                    "the value of the header \(field.key.name) contains a line break or a zero byte; remove it")
            }
        }
    }

    /// A token of RFC 9110 §5.6.2.
    private static func isToken(_ byte: UInt8) -> Bool {
        PercentEncoding.isUnreserved(byte) || "!#$%&'*+^`|".utf8.contains(byte)
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { $0.value < 32 ? $0.escaped(asASCII: true) : String($0) }.joined()
    }
}
