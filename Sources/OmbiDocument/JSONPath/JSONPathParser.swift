/// Parses a JSONPath expression (RFC 9535, appendix A) and checks its types. It stops at the first error.
struct JSONPathParser {
    /// The maximum nesting of parentheses and filters: expressions are evaluated recursively.
    static let maximumDepth = 64
    /// The maximum integer that every JSON parser can hold (RFC 7493, section 2.2).
    static let maximumInteger = 9_007_199_254_740_991

    private let text: [Unicode.Scalar]
    /// The index of the next character, from 0.
    var position = 0
    private var depth = 0

    init(_ text: String) { self.text = Array(text.unicodeScalars) }

    mutating func parse() throws(JSONPathError) -> [JSONPathSegment] {
        if text.isEmpty { throw error("expected '$', found nothing") }
        guard take("$") else {
            throw error("expected '$', which every JSONPath begins with, found \(found)")
        }
        let result = try segments()
        guard next == nil else { throw error("expected '.', '..' or '[', found \(found)") }
        return result
    }

    // MARK: Characters

    var next: Unicode.Scalar? { scalar(at: position) }

    func scalar(at index: Int) -> Unicode.Scalar? { index < text.count ? text[index] : nil }

    mutating func take(_ word: String) -> Bool {
        var index = position
        for scalar in word.unicodeScalars {
            guard self.scalar(at: index) == scalar else { return false }
            index += 1
        }
        position = index
        return true
    }

    mutating func expect(_ word: String, _ context: String) throws(JSONPathError) {
        guard take(word) else { throw error("expected '\(word)' \(context), found \(found)") }
    }

    /// Returns false if there was none.
    @discardableResult mutating func skipSpace() -> Bool {
        let start = position
        while let scalar = next, Self.isSpace(scalar) { position += 1 }
        return position > start
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
    }

    static func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0"..."9" ~= scalar }

    /// Takes characters while they are `fitting`.
    mutating func take(while fitting: (Unicode.Scalar) -> Bool) -> String {
        var result = String.UnicodeScalarView()
        while let scalar = next, fitting(scalar) {
            result.append(scalar)
            position += 1
        }
        return String(result)
    }

    // MARK: Errors

    func error(_ reason: String, at position: Int? = nil) -> JSONPathError {
        JSONPathError(column: (position ?? self.position) + 1, reason: reason)
    }

    /// A description of the next character for error messages.
    var found: String {
        guard let next else { return "the end" }
        if Self.isSpace(next) { return next == "\n" ? "a line break" : "white space" }
        if next.value < 0x20 || next.properties.generalCategory == .control {
            return "U+" + Hexadecimal.fourDigits(of: next.value).uppercased()
        }
        return "'\(next)'"
    }

    /// Parses one level deeper. Throws beyond `maximumDepth`.
    mutating func nested<Result>(
        _ body: (inout JSONPathParser) throws(JSONPathError) -> Result
    ) throws(JSONPathError) -> Result {
        guard depth < Self.maximumDepth else {
            throw error("filters and parentheses are nested more than \(Self.maximumDepth) deep")
        }
        depth += 1
        defer { depth -= 1 }
        return try body(&self)
    }
}
