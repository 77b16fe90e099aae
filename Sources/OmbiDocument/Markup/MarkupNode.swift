/// A row of an XML or HTML text: a tag, a line of text, a comment. Twenty bytes, because there are millions of them.
public struct MarkupNode: Sendable, Equatable {
    public enum Kind: UInt8, Sendable, Equatable {
        /// A start tag whose element continues in the rows below.
        case open
        /// The end tag of an element.
        case close
        /// An end tag without a start tag.
        case strayClose
        /// An element in one row: without content, or with a short text.
        case element
        case text
        /// Text in which tags do not count: CDATA, scripts.
        case raw
        case comment
        /// `<?xml ?>`, `<!DOCTYPE>`, processing instructions.
        case declaration
    }

    let offset: UInt32
    var length: UInt32
    /// The last row of the element; its own row for all but `open`, and `notEnded` for an unfinished element.
    var end: UInt32
    /// The start tag of the element that contains the row, or that the row ends; `noParent` outside of all.
    var parentRow: UInt32
    var depthBits: UInt16
    public internal(set) var kind: Kind

    static let notEnded = UInt32.max
    static let noParent = UInt32.max

    /// The number of enclosing elements; at most 65,535 are counted.
    public var depth: Int { Int(depthBits) }
    public var range: ByteRange { Int(offset)..<Int(offset) + Int(length) }
}
