/// The error of a template that cannot be filled in, with its position in the text.
package struct TemplateError: Error, Sendable, Equatable {
    package indirect enum Reason: Error, Sendable, Equatable {
        /// `{{` without `}}`.
        case notClosed
        /// Braces around something that is no name.
        case noName(String)
        /// No variable or secret of that name; the known ones.
        case unknownVariable(String, known: [String])
        /// No function of that name; the known ones.
        case unknownFunction(String, known: [String])
        case unknownKind(String)
        /// A function whose arguments do not fit: its name, and the reason with a remedy.
        case arguments(String, String)
        /// A value that does not have the kind that the template asks for.
        case wrongKind(TemplateExpression, value: String)
        /// A variable that refers to itself: the names on the way round.
        case cycle([String])
        /// Variables that refer to others through too many levels: the names on the way.
        case tooDeep([String])
        /// Variables that refer to others so often that the text grows beyond 16 MB or 10 000 replacements.
        case tooLarge
        /// The variable is a secret that could not be read; the reason as a sentence.
        case secret(String)
        /// The variable is a secret that has yet to be obtained or trusted.
        case missingSecret(MissingSecret)
        /// A request captures the variable, and has not been sent: the name of the variable, and of the request.
        case notCaptured(String, by: String)
        /// The text of a variable is itself wrong.
        case inVariable(String, TemplateError)
    }

    package var kind: Reason
    /// The line of the braces in the text, from 1.
    package var line: Int
    /// The column of the braces in their line (1-based, in characters).
    package var column: Int
    /// The braces' offset in the text, in UTF-8.
    var offset: Int

    init(_ kind: Reason, at offset: Int, in text: String) {
        let before = text.utf8.prefix(offset)
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map(before.index(after:)) ?? before.startIndex
        self.kind = kind
        self.offset = offset
        line = before.count { $0 == UInt8(ascii: "\n") } + 1
        column = String(decoding: before[start...], as: UTF8.self).count + 1
    }

    private var place: String { line == 1 ? "column \(column)" : "line \(line), column \(column)" }

    /// The secret that has to be obtained or trusted first.
    var missingSecret: MissingSecret? {
        switch kind {
        case .missingSecret(let error): error
        case .inVariable(_, let error): error.missingSecret
        default: nil
        }
    }

    /// The variable that a request has to capture first.
    var missingCapture: String? {
        switch kind {
        case .notCaptured(let name, _): name
        case .inVariable(_, let error): error.missingCapture
        default: nil
        }
    }
}

extension TemplateError {
    /// A clause after the description, with the places to define a variable that resembles no known one.
    var remedy: String {
        switch kind {
        case .unknownVariable(let name, let known) where Spelling.hint(for: name, in: known).isEmpty:
            "; define it in an environment or in the collection"
        case .inVariable(_, let error): error.remedy
        default: ""
        }
    }
}

extension TemplateError {
    /// A clause with the name of `{{first name}}`, which has no spaces; empty for a text that is made of no words.
    fileprivate static func joined(_ text: String) -> String {
        let words = text.drop { $0 == "{" }.prefix { $0 != "}" }.split(whereSeparator: \.isWhitespace)
        let isName = words.allSatisfy { $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" } }
        return words.count > 1 && isName ? "{{\(words.joined(separator: "_"))}}, as names have no spaces, or " : ""
    }
}

extension TemplateError: CustomStringConvertible {
    package var description: String {
        switch kind {
        case .notClosed: "the {{ at \(place) is not closed with }}; write \\{{ for the braces themselves"
        case .noName(let text):
            "\(text) at \(place) contains no name; write \(Self.joined(text))\\{{ for the braces themselves"
        case .unknownVariable(let name, let known):
            "unknown variable \"\(name)\" at \(place)" + hint(for: name, known)
        case .unknownFunction(let name, let known): unknownFunction(name, known)
        case .unknownKind(let name):
            "unknown kind \"\(name)\" at \(place)"
                + hint(for: name, TemplateExpression.Kind.allCases.map(\.rawValue))
        case .arguments(let name, let reason): "\(name) at \(place): \(reason)"
        case .wrongKind(let expression, let value): wrongKind(expression, value)
        case .cycle(let names):
            "the variable \"\(names.first ?? "")\" at \(place) refers to itself: "
                + Self.way(names)
        case .tooDeep(let names):
            "the variable \"\(names.first ?? "")\" refers to others through more than \(names.count - 1) levels: "
                + Self.way(names)
        case .tooLarge: "the text grows too large; its variables refer to others too often"
        case .secret(let reason): reason
        case .missingSecret(let error): error.description
        case .notCaptured(let name, let request):
            "the variable \"\(name)\" at \(place) has no value yet; \"\(request)\" captures it"
        case .inVariable(let name, let error): "in the variable \"\(name)\": \(error)"
        }
    }

    /// The names on a way, of a long one the first and the last.
    static func way(_ names: [String]) -> String {
        (names.count > 7 ? names.prefix(3) + ["…"] + names.suffix(3) : names).joined(separator: " → ")
    }

    private func hint(for name: String, _ known: [String]) -> String {
        let spelling = Spelling.hint(for: name, in: known)
        if !spelling.isEmpty { return spelling }
        return known.isEmpty ? "; no variables are known here" : "; known: " + list(known)
    }

    private func list(_ names: [String]) -> String {
        let shown = names.prefix(20).joined(separator: ", ")
        return names.count > 20 ? "\(shown) and \(names.count - 20) more" : shown
    }

    private func unknownFunction(_ name: String, _ known: [String]) -> String {
        let message = "unknown function \"\(name)\" at \(place)"
        if name.hasPrefix("$env") {
            return message + "; name the environment variable under \"secrets\" of an environment instead"
        }
        return message + hint(for: name, known)
    }

    private func wrongKind(_ expression: TemplateExpression, _ value: String) -> String {
        let wanted =
            switch expression.kind {
            case .number: "a number of JSON, such as 42 or -1.5"
            case .boolean: "true or false"
            case .json, nil: "JSON; a text is written in quotes"
            }
        let found = value.isEmpty ? "it is empty" : "it is \(value.excerpt(40))"
        return "the value of \(expression) at \(place) is not \(wanted): \(found); "
            + "for text write \"\(expression.untyped)\""
    }
}
