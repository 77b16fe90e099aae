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
            return "U+" + next.value.digits(4, radix: 16, uppercase: true)
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

/// Segments and selectors.
extension JSONPathParser {
    mutating func segments() throws(JSONPathError) -> [JSONPathSegment] {
        var result: [JSONPathSegment] = []
        while true {
            let start = position
            skipSpace()
            guard next == "." || next == "[" else {
                // White space is allowed only before a segment.
                position = start
                return result
            }
            result.append(try segment())
        }
    }

    private mutating func segment() throws(JSONPathError) -> JSONPathSegment {
        if take("..") {
            if next == "[" { return try brackets(isDescendant: true) }
            return JSONPathSegment(isDescendant: true, selectors: [try shorthand(after: "..")])
        }
        if take(".") { return JSONPathSegment(selectors: [try shorthand(after: ".")]) }
        return try brackets(isDescendant: false)
    }

    private mutating func shorthand(after dots: String) throws(JSONPathError) -> JSONPathSelector {
        if take("*") { return .wildcard }
        guard let first = next, Self.isNameStart(first) else {
            let hint =
                next.map { "0"..."9" ~= $0 || $0 == "-" } == true ? " (other names go in brackets: ['name'])" : ""
            let brackets = dots == ".." ? ", '*' or '['" : " or '*'"
            throw error("expected a name\(brackets) after '\(dots)', found \(found)\(hint)")
        }
        return .name(JSONPathName(take { Self.isNameStart($0) || "0"..."9" ~= $0 }))
    }

    private static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
        "a"..."z" ~= scalar || "A"..."Z" ~= scalar || scalar == "_" || scalar.value >= 0x80
    }

    private mutating func brackets(isDescendant: Bool) throws(JSONPathError) -> JSONPathSegment {
        try expect("[", "here")
        var result = JSONPathSegment(isDescendant: isDescendant, selectors: [])
        repeat {
            if skipSpace() { result.hasInnerSpace = true }
            result.selectors.append(try selector())
            if skipSpace() { result.hasInnerSpace = true }
        } while take(",")
        try expect("]", "or ',' after the selector")
        return result
    }

    private mutating func selector() throws(JSONPathError) -> JSONPathSelector {
        switch next {
        case "'", "\"": return .name(JSONPathName(try string()))
        case "*":
            position += 1
            return .wildcard
        case "?":
            position += 1
            skipSpace()
            return .filter(try expression())
        case let scalar? where scalar == "-" || scalar == ":" || Self.isDigit(scalar): return try indexOrSlice()
        default:
            let hint = next.map(Self.isNameStart) == true ? " (names in brackets are in quotes)" : ""
            throw error("expected a name in quotes, an index, a slice, '*' or '?', found \(found)\(hint)")
        }
    }

    private mutating func indexOrSlice() throws(JSONPathError) -> JSONPathSelector {
        let start = next == ":" ? nil : try integer()
        let afterStart = position
        skipSpace()
        guard take(":") else {
            position = afterStart
            return .index(start ?? 0)
        }
        var slice = JSONPathSlice(start: start)
        skipSpace()
        slice.end = try optionalInteger()
        let afterEnd = position
        skipSpace()
        guard take(":") else {
            position = afterEnd
            return .slice(slice)
        }
        let afterColon = position
        skipSpace()
        if let step = try optionalInteger() { slice.step = step } else { position = afterColon }
        return .slice(slice)
    }

    private mutating func optionalInteger() throws(JSONPathError) -> Int? {
        guard let next, next == "-" || "0"..."9" ~= next else { return nil }
        return try integer()
    }

    private mutating func integer() throws(JSONPathError) -> Int {
        let start = position
        let isNegative = take("-")
        let digits = take { "0"..."9" ~= $0 }
        guard !digits.isEmpty else { throw error("expected a digit after '-', found \(found)") }
        guard digits == "0" || !digits.hasPrefix("0") else { throw error("an index has no leading zeros", at: start) }
        guard digits != "0" || !isNegative else {
            throw error("there is no index -0; the first element is 0", at: start)
        }
        guard let value = Int(digits), value <= Self.maximumInteger else {
            throw error("an index is at most \(Self.maximumInteger)", at: start)
        }
        return isNegative ? -value : value
    }
}

/// Strings and numbers.
extension JSONPathParser {
    /// Parses a string in either kind of quotes (RFC 9535, section 2.3.1.1).
    mutating func string() throws(JSONPathError) -> String {
        guard let quote = next else { throw error("expected a string, found the end") }
        let start = position
        position += 1
        var result = String.UnicodeScalarView()
        while let scalar = next {
            switch scalar {
            case quote:
                position += 1
                return String(result)
            case "\\": result.append(try escape(quote: quote))
            case _ where scalar.value < 0x20:
                throw error("a control character in a string must be written as an escape, found \(found)")
            default:
                result.append(scalar)
                position += 1
            }
        }
        throw error("the string that begins here has no closing \(quote)", at: start)
    }

    private mutating func escape(quote: Unicode.Scalar) throws(JSONPathError) -> Unicode.Scalar {
        position += 1
        guard let scalar = next else { throw error("expected an escape after '\\', found the end") }
        position += 1
        switch scalar {
        case "b": return "\u{08}"
        case "f": return "\u{0C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "/", "\\", quote: return scalar
        case "u": return try codePoint()
        default:
            position -= 1
            throw error("expected one of \(quote)\\/bfnrtu after '\\', found \(found)")
        }
    }

    private mutating func codePoint() throws(JSONPathError) -> Unicode.Scalar {
        let start = position - 2
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, take("\\u") else {
            throw error("half of a surrogate pair without the other half", at: start)
        }
        let second = try codeUnit()
        guard second & 0xFC00 == 0xDC00, let scalar = Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + (second & 0x3FF))
        else { throw error("half of a surrogate pair without the other half", at: start) }
        return scalar
    }

    private mutating func codeUnit() throws(JSONPathError) -> UInt32 {
        var result: UInt32 = 0
        for _ in 0..<4 {
            guard let next, next.isASCII, let digit = UInt8(next.value).hexDigitValue else {
                throw error("expected four hexadecimal digits after '\\u', found \(found)")
            }
            result = result << 4 | UInt32(digit)
            position += 1
        }
        return result
    }

    mutating func number() throws(JSONPathError) -> JSONPathBytes {
        let start = position
        guard let first = next, first.isASCII else { throw error("expected a number, found \(found)") }
        var phase = JSONNumberPhase(firstByte: UInt8(first.value))
        var result = String(first)
        position += 1
        while let scalar = next, scalar.isASCII {
            let byte = UInt8(scalar.value)
            let isDigit = "0"..."9" ~= scalar
            guard let after = isDigit ? phase.after(digit: byte) : phase.after(byte) else {
                if isDigit { throw error("a number has no leading zeros", at: start) }
                break
            }
            phase = after
            result.unicodeScalars.append(scalar)
            position += 1
        }
        guard phase.isWhole else { throw error("\(phase.missing), found \(found)") }
        return JSONPathBytes(result)
    }
}
