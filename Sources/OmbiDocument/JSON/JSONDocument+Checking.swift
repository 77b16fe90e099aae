/// Text that somebody writes by hand: collection files, and bodies of requests.
extension JSONDocument {
    /// The levels of containers that are read; it bounds every walk over the values.
    public static let maximumCheckedDepth = 512

    /// Reads a text strictly: its errors say how to mend them, and an escape that is half of a character is one.
    /// A byte order mark at the front is skipped, and of a key that an object gives twice, both members are kept.
    public init(checking bytes: Bytes) throws(JSONSyntaxError) {
        try self.init(checking: bytes, with: Self.indexForChecking())
    }

    package static func indexForChecking() -> JSONIndex {
        JSONIndex(roots: .one, limits: IndexLimits(depth: maximumCheckedDepth))
    }

    /// - Parameter index: an index for checking that has read none of the bytes, or a part from their start.
    package init(checking bytes: Bytes, with index: JSONIndex) throws(JSONSyntaxError) {
        var index = index
        _ = index.append(bytes)
        var document = index.finish()
        if document.error != nil {
            // An error in a part is told by what stands behind the part, too.
            index = Self.indexForChecking()
            _ = index.append(bytes)
            document = index.finish()
        }
        // Without an error, the index has found it to be UTF-8.
        if document.error != nil, let error = UTF8Check.error(in: bytes) { throw error }
        if index.scanner.hasUnicodeEscapes,
            let half = Surrogates.firstHalf(in: bytes, before: document.error?.offset ?? bytes.count)
        {
            throw half
        }
        if document.error != nil {
            let (offset, reason) = index.scanner.advice
            throw JSONSyntaxError(offset: offset, reason: reason, in: bytes)
        }
        self = document
    }
}

/// Escapes that write a character beyond U+FFFF as a pair (RFC 8259, section 7).
private enum Surrogates {
    /// Returns an error for the first half that lacks its other half, among valid tokens.
    static func firstHalf(in bytes: Bytes, before end: Int) -> JSONSyntaxError? {
        var next = 0
        while let escape = ByteScan.first(0x5C, in: bytes, next..<end) {
            next = min(escape + 2, end)
            guard let unit = unit(in: bytes, at: escape, before: end) else { continue }
            next = escape + 6
            guard unit & 0xF800 == 0xD800 else { continue }
            if unit < 0xDC00, let second = self.unit(in: bytes, at: next, before: end), second & 0xFC00 == 0xDC00 {
                next += 6
                continue
            }
            let digits = Hexadecimal.fourDigits(of: unit)
            return JSONSyntaxError(
                offset: escape, reason: "\\u\(digits) is half of a surrogate pair; its other half is missing",
                in: bytes)
        }
        return nil
    }

    /// Returns the code unit of `\u` and four digits.
    private static func unit(in bytes: Bytes, at escape: Int, before end: Int) -> UInt32? {
        guard escape + 6 <= end, bytes.starts(with: Array("\\u".utf8), at: escape) else { return nil }
        return Hexadecimal.fourDigits(at: bytes.base + escape + 2)
    }
}
