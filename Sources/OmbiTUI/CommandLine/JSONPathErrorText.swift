import OmbiDocument
import OmbiTerminal

/// Formats the error in a JSONPath, with a caret under its position.
enum JSONPathErrorText {
    static func lines(for error: JSONPathError, in expression: String) -> String {
        let before = String(String.UnicodeScalarView(expression.unicodeScalars.prefix(error.column - 1)))
        let columns = TextWidth.of(before)
        return """
            ombi: invalid JSONPath at column \(error.column): \(SafeText.line(error.reason))
              \(SafeText.line(expression))
              \(String(repeating: " ", count: columns))^
            """
    }
}
