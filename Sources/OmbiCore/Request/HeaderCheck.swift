/// A check that rejects header fields that would change the meaning of the bytes after them (RFC 9110 §5.1 and §5.5).
///
/// A value may be of any length, and contain anything but control characters; characters outside ASCII are sent as
/// UTF-8.
package enum HeaderCheck {
    /// The syntax of a name, for error messages.
    package static let nameForm = "a header name is made of letters, digits and !#$%&'*+-.^_`|~"

    static func check(_ headers: RequestHeaders) throws {
        for field in headers.fields {
            let name = field.key.name
            guard !name.isEmpty else { throw MalformedRequest(.header, "a header has an empty name") }
            guard isToken(name) else {
                throw MalformedRequest(.header, "\"\(name.visible)\" is not a header name")
            }
            try check(field.value.text, of: name)
        }
    }

    private static func check(_ value: String, of name: String) throws {
        if isValue(value) { return }
        let control = value.utf8.first { $0 < 0x20 && $0 != 0x09 } ?? 0x7F
        let isLineBreak = [0x0A, 0x0D, 0].contains(control)
        throw MalformedRequest(
            .header,
            "the value of the header \(name) contains a \(isLineBreak ? "line break or a zero byte" : "control character"); "
                + "remove it")
    }

    /// Returns true for text without control characters but tabs (RFC 9110 §5.5): a line break would begin another header.
    package static func isValue(_ text: String) -> Bool {
        text.allBytesSatisfy { $0 < 0x20 ? $0 == 0x09 : $0 != 0x7F }
    }

    /// Returns true for a token of RFC 9110 §5.6.2.
    package static func isToken(_ text: String) -> Bool {
        let token = PercentEncoding.Characters.token
        return !text.isEmpty && text.allBytesSatisfy { token.contains($0) }
    }
}
