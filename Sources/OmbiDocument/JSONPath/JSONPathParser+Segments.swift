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
