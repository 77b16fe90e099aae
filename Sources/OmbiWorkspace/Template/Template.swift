/// A text with `{{names}}` in it, split into parts.
///
/// `{{name}}` is a variable or a secret, `{{$name}}` a function. There is deliberately no `{{$env.NAME}}`: values from
/// the process environment are named under `secrets` of an environment, and so masked everywhere.
package struct Template: Sendable, Equatable {
    package enum Part: Sendable, Equatable {
        case text(String)
        case template(TemplateExpression)
    }

    package var parts: [Part]

    /// Throws when braces are not closed or hold no name.
    package init(_ text: String) throws(TemplateError) {
        parts = []
        // Most texts hold no template.
        guard text.utf8.contains(UInt8(ascii: "{")) else {
            if !text.isEmpty { parts = [.text(text)] }
            return
        }
        let bytes = Array(text.utf8)[...]
        var scanner = TemplateScanner(bytes)
        var plain = ""
        while let token = scanner.next() {
            switch token {
            case .text(let range): plain += String(decoding: bytes[range], as: UTF8.self)
            case .unclosed(let offset): throw TemplateError(.notClosed, at: offset, in: text)
            case .template(let range):
                if !plain.isEmpty { parts.append(.text(plain)) }
                plain = ""
                parts.append(.template(try Self.expression(in: bytes, range, of: text)))
            }
        }
        if !plain.isEmpty { parts.append(.text(plain)) }
    }

    private static func expression(
        in bytes: ArraySlice<UInt8>, _ range: Range<Int>, of text: String
    ) throws(TemplateError) -> TemplateExpression {
        var parser = TemplateParser(bytes[range.lowerBound + 2..<range.upperBound - 2])
        do throws(TemplateError.Reason) { return try parser.expression(at: range.lowerBound) } catch {
            throw TemplateError(error, at: range.lowerBound, in: text)
        }
    }

    /// The names that the text refers to, in order; functions with their `$`.
    package var names: [String] {
        parts.flatMap { part -> [String] in if case .template(let expression) = part { expression.names } else { [] } }
    }

    /// The template that the text consists of; nil for any other text.
    var only: TemplateExpression? {
        guard parts.count == 1, case .template(let expression) = parts[0] else { return nil }
        return expression
    }

    /// Returns the template that a text consists of if it has a kind.
    static func typed(_ text: String) -> TemplateExpression? {
        guard text.utf8.count > 5, text.utf8.first == UInt8(ascii: "{"), text.utf8.last == UInt8(ascii: "}"),
            let expression = (try? Template(text))?.only, expression.kind != nil
        else { return nil }
        return expression
    }
}

/// The content of a template: a variable or the call of a function, and the kind of its value.
package struct TemplateExpression: Sendable, Equatable {
    /// The kind that the value of a template must have. In a JSON body a whole string with a kind becomes such a value.
    package enum Kind: String, CaseIterable, Sendable {
        case number, boolean, json
    }

    package indirect enum Value: Sendable, Equatable {
        case variable(String)
        /// With the `$` of its name.
        case call(String, [Argument])
    }

    package enum Argument: Sendable, Equatable {
        /// A number, or a text without its quotes.
        case literal(String)
        case value(Value)
    }

    package var value: Value
    /// Nil for any text.
    package var kind: Kind?
    /// The offset of the braces in the text, in UTF-8.
    package var offset: Int

    package init(_ value: Value, kind: Kind? = nil, offset: Int = 0) {
        self.value = value
        self.kind = kind
        self.offset = offset
    }

    /// The names in it in order, of functions with their `$`.
    package var names: [String] { value.names }

}

extension TemplateExpression.Value {
    /// The name of the variable or of the outermost function.
    var name: String {
        switch self {
        case .variable(let name), .call(let name, _): name
        }
    }

    fileprivate var names: [String] {
        switch self {
        case .variable(let name): [name]
        case .call(let name, let arguments):
            [name]
                + arguments.flatMap { argument -> [String] in
                    if case .value(let value) = argument { value.names } else { [] }
                }
        }
    }

    fileprivate var text: String {
        switch self {
        case .variable(let name): name
        case .call(let name, let arguments):
            arguments.isEmpty ? name : name + "(" + arguments.map(\.text).joined(separator: ", ") + ")"
        }
    }
}

extension TemplateExpression.Argument {
    fileprivate var text: String {
        switch self {
        case .value(let value): value.text
        case .literal(let text) where Int(text).map({ "\($0)" == text }) ?? false: text
        case .literal(let text): text.contains("'") ? "\"\(text)\"" : "'\(text)'"
        }
    }
}

extension TemplateExpression: CustomStringConvertible {
    package var description: String { "{{\(value.text)\(kind.map { ":" + $0.rawValue } ?? "")}}" }

    /// The template without its kind.
    var untyped: TemplateExpression { TemplateExpression(value, offset: offset) }
}
