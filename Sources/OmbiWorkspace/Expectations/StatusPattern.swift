/// One status code, or a class of them: `429`, `5xx`.
public enum StatusPattern: Sendable, Hashable {
    /// One status code, 100 to 599.
    case code(Int)
    /// The hundreds: 2 for 200 to 299.
    case hundreds(Int)

    /// Nil for anything but `100` to `599` and `1xx` to `5xx`.
    public init?(_ text: String) {
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

    public func matches(_ status: Int) -> Bool {
        switch self {
        case .code(let code): status == code
        case .hundreds(let digit): status / 100 == digit
        }
    }

    /// All status codes that match.
    public var codes: ClosedRange<Int> {
        switch self {
        case .code(let code): code...code
        case .hundreds(let digit): digit * 100...digit * 100 + 99
        }
    }
}

extension StatusPattern: CustomStringConvertible {
    public var description: String {
        switch self {
        case .code(let code): "\(code)"
        case .hundreds(let digit): "\(digit)xx"
        }
    }
}
