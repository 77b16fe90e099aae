/// The error of a template that cannot be filled in, with its position in the text.
public struct TemplateError: Error, Sendable, Equatable {
    public indirect enum Reason: Error, Sendable, Equatable {
        /// `{{` without `}}`.
        case notClosed
        /// Braces around something that is no name.
        case noName(String)
        /// No variable or secret of that name; the known ones.
        case unknownVariable(String, known: [String])
        /// No function of that name; the known ones.
        case unknownFunction(String, known: [String])
        /// No kind of that name.
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

    /// The column of the braces in the text (1-based, in characters).
    public var column: Int
    public var kind: Reason

    public init(column: Int, kind: Reason) {
        self.column = column
        self.kind = kind
    }

    /// - Parameter offset: of the braces in the text, in UTF-8.
    init(_ kind: Reason, at offset: Int, in text: String) {
        self.init(column: String(decoding: text.utf8.prefix(offset), as: UTF8.self).count + 1, kind: kind)
    }

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
    /// A clause behind the description, with the places to define a variable whose name is like no other.
    var remedy: String {
        switch kind {
        case .unknownVariable(let name, let known) where Spelling.hint(for: name, in: known).isEmpty:
            "; define it in an environment or in the collection"
        case .inVariable(_, let error): error.remedy
        default: ""
        }
    }
}

extension TemplateError: CustomStringConvertible {
    public var description: String {
        switch kind {
        case .notClosed: "the {{ at column \(column) is not closed with }}; write \\{{ for the braces themselves"
        case .noName(let text):
            "\(text) at column \(column) contains no name; write \\{{ for the braces themselves"
        case .unknownVariable(let name, let known):
            "unknown variable \"\(name)\" at column \(column)" + hint(for: name, known)
        case .unknownFunction(let name, let known): unknownFunction(name, known)
        case .unknownKind(let name):
            "unknown kind \"\(name)\" at column \(column)"
                + hint(for: name, TemplateExpression.Kind.allCases.map(\.rawValue))
        case .arguments(let name, let reason): "\(name) at column \(column): \(reason)"
        case .wrongKind(let expression, let value): wrongKind(expression, value)
        case .cycle(let names):
            "the variable \"\(names.first ?? "")\" at column \(column) refers to itself: "
                + names.joined(separator: " → ")
        case .tooDeep(let names):
            "the variable \"\(names.first ?? "")\" refers to others through more than \(names.count - 1) levels: "
                + (names.prefix(3) + ["…"] + names.suffix(3)).joined(separator: " → ")
        case .tooLarge: "the text grows too large; its variables refer to others too often"
        case .secret(let reason): reason
        case .missingSecret(let error): error.description
        case .notCaptured(let name, let request):
            "the variable \"\(name)\" at column \(column) has no value yet; \"\(request)\" captures it"
        case .inVariable(let name, let error): "in the variable \"\(name)\": \(error)"
        }
    }

    private func hint(for name: String, _ known: [String]) -> String {
        let spelling = Spelling.hint(for: name, in: known)
        if !spelling.isEmpty { return spelling }
        return known.isEmpty ? "; no variables are known here" : "; known are " + list(known)
    }

    private func list(_ names: [String]) -> String {
        let shown = names.prefix(20).joined(separator: ", ")
        return names.count > 20 ? "\(shown) and \(names.count - 20) more" : shown
    }

    private func unknownFunction(_ name: String, _ known: [String]) -> String {
        let message = "unknown function \"\(name)\" at column \(column)"
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
        return "the value of \(expression) at column \(column) is not \(wanted): \(found); "
            + "for text write \"\(expression.untyped)\""
    }
}
