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

/// The rows of a growing text, in blocks: a copy shares all blocks but those that change as more rows are added.
public struct MarkupNodes: RandomAccessCollection, Sendable {
    private var blocks: [[MarkupNode]] = []
    public private(set) var count = 0

    private static let shift = 14
    private static let mask = (1 << shift) - 1

    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    public internal(set) subscript(index: Int) -> MarkupNode {
        get { blocks[index >> Self.shift][index & Self.mask] }
        set { blocks[index >> Self.shift][index & Self.mask] = newValue }
    }

    mutating func append(_ node: MarkupNode) {
        if count & Self.mask == 0 {
            var block: [MarkupNode] = []
            // Most texts are small.
            if count > 0 { block.reserveCapacity(1 << Self.shift) }
            blocks.append(block)
        }
        blocks[blocks.count - 1].append(node)
        count += 1
    }
}

/// The name of an HTML element, in any case, as a number that is fast to look up. Names of more than eight letters are
/// distinguished by the first eight and by their length.
struct HTMLName: Hashable, Sendable, ExpressibleByStringLiteral {
    private let letters: UInt64
    private let length: Int

    init(stringLiteral name: String) { self.init(name.utf8, length: name.utf8.count) }

    init(_ range: ByteRange, in bytes: Bytes) { self.init(bytes.buffer(range), length: range.count) }

    private init(_ name: some Sequence<UInt8>, length: Int) {
        letters = name.prefix(8).reduce(0) { $0 << 8 | UInt64($1 >= 0x41 && $1 <= 0x5A ? $1 | 0x20 : $1) }
        self.length = length
    }
}

/// The tags that HTML lets an element omit (HTML Standard, section 13.1.2), as far as indentation depends on them.
struct HTMLRule: Sendable {
    /// True if the element has no end tag.
    var isVoid = false
    /// True if the content is not markup.
    var isRaw = false
    /// The elements that end where this one begins, if one of them is the innermost.
    var ended: [HTMLName] = []

    static func of(_ name: HTMLName) -> HTMLRule { all[name] ?? none }

    private static let none = HTMLRule()

    private static let all: [HTMLName: HTMLRule] = {
        var all: [HTMLName: HTMLRule] = [:]
        for name in void { all[name, default: none].isVoid = true }
        for name in raw { all[name, default: none].isRaw = true }
        for name in blocks { all[name, default: none].ended = ["p"] }
        for (name, ended) in endedBy { all[name, default: none].ended = ended }
        return all
    }()

    private static let void: [HTMLName] = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr", "param",
    ]

    private static let raw: [HTMLName] = ["script", "style", "textarea", "title", "xmp", "noembed"]

    private static let endedBy: [HTMLName: [HTMLName]] = [
        "li": ["li", "p"], "dt": ["dt", "dd", "p"], "dd": ["dt", "dd", "p"], "option": ["option"],
        "optgroup": ["option", "optgroup"], "tr": ["tr", "td", "th"], "td": ["td", "th"], "th": ["td", "th"],
        "tbody": ["tr", "td", "th", "thead", "tbody"], "tfoot": ["tr", "td", "th", "tbody"], "body": ["head"],
    ]

    private static let blocks: [HTMLName] = [
        "address", "article", "aside", "blockquote", "div", "dl", "fieldset", "footer", "form", "h1", "h2", "h3", "h4",
        "h5", "h6", "header", "hr", "main", "menu", "nav", "ol", "p", "pre", "section", "table", "ul",
    ]
}

/// The first error in a text of markup.
public struct MarkupProblem: Error, Sendable, Equatable {
    public var offset: Int
    public var reason: String
}
