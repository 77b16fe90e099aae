/// A syntax error of a JSON text (RFC 8259). Everything before it stays readable.
public struct JSONSyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
    /// In bytes, from the start of the text.
    public let offset: Int
    public let position: TextPosition
    /// Such as `expected ':' after the key, found ','`.
    public let reason: String

    public init(offset: Int, position: TextPosition, reason: String) {
        self.offset = offset
        self.position = position
        self.reason = reason
    }

    public var description: String { "\(position): \(reason)" }
}

extension JSONSyntaxError {
    /// Finds the position. Reads all bytes before the offset: 1 ms for each 10 MB or so.
    init(offset: Int, reason: String, in bytes: Bytes) {
        var locator = TextLocator(bytes)
        self.init(offset: offset, position: locator.position(of: offset), reason: reason)
    }
}
