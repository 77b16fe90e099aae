/// The content of a template: a variable or the call of a function, and the kind of its value.
public struct TemplateExpression: Sendable, Equatable {
    /// The kind that the value of a template must have. In a JSON body a whole string with a kind becomes such a value.
    public enum Kind: String, CaseIterable, Sendable {
        case number, boolean, json
    }

    public indirect enum Value: Sendable, Equatable {
        case variable(String)
        /// With the `$` of its name.
        case call(String, [Argument])
    }

    public enum Argument: Sendable, Equatable {
        /// A number, or a text without its quotes.
        case literal(String)
        case value(Value)
    }

    public var value: Value
    /// Nil for any text.
    public var kind: Kind?
    /// The offset of the braces in the text, in UTF-8.
    public var offset: Int

    public init(_ value: Value, kind: Kind? = nil, offset: Int = 0) {
        self.value = value
        self.kind = kind
        self.offset = offset
    }

    /// The names in it in order, of functions with their `$`.
    public var names: [String] { value.names }

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
    /// The template with its braces.
    public var description: String { "{{\(value.text)\(kind.map { ":" + $0.rawValue } ?? "")}}" }

    /// The template without its kind.
    var untyped: TemplateExpression { TemplateExpression(value, offset: offset) }
}
