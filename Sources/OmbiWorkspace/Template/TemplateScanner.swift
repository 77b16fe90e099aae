/// Finds the templates in a text: the one grammar of braces, for what is filled in, coloured and imported.
///
///     template   = "{{" expression "}}"            on one line
///     expression = ( name / call ) [ ":" kind ]
///     call       = "$" name [ "(" [ argument *( "," argument ) ] ")" ]
///     argument   = name / call / number / "'" text "'" / DQUOTE text DQUOTE
///     kind       = "number" / "boolean" / "json"
///
/// `\{{` is the two braces themselves; to put a backslash before a template, double it. Of several braces the last two
/// open a template: `{{{name}}}` is a value in braces.
package struct TemplateScanner {
    /// Backslashes before braces.
    package enum Escapes: Sendable {
        /// One escapes the braces.
        case single
        /// Each is written as two, as in the strings of JSON.
        case doubled
        /// Braces have no meaning, as in the texts of other tools.
        case none
    }

    enum Token: Equatable {
        /// Literal bytes.
        case text(Range<Int>)
        /// A template with its braces.
        case template(Range<Int>)
        /// Braces that are not closed on their line.
        case unclosed(Int)
    }

    private let bytes: ArraySlice<UInt8>
    private let escapes: Escapes
    private var index: Int
    /// The start of the text that no token holds yet.
    private var plainStart: Int

    init(_ bytes: ArraySlice<UInt8>, escapes: Escapes = .single) {
        self.bytes = bytes
        self.escapes = escapes
        index = bytes.startIndex
        plainStart = bytes.startIndex
    }

    /// The next part of the text; nil at its end.
    mutating func next() -> Token? {
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == Self.backslash, escapes != .none {
                if let text = backslashes() { return text }
            } else if byte == Self.opening, isOpening(index) {
                if let text = text(to: index) { return text }
                return braces()
            } else {
                index += 1
            }
        }
        return text(to: bytes.endIndex)
    }

    /// Continues after the two braces of an invalid template.
    mutating func resume(behindBracesOf template: Range<Int>) {
        plainStart = template.lowerBound + 2
        index = plainStart
    }

    private static let backslash = UInt8(ascii: "\\")
    private static let opening = UInt8(ascii: "{")
    private static let closing = UInt8(ascii: "}")

    private mutating func text(to end: Int) -> Token? {
        guard plainStart < end else { return nil }
        defer { plainStart = end }
        return .text(plainStart..<end)
    }

    private func areBraces(_ index: Int) -> Bool {
        index + 1 < bytes.endIndex && bytes[index] == Self.opening && bytes[index + 1] == Self.opening
    }

    private func isOpening(_ index: Int) -> Bool { areBraces(index) && !areBraces(index + 1) }

    /// Reads backslashes, which escape only right before two braces: two represent one, and a single one makes the
    /// braces plain text.
    private mutating func backslashes() -> Token? {
        let start = index
        while index < bytes.endIndex, bytes[index] == Self.backslash { index += 1 }
        guard areBraces(index) else { return nil }
        let count = escapes == .doubled ? (index - start) / 2 : index - start
        let text = text(to: start + count / 2)
        plainStart = index
        if count % 2 == 1 { index += 2 }
        return text
    }

    private mutating func braces() -> Token {
        let start = index
        guard let end = end(from: start + 2) else {
            (plainStart, index) = (start, start + 2)
            return .unclosed(start)
        }
        (plainStart, index) = (end, end)
        return .template(start..<end)
    }

    /// The offset after the closing braces. Braces in a quoted argument do not count.
    private func end(from start: Int) -> Int? {
        var index = start
        var isCall = false
        while index + 1 < bytes.endIndex {
            switch bytes[index] {
            case Self.closing where bytes[index + 1] == Self.closing: return index + 2
            case 0x0A: return nil
            case Self.opening where isOpening(index): return nil
            case UInt8(ascii: "("): isCall = true
            case let quote where isCall && (quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"")):
                let line = bytes[(index + 1)...].prefix { $0 != 0x0A }
                index = line.firstIndex(of: quote) ?? index
            default: break
            }
            index += 1
        }
        return nil
    }
}

extension TemplateScanner {
    /// A template in a text: its place, and the names in it, of functions with their `$`; nil for one with an error in it.
    package typealias Found = (range: Range<Int>, names: [String]?)

    /// Returns the templates in a text, whatever is wrong with them. Escaped braces are none.
    package static func templates(in bytes: ArraySlice<UInt8>, escapes: Escapes = .single) -> [Found] {
        var scanner = TemplateScanner(bytes, escapes: escapes)
        var found: [Found] = []
        while let token = scanner.next() {
            guard case .template(let range) = token else { continue }
            let inside = bytes[range.lowerBound + 2..<range.upperBound - 2]
            found.append((range, names(in: escapes == .doubled ? ArraySlice(unquoted(inside)) : inside)))
        }
        return found
    }

    /// Returns the valid template at an offset; nil for none.
    static func template(at offset: Int, in bytes: ArraySlice<UInt8>) -> Range<Int>? {
        var scanner = TemplateScanner(bytes[offset...], escapes: .none)
        // Of many braces in a row, each would look for the last two.
        guard scanner.isOpening(offset), case .template(let range)? = scanner.next(), range.lowerBound == offset,
            names(in: bytes[offset + 2..<range.upperBound - 2]) != nil
        else { return nil }
        return range
    }

    /// Returns a text with a variable renamed in its templates; a text with an error is returned unchanged.
    static func renaming(variable old: String, to new: String, in text: String) -> String {
        let bytes = Array(text.utf8)
        var scanner = TemplateScanner(bytes[...])
        var (result, copied): ([UInt8], Int) = ([], 0)
        while let token = scanner.next() {
            guard case .template(let range) = token else { continue }
            var parser = TemplateParser(bytes[range.lowerBound + 2..<range.upperBound - 2])
            guard (try? parser.expression(at: 0)) != nil else { continue }
            for name in parser.variables where bytes[name].elementsEqual(old.utf8) {
                result += bytes[copied..<name.lowerBound]
                result += new.utf8
                copied = name.upperBound
            }
        }
        return String(decoding: result + bytes[copied...], as: UTF8.self)
    }

    private static func names(in bytes: ArraySlice<UInt8>) -> [String]? {
        var parser = TemplateParser(bytes)
        return try? parser.expression(at: 0).names
    }

    /// The quotes of arguments without the backslashes that they have in JSON.
    private static func unquoted(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\""), result.last == backslash { result.removeLast() }
            result.append(byte)
        }
        return result
    }
}
