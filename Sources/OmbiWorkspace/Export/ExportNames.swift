/// The names that values have in exported code: upper case, and each used once.
struct ExportNames {
    private(set) var all: [String] = []
    private var known: [String: String] = [:]
    private var taken = UniqueNames(separator: "_")

    /// Takes the names of all values, in their order.
    init(_ requests: [ExportedRequest]) {
        for value in requests.flatMap(\.texts).flatMap(\.values) { add(value.name) }
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
        if result.utf8.first.map({ (0x30...0x39).contains($0) }) ?? true { result = "_" + result }
        return result == "_" ? "VALUE" : reserved.contains(result) ? result + "_VALUE" : result
    }

    /// Variables of every process, and what the code uses itself.
    private static let reserved: Set<String> = [
        "PATH", "HOME", "USER", "SHELL", "LANG", "PWD", "TERM", "TMPDIR", "HOST", "HOSTNAME", "IFS", "UID", "EDITOR",
        "JSON", "SECONDS", "RANDOM", "PPID", "EUID", "GROUPS", "STATUS", "PROMPT", "NODE_OPTIONS", "PYTHONPATH",
        "LOGNAME", "DISPLAY", "COLUMNS", "LINES", "OPTIND", "OPTARG", "OLDPWD", "MAIL", "CDPATH", "ENV", "USERNAME",
    ]
}
