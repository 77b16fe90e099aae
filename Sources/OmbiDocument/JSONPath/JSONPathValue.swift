/// One side of a comparison.
enum JSONPathValue {
    /// No value at all, which is not null.
    case nothing
    /// A value of the document.
    case node(Int)
    /// The result of a counting function.
    case count(Int)
    case string(JSONPathBytes)
    case number(JSONPathBytes)
    /// True, false or null.
    case literal(JSONKind)

    func kind(_ document: JSONDocument) -> JSONKind? {
        switch self {
        case .nothing: nil
        case .node(let index): JSONKind(firstByte: document.firstByte(index))
        case .count, .number: .number
        case .string: .string
        case .literal(let kind): kind
        }
    }

    /// Passes the text of a string to `body`, nil for other kinds. Copies only strings with escapes.
    func withText<Result>(_ document: JSONDocument, _ body: (UnsafeBufferPointer<UInt8>?) -> Result) -> Result {
        switch self {
        case .string(let bytes): return bytes.withBuffer(body)
        case .node(let index) where document.firstByte(index) == 0x22:
            let literal = document.bytes(in: document.range(of: JSONNode(index)))
            guard document.hasEscapes(index) else {
                return body(UnsafeBufferPointer(rebasing: literal.dropFirst().dropLast()))
            }
            var decoder = JSONStringDecoder(literal, replacesSurrogates: false)
            return decoder.decode().withUnsafeBufferPointer(body)
        case .nothing, .node, .count, .number, .literal: return body(nil)
        }
    }

    /// Passes the digits of a number to `body`. Call it for numbers only.
    func withDigits<Result>(_ document: JSONDocument, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        switch self {
        case .number(let bytes): return bytes.withBuffer(body)
        case .node(let index): return body(document.bytes(in: document.range(of: JSONNode(index))))
        case .count(let count): return Array(String(count).utf8).withUnsafeBufferPointer(body)
        case .nothing, .string, .literal: return body(UnsafeBufferPointer(start: nil, count: 0))
        }
    }
}
