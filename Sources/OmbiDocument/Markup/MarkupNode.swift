/// A row of an XML or HTML text: a tag, a line of text, a comment. Twenty bytes, because there are millions of them.
public struct MarkupNode: Sendable, Equatable {
    public enum Kind: UInt8, Sendable, Equatable {
        /// A start tag whose element goes on in the rows below.
        case open
        /// The end tag of an element.
        case close
        /// An end tag of nothing.
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
    /// The last row of the element; its own for all but `open`, and `notEnded` while that goes on.
    var end: UInt32
    /// The start tag of the element that it is in, or that it ends; `noParent` outside of all.
    var parentRow: UInt32
    var depthBits: UInt16
    public internal(set) var kind: Kind

    static let notEnded = UInt32.max
    static let noParent = UInt32.max

    /// How many elements it is in; no more than 65,535 are counted.
    public var depth: Int { Int(depthBits) }
    public var range: ByteRange { Int(offset)..<Int(offset) + Int(length) }
}
