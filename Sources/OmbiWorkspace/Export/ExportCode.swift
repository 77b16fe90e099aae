/// Values in the code of a language, escaped for their places.
enum ExportCode {
    /// - Parameter code: an expression for a text.
    static func python(_ code: String, _ encoding: ExportEncoding) -> String {
        switch encoding {
        case .none, .writtenQuery: code
        // Escapes stay, a sign that begins none is one.
        case .path: "re.sub(\"%(?![0-9A-Fa-f]{2})\", \"%25\", quote(\(code), safe=\"/:@!$&'()*+,;=%\"))"
        case .segment: "quote(\(code), safe=\"\")"
        case .parameter: "quote(\(code), safe=\"/?:@!$'()*,\")"
        case .form: "quote_plus(\(code), safe=\"*\").replace(\"~\", \"%7E\")"
        case .json: "json.dumps(\(code), ensure_ascii=False)[1:-1]"
        }
    }

    /// - Parameter code: an expression for a text.
    static func javaScript(_ code: String, _ encoding: ExportEncoding) -> String {
        switch encoding {
        case .none, .writtenQuery: code
        case .path:
            "encodeURI(\(code)).replace(/%25(?=[0-9A-Fa-f]{2})/g, \"%\").replace(/[?#]/g, encodeURIComponent)"
        case .segment, .parameter: "encodeURIComponent(\(code))"
        // k6 has no URLSearchParams.
        case .form:
            "encodeURIComponent(\(code)).replace(/%20/g, \"+\")"
                + ".replace(/[!'()~]/g, (c) => \"%\" + c.charCodeAt(0).toString(16).toUpperCase())"
        case .json: "JSON.stringify(\(code)).slice(1, -1)"
        }
    }
}

/// The names that values have in exported code: upper case, and each used once.
struct ExportNames {
    private(set) var all: [String] = []
    private var known: [String: String] = [:]
    private var taken = UniqueNames(separator: "_")

    /// Takes the names of all values, in their order.
    init(_ requests: [ExportedRequest]) {
        for value in requests.flatMap(\.texts).flatMap(\.values) { add(value.name) }
    }

    /// Returns the name of a value, which is added where it is new.
    mutating func take(_ name: String) -> String {
        add(name)
        return known[name] ?? Self.upperCase(name)
    }

    func name(of value: ExportValue) -> String { known[value.name] ?? Self.upperCase(value.name) }

    private mutating func add(_ name: String) {
        guard known[name] == nil else { return }
        let unique = taken.take(Self.upperCase(name))
        known[name] = unique
        all.append(unique)
    }

    /// `accessToken` is `ACCESS_TOKEN`.
    private static func upperCase(_ name: String) -> String {
        var result = ""
        var wasLower = false
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"):
                result.unicodeScalars.append(Unicode.Scalar(byte - 0x20))
                wasLower = true
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                if wasLower { result += "_" }
                result.unicodeScalars.append(Unicode.Scalar(byte))
                wasLower = false
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
                wasLower = false
            default:
                if !result.hasSuffix("_") { result += "_" }
                wasLower = false
            }
        }
        if result.utf8.first?.isASCIIDigit ?? true { result = "_" + result }
        return result == "_" ? "VALUE" : reserved.contains(result) ? result + "_VALUE" : result
    }

    /// Variables of every process, and names that the code uses.
    private static let reserved: Set<String> = [
        "PATH", "HOME", "USER", "SHELL", "LANG", "PWD", "TERM", "TMPDIR", "HOST", "HOSTNAME", "IFS", "UID", "EDITOR",
        "JSON", "SECONDS", "RANDOM", "PPID", "EUID", "GROUPS", "STATUS", "PROMPT", "NODE_OPTIONS", "PYTHONPATH",
        "LOGNAME", "DISPLAY", "COLUMNS", "LINES", "OPTIND", "OPTARG", "OLDPWD", "MAIL", "CDPATH", "ENV", "USERNAME",
        "OMBI_USERS", "OMBI_DURATION", "OMBI_RATE", LoadScript.resultVariable, LoadScript.rowsVariable,
    ]
}

/// Texts as literals of the languages that are exported. What cannot be seen is written as an escape, which survives
/// being printed and pasted.
enum ExportQuotes {
    static func python(_ text: String) -> String {
        let escaped = SwiftLiteral.escaped(text) { value in
            let (escape, count) = value < 0x100 ? ("\\x", 2) : value < 0x10000 ? ("\\u", 4) : ("\\U", 8)
            return escape + value.digits(count, radix: 16, uppercase: true)
        }
        return "\"" + escaped + "\""
    }

    /// Returns a literal of JavaScript without templates, which has the same escapes as Swift.
    static func javaScript(_ text: String) -> String { SwiftLiteral.quoted(text) }

    /// Returns JSON with escapes for what cannot be seen in its strings.
    static func json(_ json: String) -> String {
        var result = ""
        for scalar in json.unicodeScalars {
            if SwiftLiteral.isPlain(scalar) || scalar == "\n" {
                result.unicodeScalars.append(scalar)
            } else {
                result += UTF16.encode(scalar)?.map { "\\u" + $0.digits(4, radix: 16, uppercase: true) }.joined() ?? ""
            }
        }
        return result
    }

    /// Returns a text of Hurl in which braces begin no template.
    /// - Parameter others: The characters with a meaning at its place.
    static func hurl(_ text: String, escaping others: String = "") -> String {
        var result = ""
        var previous: Unicode.Scalar?
        let last = text.unicodeScalars.count - 1
        for (index, scalar) in text.unicodeScalars.enumerated() {
            let isBrace = scalar == "{" && (previous == "{" || index == last)
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where isBrace || scalar == "#" || others.unicodeScalars.contains(scalar):
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            case _ where SwiftLiteral.isPlain(scalar): result.unicodeScalars.append(scalar)
            default: result += "\\u{" + String(scalar.value, radix: 16) + "}"
            }
            previous = scalar
        }
        return result
    }

    static func markdownCell(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n", "\r": result += " "
            case "\\", "|", "`", "*", "_", "<", ">", "[", "]", "#", "&", "~", "$": result += "\\" + String(scalar)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Returns a block of code of Markdown, whose fence is longer than any in the text.
    static func markdownBlock(_ text: String, language: String) -> String {
        var (longest, run) = (2, 0)
        for byte in text.utf8 {
            run = byte == UInt8(ascii: "`") ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: longest + 1)
        return fence + language + "\n" + text + (text.hasSuffix("\n") ? "" : "\n") + fence
    }

    /// Returns true for a text with a character that cannot be seen, other than a line break and a tab.
    static func hasHidden(_ text: String) -> Bool {
        text.unicodeScalars.contains { !SwiftLiteral.isPlain($0) && $0 != "\n" && $0 != "\t" }
    }
}
