/// The identifiers of a generated type: safe in Swift, and each used once.
struct SwiftNames {
    /// A property of the type: a variable of a template, or a secret that is not written down.
    struct Property: Equatable {
        var name: String
        var note: String
    }

    private(set) var properties: [Property] = []
    private var known: [String: String] = [:]
    private var taken = Self.reserved

    mutating func variable(_ name: String) -> String { property(name, note: "{{\(name)}}") }

    /// Returns the property of a text that is kept out of the code.
    mutating func secret(_ name: String) -> String { property(name, note: "The secret of \(name)") }

    private mutating func property(_ name: String, note: String) -> String {
        if let property = known[note] { return property }
        let wanted = Self.identifier(name, startsUpper: false)
        var property = taken.contains(wanted) ? wanted + "Value" : wanted
        var number = 2
        while taken.contains(property) {
            property = "\(wanted)\(number)"
            number += 1
        }
        taken.insert(property)
        known[note] = property
        properties.append(Property(name: property, note: Self.line(note)))
        return property
    }

    /// Returns the name of a type for a request: "user by id" is `UserByIdRequest`.
    static func type(_ name: String) -> String {
        let identifier = identifier(name, startsUpper: true)
        let type = identifier.hasSuffix("Request") ? identifier : identifier + "Request"
        return libraryTypes.contains(type) ? "Own" + type : type
    }

    /// Returns a text that fits into a `///` comment.
    static func line(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { SwiftLiteral.isPlain($0) ? $0 : " " }))
    }

    private static func identifier(_ text: String, startsUpper: Bool) -> String {
        var name = ""
        for word in text.unicodeScalars.split(whereSeparator: { !isPart($0) }).map({ String($0) }) {
            let isLower = name.isEmpty && !startsUpper
            // A word in capitals throughout is one like any other.
            let rest =
                word.count > 1 && word == word.uppercased() ? word.dropFirst().lowercased() : "\(word.dropFirst())"
            name += (isLower ? word.prefix(1).lowercased() : word.prefix(1).uppercased()) + rest
        }
        guard let first = name.unicodeScalars.first else { return startsUpper ? "Saved" : "value" }
        return (0x30...0x39).contains(first.value) ? (startsUpper ? "Saved" : "value") + name : name
    }

    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter: true
        default: (0x30...0x39).contains(scalar.value)
        }
    }

    private static let libraryTypes: Set<String> = [
        "Request", "HTTPRequest", "HttpRequest", "URLRequest", "UrlRequest", "ComposableRequest", "TransportRequest",
        "StreamedRequest", "MalformedRequest", "DownloadRequest",
    ]

    /// The members of a request, the names in the generated code, and the keywords.
    private static let reserved: Set<String> = [
        "path", "method", "query", "headers", "body", "bodyStream", "authentication", "authenticator",
        "fallbackResponse", "requestEncoder", "responseDecoder", "responseValidator", "timeoutInterval",
        "attemptTimeout", "requestInterceptor", "uploadProgress", "downloadProgress", "host", "manager", "send", "json",
        "text", "description", "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func",
        "import", "init", "inout", "internal", "let", "open", "operator", "private", "precedencegroup", "protocol",
        "public", "rethrows", "static", "struct", "subscript", "typealias", "var", "break", "case", "catch",
        "continue", "default", "defer", "do", "else", "fallthrough", "for", "guard", "if", "in", "repeat", "return",
        "switch", "throw", "where", "while", "any", "as", "await", "async", "false", "is", "nil", "self", "super",
        "throws", "true", "try", "some", "actor", "nonisolated", "isolated", "consume", "copy", "borrowing", "each",
        "get", "set", "willSet", "didSet", "lazy", "weak", "unowned", "mutating", "nonmutating", "override",
    ]
}

enum SwiftLiteral {
    static func quoted(_ text: String) -> String { "\"" + escaped(text) + "\"" }

    /// Returns the text for a place between quotation marks, with escapes for invisible characters.
    /// - Parameter hidden: Returns the escape of an invisible character; by default, Swift's.
    static func escaped(
        _ text: String, hidden: (UInt32) -> String = { "\\u{\(String($0, radix: 16, uppercase: true))}" }
    ) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", "\"": result += "\\" + String(scalar)
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where isPlain(scalar): result.unicodeScalars.append(scalar)
            default: result += hidden(scalar.value)
            }
        }
        return result
    }

    /// Returns the text for a multi-line literal.
    static func lines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            escaped(String(line)).replacing("\\\"", with: "\"").replacing("\"\"\"", with: "\\\"\\\"\\\"")
        }.joined(separator: "\n")
    }

    static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
        default: true
        }
    }
}

/// Policies of requests as code for OmbiCore.
enum SwiftPolicy {
    /// Returns the retries of a policy as an expression; nil for none.
    static func retry(_ policy: RequestPolicy) -> String? {
        guard let retries = policy.retries, retries > 0 else { return nil }
        var arguments = ["retries: \(retries)"]
        if let conditions = policy.retryOn { arguments += Self.conditions(conditions) }
        if let backoff = policy.backoff {
            let ceiling = backoff.ceiling.map { ", ceiling: \(duration($0))" } ?? ""
            arguments.append(
                "backoff: Backoff(first: \(duration(backoff.first)), factor: \(backoff.factor), "
                    + "jitter: \(backoff.jitter)\(ceiling))")
        }
        return "RetryPolicy(\(arguments.joined(separator: ", ")))"
    }

    private static func conditions(_ conditions: [RetryCondition]) -> [String] {
        var failures: [String] = []
        var codes: [String] = []
        for condition in conditions {
            switch condition {
            case .connection: failures.append(".connection")
            case .timeout: failures.append(".timeout")
            case .status(let pattern): codes.append("\(pattern.codes.lowerBound)...\(pattern.codes.upperBound)")
            }
        }
        if !codes.isEmpty { failures.append(".status") }
        return ["failures: [\(failures.joined(separator: ", "))]"]
            + (codes.isEmpty ? [] : ["statusCodes: Set([\(codes.joined(separator: ", "))].joined())"])
    }

    static func duration(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        if attoseconds == 0 { return ".seconds(\(seconds))" }
        let microseconds = attoseconds / 1_000_000_000_000
        return microseconds % 1000 == 0
            ? ".milliseconds(\(seconds * 1000 + microseconds / 1000))"
            : ".microseconds(\(seconds * 1_000_000 + microseconds))"
    }
}
