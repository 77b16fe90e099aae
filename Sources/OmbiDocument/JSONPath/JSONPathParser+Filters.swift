/// Filter expressions.
extension JSONPathParser {
    mutating func expression() throws(JSONPathError) -> JSONPathExpression {
        try nested { (parser) throws(JSONPathError) in
            let terms = try parser.list("||") { (parser) throws(JSONPathError) in
                let factors = try parser.list("&&") { (parser) throws(JSONPathError) in try parser.basic() }
                return factors.count == 1 ? factors[0] : .all(factors)
            }
            return terms.count == 1 ? terms[0] : .any(terms)
        }
    }

    private mutating func list(
        _ separator: String, _ item: (inout JSONPathParser) throws(JSONPathError) -> JSONPathExpression
    ) throws(JSONPathError) -> [JSONPathExpression] {
        var result = [try item(&self)]
        while true {
            let start = position
            skipSpace()
            guard take(separator) else {
                position = start
                return result
            }
            skipSpace()
            result.append(try item(&self))
        }
    }

    private mutating func basic() throws(JSONPathError) -> JSONPathExpression {
        guard take("!") else {
            if next == "(" { return try parentheses() }
            return try comparisonOrTest()
        }
        skipSpace()
        if next == "(" { return .not(try parentheses()) }
        let start = position
        let test = try comparisonOrTest()
        if case .comparison = test { throw error("a comparison after '!' needs parentheses: !(…)", at: start) }
        return .not(test)
    }

    private mutating func parentheses() throws(JSONPathError) -> JSONPathExpression {
        try expect("(", "here")
        skipSpace()
        let result = try expression()
        skipSpace()
        try expect(")", "after the expression")
        return result
    }

    private mutating func comparisonOrTest() throws(JSONPathError) -> JSONPathExpression {
        let start = position
        let left = try term()
        let afterLeft = position
        skipSpace()
        guard let comparison = try comparison() else {
            position = afterLeft
            return try test(left, at: start)
        }
        let leftOperand = try operand(left, at: start)
        skipSpace()
        let rightStart = position
        let right = try term()
        return .comparison(leftOperand, comparison, try operand(right, at: rightStart))
    }

    private mutating func comparison() throws(JSONPathError) -> JSONPathComparison? {
        for comparison in JSONPathComparison.allCases where take(comparison.rawValue) { return comparison }
        if next == "=" { throw error("expected '==', found '='") }
        return nil
    }

    /// Parses a literal, a query or a function call, without checking its type.
    mutating func term() throws(JSONPathError) -> JSONPathTerm {
        switch next {
        case "'", "\"": return .value(.string(JSONPathBytes(try string())))
        case let scalar? where scalar == "-" || Self.isDigit(scalar): return .value(.number(try number()))
        case "@", "$": return .query(try query())
        case let scalar? where "a"..."z" ~= scalar: return try wordOrFunction()
        default:
            throw error("expected '@', '$', a function, a string, a number, true, false or null, found \(found)")
        }
    }

    private mutating func query() throws(JSONPathError) -> JSONPathQuery {
        let isRelative = take("@")
        if !isRelative { try expect("$", "here") }
        return JSONPathQuery(isRelative: isRelative, segments: try segments())
    }

    private mutating func wordOrFunction() throws(JSONPathError) -> JSONPathTerm {
        let start = position
        let word = take { "a"..."z" ~= $0 || "0"..."9" ~= $0 || $0 == "_" }
        guard next != "(" else { return try function(word, at: start) }
        switch word {
        case "true": return .value(.true)
        case "false": return .value(.false)
        case "null": return .value(.null)
        default:
            throw error(
                "expected '@', '$', a function or a literal, found '\(word)' (strings are in quotes)", at: start)
        }
    }

    private func test(_ term: JSONPathTerm, at start: Int) throws(JSONPathError) -> JSONPathExpression {
        switch term {
        case .query(let query): return .exists(query)
        case .logical(let test): return test
        case .value(let operand):
            if let name = operand.functionName {
                throw error("\(name)() gives a value, which must be compared with something", at: start)
            }
            throw error("expected a comparison after the literal, found \(found)")
        }
    }

    func operand(_ term: JSONPathTerm, at start: Int) throws(JSONPathError) -> JSONPathOperand {
        switch term {
        case .value(let operand): return operand
        case .logical:
            throw error("match() and search() are true or false by themselves and are not compared", at: start)
        case .query(let query):
            guard query.isSingular else {
                throw error(
                    "this query may give several values and cannot be compared; count() and value() can", at: start)
            }
            guard !query.hasInnerSpace else {
                throw error("a query that is compared has no white space in its brackets", at: start)
            }
            return .query(query)
        }
    }
}

/// A part of an expression whose use is not known yet.
enum JSONPathTerm {
    case value(JSONPathOperand)
    case query(JSONPathQuery)
    case logical(JSONPathExpression)
}

/// Functions and the types of their arguments (RFC 9535, section 2.4).
extension JSONPathParser {
    mutating func function(_ name: String, at start: Int) throws(JSONPathError) -> JSONPathTerm {
        guard let arity = Self.arity[name] else {
            throw error("there is no function '\(name)'; there are \(Self.names)", at: start)
        }
        let arguments = try nested { (parser) throws(JSONPathError) in try parser.arguments() }
        guard arguments.count == arity else {
            let wanted = arity == 1 ? "one argument" : "two arguments"
            throw error("\(name)() takes \(wanted), found \(arguments.count)", at: start)
        }
        switch name {
        case "length": return .value(.length(try value(arguments[0], of: name)))
        case "count": return .value(.count(try query(arguments[0], of: name)))
        case "value": return .value(.value(try query(arguments[0], of: name)))
        default:
            let (text, pattern) = (try value(arguments[0], of: name), try value(arguments[1], of: name))
            return .logical(.matches(text: text, pattern: pattern, isWhole: name == "match"))
        }
    }

    private static let arity = ["length": 1, "count": 1, "value": 1, "match": 2, "search": 2]
    private static let names = "length, count, value, match and search"

    private typealias Argument = (term: JSONPathTerm, start: Int)

    private mutating func arguments() throws(JSONPathError) -> [Argument] {
        try expect("(", "after the name of the function")
        skipSpace()
        var result: [Argument] = []
        if take(")") { return result }
        repeat {
            skipSpace()
            let start = position
            result.append((try argument(), start))
            skipSpace()
        } while take(",")
        try expect(")", "or ',' after the argument")
        return result
    }

    /// Parses an argument. Rejects logical expressions, which no function takes.
    private mutating func argument() throws(JSONPathError) -> JSONPathTerm {
        let start = position
        let term = try term()
        let afterTerm = position
        skipSpace()
        if let next, "=!<>&|".unicodeScalars.contains(next) {
            throw error("expected a value or a query, found an expression that is true or false", at: start)
        }
        position = afterTerm
        return term
    }

    private func value(_ argument: Argument, of name: String) throws(JSONPathError) -> JSONPathOperand {
        switch argument.term {
        case .value, .query: return try operand(argument.term, at: argument.start)
        case .logical:
            throw error("\(name)() takes a value, found one that is true or false only", at: argument.start)
        }
    }

    private func query(_ argument: Argument, of name: String) throws(JSONPathError) -> JSONPathQuery {
        guard case .query(let query) = argument.term else {
            throw error("\(name)() takes a query, which begins with '@' or '$'", at: argument.start)
        }
        return query
    }
}

extension JSONPathOperand {
    /// The name of the called function; nil for anything but a call.
    var functionName: String? {
        switch self {
        case .length: "length"
        case .count: "count"
        case .value: "value"
        case .string, .number, .true, .false, .null, .query: nil
        }
    }
}
