/// A comparison with a whole number as text: `>0`, `<=100`, `3`.
package struct NumberComparison: Sendable, Hashable {
    /// An operator, by its text.
    package enum Operator: String, Sendable, Hashable, CaseIterable {
        // Two-character operators first: the first that fits is taken.
        case atMost = "<="
        case atLeast = ">="
        case different = "!="
        case less = "<"
        case greater = ">"
        case equal = "="
    }

    package var comparison: Operator
    package var number: Int

    package init(_ comparison: Operator, _ number: Int) {
        self.comparison = comparison
        self.number = number
    }

    /// Nil for anything but a number from 0 on, after an operator or none. Spaces around the operator are skipped.
    package init?(_ text: String) {
        let text = text.trimmed
        let found = Operator.allCases.first { text.hasPrefix($0.rawValue) }
        let digits = String(text.dropFirst(found?.rawValue.count ?? 0)).trimmed
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits) else { return nil }
        self.init(found ?? .equal, number)
    }

    package func holds(_ value: Int) -> Bool {
        switch comparison {
        case .atMost: value <= number
        case .atLeast: value >= number
        case .different: value != number
        case .less: value < number
        case .greater: value > number
        case .equal: value == number
        }
    }

    /// `> 0`, for messages.
    var words: String { "\(comparison.rawValue) \(number)" }

    /// False where no count fits.
    var isPossible: Bool { !(comparison == .less && number == 0) }

    static let form = "write a number, or one after =, !=, <, <=, > or >=, such as \">0\""
}

extension NumberComparison: CustomStringConvertible {
    /// The form in a file.
    package var description: String { comparison == .equal ? "\(number)" : "\(comparison.rawValue)\(number)" }
}

extension NumberComparison {
    var json: JSONValue { comparison == .equal ? .number(number) : .string(description) }

    static var schema: JSONValue {
        ["oneOf": [Schema.text(pattern: "^ *(=|!=|<|<=|>|>=)? *[0-9]+ *$"), Schema.integer(in: 0...Int.max)]]
    }
}

extension StringProtocol {
    /// The text without spaces and tabs around it.
    package var trimmed: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        // Only what is around the text is looked at: a long one is copied at once.
        var rest = Substring(String(self))
        while let first = rest.first, isSpace(first) { rest.removeFirst() }
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return String(rest)
    }
}

/// One status code, or a class of them: `429`, `5xx`.
package enum StatusPattern: Sendable, Hashable {
    /// One status code, 100 to 599.
    case code(Int)
    /// The hundreds: 2 for 200 to 299.
    case hundreds(Int)

    /// Nil for anything but `100` to `599` and `1xx` to `5xx`.
    package init?(_ text: String) {
        if let code = Int(text), text.count == 3, (100...599).contains(code) {
            self = .code(code)
        } else if text.count == 3, text.lowercased().hasSuffix("xx"), let digit = text.first?.wholeNumberValue,
            (1...5).contains(digit), text.first?.isASCII == true
        {
            self = .hundreds(digit)
        } else {
            return nil
        }
    }

    package func matches(_ status: Int) -> Bool {
        switch self {
        case .code(let code): status == code
        case .hundreds(let digit): status / 100 == digit
        }
    }

    /// All status codes that match.
    package var codes: ClosedRange<Int> {
        switch self {
        case .code(let code): code...code
        case .hundreds(let digit): digit * 100...digit * 100 + 99
        }
    }
}

extension StatusPattern {
    static var schema: JSONValue {
        ["oneOf": [Schema.text(pattern: "^([1-5][xX][xX]|[1-5][0-9][0-9])$"), Schema.integer(in: 100...599)]]
    }
}

extension StatusPattern: CustomStringConvertible {
    package var description: String {
        switch self {
        case .code(let code): "\(code)"
        case .hundreds(let digit): "\(digit)xx"
        }
    }
}
