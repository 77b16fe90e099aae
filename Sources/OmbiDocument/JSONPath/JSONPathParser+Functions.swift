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
