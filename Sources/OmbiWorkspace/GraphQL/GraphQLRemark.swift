extension GraphQLSchema {
    /// The words of a service about a part of its schema. Each is the number of a text, which is kept with the names, and one
    /// more; 0 for none.
    struct Remark: Sendable, Equatable, Hashable {
        /// The first sentence of the description.
        var description: UInt32 = 0
        /// The reason for the deprecation, which may be empty.
        var deprecation: UInt32 = 0

        var isDeprecated: Bool { deprecation > 0 }
    }

    /// The first sentence of the description; empty for none.
    func description(_ remark: Remark) -> String { remark.description > 0 ? name(remark.description - 1) : "" }

    /// The reason for the deprecation; empty for none.
    func reason(_ remark: Remark) -> String { remark.deprecation > 0 ? name(remark.deprecation - 1) : "" }

    /// `String, deprecated: Use name.` or `String  The name of the user.`
    func note(_ word: String, _ remark: Remark) -> String {
        let (reason, description) = (reason(remark), description(remark))
        if remark.isDeprecated { return word + ", deprecated" + (reason.isEmpty ? "" : ": " + reason) }
        return word + (description.isEmpty ? "" : "  " + description)
    }
}

extension GraphQLSchemaBuilder {
    /// Keeps the first sentence of each.
    /// - Parameter deprecation: The reason; nil unless it is deprecated.
    mutating func remark(_ description: String?, deprecation: String? = nil) -> GraphQLSchema.Remark {
        let sentence = description.map(GraphQLSentence.first) ?? ""
        return GraphQLSchema.Remark(
            description: sentence.isEmpty ? 0 : intern(sentence) + 1,
            deprecation: deprecation.map { intern(GraphQLSentence.first(of: $0)) + 1 } ?? 0)
    }
}

/// The first sentence of a description, on one line. It is the same for itself, as schemas are written and read again.
enum GraphQLSentence {
    /// In bytes. A longer sentence is cut off.
    private static let maximumByteCount = 200

    static func first(of text: String) -> String {
        var sentence: [UInt8] = []
        var (lineBreaks, hasSpace) = (0, false)
        for byte in text.utf8 {
            if byte <= 0x20 || byte == 0x7F {
                if byte == 0x0A { lineBreaks += 1 }
                hasSpace = true
                continue
            }
            if hasSpace, let last = sentence.last {
                // After `e.g.` it goes on.
                let isLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                if lineBreaks > 1 || ".!?".utf8.contains(last) && !isLower { break }
                sentence.append(0x20)
            }
            (lineBreaks, hasSpace) = (0, false)
            sentence.append(byte)
            if sentence.count > maximumByteCount { return cut(sentence) }
        }
        return String(decoding: sentence, as: UTF8.self)
    }

    private static func cut(_ sentence: [UInt8]) -> String {
        let ellipsis = "…"
        var end = maximumByteCount - ellipsis.utf8.count
        while end > 1, sentence[end] & 0xC0 == 0x80 || sentence[end - 1] == 0x20 { end -= 1 }
        return String(decoding: sentence[..<end], as: UTF8.self) + ellipsis
    }
}
