/// A JSONPath query (RFC 9535), ready to be asked of any document. All of the standard is there, with its functions
/// `length`, `count`, `match`, `search` and `value`.
///
/// Where the standard leaves a choice: of a key that an object has twice, a name selects the last value, as most
/// readers of JSON keep it; the members of an object come in the order of the body.
public struct JSONPath: Sendable, CustomStringConvertible {
    /// The expression as it was given.
    public let description: String
    let segments: [JSONPathSegment]

    /// - Throws: What is wrong with the expression, and where: its grammar, or its types (section 2.4.3).
    public init(_ text: String) throws(JSONPathError) {
        var parser = JSONPathParser(text)
        segments = try parser.parse()
        description = text
    }

    /// The values that the query gives, one by one as they are asked for.
    ///
    /// A document that is not finished is read as far as it has come: what is missing counts as not there.
    /// - Parameters:
    ///   - root: The value that `$` stands for; the first root when left out.
    ///   - isCancelled: Asked every few thousand values; once it says yes, there are no more.
    public func matches(
        in document: JSONDocument, root: JSONNode? = nil, isCancelled: (() -> Bool)? = nil
    ) -> JSONPathMatches {
        JSONPathMatches(segments: segments, document: document, root: root, isCancelled: isCancelled)
    }
}
