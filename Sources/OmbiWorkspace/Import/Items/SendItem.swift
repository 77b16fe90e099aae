import OmbiCore

/// A part of a request as a word of a command line, in the syntax of HTTPie: `name=value`, `Header:value`, `name@file`.
///
/// The first separator counts, and of those at one place the longest. A backslash before one makes it plain text.
public struct SendItem: Sendable, Equatable {
    /// The meaning of the value. The raw value is the separator.
    public enum Kind: String, CaseIterable, Sendable {
        case header = ":"
        case emptyHeader = ";"
        case headerFromFile = ":@"
        case query = "=="
        case queryFromFile = "==@"
        case text = "="
        case textFromFile = "=@"
        case json = ":="
        case jsonFromFile = ":=@"
        case file = "@"
    }

    public private(set) var kind: Kind
    public private(set) var name: String
    public private(set) var value: String

    public init(_ word: String) throws(FieldError) {
        guard let (name, kind, value) = Self.split(word) else {
            throw FieldError(
                "\"\(word.excerpt(40))\" is not an item of a request; write name=value, name:=json, Header:value, "
                    + "name==value or name@file")
        }
        (self.kind, self.name, self.value) = (kind, name, value)
        try check(word.excerpt(40))
    }

    // MARK: Reading

    private static let longestFirst = Kind.allCases.sorted { $0.rawValue.utf8.count > $1.rawValue.utf8.count }

    private static func split(_ word: String) -> (String, Kind, String)? {
        var name = ""
        var rest = word[...]
        while let character = rest.first {
            if let kind = longestFirst.first(where: { rest.hasPrefix($0.rawValue) }) {
                return (name, kind, unescaped(rest.dropFirst(kind.rawValue.count)))
            }
            rest.removeFirst()
            if character == "\\", let next = rest.first, isEscapable(next) {
                name.append(next)
                rest.removeFirst()
            } else {
                name.append(character)
            }
        }
        return nil
    }

    private static func unescaped(_ text: Substring) -> String {
        var result = ""
        var rest = text
        while let character = rest.popFirst() {
            let isEscape = character == "\\" && rest.first.map(isEscapable) ?? false
            result.append(isEscape ? rest.removeFirst() : character)
        }
        return result
    }

    /// Returns true for a character of a separator.
    private static func isEscapable(_ character: Character) -> Bool { ":;=@".contains(character) }

    // MARK: Checking

    private func check(_ word: String) throws(FieldError) {
        switch kind {
        case .header, .headerFromFile, .emptyHeader: try checkHeader(word)
        case .file: if value.isEmpty { throw FieldError("\(word): no file is named; write name@file") }
        case .query, .queryFromFile, .text, .textFromFile, .json, .jsonFromFile:
            if name.isEmpty { throw FieldError("\(word): the name is missing; write name\(kind.rawValue)value") }
        }
        if path?.isEmpty ?? false { throw FieldError("\(word): no file is named; write name\(kind.rawValue)file") }
    }

    private func checkHeader(_ word: String) throws(FieldError) {
        if value.hasPrefix("//"), ["http", "https", "ws", "wss"].contains(name.lowercased()) {
            throw FieldError("\(word): the URL stands before this; send one request at a time")
        }
        guard TemplateText.plainParts(of: name).allSatisfy({ $0.isEmpty || HeaderCheck.isToken($0) }), !name.isEmpty
        else { throw FieldError("\(word): \(HeaderCheck.nameForm)") }
        if kind == .emptyHeader, !value.isEmpty {
            throw FieldError("\(word): write \(name):value for a header, and \(name); for an empty one")
        }
        if let reason = CurlHeaders.own[name.lowercased()] { throw FieldError("\(word): \(reason); leave it out") }
        if isRemoval, CurlHeaders.alwaysSent.contains(name.lowercased()) {
            throw FieldError("\(word): Ombi always sends this header; write \(name):value")
        }
    }
}

extension SendItem {
    /// True for a part of the body.
    var isData: Bool { [.text, .textFromFile, .json, .jsonFromFile, .file].contains(kind) }

    /// True for `Header:`, which leaves a header out.
    var isRemoval: Bool { kind == .header && value.isEmpty }

    /// The file whose content is the value; nil for a value that is written out, and for a file that is sent as it is.
    public var path: String? {
        switch kind {
        case .headerFromFile, .queryFromFile, .textFromFile, .jsonFromFile: value
        case .header, .emptyHeader, .query, .text, .json, .file: nil
        }
    }

    /// Takes the content of the file in place of its path.
    public mutating func take(_ content: [UInt8]) throws(FieldError) {
        guard let path else { return }
        guard var text = String(validating: content, as: UTF8.self) else {
            throw FieldError("\(path) is not UTF-8 text; name@file sends a file as it is")
        }
        switch kind {
        case .headerFromFile, .queryFromFile:
            while text.last?.isNewline ?? false { text.removeLast() }
            kind = kind == .headerFromFile ? .header : .query
        case .textFromFile: kind = .text
        case .jsonFromFile: kind = .json
        case .header, .emptyHeader, .query, .text, .json, .file: break
        }
        value = text
    }
}
