/// Something of this machine or of its user that a collection can reach, and that must not go to a server unasked.
///
/// A value knows the sources that it was made from: through templates, functions, other variables, captures and computed
/// credentials.
package enum Source: Hashable, Sendable {
    /// A variable of the process environment.
    case environment(String)
    /// A file, by its real path.
    case file(String)
    /// A name in a `.env` file, by the file's real path.
    case envFile(String, name: String)
    /// The output of a program: its words, and the SHA-256 of those that are files of the workspace.
    case command([String], content: String? = nil)
    case keyring(service: String, account: String?)
    /// A secret that a person types when it is needed, by its name.
    case typed(String)
    /// A member of `NAME.local.json`, such as a variable, by its name.
    case local(String, isSecret: Bool)
    /// A secret that was captured from a response, and the destination that sent it.
    case captured(String, from: Destination?)
    /// The tokens of an authorization server, by the destination that issues them.
    case token(Destination)
    /// The client certificate in a file.
    case certificate(String)
    /// The Kerberos ticket of the user.
    case kerberos
    /// A Unix domain socket.
    case socket(String)
    /// A host of ssh, whose program runs.
    case ssh(String)
    /// A value of the command line, which goes wherever the collection says.
    case override(String)

    /// True for what was given for this very run.
    package var isFree: Bool { if case .override = self { true } else { false } }

    /// False for a value that is shown.
    var isSecret: Bool { if case .local(_, false) = self { false } else { true } }

    /// The destination that knows it already.
    var home: Destination? {
        switch self {
        case .captured(_, let home): home
        case .token(let home): home
        default: nil
        }
    }

    /// True where using it starts a program or opens a door of this machine.
    package var isActive: Bool {
        switch self {
        case .command, .keyring, .socket, .ssh: true
        default: false
        }
    }

    /// The text of the source, which is its identity in the file of grants.
    package var text: String {
        switch self {
        case .environment(let name): "$" + Words.name(name)
        case .file(let path): "the file " + Words.path(path)
        case .envFile(let path, let name): "\(Words.name(name)) in " + Words.path(path)
        case .command(let words, let content):
            "the output of \(Words.line(words))" + (content.map { " (content \($0))" } ?? "")
        case .keyring(let service, let account):
            "the keyring entry \(Words.name(service))" + (account.map { " of " + Words.name($0) } ?? "")
        case .typed(let name): "what is typed for \(Words.name(name))"
        case .local(let name, _): "\(Words.name(name)) of the local file"
        case .captured(let name, let home):
            "the captured \(Words.name(name))" + (home.map { " from " + $0.text } ?? "")
        case .token(let home): "the token of \(home.text)"
        case .certificate(let path): "the client certificate " + Words.path(path)
        case .kerberos: "the Kerberos ticket"
        case .socket(let path): "the socket " + Words.path(path)
        case .ssh(let host): "ssh to " + Words.name(host)
        case .override(let name): "--set " + Words.name(name)
        }
    }

    /// The same source with the secrets in the path of its file masked.
    func masked(by mask: (String) -> String) -> Source {
        if case .file(let path) = self { .file(Words.distinct(path, mask)) } else { self }
    }

    /// The names by which a person refers to it, as in `--grant NAME=URL`.
    var names: [String] {
        switch self {
        case .environment(let name): [name, "$" + name]
        case .file(let path), .certificate(let path), .socket(let path): [path, Words.path(path)]
        case .envFile(_, let name), .typed(let name), .local(let name, _), .captured(let name, _): [name]
        case .command(let words, _): [words.joined(separator: " "), Words.line(words)]
        case .keyring(let service, _): [service]
        case .ssh(let host): [host]
        case .token: ["token"]
        case .kerberos: ["kerberos"]
        case .override: []
        }
    }
}

/// Names and paths in sentences that must not be mistaken for one another.
enum Words {
    /// Returns a plain name as it is, and any other in quotes with its control characters escaped.
    static func name(_ text: String) -> String {
        let isName = text.utf8.allSatisfy(isPlain) || text.unicodeScalars.allSatisfy { isPlain($0) }
        return isName && !text.isEmpty ? text : JSONValue.quoted(text)
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        UInt8(exactly: scalar.value).map(isPlain) ?? false || scalar.properties.isAlphabetic
    }

    /// Returns false for bytes beyond ASCII.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: punctuation.contains(byte)
        }
    }

    private static let punctuation = Array("_-./:@~+%*#=&?\\".utf8)

    /// The same with the home folder as `~`.
    static func path(_ path: String) -> String {
        guard let home = Workspace.home, path.hasPrefix(home + "/") else { return name(path) }
        return name("~" + path.dropFirst(home.count))
    }

    static func line(_ words: [String]) -> String { words.map(name).joined(separator: " ") }
}
