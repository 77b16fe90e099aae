/// A text with `{{names}}` in it, split into parts.
///
/// `{{name}}` stands for a variable or a secret, `{{$name}}` for a function. There is deliberately no `{{$env.NAME}}`:
/// whatever is taken from the process environment is named under `secrets` of an environment, and so is masked wherever
/// it would be shown.
public struct Template: Sendable, Equatable {
    public enum Part: Sendable, Equatable {
        case text(String)
        case template(TemplateExpression)
    }

    public var parts: [Part]

    /// Throws when braces are not closed or hold no name.
    public init(_ text: String) throws(TemplateError) {
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

    /// The names that the text refers to, in order; those of functions with their `$`.
    public var names: [String] {
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
