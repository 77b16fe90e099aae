/// The value of `-F` behind the name: files or a text, each with attributes behind semicolons.
struct CurlFormValue {
    /// One file, or the text.
    struct Item: Equatable {
        var text = ""
        var type: String?
        var fileName: String?
        /// Attributes that curl sends and no part can have: `headers=X-A: 1`.
        var lost: [String] = []
        /// Attributes that curl leaves out, too.
        var unknown: [String] = []
    }

    private(set) var items: [Item] = []
    private var rest: Substring
    /// Ends a file; nil for a text, which goes on.
    private let end: Character?

    /// - Parameter isList: true for files, which commas separate.
    init(_ text: Substring, isList: Bool) {
        rest = text
        end = isList ? "," : nil
        repeat { items.append(item()) } while takes(end)
    }

    private mutating func takes(_ character: Character?) -> Bool {
        guard let character, rest.first == character else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func item() -> Item {
        skipSpaces()
        var item = Item(text: word())
        // A type goes on with what is no other attribute: its parameters.
        var isInType = false
        while takes(";") {
            skipSpaces()
            if !isInType, take("type=") {
                item.type = unquoted()
                isInType = true
            } else if take("filename=") {
                item.fileName = word()
                isInType = false
            } else if let attribute = ["headers=", "encoder="].first(where: { take($0) }) {
                item.lost.append(attribute + word())
                isInType = false
            } else if isInType {
                item.type = (item.type ?? "") + ";" + spaces + unquoted()
            } else {
                let attribute = word()
                if !attribute.isEmpty { item.unknown.append(attribute) }
            }
        }
        item.type = item.type.map(Self.trimmed)
        return item
    }

    /// The spaces that the last `skipSpaces` went over.
    private var spaces = ""

    private mutating func skipSpaces() {
        spaces = String(rest.prefix(while: \.isWhitespace))
        rest = rest.dropFirst(spaces.count)
    }

    /// Goes over a prefix, in any case, and the spaces behind it.
    private mutating func take(_ prefix: String) -> Bool {
        guard rest.prefix(prefix.count).lowercased() == prefix else { return false }
        rest = rest.dropFirst(prefix.count)
        skipSpaces()
        return true
    }

    private mutating func unquoted() -> String {
        let text = rest.prefix { $0 != ";" && $0 != end }
        rest = rest[text.endIndex...]
        return String(text)
    }

    /// Reads a quoted text, or up to the next attribute without spaces around it.
    private mutating func word() -> String {
        guard rest.first == "\"" else { return Self.trimmed(unquoted()) }
        var text = ""
        var ahead = rest.dropFirst()
        while let character = ahead.popFirst() {
            if character == "\"" {
                rest = ahead
                _ = unquoted()
                return text
            }
            let isEscape = character == "\\" && (ahead.first == "\\" || ahead.first == "\"")
            text.append(isEscape ? ahead.removeFirst() : character)
        }
        return Self.trimmed(unquoted())
    }

    private static func trimmed(_ text: String) -> String {
        let start = text.drop(while: \.isWhitespace)
        return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }
}
