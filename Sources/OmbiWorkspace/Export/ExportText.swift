/// A text of a request for another tool: literal parts, and values that the tool fills in.
struct ExportText: Sendable, Equatable {
    enum Piece: Sendable, Equatable {
        case text(String)
        case value(ExportValue)
    }

    private(set) var pieces: [Piece] = []

    init(plain text: String = "") { append(.text(text)) }

    init(_ value: ExportValue) { append(.value(value)) }

    /// Splits a text of a collection at its templates.
    /// - Parameter secret: the name of the value that takes the place of a text without templates; nil keeps the text.
    init(_ text: String, secret: String? = nil) {
        let parts = (try? Template(text).parts) ?? [.text(text)]
        var literal = ""
        for part in parts {
            switch part {
            case .text(let text):
                literal += text
                append(.text(text))
            case .template(let template): append(.value(ExportValue(template)))
            }
        }
        if let secret, plain != nil, !literal.isEmpty { self = ExportText(ExportValue(secret: literal, named: secret)) }
    }

    /// Splits a text of a collection at its templates, and at the secrets that `ombi check` finds in it.
    /// - Parameters:
    ///   - name: The name of its row; empty for a body.
    ///   - place: The kind of text around it.
    init(_ text: String, named name: String, _ place: SecretDetector.Place) {
        let isTemplate = (try? Template(text)) != nil
        var end = text.startIndex
        for finding in SecretDetector.find(in: text, named: name, place) where finding.range.lowerBound >= end {
            let (before, secret) = (String(text[end..<finding.range.lowerBound]), text[finding.range])
            // Behind open braces it is an argument of a function.
            let isInside = isTemplate && (try? Template(before)) == nil
            guard !isInside, !SecretDetector.isPlaceholder(secret) else { continue }
            append(ExportText(before))
            let name = finding.name.isEmpty ? "secret" : finding.name
            append(.value(ExportValue(secret: String(secret), named: name)))
            end = finding.range.upperBound
        }
        append(ExportText(String(text[end...])))
    }

    private mutating func append(_ text: ExportText) { for piece in text.pieces { append(piece) } }

    private mutating func append(_ piece: Piece) {
        if case .text(let text) = piece {
            if text.isEmpty { return }
            if case .text(let last)? = pieces.last {
                pieces[pieces.count - 1] = .text(last + text)
                return
            }
        }
        pieces.append(piece)
    }

    static func + (left: ExportText, right: ExportText) -> ExportText {
        var sum = left
        sum.append(right)
        return sum
    }

    static func + (left: ExportText, right: String) -> ExportText { left + ExportText(plain: right) }

    static func + (left: String, right: ExportText) -> ExportText { ExportText(plain: left) + right }

    var isEmpty: Bool { pieces.isEmpty }

    /// The whole text; nil for one with values.
    var plain: String? {
        guard values.isEmpty else { return nil }
        return literal
    }

    /// The text between the values.
    var literal: String { text { _ in "" } }

    var values: [ExportValue] { pieces.compactMap { if case .value(let value) = $0 { value } else { nil } } }

    /// True for a text with a secret that the collection has in clear.
    var holdsSecret: Bool { values.contains { if case .secret = $0.source { true } else { false } } }

    var templates: String { text(\.template) }

    /// The text without spaces and tabs in front, which are no part of a header (RFC 9110, section 5.5).
    var withoutIndent: ExportText {
        guard case .text(let text)? = pieces.first else { return self }
        var result = ExportText(plain: String(text.drop { $0 == " " || $0 == "\t" }))
        for piece in pieces.dropFirst() { result.append(piece) }
        return result
    }

    /// A URL without its user information, and that; nil for a URL that has none.
    var splitUser: (url: ExportText, user: ExportText)? {
        let mark: Unicode.Scalar = "\u{FFFC}"
        let marked = self.text { _ in String(mark) }.unicodeScalars
        guard !literal.unicodeScalars.contains(mark), let colon = marked.firstIndex(of: ":"),
            marked[colon...].starts(with: "://".unicodeScalars)
        else { return nil }
        let authority = marked[colon...].dropFirst(3).prefix { !"/?#".unicodeScalars.contains($0) }
        guard let at = authority.lastIndex(of: "@") else { return nil }
        var values = values[...]
        func part(_ scalars: Substring.UnicodeScalarView) -> ExportText {
            var result = ExportText()
            for scalar in scalars {
                let value = scalar == mark ? values.popFirst() : nil
                result.append(value.map(Piece.value) ?? .text(String(scalar)))
            }
            return result
        }
        let (scheme, user) = (part(marked[..<authority.startIndex]), part(authority[..<at]))
        return (scheme + part(marked[marked.index(after: at)...]), user)
    }

    /// Returns the text with what a function makes of its parts.
    func text(
        _ value: (ExportValue) -> String, plain: (String) -> String = { $0 }, separator: String = ""
    ) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): plain(text)
            case .value(let one): value(one)
            }
        }.joined(separator: separator)
    }

    /// Returns an expression of a programming language: literals and values with `+` between them.
    func sum(literal: (String) -> String, value: (ExportValue) -> String) -> String {
        isEmpty ? literal("") : text(value, plain: literal, separator: " + ")
    }

    /// Returns the text escaped; the other tool must escape the values.
    /// - Parameter values: The escaping of the values; nil for the one of the text.
    func encoded(_ encoding: ExportEncoding, values: ExportEncoding? = nil) -> ExportText {
        var result = ExportText()
        for piece in pieces {
            switch piece {
            case .text(let text): result.append(.text(encoding.apply(to: text)))
            case .value(var value):
                value.encoding = values ?? encoding
                result.append(.value(value))
            }
        }
        return result
    }

    /// Returns a path escaped. The server of a URL in front of it stays: the brackets of an address are its own.
    /// - Parameter slashes: the number of slashes up to that which begins the path; those found are taken off.
    func encodedPath(after slashes: inout Int, values: ExportEncoding) -> ExportText {
        var result = ExportText()
        for piece in pieces {
            switch piece {
            case .text(let text):
                var start = text.startIndex
                while slashes > 0, start < text.endIndex {
                    if text.utf8[start] == UInt8(ascii: "/") { slashes -= 1 }
                    if slashes > 0 { start = text.utf8.index(after: start) }
                }
                let path = PercentEncoding.escapePath(String(text[start...]))
                result.append(.text(String(text[..<start]) + path))
            case .value(var value):
                value.encoding = values
                result.append(.value(value))
            }
        }
        return result
    }

    /// Puts texts, which are escaped for their place, and other values in the place of values.
    mutating func replaceValues<Failure: Error>(_ piece: (ExportValue) throws(Failure) -> Piece) throws(Failure) {
        var result = ExportText()
        for old in pieces {
            guard case .value(let value) = old else {
                result.append(old)
                continue
            }
            switch try piece(value) {
            case .text(let text): result.append(.text(value.encoding.apply(to: text)))
            case .value(let new): result.append(.value(new))
            }
        }
        self = result
    }

    /// Puts texts in the place of values.
    /// - Parameter text: the text of a value, not yet escaped; nil keeps the value.
    mutating func fill(_ text: (ExportValue) throws(ResolveError) -> String?) throws(ResolveError) {
        try replaceValues { value throws(ResolveError) in try text(value).map(Piece.text) ?? .value(value) }
    }
}

extension [ExportText] {
    func joined(separator: String) -> ExportText {
        var result = ExportText()
        for (index, text) in enumerated() { result = result + (index == 0 ? "" : separator) + text }
        return result
    }
}

/// A part of a text that the sender of the request fills in.
struct ExportValue: Sendable, Equatable {
    enum Source: Sendable, Equatable {
        case template(TemplateExpression)
        /// A secret that the collection has in clear.
        case secret(String)
    }

    /// The name of the variable, or of the function without its `$`.
    var name: String
    var source: Source
    /// The escaping that its place needs.
    var encoding = ExportEncoding.none

    init(_ template: TemplateExpression) {
        let name = template.names.first ?? ""
        self.name = name.hasPrefix("$") ? String(name.dropFirst()) : name
        source = .template(template)
    }

    init(secret: String, named name: String) {
        self.name = name
        source = .secret(secret)
    }

    /// The function that a template calls, with its `$`; nil for a variable.
    var function: String? {
        guard case .template(let template) = source, case .call(let name, _) = template.value else { return nil }
        return name
    }

    /// `{{name}}`, and a function as Ombi writes it.
    var template: String {
        switch source {
        case .template(let template): template.description
        case .secret: braces
        }
    }

    var braces: String { "{{\(name)}}" }
}

/// The escaping of a text for its place in a URL, a form or JSON.
enum ExportEncoding: Sendable, Equatable {
    case none, path, segment, writtenQuery, parameter, form
    /// Between the quotes of a string.
    case json

    func apply(to text: String) -> String {
        switch self {
        case .none: text
        case .path: PercentEncoding.escapePath(text)
        case .segment: PercentEncoding.escape(text)
        case .writtenQuery: PercentEncoding.escapeWrittenQuery(text)
        case .parameter: PercentEncoding.escapeParameter(text)
        case .form: PercentEncoding.escapeForm(text)
        case .json: String(JSONValue.quoted(text).dropFirst().dropLast())
        }
    }
}

/// The names of secrets in requests that are exported together: each secret has its own, different from all variables.
struct SecretNames: Sendable {
    private enum Meaning: Equatable {
        case variable
        /// A secret of an environment, which another collection or environment may have under the same name.
        case secret(file: String, environment: String)
        /// A secret that the collection has in clear.
        case text(String)
    }

    private var meanings: [String: Meaning] = [:]

    /// Keeps the names of variables, and the names of secrets of environments as far as they are free.
    /// - Parameter orders: The orders of the requests, one for each.
    init(_ requests: [ExportedRequest], of orders: [RunOrder]) {
        var secrets: [(value: ExportValue, order: RunOrder)] = []
        for (request, order) in zip(requests, orders) {
            for value in request.texts.flatMap(\.values) {
                switch Self.meaning(of: value, in: order) {
                case .variable: if case .template = value.source { meanings[value.name] = .variable }
                case .secret: secrets.append((value, order))
                case .text: break
                }
            }
        }
        for (value, order) in secrets { _ = name(of: value, in: order) }
    }

    /// Returns the name of a value, with a number if another secret has it.
    mutating func name(of value: ExportValue, in order: RunOrder) -> String {
        let meaning = Self.meaning(of: value, in: order)
        guard meaning != .variable else { return value.name }
        var (name, number) = (value.name, 1)
        while let known = meanings[name], known != meaning {
            number += 1
            name = "\(value.name)\(number)"
        }
        meanings[name] = meaning
        return name
    }

    /// Returns a value under its name.
    mutating func renamed(_ value: ExportValue, in order: RunOrder) -> ExportValue {
        let unique = name(of: value, in: order)
        guard unique != value.name else { return value }
        var renamed = value
        renamed.name = unique
        // A template is written with the name that it has in its collection.
        if case .template = value.source { renamed.source = .secret("") }
        return renamed
    }

    /// A token that is issued has one name for all.
    private static func meaning(of value: ExportValue, in order: RunOrder) -> Meaning {
        switch value.source {
        case .secret(let text): return text.isEmpty ? .variable : .text(text)
        case .template(let template):
            guard case .variable(let name) = template.value, let environment = order.chosenEnvironment,
                environment.secrets.contains(where: { $0.name == name })
            else { return .variable }
            return .secret(file: order.file, environment: environment.name)
        }
    }
}
